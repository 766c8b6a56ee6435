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
    Irregular(Tables),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Tables {
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

impl Numbering {
    /// `groups` groups whose first `leaves` of `routers` routers have `nodes` nodes each; all
    /// numbers are at least 1.
    pub(crate) fn regular(groups: u32, (leaves, routers): (u32, u32), nodes: u32) -> Self {
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

    #[inline]
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

    #[inline]
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

    #[inline]
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
    pub(crate) fn place(&self, router: RouterId) -> (u32, u32) {
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
