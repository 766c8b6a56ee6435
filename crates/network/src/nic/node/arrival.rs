//! Arrivals at a NIC: packets of messages, and answers to those it has sent.

use odonata_telemetry::{PacketFacts, Probe};
use odonata_units::{Instant, Span};

use super::Node;
use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::index::LaneIndex;
use crate::model::packet::Packet;
use crate::nic::send_queue::Response;
use crate::shared::view::View;
use odonata_endpoint::{Endpoint, Message, Role};

impl<E: Endpoint> Node<E> {
    /// `packet` starts towards this node at `start` and reaches it after `delay`. When something
    /// may happen here because of it, or never.
    #[inline(always)]
    pub(crate) fn receive<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        start: Instant,
        delay: Span,
    ) -> Instant {
        let shared = out.shared;
        let mut wake = Instant::NEVER;
        let at = start.plus(delay);
        // The way to the NIC may be longer than what a stamp can tell.
        let age = Span::from_ps(packet.age(start).ps() + delay.ps());
        let facts = packet.facts_of_age(at, age);
        out.totals.work += 1;
        let lane = shared.lane_of_vc(packet.vc);
        let mut booked = None;
        if shared.has_data() && !self.inbox.expects_nothing() {
            booked = self.assemble(shared, &facts, lane, at);
        }
        // A get is answered by its data, and data are not answered.
        let is_of_get = (booked.as_ref()).is_some_and(|message| message.role != Role::Request);
        if shared.has_responses() {
            self.is_stale = true;
            wake = wake.min(at);
            if !is_of_get {
                if shared.is_for_responses(lane) {
                    if shared.outstanding_limit().is_some() {
                        self.extension().outstanding.note_response(at);
                    }
                    self.extension().round_trips.push_back((at, facts.age(at)));
                    out.probe.acknowledged(&facts, at);
                    return wake;
                }
                self.extension().responses[usize::from(shared.class_of_lane(lane))].push_back(
                    Response {
                        exists: at,
                        bytes: shared.parameters.response_bytes_to(facts.bytes),
                        created: facts.created,
                        is_measured: facts.is_measured,
                        target: facts.source,
                        job: facts.job,
                    },
                );
            }
        }
        out.probe.delivered(&facts, at);
        out.totals.measured_undelivered -= i64::from(facts.is_measured);
        if !shared.has_data() && !self.inbox.expects_nothing() {
            booked = self.assemble(shared, &facts, lane, at);
        }
        let complete = booked.and_then(|message| message.complete);
        complete.map_or(wake, |complete| complete.min(wake))
    }

    /// Books a packet that arrives at `at`, and belongs to `lane`, to its message. With the last
    /// packet of data the get has its response. `None` if the packet is of no message.
    #[inline(never)]
    fn assemble<F: Features>(
        &mut self,
        shared: View<'_, F>,
        packet: &PacketFacts,
        lane: LaneIndex,
        at: Instant,
    ) -> Option<Booked> {
        let is_of = |message: &Message| {
            (!F::CLASSES && !F::RESPONSES) || shared.lane_of_message(message) == lane
        };
        let (role, complete) = self
            .inbox
            .assemble(packet.source, packet.sequence, at, is_of)?;
        if complete.is_some() {
            self.arrival = self.inbox.next();
            if shared.has_data() && role == Role::Data && shared.outstanding_limit().is_some() {
                self.extension().outstanding.note_response(at);
            }
        }
        Some(Booked { role, complete })
    }
}

/// The message that a packet was booked to.
struct Booked {
    role: Role,
    /// The instant of its last packet, if the message is complete.
    complete: Option<Instant>,
}
