//! All-to-all exchanges; what a rank has for itself never moves.

use super::parts::{Block, Primitive, Shape};

/// Firefly's rounds `1..n`: a receive from rank `r - i` is posted, the send to rank `r + i`
/// blocks, then the receive is awaited.
pub(super) fn ring_rounds(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3 + 1, step % 3);
    if round >= shape.size {
        return Primitive::Done;
    }
    let source = (shape.rank + shape.size - round) % shape.size;
    let target = (shape.rank + round) % shape.size;
    match part {
        0 => incoming(shape, source),
        1 => Primitive::Send {
            peer: target,
            bytes: shape.sizes.block(target, shape.size),
            block: Block::one(target),
        },
        _ => Primitive::WaitAll,
    }
}

/// Rounds `1..n`: receive and send are both posted, then both are awaited.
pub(super) fn pairwise(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3 + 1, step % 3);
    if round >= shape.size {
        return Primitive::Done;
    }
    let (source, target) = if shape.size.is_power_of_two() {
        (shape.rank ^ round, shape.rank ^ round)
    } else {
        (
            (shape.rank + shape.size - round) % shape.size,
            (shape.rank + round) % shape.size,
        )
    };
    match part {
        0 => incoming(shape, source),
        1 => Primitive::Isend {
            peer: target,
            bytes: shape.sizes.block(target, shape.size),
            block: Block::one(target),
        },
        _ => Primitive::WaitAll,
    }
}

fn incoming(shape: &Shape, source: u32) -> Primitive {
    Primitive::Irecv {
        peer: source,
        bytes: shape.incoming.block(source, shape.size),
        block: Block::one(source),
    }
}
