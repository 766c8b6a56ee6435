//! A network with its users, and its run.

use std::ops::Range;
use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_engine::{self as engine, Control, EpochPlan, Stop, ThreadRanges};
use odonata_mesh::{Mesh, MeshError};
use odonata_routing::{QTable, Routing};
use odonata_telemetry::{Probe, ProbeScope};
use odonata_topology::Topology;
use odonata_units::{GroupId, Instant, Span};

use crate::group::{Group, Running, Worker};
use crate::model::division::{Division, nodes_of, routers_of};
use crate::model::error::NetworkError;
use crate::model::features::{
    ALL, CHANGES, CLASSES, CROSSBAR, Features, LEARNING, NOTICES, RESERVATION, RESPONSES,
    SLINGSHOT, UNCHANGING, With,
};
use crate::model::lookahead::patience;
use crate::model::parameters::Parameters;
use crate::model::partition::Partition;
use crate::model::usage::Usage;
use crate::router::diagnosis::{self, Wait, Waiting};
use crate::shared::all_groups::Shared;

/// A network whose nodes are used by endpoints of type `E`.
#[derive(Debug)]
pub struct Network<E> {
    shared: Arc<Shared>,
    /// By group; in the run, by block.
    groups: Vec<Group<E>>,
    /// By group, see [`Group::weight`].
    weights: Vec<u64>,
    end: Instant,
    /// Who simulates what; `None` if this process simulates everything.
    division: Option<Division>,
    /// The groups that this process simulates; in the run, the blocks.
    own: Range<usize>,
    own_routers: Range<u32>,
    own_nodes: Range<u32>,
    /// What the parts of the network have found that other processes simulate, in their order.
    elsewhere: Vec<Found>,
}

/// What a process has found of its part of the network, besides what probes have heard.
#[derive(Debug)]
pub struct Found {
    events: u64,
    rerouted: u64,
    measured_undelivered: i64,
    waiting: Vec<Waiting>,
}
odonata_units::record!(Found {
    events,
    rerouted,
    measured_undelivered,
    waiting,
});

/// How a network runs.
struct Course<'a, C> {
    partition: &'a Partition,
    /// Those of this process.
    threads: Range<usize>,
    until: Instant,
    control: &'a C,
    mesh: Option<&'a Mesh>,
}

impl<E: Endpoint> Network<E> {
    /// Builds the network; `endpoints[n]` uses node `n`.
    ///
    /// # Errors
    /// [`NetworkError`]: parameters that cannot be simulated.
    ///
    /// # Panics
    /// If there is not exactly one endpoint and one [`crate::NodeUse`] per node.
    pub fn new(
        topology: Arc<Topology>,
        routing: &Routing,
        parameters: &Parameters,
        endpoints: Vec<E>,
        usage: Usage,
    ) -> Result<Self, NetworkError> {
        let shared = Shared::new(topology, routing, parameters, usage)?;
        Ok(Self::build(shared, endpoints, None))
    }

    /// Builds what this process simulates of the network; `endpoints` use its nodes
    /// ([`Division::nodes`]), in their order.
    ///
    /// # Errors
    /// As [`Network::new`].
    ///
    /// # Panics
    /// If there is not exactly one endpoint for each node of this process.
    pub fn share(
        topology: Arc<Topology>,
        routing: &Routing,
        parameters: &Parameters,
        endpoints: Vec<E>,
        usage: Usage,
        division: Division,
    ) -> Result<Self, NetworkError> {
        let shared = Shared::new(topology, routing, parameters, usage)?;
        Ok(Self::build(shared, endpoints, Some(division)))
    }

    fn build(shared: Shared, endpoints: Vec<E>, division: Option<Division>) -> Self {
        let topology = &shared.topology;
        let all = 0..topology.group_count() as usize;
        let own = division.as_ref().map_or(all, Division::groups);
        let own_nodes = nodes_of(topology, &own);
        assert!(
            endpoints.len() == own_nodes.len()
                && shared.usage.nodes.len() == topology.node_count() as usize,
            "one of each per node"
        );
        let mut endpoints = endpoints.into_iter();
        let partition = Partition::of_groups(topology);
        let mut group = |id: GroupId| {
            if !own.contains(&id.index()) {
                return Group::elsewhere(topology, id);
            }
            let users = endpoints.by_ref().take(topology.nodes_in(id).len());
            Group::new(&shared, &partition, id, users.collect())
        };
        let groups: Vec<Group<E>> = topology.groups().map(&mut group).collect();
        Self {
            weights: groups.iter().map(Group::weight).collect(),
            groups,
            end: Instant::ZERO,
            division,
            own_routers: routers_of(topology, &own),
            own,
            own_nodes,
            elsewhere: Vec::new(),
            shared: Arc::new(shared),
        }
    }

    /// What the probe of each of `threads` threads hears of, for [`Network::run`]. There are no
    /// more scopes than groups.
    #[must_use]
    pub fn scopes(&self, threads: usize) -> Vec<ProbeScope> {
        let threads = threads.clamp(1, self.groups.len());
        let ranges = engine::split(&self.weights, threads);
        ranges.iter().map(|range| self.scope(range)).collect()
    }

    /// What the probe of each thread of this process hears of, for [`Network::run_share`]; none
    /// unless the network is a [`Network::share`].
    #[must_use]
    pub fn scopes_of_share(&self) -> Vec<ProbeScope> {
        let Some(Division { threads, own }) = &self.division else {
            return Vec::new();
        };
        let ranges = threads[own.clone()].iter();
        ranges.map(|range| self.scope(range)).collect()
    }

    fn scope(&self, groups: &Range<usize>) -> ProbeScope {
        let topology = &self.shared.topology;
        ProbeScope {
            routers: routers_of(topology, groups),
            nodes: nodes_of(topology, groups),
            radix: u32::from(topology.radix()),
        }
    }

    /// Simulates until all goals are reached, `until`, an interruption or a stall, on one thread
    /// per probe. Each probe hears what happens in its scope ([`Network::scopes`]).
    ///
    /// What is simulated depends neither on the probes nor on their number. A network runs once.
    ///
    /// # Panics
    /// Without a probe, or with more probes than groups.
    pub fn run<P: Probe, C: Control>(
        &mut self,
        until: Instant,
        probes: &mut Vec<P>,
        control: &C,
    ) -> Stop {
        assert!(
            (1..=self.weights.len()).contains(&probes.len()),
            "one probe per thread"
        );
        let partition = &self.divide(&engine::split(&self.weights, probes.len()));
        self.own = 0..self.groups.len();
        let course = Course {
            partition,
            threads: 0..probes.len(),
            until,
            control,
            mesh: None,
        };
        let stop = self.simulate(course, probes);
        // Without other processes none is gone.
        stop.unwrap_or(Stop::Interrupted)
    }

    /// Simulates the part of this process as [`Network::run`] does, beside the other processes of
    /// `mesh`; one probe for each scope of [`Network::scopes_of_share`].
    ///
    /// # Errors
    /// [`MeshError`]: another process is gone, or cannot go on.
    ///
    /// # Panics
    /// If there are other probes than scopes.
    pub fn run_share<P: Probe, C: Control>(
        &mut self,
        until: Instant,
        probes: &mut Vec<P>,
        control: &C,
        mesh: &Mesh,
    ) -> Result<Stop, MeshError> {
        let Division { threads, own } = self.division.clone().unwrap_or_default();
        assert!(probes.len() == own.len(), "one probe per thread");
        let partition = &self.divide(&threads);
        self.own = partition.threads[own.start].start..partition.threads[own.end - 1].end;
        let course = Course {
            partition,
            threads: own,
            until,
            control,
            mesh: Some(mesh),
        };
        self.simulate(course, probes)
    }

    /// Simulates what the threads of this process do.
    fn simulate<P: Probe, C: Control>(
        &mut self,
        course: Course<'_, C>,
        probes: &mut Vec<P>,
    ) -> Result<Stop, MeshError> {
        let mut workers: Vec<_> = probes.drain(..).map(Worker::new).collect();
        let own = &course.partition.threads[course.threads.clone()];
        let all = &mut workers;
        // The copy of the hot loop with the fewest features that has all of the network's.
        let stop = match self.shared.equipment.features() {
            0 => self.run_as::<With<0>, P, C>(course, all),
            CROSSBAR => self.run_as::<With<CROSSBAR>, P, C>(course, all),
            CLASSES => self.run_as::<With<CLASSES>, P, C>(course, all),
            LEARNING => self.run_as::<With<LEARNING>, P, C>(course, all),
            RESPONSES => self.run_as::<With<RESPONSES>, P, C>(course, all),
            RESERVATION => self.run_as::<With<RESERVATION>, P, C>(course, all),
            NOTICES | SLINGSHOT => self.run_as::<With<SLINGSHOT>, P, C>(course, all),
            set if set & CHANGES == 0 => self.run_as::<With<UNCHANGING>, P, C>(course, all),
            _ => self.run_as::<With<ALL>, P, C>(course, all),
        };
        for (mine, worker) in own.iter().zip(&mut workers) {
            let groups = &self.groups[mine.clone()];
            for router in groups.iter().flat_map(|group| &group.routers) {
                router.close(&self.shared, self.end, &mut worker.probe);
            }
        }
        probes.extend(workers.into_iter().map(|worker| worker.probe));
        stop
    }

    /// Makes the blocks of threads that simulate these groups, see [`crate::model::partition`].
    fn divide(&mut self, threads: &[Range<usize>]) -> Partition {
        let shared = &*self.shared;
        let partition = Partition::new(&shared.topology, threads, shared.joins_groups());
        let mut groups = std::mem::take(&mut self.groups).into_iter();
        for block in &partition.blocks {
            let mut of_block = groups.by_ref().take(block.len());
            if let Some(mut first) = of_block.next() {
                first.lead(shared, &partition);
                for other in of_block {
                    first.join(shared, &partition, other);
                }
                first.begin(shared);
                self.groups.push(first);
            }
        }
        partition
    }

    fn run_as<F: Features, P: Probe, C: Control>(
        &mut self,
        course: Course<'_, C>,
        workers: &mut [Worker<P>],
    ) -> Result<Stop, MeshError> {
        let shared = &*self.shared;
        let epoch = shared.epoch();
        let plan = EpochPlan {
            epoch,
            // NICs are behind their routers: they too are simulated up to `until`.
            until: course.until + shared.nic_lag,
            patience: patience(&shared.parameters, &shared.topology, epoch) * shared.slowdown(),
        };
        let Course {
            partition,
            threads,
            control,
            ..
        } = course;
        let groups = self.groups[self.own.clone()].iter_mut();
        let mut running: Vec<Running<'_, F, E, P>> = groups
            .map(|group| Running::new(shared, partition, group))
            .collect();
        let ranges = &partition.threads;
        let (stop, end) = match course.mesh {
            None => engine::run(&mut running, ranges, workers, plan, control),
            Some(mesh) => {
                let threads = threads.len();
                let layout = ThreadRanges { ranges, threads };
                engine::run_share(&mut running, layout, workers, plan, control, mesh)?
            }
        };
        self.end = end;
        Ok(stop)
    }

    /// Windows of an epoch.
    #[must_use]
    pub fn epoch_windows(&self) -> u64 {
        self.shared.epoch_windows
    }

    /// Instant up to which everything was simulated.
    #[must_use]
    pub const fn end(&self) -> Instant {
        self.end
    }

    /// Nodes of the whole network.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.shared.usage.nodes.len()
    }

    /// The routers that this process simulates.
    #[must_use]
    pub fn own_routers(&self) -> Range<u32> {
        self.own_routers.clone()
    }

    /// The nodes that this process simulates.
    #[must_use]
    pub fn own_nodes(&self) -> Range<u32> {
        self.own_nodes.clone()
    }

    /// Keeps what was found of the part of this process, which comes before all others, and frees
    /// the memory of the rest: there are no endpoints and no tables any more.
    pub fn let_go(&mut self) {
        let found = self.found();
        self.elsewhere.insert(0, found);
        (self.own, self.own_routers, self.own_nodes) = (0..0, 0..0, 0..0);
        self.groups = Vec::new();
    }

    /// What this process has found of its part.
    #[must_use]
    pub fn found(&self) -> Found {
        let own = &self.groups[self.own.clone()];
        let totals = own.iter().map(|group| &group.totals);
        let undelivered = totals.clone().map(|totals| totals.measured_undelivered);
        Found {
            events: totals.clone().map(|totals| totals.events).sum(),
            rerouted: totals.map(|totals| totals.rerouted).sum(),
            measured_undelivered: undelivered.sum(),
            waiting: diagnosis::waiting(&self.shared, own.iter().flat_map(|group| &group.routers)),
        }
    }

    /// Takes in what the next process, in their order, has found.
    pub fn take_in(&mut self, found: Found) {
        self.elsewhere.push(found);
    }

    /// Units of work done: arrivals at routers, output decisions and injections.
    #[must_use]
    pub fn events(&self) -> u64 {
        let own = self.groups[self.own.clone()].iter();
        let elsewhere = self.elsewhere.iter().map(|found| found.events);
        own.map(|group| group.totals.events).chain(elsewhere).sum()
    }

    /// Packets that were rerouted since a link went down; twice those that were so twice.
    #[must_use]
    pub fn rerouted(&self) -> u64 {
        let own = self.groups[self.own.clone()].iter();
        let elsewhere = self.elsewhere.iter().map(|found| found.rerouted);
        let own = own.map(|group| group.totals.rerouted);
        own.chain(elsewhere).sum()
    }

    /// Endpoints of the nodes of this process in node order, to prepare them.
    pub fn endpoints_mut(&mut self) -> impl Iterator<Item = &mut E> {
        let nodes = self.groups.iter_mut().flat_map(|group| &mut group.nodes);
        nodes.map(|node| &mut node.endpoint)
    }

    /// Endpoints of the nodes of this process in node order.
    pub fn endpoints(&self) -> impl Iterator<Item = &E> {
        let nodes = self.groups.iter().flat_map(|group| &group.nodes);
        nodes.map(|node| &node.endpoint)
    }

    /// Tables of a learning routing, by router of this process; empty otherwise.
    pub fn tables(&self) -> impl Iterator<Item = &QTable> {
        let routers = self.groups.iter().flat_map(|group| &group.routers);
        routers.filter_map(|router| router.table.as_deref())
    }

    /// Measured packets created and not delivered (a message not yet begun counts not at all).
    #[must_use]
    pub fn measured_undelivered(&self) -> u64 {
        if self.shared.usage.measure.is_none() {
            return 0;
        }
        let own = self.groups[self.own.clone()].iter();
        let own = own.map(|group| group.totals.measured_undelivered);
        let elsewhere = self.elsewhere.iter();
        let sum: i64 = own
            .chain(elsewhere.map(|found| found.measured_undelivered))
            .sum();
        u64::try_from(sum).unwrap_or(0)
    }

    /// Buffers that wait for each other in a cycle, each for the next: a routing deadlock. Empty if
    /// there is none.
    #[must_use]
    pub fn waiting_cycle(&self) -> Vec<Wait> {
        let own = self.found().waiting;
        let elsewhere = self.elsewhere.iter().flat_map(|found| &found.waiting);
        diagnosis::waiting_cycle(own.iter().chain(elsewhere))
    }

    /// What probes need to know of this network.
    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// How far NICs are behind the end of an epoch: the time from a NIC into its router.
    pub fn nic_lag(&self) -> Span {
        self.shared.nic_lag
    }
}
