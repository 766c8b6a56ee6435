//! A run that keeps the record of every packet: what comparisons with the reference model need.

use std::sync::Arc;

use odonata_engine::Control;
use odonata_routing::Routing;
use odonata_telemetry::{MeasureWindow, PacketRecord};
use odonata_topology::Topology;
use odonata_units::{Instant, Span};

use crate::error::NetworkError;
use crate::network::Network;
use crate::parameters::Parameters;
use crate::shared::{NodeUse, Observe, Sharing};
use odonata_endpoint::Endpoint;

struct Unattended;

impl Control for Unattended {
    fn after_epoch(&self, _: Instant, _: u64) -> bool {
        false
    }
}

/// Simulates until `until` and returns the records of all packets delivered before, and the
/// network.
///
/// # Errors
/// As [`Network::new`].
pub fn simulate_recorded<E: Endpoint>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    endpoints: Vec<E>,
    (until, threads): (Instant, usize),
) -> Result<(Vec<PacketRecord>, Network<E>), NetworkError> {
    let sharing = Sharing::default();
    simulate_sharing(
        topology,
        routing,
        parameters,
        (endpoints, sharing),
        (until, threads),
    )
}

/// The same, where nodes are used together.
///
/// # Errors
/// As [`Network::new`].
pub fn simulate_sharing<E: Endpoint>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    (endpoints, sharing): (Vec<E>, Sharing),
    (until, threads): (Instant, usize),
) -> Result<(Vec<PacketRecord>, Network<E>), NetworkError> {
    let used = NodeUse {
        job: 0,
        is_goal: true,
    };
    let observe = Observe {
        nodes: vec![used; topology.node_count() as usize],
        jobs: sharing.goals.len().max(1),
        // Never reached: the run ends when nothing is left to do, or at `until`.
        measure: Some(MeasureWindow::ALWAYS),
        packet_sample: 1,
        series_bin: Span::from_ns(1_000),
        blame: false,
        sharing,
        counters: None,
        link_series: false,
    };
    let mut network = Network::new(topology, routing, parameters, endpoints, observe)?;
    // NICs are behind the end of an epoch by the way into a router.
    let lag = network.nic_lag();
    network.run(until + lag, threads, &Unattended);
    let mut records = network.take_records();
    records.retain(|record| record.delivered < until);
    Ok((records, network))
}
