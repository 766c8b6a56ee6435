//! Neighbour exchange: an allgather between neighbours only (Chen, Zhang, Zhang and Yuan 2005).

use super::parts::{BlockRange, Primitive, Shape};

/// Steps of the allgather among an even number of ranks.
///
/// First pairs (0, 1), (2, 3), ... exchange their blocks. Then each rank turns to its other
/// neighbour and back, in each of `n / 2 - 1` rounds passing on the two blocks it heard last.
pub(super) fn step(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3, step % 3);
    let (rank, size) = (shape.rank, shape.size);
    if round >= size / 2 {
        return Primitive::Done;
    }
    let (first, count) = if round == 0 {
        (rank, 1)
    } else {
        (heard(rank, size, round - 1), 2)
    };
    let peer = peer(rank, size, round);
    let (from, expected) = if round == 0 {
        (peer, 1)
    } else {
        (heard(rank, size, round), 2)
    };
    match part {
        0 => Primitive::irecv(
            peer,
            shape.sizes.sum(from, expected, size),
            BlockRange::range(from, expected),
        ),
        1 => Primitive::isend(
            peer,
            shape.sizes.sum(first, count, size),
            BlockRange::range(first, count),
        ),
        _ => Primitive::WaitAll,
    }
}

/// Even ranks turn to the right in even rounds, odd ranks to the left.
const fn peer(rank: u32, size: u32, round: u32) -> u32 {
    if (rank + round).is_multiple_of(2) {
        (rank + 1) % size
    } else {
        (rank + size - 1) % size
    }
}

/// First of the two blocks heard in a round (in round 0: those of the own pair). By turns they are
/// of a pair on either side, each time two ranks further away.
const fn heard(rank: u32, size: u32, round: u32) -> u32 {
    let pair = rank - rank % 2;
    let away = round + round % 2;
    if rank.is_multiple_of(2) == round.is_multiple_of(2) {
        (pair + away) % size
    } else {
        (pair + size - away) % size
    }
}
