//! Which node each rank of a job is on, and who shares one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use odonata_units::NodeId;

use crate::collective::Groups;
use crate::communicator::Communicator;

/// Ranks that one node takes at most.
pub const MOST_RANKS_PER_NODE: u32 = 256;

/// Context and first member of a communicator: they tell those of a job apart.
type CommunicatorKey = (u32, Option<u32>);

/// Where a rank runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankLocation {
    /// Node of the network by which it is reached: the NIC that it uses.
    pub address: NodeId,
    /// Node of the network where its computer is known: that of the computer's first NIC.
    pub home: NodeId,
    /// Its number among the ranks of all jobs on that computer.
    pub local_rank: u8,
}

/// The nodes of the ranks of a job. Ranks of one node have local ranks there: 0, 1, ... in rank
/// order, behind those that other jobs have taken.
#[derive(Debug)]
pub struct RankMap {
    /// By rank: where it is reached.
    nodes: Box<[NodeId]>,
    /// By rank; empty if each is reached at its home.
    homes: Box<[NodeId]>,
    /// Empty if all local ranks are 0.
    local_ranks: Box<[u8]>,
    /// Whether ranks of this job share a node.
    is_shared: bool,
    /// By communicator: who of it shares a node. Filled when first asked for; whoever asks gets
    /// the same.
    groups: Mutex<BTreeMap<CommunicatorKey, Arc<Groups>>>,
}

impl RankMap {
    /// The map of ranks on these nodes, in rank order. Cost O(ranks log ranks).
    ///
    /// # Panics
    /// If more than [`MOST_RANKS_PER_NODE`] ranks are on one node.
    #[must_use]
    pub fn new(nodes: &[NodeId]) -> Self {
        let mut taken: BTreeMap<NodeId, u32> = BTreeMap::new();
        let location = |&node: &NodeId| {
            let next = taken.entry(node).or_default();
            assert!(*next < MOST_RANKS_PER_NODE, "too many ranks on a node");
            *next += 1;
            RankLocation {
                address: node,
                home: node,
                local_rank: u8::try_from(*next - 1).unwrap_or(u8::MAX),
            }
        };
        let locations: Vec<RankLocation> = nodes.iter().map(location).collect();
        Self::at(&locations)
    }

    /// The map of ranks at these locations, in rank order. Cost O(ranks log ranks).
    #[must_use]
    pub fn at(locations: &[RankLocation]) -> Self {
        let homes: BTreeSet<NodeId> = locations.iter().map(|location| location.home).collect();
        let is_elsewhere = locations
            .iter()
            .any(|location| location.home != location.address);
        let is_behind = locations.iter().any(|location| location.local_rank > 0);
        let if_any = |any: bool| locations.iter().filter(move |_| any);
        Self {
            nodes: locations.iter().map(|location| location.address).collect(),
            homes: if_any(is_elsewhere).map(|location| location.home).collect(),
            local_ranks: if_any(is_behind)
                .map(|location| location.local_rank)
                .collect(),
            is_shared: homes.len() < locations.len(),
            groups: Mutex::default(),
        }
    }

    /// Number of ranks.
    #[must_use]
    pub const fn rank_count(&self) -> usize {
        self.nodes.len()
    }

    /// Node by which a rank is reached.
    #[must_use]
    pub fn node(&self, rank: u32) -> NodeId {
        self.nodes[rank as usize]
    }

    /// Number of a rank among those of its node.
    #[must_use]
    pub fn local_rank(&self, rank: u32) -> u8 {
        self.local_ranks.get(rank as usize).copied().unwrap_or(0)
    }

    /// Which ranks of `communicator` share a node; `None` if none of the job do.
    ///
    /// Cost O(ranks log ranks) for the first rank that asks, kept for the others.
    pub(crate) fn groups(&self, communicator: &Communicator) -> Option<Arc<Groups>> {
        if !self.is_shared {
            return None;
        }
        let members = || (0..communicator.size()).filter_map(|rank| communicator.member(rank));
        let key = (communicator.context(), communicator.member(0));
        let mut known = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let groups = known
            .entry(key)
            .or_insert_with(|| Arc::new(Groups::new(members().map(|rank| self.home(rank).0))));
        Some(Arc::clone(groups))
    }

    /// Whether two ranks are on one node.
    #[must_use]
    pub fn share_a_node(&self, one: u32, other: u32) -> bool {
        self.is_shared && self.home(one) == self.home(other)
    }

    /// Where the computer of a rank is known.
    fn home(&self, rank: u32) -> NodeId {
        let home = self.homes.get(rank as usize);
        home.copied().unwrap_or_else(|| self.node(rank))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odonata_units::NodeId;

    use super::{RankLocation, RankMap};
    use crate::communicator::Communicator;

    #[test]
    fn ranks_of_a_node_are_counted_in_rank_order() {
        let nodes = [7, 3, 7, 7, 3, 9].map(NodeId);
        let rank_map = RankMap::new(&nodes);
        let local_ranks = [0, 1, 2, 3, 4, 5].map(|rank| rank_map.local_rank(rank));
        assert_eq!(local_ranks, [0, 0, 1, 2, 1, 0]);
        assert!(rank_map.share_a_node(0, 3) && !rank_map.share_a_node(0, 1));
        let alone = RankMap::new(&[4, 2].map(NodeId));
        assert_eq!(
            (alone.local_rank(1), alone.node(1), alone.rank_count()),
            (0, NodeId(2), 2)
        );
        assert!(!alone.share_a_node(0, 1));
    }

    #[test]
    fn members_of_a_communicator_are_grouped_by_node() {
        let rank_map = RankMap::new(&[7, 3, 7, 7, 3, 9].map(NodeId));
        let world = rank_map.groups(&Communicator::world(4, 6)).unwrap();
        assert_eq!([0, 1, 5].map(|rank| world.of(rank)), [0, 1, 2]);
        let some: Arc<[u32]> = [5, 3, 2, 4].into();
        let some = Communicator::new(1, some, 2).unwrap();
        let groups = rank_map.groups(&some).unwrap();
        assert_eq!([0, 1, 2, 3].map(|rank| groups.of(rank)), [0, 1, 1, 2]);
        assert!(Arc::ptr_eq(&groups, &rank_map.groups(&some).unwrap()));
        let others: Arc<[u32]> = [0, 1].into();
        let others = Communicator::new(1, others, 0).unwrap();
        assert_eq!(rank_map.groups(&others).unwrap().count(), 2, "same context");
        let alone = RankMap::new(&[4, 2].map(NodeId));
        assert!(alone.groups(&Communicator::world(0, 2)).is_none());
    }

    #[test]
    fn ranks_of_a_computer_may_be_reached_by_several_nodes() {
        let location = |address, home, local_rank| RankLocation {
            address: NodeId(address),
            home: NodeId(home),
            local_rank,
        };
        let rank_map = RankMap::at(&[location(4, 4, 1), location(8, 4, 2), location(9, 5, 1)]);
        let of = |rank| (rank_map.node(rank).0, rank_map.local_rank(rank));
        assert_eq!([0, 1, 2].map(of), [(4, 1), (8, 2), (9, 1)]);
        assert!(rank_map.share_a_node(0, 1) && !rank_map.share_a_node(1, 2));
        let groups = rank_map.groups(&Communicator::world(0, 3)).unwrap();
        assert_eq!([0, 1, 2].map(|rank| groups.of(rank)), [0, 0, 1]);
    }

    #[test]
    #[should_panic(expected = "too many ranks on a node")]
    fn a_node_has_so_many_ranks() {
        let _ = RankMap::new(&[NodeId(1); 257]);
    }
}
