//! Conservation: every credit and every packet is somewhere.

use std::collections::BTreeMap;

use odonata_endpoint::Endpoint;
use odonata_topology::Attachment;

use crate::event::{EventKind, EventPort, Subject};
use crate::packet::LaneName;
use crate::simulation::Simulation;

/// Flits per (router, input port, VC).
type Balances = BTreeMap<(usize, usize, usize), u32>;

impl<E: Endpoint> Simulation<'_, E> {
    /// Asserts that for each input buffer: credits at the sender, credits on their way back, flits
    /// on their way there and flits in it make up its depth; and that no packet is lost.
    pub(crate) fn audit(&self) {
        let mut ledger = Balances::new();
        let mut travelling = 0_usize;
        for event in self.agenda.pending() {
            let EventPort { component, port } = event.port;
            match (event.kind, event.subject) {
                (EventKind::Entry, Subject::Packet(packet)) => {
                    travelling += 1;
                    let packet = &self.packets[packet];
                    *ledger.entry((component, port, packet.vc)).or_default() += packet.flits;
                }
                (EventKind::Delivery, Subject::Packet(_)) => travelling += 1,
                (EventKind::RouterCredit, Subject::Credits { vc, flits, .. }) => {
                    let target = self.routers[component].outputs[port].target;
                    if let Some(Attachment::Router(router, input)) = target {
                        let buffer = (router.index(), input.index(), usize::from(vc));
                        *ledger.entry(buffer).or_default() += flits;
                    }
                }
                (EventKind::NicCredit, Subject::Credits { vc, flits, .. }) => {
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

    /// Without responses there are no lanes of theirs.
    const fn is_used(&self, lane: LaneName) -> bool {
        !lane.is_response || self.parameters.response_bytes > 0
    }

    fn balance_credits(&self, ledger: &mut Balances) {
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
                    // Early credits: reserved packets have a place there.
                    let reserved = output.fifos[vc].iter().take(output.reserved[vc]);
                    let flits = reserved.map(|&packet| self.packets[packet].flits);
                    *ledger.entry(buffer).or_default() += flits.sum::<u32>();
                }
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            for (lane, state) in node.lanes.iter().enumerate() {
                let vc = self.lane_vc(LaneName::at(lane));
                let buffer = self.buffer_of(index, vc);
                if self.is_used(LaneName::at(lane)) {
                    *ledger.entry(buffer).or_default() += state.credits;
                }
            }
        }
        let lanes = (0..2 * usize::from(self.parameters.qos.classes)).map(LaneName::at);
        let lanes = lanes.filter(|lane| self.is_used(*lane));
        let lanes: Vec<usize> = lanes.map(|lane| self.lane_vc(lane)).collect();
        for (&(router, port, vc), &flits) in ledger.iter() {
            let sender = self.routers[router].inputs[port].upstream;
            let used = match sender {
                Some(Attachment::Router(..)) => true,
                Some(Attachment::Node(_)) => lanes.contains(&vc),
                None => false,
            };
            let depth = if used {
                self.timing.depth(self.routers[router].inputs[port].kind)
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
