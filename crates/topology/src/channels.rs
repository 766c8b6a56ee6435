//! Every directed channel, in one dense order.

use odonata_units::{NodeId, RouterId};

use crate::channel::{Attachment, Channel, ChannelIndex, LinkKind, PortIndex};
use crate::dragonfly::Dragonfly;

impl Dragonfly {
    /// Number of directed channels: two per link.
    #[must_use]
    pub const fn channel_count(&self) -> u32 {
        2 * self.node_count() + self.local_channel_count() + self.global_channel_count()
    }

    /// Every directed channel in the order of [`ChannelIndex`]:
    ///
    /// 1. host channels from the nodes into the network, by node;
    /// 2. host channels from the routers to the nodes, by node;
    /// 3. local channels, by source router, then its port;
    /// 4. global channels, by source router, then its port; unconnected ports have none.
    pub fn channels(&self) -> impl Iterator<Item = Channel> + Clone + '_ {
        let inward = self.nodes().map(Attachment::Node);
        let outward = self.nodes().map(|node| self.attachment_of(node));
        let ports_of = |kind| {
            self.routers().flat_map(move |router| {
                self.ports(kind)
                    .map(move |port| Attachment::Router(router, PortIndex(port)))
            })
        };
        inward
            .chain(outward)
            .chain(ports_of(LinkKind::Local))
            .chain(ports_of(LinkKind::Global))
            .filter_map(|source| self.opposite(source).map(|target| (source, target)))
            .zip(0..)
            .map(|((source, target), index)| Channel {
                index: ChannelIndex(index),
                kind: self.kind_of(source),
                source,
                target,
            })
    }

    /// The channel from `node` into the network.
    #[inline]
    #[must_use]
    pub const fn injection_channel(&self, node: NodeId) -> ChannelIndex {
        debug_assert!(node.0 < self.node_count(), "the node exists");
        ChannelIndex(node.0)
    }

    /// The channel that leaves `router` through `port`; `None` if the port is not connected.
    #[inline]
    #[must_use]
    pub const fn output_channel(&self, router: RouterId, port: PortIndex) -> Option<ChannelIndex> {
        if let Some(node) = self.node_at(router, port) {
            return Some(ChannelIndex(self.node_count() + node.0));
        }
        if port.0 >= self.radix() {
            return None;
        }
        let first_local = self.ports(LinkKind::Local).start;
        let first_global = self.ports(LinkKind::Global).start;
        let locals = 2 * self.node_count();
        if port.0 < first_global {
            let before = router.0 * (first_global - first_local) as u32;
            return Some(ChannelIndex(
                locals + before + (port.0 - first_local) as u32,
            ));
        }
        let channel = self.position(router) * self.shape.global_ports_per_router
            + (port.0 - first_global) as u32;
        let in_use = self.channels_in_use();
        if channel >= in_use {
            return None;
        }
        let globals = locals + self.local_channel_count();
        Some(ChannelIndex(
            globals + self.group_of(router).0 * in_use + channel,
        ))
    }

    /// Where the channel that starts at `source` ends; `None` if the port is not connected.
    #[must_use]
    pub fn opposite(&self, source: Attachment) -> Option<Attachment> {
        match source {
            Attachment::Node(node) => Some(self.attachment_of(node)),
            Attachment::Router(router, port) => self.neighbour(router, port),
        }
    }

    /// The router port that `node` is attached to.
    #[must_use]
    pub const fn attachment_of(&self, node: NodeId) -> Attachment {
        Attachment::Router(self.router_of(node), self.host_port(node))
    }

    /// Directed local channels.
    pub(crate) const fn local_channel_count(&self) -> u32 {
        self.router_count() * (self.shape.routers_per_group - 1)
    }

    /// Directed global channels.
    pub(crate) const fn global_channel_count(&self) -> u32 {
        self.group_count() * self.channels_in_use()
    }

    const fn kind_of(&self, end: Attachment) -> LinkKind {
        match end {
            Attachment::Node(_) => LinkKind::Host,
            Attachment::Router(_, port) => self.port_kind(port),
        }
    }
}
