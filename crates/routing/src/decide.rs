//! The decision: one call per packet and router.

use std::ops::Range;
use std::sync::Arc;

use odonata_topology::LinkKind;
use odonata_units::{GroupId, NodeId, RouterId, Span, Stream};

use crate::changes::LinkChanges;
use crate::compiled::{Compiled, compile};
use crate::context::RoutingContext;
use crate::decision::Decision;
use crate::error::RoutingError;
use crate::geometry::{Geometry, PortLists, RouterLocation};
use crate::ladder::Leg;
use crate::mode::{Algorithm, Mode, Responses};
use crate::observation::Observation;
use crate::packet::{Arrival, Hop, PacketRoute, PathState};
use crate::precomputed::{HopStatus, PrecomputedHop, PrecomputedHops};
use crate::q_adaptive::{QAdaptive, Rows};
use crate::q_table::QTable;
use crate::rule::{Draws, Ordered, Spray};

/// The routing of a network: its modes on its geometry.
#[derive(Clone, Debug)]
pub struct Routing {
    pub(crate) geometry: Geometry,
    /// The modes given; behind them the minimal mode of responses, if there are any; behind that
    /// the modes given once more, if data are responses.
    modes: Vec<Compiled>,
    /// The precomputed hops of the only mode, if there is one mode and no response.
    only: Option<PrecomputedHops>,
    /// `[mode]`: the mode of its messages that ask for order.
    ordered: Vec<u8>,
    /// Bit `m`: packets of mode `m` take part in learning.
    learning_modes: u32,
    rows: Rows,
    /// The modes as they were given.
    given: Vec<Mode>,
    responses: Responses,
    request_vcs: u8,
    vcs: u8,
    /// `[router]`: what was learned before, to start from; empty if nothing was.
    learned: Arc<[QTable]>,
    /// Changes of links during the run.
    changes: Option<Arc<LinkChanges<Routing>>>,
}

impl Routing {
    /// `modes` on `geometry`, all on one ladder of virtual channels; mode 0 is the default of the
    /// scenario. Responses have a ladder of their own behind it; answers are minimal.
    ///
    /// # Errors
    /// [`RoutingError`]: a mode that does not work on this family, a system that falls apart, more
    /// modes or virtual channels than can be numbered.
    pub fn new(
        mut geometry: Geometry,
        modes: Vec<Mode>,
        responses: impl Into<Responses>,
    ) -> Result<Self, RoutingError> {
        let responses = responses.into();
        let compiled = compile(&geometry, &modes, responses)?;
        let request_vcs = compiled.first().map_or(1, |mode| mode.ladder.count());
        let response_vcs = match compiled.get(modes.len()) {
            Some(mode) if responses != Responses::Absent => mode.ladder.count(),
            _ => 0,
        };
        let compares = |mode: &Compiled| matches!(mode.algorithm, Algorithm::Ports(_));
        if compiled.iter().any(compares) {
            geometry.port_lists = PortLists::new(geometry.topology()).map(Arc::new);
        }
        let learns = |mode: &Compiled| matches!(mode.algorithm, Algorithm::QAdaptive(_));
        let learning = compiled.iter().map(learns);
        Ok(Self {
            learning_modes: (0..)
                .zip(learning)
                .fold(0, |all, (mode, learns)| all | u32::from(learns) << mode),
            ordered: ordered_modes(&modes, compiled.len()),
            rows: Rows::new(&geometry),
            geometry,
            only: only(&compiled),
            modes: compiled,
            given: modes,
            responses,
            request_vcs,
            vcs: request_vcs + response_vcs,
            learned: Arc::default(),
            changes: None,
        })
    }

    /// This routing with only `count` virtual channels, higher ones folded onto the last: what
    /// hardware with too few of them would do. [`crate::check_dependencies`] tells whether that
    /// can deadlock.
    #[must_use]
    pub fn with_virtual_channels(mut self, count: u8) -> Self {
        if count > 0 && count < self.vcs {
            for mode in &mut self.modes {
                mode.fold(count - 1, &self.geometry);
            }
            self.only = only(&self.modes);
            self.vcs = count;
            self.request_vcs = self.request_vcs.min(count);
        }
        self
    }

    /// This routing for a process that decides at `routers` only: tables of a row for each router
    /// have theirs. Where links change it stays as it is.
    #[must_use]
    pub fn at_routers(mut self, routers: Range<u32>) -> Self {
        if self.changes.is_some() {
            return self;
        }
        self.geometry.keep_hops_of(routers);
        if let Some(hops) = self.geometry.hops() {
            let modes = self.modes.iter_mut();
            let precomputed = modes.filter_map(|mode| mode.precomputed.as_mut());
            precomputed.for_each(|precomputed| precomputed.read_from(hops));
        }
        self.only = only(&self.modes);
        self
    }

    /// This routing, on links that change.
    pub(crate) fn amid(self, changes: LinkChanges<Self>) -> Self {
        Self {
            changes: Some(Arc::new(changes)),
            ..self
        }
    }

    /// Changes of links during the run, if there are any.
    #[must_use]
    pub fn changes(&self) -> Option<&LinkChanges<Self>> {
        self.changes.as_deref()
    }

    /// Virtual channels of one class: the ladder of requests and that of responses, and behind them
    /// those of rerouted packets, if there can be any.
    #[must_use]
    pub fn virtual_channels(&self) -> u8 {
        let rerouted = self.changes().and_then(LinkChanges::rerouting);
        self.regular_virtual_channels() + rerouted.map_or(0, |routing| routing.vcs)
    }

    /// Virtual channels of one class for packets that are not rerouted.
    #[must_use]
    pub const fn regular_virtual_channels(&self) -> u8 {
        self.vcs
    }

    /// Whether a virtual channel of a class is for responses.
    #[must_use]
    pub fn is_for_responses(&self, vc: u8) -> bool {
        let own = self.regular_virtual_channels();
        match self.changes().and_then(LinkChanges::rerouting) {
            Some(rerouting) if vc >= own => vc - own >= rerouting.request_vcs,
            _ => vc >= self.request_vcs,
        }
    }

    /// Virtual channels of requests: the lowest ones.
    #[must_use]
    pub const fn request_virtual_channels(&self) -> u8 {
        self.request_vcs
    }

    /// Mode of answers, which are minimal; the number of modes given.
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
        !matches!(self.responses, Responses::Absent)
    }

    /// Packets on virtual channels of responses.
    #[must_use]
    pub const fn responses(&self) -> Responses {
        self.responses
    }

    /// The mode of data that go by `mode`, on the virtual channels of responses; meaningful if data
    /// are responses.
    #[inline]
    #[must_use]
    pub const fn data_mode(&self, mode: u8) -> u8 {
        self.response_mode() + 1 + mode
    }

    /// The mode of messages that go by `mode` and ask for order.
    #[inline]
    #[must_use]
    pub fn ordered_mode(&self, mode: u8) -> u8 {
        self.ordered[usize::from(mode)]
    }

    /// Whether packets of any mode are ordered.
    #[must_use]
    pub fn orders(&self) -> bool {
        self.modes.iter().any(|mode| mode.flow_gap().is_some())
    }

    /// The longest pause within a period of a flow, if packets of `mode` are ordered.
    ///
    /// Then their router has to keep decisions: the first one of each flow, and the second one where
    /// [`Routing::asks_again`], see `docs/model/routing.md`, "Ordered packets".
    #[inline]
    #[must_use]
    pub fn flow_gap(&self, mode: u8) -> Option<Span> {
        self.mode(mode).flow_gap()
    }

    /// Whether [`Routing::route`] decides a second time on `packet`, which came by `arrival` to
    /// `here`.
    #[inline]
    #[must_use]
    pub fn asks_again(&self, here: RouterId, arrival: Arrival, packet: &PacketRoute) -> bool {
        let target = || self.geometry.router_of(packet.target);
        packet.path_state == PathState::Tentative
            && arrival.kind.is_local()
            && self.geometry.group_of(here) != self.geometry.group_of(target())
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

    /// How NICs decide on the paths of packets of `mode`, if they do.
    #[must_use]
    pub fn spray(&self, mode: u8) -> Option<Spray> {
        self.mode(mode).algorithm.rule()?.spray
    }

    /// Whether NICs may decide on the paths of any packets: no link goes down.
    #[must_use]
    pub fn sprays(&self) -> bool {
        let reroutes = (self.changes()).is_some_and(|changes| changes.rerouting().is_some());
        let mut rules = self.given.iter().filter_map(|mode| mode.algorithm.rule());
        !reroutes && rules.any(|rule| rule.spray.is_some())
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

    /// The learning algorithm, if there is one.
    #[must_use]
    pub fn learner(&self) -> Option<&QAdaptive> {
        self.modes.iter().find_map(|mode| match &mode.algorithm {
            Algorithm::QAdaptive(learner) => Some(learner),
            Algorithm::Rule(_) | Algorithm::Ports(_) => None,
        })
    }

    /// This routing, with routers that have learned before: a table per router, of the shape of
    /// [`Routing::table`].
    #[must_use]
    pub fn with_learned(mut self, tables: Vec<QTable>) -> Self {
        self.learned = tables.into();
        self
    }

    /// The first table of `router`; without rows if nothing learns.
    #[must_use]
    pub fn table(&self, router: RouterId) -> QTable {
        if let Some(learned) = self.learned.get(router.index()) {
            return learned.clone();
        }
        self.learner().map_or_else(QTable::empty, |learner| {
            learner.table(&self.geometry, router)
        })
    }

    /// The row of every router's table that packets from `source` to `target` belong to; meaningful
    /// if [`Routing::learns`].
    #[inline]
    #[must_use]
    pub fn row(&self, source: NodeId, target: NodeId) -> u32 {
        self.rows.of(&self.geometry, source, target)
    }

    /// The rows of packets to `group`, as [`Routing::row`] numbers them.
    #[must_use]
    pub const fn rows_of(&self, group: GroupId) -> Range<u32> {
        self.rows.of_group(group)
    }

    /// Whether packets of `mode` take part in learning.
    #[inline]
    #[must_use]
    pub fn mode_learns(&self, mode: u8) -> bool {
        self.learning_modes >> mode & 1 == 1
    }

    #[inline]
    pub(crate) fn mode(&self, mode: u8) -> &Compiled {
        &self.modes[usize::from(mode)]
    }

    /// Routes `packet`, which came by `arrival` to the router at `location`.
    ///
    /// Draws from `draw` only where the algorithm says so: the intermediate at the source router,
    /// parallel links, and local paths of equal length.
    #[inline]
    pub fn route<O: Observation>(
        &self,
        location: &RouterLocation,
        arrival: Arrival,
        packet: &mut PacketRoute,
        observe: &mut O,
        draw: &mut Stream,
    ) -> Hop {
        let mode = self.mode(packet.mode);
        let decision = &mut Decision { observe, draw };
        if let Some(precomputed) = &mode.precomputed {
            let hop = if packet.path_state == PathState::Fresh && arrival.kind == LinkKind::Host {
                precomputed.choose(&self.geometry, location, packet, decision)
            } else {
                precomputed.draw_inside(&self.geometry, location, arrival, packet, decision.draw)
            };
            if let Some(hop) = hop {
                return hop;
            }
        }
        self.route_by_algorithm(location, arrival, packet, decision)
    }

    /// [`Routing::route`] without the table of precomputed hops.
    #[inline(always)]
    pub(crate) fn route_by_algorithm<O: Observation>(
        &self,
        location: &RouterLocation,
        arrival: Arrival,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let mode = self.mode(packet.mode);
        let here = location.router;
        let context = RoutingContext::new(&self.geometry, &mode.ladder, location, arrival);
        match &mode.algorithm {
            Algorithm::Rule(rule) if rule.ordered == Ordered::All => {
                context.in_order(rule, packet, decision)
            }
            Algorithm::Rule(rule) if self.geometry.domain().is_some() => {
                context.across_graph(rule, packet, decision)
            }
            Algorithm::Rule(rule) => match rule.draws {
                Draws::PerPacket => context.by_rule(rule, packet, decision),
                Draws::PerPair => {
                    let draw = &mut packet.fixed_draws(here);
                    let observe = &mut *decision.observe;
                    context.by_rule(rule, packet, &mut Decision { observe, draw })
                }
            },
            Algorithm::Ports(rule) => context.by_ports(rule, packet, decision),
            Algorithm::QAdaptive(learner) => {
                let Decision { observe, draw } = decision;
                context.by_table(learner, &self.rows, packet, *observe, draw)
            }
        }
    }

    /// Whether there is one mode, for which legs give the virtual channels: then
    /// [`Routing::precomputed_plainly`] will do in place of [`Routing::precomputed`].
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.only
            .as_ref()
            .is_some_and(|only| only.is_plain(&self.geometry))
    }

    /// The location of `router`, which it gives back whenever it asks for a hop.
    #[must_use]
    pub fn location(&self, router: RouterId) -> RouterLocation {
        self.geometry.location(router)
    }

    /// [`Routing::precomputed`] for a plain routing, of a packet to `node`, over its intermediate
    /// router if it has one: the hop, and what is in status about it.
    #[inline(always)]
    #[must_use]
    pub fn precomputed_plainly(
        &self,
        location: &RouterLocation,
        node: NodeId,
        path_state: PathState,
        intermediate: RouterId,
    ) -> Option<(Hop, HopStatus)> {
        let only = self.only.as_ref()?;
        Some(only.hop_plainly(location, node, path_state, intermediate))
    }

    /// The way out if nothing is left to decide or to choose: the same as [`Routing::route`] would
    /// say, at a fraction of its cost. `None`: ask [`Routing::route`].
    ///
    /// The path state of a packet whose hop is precomputed stays: a fresh one is minimal all the
    /// same, and one that only crosses its intermediate group is on its detour up to the end.
    #[inline(always)]
    #[must_use]
    pub fn precomputed(
        &self,
        location: &RouterLocation,
        arrival: Arrival,
        packet: PacketRoute,
    ) -> Option<PrecomputedHop> {
        let precomputed = match &self.only {
            Some(only) => only,
            None => match &self.mode(packet.mode).precomputed {
                Some(precomputed) => precomputed,
                None => {
                    let hop = self.precomputed_without_table(location, arrival, packet)?;
                    return Some(PrecomputedHop {
                        hop,
                        is_at_gateway: false,
                    });
                }
            },
        };
        precomputed.hop(location, arrival, &packet)
    }

    /// [`Routing::precomputed`] without a table of hops: groups differ, or ports are compared.
    #[inline(never)]
    fn precomputed_without_table(
        &self,
        location: &RouterLocation,
        arrival: Arrival,
        packet: PacketRoute,
    ) -> Option<Hop> {
        if self.geometry.domain().is_some() {
            return None;
        }
        let mode = self.mode(packet.mode);
        if mode.flow_gap().is_some() {
            return None;
        }
        let (here, group) = (location.router, GroupId(location.group));
        let context = RoutingContext::new(&self.geometry, &mode.ladder, location, arrival);
        let target = self.geometry.router_of(packet.target);
        let compares = matches!(mode.algorithm, Algorithm::Ports(_));
        let is_open = compares && mode.determined_leg(packet.path_state).is_none();
        if is_open && here != target && !self.geometry.is_direct() {
            return None;
        }
        if compares && context.is_in_source_group(&packet) {
            return context.determined_in_source_group(target, &packet);
        }
        if here == target {
            // A detour that ends at its target router is for `route` to close.
            return (packet.path_state != PathState::Outward)
                .then(|| context.deliver(packet.target));
        }
        let target_group = self.geometry.group_of(target);
        if group == target_group {
            if mode.has_choice_inside(packet.path_state) {
                return None;
            }
            let port = self.geometry.only_local_port(here, target)?;
            return Some(context.hop(port, Leg::Target));
        }
        let leg = mode.determined_leg(packet.path_state)?;
        let port = self.geometry.only_port_towards(here, group, target_group)?;
        Some(context.hop(port, leg))
    }
}

/// `[mode]`: the mode of its messages that ask for order, of `count` modes in all.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a packet names its mode in five bits"
)]
fn ordered_modes(given: &[Mode], count: usize) -> Vec<u8> {
    let own = given.iter().filter(|mode| mode.orders_some()).count();
    let mut next = (count - own) as u8..;
    let of = |(mode, one): (u8, &Mode)| match one.orders_some() {
        true => next.next().unwrap_or(mode),
        false => mode,
    };
    (0..).zip(given).map(of).collect()
}

/// The precomputed hops of the only mode; `None` with several, modes of responses included.
fn only(modes: &[Compiled]) -> Option<PrecomputedHops> {
    match modes {
        [one] => one.precomputed.clone(),
        _ => None,
    }
}
