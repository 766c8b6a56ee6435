//! Routing policies: what they decide, and what became of it.

pub(crate) mod decision_sums;
pub(crate) mod decisions;
pub(crate) mod policies;
pub(crate) mod policy_of_job;
pub(crate) mod steering;
