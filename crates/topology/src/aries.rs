//! The two-dimensional dragonfly of the Cray Aries kind (Faanes et al. 2012, section III).
//!
//! ```text
//!            column 0   1   2  ...  15
//!   row 0       R ---- R ---- R ---- R     a row is a chassis: every two routers of it share one
//!               |      |      |      |     link ("green")
//!   row 1       R ---- R ---- R ---- R     a column: every two routers of it share column_links
//!               |      |      |      |     parallel links ("black")
//!    ...                                   global links ("blue") to routers of other groups
//! ```
//!
//! The wiring between groups is that of Theta, continued to other sizes; `docs/model/topologies.md`
//! states the rule.

use odonata_units::RouterId;

use crate::channel::{LinkKind, PortIndex};
use crate::error::TopologyError;
use crate::family::{AriesShape, Family};
use crate::layout::Layout;
use crate::local::LocalPattern;
use crate::numbering::Numbering;
use crate::shape::{RADIX_LIMIT, ROUTER_LIMIT};
use crate::topology::{Parts, Topology};
use crate::wiring::{End, Ends};

impl Topology {
    /// Builds the two-dimensional dragonfly of `shape`.
    ///
    /// # Errors
    /// If a size is zero, a limit is passed, or the global ports do not suffice for a link between
    /// each two groups.
    pub fn aries(shape: AriesShape) -> Result<Self, TopologyError> {
        let (layout, numbering) = shape.frame()?;
        let cabling = Cabling::of(&shape)?;
        let mut ends = Ends::new(numbering.routers, &layout);
        for group in 0..shape.groups {
            shape.join_group(&mut ends, &layout, group);
            if let Some(cabling) = &cabling {
                cabling.join(&mut ends, &layout, &shape, group);
            }
        }
        Ok(Self::assemble(Parts {
            pattern: LocalPattern::grid(&shape),
            family: Family::Aries(shape),
            numbering,
            layout,
            ends,
        }))
    }
}

impl AriesShape {
    /// Routers of a group.
    #[must_use]
    pub const fn routers_per_group(&self) -> u32 {
        self.rows.saturating_mul(self.columns)
    }

    /// Row and column of the router at `position` of its group.
    #[must_use]
    pub const fn row_and_column(&self, position: u32) -> (u32, u32) {
        (position / self.columns, position % self.columns)
    }

    /// Ports and ids.
    pub(crate) fn frame(&self) -> Result<(Layout, Numbering), TopologyError> {
        for (field, value) in [
            ("groups", self.groups),
            ("rows", self.rows),
            ("columns", self.columns),
            ("nodes_per_router", self.nodes_per_router),
            ("column_links", self.column_links),
            ("chassis_per_cabinet", self.chassis_per_cabinet),
        ] {
            if value == 0 {
                return Err(TopologyError::Zero { field });
            }
        }
        let column_ports = u64::from(self.rows - 1) * u64::from(self.column_links);
        let counts = [
            u64::from(self.nodes_per_router),
            0,
            u64::from(self.columns - 1),
            column_ports,
            u64::from(self.global_ports_per_router),
        ];
        let layout =
            Layout::new(counts, RADIX_LIMIT).ok_or_else(|| TopologyError::TooManyPorts {
                ports: counts.iter().sum(),
                parts: format!(
                    "{} host + {} row + {column_ports} column + {} global",
                    counts[0], counts[2], counts[4]
                ),
                limit: RADIX_LIMIT,
                fields: "nodes_per_router, rows, columns, column_links or global_ports_per_router",
            })?;
        // The radix bounds rows and columns.
        let routers = self.routers_per_group();
        let total = u64::from(routers) * u64::from(self.groups);
        if total > u64::from(ROUTER_LIMIT) {
            return Err(TopologyError::TooManyRouters {
                routers: total,
                limit: ROUTER_LIMIT,
                fields: "groups, rows or columns",
            });
        }
        let numbering = Numbering::regular(self.groups, routers, routers, self.nodes_per_router);
        Ok((layout, numbering))
    }

    fn router(&self, group: u32, row: u32, column: u32) -> RouterId {
        RouterId((group * self.rows + row) * self.columns + column)
    }

    /// The rows and columns of one group.
    fn join_group(&self, ends: &mut Ends, layout: &Layout, group: u32) {
        for row in 0..self.rows {
            for low in 0..self.columns {
                for high in low + 1..self.columns {
                    let there = port(layout, LinkKind::Row, high - 1);
                    let back = port(layout, LinkKind::Row, low);
                    ends.join(
                        End::new(self.router(group, row, low), there),
                        End::new(self.router(group, row, high), back),
                    );
                }
            }
        }
        for column in 0..self.columns {
            for low in 0..self.rows {
                for high in low + 1..self.rows {
                    for link in 0..self.column_links {
                        let slot = |peer| peer * self.column_links + link;
                        let there = port(layout, LinkKind::Column, slot(high - 1));
                        let back = port(layout, LinkKind::Column, slot(low));
                        ends.join(
                            End::new(self.router(group, low, column), there),
                            End::new(self.router(group, high, column), back),
                        );
                    }
                }
            }
        }
    }
}

/// How the groups are joined: planes of rows, blocks of routers, cables of parallel links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cabling {
    /// Rows that reach every other group together; the other planes repeat them.
    rows_per_plane: u32,
    /// Parallel links between the same two routers.
    cable: u32,
    /// Consecutive routers of a plane that serve the same other groups.
    routers_per_block: u32,
    blocks: u32,
}

/// One of the links between two groups.
#[derive(Clone, Copy)]
struct ParallelLink {
    plane: u32,
    /// Router of the block.
    member: u32,
    /// Link of the cable.
    strand: u32,
}

impl Cabling {
    /// Of all cablings that give at least seven eighths of the most links, the one with the fewest
    /// rows in a plane, cables of two before single ones; `None` for one group.
    fn of(shape: &AriesShape) -> Result<Option<Self>, TopologyError> {
        if shape.groups == 1 {
            return Ok(None);
        }
        let pairs = shape.global_ports_per_router.is_multiple_of(2);
        let cables: &[u32] = if pairs { &[2, 1] } else { &[1] };
        let planes = (1..=shape.rows).filter(|rows| shape.rows.is_multiple_of(*rows));
        let choices: Vec<Self> = planes
            .flat_map(|rows| cables.iter().map(move |&cable| (rows, cable)))
            .filter_map(|(rows, cable)| Self::with(shape, rows, cable))
            .collect();
        let links = |choice: &Self| {
            let planes = shape.rows / choice.rows_per_plane;
            planes * choice.cable * choice.routers_per_block
        };
        let most = choices.iter().map(links).max().unwrap_or(0);
        choices
            .into_iter()
            .find(|choice| 8 * links(choice) >= 7 * most)
            .map(Some)
            .ok_or_else(|| too_few_global_ports(shape))
    }

    fn with(shape: &AriesShape, rows_per_plane: u32, cable: u32) -> Option<Self> {
        let cables = shape.global_ports_per_router / cable;
        let routers = rows_per_plane * shape.columns;
        let blocks = (shape.groups - 1).div_ceil(cables.max(1));
        if cables == 0 || blocks > routers {
            return None;
        }
        let routers_per_block = routers / blocks;
        Some(Self {
            rows_per_plane,
            cable,
            routers_per_block,
            // As many blocks as there is room for: the load spreads over more routers.
            blocks: routers / routers_per_block,
        })
    }

    /// The links from `group` to higher ones.
    fn join(&self, ends: &mut Ends, layout: &Layout, shape: &AriesShape, group: u32) {
        let planes = shape.rows / self.rows_per_plane;
        for to in group + 1..shape.groups {
            // Slots count the other groups.
            let (slot, far_slot) = (to - 1, group);
            for plane in 0..planes {
                for member in 0..self.routers_per_block {
                    for strand in 0..self.cable {
                        let link = ParallelLink {
                            plane,
                            member,
                            strand,
                        };
                        let near = self.end(shape, layout, group, slot, link);
                        ends.join(near, self.end(shape, layout, to, far_slot, link));
                    }
                }
            }
        }
    }

    /// The end in `group` of one of the links to the other group of `slot`.
    fn end(
        &self,
        shape: &AriesShape,
        layout: &Layout,
        group: u32,
        slot: u32,
        link: ParallelLink,
    ) -> End {
        let (block, turn) = (slot % self.blocks, slot / self.blocks);
        let index = block * self.routers_per_block + link.member;
        let row = link.plane * self.rows_per_plane + index / shape.columns;
        End::new(
            shape.router(group, row, index % shape.columns),
            port(layout, LinkKind::Global, turn * self.cable + link.strand),
        )
    }
}

/// The port number `index` of a kind.
#[expect(
    clippy::cast_possible_truncation,
    reason = "port counts are at most RADIX_LIMIT, which fits 16 bits"
)]
pub(crate) fn port(layout: &Layout, kind: LinkKind, index: u32) -> PortIndex {
    debug_assert!(index < layout.ports(kind).len() as u32, "the port exists");
    PortIndex(layout.first(kind) + index as u16)
}

fn too_few_global_ports(shape: &AriesShape) -> TopologyError {
    let routers = u64::from(shape.routers_per_group());
    let ports = u64::from(shape.global_ports_per_router);
    let needed = u64::from(shape.groups) - 1;
    TopologyError::TooFewLinks {
        groups: shape.groups,
        needed,
        available: routers * ports,
        parts: format!(
            "rows = {} times columns = {} times global_ports_per_router = {ports}",
            shape.rows, shape.columns
        ),
        remedy: format!(
            "set global_ports_per_router to at least {} or groups to at most {}",
            needed.div_ceil(routers),
            routers * ports + 1
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{AriesShape, Cabling, Topology};

    fn shape(groups: u32, ports: u32) -> AriesShape {
        AriesShape {
            groups,
            rows: 6,
            columns: 16,
            nodes_per_router: 4,
            column_links: 3,
            global_ports_per_router: ports,
            chassis_per_cabinet: 3,
        }
    }

    #[track_caller]
    fn check(groups: u32, ports: u32, expected: [u32; 4], links: u32) {
        let cabling = Cabling::of(&shape(groups, ports)).unwrap().unwrap();
        let found = [
            cabling.rows_per_plane,
            cabling.cable,
            cabling.routers_per_block,
            cabling.blocks,
        ];
        assert_eq!(found, expected);
        let topology = Topology::aries(shape(groups, ports)).unwrap();
        assert_eq!(topology.links_per_group_pair(), links);
    }

    #[test]
    fn cablings_by_hand() {
        // Theta: 8 slots on 4 blocks of 4 columns.
        check(9, 4, [1, 2, 4, 4], 48);
        // Edison's numbers: 14 slots on 8 blocks of 2 columns; 24 links over 12 gateways.
        check(15, 4, [1, 2, 2, 8], 24);
        // Two groups: every router is a gateway.
        check(2, 4, [1, 2, 16, 1], 192);
        // A full machine: three rows reach the 240 other groups, twice.
        check(241, 10, [3, 2, 1, 48], 4);
        // One row in a plane would leave half of the ports over.
        check(34, 4, [2, 1, 3, 10], 9);
        // As many groups as there are ports.
        check(97, 1, [6, 1, 1, 96], 1);
    }

    #[test]
    fn refusals_say_what_and_how_to_go_on() {
        let error = Topology::aries(shape(98, 1)).unwrap_err().to_string();
        assert_eq!(
            error,
            "98 groups need 97 global ports per group (one link to every other group), but rows = \
             6 times columns = 16 times global_ports_per_router = 1 makes 96; set \
             global_ports_per_router to at least 2 or groups to at most 97"
        );
        let error = Topology::aries(shape(2, 300)).unwrap_err().to_string();
        assert_eq!(
            error,
            "a router would have 334 ports (4 host + 15 row + 15 column + 300 global), but at most \
             255 are supported; lower nodes_per_router, rows, columns, column_links or \
             global_ports_per_router"
        );
        let most = u32::MAX;
        for (groups, ports) in [(most, 10), (0, 4), (most, most), (2, 0)] {
            assert!(Topology::aries(shape(groups, ports)).is_err());
        }
    }
}
