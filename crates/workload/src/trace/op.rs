//! Codes of the `op` column: the only file where they are, for Rust and Python.

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
/// Wait for one of the requests in `aux`.
pub const WAITANY: u8 = 26;
/// Wait for one of the requests in `aux`, and take all that are complete then.
pub const WAITSOME: u8 = 27;
/// Look whether `request` is complete.
pub const TEST: u8 = 28;
/// Writes `bytes` into the memory of `peer`.
pub const PUT: u8 = 29;
/// Reads `bytes` from the memory of `peer`.
pub const GET: u8 = 30;
/// Waits for the puts and gets at `peer`; at all ranks if it is -1.
pub const FLUSH: u8 = 31;
/// Waits for the puts and gets of all ranks of `comm`.
pub const FENCE: u8 = 32;
/// Added to the code of a collective: its nonblocking form; `request` names it.
pub const NONBLOCKING: u8 = 64;

/// The name of a code; `None` if there is no such code.
#[must_use]
pub const fn name(code: u8) -> Option<&'static str> {
    const NAMES: [&str; FENCE as usize + 1] = [
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
        "waitany",
        "waitsome",
        "test",
        "put",
        "get",
        "flush",
        "fence",
    ];
    if is_nonblocking(code) {
        return nonblocking_name(code);
    }
    if (code as usize) < NAMES.len() {
        Some(NAMES[code as usize])
    } else {
        None
    }
}

const fn nonblocking_name(code: u8) -> Option<&'static str> {
    Some(match code - NONBLOCKING {
        BARRIER => "ibarrier",
        BCAST => "ibcast",
        REDUCE => "ireduce",
        ALLREDUCE => "iallreduce",
        ALLTOALL => "ialltoall",
        ALLTOALLV => "ialltoallv",
        ALLGATHER => "iallgather",
        ALLGATHERV => "iallgatherv",
        GATHER => "igather",
        GATHERV => "igatherv",
        SCATTER => "iscatter",
        SCATTERV => "iscatterv",
        REDUCE_SCATTER => "ireduce_scatter",
        SCAN => "iscan",
        _ => return None,
    })
}

/// Whether a code is that of a nonblocking collective, if it is one at all.
#[must_use]
pub const fn is_nonblocking(code: u8) -> bool {
    code >= NONBLOCKING
}

/// The code of the blocking form of a collective; any other code as it is.
#[must_use]
pub const fn blocking(code: u8) -> u8 {
    if is_nonblocking(code) {
        code - NONBLOCKING
    } else {
        code
    }
}

/// Whether an operation has a list of requests in `aux`.
#[must_use]
pub const fn waits_for_list(code: u8) -> bool {
    matches!(code, WAITALL | WAITANY | WAITSOME)
}

/// Codes as a reader of traces needs them: name, number, and the kind of each.
#[must_use]
pub fn registry() -> Value {
    let of = |code| {
        json!({
            "name": name(code),
            "code": code,
            "is_send": is_send(code),
            "is_message": is_message(code),
            "is_collective": is_collective(code),
            "is_nonblocking": is_nonblocking(code),
            "is_rooted": is_rooted(code),
            "has_one_size": has_one_size(code),
        })
    };
    (0..=u8::MAX)
        .filter(|&code| name(code).is_some())
        .map(of)
        .collect()
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

/// Whether a code is a transfer that needs no call of its partner, or waits for such.
#[must_use]
pub const fn is_one_sided(code: u8) -> bool {
    matches!(code, PUT | GET | FLUSH)
}

/// Whether `bytes` of a collective is the same on all ranks.
#[must_use]
pub const fn has_one_size(code: u8) -> bool {
    matches!(
        blocking(code),
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

/// Whether a code is a collective, blocking or not.
#[must_use]
pub const fn is_collective(code: u8) -> bool {
    matches!(blocking(code), BARRIER..=ALLTOALLV | ALLGATHER..=SCAN | FENCE)
}

/// Whether a code has a root.
#[must_use]
pub const fn is_rooted(code: u8) -> bool {
    matches!(
        blocking(code),
        BCAST | REDUCE | GATHER | GATHERV | SCATTER | SCATTERV
    )
}
