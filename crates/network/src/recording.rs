//! A run that keeps the record of every packet: what comparisons with the reference model need.

use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_engine::Control;
use odonata_routing::Routing;
use odonata_telemetry::{Instrument, PacketRecord, PacketSample, Recorder};
use odonata_topology::Topology;
use odonata_units::Instant;

use crate::model::division::{Division, Team};
use crate::model::error::NetworkError;
use crate::model::parameters::Parameters;
use crate::model::usage::{Sharing, Usage};
use crate::network::Network;

struct Unattended;

impl Control for Unattended {
    fn after_epoch(&self, _: Instant, _: u64) -> bool {
        false
    }
}

/// The users of a network: one endpoint per node, and which nodes are used together.
#[derive(Clone, Debug)]
pub struct Users<E> {
    /// `endpoints[n]` uses node `n`.
    pub endpoints: Vec<E>,
    /// Nodes that are used together, and nodes that several jobs use.
    pub sharing: Sharing,
}

impl<E> From<Vec<E>> for Users<E> {
    /// Every node is used for itself.
    fn from(endpoints: Vec<E>) -> Self {
        Self {
            endpoints,
            sharing: Sharing::default(),
        }
    }
}

/// Simulates until `until` on `threads` threads and returns the records of all packets delivered
/// before, and the network.
///
/// # Errors
/// As [`Network::new`].
///
/// # Panics
/// As [`Network::new`].
pub fn simulate_recorded<E: Endpoint>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    users: impl Into<Users<E>>,
    until: Instant,
    threads: usize,
) -> Result<(Vec<PacketRecord>, Network<E>), NetworkError> {
    let Users { endpoints, sharing } = users.into();
    let usage = Usage {
        jobs: sharing.goals.len().max(1),
        sharing,
        // The goals are never reached: the run ends when nothing is left to do, or at `until`.
        ..Usage::of_one_job(topology.node_count() as usize)
    };
    let team = Team::alone(threads);
    let division = Division::new(&topology, team, |_| true);
    let mut network = Network::new(topology, routing, parameters, endpoints, usage, division)?;
    let every_one = PacketSample {
        every: 1,
        lanes: network.record_lanes(),
    };
    let scopes = network.scopes();
    let recorder = |scope| Recorder::new(scope, &every_one);
    let mut probes: Vec<Recorder> = scopes.iter().map(recorder).collect();
    // NICs are behind the end of an epoch by the time from a NIC into its router.
    let lag = network.nic_lag();
    let run = network.run(until + lag, &mut probes, &Unattended, team.mesh);
    run.unwrap_or_else(|error| unreachable!("{error}: there are no other processes"));
    let mut records = Recorder::merge(probes, network.end()).unwrap_or_default();
    records.retain(|record| record.delivered < until);
    Ok((records, network))
}
