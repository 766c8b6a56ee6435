//! A network with its users, and its run.

use std::sync::Arc;

use odonata_engine::{self as engine, Control, EpochPlan, Stop};
use odonata_routing::{QTable, Routing};
use odonata_topology::{PortIndex, Topology};
use odonata_units::{GroupId, Instant, RouterId, Span};

use crate::block::{Block, Local};
use crate::diagnosis::{self, Wait};
use crate::endpoint::Endpoint;
use crate::error::NetworkError;
use crate::memory::state_bytes;
use crate::output::LinkUse;
use crate::parameters::{PacketRecord, Parameters};
use crate::record::Recorder;
use crate::shared::{MeasureWindow, NodeUse, Observe, Shared};
use crate::stats::Stats;

/// A network whose nodes are used by endpoints of type `E`.
#[derive(Debug)]
pub struct Network<E> {
    shared: Arc<Shared>,
    blocks: Vec<Block<E>>,
    stats: Option<Stats>,
    end: Instant,
}

/// Traffic of one job on one directed link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTraffic {
    /// Bytes that started on the link.
    pub bytes: u64,
    /// Packets.
    pub packets: u64,
}

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
    pub jobs: Vec<LinkTraffic>,
    /// Per traffic class; empty if there is only one.
    pub classes: Vec<LinkTraffic>,
}

/// What happened at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeReport {
    /// Bytes injected.
    pub bytes_sent: u64,
    /// Packets that arrived.
    pub packets_received: u64,
    /// Routers they traversed, summed.
    pub hops_received: u64,
}

impl<E: Endpoint> Network<E> {
    /// Builds the network; `endpoints[n]` uses node `n`.
    ///
    /// # Errors
    /// [`NetworkError`]: parameters that cannot be simulated.
    ///
    /// # Panics
    /// If there is not exactly one endpoint and one [`NodeUse`] per node.
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
        let (needed, available) = (state_bytes::<E>(&shared), shared.observe.memory_bytes);
        if needed > available {
            return Err(NetworkError::Memory { needed, available });
        }
        let mut endpoints = endpoints.into_iter();
        let mut users = |group| {
            let nodes = shared.topology.nodes_in(GroupId(group)).len();
            endpoints.by_ref().take(nodes).collect()
        };
        let blocks = (0..shared.topology.group_count())
            .map(|group| Block::new(&shared, GroupId(group), users(group)))
            .collect();
        Ok(Self {
            shared,
            blocks,
            stats: None,
            end: Instant::ZERO,
        })
    }

    /// Simulates until all goals are reached, `until`, an interruption or a stall.
    ///
    /// The result does not depend on `threads`.
    pub fn run<C: Control>(&mut self, until: Instant, threads: usize, control: &C) -> Stop {
        let threads = threads.clamp(1, self.blocks.len());
        let shared = &self.shared;
        let mut locals: Vec<_> = (0..threads).map(|_| Local::new(shared)).collect();
        let epoch = Span::from_ps(shared.epoch_windows << shared.shift);
        let plan = EpochPlan {
            epoch,
            until,
            patience: shared.patience(epoch),
        };
        let (stop, end) = engine::run(&mut self.blocks, &mut locals, plan, control);
        self.end = end;
        self.stats = Stats::merge(locals.into_iter().map(|local| local.stats).collect());
        stop
    }

    /// Instant up to which everything was simulated.
    #[must_use]
    pub const fn end(&self) -> Instant {
        self.end
    }

    /// Statistics of the run; `None` before it.
    #[must_use]
    pub const fn stats(&self) -> Option<&Stats> {
        self.stats.as_ref()
    }

    /// Endpoints in node order.
    pub fn endpoints(&self) -> impl Iterator<Item = &E> {
        self.blocks.iter().flat_map(|block| &block.state.endpoints)
    }

    /// Nodes in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeReport> {
        let nics = self.blocks.iter().flat_map(|block| &block.state.nics);
        nics.map(|nic| NodeReport {
            bytes_sent: nic.bytes_sent,
            packets_received: nic.packets_received,
            hops_received: nic.hops_received,
        })
    }

    /// Channels that leave routers, by router and port; unconnected ports are left out.
    pub fn channels(&self) -> impl Iterator<Item = ChannelReport> {
        let shared = &*self.shared;
        let end = self.end.ps();
        let ports = (0..shared.topology.radix()).map(PortIndex);
        let routers = (0..shared.topology.router_count()).map(RouterId);
        let all = routers.flat_map(move |router| ports.clone().map(move |port| (router, port)));
        all.filter_map(move |(router, port)| {
            shared.topology.neighbour(router, port)?;
            let state = &self.blocks[shared.topology.group_of(router).index()].state;
            let local = (router.0 - state.first_router) as usize;
            let place = local * shared.radix + port.index();
            let output = &state.outputs[place];
            let lanes = &state.lanes[place * shared.vcs..(place + 1) * shared.vcs];
            let jobs = &state.link_jobs[place * shared.jobs..(place + 1) * shared.jobs];
            let traffic = |job: &LinkUse| LinkTraffic {
                bytes: job.bytes,
                packets: job.packets,
            };
            let classes = match shared.policy.classes {
                1 => &[][..],
                count => &state.link_classes[place * count..(place + 1) * count],
            };
            Some(ChannelReport {
                router,
                port,
                busy: Span::from_ps(output.busy_ps),
                stall: Span::from_ps(output.stall_until(end)),
                saturated: Span::from_ps(lanes.iter().map(|lane| lane.saturated_until(end)).sum()),
                jobs: jobs.iter().map(traffic).collect(),
                classes: classes.iter().map(traffic).collect(),
            })
        })
    }

    /// Packets and responses injected and not delivered.
    #[must_use]
    pub fn packets_in_flight(&self) -> u64 {
        let stats = self.stats.iter().flat_map(|stats| &stats.jobs);
        stats
            .map(|job| {
                let requests = job.packets_injected - job.packets_delivered;
                requests + job.responses_injected - job.responses_delivered
            })
            .sum()
    }

    /// Of the packets of each node, every so many are recorded: [`Observe::packet_sample`], or more
    /// if that was too much to keep. 0: none are.
    #[must_use]
    pub fn packet_sample(&self) -> u32 {
        self.blocks
            .first()
            .map_or(0, |block| block.state.recorder.sample())
    }

    /// Takes the records of sampled packets that were delivered, by source, lane and sequence.
    pub fn take_records(&mut self) -> Vec<PacketRecord> {
        let logs = self
            .blocks
            .iter_mut()
            .map(|block| block.state.recorder.take());
        Recorder::join(logs.collect())
    }

    /// Tables of a learning routing, by router; empty otherwise.
    pub fn tables(&self) -> impl Iterator<Item = &QTable> {
        self.blocks.iter().flat_map(|block| &block.state.tables)
    }

    /// Measured packets created and not delivered (a message not yet begun counts not at all).
    #[must_use]
    pub fn measured_undelivered(&self) -> u64 {
        if self.shared.observe.measure.is_none() {
            return 0;
        }
        let sum: i64 = self
            .blocks
            .iter()
            .map(|block| block.state.outstanding)
            .sum();
        u64::try_from(sum).unwrap_or(0)
    }

    /// Buffers that wait for each other in a cycle, each for the next: a routing deadlock. Empty if
    /// there is none.
    #[must_use]
    pub fn waiting_cycle(&self) -> Vec<Wait> {
        diagnosis::waiting_cycle(&self.shared, &self.blocks)
    }
}

struct Unattended;

impl Control for Unattended {
    fn after_epoch(&self, _: Instant, _: u64) -> bool {
        false
    }
}

/// Simulates until `until` and returns the records of all packets delivered before, and the
/// endpoints: what comparisons with the slow twin need.
///
/// # Errors
/// As [`Network::new`].
pub fn simulate_recorded<E: Endpoint>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    endpoints: Vec<E>,
    (until, threads): (Instant, usize),
) -> Result<(Vec<PacketRecord>, Network<E>), NetworkError> {
    let observe = Observe {
        nodes: vec![
            NodeUse {
                job: 0,
                is_goal: true
            };
            topology.node_count() as usize
        ],
        jobs: 1,
        // Never reached: the run ends when nothing is left to do, or at `until`.
        measure: Some(MeasureWindow {
            from: Instant::ZERO,
            to: Instant::NEVER,
        }),
        packet_sample: 1,
        packet_records: u64::MAX,
        memory_bytes: u64::MAX,
        series_bin: Span::from_ns(1_000),
    };
    let mut network = Network::new(topology, routing, parameters, endpoints, observe)?;
    // NICs are behind the end of an epoch by the way into a router.
    let lag = Span::from_ps(network.shared.nic_lag);
    network.run(until + lag, threads, &Unattended);
    let mut records = network.take_records();
    records.retain(|record| record.delivered < until);
    Ok((records, network))
}
