//! What NICs know of credit: `docs/model/congestion.md`, "Receiver credit".

use std::collections::BTreeMap;

use odonata_units::{Instant, NodeId};

/// Traffic of a NIC to a target: the symbols of the page.
pub(crate) struct Outward {
    pub(crate) handed: u64,
    pub(crate) sent: u64,
    pub(crate) credit: u64,
    pub(crate) asked: u64,
}

/// Traffic to a NIC from a sender.
pub(crate) struct Inward {
    pub(crate) asked: u64,
    pub(crate) given: u64,
}

/// The credit of a NIC.
#[derive(Default)]
pub(crate) struct Credits {
    pub(crate) targets: BTreeMap<NodeId, Outward>,
    pub(crate) senders: BTreeMap<NodeId, Inward>,
    pub(crate) last_pull: Option<(Instant, NodeId)>,
}

/// Notice of one NIC to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Word {
    /// It wants credit for so many bytes in all.
    Demand(NodeId, u64),
    /// It gives credit for so many bytes.
    Credit(NodeId, u64),
}
