//! Ordered packets, from `docs/model/routing.md`: a router keeps its last decision on each flow.

use odonata_routing::{PacketRoute, PathState};
use odonata_topology::PortIndex;
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::packet::Packet;
use crate::routing::Travel;

/// Packets from one node to another, of one class and mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Flow {
    source: NodeId,
    target: NodeId,
    class: usize,
    mode: u8,
}

/// What a router decided on the last packet of a flow.
pub(crate) struct Decision {
    /// When it routed it.
    at: Instant,
    /// Over which router the packet might go when it came, as each routing has it.
    over: [RouterId; 2],
    /// What became of the packet.
    route: PacketRoute,
    travel: Travel,
    /// Output (port, VC).
    output: (PortIndex, u8),
}

impl Packet {
    /// Its flow, if it goes by this mode.
    pub(crate) const fn flow(&self, mode: u8) -> Flow {
        Flow {
            source: self.source,
            target: self.target,
            class: self.lane.class,
            mode,
        }
    }

    /// Whether it is minimal, but not for good.
    pub(crate) fn is_tentative(&self) -> bool {
        self.route.path_state == PathState::Tentative || self.travel.is_tentative()
    }

    /// Over which router it may go.
    pub(crate) const fn over(&self) -> [RouterId; 2] {
        [self.route.intermediate, self.travel.over()]
    }

    /// What was decided on it, which came with `over`.
    pub(crate) const fn decision(
        &self,
        at: Instant,
        over: [RouterId; 2],
        port: PortIndex,
        vc: u8,
    ) -> Decision {
        let output = (port, vc);
        Decision {
            at,
            over,
            route: self.route,
            travel: self.travel,
            output,
        }
    }
}

impl Decision {
    /// Whether `packet`, which is routed at `now`, takes it over. At the source router it does after
    /// no more than `gap`.
    pub(crate) fn holds(&self, packet: &Packet, is_source: bool, now: Instant, gap: Span) -> bool {
        if is_source {
            now - self.at <= gap
        } else {
            packet.over() == self.over
        }
    }

    /// `packet` takes it over at `now`: the output.
    pub(crate) const fn apply(&mut self, packet: &mut Packet, now: Instant) -> (PortIndex, u8) {
        self.at = now;
        packet.route = self.route;
        packet.travel = self.travel;
        self.output
    }
}
