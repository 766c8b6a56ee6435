//! Dissemination: everybody hears of everybody in the fewest rounds.

use super::parts::{BlockRange, Primitive, Shape};

/// Steps of the dissemination barrier: in round `r` each rank tells the one `2^r` further on and
/// hears from the one `2^r` before; `ceil(log2 n)` rounds. A round posts its receive, then its
/// send, then waits for both.
pub(super) fn step(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3, step % 3);
    let rounds = u32::BITS - (shape.size - 1).leading_zeros();
    if round >= rounds {
        return Primitive::Done;
    }
    let bytes = shape.sizes.whole();
    let (rank, size) = (u64::from(shape.rank), u64::from(shape.size));
    let peer = |distance: u64| u32::try_from((rank + distance) % size).unwrap_or(0);
    match part {
        0 => Primitive::irecv(peer(size - (1 << round)), bytes, BlockRange::ALL_COMBINED),
        1 => Primitive::isend(peer(1 << round), bytes, BlockRange::ALL),
        _ => Primitive::WaitAll,
    }
}
