//! Keeps a rank from doing an endless amount of work at once.
//!
//! A program that never waits, on a library without costs, does everything at one instant: time
//! would stand still, and with it all that ends a run.

use odonata_units::{Instant, Span};

use crate::report::Interrupt;

/// Steps a CPU takes at one instant at most.
const MOST_STEPS: u64 = 1 << 20;
/// Time that these take it then: 66 ns each.
const PAUSE: Span = Span::from_ps(1 << 36);
/// Steps between two looks at the interrupt.
const LOOK: u64 = 1 << 12;

/// Steps of one CPU.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Steps so far, and those of them before the instant of the last one.
    steps: u64,
    before: u64,
    at: Instant,
    interrupt: Interrupt,
}

impl Pace {
    pub(super) fn stop_on(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// When the CPU goes on that has taken a step at `now` and would go on at `until`.
    #[inline(always)]
    pub(super) fn after_step(&mut self, now: Instant, until: Instant) -> Instant {
        if self.at != now {
            (self.at, self.before) = (now, self.steps);
        }
        self.steps += 1;
        if self.steps.is_multiple_of(LOOK) && self.interrupt.is_raised() {
            return Instant::NEVER;
        }
        if self.steps - self.before >= MOST_STEPS && until <= now {
            return now + PAUSE;
        }
        until
    }
}
