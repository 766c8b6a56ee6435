//! The ports between adjacent routers of one group.
//!
//! Regular groups compute them; damaged and irregular ones look them up.

use odonata_units::RouterId;

use crate::channel::{LinkKind, PortIndex};
use crate::family::AriesShape;
use crate::layout::Layout;
use crate::numbering::Numbering;
use crate::wiring::{End, Ends};

/// How the routers of a group are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LocalPattern {
    /// One link between each two.
    Clique,
    /// One link between each two of a row, several between each two of a column.
    Grid {
        /// Row and column, by position.
        positions: Vec<(u16, u16)>,
        /// Links between each two of a column.
        column_links: u32,
    },
    /// One link between each of the first `leaves` routers and each other one.
    Bipartite {
        /// Routers of the first level.
        leaves: u32,
    },
    /// The same with a number of leaves for each group.
    Levels {
        /// By group.
        leaves: Vec<u32>,
    },
    /// Anything else.
    Listed(Lists),
}

impl LocalPattern {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rows and columns are below RADIX_LIMIT"
    )]
    pub(crate) fn grid(shape: &AriesShape) -> Self {
        let positions = (0..shape.routers_per_group()).map(|position| {
            let (row, column) = shape.row_and_column(position);
            (row as u16, column as u16)
        });
        Self::Grid {
            positions: positions.collect(),
            column_links: shape.column_links,
        }
    }

    /// Fewest channels between two positions of `group`; `None` if they are not known without a
    /// search.
    pub(crate) fn hops(&self, group: u32, from: u32, to: u32) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        let between_levels = |leaves: u32| {
            let same_level = (from < leaves) == (to < leaves);
            Some(1 + u32::from(same_level))
        };
        match self {
            Self::Clique => Some(1),
            Self::Grid { positions, .. } => {
                let (near, far) = (positions[from as usize], positions[to as usize]);
                Some(u32::from(near.0 != far.0) + u32::from(near.1 != far.1))
            }
            Self::Bipartite { leaves } => between_levels(*leaves),
            Self::Levels { leaves } => between_levels(leaves[group as usize]),
            Self::Listed(_) => None,
        }
    }
}

/// Per router, its local channels by far router.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lists {
    /// Per router: where its entries start; one more at the end.
    starts: Vec<u32>,
    peers: Vec<RouterId>,
    ports: Vec<PortIndex>,
}

/// The local channels of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LocalPorts {
    pub(crate) pattern: LocalPattern,
    /// Every port, ascending: what a single port is a slice of.
    every: Vec<PortIndex>,
}

impl LocalPorts {
    pub(crate) fn new(pattern: LocalPattern, layout: &Layout) -> Self {
        Self {
            pattern,
            every: (0..layout.radix()).map(PortIndex).collect(),
        }
    }

    /// The ports of `from` that lead straight to `to`, ascending; empty if none does.
    #[inline]
    pub(crate) fn between(
        &self,
        numbering: &Numbering,
        layout: &Layout,
        from: RouterId,
        to: RouterId,
    ) -> &[PortIndex] {
        let pattern = match &self.pattern {
            LocalPattern::Listed(lists) => return lists.between(from, to),
            pattern => pattern,
        };
        let (group, position) = numbering.group_and_position(from);
        let routers = numbering.routers_of(odonata_units::GroupId(group));
        if !routers.contains(&to.0) || from == to {
            return &[];
        }
        let target = to.0 - routers.start;
        let local = u32::from(layout.first(LinkKind::Local));
        let between_levels = |leaves: u32| {
            let slot = if target < leaves {
                target
            } else {
                target - leaves
            };
            ((position < leaves) != (target < leaves)).then_some((local + slot, 1))
        };
        let (first, links) = match pattern {
            LocalPattern::Clique => {
                let slot = target - u32::from(target > position);
                (local + slot, 1)
            }
            LocalPattern::Grid {
                positions,
                column_links,
            } => {
                let (near, far) = (positions[position as usize], positions[target as usize]);
                let skip = |near: u16, far: u16| u32::from(far) - u32::from(far > near);
                if near.0 == far.0 {
                    let slot = skip(near.1, far.1);
                    (u32::from(layout.first(LinkKind::Row)) + slot, 1)
                } else if near.1 == far.1 {
                    let slot = skip(near.0, far.0) * column_links;
                    (
                        u32::from(layout.first(LinkKind::Column)) + slot,
                        *column_links,
                    )
                } else {
                    return &[];
                }
            }
            LocalPattern::Bipartite { leaves } => match between_levels(*leaves) {
                Some(found) => found,
                None => return &[],
            },
            LocalPattern::Levels { leaves } => match between_levels(leaves[group as usize]) {
                Some(found) => found,
                None => return &[],
            },
            LocalPattern::Listed(_) => return &[],
        };
        &self.every[first as usize..(first + links) as usize]
    }
}

impl Lists {
    /// Reads them off the far ends.
    pub(crate) fn new(ends: &Ends, routers: u32, layout: &Layout) -> Self {
        let mut lists = Self {
            starts: Vec::with_capacity(routers as usize + 1),
            peers: Vec::new(),
            ports: Vec::new(),
        };
        let ports = layout.first(LinkKind::Local)..layout.first(LinkKind::Global);
        let mut own: Vec<(RouterId, PortIndex)> = Vec::new();
        for router in (0..routers).map(RouterId) {
            own.clear();
            own.extend(ports.clone().map(PortIndex).filter_map(|port| {
                let far = ends.get(End::new(router, port))?;
                Some((far.router, port))
            }));
            own.sort_unstable();
            lists.push_start();
            lists.peers.extend(own.iter().map(|entry| entry.0));
            lists.ports.extend(own.iter().map(|entry| entry.1));
        }
        lists.push_start();
        lists
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer than 2^32 ports"
    )]
    fn push_start(&mut self) {
        self.starts.push(self.peers.len() as u32);
    }

    fn between(&self, from: RouterId, to: RouterId) -> &[PortIndex] {
        let start = self.starts[from.index()] as usize;
        let peers = &self.peers[start..self.starts[from.index() + 1] as usize];
        let skipped = peers.partition_point(|peer| *peer < to);
        let rest = &peers[skipped..];
        let length = rest.iter().take_while(|peer| **peer == to).count();
        &self.ports[start + skipped..start + skipped + length]
    }
}
