//! Parallel aggregated trees: a binomial tree for each rank, all at once (Jeaugey 2025).

use super::bruck::rounds;
use super::halving::bytes_of;
use super::parts::{BlockRange, CollectiveKind, Primitive, Set, Shape};

/// Steps of the allgather, and of the reduce-scatter, which is the same backwards.
///
/// In the tree of rank `r` the rank `x` further on hears from the one that lies before it by the
/// lowest set bit of `x`. In the round of a distance all trees use their edges of that length, and
/// what goes to the same rank is one message: the largest distance has the fewest blocks. Allgather
/// begins with it; reduce-scatter begins with distance 1, each rank combining.
pub(super) fn step(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3, step % 3);
    let (rank, size) = (shape.rank, shape.size);
    if round >= rounds(size) {
        return Primitive::Done;
    }
    let reducing = kind == CollectiveKind::ReduceScatter;
    let bit = if reducing {
        round
    } else {
        rounds(size) - 1 - round
    };
    let distance = 1_u32 << bit;
    let (ahead, before) = ((rank + distance) % size, (rank + size - distance) % size);
    // The ranks whose trees go from `holder` to the rank `distance` further on.
    let trees = |holder: u32| BlockRange {
        set: Set::Back {
            first: holder,
            step: 2 * distance,
            count: (size - 1 - distance) / (2 * distance) + 1,
        },
        combine: false,
    };
    let (mine, theirs) = (trees(rank), trees(before));
    let bytes = |block| bytes_of(&shape.sizes, block, size);
    match (part, reducing) {
        (0, false) => Primitive::irecv(before, bytes(theirs), theirs),
        (1, false) => Primitive::isend(ahead, bytes(mine), mine),
        (0, true) => Primitive::irecv(ahead, bytes(mine), mine.combined()),
        (1, true) => Primitive::isend(before, bytes(theirs), theirs),
        _ => Primitive::WaitAll,
    }
}
