//! The decision: one call per packet and router.

use std::sync::Arc;

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::error::RoutingError;
use crate::geometry::{Geometry, NO_WAYPOINT};
use crate::ladder::{Ladder, Leg};
use crate::mode::{Algorithm, Compiled, Mode, compile};
use crate::q_table::QTable;
use crate::rule::{Draws, Estimate};

/// What a packet has decided so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Plan {
    /// Not routed yet.
    #[default]
    Fresh = 0,
    /// Minimal, for good; decided at the source router.
    Minimal = 1,
    /// Minimal, to be asked again in the source group (PAR); its intermediate is drawn.
    Tentative = 2,
    /// Minimal, confirmed at a later decision (PAR).
    Confirmed = 3,
    /// Non-minimal, on the way to its intermediate.
    Outward = 4,
    /// Non-minimal, intermediate visited.
    Onward = 5,
}

impl Plan {
    /// The plan with this code.
    ///
    /// # Panics
    /// On a code that no plan has, which would be a damaged packet.
    #[inline]
    #[must_use]
    #[expect(clippy::panic, reason = "a damaged packet is a fault of this program")]
    pub const fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Fresh,
            1 => Self::Minimal,
            2 => Self::Tentative,
            3 => Self::Confirmed,
            4 => Self::Outward,
            5 => Self::Onward,
            _ => panic!("a plan code is at most 5"),
        }
    }

    /// Whether the packet takes a non-minimal path.
    #[inline]
    #[must_use]
    pub const fn is_nonminimal(self) -> bool {
        matches!(self, Self::Outward | Self::Onward)
    }
}

/// How a packet came to a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// Kind of the channel.
    pub kind: LinkKind,
    /// Virtual channel on it, as routing gave it; 0 from a NIC.
    pub vc: u8,
}

impl Arrival {
    /// From a NIC.
    pub const FROM_NODE: Self = Self {
        kind: LinkKind::Host,
        vc: 0,
    };
}

/// The routing fields of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PacketRoute {
    /// Where it comes from.
    pub source: NodeId,
    /// Where it goes.
    pub target: NodeId,
    /// Intermediate router; meaningful from [`Plan::Tentative`] on.
    pub intermediate: RouterId,
    /// What is decided.
    pub plan: Plan,
    /// Which of the modes of the [`Routing`] it is routed by.
    pub mode: u8,
    /// Position in its group of the router that the packet heads for on its way out of the group;
    /// [`NO_WAYPOINT`] if none.
    pub waypoint: u8,
}

impl PacketRoute {
    /// A packet that nothing is decided about.
    #[inline]
    #[must_use]
    pub const fn new((source, target): (NodeId, NodeId), mode: u8) -> Self {
        Self {
            source,
            target,
            intermediate: RouterId(0),
            plan: Plan::Fresh,
            mode,
            waypoint: NO_WAYPOINT,
        }
    }
}

/// The way out of a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Output port.
    pub port: PortIndex,
    /// Virtual channel on it, of the packet's class.
    pub vc: u8,
}

/// What a router lets its routing see, at the instant of the decision.
pub trait Observation {
    /// Congestion of output `port`, flits: over all VCs, or of one.
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32;

    /// What this router has learned (Q-adaptive).
    fn table(&self) -> Option<&QTable> {
        None
    }
}

/// The routing of a network: its modes on its geometry.
#[derive(Clone, Debug)]
pub struct Routing {
    pub(crate) geometry: Geometry,
    /// Those given, and behind them the minimal one of responses, if there are any.
    modes: Vec<Compiled>,
    /// Mode 0 once more, at hand.
    first: Compiled,
    /// As given.
    given: Vec<Mode>,
    has_responses: bool,
    request_vcs: u8,
    vcs: u8,
    /// `[router]`: what was learned before, to start from; empty if nothing was.
    learned: Arc<[QTable]>,
}

impl Routing {
    /// `modes` on `geometry`, all on one ladder of virtual channels; mode 0 is the default of the
    /// scenario. Responses are minimal and have a ladder of their own behind it.
    ///
    /// # Errors
    /// [`RoutingError`]: a mode that does not work on this family, a system that falls apart, more
    /// modes or virtual channels than can be numbered.
    pub fn new(
        geometry: Geometry,
        modes: Vec<Mode>,
        has_responses: bool,
    ) -> Result<Self, RoutingError> {
        let compiled = compile(&geometry, &modes, has_responses)?;
        let Some(first) = compiled.first().cloned() else {
            return Err(RoutingError::TooManyModes {
                count: 0,
                limit: crate::mode::MODE_LIMIT,
            });
        };
        let request_vcs = compiled.first().map_or(1, |mode| mode.ladder.count());
        let response_vcs = match compiled.last() {
            Some(mode) if has_responses => mode.ladder.count(),
            _ => 0,
        };
        Ok(Self {
            geometry,
            first,
            modes: compiled,
            given: modes,
            has_responses,
            request_vcs,
            vcs: request_vcs + response_vcs,
            learned: Arc::default(),
        })
    }

    /// The same with only `count` virtual channels, higher ones folded onto the last: what
    /// hardware with too few of them would do. [`crate::check_dependencies`] tells whether that
    /// can deadlock.
    #[must_use]
    pub fn with_virtual_channels(mut self, count: u8) -> Self {
        if count > 0 && count < self.vcs {
            for mode in &mut self.modes {
                mode.ladder.fold(count - 1);
            }
            self.first.ladder.fold(count - 1);
            self.vcs = count;
            self.request_vcs = self.request_vcs.min(count);
        }
        self
    }

    /// Virtual channels of one class: the ladder of requests and that of responses.
    #[must_use]
    pub const fn virtual_channels(&self) -> u8 {
        self.vcs
    }

    /// Virtual channels of requests: the lowest ones.
    #[must_use]
    pub const fn request_virtual_channels(&self) -> u8 {
        self.request_vcs
    }

    /// Mode of response packets, which are minimal; the number of modes given.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "modes are at most MODE_LIMIT"
    )]
    pub const fn response_mode(&self) -> u8 {
        self.given.len() as u8
    }

    /// Whether responses have virtual channels.
    #[must_use]
    pub const fn has_responses(&self) -> bool {
        self.has_responses
    }

    /// The modes it was built from.
    #[must_use]
    pub fn modes(&self) -> &[Mode] {
        &self.given
    }

    /// Next hops.
    #[must_use]
    pub const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Whether any mode's decision reads credits in use.
    #[must_use]
    pub fn reads_credits(&self) -> bool {
        let mut algorithms = self.modes.iter().map(|mode| &mode.algorithm);
        algorithms.any(Algorithm::reads_credits)
    }

    /// Whether routers keep tables and learn from each other's feedback (Q-adaptive).
    #[must_use]
    pub fn learns(&self) -> bool {
        self.learner().is_some()
    }

    fn learner(&self) -> Option<&crate::q_adaptive::QAdaptive> {
        self.modes.iter().find_map(|mode| match &mode.algorithm {
            Algorithm::QAdaptive(learner) => Some(learner),
            Algorithm::Rule(_) | Algorithm::Ports(_) => None,
        })
    }

    /// The same, with routers that have learned before: a table per router, of the shape of
    /// [`Routing::table`].
    #[must_use]
    pub fn with_learned(mut self, tables: Vec<QTable>) -> Self {
        self.learned = tables.into();
        self
    }

    /// What `router` knows at first; without rows if nothing learns.
    #[must_use]
    pub fn table(&self, router: RouterId) -> QTable {
        if let Some(learned) = self.learned.get(router.index()) {
            return learned.clone();
        }
        self.learner().map_or_else(QTable::empty, |learner| {
            learner.table(&self.geometry, router)
        })
    }

    /// The row of every router's table that belongs to `packet`; meaningful if
    /// [`Routing::learns`].
    #[inline]
    #[must_use]
    pub fn row(&self, packet: &PacketRoute) -> u32 {
        crate::q_adaptive::QAdaptive::row(&self.geometry, packet)
    }

    /// Whether packets of `mode` take part in learning.
    #[inline]
    #[must_use]
    pub fn mode_learns(&self, mode: u8) -> bool {
        matches!(self.mode(mode).algorithm, Algorithm::QAdaptive(_))
    }

    #[inline]
    pub(crate) fn mode(&self, mode: u8) -> &Compiled {
        &self.modes[usize::from(mode)]
    }

    /// Routes `packet`, which came to `here` by `arrival`.
    ///
    /// Draws from `draw` only where the algorithm says so: the intermediate at the source router,
    /// parallel links, and local paths of equal length.
    #[inline]
    pub fn route<O: Observation>(
        &self,
        here: RouterId,
        arrival: Arrival,
        packet: &mut PacketRoute,
        observe: &mut O,
        draw: &mut Stream,
    ) -> Hop {
        let mode = self.mode(packet.mode);
        let way = Way {
            geometry: &self.geometry,
            ladder: &mode.ladder,
            here,
            group: self.geometry.group_of(here),
            arrival,
        };
        match &mode.algorithm {
            Algorithm::Rule(rule) if self.geometry.domain().is_some() => {
                way.across_graph(rule, packet, observe, draw)
            }
            Algorithm::Rule(rule) => match rule.draws {
                Draws::PerPacket => way.by_rule(rule, packet, observe, draw),
                Draws::PerPair => {
                    let mut draw = packet.fixed_draws(here);
                    way.by_rule(rule, packet, observe, &mut draw)
                }
            },
            Algorithm::Ports(rule) => way.by_ports(rule, packet, observe, draw),
            Algorithm::QAdaptive(learner) => way.by_table(learner, packet, observe, draw),
        }
    }

    /// Whether there is one mode, for which arithmetic gives local paths and virtual channels:
    /// then [`Routing::settled_plainly`] will do in place of [`Routing::settled`].
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.given.len() == 1 && !self.has_responses && self.first.is_plain
    }

    /// [`Routing::settled`] for a plain routing.
    #[inline(always)]
    #[must_use]
    pub fn settled_plainly(
        &self,
        here: RouterId,
        group: GroupId,
        node: NodeId,
        plan: Plan,
    ) -> Option<Hop> {
        self.settled_by(&self.first, (here, group), node, plan)
    }

    /// The way out if nothing is left to decide or to draw: the same as [`Routing::route`] would
    /// say, at a fraction of its cost. `None`: ask [`Routing::route`].
    ///
    /// A fresh packet that is settled stays [`Plan::Fresh`]; it is minimal all the same.
    #[inline]
    #[must_use]
    pub fn settled(
        &self,
        here: RouterId,
        group: GroupId,
        arrival: Arrival,
        packet: &PacketRoute,
    ) -> Option<Hop> {
        let mode = self.mode(packet.mode);
        if !mode.is_plain {
            return self.settled_elsewhere(here, group, arrival, packet);
        }
        self.settled_by(mode, (here, group), packet.target, packet.plan)
    }

    #[inline(always)]
    fn settled_by(
        &self,
        mode: &Compiled,
        (here, group): (RouterId, GroupId),
        node: NodeId,
        plan: Plan,
    ) -> Option<Hop> {
        let target = self.geometry.router_of(node);
        let target_group = self.geometry.group_of(target);
        if group == target_group {
            let is_open = match plan {
                Plan::Outward => true,
                Plan::Fresh => mode.asks_inside() && here != target,
                Plan::Minimal | Plan::Tentative | Plan::Confirmed | Plan::Onward => false,
            };
            if is_open {
                return None;
            }
            let port = if here == target {
                self.geometry.host_port(node)
            } else {
                self.geometry.direct_port((here, group), target)
            };
            return Some(Hop {
                port,
                vc: mode.ladder.base(Leg::Target),
            });
        }
        let leg = mode.settled_leg(plan)?;
        let port = self.geometry.only_port_towards(here, group, target_group)?;
        Some(Hop {
            port,
            vc: mode.ladder.base(leg),
        })
    }

    /// The same where local paths or virtual channels need more than arithmetic.
    #[inline(never)]
    fn settled_elsewhere(
        &self,
        here: RouterId,
        group: GroupId,
        arrival: Arrival,
        packet: &PacketRoute,
    ) -> Option<Hop> {
        let mode = self.mode(packet.mode);
        let way = Way {
            geometry: &self.geometry,
            ladder: &mode.ladder,
            here,
            group,
            arrival,
        };
        let target = self.geometry.router_of(packet.target);
        if matches!(mode.algorithm, Algorithm::Ports(_)) && way.is_in_source_group(packet) {
            return way.settled_in_source_group(target, packet);
        }
        if here == target {
            // A detour that ends at its target router is for `route` to close.
            let is_open = packet.plan == Plan::Outward && !way.is_learning(&mode.algorithm);
            return (!is_open).then(|| way.deliver(packet.target));
        }
        let target_group = self.geometry.group_of(target);
        if self.geometry.domain().is_some() {
            return None;
        }
        if group == target_group {
            if mode.has_choice_inside(packet.plan) {
                return None;
            }
            let port = self.geometry.only_local_port(here, target)?;
            return Some(way.hop(port, Leg::Target));
        }
        let leg = if way.is_learning(&mode.algorithm) {
            let is_open = matches!(
                (packet.plan, arrival.kind),
                (Plan::Fresh, _) | (Plan::Outward, LinkKind::Global)
            );
            (!is_open).then_some(Leg::Onward)?
        } else {
            mode.settled_leg(packet.plan)?
        };
        let port = self.geometry.only_port_towards(here, group, target_group)?;
        Some(way.hop(port, leg))
    }
}

impl PacketRoute {
    /// Draws that are the same for all packets of a pair of nodes, of their own at each router.
    pub(crate) fn fixed_draws(&self, here: RouterId) -> Stream {
        let pair = u64::from(self.source.0) << 32 | u64::from(self.target.0);
        Stream::new(pair, odonata_units::Purpose::Routing, u64::from(here.0))
    }
}

/// Where a packet stands while it is routed.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) geometry: &'a Geometry,
    pub(crate) ladder: &'a Ladder,
    pub(crate) here: RouterId,
    /// Group of `here`.
    pub(crate) group: GroupId,
    pub(crate) arrival: Arrival,
}

impl Way<'_> {
    pub(crate) const fn is_learning(&self, algorithm: &Algorithm) -> bool {
        matches!(algorithm, Algorithm::QAdaptive(_))
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
        let kind = self.geometry.topology().port_kind(port);
        let up = self.geometry.is_leaf(self.here);
        self.ladder.next(self.arrival, leg, (kind, up))
    }

    /// The hop to the node itself.
    #[inline]
    pub(crate) fn deliver(&self, node: NodeId) -> Hop {
        Hop {
            port: self.geometry.host_port(node),
            vc: self.ladder.towards_node(self.arrival),
        }
    }

    /// Q-adaptive: the table at the two decisions, else minimal.
    fn by_table<O: Observation>(
        &self,
        learner: &crate::q_adaptive::QAdaptive,
        packet: &mut PacketRoute,
        observe: &O,
        draw: &mut Stream,
    ) -> Hop {
        let target = self.geometry.router_of(packet.target);
        if self.here == target {
            if packet.plan == Plan::Fresh {
                packet.plan = Plan::Minimal;
            }
            return self.deliver(packet.target);
        }
        let port = if self.group == self.geometry.group_of(target) {
            if packet.plan == Plan::Fresh {
                packet.plan = Plan::Minimal;
            }
            self.geometry.direct_port((self.here, self.group), target)
        } else {
            let place = (self.here, self.arrival.kind);
            learner.decide(self.geometry, place, packet, observe, draw)
        };
        self.hop(port, Leg::Onward)
    }
}
