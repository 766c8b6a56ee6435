//! What is watched of packets from their routing to their start: routers mark those that leave long
//! queues behind, and find out who congests a last hop; what is delivered is acknowledged.

use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, NodeId, RouterId};

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::Packet;
use crate::model::parameters::Control;
use crate::router::moment::Moment;
use crate::router::output::Start;
use crate::router::state::Router;
use crate::rules::congestion::abate::{Routed, Told};
use crate::rules::congestion::{Content, Notice, PacketName};
use crate::shared::all_groups::Shared;

impl Router {
    /// Notes that `packet` is routed to `port`, at `moment`; what that port decides before comes first.
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
        if !self.marks.is_empty() {
            self.run_output(out, port, moment.limit);
            self.marks[port.index()].route(packet.flits);
        } else if port.index() < self.ejections.len() {
            self.run_output(out, port, moment.limit);
            self.note_ejection(out, packet, port, moment.now);
        }
    }

    /// Notes that `packet` is routed at `at` to its node, which is at `port`.
    #[inline(never)]
    fn note_ejection<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        port: PortIndex,
        at: Instant,
    ) {
        let (shared, id) = (out.shared, self.id);
        let Some(rules) = shared.abatement() else {
            return;
        };
        let notices = &mut out.notices;
        let wire = shared.times.hop(LinkKind::Host, packet.flits).serialization;
        self.ejections[port.index()].route(rules, routed(packet, at), wire, |told| {
            notices.push(signal(&shared, id, packet.target(), told));
        });
    }

    /// Notes that `packet` starts at `start` towards its node.
    #[inline(always)]
    pub(crate) fn note_ejected<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        start: Start,
    ) {
        if F::NOTICES
            && let Some(rules) = out.shared.abatement()
            && let Some(ejection) = self.ejections.get_mut(start.port.index())
        {
            let (shared, id) = (out.shared, self.id);
            let notices = &mut out.notices;
            ejection.start(rules, routed(packet, start.at), |told| {
                notices.push(signal(&shared, id, packet.target(), told));
            });
        }
    }

    /// Notes that `packet` starts by `port`; true if it is marked there.
    #[inline(always)]
    pub(crate) fn note_started<F: Features, P: Probe>(
        &mut self,
        out: &Outbox<'_, F, P>,
        packet: &Packet,
        port: PortIndex,
    ) -> bool {
        if !F::NOTICES || self.marks.is_empty() {
            return false;
        }
        let Some(rules) = out.shared.windows() else {
            return false;
        };
        let flit = out.shared.parameters.flit_bytes;
        self.marks[port.index()].start(rules, packet.flits, flit)
    }

    /// Tells the source of `packet`, which starts towards its node and was marked here or before,
    /// that it is delivered.
    #[inline(always)]
    pub(crate) fn acknowledge<F: Features, P: Probe>(
        &self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        start: Start,
        is_marked: bool,
    ) {
        let shared = out.shared;
        if !F::NOTICES
            || self.marks.is_empty() && self.ejections.is_empty()
            || !self.far_end(start.port).is_node()
        {
            return;
        }
        let source = packet.source();
        let times = &shared.notice_times;
        let back = times.delay_from_node(&shared.topology, self.id, source);
        out.notices.push(Notice {
            at: start.at.plus(shared.times.delivery(packet.flits) + back),
            node: source,
            target: packet.target(),
            content: match shared.control() {
                Some(Control::Abate(_)) => Content::Ejected {
                    bytes: packet.bytes,
                },
                _ => Content::Delivered {
                    packet: PacketName::new(shared.lane_of_vc(start.vc), packet.sequence),
                    is_marked: is_marked || packet.is_marked(),
                },
            },
        });
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

/// What `router` tells a source of the last hop to `target`.
fn signal(shared: &Shared, router: RouterId, target: NodeId, told: Told) -> Notice {
    let delay = (shared.notice_times).delay(&shared.topology, router, told.source);
    Notice {
        at: told.from.plus(delay),
        node: told.source,
        target,
        content: Content::Abate {
            begins: told.begins,
        },
    }
}
