//! The context of a routing decision: router, arrival, geometry; and the steps of all algorithms.

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::geometry::{Geometry, NO_WAYPOINT, RouterLocation, Step};
use crate::ladder::{Exit, Ladder, Leg};
use crate::packet::{Arrival, Hop, PacketRoute, PathState};
use crate::rule::Rule;

/// The context of one routing decision: the router that decides, and how the packet came to it.
#[derive(Clone, Copy)]
pub(crate) struct RoutingContext<'a> {
    pub(crate) geometry: &'a Geometry,
    pub(crate) ladder: &'a Ladder,
    pub(crate) location: &'a RouterLocation,
    pub(crate) here: RouterId,
    /// Group of `here`.
    pub(crate) group: GroupId,
    pub(crate) arrival: Arrival,
}

impl RoutingContext<'_> {
    /// A packet that came by `arrival` to the router at `location`.
    #[inline(always)]
    pub(crate) const fn new<'a>(
        geometry: &'a Geometry,
        ladder: &'a Ladder,
        location: &'a RouterLocation,
        arrival: Arrival,
    ) -> RoutingContext<'a> {
        RoutingContext {
            geometry,
            ladder,
            location,
            here: location.router,
            group: GroupId(location.group),
            arrival,
        }
    }

    /// The hop out of `port` on `leg`.
    #[inline]
    pub(crate) fn hop(&self, port: PortIndex, leg: Leg) -> Hop {
        Hop {
            port,
            vc: self.vc(port, leg),
        }
    }

    /// VC of the next hop, out of `port` on `leg`.
    #[inline(always)]
    pub(crate) fn vc(&self, port: PortIndex, leg: Leg) -> u8 {
        if self.ladder.is_plain() {
            return self.ladder.base(leg);
        }
        let is_global = self.geometry.topology().port_kind(port) == LinkKind::Global;
        let exit = Exit {
            is_global,
            is_up: self.location.is_leaf,
        };
        self.ladder.next(self.arrival, leg, exit)
    }

    /// The hop to the node itself.
    #[inline]
    pub(crate) fn deliver(&self, node: NodeId) -> Hop {
        Hop {
            port: self.geometry.host_port(node),
            vc: self.ladder.towards_node(self.arrival),
        }
    }

    /// A minimal step towards another group.
    #[inline]
    pub(crate) fn minimally(
        &self,
        to: GroupId,
        packet: &mut PacketRoute,
        draw: &mut Stream,
    ) -> Hop {
        let step = self.step(to, packet.waypoint, draw);
        self.take(step, Leg::minimal(packet.path_state), packet)
    }

    #[inline]
    pub(crate) fn step(&self, to: GroupId, waypoint: u8, draw: &mut Stream) -> Step {
        self.geometry
            .towards(self.location, to, self.arrival.kind, waypoint, draw)
    }

    /// A step as if the packet had just come from its node: any channel of the pair of groups may
    /// be drawn.
    #[inline]
    pub(crate) fn fresh_step(&self, to: GroupId, draw: &mut Stream) -> Step {
        self.geometry
            .towards(self.location, to, LinkKind::Host, NO_WAYPOINT, draw)
    }

    #[inline(always)]
    pub(crate) fn take(&self, step: Step, leg: Leg, packet: &mut PacketRoute) -> Hop {
        packet.waypoint = step.waypoint;
        self.hop(step.port, leg)
    }

    #[inline]
    pub(crate) fn inside_target_group(
        &self,
        target: RouterId,
        packet: &PacketRoute,
        draw: &mut Stream,
    ) -> Hop {
        if self.here == target {
            return self.deliver(packet.target);
        }
        let port = self.geometry.local_port(self.location, target, draw);
        self.hop(port, Leg::Target)
    }

    /// No channel leads to the target group: over a group that has channels to both.
    #[inline(never)]
    pub(crate) fn over_relay(
        &self,
        rule: &Rule,
        target_group: GroupId,
        packet: &mut PacketRoute,
        draw: &mut Stream,
    ) -> Hop {
        let group = self.group;
        let relay = self
            .geometry
            .draw_router_outside(group, target_group, false, draw);
        debug_assert!(relay.is_some(), "the tables were refused otherwise");
        debug_assert!(rule.vcs.legs() > 1);
        packet.intermediate = relay.unwrap_or(self.here);
        packet.path_state = PathState::Outward;
        let step = self.fresh_step(self.geometry.group_of(packet.intermediate), draw);
        self.take(step, Leg::SourceNonminimal, packet)
    }

    /// A router without nodes of a megafly.
    #[inline]
    pub(crate) fn is_spine(&self) -> bool {
        let is_megafly = self.geometry.topology().family().has_levels();
        is_megafly && !self.location.is_leaf
    }
}
