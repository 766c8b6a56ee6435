//! Workloads: what the nodes of a job do.
//!
//! ```text
//! scenario --rank_count--> ranks --(placement)--> nodes --build--> one NodeEndpoint per rank
//! ```
//!
//! Three families: skeletons (programs of MPI operations, generated one by one), traces (programs
//! read from a table), open-loop traffic (messages at a given rate, whatever becomes of them).
//! This room deliberately does not know the network: of the system it sees only sizes.
//!
//! The seam below is [`odonata_network::Endpoint`]; the seam above are [`rank_count`], [`build`]
//! and [`registry()`]. A new workload is one file and one line in `registry.rs`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

mod context;
mod endpoint;
mod entry;
mod error;
mod open_loop;
mod permutation;
mod registry;
mod skeleton;
mod spec;
pub mod trace;

pub use context::{JobContext, SystemView};
pub use endpoint::NodeEndpoint;
pub use error::{TraceError, WorkloadError};
pub use open_loop::source::OpenLoopSource;
pub use registry::registry;
pub use trace::table::{StreamColumns, TraceTable};

/// How many ranks a workload has, before it is placed on some of `available` free nodes.
///
/// # Errors
/// If the workload, one of its keys or its sizes are wrong, or its trace has not been read.
pub fn rank_count(
    spec: &Map<String, Value>,
    available: u32,
    traces: &BTreeMap<String, TraceTable>,
) -> Result<u32, WorkloadError> {
    let (entry, spec) = registry::find(spec)?;
    (entry.ranks)(&spec, available, traces)
}

/// Builds what each node of the job does: one endpoint per node of `context.nodes`, same order.
///
/// Draws only from streams keyed by the job or the node.
///
/// # Errors
/// If the workload, one of its keys or its sizes are wrong, or do not fit the number of nodes.
pub fn build(
    spec: &Map<String, Value>,
    context: &JobContext<'_>,
) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (entry, spec) = registry::find(spec)?;
    let available = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let ranks = (entry.ranks)(&spec, available, context.traces)?;
    if ranks != available {
        return Err(spec.impossible(format!(
            "it has {ranks} ranks, but job `{}` was given {available} nodes; give one per rank",
            context.name
        )));
    }
    (entry.build)(&spec, context)
}
