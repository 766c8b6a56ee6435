//! Hops as weights: how long the ways are that a decision compares, where its rule asks.
//!
//! Counted are channels between routers on the shortest way that a candidate leaves open, from the
//! router that decides to the router of the target node.

use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::RouterId;

use crate::context::RoutingContext;
use crate::first_decision::Detour;
use crate::geometry::{Geometry, NO_WAYPOINT, Step};
use crate::observation::Observation;
use crate::rule::{Rule, Weights};

impl RoutingContext<'_> {
    /// The weights of a minimal step and of a detour.
    #[inline(always)]
    pub(crate) fn weights(
        &self,
        rule: &Rule,
        target: RouterId,
        minimal: Step,
        detour: Detour,
    ) -> [u32; 2] {
        match rule.weights {
            Weights::Scale => rule.fixed_weights(),
            Weights::Hops => [
                self.minimal_hops(target, minimal),
                self.detour_hops(rule, target, detour),
            ],
        }
    }

    /// The weights of the direct way inside a group (or a domain) and of that over `through`.
    #[inline]
    pub(crate) fn weights_inside(
        &self,
        rule: &Rule,
        through: RouterId,
        target: RouterId,
    ) -> [u32; 2] {
        let hops = |from, to| self.geometry.hops_inside(from, to);
        match rule.weights {
            Weights::Scale => rule.fixed_weights(),
            Weights::Hops => [
                hops(self.here, target),
                hops(self.here, through) + hops(through, target),
            ],
        }
    }

    /// Congestion of a minimal candidate among its like: the flits at its port, times its hops
    /// where those are weights.
    #[inline(always)]
    pub(crate) fn minimal_congestion<O: Observation>(
        &self,
        rule: &Rule,
        target: RouterId,
        step: Step,
        observe: &mut O,
    ) -> u32 {
        let flits = observe.flits(step.port, None, rule.estimate);
        match rule.weights {
            Weights::Scale => flits,
            Weights::Hops => flits.saturating_mul(self.minimal_hops(target, step)),
        }
    }

    /// Congestion of a non-minimal candidate among its like.
    #[inline(always)]
    pub(crate) fn detour_congestion<O: Observation>(
        &self,
        rule: &Rule,
        target: RouterId,
        detour: Detour,
        observe: &mut O,
    ) -> u32 {
        let flits = observe.flits(detour.step.port, None, rule.estimate);
        match rule.weights {
            Weights::Scale => flits,
            Weights::Hops => flits.saturating_mul(self.detour_hops(rule, target, detour)),
        }
    }

    /// Hops of a minimal step's way to `target`, in another group.
    #[inline(never)]
    fn minimal_hops(&self, target: RouterId, step: Step) -> u32 {
        let rest = |far| self.geometry.hops_inside(far, target);
        self.hops_out(step, target, rest)
    }

    /// Hops of a detour's way to `target`.
    #[inline(never)]
    fn detour_hops(&self, rule: &Rule, target: RouterId, detour: Detour) -> u32 {
        let Detour { router, step } = detour;
        if !rule.intermediate.is_visited() {
            let rest = |far| self.geometry.shortest(far, target);
            return self.hops_out(step, router, rest);
        }
        let rest = |far| self.geometry.hops_inside(far, router);
        self.hops_out(step, router, rest) + self.geometry.shortest(router, target)
    }

    /// Hops of the shortest way by `step` out of this group into that of `goal`, and of what `rest`
    /// counts from there: over the channel of the step, or over any that its gateway has to that
    /// group.
    fn hops_out(&self, step: Step, goal: RouterId, rest: impl Fn(RouterId) -> u32) -> u32 {
        let topology = self.geometry.topology();
        let across = |from, port| 1 + self.geometry.behind(from, port).map_or(0, &rest);
        if topology.port_kind(step.port) == LinkKind::Global {
            return across(self.here, step.port);
        }
        let gateway = if step.waypoint == NO_WAYPOINT {
            self.geometry.behind(self.here, step.port)
        } else {
            let first = topology.first_router(self.group);
            Some(RouterId(first.0 + u32::from(step.waypoint)))
        };
        let gateway = gateway.unwrap_or(self.here);
        let ports = topology.direct_ports(gateway, self.geometry.group_of(goal));
        let least = ports.iter().map(|port| across(gateway, *port)).min();
        self.geometry.hops_inside(self.here, gateway) + least.unwrap_or(0)
    }
}

impl Geometry {
    /// The router that the channel out of `port` leads to.
    fn behind(&self, router: RouterId, port: PortIndex) -> Option<RouterId> {
        match self.topology().neighbour(router, port)? {
            Attachment::Router(far, _) => Some(far),
            Attachment::Node(_) => None,
        }
    }

    /// Channels on the shortest minimal path between two routers: inside their group, or over one
    /// channel of the pair of groups.
    fn shortest(&self, from: RouterId, to: RouterId) -> u32 {
        let groups = (self.group_of(from), self.group_of(to));
        if groups.0 == groups.1 {
            return self.hops_inside(from, to);
        }
        let channels = self.topology().global_channels(groups.0, groups.1);
        let over = channels.iter().filter_map(|(near, port)| {
            let far = self.behind(*near, *port)?;
            Some(self.hops_inside(from, *near) + 1 + self.hops_inside(far, to))
        });
        over.min().unwrap_or(0)
    }
}
