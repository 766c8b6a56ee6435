//! Which node each rank of a job is on, and who shares one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use odonata_units::NodeId;

use crate::collective::Groups;
use crate::communicator::Communicator;

/// Ranks that one node takes at most.
pub const MOST_RANKS_PER_NODE: u32 = 256;

/// Context and first member: what tells the communicators of a job apart.
type Named = (u32, Option<u32>);

/// The nodes of the ranks of a job. Ranks of one node have seats there: 0, 1, ... in rank order.
#[derive(Debug)]
pub struct Seating {
    nodes: Box<[NodeId]>,
    /// Empty if nobody shares a node: all seats are 0.
    seats: Box<[u8]>,
    /// By context and first member of a communicator: who of it shares a node. Filled when first
    /// asked for; whoever asks gets the same.
    groups: Mutex<BTreeMap<Named, Arc<Groups>>>,
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
            groups: Mutex::default(),
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

    /// Which ranks of `communicator` share a node; `None` if none of the job do.
    ///
    /// Cost O(ranks log ranks) for the first rank that asks, kept for the others.
    pub(crate) fn groups(&self, communicator: &Communicator) -> Option<Arc<Groups>> {
        if self.seats.is_empty() {
            return None;
        }
        let members = || (0..communicator.size()).filter_map(|rank| communicator.member(rank));
        let key = (communicator.context(), communicator.member(0));
        let mut known = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let groups = known
            .entry(key)
            .or_insert_with(|| Arc::new(Groups::new(members().map(|rank| self.node(rank).0))));
        Some(Arc::clone(groups))
    }

    /// Whether two ranks are on one node.
    #[must_use]
    pub fn share_a_node(&self, one: u32, other: u32) -> bool {
        !self.seats.is_empty() && self.node(one) == self.node(other)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odonata_units::NodeId;

    use super::Seating;
    use crate::communicator::Communicator;

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
    fn members_of_a_communicator_are_grouped_by_node() {
        let seating = Seating::new(&[7, 3, 7, 7, 3, 9].map(NodeId));
        let world = seating.groups(&Communicator::world(4, 6)).unwrap();
        assert_eq!([0, 1, 5].map(|rank| world.of(rank)), [0, 1, 2]);
        let some: Arc<[u32]> = [5, 3, 2, 4].into();
        let some = Communicator::new(1, some, 2).unwrap();
        let groups = seating.groups(&some).unwrap();
        assert_eq!([0, 1, 2, 3].map(|rank| groups.of(rank)), [0, 1, 1, 2]);
        assert!(Arc::ptr_eq(&groups, &seating.groups(&some).unwrap()));
        let others: Arc<[u32]> = [0, 1].into();
        let others = Communicator::new(1, others, 0).unwrap();
        assert_eq!(seating.groups(&others).unwrap().count(), 2, "same context");
        let alone = Seating::new(&[4, 2].map(NodeId));
        assert!(alone.groups(&Communicator::world(0, 2)).is_none());
    }

    #[test]
    #[should_panic(expected = "too many ranks on a node")]
    fn a_node_has_so_many_seats() {
        let _ = Seating::new(&[NodeId(1); 257]);
    }
}
