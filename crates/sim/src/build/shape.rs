//! Shapes of networks, from their configuration.

use odonata_topology::{
    AriesShape, GroupKind, KindsShape, MegaflyShape, Shape, Size, Topology, TopologyError,
};

use crate::config::{AriesChoice, DragonflyChoice, MegaflyChoice};

/// A dragonfly or megafly of the configuration.
pub(crate) enum GroupedShape {
    /// A dragonfly all groups of which are alike.
    Dragonfly(Shape),
    /// One with several kinds of groups.
    DragonflyKinds(KindsShape),
    /// A megafly all groups of which are alike.
    Megafly(MegaflyShape),
    /// One with several kinds of groups.
    MegaflyKinds(KindsShape),
}

/// The shape of the dragonfly of the configuration.
pub(crate) fn dragonfly(choice: &DragonflyChoice) -> GroupedShape {
    if choice.more_groups.is_empty() {
        return GroupedShape::Dragonfly(Shape {
            groups: choice.groups,
            routers_per_group: choice.routers_per_group,
            nodes_per_router: choice.nodes_per_router,
            global_ports_per_router: choice.global_ports_per_router,
            arrangement: choice.arrangement,
        });
    }
    let first = GroupKind {
        name: KindsShape::FIRST.to_owned(),
        groups: choice.groups,
        routers_per_group: choice.routers_per_group,
        nodes_per_router: choice.nodes_per_router,
        global_ports_per_router: choice.global_ports_per_router,
        spine_routers_per_group: 0,
        links_per_group_pair: choice.links_per_group_pair.unwrap_or(1),
        links_to_others: Vec::new(),
    };
    let others = choice
        .more_groups
        .iter()
        .zip(1..)
        .map(|(kind, before)| GroupKind {
            name: kind.name.clone(),
            groups: kind.groups,
            routers_per_group: kind.routers_per_group,
            spine_routers_per_group: 0,
            nodes_per_router: kind.nodes_per_router,
            global_ports_per_router: kind.global_ports_per_router,
            links_per_group_pair: kind.links_per_group_pair,
            links_to_others: links_to(kind.links_to.as_ref(), kind.links_to_others, before),
        });
    GroupedShape::DragonflyKinds(KindsShape {
        kinds: std::iter::once(first).chain(others).collect(),
        arrangement: choice.arrangement,
    })
}

impl GroupedShape {
    /// Builds it.
    pub(crate) fn build(self) -> Result<Topology, TopologyError> {
        match self {
            Self::Dragonfly(shape) => Topology::dragonfly(shape),
            Self::DragonflyKinds(shape) => Topology::dragonfly_of_kinds(shape),
            Self::Megafly(shape) => Topology::megafly(shape),
            Self::MegaflyKinds(shape) => Topology::megafly_of_kinds(shape),
        }
    }

    /// How large it will be.
    pub(crate) fn size(&self) -> Result<Size, TopologyError> {
        match self {
            Self::Dragonfly(shape) => shape.size(),
            Self::Megafly(shape) => shape.size(),
            Self::DragonflyKinds(shape) | Self::MegaflyKinds(shape) => shape.size(),
        }
    }
}

/// The Aries system of the configuration.
pub(crate) const fn aries(choice: &AriesChoice) -> AriesShape {
    AriesShape {
        groups: choice.groups,
        rows: choice.rows,
        columns: choice.columns,
        nodes_per_router: choice.nodes_per_router,
        column_links: choice.column_links,
        global_ports_per_router: choice.global_ports_per_router,
        chassis_per_cabinet: choice.chassis_per_cabinet,
    }
}

/// The megafly of the configuration.
pub(crate) fn megafly(choice: &MegaflyChoice) -> GroupedShape {
    if choice.more_groups.is_empty() {
        return GroupedShape::Megafly(MegaflyShape {
            groups: choice.groups,
            leaf_routers_per_group: choice.leaf_routers_per_group,
            spine_routers_per_group: choice.spine_routers_per_group,
            nodes_per_leaf: choice.nodes_per_leaf,
            links_per_group_pair: choice.links_per_group_pair,
        });
    }
    let routers = |leaves: u32, spines: u32| leaves.saturating_add(spines);
    let first = GroupKind {
        name: KindsShape::FIRST.to_owned(),
        groups: choice.groups,
        routers_per_group: routers(
            choice.leaf_routers_per_group,
            choice.spine_routers_per_group,
        ),
        spine_routers_per_group: choice.spine_routers_per_group,
        nodes_per_router: choice.nodes_per_leaf,
        global_ports_per_router: 0,
        links_per_group_pair: choice.links_per_group_pair,
        links_to_others: Vec::new(),
    };
    let others = choice
        .more_groups
        .iter()
        .zip(1..)
        .map(|(kind, before)| GroupKind {
            name: kind.name.clone(),
            groups: kind.groups,
            routers_per_group: routers(kind.leaf_routers_per_group, kind.spine_routers_per_group),
            spine_routers_per_group: kind.spine_routers_per_group,
            nodes_per_router: kind.nodes_per_leaf,
            global_ports_per_router: 0,
            links_per_group_pair: kind.links_per_group_pair,
            links_to_others: links_to(kind.links_to.as_ref(), kind.links_to_others, before),
        });
    GroupedShape::MegaflyKinds(KindsShape::megafly(
        std::iter::once(first).chain(others).collect(),
    ))
}

/// Links to each group of each of so many kinds before.
fn links_to(each: Option<&Vec<u32>>, all: u32, before: usize) -> Vec<u32> {
    each.cloned().unwrap_or_else(|| vec![all; before])
}
