//! Early credits: a packet leaves its input buffer when its slot downstream is reserved.

use odonata_telemetry::Probe;
use odonata_units::Instant;

use crate::features::Features;
use crate::outbox::Outbox;
use crate::output::Start;
use crate::router::Router;
use crate::slab::NOTHING;

impl Router {
    /// Reserves slots downstream for the packets of a queue, in order, while credits suffice; they
    /// leave their input buffers at `start.at` ("Early credits" of `docs/model/network.md`).
    pub(crate) fn reserve<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
    ) {
        let shared = out.shared;
        let Start {
            port,
            queue: queue_index,
            at,
            ..
        } = start;
        loop {
            let index = self.unreserved[queue_index];
            if index == NOTHING {
                return;
            }
            let packet = *self.slab.get(index);
            let flits = u32::from(packet.flits);
            if self.queues[queue_index].credits < flits {
                return;
            }
            self.take_credits(out, start, &packet);
            self.ports[port].queued -= flits;
            let queue = &mut self.queues[queue_index];
            queue.room = queue.room.wrapping_add(flits);
            self.unreserved[queue_index] = if index == queue.tail {
                NOTHING
            } else {
                packet.link
            };
            if shared.equipment.learns::<F>() {
                self.pending_feedback = self.slab.feedback(index);
            }
            self.return_credits(out, &packet, at);
        }
    }

    /// Adds the credits of a job that become usable at `start.at`, flits, and reserves what they suffice for; lets the
    /// port decide before that what was due.
    pub(crate) fn accept_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
        returned: (u8, u32),
    ) {
        if self.ports[start.port].waiting_vcs != 0 {
            let before = Instant::from_ps(start.at.ps() - 1);
            self.run_output(out, start.port, before);
        }
        if self.add_credits(out, start, returned) {
            self.reserve(out, start);
        }
    }
}
