//! The words of collectives: which one, in what sizes, and the steps an algorithm is made of.

use std::sync::Arc;

use super::algorithm::Algorithm;

// The algorithms of each collective, its default first, choices last.

const BARRIER: [Algorithm; 9] = [
    Algorithm::BinaryTree,
    Algorithm::RecursiveDoubling,
    Algorithm::Dissemination,
    Algorithm::DoubleTree,
    Algorithm::Bine,
    Algorithm::Hierarchical,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const BCAST: [Algorithm; 11] = [
    Algorithm::BinaryTree,
    Algorithm::Binomial,
    Algorithm::Linear,
    Algorithm::Pipeline,
    Algorithm::ScatterDoubling,
    Algorithm::ScatterRing,
    Algorithm::Bine,
    Algorithm::Hierarchical,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const REDUCE: [Algorithm; 10] = [
    Algorithm::BinaryTree,
    Algorithm::Binomial,
    Algorithm::Linear,
    Algorithm::Pipeline,
    Algorithm::Rabenseifner,
    Algorithm::Bine,
    Algorithm::Hierarchical,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const ALLREDUCE: [Algorithm; 13] = [
    Algorithm::BinaryTree,
    Algorithm::RecursiveDoubling,
    Algorithm::Rabenseifner,
    Algorithm::Ring,
    Algorithm::DoubleTree,
    Algorithm::PipelinedTrees,
    Algorithm::RingChannels,
    Algorithm::Bine,
    Algorithm::BineHalving,
    Algorithm::Hierarchical,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const ALLTOALL: [Algorithm; 7] = [
    Algorithm::RingRounds,
    Algorithm::Pairwise,
    Algorithm::Linear,
    Algorithm::Bruck,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const ALLGATHER: [Algorithm; 9] = [
    Algorithm::Ring,
    Algorithm::RecursiveDoubling,
    Algorithm::Bruck,
    Algorithm::NeighborExchange,
    Algorithm::Pat,
    Algorithm::Bine,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const REDUCE_SCATTER: [Algorithm; 8] = [
    Algorithm::Ring,
    Algorithm::RecursiveHalving,
    Algorithm::Pairwise,
    Algorithm::Pat,
    Algorithm::Bine,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const GATHER: [Algorithm; 5] = [
    Algorithm::Linear,
    Algorithm::Binomial,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

const SCAN: [Algorithm; 5] = [
    Algorithm::Linear,
    Algorithm::RecursiveDoubling,
    Algorithm::Mpich,
    Algorithm::OpenMpi,
    Algorithm::NcclLike,
];

/// Which collective.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CollectiveKind {
    /// Nobody leaves before everybody has come.
    Barrier,
    /// The root's data to everybody.
    Bcast,
    /// Everybody's data combined at the root.
    Reduce,
    /// Everybody's data combined at everybody.
    Allreduce,
    /// A block from everybody to everybody.
    Alltoall,
    /// Everybody's block to everybody.
    Allgather,
    /// Everybody's block to the root.
    Gather,
    /// A block of the root to everybody.
    Scatter,
    /// Everybody's data combined, block `i` at rank `i`.
    ReduceScatter,
    /// The data of ranks `0..=r` combined at rank `r`.
    Scan,
}

impl CollectiveKind {
    /// Number of collectives.
    pub const COUNT: usize = 10;

    /// All of them, in the order of their indices.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Barrier,
        Self::Bcast,
        Self::Reduce,
        Self::Allreduce,
        Self::Alltoall,
        Self::Allgather,
        Self::Gather,
        Self::Scatter,
        Self::ReduceScatter,
        Self::Scan,
    ];

    /// Dense index, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Name of the MPI parameter that chooses its algorithm.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Barrier => "barrier",
            Self::Bcast => "bcast",
            Self::Reduce => "reduce",
            Self::Allreduce => "allreduce",
            Self::Alltoall => "alltoall",
            Self::Allgather => "allgather",
            Self::Gather => "gather",
            Self::Scatter => "scatter",
            Self::ReduceScatter => "reduce_scatter",
            Self::Scan => "scan",
        }
    }

    /// The algorithms it can be carried out by, the default first.
    #[must_use]
    pub const fn algorithms(self) -> &'static [Algorithm] {
        match self {
            Self::Barrier => &BARRIER,
            Self::Bcast => &BCAST,
            Self::Reduce => &REDUCE,
            Self::Allreduce => &ALLREDUCE,
            Self::Alltoall => &ALLTOALL,
            Self::Allgather => &ALLGATHER,
            Self::ReduceScatter => &REDUCE_SCATTER,
            Self::Gather | Self::Scatter => &GATHER,
            Self::Scan => &SCAN,
        }
    }
}

/// Which of the blocks a collective moves are in a message.
///
/// What a block is depends on the collective: the block of rank `i` for rings, gathers and
/// scatters; a segment for pipelines; one of as many blocks as the largest power of two up to the
/// number of ranks for Rabenseifner's; for alltoall the block is named after the receiver when it
/// is sent and after the sender when it is received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockRange {
    /// Which blocks.
    pub set: Set,
    /// Whether a receiver combines the data with its own instead of replacing it.
    pub combine: bool,
}

/// A set of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    /// All of them: the whole payload.
    All,
    /// `count` blocks from `first` on; behind the last one comes the first one.
    Range {
        /// First block.
        first: u32,
        /// Number of blocks.
        count: u32,
    },
    /// The blocks whose number has this bit set.
    Bit(u32),
    /// `count` blocks from `first` on backwards, each `step` before the last one; before the first
    /// block comes the last one.
    Back {
        /// First block.
        first: u32,
        /// From one block to the next one.
        step: u32,
        /// Number of blocks.
        count: u32,
    },
    /// The blocks of the ranks at `count` positions from `first` on of a Bine butterfly.
    Bine {
        /// First position.
        first: u32,
        /// Number of positions.
        count: u32,
    },
}

impl BlockRange {
    pub(super) const ALL: Self = Self {
        set: Set::All,
        combine: false,
    };

    /// As [`BlockRange::ALL`], combined with what the receiver has.
    pub(super) const ALL_COMBINED: Self = Self::ALL.combined();

    pub(super) const fn one(index: u32) -> Self {
        Self::range(index, 1)
    }

    pub(super) const fn range(first: u32, count: u32) -> Self {
        Self {
            set: Set::Range { first, count },
            combine: false,
        }
    }

    pub(super) const fn combined(self) -> Self {
        Self {
            combine: true,
            ..self
        }
    }

    /// Combined with what the receiver has if `combine` says so.
    pub(super) const fn combined_if(self, combine: bool) -> Self {
        Self { combine, ..self }
    }
}

/// One point-to-point step of a collective; peers are ranks of the communicator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    /// Send.
    Send {
        /// Receiver.
        peer: u32,
        /// Payload bytes.
        bytes: u64,
        /// Blocks that are sent.
        block: BlockRange,
        /// Whether the next step waits for it.
        blocking: bool,
    },
    /// Receive.
    Receive {
        /// Sender.
        peer: u32,
        /// Payload bytes; `u64::MAX`: as large as it comes.
        bytes: u64,
        /// Where it goes.
        block: BlockRange,
        /// Whether the next step waits for it.
        blocking: bool,
    },
    /// Until all nonblocking steps so far are complete.
    WaitAll,
    /// The collective is over for this rank.
    Done,
}

impl Primitive {
    /// Blocking send.
    pub(super) const fn send(peer: u32, bytes: u64, block: BlockRange) -> Self {
        Self::sent(peer, bytes, block, true)
    }

    /// Nonblocking send.
    pub(super) const fn isend(peer: u32, bytes: u64, block: BlockRange) -> Self {
        Self::sent(peer, bytes, block, false)
    }

    const fn sent(peer: u32, bytes: u64, block: BlockRange, blocking: bool) -> Self {
        Self::Send {
            peer,
            bytes,
            block,
            blocking,
        }
    }

    /// Blocking receive.
    pub(super) const fn recv(peer: u32, bytes: u64, block: BlockRange) -> Self {
        Self::received(peer, bytes, block, true)
    }

    /// Nonblocking receive.
    pub(super) const fn irecv(peer: u32, bytes: u64, block: BlockRange) -> Self {
        Self::received(peer, bytes, block, false)
    }

    const fn received(peer: u32, bytes: u64, block: BlockRange, blocking: bool) -> Self {
        Self::Receive {
            peer,
            bytes,
            block,
            blocking,
        }
    }

    /// This primitive with another name for the peer.
    pub(super) fn with_peer(mut self, name: impl Fn(u32) -> u32) -> Self {
        if let Self::Send { peer, .. } | Self::Receive { peer, .. } = &mut self {
            *peer = name(*peer);
        }
        self
    }
}

/// Sizes of the blocks of a collective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sizes {
    /// Every block.
    Uniform(u64),
    /// Block by block.
    Each(Arc<[u64]>),
    /// One payload cut into as many nearly equal blocks as there are ranks.
    Cut(u64),
    /// This rank's block; those of other ranks differ and are not known here.
    Own(u64),
    /// Not known here.
    Unknown,
}

impl Sizes {
    /// The sizes of a list, or what holds without one.
    pub(crate) fn each_or(sizes: Arc<[u64]>, otherwise: Self) -> Self {
        if sizes.is_empty() {
            otherwise
        } else {
            Self::Each(sizes)
        }
    }

    /// Puts `size` of each size in its place.
    pub fn replace(&mut self, size: impl Fn(u64) -> u64) {
        match self {
            Self::Uniform(bytes) | Self::Cut(bytes) | Self::Own(bytes) => *bytes = size(*bytes),
            Self::Each(sizes) => *sizes = sizes.iter().map(|&bytes| size(bytes)).collect(),
            Self::Unknown => {}
        }
    }

    /// The whole payload where there is one block.
    pub(super) fn whole(&self) -> u64 {
        match self {
            Self::Uniform(bytes) | Self::Cut(bytes) | Self::Own(bytes) => *bytes,
            Self::Each(sizes) => sizes.iter().sum(),
            Self::Unknown => u64::MAX,
        }
    }

    /// Block `index` of `count`; 0 if there is no such block.
    pub(super) fn block(&self, index: u32, count: u32) -> u64 {
        match self {
            Self::Uniform(bytes) | Self::Own(bytes) => *bytes,
            Self::Each(sizes) => sizes.get(index as usize).copied().unwrap_or(0),
            Self::Cut(_) => self.range(index, 1, count),
            Self::Unknown => u64::MAX,
        }
    }

    /// `blocks` blocks from `first` on, of `count` in a ring.
    pub(super) fn sum(&self, first: u32, blocks: u32, count: u32) -> u64 {
        let behind = (first + blocks).saturating_sub(count);
        match self {
            Self::Uniform(bytes) | Self::Own(bytes) => bytes.saturating_mul(u64::from(blocks)),
            Self::Cut(_) => {
                self.range(first, blocks - behind, count) + self.range(0, behind, count)
            }
            Self::Each(_) => (first..first + blocks)
                .map(|index| self.block(index % count, count))
                .sum(),
            Self::Unknown => u64::MAX,
        }
    }

    /// `blocks` blocks from `first` on, of a payload cut into `count`.
    pub(super) fn range(&self, first: u32, blocks: u32, count: u32) -> u64 {
        let bytes = u128::from(self.whole());
        let cut = |i: u64| bytes * u128::from(i) / u128::from(count);
        let (from, to) = (u64::from(first), u64::from(first) + u64::from(blocks));
        u64::try_from(cut(to) - cut(from)).unwrap_or(u64::MAX)
    }
}

/// Arguments of a collective, as one rank sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Position of this rank.
    pub rank: u32,
    /// Number of ranks, at least 1.
    pub size: u32,
    /// Root, for the collectives that have one.
    pub root: u32,
    /// Sizes of the blocks; where both ways differ (alltoall, gather, scatter) those sent.
    pub sizes: Sizes,
    /// Alltoall, gather, scatter: sizes of the blocks received.
    pub incoming: Sizes,
}
