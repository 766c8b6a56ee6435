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
    /// Steps so far.
    steps: u64,
    /// Those before the instant of the last one.
    before: u64,
    /// Nothing is looked at before this step.
    look: u64,
    at: Instant,
    interrupt: Interrupt,
}

impl Pace {
    pub(super) fn stop_on(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// The steps that follow are taken at `now`.
    #[inline]
    pub(super) fn begin(&mut self, now: Instant) {
        if self.at != now {
            (self.at, self.before) = (now, self.steps);
            self.look = self.next_look();
        }
    }

    /// The next time the interrupt is looked at.
    const fn next_look(&self) -> u64 {
        (self.steps / LOOK + 1) * LOOK
    }

    /// When the CPU goes on that has taken a step and would go on at `until`.
    #[inline(always)]
    pub(super) fn after_step(&mut self, until: Instant) -> Instant {
        self.steps += 1;
        if self.steps < self.look {
            return until;
        }
        self.look(until)
    }

    #[cold]
    fn look(&mut self, until: Instant) -> Instant {
        if self.steps.is_multiple_of(LOOK) && self.interrupt.is_raised() {
            return Instant::NEVER;
        }
        let most = self.before + MOST_STEPS;
        if self.steps >= most {
            self.look = self.steps;
            if until <= self.at {
                return self.at + PAUSE;
            }
        } else {
            self.look = self.next_look().min(most);
        }
        until
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::Instant;

    use super::{Interrupt, LOOK, MOST_STEPS, PAUSE, Pace};

    #[test]
    fn a_cpu_that_never_waits_pauses_after_its_most_steps() {
        let mut pace = Pace::default();
        let mut now = Instant::from_ps(1);
        for earlier in [5, 3, 0] {
            // Steps at an instant before do not count.
            pace.begin(now);
            for _ in 0..earlier {
                assert_eq!(pace.after_step(now), now);
            }
            now = now.plus(PAUSE);
            pace.begin(now);
            let steps = (1..).find(|_| pace.after_step(now) > now);
            assert_eq!(steps, Some(MOST_STEPS));
            let later = now.plus(PAUSE * 3);
            assert_eq!(pace.after_step(later), later, "goes on by itself");
            assert_eq!(pace.after_step(now), now.plus(PAUSE));
            now = later;
        }
    }

    #[test]
    fn an_interrupt_is_seen_within_as_many_steps_at_whatever_instants() {
        let (mut pace, interrupt) = (Pace::default(), Interrupt::default());
        pace.stop_on(interrupt.clone());
        interrupt.raise();
        let stopped = (1..=LOOK).find(|step| {
            let now = Instant::from_ps(*step);
            pace.begin(now);
            pace.after_step(now) == Instant::NEVER
        });
        assert_eq!(stopped, Some(LOOK));
    }
}
