//! Q-adaptive routing: the port with the shortest learned time.
//!
//! Kang, Wang, Lan 2021 (HPDC, "Q-adaptive") and their 2022 study, as their code has it. A packet
//! is asked twice at most:
//!
//! * at its source router: the port with the least estimate, unless the minimal port is less than
//!   `threshold_source` worse;
//! * at the first router of the first intermediate group it comes to: the direct link if there is one, else
//!   one random other router of the group, unless the minimal port is less than `threshold_intermediate` worse.
//!
//! After either comparison, with probability `epsilon`, any router port is taken. Everywhere else
//! the packet goes minimally.
//!
//! # Five hops
//!
//! The first decision may make the packet take (a) the minimal way, at most `l g l`; (b) a local
//! link and then the minimal way from there, at most `l l g l`; (c) a global link to an
//! intermediate group. There the second decision, the last one, takes (d) the direct link: `g g l`;
//! (e) a local link and the minimal way from there: `g l l g l`; (f) at random, a global link to
//! another group, which may even be the source group, and the minimal way from its first router: `g
//! g l g l`. So no packet has more than 5 hops between routers, and VC = hops so far needs 5 VCs.

use std::ops::Range;

use odonata_topology::{Divider, Family, LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::context::RoutingContext;
use crate::geometry::{Geometry, NO_WAYPOINT};
use crate::ladder::Leg;
use crate::observation::Observation;
use crate::packet::{Hop, PacketRoute, PathState};
use crate::q_table::{LearningRates, QTable};

/// Router-to-router hops of the longest path.
pub(crate) const LONGEST: u8 = 5;

/// Parameters of Q-adaptive routing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QAdaptive {
    /// Weights of new measurements.
    pub rates: LearningRates,
    /// Probability of a random port at a decision.
    pub epsilon: f64,
    /// Share of the minimal estimate that another port must save at the source router.
    pub threshold_source: f64,
    /// Share that another port must save at the first router of an intermediate group.
    pub threshold_intermediate: f64,
    /// First estimate of a global link, ns.
    pub global_ns: u32,
    /// First estimate of a local link, ns.
    pub local_ns: u32,
}

/// Router ports: local ones, then global ones.
fn router_ports(geometry: &Geometry) -> Range<u16> {
    let topology = geometry.topology();
    topology.ports(LinkKind::Local).start..topology.ports(LinkKind::Global).end
}

/// Nodes of the routers of a plain dragonfly that have the most.
fn nodes_per_router(geometry: &Geometry) -> u32 {
    u32::from(geometry.topology().ports(LinkKind::Host).end)
}

/// Finds the row of a packet in every router's table: its target group, and its source node among
/// those of its router.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    by_nodes_per_group: Divider,
    by_nodes_per_router: Divider,
    nodes_per_router: u32,
    /// Every group has as many nodes, and every router.
    is_regular: bool,
}

impl Rows {
    pub(crate) fn new(geometry: &Geometry) -> Self {
        let nodes = geometry.topology().nodes_in(GroupId(0)).len();
        let nodes_per_router = nodes_per_router(geometry).max(1);
        Self {
            by_nodes_per_group: Divider::new(u32::try_from(nodes).unwrap_or(1).max(1)),
            by_nodes_per_router: Divider::new(nodes_per_router),
            nodes_per_router,
            is_regular: !matches!(geometry.topology().family(), Family::GroupKinds(_)),
        }
    }

    /// Rows of `group`.
    pub(crate) const fn of_group(&self, group: GroupId) -> Range<u32> {
        let first = group.0 * self.nodes_per_router;
        first..first + self.nodes_per_router
    }

    #[inline]
    pub(crate) fn of(&self, geometry: &Geometry, source: NodeId, target: NodeId) -> u32 {
        if !self.is_regular {
            let group = geometry.topology().group_of_node(target).0;
            return group * self.nodes_per_router + u32::from(geometry.host_port(source).0);
        }
        let group = self.by_nodes_per_group.quotient(target.0);
        let (_, node) = self.by_nodes_per_router.split(source.0);
        group * self.nodes_per_router + node
    }
}

impl QAdaptive {
    /// The table of `router` before anything is learned.
    pub(crate) fn table(&self, geometry: &Geometry, router: RouterId) -> QTable {
        let topology = geometry.topology();
        let nodes = nodes_per_router(geometry);
        let rows = topology.group_count() * nodes;
        let value = |nanoseconds: u32| i32::try_from(nanoseconds).unwrap_or(i32::MAX - 1);
        QTable::new(rows, router_ports(geometry), self.rates, |row, port| {
            topology.neighbour(router, port)?;
            let group = GroupId(row / nodes);
            let is_direct = topology.direct_ports(router, group).contains(&port);
            let detour = if is_direct { 0 } else { self.local_ns };
            Some(value(self.global_ns.saturating_add(detour)))
        })
    }

    /// The way out of `here` for a packet that leaves its group or is on its way; sets its path
    /// state.
    pub(crate) fn decide<O: Observation>(
        &self,
        context: &RoutingContext<'_>,
        rows: &Rows,
        packet: &mut PacketRoute,
        observe: &O,
        draw: &mut Stream,
    ) -> PortIndex {
        let (geometry, here) = (context.geometry, context.here);
        let arrival = context.arrival.kind;
        let target = geometry.topology().group_of_node(packet.target);
        let minimal = context.step(target, NO_WAYPOINT, draw).port;
        let is_asked = match packet.path_state {
            PathState::Fresh => arrival == LinkKind::Host,
            PathState::Outward => arrival == LinkKind::Global,
            PathState::Minimal
            | PathState::Tentative
            | PathState::Confirmed
            | PathState::Onward => false,
        };
        let is_source = packet.path_state == PathState::Fresh;
        if is_source {
            packet.path_state = PathState::Minimal;
        }
        let table = observe.table().filter(|_| is_asked);
        let Some(table) = table else {
            return minimal;
        };
        let row = rows.of(geometry, packet.source, packet.target);
        let chosen = if is_source {
            let best = table.best(row);
            let is_better = best.0 != minimal;
            let saving = saving(table.estimate(row, minimal), best.1);
            let chosen = if is_better && saving >= self.threshold_source {
                best.0
            } else {
                minimal
            };
            self.explore(geometry, here, chosen, draw)
        } else {
            packet.path_state = PathState::Onward;
            let estimate = |port| table.estimate(row, port);
            self.decide_between(geometry, here, minimal, estimate, draw)
        };
        if is_source && chosen != minimal {
            packet.path_state = PathState::Outward;
        }
        chosen
    }

    /// The second decision, by the estimates (ns) of the ports.
    fn decide_between(
        &self,
        geometry: &Geometry,
        here: RouterId,
        minimal: PortIndex,
        estimate: impl Fn(PortIndex) -> i32,
        draw: &mut Stream,
    ) -> PortIndex {
        let topology = geometry.topology();
        if topology.port_kind(minimal) == LinkKind::Global {
            return minimal;
        }
        let group = geometry.group_of(here);
        // At least two routers: the minimal port leads to another one.
        let others = topology.routers_in_group(group) - 1;
        let mut other = topology.first_router(group).0 + draw.below(others);
        other += u32::from(other >= here.0);
        let candidate = geometry.direct_port(here, group, RouterId(other));
        let saving = saving(estimate(minimal), estimate(candidate));
        let chosen = if saving < self.threshold_intermediate {
            minimal
        } else {
            candidate
        };
        self.explore(geometry, here, chosen, draw)
    }

    /// With probability `epsilon` a uniformly random connected router port, else `chosen`.
    fn explore(
        &self,
        geometry: &Geometry,
        here: RouterId,
        chosen: PortIndex,
        draw: &mut Stream,
    ) -> PortIndex {
        if draw.unit() >= self.epsilon {
            return chosen;
        }
        let topology = geometry.topology();
        let connected = || {
            let ports = router_ports(geometry).map(PortIndex);
            ports.filter(|port| topology.neighbour(here, *port).is_some())
        };
        let count = u32::try_from(connected().count()).unwrap_or(0);
        connected()
            .nth(draw.below(count.max(1)) as usize)
            .unwrap_or(chosen)
    }
}

/// Share of the minimal estimate that another one saves; nothing where the minimal one is zero.
fn saving(minimal: i32, other: i32) -> f64 {
    if minimal <= 0 {
        return f64::NEG_INFINITY;
    }
    (f64::from(minimal) - f64::from(other)) / f64::from(minimal)
}

impl RoutingContext<'_> {
    /// The hop of `packet` under `learner`: the table at the two decisions, else minimal.
    pub(crate) fn by_table<O: Observation>(
        &self,
        learner: &QAdaptive,
        rows: &Rows,
        packet: &mut PacketRoute,
        observe: &O,
        draw: &mut Stream,
    ) -> Hop {
        let target = self.geometry.router_of(packet.target);
        if self.here == target {
            if packet.path_state == PathState::Fresh {
                packet.path_state = PathState::Minimal;
            }
            return self.deliver(packet.target);
        }
        let port = if self.group == self.geometry.group_of(target) {
            if packet.path_state == PathState::Fresh {
                packet.path_state = PathState::Minimal;
            }
            self.geometry.direct_port(self.here, self.group, target)
        } else {
            learner.decide(self, rows, packet, observe, draw)
        };
        self.hop(port, Leg::Onward)
    }
}
