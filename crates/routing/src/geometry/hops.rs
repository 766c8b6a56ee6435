//! The hops that geometry alone determines, as one table: to other groups, and inside a group to
//! its nodes. Which of its few ways a packet takes is random, and a processor that guesses pays for
//! every wrong guess: an entry is found by arithmetic, without a branch.

use std::ops::Range;
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

/// Ports of a system whose groups are all alike, or of a few kinds; see the module.
#[derive(Clone, Debug)]
pub(crate) struct HopTable {
    /// Nodes and routers of a group; of a block where there are several kinds.
    by_nodes: Divider,
    by_routers: Divider,
    groups: u32,
    /// The first router that has rows to other groups.
    first_router: u32,
    first_kind: KindRows,
    /// Where there are several kinds of groups.
    kinds: Option<Arc<GroupTables>>,
    /// `[(router - first_router) * groups + group]`; then of each kind
    /// `[inside + position * nodes_per_group + node]` and
    /// `[between + position * routers_per_group + position]`.
    entries: Arc<[u16]>,
    /// Of each kind, `[positions + node of a group]`: position of its router.
    positions: Arc<[u16]>,
}

/// Rows of the groups of one kind.
#[derive(Clone, Copy, Debug)]
struct KindRows {
    routers_per_group: u32,
    nodes_per_group: u32,
    /// First entries of the rows to nodes, and of those to routers.
    inside: u32,
    between: u32,
    /// First of its positions.
    positions: u32,
}

impl KindRows {
    /// Rows in a table with so many entries less in front of them.
    const fn earlier_by(self, entries: u32) -> Self {
        Self {
            inside: self.inside - entries,
            between: self.between - entries,
            ..self
        }
    }
}

/// Ids of groups that are not all alike. Blocks of so many nodes, or routers, that no group ends
/// inside one find the group without a search.
#[derive(Clone, Debug)]
struct GroupTables {
    /// `[node / nodes of a block]`, `[router / routers of a block]`: group.
    group_of_nodes: Vec<u32>,
    group_of_routers: Vec<u32>,
    /// `[group]`.
    groups: Vec<GroupEntry>,
}

#[derive(Clone, Copy, Debug)]
struct GroupEntry {
    first_node: u32,
    first_router: u32,
    rows: KindRows,
}

impl HopTable {
    /// `None` where groups are joined in different ways, or have no nodes.
    pub(crate) fn new(geometry: &Geometry) -> Option<Self> {
        let topology = geometry.topology();
        if geometry.domain().is_some() || topology.is_damaged() {
            return None;
        }
        let kind_of_groups = geometry.kinds_of_groups()?;
        let groups = topology.group_count();
        let mut kinds: Vec<KindRows> = Vec::new();
        let mut entries = u64::from(topology.router_count()) * u64::from(groups);
        let mut positions: Vec<u16> = Vec::new();
        let mut models = Vec::new();
        for (group, kind) in topology.groups().zip(&kind_of_groups) {
            if *kind < kinds.len() {
                continue;
            }
            let routers_per_group = topology.routers_in_group(group);
            let nodes_per_group = u32::try_from(topology.nodes_in(group).len()).ok()?;
            let routers = u64::from(routers_per_group);
            let between = entries + routers * u64::from(nodes_per_group);
            kinds.push(KindRows {
                routers_per_group,
                nodes_per_group,
                inside: u32::try_from(entries).ok()?,
                between: u32::try_from(between).ok()?,
                positions: u32::try_from(positions.len()).ok()?,
            });
            entries = between + routers * routers;
            for node in topology.nodes_in(group) {
                let position = topology.position(geometry.router_of(node));
                positions.push(u16::try_from(position).ok()?);
            }
            models.push(group);
        }
        let first_kind = *kinds.first()?;
        if first_kind.nodes_per_group == 0 || entries > MOST_ENTRIES {
            return None;
        }
        let is_one_kind = kinds.len() == 1;
        let tables = || GroupTables::new(geometry, &kind_of_groups, &kinds);
        let (nodes, routers, tables) = if is_one_kind {
            let kind = first_kind;
            (kind.nodes_per_group, kind.routers_per_group, None)
        } else {
            let (nodes, routers, tables) = tables();
            (nodes, routers, Some(Arc::new(tables)))
        };
        Some(Self {
            by_nodes: Divider::new(nodes),
            by_routers: Divider::new(routers),
            groups,
            first_router: 0,
            first_kind,
            kinds: tables,
            entries: geometry.entries(&models),
            positions: positions.into(),
        })
    }

    /// This table without the rows of other routers than `routers`, whose hops nobody asks for.
    pub(crate) fn of_routers(&self, routers: Range<u32>) -> Self {
        debug_assert!(self.first_router == 0, "cut once");
        let row = |router: u32| (router * self.groups) as usize;
        // Rows to other groups come before all others.
        let others = self.first_kind.inside;
        let kept = &self.entries[row(routers.start)..row(routers.end)];
        let cut = others - (routers.end - routers.start) * self.groups;
        let mut kinds = self.kinds.clone();
        if let Some(kinds) = &mut kinds {
            for group in &mut Arc::make_mut(kinds).groups {
                group.rows = group.rows.earlier_by(cut);
            }
        }
        Self {
            first_router: routers.start,
            first_kind: self.first_kind.earlier_by(cut),
            kinds,
            entries: [kept, &self.entries[others as usize..]].concat().into(),
            ..self.clone()
        }
    }

    /// The location of `router`, which is a leaf or not.
    fn location(&self, router: RouterId, is_leaf: bool) -> RouterLocation {
        let (mut group, mut position) = self.by_routers.split(router.0);
        let mut rows = self.first_kind;
        if let Some(kinds) = &self.kinds {
            group = kinds.group_of_routers[group as usize];
            let entry = &kinds.groups[group as usize];
            position = router.0 - entry.first_router;
            rows = entry.rows;
        }
        RouterLocation {
            router,
            group,
            position,
            // Nobody asks for the rows of a router that has none.
            outside: router
                .0
                .wrapping_sub(self.first_router)
                .wrapping_mul(self.groups),
            inside: rows.inside + position * rows.nodes_per_group,
            between: rows.between + position * rows.routers_per_group,
            is_leaf,
        }
    }

    /// Group of `node`, and the index in the table of its entry for a router of that group that
    /// stands there; the index means nothing if the router is of another group.
    #[inline(always)]
    pub(crate) fn target(&self, location: &RouterLocation, node: NodeId) -> (u32, u32) {
        let (group, offset) = self.by_nodes.split(node.0);
        match &self.kinds {
            None => (group, location.inside + offset),
            Some(kinds) => {
                let group = kinds.group_of_nodes[group as usize];
                let offset = node.0 - kinds.groups[group as usize].first_node;
                (group, location.inside + offset)
            }
        }
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
        let rows = match &self.kinds {
            None => &self.first_kind,
            Some(kinds) => &kinds.groups[location.group as usize].rows,
        };
        u32::from(self.positions[(rows.positions + index - location.inside) as usize])
    }

    /// Group of a router.
    #[inline(always)]
    pub(crate) fn group_of(&self, router: RouterId) -> u32 {
        let group = self.by_routers.quotient(router.0);
        match &self.kinds {
            None => group,
            Some(kinds) => kinds.group_of_routers[group as usize],
        }
    }

    /// Group of a node.
    #[inline(always)]
    pub(crate) fn group_of_node(&self, node: NodeId) -> u32 {
        let group = self.by_nodes.quotient(node.0);
        match &self.kinds {
            None => group,
            Some(kinds) => kinds.group_of_nodes[group as usize],
        }
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

impl GroupTables {
    /// The tables, and the nodes and routers of a block.
    fn new(geometry: &Geometry, kind_of_groups: &[usize], kinds: &[KindRows]) -> (u32, u32, Self) {
        let topology = geometry.topology();
        let common = |of: fn(&KindRows) -> u32| kinds.iter().map(of).fold(0, divisor);
        let nodes = common(|kind| kind.nodes_per_group);
        let routers = common(|kind| kind.routers_per_group);
        let mut tables = Self {
            group_of_nodes: Vec::new(),
            group_of_routers: Vec::new(),
            groups: Vec::new(),
        };
        for (group, kind) in topology.groups().zip(kind_of_groups) {
            let rows = kinds[*kind];
            let blocks =
                |each: u32, block: u32| std::iter::repeat_n(group.0, (each / block) as usize);
            tables
                .group_of_nodes
                .extend(blocks(rows.nodes_per_group, nodes));
            tables
                .group_of_routers
                .extend(blocks(rows.routers_per_group, routers));
            tables.groups.push(GroupEntry {
                first_node: topology.first_node(group).0,
                first_router: topology.first_router(group).0,
                rows,
            });
        }
        (nodes, routers, tables)
    }
}

/// Greatest common divisor.
const fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { divisor(b, a % b) }
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

    /// The entries of the table of hops: from every router to every group, then, in the group of
    /// each kind that stands for all of it, between its routers and nodes, and between its routers.
    fn entries(&self, models: &[GroupId]) -> Arc<[u16]> {
        let topology = &self.topology;
        let mut entries = Vec::new();
        for here in topology.routers() {
            let from = self.group_of(here);
            entries.extend(topology.groups().map(|to| {
                if to == from {
                    OPEN
                } else {
                    self.entry_to_group(here, from, to)
                }
            }));
        }
        for group in models {
            for here in topology.routers_of(*group) {
                let nodes = topology.nodes_in(*group);
                entries.extend(nodes.map(|node| self.entry_to_node(here, node)));
            }
            for here in topology.routers_of(*group) {
                let routers = topology.routers_of(*group);
                entries.extend(routers.map(|to| self.entry_to_router(here, to)));
            }
        }
        entries.into()
    }

    /// The kind of each group, numbered as they first occur: groups of a kind have the same nodes on
    /// the same routers. `None` if routers are joined in different ways.
    fn kinds_of_groups(&self) -> Option<Vec<usize>> {
        let topology = &self.topology;
        let are_paths_alike = match &self.paths {
            super::Paths::Direct => true,
            super::Paths::Tables(tables) => tables.is_uniform(),
            super::Paths::Domain(_) => false,
        };
        let mut known: Vec<Vec<usize>> = Vec::new();
        let kind = |group| {
            let routers = topology.routers_of(group);
            let nodes: Vec<_> = routers
                .map(|router| topology.nodes_of(router).len())
                .collect();
            known
                .iter()
                .position(|one| *one == nodes)
                .unwrap_or_else(|| {
                    known.push(nodes);
                    known.len() - 1
                })
        };
        are_paths_alike.then(|| topology.groups().map(kind).collect())
    }
}
