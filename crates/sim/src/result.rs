//! Outcome of a run, and its exchange between processes.

pub(crate) mod exchange;
pub mod outcome;
pub(crate) mod statistic;
