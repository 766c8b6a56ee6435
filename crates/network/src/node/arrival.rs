//! What arrives at a NIC: packets of messages, and what answers those it has sent.

use odonata_telemetry::{PacketFacts, Probe};
use odonata_units::{Instant, Span};

use super::Node;
use crate::features::Features;
use crate::outbox::Outbox;
use crate::packet::Packet;
use crate::send_queue::Response;
use crate::shared::Shared;
use odonata_endpoint::{Endpoint, Message, Role};

impl<E: Endpoint> Node<E> {
    /// `packet` starts towards this node at `start` and reaches it after `delay`. When something
    /// may happen here because of it, or never.
    #[inline(always)]
    pub(crate) fn receive<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        (start, delay): (Instant, Span),
    ) -> Instant {
        let shared = out.shared;
        let mut wake = Instant::NEVER;
        let at = start.plus(delay);
        // The way to the NIC may be longer than what a stamp can tell.
        let age = Span::from_ps(packet.age(start).ps() + delay.ps());
        let facts = packet.facts_of_age(at, age);
        out.totals.work += 1;
        let queue = shared.queue_of::<F>(packet.vc);
        let mut role = None;
        if shared.equipment.has_data::<F>() && !self.inbox.expects_nothing() {
            role = self.assemble::<F>(shared, &facts, (queue, at), &mut wake);
        }
        // A get is answered by its data, and data are not answered.
        let is_of_get = role.is_some_and(|role| role != Role::Request);
        if shared.equipment.has_responses::<F>() {
            self.is_stale = true;
            wake = wake.min(at);
            if !is_of_get {
                if shared.is_for_responses::<F>(queue) {
                    if shared.equipment.limit::<F>().is_some() {
                        self.extension().outstanding.note_response(at);
                    }
                    self.extension().round_trips.push_back((at, facts.age(at)));
                    out.probe.acknowledged(&facts, at);
                    return wake;
                }
                self.extension().responses[queue / 2].push_back(Response {
                    exists: at,
                    created: facts.created,
                    is_measured: facts.is_measured,
                    target: facts.source,
                    job: facts.job,
                });
            }
        }
        out.probe.delivered(&facts, at);
        out.totals.measured_undelivered -= i64::from(facts.is_measured);
        if !shared.equipment.has_data::<F>() && !self.inbox.expects_nothing() {
            self.assemble::<F>(shared, &facts, (queue, at), &mut wake);
        }
        wake
    }

    /// Books a packet that arrives at `at`, and belongs to the lane of a send queue, to its message;
    /// says what that is. If it is complete, the node wakes then. With the last packet of data the get
    /// has its answer.
    #[inline(never)]
    fn assemble<F: Features>(
        &mut self,
        shared: &Shared,
        packet: &PacketFacts,
        (queue, at): (usize, Instant),
        wake: &mut Instant,
    ) -> Option<Role> {
        let is_of = |message: &Message| {
            (!F::CLASSES && !F::RESPONSES) || shared.queue_for::<F>(message) == queue
        };
        let key = (packet.source, packet.sequence);
        let (role, complete) = self.inbox.assemble(key, at, is_of)?;
        if let Some(complete) = complete {
            self.arrival = self.inbox.next();
            *wake = complete.min(*wake);
            if shared.equipment.has_data::<F>()
                && role == Role::Data
                && shared.equipment.limit::<F>().is_some()
            {
                self.extension().outstanding.note_response(at);
            }
        }
        Some(role)
    }
}
