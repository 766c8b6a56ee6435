//! Endpoint of one node of a job.

use odonata_endpoint::{Endpoint, Message, Nic};
use odonata_mpi::MpiRank;
use odonata_units::Instant;

use crate::open_loop::source::OpenLoopSource;
use crate::shared_node::SharedNode;

/// Endpoint of one node.
pub enum NodeEndpoint {
    /// Nothing.
    Idle,
    /// Sends messages at a given rate.
    OpenLoop(OpenLoopSource),
    /// Runs a rank of an MPI job.
    Rank(Box<MpiRank>),
    /// Runs several ranks of an MPI job.
    Ranks(Box<SharedNode>),
}

impl NodeEndpoint {
    /// The ranks that it runs, by their local ranks.
    #[must_use]
    pub fn ranks(&self) -> &[MpiRank] {
        match self {
            Self::Idle | Self::OpenLoop(_) => &[],
            Self::Rank(rank) => std::slice::from_ref(&**rank),
            Self::Ranks(node) => node.ranks(),
        }
    }

    /// The rank with a local rank.
    #[must_use]
    pub fn rank_at(&self, local_rank: u8) -> Option<&MpiRank> {
        match self {
            Self::Idle | Self::OpenLoop(_) => None,
            Self::Rank(rank) => Some(rank),
            Self::Ranks(node) => node.rank_at(local_rank),
        }
    }

    /// The rank with a local rank, before it begins.
    pub fn rank_at_mut(&mut self, local_rank: u8) -> Option<&mut MpiRank> {
        match self {
            Self::Idle | Self::OpenLoop(_) => None,
            Self::Rank(rank) => Some(rank),
            Self::Ranks(node) => node.rank_at_mut(local_rank),
        }
    }

    /// The job of the rank with a local rank, where several ranks share the node.
    #[must_use]
    pub fn job_at(&self, local_rank: u8) -> Option<u8> {
        match self {
            Self::Idle | Self::OpenLoop(_) | Self::Rank(_) => None,
            Self::Ranks(node) => node.job_at(local_rank),
        }
    }

    /// Payload of a message, where it sends messages at a given rate.
    #[must_use]
    pub const fn message_bytes(&self) -> Option<u64> {
        match self {
            Self::OpenLoop(source) => Some(source.message_bytes()),
            Self::Idle | Self::Rank(_) | Self::Ranks(_) => None,
        }
    }

    /// The longest time in which nothing may come as a rule, ps, where it sends messages at a given
    /// rate.
    #[must_use]
    pub fn longest_cycle_ps(&self) -> Option<f64> {
        match self {
            Self::OpenLoop(source) => Some(source.longest_cycle_ps()),
            Self::Idle | Self::Rank(_) | Self::Ranks(_) => None,
        }
    }

    /// The ranks that it runs, before they begin.
    pub fn ranks_mut(&mut self) -> &mut [MpiRank] {
        match self {
            Self::Idle | Self::OpenLoop(_) => &mut [],
            Self::Rank(rank) => std::slice::from_mut(&mut **rank),
            Self::Ranks(node) => node.ranks_mut(),
        }
    }
}

impl Endpoint for NodeEndpoint {
    #[inline]
    fn next_wake(&self) -> Instant {
        match self {
            Self::Idle | Self::OpenLoop(_) => Instant::NEVER,
            Self::Rank(rank) => rank.next_wake(),
            Self::Ranks(node) => node.next_wake(),
        }
    }

    #[inline]
    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        match self {
            Self::Idle | Self::OpenLoop(_) => {}
            Self::Rank(rank) => rank.wake(now, nic),
            Self::Ranks(node) => node.wake(now, nic),
        }
    }

    #[inline]
    fn deliver(&mut self, now: Instant, message: &Message) {
        match self {
            Self::Idle | Self::OpenLoop(_) => {}
            Self::Rank(rank) => rank.deliver(now, message),
            Self::Ranks(node) => node.deliver(now, message),
        }
    }

    #[inline(always)]
    fn pull(&mut self) -> Option<(Instant, Message)> {
        match self {
            Self::Idle | Self::Rank(_) | Self::Ranks(_) => None,
            Self::OpenLoop(source) => source.pull(),
        }
    }

    #[inline]
    fn is_finished(&self) -> bool {
        match self {
            Self::Idle => true,
            Self::OpenLoop(_) => false,
            Self::Rank(rank) => rank.is_finished(),
            Self::Ranks(node) => node.is_finished(),
        }
    }
}
