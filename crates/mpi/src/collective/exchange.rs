//! All-to-all exchanges; what a rank has for itself never moves.

use super::parts::{BlockRange, Primitive, Shape};

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
        1 => Primitive::send(
            target,
            shape.sizes.block(target, shape.size),
            BlockRange::one(target),
        ),
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
        1 => Primitive::isend(
            target,
            shape.sizes.block(target, shape.size),
            BlockRange::one(target),
        ),
        _ => Primitive::WaitAll,
    }
}

/// Everything at once: receives from `r + 1`, `r + 2`, ... are posted, then sends to `r - 1`,
/// `r - 2`, ..., then all are awaited (Open MPI, basic linear).
pub(super) fn at_once(shape: &Shape, step: u32) -> Primitive {
    let others = shape.size - 1;
    if step < others {
        return incoming(shape, (shape.rank + 1 + step) % shape.size);
    }
    if step < 2 * others {
        let back = step - others + 1;
        let target = (shape.rank + shape.size - back) % shape.size;
        return Primitive::isend(
            target,
            shape.sizes.block(target, shape.size),
            BlockRange::one(target),
        );
    }
    if step == 2 * others {
        Primitive::WaitAll
    } else {
        Primitive::Done
    }
}

/// Reduce-scatter, rounds `1..n`: the block of rank `r + i` goes there, the own one is combined
/// with what rank `r - i` has for it.
pub(super) fn pairwise_reduce(shape: &Shape, step: u32) -> Primitive {
    let (round, part) = (step / 3 + 1, step % 3);
    if round >= shape.size {
        return Primitive::Done;
    }
    let source = (shape.rank + shape.size - round) % shape.size;
    let target = (shape.rank + round) % shape.size;
    match part {
        0 => Primitive::irecv(
            source,
            shape.sizes.block(shape.rank, shape.size),
            BlockRange::one(shape.rank).combined(),
        ),
        1 => Primitive::isend(
            target,
            shape.sizes.block(target, shape.size),
            BlockRange::one(target),
        ),
        _ => Primitive::WaitAll,
    }
}

fn incoming(shape: &Shape, source: u32) -> Primitive {
    Primitive::irecv(
        source,
        shape.incoming.block(source, shape.size),
        BlockRange::one(source),
    )
}
