//! Errors of a workload.

use odonata_registry::MemberError;

/// Why a job cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// The kind, a key or a value of the workload is refused.
    #[error(transparent)]
    Refused(#[from] MemberError),
    /// Values that do not go together.
    #[error("workload `{kind}`: {problem}")]
    Impossible {
        /// Workload.
        kind: String,
        /// The part that does not fit, and the remedy.
        problem: String,
    },
    /// A trace that was not read.
    #[error("the trace `{path}` has not been read; give its table under this name")]
    MissingTrace {
        /// The given path.
        path: String,
    },
    /// A trace that cannot be replayed.
    #[error("the trace `{path}` cannot be replayed: {problem}")]
    BadTrace {
        /// The given path.
        path: String,
        /// The first of its problems.
        problem: TraceError,
    },
}

/// A problem with a trace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// Columns that do not fit together.
    #[error("its columns do not match: {problem}; convert the original again")]
    Shape {
        /// Which, and how.
        problem: String,
    },
    /// An operation that cannot be.
    #[error("operation {index} of rank {rank} ({operation}) {problem}")]
    Operation {
        /// Rank of the job.
        rank: u32,
        /// Position in the rank's program, from 0.
        index: u64,
        /// Name of the operation.
        operation: &'static str,
        /// The problem.
        problem: String,
    },
    /// Operations that wait for each other.
    #[error(
        "operations of rank {rank} wait for each other: {circle}; leave one of these edges out"
    )]
    Circle {
        /// Rank of the job.
        rank: u32,
        /// The operations and their edges, in words.
        circle: String,
    },
    /// Operations that are paired by number, but may start in either order.
    #[error(
        "operations {first} and {second} of rank {rank}, {what}, may start in either order: it \
         depends on times, and another rank may start their partners the other way around; let one \
         of them wait for the other"
    )]
    Order {
        /// Rank of the job.
        rank: u32,
        /// Position and kind of the one that stands first.
        first: String,
        /// The other one.
        second: String,
        /// Their common part.
        what: String,
    },
    /// Sends without receives, or receives without sends.
    #[error(
        "{count} {what} of rank {rank} {direction} rank {peer} with tag {tag} on communicator \
         {comm} have no partner; the trace is truncated or was recorded in part"
    )]
    Unmatched {
        /// How many.
        count: u64,
        /// `sends` or `receives`.
        what: &'static str,
        /// Rank of the job whose operations they are.
        rank: u32,
        /// `to` or `from`.
        direction: &'static str,
        /// Rank of the job, or `any`.
        peer: String,
        /// Tag, or `any`.
        tag: String,
        /// Communicator of the table.
        comm: u32,
    },
    /// Ranks that disagree on the collectives of a communicator.
    #[error(
        "collective {number} of communicator {comm} is {first} on rank {first_rank}, but {second} \
         on rank {second_rank}; the trace is truncated or was recorded in part"
    )]
    Collective {
        /// Communicator of the table.
        comm: u32,
        /// Position among the collectives of the communicator, from 0.
        number: u64,
        /// Operation of one rank.
        first: String,
        /// That rank of the job.
        first_rank: u32,
        /// Operation of another rank.
        second: String,
        /// That rank of the job.
        second_rank: u32,
    },
}
