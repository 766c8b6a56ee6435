//! Conservation: every credit and every packet is somewhere.

use std::collections::BTreeMap;

use odonata_topology::Attachment;

use crate::event::{Kind, Place, Subject};
use crate::simulation::Simulation;

/// Flits per (router, input port, VC).
type Ledger = BTreeMap<(usize, usize, usize), u32>;

impl<E> Simulation<'_, E> {
    /// Asserts that for each input buffer: credits at the sender, credits on their way back, flits
    /// on their way there and flits in it make up its depth; and that no packet is lost.
    pub(crate) fn audit(&self) {
        let mut ledger = Ledger::new();
        let mut travelling = 0_usize;
        for event in self.agenda.pending() {
            let Place { component, port } = event.place;
            match (event.kind, event.subject) {
                (Kind::Entry, Subject::Packet(packet)) => {
                    travelling += 1;
                    let packet = &self.packets[packet];
                    *ledger.entry((component, port, packet.vc)).or_default() += packet.flits;
                }
                (Kind::Delivery, Subject::Packet(_)) => travelling += 1,
                (Kind::RouterCredit, Subject::Credits { vc, flits }) => {
                    let target = self.routers[component].outputs[port].target;
                    if let Some(Attachment::Router(router, input)) = target {
                        let buffer = (router.index(), input.index(), usize::from(vc));
                        *ledger.entry(buffer).or_default() += flits;
                    }
                }
                (Kind::NicCredit, Subject::Credits { vc, flits }) => {
                    let buffer = self.buffer_of(component, usize::from(vc));
                    *ledger.entry(buffer).or_default() += flits;
                }
                _ => {}
            }
        }
        self.balance_credits(&mut ledger);
        let stored = self.stored_packets();
        assert!(
            self.packets.len() == self.records.len() + travelling + stored,
            "{} packets left their NICs, {} are delivered, {travelling} travel, {stored} wait",
            self.packets.len(),
            self.records.len(),
        );
    }

    /// The input buffer that a NIC sends to.
    fn buffer_of(&self, node: usize, vc: usize) -> (usize, usize, usize) {
        let id = self.nodes[node].id;
        let (router, port) = (self.topology.router_of(id), self.topology.host_port(id));
        (router.index(), port.index(), vc)
    }

    fn balance_credits(&self, ledger: &mut Ledger) {
        for (index, router) in self.routers.iter().enumerate() {
            for (port, input) in router.inputs.iter().enumerate() {
                for (vc, occupied) in input.occupied.iter().enumerate() {
                    *ledger.entry((index, port, vc)).or_default() += occupied;
                }
            }
            for output in &router.outputs {
                let Some(Attachment::Router(next, input)) = output.target else {
                    continue;
                };
                for (vc, credits) in output.credits.iter().flatten().enumerate() {
                    let buffer = (next.index(), input.index(), vc);
                    *ledger.entry(buffer).or_default() += credits;
                }
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            *ledger.entry(self.buffer_of(index, 0)).or_default() += node.credits;
        }
        for (&(router, port, vc), &flits) in ledger.iter() {
            let sender = self.routers[router].inputs[port].upstream;
            let used = match sender {
                Some(Attachment::Router(..)) => true,
                Some(Attachment::Node(_)) => vc == 0,
                None => false,
            };
            let depth = if used {
                self.parameters.input_buffer_flits
            } else {
                0
            };
            assert!(
                flits == depth,
                "router {router}, input {port}, VC {vc}: {flits} of {depth}"
            );
        }
    }

    /// Packets inside routers.
    fn stored_packets(&self) -> usize {
        let outputs = self.routers.iter().flat_map(|router| &router.outputs);
        let inputs = self.routers.iter().flat_map(|router| &router.inputs);
        let waiting_out: usize = outputs
            .flat_map(|port| &port.fifos)
            .map(|fifo| fifo.len())
            .sum();
        let waiting_in: usize = inputs
            .flat_map(|port| &port.fifos)
            .map(|fifo| fifo.len())
            .sum();
        waiting_out + waiting_in
    }
}
