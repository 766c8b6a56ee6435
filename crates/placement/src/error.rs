//! Why a job cannot be placed.

use odonata_registry::MemberError;

/// Why a job cannot be placed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// The kind, a key or a value of the placement is refused.
    #[error(transparent)]
    Refused(#[from] MemberError),
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
