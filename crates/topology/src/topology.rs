//! The built system: ids, ports and neighbours.

use std::ops::Range;

use odonata_units::{GroupId, NodeId, RouterId};

use crate::channel::{Attachment, LinkKind, PortIndex};
use crate::family::Family;
use crate::layout::Layout;
use crate::local::{LocalPattern, LocalPorts};
use crate::numbering::Numbering;
use crate::unit::Unit;
use crate::wiring::{End, Ends, Wiring};

/// A system of nodes, routers and groups, immutable once built; one type for every family.
///
/// Routers are numbered group by group, nodes router by router; in a group, routers with nodes
/// come before those without. Ports of a router: host ports first, then local, row, column and
/// global ones; the kind of a port number is the same on every router, and a port may be
/// unconnected.
///
/// Lookups trust their arguments: an id of another system gives a wrong answer or panics, in debug
/// builds always the latter.
///
/// Cost: building takes time and memory proportional to the number of ports (some 12 bytes per
/// port, 12 more per global port) and to the square of the number of groups (4 bytes per pair).
/// Lookups are O(1) or logarithmic in the ports of a router and allocate nothing, except where
/// stated; those of ids are free of divisions in regular systems.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topology {
    pub(crate) family: Family,
    pub(crate) numbering: Numbering,
    pub(crate) layout: Layout,
    pub(crate) local: LocalPorts,
    pub(crate) wiring: Wiring,
    pub(crate) is_damaged: bool,
    pub(crate) units: Vec<Unit>,
    /// `[router * radix + port]`: the tile of a dump; empty without one.
    pub(crate) tiles: Vec<Option<u8>>,
}

/// Parts that a family states; the rest is derived.
pub(crate) struct Parts {
    pub(crate) family: Family,
    pub(crate) numbering: Numbering,
    pub(crate) layout: Layout,
    pub(crate) pattern: LocalPattern,
    pub(crate) ends: Ends,
}

/// Ids as an iterator.
macro_rules! ids {
    ($range:expr, $id:expr) => {{
        let range: Range<u32> = $range;
        range.map($id)
    }};
}

impl Topology {
    pub(crate) fn assemble(parts: Parts) -> Self {
        let Parts {
            family,
            numbering,
            layout,
            pattern,
            ends,
        } = parts;
        let wiring = Wiring::new(ends, &numbering, &layout);
        let mut topology = Self {
            local: LocalPorts::new(pattern, &layout),
            family,
            numbering,
            layout,
            wiring,
            is_damaged: false,
            units: Vec::new(),
            tiles: Vec::new(),
        };
        topology.units = topology.derive_units();
        topology
    }

    /// Family it was built as, with its parameters.
    #[must_use]
    pub const fn family(&self) -> &Family {
        &self.family
    }

    /// Whether links of it have failed.
    #[must_use]
    pub const fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// The parts of the machine that a placement can choose among, small ones first.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Number of groups.
    #[must_use]
    pub const fn group_count(&self) -> u32 {
        self.numbering.groups
    }

    /// Number of routers.
    #[must_use]
    pub const fn router_count(&self) -> u32 {
        self.numbering.routers
    }

    /// Number of nodes.
    #[must_use]
    pub const fn node_count(&self) -> u32 {
        self.numbering.nodes
    }

    /// Ports of a router, connected or not.
    #[inline]
    #[must_use]
    pub const fn radix(&self) -> u16 {
        self.layout.radix()
    }

    /// Links between each two groups if all pairs have as many; 0 otherwise, and for one group.
    #[inline]
    #[must_use]
    pub const fn links_per_group_pair(&self) -> u32 {
        self.wiring.links_per_pair
    }

    /// Every group, ascending.
    pub fn groups(
        &self,
    ) -> impl ExactSizeIterator<Item = GroupId> + DoubleEndedIterator + Clone + use<> {
        ids!(0..self.group_count(), GroupId)
    }

    /// Every router, ascending.
    pub fn routers(
        &self,
    ) -> impl ExactSizeIterator<Item = RouterId> + DoubleEndedIterator + Clone + use<> {
        ids!(0..self.router_count(), RouterId)
    }

    /// Every node, ascending.
    pub fn nodes(
        &self,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<> {
        ids!(0..self.node_count(), NodeId)
    }

    /// The router that `node` is attached to.
    #[inline]
    #[must_use]
    pub fn router_of(&self, node: NodeId) -> RouterId {
        self.numbering.router_of(node)
    }

    /// The port of its router that `node` is attached to.
    #[inline]
    #[must_use]
    pub fn host_port(&self, node: NodeId) -> PortIndex {
        self.numbering.host_port(node)
    }

    /// The node at `port` of `router`; `None` if no node is.
    #[inline]
    #[must_use]
    pub fn node_at(&self, router: RouterId, port: PortIndex) -> Option<NodeId> {
        if port.0 >= self.layout.hosts() {
            return None;
        }
        let nodes = self.numbering.nodes_of(router);
        let node = nodes.start + u32::from(port.0);
        (node < nodes.end).then_some(NodeId(node))
    }

    /// The nodes of `router`, ascending; there may be none.
    pub fn nodes_of(
        &self,
        router: RouterId,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<> {
        ids!(self.numbering.nodes_of(router), NodeId)
    }

    /// The nodes of `group`, ascending.
    pub fn nodes_in(
        &self,
        group: GroupId,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<> {
        ids!(self.numbering.nodes_in(group), NodeId)
    }

    /// The first node of `group`, or of the groups after it.
    #[must_use]
    pub fn first_node(&self, group: GroupId) -> NodeId {
        NodeId(self.numbering.nodes_in(group).start)
    }

    /// The group that `router` belongs to.
    #[inline]
    #[must_use]
    pub fn group_of(&self, router: RouterId) -> GroupId {
        self.numbering.group_of(router)
    }

    /// The group that `node` belongs to.
    #[inline]
    #[must_use]
    pub fn group_of_node(&self, node: NodeId) -> GroupId {
        self.group_of(self.router_of(node))
    }

    /// The position of `router` among the routers of its group, from 0.
    #[inline]
    #[must_use]
    pub fn position(&self, router: RouterId) -> u32 {
        self.numbering.group_and_position(router).1
    }

    /// The routers of `group`, ascending.
    pub fn routers_of(
        &self,
        group: GroupId,
    ) -> impl ExactSizeIterator<Item = RouterId> + DoubleEndedIterator + Clone + use<> {
        ids!(self.numbering.routers_of(group), RouterId)
    }

    /// Number of routers of `group`.
    #[inline]
    #[must_use]
    pub fn routers_in_group(&self, group: GroupId) -> u32 {
        let routers = self.numbering.routers_of(group);
        routers.end - routers.start
    }

    /// The first router of `group`.
    #[inline]
    #[must_use]
    pub fn first_router(&self, group: GroupId) -> RouterId {
        RouterId(self.numbering.routers_of(group).start)
    }

    /// Kind of the links at `port`.
    #[inline]
    #[must_use]
    pub const fn port_kind(&self, port: PortIndex) -> LinkKind {
        debug_assert!(port.0 < self.radix(), "the port exists");
        self.layout.kind(port)
    }

    /// The ports of one kind, as a half-open range of port numbers.
    #[inline]
    #[must_use]
    pub const fn ports(&self, kind: LinkKind) -> Range<u16> {
        self.layout.ports(kind)
    }

    /// Far end of `port` of `router`: a node, or a port of another router.
    ///
    /// `None` if nothing is: a port left over, the link of which has failed, or that does not
    /// exist.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, router: RouterId, port: PortIndex) -> Option<Attachment> {
        debug_assert!(router.0 < self.router_count(), "the router exists");
        if port.0 < self.layout.hosts() {
            return self.node_at(router, port).map(Attachment::Node);
        }
        let far = self.wiring.ends.get(End::new(router, port))?;
        Some(Attachment::Router(far.router, far.port))
    }

    /// The ports of `from` that lead straight to `to` in the same group, ascending; empty if the
    /// two are not adjacent or in different groups.
    #[inline]
    #[must_use]
    pub fn local_ports(&self, from: RouterId, to: RouterId) -> &[PortIndex] {
        debug_assert!(to.0 < self.router_count(), "the router exists");
        self.local.between(&self.numbering, &self.layout, from, to)
    }

    /// The near ends of all parallel channels from group `from` to group `to`, ascending; empty
    /// if the groups are the same.
    ///
    /// ```
    /// # use odonata_topology::{Arrangement, Topology, PortIndex, Shape};
    /// # use odonata_units::{GroupId, RouterId};
    /// // Two groups of two routers with two global ports each: four parallel links.
    /// let dragonfly = Topology::dragonfly(Shape {
    ///     groups: 2,
    ///     routers_per_group: 2,
    ///     nodes_per_router: 1,
    ///     global_ports_per_router: 2,
    ///     arrangement: Arrangement::Relative,
    /// })?;
    /// let ends = [(2, 2), (2, 3), (3, 2), (3, 3)].map(|(r, port)| (RouterId(r), PortIndex(port)));
    /// assert_eq!(dragonfly.global_channels(GroupId(1), GroupId(0)), ends);
    /// # Ok::<(), odonata_topology::TopologyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn global_channels(&self, from: GroupId, to: GroupId) -> &[(RouterId, PortIndex)] {
        debug_assert!(
            from.0 < self.group_count() && to.0 < self.group_count(),
            "groups exist"
        );
        self.wiring.near_ends(from, to)
    }

    /// The global ports of `from` that lead to group `to`, ascending; empty if there is none or
    /// `to` is its own group.
    #[inline]
    #[must_use]
    pub fn direct_ports(&self, from: RouterId, to: GroupId) -> &[PortIndex] {
        debug_assert!(
            from.0 < self.router_count() && to.0 < self.group_count(),
            "both exist"
        );
        self.wiring.direct_ports(from, to)
    }
}
