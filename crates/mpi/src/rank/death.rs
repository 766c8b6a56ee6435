//! A rank that is killed, as its node fails.

use odonata_units::Instant;

use super::MpiRank;
use super::timers::{Event, Timers};

impl MpiRank {
    /// The rank is killed at `at`, unless it has ended by then: it sends nothing more, what arrives
    /// then is ignored, and nobody waits for its end. What its NIC had got is still sent. To be
    /// called before the rank begins.
    pub fn die_at(&mut self, at: Instant) {
        self.timers.set(at, Event::Die);
    }

    /// The rank is killed.
    #[cold]
    pub(super) fn die(&mut self) {
        if self.repeats.is_some() || !self.has_ended() {
            self.timers = Timers::default();
            self.go_away();
            self.is_dead = true;
        }
    }
}
