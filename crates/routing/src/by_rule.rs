//! The one adaptive rule: minimal, Valiant, UGAL, PAR and their kin.

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, RouterId, Stream};

use crate::context::RoutingContext;
use crate::decision::{Decision, PacketTarget};
use crate::first_decision::{Detour, FirstCandidates, first_decision};
use crate::geometry::{NO_WAYPOINT, Step};
use crate::ladder::Leg;
use crate::observation::{Observation, least};
use crate::packet::{Hop, PacketRoute, PathState};
use crate::rule::{Candidates, Choice, Compared, Intermediate, Rule, Scope};

/// The candidates of a first decision, found from geometry.
struct AtSource<'a, 'b, 'c, O> {
    context: &'a RoutingContext<'a>,
    rule: &'a Rule,
    target: PacketTarget,
    /// The gateway that the packet heads for, if it passed routers that decided nothing.
    waypoint: u8,
    decision: &'b mut Decision<'c, O>,
}

impl<O: Observation> FirstCandidates for AtSource<'_, '_, '_, O> {
    #[inline(always)]
    fn only_step(&mut self) -> Step {
        let draw = &mut *self.decision.draw;
        self.context.step(self.target.group, self.waypoint, draw)
    }

    #[inline(always)]
    fn detour(&mut self) -> Option<Detour> {
        self.context
            .draw_detour(self.rule, self.target, self.decision)
    }

    #[inline(always)]
    fn minimal(&mut self) -> Step {
        self.context
            .draw_minimal(self.rule, self.target, self.decision)
    }

    #[inline(always)]
    fn diverts(&mut self, minimal: Step, detour: Detour) -> bool {
        let (rule, context) = (self.rule, self.context);
        let ports = [minimal.port, detour.step.port];
        let legs = [Leg::SourceMinimal, Leg::SourceNonminimal];
        let weights = context.weights(rule, self.target.router, minimal, detour);
        context.diverts(rule, ports, legs, weights, self.decision.observe)
    }
}

impl RoutingContext<'_> {
    /// The hop of `packet` under `rule`.
    #[inline]
    pub(crate) fn by_rule<O: Observation>(
        &self,
        rule: &Rule,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let target = PacketTarget::of(self.geometry, packet.target);
        // A detour that only crosses a group is over in the target group.
        let is_outward = packet.path_state == PathState::Outward && rule.intermediate.is_visited();
        if self.group == target.group && !is_outward {
            if packet.path_state == PathState::Fresh {
                packet.path_state = PathState::Minimal;
                let has_choice = rule.scope == Scope::Everywhere && self.here != target.router;
                if has_choice && rule.choice != Choice::Minimal {
                    return self.inside_source_group(rule, target.router, packet, decision);
                }
            }
            return self.inside_target_group(target.router, packet, decision.draw);
        }
        match (packet.path_state, self.arrival.kind.is_local()) {
            (PathState::Fresh, _) => self.at_source(rule, target, packet, decision),
            (PathState::Tentative, true) => self.again(rule, target, packet, decision),
            (
                PathState::Minimal
                | PathState::Tentative
                | PathState::Confirmed
                | PathState::Onward,
                _,
            ) => self.minimally(target.group, packet, decision.draw),
            (PathState::Outward, _) => self.outward(rule, target, packet, decision.draw),
        }
    }

    /// The first decision, for a packet that leaves its group.
    #[inline(always)]
    fn at_source<O: Observation>(
        &self,
        rule: &Rule,
        target: PacketTarget,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        if !self.geometry.is_joined(self.group, target.group) {
            return self.over_relay(rule, target.group, packet, decision.draw);
        }
        let mut candidates = AtSource {
            context: self,
            rule,
            target,
            waypoint: packet.waypoint,
            decision,
        };
        let (step, leg) = first_decision(rule, packet, &mut candidates);
        self.take(step, leg, packet)
    }

    /// The only decision of a packet that stays in its group, under rules that have one.
    #[inline(never)]
    fn inside_source_group<O: Observation>(
        &self,
        rule: &Rule,
        target: RouterId,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let through = self
            .geometry
            .draw_router_inside(self.here, target, decision.draw);
        let Some(through) = through else {
            return self.inside_target_group(target, packet, decision.draw);
        };
        let detour = self
            .geometry
            .local_port(self.location, through, decision.draw);
        let minimal = self
            .geometry
            .local_port(self.location, target, decision.draw);
        let ports = [minimal, detour];
        let legs = [Leg::Target, Leg::ToIntermediate];
        let diverts = match rule.choice {
            Choice::Adaptive => {
                let weights = self.weights_inside(rule, through, target);
                self.diverts(rule, ports, legs, weights, decision.observe)
            }
            Choice::NonMinimal => true,
            Choice::Minimal => false,
        };
        if diverts {
            packet.path_state = PathState::Outward;
            packet.intermediate = through;
            return self.hop(detour, Leg::ToIntermediate);
        }
        self.hop(minimal, Leg::Target)
    }

    /// PAR: a packet still minimal reached another router of its source group.
    #[inline]
    fn again<O: Observation>(
        &self,
        rule: &Rule,
        target: PacketTarget,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let detour = self.detour_again(rule, target, packet, decision);
        let minimal = self.minimal_again(rule, target, packet, decision);
        let is_leaving = self.geometry.topology().port_kind(minimal.port) == LinkKind::Global;
        let leg = if is_leaving {
            Leg::Onward
        } else {
            Leg::SourceMinimal
        };
        if let Some(detour) = detour {
            let ports = [minimal.port, detour.step.port];
            let legs = [leg, Leg::SourceNonminimal];
            let weights = self.weights(rule, target.router, minimal, detour);
            if self.diverts(rule, ports, legs, weights, decision.observe) {
                packet.path_state = PathState::Outward;
                packet.intermediate = detour.router;
                return self.take(detour.step, Leg::SourceNonminimal, packet);
            }
        }
        if is_leaving {
            packet.path_state = PathState::Confirmed;
        }
        self.take(minimal, leg, packet)
    }

    /// The detour that a second decision looks at.
    #[inline]
    fn detour_again<O: Observation>(
        &self,
        rule: &Rule,
        target: PacketTarget,
        packet: &PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Option<Detour> {
        let through = self.geometry.group_of(packet.intermediate);
        if self.is_spine()
            && self
                .geometry
                .topology()
                .direct_ports(self.here, through)
                .is_empty()
        {
            // Back down to a leaf it would not go: another intermediate, behind this spine.
            let router =
                self.geometry
                    .draw_router_behind(self.here, target.group, decision.draw)?;
            let step = self.step(self.geometry.group_of(router), NO_WAYPOINT, decision.draw);
            return Some(Detour { router, step });
        }
        let router = packet.intermediate;
        if self.is_spine() {
            let step = self.step(through, NO_WAYPOINT, decision.draw);
            return Some(Detour { router, step });
        }
        // The detour starts afresh here: any link towards the intermediate group will do.
        if rule.candidates == Candidates::OneIntermediate {
            return Some(self.draw_gateways(rule, router, target, decision));
        }
        let step = self.fresh_step(through, decision.draw);
        Some(Detour { router, step })
    }

    /// The minimal way at a second decision: on to the gateway, or one of the links at hand.
    #[inline]
    fn minimal_again<O: Observation>(
        &self,
        rule: &Rule,
        target: PacketTarget,
        packet: &PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Step {
        let first = self.step(target.group, packet.waypoint, decision.draw);
        let is_on_the_way = first.waypoint != NO_WAYPOINT;
        if rule.minimal_candidates == 1 || is_on_the_way {
            return first;
        }
        let others = (1..rule.minimal_candidates)
            .map(|_| self.step(target.group, packet.waypoint, decision.draw));
        let several = std::iter::once(first).chain(others);
        let scored = several.map(|step| {
            (
                self.minimal_congestion(rule, target.router, step, decision.observe),
                step,
            )
        });
        least(scored).map_or(first, |(_, step)| step)
    }

    /// The hop of a packet on its way to its intermediate group or router, or just arrived there.
    #[inline]
    fn outward(
        &self,
        rule: &Rule,
        target: PacketTarget,
        packet: &mut PacketRoute,
        draw: &mut Stream,
    ) -> Hop {
        let group = self.group;
        let through = self.geometry.group_of(packet.intermediate);
        if group != through {
            let step = self.step(through, packet.waypoint, draw);
            return self.take(step, Leg::SourceNonminimal, packet);
        }
        if rule.intermediate.is_visited() && self.here != packet.intermediate {
            let port = self
                .geometry
                .local_port(self.location, packet.intermediate, draw);
            return self.hop(port, Leg::ToIntermediate);
        }
        packet.path_state = PathState::Onward;
        if group == target.group {
            return self.inside_target_group(target.router, packet, draw);
        }
        self.minimally(target.group, packet, draw)
    }

    /// Whether the comparison of the minimal and the non-minimal candidate, whose output ports,
    /// legs and weights are given in this order, prefers the non-minimal one.
    #[inline(always)]
    pub(crate) fn diverts<O: Observation>(
        &self,
        rule: &Rule,
        ports: [PortIndex; 2],
        legs: [Leg; 2],
        weights: [u32; 2],
        observe: &mut O,
    ) -> bool {
        let hops_made = if rule.bias_step == 0 {
            0
        } else {
            self.ladder.hops_made(self.arrival)
        };
        let vc = |side: usize| self.vc(ports[side], legs[side]);
        let compared = Compared {
            ports,
            weights,
            hops_made,
        };
        rule.diverts_at(compared, vc, observe)
    }

    /// The least congested of the minimal candidates at the source (the first one on a tie).
    #[inline(always)]
    fn draw_minimal<O: Observation>(
        &self,
        rule: &Rule,
        target: PacketTarget,
        decision: &mut Decision<'_, O>,
    ) -> Step {
        if rule.candidates != Candidates::Independent && rule.minimal_candidates > 1 {
            return self.draw_distinct(
                target.group,
                rule.minimal_candidates,
                |step| self.minimal_congestion(rule, target.router, step, decision.observe),
                decision.draw,
            );
        }
        let first = self.fresh_step(target.group, decision.draw);
        if rule.minimal_candidates == 1 {
            return first;
        }
        let others =
            (1..rule.minimal_candidates).map(|_| self.fresh_step(target.group, decision.draw));
        let several = std::iter::once(first).chain(others);
        let scored = several.map(|step| {
            (
                self.minimal_congestion(rule, target.router, step, decision.observe),
                step,
            )
        });
        least(scored).map_or(first, |(_, step)| step)
    }

    /// The least congested of `count` steps towards a group, each over another gateway than the one
    /// before.
    #[inline(never)]
    fn draw_distinct(
        &self,
        to: GroupId,
        count: u8,
        mut congestion: impl FnMut(Step) -> u32,
        draw: &mut Stream,
    ) -> Step {
        let gateways = self.geometry.gateways(self.group, to);
        let mut last = RouterId(u32::MAX);
        let mut step_besides_last = || {
            let (gateway, port) = gateways.draw_besides(last, draw);
            last = gateway;
            self.geometry.step_to(self.location, gateway, port, draw)
        };
        let mut best = step_besides_last();
        let mut least = congestion(best);
        for _ in 1..count {
            let step = step_besides_last();
            let flits = congestion(step);
            if flits < least {
                (best, least) = (step, flits);
            }
        }
        best
    }

    /// Several gateways towards one intermediate router.
    #[inline(never)]
    fn draw_gateways<O: Observation>(
        &self,
        rule: &Rule,
        router: RouterId,
        target: PacketTarget,
        decision: &mut Decision<'_, O>,
    ) -> Detour {
        let through = self.geometry.group_of(router);
        let congestion = |step| {
            self.detour_congestion(
                rule,
                target.router,
                Detour { router, step },
                decision.observe,
            )
        };
        let step = self.draw_distinct(
            through,
            rule.nonminimal_candidates,
            congestion,
            decision.draw,
        );
        Detour { router, step }
    }

    /// The least congested of the non-minimal candidates (the first one on a tie); `None` if there
    /// is no non-minimal path.
    #[inline(always)]
    fn draw_detour<O: Observation>(
        &self,
        rule: &Rule,
        target: PacketTarget,
        decision: &mut Decision<'_, O>,
    ) -> Option<Detour> {
        if rule.candidates == Candidates::OneIntermediate {
            let router = self.draw_intermediate(rule, target.group, decision.draw)?;
            return Some(self.draw_gateways(rule, router, target, decision));
        }
        if rule.nonminimal_candidates == 1 {
            return self.draw_one_detour(rule, target.group, decision.draw);
        }
        let scored = (0..rule.nonminimal_candidates).filter_map(|_| {
            let detour = self.draw_one_detour(rule, target.group, decision.draw)?;
            let congestion = self.detour_congestion(rule, target.router, detour, decision.observe);
            Some((congestion, detour))
        });
        least(scored).map(|(_, detour)| detour)
    }

    #[inline(always)]
    fn draw_one_detour(
        &self,
        rule: &Rule,
        target_group: GroupId,
        draw: &mut Stream,
    ) -> Option<Detour> {
        let router = self.draw_intermediate(rule, target_group, draw)?;
        let step = self.fresh_step(self.geometry.group_of(router), draw);
        Some(Detour { router, step })
    }

    #[inline(always)]
    fn draw_intermediate(
        &self,
        rule: &Rule,
        target_group: GroupId,
        draw: &mut Stream,
    ) -> Option<RouterId> {
        let group = self.group;
        match rule.intermediate {
            Intermediate::AnyNode => {
                let nodes = self.geometry.topology().node_count();
                let node = odonata_units::NodeId(draw.below(nodes));
                let router = self.geometry.router_of(node);
                let through = self.geometry.group_of(router);
                let is_outside = through != group
                    && !self.geometry.down().contains(&router)
                    && self.geometry.is_joined(group, through)
                    && self.geometry.is_joined(through, target_group);
                is_outside.then_some(router)
            }
            Intermediate::OutsideRouter => {
                self.geometry
                    .draw_router_outside(group, target_group, true, draw)
            }
            Intermediate::Group | Intermediate::Router => {
                self.geometry
                    .draw_router_outside(group, target_group, false, draw)
            }
        }
    }
}
