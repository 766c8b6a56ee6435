//! Trees: firefly's complete binary tree, and the binomial tree.

use super::parts::{BlockRange, CollectiveKind, Primitive, Shape};

/// Steps of the complete binary tree: up from the children to the parent, then down.
///
/// Up: a receive from each child, a wait, a blocking send to the parent. Down: a blocking receive
/// from the parent, a nonblocking send to each child, a wait. Broadcast has no way up, reduce no
/// way down.
pub(super) fn binary(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let tree = Binary::new(shape);
    let bytes = shape.sizes.whole();
    let mut left = step;
    if kind != CollectiveKind::Bcast {
        if let Some(peer) = tree.child(left) {
            return Primitive::irecv(peer, bytes, BlockRange::ALL_COMBINED);
        }
        left -= tree.children;
        if tree.children > 0 {
            if left == 0 {
                return Primitive::WaitAll;
            }
            left -= 1;
        }
        if let Some(peer) = tree.parent {
            if left == 0 {
                return Primitive::send(peer, bytes, BlockRange::ALL);
            }
            left -= 1;
        }
    }
    if kind == CollectiveKind::Reduce {
        return Primitive::Done;
    }
    if let Some(peer) = tree.parent {
        if left == 0 {
            return Primitive::recv(peer, bytes, BlockRange::ALL);
        }
        left -= 1;
    }
    if let Some(peer) = tree.child(left) {
        return Primitive::isend(peer, bytes, BlockRange::ALL);
    }
    if tree.children > 0 && left == tree.children {
        Primitive::WaitAll
    } else {
        Primitive::Done
    }
}

/// Neighbours of a rank in the complete binary tree whose root has changed its position with rank
/// 0.
struct Binary {
    vrank: u32,
    size: u32,
    root: u32,
    children: u32,
    parent: Option<u32>,
}

impl Binary {
    fn new(shape: &Shape) -> Self {
        let (size, root) = (shape.size, shape.root);
        let vrank = swap(shape.rank, root);
        let first = u64::from(vrank) * 2 + 1;
        let children = if first + 1 < u64::from(size) {
            2
        } else {
            u32::from(first < u64::from(size))
        };
        let parent = vrank.checked_sub(1).map(|before| swap(before / 2, root));
        Self {
            vrank,
            size,
            root,
            children,
            parent,
        }
    }

    fn child(&self, index: u32) -> Option<u32> {
        let vrank = u64::from(self.vrank) * 2 + 1 + u64::from(index);
        let exists = index < self.children && vrank < u64::from(self.size);
        exists.then(|| swap(self.vrank * 2 + 1 + index, self.root))
    }
}

/// Exchanges `root` and 0; its own inverse.
const fn swap(rank: u32, root: u32) -> u32 {
    if rank == root {
        0
    } else if rank == 0 {
        root
    } else {
        rank
    }
}

/// Steps of the binomial tree, ranks counted from the root.
///
/// Broadcast: a blocking receive from the parent, then blocking sends to the children, the one
/// with the largest subtree first. Reduce: blocking receives from the children, the smallest
/// subtree first, then a blocking send to the parent.
pub(super) fn binomial(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let tree = Binomial::new(shape);
    let (relative, children, parent) = (tree.relative, tree.children, tree.parent());
    let absolute = |relative| tree.absolute(relative);
    let bytes = shape.sizes.whole();
    if kind == CollectiveKind::Bcast {
        let Some(sent) = step.checked_sub(u32::from(parent.is_some())) else {
            return parent.map_or(Primitive::Done, |peer| {
                Primitive::recv(peer, bytes, BlockRange::ALL)
            });
        };
        if sent >= children {
            return Primitive::Done;
        }
        let peer = absolute(relative + (1 << (children - 1 - sent)));
        return Primitive::send(peer, bytes, BlockRange::ALL);
    }
    if step < children {
        let peer = absolute(relative + (1 << step));
        return Primitive::recv(peer, bytes, BlockRange::ALL_COMBINED);
    }
    match parent {
        Some(peer) if step == children => Primitive::send(peer, bytes, BlockRange::ALL),
        _ => Primitive::Done,
    }
}

/// Steps of the binomial gather and scatter of blocks of one size, ranks counted from the root.
///
/// A rank stands for itself and all below it. Gather: blocking receives from the children, the
/// smallest subtree first, then a blocking send of everything to the parent; scatter the other
/// way round.
pub(super) fn binomial_blocks(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let tree = Binomial::new(shape);
    let down = kind == CollectiveKind::Scatter;
    let sizes = &shape.sizes;
    let message = |relative: u64, level: u32| {
        let count = (1_u64 << level).min(tree.size - relative);
        let (first, count) = (tree.absolute(relative), u32::try_from(count).unwrap_or(0));
        let bytes = sizes.sum(first, count, shape.size);
        (bytes, BlockRange::range(first, count))
    };
    let parent = tree
        .parent()
        .map(|peer| (peer, message(tree.relative, tree.levels)));
    let child = |level: u32| {
        let relative = tree.relative + (1 << level);
        (tree.absolute(relative), message(relative, level))
    };
    if down {
        let Some(sent) = step.checked_sub(u32::from(parent.is_some())) else {
            return parent.map_or(Primitive::Done, |(peer, (bytes, block))| {
                Primitive::recv(peer, bytes, block)
            });
        };
        if sent >= tree.children {
            return Primitive::Done;
        }
        let (peer, (bytes, block)) = child(tree.children - 1 - sent);
        return Primitive::send(peer, bytes, block);
    }
    if step < tree.children {
        let (peer, (bytes, block)) = child(step);
        return Primitive::recv(peer, bytes, block);
    }
    match parent {
        Some((peer, (bytes, block))) if step == tree.children => {
            Primitive::send(peer, bytes, block)
        }
        _ => Primitive::Done,
    }
}

/// Neighbours of a rank in the binomial tree.
struct Binomial {
    size: u64,
    root: u64,
    relative: u64,
    /// Children would be at distances `2^0` to `2^(levels - 1)`.
    levels: u32,
    children: u32,
}

impl Binomial {
    fn new(shape: &Shape) -> Self {
        let (size, root) = (u64::from(shape.size), u64::from(shape.root));
        let relative = (u64::from(shape.rank) + size - root) % size;
        // Bits below the lowest set bit name children; that bit names the parent.
        let levels = if relative == 0 {
            size.next_power_of_two().trailing_zeros()
        } else {
            relative.trailing_zeros()
        };
        let children = (0..levels)
            .filter(|level| relative + (1 << level) < size)
            .count();
        Self {
            size,
            root,
            relative,
            levels,
            children: u32::try_from(children).unwrap_or(0),
        }
    }

    fn absolute(&self, relative: u64) -> u32 {
        u32::try_from((relative + self.root) % self.size).unwrap_or(0)
    }

    fn parent(&self) -> Option<u32> {
        (self.relative != 0).then(|| self.absolute(self.relative - (1 << self.levels)))
    }
}
