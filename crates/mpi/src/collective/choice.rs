//! Which algorithm a library takes: its limits on sizes and numbers of ranks.

use super::algorithm::Algorithm;
use super::parts::{CollectiveKind, Shape, Sizes};

const KIB: u64 = 1_024;

/// Payload up to which the double tree is taken in `nccl-like`, bytes. Assumed: NCCL decides by a
/// model of its machine, which for two or more nodes turns from trees to rings at about 1 MiB.
const NCCL_TREE: u64 = 1_024 * KIB;

/// The algorithm itself for one that is no choice.
///
/// All ranks of a communicator come to the same answer: it depends on what all of them know.
pub(super) fn settled(kind: CollectiveKind, algorithm: Algorithm, shape: &Shape) -> Algorithm {
    let chosen = match algorithm {
        Algorithm::Mpich => mpich(kind, shape),
        Algorithm::OpenMpi => open_mpi(kind, shape),
        Algorithm::NcclLike => nccl_like(kind, shape),
        given => given,
    };
    possible(kind, chosen, shape)
}

/// Algorithm in place of one that does not exist for this case.
fn possible(kind: CollectiveKind, algorithm: Algorithm, shape: &Shape) -> Algorithm {
    use CollectiveKind as Kind;
    match (kind, algorithm) {
        // Who passes blocks of others on would have to know their sizes.
        (Kind::Gather | Kind::Scatter, Algorithm::Binomial) if is_individual(shape) => {
            Algorithm::Linear
        }
        (Kind::Alltoall, Algorithm::Bruck) if is_individual(shape) => Algorithm::Pairwise,
        (Kind::Allgather, Algorithm::NeighborExchange) if !shape.size.is_multiple_of(2) => {
            Algorithm::Ring
        }
        _ => algorithm,
    }
}

/// Whether blocks have sizes of their own (the v in `alltoallv`).
const fn is_individual(shape: &Shape) -> bool {
    !matches!(shape.sizes, Sizes::Uniform(_) | Sizes::Cut(_))
        || matches!(shape.incoming, Sizes::Each(_) | Sizes::Own(_))
}

/// Bytes of all blocks together.
fn total(shape: &Shape) -> u64 {
    shape.sizes.sum(0, shape.size, shape.size)
}

/// MPICH 3.1 to 4.0: `MPIR_CVAR_*_MSG_SIZE` at their defaults, one rank per node.
fn mpich(kind: CollectiveKind, shape: &Shape) -> Algorithm {
    use CollectiveKind as Kind;
    let (bytes, size) = (shape.sizes.whole(), shape.size);
    let is_power = size.is_power_of_two();
    // Less than a byte for each of the blocks that would be made.
    let is_tiny = bytes < 1 << size.ilog2();
    match kind {
        Kind::Barrier => Algorithm::Dissemination,
        Kind::Bcast if bytes < 12_288 || size < 8 => Algorithm::Binomial,
        Kind::Bcast if bytes < 512 * KIB && is_power => Algorithm::ScatterDoubling,
        Kind::Bcast => Algorithm::ScatterRing,
        Kind::Reduce if bytes <= 2_048 || is_tiny => Algorithm::Binomial,
        Kind::Allreduce if bytes <= 2_048 || is_tiny => Algorithm::RecursiveDoubling,
        Kind::Reduce | Kind::Allreduce => Algorithm::Rabenseifner,
        Kind::Alltoall if is_individual(shape) => Algorithm::Linear,
        Kind::Alltoall if bytes <= 256 && size >= 8 => Algorithm::Bruck,
        Kind::Alltoall if bytes <= 32 * KIB => Algorithm::Linear,
        Kind::Alltoall => Algorithm::Pairwise,
        Kind::Allgather if total(shape) < 512 * KIB && is_power => Algorithm::RecursiveDoubling,
        Kind::Allgather if total(shape) < 80 * KIB => Algorithm::Bruck,
        Kind::Allgather => Algorithm::Ring,
        Kind::ReduceScatter if total(shape) < 512 * KIB => Algorithm::RecursiveHalving,
        Kind::ReduceScatter => Algorithm::Pairwise,
        Kind::Gather | Kind::Scatter => Algorithm::Binomial,
        Kind::Scan => Algorithm::RecursiveDoubling,
    }
}

/// Open MPI 1.3: the fixed decisions of its component `tuned`.
#[expect(
    clippy::cast_precision_loss,
    reason = "its limits are lines in floating point"
)]
fn open_mpi(kind: CollectiveKind, shape: &Shape) -> Algorithm {
    use CollectiveKind as Kind;
    let (bytes, size) = (shape.sizes.whole(), shape.size);
    let is_power = size.is_power_of_two();
    match kind {
        Kind::Barrier if is_power => Algorithm::RecursiveDoubling,
        Kind::Barrier => Algorithm::Dissemination,
        Kind::Bcast if bytes < 2_048 => Algorithm::Binomial,
        // There the tree is split in two and its halves are cut into segments of 1 KiB.
        Kind::Bcast if bytes < 370_728 => Algorithm::BinaryTree,
        Kind::Bcast => Algorithm::Pipeline,
        Kind::Reduce if size < 8 && bytes < 512 => Algorithm::Linear,
        Kind::Reduce if size < 8 && bytes < 20_480 => Algorithm::Binomial,
        Kind::Reduce if bytes < 2_048 => Algorithm::BinaryTree,
        Kind::Reduce if f64::from(size) > 0.6016 / 1_024.0 * bytes as f64 + 1.3496 => {
            Algorithm::BinaryTree
        }
        Kind::Reduce => Algorithm::Pipeline,
        Kind::Allreduce if bytes < 10_000 => Algorithm::RecursiveDoubling,
        Kind::Allreduce => Algorithm::Ring,
        Kind::Alltoall if is_individual(shape) => Algorithm::Pairwise,
        Kind::Alltoall if bytes < 200 && size > 12 => Algorithm::Bruck,
        Kind::Alltoall if bytes < 3_000 => Algorithm::Linear,
        Kind::Alltoall => Algorithm::Pairwise,
        Kind::Allgather if total(shape) < 50_000 && is_power => Algorithm::RecursiveDoubling,
        Kind::Allgather if total(shape) < 50_000 => Algorithm::Bruck,
        Kind::Allgather => Algorithm::NeighborExchange,
        Kind::ReduceScatter
            if total(shape) <= 12 * KIB
                || (total(shape) <= 256 * KIB && is_power)
                || f64::from(size) >= 0.0012 * total(shape) as f64 + 8.0 =>
        {
            Algorithm::RecursiveHalving
        }
        Kind::ReduceScatter => Algorithm::Ring,
        Kind::Gather | Kind::Scatter | Kind::Scan => Algorithm::Linear,
    }
}

/// Rings for what is large, trees for what is small; point-to-point where NCCL has only that.
fn nccl_like(kind: CollectiveKind, shape: &Shape) -> Algorithm {
    use CollectiveKind as Kind;
    match kind {
        Kind::Barrier => Algorithm::DoubleTree,
        Kind::Allreduce if shape.sizes.whole() <= NCCL_TREE => Algorithm::DoubleTree,
        Kind::Allreduce | Kind::Allgather | Kind::ReduceScatter => Algorithm::Ring,
        Kind::Bcast | Kind::Reduce => Algorithm::Pipeline,
        Kind::Alltoall | Kind::Gather | Kind::Scatter | Kind::Scan => Algorithm::Linear,
    }
}
