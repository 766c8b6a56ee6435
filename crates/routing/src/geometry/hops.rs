//! The hops that geometry alone determines, as one table: to other groups, and inside a group to
//! its nodes. Which of its few ways a packet takes is random, and a processor that guesses pays for
//! every wrong guess: an entry is found by arithmetic, without a branch.

use std::sync::Arc;

use odonata_topology::{Divider, LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId};

use super::Geometry;

/// An entry holds a port in its lower 8 bits, and what is known of it.
pub(crate) const PORT: u16 = 0xFF;
/// The port leads to a node.
pub(crate) const TO_NODE: u16 = 1 << 8;
/// The port leads to another group.
pub(crate) const TO_GROUP: u16 = 1 << 9;
/// The port of the only channel from this router to a group that others of its group lead to as
/// well: for packets that came over a local link, and after one draw among one.
pub(crate) const ALONE: u16 = 1 << 14;
/// Flag of a hop that is not determined: something is to be drawn or decided.
pub(crate) const OPEN: u16 = 1 << 15;

/// More entries than this would cost more memory than the routers.
const MOST_ENTRIES: u64 = 1 << 28;

/// The location of a router: its group, its position there, and its rows in the table of hops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RouterLocation {
    pub(crate) router: RouterId,
    /// Its group.
    pub(crate) group: u32,
    /// Its position there, as packets remember gateways.
    pub(crate) position: u32,
    /// Its rows: to groups, to nodes of its group, to routers of its group.
    pub(crate) outside: u32,
    inside: u32,
    pub(crate) between: u32,
    /// It stands among those with nodes.
    pub(crate) is_leaf: bool,
}

/// Ports of a system whose groups are all alike; see the module.
#[derive(Clone, Debug)]
pub(crate) struct HopTable {
    by_nodes_per_group: Divider,
    by_routers_per_group: Divider,
    routers_per_group: u32,
    nodes_per_group: u32,
    groups: u32,
    /// First entries of the rows to nodes, and of those to routers.
    inside: u32,
    between: u32,
    /// `[router * groups + group]`, `[inside + position * nodes_per_group + node]`,
    /// `[between + position * routers_per_group + position]`.
    entries: Arc<[u16]>,
    /// `[node of a group]`: position of its router.
    positions: Arc<[u16]>,
}

impl HopTable {
    /// `None` where groups differ, or there are none.
    pub(crate) fn new(geometry: &Geometry) -> Option<Self> {
        let topology = geometry.topology();
        if geometry.domain().is_some() || topology.is_damaged() || !geometry.has_like_groups() {
            return None;
        }
        let groups = topology.group_count();
        let routers_per_group = topology.routers_in_group(GroupId(0));
        let nodes_per_group = u32::try_from(topology.nodes_in(GroupId(0)).len()).ok()?;
        let routers = topology.router_count();
        let wide = [
            (routers, groups),
            (routers_per_group, nodes_per_group),
            (routers_per_group, routers_per_group),
        ];
        let sizes = wide.map(|(rows, columns)| u64::from(rows) * u64::from(columns));
        if nodes_per_group == 0 || sizes.iter().sum::<u64>() > MOST_ENTRIES {
            return None;
        }
        let inside = u32::try_from(sizes[0]).ok()?;
        let between = inside + u32::try_from(sizes[1]).ok()?;
        let first_group = || (0..routers_per_group).map(RouterId);
        let to_groups = topology.routers().flat_map(|here| {
            let from = geometry.group_of(here);
            (0..groups).map(move |to| match GroupId(to) {
                to if to == from => OPEN,
                to => geometry.entry_to_group(here, from, to),
            })
        });
        let to_nodes = first_group().flat_map(|here| {
            (0..nodes_per_group).map(move |node| geometry.entry_to_node(here, NodeId(node)))
        });
        let to_routers = first_group()
            .flat_map(|here| first_group().map(move |to| geometry.entry_to_router(here, to)));
        Some(Self {
            by_nodes_per_group: Divider::new(nodes_per_group),
            by_routers_per_group: Divider::new(routers_per_group),
            routers_per_group,
            nodes_per_group,
            groups,
            inside,
            between,
            entries: to_groups.chain(to_nodes).chain(to_routers).collect(),
            positions: (0..nodes_per_group)
                .map(|node| u16::try_from(geometry.router_of(NodeId(node)).0).ok())
                .collect::<Option<_>>()?,
        })
    }

    /// The location of `router`, which is a leaf or not.
    fn location(&self, router: RouterId, is_leaf: bool) -> RouterLocation {
        let (group, position) = self.by_routers_per_group.split(router.0);
        RouterLocation {
            router,
            group,
            position,
            outside: router.0 * self.groups,
            inside: self.inside + position * self.nodes_per_group,
            between: self.between + position * self.routers_per_group,
            is_leaf,
        }
    }

    /// Group of `node`, and the index in the table of its entry for a router of that group that
    /// stands there.
    #[inline(always)]
    pub(crate) fn target(&self, location: &RouterLocation, node: NodeId) -> (u32, u32) {
        let (group, offset) = self.by_nodes_per_group.split(node.0);
        (group, location.inside + offset)
    }

    /// The entry for another router of the same group.
    #[inline]
    pub(crate) fn between(&self, location: &RouterLocation, to: RouterId) -> u16 {
        self.entry(location.between + to.0 - location.first())
    }

    /// Position of the router of a node, which has its entry at `index` for a router of its group
    /// that stands at `location`.
    #[inline(always)]
    pub(crate) fn position_of(&self, location: &RouterLocation, index: u32) -> u32 {
        u32::from(self.positions[(index - location.inside) as usize])
    }

    /// Group of a router.
    #[inline(always)]
    pub(crate) const fn group_of(&self, router: RouterId) -> u32 {
        self.by_routers_per_group.quotient(router.0)
    }

    /// Group of a node.
    #[inline(always)]
    pub(crate) const fn group_of_node(&self, node: NodeId) -> u32 {
        self.by_nodes_per_group.quotient(node.0)
    }

    /// Whether several routers of a group lead to another.
    pub(crate) fn has_gateways(&self) -> bool {
        self.entries.iter().any(|entry| entry & ALONE != 0)
    }

    #[inline(always)]
    pub(crate) fn entry(&self, index: u32) -> u16 {
        self.entries[index as usize]
    }
}

impl RouterLocation {
    /// The first router of the group.
    #[inline(always)]
    pub(crate) const fn first(&self) -> u32 {
        self.router.0 - self.position
    }

    /// The location of a router of a system without a table of hops.
    fn without_table(router: RouterId, position: u32, group: GroupId, is_leaf: bool) -> Self {
        Self {
            router,
            group: group.0,
            position,
            outside: 0,
            inside: 0,
            between: 0,
            is_leaf,
        }
    }
}

impl Geometry {
    /// The location of `router`, with its rows in the table of hops, if there is one.
    pub(crate) fn location(&self, router: RouterId) -> RouterLocation {
        let is_leaf = self.is_leaf(router);
        match &self.hops {
            Some(hops) => hops.location(router, is_leaf),
            None => {
                let position = self.topology.position(router);
                RouterLocation::without_table(router, position, self.group_of(router), is_leaf)
            }
        }
    }

    fn entry(&self, port: Option<PortIndex>) -> u16 {
        let Some(port) = port else { return OPEN };
        let is_leaving = self.topology.port_kind(port) == LinkKind::Global;
        port.0 & PORT | if is_leaving { TO_GROUP } else { 0 }
    }

    fn entry_to_group(&self, here: RouterId, from: GroupId, to: GroupId) -> u16 {
        let only = self.only_port_towards(here, from, to);
        match (only, self.topology.direct_ports(here, to)) {
            (None, [port]) => port.0 & PORT | TO_GROUP | ALONE,
            _ => self.entry(only),
        }
    }

    fn entry_to_router(&self, here: RouterId, to: RouterId) -> u16 {
        if here == to {
            return OPEN;
        }
        self.entry(self.only_local_port(here, to))
    }

    fn entry_to_node(&self, here: RouterId, node: NodeId) -> u16 {
        let router = self.router_of(node);
        if router == here {
            return self.host_port(node).0 & PORT | TO_NODE;
        }
        self.entry_to_router(here, router)
    }

    /// Whether all groups have the same nodes on the same routers, joined in the same way.
    fn has_like_groups(&self) -> bool {
        let topology = &self.topology;
        let routers = topology.routers_in_group(GroupId(0));
        let nodes = topology.nodes_in(GroupId(0)).len();
        let nodes_of = |router: RouterId| {
            let nodes = topology.nodes_of(router);
            let first = topology.first_node(topology.group_of(router)).0;
            let start = nodes.clone().next().map_or(0, |node| node.0 - first);
            (start, nodes.len())
        };
        let is_like_first = |router: RouterId| {
            let model = RouterId(topology.position(router));
            nodes_of(router) == nodes_of(model)
        };
        let are_paths_alike = match &self.paths {
            super::Paths::Direct => true,
            super::Paths::Tables(tables) => tables.is_uniform(),
            super::Paths::Domain(_) => false,
        };
        are_paths_alike
            && topology.groups().all(|group| {
                topology.routers_in_group(group) == routers
                    && topology.nodes_in(group).len() == nodes
            })
            && topology.routers().all(is_like_first)
    }
}
