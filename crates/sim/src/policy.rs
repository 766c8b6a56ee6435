//! Routing policies: what they decide, and what became of it.

pub(crate) mod decision_sums;
pub(crate) mod decisions;
pub(crate) mod interface;
pub(crate) mod policies;
pub(crate) mod steering;
