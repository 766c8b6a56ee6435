//! The decisions of the reference model: `docs/model/routing.md` once more, written from that page.
//!
//! Minimal, Valiant, UGAL, PAR, their BookSim2 and hash variants and `in-order`, on every family,
//! whole or damaged, and whatever else is put together from the same parts. The Aries modes with
//! candidates over different gateways, CODES and Q-adaptive are decided by the engine's function:
//! [`OwnRouting::decides`] says which mode is which.

use std::ops::Range;

use odonata_routing::{
    Algorithm, Candidates, Estimate, Intermediate, Mode, Observation, Ordered, Responses, Routing,
    Rule, Scope, Spray, Weights,
};
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, Purpose, RouterId, Span, Stream};

use crate::router::View;

mod ladder;
mod paths;
mod travel;

use ladder::{Extent, Hop, Ladder, Leg};
use paths::{Paths, Step};
use travel::PathState;
pub(crate) use travel::Travel;

/// Which paths an algorithm takes: column "path" of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Minimal,
    NonMinimal,
    ByRule,
}

impl Choice {
    const fn of(rule: &Rule) -> Self {
        match rule.choice {
            odonata_routing::Choice::Minimal => Self::Minimal,
            odonata_routing::Choice::NonMinimal => Self::NonMinimal,
            odonata_routing::Choice::Adaptive => Self::ByRule,
        }
    }
}

/// What a non-minimal path leads over: column "over".
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    Group,
    Router,
    AnyNode,
}

/// Whose random numbers paths are drawn with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draws {
    Router,
    PairOfNodes,
}

/// An algorithm of the page, with the numbers of a scenario.
#[derive(Clone, Copy)]
struct Algorithmic {
    choice: Choice,
    over: Over,
    /// Asked again in the source group.
    again: bool,
    /// Two candidates on one port are compared by the VC of each.
    by_vc: bool,
    draws: Draws,
    weights: Weights,
    scale: i64,
    bias: i64,
    bias_percent: i64,
    threshold: u32,
    estimate: Estimate,
    minimal_candidates: u8,
    nonminimal_candidates: u8,
    scope: Scope,
    spray: Option<Spray>,
}

impl Algorithmic {
    /// The row of the page's table for `mode`; `None` for those that are not written here.
    fn new(mode: &Mode) -> Option<Self> {
        let Algorithm::Rule(rule) = &mode.algorithm else {
            return None;
        };
        let is_plain = rule.candidates == Candidates::Independent && rule.bias_step == 0;
        if !is_plain {
            return None;
        }
        let over = match rule.intermediate {
            Intermediate::Group => Over::Group,
            Intermediate::Router => Over::Router,
            Intermediate::AnyNode => Over::AnyNode,
            Intermediate::OutsideRouter => return None,
        };
        Some(Self {
            over,
            choice: Choice::of(rule),
            again: rule.progressive,
            by_vc: rule.same_port_by_vc,
            draws: match rule.draws {
                odonata_routing::Draws::PerPair => Draws::PairOfNodes,
                odonata_routing::Draws::PerPacket => Draws::Router,
            },
            weights: rule.weights,
            scale: rule.scale.into(),
            bias: rule.bias,
            bias_percent: rule.bias_percent,
            threshold: rule.threshold,
            estimate: rule.estimate,
            minimal_candidates: rule.minimal_candidates,
            nonminimal_candidates: rule.nonminimal_candidates,
            scope: rule.scope,
            spray: rule.spray,
        })
    }

    /// What the page multiplies a candidate with: its hops, or its fixed weight.
    fn weight(&self, fixed: i64, hops: impl FnOnce() -> u32) -> i64 {
        match self.weights {
            Weights::Scale => fixed,
            Weights::Hops => hops().into(),
        }
    }
}

/// Where a packet is being routed.
#[derive(Clone, Copy)]
pub(crate) struct RoutingContext<'a> {
    algorithm: &'a Algorithmic,
    ladder: &'a Ladder,
    here: RouterId,
    /// Packets of its mode are ordered.
    is_ordered: bool,
    /// Kind of the channel it came over.
    from: LinkKind,
    /// Router of its target.
    target: RouterId,
}

/// A step, and what is taken with it.
#[derive(Clone, Copy)]
struct Candidate {
    step: Step,
    leg: Leg,
}

/// A candidate that leads over router `via`.
#[derive(Clone, Copy)]
struct Detour {
    via: RouterId,
    candidate: Candidate,
}

/// The reference model's own routing of a network.
pub(crate) struct OwnRouting {
    paths: Paths,
    /// `[mode]`, behind them that of answers, and those of data; `None`: decided by the engine's
    /// function.
    modes: Vec<Option<Algorithmic>>,
    /// `[mode]`: the gap that ends a period, if its packets are ordered.
    gaps: Vec<Option<Span>>,
    /// Modes of answers and of data.
    answering: Range<usize>,
    requests: Ladder,
    responses: Ladder,
}

impl OwnRouting {
    /// For the modes of `routing`, whose packets start at `routers`, besides those with nodes.
    ///
    /// # Panics
    /// If the page asks for other virtual channels than `routing` has.
    pub(crate) fn new(routing: &Routing, routers: &[RouterId]) -> Self {
        let paths = Paths::of(routing);
        let extent = Extent::of(&paths).reaching(paths.longest_from(routers));
        Self::among(routing, paths, extent)
    }

    /// For each of `routings`, which are the states of one network and share their ladders.
    pub(crate) fn of_all(routings: &[Routing]) -> Vec<Self> {
        let paths = || {
            let paths = |routing: &Routing| Paths::of(routing);
            routings.iter().map(paths)
        };
        let extent = paths().map(|paths| Extent::of(&paths)).reduce(Extent::join);
        let all = routings.iter().zip(paths());
        let own = |(routing, paths)| Some(Self::among(routing, paths, extent?));
        all.filter_map(own).collect()
    }

    /// With ladders for systems of this extent.
    fn among(routing: &Routing, paths: Paths, extent: Extent) -> Self {
        let given = routing.modes();
        let mut all: Vec<(Mode, bool)> = given.iter().map(|mode| (mode.clone(), false)).collect();
        if routing.has_responses() {
            all.push((Mode::minimal(), false));
        }
        if routing.responses() == Responses::Data {
            all.extend(given.iter().map(|mode| (mode.clone(), false)));
        }
        let answering = given.len()..all.len();
        for (number, mode) in (0..).zip(given) {
            if ordered(mode) == Ordered::Eager {
                let own = usize::from(routing.ordered_mode(number));
                assert!(own == all.len(), "eager messages have modes of their own");
                all.push((mode.clone(), true));
            }
        }
        let modes = all.iter().map(|(mode, _)| Algorithmic::new(mode)).collect();
        let gaps = all.iter().map(|(mode, is_eager)| gap(mode, *is_eager));
        let gaps = gaps.collect();
        let algorithms: Vec<_> = given.iter().map(|mode| mode.algorithm).collect();
        let requests = Ladder::new(&algorithms, &paths, extent, 0);
        let own = match routing.responses() {
            Responses::Data => algorithms,
            Responses::Absent | Responses::Answers => vec![Mode::minimal().algorithm],
        };
        let responses = Ladder::new(&own, &paths, extent, requests.count);
        let response_vcs = if routing.has_responses() {
            responses.count
        } else {
            0
        };
        assert!(
            routing.regular_virtual_channels() == requests.count + response_vcs,
            "the page asks for {} and {response_vcs} virtual channels, the routing for {}",
            requests.count,
            routing.regular_virtual_channels(),
        );
        Self {
            paths,
            modes,
            gaps,
            answering,
            requests,
            responses,
        }
    }

    /// How NICs decide on the paths of packets of `mode`, if they do.
    pub(crate) fn spray(&self, mode: u8) -> Option<Spray> {
        self.modes[usize::from(mode)].as_ref()?.spray
    }

    /// The groups that a packet between two routers may be sent over; none if they are not of two
    /// groups that a channel joins.
    pub(crate) fn third_groups(&self, from: RouterId, to: RouterId) -> Vec<GroupId> {
        if self.paths.is_near(from, to) || !self.paths.is_joined(from, to) {
            return Vec::new();
        }
        self.paths.groups_between(from, to)
    }

    /// Whether packets of `mode` are decided here.
    pub(crate) fn decides(&self, mode: u8) -> bool {
        self.modes[usize::from(mode)].is_some()
    }

    /// The gap that ends a period of a flow, if packets of `mode` are ordered.
    pub(crate) fn gap(&self, mode: u8) -> Option<Span> {
        self.gaps[usize::from(mode)]
    }

    /// Whether a router is in the group of a node.
    pub(crate) fn is_near_to(&self, here: RouterId, node: NodeId) -> bool {
        self.paths
            .is_near(here, self.paths.topology.router_of(node))
    }

    /// Where a packet of `mode` to `target` is routed that came to router `here` over a channel of
    /// kind `from`; `None` if its mode is not decided here.
    pub(crate) fn context(
        &self,
        mode: u8,
        here: RouterId,
        from: LinkKind,
        target: NodeId,
    ) -> Option<RoutingContext<'_>> {
        let is_response = self.answering.contains(&usize::from(mode));
        Some(RoutingContext {
            algorithm: self.modes[usize::from(mode)].as_ref()?,
            ladder: if is_response {
                &self.responses
            } else {
                &self.requests
            },
            here,
            is_ordered: self.gap(mode).is_some(),
            from,
            target: self.paths.topology.router_of(target),
        })
    }

    /// The port and the virtual channel by which a packet leaves the router.
    pub(crate) fn route(
        &self,
        context: RoutingContext<'_>,
        travel: &mut Travel,
        view: &mut View<'_>,
        draws: &mut Stream,
    ) -> (PortIndex, u8) {
        if context.algorithm.draws == Draws::PairOfNodes {
            let here = u64::from(context.here.0);
            let mut draws = Stream::new(travel.pair(), Purpose::Routing, here);
            return self.leave(context, travel, view, &mut draws);
        }
        if !context.is_ordered {
            return self.leave(context, travel, view, draws);
        }
        if travel.path_state != PathState::New {
            let mut draws = travel.ordered_draws(context.here);
            return self.leave(context, travel, view, &mut draws);
        }
        let hop = self.leave(context, travel, view, draws);
        if travel.path_state == PathState::Minimal {
            travel.period = draws.below(1 << 24);
        }
        hop
    }

    fn leave(
        &self,
        context: RoutingContext<'_>,
        travel: &mut Travel,
        view: &mut View<'_>,
        draws: &mut Stream,
    ) -> (PortIndex, u8) {
        if travel.path_state == PathState::Outward && self.is_visited(context, travel.via) {
            travel.path_state = PathState::Onward;
        }
        let aim = match travel.path_state {
            PathState::Outward => travel.via,
            PathState::New | PathState::Minimal | PathState::Tentative | PathState::Onward => {
                context.target
            }
        };
        if context.here == aim {
            if travel.path_state == PathState::New {
                travel.path_state = PathState::Minimal;
            }
            let port = self.paths.topology.host_port(travel.target);
            return (port, context.ladder.to_node(&travel.trail));
        }
        let candidate = if travel.path_state == PathState::New {
            self.at_source(context, travel, view, draws)
        } else if self.paths.is_near(context.here, aim) {
            self.inside(context, aim, travel, draws)
        } else if travel.path_state == PathState::Tentative && is_local(context.from) {
            self.again(context, travel, view, draws)
        } else {
            let leg = match travel.path_state {
                PathState::New | PathState::Minimal | PathState::Tentative => Leg::Minimal,
                PathState::Outward => Leg::NonMinimal,
                PathState::Onward => Leg::Onward,
            };
            let came_locally = is_local(context.from);
            let step = self
                .paths
                .step(context.here, aim, came_locally, travel.gateway, draws);
            Candidate { step, leg }
        };
        travel.gateway = candidate.step.gateway;
        let port = candidate.step.port;
        travel.trail = context
            .ladder
            .extend(&travel.trail, candidate.leg, self.hop(context, port));
        (port, travel.trail.vc)
    }

    /// What the ladder looks at of the hop over `port`.
    fn hop(&self, context: RoutingContext<'_>, port: PortIndex) -> Hop {
        Hop {
            kind: self.paths.topology.port_kind(port),
            from_leaf: self.paths.has_nodes(context.here),
        }
    }

    /// Whether the detour over `via` is made: at the router, or in the group, if only that counts.
    fn is_visited(&self, context: RoutingContext<'_>, via: RouterId) -> bool {
        match context.algorithm.over {
            Over::Group => self.paths.is_near(context.here, via),
            Over::Router | Over::AnyNode => context.here == via,
        }
    }

    /// A hop inside the group (or the whole network, where it has no groups).
    fn inside(
        &self,
        context: RoutingContext<'_>,
        aim: RouterId,
        travel: &Travel,
        draws: &mut Stream,
    ) -> Candidate {
        let leg = match travel.path_state {
            PathState::Outward => Leg::ToIntermediate,
            PathState::New | PathState::Minimal | PathState::Tentative | PathState::Onward => {
                Leg::Target
            }
        };
        let step = Step {
            port: self.paths.local_port(context.here, aim, draws),
            gateway: None,
        };
        Candidate { step, leg }
    }

    /// The first decision.
    fn at_source(
        &self,
        context: RoutingContext<'_>,
        travel: &mut Travel,
        view: &mut View<'_>,
        draws: &mut Stream,
    ) -> Candidate {
        let RoutingContext {
            algorithm,
            here,
            target,
            ..
        } = context;
        travel.path_state = PathState::Minimal;
        if self.paths.has_groups && self.paths.is_near(here, target) {
            return self.inside_source_group(context, travel, view, draws);
        }
        if !self.paths.is_joined(here, target) {
            // Bridged: nothing is compared.
            let Some(via) = self.paths.third_router(here, target, draws) else {
                unreachable!("systems that cannot be bridged are refused");
            };
            return divert(travel, self.detour(here, via, draws));
        }
        let mut detours = Vec::new();
        if algorithm.choice != Choice::Minimal {
            for _ in 0..algorithm.nonminimal_candidates {
                if let Some(via) = self.draw_intermediate(context, draws) {
                    detours.push(self.detour(here, via, draws));
                }
            }
        }
        let congestion = |view: &mut View<'_>, step: Step, hops: &dyn Fn() -> u32| {
            let flits = view.flits(step.port, None, algorithm.estimate);
            i64::from(flits) * algorithm.weight(1, hops)
        };
        let best = least(&detours, |one| {
            let hops = || self.hops_of_detour(context, *one);
            congestion(view, one.candidate.step, &hops)
        });
        let Some(detour) = best else {
            return self.minimal(here, target, draws);
        };
        if algorithm.choice == Choice::NonMinimal {
            return divert(travel, detour);
        }
        let minimal: Vec<_> = (0..algorithm.minimal_candidates)
            .map(|_| self.minimal(here, target, draws))
            .collect();
        let best = least(&minimal, |one| {
            let hops = || self.paths.hops_of_minimal(here, target, one.step);
            congestion(view, one.step, &hops)
        });
        let Some(minimal) = best else {
            unreachable!("there is a minimal candidate");
        };
        if self.diverts(context, travel, minimal, detour, view) {
            return divert(travel, detour);
        }
        if algorithm.again {
            travel.path_state = PathState::Tentative;
            travel.via = detour.via;
        }
        minimal
    }

    /// The only decision on a packet that stays in its group, if its algorithm has one.
    fn inside_source_group(
        &self,
        context: RoutingContext<'_>,
        travel: &mut Travel,
        view: &mut View<'_>,
        draws: &mut Stream,
    ) -> Candidate {
        let RoutingContext {
            algorithm,
            here,
            target,
            ..
        } = context;
        let via = (algorithm.scope == Scope::Everywhere)
            .then(|| self.paths.router_inside(here, target, draws))
            .flatten();
        let Some(via) = via else {
            return self.inside(context, target, travel, draws);
        };
        let [detour, minimal] =
            [(via, Leg::ToIntermediate), (target, Leg::Target)].map(|(to, leg)| Candidate {
                step: Step {
                    port: self.paths.local_port(here, to, draws),
                    gateway: None,
                },
                leg,
            });
        let detour = Detour {
            via,
            candidate: detour,
        };
        if algorithm.choice == Choice::NonMinimal
            || self.diverts(context, travel, minimal, detour, view)
        {
            return divert(travel, detour);
        }
        minimal
    }

    /// A packet that is still minimal at a further router of its source group.
    fn again(
        &self,
        context: RoutingContext<'_>,
        travel: &mut Travel,
        view: &mut View<'_>,
        draws: &mut Stream,
    ) -> Candidate {
        let RoutingContext {
            algorithm,
            here,
            target,
            ..
        } = context;
        let via = travel.via;
        let detour = if !self.paths.is_spine(here) {
            Some(self.detour(here, via, draws))
        } else if self.paths.has_channel(here, via) {
            Some(self.forth(here, via, draws))
        } else {
            let other = self.paths.router_behind(here, target, draws);
            other.map(|other| self.forth(here, other, draws))
        };
        // On to the gateway, or, at the gateway, over one of its channels.
        let gateway = travel.gateway;
        let mut steps = vec![self.paths.step(here, target, true, gateway, draws)];
        if self.paths.topology.port_kind(steps[0].port) == LinkKind::Global {
            for _ in 1..algorithm.minimal_candidates {
                steps.push(self.paths.step(here, target, true, gateway, draws));
            }
        }
        let congestion = |step: &Step| {
            let hops = || self.paths.hops_of_minimal(here, target, *step);
            let flits = view.flits(step.port, None, algorithm.estimate);
            i64::from(flits) * algorithm.weight(1, hops)
        };
        let Some(step) = least(&steps, congestion) else {
            unreachable!("there is a minimal step");
        };
        let leaves = self.paths.topology.port_kind(step.port) == LinkKind::Global;
        let leg = if leaves { Leg::Onward } else { Leg::Minimal };
        let minimal = Candidate { step, leg };
        if let Some(detour) = detour
            && self.diverts(context, travel, minimal, detour, view)
        {
            return divert(travel, detour);
        }
        minimal
    }

    /// A minimal candidate at the source router.
    fn minimal(&self, here: RouterId, target: RouterId, draws: &mut Stream) -> Candidate {
        Candidate {
            step: self.paths.step(here, target, false, None, draws),
            leg: if self.paths.has_groups {
                Leg::Minimal
            } else {
                Leg::Target
            },
        }
    }

    /// The way to `via`, over any channel to its group.
    fn detour(&self, here: RouterId, via: RouterId, draws: &mut Stream) -> Detour {
        let step = self.paths.step(here, via, false, None, draws);
        let leg = Leg::NonMinimal;
        let candidate = Candidate { step, leg };
        Detour { via, candidate }
    }

    /// The way to `via` over a channel of this router.
    fn forth(&self, here: RouterId, via: RouterId, draws: &mut Stream) -> Detour {
        let step = self.paths.step(here, via, true, None, draws);
        let leg = Leg::NonMinimal;
        let candidate = Candidate { step, leg };
        Detour { via, candidate }
    }

    fn draw_intermediate(
        &self,
        context: RoutingContext<'_>,
        draws: &mut Stream,
    ) -> Option<RouterId> {
        let target = context.target;
        match context.algorithm.over {
            Over::Group | Over::Router => self.paths.third_router(context.here, target, draws),
            Over::AnyNode => {
                let node = NodeId(draws.below(self.paths.topology.node_count()));
                let router = self.paths.topology.router_of(node);
                let fits = self.paths.may_be_drawn(router)
                    && !self.paths.is_near(context.here, router)
                    && self.paths.is_joined(context.here, router)
                    && self.paths.is_joined(router, target);
                fits.then_some(router)
            }
        }
    }

    /// Hops of the way that a detour leaves open.
    fn hops_of_detour(&self, context: RoutingContext<'_>, detour: Detour) -> u32 {
        let RoutingContext { here, target, .. } = context;
        let is_crossed = context.algorithm.over == Over::Group;
        let step = detour.candidate.step;
        self.paths
            .hops_of_detour(here, detour.via, target, step, is_crossed)
    }

    /// The rule, for these two candidates.
    fn diverts(
        &self,
        context: RoutingContext<'_>,
        travel: &Travel,
        minimal: Candidate,
        detour: Detour,
        view: &mut View<'_>,
    ) -> bool {
        let algorithm = context.algorithm;
        let is_one_port = minimal.step.port == detour.candidate.step.port;
        let by_vc = is_one_port && algorithm.by_vc && self.paths.has_groups;
        let mut flits = |candidate: Candidate| {
            let port = candidate.step.port;
            let hop = self.hop(context, port);
            let vc = by_vc.then(|| context.ladder.extend(&travel.trail, candidate.leg, hop).vc);
            view.flits(port, vc, algorithm.estimate)
        };
        let (q_min, q_nonmin) = (flits(minimal), flits(detour.candidate));
        let near = algorithm.weight(1, || {
            self.paths
                .hops_of_minimal(context.here, context.target, minimal.step)
        });
        let far = algorithm.weight(algorithm.scale, || self.hops_of_detour(context, detour));
        let percent = 100 + algorithm.bias_percent;
        let bound = far * i64::from(q_nonmin) * percent + 100 * algorithm.bias;
        100 * near * i64::from(q_min) > bound
            && (algorithm.threshold == 0 || q_min > algorithm.threshold)
    }
}

/// Which packets of a mode are ordered.
const fn ordered(mode: &Mode) -> Ordered {
    match &mode.algorithm {
        Algorithm::Rule(rule) => rule.ordered,
        Algorithm::Ports(_) | Algorithm::QAdaptive(_) => Ordered::None,
    }
}

/// The gap that ends a period, of all messages of a mode, or of its eager ones.
fn gap(mode: &Mode, is_eager: bool) -> Option<Span> {
    let is_ordered = match ordered(mode) {
        Ordered::All => true,
        Ordered::Eager => is_eager,
        Ordered::None => false,
    };
    let rule = mode.algorithm.rule().filter(|_| is_ordered)?;
    Some(Span::from_ns(rule.flow_gap_ns.into()))
}

/// Sends a packet non-minimal, over this router.
const fn divert(travel: &mut Travel, detour: Detour) -> Candidate {
    travel.path_state = PathState::Outward;
    travel.via = detour.via;
    detour.candidate
}

pub(crate) const fn is_local(kind: LinkKind) -> bool {
    matches!(kind, LinkKind::Local | LinkKind::Row | LinkKind::Column)
}

/// The least congested of several, the first one on a tie.
fn least<T: Copy>(several: &[T], mut congestion: impl FnMut(&T) -> i64) -> Option<T> {
    let measured = several.iter().map(|one| (congestion(one), one));
    measured
        .min_by_key(|(flits, _)| *flits)
        .map(|(_, one)| *one)
}
