//! The three events of a router's congestion control: a packet enters, is routed, and starts.

use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::Packet;
use crate::router::moment::Moment;
use crate::router::output::Start;
use crate::router::router_control::{PacedHops, RouterControl};
use crate::router::state::Router;
use crate::rules::congestion::abate::{AbateNotice, Routed};
use crate::rules::congestion::pace::Entering;
use crate::rules::congestion::{Content, Notice, PacketName};
use crate::rules::notice_times::NoticeDelays;
use crate::shared::all_groups::Shared;

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
            && self.watched.has(packet)
            && let Some(RouterControl::Pace(paced)) = self.control.as_deref()
            && paced.counts(packet)
        {
            let port = self.watched.last_hop(packet);
            // What has left before counts no more.
            self.run_output(out, port, moment.limit);
            if let Some(RouterControl::Pace(paced)) = self.control.as_deref_mut() {
                paced.entered(NoticeSender::new(out, self.id), port, packet, moment.now);
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
        if !F::NOTICES || !self.watched.has(packet) {
            return;
        }
        if (self.control.as_ref()).is_some_and(|control| control.counts_waiting_at(port)) {
            self.run_output(out, port, moment.limit);
        }
        let at = moment.now;
        match self.control.as_deref_mut() {
            // A path may lead through the router of its target before its end.
            Some(RouterControl::Pace(paced))
                if paced.counts(packet) && !self.far_ends[port.index()].is_node() =>
            {
                let last = self.watched.last_hop(packet);
                paced.hops[last.index()].leave(packet.source(), packet.flits, at);
            }
            None | Some(RouterControl::Pace(_)) => {}
            Some(RouterControl::Marks(marks, _)) => marks.route(port, packet.flits),
            Some(RouterControl::Abate(rules, hops, _)) => {
                if let Some(hop) = hops.get_mut(port.index()) {
                    let mut sender = NoticeSender::new(out, self.id);
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
        if !F::NOTICES || !self.watched_starts.has(packet) {
            return false;
        }
        let shared = out.shared;
        let mut sender = NoticeSender::new(out, self.id);
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
            Some(RouterControl::Marks(marks, delays)) => {
                marks.leave(start.port, packet.flits);
                let is_marked = marks.marks(start.port, self.ports[port].queued);
                if self.far_ends[port].is_node() {
                    let content = Content::Delivered {
                        packet: PacketName::new(shared.lane_of_vc(start.vc), packet.sequence),
                        is_marked: is_marked || packet.is_marked(),
                        decided: packet.decided(),
                    };
                    sender.acknowledge(delays, packet, start, content);
                }
                is_marked
            }
            Some(RouterControl::Abate(rules, hops, delays)) => {
                if let Some(hop) = hops.get_mut(port) {
                    hop.start(rules, routed(packet, start.at), |notice| {
                        sender.abate(packet.target(), notice);
                    });
                    let bytes = packet.bytes;
                    sender.acknowledge(delays, packet, start, Content::Ejected { bytes });
                }
                false
            }
        }
    }
}

impl PacedHops {
    /// Counts `packet`, which enters at `at`, for the last hop at `port`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "flits of a packet fit 16 bits"
    )]
    #[inline(never)]
    fn entered(
        &mut self,
        mut sender: NoticeSender<'_>,
        port: PortIndex,
        packet: &Packet,
        at: Instant,
    ) {
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
struct NoticeSender<'a> {
    shared: &'a Shared,
    router: RouterId,
    notices: &'a mut Vec<Notice>,
}

impl<'a> NoticeSender<'a> {
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
    fn acknowledge(
        self,
        delays: &mut NoticeDelays,
        packet: &Packet,
        start: Start,
        content: Content,
    ) {
        let (shared, node) = (self.shared, packet.source());
        let times = &shared.notice_times;
        let back = times.in_router + delays.delay(times, &shared.topology, self.router, node);
        self.notices.push(Notice {
            at: start.at.plus(shared.times.delivery(packet.flits) + back),
            node,
            target: packet.target(),
            content,
        });
    }
}

/// Count of `packet` at a last hop, at `at`.
fn routed(packet: &Packet, at: Instant) -> Routed {
    Routed {
        job: packet.job(),
        source: packet.source(),
        flits: packet.flits,
        at,
    }
}
