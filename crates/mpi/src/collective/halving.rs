//! Recursive halving, then recursive doubling: Rabenseifner's allreduce.

use super::parts::{Block, Primitive, Shape};

/// Steps of Rabenseifner's allreduce.
///
/// The payload is cut into `power` blocks, `power` the largest power of two up to the number of
/// ranks. In round `r` of the first half partners at distance `2^r` exchange halves of what is
/// left to each, so that after `log2 power` rounds each has one block complete; the second half
/// runs the rounds backwards and gathers the blocks. Ranks beyond the power of two fold in first
/// and are told the result last, as in recursive doubling. A round posts its receive, then its
/// send, then waits for both.
pub(super) fn step(shape: &Shape, step: u32) -> Primitive {
    let rounds = shape.size.ilog2();
    let power = 1_u32 << rounds;
    let fold = shape.size - power;
    let rank = shape.rank;
    let folded = rank < 2 * fold;
    let bytes = shape.sizes.whole();
    let whole = |combine| Block {
        first: 0,
        count: power,
        combine,
    };
    if folded && rank.is_multiple_of(2) {
        let (peer, block) = (rank + 1, whole(false));
        return match step {
            0 => Primitive::Send { peer, bytes, block },
            1 => Primitive::Recv { peer, bytes, block },
            _ => Primitive::Done,
        };
    }
    let Some(step) = step.checked_sub(u32::from(folded)) else {
        let (peer, block) = (rank - 1, whole(true));
        return Primitive::Recv { peer, bytes, block };
    };
    let place = if folded { rank / 2 } else { rank - fold };
    let (turn, part) = (step / 3, step % 3);
    if turn >= 2 * rounds {
        return if folded && step == 6 * rounds {
            let (peer, block) = (rank - 1, whole(false));
            Primitive::Send { peer, bytes, block }
        } else {
            Primitive::Done
        };
    }
    let combine = turn < rounds;
    let round = if combine { turn } else { 2 * rounds - 1 - turn };
    let other = place ^ (1 << round);
    let peer = if other < fold {
        other * 2 + 1
    } else {
        other + fold
    };
    // What a place has after `round` + 1 rounds of halving.
    let kept = |place: u32| (first_block(place, round + 1, rounds), power >> (round + 1));
    let (sent, received) = if combine {
        (kept(other), kept(place))
    } else {
        (kept(place), kept(other))
    };
    let size = |(first, count)| shape.sizes.range(first, count, power);
    match part {
        0 => Primitive::Irecv {
            peer,
            bytes: size(received),
            block: Block {
                first: received.0,
                count: received.1,
                combine,
            },
        },
        1 => Primitive::Isend {
            peer,
            bytes: size(sent),
            block: Block {
                first: sent.0,
                count: sent.1,
                combine: false,
            },
        },
        _ => Primitive::WaitAll,
    }
}

/// First of the blocks left to `place` after `halvings`: in round `r` those with bit `r` set keep
/// the upper half, so the lowest `halvings` bits are reversed into the highest of `rounds` bits.
const fn first_block(place: u32, halvings: u32, rounds: u32) -> u32 {
    let bits = place & ((1 << halvings) - 1);
    bits.reverse_bits() >> (u32::BITS - rounds)
}
