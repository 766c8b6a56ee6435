//! What can be said of a configuration without running it.

use std::collections::BTreeSet;

use odonata_network::{Network, Team, Usage};
use odonata_units::{GroupId, NodeId};
use serde_json::{Value, json};

use crate::build::inputs::Inputs;
use crate::build::jobs::place_jobs;
use crate::build::limits::{Traffic, limits};
use crate::build::machine::{Machine, machine};
use crate::build::sources::{Sources, sources_at};
use crate::config::Config;
use crate::error::SimError;
use crate::precision::IterationWatch;
use crate::report::blame::check_parties;
use crate::report::counters::check_counters;
use crate::result::exchange::TeamError;
use crate::result::statistic::ns;
use crate::run::prepare::{bounds, path_of};

/// Validates `config` and forecasts its run, without running it.
///
/// The result has `virtual_channels`, `nodes`, `nodes_in_use`, `ends_no_later_than_ns` and
/// `forecast`: for open-loop traffic packets, packet-hops and bytes of memory, about; `null` where
/// jobs end the run; and `warnings`, sentences on what in the configuration bounds its numbers before
/// the network does.
///
/// # Errors
/// Whatever [`crate::run::team::run()`] would refuse.
pub fn check(config: &Config, inputs: &Inputs) -> Result<Value, SimError> {
    check_parties(config)?;
    check_counters(config)?;
    let machine = machine(config, inputs, 1)?;
    let team = Team::alone(1);
    let mut placed = place_jobs(config, &machine, inputs, team)?;
    let (window, until) = bounds(config, &placed)?;
    let watch = IterationWatch::new(config, &mut placed, &machine.parameters, team.mesh);
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
    let open = sources_at(&placed.locations, |node| placed.served(node));
    let traffic = Traffic {
        locations: &placed.locations,
        sources: &open,
    };
    let limits = limits(config, &machine, traffic);
    let topology = std::sync::Arc::clone(&machine.topology);
    Network::new(
        topology,
        &machine.routing,
        &machine.parameters,
        placed.endpoints,
        usage,
        placed.division,
    )
    .map_err(|error| SimError::new(path_of(&error), error))?;
    let forecast = forecast(&machine, &open, window.map(|window| window.to.ps()));
    Ok(json!({
        "virtual_channels": machine.routing.virtual_channels(),
        "nodes": machine.topology.node_count(),
        "nodes_in_use": nodes_in_use,
        "ends_no_later_than_ns": ns(until.ps()),
        "forecast": forecast,
        "warnings": limits,
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
fn forecast(machine: &Machine, open: &[Sources], measured_until_ps: Option<u64>) -> Value {
    let Some(until_ps) = measured_until_ps else {
        return json!({
            "packets": null, "packet_hops": null,
            "memory_bytes": u64::from(machine.topology.node_count()) * BYTES_PER_NODE,
            "note": "the jobs end this run; packets are known only when they have run",
        });
    };
    let parameters = &machine.parameters;
    let rate = parameters.host.bandwidth.bytes_per_second() as f64 / 1e12;
    let packets: f64 = open
        .iter()
        .map(|sources| {
            let messages = sources.messages_in(until_ps);
            // A node injects no faster than its channel, whatever it creates.
            let most = rate * until_ps as f64 * sources.count as f64;
            let wire = sources.wire_bytes(parameters) as f64;
            messages.min(most / wire.max(1.0)) * sources.packets_per_message(parameters) as f64
        })
        .sum();
    // Mean routers of a minimal path between nodes of different groups: 2 + twice the chance that a
    // router has no link of its own to the group.
    let routers = machine.topology.routers_in_group(GroupId(0));
    let direct = 1.0 / f64::from(routers);
    let hops = 2.0 + 2.0 * (1.0 - direct);
    let in_flight = packets / until_ps as f64 * 1e6;
    json!({
        "packets": packets as u64,
        "packet_hops": (packets * hops) as u64,
        "memory_bytes": u64::from(machine.topology.node_count()) * BYTES_PER_NODE
            + (in_flight as u64) * BYTES_PER_PACKET,
        "note": "minimal paths assumed; non-minimal ones are up to twice as long",
    })
}
