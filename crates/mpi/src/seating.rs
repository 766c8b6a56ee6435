//! Which node each rank of a job is on, and who shares one.

use std::collections::BTreeMap;

use odonata_units::NodeId;

/// Ranks that one node takes at most.
pub const MOST_RANKS_PER_NODE: u32 = 256;

/// The nodes of the ranks of a job. Ranks of one node have seats there: 0, 1, ... in rank order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seating {
    nodes: Box<[NodeId]>,
    /// Empty if nobody shares a node: all seats are 0.
    seats: Box<[u8]>,
}

impl Seating {
    /// The seats of ranks on these nodes, in rank order. Cost O(ranks log ranks).
    ///
    /// # Panics
    /// If more than [`MOST_RANKS_PER_NODE`] ranks are on one node.
    #[must_use]
    pub fn new(nodes: &[NodeId]) -> Self {
        let mut taken: BTreeMap<NodeId, u32> = BTreeMap::new();
        let mut seat = |node: &NodeId| {
            let next = taken.entry(*node).or_default();
            assert!(*next < MOST_RANKS_PER_NODE, "too many ranks on a node");
            *next += 1;
            u8::try_from(*next - 1).unwrap_or(u8::MAX)
        };
        let seats: Vec<u8> = nodes.iter().map(&mut seat).collect();
        let is_shared = seats.iter().any(|&seat| seat > 0);
        Self {
            nodes: nodes.into(),
            seats: if is_shared { seats.into() } else { [].into() },
        }
    }

    /// Number of ranks.
    #[must_use]
    pub const fn rank_count(&self) -> usize {
        self.nodes.len()
    }

    /// Node of a rank.
    #[must_use]
    pub fn node(&self, rank: u32) -> NodeId {
        self.nodes[rank as usize]
    }

    /// Seat of a rank on its node.
    #[must_use]
    pub fn seat(&self, rank: u32) -> u8 {
        self.seats.get(rank as usize).copied().unwrap_or(0)
    }

    /// Whether two ranks are on one node.
    #[must_use]
    pub fn share_a_node(&self, one: u32, other: u32) -> bool {
        !self.seats.is_empty() && self.node(one) == self.node(other)
    }
}

#[cfg(test)]
mod tests {
    use super::Seating;
    use odonata_units::NodeId;

    #[test]
    fn seats_are_counted_in_rank_order() {
        let nodes = [7, 3, 7, 7, 3, 9].map(NodeId);
        let seating = Seating::new(&nodes);
        let seats = [0, 1, 2, 3, 4, 5].map(|rank| seating.seat(rank));
        assert_eq!(seats, [0, 0, 1, 2, 1, 0]);
        assert!(seating.share_a_node(0, 3) && !seating.share_a_node(0, 1));
        let alone = Seating::new(&[4, 2].map(NodeId));
        assert_eq!(
            (alone.seat(1), alone.node(1), alone.rank_count()),
            (0, NodeId(2), 2)
        );
        assert!(!alone.share_a_node(0, 1));
    }

    #[test]
    #[should_panic(expected = "too many ranks on a node")]
    fn a_node_has_so_many_seats() {
        let _ = Seating::new(&[NodeId(1); 257]);
    }
}
