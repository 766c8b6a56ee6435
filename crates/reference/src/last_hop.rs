//! What a router knows of its last hops, and what a NIC was told of them:
//! `docs/model/congestion.md`.

use std::collections::BTreeMap;

use odonata_units::{Instant, NodeId, Span};

/// Notice to a NIC on a target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Notice {
    pub(crate) target: NodeId,
    pub(crate) degree: u32,
    pub(crate) pause: Span,
}

/// A notice that a source gets of its last hop.
pub(crate) struct PauseNotice {
    pub(crate) degree: u32,
    /// None if it is told of fewer sources.
    pub(crate) pause: Option<Span>,
}

/// What a NIC heeds.
#[derive(Default)]
pub(crate) struct Paced {
    /// By target: its degree, and the instant before which nothing may start.
    pub(crate) targets: BTreeMap<NodeId, (u32, Instant)>,
    /// When the last notice came.
    pub(crate) noticed_at: Instant,
}

/// Traffic of one node to the node behind a last hop.
pub(crate) struct Stream {
    pub(crate) packets: u32,
    /// The degree in the last notice to the source; 1 if it is not held back.
    pub(crate) told: u32,
    pub(crate) last: Instant,
}

/// What a router watches of one of its nodes.
#[derive(Default)]
pub(crate) struct LastHop {
    pub(crate) streams: BTreeMap<NodeId, Stream>,
    pub(crate) flits: u32,
    pub(crate) paused_until: Instant,
}

impl LastHop {
    /// The source that is held back and has been silent for longest.
    pub(crate) fn quietest(&self) -> Option<(Instant, NodeId)> {
        let streams = self.streams.iter();
        let quiet = streams.filter(|(_, stream)| stream.packets == 0 && stream.told > 1);
        quiet.map(|(&source, stream)| (stream.last, source)).min()
    }

    /// How many are held back.
    pub(crate) fn held(&self) -> u32 {
        let held = self.streams.values().filter(|stream| stream.told > 1);
        u32::try_from(held.count()).unwrap_or(u32::MAX)
    }

    /// Those with a packet in the router, and those that are held back.
    pub(crate) fn sources(&self) -> u32 {
        u32::try_from(self.streams.len()).unwrap_or(u32::MAX)
    }

    /// Forgets who is neither.
    pub(crate) fn forget(&mut self) {
        (self.streams).retain(|_, stream| stream.packets > 0 || stream.told > 1);
    }
}
