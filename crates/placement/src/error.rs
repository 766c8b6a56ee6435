//! Why a job cannot be placed.

/// Why a job cannot be placed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// No such placement.
    #[error("placement `{kind}` does not exist{hint}; choose one of {choices}")]
    UnknownKind {
        /// As given.
        kind: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known names.
        choices: String,
    },
    /// The placement is not named.
    #[error("a placement needs the key `kind`, one of {choices}")]
    MissingKind {
        /// Known names.
        choices: String,
    },
    /// A key the placement does not have.
    #[error("`{key}` is not a key of placement `{kind}`{hint}; its keys are {choices}")]
    UnknownKey {
        /// As given.
        key: String,
        /// Placement.
        kind: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known keys.
        choices: String,
    },
    /// A value of the wrong form.
    #[error("`{key}` of placement `{kind}` {problem}")]
    WrongValue {
        /// Key.
        key: String,
        /// Placement.
        kind: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// A unit the system does not consist of.
    #[error(
        "placement `{kind}` asks for the unit `{unit}`, but this system has none{hint}; its units \
         are {choices}"
    )]
    UnknownUnit {
        /// Placement.
        kind: String,
        /// As asked for.
        unit: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Units of the system.
        choices: String,
    },
    /// More ranks than free nodes.
    #[error(
        "{ranks} ranks need {needed} nodes, but {free} of the system's {total} nodes are free; \
         use fewer ranks, a larger system, or fewer jobs"
    )]
    TooFewNodes {
        /// Ranks of the job.
        ranks: u32,
        /// Nodes that they need.
        needed: u32,
        /// Nodes no job has.
        free: u32,
        /// Nodes of the system.
        total: u32,
    },
}
