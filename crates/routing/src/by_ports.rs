//! The least congested of the ports at hand: progressive adaptive routing as CODES has it on the
//! one-dimensional dragonfly (dragonfly-dally) and on the megafly (dragonfly-plus).
//!
//! No path is drawn but the intermediate group. Wherever a packet stands, all local ports that lead
//! on are compared, or `global_candidates` random ones of its global ports; the best minimal one is
//! compared with the best non-minimal one.

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, RouterId};

use crate::context::RoutingContext;
use crate::decision::Decision;
use crate::geometry::{NO_WAYPOINT, Step, one_of, to_gateways};
use crate::ladder::Leg;
use crate::observation::{Observation, least};
use crate::packet::{Hop, PacketRoute, PathState};
use crate::port_rule::PortRule;
use crate::rule::Congestion;

/// A step and its congestion, flits.
type Scored = (u32, Step);

const fn congestion(minimal: u32, nonminimal: u32) -> Congestion {
    Congestion {
        minimal,
        nonminimal,
    }
}

impl RoutingContext<'_> {
    /// The hop of `packet` under `rule`.
    #[inline(never)]
    pub(crate) fn by_ports<O: Observation>(
        &self,
        rule: &PortRule,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let target = self.geometry.router_of(packet.target);
        let group = self.group;
        let target_group = self.geometry.group_of(target);
        if group == target_group {
            if packet.path_state == PathState::Fresh {
                packet.path_state = PathState::Minimal;
            }
            return self.inside_by_ports(rule, target, packet, decision);
        }
        match (packet.path_state, self.arrival.kind.is_local()) {
            (PathState::Fresh, _) | (PathState::Tentative, true) => {
                self.choose_port(rule, target_group, packet, decision)
            }
            (
                PathState::Minimal
                | PathState::Tentative
                | PathState::Confirmed
                | PathState::Onward,
                _,
            ) => {
                let (_, step) = self.best_towards(rule, target_group, packet, decision);
                let leg = self.minimal_port_leg(step.port, packet);
                self.take(step, leg, packet)
            }
            (PathState::Outward, _) => self.outward_by_ports(rule, target_group, packet, decision),
        }
    }

    /// Inside the target group a packet takes the least congested local port on a shortest path.
    fn inside_by_ports<O: Observation>(
        &self,
        rule: &PortRule,
        target: RouterId,
        packet: &PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        if self.here == target {
            return self.deliver_by_ports(packet);
        }
        let ports = self.geometry.local_ports(self.here, target);
        let scored =
            ports.map(|port| (decision.observe.flits(port, None, rule.rule.estimate), port));
        let port = match least(scored) {
            Some((_, port)) => port,
            None => self
                .geometry
                .local_port(self.location, target, decision.draw),
        };
        let leg = if self.is_in_source_group(packet) {
            Leg::SourceMinimal
        } else {
            Leg::Target
        };
        self.hop(port, leg)
    }

    /// The hop to the node; a packet of its own group that came over a local link is one leg
    /// further.
    fn deliver_by_ports(&self, packet: &PacketRoute) -> Hop {
        let hop = self.deliver(packet.target);
        if !self.ladder.is_by_legs() || !self.is_in_source_group(packet) {
            return hop;
        }
        let leg = if self.arrival.kind == LinkKind::Host {
            Leg::SourceMinimal
        } else {
            Leg::SourceNonminimal
        };
        let vc = self.ladder.base(leg);
        Hop { vc, ..hop }
    }

    /// The hop of a packet that has not left its source group, if only one path is left inside it.
    pub(crate) fn determined_in_source_group(
        &self,
        target: RouterId,
        packet: &PacketRoute,
    ) -> Option<Hop> {
        if self.here == target {
            return Some(self.deliver_by_ports(packet));
        }
        let is_inside = self.geometry.group_of(self.here) == self.geometry.group_of(target);
        if !is_inside || !self.geometry.is_direct() {
            return None;
        }
        let port = self.geometry.only_local_port(self.here, target)?;
        Some(self.hop(port, Leg::SourceMinimal))
    }

    /// Whether the packet has not left its source group.
    #[inline]
    pub(crate) fn is_in_source_group(&self, packet: &PacketRoute) -> bool {
        let source = self.geometry.router_of(packet.source);
        self.geometry.group_of(source) == self.group
    }

    /// The ports towards group `to` that are listed, and whether they lead straight there.
    #[inline]
    fn listed_ports(&self, to: GroupId) -> Option<(&[PortIndex], bool)> {
        let lists = self.geometry.port_lists.as_ref()?;
        Some(lists.towards(self.here, to))
    }

    /// Whether a channel leads from here to group `to`.
    fn leads_to(&self, to: GroupId) -> bool {
        match self.listed_ports(to) {
            Some((_, is_direct)) => is_direct,
            None => !self
                .geometry
                .topology()
                .direct_ports(self.here, to)
                .is_empty(),
        }
    }

    /// Leg of a step out of `port` in the source group: the second where a global channel comes
    /// behind a local one, the first otherwise (dragonfly-dally: the local hops made).
    fn source_leg(&self, port: PortIndex) -> Leg {
        let is_leaving = self.geometry.topology().port_kind(port) == LinkKind::Global;
        if is_leaving && self.arrival.kind.is_local() {
            Leg::SourceNonminimal
        } else {
            Leg::SourceMinimal
        }
    }

    fn minimal_port_leg(&self, port: PortIndex, packet: &PacketRoute) -> Leg {
        if self.is_in_source_group(packet) {
            self.source_leg(port)
        } else {
            Leg::Onward
        }
    }

    /// The decision, at the source router and again while the packet is minimal in its group.
    fn choose_port<O: Observation>(
        &self,
        rule: &PortRule,
        target_group: GroupId,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let group = self.group;
        if packet.path_state == PathState::Fresh {
            if !self.geometry.is_joined(group, target_group) {
                return self.over_relay(&rule.rule, target_group, packet, decision.draw);
            }
            let through =
                self.geometry
                    .draw_router_outside(group, target_group, false, decision.draw);
            let Some(through) = through else {
                packet.path_state = PathState::Minimal;
                let (_, step) = self.best_towards(rule, target_group, packet, decision);
                return self.take(step, self.source_leg(step.port), packet);
            };
            packet.path_state = PathState::Tentative;
            packet.intermediate = through;
        }
        let minimal = self.best_towards(rule, target_group, packet, decision);
        if let Some((through, detour)) = self.best_detour(rule, target_group, packet, decision)
            && rule.rule.diverts(congestion(minimal.0, detour.0), 0)
        {
            packet.path_state = PathState::Outward;
            packet.intermediate = through;
            return self.take(detour.1, self.source_leg(detour.1.port), packet);
        }
        let port = minimal.1.port;
        let is_leaving = self.geometry.topology().port_kind(port) == LinkKind::Global;
        let is_first = self.arrival.kind == LinkKind::Host;
        if is_leaving && !is_first {
            packet.path_state = PathState::Confirmed;
        }
        self.take(minimal.1, self.source_leg(port), packet)
    }

    /// The best non-minimal step here and its intermediate router; `None` where there is none.
    fn best_detour<O: Observation>(
        &self,
        rule: &PortRule,
        target_group: GroupId,
        packet: &PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Option<(RouterId, Scored)> {
        let mut router = packet.intermediate;
        // Spines, and routers met behind the first: none of them may walk on inside the group.
        let is_second = self.is_spine() || self.arrival.kind != LinkKind::Host;
        if is_second {
            let through = self.geometry.group_of(router);
            if !self.leads_to(through) {
                router =
                    self.geometry
                        .draw_router_behind(self.here, target_group, decision.draw)?;
            }
        } else if self.is_leaf_of_megafly() && !rule.source_leaf_nonminimal {
            return None;
        }
        let through = self.geometry.group_of(router);
        let fresh = PacketRoute {
            waypoint: NO_WAYPOINT,
            ..*packet
        };
        let best = self.best_towards(rule, through, &fresh, decision);
        Some((router, best))
    }

    fn is_leaf_of_megafly(&self) -> bool {
        let family = self.geometry.topology().family();
        family.has_levels() && !self.is_spine()
    }

    /// The best step towards group `to`: own global ports if there are any, else local ports to
    /// routers that have some.
    fn best_towards<O: Observation>(
        &self,
        rule: &PortRule,
        to: GroupId,
        packet: &PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Scored {
        let topology = self.geometry.topology();
        let estimate = rule.rule.estimate;
        let listed = self.listed_ports(to);
        let direct = match listed {
            Some((ports, true)) => ports,
            Some((_, false)) => &[],
            None => topology.direct_ports(self.here, to),
        };
        if !direct.is_empty() {
            return self.best_global(rule, direct, decision);
        }
        let observe = &mut *decision.observe;
        let best = match listed {
            _ if packet.waypoint != NO_WAYPOINT => None,
            Some((ports, _)) => least(
                ports
                    .iter()
                    .map(|port| (observe.flits(*port, None, estimate), *port)),
            ),
            None => {
                let ports = to_gateways(topology, self.here, to);
                least(ports.map(|port| (observe.flits(port, None, estimate), port)))
            }
        };
        if let Some((flits, port)) = best {
            let waypoint = NO_WAYPOINT;
            return (flits, Step { port, waypoint });
        }
        // Failed links: no gateway is next to this router.
        let step = self.geometry.towards(
            self.location,
            to,
            self.arrival.kind,
            packet.waypoint,
            decision.draw,
        );
        (decision.observe.flits(step.port, None, estimate), step)
    }

    /// The best of `global_candidates` different ones of `direct`, drawn at random.
    fn best_global<O: Observation>(
        &self,
        rule: &PortRule,
        direct: &[PortIndex],
        decision: &mut Decision<'_, O>,
    ) -> Scored {
        let mut score =
            |port: PortIndex| (decision.observe.flits(port, None, rule.rule.estimate), port);
        let candidates = usize::from(rule.global_candidates.min(8));
        let best = if direct.len() <= candidates {
            least(direct.iter().map(|port| score(*port)))
        } else {
            // Ports drawn one after the other, those drawn before excepted.
            let mut drawn = [PortIndex(u16::MAX); 8];
            for index in 0..candidates {
                let mut port = one_of(direct, decision.draw);
                while drawn[..index].contains(&port) {
                    port = one_of(direct, decision.draw);
                }
                drawn[index] = port;
            }
            least(drawn[..candidates].iter().map(|port| score(*port)))
        };
        let (flits, port) = best.unwrap_or((0, direct[0]));
        let waypoint = NO_WAYPOINT;
        (flits, Step { port, waypoint })
    }

    /// Non-minimal, not yet turned towards the target.
    fn outward_by_ports<O: Observation>(
        &self,
        rule: &PortRule,
        target_group: GroupId,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let through = self.geometry.group_of(packet.intermediate);
        if self.group != through {
            let (_, step) = self.best_towards(rule, through, packet, decision);
            return self.take(step, self.source_leg(step.port), packet);
        }
        if self.is_spine() {
            let down = self.best_down(rule, decision.observe);
            let is_joined = rule.spine_minimal && self.leads_to(target_group);
            match down {
                Some((flits, port)) => {
                    if !is_joined {
                        return self.hop(port, Leg::ToIntermediate);
                    }
                    let minimal = self.best_towards(rule, target_group, packet, decision);
                    if rule.rule.diverts(congestion(minimal.0, flits), 0) {
                        return self.hop(port, Leg::ToIntermediate);
                    }
                    packet.path_state = PathState::Onward;
                    return self.take(minimal.1, Leg::Onward, packet);
                }
                None => packet.path_state = PathState::Onward,
            }
        }
        packet.path_state = PathState::Onward;
        let (_, step) = self.best_towards(rule, target_group, packet, decision);
        self.take(step, Leg::Onward, packet)
    }

    /// The least congested port down from a spine.
    fn best_down<O: Observation>(
        &self,
        rule: &PortRule,
        observe: &mut O,
    ) -> Option<(u32, PortIndex)> {
        let topology = self.geometry.topology();
        let ports = topology.ports(LinkKind::Local).map(PortIndex);
        let down = ports.filter(|port| topology.neighbour(self.here, *port).is_some());
        least(down.map(|port| (observe.flits(port, None, rule.rule.estimate), port)))
    }
}
