//! What every run counts by default.

use std::ops::Range;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId, RouterId};

use crate::job_sums::{Delivery, JobInjection, JobSums};
use crate::links::{LinkTotals, LinkUse, Links};
use crate::probe::{Channel, ChannelStart, Injection, PacketFacts, Probe, ProbeScope};
use crate::stats::Stats;
use crate::watched::Watched;

/// What happened at a node.
///
/// What is added to at once does not lie side by side: the compiler would add it in one wide
/// register, and put it together there first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
#[repr(C)]
pub struct NodeTotals {
    /// Packets that arrived.
    pub packets_received: u64,
    /// Bytes injected.
    pub bytes_sent: u64,
    /// Routers they traversed, summed.
    pub hops_received: u64,
}

/// Jobs, links, nodes and series of a scope of a network, or of all of it after merging.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct Telemetry {
    /// Of each job, what is not in `stats` yet. A packet of a job that is none would be found here,
    /// when it is injected.
    job_sums: Vec<JobSums>,
    stats: Stats,
    links: Links,
    first_node: u32,
    nodes: Vec<NodeTotals>,
}

impl Telemetry {
    /// Empty statistics of the routers and nodes of `scope`.
    #[must_use]
    pub fn new(scope: &ProbeScope, watched: &Watched) -> Self {
        Self {
            job_sums: vec![JobSums::new(watched.measure); watched.jobs],
            stats: Stats::new(watched.jobs, watched.series_bin),
            links: Links::new(scope, watched),
            first_node: scope.nodes.start,
            nodes: vec![NodeTotals::default(); scope.nodes.len()],
        }
    }

    /// The whole, from shares in the order of their routers; `None` without any.
    #[must_use]
    pub fn merge(shares: Vec<Self>) -> Option<Self> {
        let more = shares.iter().skip(1);
        let nodes = more.clone().map(|share| share.nodes.len()).sum();
        let channels = more.map(|share| share.links.channels()).sum();
        let mut shares = shares.into_iter();
        let mut whole = shares.next()?;
        whole.nodes.reserve_exact(nodes);
        whole.links.reserve(channels);
        whole.close();
        for mut share in shares {
            share.close();
            whole.stats.merge(share.stats);
            whole.links.append(share.links);
            whole.nodes.extend(share.nodes);
        }
        Some(whole)
    }

    /// Puts what is summed up into the statistics.
    fn close(&mut self) {
        for (job, sums) in std::mem::take(&mut self.job_sums).into_iter().enumerate() {
            sums.close(job, &mut self.stats);
        }
    }

    /// Jobs and series, after merging.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Nodes, in order.
    #[must_use]
    pub fn nodes(&self) -> &[NodeTotals] {
        &self.nodes
    }

    /// Numbers of the channels of this scope among those of all routers.
    #[must_use]
    pub const fn channels(&self) -> Range<u32> {
        self.links.numbers()
    }

    /// Forgets what was counted of channels, when it stands elsewhere: it takes most of the memory.
    pub fn forget_channels(&mut self) {
        self.links.clear();
    }

    /// Times of a channel.
    ///
    /// # Panics
    /// If its router is not of this scope.
    #[must_use]
    pub fn link(&self, channel: Channel) -> LinkTotals {
        self.links.totals(channel)
    }

    /// Traffic of a channel per job, and per class (empty with one class).
    ///
    /// # Panics
    /// If its router is not of this scope.
    #[must_use]
    pub fn traffic(&self, channel: Channel) -> (Vec<LinkUse>, Vec<LinkUse>) {
        (self.links.jobs(channel), self.links.classes(channel))
    }

    #[inline(always)]
    fn node(&mut self, node: NodeId) -> &mut NodeTotals {
        &mut self.nodes[(node.0 - self.first_node) as usize]
    }
}

impl Probe for Telemetry {
    #[inline(always)]
    fn injected(&mut self, packet: &PacketFacts, is_response: bool, start: Injection) {
        let job = usize::from(packet.job);
        if is_response {
            self.stats.jobs[job].responses_injected += 1;
            return;
        }
        let bytes = u64::from(packet.bytes);
        self.node(packet.source).bytes_sent += bytes;
        let injected = JobInjection {
            bytes,
            queueing: packet.age(start.at),
            is_measured: packet.is_measured,
        };
        self.job_sums[job].inject(job, &mut self.stats, start.at, injected);
    }

    #[inline(always)]
    fn started(&mut self, channel: Channel, packet: &PacketFacts, start: ChannelStart) {
        self.links.start(channel, packet, start);
    }

    #[inline]
    fn lacked_credits(&mut self, channel: Channel, since: Instant, until: Instant) {
        self.links.stall(channel, until.saturating_since(since));
    }

    #[inline]
    fn was_saturated(&mut self, channel: Channel, _: u8, since: Instant, until: Instant) {
        self.links.saturate(channel, until.saturating_since(since));
    }

    #[inline]
    fn was_refused(&mut self, channel: Channel, _: u8, since: Instant, until: Instant) {
        self.links.refuse(channel, until.saturating_since(since));
    }

    #[inline(always)]
    fn delivered(&mut self, packet: &PacketFacts, at: Instant) {
        let hops = u64::from(packet.hops);
        let node = self.node(packet.target);
        node.packets_received += 1;
        node.hops_received += hops;
        let delivery = Delivery {
            bytes: u64::from(packet.bytes),
            latency: packet.age(at),
            hops,
            is_nonminimal: packet.is_nonminimal,
            is_measured: packet.is_measured,
        };
        let job = usize::from(packet.job);
        self.job_sums[job].deliver(job, &mut self.stats, at, delivery);
    }

    #[inline]
    fn acknowledged(&mut self, response: &PacketFacts, at: Instant) {
        self.stats.packet_hops += u64::from(response.hops);
        let stats = &mut self.stats.jobs[usize::from(response.job)];
        stats.responses_delivered += 1;
        if response.is_measured {
            let trip = response.age(at).ps();
            stats.round_trips.add(trip);
            stats.round_trip_sum += u128::from(trip);
            stats.round_trip_count += 1;
        }
    }

    #[inline]
    fn learnt(&mut self, _: RouterId, job: u8, error_ns: u64, at: Instant) {
        let bin = self.stats.series.at(at, usize::from(job));
        bin.lessons += 1;
        bin.lesson_error_ns += error_ns;
    }
}
