//! Next hops, from geometry alone.

use std::sync::Arc;

use odonata_topology::{LinkKind, PortIndex, Topology};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

/// A first hop towards a group, for systems with one global link per group pair.
#[derive(Clone, Copy, Debug)]
struct Gateway {
    router: u32,
    port: u16,
}

/// Shortest-path steps on a dragonfly.
#[derive(Clone, Debug)]
pub struct Geometry {
    topology: Arc<Topology>,
    groups: usize,
    /// `[from * groups + to]`; empty when parallel links must be drawn among.
    gateways: Vec<Gateway>,
    local_base: u16,
}

impl Geometry {
    /// Tables for `topology`.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        let groups = topology.group_count() as usize;
        let mut gateways = Vec::new();
        if topology.links_per_group_pair() == 1 {
            gateways.reserve_exact(groups * groups);
            for from in 0..topology.group_count() {
                for to in 0..topology.group_count() {
                    let channel = topology.global_channels(GroupId(from), GroupId(to)).first();
                    let (router, port) = channel.copied().unwrap_or((RouterId(0), PortIndex(0)));
                    gateways.push(Gateway {
                        router: router.0,
                        port: port.0,
                    });
                }
            }
        }
        let local_base = topology.ports(LinkKind::Local).start;
        Self {
            topology,
            groups,
            gateways,
            local_base,
        }
    }

    /// The topology.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Router of a node.
    #[inline]
    #[must_use]
    pub fn router_of(&self, node: NodeId) -> RouterId {
        self.topology.router_of(node)
    }

    /// Group of a router.
    #[inline]
    #[must_use]
    pub fn group_of(&self, router: RouterId) -> GroupId {
        self.topology.group_of(router)
    }

    /// Port towards `node` at its own router.
    #[inline]
    #[must_use]
    pub fn host_port(&self, node: NodeId) -> PortIndex {
        self.topology.host_port(node)
    }

    /// Port from `here` to another router of its group: local ports stand in router order, with
    /// the router itself left out.
    #[inline]
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "offsets in a group are below a radix"
    )]
    pub fn local_port(&self, here: RouterId, other: RouterId) -> PortIndex {
        debug_assert!(here != other);
        PortIndex(
            self.local_base + (self.topology.position(other) - u32::from(other > here)) as u16,
        )
    }

    /// Port of a shortest first step from `here` to another group.
    ///
    /// With parallel global links: a packet that came over a local link to a router with links to
    /// that group takes one of those (uniformly drawn); otherwise one of all links of the group
    /// pair is drawn. With one link nothing is drawn.
    #[inline]
    pub fn port_towards(
        &self,
        here: RouterId,
        to: GroupId,
        arrival: LinkKind,
        draw: &mut Stream,
    ) -> PortIndex {
        let from = self.group_of(here);
        debug_assert!(from != to);
        match self.only_port_towards(here, from, to) {
            Some(port) => port,
            None => self.draw_port_towards(here, to, arrival, draw),
        }
    }

    /// Port of the only shortest first step from `here`, in group `from`, to another group; `None`
    /// where parallel links must be drawn among.
    #[inline]
    #[must_use]
    pub fn only_port_towards(
        &self,
        here: RouterId,
        from: GroupId,
        to: GroupId,
    ) -> Option<PortIndex> {
        let gateway = self.gateways.get(from.index() * self.groups + to.index())?;
        Some(if gateway.router == here.0 {
            PortIndex(gateway.port)
        } else {
            self.local_port(here, RouterId(gateway.router))
        })
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "links of a group pair fit u32"
    )]
    fn draw_port_towards(
        &self,
        here: RouterId,
        to: GroupId,
        arrival: LinkKind,
        draw: &mut Stream,
    ) -> PortIndex {
        let direct = self.topology.direct_ports(here, to);
        if arrival == LinkKind::Local && !direct.is_empty() {
            return direct[draw.below(direct.len() as u32) as usize];
        }
        let channels = self.topology.global_channels(self.group_of(here), to);
        let (router, port) = channels[draw.below(channels.len() as u32) as usize];
        if router == here {
            port
        } else {
            self.local_port(here, router)
        }
    }
}
