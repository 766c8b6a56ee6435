//! Recursive doubling.

use super::parts::{Block, Primitive, Shape};

/// Steps of recursive doubling; a barrier is one of no bytes.
///
/// With `fold` ranks beyond the largest power of two, the even ones of the first `2 * fold` send
/// their data to the next odd rank, stay out, and get the result from it at the end.
pub(super) fn step(shape: &Shape, step: u32) -> Primitive {
    let bytes = shape.sizes.whole();
    let rounds = shape.size.ilog2();
    let power = 1_u32 << rounds;
    let fold = shape.size - power;
    let rank = shape.rank;
    let folded = rank < 2 * fold;
    if folded && rank.is_multiple_of(2) {
        let peer = rank + 1;
        return match step {
            0 => Primitive::Send {
                peer,
                bytes,
                block: Block::one(0),
            },
            1 => Primitive::Recv {
                peer,
                bytes,
                block: Block::one(0),
            },
            _ => Primitive::Done,
        };
    }
    let Some(step) = step.checked_sub(u32::from(folded)) else {
        return Primitive::Recv {
            peer: rank - 1,
            bytes,
            block: Block::combined(0),
        };
    };
    let place = if folded { rank / 2 } else { rank - fold };
    let (round, part) = (step / 3, step % 3);
    if round < rounds {
        let other = place ^ (1 << round);
        let peer = if other < fold {
            other * 2 + 1
        } else {
            other + fold
        };
        return match part {
            0 => Primitive::Irecv {
                peer,
                bytes,
                block: Block::combined(0),
            },
            1 => Primitive::Isend {
                peer,
                bytes,
                block: Block::one(0),
            },
            _ => Primitive::WaitAll,
        };
    }
    if folded && step == 3 * rounds {
        return Primitive::Send {
            peer: rank - 1,
            bytes,
            block: Block::one(0),
        };
    }
    Primitive::Done
}
