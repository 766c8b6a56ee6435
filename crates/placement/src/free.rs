//! The nodes that no job has yet.

use std::ops::Range;

use odonata_units::NodeId;

/// Nodes that no job has yet, in ascending order of their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeNodes {
    node_count: u32,
    nodes: Vec<NodeId>,
}

impl FreeNodes {
    /// All nodes of a system of `node_count` nodes.
    #[must_use]
    pub fn all(node_count: u32) -> Self {
        Self {
            node_count,
            nodes: (0..node_count).map(NodeId).collect(),
        }
    }

    /// How many are free.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most `node_count`, a u32"
    )]
    pub fn count(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// How many there are in all.
    #[must_use]
    pub const fn node_count(&self) -> u32 {
        self.node_count
    }

    /// The free nodes, ascending.
    #[must_use]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The free nodes whose ids lie in `ids`, ascending. Cost O(log n).
    #[must_use]
    pub fn within(&self, ids: &Range<u32>) -> &[NodeId] {
        let first = self.nodes.partition_point(|node| node.0 < ids.start);
        let last = self.nodes.partition_point(|node| node.0 < ids.end);
        &self.nodes[first..last.max(first)]
    }

    /// Those of them whose ids lie in `ids`; nodes from its end on are no nodes any more.
    #[must_use]
    pub fn only(&self, ids: &Range<u32>) -> Self {
        Self {
            node_count: ids.end.min(self.node_count),
            nodes: self.within(ids).to_vec(),
        }
    }

    /// Whether `node` is free. Cost O(log n).
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// Removes `taken`, given in ascending order.
    pub fn remove(&mut self, taken: &[NodeId]) {
        self.nodes.retain(|node| taken.binary_search(node).is_err());
    }
}
