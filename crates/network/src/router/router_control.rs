//! The congestion control of a router, the mirror of [`NicControl`](crate::nic::nic_control::NicControl).
//!
//! It has three events: a packet enters the router, is routed to a port, and starts there. Its
//! notices go to the NICs of sources. The model is `docs/model/congestion.md`.

use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::Packet;
use crate::model::parameters::{Control, Pace};
use crate::router::moment::Moment;
use crate::router::output::Start;
use crate::router::state::Router;
use crate::rules::congestion::abate::{AbateNotice, AbateRules, Ejection, Routed};
use crate::rules::congestion::nscc::WindowRules;
use crate::rules::congestion::pace::{Entering, LastHop};
use crate::rules::congestion::port_marks::PortMarks;
use crate::rules::congestion::{Content, Notice, PacketName};
use crate::shared::all_groups::Shared;

/// The congestion control of a router.
#[derive(Debug)]
pub(crate) enum RouterControl {
    /// Last hops count their sources, and let them pause.
    Pace(PacedHops),
    /// Ports mark packets that leave long queues behind, and acknowledge what is delivered.
    /// `[port]`.
    Marks(WindowRules, Box<[PortMarks]>),
    /// Last hops abate the sources that congest them, and acknowledge what is delivered. `[host]`.
    Abate(AbateRules, Box<[Ejection]>),
}

/// The last hops of a router that count their sources.
#[derive(Debug)]
pub(crate) struct PacedHops {
    rules: Pace,
    /// The node of the first one.
    first_node: u32,
    /// Smaller packets do not count.
    least_bytes: u32,
    /// `[host]`.
    hops: Box<[LastHop]>,
}

impl PacedHops {
    /// The port of the last hop of `packet`, if it is here and counts the packet: one compare per hop
    /// for most packets.
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    #[inline(always)]
    fn port_of(&self, packet: &Packet) -> Option<PortIndex> {
        // The first ports are those of nodes.
        let host = packet.target().0.wrapping_sub(self.first_node);
        let is_here = (host as usize) < self.hops.len();
        (is_here && self.counts(packet)).then_some(PortIndex(host as u16))
    }

    /// Whether `packet` is not a small one.
    #[inline(always)]
    fn counts(&self, packet: &Packet) -> bool {
        u32::from(packet.bytes) >= self.least_bytes
    }

    /// Counts `packet`, which enters at `at`, for the last hop at `port`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "flits of a packet fit 16 bits"
    )]
    #[inline(never)]
    fn enter(&mut self, mut sender: Sender<'_>, port: PortIndex, packet: &Packet, at: Instant) {
        let shared = sender.shared;
        let full = shared
            .times
            .hop(LinkKind::Host, shared.packet_flits as u16)
            .serialization;
        let target = packet.target();
        let packet = Entering {
            source: packet.source(),
            flits: packet.flits,
            at,
        };
        self.hops[port.index()].enter(&shared.parameters, &self.rules, full, packet, |notice| {
            let content = Content::Sources {
                degree: notice.degree,
                pause: notice.pause,
            };
            sender.send(notice.source, target, at, content)
        });
    }
}

/// Sends the notices of one router.
struct Sender<'a> {
    shared: &'a Shared,
    router: RouterId,
    notices: &'a mut Vec<Notice>,
}

impl<'a> Sender<'a> {
    #[inline(always)]
    fn new<F: Features, P: Probe>(out: &'a mut Outbox<'_, F, P>, router: RouterId) -> Self {
        Self {
            shared: &out.shared,
            router,
            notices: &mut out.notices,
        }
    }

    /// Sends `node` a notice about `target` at `from`; returns how long it takes.
    fn send(&mut self, node: NodeId, target: NodeId, from: Instant, content: Content) -> Span {
        let shared = self.shared;
        let delay = (shared.notice_times).delay(&shared.topology, self.router, node);
        self.notices.push(Notice {
            at: from.plus(delay),
            node,
            target,
            content,
        });
        delay
    }

    /// Sends a notice that tells a source of the last hop to `target` to abate, or that this is over.
    fn abate(&mut self, target: NodeId, notice: AbateNotice) {
        let content = Content::Abate {
            begins: notice.begins,
        };
        self.send(notice.source, target, notice.from, content);
    }

    /// Acknowledges `packet`, which starts at `start` towards its node: its source learns of it when it
    /// is delivered and a notice has come back from there.
    fn acknowledge(self, packet: &Packet, start: Start, content: Content) {
        let (shared, node) = (self.shared, packet.source());
        let times = &shared.notice_times;
        let back = times.delay_from_node(&shared.topology, self.router, node);
        self.notices.push(Notice {
            at: start.at.plus(shared.times.delivery(packet.flits) + back),
            node,
            target: packet.target(),
            content,
        });
    }
}

impl RouterControl {
    /// That of `router` with so many nodes, if its network has one.
    pub(crate) fn new(shared: &Shared, router: RouterId, hosts: usize) -> Option<Box<Self>> {
        let control = match shared.parameters.control? {
            Control::Pace(rules) => {
                let mut nodes = shared.topology.nodes_of(router);
                let header_bytes = shared.parameters.header_bytes;
                Self::Pace(PacedHops {
                    rules,
                    first_node: nodes.next().map_or(0, |node| node.0),
                    least_bytes: header_bytes.saturating_add(rules.smallest_bytes),
                    hops: (0..hosts).map(|_| LastHop::default()).collect(),
                })
            }
            Control::Nscc(_) | Control::NsccRccc(..) => {
                let radix = u64::from(shared.topology.radix());
                let first = u64::from(router.0) * radix;
                let port = |port| PortMarks::new(shared.parameters.seed, first + port);
                Self::Marks(shared.window_rules?, (0..radix).map(port).collect())
            }
            Control::Abate(_) => {
                let hops = (0..hosts).map(|_| Ejection::default());
                Self::Abate(shared.abate_rules?, hops.collect())
            }
            Control::Rccc(_) => return None,
        };
        Some(Box::new(control))
    }

    /// Whether it counts what waits at `port`.
    #[inline(always)]
    const fn counts_waiting_at(&self, port: PortIndex) -> bool {
        match self {
            Self::Pace(_) => false,
            Self::Marks(..) => true,
            Self::Abate(_, hops) => port.index() < hops.len(),
        }
    }

    /// A packet of `flits` that was routed to `port` is routed anew.
    pub(crate) fn turned(&mut self, port: PortIndex, flits: u16) {
        if let Self::Marks(_, ports) = self {
            ports[port.index()].leave(flits);
        }
    }
}

impl Router {
    /// `packet` enters at `moment`.
    #[inline(always)]
    pub(crate) fn note_entered<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        moment: Moment,
    ) {
        if F::NOTICES
            && let Some(RouterControl::Pace(paced)) = self.control.as_deref()
            && let Some(port) = paced.port_of(packet)
        {
            // What has left before counts no more.
            self.run_output(out, port, moment.limit);
            if let Some(RouterControl::Pace(paced)) = self.control.as_deref_mut() {
                paced.enter(Sender::new(out, self.id), port, packet, moment.now);
            }
        }
    }

    /// `packet` is routed at `moment` to `port`; what that port decides before comes first.
    #[inline(always)]
    pub(crate) fn note_routed<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        port: PortIndex,
        moment: Moment,
    ) {
        if !F::NOTICES {
            return;
        }
        if (self.control.as_ref()).is_some_and(|control| control.counts_waiting_at(port)) {
            self.run_output(out, port, moment.limit);
        }
        let at = moment.now;
        match self.control.as_deref_mut() {
            None => {}
            Some(RouterControl::Pace(paced)) => {
                // A path may lead through the router of its target before its end.
                if let Some(last) = paced.port_of(packet)
                    && !self.far_ends[port.index()].is_node()
                {
                    paced.hops[last.index()].leave(packet.source(), packet.flits, at);
                }
            }
            Some(RouterControl::Marks(_, ports)) => ports[port.index()].route(packet.flits),
            Some(RouterControl::Abate(rules, hops)) => {
                if let Some(hop) = hops.get_mut(port.index()) {
                    let mut sender = Sender::new(out, self.id);
                    let times = &sender.shared.times;
                    let wire = times.hop(LinkKind::Host, packet.flits).serialization;
                    hop.route(rules, routed(packet, at), wire, |notice| {
                        sender.abate(packet.target(), notice);
                    });
                }
            }
        }
    }

    /// `packet` starts as `start`; true if it is marked here.
    #[inline(always)]
    pub(crate) fn note_started<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        start: Start,
    ) -> bool {
        if !F::NOTICES {
            return false;
        }
        let shared = out.shared;
        let mut sender = Sender::new(out, self.id);
        let port = start.port.index();
        match self.control.as_deref_mut() {
            None => false,
            Some(RouterControl::Pace(paced)) => {
                if paced.counts(packet)
                    && let Some(hop) = paced.hops.get_mut(port)
                {
                    hop.leave(packet.source(), packet.flits, start.at);
                }
                false
            }
            Some(RouterControl::Marks(rules, ports)) => {
                let flit_bytes = shared.parameters.flit_bytes;
                let is_marked = ports[port].start(rules, packet.flits, flit_bytes);
                if self.far_ends[port].is_node() {
                    let content = Content::Delivered {
                        packet: PacketName::new(shared.lane_of_vc(start.vc), packet.sequence),
                        is_marked: is_marked || packet.is_marked(),
                    };
                    sender.acknowledge(packet, start, content);
                }
                is_marked
            }
            Some(RouterControl::Abate(rules, hops)) => {
                if let Some(hop) = hops.get_mut(port) {
                    hop.start(rules, routed(packet, start.at), |notice| {
                        sender.abate(packet.target(), notice);
                    });
                    let bytes = packet.bytes;
                    sender.acknowledge(packet, start, Content::Ejected { bytes });
                }
                false
            }
        }
    }
}

/// What a last hop counts of `packet` at `at`.
fn routed(packet: &Packet, at: Instant) -> Routed {
    Routed {
        job: packet.job(),
        source: packet.source(),
        flits: packet.flits,
        at,
    }
}
