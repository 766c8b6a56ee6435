//! Parts of a machine that a placement can choose among.

use odonata_units::{GroupId, RouterId};

use crate::error::TopologyError;
use crate::family::Family;
use crate::topology::Topology;
use crate::unit::Unit;

impl Topology {
    /// The parts of a system, small ones first.
    pub(crate) fn derive_units(&self) -> Vec<Unit> {
        let nodes = self.node_count();
        let start = |router: u32| self.numbering.nodes_of(RouterId(router)).start;
        let mut units = vec![Unit::new(
            "router",
            (0..self.router_count()).map(start),
            nodes,
        )];
        if let Family::Aries(shape) = self.family() {
            // A row is a chassis; cabinets do not cross groups.
            let rows = |each: u32| {
                let first = move |group: GroupId| {
                    let rows = (0..shape.rows).step_by(each as usize);
                    rows.map(move |row| (group.0 * shape.rows + row) * shape.columns)
                };
                Unit::new("", self.groups().flat_map(first).map(start), nodes).starts
            };
            for (name, each) in [("chassis", 1), ("cabinet", shape.chassis_per_cabinet)] {
                let starts = rows(each);
                units.push(Unit { name, starts });
            }
        }
        let of_groups = self.groups().map(|group| self.first_node(group).0);
        units.push(Unit::new("group", of_groups, nodes));
        units
    }

    /// The same system with `nics_per_node` network ends ("nodes" everywhere else) in one node of
    /// the machine: placements can then choose whole nodes of the machine as the unit `node`.
    ///
    /// # Errors
    /// If the number is zero or does not divide the nodes of a router.
    pub fn with_nics_per_node(mut self, nics_per_node: u32) -> Result<Self, TopologyError> {
        if nics_per_node == 0 {
            return Err(TopologyError::Zero {
                field: "nics_per_node",
            });
        }
        let count = |router| u32::try_from(self.nodes_of(router).len()).unwrap_or(u32::MAX);
        let odd = self
            .routers()
            .find(|&router| !count(router).is_multiple_of(nics_per_node));
        if let Some(router) = odd {
            return Err(TopologyError::NicsDoNotFit {
                nics_per_node,
                router: router.0,
                nodes: count(router),
            });
        }
        if nics_per_node > 1 {
            let starts = (0..self.node_count()).step_by(nics_per_node as usize);
            let unit = Unit::new("node", starts, self.node_count());
            self.units.insert(0, unit);
        }
        Ok(self)
    }
}
