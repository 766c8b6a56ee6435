//! Context of a workload: its system and its job.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use odonata_mpi::{MpiParameters, RankMap};
use odonata_units::{Bandwidth, JobId, NodeId};

use crate::trace::table::TraceTable;

/// Sizes of the system, all a workload sees of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SystemView<'a> {
    /// Nodes.
    pub node_count: u32,
    /// First node of each group, ascending. A group has the nodes up to the next one, which may be
    /// none.
    pub group_starts: &'a [u32],
    /// Rate of a node's channel into the network.
    pub injection: Bandwidth,
    /// A flit, bytes.
    pub flit_bytes: u32,
    /// Largest packet, bytes.
    pub packet_bytes: u32,
}

/// Sources of a workload besides its own parameters.
#[derive(Clone, Copy)]
pub struct JobContext<'a> {
    /// Root of every random stream.
    pub seed: u64,
    /// Number of the job, a key of its random streams.
    pub job: JobId,
    /// Name of the job, for errors.
    pub name: &'a str,
    /// Node of the network by which each rank is reached; ranks may share one.
    pub nodes: &'a [NodeId],
    /// Where the ranks sit; `None`: on these nodes, in rank order.
    pub rank_map: Option<&'a Arc<RankMap>>,
    /// The nodes that this process simulates; `None`: all of them.
    pub here: Option<&'a Range<u32>>,
    /// Sizes of the system.
    pub system: SystemView<'a>,
    /// Costs and algorithms of the MPI library.
    pub mpi: &'a MpiParameters,
    /// Traces by the path under which workloads name them.
    pub traces: &'a BTreeMap<String, Arc<TraceTable>>,
}

impl JobContext<'_> {
    /// Whether this process simulates `node`.
    #[must_use]
    pub fn is_here(&self, node: NodeId) -> bool {
        self.here.is_none_or(|here| here.contains(&node.0))
    }
}
