//! From configuration to topology, parameters and routing.

use std::sync::Arc;

use odonata_counters::Names;
use odonata_network::Parameters;
use odonata_routing::geometry::Geometry;
use odonata_routing::{Mode, Routing, RoutingError, build_mode, check_dependencies};
use odonata_topology::{NodeEnds, Topology};

use crate::config::{Config, RoutingChoice};
use crate::error::{At, SimError};
use crate::inputs::Inputs;
use crate::learned;
use crate::memory::afford_network;
use crate::parameters::parameters;
use crate::topology::build;

/// A network without users.
pub(crate) struct Machine {
    pub(crate) topology: Arc<Topology>,
    /// Which network ends make a node of the machine.
    pub(crate) ends: NodeEnds,
    pub(crate) parameters: Parameters,
    pub(crate) routing: Routing,
    /// `[job]`: routing mode of its messages.
    pub(crate) job_modes: Vec<u8>,
    /// Whose names the counters of NICs have.
    pub(crate) nic_counters: Names,
}

/// The network of `config`, checked for deadlock.
pub(crate) fn machine(config: &Config, inputs: &Inputs) -> Result<Machine, SimError> {
    afford_network(config, inputs)?;
    let built = build(config, inputs)?;
    let topology = built.topology;
    let (parameters, beside) = parameters(config, &built.links)?;
    let (modes, job_modes) = modes(config)?;
    let geometry = Geometry::new(Arc::clone(&topology));
    let routing =
        Routing::new(geometry, modes, parameters.response_bytes > 0).at("routing.algorithm")?;
    let needed = routing.virtual_channels();
    let available = beside.virtual_channels.unwrap_or(needed);
    if available < needed {
        let message = format!(
            "routing `{}` needs {needed} virtual channels and the routers have {available}: with \
             fewer it can deadlock; raise `system.router.virtual_channels` to {needed}, leave it \
             out, or choose a routing that needs fewer (`odonata list routings`)",
            config.routing.algorithm
        );
        return Err(SimError::new("system.router.virtual_channels", message));
    }
    check_buffers(&parameters, &topology, needed)?;
    check_dependencies(&routing).at("routing.algorithm")?;
    let routing = learned::load(config, inputs, routing)?;
    Ok(Machine {
        topology,
        ends: built.ends,
        parameters,
        routing,
        job_modes,
        nic_counters: beside.nic_counters,
    })
}

/// Flits are counted in 32 bits: those of all buffers of a router, in two places.
const MOST_FLITS: u64 = 1 << 31;

/// Refuses buffers whose flits cannot be counted.
fn check_buffers(
    parameters: &Parameters,
    topology: &Topology,
    virtual_channels: u8,
) -> Result<(), SimError> {
    let channels = u64::from(virtual_channels) * u64::from(parameters.qos.classes);
    let deepest = parameters.input_buffer_flits.into_iter().max().unwrap_or(0);
    let deepest = u64::from(deepest.max(parameters.output_buffer_flits));
    let flits = u64::from(topology.radix()) * channels * deepest;
    if flits >= MOST_FLITS {
        let message = format!(
            "the buffers of a router hold {flits} flits (ports * virtual channels * the largest \
             buffer); they can be counted up to 2^31; make buffers smaller or flits larger"
        );
        return Err(SimError::new("system.router", message));
    }
    Ok(())
}

/// The routing modes of a run, that of the scenario first, and the mode of each job.
fn modes(config: &Config) -> Result<(Vec<Mode>, Vec<u8>), SimError> {
    let mut choices: Vec<&RoutingChoice> = vec![&config.routing];
    let mut modes = vec![mode_of(&config.routing).at("routing")?];
    let mut of_jobs = Vec::new();
    for (index, job) in config.jobs.iter().enumerate() {
        let Some(choice) = &job.routing else {
            of_jobs.push(0);
            continue;
        };
        let known = choices.iter().position(|other| *other == choice);
        let place = match known {
            Some(place) => place,
            None => {
                modes.push(mode_of(choice).at(format!("jobs[{index}].routing"))?);
                choices.push(choice);
                choices.len() - 1
            }
        };
        of_jobs.push(u8::try_from(place).unwrap_or(u8::MAX));
    }
    Ok((modes, of_jobs))
}

/// The mode of `choice`: a table to start from is none of the algorithm's parameters.
fn mode_of(choice: &RoutingChoice) -> Result<Mode, RoutingError> {
    let mut parameters = choice.parameters.clone();
    if choice.algorithm == "q-adaptive" {
        parameters.remove(learned::LOAD);
    }
    build_mode(&choice.algorithm, &parameters)
}
