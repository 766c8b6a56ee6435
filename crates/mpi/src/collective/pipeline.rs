//! A chain of ranks through which the payload passes in segments.

use super::parts::{BlockRange, CollectiveKind, Primitive, Shape};

/// Size of a segment, bytes: one of the four of Open MPI (8, 16, 64, 128 KiB).
pub(super) const SEGMENT: u64 = 65_536;

/// Steps of the pipelined broadcast and reduce, ranks counted from the root.
///
/// Broadcast: segments come from rank `r - 1` and go on to rank `r + 1`; the receive of the next
/// one is posted before the last one is sent on, then both are awaited. Reduce is the same from
/// rank `n - 1` to the root, each rank combining.
pub(super) fn step(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let size = shape.size;
    let relative = (shape.rank + size - shape.root) % size;
    let absolute = |relative: u32| (u64::from(relative) + u64::from(shape.root)) % u64::from(size);
    let peer = |relative| u32::try_from(absolute(relative)).unwrap_or(0);
    let before = (relative > 0).then(|| peer(relative - 1));
    let behind = (relative + 1 < size).then(|| peer(relative + 1));
    let (source, target) = if kind == CollectiveKind::Bcast {
        (before, behind)
    } else {
        (behind, before)
    };
    let combine = kind == CollectiveKind::Reduce;
    let segments = count(shape.sizes.whole());
    let receive = |peer, index| {
        Primitive::irecv(
            peer,
            segment(shape.sizes.whole(), index),
            BlockRange::one(index).combined_if(combine),
        )
    };
    // Turn `t` hears segment `t` and passes segment `t - 1` on.
    let (turn, part) = (step / 3, step % 3);
    let heard = turn < segments;
    let passed = turn.checked_sub(1).filter(|&index| index < segments);
    match (part, source, target) {
        _ if turn > segments => Primitive::Done,
        (0, Some(peer), _) if heard => receive(peer, turn),
        (1, _, Some(peer)) if passed.is_some() => Primitive::isend(
            peer,
            segment(shape.sizes.whole(), turn - 1),
            BlockRange::one(turn - 1),
        ),
        _ => Primitive::WaitAll,
    }
}

/// Segments of a payload, at least one.
fn count(bytes: u64) -> u32 {
    // Beyond 2^32 segments (256 TiB) the last one is the rest.
    u32::try_from(bytes.div_ceil(SEGMENT).max(1)).unwrap_or(u32::MAX)
}

/// Bytes of a segment: all are full but the last one.
fn segment(bytes: u64, index: u32) -> u64 {
    let before = u64::from(index) * SEGMENT;
    if index + 1 == count(bytes) {
        bytes - before
    } else {
        SEGMENT
    }
}
