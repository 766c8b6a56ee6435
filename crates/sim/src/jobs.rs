//! From jobs to one endpoint per node.

use std::sync::Arc;

use odonata_mpi::{MOST_RANKS_PER_NODE, MpiParameters, header};
use odonata_network::NodeUse;
use odonata_placement::{FreeNodes, Surroundings, Unit, place_shared};
use odonata_units::{JobId, NodeId, Purpose, Stream};
use odonata_workload::{JobContext, NicShape, NodeEndpoint, SystemView, build, rank_count, seated};

use crate::config::{Config, Job};
use crate::error::{At, SimError};
use crate::inputs::Inputs;
use crate::machine::Machine;
use crate::memory::afford_ranks;
use crate::service::{Served, Service};

/// The jobs of a run, on their nodes.
pub(crate) struct Placed {
    /// `[job]`: nodes in rank order; empty if the job is muted.
    pub(crate) nodes: Vec<Vec<NodeId>>,
    /// `[job]`: true if it is open-loop traffic.
    pub(crate) open_loop: Vec<bool>,
    /// `[node]`.
    pub(crate) endpoints: Vec<Served>,
    /// `[node]`.
    pub(crate) uses: Vec<NodeUse>,
}

/// Places the jobs of `config` in file order and builds what runs on their nodes.
pub(crate) fn place_jobs(
    config: &Config,
    machine: &Machine,
    inputs: &Inputs,
) -> Result<Placed, SimError> {
    if config.jobs.is_empty() {
        return Err(SimError::new("jobs", "a scenario needs at least one job"));
    }
    if config.jobs.len() > 255 {
        let message = format!(
            "{} jobs are more than the 255 that can run",
            config.jobs.len()
        );
        return Err(SimError::new("jobs", message));
    }
    let node_count = machine.topology.node_count();
    let mpi = Arc::new(MpiParameters::from_json(&config.system.mpi).at("system.mpi")?);
    let mut free = FreeNodes::all(node_count);
    let units: Vec<_> = machine.topology.units().iter().map(unit).collect();
    let mut placed = Placed {
        nodes: Vec::new(),
        open_loop: Vec::new(),
        endpoints: (0..node_count).map(|_| Served::idle()).collect(),
        uses: vec![
            NodeUse {
                job: 0,
                is_goal: false
            };
            node_count as usize
        ],
    };
    for (index, job) in config.jobs.iter().enumerate() {
        let path = |key: &str| format!("jobs[{index}].{key}");
        let role_is_known = ["victim", "aggressor", "background"].contains(&job.role.as_str());
        if !role_is_known {
            let message = format!(
                "`{}` is not one of `victim`, `aggressor`, `background`",
                job.role
            );
            return Err(SimError::new(path("role"), message));
        }
        let (ranks, each) = count_ranks((index, job), &free, inputs)?;
        let surroundings = Surroundings {
            units: &units,
            job: u32::try_from(index).unwrap_or(u32::MAX),
            stream: Stream::new(config.seed, Purpose::Placement, index as u64),
        };
        let nodes = place_shared(&job.placement, (ranks, each), &mut free, &surroundings);
        let nodes = nodes.at(path("placement"))?;
        if job.muted {
            placed.nodes.push(Vec::new());
            placed.open_loop.push(false);
            continue;
        }
        settle(
            config,
            machine,
            (index, job),
            nodes,
            &Supplies { mpi: &mpi, inputs },
            &mut placed,
        )?;
    }
    Ok(placed)
}

/// Ranks of a job, and how many of them share a node.
fn count_ranks(
    (index, job): (usize, &Job),
    free: &FreeNodes,
    inputs: &Inputs,
) -> Result<(u32, u32), SimError> {
    let path = |key: &str| format!("jobs[{index}].{key}");
    let each = job.ranks_per_node.unwrap_or(1);
    if !(1..=MOST_RANKS_PER_NODE).contains(&each) {
        let message = format!(
            "a node of the job runs {each} ranks, but it must be 1 to {MOST_RANKS_PER_NODE}; leave \
             `ranks_per_node` out for 1"
        );
        return Err(SimError::new(path("ranks_per_node"), message));
    }
    let places = free.count().saturating_mul(each);
    let ranks = rank_count(&job.workload, places, &inputs.traces).at(path("workload"))?;
    afford_ranks(inputs, ranks).at(path("workload"))?;
    let most = header::MOST_RANKS;
    if ranks > most {
        let message = format!("{ranks} ranks are more than the {most} that a job can have");
        return Err(SimError::new(path("workload"), message));
    }
    Ok((ranks, each))
}

/// A unit of the topology, as placement wants it.
fn unit(unit: &odonata_topology::Unit) -> Unit {
    Unit {
        name: unit.name,
        starts: unit.starts.clone(),
    }
}

struct Supplies<'a> {
    mpi: &'a Arc<MpiParameters>,
    inputs: &'a Inputs,
}

/// Builds the endpoints of one job and puts them on its nodes.
fn settle(
    config: &Config,
    machine: &Machine,
    (index, job): (usize, &Job),
    nodes: Vec<NodeId>,
    supplies: &Supplies<'_>,
    placed: &mut Placed,
) -> Result<(), SimError> {
    let group_starts: Vec<u32> = (machine.topology.groups())
        .scan(0, |start, group| {
            let first = *start;
            *start += u32::try_from(machine.topology.nodes_in(group).len()).unwrap_or(0);
            Some(first)
        })
        .collect();
    let system = SystemView {
        node_count: machine.topology.node_count(),
        group_starts: &group_starts,
        injection: machine.parameters.host.bandwidth,
        flit_bytes: machine.parameters.flit_bytes,
        packet_bytes: machine.parameters.packet_bytes,
    };
    let number = u8::try_from(index).unwrap_or(u8::MAX);
    let context = JobContext {
        seed: config.seed,
        job: JobId(u32::from(number)),
        name: &job.name,
        nodes: &nodes,
        system,
        mpi: supplies.mpi,
        traces: &supplies.inputs.traces,
    };
    let endpoints = build(&job.workload, &context).at(format!("jobs[{index}].workload"))?;
    let service = Service::new(config, index, machine.job_modes[index])?;
    let records = config.telemetry.iteration_records / (nodes.len() as u64).max(1);
    let records = usize::try_from(records).unwrap_or(usize::MAX);
    let nic = NicShape {
        rate: system.injection,
        queues: machine.parameters.nic_queues,
    };
    let users = seated(&nodes, endpoints, nic).map_err(|_| {
        let message = "only ranks of MPI jobs share a node: an open-loop source has one of its \
                       own; leave `ranks_per_node` out";
        SimError::new(format!("jobs[{index}].ranks_per_node"), message)
    })?;
    let mut open_loop = false;
    for (node, mut endpoint) in users {
        let is_source = matches!(endpoint, NodeEndpoint::OpenLoop(_));
        open_loop |= is_source;
        if is_source && job.repeat {
            let message = "open-loop traffic never ends and cannot be repeated; leave `repeat` out";
            return Err(SimError::new(format!("jobs[{index}].repeat"), message));
        }
        let ranks = endpoint.ranks_mut();
        let is_goal = !ranks.is_empty() && job.ends_the_run();
        for rank in ranks {
            rank.keep_iterations(records);
            if job.repeat {
                rank.repeat();
            }
        }
        placed.uses[node.index()] = NodeUse {
            job: number,
            is_goal,
        };
        placed.endpoints[node.index()] = Served { endpoint, service };
    }
    placed.open_loop.push(open_loop);
    placed.nodes.push(nodes);
    Ok(())
}
