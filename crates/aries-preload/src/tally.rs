//! What the library did in this process: counts that threads add to without waiting.

use std::sync::atomic::{AtomicU64, Ordering};

use odonata_policy::Mode;

/// Why a message was left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// It asked for an order, a hash, or something else than an adaptive mode.
    OtherMode,
    /// It is an atomic or no data transfer.
    OtherKind,
    /// It belongs to another call that was steered.
    Inside,
    /// Its mode cannot be set: DMAPP without numbers, or its own ordering.
    NoWay,
}

impl Left {
    /// All reasons, with their names in reports.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::OtherMode, "other_mode"),
        (Self::OtherKind, "other_kind"),
        (Self::Inside, "inside_another_call"),
        (Self::NoWay, "mode_cannot_be_set"),
    ];
}

/// One count.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts of one process.
#[derive(Debug, Default)]
pub struct Tally {
    /// Messages and bytes that were steered, in the order of [`Mode::ALL`].
    pub(crate) messages: [Count; 3],
    pub(crate) bytes: [Count; 3],
    /// In the order of [`Left::ALL`].
    pub(crate) left: [Count; 4],
    /// Changes of the mode of small messages of a NIC.
    pub(crate) smsg_changes: Count,
    /// Attempts to read counters, and those that failed.
    pub(crate) reads: Count,
    pub(crate) failed_reads: Count,
    /// Messages that took the last mode because another thread was deciding.
    pub(crate) contended: Count,
}

impl Tally {
    pub(crate) fn steered(&self, mode: Mode, bytes: u64) {
        let index = mode as usize;
        self.messages[index].add(1);
        self.bytes[index].add(bytes);
    }

    pub(crate) fn left(&self, reason: Left) {
        self.left[reason as usize].add(1);
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
        for (index, (reason, _)) in Left::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, index);
        }
    }
}
