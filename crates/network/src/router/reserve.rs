//! Early credits: a packet leaves its input buffer when its slot downstream is reserved.

use odonata_telemetry::Probe;
use odonata_units::Instant;

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::{Credit, Packet};
use crate::router::output::Start;
use crate::router::state::Router;

impl Router {
    /// Reserves slots downstream for the packets of a queue, in order, while credits suffice; they
    /// leave their input buffers at `start.at` ("Early credits" of `docs/model/network.md`).
    pub(crate) fn reserve<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
    ) {
        let queue = start.queue.index();
        while let Some(index) = self.unreserved[queue] {
            let packet = *self.slab.get(index);
            let flits = u32::from(packet.flits);
            if self.queues[queue].credits < flits {
                return;
            }
            self.unreserved[queue] = packet.next();
            if out.shared.learns() {
                self.pending_feedback = self.slab.feedback(index);
            }
            self.reserve_for(out, start, &packet);
        }
    }

    /// Reserves a slot downstream for `packet` of the queue of `start`, for which credits suffice.
    #[inline(always)]
    pub(crate) fn reserve_for<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
        packet: &Packet,
    ) {
        let flits = u32::from(packet.flits);
        self.take_credits(out, start, packet);
        self.ports[start.port.index()].queued -= flits;
        let queue = &mut self.queues[start.queue.index()];
        queue.room = queue.room.wrapping_add(flits);
        self.return_credits(out, packet, start.at);
    }

    /// Adds `credit`, which becomes usable at `start.at`, and reserves the slots that it suffices
    /// for; lets the port decide before that what was due.
    pub(crate) fn accept_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
        credit: Credit,
    ) {
        if self.ports[start.port.index()].waiting_vcs != 0 {
            let before = Instant::from_ps(start.at.ps() - 1);
            self.run_output(out, start.port, before);
        }
        if self.add_credits(out, start, credit) {
            self.reserve(out, start);
        }
    }
}
