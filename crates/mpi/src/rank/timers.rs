//! Events of a rank without its CPU: its NIC at work.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Timer {
    at: Instant,
    order: u64,
    event: Event,
}

impl Ord for Timer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Events in order of their instants; those of one instant in the order in which they were set.
#[derive(Debug, Default)]
pub(super) struct Timers {
    heap: BinaryHeap<Reverse<Timer>>,
    order: u64,
}

impl Timers {
    pub(super) fn set(&mut self, at: Instant, event: Event) {
        self.heap.push(Reverse(Timer {
            at,
            order: self.order,
            event,
        }));
        self.order += 1;
    }

    #[inline]
    pub(super) fn next(&self) -> Instant {
        self.heap
            .peek()
            .map_or(Instant::NEVER, |Reverse(timer)| timer.at)
    }

    /// Takes the earliest event that is due at `now`; most often there is none.
    #[inline]
    pub(super) fn take(&mut self, now: Instant) -> Option<Event> {
        if self.next() > now {
            return None;
        }
        self.pop()
    }

    #[inline(never)]
    fn pop(&mut self) -> Option<Event> {
        self.heap.pop().map(|Reverse(timer)| timer.event)
    }
}
