//! Congestion marks: routers mark packets that leave long queues behind, and what is delivered is
//! acknowledged with its mark.

use odonata_telemetry::Probe;
use odonata_topology::PortIndex;
use odonata_units::Instant;

use crate::congestion::{Content, Notice, PacketName};
use crate::features::Features;
use crate::outbox::Outbox;
use crate::output::Start;
use crate::packet::Packet;
use crate::router::Router;

impl Router {
    /// Notes that `packet` is routed to `port`, whose decisions up to `limit` come before.
    #[inline(always)]
    pub(crate) fn note_routed<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        port: PortIndex,
        limit: Instant,
    ) {
        if F::NOTICES && !self.marks.is_empty() {
            self.run_output(out, port, limit);
            self.marks[port.index()].route(packet.flits);
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
        if !F::NOTICES || self.marks.is_empty() || !self.far_end(start.port).is_node() {
            return;
        }
        let source = packet.source();
        let times = &shared.notice_times;
        let back = times.delay_from_node(&shared.topology, self.id, source);
        out.notices.push(Notice {
            at: start.at.plus(shared.times.delivery(packet.flits) + back),
            node: source,
            target: packet.target(),
            content: Content::Delivered {
                packet: PacketName::new(shared.lane_of_vc(start.vc), packet.sequence),
                is_marked: is_marked || packet.is_marked(),
            },
        });
    }
}
