//! Which node sits on which router, and which router in which group.
//!
//! Routers are numbered group by group and nodes router by router. In a group, routers with nodes
//! come before those without. Regular systems divide by fixed numbers; others look up tables.

use std::ops::Range;

use odonata_units::{GroupId, NodeId, RouterId};

use crate::channel::PortIndex;
use crate::divider::Divider;

/// The hierarchy of ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Numbering {
    pub(crate) groups: u32,
    pub(crate) routers: u32,
    pub(crate) nodes: u32,
    nodes_per_router: u32,
    routers_per_group: u32,
    by_nodes_per_router: Divider,
    by_routers_per_group: Divider,
    form: Form,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// Every router has the same number of nodes.
    Full,
    /// The first routers of each group have the same number of nodes, the others none.
    Leaves { leaves: u32, by_leaves: Divider },
    /// Anything else.
    Irregular(IdTables),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct IdTables {
    group_of: Vec<GroupId>,
    /// Per group, and one more at the end.
    first_router: Vec<u32>,
    router_of: Vec<RouterId>,
    /// Per router, and one more at the end.
    first_node: Vec<u32>,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a router has fewer than 2^16 nodes"
)]
const fn host_port(port: u32) -> PortIndex {
    PortIndex(port as u16)
}

#[expect(clippy::cast_possible_truncation, reason = "ids fit 32 bits")]
const fn narrow(count: usize) -> u32 {
    count as u32
}

impl Numbering {
    /// `groups` groups whose first `leaves` of `routers` routers have `nodes` nodes each; all
    /// numbers are at least 1.
    pub(crate) fn regular(groups: u32, leaves: u32, routers: u32, nodes: u32) -> Self {
        let form = if leaves == routers {
            Form::Full
        } else {
            Form::Leaves {
                leaves,
                by_leaves: Divider::new(leaves),
            }
        };
        Self {
            groups,
            routers: groups * routers,
            nodes: groups * leaves * nodes,
            nodes_per_router: nodes,
            routers_per_group: routers,
            by_nodes_per_router: Divider::new(nodes),
            by_routers_per_group: Divider::new(routers),
            form,
        }
    }

    /// Routers of nodes and groups of routers, both ascending, groups dense; regular if they are.
    pub(crate) fn of_tables(router_of: &[RouterId], group_of: &[GroupId]) -> Self {
        let ends = |sorted: &[u32], count: u32| -> Vec<u32> {
            (0..=count)
                .map(|value| narrow(sorted.partition_point(|&other| other < value)))
                .collect()
        };
        let (routers, nodes) = (narrow(group_of.len()), narrow(router_of.len()));
        let by_group: Vec<u32> = group_of.iter().map(|group| group.0).collect();
        let by_router: Vec<u32> = router_of.iter().map(|router| router.0).collect();
        let groups = by_group.last().map_or(0, |last| last + 1);
        let first_router = ends(&by_group, groups);
        let first_node = ends(&by_router, routers);
        let sizes: Vec<u32> = first_node.windows(2).map(|two| two[1] - two[0]).collect();
        let first = &sizes[..first_router[1] as usize];
        let leaves = narrow(first.partition_point(|&size| size > 0));
        let each = first[0];
        let is_leaf = |position: usize| narrow(position) < leaves;
        let is_regular = leaves > 0
            && sizes.len() == first.len() * groups as usize
            && sizes.chunks(first.len()).all(|group| {
                let expected = |position| if is_leaf(position) { each } else { 0 };
                group
                    .iter()
                    .enumerate()
                    .all(|(at, &size)| size == expected(at))
            })
            && first_router
                .windows(2)
                .all(|two| two[1] - two[0] == first_router[1]);
        if is_regular {
            return Self::regular(groups, leaves, first_router[1], each);
        }
        Self {
            groups,
            routers,
            nodes,
            nodes_per_router: 1,
            routers_per_group: 1,
            by_nodes_per_router: Divider::new(1),
            by_routers_per_group: Divider::new(1),
            form: Form::Irregular(IdTables {
                group_of: group_of.to_vec(),
                first_router,
                router_of: router_of.to_vec(),
                first_node,
            }),
        }
    }

    #[inline(always)]
    pub(crate) fn router_of(&self, node: NodeId) -> RouterId {
        debug_assert!(node.0 < self.nodes, "the node exists");
        match &self.form {
            Form::Full => RouterId(self.by_nodes_per_router.quotient(node.0)),
            Form::Leaves { leaves, by_leaves } => {
                let leaf = self.by_nodes_per_router.quotient(node.0);
                let bare = self.routers_per_group - leaves;
                RouterId(leaf + bare * by_leaves.quotient(leaf))
            }
            Form::Irregular(tables) => tables.router_of[node.index()],
        }
    }

    #[inline(always)]
    pub(crate) fn host_port(&self, node: NodeId) -> PortIndex {
        debug_assert!(node.0 < self.nodes, "the node exists");
        match &self.form {
            Form::Full | Form::Leaves { .. } => host_port(self.by_nodes_per_router.split(node.0).1),
            Form::Irregular(tables) => {
                let router = tables.router_of[node.index()];
                host_port(node.0 - tables.first_node[router.index()])
            }
        }
    }

    /// The nodes of `router`, as ids.
    #[inline]
    pub(crate) fn nodes_of(&self, router: RouterId) -> Range<u32> {
        debug_assert!(router.0 < self.routers, "the router exists");
        match &self.form {
            Form::Full => {
                let first = router.0 * self.nodes_per_router;
                first..first + self.nodes_per_router
            }
            Form::Leaves { leaves, .. } => {
                let (group, position) = self.by_routers_per_group.split(router.0);
                let first = group * leaves + position.min(*leaves);
                let count = u32::from(position < *leaves);
                first * self.nodes_per_router..(first + count) * self.nodes_per_router
            }
            Form::Irregular(tables) => {
                tables.first_node[router.index()]..tables.first_node[router.index() + 1]
            }
        }
    }

    #[inline(always)]
    pub(crate) fn group_of(&self, router: RouterId) -> GroupId {
        debug_assert!(router.0 < self.routers, "the router exists");
        match &self.form {
            Form::Irregular(tables) => tables.group_of[router.index()],
            Form::Full | Form::Leaves { .. } => {
                GroupId(self.by_routers_per_group.quotient(router.0))
            }
        }
    }

    /// Group and position in it.
    #[inline]
    pub(crate) fn group_and_position(&self, router: RouterId) -> (u32, u32) {
        debug_assert!(router.0 < self.routers, "the router exists");
        match &self.form {
            Form::Irregular(tables) => {
                let group = tables.group_of[router.index()];
                (group.0, router.0 - tables.first_router[group.index()])
            }
            Form::Full | Form::Leaves { .. } => self.by_routers_per_group.split(router.0),
        }
    }

    /// The routers of `group`, as ids.
    #[inline]
    pub(crate) fn routers_of(&self, group: GroupId) -> Range<u32> {
        debug_assert!(group.0 < self.groups, "the group exists");
        match &self.form {
            Form::Irregular(tables) => {
                tables.first_router[group.index()]..tables.first_router[group.index() + 1]
            }
            Form::Full | Form::Leaves { .. } => {
                let first = group.0 * self.routers_per_group;
                first..first + self.routers_per_group
            }
        }
    }

    /// The nodes of `group`, as ids.
    pub(crate) fn nodes_in(&self, group: GroupId) -> Range<u32> {
        let routers = self.routers_of(group);
        let first = self.nodes_of(RouterId(routers.start)).start;
        first..self.nodes_of(RouterId(routers.end - 1)).end
    }
}
