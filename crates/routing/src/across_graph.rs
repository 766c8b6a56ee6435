//! Paths over a network that is one domain: shortest, over a random router, or the less congested.

use odonata_units::{RouterId, Stream};

use crate::context::RoutingContext;
use crate::decision::Decision;
use crate::geometry::{Domain, draw_besides};
use crate::ladder::Leg;
use crate::observation::{Observation, least};
use crate::packet::{Hop, PacketRoute, PathState};
use crate::rule::{Choice, Congestion, Draws, Rule, Weights};

impl RoutingContext<'_> {
    /// The hop of `packet` under `rule` over a graph; virtual channels count hops.
    #[inline(never)]
    pub(crate) fn across_graph<O: Observation>(
        &self,
        rule: &Rule,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let Some(domain) = self.geometry.domain() else {
            return self.by_rule(rule, packet, decision);
        };
        if rule.draws == Draws::PerPair {
            let mut draw = packet.fixed_draws(self.here);
            return self.towards_router(domain, packet, &mut draw);
        }
        let target = self.geometry.router_of(packet.target);
        if packet.path_state == PathState::Fresh {
            packet.path_state = PathState::Minimal;
            if rule.choice != Choice::Minimal && self.here != target {
                return self.choose(domain, rule, packet, decision);
            }
        }
        self.towards_router(domain, packet, decision.draw)
    }

    /// The hop towards the intermediate router, if one is left to visit, or towards the target.
    fn towards_router(&self, domain: &Domain, packet: &mut PacketRoute, draw: &mut Stream) -> Hop {
        if packet.path_state == PathState::Fresh {
            packet.path_state = PathState::Minimal;
        }
        if packet.path_state == PathState::Outward && self.here == packet.intermediate {
            packet.path_state = PathState::Onward;
        }
        let target = self.geometry.router_of(packet.target);
        let end = if packet.path_state == PathState::Outward {
            packet.intermediate
        } else {
            target
        };
        if self.here == end {
            return self.deliver(packet.target);
        }
        self.hop(domain.step(self.here, end, draw), Leg::Onward)
    }

    /// The decision at the source router.
    fn choose<O: Observation>(
        &self,
        domain: &Domain,
        rule: &Rule,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        let target = self.geometry.router_of(packet.target);
        let mut score = |port| match rule.choice {
            Choice::Adaptive => decision.observe.flits(port, None, rule.estimate),
            Choice::Minimal | Choice::NonMinimal => 0,
        };
        let detours = (0..rule.nonminimal_candidates).filter_map(|_| {
            let router = self.draw_third(domain, target, decision.draw)?;
            let port = domain.step(self.here, router, decision.draw);
            let flits = score(port);
            let judged = match rule.weights {
                Weights::Scale => flits,
                Weights::Hops => flits.saturating_mul(self.weights_inside(rule, router, target)[1]),
            };
            Some((judged, (flits, router, port)))
        });
        let Some((_, (nonminimal, router, outward))) = least(detours) else {
            return self.towards_router(domain, packet, decision.draw);
        };
        if rule.choice == Choice::Adaptive {
            // Minimal ways are all of one length.
            let minimal = (0..rule.minimal_candidates).map(|_| {
                let port = domain.step(self.here, target, decision.draw);
                (score(port), port)
            });
            let weights = self.weights_inside(rule, router, target);
            if let Some((flits, port)) = least(minimal)
                && !rule.diverts_by(
                    weights,
                    Congestion {
                        minimal: flits,
                        nonminimal,
                    },
                    0,
                )
            {
                return self.hop(port, Leg::Onward);
            }
        }
        packet.path_state = PathState::Outward;
        packet.intermediate = router;
        self.hop(outward, Leg::Onward)
    }

    /// A uniformly random router with nodes that is neither here nor the target.
    fn draw_third(&self, domain: &Domain, target: RouterId, draw: &mut Stream) -> Option<RouterId> {
        let routers_with_nodes = &domain.routers_with_nodes;
        let down = self.geometry.down();
        if !down.is_empty() {
            let mut up = routers_with_nodes.clone();
            up.retain(|router| down.binary_search(router).is_err());
            return draw_besides(&up, [self.here, target], draw);
        }
        let others = u32::try_from(routers_with_nodes.len())
            .ok()?
            .checked_sub(2)?;
        if others == 0 {
            return None;
        }
        let position = |router| {
            u32::try_from(routers_with_nodes.partition_point(|index| *index < router)).unwrap_or(0)
        };
        let (here, target) = (position(self.here), position(target));
        let mut index = draw.below(others);
        index += u32::from(index >= here.min(target));
        index += u32::from(index >= here.max(target));
        Some(routers_with_nodes[index as usize])
    }
}
