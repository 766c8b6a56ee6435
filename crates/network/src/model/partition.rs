//! Which groups are simulated together, as one block of the engine.
//!
//! An epoch of several windows is simulated group by group: what a group touches stays in the
//! cache. Where an epoch is one window, nothing would stay there, and groups would exchange mail
//! after every window: then all groups of a thread are one block.

use std::ops::Range;

use odonata_topology::Topology;
use odonata_units::{GroupId, RouterId};

use crate::model::division::routers_of;
use crate::model::index::LocalRouter;

/// A block numbers its routers in 16 bits.
const MOST_ROUTERS: u32 = 1 << 16;

/// The blocks of a run.
#[derive(Debug)]
pub(crate) struct Partition {
    /// `[block]`: its groups.
    pub(crate) blocks: Vec<Range<usize>>,
    /// `[thread]`: its blocks.
    pub(crate) threads: Vec<Range<usize>>,
    /// `[block]`: its first router.
    first_routers: Vec<RouterId>,
    /// `[group]`: its block.
    block_of: Vec<u16>,
}

impl Partition {
    /// Every group is a block.
    pub(crate) fn of_groups(topology: &Topology) -> Self {
        let threads = 0..topology.group_count() as usize;
        Self::new(topology, &[threads], false)
    }

    /// The blocks of threads that simulate the groups of `threads`; if `joins`, groups of one
    /// thread are one block, as far as there are numbers for their routers.
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^16 groups")]
    pub(crate) fn new(topology: &Topology, threads: &[Range<usize>], joins: bool) -> Self {
        let routers = |groups: &Range<usize>| routers_of(topology, groups);
        let mut blocks: Vec<Range<usize>> = Vec::new();
        let of_thread = |groups: &Range<usize>| {
            let first = blocks.len();
            for group in groups.clone() {
                let longer = blocks.last().map_or(0, |block| block.start)..group + 1;
                let is_first = blocks.len() == first;
                if joins && !is_first && routers(&longer).len() as u32 <= MOST_ROUTERS {
                    blocks.pop();
                    blocks.push(longer);
                } else {
                    blocks.push(group..group + 1);
                }
            }
            first..blocks.len()
        };
        let threads: Vec<_> = threads.iter().map(of_thread).collect();
        Self {
            threads,
            first_routers: blocks
                .iter()
                .map(|one| RouterId(routers(one).start))
                .collect(),
            block_of: (0_u16..)
                .zip(&blocks)
                .flat_map(|(block, groups)| groups.clone().map(move |_| block))
                .collect(),
            blocks,
        }
    }

    /// The block of `group`.
    #[inline]
    pub(crate) fn block_of(&self, group: GroupId) -> u16 {
        self.block_of[group.index()]
    }

    /// `router` as its block, which `group` belongs to, numbers it.
    pub(crate) fn local(&self, group: GroupId, router: RouterId) -> LocalRouter {
        let first = self.first_routers[usize::from(self.block_of(group))];
        LocalRouter::new((router.0 - first.0) as usize)
    }
}
