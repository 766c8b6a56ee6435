//! The state of a router, and what both architectures share: routing, the choice of a VC, credits.

use std::collections::VecDeque;

use odonata_network::{Arbitration, Parameters};
use odonata_routing::{Estimate, Observation};
use odonata_topology::{Attachment, LinkKind, PortIndex, Topology};
use odonata_units::{Instant, Purpose, RouterId, Stream};

use crate::node::Packet;

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
    /// Their flits, per VC.
    pub(crate) queued: Vec<u32>,
    /// Usable credits per VC; `None` towards a NIC, which needs none.
    pub(crate) credits: Option<Vec<u32>>,
    /// End of the last packet.
    pub(crate) channel_free: Instant,
    /// VC served last.
    pub(crate) served: Option<usize>,
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
    /// By port.
    pub(crate) inputs: Vec<InputPort>,
    /// By port.
    pub(crate) outputs: Vec<OutputPort>,
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
        vcs: usize,
    ) -> Self {
        let ports = 0..topology.radix();
        let depth = parameters.input_buffer_flits;
        let input = |port: u16| InputPort {
            kind: topology.port_kind(PortIndex(port)),
            upstream: topology.neighbour(id, PortIndex(port)),
            occupied: vec![0; vcs],
            fifos: vec![VecDeque::new(); vcs],
            crossbar_free: Instant::ZERO,
        };
        let output = |port: u16| {
            let kind = topology.port_kind(PortIndex(port));
            OutputPort {
                kind,
                target: topology.neighbour(id, PortIndex(port)),
                fifos: vec![VecDeque::new(); vcs],
                queued: vec![0; vcs],
                credits: (kind != LinkKind::Host).then(|| vec![depth; vcs]),
                channel_free: Instant::ZERO,
                served: None,
                crossbar_free: Instant::ZERO,
                alarm: None,
                waiting: true,
            }
        };
        Self {
            draws: Stream::new(parameters.seed, Purpose::Routing, u64::from(id.0)),
            inputs: ports.clone().map(input).collect(),
            outputs: ports.clone().map(output).collect(),
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

    fn qualifies(&self, vc: usize, packets: &[Packet], now: Instant) -> bool {
        let Some(&head) = self.fifos[vc].front() else {
            return false;
        };
        let packet = &packets[head];
        let credit = self
            .credits
            .as_ref()
            .is_none_or(|credits| credits[vc] >= packet.flits);
        packet.ready <= now && credit
    }

    /// The VC whose head starts at `now`, if any qualifies and the channel is free.
    pub(crate) fn choose(
        &self,
        packets: &[Packet],
        arbitration: Arbitration,
        now: Instant,
    ) -> Option<usize> {
        if now < self.channel_free {
            return None;
        }
        let vcs = self.fifos.len();
        let mut qualifying = (0..vcs).filter(|&vc| self.qualifies(vc, packets, now));
        match arbitration {
            Arbitration::RoundRobin => {
                let first = self.served.map_or(0, |served| (served + 1) % vcs);
                qualifying.min_by_key(|vc| (vc + vcs - first) % vcs)
            }
            Arbitration::OldestFirst => {
                let mut oldest = qualifying.next()?;
                for vc in qualifying {
                    let created = |vc: usize| self.fifos[vc].front().map(|&p| packets[p].created);
                    if created(vc) < created(oldest) {
                        oldest = vc;
                    }
                }
                Some(oldest)
            }
        }
    }
}

/// What a routing decision may see of a router.
pub(crate) struct View<'a> {
    pub(crate) outputs: &'a [OutputPort],
    /// Credits of an unused VC.
    pub(crate) depth: u32,
}

impl Observation for View<'_> {
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32 {
        let port = &self.outputs[port.index()];
        let vcs = match vc {
            Some(vc) => usize::from(vc)..usize::from(vc) + 1,
            None => 0..port.queued.len(),
        };
        let queued: u32 = port.queued[vcs.clone()].iter().sum();
        let in_use: u32 = port.credits.as_ref().map_or(0, |credits| {
            credits[vcs].iter().map(|credit| self.depth - credit).sum()
        });
        match estimate {
            Estimate::Queued => queued,
            Estimate::InUse => in_use,
            Estimate::Both => queued + in_use,
        }
    }
}
