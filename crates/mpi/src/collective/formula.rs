//! Messages of each algorithm, in words.

use super::algorithm::Algorithm;
use super::parts::CollectiveKind;

/// Messages and bytes of a collective among `n` ranks with a payload (or blocks) of `b` bytes;
/// `p` is the largest power of two up to `n`, `L` is `ceil(log2 n)`, `S` the blocks on the edges
/// of a binomial tree: the sum over ranks but the root of the ranks below and including it.
///
/// `crates/mpi/tests/collectives.rs` counts them.
#[must_use]
pub const fn formula(kind: CollectiveKind, algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Mpich | Algorithm::OpenMpi | Algorithm::NcclLike => {
            "those of the algorithm that is chosen"
        }
        Algorithm::Hierarchical => match kind {
            CollectiveKind::Bcast | CollectiveKind::Reduce => {
                "inside k nodes: n - k messages of b; between them those of mpich among k"
            }
            _ => "inside k nodes: 2 (n - k) messages of b; between them those of mpich among k",
        },
        Algorithm::BinaryTree | Algorithm::Binomial | Algorithm::Linear => simple(kind, algorithm),
        Algorithm::RecursiveDoubling | Algorithm::RecursiveHalving | Algorithm::Bine => {
            butterfly(kind)
        }
        Algorithm::Rabenseifner | Algorithm::BineHalving => match kind {
            CollectiveKind::Reduce => {
                "p log2 p + 2 (n - p) + n - 1 messages; (S + n (n - 1) + n - p) b / n bytes"
            }
            _ => "2 p log2 p + 2 (n - p) messages; 2 (n - 1) b bytes",
        },
        Algorithm::Dissemination => "n L messages of no bytes",
        Algorithm::Ring => match kind {
            CollectiveKind::Allreduce => "2 n (n - 1) messages; 2 (n - 1) b bytes",
            _ => "n (n - 1) messages of b",
        },
        Algorithm::RingRounds | Algorithm::Pairwise => "n (n - 1) messages of b",
        Algorithm::Bruck => match kind {
            CollectiveKind::Alltoall => {
                "n L messages; n b times the ones in the binary numbers below n"
            }
            _ => "n L messages; n (n - 1) b bytes",
        },
        Algorithm::NeighborExchange => "n n / 2 messages; n (n - 1) b bytes",
        Algorithm::ScatterDoubling => {
            "p log2 p + 2 (n - p) + n - 1 messages; (S + n (n - 1)) b / n bytes"
        }
        Algorithm::ScatterRing => "(n + 1) (n - 1) messages; (S + n (n - 1)) b / n bytes",
        Algorithm::Pipeline => "n - 1 messages for each 64 KiB; (n - 1) b bytes",
        Algorithm::Pat => "n L messages; n (n - 1) b bytes",
        Algorithm::PipelinedTrees => {
            "4 (n - 1) messages for each segment, b / 128 KiB of them, 1 at least and 64 at most; \
             2 (n - 1) b bytes"
        }
        Algorithm::RingChannels => "w 2 n (n - 1) messages for w ranks a node; 2 (n - 1) b bytes",
        Algorithm::DoubleTree => "4 (n - 1) messages, 2 fewer if n is odd; 2 (n - 1) b bytes",
    }
}

const fn simple(kind: CollectiveKind, algorithm: Algorithm) -> &'static str {
    match (kind, algorithm) {
        (CollectiveKind::Allreduce | CollectiveKind::Barrier, _) => "2 (n - 1) messages of b",
        (CollectiveKind::Alltoall, _) => "n (n - 1) messages of b",
        (CollectiveKind::Gather | CollectiveKind::Scatter, Algorithm::Binomial) => {
            "n - 1 messages; S b bytes"
        }
        _ => "n - 1 messages of b",
    }
}

const fn butterfly(kind: CollectiveKind) -> &'static str {
    match kind {
        CollectiveKind::Bcast | CollectiveKind::Reduce => "n - 1 messages of b",
        CollectiveKind::Allgather => "p log2 p + 2 (n - p) messages; n (n - 1) b bytes",
        CollectiveKind::ReduceScatter => {
            "p log2 p + 2 (n - p) messages; (n (n - 1) + n - p) b bytes"
        }
        CollectiveKind::Scan => {
            "a message of b from each rank to each one whose number differs in one bit"
        }
        _ => "p log2 p + 2 (n - p) messages of b",
    }
}
