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

use odonata_mpi::{MpiParameters, MpiRank};
use odonata_network::{Endpoint, Message, Nic};
use odonata_units::{Bandwidth, Instant, JobId, NodeId};
use serde_json::{Map, Value};

mod error;
mod open_loop;
mod permutation;
mod registry;
mod skeleton;
mod spec;
pub mod trace;

pub use error::{TraceError, WorkloadError};
pub use open_loop::OpenLoopSource;
pub use registry::registry;
pub use trace::TraceTable;

/// What one node does.
pub enum NodeEndpoint {
    /// Nothing.
    Idle,
    /// Sends messages at a given rate.
    OpenLoop(OpenLoopSource),
    /// Runs a rank of an MPI job.
    Rank(Box<MpiRank>),
}

impl Endpoint for NodeEndpoint {
    #[inline]
    fn next_wake(&self) -> Instant {
        match self {
            Self::Idle | Self::OpenLoop(_) => Instant::NEVER,
            Self::Rank(rank) => rank.next_wake(),
        }
    }

    #[inline]
    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        match self {
            Self::Idle | Self::OpenLoop(_) => {}
            Self::Rank(rank) => rank.wake(now, nic),
        }
    }

    #[inline]
    fn deliver(&mut self, now: Instant, message: &Message) {
        match self {
            Self::Idle | Self::OpenLoop(_) => {}
            Self::Rank(rank) => rank.deliver(now, message),
        }
    }

    #[inline(always)]
    fn pull(&mut self) -> Option<(Instant, Message)> {
        match self {
            Self::Idle | Self::Rank(_) => None,
            Self::OpenLoop(source) => Some(source.next_message()),
        }
    }

    #[inline]
    fn is_finished(&self) -> bool {
        match self {
            Self::Idle => true,
            Self::OpenLoop(_) => false,
            Self::Rank(rank) => rank.is_finished(),
        }
    }
}

/// Sizes of the system, all a workload sees of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SystemView<'a> {
    /// Nodes.
    pub node_count: u32,
    /// First node of each group, ascending. A group has the nodes up to the next one, which may be none.
    pub group_starts: &'a [u32],
    /// Of a node's channel into the network.
    pub injection: Bandwidth,
    /// A flit, bytes.
    pub flit_bytes: u32,
    /// Largest packet, bytes.
    pub packet_bytes: u32,
}

/// What a workload is built from, besides its own parameters.
#[derive(Clone, Copy)]
pub struct JobContext<'a> {
    /// Root of every random stream.
    pub seed: u64,
    /// Number of the job, a key of its random streams.
    pub job: JobId,
    /// Name of the job, for errors.
    pub name: &'a str,
    /// Node of each rank.
    pub nodes: &'a [NodeId],
    /// Sizes of the system.
    pub system: SystemView<'a>,
    /// Costs and algorithms of the MPI library.
    pub mpi: &'a MpiParameters,
    /// Traces by the path under which workloads name them.
    pub traces: &'a BTreeMap<String, TraceTable>,
}

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
