//! The built system: ids, ports and neighbours.

use std::ops::Range;

use odonata_units::{GroupId, NodeId, RouterId};

use crate::channel::{Attachment, LinkKind, PortIndex};
use crate::divider::Divider;
use crate::error::TopologyError;
use crate::shape::{Shape, Sizes};

/// A one-dimensional dragonfly (Kim et al. 2008, section 3.1), immutable once built.
///
/// Nodes, routers and groups are numbered densely and hierarchically: node = router * p + t,
/// router = group * a + r. Ports of a router: host ports `[0, p)`, local ports `[p, p + a - 1)` to
/// the other routers of the group in id order, global ports `[p + a - 1, p + a - 1 + h)`.
///
/// Lookups trust their arguments: an id of another system gives a wrong answer or panics, in debug
/// builds always the latter.
///
/// Cost: building takes time and memory proportional to the number of global ports (16 bytes per
/// global port); lookups are O(1) and allocate nothing, except where stated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dragonfly {
    pub(crate) shape: Shape,
    pub(crate) sizes: Sizes,
    first_local: u16,
    first_global: u16,
    by_nodes_per_router: Divider,
    by_routers_per_group: Divider,
    /// Per group and global channel in use: the far end.
    far_ends: Vec<(RouterId, PortIndex)>,
    /// Per group, slot and lane: the near end.
    near_ends: Vec<(RouterId, PortIndex)>,
    /// Per position in the group and slot: where the ports start in `direct_ports`; one more at
    /// the end.
    direct_starts: Vec<u32>,
    /// Per position in the group and slot: the global ports, ascending.
    direct_ports: Vec<PortIndex>,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "port counts are at most RADIX_LIMIT, which fits 16 bits"
)]
const fn narrow(ports: u32) -> u16 {
    ports as u16
}

impl Dragonfly {
    /// Builds the system of `shape`.
    ///
    /// # Errors
    /// If a size is zero, a router would have more than [`RADIX_LIMIT`](crate::RADIX_LIMIT) ports,
    /// or the global ports do not suffice for a link between each two groups.
    pub fn new(shape: Shape) -> Result<Self, TopologyError> {
        let sizes = shape.sizes()?;
        let first_local = narrow(shape.nodes_per_router);
        let mut dragonfly = Self {
            first_local,
            first_global: first_local + narrow(shape.routers_per_group - 1),
            by_nodes_per_router: Divider::new(shape.nodes_per_router),
            by_routers_per_group: Divider::new(shape.routers_per_group),
            shape,
            sizes,
            far_ends: Vec::new(),
            near_ends: Vec::new(),
            direct_starts: Vec::new(),
            direct_ports: Vec::new(),
        };
        dragonfly.tabulate_ends();
        dragonfly.tabulate_direct_ports();
        Ok(dragonfly)
    }

    fn tabulate_ends(&mut self) {
        let (groups, slots) = (self.shape.groups, self.slots());
        let total = groups as usize * self.channels_in_use() as usize;
        self.far_ends.reserve_exact(total);
        self.near_ends.reserve_exact(total);
        for from in 0..groups {
            for lane in 0..self.sizes.lanes {
                for slot in 0..slots {
                    let to = self.shape.arrangement.target(from, slot, groups);
                    let back = self.shape.arrangement.slot(to, from, groups);
                    self.far_ends.push(self.global_end(to, lane * slots + back));
                }
            }
            for slot in 0..slots {
                for lane in 0..self.sizes.lanes {
                    self.near_ends
                        .push(self.global_end(from, lane * slots + slot));
                }
            }
        }
    }

    fn tabulate_direct_ports(&mut self) {
        let (slots, lanes) = (self.slots(), self.sizes.lanes);
        let mut start = 0;
        for position in 0..self.shape.routers_per_group {
            for slot in 0..slots {
                self.direct_starts.push(start);
                for lane in 0..lanes {
                    let (router, port) = self.global_end(0, lane * slots + slot);
                    if router.0 == position {
                        self.direct_ports.push(port);
                        start += 1;
                    }
                }
            }
        }
        self.direct_starts.push(start);
    }

    /// The router and port of global channel `channel` of group `group`.
    const fn global_end(&self, group: u32, channel: u32) -> (RouterId, PortIndex) {
        let ports = self.shape.global_ports_per_router;
        let router = group * self.shape.routers_per_group + channel / ports;
        (
            RouterId(router),
            PortIndex(self.first_global + narrow(channel % ports)),
        )
    }

    /// Slots of a lane: the other groups.
    const fn slots(&self) -> u32 {
        self.shape.groups - 1
    }

    /// Global channels of a group that are connected.
    pub(crate) const fn channels_in_use(&self) -> u32 {
        self.sizes.lanes * self.slots()
    }

    /// The parameters it was built from.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of groups, g.
    #[must_use]
    pub const fn group_count(&self) -> u32 {
        self.shape.groups
    }

    /// Number of routers, g * a.
    #[must_use]
    pub const fn router_count(&self) -> u32 {
        self.sizes.routers
    }

    /// Number of nodes, g * a * p.
    #[must_use]
    pub const fn node_count(&self) -> u32 {
        self.sizes.nodes
    }

    /// Ports of a router, connected or not: p + a - 1 + h.
    #[must_use]
    pub const fn radix(&self) -> u16 {
        self.sizes.radix
    }

    /// Parallel links between each two groups, floor(a * h / (g - 1)); 0 for one group.
    #[must_use]
    pub const fn links_per_group_pair(&self) -> u32 {
        self.sizes.lanes
    }

    /// Every group, ascending.
    pub fn groups(
        &self,
    ) -> impl ExactSizeIterator<Item = GroupId> + DoubleEndedIterator + Clone + use<> {
        (0..self.group_count()).map(GroupId)
    }

    /// Every router, ascending.
    pub fn routers(
        &self,
    ) -> impl ExactSizeIterator<Item = RouterId> + DoubleEndedIterator + Clone + use<> {
        (0..self.router_count()).map(RouterId)
    }

    /// Every node, ascending.
    pub fn nodes(
        &self,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<> {
        (0..self.node_count()).map(NodeId)
    }

    /// The router that `node` is attached to.
    #[inline]
    #[must_use]
    pub const fn router_of(&self, node: NodeId) -> RouterId {
        debug_assert!(node.0 < self.sizes.nodes, "the node exists");
        RouterId(self.by_nodes_per_router.quotient(node.0))
    }

    /// The port of its router that `node` is attached to.
    #[inline]
    #[must_use]
    pub const fn host_port(&self, node: NodeId) -> PortIndex {
        debug_assert!(node.0 < self.sizes.nodes, "the node exists");
        PortIndex(narrow(self.by_nodes_per_router.split(node.0).1))
    }

    /// The node at `port` of `router`; `None` if that is not a host port.
    #[inline]
    #[must_use]
    pub const fn node_at(&self, router: RouterId, port: PortIndex) -> Option<NodeId> {
        debug_assert!(router.0 < self.sizes.routers, "the router exists");
        if port.0 >= self.first_local {
            return None;
        }
        Some(NodeId(
            router.0 * self.shape.nodes_per_router + port.0 as u32,
        ))
    }

    /// The nodes of `router`, ascending.
    pub fn nodes_of(
        &self,
        router: RouterId,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<> {
        debug_assert!(router.0 < self.sizes.routers, "the router exists");
        let first = router.0 * self.shape.nodes_per_router;
        (first..first + self.shape.nodes_per_router).map(NodeId)
    }

    /// The group that `router` belongs to.
    #[inline]
    #[must_use]
    pub const fn group_of(&self, router: RouterId) -> GroupId {
        debug_assert!(router.0 < self.sizes.routers, "the router exists");
        GroupId(self.by_routers_per_group.quotient(router.0))
    }

    /// The group that `node` belongs to.
    #[inline]
    #[must_use]
    pub const fn group_of_node(&self, node: NodeId) -> GroupId {
        self.group_of(self.router_of(node))
    }

    /// The place of `router` among the routers of its group, in `[0, a)`.
    #[inline]
    #[must_use]
    pub const fn position(&self, router: RouterId) -> u32 {
        debug_assert!(router.0 < self.sizes.routers, "the router exists");
        self.by_routers_per_group.split(router.0).1
    }

    /// The routers of `group`, ascending.
    pub fn routers_of(
        &self,
        group: GroupId,
    ) -> impl ExactSizeIterator<Item = RouterId> + DoubleEndedIterator + Clone + use<> {
        debug_assert!(group.0 < self.shape.groups, "the group exists");
        let first = group.0 * self.shape.routers_per_group;
        (first..first + self.shape.routers_per_group).map(RouterId)
    }

    /// What the links at `port` join.
    #[inline]
    #[must_use]
    pub const fn port_kind(&self, port: PortIndex) -> LinkKind {
        debug_assert!(port.0 < self.sizes.radix, "the port exists");
        if port.0 < self.first_local {
            LinkKind::Host
        } else if port.0 < self.first_global {
            LinkKind::Local
        } else {
            LinkKind::Global
        }
    }

    /// The ports of one kind, as a half-open range of port numbers.
    #[must_use]
    pub const fn ports(&self, kind: LinkKind) -> Range<u16> {
        match kind {
            LinkKind::Host => 0..self.first_local,
            LinkKind::Local => self.first_local..self.first_global,
            LinkKind::Global => self.first_global..self.sizes.radix,
        }
    }

    /// What `port` of `router` is connected to: a node, or a port of another router.
    ///
    /// `None` if nothing is: a global port left over when a * h is not a multiple of g - 1, or a
    /// port that does not exist.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, router: RouterId, port: PortIndex) -> Option<Attachment> {
        debug_assert!(router.0 < self.sizes.routers, "the router exists");
        if port.0 < self.first_local {
            return self.node_at(router, port).map(Attachment::Node);
        }
        let (group, position) = self.by_routers_per_group.split(router.0);
        if port.0 < self.first_global {
            let slot = u32::from(port.0 - self.first_local);
            let target = slot + u32::from(slot >= position);
            let back = position - u32::from(position > target);
            let end = RouterId(router.0 - position + target);
            return Some(Attachment::Router(
                end,
                PortIndex(self.first_local + narrow(back)),
            ));
        }
        if port.0 >= self.sizes.radix {
            return None;
        }
        let channel =
            position * self.shape.global_ports_per_router + u32::from(port.0 - self.first_global);
        let in_use = self.channels_in_use();
        if channel >= in_use {
            return None;
        }
        let (router, port) = self.far_ends[group as usize * in_use as usize + channel as usize];
        Some(Attachment::Router(router, port))
    }

    /// The port of `from` that leads to `to`, another router of the same group; `None` for a
    /// router of another group or `from` itself.
    #[inline]
    #[must_use]
    pub const fn local_port(&self, from: RouterId, to: RouterId) -> Option<PortIndex> {
        debug_assert!(to.0 < self.sizes.routers, "the router exists");
        let position = self.position(from);
        // Wraps around to a large number below the first router of the group.
        let target = to.0.wrapping_sub(from.0 - position);
        if target >= self.shape.routers_per_group || target == position {
            return None;
        }
        let slot = target - (target > position) as u32;
        Some(PortIndex(self.first_local + narrow(slot)))
    }

    /// The near ends of all parallel channels from group `from` to group `to`, ascending; empty
    /// if the groups are the same.
    ///
    /// ```
    /// # use odonata_topology::{Arrangement, Dragonfly, PortIndex, Shape};
    /// # use odonata_units::{GroupId, RouterId};
    /// // Two groups of two routers with two global ports each: four parallel links.
    /// let dragonfly = Dragonfly::new(Shape {
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
            from.0 < self.shape.groups && to.0 < self.shape.groups,
            "groups exist"
        );
        if from == to {
            return &[];
        }
        let slot = self.shape.arrangement.slot(from.0, to.0, self.shape.groups);
        let lanes = self.sizes.lanes as usize;
        let first = (from.index() * self.slots() as usize + slot as usize) * lanes;
        &self.near_ends[first..first + lanes]
    }

    /// The global ports of `from` that lead to group `to`, ascending; empty if there is none or
    /// `to` is its own group.
    #[inline]
    #[must_use]
    pub fn direct_ports(&self, from: RouterId, to: GroupId) -> &[PortIndex] {
        debug_assert!(
            from.0 < self.sizes.routers && to.0 < self.shape.groups,
            "both exist"
        );
        let (group, position) = self.by_routers_per_group.split(from.0);
        if group == to.0 {
            return &[];
        }
        let slot = self.shape.arrangement.slot(group, to.0, self.shape.groups);
        let entry = position as usize * self.slots() as usize + slot as usize;
        let (start, end) = (self.direct_starts[entry], self.direct_starts[entry + 1]);
        &self.direct_ports[start as usize..end as usize]
    }

    /// Router-to-router channels of a shortest minimal path: local - global - local, each at most
    /// once, at most 3; 0 from a router to itself.
    ///
    /// A path over two global channels may be shorter; it is not a minimal path (Kim et al. 2008,
    /// section 4.1).
    ///
    /// Cost: O(k) for k parallel links.
    #[must_use]
    pub fn minimal_hops(&self, from: RouterId, to: RouterId) -> u32 {
        let (source, target) = (self.group_of(from), self.group_of(to));
        if source == target {
            return u32::from(from != to);
        }
        let there = self.global_channels(source, target);
        // Lane l of one direction and lane l of the other are the two channels of one link.
        let back = self.global_channels(target, source);
        let hops = |(near, far): (&(RouterId, PortIndex), &(RouterId, PortIndex))| {
            1 + u32::from(near.0 != from) + u32::from(far.0 != to)
        };
        there.iter().zip(back).map(hops).fold(3, u32::min)
    }
}
