//! Entry of a workload in the registry.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::error::WorkloadError;
use crate::spec::{Parameter, Spec};
use crate::trace::table::TraceTable;

pub(crate) type Ranks =
    fn(&Spec<'_>, u32, &BTreeMap<String, Arc<TraceTable>>) -> Result<u32, WorkloadError>;
pub(crate) type Build = fn(&Spec<'_>, &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError>;

/// One workload.
pub(crate) struct WorkloadEntry {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) source: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) ranks: Ranks,
    pub(crate) build: Build,
}
