//! Which ranks of a communicator share a node.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The ranks of a communicator by node; nodes are counted in the order of their first ranks.
///
/// Shared by all ranks of a communicator. Size: three words of 4 bytes per rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    /// Group of each rank.
    group: Arc<[u32]>,
    /// Ranks by group, ascending in each.
    ranks: Arc<[u32]>,
    /// First entry of each group in `ranks`, and one more.
    starts: Arc<[u32]>,
}

impl Groups {
    /// The groups of ranks on equal `nodes`, one entry for each rank of the communicator; what
    /// numbers name the nodes does not matter.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a communicator has fewer than 2^32 ranks"
    )]
    pub fn new(nodes: impl IntoIterator<Item = u32>) -> Self {
        let mut known = BTreeMap::new();
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut group = Vec::new();
        for (rank, node) in (0..).zip(nodes) {
            let index = *known.entry(node).or_insert_with(|| {
                members.push(Vec::new());
                members.len() as u32 - 1
            });
            members[index as usize].push(rank);
            group.push(index);
        }
        let mut starts = vec![0];
        starts.extend(members.iter().scan(0, |end, ranks| {
            *end += ranks.len() as u32;
            Some(*end)
        }));
        Self {
            group: group.into(),
            ranks: members.concat().into(),
            starts: starts.into(),
        }
    }

    /// Number of groups.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.starts.len() - 1).unwrap_or(u32::MAX)
    }

    /// The group of a rank.
    #[must_use]
    pub fn of(&self, rank: u32) -> u32 {
        self.group[rank as usize]
    }

    /// Ranks of a group, ascending.
    #[must_use]
    pub fn members(&self, group: u32) -> &[u32] {
        let at = group as usize;
        &self.ranks[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Ranks of each group, if all have equally many.
    #[must_use]
    pub fn width(&self) -> Option<u32> {
        let mut sizes = self.starts.windows(2).map(|pair| pair[1] - pair[0]);
        let first = sizes.next()?;
        sizes.all(|size| size == first).then_some(first)
    }

    /// Whether every rank is alone.
    #[must_use]
    pub fn are_single(&self) -> bool {
        self.starts.len() == self.ranks.len() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn ranks_of_a_node_are_found_in_any_order() {
        let groups = Groups::new([9, 4, 9, 7, 4]);
        assert_eq!(groups.count(), 3);
        assert_eq!([0, 1, 2, 3, 4].map(|rank| groups.of(rank)), [0, 1, 0, 2, 1]);
        assert_eq!(
            [0, 1, 2].map(|g| groups.members(g)),
            [&[0, 2][..], &[1, 4], &[3]]
        );
        assert!(!groups.are_single() && Groups::new([3, 1, 2]).are_single());
    }
}
