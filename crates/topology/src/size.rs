//! How large a system will be, before it is built.

use crate::AriesShape;
use crate::error::TopologyError;
use crate::family::MegaflyShape;
use crate::kinds_shape::{GroupKind, KindsShape};
use crate::layout::Layout;
use crate::numbering::Numbering;
use crate::shape::Shape;

/// Numbers of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Groups.
    pub groups: u32,
    /// Routers.
    pub routers: u32,
    /// Nodes.
    pub nodes: u32,
    /// Ports of a router, connected or not.
    pub radix: u16,
}

impl Size {
    const fn of(layout: &Layout, numbering: &Numbering) -> Self {
        Self {
            groups: numbering.groups,
            routers: numbering.routers,
            nodes: numbering.nodes,
            radix: layout.radix(),
        }
    }

    /// Memory that the system takes, bytes; an upper bound.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let ports = u64::from(self.routers) * u64::from(self.radix);
        let pairs = u64::from(self.groups).pow(2);
        ports * 24 + pairs * 4
    }
}

impl Shape {
    /// How large the dragonfly will be.
    ///
    /// # Errors
    /// As [`crate::Topology::dragonfly`].
    pub fn size(&self) -> Result<Size, TopologyError> {
        let (layout, _) = self.layout()?;
        Ok(Size::of(&layout, &self.numbering()))
    }
}

impl KindsShape {
    /// How large the dragonfly will be.
    ///
    /// # Errors
    /// As [`crate::Topology::dragonfly_of_kinds`].
    pub fn size(&self) -> Result<Size, TopologyError> {
        let layout = self.layout()?;
        let of_all = |count: fn(&GroupKind) -> u64| self.kinds.iter().map(count).sum::<u64>();
        let narrow = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(Size {
            groups: self.group_count(),
            routers: narrow(of_all(GroupKind::router_count)),
            nodes: narrow(of_all(GroupKind::node_count)),
            radix: layout.radix(),
        })
    }
}

impl AriesShape {
    /// How large the Aries system will be.
    ///
    /// # Errors
    /// As [`crate::Topology::aries`], for all but the global links.
    pub fn size(&self) -> Result<Size, TopologyError> {
        let (layout, numbering) = self.frame()?;
        Ok(Size::of(&layout, &numbering))
    }
}

impl MegaflyShape {
    /// How large the megafly will be.
    ///
    /// # Errors
    /// As [`crate::Topology::megafly`].
    pub fn size(&self) -> Result<Size, TopologyError> {
        let (layout, numbering) = self.frame()?;
        Ok(Size::of(&layout, &numbering))
    }
}

#[cfg(test)]
mod tests {
    use super::Size;
    use crate::{AriesShape, Arrangement, MegaflyShape, Shape, Topology};

    fn of(topology: &Topology) -> Size {
        Size {
            groups: topology.group_count(),
            routers: topology.router_count(),
            nodes: topology.node_count(),
            radix: topology.radix(),
        }
    }

    #[test]
    fn a_system_has_the_size_that_was_foretold() {
        let dragonfly = Shape {
            groups: 9,
            routers_per_group: 4,
            nodes_per_router: 3,
            global_ports_per_router: 2,
            arrangement: Arrangement::Absolute,
        };
        let aries = AriesShape {
            groups: 3,
            rows: 2,
            columns: 4,
            nodes_per_router: 2,
            column_links: 2,
            global_ports_per_router: 3,
            chassis_per_cabinet: 1,
        };
        let megafly = MegaflyShape {
            groups: 5,
            leaf_routers_per_group: 3,
            spine_routers_per_group: 2,
            nodes_per_leaf: 4,
            links_per_group_pair: 1,
        };
        assert_eq!(
            dragonfly.size(),
            Topology::dragonfly(dragonfly).map(|t| of(&t))
        );
        assert_eq!(aries.size(), Topology::aries(aries.clone()).map(|t| of(&t)));
        assert_eq!(
            megafly.size(),
            Topology::megafly(megafly.clone()).map(|t| of(&t))
        );
    }
}
