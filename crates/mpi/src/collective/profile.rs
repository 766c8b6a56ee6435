//! Implementation profiles: which library's choice of algorithms a job follows.

use super::algorithm::Algorithm;
use super::parts::CollectiveKind;

/// A library whose choices are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// SST firefly: one algorithm for each collective, whatever the size.
    Firefly,
    /// The online workloads of CODES: MPICH's allreduce, a dissemination barrier, else firefly's.
    Codes,
    /// MPICH.
    Mpich,
    /// Open MPI.
    OpenMpi,
    /// Much as NCCL.
    NcclLike,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Firefly,
        Self::Codes,
        Self::Mpich,
        Self::OpenMpi,
        Self::NcclLike,
    ];

    /// Registry name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Firefly => "firefly",
            Self::Codes => "codes",
            Self::Mpich => Algorithm::Mpich.name(),
            Self::OpenMpi => Algorithm::OpenMpi.name(),
            Self::NcclLike => Algorithm::NcclLike.name(),
        }
    }

    /// One line on what it chooses.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Firefly => "the first algorithm of each collective, whatever the size",
            Self::Codes => "allreduce as mpich, barrier by dissemination, the others as firefly",
            Self::Mpich => Algorithm::Mpich.summary(),
            Self::OpenMpi => Algorithm::OpenMpi.summary(),
            Self::NcclLike => Algorithm::NcclLike.summary(),
        }
    }

    /// Its limits, in words; `total` is the sum of all blocks, a power one of two ranks.
    #[must_use]
    pub const fn limits(self) -> &'static str {
        match self {
            Self::Firefly => {
                "binary-tree for barrier, bcast, reduce, allreduce; ring-rounds for alltoall; ring \
                 for allgather and reduce_scatter; linear for gather, scatter, scan"
            }
            Self::Codes => {
                "allreduce: recursive-doubling up to 2,048 B, rabenseifner above; barrier: \
                 dissemination; others: firefly"
            }
            Self::Mpich => {
                "barrier: dissemination. bcast: binomial below 12,288 B or 8 ranks, else \
                 scatter-doubling below 524,288 B if ranks are a power, else scatter-ring. reduce: \
                 binomial up to 2,048 B, else rabenseifner. allreduce: recursive-doubling up to \
                 2,048 B, else rabenseifner. alltoall: bruck up to 256 B from 8 ranks on, linear \
                 up to 32,768 B, else pairwise; alltoallv: linear. allgather: recursive-doubling \
                 below 524,288 B in total if a power, bruck below 81,920 B, else ring. \
                 reduce_scatter: recursive-halving below 524,288 B in total, else pairwise. \
                 gather, scatter: binomial, with individual sizes linear. scan: recursive-doubling"
            }
            Self::OpenMpi => {
                "barrier: recursive-doubling if a power, else dissemination. bcast: binomial below \
                 2,048 B, binary-tree below 370,728 B, else pipeline. reduce: linear below 512 B \
                 and binomial below 20,480 B under 8 ranks, binary-tree below 2,048 B or above \
                 0.0005875 b + 1.35 ranks, else pipeline. allreduce: recursive-doubling below \
                 10,000 B, else ring. alltoall: bruck below 200 B from 13 ranks on, linear below \
                 3,000 B, else pairwise; alltoallv: pairwise. allgather below 50,000 B in total: \
                 recursive-doubling if a power, else bruck; else neighbor-exchange. \
                 reduce_scatter: recursive-halving up to 12,288 B in total, up to 262,144 B if a \
                 power, or from 0.0012 total + 8 ranks on; else ring. gather, scatter, scan: linear"
            }
            Self::NcclLike => {
                "allreduce: double-tree up to 1 MiB (assumed), ring above; barrier: double-tree; \
                 allgather, reduce_scatter: ring; bcast, reduce: pipeline; others: linear"
            }
        }
    }

    /// Where its limits are from.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Self::Firefly => "SST firefly, funcSM; the others assumed: firefly lacks them",
            Self::Codes => "CODES, codes-online-comm-wrkld; the others assumed: CODES lacks them",
            Self::Mpich => Algorithm::Mpich.source(),
            Self::OpenMpi => Algorithm::OpenMpi.source(),
            Self::NcclLike => Algorithm::NcclLike.source(),
        }
    }

    /// Its algorithm for a collective: a fixed one, or a choice by size.
    #[must_use]
    pub const fn algorithm(self, kind: CollectiveKind) -> Algorithm {
        match (self, kind) {
            (Self::Codes, CollectiveKind::Allreduce) | (Self::Mpich, _) => Algorithm::Mpich,
            (Self::Codes, CollectiveKind::Barrier) => Algorithm::Dissemination,
            (Self::Firefly | Self::Codes, _) => kind.algorithms()[0],
            (Self::OpenMpi, _) => Algorithm::OpenMpi,
            (Self::NcclLike, _) => Algorithm::NcclLike,
        }
    }
}
