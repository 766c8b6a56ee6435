//! Parts of a machine that a placement can choose among.

use odonata_units::{GroupId, RouterId};

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
}
