//! Counts of a library in this process, to which threads add without waiting.

use std::sync::atomic::{AtomicU64, Ordering};

use odonata_policy::Mode;

/// A count that threads add to without waiting.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// A count of 0.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Adds to the count.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// The count now.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts that every library has.
#[derive(Debug, Default)]
pub struct SteeringCounts {
    /// Messages that were steered, in the order of [`Mode::ALL`].
    pub messages: [Count; 3],
    /// Bytes of these messages.
    pub bytes: [Count; 3],
    /// Attempts to read counters.
    pub reads: Count,
    /// Attempts to read counters that failed.
    pub failed_reads: Count,
    /// Messages that took the last mode because another thread was deciding.
    pub contended: Count,
}

impl SteeringCounts {
    pub(crate) fn steered(&self, mode: Mode, bytes: u64) {
        let index = mode as usize;
        self.messages[index].add(1);
        self.bytes[index].add(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_in_the_order_of_their_names() {
        for (index, mode) in Mode::ALL.into_iter().enumerate() {
            assert_eq!(mode as usize, index);
        }
    }
}
