//! Where the time of a thread goes, by a clock that somebody above has. Without one nothing is
//! measured, and nothing but a test per block and epoch is spent on it.

use crate::block::Control;

/// Where the time of one thread has gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Laps {
    /// Number of the process.
    pub process: u64,
    /// Number of the thread in its process.
    pub thread: u64,
    /// Epochs that were simulated.
    pub epochs: u64,
    /// Simulating blocks, ns.
    pub work_ns: u64,
    /// Until other threads and processes were as far, ns.
    pub waiting_ns: u64,
    /// Handing mail over and taking it in, ns; the first thread of a process does so for its
    /// process, too.
    pub exchange_ns: u64,
    /// Sent to other processes, by the first thread of a process, bytes.
    pub sent_bytes: u64,
}

odonata_units::record!(Laps {
    process,
    thread,
    epochs,
    work_ns,
    waiting_ns,
    exchange_ns,
    sent_bytes,
});

/// What a thread has done beside waiting while it met others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exchanged {
    /// Since the beginning of the run, ns.
    pub(crate) ns: u64,
    pub(crate) sent_bytes: u64,
}

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
