//! Counts of this library alone.

use odonata_interpose::Count;

odonata_interpose::left_alone! {
    /// Why a message was left alone.
    pub enum LeftAlone {
        /// It asked for an order, a hash, or something else than an adaptive mode.
        OtherMode = "other_mode",
        /// It is an atomic or no data transfer.
        OtherKind = "other_kind",
        /// It belongs to another call that was steered.
        Inside = "inside_another_call",
        /// Its mode cannot be set: DMAPP without numbers, or its own ordering.
        NotSettable = "mode_cannot_be_set",
    }
}

/// Changes of the mode of small messages of a NIC, in this process.
pub(crate) static SMSG_CHANGES: Count = Count::new();
