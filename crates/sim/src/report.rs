//! From a run that is over to tables and a summary.

pub(crate) mod blame;
pub(crate) mod counters;
pub(crate) mod decided;
pub(crate) mod finished;
pub(crate) mod link_outcome;
pub(crate) mod link_series;
pub(crate) mod load;
pub(crate) mod losses;
pub(crate) mod messages;
pub(crate) mod overlap;
pub(crate) mod probes;
pub(crate) mod stall;
pub(crate) mod summary;
pub(crate) mod tables;
pub(crate) mod warnings;
