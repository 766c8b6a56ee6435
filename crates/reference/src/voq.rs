//! Router `voq`: packets wait per output while they still occupy their input buffer.

use odonata_endpoint::Endpoint;
use odonata_network::CreditReturn;

use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// Step 4: routes a packet that enters, queues it, and lets its output port try again.
    pub(crate) fn voq_enter(&mut self, router: usize, packet: usize) {
        self.route(router, packet);
        self.blame_join(router, packet);
        self.note_refusal(router, packet);
        let (port, vc) = self.packets[packet].output;
        let held = self.lost_until(router, port, self.now);
        let state = &mut self.packets[packet];
        let ready = state.ready.max(held);
        state.ready = ready;
        let output = &mut self.routers[router].outputs[port];
        output.fifos[vc].push_back(packet);
        output.queued[vc] += state.flits;
        if ready > self.now {
            self.schedule_output(router, port, ready);
        }
        if self.parameters.credit_return == CreditReturn::Reservation {
            self.reserve(router, port, vc);
        }
        self.voq_output(router, port);
    }

    /// Step 3: starts a packet if the channel is free and some VC qualifies.
    pub(crate) fn voq_output(&mut self, router: usize, port: usize) {
        let output = &self.routers[router].outputs[port];
        let choice = output.choose(&self.packets, self.parameters, self.now);
        let Some(vc) = choice else {
            if let Some(at) = output.held_until(&self.packets, self.parameters, self.now) {
                self.schedule_output(router, port, at);
            }
            self.count_shortage(router, port);
            return;
        };
        let packet = self.start(router, port, vc);
        if self.parameters.credit_return == CreditReturn::Departure {
            self.leave_input(router, packet);
        }
        let end = self.routers[router].outputs[port].channel_free;
        self.schedule_output(router, port, end);
    }

    /// Early credits: the unreserved packets of a FIFO are reserved in order while the credits
    /// suffice; each leaves its input buffer with that.
    pub(crate) fn reserve(&mut self, router: usize, port: usize, vc: usize) {
        loop {
            let output = &mut self.routers[router].outputs[port];
            let Some(&packet) = output.fifos[vc].get(output.reserved[vc]) else {
                return;
            };
            let flits = self.packets[packet].flits;
            let is_paid = output.credits.is_some();
            if let Some(credits) = output.credits.as_mut() {
                if credits[vc] < flits {
                    return;
                }
                credits[vc] -= flits;
            }
            output.queued[vc] -= flits;
            output.reserved[vc] += 1;
            if is_paid {
                self.blame_taking(router, port, vc, packet);
            }
            self.leave_input(router, packet);
        }
    }
}
