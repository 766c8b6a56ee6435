//! The plain way: the root with everybody in turn, or a chain.

use super::parts::{BlockRange, CollectiveKind, Primitive, Shape};

/// Steps of the linear collectives.
///
/// Gather and reduce: the root posts a receive from every other rank and waits; the others send.
/// Scatter and broadcast: the root posts a send to every other rank and waits; the others
/// receive. Scan: receive from rank `r - 1`, combine, send to rank `r + 1`.
pub(super) fn step(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let whole = |_| (shape.sizes.whole(), BlockRange::ALL);
    let sent = |rank| (shape.sizes.block(rank, shape.size), BlockRange::one(rank));
    let received = |rank| {
        (
            shape.incoming.block(rank, shape.size),
            BlockRange::one(rank),
        )
    };
    match kind {
        CollectiveKind::Scan => chain(shape, step),
        CollectiveKind::Gather => star(shape, step, Direction::In, sent, received),
        CollectiveKind::Scatter => star(shape, step, Direction::Out, sent, received),
        CollectiveKind::Bcast => star(shape, step, Direction::Out, whole, whole),
        _ => star(shape, step, Direction::In, whole, |_| {
            (shape.sizes.whole(), BlockRange::ALL_COMBINED)
        }),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    In,
    Out,
}

fn star(
    shape: &Shape,
    step: u32,
    direction: Direction,
    sent: impl Fn(u32) -> (u64, BlockRange),
    received: impl Fn(u32) -> (u64, BlockRange),
) -> Primitive {
    let (rank, root, size) = (shape.rank, shape.root, shape.size);
    let outwards = direction == Direction::Out;
    if rank != root {
        let ((sent, out), (received, into), peer) = (sent(rank), received(rank), root);
        return match (step, outwards) {
            (0, false) => Primitive::send(peer, sent, out),
            (0, true) => Primitive::recv(peer, received, into),
            _ => Primitive::Done,
        };
    }
    if step < size - 1 {
        let peer = if step < root { step } else { step + 1 };
        let (bytes, block) = if outwards { sent(peer) } else { received(peer) };
        return if outwards {
            Primitive::isend(peer, bytes, block)
        } else {
            Primitive::irecv(peer, bytes, block)
        };
    }
    if step == size - 1 {
        Primitive::WaitAll
    } else {
        Primitive::Done
    }
}

fn chain(shape: &Shape, step: u32) -> Primitive {
    let bytes = shape.sizes.whole();
    let Some(after) = step.checked_sub(u32::from(shape.rank > 0)) else {
        return Primitive::recv(shape.rank - 1, bytes, BlockRange::ALL_COMBINED);
    };
    if after == 0 && shape.rank + 1 < shape.size {
        return Primitive::send(shape.rank + 1, bytes, BlockRange::ALL);
    }
    Primitive::Done
}
