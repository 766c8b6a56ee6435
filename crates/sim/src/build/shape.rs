//! Shapes of networks, from their configuration.

use odonata_topology::{
    AriesShape, GroupKind, KindsShape, MegaflyShape, Shape, Size, Topology, TopologyError,
};

use crate::config::{AriesChoice, DragonflyChoice, MegaflyChoice};

/// The dragonfly of the configuration.
pub(crate) enum DragonflyShape {
    /// All groups are alike.
    Alike(Shape),
    /// There are several kinds of groups.
    Kinds(KindsShape),
}

/// The shape of the dragonfly of the configuration.
pub(crate) fn dragonfly(choice: &DragonflyChoice) -> DragonflyShape {
    if choice.more_groups.is_empty() {
        return DragonflyShape::Alike(Shape {
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
        links_per_group_pair: choice.links_per_group_pair.unwrap_or(1),
        links_to_others: 0,
    };
    let others = choice.more_groups.iter().map(|kind| GroupKind {
        name: kind.name.clone(),
        groups: kind.groups,
        routers_per_group: kind.routers_per_group,
        nodes_per_router: kind.nodes_per_router,
        global_ports_per_router: kind.global_ports_per_router,
        links_per_group_pair: kind.links_per_group_pair,
        links_to_others: kind.links_to_others,
    });
    DragonflyShape::Kinds(KindsShape {
        kinds: std::iter::once(first).chain(others).collect(),
        arrangement: choice.arrangement,
    })
}

impl DragonflyShape {
    /// Builds it.
    pub(crate) fn build(self) -> Result<Topology, TopologyError> {
        match self {
            Self::Alike(shape) => Topology::dragonfly(shape),
            Self::Kinds(shape) => Topology::dragonfly_of_kinds(shape),
        }
    }

    /// How large it will be.
    pub(crate) fn size(&self) -> Result<Size, TopologyError> {
        match self {
            Self::Alike(shape) => shape.size(),
            Self::Kinds(shape) => shape.size(),
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
pub(crate) const fn megafly(choice: &MegaflyChoice) -> MegaflyShape {
    MegaflyShape {
        groups: choice.groups,
        leaf_routers_per_group: choice.leaf_routers_per_group,
        spine_routers_per_group: choice.spine_routers_per_group,
        nodes_per_leaf: choice.nodes_per_leaf,
        links_per_group_pair: choice.links_per_group_pair,
    }
}
