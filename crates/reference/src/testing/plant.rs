//! Systems of every family, damaged or not.

use std::fmt;

use odonata_topology::{
    AriesShape, FailedLink, GraphSpec, KindsShape, MegaflyShape, Shape, Topology, TopologyError,
};

/// Parts that a system is built from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Family {
    /// One-dimensional dragonfly.
    Dragonfly(Shape),
    /// One-dimensional dragonfly with groups of several kinds.
    GroupKinds(KindsShape),
    /// Two-dimensional dragonfly.
    Aries(AriesShape),
    /// Megafly.
    Megafly(MegaflyShape),
    /// Megafly with groups of several kinds.
    MegaflyKinds(KindsShape),
    /// A list of channels.
    Graph(GraphSpec),
}

/// The families of dragonflies and of megaflies whose groups are of several kinds, which have no
/// names of their own in the registry of routings.
pub(super) const GROUP_KINDS: &str = "group kinds";
pub(super) const MEGAFLY_KINDS: &str = "megafly kinds";

/// A system: what it is built from, and its failed links.
#[derive(Clone, PartialEq, Eq)]
pub struct Plant {
    /// Family and shape.
    pub family: Family,
    /// Failed links.
    pub failed: Vec<FailedLink>,
}

impl Plant {
    /// Builds it.
    ///
    /// # Errors
    /// [`TopologyError`] if the shape cannot be built or falls apart.
    pub fn build(&self) -> Result<Topology, TopologyError> {
        let whole = match &self.family {
            Family::Dragonfly(shape) => Topology::dragonfly(shape.clone())?,
            Family::GroupKinds(shape) => Topology::dragonfly_of_kinds(shape.clone())?,
            Family::Aries(shape) => Topology::aries(shape.clone())?,
            Family::Megafly(shape) => Topology::megafly(shape.clone())?,
            Family::MegaflyKinds(shape) => Topology::megafly_of_kinds(shape.clone())?,
            Family::Graph(spec) => Topology::graph(spec)?,
        };
        whole.without_links(&self.failed)
    }
}

impl From<Family> for Plant {
    fn from(family: Family) -> Self {
        Self {
            family,
            failed: Vec::new(),
        }
    }
}

impl From<Shape> for Plant {
    fn from(shape: Shape) -> Self {
        Family::Dragonfly(shape).into()
    }
}

impl fmt::Debug for Plant {
    /// On one line: lists of channels are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} without {:?}", self.family, self.failed)
    }
}
