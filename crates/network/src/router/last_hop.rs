//! Last hops: a router watches what it holds for each of its nodes, and tells their sources.

use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::Instant;

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::Packet;
use crate::router::moment::Moment;
use crate::router::state::Router;
use crate::rules::congestion::pace::Entering;
use crate::rules::congestion::{Content, Notice};

impl Router {
    /// Counts `packet`, which enters at `moment`, if its target is here.
    #[inline(always)]
    pub(crate) fn watch_entry<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        moment: Moment,
    ) {
        if F::NOTICES
            && let Some(host) = self.watched.last_hop(packet)
        {
            self.count_entry(out, host, packet, moment);
        }
    }

    /// Counts off `packet`, which is routed at `now` to `port`, if its target is here and it goes on
    /// to another router: a path may lead through the target's router before its end.
    #[inline(always)]
    pub(crate) fn watch_transit<F: Features>(
        &mut self,
        packet: &Packet,
        port: PortIndex,
        now: Instant,
    ) {
        if F::NOTICES
            && let Some(host) = self.watched.last_hop(packet)
            && !self.far_end(port).is_node()
        {
            self.last_hops[host].leave(packet.source(), packet.flits, now);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    #[inline(never)]
    fn count_entry<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        host: usize,
        packet: &Packet,
        moment: Moment,
    ) {
        let Some(pace) = out.shared.pace() else {
            return;
        };
        let now = moment.now;
        let target = packet.target();
        // What has left before counts no more.
        self.run_output(out, PortIndex(host as u16), moment.limit);
        let shared = out.shared;
        let id = self.id;
        let notices = &mut out.notices;
        let packet = Entering {
            source: packet.source(),
            flits: packet.flits,
            at: now,
        };
        let full = shared
            .times
            .hop(LinkKind::Host, shared.packet_flits as u16)
            .serialization;
        self.last_hops[host].enter(&shared.parameters, pace, full, packet, |told| {
            let delay = shared.notice_times.delay(&shared.topology, id, told.source);
            notices.push(Notice {
                at: now.plus(delay),
                node: told.source,
                target,
                content: Content::Sources {
                    degree: told.degree,
                    pause: told.pause,
                },
            });
            delay
        });
    }

    /// Counts off `packet`, which starts at `at` towards the node at `port`.
    #[inline(always)]
    pub(crate) fn watch_start<F: Features>(
        &mut self,
        packet: &Packet,
        port: PortIndex,
        at: Instant,
    ) {
        // The first ports are those of nodes.
        if F::NOTICES
            && let Some(last_hop) = self.last_hops.get_mut(port.index())
            && self.watched.counts(packet)
        {
            last_hop.leave(packet.source(), packet.flits, at);
        }
    }
}
