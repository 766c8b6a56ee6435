//! Rings: blocks passed to the right neighbour.

use super::parts::{BlockRange, CollectiveKind, Primitive, Shape};

/// Steps of a ring of `n` ranks.
///
/// Reduce-scatter: in round `s` rank `r` sends block `r - s - 1` and combines block `r - s - 2`,
/// so that after `n - 1` rounds block `r` is complete at rank `r`. Allgather: in round `s` it
/// sends block `r - s` and receives block `r - s - 1`. Allreduce is one after the other. A round
/// posts its receive, then its send, then waits for both.
pub(super) fn step(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let rounds = shape.size - 1;
    let (round, part) = (step / 3, step % 3);
    let (reducing, round) = match kind {
        CollectiveKind::ReduceScatter => (true, round),
        CollectiveKind::Allreduce if round < rounds => (true, round),
        CollectiveKind::Allreduce => (false, round - rounds),
        _ => (false, round),
    };
    if round >= rounds {
        return Primitive::Done;
    }
    let before = |back: u32| modulo(shape.rank, back, shape.size);
    let (outgoing, incoming) = if reducing {
        (before(round + 1), before(round + 2))
    } else {
        (before(round), before(round + 1))
    };
    let size = |index| shape.sizes.block(index, shape.size);
    match part {
        0 => Primitive::irecv(
            before(1),
            size(incoming),
            BlockRange::one(incoming).combined_if(reducing),
        ),
        1 => Primitive::isend(
            (shape.rank + 1) % shape.size,
            size(outgoing),
            BlockRange::one(outgoing),
        ),
        _ => Primitive::WaitAll,
    }
}

/// `rank - back` modulo `size`, `back` at most `2 * size`.
const fn modulo(rank: u32, back: u32, size: u32) -> u32 {
    (rank + 2 * size - back) % size
}
