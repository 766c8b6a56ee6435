//! From jobs to one endpoint per node.

use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::ops::Range;
use std::sync::Arc;

use odonata_mpi::{
    HostModel, MOST_RANKS_PER_NODE, MpiParameters, MpiRank, Place, RankLocation, RankMap, header,
};
use odonata_network::{Division, NodeUse, Sharing, Team};
use odonata_placement::{Kinds, RankCount, Surroundings};
use odonata_topology::Topology;
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Purpose, Span, Stream};
use odonata_workload::{
    JobContext, NicShape, NodeEndpoint, Occupant, SharedNode, SystemView, build, rank_count,
};
use serde_json::Value;

use crate::build::events::Loss;
use crate::build::hosts::{host_model, memory};
use crate::build::inputs::Inputs;
use crate::build::machine::{Machine, Steered};
use crate::build::memory::afford_ranks;
use crate::build::service::{Served, Service, class_of_mode};
use crate::build::sites::{Request, Sites, Stay};
use crate::config::{Config, Job, JobEntry, OnFailure};
use crate::error::{At, SimError};
use crate::policy::interface::{Class, Meter, SendMode};
use crate::policy::steering::{Mark, Steering, Steerings};

/// The jobs of a run, on their nodes.
pub(crate) struct Placed {
    /// `[job]`: where its ranks sit, in rank order; empty if the job is muted.
    pub(crate) locations: Vec<Vec<RankLocation>>,
    /// `[job]`: what it loses as nodes fail, if it does.
    pub(crate) losses: Vec<Option<Loss>>,
    /// `[job]`: true if it is open-loop traffic.
    pub(crate) open_loop: Vec<bool>,
    /// Of each node that this process simulates, in their order.
    pub(crate) endpoints: Vec<Served>,
    /// The nodes that this process simulates.
    here: Range<u32>,
    /// Who simulates what.
    pub(crate) division: Division,
    /// `[node]`.
    pub(crate) uses: Vec<NodeUse>,
    /// Who shares what.
    pub(crate) sharing: Sharing,
}

/// A rank that comes to a node, and how its messages are treated.
struct Arrival {
    occupant: Occupant,
    service: Service,
    marks: Arc<[Mark]>,
}

impl Placed {
    /// The nodes before anybody is on them.
    fn nobody(config: &Config, machine: &Machine) -> Self {
        let node_count = machine.topology.node_count() as usize;
        Self {
            locations: Vec::new(),
            losses: Vec::new(),
            open_loop: Vec::new(),
            endpoints: Vec::new(),
            here: 0..machine.topology.node_count(),
            division: Division::default(),
            uses: vec![
                NodeUse {
                    job: 0,
                    is_goal: false
                };
                node_count
            ],
            sharing: Sharing {
                together: machine.ends.sets().map(<[NodeId]>::to_vec).collect(),
                by_jobs: vec![false; node_count],
                goals: config.jobs.iter().map(Job::ends_the_run).collect(),
                packet_multiples: if machine.parameters.largest_multiple > 1 {
                    vec![1; node_count]
                } else {
                    Vec::new()
                },
            },
        }
    }

    /// Users of `node`, if this process simulates it.
    pub(crate) fn served(&self, node: NodeId) -> Option<&Served> {
        let index = node.0.checked_sub(self.here.start)?;
        self.endpoints.get(index as usize)
    }

    /// Users of `node`, if this process simulates it, to prepare them.
    pub(crate) fn served_mut(&mut self, node: NodeId) -> Option<&mut Served> {
        let index = node.0.checked_sub(self.here.start)?;
        self.endpoints.get_mut(index as usize)
    }

    /// Lets this process have its share of the nodes, by `division`.
    fn share(&mut self, topology: &Topology, division: Division) {
        self.here = division.nodes(topology);
        self.endpoints = self.here.clone().map(|_| Served::idle()).collect();
        self.division = division;
    }
}

/// Jobs that are being placed, one after the other.
struct Placing<'a> {
    config: &'a Config,
    machine: &'a Machine,
    inputs: &'a Inputs,
    mpi: Arc<MpiParameters>,
    hosts: Option<Arc<HostModel>>,
    sites: Sites<'a>,
    placed: Placed,
    /// By node: somebody uses it.
    is_used: Vec<bool>,
    /// By first NIC of a node that this process simulates: the ranks that come to it.
    arrivals: BTreeMap<NodeId, Vec<Arrival>>,
}

impl Placing<'_> {
    /// Chooses the nodes of a job.
    fn add(&mut self, entry: JobEntry<'_>) -> Result<(), SimError> {
        let JobEntry { index, job } = entry;
        let role_is_known = ["victim", "aggressor", "background"].contains(&job.role.as_str());
        if !role_is_known {
            let message = format!(
                "`{}` is not one of `victim`, `aggressor`, `background`",
                job.role
            );
            return Err(SimError::new(entry.path("role"), message));
        }
        refuse_multiple(entry, self.config)?;
        let stay = stay(entry)?;
        let request = Request {
            placement: &job.placement,
            ranks: self.count_ranks(entry, stay)?,
            shares: job.share_nodes,
            stay,
        };
        let units = self.sites.units().to_vec();
        let kinds = self.sites.kinds();
        let [groups, nodes] = [kinds.groups.to_vec(), kinds.nodes.to_vec()];
        let surroundings = Surroundings {
            units: &units,
            kinds: Kinds {
                groups: &groups,
                nodes: &nodes,
            },
            job: u32::try_from(index).unwrap_or(u32::MAX),
            stream: Stream::new(self.config.seed, Purpose::Placement, index as u64),
        };
        let locations = (self.sites.place(&request, &surroundings)).at(entry.path("placement"))?;
        if self.sites.is_overfull() {
            let message = format!(
                "with this job a node has more than {MOST_RANKS_PER_NODE} ranks; lower \
                 `ranks_per_node`, or leave `share_nodes` out"
            );
            return Err(SimError::new(entry.path("share_nodes"), message));
        }
        let locations = if job.muted { Vec::new() } else { locations };
        let number = u8::try_from(index).unwrap_or(u8::MAX);
        for location in &locations {
            self.book(number, *location);
        }
        let there = [stay.from, stay.until];
        let machine = self.machine;
        let loss = machine.outages.loss(&machine.ends, &locations, there);
        self.placed.losses.push(loss);
        self.placed.locations.push(locations);
        Ok(())
    }

    /// When the user of a node is killed, as the node or the job fails.
    fn dies_at(&self, entry: JobEntry<'_>, home: NodeId) -> Option<Instant> {
        let JobEntry { index, job } = entry;
        let loss = self.placed.losses[index]?;
        let all_die = !is_open_loop(job) && job.on_failure == OnFailure::End;
        let outage = if all_die {
            loss.first
        } else {
            let there = [job.start_ps, job.end_ps.unwrap_or(u64::MAX)];
            let machine = self.machine;
            machine.outages.of_node(&machine.ends, home, there)?
        };
        Some(Instant::from_ps(outage.from_ps))
    }

    /// Books the NICs that a rank of a job uses, or those of its node.
    fn book(&mut self, number: u8, location: RankLocation) {
        let job = &self.config.jobs[usize::from(number)];
        let (ends, is_goal) = if is_open_loop(job) {
            (&[][..], false)
        } else {
            (self.machine.ends.beside(location.home), job.ends_the_run())
        };
        let ends = if ends.is_empty() {
            &[location.address][..]
        } else {
            ends
        };
        for end in ends.iter().map(|end| end.index()) {
            if let Some(multiple) = self.placed.sharing.packet_multiples.get_mut(end) {
                *multiple = job.packet_multiple();
            }
            let used = &mut self.placed.uses[end];
            if std::mem::replace(&mut self.is_used[end], true) {
                used.is_goal |= is_goal;
                self.placed.sharing.by_jobs[end] |= used.job != number;
            } else {
                *used = NodeUse {
                    job: number,
                    is_goal,
                };
            }
        }
    }

    /// The ranks of a job, and how many of them share a node.
    fn count_ranks(&self, entry: JobEntry<'_>, stay: Stay) -> Result<RankCount, SimError> {
        let job = entry.job;
        let path = |key: &str| entry.path(key);
        let given = job.ranks_per_node.unwrap_or(1);
        if !(1..=MOST_RANKS_PER_NODE).contains(&given) {
            let message = format!(
                "a node of the job runs {given} ranks, but it must be 1 to {MOST_RANKS_PER_NODE}; leave \
                 `ranks_per_node` out for 1"
            );
            return Err(SimError::new(path("ranks_per_node"), message));
        }
        let mut each = given;
        if is_open_loop(job) {
            let key = match () {
                () if given > 1 => Some("ranks_per_node"),
                () if job.share_nodes => Some("share_nodes"),
                () => None,
            };
            if let Some(key) = key {
                let message = format!(
                    "only ranks of MPI jobs share a node: an open-loop source has a NIC of its own; \
                     leave `{key}` out"
                );
                return Err(SimError::new(path(key), message));
            }
            // One source for each NIC.
            let nics = self.sites.nics(&job.placement).at(path("placement"))?;
            each = nics.ok_or_else(|| {
                let message = "open-loop traffic has a source at each NIC of its nodes, and those \
                               that it may have differ in their NICs; name their type, such as \
                               `nodes = \"gpu\"`, or their kind of groups";
                SimError::new(path("placement"), message)
            })?;
        }
        let nodes = self.sites.count(&job.placement, job.share_nodes, stay);
        let slots = nodes.at(path("placement"))?.saturating_mul(each);
        let ranks = rank_count(&job.workload, slots, &self.inputs.traces).at(path("workload"))?;
        afford_ranks(self.inputs, ranks).at(path("workload"))?;
        let most = header::MOST_RANKS;
        if ranks > most {
            let message = format!("{ranks} ranks are more than the {most} that a job can have");
            return Err(SimError::new(path("workload"), message));
        }
        Ok(RankCount {
            ranks,
            per_node: each,
        })
    }

    /// Builds the endpoints of a job that has its nodes: sources go to their NICs, ranks are among
    /// the arrivals.
    fn settle(&mut self, entry: JobEntry<'_>) -> Result<(), SimError> {
        let (config, machine) = (self.config, self.machine);
        let JobEntry { index, job } = entry;
        let is_open = is_open_loop(job) && !job.muted;
        self.placed.open_loop.push(is_open);
        if job.muted {
            return Ok(());
        }
        let locations = std::mem::take(&mut self.placed.locations[index]);
        let group_starts = group_starts(machine);
        let nodes: Vec<NodeId> = locations.iter().map(|location| location.address).collect();
        let rank_map = Arc::new(RankMap::at(&locations));
        let number = u8::try_from(index).unwrap_or(u8::MAX);
        let here = self.placed.here.clone();
        let context = JobContext {
            seed: config.seed,
            job: JobId(u32::from(number)),
            name: &job.name,
            nodes: &nodes,
            rank_map: Some(&rank_map),
            here: Some(&here),
            system: SystemView {
                node_count: machine.topology.node_count(),
                group_starts: &group_starts,
                injection: machine.parameters.host.bandwidth,
                flit_bytes: machine.parameters.flit_bytes,
                packet_bytes: machine.parameters.packet_bytes,
            },
            mpi: &self.mpi,
            traces: &self.inputs.traces,
        };
        let endpoints = build(&job.workload, &context).at(entry.path("workload"))?;
        let routing = &machine.job_routings[index];
        let service = Service::new(config, index, Arc::clone(&routing.turns))?;
        refuse_leavers(entry, config)?;
        let marks: Arc<[Mark]> = marks(config, index, routing.policy.as_ref())?.into();
        let turns = u8::try_from(routing.turns.len()).ok();
        let turns = turns.and_then(NonZeroU8::new).unwrap_or(NonZeroU8::MIN);
        if is_open {
            refuse_choices(entry)?;
        }
        let is_here = |location: &&RankLocation| here.contains(&location.address.0);
        for (location, endpoint) in locations.iter().filter(is_here).zip(endpoints) {
            let dies_at = self.dies_at(entry, location.home);
            let NodeEndpoint::Rank(mut rank) = endpoint else {
                self.place_source(location.address, endpoint, dies_at, &service);
                continue;
            };
            rank.take_turns(turns);
            let rate = injection_rate(config, machine, location.home);
            prepare(&mut rank, config, job, locations.len(), rate);
            dies_at.into_iter().for_each(|at| rank.die_at(at));
            let occupant = Occupant {
                rank: *rank,
                local_rank: location.local_rank,
                job: number,
                is_goal: job.ends_the_run(),
            };
            let arrival = Arrival {
                occupant,
                service: service.clone(),
                marks: Arc::clone(&marks),
            };
            self.arrivals
                .entry(location.home)
                .or_default()
                .push(arrival);
        }
        self.placed.locations[index] = locations;
        Ok(())
    }

    /// Puts a source of open-loop traffic on its NIC.
    fn place_source(
        &mut self,
        nic: NodeId,
        mut endpoint: NodeEndpoint,
        dies_at: Option<Instant>,
        service: &Service,
    ) {
        if let (NodeEndpoint::OpenLoop(source), Some(at)) = (&mut endpoint, dies_at) {
            source.stop_at(at);
        }
        if let Some(place) = self.placed.served_mut(nic) {
            *place = Served::new(endpoint, service.clone());
        }
    }

    /// The ranks of a node get its host, if hosts take anything.
    fn seat(&self, home: NodeId, occupants: &mut [Occupant]) {
        let Some(model) = &self.hosts else {
            return;
        };
        let ranks = u32::try_from(occupants.len()).unwrap_or(u32::MAX);
        for one in occupants {
            let place = Place {
                node: home.0,
                local_rank: one.local_rank,
                ranks,
            };
            one.rank.sit_on(model, self.config.seed, place);
        }
    }

    /// The ranks of the node whose first NIC is `home` come to it.
    fn occupy(&mut self, home: NodeId, arrivals: Vec<Arrival>) {
        let (config, machine) = (self.config, self.machine);
        let beside = machine.ends.beside(home);
        let ends = if beside.is_empty() { &[home] } else { beside };
        let service = arrivals[0].service.clone();
        let steering = steerings(config, machine, ends, &arrivals);
        let mut others: Vec<Service> = Vec::new();
        for one in &arrivals {
            if one.service != service && !others.contains(&one.service) {
                others.push(one.service.clone());
            }
        }
        let stripe = config.system.node.stripe_bytes.filter(|_| ends.len() > 1);
        let mut occupants: Vec<Occupant> = arrivals.into_iter().map(|one| one.occupant).collect();
        self.seat(home, &mut occupants);
        // A rank that has a node for itself sends by its first NIC.
        let is_at_first = usize::from(occupants[0].local_rank) % ends.len() == 0;
        let only = if occupants.len() == 1 && is_at_first && stripe.is_none() {
            occupants.pop()
        } else {
            None
        };
        let endpoint = match only {
            Some(only) => NodeEndpoint::Rank(Box::new(only.rank)),
            None => {
                let nic = NicShape {
                    rate: machine.parameters.host.bandwidth,
                    queues: machine.parameters.nic_queues,
                    ends: (ends.len() > 1).then(|| machine.ends.clone()),
                    stripe,
                };
                let mut node = SharedNode::new(home, occupants, nic);
                if let Some(memory) = memory(self.hosts.as_deref(), &self.mpi) {
                    node.use_memory(memory);
                }
                NodeEndpoint::Ranks(Box::new(node))
            }
        };
        if let Some(served) = self.placed.served_mut(home) {
            *served = Served::new(endpoint, service);
            (served.others, served.steering) = (others, steering);
        }
    }
}

/// Places the jobs of `config` in file order and builds what runs on their nodes, on those that this
/// process of `team` simulates.
///
/// # Errors
/// Jobs that cannot be, or a system that cannot be divided among so many processes.
pub(crate) fn place_jobs(
    config: &Config,
    machine: &Machine,
    inputs: &Inputs,
    team: Team<'_>,
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
    let mut placing = Placing {
        config,
        machine,
        inputs,
        mpi: Arc::new(MpiParameters::from_json(&config.system.mpi).at("system.mpi")?),
        hosts: host_model(config, inputs)?,
        sites: Sites::new(
            &machine.topology,
            &machine.ends,
            &machine.out_of_service,
            &machine.outages,
        ),
        placed: Placed::nobody(config, machine),
        is_used: vec![false; machine.topology.node_count() as usize],
        arrivals: BTreeMap::new(),
    };
    let entries = || {
        let jobs = config.jobs.iter().enumerate();
        jobs.map(|(index, job)| JobEntry { index, job })
    };
    for entry in entries() {
        placing.add(entry)?;
    }
    let is_used = std::mem::take(&mut placing.is_used);
    let division = Division::new(&machine.topology, team, |node| is_used[node.index()]);
    placing.placed.share(&machine.topology, division);
    for entry in entries() {
        placing.settle(entry)?;
    }
    for (home, together) in std::mem::take(&mut placing.arrivals) {
        placing.occupy(home, together);
    }
    Ok(placing.placed)
}

/// Whether a job is open-loop traffic.
fn is_open_loop(job: &Job) -> bool {
    job.workload.get("kind").and_then(Value::as_str) == Some("open-loop")
}

/// When a job is there.
fn stay(entry: JobEntry<'_>) -> Result<Stay, SimError> {
    let job = entry.job;
    let path = |key: &str| entry.path(key);
    if let Some(end) = job.end_ps
        && !job.muted
    {
        if end <= job.start_ps {
            let message = "the job leaves before it has come; make `end` later than `start`";
            return Err(SimError::new(path("end"), message));
        }
        if job.ends_the_run() {
            let message = "a run waits for this job, which may not have done its work by then; leave \
                           `end` out, make it `role = \"background\"`, or let it repeat";
            return Err(SimError::new(path("end"), message));
        }
    }
    if is_open_loop(job) && (job.start_ps > 0 || job.end_ps.is_some()) {
        let key = if job.start_ps > 0 { "start" } else { "end" };
        let message = format!(
            "open-loop traffic is there from the beginning to the end of a run; leave `{key}` out, \
             or take a workload of ranks"
        );
        return Err(SimError::new(path(key), message));
    }
    Ok(Stay {
        from: job.start_ps,
        until: job.end_ps.unwrap_or(u64::MAX),
    })
}

/// First node of each group.
pub(crate) fn group_starts(machine: &Machine) -> Vec<u32> {
    let topology = &machine.topology;
    let sizes = topology
        .groups()
        .map(|group| topology.nodes_in(group).len());
    sizes
        .scan(0, |next, size| {
            let first = *next;
            *next += u32::try_from(size).unwrap_or(0);
            Some(first)
        })
        .collect()
}

/// The rate at which the channels that a rank of the node at `home` sends by can take its messages.
fn injection_rate(config: &Config, machine: &Machine, home: NodeId) -> Bandwidth {
    let channel = machine.parameters.host.bandwidth;
    if config.system.node.stripe_bytes.is_none() {
        return channel;
    }
    let nics = machine.ends.beside(home).len().max(1) as u64;
    Bandwidth::from_bytes_per_second(channel.bytes_per_second() * nics).unwrap_or(channel)
}

/// Settings of a rank of a job of so many ranks: its records, its presence, and whether it
/// repeats, no faster than its channels at `rate`.
fn prepare(rank: &mut MpiRank, config: &Config, job: &Job, ranks: usize, rate: Bandwidth) {
    let records = config.telemetry.iteration_records / (ranks as u64).max(1);
    rank.keep_iterations(usize::try_from(records).unwrap_or(usize::MAX));
    if let Some(every) = config.message_sample(job) {
        rank.log_messages(every);
    }
    if job.repeat {
        rank.repeat(rate);
    }
    let end = job.end_ps.map_or(Instant::NEVER, Instant::from_ps);
    rank.stay(Instant::from_ps(job.start_ps), end);
}

/// Modes and classes of the send modes of the policy of job `index`.
fn marks(config: &Config, index: usize, steered: Option<&Steered>) -> Result<Vec<Mark>, SimError> {
    let Some(steered) = steered else {
        return Ok(Vec::new());
    };
    let class = |class: &Class| class_of_mode(config, index, class);
    let send_modes = steered.send_modes.iter().zip(&steered.modes);
    let mark = |(send_mode, mode): (&SendMode, &u8)| {
        let class = send_mode.class.as_ref().map(class).transpose()?;
        Ok(Mark { mode: *mode, class })
    };
    send_modes.map(mark).collect()
}

/// Deciders at the NICs `ends` of a node: for each of its jobs that has a policy, in their
/// order.
fn steerings(
    config: &Config,
    machine: &Machine,
    ends: &[NodeId],
    arrivals: &[Arrival],
) -> Option<Box<Steerings>> {
    let mut found: Vec<(u8, Steering)> = Vec::new();
    for one in arrivals {
        let job = one.occupant.job;
        let is_known = found.iter().any(|(known, _)| *known == job);
        let Some(steered) = &machine.job_routings[usize::from(job)].policy else {
            continue;
        };
        if !is_known {
            let number = found.len() as u64;
            let at_nic = |end: &NodeId| {
                // Nodes have 24 bits.
                let entity = number << 32 | u64::from(end.0);
                Stream::new(config.seed, Purpose::Policy, entity).next_u64()
            };
            let seeds: Vec<u64> = ends.iter().map(at_nic).collect();
            let steering = steering(config, machine, steered, &one.marks, &seeds);
            found.push((job, steering));
        }
    }
    Steerings::new(found)
}

/// Deciders at the NICs of a node for a job, with the seeds of their draws.
fn steering(
    config: &Config,
    machine: &Machine,
    steered: &Steered,
    marks: &[Mark],
    seeds: &[u64],
) -> Steering {
    let policy = &steered.policy;
    let meter = Meter::new(&machine.parameters, policy.cycle());
    Steering::new(
        (seeds.iter().map(|seed| policy.at_nic(*seed, meter))).collect(),
        marks.into(),
        policy.counter_read(),
        Span::from_ps(config.telemetry.series_bin_ps),
    )
}

/// Open-loop traffic has no iterations, and no moment in which anyone could look at counters.
fn refuse_choices(entry: JobEntry<'_>) -> Result<(), SimError> {
    let job = entry.job;
    let refuse = |key: &str, what: &str| {
        let message = format!(
            "open-loop traffic {what}: its messages are fetched by the NIC; leave `{key}` out, or \
             take a workload of ranks"
        );
        Err(SimError::new(entry.path(key), message))
    };
    if job.repeat {
        let message = "open-loop traffic never ends and cannot be repeated; leave `repeat` out";
        return Err(SimError::new(entry.path("repeat"), message));
    }
    if job.policy.is_some() {
        return refuse("policy", "knows no policy");
    }
    if job.on_failure == OnFailure::Wait {
        return refuse(
            "on_failure",
            "waits for nobody, and goes on without nodes that fail",
        );
    }
    if !job.alternated.is_empty() {
        return refuse("routing", "has no iterations in which routings take turns");
    }
    if !job.alltoall_routings.is_empty() {
        return refuse("alltoall_routing", "has no alltoalls");
    }
    Ok(())
}

/// Large packets are for noise: of jobs that nobody measures, on nodes of their own.
fn refuse_multiple(entry: JobEntry<'_>, config: &Config) -> Result<(), SimError> {
    let job = entry.job;
    let refusal = match job.packet_multiple() {
        0 => {
            "a packet stands for at least one packet of the system; leave `packet_multiple` out \
              for 1"
        }
        1 => return Ok(()),
        _ if job.role == "victim" => {
            "a victim is measured, and large packets would change what it sees; leave \
             `packet_multiple` out, or give the job the role of an aggressor or of background"
        }
        _ if job.share_nodes || config.jobs.iter().any(|other| other.end_ps.is_some()) => {
            "large packets are those of a node, which other jobs would send, too; leave \
             `packet_multiple` out, or `share_nodes` and the `end` of jobs"
        }
        _ if job.policy.is_some() => {
            "a policy decides by the latency of packets of the system; leave `packet_multiple` or \
             `policy` out"
        }
        _ => return Ok(()),
    };
    Err(SimError::new(entry.path("packet_multiple"), refusal))
}

/// What a policy has counted is of a job that stays.
fn refuse_leavers(entry: JobEntry<'_>, config: &Config) -> Result<(), SimError> {
    let job = entry.job;
    if job.policy.is_none() || config.jobs.iter().all(|other| other.end_ps.is_none()) {
        return Ok(());
    }
    let why = "a node that several jobs have one after the other has no policy yet; leave `policy` \
               out, or the `end` of jobs";
    Err(SimError::new(entry.path("policy"), why))
}
