//! A run that is over.

use odonata_mpi::RankReport;
use odonata_network::{Network, Stop};
use odonata_units::NodeId;
use odonata_workload::NodeEndpoint;

use crate::config::Config;
use crate::machine::Machine;
use crate::service::Served;

/// A network that has run, and who used it.
pub(crate) struct Finished {
    pub(crate) machine: Machine,
    pub(crate) placed: PlacedJobs,
    pub(crate) network: Network<Served>,
    pub(crate) stop: Stop,
    pub(crate) threads: usize,
}

/// Nodes of the jobs, kept after their endpoints have moved into the network.
pub(crate) struct PlacedJobs {
    pub(crate) nodes: Vec<Vec<NodeId>>,
    pub(crate) open_loop: Vec<bool>,
}

/// Reports of the ranks of a job, in rank order; empty for open-loop traffic.
pub(crate) fn rank_reports(finished: &Finished, job: usize) -> Vec<RankReport> {
    let endpoints: Vec<_> = finished.network.endpoints().collect();
    let nodes = finished.placed.nodes[job].iter();
    let ranks = nodes.filter_map(|node| match &endpoints[node.index()].endpoint {
        NodeEndpoint::Rank(rank) => Some(rank.report()),
        NodeEndpoint::Idle | NodeEndpoint::OpenLoop(_) => None,
    });
    ranks.collect()
}

/// Every so many iterations of each rank are in the tables: the coarsest of a job's ranks decides.
pub(crate) fn iterations_every(reports: &[RankReport]) -> u64 {
    let all = reports.iter().map(|report| report.iterations_every);
    all.max().unwrap_or(1)
}

/// A network that has run, and what its ranks say of it.
pub(crate) struct Reported<'a> {
    pub(crate) config: &'a Config,
    pub(crate) finished: &'a Finished,
    /// `[job][rank]`; empty for open-loop traffic.
    pub(crate) reports: Vec<Vec<RankReport>>,
}
