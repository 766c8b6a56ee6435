//! How long notices travel.

use odonata_topology::{LinkKind, Topology};
use odonata_units::{NodeId, RouterId, Span};

use crate::parameters::Parameters;

/// How long notices travel: along a shortest minimal path, which costs them its latencies only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoticeTimes {
    host: Span,
    /// From a NIC through its router.
    in_router: Span,
    /// Over a link within a group and through the router behind it: the longest of all kinds.
    local: Span,
    /// The same between groups.
    global: Span,
}

impl NoticeTimes {
    pub(crate) fn new(parameters: &Parameters, kinds: &[LinkKind]) -> Self {
        let hop = |kind: LinkKind| parameters.link(kind).latency + parameters.router_latency;
        let is_within = |kind: &&LinkKind| !matches!(kind, LinkKind::Host | LinkKind::Global);
        let local = kinds.iter().filter(is_within).map(|kind| hop(*kind)).max();
        Self {
            host: parameters.host.latency,
            in_router: parameters.host.latency + parameters.router_latency,
            local: local.unwrap_or_else(|| hop(LinkKind::Global)),
            global: hop(LinkKind::Global),
        }
    }

    /// From a NIC of router `from` to the NIC of `node`.
    pub(crate) fn delay_from_node(
        &self,
        topology: &Topology,
        from: RouterId,
        node: NodeId,
    ) -> Span {
        self.in_router + self.delay(topology, from, node)
    }

    /// From a NIC to another and back, by the longest minimal path between two routers with nodes.
    pub(crate) fn there_and_back(&self, topology: &Topology) -> Span {
        let first_nodes = || {
            let routers = topology.routers();
            routers.filter_map(|router| topology.nodes_of(router).next())
        };
        let from = |node| {
            let router = topology.router_of(node);
            first_nodes().map(move |to| self.delay_from_node(topology, router, to))
        };
        let longest = first_nodes().flat_map(from).max();
        longest.unwrap_or(Span::ZERO) * 2
    }

    /// From router `from` to the NIC of `node`.
    pub(crate) fn delay(&self, topology: &Topology, from: RouterId, node: NodeId) -> Span {
        let to = topology.router_of(node);
        if from == to {
            return self.host;
        }
        let hops = u64::from(topology.minimal_hops(from, to));
        let global = u64::from(topology.group_of(from) != topology.group_of(to));
        self.host + self.local * (hops - global) + self.global * global
    }
}
