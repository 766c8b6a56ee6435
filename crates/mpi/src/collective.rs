//! Collectives as sequences of point-to-point operations, by named algorithms.
//!
//! An algorithm is a generator: asked for its next [`Primitive`] it says what this rank does
//! next. It knows sizes and positions only; time and matching belong to the rank.

use std::sync::Arc;

mod algorithm;
mod bine;
mod bruck;
mod butterfly;
mod channels;
mod choice;
mod dissemination;
mod double_tree;
mod doubling;
mod exchange;
mod formula;
mod groups;
mod halving;
mod linear;
mod negabinary;
mod neighbor;
mod parts;
mod pat;
mod pipeline;
mod profile;
mod ring;
mod rounds;
mod sub_collective;
mod tree;

use sub_collective::{Sequence, SubCollective};

pub use algorithm::Algorithm;
pub use formula::formula;
pub use groups::Groups;
pub use parts::{BlockRange, CollectiveKind, Primitive, Set, Shape, Sizes};
pub use profile::Profile;
pub use rounds::{Part, rounds};

/// A collective in progress on one rank.
#[derive(Clone, Debug)]
pub struct Collective {
    kind: CollectiveKind,
    current: SubCollective,
    /// Collectives that follow, in order.
    rest: std::vec::IntoIter<SubCollective>,
    step: u32,
}

impl Collective {
    /// The steps of `kind` under `algorithm` for one rank of a communicator with one rank on each
    /// node.
    ///
    /// # Panics
    /// If the collective has no such algorithm, or `shape` has no ranks.
    #[must_use]
    pub fn new(kind: CollectiveKind, algorithm: Algorithm, shape: Shape) -> Self {
        Self::on_nodes(kind, algorithm, shape, None)
    }

    /// As [`Collective::new`]; `groups` says which ranks share a node, `None` that none do.
    ///
    /// # Panics
    /// If the collective has no such algorithm, or `shape` has no ranks.
    #[must_use]
    pub fn on_nodes(
        kind: CollectiveKind,
        algorithm: Algorithm,
        shape: Shape,
        groups: Option<&Arc<Groups>>,
    ) -> Self {
        assert!(
            kind.algorithms().contains(&algorithm),
            "an algorithm of another collective"
        );
        assert!(shape.rank < shape.size, "a rank outside its communicator");
        let Sequence { first, rest } = sub_collective::sequence(kind, algorithm, shape, groups);
        Self {
            kind,
            current: first,
            rest: rest.into_iter(),
            step: 0,
        }
    }

    /// Which collective.
    #[must_use]
    pub const fn kind(&self) -> CollectiveKind {
        self.kind
    }

    /// The next step; [`Primitive::Done`] for ever once all are taken. Cost O(log n) at most.
    pub fn advance(&mut self) -> Primitive {
        loop {
            let primitive = self.current.step(self.step);
            if !matches!(primitive, Primitive::Done) {
                self.step += 1;
                return primitive;
            }
            let Some(next) = self.rest.next() else {
                return primitive;
            };
            (self.current, self.step) = (next, 0);
        }
    }
}

impl Set {
    /// The numbers of the blocks of this set among `total`, in no order. Cost: a step for each.
    pub fn indices(self, total: u32) -> impl Iterator<Item = u32> {
        halving::indices(self, total)
    }
}
