//! From configuration to topology, parameters and routing.

use std::borrow::Cow;
use std::sync::Arc;

use odonata_counters::Names;
use odonata_network::Parameters;
use odonata_routing::geometry::Geometry;
use odonata_routing::{Mode, Routing, RoutingError, build_mode, check_dependencies};
use odonata_topology::{NodeEnds, Topology};
use odonata_units::NodeId;
use serde_json::{Map, Value};

use crate::build::events::{NodeOutages, amid_events};
use crate::build::inputs::Inputs;
use crate::build::learned;
use crate::build::memory::afford_network;
use crate::build::topology::build;
use crate::config::{Config, JobEntry, RoutingChoice};
use crate::error::{At, SimError};
use crate::parameters::parameters;
use crate::policy::interface::{RoutingPolicy, SendMode};
use crate::policy::policies::policy;

/// A network without users.
pub(crate) struct Machine {
    pub(crate) topology: Arc<Topology>,
    /// Which network ends make a node of the machine.
    pub(crate) ends: NodeEnds,
    /// Nodes that no job gets, ascending.
    pub(crate) out_of_service: Vec<NodeId>,
    /// When others are down.
    pub(crate) outages: NodeOutages,
    pub(crate) parameters: Parameters,
    pub(crate) routing: Routing,
    /// `[job]`: how its messages are routed.
    pub(crate) job_routings: Vec<JobRouting>,
    /// Whose names the counters of NICs have.
    pub(crate) nic_counters: Names,
}

/// How the messages of a job are routed.
pub(crate) struct JobRouting {
    /// `[turn]`: modes that take turns from iteration to iteration; none: as the policy decides.
    pub(crate) turns: Arc<[Option<Turn>]>,
    /// `[turn]`: their names.
    pub(crate) turn_names: Vec<String>,
    pub(crate) policy: Option<Steered>,
}

/// Modes of one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// Mode of messages.
    pub(crate) mode: u8,
    /// Mode of those that belong to an alltoall.
    pub(crate) alltoall: u8,
}

/// The policy of a job.
pub(crate) struct Steered {
    pub(crate) policy: Box<dyn RoutingPolicy>,
    /// `[send_mode]`: what it chooses among.
    pub(crate) send_modes: Vec<SendMode>,
    /// `[send_mode]`: routing mode.
    pub(crate) modes: Vec<u8>,
}

/// The network of `config`, checked for deadlock, which so many processes simulate.
pub(crate) fn machine(
    config: &Config,
    inputs: &Inputs,
    processes: usize,
) -> Result<Machine, SimError> {
    afford_network(config, inputs, processes)?;
    let built = build(config, inputs)?;
    let topology = built.topology;
    let (parameters, beside) = parameters(config, &built.links)?;
    let (modes, job_routings) = modes(config)?;
    let packet_flits = parameters.packet_flits();
    let modes = modes
        .into_iter()
        .map(|mode| mode.with_packets_of(packet_flits));
    check_policies(config, &parameters)?;
    let geometry = Geometry::new(Arc::clone(&topology));
    let routing =
        Routing::new(geometry, modes.collect(), parameters.responses()).at("routing.algorithm")?;
    let routing = amid_events(config, routing)?;
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
    let outages = NodeOutages::new(config, &topology, &built.ends)?;
    Ok(Machine {
        topology,
        outages,
        ends: built.ends,
        out_of_service: built.out_of_service,
        parameters,
        routing,
        job_routings,
        nic_counters: beside.nic_counters,
    })
}

/// Flits are counted in 32 bits: the sum over all buffers of a router, twice.
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

/// The routing modes of a run, by their choices.
struct Modes<'a> {
    choices: Vec<Cow<'a, RoutingChoice>>,
    modes: Vec<Mode>,
}

impl<'a> Modes<'a> {
    /// The number of a mode, which is built if it is new.
    fn number(
        &mut self,
        choice: Cow<'a, RoutingChoice>,
        path: impl FnOnce() -> String,
    ) -> Result<u8, SimError> {
        let known = self.choices.iter().position(|other| *other == choice);
        let index = match known {
            Some(index) => index,
            None => {
                self.modes.push(mode_of(&choice).at(path())?);
                self.choices.push(choice);
                self.choices.len() - 1
            }
        };
        Ok(u8::try_from(index).unwrap_or(u8::MAX))
    }
}

/// The routing modes of a run, that of the scenario first, and those of each job.
fn modes(config: &Config) -> Result<(Vec<Mode>, Vec<JobRouting>), SimError> {
    let mut all = Modes {
        choices: Vec::new(),
        modes: Vec::new(),
    };
    all.number(Cow::Borrowed(&config.routing), || "routing".to_owned())?;
    let of_job = |(index, job)| job_routing(config, JobEntry { index, job }, &mut all);
    let of_jobs: Result<_, _> = config.jobs.iter().enumerate().map(of_job).collect();
    Ok((all.modes, of_jobs?))
}

/// Modes that a packet can name: what a job takes turns with, and what its policy chooses among.
const MOST_TURNS: usize = 16;

fn job_routing<'a>(
    config: &'a Config,
    entry: JobEntry<'a>,
    all: &mut Modes<'a>,
) -> Result<JobRouting, SimError> {
    let job = entry.job;
    let path = || entry.path("routing");
    let mut turns = Vec::new();
    let mut turn_names = Vec::new();
    if job.alternated.len() > MOST_TURNS {
        let message = format!(
            "{} routings cannot take turns; give at most {MOST_TURNS}",
            job.alternated.len()
        );
        return Err(SimError::new(path(), message));
    }
    let alltoalls = alltoall_modes(entry, all)?;
    let turn = |number: usize, mode: u8| {
        let alltoall = alltoalls.get(number).copied().unwrap_or(mode);
        Some(Turn { mode, alltoall })
    };
    for (number, choice) in job.alternated.iter().enumerate() {
        let mode = all.number(Cow::Borrowed(choice), path)?;
        turns.push(turn(number, mode));
        turn_names.push(turn_name(choice, &job.alternated));
    }
    let own = job.routing.as_ref().unwrap_or(&config.routing);
    let own_mode = all.number(Cow::Borrowed(own), path)?;
    let policy = match &job.policy {
        None => None,
        Some(given) => {
            turns.push(None);
            let kind = given.get("kind").and_then(Value::as_str).unwrap_or("");
            turn_names.push(kind.to_owned());
            let named = job.alternated.iter().chain(&job.alltoall_routings);
            let named: Vec<_> = named.chain([own]).collect();
            Some(steered(given, entry, own_mode, &named, all)?)
        }
    };
    if turns.is_empty() {
        turns.push(turn(0, own_mode));
        turn_names.push(own.algorithm.clone());
    }
    Ok(JobRouting {
        turns: turns.into(),
        turn_names,
        policy,
    })
}

/// `[turn]`: modes of what belongs to an alltoall; none: as everything else.
fn alltoall_modes<'a>(entry: JobEntry<'a>, all: &mut Modes<'a>) -> Result<Vec<u8>, SimError> {
    let job = entry.job;
    let (given, turns) = (job.alltoall_routings.len(), job.alternated.len().max(1));
    let path = || entry.path("alltoall_routing");
    if given == 0 {
        return Ok(Vec::new());
    }
    if job.alternated.is_empty() && job.policy.is_some() {
        let message = "the policy of the job decides on alltoalls, too; leave `alltoall_routing` \
                       or `policy` out";
        return Err(SimError::new(path(), message));
    }
    if given != turns {
        let message = format!(
            "{given} routings of alltoalls for {turns} in turn; give one for each, in their order"
        );
        return Err(SimError::new(path(), message));
    }
    let choices = job.alltoall_routings.iter();
    choices
        .map(|choice| all.number(Cow::Borrowed(choice), path))
        .collect()
}

/// The algorithm, and its parameters if another one in turn has the same.
fn turn_name(choice: &RoutingChoice, all: &[RoutingChoice]) -> String {
    let same = all.iter().filter(|one| one.algorithm == choice.algorithm);
    if same.count() < 2 {
        return choice.algorithm.clone();
    }
    let parameters = choice.parameters.iter();
    let parameters: Vec<_> = parameters
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    format!("{} {{{}}}", choice.algorithm, parameters.join(", "))
}

/// The policy of a job whose own mode is `own`; a mode that it chooses has the parameters with
/// which one of `named` has it.
fn steered<'a>(
    given: &Map<String, Value>,
    entry: JobEntry<'_>,
    own: u8,
    named: &[&RoutingChoice],
    all: &mut Modes<'a>,
) -> Result<Steered, SimError> {
    let path = || entry.path("policy");
    let policy = policy(given)
        .map_err(|problem| SimError::new(format!("{}.{}", path(), problem.key()), problem))?;
    let send_modes = policy.send_modes();
    let number = |send_mode: &SendMode| match &send_mode.routing {
        None => Ok(own),
        Some(choice) => {
            let same = named.iter().find(|one| one.algorithm == choice.algorithm);
            all.number(Cow::Owned(same.copied().unwrap_or(choice).clone()), path)
        }
    };
    let modes: Result<_, _> = send_modes.iter().map(number).collect();
    Ok(Steered {
        modes: modes?,
        policy,
        send_modes,
    })
}

/// A policy lives by what its NIC counts: round trips, of jobs that hand messages over.
fn check_policies(config: &Config, parameters: &Parameters) -> Result<(), SimError> {
    for (index, job) in config.jobs.iter().enumerate() {
        if job.policy.is_some() && parameters.response_bytes == 0 {
            let message = "packets are not answered here, so that a NIC knows no latency and the \
                           policy could never decide; give `system.nic.response`, such as \
                           \"16 B\", take a system that has it, such as `piz-daint`, or leave \
                           `policy` out";
            return Err(SimError::new(format!("jobs[{index}].policy"), message));
        }
    }
    Ok(())
}

/// The mode of `choice`: a table to start from is none of the algorithm's parameters.
fn mode_of(choice: &RoutingChoice) -> Result<Mode, RoutingError> {
    let mut parameters = choice.parameters.clone();
    if choice.algorithm == learned::LEARNING {
        parameters.remove(learned::LOAD);
    }
    build_mode(&choice.algorithm, &parameters)
}
