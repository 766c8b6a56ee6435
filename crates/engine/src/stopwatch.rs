//! Measures where the time of a thread goes, by a clock that somebody above has. Without one nothing
//! is measured, and nothing but a test per block and epoch is spent on it.

use crate::block::Control;
use crate::laps::{Exchanged, Laps};

/// Measures the laps of a thread.
pub(crate) struct Stopwatch<'a, C> {
    control: &'a C,
    /// What the clock has shown last; `None`: nothing is measured.
    last: Option<u64>,
    laps: Laps,
}

impl<'a, C: Control> Stopwatch<'a, C> {
    pub(crate) fn new(control: &'a C) -> Self {
        Self {
            control,
            last: control.clock_ns(),
            laps: Laps::default(),
        }
    }

    /// The time since the last lap.
    #[inline]
    fn lap(&mut self) -> u64 {
        let Some(last) = self.last else { return 0 };
        let now = self.control.clock_ns().unwrap_or(last);
        self.last = Some(now);
        now.saturating_sub(last)
    }

    /// Blocks were simulated.
    #[inline]
    pub(crate) fn worked(&mut self) {
        self.laps.work_ns += self.lap();
    }

    /// Mail was handed over, or taken in.
    #[inline]
    pub(crate) fn exchanged(&mut self) {
        self.laps.exchange_ns += self.lap();
    }

    /// Others have come as far: an epoch is over.
    #[inline]
    pub(crate) fn waited(&mut self) {
        self.laps.waiting_ns += self.lap();
        self.laps.epochs += 1;
    }

    /// The run is over.
    pub(crate) fn tell(mut self, thread: usize, exchanged: Exchanged) {
        if self.last.is_some() {
            self.laps.thread = thread as u64;
            self.laps.waiting_ns = self.laps.waiting_ns.saturating_sub(exchanged.ns);
            self.laps.exchange_ns += exchanged.ns;
            self.laps.sent_bytes = exchanged.sent_bytes;
            self.control.timed(self.laps);
        }
    }
}
