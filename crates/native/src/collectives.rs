//! Collectives written out as messages.

use odonata_mpi::collective::{CollectiveKind, Part, Shape, Sizes, rounds};
use pyo3::prelude::*;

use crate::exceptions::InternalError;

/// Messages of one rank, `(is_send, peer, bytes)`: lists of those that go at once.
type Rounds = Vec<Vec<(bool, u32, u64)>>;

/// What a rank at `(rank, size, root)` sends and receives in a collective, by name, under an
/// algorithm; `sizes` are of the blocks that it sends, `incoming` of those it receives, one for all
/// or one for each.
pub(crate) fn written_out(
    (kind, algorithm): (&str, &str),
    (rank, size, root): (u32, u32, u32),
    (sizes, incoming): (Vec<u64>, Vec<u64>),
) -> PyResult<Rounds> {
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
    let found = rounds(named, algorithm, shape).ok_or_else(fault)?;
    let found = found.into_iter();
    Ok(found
        .map(|round| round.into_iter().map(plain).collect())
        .collect())
}
