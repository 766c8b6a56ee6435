//! A packet, and what it remembers of the router it is in.

use odonata_routing::PacketRoute;
use odonata_units::{Instant, NodeId, RouterId};

use crate::routing::Travel;

/// Traffic class and virtual network: a lane of a NIC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LaneName {
    /// Traffic class.
    pub(crate) class: usize,
    /// Virtual network: requests and one-way packets, or responses.
    pub(crate) is_response: bool,
}

impl LaneName {
    /// Position among the lanes of a NIC, and the lane of a record.
    pub(crate) const fn index(self) -> usize {
        2 * self.class + if self.is_response { 1 } else { 0 }
    }

    /// The lane at this position.
    pub(crate) const fn at(index: usize) -> Self {
        Self {
            class: index / 2,
            is_response: index % 2 == 1,
        }
    }
}

/// What a router tells the one before about the way of a packet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Feedback {
    /// Row of the table.
    pub(crate) row: u32,
    /// From router to router, ns.
    pub(crate) measured: u32,
    /// What is left from here, ns.
    pub(crate) estimate: u32,
}

/// What a packet has met of links that go down.
#[derive(Clone, Copy, Default)]
pub(crate) struct Course {
    /// The state of the network that it began with.
    pub(crate) state: usize,
    /// It was rerouted.
    pub(crate) is_rerouted: bool,
}

/// A packet that has left its NIC.
pub(crate) struct Packet {
    /// Index of its message; none of a response.
    pub(crate) transfer: Option<usize>,
    /// Job that sent it; of a response, its request.
    pub(crate) job: u8,
    /// The NIC it left.
    pub(crate) source: NodeId,
    /// The NIC it goes to.
    pub(crate) target: NodeId,
    /// How it left.
    pub(crate) lane: LaneName,
    /// Among the packets of its lane.
    pub(crate) sequence: u64,
    /// Bytes, header included.
    pub(crate) bytes: u32,
    /// Flits it occupies.
    pub(crate) flits: u32,
    /// When it was created; of a response, when its request was.
    pub(crate) created: Instant,
    /// A queue that it came through was long.
    pub(crate) is_marked: bool,
    /// When it started on the host channel.
    pub(crate) injected: Instant,
    /// What the engine's routing knows of it, if that decides.
    pub(crate) route: PacketRoute,
    /// What the reference model's own routing knows of it, if that decides.
    pub(crate) travel: Travel,
    /// What it has met of links that go down.
    pub(crate) course: Course,
    /// Routers entered.
    pub(crate) path: Vec<RouterId>,
    /// VC of the channel it is on, or came over.
    pub(crate) vc: usize,
    /// Entry into the router before this one.
    pub(crate) entered_before: Option<Instant>,
    /// At its router: entry.
    pub(crate) entered: Instant,
    /// At its router: when it was routed; in a `cioq` router, when it became head.
    pub(crate) headed: Instant,
    /// At its router: input (port, VC).
    pub(crate) input: (usize, usize),
    /// At its router: output (port, VC), once routed.
    pub(crate) output: (usize, usize),
    /// At its router: first instant it may start, once routed.
    pub(crate) ready: Instant,
    /// At its router: what goes back with its credits, once routed.
    pub(crate) feedback: Option<Feedback>,
}

impl Packet {
    /// Whether it is on a non-minimal path.
    pub(crate) const fn is_nonminimal(&self) -> bool {
        // Whichever does not decide knows of no detour.
        self.route.path_state.is_nonminimal() || self.travel.is_nonminimal()
    }
}
