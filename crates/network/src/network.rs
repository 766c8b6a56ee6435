//! A network with its users, and its run.

use std::ops::Range;
use std::sync::Arc;

use odonata_engine::{self as engine, Control, EpochPlan, Stop};
use odonata_routing::{QTable, Routing};
use odonata_telemetry::{
    Blame, Blamed, Channel, CounterShape, Counters, LinkSeries, LinkUse, NodeTotals, PacketRecord,
    Parties, Probe, ProbeScope, Readings, Recorder, Stats, Telemetry, Watched,
};
use odonata_topology::{PortIndex, Topology};
use odonata_units::{GroupId, Instant, RouterId, Span};

use crate::diagnosis::{self, Wait};
use crate::error::NetworkError;
use crate::features::{
    Combination, Features, Full, Plain, WithClasses, WithCrossbar, WithLearning, WithResponses,
};
use crate::group::{Group, Running, Worker};
use crate::lookahead::patience;
use crate::parameters::{Architecture, Parameters};
use crate::shared::{Counting, Observe, Shared};
use odonata_endpoint::Endpoint;

/// A network whose nodes are used by endpoints of type `E`.
#[derive(Debug)]
pub struct Network<E> {
    shared: Arc<Shared>,
    groups: Vec<Group<E>>,
    /// By group, see [`Group::weight`].
    weights: Vec<u64>,
    telemetry: Option<Telemetry>,
    records: Vec<PacketRecord>,
    blame: Option<Blame>,
    counters: Option<Readings>,
    /// By threads; empty unless it was asked for.
    link_series: Vec<LinkSeries>,
    end: Instant,
}

/// Probes that are not always there.
type Closer = (
    Option<Recorder>,
    (Option<Blame>, (Option<LinkSeries>, Option<Counters>)),
);

/// What happened on the channel that leaves a router port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelReport {
    /// Router it leaves.
    pub router: RouterId,
    /// Port it leaves by.
    pub port: PortIndex,
    /// Time spent sending.
    pub busy: Span,
    /// Time in which a packet was ready, the link free, and credits were lacking.
    pub stall: Span,
    /// Time in which a virtual channel downstream could not take a full packet, summed over
    /// virtual channels.
    pub saturated: Span,
    /// Per job.
    pub jobs: Vec<LinkUse>,
    /// Per traffic class; empty if there is only one.
    pub classes: Vec<LinkUse>,
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
        observe: Observe,
    ) -> Result<Self, NetworkError> {
        let nodes = topology.node_count() as usize;
        assert!(
            endpoints.len() == nodes && observe.nodes.len() == nodes,
            "one of each per node"
        );
        let shared = Arc::new(Shared::new(topology, routing, parameters, observe)?);
        let mut endpoints = endpoints.into_iter();
        let mut users = |group| {
            let nodes = shared.topology.nodes_in(GroupId(group)).len();
            endpoints.by_ref().take(nodes).collect()
        };
        let groups: Vec<Group<E>> = (0..shared.topology.group_count())
            .map(|group| Group::new(&shared, GroupId(group), users(group)))
            .collect();
        Ok(Self {
            shared,
            weights: groups.iter().map(Group::weight).collect(),
            groups,
            telemetry: None,
            records: Vec::new(),
            blame: None,
            counters: None,
            link_series: Vec::new(),
            end: Instant::ZERO,
        })
    }

    /// Simulates until all goals are reached, `until`, an interruption or a stall, and counts what
    /// [`Telemetry`] counts.
    ///
    /// The result does not depend on `threads`.
    pub fn run<C: Control>(&mut self, until: Instant, threads: usize, control: &C) -> Stop {
        let shares = self.shares(threads);
        let observe = &self.shared.observe;
        let watched = Watched {
            jobs: observe.jobs,
            classes: self.shared.class_policy.classes,
            measure: observe.measure,
            series_bin: observe.series_bin,
            full: self.shared.full_packet(),
        };
        let counts = shares.iter().map(|share| Telemetry::new(share, &watched));
        let is_closer = observe.packet_sample > 0 || observe.link_series;
        let stop;
        // What is often wanted alone has a copy of the hot loop of its own.
        match (is_closer, observe.blame, observe.counters.is_some()) {
            (false, false, false) => {
                let mut probes: Vec<_> = counts.collect();
                stop = self.run_with(until, &mut probes, control);
                self.telemetry = Telemetry::merge(probes);
            }
            (false, false, true) => {
                let counters = shares.iter().filter_map(|share| self.counters_of(share));
                let mut probes: Vec<_> = counts.zip(counters).collect();
                stop = self.run_with(until, &mut probes, control);
                let (counts, counters) = probes.into_iter().unzip();
                self.telemetry = Telemetry::merge(counts);
                self.counters = Readings::new(counters, self.end);
            }
            (false, true, false) => {
                let blames = shares.iter().map(|share| Blame::new(share, &self.blamed()));
                let mut probes: Vec<_> = counts.zip(blames).collect();
                stop = self.run_with(until, &mut probes, control);
                let (counts, blames) = probes.into_iter().unzip();
                self.telemetry = Telemetry::merge(counts);
                self.keep_blame(blames);
            }
            _ => {
                let more = shares.iter().map(|share| self.closer_look(share));
                let mut probes: Vec<_> = counts.zip(more).collect();
                stop = self.run_with(until, &mut probes, control);
                let (counts, more): (Vec<_>, Vec<_>) = probes.into_iter().unzip();
                self.telemetry = Telemetry::merge(counts);
                self.keep(more);
            }
        }
        stop
    }

    /// The probes of `scope` that are not always there.
    fn closer_look(&self, scope: &ProbeScope) -> Closer {
        let observe = &self.shared.observe;
        let sample = observe.packet_sample;
        let records = (sample > 0).then(|| Recorder::new(sample, self.shared.record_lanes()));
        let blame = observe.blame.then(|| Blame::new(scope, &self.blamed()));
        let jobs = observe.jobs;
        let series = || LinkSeries::new(scope, jobs, observe.series_bin);
        let series = observe.link_series.then(series);
        (records, (blame, (series, self.counters_of(scope))))
    }

    /// Keeps what they have seen.
    fn keep(&mut self, all: Vec<Closer>) {
        let (records, more): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let (blames, more): (Vec<_>, Vec<_>) = more.into_iter().unzip();
        let (series, counters): (Vec<_>, Vec<_>) = more.into_iter().unzip();
        self.records = Recorder::join(records.into_iter().flatten().collect());
        self.keep_blame(blames.into_iter().flatten().collect());
        self.link_series = LinkSeries::join(series.into_iter().flatten().collect());
        self.counters = Readings::new(counters.into_iter().flatten().collect(), self.end);
    }

    /// Keeps who delayed whom, waits that have not ended included.
    fn keep_blame(&mut self, mut blames: Vec<Blame>) {
        for blame in &mut blames {
            blame.close(self.end);
        }
        self.blame = Blame::merge(blames);
    }

    /// Counters of `scope`; `None` unless they were asked for.
    fn counters_of(&self, scope: &ProbeScope) -> Option<Counters> {
        let counting = self.shared.observe.counters.as_ref()?;
        Some(Counters::new(scope, &self.counter_shape(counting)))
    }

    /// What the counters of tiles and NICs need to know of this network.
    #[must_use]
    pub fn counter_shape(&self, counting: &Counting) -> CounterShape {
        let shared = &*self.shared;
        let (classes, class_vcs) = (shared.class_policy.classes, shared.class_vcs);
        let requests = usize::from(shared.routing.request_virtual_channels());
        CounterShape {
            folds: CounterShape::folds(classes, class_vcs, requests),
            vcs: shared.vcs,
            class_vcs: u8::try_from(class_vcs).unwrap_or(u8::MAX),
            has_crossbar: shared.parameters.architecture == Architecture::Cioq,
            request_vcs: u8::try_from(requests).unwrap_or(u8::MAX),
            has_responses: shared.parameters.response_bytes > 0,
            header_bytes: shared.parameters.header_bytes,
            names: counting.names,
            every: counting.every,
            most_readings: counting.most_readings,
            routers: counting.routers.clone(),
            nodes: counting.nodes.clone(),
            // Routers run through an epoch one after the other.
            lag: shared.epoch() + shared.epoch() + shared.nic_lag,
        }
    }

    /// What tiles and NICs have counted; `None` before the run, and unless it was asked for.
    #[must_use]
    pub const fn counters(&self) -> Option<&Readings> {
        self.counters.as_ref()
    }

    /// What blame needs to know of this network.
    #[must_use]
    pub fn blamed(&self) -> Blamed {
        let shared = &*self.shared;
        Blamed {
            parties: Parties {
                jobs: shared.observe.jobs,
                classes: shared.class_policy.classes,
                class_vcs: shared.class_vcs,
            },
            response_mode: (shared.parameters.response_bytes > 0)
                .then(|| shared.routing.response_mode()),
            vcs: shared.vcs,
            ports: (shared.topology.router_count() * u32::from(shared.topology.radix())) as usize,
            has_crossbar: shared.parameters.architecture == Architecture::Cioq,
            nodes: shared.observe.nodes.len(),
        }
    }

    /// Channels that leave routers, over time: the share that holds each of them; empty before the
    /// run, and unless it was asked for.
    #[must_use]
    pub fn link_series(&self) -> &[LinkSeries] {
        &self.link_series
    }

    /// Who delayed whom; `None` before the run, and unless it was asked for.
    #[must_use]
    pub const fn blame(&self) -> Option<&Blame> {
        self.blame.as_ref()
    }

    /// What the probe of each of `threads` threads hears of, for [`Network::run_with`]; fewer if
    /// there are fewer groups.
    #[must_use]
    pub fn shares(&self, threads: usize) -> Vec<ProbeScope> {
        let threads = threads.clamp(1, self.groups.len());
        let share = |mine: &Range<usize>| ProbeScope {
            routers: self.routers_of(mine),
            nodes: self.nodes_of(mine),
            radix: u32::from(self.shared.topology.radix()),
        };
        engine::split(&self.weights, threads)
            .iter()
            .map(share)
            .collect()
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

    /// Simulates on one thread per probe, each of which hears what happens in its share
    /// ([`Network::shares`]).
    ///
    /// # Panics
    /// Without a probe, or with more probes than groups.
    pub fn run_with<P: Probe, C: Control>(
        &mut self,
        until: Instant,
        probes: &mut Vec<P>,
        control: &C,
    ) -> Stop {
        assert!(
            (1..=self.groups.len()).contains(&probes.len()),
            "one probe per thread"
        );
        let mut workers: Vec<_> = probes.drain(..).map(Worker::new).collect();
        let stop = match self.shared.combination {
            Combination::Plain => self.run_as::<Plain, P, C>(until, &mut workers, control),
            Combination::WithCrossbar => {
                self.run_as::<WithCrossbar, P, C>(until, &mut workers, control)
            }
            Combination::WithClasses => {
                self.run_as::<WithClasses, P, C>(until, &mut workers, control)
            }
            Combination::WithLearning => {
                self.run_as::<WithLearning, P, C>(until, &mut workers, control)
            }
            Combination::WithResponses => {
                self.run_as::<WithResponses, P, C>(until, &mut workers, control)
            }
            Combination::Full => self.run_as::<Full, P, C>(until, &mut workers, control),
        };
        let shares = engine::split(&self.weights, workers.len());
        for (mine, worker) in shares.into_iter().zip(&mut workers) {
            for router in self.groups[mine].iter().flat_map(|group| &group.routers) {
                router.close(&self.shared, self.end, &mut worker.probe);
            }
        }
        probes.extend(workers.into_iter().map(|worker| worker.probe));
        stop
    }

    fn run_as<F: Features, P: Probe, C: Control>(
        &mut self,
        until: Instant,
        workers: &mut [Worker<P>],
        control: &C,
    ) -> Stop {
        let shared = &*self.shared;
        let epoch = shared.epoch();
        let plan = EpochPlan {
            epoch,
            // NICs are behind their routers: they too are simulated up to `until`.
            until: until + shared.nic_lag,
            patience: patience(&shared.parameters, &shared.topology, epoch),
        };
        let groups = self.groups.iter_mut();
        let mut running: Vec<Running<'_, F, E, P>> =
            groups.map(|group| Running::new(shared, group)).collect();
        let shares = engine::split(&self.weights, workers.len());
        let (stop, end) = engine::run(&mut running, (&shares, workers), plan, control);
        self.end = end;
        stop
    }

    /// Instant up to which everything was simulated.
    #[must_use]
    pub const fn end(&self) -> Instant {
        self.end
    }

    /// Statistics of the run; `None` before it.
    #[must_use]
    pub fn stats(&self) -> Option<&Stats> {
        self.telemetry.as_ref().map(Telemetry::stats)
    }

    /// Units of work done: arrivals at routers, output decisions and injections.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.groups.iter().map(|group| group.totals.events).sum()
    }

    /// Endpoints in node order.
    pub fn endpoints(&self) -> impl Iterator<Item = &E> {
        let nodes = self.groups.iter().flat_map(|group| &group.nodes);
        nodes.map(|node| &node.endpoint)
    }

    /// Nodes in order; none before the run.
    pub fn nodes(&self) -> impl Iterator<Item = NodeTotals> {
        let nodes = self.telemetry.iter().flat_map(Telemetry::nodes);
        nodes.copied()
    }

    /// Channels that leave routers, by router and port; unconnected ports are left out. None
    /// before the run.
    pub fn channels(&self) -> impl Iterator<Item = ChannelReport> {
        let topology = &self.shared.topology;
        let telemetry = self.telemetry.as_ref();
        let ports = (0..topology.radix()).map(PortIndex);
        let routers = (0..topology.router_count()).map(RouterId);
        let all = routers.flat_map(move |router| ports.clone().map(move |port| (router, port)));
        all.filter_map(move |(router, port)| {
            topology.neighbour(router, port)?;
            let channel = Channel {
                router,
                port: u8::try_from(port.0).ok()?,
                index: router.0 * u32::from(topology.radix()) + u32::from(port.0),
            };
            let totals = telemetry?.link(channel);
            let (jobs, classes) = telemetry?.traffic(channel);
            Some(ChannelReport {
                router,
                port,
                busy: totals.busy,
                stall: totals.stall,
                saturated: totals.saturated,
                jobs,
                classes,
            })
        })
    }

    /// Packets and responses injected and not delivered.
    #[must_use]
    pub fn packets_in_flight(&self) -> u64 {
        let stats = self.stats();
        let jobs = stats.iter().flat_map(|stats| &stats.jobs);
        jobs.map(|job| {
            let requests = job.packets_injected - job.packets_delivered;
            requests + job.responses_injected - job.responses_delivered
        })
        .sum()
    }

    /// Takes the records of sampled packets that were delivered, by source, lane and sequence.
    pub fn take_records(&mut self) -> Vec<PacketRecord> {
        std::mem::take(&mut self.records)
    }

    /// Tables of a learning routing, by router; empty otherwise.
    pub fn tables(&self) -> impl Iterator<Item = &QTable> {
        let routers = self.groups.iter().flat_map(|group| &group.routers);
        routers.filter_map(|router| router.table.as_deref())
    }

    /// Measured packets created and not delivered (a message not yet begun counts not at all).
    #[must_use]
    pub fn measured_undelivered(&self) -> u64 {
        if self.shared.observe.measure.is_none() {
            return 0;
        }
        let sum: i64 = self
            .groups
            .iter()
            .map(|group| group.totals.measured_undelivered)
            .sum();
        u64::try_from(sum).unwrap_or(0)
    }

    /// Buffers that wait for each other in a cycle, each for the next: a routing deadlock. Empty if
    /// there is none.
    #[must_use]
    pub fn waiting_cycle(&self) -> Vec<Wait> {
        let routers = self.groups.iter().flat_map(|group| &group.routers);
        diagnosis::waiting_cycle(&self.shared, routers)
    }

    /// How far NICs are behind the end of an epoch: the way into a router.
    pub(crate) fn nic_lag(&self) -> Span {
        self.shared.nic_lag
    }
}
