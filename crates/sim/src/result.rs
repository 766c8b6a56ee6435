//! What a run returns, and what processes tell each other of it.

pub(crate) mod exchange;
pub mod outcome;
pub(crate) mod statistic;
