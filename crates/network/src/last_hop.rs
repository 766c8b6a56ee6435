//! Last hops: a router watches what it holds for each of its nodes, and tells their sources.

use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::Instant;

use crate::congestion::pace::Entering;
use crate::congestion::{Content, Notice};
use crate::features::Features;
use crate::moment::Moment;
use crate::outbox::Outbox;
use crate::packet::Packet;
use crate::parameters::{Pace, Parameters};
use crate::router::Router;

impl Router {
    /// Counts `packet`, which enters at `moment`, if its target is here.
    #[inline(always)]
    pub(crate) fn watch_entry<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        moment: Moment,
    ) {
        let Some(pace) = out.shared.pace() else {
            return;
        };
        if self.last_hop_of(out, packet).is_some() && counts(&out.shared.parameters, pace, packet) {
            self.count_entry(out, pace, packet, moment);
        }
    }

    /// Counts off `packet`, which is routed at `now` to `port`, if its target is here and it goes on
    /// to another router: a path may lead through the target's router before its end.
    #[inline(always)]
    pub(crate) fn watch_transit<F: Features, P: Probe>(
        &mut self,
        out: &Outbox<'_, F, P>,
        packet: &Packet,
        port: PortIndex,
        now: Instant,
    ) {
        if let Some(pace) = out.shared.pace()
            && let Some(host) = self.last_hop_of(out, packet)
            && !self.far_end(port).is_node()
            && counts(&out.shared.parameters, pace, packet)
        {
            self.last_hops[host].leave(packet.source(), packet.flits, now);
        }
    }

    /// The last hop to the target of `packet`, if it is here.
    #[inline(always)]
    fn last_hop_of<F: Features, P: Probe>(
        &self,
        out: &Outbox<'_, F, P>,
        packet: &Packet,
    ) -> Option<usize> {
        let hosts = self.hosts();
        let first = out.own.start as usize + hosts.start;
        let host = packet.target().index().wrapping_sub(first);
        (host < hosts.len()).then_some(host)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    #[inline(never)]
    fn count_entry<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        pace: &Pace,
        packet: &Packet,
        moment: Moment,
    ) {
        let now = moment.now;
        let target = packet.target();
        let host = target.index() - out.own.start as usize - self.hosts().start;
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
    pub(crate) fn watch_start<F: Features, P: Probe>(
        &mut self,
        out: &Outbox<'_, F, P>,
        packet: &Packet,
        port: PortIndex,
        at: Instant,
    ) {
        if let Some(pace) = out.shared.pace()
            && self.far_end(port).is_node()
            && counts(&out.shared.parameters, pace, packet)
        {
            self.last_hops[port.index()].leave(packet.source(), packet.flits, at);
        }
    }
}

/// Whether `packet` is not a small one.
#[inline(always)]
fn counts(parameters: &Parameters, pace: &Pace, packet: &Packet) -> bool {
    u32::from(packet.bytes) >= parameters.header_bytes.saturating_add(pace.smallest_bytes)
}
