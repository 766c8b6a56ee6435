//! What a router knows of the channel to a node, and a NIC of what it is to do:
//! `docs/model/congestion.md`, "Abatement".

use std::collections::BTreeSet;

use odonata_units::{Instant, NodeId};

/// What a router knows of the channel to a node: the words of the page.
#[derive(Default)]
pub(crate) struct Ejection {
    /// Packets routed to it that have not started.
    pub(crate) waiting: Vec<usize>,
    pub(crate) is_congested: bool,
    pub(crate) is_ending: bool,
    /// `b`.
    pub(crate) until: Instant,
    pub(crate) abated: BTreeSet<NodeId>,
}

/// The notices that a NIC has got.
#[derive(Default)]
pub(crate) struct Abated {
    pub(crate) signals: i32,
    /// When the last packet that started while it was abated lets the next one start.
    pub(crate) until: Instant,
    /// Instants and bytes of what is delivered, by its notices.
    pub(crate) delivered: Vec<(Instant, u32)>,
}
