//! Link saturation as CODES counts it: from the first packet that finds no room to the next credit.

use odonata_endpoint::Endpoint;
use odonata_network::CreditReturn;
use odonata_units::Instant;

use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// `packet` is about to join FIFO (`port`, `vc`).
    pub(crate) fn note_refusal(&mut self, router: usize, packet: usize) {
        let state = &self.packets[packet];
        let (port, vc) = state.output;
        let output = &mut self.routers[router].outputs[port];
        let Some(credits) = &output.credits else {
            return;
        };
        let reserves = self.parameters.credit_return == CreditReturn::Reservation;
        let is_behind_unreserved = reserves && output.fifos[vc].len() > output.reserved[vc];
        let is_refused = is_behind_unreserved || credits[vc] < state.flits;
        let is_behind_reserved = reserves && output.reserved[vc] > 0;
        if is_refused && !is_behind_reserved {
            output.refusals.begin(vc, self.now);
        }
    }

    /// A credit of (`port`, `vc`) has come.
    pub(crate) fn end_refusal(&mut self, router: usize, port: usize, vc: usize) {
        let now = self.now;
        self.routers[router].outputs[port].refusals.end(vc, now);
    }

    /// By router and port, what there was up to `until`, in picoseconds.
    pub(crate) fn take_refusals(&mut self, until: Instant) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        for router in &mut self.routers {
            let mut ports = Vec::new();
            for output in &mut router.outputs {
                for vc in 0..output.fifos.len() {
                    output.refusals.end(vc, until);
                }
                ports.push(output.refusals.ps);
            }
            all.push(ports);
        }
        all
    }
}
