//! Whether a run fits into memory, before anything large is built.

use odonata_mpi::MpiRank;
use odonata_network::{MOST_GROUPS, MOST_NODES, NetworkError};
use odonata_telemetry::LinkSeries;
use odonata_topology::Size;

use crate::build::inputs::Inputs;
use crate::build::shape::{aries, dragonfly, megafly};
use crate::config::{Config, TopologyChoice};
use crate::error::{At, SimError};

const TOPOLOGY_PATH: &str = "system.topology";

/// Memory of the network for each port at least, bytes.
const BYTES_PER_PORT: u64 = 450;
/// Memory for the counts of a port and its rows in the results, bytes.
const RESULT_BYTES_PER_PORT: u64 = 150;
/// A rank with its program, bytes.
const BYTES_PER_RANK: u64 = size_of::<MpiRank>() as u64 + 1_024;

/// Refuses a system that is too large for this program or this machine, for its wiring alone.
pub(crate) fn afford_topology(config: &Config, inputs: &Inputs) -> Result<(), SimError> {
    let Some(size) = size(config)? else {
        return Ok(());
    };
    check_limits(&size)?;
    afford(inputs, size.bytes()).at(TOPOLOGY_PATH)
}

fn check_limits(size: &Size) -> Result<(), SimError> {
    let limits = [
        ("nodes", u64::from(size.nodes), MOST_NODES),
        ("groups", u64::from(size.groups), MOST_GROUPS),
    ];
    for (what, found, most) in limits {
        if found > most {
            return Err(SimError::new(
                TOPOLOGY_PATH,
                NetworkError::TooMany { what, found, most },
            ));
        }
    }
    Ok(())
}

/// Refuses a system that is too large for this machine, with all that one of so many processes
/// simulates of it.
pub(crate) fn afford_network(
    config: &Config,
    inputs: &Inputs,
    processes: usize,
) -> Result<(), SimError> {
    let Some(size) = size(config)? else {
        return Ok(());
    };
    check_limits(&size)?;
    let ports = u64::from(size.routers) * u64::from(size.radix);
    let over_time = if config.telemetry.link_series {
        LinkSeries::bytes_per_channel(config.jobs.len() as u64)
    } else {
        0
    };
    let simulated = ports * BYTES_PER_PORT / processes as u64;
    let results = ports * (RESULT_BYTES_PER_PORT + over_time);
    afford(inputs, size.bytes() + simulated + results).at(TOPOLOGY_PATH)
}

/// Refuses a job of more ranks than fit.
pub(crate) fn afford_ranks(inputs: &Inputs, ranks: u32) -> Result<(), NetworkError> {
    afford(inputs, u64::from(ranks) * BYTES_PER_RANK)
}

fn afford(inputs: &Inputs, needed: u64) -> Result<(), NetworkError> {
    let available = inputs.memory_bytes.unwrap_or(u64::MAX);
    if needed > available {
        return Err(NetworkError::Memory { needed, available });
    }
    Ok(())
}

/// How large the system of `config` will be; `None` if only its file knows.
fn size(config: &Config) -> Result<Option<Size>, SimError> {
    Ok(Some(match &config.system.topology {
        TopologyChoice::Dragonfly(choice) => dragonfly(choice).size().at(TOPOLOGY_PATH)?,
        TopologyChoice::Aries(choice) => aries(choice).size().at(TOPOLOGY_PATH)?,
        TopologyChoice::Megafly(choice) => megafly(choice).size().at(TOPOLOGY_PATH)?,
        TopologyChoice::AriesInterconnect(_) | TopologyChoice::File(_) => return Ok(None),
    }))
}
