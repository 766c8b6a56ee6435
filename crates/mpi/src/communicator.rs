//! Communicators: which ranks of the job talk, and who this rank is among them.

use std::sync::Arc;

/// One rank's view of a communicator: a context, its members and its own position.
///
/// Members are ranks of the job; the members of one communicator are shared by all of its ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Communicator {
    context: u32,
    rank: u32,
    size: u32,
    /// `None`: every rank of the job, in order.
    members: Option<Arc<[u32]>>,
}

impl Communicator {
    /// All `size` ranks of the job in order, seen by `rank`; context 0.
    #[must_use]
    pub const fn world(rank: u32, size: u32) -> Self {
        Self {
            context: 0,
            rank,
            size,
            members: None,
        }
    }

    /// The communicator of `members` (ranks of the job, in communicator order), seen by rank
    /// `job_rank` of the job; `None` if that rank is not a member.
    ///
    /// `context` tells communicators of one job apart and is the same on all members; below 2^23.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a communicator has fewer than 2^32 ranks"
    )]
    pub fn new(context: u32, members: Arc<[u32]>, job_rank: u32) -> Option<Self> {
        let rank = members.iter().position(|&member| member == job_rank)? as u32;
        Some(Self {
            context,
            rank,
            size: members.len() as u32,
            members: Some(members),
        })
    }

    /// Number that tells the communicators of a job apart.
    #[must_use]
    pub const fn context(&self) -> u32 {
        self.context
    }

    /// Position of this rank, from 0.
    #[must_use]
    pub const fn rank(&self) -> u32 {
        self.rank
    }

    /// Number of members.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Rank of the job at position `rank`; `None` if there is none.
    #[must_use]
    pub fn member(&self, rank: u32) -> Option<u32> {
        match &self.members {
            None => (rank < self.size).then_some(rank),
            Some(members) => members.get(rank as usize).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Communicator;

    #[test]
    fn members_and_positions_are_inverse() {
        let members: std::sync::Arc<[u32]> = [7, 3, 5].into();
        for (position, &job_rank) in members.iter().enumerate() {
            let view = Communicator::new(4, members.clone(), job_rank).unwrap();
            assert_eq!(view.rank() as usize, position);
            assert_eq!(view.member(view.rank()), Some(job_rank));
            assert_eq!((view.size(), view.context()), (3, 4));
        }
        assert_eq!(Communicator::new(4, members.clone(), 6), None);
        assert_eq!(Communicator::new(4, members, 7).unwrap().member(3), None);
    }

    #[test]
    fn world_is_the_identity() {
        let world = Communicator::world(2, 5);
        assert_eq!((0..6).map(|r| world.member(r)).collect::<Vec<_>>().len(), 6);
        assert_eq!(world.member(4), Some(4));
        assert_eq!(world.member(5), None);
    }
}
