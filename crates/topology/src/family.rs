//! The families of topologies, each with its parameters.

use crate::kinds_shape::KindsShape;
use crate::shape::Shape;

/// Family that a system was built as.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// One-dimensional dragonfly.
    Dragonfly(Shape),
    /// One-dimensional dragonfly with groups of several kinds.
    GroupKinds(KindsShape),
    /// Two-dimensional dragonfly of the Cray Aries kind.
    Aries(AriesShape),
    /// Groups of two levels (dragonfly+).
    Megafly(MegaflyShape),
    /// Groups of two levels, of several kinds.
    MegaflyKinds(KindsShape),
    /// Given channel by channel.
    Graph,
}

impl Family {
    /// The name in scenarios.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Dragonfly(_) | Self::GroupKinds(_) => "dragonfly",
            Self::Aries(_) => "aries",
            Self::Megafly(_) | Self::MegaflyKinds(_) => "megafly",
            Self::Graph => "file",
        }
    }

    /// Whether groups have leaves and spines: a megafly.
    #[must_use]
    pub const fn has_levels(&self) -> bool {
        matches!(self, Self::Megafly(_) | Self::MegaflyKinds(_))
    }

    /// The shape of a one-dimensional dragonfly whose groups are all alike.
    #[must_use]
    pub const fn dragonfly(&self) -> Option<&Shape> {
        match self {
            Self::Dragonfly(shape) => Some(shape),
            _ => None,
        }
    }
}

/// The parameters of a two-dimensional dragonfly (Cray Aries; Faanes et al. 2012).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AriesShape {
    /// Groups, at least 1.
    pub groups: u32,
    /// Rows of routers in a group; a row is a chassis.
    pub rows: u32,
    /// Routers of a row.
    pub columns: u32,
    /// Nodes of each router.
    pub nodes_per_router: u32,
    /// Parallel links between each two routers of a column.
    pub column_links: u32,
    /// Global channels of each router.
    pub global_ports_per_router: u32,
    /// Rows that stand in one cabinet.
    pub chassis_per_cabinet: u32,
}

/// The parameters of a megafly (dragonfly+; Shpiner et al. 2017).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MegaflyShape {
    /// Groups, at least 1.
    pub groups: u32,
    /// Routers with nodes in each group.
    pub leaf_routers_per_group: u32,
    /// Routers with global channels in each group.
    pub spine_routers_per_group: u32,
    /// Nodes of each leaf.
    pub nodes_per_leaf: u32,
    /// Links between each two groups.
    pub links_per_group_pair: u32,
}
