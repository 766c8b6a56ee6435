//! The table of a recorded job.
//!
//! Its columns are packed: the whole of it is a fraction of the files that it was read from.

use std::collections::BTreeMap;

use super::column::Column;
use super::op;

/// Names of the packed columns; those from `stream` on are [`StreamColumns`].
pub const COLUMNS: [&str; 16] = [
    "op",
    "peer",
    "bytes",
    "tag",
    "comm",
    "request",
    "duration_ps",
    "aux_begin",
    "aux_count",
    "aux",
    "stream",
    "follows",
    "after_begin",
    "after_count",
    "after",
    "after_start",
];

/// A column of whatever type.
#[derive(Clone, Copy, Debug)]
pub enum AnyColumn<'a> {
    /// Codes and flags.
    U8(&'a Column<u8>),
    /// Ranks and tags, or -1.
    I32(&'a Column<i32>),
    /// Numbers and counts.
    U32(&'a Column<u32>),
    /// Sizes, times and positions.
    U64(&'a Column<u64>),
}

impl AnyColumn<'_> {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::U8(column) => column.heap_bytes(),
            Self::I32(column) => column.heap_bytes(),
            Self::U32(column) => column.heap_bytes(),
            Self::U64(column) => column.heap_bytes(),
        }
    }
}

/// A column of whatever type, to be changed.
#[derive(Debug)]
pub enum AnyColumnMut<'a> {
    /// See [`AnyColumn`].
    U8(&'a mut Column<u8>),
    /// See [`AnyColumn`].
    I32(&'a mut Column<i32>),
    /// See [`AnyColumn`].
    U32(&'a mut Column<u32>),
    /// See [`AnyColumn`].
    U64(&'a mut Column<u64>),
}

impl AnyColumnMut<'_> {
    fn close(self) {
        match self {
            Self::U8(column) => column.close(),
            Self::I32(column) => column.close(),
            Self::U32(column) => column.close(),
            Self::U64(column) => column.close(),
        }
    }
}

/// A recorded job, in columns.
///
/// The operations of rank `r` are entries `rank_offsets[r]..rank_offsets[r + 1]` of the columns
/// `op` to `aux_count`; an operation uses the columns that [`super::op`] names and ignores the
/// others. `aux[aux_begin..aux_begin + aux_count]` is the list of an operation. The members of
/// communicator `c` are `comm_members[comm_offsets[c]..comm_offsets[c + 1]]`. All ranges are
/// half-open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceTable {
    /// Shape (ranks + 1).
    pub rank_offsets: Vec<u64>,
    /// Shape (operations): code, see [`super::op`].
    pub op: Column<u8>,
    /// Rank of the communicator; -1: any.
    pub peer: Column<i32>,
    /// Payload bytes.
    pub bytes: Column<u64>,
    /// -1: any.
    pub tag: Column<i32>,
    /// Communicator.
    pub comm: Column<u32>,
    /// Name of the request.
    pub request: Column<u32>,
    /// Computation, ps.
    pub duration_ps: Column<u64>,
    /// Start of the operation's list in `aux`.
    pub aux_begin: Column<u64>,
    /// Length of the operation's list.
    pub aux_count: Column<u32>,
    /// Lists: requests of a waitall, sizes of a collective.
    pub aux: Column<u64>,
    /// Shape (communicators + 1); communicator 0 has all ranks, in order.
    pub comm_offsets: Vec<u64>,
    /// Ranks of the job, in communicator order.
    pub comm_members: Vec<u32>,
    /// Columns that make graphs of the programs; without them all are sequences.
    pub streams: Option<StreamColumns>,
}

/// Streams and edges of the operations, see `docs/traces.md`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StreamColumns {
    /// Shape (operations): stream of the rank, below 65,536.
    pub stream: Column<u32>,
    /// Shape (operations): 1 if it starts after the operation before it in its stream.
    pub follows: Column<u8>,
    /// Shape (operations): its first edge.
    pub after_begin: Column<u64>,
    /// Shape (operations): number of its edges.
    pub after_count: Column<u32>,
    /// Shape (edges): position, in the same rank, of the operation that is waited for.
    pub after: Column<u32>,
    /// Shape (edges): 0 for its end, 1 for its start.
    pub after_start: Column<u8>,
}

impl StreamColumns {
    /// Lets operations without a stream follow on the first one, and those without edges have none.
    pub fn pad(&mut self, operations: usize) {
        while self.stream.len() < operations {
            self.stream.push(0);
            self.follows.push(1);
        }
        let end = self.after.len() as u64;
        while self.after_begin.len() < operations {
            self.after_begin.push(end);
            self.after_count.push(0);
        }
    }
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

    /// The list of an operation; what is there of it, of a table that has not been checked.
    pub(crate) fn list(&self, operation: usize) -> Vec<u64> {
        self.aux.range(self.aux_range(operation)).collect()
    }

    /// Where the list of an operation is in `aux`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a table in memory has usize entries"
    )]
    fn aux_range(&self, operation: usize) -> std::ops::Range<usize> {
        match self.aux_count.get(operation) as usize {
            0 => 0..0,
            count => {
                let begin = self.aux_begin.get(operation) as usize;
                begin..begin + count
            }
        }
    }

    /// Closes the gaps that operations without effect leave, if the programs are sequences.
    pub fn drop_nothing(&mut self) {
        if self.streams.is_some() || self.op.iter().all(|code| code != op::NOTHING) {
            return;
        }
        let mut kept = 0;
        let mut ends = vec![0];
        for rank in 0..self.rank_count() {
            let own = self.op.range(self.operations(rank));
            kept += own.filter(|code| *code != op::NOTHING).count() as u64;
            ends.push(kept);
        }
        self.rank_offsets = ends;
        let old = std::mem::take(&mut self.op);
        let keep = |at: usize| old.get(at) != op::NOTHING;
        self.peer.retain(keep);
        self.bytes.retain(keep);
        self.tag.retain(keep);
        self.comm.retain(keep);
        self.request.retain(keep);
        self.duration_ps.retain(keep);
        self.aux_begin.retain(keep);
        self.aux_count.retain(keep);
        self.op = old.iter().filter(|code| *code != op::NOTHING).collect();
    }

    /// Packs what is not packed yet.
    pub fn close(&mut self) {
        for name in COLUMNS {
            if let Some(column) = self.column_mut(name) {
                column.close();
            }
        }
    }

    /// Bytes of memory.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let columns = COLUMNS.iter().filter_map(|name| self.column(name));
        columns.map(|column| column.heap_bytes()).sum::<usize>()
            + 8 * (self.rank_offsets.len() + self.comm_offsets.len())
            + 4 * self.comm_members.len()
    }

    /// The column of a name; none: there is none, or this table has no streams.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<AnyColumn<'_>> {
        use AnyColumn::{I32, U8, U32, U64};
        let graph = self.streams.as_ref();
        Some(match name {
            "op" => U8(&self.op),
            "peer" => I32(&self.peer),
            "bytes" => U64(&self.bytes),
            "tag" => I32(&self.tag),
            "comm" => U32(&self.comm),
            "request" => U32(&self.request),
            "duration_ps" => U64(&self.duration_ps),
            "aux_begin" => U64(&self.aux_begin),
            "aux_count" => U32(&self.aux_count),
            "aux" => U64(&self.aux),
            "stream" => U32(&graph?.stream),
            "follows" => U8(&graph?.follows),
            "after_begin" => U64(&graph?.after_begin),
            "after_count" => U32(&graph?.after_count),
            "after" => U32(&graph?.after),
            "after_start" => U8(&graph?.after_start),
            _ => return None,
        })
    }

    /// The columns, to be changed.
    pub fn column_mut(&mut self, name: &str) -> Option<AnyColumnMut<'_>> {
        use AnyColumnMut::{I32, U8, U32, U64};
        let graph = self.streams.as_mut();
        Some(match name {
            "op" => U8(&mut self.op),
            "peer" => I32(&mut self.peer),
            "bytes" => U64(&mut self.bytes),
            "tag" => I32(&mut self.tag),
            "comm" => U32(&mut self.comm),
            "request" => U32(&mut self.request),
            "duration_ps" => U64(&mut self.duration_ps),
            "aux_begin" => U64(&mut self.aux_begin),
            "aux_count" => U32(&mut self.aux_count),
            "aux" => U64(&mut self.aux),
            "stream" => U32(&mut graph?.stream),
            "follows" => U8(&mut graph?.follows),
            "after_begin" => U64(&mut graph?.after_begin),
            "after_count" => U32(&mut graph?.after_count),
            "after" => U32(&mut graph?.after),
            "after_start" => U8(&mut graph?.after_start),
            _ => return None,
        })
    }

    /// By rank of the job: its communicators, ascending, and its position in each.
    pub(crate) fn positions(&self) -> Vec<BTreeMap<u32, u32>> {
        let mut of_rank = vec![BTreeMap::new(); self.rank_count() as usize];
        for comm in 0..self.communicator_count() {
            for (position, &member) in (0..).zip(self.members(comm)) {
                of_rank[member as usize].insert(comm, position);
            }
        }
        of_rank
    }
}
