//! How long notices travel.

use odonata_topology::{LinkKind, Topology};
use odonata_units::{NodeId, RouterId, Span};

use crate::model::cables::Cables;
use crate::model::parameters::Parameters;

/// How long notices travel: along a shortest minimal path, which costs them its latencies only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoticeTimes {
    cables: Cables,
    host: Span,
    /// From a NIC through its router.
    pub(crate) in_router: Span,
    /// Over a link within a group and through the router behind it: the longest of all.
    local: Span,
    /// The same over the shortest link between groups.
    global: Span,
}

impl NoticeTimes {
    pub(crate) fn new(parameters: &Parameters, kinds: &[LinkKind]) -> Self {
        let cables = parameters.cables();
        let hop = |kind: LinkKind| parameters.link(kind).latency + parameters.router_latency;
        let is_within = |kind: &&LinkKind| !matches!(kind, LinkKind::Host | LinkKind::Global);
        let within = kinds.iter().filter(is_within);
        let local = within.map(|kind| hop(*kind) + cables.longest(*kind)).max();
        Self {
            cables,
            host: parameters.host.latency,
            in_router: parameters.host.latency + parameters.router_latency,
            local: local
                .unwrap_or_else(|| hop(LinkKind::Global) + cables.longest(LinkKind::Global)),
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

    /// The same with a largest packet on a host channel: the round trip of the unloaded network.
    pub(crate) fn round_trip(&self, parameters: &Parameters, topology: &Topology) -> Span {
        let full = parameters.serialization(LinkKind::Host, parameters.packet_flits());
        self.there_and_back(topology) + full
    }

    /// From router `from` to the NIC of `node`.
    pub(crate) fn delay(&self, topology: &Topology, from: RouterId, node: NodeId) -> Span {
        let to = topology.router_of(node);
        if from == to {
            return self.host;
        }
        let hops = u64::from(topology.minimal_hops(from, to));
        let groups = [from, to].map(|router| topology.group_of(router));
        if groups[0] == groups[1] {
            return self.host + self.local * hops;
        }
        let global = self.global + self.cables.between(topology, groups);
        self.host + self.local * (hops - 1) + global
    }
}

/// How long notices travel from one router, as [`NoticeTimes::delay`] has it: each is found once.
#[derive(Debug, Default)]
pub(crate) struct NoticeDelays {
    /// `[router]`, ps; 0: not found yet, or too long for 32 bits.
    found: Vec<u32>,
}

impl NoticeDelays {
    /// From router `from`, which is always the same, to the NIC of `node`.
    #[inline]
    pub(crate) fn delay(
        &mut self,
        times: &NoticeTimes,
        topology: &Topology,
        from: RouterId,
        node: NodeId,
    ) -> Span {
        let to = topology.router_of(node).index();
        match self.found.get(to) {
            Some(ps) if *ps > 0 => Span::from_ps(u64::from(*ps)),
            _ => self.find(times, topology, from, node),
        }
    }

    #[cold]
    fn find(
        &mut self,
        times: &NoticeTimes,
        topology: &Topology,
        from: RouterId,
        node: NodeId,
    ) -> Span {
        let delay = times.delay(topology, from, node);
        self.found.resize(topology.router_count() as usize, 0);
        let to = topology.router_of(node).index();
        self.found[to] = u32::try_from(delay.ps()).unwrap_or(0);
        delay
    }
}
