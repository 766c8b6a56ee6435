//! Bruck's rounds: few messages, for small blocks (Bruck, Ho, Kipnis, Upfal and Weathersby 1997).

use super::parts::{BlockRange, Primitive, Set, Shape};

/// Steps of the allgather: in round `r` a rank tells the one `2^r` before it the blocks it has,
/// its own and those of the ranks behind it, and hears those that follow; `ceil(log2 n)` rounds.
pub(super) fn allgather(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3, step % 3);
    if round >= rounds(shape.size) {
        return Primitive::Done;
    }
    let (rank, size, distance) = (shape.rank, shape.size, 1_u32 << round);
    let count = distance.min(size - distance);
    let behind = ahead(rank, distance, size);
    match part {
        0 => Primitive::irecv(
            behind,
            shape.sizes.sum(behind, count, size),
            BlockRange::range(behind, count),
        ),
        1 => Primitive::isend(
            ahead(rank, size - distance, size),
            shape.sizes.sum(rank, count, size),
            BlockRange::range(rank, count),
        ),
        _ => Primitive::WaitAll,
    }
}

/// Steps of the alltoall of blocks of one size.
///
/// What a rank has for the one `i` further on lies in slot `i`. In round `r` the slots with bit
/// `r` set move to the rank `2^r` further on and into the same slots there; `ceil(log2 n)` rounds.
pub(super) fn alltoall(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3, step % 3);
    if round >= rounds(shape.size) {
        return Primitive::Done;
    }
    let (rank, size, distance) = (shape.rank, shape.size, 1_u32 << round);
    let bytes = shape
        .sizes
        .block(0, size)
        .saturating_mul(u64::from(with_bit(size, round)));
    let block = BlockRange {
        set: Set::Bit(round),
        combine: false,
    };
    match part {
        0 => Primitive::irecv(ahead(rank, size - distance, size), bytes, block),
        1 => Primitive::isend(ahead(rank, distance, size), bytes, block),
        _ => Primitive::WaitAll,
    }
}

/// `ceil(log2 size)`.
pub(super) const fn rounds(size: u32) -> u32 {
    u32::BITS - (size - 1).leading_zeros()
}

fn ahead(rank: u32, distance: u32, size: u32) -> u32 {
    let sum = u64::from(rank) + u64::from(distance);
    u32::try_from(sum % u64::from(size)).unwrap_or(0)
}

/// How many numbers below `size` have a bit set.
const fn with_bit(size: u32, bit: u32) -> u32 {
    let half = 1_u64 << bit;
    let size = size as u64;
    let rest = (size % (2 * half)).saturating_sub(half);
    #[expect(clippy::cast_possible_truncation, reason = "at most `size`")]
    {
        (size / (2 * half) * half + rest) as u32
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_with_a_bit_are_counted() {
        for size in 1..70_u32 {
            for bit in 0..7 {
                let counted = (0..size).filter(|number| number >> bit & 1 == 1).count();
                assert_eq!(super::with_bit(size, bit) as usize, counted);
            }
        }
    }
}
