//! The one adaptive rule: minimal, Valiant, UGAL, PAR and their kin.

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, RouterId, Stream};

use crate::context::RoutingContext;
use crate::geometry::{NO_WAYPOINT, Step};
use crate::ladder::Leg;
use crate::observation::{Observation, least};
use crate::packet::{Hop, PacketRoute, PathState};
use crate::rule::{Candidates, Choice, Intermediate, Rule, Scope};

/// A non-minimal candidate.
#[derive(Clone, Copy)]
pub(crate) struct Detour {
    pub(crate) router: RouterId,
    pub(crate) step: Step,
}

impl RoutingContext<'_> {
    /// The hop of `packet` under `rule`.
    #[inline]
    pub(crate) fn by_rule<O: Observation>(
        &self,
        rule: &Rule,
        packet: &mut PacketRoute,
        observe: &mut O,
        draw: &mut Stream,
    ) -> Hop {
        let target = self.geometry.router_of(packet.target);
        let group = self.group;
        let target_group = self.geometry.group_of(target);
        // A detour that only crosses a group is over in the target group.
        let is_outward = packet.path_state == PathState::Outward && rule.intermediate.is_visited();
        if group == target_group && !is_outward {
            if packet.path_state == PathState::Fresh {
                packet.path_state = PathState::Minimal;
                let has_choice = rule.scope == Scope::Everywhere && self.here != target;
                if has_choice && rule.choice != Choice::Minimal {
                    return self.inside_source_group(rule, target, packet, (observe, draw));
                }
            }
            return self.inside_target_group(target, packet, draw);
        }
        match (packet.path_state, self.arrival.kind.is_local()) {
            (PathState::Fresh, _) => {
                self.at_source(rule, (target, target_group), packet, (observe, draw))
            }
            (PathState::Tentative, true) => {
                self.again(rule, (target, target_group), packet, (observe, draw))
            }
            (
                PathState::Minimal
                | PathState::Tentative
                | PathState::Confirmed
                | PathState::Onward,
                _,
            ) => self.minimally(target_group, packet, draw),
            (PathState::Outward, _) => self.outward(rule, target, packet, draw),
        }
    }

    /// The first decision, for a packet that leaves its group.
    #[inline(always)]
    fn at_source<O: Observation>(
        &self,
        rule: &Rule,
        (target, target_group): (RouterId, GroupId),
        packet: &mut PacketRoute,
        (observe, draw): (&mut O, &mut Stream),
    ) -> Hop {
        let group = self.group;
        if !self.geometry.is_joined(group, target_group) {
            return self.over_relay(rule, target_group, packet, draw);
        }
        packet.path_state = PathState::Minimal;
        if rule.choice == Choice::Minimal {
            return self.minimally(target_group, packet, draw);
        }
        let to = (target, target_group);
        let Some(detour) = self.draw_detour(rule, to, (observe, draw)) else {
            return self.minimally(target_group, packet, draw);
        };
        packet.intermediate = detour.router;
        if rule.choice == Choice::NonMinimal {
            packet.path_state = PathState::Outward;
            return self.take(detour.step, Leg::SourceNonminimal, packet);
        }
        let minimal = self.draw_minimal(rule, to, (observe, draw));
        let ways = [
            (minimal.port, Leg::SourceMinimal),
            (detour.step.port, Leg::SourceNonminimal),
        ];
        let weights = self.weights(rule, target, (minimal, detour));
        if self.diverts(rule, (ways, weights), observe) {
            packet.path_state = PathState::Outward;
            return self.take(detour.step, Leg::SourceNonminimal, packet);
        }
        if rule.progressive {
            packet.path_state = PathState::Tentative;
        }
        self.take(minimal, Leg::SourceMinimal, packet)
    }

    /// The only decision of a packet that stays in its group, under rules that have one.
    #[inline(never)]
    fn inside_source_group<O: Observation>(
        &self,
        rule: &Rule,
        target: RouterId,
        packet: &mut PacketRoute,
        (observe, draw): (&mut O, &mut Stream),
    ) -> Hop {
        let through = self.geometry.draw_router_inside(self.here, target, draw);
        let Some(through) = through else {
            return self.inside_target_group(target, packet, draw);
        };
        let detour = self.geometry.local_port(self.location, through, draw);
        let minimal = self.geometry.local_port(self.location, target, draw);
        let ways = [(minimal, Leg::Target), (detour, Leg::ToIntermediate)];
        let diverts = match rule.choice {
            Choice::Adaptive => {
                let weights = self.weights_inside(rule, through, target);
                self.diverts(rule, (ways, weights), observe)
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
        to: (RouterId, GroupId),
        packet: &mut PacketRoute,
        (observe, draw): (&mut O, &mut Stream),
    ) -> Hop {
        let detour = self.detour_again(rule, to, packet, (observe, draw));
        let minimal = self.minimal_again(rule, to, packet, (observe, draw));
        let is_leaving = self.geometry.topology().port_kind(minimal.port) == LinkKind::Global;
        let leg = if is_leaving {
            Leg::Onward
        } else {
            Leg::SourceMinimal
        };
        if let Some(detour) = detour {
            let ways = [
                (minimal.port, leg),
                (detour.step.port, Leg::SourceNonminimal),
            ];
            let weights = self.weights(rule, to.0, (minimal, detour));
            if self.diverts(rule, (ways, weights), observe) {
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
        to: (RouterId, GroupId),
        packet: &PacketRoute,
        (observe, draw): (&mut O, &mut Stream),
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
            let router = self.geometry.draw_router_behind(self.here, to.1, draw)?;
            let step = self.step(self.geometry.group_of(router), NO_WAYPOINT, draw);
            return Some(Detour { router, step });
        }
        let router = packet.intermediate;
        if self.is_spine() {
            let step = self.step(through, NO_WAYPOINT, draw);
            return Some(Detour { router, step });
        }
        // The detour starts afresh here: any link towards the intermediate group will do.
        if rule.candidates == Candidates::OneIntermediate {
            return Some(self.draw_gateways(rule, (router, to.0), (observe, draw)));
        }
        let step = self.fresh_step(through, draw);
        Some(Detour { router, step })
    }

    /// The minimal way at a second decision: on to the gateway, or one of the links at hand.
    #[inline]
    fn minimal_again<O: Observation>(
        &self,
        rule: &Rule,
        (target, target_group): (RouterId, GroupId),
        packet: &PacketRoute,
        (observe, draw): (&mut O, &mut Stream),
    ) -> Step {
        let first = self.step(target_group, packet.waypoint, draw);
        let is_on_the_way = first.waypoint != NO_WAYPOINT;
        if rule.minimal_candidates == 1 || is_on_the_way {
            return first;
        }
        let others =
            (1..rule.minimal_candidates).map(|_| self.step(target_group, packet.waypoint, draw));
        let several = std::iter::once(first).chain(others);
        let scored =
            several.map(|step| (self.minimal_congestion(rule, target, step, observe), step));
        least(scored).map_or(first, |(_, step)| step)
    }

    /// On the way to the intermediate group or router, or just arrived there.
    #[inline]
    fn outward(
        &self,
        rule: &Rule,
        target: RouterId,
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
        let target_group = self.geometry.group_of(target);
        if group == target_group {
            return self.inside_target_group(target, packet, draw);
        }
        self.minimally(target_group, packet, draw)
    }

    /// Whether the comparison of [minimal, non-minimal] ways, with their weights, is for the non-minimal
    /// one.
    #[inline(always)]
    pub(crate) fn diverts<O: Observation>(
        &self,
        rule: &Rule,
        (ways, weights): ([(PortIndex, Leg); 2], [u32; 2]),
        observe: &mut O,
    ) -> bool {
        let made = if rule.bias_step == 0 {
            0
        } else {
            self.ladder.hops_made(self.arrival)
        };
        let vc = |side: usize| self.vc(ways[side].0, ways[side].1);
        rule.diverts_at(ways.map(|way| way.0), vc, (weights, made), observe)
    }

    /// The least congested of the minimal candidates at the source (the first one on a tie).
    #[inline(always)]
    fn draw_minimal<O: Observation>(
        &self,
        rule: &Rule,
        (target, target_group): (RouterId, GroupId),
        (observe, draw): (&mut O, &mut Stream),
    ) -> Step {
        if rule.candidates != Candidates::Independent && rule.minimal_candidates > 1 {
            return self.draw_distinct(
                target_group,
                rule.minimal_candidates,
                |step| self.minimal_congestion(rule, target, step, observe),
                draw,
            );
        }
        let first = self.fresh_step(target_group, draw);
        if rule.minimal_candidates == 1 {
            return first;
        }
        let others = (1..rule.minimal_candidates).map(|_| self.fresh_step(target_group, draw));
        let several = std::iter::once(first).chain(others);
        let scored =
            several.map(|step| (self.minimal_congestion(rule, target, step, observe), step));
        least(scored).map_or(first, |(_, step)| step)
    }

    /// The least congested of `count` steps towards a group, each over another gateway than the one before.
    #[inline(never)]
    fn draw_distinct(
        &self,
        to: GroupId,
        count: u8,
        mut congestion: impl FnMut(Step) -> u32,
        draw: &mut Stream,
    ) -> Step {
        let nobody = RouterId(u32::MAX);
        let (mut gateway, first) = self.geometry.step_besides(self.location, to, nobody, draw);
        let others = (1..count).map(|_| {
            let (other, step) = self.geometry.step_besides(self.location, to, gateway, draw);
            gateway = other;
            step
        });
        let several = std::iter::once(first).chain(others);
        least(several.map(|step| (congestion(step), step))).map_or(first, |(_, step)| step)
    }

    /// Several gateways towards one intermediate router.
    #[inline(never)]
    fn draw_gateways<O: Observation>(
        &self,
        rule: &Rule,
        (router, target): (RouterId, RouterId),
        (observe, draw): (&mut O, &mut Stream),
    ) -> Detour {
        let through = self.geometry.group_of(router);
        let congestion =
            |step| self.detour_congestion(rule, target, Detour { router, step }, observe);
        let step = self.draw_distinct(through, rule.nonminimal_candidates, congestion, draw);
        Detour { router, step }
    }

    /// The least congested of the non-minimal candidates (the first one on a tie); `None` if there
    /// is no non-minimal path.
    #[inline(always)]
    fn draw_detour<O: Observation>(
        &self,
        rule: &Rule,
        (target, target_group): (RouterId, GroupId),
        (observe, draw): (&mut O, &mut Stream),
    ) -> Option<Detour> {
        if rule.candidates == Candidates::OneIntermediate {
            let router = self.draw_intermediate(rule, target_group, draw)?;
            return Some(self.draw_gateways(rule, (router, target), (observe, draw)));
        }
        if rule.nonminimal_candidates == 1 {
            return self.draw_one_detour(rule, target_group, draw);
        }
        let scored = (0..rule.nonminimal_candidates).filter_map(|_| {
            let detour = self.draw_one_detour(rule, target_group, draw)?;
            let congestion = self.detour_congestion(rule, target, detour, observe);
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
        let both = (group, target_group);
        match rule.intermediate {
            Intermediate::AnyNode => {
                let nodes = self.geometry.topology().node_count();
                let node = odonata_units::NodeId(draw.below(nodes));
                let router = self.geometry.router_of(node);
                let through = self.geometry.group_of(router);
                let is_outside = through != group
                    && self.geometry.is_joined(group, through)
                    && self.geometry.is_joined(through, target_group);
                is_outside.then_some(router)
            }
            Intermediate::OutsideRouter => self.geometry.draw_router_outside(both, true, draw),
            Intermediate::Group | Intermediate::Router => {
                self.geometry.draw_router_outside(both, false, draw)
            }
        }
    }
}
