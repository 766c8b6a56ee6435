//! The first decision on a packet that leaves its group, between a minimal and a non-minimal path.
//!
//! UGAL and its kin decide here: [`first_decision`] is their rule, and the only place where it is
//! written. It asks for its candidates one after the other, so that random numbers are drawn in one
//! order, and does not know how they are found: from geometry ([`crate::by_rule`]), or,
//! where groups are alike and a rule has one candidate of each kind, from the table of precomputed
//! hops ([`crate::precomputed`]), which is faster. Both give the same hops, draw the same numbers
//! and leave the same packet behind; the test below compares them.

use odonata_units::RouterId;

use crate::geometry::Step;
use crate::ladder::Leg;
use crate::packet::{PacketRoute, PathState};
use crate::rule::{Choice, Rule};

/// A non-minimal candidate: its intermediate router, and the step towards it.
#[derive(Clone, Copy)]
pub(crate) struct Detour {
    pub(crate) router: RouterId,
    pub(crate) step: Step,
}

/// Where the candidates of a first decision come from.
pub(crate) trait FirstCandidates {
    /// The step of a packet that has no choice: its rule is minimal, or no detour exists.
    fn only_step(&mut self) -> Step;

    /// The non-minimal candidate, the least congested if there are several; `None` if no third
    /// group leads to the target.
    fn detour(&mut self) -> Option<Detour>;

    /// The minimal candidate, the least congested if there are several.
    fn minimal(&mut self) -> Step;

    /// Whether the rule's comparison prefers the detour.
    fn diverts(&mut self, minimal: Step, detour: Detour) -> bool;
}

/// Decides on the path of a fresh `packet` under `rule`: the step it takes, and the leg that gives
/// its virtual channel. Sets the path state and the intermediate router of the packet.
///
/// Source: Singh 2005 (UGAL); Kang, Wang, Lan 2022, section II-B (UGALg, UGALn, PAR);
/// `docs/model/routing.md`.
#[inline(always)]
pub(crate) fn first_decision(
    rule: &Rule,
    packet: &mut PacketRoute,
    candidates: &mut impl FirstCandidates,
) -> (Step, Leg) {
    packet.path_state = PathState::Minimal;
    if rule.choice == Choice::Minimal {
        return (candidates.only_step(), Leg::SourceMinimal);
    }
    let Some(detour) = candidates.detour() else {
        return (candidates.only_step(), Leg::SourceMinimal);
    };
    packet.intermediate = detour.router;
    if rule.choice == Choice::Adaptive {
        let minimal = candidates.minimal();
        if !candidates.diverts(minimal, detour) {
            if rule.progressive {
                packet.path_state = PathState::Tentative;
            }
            return (minimal, Leg::SourceMinimal);
        }
    }
    packet.path_state = PathState::Outward;
    (detour.step, Leg::SourceNonminimal)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odonata_topology::{AriesShape, Arrangement, MegaflyShape, PortIndex, Shape, Topology};
    use odonata_units::{NodeId, Purpose, Stream};

    use crate::decision::Decision;
    use crate::{
        Algorithm, Arrival, Choice, Estimate, Geometry, Intermediate, Mode, Observation,
        PacketRoute, PathState, Routing, Rule, VcScheme,
    };

    /// Flits that depend on all that is asked, few enough for ties.
    struct Flits(u64);

    impl Observation for Flits {
        fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32 {
            let vc = vc.map_or(u64::MAX, u64::from);
            let seed = self.0 ^ vc << 8 ^ (estimate as u64) << 4;
            Stream::new(seed, Purpose::Routing, port.0.into()).below(6)
        }
    }

    fn dragonfly(groups: u32, routers: u32, nodes: u32, ports: u32) -> Topology {
        Topology::dragonfly(Shape {
            groups,
            routers_per_group: routers,
            nodes_per_router: nodes,
            global_ports_per_router: ports,
            arrangement: Arrangement::ALL[0],
        })
        .unwrap()
    }

    /// Systems whose groups are alike: one link between groups, several, two groups only, local
    /// paths of two hops, leaves and spines.
    fn systems() -> [Topology; 6] {
        [
            dragonfly(9, 4, 2, 2),
            dragonfly(5, 3, 2, 2),
            dragonfly(3, 3, 1, 4),
            dragonfly(2, 3, 2, 2),
            Topology::aries(AriesShape {
                groups: 3,
                rows: 2,
                columns: 3,
                nodes_per_router: 2,
                column_links: 1,
                global_ports_per_router: 2,
                chassis_per_cabinet: 1,
            })
            .unwrap(),
            Topology::megafly(MegaflyShape {
                groups: 5,
                leaf_routers_per_group: 2,
                spine_routers_per_group: 2,
                nodes_per_leaf: 2,
                links_per_group_pair: 1,
            })
            .unwrap(),
        ]
    }

    /// Every rule with one candidate of each kind, with random numbers in its comparison.
    fn rules(draw: &mut Stream) -> Vec<Rule> {
        let mut rules = Vec::new();
        for choice in [Choice::Minimal, Choice::NonMinimal, Choice::Adaptive] {
            for intermediate in [Intermediate::Group, Intermediate::Router] {
                for progressive in [false, true] {
                    rules.push(Rule {
                        choice,
                        intermediate,
                        progressive,
                        estimate: Estimate::ALL[draw.below(4) as usize],
                        same_port_by_vc: draw.below(2) == 0,
                        scale: 1 + draw.below(2),
                        bias: i64::from(draw.below(3)) - 1,
                        bias_step: i64::from(draw.below(3)) - 1,
                        threshold: draw.below(3),
                        vcs: VcScheme::Progressive,
                        ..Rule::MINIMAL
                    });
                }
            }
        }
        rules
    }

    /// The table of precomputed hops and geometry lead to the same first decisions: the same hop,
    /// the same packet afterwards, the same random numbers drawn.
    #[test]
    fn candidates_from_the_table_are_those_from_geometry() {
        let mut dice = Stream::new(7, Purpose::Routing, 0);
        // Decisions by the table: minimal for good, tentative, non-minimal.
        let mut decided = [0; 3];
        for topology in systems() {
            let topology = Arc::new(topology);
            let nodes = topology.node_count();
            for rule in rules(&mut dice) {
                let mode = Mode {
                    name: "ugal-node".to_owned(),
                    algorithm: Algorithm::Rule(rule),
                };
                let geometry = Geometry::new(Arc::clone(&topology));
                let routing = Routing::new(geometry, vec![mode], false).unwrap();
                let precomputed = routing.mode(0).precomputed.as_ref().unwrap();
                for _ in 0..300 {
                    let (source, target) = (dice.below(nodes), dice.below(nodes));
                    let packet = PacketRoute::new(NodeId(source), NodeId(target), 0);
                    let location = routing.location(topology.router_of(packet.source));
                    let mut flits = Flits(u64::from(dice.below(u32::MAX)));
                    let (mut by_table, mut by_geometry) = (packet, packet);
                    let (mut one, mut other) = (dice.clone(), dice.clone());
                    let decision = &mut Decision {
                        observe: &mut flits,
                        draw: &mut one,
                    };
                    let hop =
                        precomputed.choose(routing.geometry(), &location, &mut by_table, decision);
                    let is_outside = topology.group_of_node(packet.source)
                        != topology.group_of_node(packet.target);
                    assert_eq!(hop.is_some(), is_outside, "one candidate of each kind");
                    let Some(hop) = hop else { continue };
                    let decision = &mut Decision {
                        observe: &mut flits,
                        draw: &mut other,
                    };
                    let arrival = Arrival::FROM_NODE;
                    let expected =
                        routing.route_by_algorithm(&location, arrival, &mut by_geometry, decision);
                    assert_eq!((hop, by_table), (expected, by_geometry), "{rule:?}");
                    assert_eq!(one, other, "the same numbers are drawn: {rule:?}");
                    let kind = match by_table.path_state {
                        PathState::Tentative => 1,
                        PathState::Outward => 2,
                        _ => 0,
                    };
                    decided[kind] += 1;
                }
            }
        }
        assert!(decided.iter().all(|count| *count > 1_000), "{decided:?}");
    }
}
