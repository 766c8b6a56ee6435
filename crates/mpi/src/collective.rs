//! Collectives as sequences of point-to-point operations, by named algorithms.
//!
//! An algorithm is a generator: asked for its next [`Primitive`] it says what this rank does
//! next. It knows sizes and positions only; time and matching belong to the rank.

mod algorithm;
mod dissemination;
mod doubling;
mod exchange;
mod halving;
mod linear;
mod parts;
mod ring;
mod tree;

pub use algorithm::Algorithm;
pub use parts::{Block, CollectiveKind, Primitive, Shape, Sizes};

/// A collective in progress on one rank.
#[derive(Clone, Debug)]
pub struct Collective {
    kind: CollectiveKind,
    algorithm: Algorithm,
    shape: Shape,
    step: u32,
}

impl Collective {
    /// The steps of `kind` under `algorithm` for one rank.
    ///
    /// # Panics
    /// If the collective has no such algorithm, or `shape` has no ranks.
    #[must_use]
    pub fn new(kind: CollectiveKind, algorithm: Algorithm, shape: Shape) -> Self {
        assert!(
            kind.algorithms().contains(&algorithm),
            "an algorithm of another collective"
        );
        assert!(shape.rank < shape.size, "a rank outside its communicator");
        let algorithm = match algorithm {
            Algorithm::Mpich if is_short(&shape) => Algorithm::RecursiveDoubling,
            Algorithm::Mpich => Algorithm::Rabenseifner,
            chosen => chosen,
        };
        Self {
            kind,
            algorithm,
            shape,
            step: 0,
        }
    }

    /// Which collective.
    #[must_use]
    pub const fn kind(&self) -> CollectiveKind {
        self.kind
    }

    /// The next step; [`Primitive::Done`] for ever once all are taken. Cost O(1).
    pub fn advance(&mut self) -> Primitive {
        let (shape, step) = (&self.shape, self.step);
        let primitive = if shape.size == 1 {
            Primitive::Done
        } else {
            match self.algorithm {
                Algorithm::BinaryTree => tree::binary(self.kind, shape, step),
                Algorithm::Binomial => tree::binomial(self.kind, shape, step),
                Algorithm::RecursiveDoubling => doubling::step(shape, step),
                Algorithm::Rabenseifner | Algorithm::Mpich => halving::step(shape, step),
                Algorithm::Dissemination => dissemination::step(shape, step),
                Algorithm::Ring => ring::step(self.kind, shape, step),
                Algorithm::RingRounds => exchange::ring_rounds(shape, step),
                Algorithm::Pairwise => exchange::pairwise(shape, step),
                Algorithm::Linear => linear::step(self.kind, shape, step),
            }
        };
        if primitive != Primitive::Done {
            self.step += 1;
        }
        primitive
    }
}

/// Whether MPICH sends the whole payload in every round: up to 2,048 B, or less than a byte for
/// each block.
fn is_short(shape: &Shape) -> bool {
    let bytes = shape.sizes.whole();
    bytes <= 2_048 || bytes < 1 << shape.size.ilog2()
}
