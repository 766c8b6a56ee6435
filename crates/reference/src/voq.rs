//! Router `voq`: packets wait per output while they still occupy their input buffer.

use odonata_network::Endpoint;

use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// Step 4: routes a packet that enters, queues it, and lets its output port try again.
    pub(crate) fn voq_enter(&mut self, router: usize, packet: usize) {
        self.route(router, packet);
        let state = &self.packets[packet];
        let (port, vc) = state.output;
        let ready = state.ready;
        let output = &mut self.routers[router].outputs[port];
        output.fifos[vc].push_back(packet);
        output.queued[vc] += state.flits;
        if ready > self.now {
            self.schedule_output(router, port, ready);
        }
        self.voq_output(router, port);
    }

    /// Step 3: starts a packet if the channel is free and some VC qualifies.
    pub(crate) fn voq_output(&mut self, router: usize, port: usize) {
        let output = &self.routers[router].outputs[port];
        let choice = output.choose(&self.packets, self.parameters.arbitration, self.now);
        let Some(vc) = choice else { return };
        let packet = self.start(router, port, vc);
        self.leave_input(router, packet);
        let end = self.routers[router].outputs[port].channel_free;
        self.schedule_output(router, port, end);
    }
}
