//! Two binary trees with half of the payload each (Sanders, Speck and Traeff 2009; NCCL).

use super::parts::{BlockRange, Primitive, Shape};

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
