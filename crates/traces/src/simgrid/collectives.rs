//! The collectives of SimGrid: which arguments are what.
//!
//! The writer (`VarCollTIData` in `instr_private.hpp`) and the replayer (`smpi_replay.cpp`) do not
//! agree in all versions: the writer puts the size of a datatype, and for a reduction 0, in front
//! of the counts, and leaves the counts out where the rank is not the root. The first versions had
//! displacements behind counts. The number of arguments says which of the forms a line has.

use odonata_workload::trace::op;

use super::arguments::Arguments;

/// A collective, and the flops of its reduction.
#[derive(Default)]
pub(super) struct Collective {
    pub(super) code: u8,
    pub(super) root: i32,
    pub(super) bytes: u64,
    pub(super) list: Vec<u64>,
    pub(super) flops: u64,
}

/// The collective of this name, in small letters; `None` if there is none, or none that can be
/// told.
pub(super) fn collective(
    rank: u32,
    size: usize,
    action: &str,
    arguments: &Arguments<'_>,
) -> Result<Option<Collective>, String> {
    match one_size(rank, action, arguments)? {
        Some(found) => Ok(Some(found)),
        None => own_sizes(rank as usize, size, action, arguments),
    }
}

/// Collectives whose ranks all have the same size.
fn one_size(rank: u32, action: &str, a: &Arguments<'_>) -> Result<Option<Collective>, String> {
    let rooted = |at| -> Result<(i32, bool), String> {
        let root = a.root(at)?;
        Ok((root, u32::try_from(root) == Ok(rank)))
    };
    let mut flops = 0;
    if matches!(action, "reduce" | "allreduce") {
        flops = a.count(1)?;
    }
    let (code, root, bytes) = match action {
        "barrier" => (op::BARRIER, 0, 0),
        "bcast" => (op::BCAST, a.root(1)?, a.bytes(0, a.element(2)?)?),
        "reduce" => (op::REDUCE, a.root(2)?, a.bytes(0, a.element(3)?)?),
        "allreduce" => (op::ALLREDUCE, 0, a.bytes(0, a.element(2)?)?),
        "scan" | "exscan" => {
            // Only written, never replayed, as a message to nobody: `-1 TAG SIZE TYPE`; before
            // there were tags `SIZE TYPE`. With three arguments it is like an allreduce.
            let (at, datatype) = match a.words.as_slice() {
                ["-1", ..] => (2, 3),
                [_, _] => (0, 1),
                _ => (0, 2),
            };
            (op::SCAN, 0, a.bytes(at, a.element(datatype)?)?)
        }
        "alltoall" => (op::ALLTOALL, 0, a.bytes(1, a.element(3)?)?),
        "allgather" => (op::ALLGATHER, 0, a.bytes(1, a.element(3)?)?),
        "gather" | "scatter" => {
            let (root, is_root) = rooted(2)?;
            let gathers = action == "gather";
            let at = usize::from(is_root == gathers);
            let code = if gathers { op::GATHER } else { op::SCATTER };
            (code, root, a.bytes(at, a.element(3 + at)?)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Collective {
        code,
        root,
        bytes,
        flops,
        ..Collective::default()
    }))
}

/// Collectives of `size` ranks with sizes of their own.
fn own_sizes(
    rank: usize,
    size: usize,
    action: &str,
    a: &Arguments<'_>,
) -> Result<Option<Collective>, String> {
    let (mut list, mut flops) = (Vec::new(), 0);
    let words = a.words.len();
    // As written where the rank is not the root: no counts at all.
    let is_bare = words <= 5 && (a.is_written || words < size + 2);
    let (code, root, bytes) = match action {
        "allgatherv" => {
            // What a rank gives is what everybody expects of it; its own count may differ.
            let counts = 1 + usize::from(has_size_in_front(rank, size, a));
            let words_between = if a.is_old && words > size + 3 {
                size
            } else {
                0
            };
            let bytes = a.bytes(counts + rank, a.element(counts + size + words_between)?)?;
            (op::ALLGATHERV, 0, bytes)
        }
        "gatherv" => {
            let at = match words {
                _ if is_bare => 2,
                _ if words > size + 4 => 2 + size,
                _ => 1 + size,
            };
            (op::GATHERV, a.root(at)?, a.bytes(0, a.element(at + 1)?)?)
        }
        "scatterv" => {
            let at = match words {
                _ if is_bare => 1,
                _ if words > size + 4 => 1 + size,
                _ => size,
            };
            let bytes = a.bytes(at, a.element(at + 3)?)?;
            (op::SCATTERV, a.root(at + 1)?, bytes)
        }
        "alltoallv" => {
            let lists = if a.is_old && words > 2 * size + 4 {
                2
            } else {
                1
            };
            let types = 2 * lists * size + 2;
            let (send, receive) = (a.element(types)?, a.element(types + 1)?);
            list = a.list(1, size, send)?;
            list.extend(a.list(2 + lists * size, size, receive)?);
            (op::ALLTOALLV, 0, sum(&list[..size]))
        }
        "reducescatter" => {
            let is_written = words > size + 2 || (words == size + 2 && a.words[..2] == ["1", "0"]);
            if is_written {
                list = a.list(2, size, a.element(size + 2)?)?;
            } else {
                list = a.list(0, size, a.element(size + 1)?)?;
                flops = a.count(size)?;
            }
            (op::REDUCE_SCATTER, 0, sum(&list))
        }
        _ => return Ok(None),
    };
    Ok(Some(Collective {
        code,
        root,
        bytes,
        list,
        flops,
    }))
}

/// Whether the size of a datatype stands between what a rank gives and what all give: then the
/// latter begin one word behind, where what the rank gives is found again.
fn has_size_in_front(rank: usize, size: usize, a: &Arguments<'_>) -> bool {
    let word = |at: usize| a.words.get(at).copied().unwrap_or("");
    let (own, words) = (word(0), a.words.len());
    let is_behind = own != word(1 + rank) && own == word(2 + rank);
    !a.is_old && words > size + 1 && words <= size + 4 && (words == size + 4 || is_behind)
}

fn sum(sizes: &[u64]) -> u64 {
    sizes.iter().fold(0, |sum, &size| sum.saturating_add(size))
}
