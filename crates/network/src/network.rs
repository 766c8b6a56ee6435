//! A network with its users, and its run.

use std::ops::Range;
use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_engine::{self as engine, Control, EpochPlan, Share, Stop};
use odonata_mesh::{Mesh, MeshError};
use odonata_routing::{QTable, Routing};
use odonata_telemetry::{Probe, ProbeScope};
use odonata_topology::Topology;
use odonata_units::{GroupId, Instant, Span};

use crate::diagnosis::{self, Wait, Waiting};
use crate::error::NetworkError;
use crate::features::{
    Combination, Features, Full, Plain, WithClasses, WithCrossbar, WithLearning, WithNotices,
    WithReservation, WithResponses,
};
use crate::group::{Group, Running, Worker};
use crate::lookahead::patience;
use crate::parameters::Parameters;
use crate::partition::Partition;
use crate::shared::Shared;
use crate::usage::Usage;

/// A network whose nodes are used by endpoints of type `E`.
#[derive(Debug)]
pub struct Network<E> {
    shared: Arc<Shared>,
    /// By group; in the run, by block.
    groups: Vec<Group<E>>,
    /// By group, see [`Group::weight`].
    weights: Vec<u64>,
    end: Instant,
    /// The groups that this process simulates; in the run, the blocks.
    own: Range<usize>,
    /// What the parts of the network have found that other processes simulate, in their order.
    elsewhere: Vec<Found>,
}

/// The processes that simulate a network together.
#[derive(Clone, Copy, Debug)]
pub struct Team<'a> {
    /// How they reach each other.
    pub mesh: &'a Mesh,
    /// Threads of each of them.
    pub threads: usize,
}

/// What a process has found of its part of the network, besides what probes have heard.
#[derive(Debug)]
pub struct Found {
    events: u64,
    measured_undelivered: i64,
    waiting: Vec<Waiting>,
}
odonata_units::record!(Found {
    events,
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
    team: Option<Team<'a>>,
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
        let nodes = topology.node_count() as usize;
        assert!(
            endpoints.len() == nodes && usage.nodes.len() == nodes,
            "one of each per node"
        );
        let shared = Arc::new(Shared::new(topology, routing, parameters, usage)?);
        let mut endpoints = endpoints.into_iter();
        let mut users = |group| {
            let nodes = shared.topology.nodes_in(GroupId(group)).len();
            endpoints.by_ref().take(nodes).collect()
        };
        let partition = Partition::of_groups(&shared.topology);
        let groups: Vec<Group<E>> = (0..shared.topology.group_count())
            .map(|group| Group::new(&shared, &partition, GroupId(group), users(group)))
            .collect();
        Ok(Self {
            shared,
            weights: groups.iter().map(Group::weight).collect(),
            own: 0..groups.len(),
            groups,
            end: Instant::ZERO,
            elsewhere: Vec::new(),
        })
    }

    /// What the probe of each of `threads` threads hears of, for [`Network::run`]. There are no
    /// more scopes than groups.
    #[must_use]
    pub fn scopes(&self, threads: usize) -> Vec<ProbeScope> {
        let threads = threads.clamp(1, self.groups.len());
        let scope = |mine: &Range<usize>| ProbeScope {
            routers: self.routers_of(mine),
            nodes: self.nodes_of(mine),
            radix: u32::from(self.shared.topology.radix()),
        };
        engine::split(&self.weights, threads)
            .iter()
            .map(scope)
            .collect()
    }

    /// What the probe of each thread of this process hears of, for [`Network::run_share`].
    #[must_use]
    pub fn scopes_of_share(&self, team: Team<'_>) -> Vec<ProbeScope> {
        let all = self.scopes(team.threads * team.mesh.processes());
        let mine = all.into_iter().skip(team.threads * team.mesh.rank());
        mine.take(team.threads).collect()
    }

    fn routers_of(&self, groups: &Range<usize>) -> Range<u32> {
        let routers = self.groups[groups.clone()].iter();
        let count: usize = routers.map(|group| group.routers.len()).sum();
        let first = self.groups[groups.start].first_router().0;
        first..first + u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn nodes_of(&self, groups: &Range<usize>) -> Range<u32> {
        let nodes = self.groups[groups.clone()].iter();
        let count: usize = nodes.map(|group| group.nodes.len()).sum();
        let group = u32::try_from(groups.start).unwrap_or(u32::MAX);
        let first = self.shared.topology.first_node(GroupId(group)).0;
        first..first + u32::try_from(count).unwrap_or(u32::MAX)
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
        let partition = &self.divide(probes.len());
        let course = Course {
            partition,
            threads: 0..probes.len(),
            until,
            control,
            team: None,
        };
        let stop = self.simulate(course, probes);
        // Without other processes none is gone.
        stop.unwrap_or(Stop::Interrupted)
    }

    /// Simulates the part of this process as [`Network::run`] does, beside the other processes of
    /// `team`; one probe for each scope of [`Network::scopes_of_share`].
    ///
    /// # Errors
    /// [`MeshError`]: another process is gone, or cannot go on.
    ///
    /// # Panics
    /// If there are other probes than scopes, or more threads in all than groups.
    pub fn run_share<P: Probe, C: Control>(
        &mut self,
        until: Instant,
        probes: &mut Vec<P>,
        control: &C,
        team: Team<'_>,
    ) -> Result<Stop, MeshError> {
        let all = team.threads * team.mesh.processes();
        assert!(
            probes.len() == team.threads && all <= self.weights.len(),
            "one probe per thread, one group per thread"
        );
        let partition = &self.divide(all);
        let first = team.threads * team.mesh.rank();
        let threads = first..first + team.threads;
        self.own = partition.threads[threads.start].start..partition.threads[threads.end - 1].end;
        let course = Course {
            partition,
            threads,
            until,
            control,
            team: Some(team),
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
        let stop = match self.shared.combination {
            Combination::Plain => self.run_as::<Plain, P, C>(course, all),
            Combination::WithCrossbar => self.run_as::<WithCrossbar, P, C>(course, all),
            Combination::WithClasses => self.run_as::<WithClasses, P, C>(course, all),
            Combination::WithLearning => self.run_as::<WithLearning, P, C>(course, all),
            Combination::WithResponses => self.run_as::<WithResponses, P, C>(course, all),
            Combination::WithReservation => self.run_as::<WithReservation, P, C>(course, all),
            Combination::WithNotices => self.run_as::<WithNotices, P, C>(course, all),
            Combination::Full => self.run_as::<Full, P, C>(course, all),
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

    /// Makes the blocks that so many threads simulate, see [`crate::partition`].
    fn divide(&mut self, threads: usize) -> Partition {
        let shared = &*self.shared;
        let ranges = engine::split(&self.weights, threads);
        let partition = Partition::new(&shared.topology, &ranges, shared.joins_groups());
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
        self.own = 0..self.groups.len();
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
            patience: patience(&shared.parameters, &shared.topology, epoch),
        };
        let Course {
            partition, control, ..
        } = course;
        let groups = self.groups[self.own.clone()].iter_mut();
        let mut running: Vec<Running<'_, F, E, P>> = groups
            .map(|group| Running::new(shared, partition, group))
            .collect();
        let ranges = &partition.threads;
        let (stop, end) = match course.team {
            None => engine::run(&mut running, ranges, workers, plan, control),
            Some(Team { mesh, threads }) => {
                let share = Share { ranges, threads };
                engine::run_share(&mut running, share, workers, plan, control, mesh)?
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

    /// The nodes that this process simulates, once it has run.
    #[must_use]
    pub fn own_nodes(&self) -> Range<u32> {
        let count =
            |groups: &[Group<E>]| -> usize { groups.iter().map(|group| group.nodes.len()).sum() };
        let first = count(&self.groups[..self.own.start]);
        let end = first + count(&self.groups[self.own.clone()]);
        u32::try_from(first).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX)
    }

    /// What this process has found of its part.
    #[must_use]
    pub fn found(&self) -> Found {
        let own = &self.groups[self.own.clone()];
        let totals = own.iter().map(|group| &group.totals);
        let undelivered = totals.clone().map(|totals| totals.measured_undelivered);
        Found {
            events: totals.map(|totals| totals.events).sum(),
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

    /// Endpoints in node order, to prepare them.
    pub fn endpoints_mut(&mut self) -> impl Iterator<Item = &mut E> {
        let nodes = self.groups.iter_mut().flat_map(|group| &mut group.nodes);
        nodes.map(|node| &mut node.endpoint)
    }

    /// Endpoints in node order.
    pub fn endpoints(&self) -> impl Iterator<Item = &E> {
        let nodes = self.groups.iter().flat_map(|group| &group.nodes);
        nodes.map(|node| &node.endpoint)
    }

    /// Tables of a learning routing, by router; empty otherwise.
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
    pub(crate) fn nic_lag(&self) -> Span {
        self.shared.nic_lag
    }
}
