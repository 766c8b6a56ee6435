//! A completion queue: events in the order of their posts, each from its instant on.

use std::collections::VecDeque;

/// Type of an event, in its four upper bits.
const POST: u64 = 1;
const MESSAGE: u64 = 2;

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The post whose descriptor is at this address.
    Post(u64),
    /// The small message of this number.
    Message(u32),
}

impl Event {
    /// The word that a program gets.
    pub(crate) fn word(self) -> u64 {
        match self {
            // Addresses of programs have 47 bits.
            Self::Post(address) => POST << 60 | address,
            Self::Message(number) => MESSAGE << 60 | u64::from(number),
        }
    }

    /// The address of a descriptor from what a program got.
    pub(crate) fn descriptor(word: u64) -> Option<u64> {
        (word >> 60 == POST).then_some(word & ((1 << 60) - 1))
    }
}

/// An event, and the instant from which a program sees it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    due_ns: u64,
    event: Event,
}

/// Events in the order of their posts.
#[derive(Debug)]
pub(crate) struct Queue {
    entries: VecDeque<Entry>,
    capacity: usize,
    /// Posts seen by the program whose descriptors it has not asked for.
    open: Vec<u64>,
}

impl Queue {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            capacity,
            open: Vec::new(),
        }
    }

    pub(crate) fn has_room(&self) -> bool {
        self.entries.len() < self.capacity
    }

    pub(crate) fn push(&mut self, due_ns: u64, event: Event) {
        self.entries.push_back(Entry { due_ns, event });
    }

    /// The next event at `now_ns`; later ones wait for it, so that the order is that of the posts
    /// whatever their modes.
    pub(crate) fn pop(&mut self, now_ns: u64) -> Option<u64> {
        let &Entry { due_ns, event } = self.entries.front()?;
        if due_ns > now_ns {
            return None;
        }
        self.entries.pop_front();
        if let Event::Post(address) = event {
            self.open.push(address);
        }
        Some(event.word())
    }

    /// The descriptor of an event that was seen; once.
    pub(crate) fn take(&mut self, word: u64) -> Option<u64> {
        let address = Event::descriptor(word)?;
        let position = self.open.iter().position(|&open| open == address)?;
        Some(self.open.swap_remove(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_order_when_they_are_due_and_are_taken_once() {
        let mut queue = Queue::new(2);
        queue.push(50, Event::Post(0x1000));
        queue.push(10, Event::Message(7));
        assert!(!queue.has_room());
        assert_eq!(queue.pop(49), None);
        let word = queue.pop(50).unwrap();
        assert_eq!((queue.take(word), queue.take(word)), (Some(0x1000), None));
        let word = queue.pop(50).unwrap();
        assert_eq!(
            (word & 0xff, queue.take(word), queue.pop(99)),
            (7, None, None)
        );
    }
}
