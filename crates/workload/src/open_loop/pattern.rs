//! Whom open-loop messages go to.

use std::sync::Arc;

use odonata_registry::Entry;
use odonata_units::{NodeId, Stream};

use crate::context::SystemView;

/// Every pattern.
pub(crate) const PATTERNS: [Entry; 9] = [
    Entry::plain(
        "uniform",
        "any other node of the job",
        "Dally and Towles 2004, section 3.2",
    ),
    Entry::plain(
        "adversarial",
        "any node of the group `shift` further on: the worst case of minimal routing",
        "Kim et al. 2008, section 4",
    ),
    Entry::plain(
        "permutation",
        "one fixed other node each, drawn once",
        "Dally and Towles 2004, section 3.2",
    ),
    Entry::plain(
        "tornado",
        "the node at the same position half way round the groups",
        "Dally and Towles 2004, section 3.2",
    ),
    Entry::plain(
        "hotspot",
        "a share of the messages to a few hot nodes, the others uniform",
        "Pfister and Norton 1985",
    ),
    Entry::plain(
        "nearest-group",
        "the node at the same position in the next group",
        "CODES model-net-synthetic",
    ),
    Entry::plain(
        "all-to-all",
        "every other node of the job, one message each, all at once",
        "Wang et al. 2018, section IV-D: bursty background",
    ),
    Entry::plain(
        "rotating",
        "a random other node each, another one when it has got `threshold` bytes",
        "Mubarak et al. 2019, section V: rotating random permutation; CODES, synthetic 5",
    ),
    Entry::plain(
        "incast",
        "all to the hot nodes of the job, which send nothing",
        "Pfister and Norton 1985; GPCNeT",
    ),
];

/// The nodes of a job by group, each group ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupNodes {
    starts: Vec<u32>,
    offsets: Vec<u32>,
    nodes: Vec<NodeId>,
}

impl GroupNodes {
    pub(super) fn new(nodes: &[NodeId], system: &SystemView<'_>) -> Self {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        let bound =
            |first: u32| u32::try_from(nodes.partition_point(|node| node.0 < first)).unwrap_or(0);
        let starts = system.group_starts.to_vec();
        let ends = starts.iter().copied().chain([system.node_count]);
        let offsets = ends.map(bound).collect();
        Self {
            starts,
            offsets,
            nodes,
        }
    }

    pub(super) fn group_of(&self, node: NodeId) -> u32 {
        let begun = self.starts.partition_point(|&first| first <= node.0);
        u32::try_from(begun.saturating_sub(1)).unwrap_or(0)
    }

    fn members(&self, group: u32) -> &[NodeId] {
        let at = group as usize;
        &self.nodes[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// Groups of the system.
    pub(super) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// Nodes of the job in `group`.
    pub(super) fn count(&self, group: u32) -> u32 {
        self.offsets[group as usize + 1] - self.offsets[group as usize]
    }

    /// The group `shift` groups after that of `node`.
    pub(super) fn shifted(&self, node: NodeId, shift: u64) -> u32 {
        let groups = self.len() as u64;
        let group = (u64::from(self.group_of(node)) + shift % groups) % groups;
        u32::try_from(group).unwrap_or(0)
    }

    /// The node of the job in `group` at the position that `node` has in its own.
    pub(super) fn peer(&self, node: NodeId, group: u32) -> NodeId {
        let position = self
            .members(self.group_of(node))
            .partition_point(|&other| other < node);
        let members = self.members(group);
        members[position % members.len()]
    }
}

/// Nodes that get equal parts of what a node sends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Aim {
    /// All nodes of the job but the sender.
    All,
    /// So many nodes, the first of the job.
    First(u32),
    /// The nodes of the job in a group.
    Group(u32),
    /// One node.
    Node(NodeId),
}

/// The targets of one node.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// Any node but the `index`-th.
    Uniform { nodes: Arc<[NodeId]>, index: u32 },
    /// Always the same.
    Always(NodeId),
    /// Any of `groups.nodes[first..first + count]`.
    Group {
        groups: Arc<GroupNodes>,
        first: u32,
        count: u32,
    },
    /// With probability `fraction` one of the first `hot` nodes, else any; never the `index`-th.
    Hotspot {
        nodes: Arc<[NodeId]>,
        index: u32,
        fraction: f64,
        hot: u32,
    },
    /// Any of the first `hot` nodes.
    Hot { nodes: Arc<[NodeId]>, hot: u32 },
    /// A random other node for `messages` messages, then another one.
    Rotating {
        nodes: Arc<[NodeId]>,
        index: u32,
        messages: u64,
        left: u64,
        target: NodeId,
    },
    /// The others one after the other, from the next one on.
    InTurn {
        nodes: Arc<[NodeId]>,
        index: u32,
        sent: u32,
    },
}

impl Pattern {
    pub(super) fn group(groups: &Arc<GroupNodes>, group: u32) -> Self {
        Self::Group {
            groups: Arc::clone(groups),
            first: groups.offsets[group as usize],
            count: groups.count(group),
        }
    }

    pub(super) const fn hotspot(nodes: Arc<[NodeId]>, index: u32, fraction: f64, hot: u32) -> Self {
        Self::Hotspot {
            nodes,
            index,
            fraction,
            hot,
        }
    }

    pub(super) fn rotating(nodes: Arc<[NodeId]>, index: u32, messages: u64) -> Self {
        let target = nodes[index as usize];
        Self::Rotating {
            nodes,
            index,
            messages,
            left: 0,
            target,
        }
    }

    /// Where its messages go on average: who gets which share of them.
    pub(super) fn aims(&self) -> Vec<(Aim, f64)> {
        match self {
            Self::Uniform { .. } | Self::Rotating { .. } | Self::InTurn { .. } => {
                vec![(Aim::All, 1.0)]
            }
            Self::Always(node) => vec![(Aim::Node(*node), 1.0)],
            Self::Group { groups, first, .. } => {
                let group = groups.group_of(groups.nodes[*first as usize]);
                vec![(Aim::Group(group), 1.0)]
            }
            Self::Hot { hot, .. } => vec![(Aim::First(*hot), 1.0)],
            Self::Hotspot { hot, fraction, .. } => {
                vec![(Aim::First(*hot), *fraction), (Aim::All, 1.0 - fraction)]
            }
        }
    }

    /// The target of the next message.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a job has fewer than 2^32 nodes"
    )]
    pub(super) fn target(&mut self, stream: &mut Stream) -> NodeId {
        match self {
            Self::Uniform { nodes, index } => other(nodes, *index, stream),
            Self::Always(node) => *node,
            Self::Group {
                groups,
                first,
                count,
            } => groups.nodes[(*first + stream.below(*count)) as usize],
            Self::Hotspot {
                nodes,
                index,
                fraction,
                hot,
            } => {
                let others = *hot - u32::from(*index < *hot);
                if stream.unit() < *fraction && others > 0 {
                    let draw = stream.below(others);
                    nodes[(draw + u32::from(draw >= *index)) as usize]
                } else {
                    other(nodes, *index, stream)
                }
            }
            Self::Hot { nodes, hot } => nodes[stream.below(*hot) as usize],
            Self::Rotating {
                nodes,
                index,
                messages,
                left,
                target,
            } => {
                if *left == 0 {
                    *target = other(nodes, *index, stream);
                    *left = *messages;
                }
                *left -= 1;
                *target
            }
            Self::InTurn { nodes, index, sent } => {
                let others = nodes.len() - 1;
                let at = (*index as usize + 1 + *sent as usize) % nodes.len();
                *sent = (*sent + 1) % others as u32;
                nodes[at]
            }
        }
    }
}

/// Any of `nodes` but the `index`-th.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a job has fewer than 2^32 nodes"
)]
#[inline(always)]
fn other(nodes: &[NodeId], index: u32, stream: &mut Stream) -> NodeId {
    let draw = stream.below(nodes.len() as u32 - 1);
    nodes[(draw + u32::from(draw >= index)) as usize]
}
