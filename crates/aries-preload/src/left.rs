//! What only this library counts.

use odonata_interpose::Count;

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

/// Counts of this process.
#[derive(Debug)]
pub(crate) struct ProcessCounts {
    /// In the order of [`Left::ALL`].
    pub(crate) left: [Count; 4],
    /// Changes of the mode of small messages of a NIC.
    pub(crate) smsg_changes: Count,
}

pub(crate) static COUNTS: ProcessCounts = ProcessCounts {
    left: [const { Count::new() }; 4],
    smsg_changes: Count::new(),
};

/// A message was left alone.
pub(crate) fn left(reason: Left) {
    COUNTS.left[reason as usize].add(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_in_the_order_of_their_names() {
        for (index, (reason, _)) in Left::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, index);
        }
    }
}
