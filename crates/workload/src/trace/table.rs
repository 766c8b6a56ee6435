//! The table of a recorded job.

use std::collections::BTreeMap;

use super::op;

/// A recorded job, in columns.
///
/// The operations of rank `r` are entries `rank_offsets[r]..rank_offsets[r + 1]` of the columns
/// `op` to `aux_count`; an operation uses the columns that [`super::op`] names and ignores the others.
/// `aux[aux_begin..aux_begin + aux_count]` is the list of an operation. The members of
/// communicator `c` are `comm_members[comm_offsets[c]..comm_offsets[c + 1]]`. All ranges are
/// half-open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceTable {
    /// Shape (ranks + 1).
    pub rank_offsets: Vec<u64>,
    /// Shape (operations): code, see [`super::op`].
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
    /// What makes graphs of the programs; without it all are sequences.
    pub streams: Option<StreamColumns>,
}

/// Streams and edges of the operations, see `docs/traces.md`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StreamColumns {
    /// Shape (operations): stream of the rank, below 65,536.
    pub stream: Vec<u32>,
    /// Shape (operations): 1 if it starts after the operation before it in its stream.
    pub follows: Vec<u8>,
    /// Shape (operations): its first edge.
    pub after_begin: Vec<u64>,
    /// Shape (operations): number of its edges.
    pub after_count: Vec<u32>,
    /// Shape (edges): position, in the same rank, of the operation that is waited for.
    pub after: Vec<u32>,
    /// Shape (edges): 0 for its end, 1 for its start.
    pub after_start: Vec<u8>,
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

    /// Multiplies the sizes of all messages and collectives, each rounded to the nearest byte.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::float_cmp,
        reason = "a scale other than 1 is exact to 2^-53; the conversion saturates"
    )]
    pub(crate) fn scale_sizes(&mut self, scale: f64) {
        if scale == 1.0 {
            return;
        }
        let scaled = |size: u64| libm::round(size as f64 * scale) as u64;
        // A receive of whatever comes stays one.
        let all = |size: &mut u64| {
            if *size < u64::MAX {
                *size = scaled(*size);
            }
        };
        self.bytes.iter_mut().for_each(all);
        let has_sizes = |code: u8| op::is_collective(code);
        for at in (0..self.op.len()).filter(|&at| has_sizes(self.op[at])) {
            let begin = self.aux_begin[at] as usize;
            let end = begin + self.aux_count[at] as usize;
            if end > begin {
                self.aux[begin..end].iter_mut().for_each(all);
            }
        }
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
