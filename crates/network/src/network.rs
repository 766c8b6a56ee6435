//! A network with its users, and its run.

use std::ops::Range;
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_endpoint::Endpoint;
use odonata_engine::{self as engine, Control, EpochPlan, Stop};
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
    /// By group; from the run on, by block.
    groups: Vec<Group<E>>,
    end: Instant,
    /// Who simulates what.
    division: Division,
    own_routers: Range<u32>,
    own_nodes: Range<u32>,
    /// What was found of the parts of the network, from the run on: first of that of this process.
    found: Vec<Found>,
}

/// What a process has found of its part of the network, besides what probes have heard.
#[derive(Debug, BorshSerialize, BorshDeserialize)]
pub struct Found {
    events: u64,
    rerouted: u64,
    measured_undelivered: i64,
    waiting: Vec<Waiting>,
}
/// How a network runs.
struct Course<'a, C> {
    partition: &'a Partition,
    /// Blocks of this process.
    own: Range<usize>,
    until: Instant,
    control: &'a C,
    mesh: &'a Mesh,
}

impl<E: Endpoint> Network<E> {
    /// Builds what this process simulates of the network by `division`; `endpoints` use its nodes
    /// ([`Division::nodes`]), in their order.
    ///
    /// # Errors
    /// [`NetworkError`]: parameters that cannot be simulated.
    ///
    /// # Panics
    /// If there is not exactly one endpoint for each node of this process, and one
    /// [`crate::NodeUse`] for each node of all.
    pub fn new(
        topology: Arc<Topology>,
        routing: &Routing,
        parameters: &Parameters,
        endpoints: Vec<E>,
        usage: Usage,
        division: Division,
    ) -> Result<Self, NetworkError> {
        let shared = Shared::new(topology, routing, parameters, usage)?;
        let topology = &shared.topology;
        let own = division.groups();
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
        Ok(Self {
            groups,
            end: Instant::ZERO,
            division,
            own_routers: routers_of(topology, &own),
            own_nodes,
            found: Vec::new(),
            shared: Arc::new(shared),
        })
    }

    /// What the probe of each thread of this process hears of.
    #[must_use]
    pub fn scopes(&self) -> Vec<ProbeScope> {
        let Division { threads, own } = &self.division;
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

    /// Simulates the part of this process until all goals are reached, `until`, an interruption or
    /// a stall, beside the other processes of `mesh`, for which the network was divided. There is
    /// a probe for each scope of [`Network::scopes`], and a thread for each probe.
    ///
    /// What is simulated depends neither on the probes nor on their number. A network runs once.
    ///
    /// # Errors
    /// [`MeshError`]: another process is gone, or cannot go on.
    ///
    /// # Panics
    /// If there are other probes than scopes, or other processes than it was divided for.
    pub fn run<P: Probe, C: Control>(
        &mut self,
        until: Instant,
        probes: &mut Vec<P>,
        control: &C,
        mesh: &Mesh,
    ) -> Result<Stop, MeshError> {
        let threads = self.division.own.clone();
        assert!(probes.len() == threads.len(), "one probe per thread");
        let partition = &self.divide();
        let own = &partition.threads[threads];
        let course = Course {
            partition,
            own: own[0].start..own[own.len() - 1].end,
            until,
            control,
            mesh,
        };
        let blocks = course.own.clone();
        let mut workers: Vec<_> = probes.drain(..).map(Worker::new).collect();
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
        let stop = stop?;
        self.found = vec![self.found_in(&self.groups[blocks], stop)];
        Ok(stop)
    }

    /// What was found in `blocks` in a run that ended with `stop`.
    fn found_in(&self, blocks: &[Group<E>], stop: Stop) -> Found {
        let totals = blocks.iter().map(|group| &group.totals);
        let undelivered = totals.clone().map(|totals| totals.measured_undelivered);
        let routers = blocks.iter().flat_map(|group| &group.routers);
        Found {
            events: totals.clone().map(|totals| totals.events).sum(),
            rerouted: totals.map(|totals| totals.rerouted).sum(),
            measured_undelivered: undelivered.sum(),
            waiting: if stop == Stop::Stalled {
                diagnosis::waiting(&self.shared, routers)
            } else {
                Vec::new()
            },
        }
    }

    /// Makes the blocks of all threads, see [`crate::model::partition`].
    fn divide(&mut self) -> Partition {
        let shared = &*self.shared;
        let threads = &self.division.threads;
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
            patience: patience(&shared.parameters, &shared.topology, epoch) * shared.slowdown()
                + shared.longest_loss(),
        };
        let Course {
            partition,
            own,
            control,
            mesh,
            ..
        } = course;
        let groups = self.groups[own].iter_mut();
        let mut running: Vec<Running<'_, F, E, P>> = groups
            .map(|group| Running::new(shared, partition, group))
            .collect();
        let ranges = &partition.threads;
        let (stop, end) = engine::run(&mut running, ranges, workers, plan, control, mesh)?;
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

    /// Frees the memory of the part of this process: there are no endpoints and no tables any more.
    pub fn let_go(&mut self) {
        self.groups = Vec::new();
    }

    /// Takes what this process has found of its part.
    pub fn take_found(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    /// Takes in what the next process, in their order, has found.
    pub fn take_in(&mut self, found: Vec<Found>) {
        self.found.extend(found);
    }

    /// Units of work done: arrivals at routers, output decisions and injections.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.found.iter().map(|found| found.events).sum()
    }

    /// Packets that were rerouted since a link went down; twice those that were so twice.
    #[must_use]
    pub fn rerouted(&self) -> u64 {
        self.found.iter().map(|found| found.rerouted).sum()
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
        let undelivered = self.found.iter().map(|found| found.measured_undelivered);
        let sum: i64 = undelivered.sum();
        u64::try_from(sum).unwrap_or(0)
    }

    /// Buffers that wait for each other in a cycle, each for the next: a routing deadlock. Empty if
    /// there is none, or the run has not stalled.
    #[must_use]
    pub fn waiting_cycle(&self) -> Vec<Wait> {
        diagnosis::waiting_cycle(self.found.iter().flat_map(|found| &found.waiting))
    }

    /// What probes need to know of this network.
    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// How far NICs are behind the end of an epoch: the time from a NIC into its router.
    #[must_use]
    pub fn nic_lag(&self) -> Span {
        self.shared.nic_lag
    }
}
