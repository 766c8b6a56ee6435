//! What runs on one node of a job.

use odonata_mpi::MpiRank;
use odonata_network::{Endpoint, Message, Nic};
use odonata_units::Instant;

use crate::open_loop::source::OpenLoopSource;

/// What one node does.
pub enum NodeEndpoint {
    /// Nothing.
    Idle,
    /// Sends messages at a given rate.
    OpenLoop(OpenLoopSource),
    /// Runs a rank of an MPI job.
    Rank(Box<MpiRank>),
}

impl Endpoint for NodeEndpoint {
    #[inline]
    fn next_wake(&self) -> Instant {
        match self {
            Self::Idle | Self::OpenLoop(_) => Instant::NEVER,
            Self::Rank(rank) => rank.next_wake(),
        }
    }

    #[inline]
    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        match self {
            Self::Idle | Self::OpenLoop(_) => {}
            Self::Rank(rank) => rank.wake(now, nic),
        }
    }

    #[inline]
    fn deliver(&mut self, now: Instant, message: &Message) {
        match self {
            Self::Idle | Self::OpenLoop(_) => {}
            Self::Rank(rank) => rank.deliver(now, message),
        }
    }

    #[inline(always)]
    fn pull(&mut self) -> Option<(Instant, Message)> {
        match self {
            Self::Idle | Self::Rank(_) => None,
            Self::OpenLoop(source) => Some(source.next_message()),
        }
    }

    #[inline]
    fn is_finished(&self) -> bool {
        match self {
            Self::Idle => true,
            Self::OpenLoop(_) => false,
            Self::Rank(rank) => rank.is_finished(),
        }
    }
}
