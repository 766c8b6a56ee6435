//! What can be said of a configuration without running it.

use std::collections::BTreeSet;

use odonata_network::{Network, Usage};
use odonata_units::{GroupId, NodeId};
use serde_json::{Value, json};

use crate::blame::check_parties;
use crate::config::Config;
use crate::counters::check_counters;
use crate::error::SimError;
use crate::exchange::TeamError;
use crate::inputs::Inputs;
use crate::jobs::place_jobs;
use crate::machine::machine;
use crate::precision::IterationWatch;
use crate::run::{bounds, path_of};
use crate::statistic::ns;

/// Validates `config` and forecasts its run, without running it.
///
/// The result has `virtual_channels`, `nodes`, `nodes_in_use`, `ends_no_later_than_ns` and
/// `forecast`: for open-loop traffic packets, packet-hops and bytes of memory, about; `null` where
/// jobs end the run.
///
/// # Errors
/// Whatever [`crate::run()`] would refuse.
pub fn check(config: &Config, inputs: &Inputs) -> Result<Value, SimError> {
    check_parties(config)?;
    check_counters(config)?;
    let machine = machine(config, inputs, 1)?;
    let mut placed = place_jobs(config, &machine, inputs, None)?;
    let (window, until) = bounds(config, &placed)?;
    let watch = IterationWatch::new(config, &mut placed, &machine.parameters, None);
    watch.map_err(TeamError::alone)?;
    let usage = Usage {
        nodes: placed.uses.clone(),
        jobs: config.jobs.len(),
        measure: window,
        sharing: placed.sharing.clone(),
    };
    let homes = placed
        .locations
        .iter()
        .flatten()
        .map(|location| location.home);
    let homes: BTreeSet<NodeId> = homes.collect();
    let open = placed.locations.iter().zip(&placed.open_loop);
    let sources = open
        .filter(|(_, open)| **open)
        .flat_map(|(locations, _)| locations);
    let sources: BTreeSet<NodeId> = sources.map(|location| location.address).collect();
    // All NICs of a node with ranks are in use.
    let of_ranks = |home: &NodeId| match machine.ends.beside(*home) {
        [] => vec![*home],
        beside => beside.to_vec(),
    };
    let is_ranks = |home: &&NodeId| !sources.contains(home);
    let ranks: BTreeSet<NodeId> = homes.iter().filter(is_ranks).flat_map(of_ranks).collect();
    let nodes_in_use = ranks.union(&sources).count();
    let topology = std::sync::Arc::clone(&machine.topology);
    Network::new(
        topology,
        &machine.routing,
        &machine.parameters,
        std::mem::take(&mut placed.endpoints),
        usage,
    )
    .map_err(|error| SimError::new(path_of(&error), error))?;
    let forecast = forecast(
        config,
        &machine,
        &placed,
        window.map(|window| ns(window.to.ps())),
    );
    Ok(json!({
        "virtual_channels": machine.routing.virtual_channels(),
        "nodes": machine.topology.node_count(),
        "nodes_in_use": nodes_in_use,
        "ends_no_later_than_ns": ns(until.ps()),
        "forecast": forecast,
    }))
}

/// Bytes of state per node and per packet in flight, as measured by `odonata bench`.
const BYTES_PER_NODE: u64 = 4_096;
const BYTES_PER_PACKET: u64 = 32;

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a forecast"
)]
fn forecast(
    config: &Config,
    machine: &crate::machine::Machine,
    placed: &crate::jobs::Placed,
    measured_until_ns: Option<f64>,
) -> Value {
    let Some(duration_ns) = measured_until_ns else {
        return json!({
            "packets": null, "packet_hops": null,
            "memory_bytes": u64::from(machine.topology.node_count()) * BYTES_PER_NODE,
            "note": "the jobs end this run; packets are known only when they have run",
        });
    };
    let rate = machine.parameters.host.bandwidth.bytes_per_second() as f64 / 1e9;
    let mut packets = 0.0;
    for (job, nodes) in config.jobs.iter().zip(&placed.locations) {
        let load = job
            .workload
            .get("load")
            .and_then(Value::as_f64)
            .unwrap_or(0.0);
        let bytes = load.min(1.0) * rate * duration_ns * nodes.len() as f64;
        packets += bytes / f64::from(machine.parameters.payload_bytes());
    }
    // Mean routers of a minimal path between nodes of different groups: 2 + twice the chance that a
    // router has no link of its own to the group.
    let routers = machine.topology.routers_in_group(GroupId(0));
    let direct = 1.0 / f64::from(routers);
    let hops = 2.0 + 2.0 * (1.0 - direct);
    let in_flight = packets / duration_ns * 1_000.0;
    json!({
        "packets": packets as u64,
        "packet_hops": (packets * hops) as u64,
        "memory_bytes": u64::from(machine.topology.node_count()) * BYTES_PER_NODE
            + (in_flight as u64) * BYTES_PER_PACKET,
        "note": "minimal paths assumed; non-minimal ones are up to twice as long",
    })
}
