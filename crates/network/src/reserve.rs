//! Early credits: a packet leaves its input buffer when its slot downstream is reserved.

use crate::block::{Context, State};
use crate::endpoint::Endpoint;
use crate::output::NOTHING;

impl<E: Endpoint> State<E> {
    /// Reserves slots downstream for the packets of a queue, in order, while credits suffice; they
    /// leave their input buffers at `at` ("Early credits" of `docs/model/network.md`).
    pub(crate) fn reserve<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        (output, vc): (usize, usize),
        at: u64,
    ) {
        let shared = context.shared;
        let lane = output * shared.vcs + vc;
        let is_host = self.outputs[output].is_host();
        loop {
            let place = self.unreserved[lane];
            if place == NOTHING {
                return;
            }
            let packet = *self.slab.get(place);
            let flits = u32::from(packet.flits);
            if !is_host {
                if self.lanes[lane].credits < flits {
                    return;
                }
                #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
                self.take_credits(&shared, output, vc as u8, (packet.flits, at));
            }
            let port = &mut self.outputs[output];
            port.queued -= flits;
            port.in_use += if is_host { 0 } else { flits };
            let state = &mut self.lanes[lane];
            state.room = state.room.wrapping_add(flits);
            self.unreserved[lane] = if place == state.tail {
                NOTHING
            } else {
                packet.link
            };
            if shared.learns() {
                self.lesson = self.slab.lesson(place);
            }
            self.return_credits(context, router, &packet, at);
        }
    }
}
