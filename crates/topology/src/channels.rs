//! Every directed channel, in one dense order.

use odonata_units::{NodeId, RouterId};

use crate::channel::{Attachment, Channel, ChannelIndex, LinkKind, PortIndex};
use crate::topology::Topology;
use crate::wiring::End;

impl Topology {
    /// Number of directed channels: two per link.
    #[must_use]
    pub const fn channel_count(&self) -> u32 {
        self.wiring.channels
    }

    /// Every directed channel in the order of [`ChannelIndex`]:
    ///
    /// 1. host channels from the nodes into the network, by node;
    /// 2. host channels from the routers to the nodes, by node;
    /// 3. local, row and column channels, by source router, then its port;
    /// 4. global channels, by source router, then its port; unconnected ports have none.
    pub fn channels(&self) -> impl Iterator<Item = Channel> + Clone + '_ {
        let inward = self.nodes().map(Attachment::Node);
        let outward = self.nodes().map(|node| self.attachment_of(node));
        let ports_of = |ports: std::ops::Range<u16>| {
            self.routers().flat_map(move |router| {
                ports
                    .clone()
                    .map(move |port| Attachment::Router(router, PortIndex(port)))
            })
        };
        let global = self.ports(LinkKind::Global);
        inward
            .chain(outward)
            .chain(ports_of(self.layout.hosts()..global.start))
            .chain(ports_of(global))
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
    pub fn output_channel(&self, router: RouterId, port: PortIndex) -> Option<ChannelIndex> {
        if port.0 < self.layout.hosts() {
            let node = self.node_at(router, port)?;
            return Some(ChannelIndex(self.node_count() + node.0));
        }
        self.wiring.output(End::new(router, port))
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
    pub fn attachment_of(&self, node: NodeId) -> Attachment {
        Attachment::Router(self.router_of(node), self.host_port(node))
    }

    const fn kind_of(&self, end: Attachment) -> LinkKind {
        match end {
            Attachment::Node(_) => LinkKind::Host,
            Attachment::Router(_, port) => self.port_kind(port),
        }
    }
}
