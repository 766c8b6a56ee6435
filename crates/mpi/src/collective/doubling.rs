//! Doubling: the whole payload to one partner after the other.

use super::butterfly::{Butterfly, Frame, Wiring};
use super::parts::{BlockRange, Primitive, Shape};

/// Steps of an exchange of whole payloads on a butterfly; a barrier is one of no bytes.
///
/// A round posts its receive, then its send, then waits for both. Each round but the last meets
/// ranks that know of twice as many others.
pub(super) fn step(wiring: Wiring, shape: &Shape, step: u32) -> Primitive {
    let butterfly = Butterfly::new(shape.size, wiring);
    let (rank, bytes) = (shape.rank, shape.sizes.whole());
    let (known, added) = (BlockRange::ALL, BlockRange::ALL_COMBINED);
    match butterfly.frame(rank, step, butterfly.rounds) {
        Frame::HandOver => send(rank + 1, bytes, known),
        Frame::Hear => receive(rank + 1, bytes, known),
        Frame::TakeOver => receive(rank - 1, bytes, added),
        Frame::Tell => send(rank - 1, bytes, known),
        Frame::Turn(round, part) => {
            let other = butterfly.partner(butterfly.vrank(rank), round);
            let peer = butterfly.rank(other);
            match part {
                0 => Primitive::irecv(peer, bytes, added),
                1 => Primitive::isend(peer, bytes, known),
                _ => Primitive::WaitAll,
            }
        }
        Frame::Done => Primitive::Done,
    }
}

/// Steps of the scan by recursive doubling (MPICH): in round `r` partners at distance `2^r`
/// exchange the sum of their halves, where both exist. What comes from a lower rank also counts
/// in the own result.
pub(super) fn scan(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3, step % 3);
    let rounds = u32::BITS - (shape.size - 1).leading_zeros();
    // Rounds without a partner have no steps: count only those with one.
    let met = (0..rounds).filter(|&round| (shape.rank ^ (1 << round)) < shape.size);
    let Some(peer) = met
        .map(|round| shape.rank ^ (1 << round))
        .nth(round as usize)
    else {
        return Primitive::Done;
    };
    let bytes = shape.sizes.whole();
    match part {
        0 => Primitive::irecv(peer, bytes, BlockRange::one(1).combined()),
        1 => Primitive::isend(peer, bytes, BlockRange::one(1)),
        _ => Primitive::WaitAll,
    }
}

const fn send(peer: u32, bytes: u64, block: BlockRange) -> Primitive {
    Primitive::send(peer, bytes, block)
}

const fn receive(peer: u32, bytes: u64, block: BlockRange) -> Primitive {
    Primitive::recv(peer, bytes, block)
}
