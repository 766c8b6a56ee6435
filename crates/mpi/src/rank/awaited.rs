//! The requests that a strand waits for.

use super::requests::Requests;

/// Slots of requests, in the order in which they are retired.
///
/// Many of a rank that exchanges with many wait for long, and each message wakes it: none is looked
/// at again before another request is complete.
#[derive(Debug)]
pub(super) struct Awaited {
    slots: Vec<u32>,
    /// So many at the front are open, unless requests have completed since.
    open: usize,
    /// Requests that had completed by then.
    completed: u64,
}

impl Awaited {
    pub(super) const fn new() -> Self {
        Self {
            slots: Vec::new(),
            open: 0,
            completed: 0,
        }
    }

    /// Waits for `slots` alone.
    pub(super) fn set(&mut self, slots: impl IntoIterator<Item = u32>) {
        self.clear();
        self.slots.extend(slots);
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.open = 0;
    }

    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Takes the first one that is complete.
    pub(super) fn take_complete(&mut self, requests: &Requests) -> Option<u32> {
        if self.completed != requests.completed() {
            (self.open, self.completed) = (0, requests.completed());
        }
        let rest = self.slots[self.open..].iter();
        let Some(position) = rest.copied().position(|slot| requests.is_done(slot)) else {
            self.open = self.slots.len();
            return None;
        };
        self.open += position;
        if self.open + 1 == self.slots.len() {
            self.slots.pop()
        } else {
            Some(self.slots.remove(self.open))
        }
    }

    /// Waits no more for those that are open.
    pub(super) fn keep_complete(&mut self, requests: &Requests) {
        self.slots.retain(|&slot| requests.is_done(slot));
        self.open = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::requests::{OpenRequest, Requests};
    use super::Awaited;

    #[test]
    fn those_that_complete_are_taken_in_order_whenever_they_do() {
        let (mut requests, mut awaited) = (Requests::default(), Awaited::new());
        let slots: Vec<u32> = (0..5)
            .filter_map(|_| requests.insert(OpenRequest::IDLE))
            .collect();
        awaited.set(slots);
        assert_eq!(awaited.take_complete(&requests), None);
        requests.set_done(3, true);
        requests.set_done(1, true);
        assert_eq!(awaited.take_complete(&requests), Some(1));
        requests.set_done(0, true);
        assert_eq!(
            awaited.take_complete(&requests),
            Some(0),
            "before the one that is known"
        );
        assert_eq!(awaited.take_complete(&requests), Some(3));
        assert_eq!(awaited.take_complete(&requests), None);
        requests.set_done(4, true);
        awaited.keep_complete(&requests);
        assert_eq!(awaited.slots(), [4]);
        assert_eq!(awaited.take_complete(&requests), Some(4));
        assert!(awaited.slots().is_empty());
    }
}
