//! Events of a rank without its CPU: its NIC at work.

use std::collections::VecDeque;

use odonata_endpoint::Message;
use odonata_units::Instant;

use crate::header::Envelope;

/// Something that happens at a known instant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// A message is handed to the network.
    HandOver(Message),
    /// A message has reached the host.
    Arrive(Envelope),
    /// The rank is killed.
    Die,
}

/// Events in order of their instants; those of one instant in the order in which they were set.
///
/// A rank has few at a time, and most are set for later than all others.
#[derive(Debug, Default)]
pub(super) struct Timers(VecDeque<(Instant, Event)>);

impl Timers {
    #[inline]
    pub(super) fn set(&mut self, at: Instant, event: Event) {
        if self.0.back().is_none_or(|last| last.0 <= at) {
            return self.0.push_back((at, event));
        }
        let position = self.0.partition_point(|other| other.0 <= at);
        self.0.insert(position, (at, event));
    }

    #[inline]
    pub(super) fn next(&self) -> Instant {
        self.0.front().map_or(Instant::NEVER, |first| first.0)
    }

    /// Takes the earliest event that is due at `now`; most often there is none.
    #[inline]
    pub(super) fn take(&mut self, now: Instant) -> Option<Event> {
        if self.next() > now {
            return None;
        }
        self.0.pop_front().map(|(_, event)| event)
    }
}
