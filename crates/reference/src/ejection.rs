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
    pub(crate) told: BTreeSet<NodeId>,
}

/// What a NIC was told.
#[derive(Default)]
pub(crate) struct Abated {
    pub(crate) signals: i32,
    /// When the last packet that started while it was abated lets the next one start.
    pub(crate) until: Instant,
    /// Instants and bytes of what it was told that is delivered.
    pub(crate) delivered: Vec<(Instant, u32)>,
}
