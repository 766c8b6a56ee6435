//! The Bine tree: a binomial tree on negabinary numbers (De Sensi et al. 2025).
//!
//! Parents and children are at distances 1, -1, 3, -5, 11, ...: a third less on the average than
//! the 1, 2, 4, 8, 16 of a binomial tree.

use super::butterfly::{Butterfly, Wiring};
use super::negabinary::{changes, partner};
use super::parts::{BlockRange, CollectiveKind, Primitive, Shape};

/// Steps of the Bine tree, ranks counted from the root: largest distances first.
///
/// Broadcast: a blocking receive from the parent, then blocking sends to the children; reduce the
/// other way round. Ranks beyond a power of two are told last, or tell first, by their neighbour.
pub(super) fn tree(kind: CollectiveKind, shape: &Shape, step: u32) -> Primitive {
    let down = kind == CollectiveKind::Bcast;
    let bytes = shape.sizes.whole();
    let peers = Neighbours::new(shape);
    // The order of a broadcast; reduce takes it from the end.
    let count = peers.count();
    if step >= count {
        return Primitive::Done;
    }
    let index = if down { step } else { count - 1 - step };
    let (peer, is_parent) = peers.at(index);
    if is_parent == down {
        let block = if down {
            BlockRange::ALL
        } else {
            BlockRange::ALL_COMBINED
        };
        Primitive::recv(peer, bytes, block)
    } else {
        let block = BlockRange::ALL;
        Primitive::send(peer, bytes, block)
    }
}

/// Whom a rank talks to in the tree: the parent, then the children, then who stays out.
struct Neighbours<'a> {
    shape: &'a Shape,
    butterfly: Butterfly,
    relative: u32,
    /// Round in which the virtual rank hears; the number of rounds at the root.
    level: u32,
}

impl<'a> Neighbours<'a> {
    fn new(shape: &'a Shape) -> Self {
        let butterfly = Butterfly::new(shape.size, Wiring::Bine);
        let relative = (shape.rank + shape.size - shape.root) % shape.size;
        let vrank = butterfly.vrank(relative);
        // From the largest distance down the digits need no sign: the last round is the lowest.
        let level = changes(vrank, butterfly.rounds).trailing_zeros();
        Self {
            shape,
            butterfly,
            relative,
            level: level.min(butterfly.rounds),
        }
    }

    /// The first of the two ranks of a folded virtual rank is in the tree: rank 0 is the root.
    fn stays_out(&self) -> bool {
        self.relative < 2 * self.butterfly.fold && !self.relative.is_multiple_of(2)
    }

    fn has_shadow(&self) -> bool {
        self.relative < 2 * self.butterfly.fold && self.relative.is_multiple_of(2)
    }

    fn count(&self) -> u32 {
        if self.stays_out() {
            1
        } else {
            u32::from(self.relative != 0) + self.level + u32::from(self.has_shadow())
        }
    }

    /// The neighbour, and whether it is the parent.
    fn at(&self, index: u32) -> (u32, bool) {
        if self.stays_out() {
            return (self.absolute(self.relative - 1), true);
        }
        let has_parent = self.relative != 0;
        let vrank = self.butterfly.vrank(self.relative);
        let in_round = |round| {
            let other = partner(vrank, round, self.butterfly.rounds);
            self.absolute(self.butterfly.first_rank(other))
        };
        if has_parent && index == 0 {
            return (in_round(self.level), true);
        }
        let child = index - u32::from(has_parent);
        if child < self.level {
            (in_round(self.level - 1 - child), false)
        } else {
            (self.absolute(self.relative + 1), false)
        }
    }

    fn absolute(&self, relative: u32) -> u32 {
        let size = u64::from(self.shape.size);
        u32::try_from((u64::from(relative) + u64::from(self.shape.root)) % size).unwrap_or(0)
    }
}
