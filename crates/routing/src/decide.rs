//! The decision: one call per packet and router.

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::geometry::Geometry;
use crate::rule::{Choice, Estimate, Intermediate, Rule};

/// What a packet has decided so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Plan {
    /// Not routed yet.
    #[default]
    Fresh = 0,
    /// Minimal, for good; decided at the source router.
    Minimal = 1,
    /// Minimal, to be asked once more in the source group (PAR); its intermediate is drawn.
    Tentative = 2,
    /// Minimal, confirmed at the second decision (PAR).
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

/// The routing fields of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PacketRoute {
    /// Where it goes.
    pub target: NodeId,
    /// Intermediate router; meaningful from [`Plan::Tentative`] on.
    pub intermediate: RouterId,
    /// What is decided.
    pub plan: Plan,
}

/// The way out of a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Output port.
    pub port: PortIndex,
    /// Virtual channel on it.
    pub vc: u8,
}

/// What a router lets its routing see, at the instant of the decision.
pub trait Observation {
    /// Congestion of output `port`, flits: over all VCs, or of one.
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32;
}

/// A rule on a geometry.
#[derive(Clone, Debug)]
pub struct Routing {
    geometry: Geometry,
    rule: Rule,
    /// VCs above this are clamped: only [`Routing::with_virtual_channels`] lowers it.
    last_vc: u8,
}

impl Routing {
    /// `rule` on `geometry`, with the virtual channels it needs.
    #[must_use]
    pub const fn new(geometry: Geometry, rule: Rule) -> Self {
        Self {
            geometry,
            rule,
            last_vc: rule.vcs.count() - 1,
        }
    }

    /// The same with only `count` virtual channels, higher ones folded onto the last: what
    /// hardware with too few of them would do. [`crate::check_dependencies`] tells whether that
    /// can deadlock.
    #[must_use]
    pub const fn with_virtual_channels(mut self, count: u8) -> Self {
        if count > 0 && count - 1 < self.last_vc {
            self.last_vc = count - 1;
        }
        self
    }

    /// Virtual channels in use.
    #[must_use]
    pub const fn virtual_channels(&self) -> u8 {
        self.last_vc + 1
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Next hops.
    #[must_use]
    pub const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Routes `packet`, which came to `here` over a channel of kind `arrival`.
    ///
    /// Draws from `draw` only where the algorithm says so: the intermediate at the source router,
    /// and parallel global links.
    #[inline]
    pub fn route<O: Observation>(
        &self,
        here: RouterId,
        arrival: LinkKind,
        packet: &mut PacketRoute,
        observe: &mut O,
        draw: &mut Stream,
    ) -> Hop {
        let target = self.geometry.router_of(packet.target);
        let group = self.geometry.group_of(here);
        let target_group = self.geometry.group_of(target);
        let hop = if group == target_group && packet.plan != Plan::Outward {
            if packet.plan == Plan::Fresh {
                packet.plan = Plan::Minimal;
            }
            self.inside_target_group(here, target, packet.target)
        } else {
            match (packet.plan, arrival) {
                (Plan::Fresh, _) => self.at_source(here, target_group, packet, observe, draw),
                (Plan::Tentative, LinkKind::Local) => {
                    self.again(here, target_group, packet, observe, draw)
                }
                (Plan::Minimal | Plan::Tentative | Plan::Confirmed | Plan::Onward, _) => {
                    let port = self
                        .geometry
                        .port_towards(here, target_group, arrival, draw);
                    Hop {
                        port,
                        vc: self.minimal_vc(packet.plan),
                    }
                }
                (Plan::Outward, _) => self.outward(here, target, arrival, packet, draw),
            }
        };
        Hop {
            port: hop.port,
            vc: hop.vc.min(self.last_vc),
        }
    }

    /// The way out if nothing is left to decide or to draw: the same as [`Routing::route`] would
    /// say, at a fraction of its cost. `None`: ask [`Routing::route`].
    ///
    /// A fresh packet that is settled stays [`Plan::Fresh`]; it is minimal all the same.
    #[inline]
    #[must_use]
    pub fn settled(&self, here: RouterId, group: GroupId, node: NodeId, plan: Plan) -> Option<Hop> {
        let target = self.geometry.router_of(node);
        let target_group = self.geometry.group_of(target);
        let hop = if group == target_group {
            if plan == Plan::Outward {
                return None;
            }
            self.inside_target_group(here, target, node)
        } else {
            let is_settled = match plan {
                Plan::Minimal | Plan::Confirmed | Plan::Onward => true,
                Plan::Fresh => self.rule.choice == Choice::Minimal,
                Plan::Tentative | Plan::Outward => false,
            };
            if !is_settled {
                return None;
            }
            let port = self.geometry.only_port_towards(here, group, target_group)?;
            Hop {
                port,
                vc: self.minimal_vc(plan),
            }
        };
        Some(Hop {
            port: hop.port,
            vc: hop.vc.min(self.last_vc),
        })
    }

    #[inline]
    const fn minimal_vc(&self, plan: Plan) -> u8 {
        match plan {
            Plan::Fresh | Plan::Minimal | Plan::Tentative => self.rule.vcs.source_minimal(),
            Plan::Confirmed | Plan::Outward | Plan::Onward => self.rule.vcs.onward(),
        }
    }

    #[inline]
    fn inside_target_group(&self, here: RouterId, target: RouterId, node: NodeId) -> Hop {
        let port = if here == target {
            self.geometry.host_port(node)
        } else {
            self.geometry.local_port(here, target)
        };
        Hop {
            port,
            vc: self.rule.vcs.target_group(),
        }
    }

    /// The first decision, for a packet that leaves its group.
    #[inline]
    fn at_source<O: Observation>(
        &self,
        here: RouterId,
        target_group: GroupId,
        packet: &mut PacketRoute,
        observe: &mut O,
        draw: &mut Stream,
    ) -> Hop {
        if self.rule.choice == Choice::Minimal {
            packet.plan = Plan::Minimal;
            let port = self
                .geometry
                .port_towards(here, target_group, LinkKind::Host, draw);
            return Hop {
                port,
                vc: self.rule.vcs.source_minimal(),
            };
        }
        let outward_vc = self.rule.vcs.source_nonminimal();
        let minimal_vc = self.rule.vcs.source_minimal();
        let Some(detour) = self.draw_detour(here, target_group, observe, draw) else {
            packet.plan = Plan::Minimal;
            let port = self
                .geometry
                .port_towards(here, target_group, LinkKind::Host, draw);
            return Hop {
                port,
                vc: minimal_vc,
            };
        };
        packet.intermediate = detour.router;
        if self.rule.choice == Choice::NonMinimal {
            packet.plan = Plan::Outward;
            return Hop {
                port: detour.port,
                vc: outward_vc,
            };
        }
        let minimal = self.draw_minimal(here, target_group, LinkKind::Host, observe, draw);
        if self.diverts((minimal, minimal_vc), (detour.port, outward_vc), observe) {
            packet.plan = Plan::Outward;
            Hop {
                port: detour.port,
                vc: outward_vc,
            }
        } else {
            packet.plan = if self.rule.progressive {
                Plan::Tentative
            } else {
                Plan::Minimal
            };
            Hop {
                port: minimal,
                vc: minimal_vc,
            }
        }
    }

    /// PAR: a packet still minimal reached another router of its source group.
    #[inline]
    fn again<O: Observation>(
        &self,
        here: RouterId,
        target_group: GroupId,
        packet: &mut PacketRoute,
        observe: &mut O,
        draw: &mut Stream,
    ) -> Hop {
        let through = self.geometry.group_of(packet.intermediate);
        // The detour starts afresh here: any link towards the intermediate group will do.
        let detour = self
            .geometry
            .port_towards(here, through, LinkKind::Host, draw);
        let minimal = self.draw_minimal(here, target_group, LinkKind::Local, observe, draw);
        let (outward_vc, minimal_vc) = (self.rule.vcs.source_nonminimal(), self.rule.vcs.onward());
        if self.diverts((minimal, minimal_vc), (detour, outward_vc), observe) {
            packet.plan = Plan::Outward;
            Hop {
                port: detour,
                vc: outward_vc,
            }
        } else {
            packet.plan = Plan::Confirmed;
            Hop {
                port: minimal,
                vc: minimal_vc,
            }
        }
    }

    /// On the way to the intermediate group or router, or just arrived there.
    #[inline]
    fn outward(
        &self,
        here: RouterId,
        target: RouterId,
        arrival: LinkKind,
        packet: &mut PacketRoute,
        draw: &mut Stream,
    ) -> Hop {
        let group = self.geometry.group_of(here);
        let through = self.geometry.group_of(packet.intermediate);
        if group != through {
            let port = self.geometry.port_towards(here, through, arrival, draw);
            return Hop {
                port,
                vc: self.rule.vcs.source_nonminimal(),
            };
        }
        if self.rule.intermediate != Intermediate::Group && here != packet.intermediate {
            let port = self.geometry.local_port(here, packet.intermediate);
            return Hop {
                port,
                vc: self.rule.vcs.to_intermediate(),
            };
        }
        packet.plan = Plan::Onward;
        let target_group = self.geometry.group_of(target);
        if group == target_group {
            return self.inside_target_group(here, target, packet.target);
        }
        let port = self
            .geometry
            .port_towards(here, target_group, arrival, draw);
        Hop {
            port,
            vc: self.rule.vcs.onward(),
        }
    }

    #[inline]
    fn diverts<O: Observation>(
        &self,
        minimal: (PortIndex, u8),
        detour: (PortIndex, u8),
        observe: &mut O,
    ) -> bool {
        let by_vc = self.rule.same_port_by_vc && minimal.0 == detour.0;
        let estimate = self.rule.estimate;
        let vc = |vc: u8| by_vc.then_some(vc.min(self.last_vc));
        let q_minimal = observe.flits(minimal.0, vc(minimal.1), estimate);
        let q_detour = observe.flits(detour.0, vc(detour.1), estimate);
        self.rule.prefers_nonminimal(q_minimal, q_detour)
    }

    /// The least congested of the drawn minimal candidates (the first one on a tie).
    #[inline]
    fn draw_minimal<O: Observation>(
        &self,
        here: RouterId,
        target_group: GroupId,
        arrival: LinkKind,
        observe: &mut O,
        draw: &mut Stream,
    ) -> PortIndex {
        let first = self
            .geometry
            .port_towards(here, target_group, arrival, draw);
        if self.rule.minimal_candidates == 1 {
            return first;
        }
        let mut best = (observe.flits(first, None, self.rule.estimate), first);
        for _ in 1..self.rule.minimal_candidates {
            let port = self
                .geometry
                .port_towards(here, target_group, arrival, draw);
            let flits = observe.flits(port, None, self.rule.estimate);
            if flits < best.0 {
                best = (flits, port);
            }
        }
        best.1
    }

    /// The least congested of the drawn non-minimal candidates (the first one on a tie); `None`
    /// if there is no non-minimal path.
    #[inline]
    fn draw_detour<O: Observation>(
        &self,
        here: RouterId,
        target_group: GroupId,
        observe: &mut O,
        draw: &mut Stream,
    ) -> Option<Detour> {
        let first = self.draw_one_detour(here, target_group, draw);
        if self.rule.nonminimal_candidates == 1 {
            return first;
        }
        let mut best = first.map(|d| (observe.flits(d.port, None, self.rule.estimate), d));
        for _ in 1..self.rule.nonminimal_candidates {
            let Some(detour) = self.draw_one_detour(here, target_group, draw) else {
                continue;
            };
            let flits = observe.flits(detour.port, None, self.rule.estimate);
            if best.is_none_or(|(least, _)| flits < least) {
                best = Some((flits, detour));
            }
        }
        best.map(|(_, detour)| detour)
    }

    #[inline]
    fn draw_one_detour(
        &self,
        here: RouterId,
        target_group: GroupId,
        draw: &mut Stream,
    ) -> Option<Detour> {
        let topology = self.geometry.topology();
        let source_group = self.geometry.group_of(here);
        let router = if self.rule.intermediate == Intermediate::AnyNode {
            let node = NodeId(draw.below(topology.node_count()));
            let router = self.geometry.router_of(node);
            if self.geometry.group_of(router) == source_group {
                return None;
            }
            router
        } else {
            self.draw_router_elsewhere(source_group, target_group, draw)?
        };
        let through = self.geometry.group_of(router);
        let port = self
            .geometry
            .port_towards(here, through, LinkKind::Host, draw);
        Some(Detour { router, port })
    }

    /// A uniformly random router outside both groups.
    #[inline]
    fn draw_router_elsewhere(
        &self,
        source: GroupId,
        target: GroupId,
        draw: &mut Stream,
    ) -> Option<RouterId> {
        let topology = self.geometry.topology();
        let elsewhere = topology
            .group_count()
            .checked_sub(2)
            .filter(|groups| *groups > 0)?;
        let per_group = topology.routers_in_group(source);
        let mut router = draw.below(elsewhere * per_group);
        // Skip the two excluded groups, the lower one first.
        let (low, high) = if source < target {
            (source, target)
        } else {
            (target, source)
        };
        if router >= low.0 * per_group {
            router += per_group;
        }
        if router >= high.0 * per_group {
            router += per_group;
        }
        Some(RouterId(router))
    }
}

#[derive(Clone, Copy)]
struct Detour {
    router: RouterId,
    port: PortIndex,
}
