//! Traces: the operations of every rank of a recorded job, in columns, and their replay.

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_mpi::Communicator;

use crate::registry::Entry;
use crate::skeleton;
use crate::spec::{Default, Kind, Parameter, Spec};
use crate::{JobContext, NodeEndpoint, TraceError, WorkloadError};

mod check;
mod replay;
mod sizes;

/// Codes of the `op` column.
pub mod op {
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
}

/// A recorded job, in columns.
///
/// The operations of rank `r` are entries `rank_offsets[r]..rank_offsets[r + 1]` of the columns
/// `op` to `aux_count`; an operation uses the columns that [`op`] names and ignores the others.
/// `aux[aux_begin..aux_begin + aux_count]` is the list of an operation. The members of
/// communicator `c` are `comm_members[comm_offsets[c]..comm_offsets[c + 1]]`. All ranges are
/// half-open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceTable {
    /// Shape (ranks + 1).
    pub rank_offsets: Vec<u64>,
    /// Shape (operations): code, see [`op`].
    pub op: Vec<u8>,
    /// Rank of the communicator; -1: any.
    pub peer: Vec<i32>,
    /// Payload bytes.
    pub bytes: Vec<u64>,
    /// -1: any.
    pub tag: Vec<i32>,
    /// Communicator.
    pub comm: Vec<u32>,
    /// Name of the request.
    pub request: Vec<u32>,
    /// Computation, ps.
    pub duration_ps: Vec<u64>,
    /// Start of the operation's list in `aux`.
    pub aux_begin: Vec<u64>,
    /// Length of the operation's list.
    pub aux_count: Vec<u32>,
    /// Lists: requests of a waitall, sizes of a collective.
    pub aux: Vec<u64>,
    /// Shape (communicators + 1); communicator 0 has all ranks, in order.
    pub comm_offsets: Vec<u64>,
    /// Ranks of the job, in communicator order.
    pub comm_members: Vec<u32>,
}

impl TraceTable {
    /// Number of ranks.
    #[must_use]
    pub fn rank_count(&self) -> u32 {
        u32::try_from(self.rank_offsets.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Number of communicators.
    #[must_use]
    pub fn communicator_count(&self) -> u32 {
        u32::try_from(self.comm_offsets.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Positions of the operations of a rank.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a table in memory has usize entries"
    )]
    pub(crate) fn operations(&self, rank: u32) -> std::ops::Range<usize> {
        let at = rank as usize;
        self.rank_offsets[at] as usize..self.rank_offsets[at + 1] as usize
    }

    /// Ranks of the job in a communicator.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a table in memory has usize entries"
    )]
    pub(crate) fn members(&self, comm: u32) -> &[u32] {
        let at = comm as usize;
        &self.comm_members[self.comm_offsets[at] as usize..self.comm_offsets[at + 1] as usize]
    }

    /// The list of an operation.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a table in memory has usize entries"
    )]
    pub(crate) fn list(&self, operation: usize) -> &[u64] {
        let begin = self.aux_begin[operation] as usize;
        let count = self.aux_count[operation] as usize;
        if count == 0 {
            &[]
        } else {
            &self.aux[begin..begin + count]
        }
    }

    /// Looks for what keeps the trace from being replayed: columns that do not fit together,
    /// impossible operations, messages without partner, ranks that disagree on collectives.
    ///
    /// Cost O(operations log operations).
    ///
    /// # Errors
    /// The first problem found.
    pub fn check(&self) -> Result<(), TraceError> {
        check::check(self)
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "trace",
    summary: "the operations of a recorded job, with the computation between them",
    source: "trace files, see `odonata trace`",
    parameters: &[
        Parameter::new("path", Kind::Path, Default::Required, "file of the trace"),
        Parameter::new(
            "compute_scale",
            Kind::Number,
            Default::Number(1.0),
            "factor of the computation between operations; 0 drops it",
        ),
        skeleton::WAIT_BEFORE,
    ],
    ranks: |spec, _, traces| {
        let table = find(spec, traces)?;
        if table.rank_count() == 0 {
            return Err(spec.impossible(format!("trace `{}` has no ranks", spec.text("path"))));
        }
        Ok(table.rank_count())
    },
    build,
};

fn find<'a>(
    spec: &Spec<'_>,
    traces: &'a BTreeMap<String, TraceTable>,
) -> Result<&'a TraceTable, WorkloadError> {
    let path = spec.text("path");
    traces
        .get(&path)
        .ok_or(WorkloadError::MissingTrace { path })
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let table = find(spec, context.traces)?;
    table.check().map_err(|problem| WorkloadError::BadTrace {
        path: spec.text("path"),
        problem,
    })?;
    let scale = spec.ratio("compute_scale");
    if scale > 1e6 {
        return Err(spec.wrong("compute_scale", "a number from 0 to 1e6"));
    }
    let table = Arc::new(table.clone());
    let gathered = Arc::new(sizes::gather(&table));
    let communicators: Vec<Arc<[u32]>> = (0..table.communicator_count())
        .map(|comm| table.members(comm).into())
        .collect();
    let of_rank = positions(&table);
    let wait = spec.time("wait_before");
    Ok(skeleton::ranks(context, |rank| {
        // The rank has communicator 0 already: all ranks of the job.
        let of_rank = of_rank[rank as usize].keys().copied();
        let own: Vec<u32> = of_rank.filter(|&comm| comm > 0).collect();
        let views: Vec<Communicator> = own
            .iter()
            .filter_map(|&comm| {
                Communicator::new(comm, Arc::clone(&communicators[comm as usize]), rank)
            })
            .collect();
        let program = replay::Replay::new(&table, &gathered, rank)
            .with_communicators(own)
            .with_computation(scale, wait);
        (program, views)
    }))
}

/// By rank of the job: its communicators, ascending, and its position in each.
pub(crate) fn positions(table: &TraceTable) -> Vec<BTreeMap<u32, u32>> {
    let mut of_rank = vec![BTreeMap::new(); table.rank_count() as usize];
    for comm in 0..table.communicator_count() {
        for (position, &member) in (0..).zip(table.members(comm)) {
            of_rank[member as usize].insert(comm, position);
        }
    }
    of_rank
}
