//! The plain way: the root with everybody in turn, or a chain.

use super::parts::{Block, CollectiveKind, Primitive, Shape};

/// Steps of the linear gather, scatter and scan.
///
/// Gather: the root posts a receive from every other rank and waits; the others send. Scatter:
/// the root posts a send to every other rank and waits; the others receive. Scan: receive from
/// rank `r - 1`, combine, send to rank `r + 1`.
pub(super) fn step(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    match kind {
        CollectiveKind::Scan => chain(shape, step),
        CollectiveKind::Gather => star(shape, step, Direction::In),
        _ => star(shape, step, Direction::Out),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    In,
    Out,
}

fn star(shape: &Shape, step: u32, direction: Direction) -> Primitive {
    let (rank, root, size) = (shape.rank, shape.root, shape.size);
    if rank != root {
        let block = Block::one(rank);
        let (sent, received) = (
            shape.sizes.block(rank, size),
            shape.incoming.block(rank, size),
        );
        return match (step, direction) {
            (0, Direction::In) => Primitive::Send {
                peer: root,
                bytes: sent,
                block,
            },
            (0, Direction::Out) => Primitive::Recv {
                peer: root,
                bytes: received,
                block,
            },
            _ => Primitive::Done,
        };
    }
    if step < size - 1 {
        let peer = if step < root { step } else { step + 1 };
        let block = Block::one(peer);
        let (sent, received) = (
            shape.sizes.block(peer, size),
            shape.incoming.block(peer, size),
        );
        return match direction {
            Direction::In => Primitive::Irecv {
                peer,
                bytes: received,
                block,
            },
            Direction::Out => Primitive::Isend {
                peer,
                bytes: sent,
                block,
            },
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
        return Primitive::Recv {
            peer: shape.rank - 1,
            bytes,
            block: Block::combined(0),
        };
    };
    if after == 0 && shape.rank + 1 < shape.size {
        return Primitive::Send {
            peer: shape.rank + 1,
            bytes,
            block: Block::one(0),
        };
    }
    Primitive::Done
}
