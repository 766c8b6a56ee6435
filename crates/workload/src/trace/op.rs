//! Codes of the `op` column: the only place where they are, for Rust and Python.

use serde_json::{Value, json};

/// `duration_ps` of computation.
pub const COMPUTE: u8 = 0;
/// Blocking send of `bytes` to `peer` with `tag`.
pub const SEND: u8 = 1;
/// Blocking receive of at most `bytes` from `peer` with `tag`.
pub const RECV: u8 = 2;
/// Nonblocking send; `request` names it.
pub const ISEND: u8 = 3;
/// Nonblocking receive; `request` names it.
pub const IRECV: u8 = 4;
/// Wait for `request`.
pub const WAIT: u8 = 5;
/// Wait for the requests in `aux`.
pub const WAITALL: u8 = 6;
/// Barrier.
pub const BARRIER: u8 = 7;
/// Broadcast of `bytes` by root `peer`.
pub const BCAST: u8 = 8;
/// Reduction of `bytes` to root `peer`.
pub const REDUCE: u8 = 9;
/// Reduction of `bytes` to everybody.
pub const ALLREDUCE: u8 = 10;
/// `bytes` to each rank.
pub const ALLTOALL: u8 = 11;
/// Sizes to each rank in `aux`, then, if given, sizes from each rank; without `aux`, `bytes`
/// in equal shares.
pub const ALLTOALLV: u8 = 12;
/// An iteration begins.
pub const ITERATION_BEGIN: u8 = 13;
/// The iteration ends.
pub const ITERATION_END: u8 = 14;
/// `bytes` of each rank to everybody.
pub const ALLGATHER: u8 = 15;
/// `bytes` of this rank to everybody.
pub const ALLGATHERV: u8 = 16;
/// `bytes` of each rank to root `peer`.
pub const GATHER: u8 = 17;
/// `bytes` of this rank to root `peer`.
pub const GATHERV: u8 = 18;
/// `bytes` to each rank from root `peer`.
pub const SCATTER: u8 = 19;
/// `bytes` to this rank from root `peer`.
pub const SCATTERV: u8 = 20;
/// Reduction of blocks whose sizes are in `aux`; without `aux`, `bytes` in equal blocks.
pub const REDUCE_SCATTER: u8 = 21;
/// Prefix reduction of `bytes`.
pub const SCAN: u8 = 22;
/// Nothing: calls that neither wait nor send.
pub const NOTHING: u8 = 23;
/// As [`SEND`], but waits for its receive whatever its size.
pub const SSEND: u8 = 24;
/// As [`ISEND`], but waits for its receive whatever its size.
pub const ISSEND: u8 = 25;
/// The largest code.
pub const LAST: u8 = ISSEND;

/// The name of a code; `None` if there is no such code.
#[must_use]
pub const fn name(code: u8) -> Option<&'static str> {
    const NAMES: [&str; LAST as usize + 1] = [
        "compute",
        "send",
        "recv",
        "isend",
        "irecv",
        "wait",
        "waitall",
        "barrier",
        "bcast",
        "reduce",
        "allreduce",
        "alltoall",
        "alltoallv",
        "iteration begin",
        "iteration end",
        "allgather",
        "allgatherv",
        "gather",
        "gatherv",
        "scatter",
        "scatterv",
        "reduce_scatter",
        "scan",
        "nothing",
        "ssend",
        "issend",
    ];
    if (code as usize) < NAMES.len() {
        Some(NAMES[code as usize])
    } else {
        None
    }
}

/// What a reader of traces must know of the codes: name, number, and what each of them is.
#[must_use]
pub fn registry() -> Value {
    let of = |code| {
        json!({
            "name": name(code),
            "code": code,
            "is_send": is_send(code),
            "is_message": is_message(code),
            "is_collective": is_collective(code),
            "is_rooted": is_rooted(code),
            "has_one_size": has_one_size(code),
        })
    };
    (0..=LAST).map(of).collect()
}

/// Whether a code is a message to one rank.
#[must_use]
pub const fn is_send(code: u8) -> bool {
    matches!(code, SEND | ISEND | SSEND | ISSEND)
}

/// Whether a code is a message to or from one rank.
#[must_use]
pub const fn is_message(code: u8) -> bool {
    is_send(code) || matches!(code, RECV | IRECV)
}

/// Whether `bytes` of a collective is the same on all ranks.
#[must_use]
pub const fn has_one_size(code: u8) -> bool {
    matches!(
        code,
        BCAST
            | REDUCE
            | ALLREDUCE
            | ALLTOALL
            | ALLGATHER
            | GATHER
            | SCATTER
            | REDUCE_SCATTER
            | SCAN
    )
}

/// Whether a code is a collective.
#[must_use]
pub const fn is_collective(code: u8) -> bool {
    matches!(code, BARRIER..=ALLTOALLV | ALLGATHER..=SCAN)
}

/// Whether a code has a root.
#[must_use]
pub const fn is_rooted(code: u8) -> bool {
    matches!(code, BCAST | REDUCE | GATHER | GATHERV | SCATTER | SCATTERV)
}
