//! Two binary trees with half of the payload each (Sanders, Speck and Traeff 2009; NCCL).

use super::parts::{BlockRange, Primitive, Shape};
use super::pipeline::SEGMENT;

/// All steps of an allreduce on two trees; a barrier is one of no bytes.
///
/// The first tree is the binary tree whose in-order sequence is that of the ranks, the second one
/// the same mirrored: who is inside one of them is a leaf of the other. Where the number of ranks
/// is odd the last one hands its payload to the one before it and is told the result by it.
/// A rank tells its parent in the tree in which it is a leaf at once; in the other one it waits for
/// its children, combines and tells. Then the results come down. Cost: at most 12 steps, made when
/// the collective begins.
pub(super) fn steps(shape: &Shape) -> Vec<Primitive> {
    let (rank, bytes) = (shape.rank, shape.sizes.whole());
    let even = shape.size - shape.size % 2;
    if rank == even {
        let (peer, block) = (rank - 1, BlockRange::ALL);
        let hand_over = Primitive::send(peer, bytes, block);
        return vec![hand_over, Primitive::recv(peer, bytes, block)];
    }
    let single = (rank + 1 == even && even < shape.size).then_some(even);
    let block = BlockRange::ALL_COMBINED;
    let take_over = single.map(|peer| Primitive::recv(peer, bytes, block));
    let mut steps: Vec<Primitive> = take_over.into_iter().collect();
    let trees = [0, 1].map(|index| Tree::new(shape, even, index));
    let (leaves, inner): (Vec<_>, Vec<_>) = trees.iter().partition(|tree| tree.is_leaf());
    for tree in leaves.iter().chain(&inner) {
        tree.up(&mut steps);
    }
    for tree in inner.iter().chain(&leaves) {
        tree.down(&mut steps);
    }
    steps.push(Primitive::WaitAll);
    let block = BlockRange::ALL;
    steps.extend(single.map(|peer| Primitive::send(peer, bytes, block)));
    steps
}

/// Segments of half of the payload: of 64 KiB, or 64 of them.
fn segments(bytes: u64) -> u32 {
    u32::try_from((bytes / 2).div_ceil(SEGMENT).clamp(1, 64)).unwrap_or(64)
}

/// All steps of an allreduce on two trees in segments, which go up and down at once.
///
/// Every rank counts the same turns: what is sent in a turn is received in it, so that nobody waits
/// for anybody in a circle. A rank of height `h` (above the leaves) tells its parent segment `s` in
/// turn `s + h`, and one at depth `d` its children in turn `s + H + d`, `H` the height of the root.
/// An odd number of ranks shifts the second tree by one rank instead of mirroring it, as NCCL does.
pub(super) fn pipelined(shape: &Shape) -> Vec<Primitive> {
    let (size, segments) = (shape.size, segments(shape.sizes.whole()));
    let trees = [0, 1].map(|index| Climb::new(shape.rank, size, index));
    let most = 1 + (size - 1).ilog2();
    let mut steps = Vec::new();
    for turn in 0..segments + 2 * most {
        for receives in [true, false] {
            for (index, tree) in (0..).zip(&trees) {
                let part = |after: u32| {
                    let segment = turn
                        .checked_sub(after)
                        .filter(|segment| *segment < segments)?;
                    let block = index * segments + segment;
                    let bytes = shape.sizes.range(block, 1, 2 * segments);
                    Some((bytes, BlockRange::one(block)))
                };
                if receives {
                    tree.hear(most, part, &mut steps);
                } else {
                    tree.tell(most, part, &mut steps);
                }
            }
        }
        steps.push(Primitive::WaitAll);
    }
    steps
}

/// A rank in one of the two trees, with the heights of its children.
struct Climb {
    parent: Option<u32>,
    children: Vec<(u32, u32)>,
    height: u32,
    depth: u32,
}

impl Climb {
    fn new(rank: u32, size: u32, index: u32) -> Self {
        // The second tree is the first one mirrored, or shifted.
        let is_mirrored = index > 0 && size.is_multiple_of(2);
        let shift = u32::from(index > 0 && !is_mirrored);
        let virtual_of = |rank: u32| match is_mirrored {
            true => size - 1 - rank,
            false => (rank + size - shift) % size,
        };
        let rank_of = |vrank: u32| match is_mirrored {
            true => size - 1 - vrank,
            false => (vrank + shift) % size,
        };
        let own = virtual_of(rank);
        let up = std::iter::successors(Some(own), |vrank| parent(*vrank, size));
        // The lower child of every place has half of its lowest bit, down to the leaves.
        let height = |vrank: u32| match vrank {
            0 => 1 + (size - 1).ilog2(),
            _ => vrank.trailing_zeros(),
        };
        Self {
            parent: parent(own, size).map(rank_of),
            children: (children(own, size).into_iter())
                .map(|vrank| (rank_of(vrank), height(vrank)))
                .collect(),
            height: height(own),
            depth: u32::try_from(up.count()).unwrap_or(1) - 1,
        }
    }

    /// What comes in a turn: `part` has the segment of which a place is told so many turns later.
    fn hear(
        &self,
        most: u32,
        part: impl Fn(u32) -> Option<(u64, BlockRange)>,
        steps: &mut Vec<Primitive>,
    ) {
        for &(peer, height) in &self.children {
            let up = part(height);
            steps.extend(up.map(|(bytes, b)| Primitive::irecv(peer, bytes, b.combined())));
        }
        if let Some(peer) = self.parent {
            let down = part(most + self.depth - 1);
            steps.extend(down.map(|(bytes, block)| Primitive::irecv(peer, bytes, block)));
        }
    }

    /// What goes in a turn.
    fn tell(
        &self,
        most: u32,
        part: impl Fn(u32) -> Option<(u64, BlockRange)>,
        steps: &mut Vec<Primitive>,
    ) {
        let up = self.parent.map(|peer| (peer, self.height));
        let down = self
            .children
            .iter()
            .map(|(peer, _)| (*peer, most + self.depth));
        for (peer, after) in up.into_iter().chain(down) {
            steps.extend(part(after).map(|(bytes, block)| Primitive::isend(peer, bytes, block)));
        }
    }
}

/// Neighbours of a rank in one of the two trees.
struct Tree {
    parent: Option<u32>,
    children: Vec<u32>,
    bytes: u64,
    block: BlockRange,
}

impl Tree {
    /// The neighbours among the first `size` ranks, an even number.
    fn new(shape: &Shape, size: u32, index: u32) -> Self {
        // The mirror image of a virtual rank, and its own inverse.
        let mirrored = |rank| if index == 0 { rank } else { size - 1 - rank };
        let own = mirrored(shape.rank);
        Self {
            parent: parent(own, size).map(mirrored),
            children: children(own, size).into_iter().map(mirrored).collect(),
            bytes: shape.sizes.range(index, 1, 2),
            block: BlockRange::one(index),
        }
    }

    const fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    /// Hears the children, then tells the parent.
    fn up(&self, steps: &mut Vec<Primitive>) {
        let (bytes, block) = (self.bytes, self.block.combined());
        let hear = |&peer: &u32| Primitive::irecv(peer, bytes, block);
        steps.extend(self.children.iter().map(hear));
        if !self.is_leaf() {
            steps.push(Primitive::WaitAll);
        }
        steps.extend(self.parent.map(|peer| self.tell(peer)));
    }

    /// Hears the parent, then tells the children.
    fn down(&self, steps: &mut Vec<Primitive>) {
        let (bytes, block) = (self.bytes, self.block);
        steps.extend(self.parent.map(|peer| Primitive::recv(peer, bytes, block)));
        steps.extend(self.children.iter().map(|&peer| self.tell(peer)));
    }

    const fn tell(&self, peer: u32) -> Primitive {
        Primitive::isend(peer, self.bytes, self.block)
    }
}

/// Parent of a virtual rank: in-order, the lowest set bit is cleared and the next higher one set,
/// where there is such a virtual rank; virtual rank 0 is the root, above the largest power of two.
fn parent(vrank: u32, size: u32) -> Option<u32> {
    if vrank == 0 {
        return None;
    }
    let lowest = vrank & vrank.wrapping_neg();
    let cleared = vrank - lowest;
    Some(
        Some(cleared | (lowest << 1))
            .filter(|&up| up < size)
            .unwrap_or(cleared),
    )
}

/// Children of a virtual rank: the lower one at half of its lowest set bit, and the highest
/// existing one of the upper side.
fn children(vrank: u32, size: u32) -> Vec<u32> {
    if vrank == 0 {
        return (size > 1)
            .then(|| 1 << (size - 1).ilog2())
            .into_iter()
            .collect();
    }
    let half = (vrank & vrank.wrapping_neg()) >> 1;
    if half == 0 {
        return Vec::new();
    }
    let mut upper = half;
    while upper > 0 && vrank + upper >= size {
        upper >>= 1;
    }
    let above = (upper > 0).then_some(vrank + upper);
    [Some(vrank - half), above].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::{children, parent};

    #[test]
    fn every_place_but_the_root_is_the_child_of_its_parent() {
        for size in 1..70 {
            let mut seen = 0;
            for vrank in 0..size {
                for child in children(vrank, size) {
                    assert_eq!(parent(child, size), Some(vrank), "{child} of {size}");
                    seen += 1;
                }
            }
            assert_eq!(seen, size - 1);
        }
    }
}
