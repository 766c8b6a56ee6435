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
//! The seam below is [`odonata_endpoint::Endpoint`]; the seam above are [`rank_count`], [`build`]
//! and [`registry()`]. A new workload is one file and one line in `registry.rs`.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_units::NodeId;
use serde_json::{Map, Value};

mod context;
mod endpoint;
mod entry;
mod error;
mod open_loop;
mod permutation;
mod registry;
mod shared_node;
mod skeleton;
mod spec;
pub mod trace;

pub use context::{JobContext, SystemView};
pub use endpoint::NodeEndpoint;
pub use error::{TraceError, WorkloadError};
pub use open_loop::Aim;
pub use open_loop::source::OpenLoopSource;
pub use registry::registry;
pub use shared_node::{Memory, NicShape, Occupant, SharedNode};
pub use trace::column::{Column, Word};
pub use trace::table::{AnyColumn, AnyColumnMut, COLUMNS, StreamColumns, TraceTable};

/// How many ranks a workload has, before it is placed on some of `available` free nodes.
///
/// # Errors
/// If the workload, one of its keys or its sizes are wrong, or its trace has not been read.
pub fn rank_count(
    spec: &Map<String, Value>,
    available: u32,
    traces: &BTreeMap<String, Arc<TraceTable>>,
) -> Result<u32, WorkloadError> {
    let (entry, spec) = registry::find(spec)?;
    (entry.ranks)(&spec, available, traces)
}

/// Builds what each rank of the job does: one endpoint per entry of `context.nodes` that is here
/// ([`JobContext::is_here`]), same order; [`seated`] puts those of one node together.
///
/// Draws only from streams keyed by the job or the node.
///
/// # Errors
/// If the workload, one of its keys or its sizes are wrong, or do not fit the number of ranks.
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

/// `[node]`: where the messages of each node of an open-loop job go on average; nothing for one
/// that sends nothing, and for other jobs.
///
/// # Errors
/// As [`build`].
pub fn aims(
    spec: &Map<String, Value>,
    context: &JobContext<'_>,
) -> Result<Vec<Vec<(Aim, f64)>>, WorkloadError> {
    let (entry, spec) = registry::find(spec)?;
    if entry.name == open_loop::ENTRY.name {
        open_loop::aims(&spec, context)
    } else {
        Ok(Vec::new())
    }
}

/// Endpoints of the nodes of a job, in the order in which `nodes` names them first; those of the
/// ranks of one node are together. `nic` is what the nodes have.
///
/// # Errors
/// If open-loop traffic would share a node: the position of one such endpoint.
pub fn seated(
    nodes: &[NodeId],
    endpoints: Vec<NodeEndpoint>,
    nic: &NicShape,
) -> Result<Vec<(NodeId, NodeEndpoint)>, usize> {
    let mut indices: BTreeMap<NodeId, usize> = BTreeMap::new();
    let mut users: Vec<(NodeId, Vec<(usize, NodeEndpoint)>)> = Vec::new();
    for (position, (&node, endpoint)) in nodes.iter().zip(endpoints).enumerate() {
        let index = *indices.entry(node).or_insert(users.len());
        if index == users.len() {
            users.push((node, Vec::new()));
        }
        users[index].1.push((position, endpoint));
    }
    let together = |(node, mut users): (NodeId, Vec<(usize, NodeEndpoint)>)| {
        if users.len() == 1 {
            let only = users.pop().map(|(_, endpoint)| endpoint);
            return Ok((node, only.unwrap_or(NodeEndpoint::Idle)));
        }
        let occupant = |(local_rank, (position, user))| match user {
            NodeEndpoint::Rank(rank) => Ok(Occupant {
                rank: *rank,
                local_rank,
                job: 0,
                is_goal: true,
            }),
            NodeEndpoint::Idle | NodeEndpoint::OpenLoop(_) | NodeEndpoint::Ranks(_) => {
                Err(position)
            }
        };
        let occupants: Result<Vec<_>, _> = (0..).zip(users).map(occupant).collect();
        let shared = SharedNode::new(node, occupants?, nic.clone());
        Ok((node, NodeEndpoint::Ranks(Box::new(shared))))
    };
    users.into_iter().map(together).collect()
}
