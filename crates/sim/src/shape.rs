//! Shapes of networks, from their configuration.

use odonata_topology::{AriesShape, MegaflyShape, Shape};

use crate::config::{AriesChoice, DragonflyChoice, MegaflyChoice};

/// The dragonfly of the configuration.
pub(crate) const fn dragonfly(choice: &DragonflyChoice) -> Shape {
    Shape {
        groups: choice.groups,
        routers_per_group: choice.routers_per_group,
        nodes_per_router: choice.nodes_per_router,
        global_ports_per_router: choice.global_ports_per_router,
        arrangement: choice.arrangement,
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
