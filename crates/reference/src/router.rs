//! The state of a router, and what both architectures share: routing, the choice of a VC, credits.

use std::collections::{BTreeMap, VecDeque};

use odonata_network::{Arbitration, CreditReturn, Parameters};
use odonata_routing::{Estimate, Observation, QTable, Routing};
use odonata_topology::{Attachment, LinkKind, PortIndex, Topology};
use odonata_units::{Instant, Purpose, RouterId, Span, Stream};

use crate::ejection::Ejection;
use crate::flow::{Decision, Flow};
use crate::last_hop::LastHop;
use crate::monitor::{Contender, Shares};
use crate::packet::{LaneName, Packet};
use crate::refusals::Refusals;
use crate::timing::Timing;
use crate::window::Marker;

/// Where packets come in.
pub(crate) struct InputPort {
    /// Of the channel that ends here.
    pub(crate) kind: LinkKind,
    /// The other end; `None` for an unconnected port.
    pub(crate) upstream: Option<Attachment>,
    /// Flits in the buffer, per VC.
    pub(crate) occupied: Vec<u32>,
    /// `cioq`: the packets of each VC; the first one is routed.
    pub(crate) fifos: Vec<VecDeque<usize>>,
    /// `cioq`: end of the last crossbar transfer.
    pub(crate) crossbar_free: Instant,
}

/// Where packets go out.
pub(crate) struct OutputPort {
    /// Of the channel that starts here.
    pub(crate) kind: LinkKind,
    /// The other end; `None` for an unconnected port.
    pub(crate) target: Option<Attachment>,
    /// Packets that will leave, per VC.
    pub(crate) fifos: Vec<VecDeque<usize>>,
    /// Early credits: how many of them, from the head on, are reserved, per VC.
    pub(crate) reserved: Vec<usize>,
    /// Flits of those that are not reserved, per VC.
    pub(crate) queued: Vec<u32>,
    /// Depth per VC of the buffer behind the channel.
    depth: u32,
    /// Flits of the channel's round trip.
    round_trip_flits: u32,
    /// Usable credits per VC; `None` towards a NIC, which needs none.
    pub(crate) credits: Option<Vec<u32>>,
    /// What was refused for want of room behind the channel.
    pub(crate) refusals: Refusals,
    /// End of the last packet.
    pub(crate) channel_free: Instant,
    /// How long packets have occupied the channel.
    pub(crate) busy: Span,
    /// VC of each contender served last, counted inside the class.
    served: BTreeMap<Contender, usize>,
    /// By VC of a class: whether it is for responses.
    is_for_responses: Vec<bool>,
    /// What the classes took.
    pub(crate) shares: Shares,
    /// `cioq`: end of the last crossbar transfer.
    pub(crate) crossbar_free: Instant,
    /// `cioq`: the instant it is armed for.
    pub(crate) alarm: Option<Instant>,
    /// `cioq`: a packet or credits may arm it (earlier).
    pub(crate) waiting: bool,
}

/// A router of either architecture.
pub(crate) struct Router {
    /// Its routing draws.
    pub(crate) draws: Stream,
    /// Its last decision on each flow of ordered packets.
    pub(crate) flows: BTreeMap<Flow, Decision>,
    /// Its estimates, if it learns.
    pub(crate) table: Option<QTable>,
    /// By port.
    pub(crate) inputs: Vec<InputPort>,
    /// By port.
    pub(crate) outputs: Vec<OutputPort>,
    /// By port, of those to nodes.
    pub(crate) last_hops: Vec<LastHop>,
    /// By port.
    pub(crate) markers: Vec<Marker>,
    /// By port.
    pub(crate) ejections: Vec<Ejection>,
    /// `cioq`: inputs (port, VC), the least recently granted first.
    pub(crate) recency: Vec<(usize, usize)>,
    /// `cioq`: a tick is on the agenda.
    pub(crate) ticking: bool,
}

impl Router {
    pub(crate) fn new(
        id: RouterId,
        topology: &Topology,
        parameters: &Parameters,
        routing: &Routing,
    ) -> Self {
        let ports = 0..topology.radix();
        let classes = usize::from(parameters.qos.classes);
        let vcs = classes * usize::from(routing.virtual_channels());
        let input = |port: u16| InputPort {
            kind: topology.port_kind(PortIndex(port)),
            upstream: topology.neighbour(id, PortIndex(port)),
            occupied: vec![0; vcs],
            fifos: vec![VecDeque::new(); vcs],
            crossbar_free: Instant::ZERO,
        };
        let output = |port: u16| {
            let kind = topology.port_kind(PortIndex(port));
            let depth = parameters.input_buffer_flits[kind as usize];
            OutputPort {
                kind,
                target: topology.neighbour(id, PortIndex(port)),
                fifos: vec![VecDeque::new(); vcs],
                reserved: vec![0; vcs],
                queued: vec![0; vcs],
                depth,
                round_trip_flits: Timing::new(parameters).round_trip_flits(kind),
                credits: (kind != LinkKind::Host).then(|| vec![depth; vcs]),
                refusals: Refusals::new(vcs),
                channel_free: Instant::ZERO,
                busy: Span::ZERO,
                served: BTreeMap::new(),
                is_for_responses: (0..routing.virtual_channels())
                    .map(|vc| routing.is_for_responses(vc))
                    .collect(),
                shares: Shares::new(parameters, kind),
                crossbar_free: Instant::ZERO,
                alarm: None,
                waiting: true,
            }
        };
        Self {
            draws: Stream::new(parameters.seed, Purpose::Routing, u64::from(id.0)),
            flows: BTreeMap::new(),
            table: routing.learns().then(|| routing.table(id)),
            inputs: ports.clone().map(input).collect(),
            outputs: ports.clone().map(output).collect(),
            markers: (ports.clone())
                .map(|port| Marker::new(id, port, topology, parameters.seed))
                .collect(),
            ejections: ports.clone().map(|_| Ejection::default()).collect(),
            last_hops: ports.clone().map(|_| LastHop::default()).collect(),
            recency: ports
                .flat_map(|port| (0..vcs).map(move |vc| (usize::from(port), vc)))
                .collect(),
            ticking: false,
        }
    }
}

impl OutputPort {
    /// Whether any packet waits here.
    pub(crate) fn holds_packets(&self) -> bool {
        self.fifos.iter().any(|fifo| !fifo.is_empty())
    }

    fn qualifies(&self, vc: usize, packets: &[Packet], by: CreditReturn, now: Instant) -> bool {
        let Some(&head) = self.fifos[vc].front() else {
            return false;
        };
        let packet = &packets[head];
        let may_go = match (by, &self.credits) {
            (CreditReturn::Reservation, _) => self.reserved[vc] > 0,
            (CreditReturn::Departure, Some(credits)) => credits[vc] >= packet.flits,
            (CreditReturn::Departure, None) => true,
        };
        packet.ready <= now && may_go
    }

    /// The VC whose head starts at `now`, if any qualifies and the channel is free: first the
    /// class, then the VC in it.
    pub(crate) fn choose(
        &self,
        packets: &[Packet],
        parameters: &Parameters,
        now: Instant,
    ) -> Option<usize> {
        if now < self.channel_free {
            return None;
        }
        let by = parameters.credit_return;
        let mut vcs: Vec<usize> = (0..self.fifos.len()).collect();
        vcs.retain(|&vc| self.qualifies(vc, packets, by, now));
        let mut lanes: Vec<LaneName> = vcs.iter().map(|&vc| self.lane_of(vc)).collect();
        lanes.dedup();
        let chosen = self.shares.choose(&lanes, now)?;
        vcs.retain(|&vc| self.contender_of(vc) == chosen);
        match parameters.arbitration {
            Arbitration::RoundRobin => {
                let (count, begin) = (self.class_vcs(), chosen.class * self.class_vcs());
                let served = self.served.get(&chosen);
                let first = served.map_or(0, |served| (served + 1) % count);
                let turn = |vc: &usize| (vc - begin + count - first) % count;
                vcs.into_iter().min_by_key(turn)
            }
            Arbitration::OldestFirst => {
                let created = |vc: &usize| self.fifos[*vc].front().map(|&p| packets[p].created);
                // The first of several that are least: the lowest VC.
                vcs.into_iter().min_by_key(created)
            }
            Arbitration::HighestVc => vcs.into_iter().max(),
            Arbitration::LowestVc => vcs.into_iter().min(),
        }
    }

    /// VCs of one class.
    fn class_vcs(&self) -> usize {
        self.is_for_responses.len()
    }

    /// Class and virtual network of a VC.
    fn lane_of(&self, vc: usize) -> LaneName {
        LaneName {
            class: vc / self.class_vcs(),
            is_response: self.is_for_responses[vc % self.class_vcs()],
        }
    }

    fn contender_of(&self, vc: usize) -> Contender {
        self.shares.contender_of(self.lane_of(vc))
    }

    /// The first instant at which a class is below its ceiling again that could start a packet now
    /// but for it; none if there is no such class.
    pub(crate) fn held_until(
        &self,
        packets: &[Packet],
        parameters: &Parameters,
        now: Instant,
    ) -> Option<Instant> {
        let by = parameters.credit_return;
        let all = (0..self.fifos.len()).filter(|&vc| self.qualifies(vc, packets, by, now));
        let held = all.map(|vc| self.shares.held_until(self.lane_of(vc).class));
        held.filter(|&until| until > now).min()
    }

    /// A packet with `bytes`, which take `wire`, starts on VC `vc` at `now`.
    pub(crate) fn serve(&mut self, vc: usize, bytes: u32, wire: Span, now: Instant) {
        let lane = self.lane_of(vc);
        self.served
            .insert(self.contender_of(vc), vc % self.class_vcs());
        self.shares.count(lane, bytes, wire, now);
        self.channel_free = now + wire;
        self.busy += wire;
    }
}

/// What the routing of a packet of one class may see of a router.
pub(crate) struct View<'a> {
    pub(crate) outputs: &'a [OutputPort],
    pub(crate) table: Option<&'a QTable>,
    /// The class of the packet.
    pub(crate) class: usize,
}

impl Observation for View<'_> {
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32 {
        let port = &self.outputs[port.index()];
        let vcs = match vc {
            Some(vc) => {
                let vc = self.class * port.class_vcs() + usize::from(vc);
                vc..vc + 1
            }
            None => 0..port.queued.len(),
        };
        let queued: u32 = port.queued[vcs.clone()].iter().sum();
        let in_use: u32 = port.credits.as_ref().map_or(0, |credits| {
            credits[vcs].iter().map(|credit| port.depth - credit).sum()
        });
        let waiting_there = in_use.saturating_sub(port.round_trip_flits);
        match estimate {
            Estimate::Queued => queued,
            Estimate::InUse => in_use,
            Estimate::Both => queued + in_use,
            Estimate::Backlog => queued + waiting_there,
        }
    }

    fn table(&self) -> Option<&QTable> {
        self.table
    }
}
