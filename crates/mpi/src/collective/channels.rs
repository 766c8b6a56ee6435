//! Channels: as many rings as a node has ranks, each with its share of the payload (NCCL).

use super::groups::Groups;
use super::parts::{BlockRange, CollectiveKind, Primitive, Set, Shape, Sizes};
use super::ring;

/// Steps of an allreduce by rings on nodes of equally many ranks.
///
/// Ring `c` visits the nodes in order, and the ranks of each from number `c` on: it enters every
/// node at another rank than the other rings, and leaves it at another one, so that all NICs of a
/// node take part. A round posts the receives of all rings, then their sends, then waits for all.
pub(super) fn step(groups: &Groups, shape: &Shape, step: u32) -> Primitive {
    let (size, width) = (shape.size, groups.width().unwrap_or(1));
    let (round, part) = (step / (2 * width + 1), step % (2 * width + 1));
    let (channel, third) = (part % width, part / width);
    let node = groups.of(shape.rank);
    let local = groups
        .members(node)
        .iter()
        .position(|one| *one == shape.rank);
    let local = u32::try_from(local.unwrap_or(0)).unwrap_or(0);
    let of_channel = Shape {
        rank: node * width + (local + width - channel) % width,
        sizes: Sizes::Cut(0),
        incoming: Sizes::Unknown,
        ..*shape
    };
    let made = ring::step(CollectiveKind::Allreduce, &of_channel, 3 * round + third);
    let mut made = made.with_peer(|position| {
        groups.members(position / width)[((position % width + channel) % width) as usize]
    });
    if let Primitive::Send { bytes, block, .. } | Primitive::Receive { bytes, block, .. } =
        &mut made
        && let Set::Range { first, .. } = block.set
    {
        let index = channel * size + first;
        *bytes = shape.sizes.range(index, 1, width * size);
        *block = BlockRange::one(index).combined_if(block.combine);
    }
    made
}
