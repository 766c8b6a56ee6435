//! What can be wrong with a workload.

/// Why a job cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// The workload is not named.
    #[error("a workload needs the key `kind`, one of {choices}")]
    MissingKind {
        /// Known names.
        choices: String,
    },
    /// No such workload.
    #[error("workload `{kind}` does not exist{hint}; choose one of {choices}")]
    UnknownKind {
        /// As given.
        kind: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known names.
        choices: String,
    },
    /// A key the workload does not have.
    #[error("`{key}` is not a key of workload `{kind}`{hint}; its keys are {choices}")]
    UnknownKey {
        /// As given.
        key: String,
        /// Workload.
        kind: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known keys.
        choices: String,
    },
    /// A key that must be given is not.
    #[error("workload `{kind}` needs the key `{key}`: {doc}")]
    MissingKey {
        /// Key.
        key: String,
        /// Workload.
        kind: String,
        /// What it means.
        doc: String,
    },
    /// A value of the wrong type or out of range.
    #[error("`{key}` of workload `{kind}` is {value}, but it must be {expected}")]
    WrongValue {
        /// Key.
        key: String,
        /// Workload.
        kind: String,
        /// As given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// Values that do not go together.
    #[error("workload `{kind}`: {problem}")]
    Impossible {
        /// Workload.
        kind: String,
        /// What does not fit, and the remedy.
        problem: String,
    },
    /// A trace that was not read.
    #[error("the trace `{path}` has not been read; give its table under this name")]
    MissingTrace {
        /// As given.
        path: String,
    },
    /// A trace that cannot be replayed.
    #[error("the trace `{path}` cannot be replayed: {problem}")]
    BadTrace {
        /// As given.
        path: String,
        /// The first of its problems.
        problem: TraceError,
    },
}

/// What is wrong with a trace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// Columns that do not fit together.
    #[error("its columns do not fit together: {problem}; convert the original again")]
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
        /// What is wrong.
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
        /// What one rank does.
        first: String,
        /// That rank of the job.
        first_rank: u32,
        /// What another rank does.
        second: String,
        /// That rank of the job.
        second_rank: u32,
    },
}
