//! Collectives written out as messages.

use odonata_mpi::collective::{CollectiveKind, Part, Shape, Sizes, rounds};
use pyo3::prelude::*;

use crate::exceptions::InternalError;

/// Messages of one rank, `(is_send, peer, bytes)`: lists of those that go at once.
type Rounds = Vec<Vec<(bool, u32, u64)>>;

/// One rank of a collective, by the names of the collective and of an algorithm; `CollectiveCall`
/// of Python's `odonata.core.native`.
#[derive(FromPyObject)]
pub(crate) struct Call {
    pub(crate) kind: String,
    pub(crate) algorithm: String,
    pub(crate) rank: u32,
    pub(crate) size: u32,
    pub(crate) root: u32,
    /// Bytes of the blocks that it sends: one size for all, or one for each.
    pub(crate) sizes: Vec<u64>,
    /// Bytes of the blocks that it receives, in the same way.
    pub(crate) incoming: Vec<u64>,
}

impl Call {
    /// What the rank sends and receives.
    pub(crate) fn written_out(self) -> PyResult<Rounds> {
        let Self {
            kind,
            algorithm,
            rank,
            size,
            root,
            sizes,
            incoming,
        } = self;
        let fault = || {
            let words = format!("{kind} by {algorithm} for rank {rank} of {size} with root {root}");
            InternalError::new_err((words, "native::collectives"))
        };
        let named = CollectiveKind::ALL
            .into_iter()
            .find(|one| one.name() == kind);
        let named = named.ok_or_else(fault)?;
        if rank >= size || root >= size {
            return Err(fault());
        }
        let blocks = |given: Vec<u64>| match (given.as_slice(), named) {
            ([bytes], CollectiveKind::Allreduce) => Sizes::Cut(*bytes),
            ([bytes], _) => Sizes::Uniform(*bytes),
            _ => Sizes::Each(given.into()),
        };
        let shape = Shape {
            rank,
            size,
            root,
            sizes: blocks(sizes),
            incoming: blocks(incoming),
        };
        let plain = |part: Part| (part.is_send, part.peer, part.bytes);
        let found = rounds(named, &algorithm, shape).ok_or_else(fault)?;
        let found = found.into_iter();
        Ok(found
            .map(|round| round.into_iter().map(plain).collect())
            .collect())
    }
}
