//! NICs and endpoints: messages become packets, packets become messages.

use std::collections::VecDeque;

use odonata_network::{Endpoint, Message, Nic, PacketRecord, Parameters};
use odonata_routing::{PacketRoute, Plan};
use odonata_topology::{Attachment, LinkKind, Topology};
use odonata_units::{Instant, NodeId, RouterId};

use crate::event::{Kind, Place, Subject};
use crate::simulation::Simulation;

/// A packet that has left its NIC.
pub(crate) struct Packet {
    /// Index of its message.
    pub(crate) transfer: usize,
    /// Among the packets of its source.
    pub(crate) sequence: u64,
    /// Bytes, header included.
    pub(crate) bytes: u32,
    /// Flits it occupies.
    pub(crate) flits: u32,
    /// When it was created.
    pub(crate) created: Instant,
    /// When it started on the host channel.
    pub(crate) injected: Instant,
    /// What routing knows of it.
    pub(crate) route: PacketRoute,
    /// Routers entered.
    pub(crate) path: Vec<RouterId>,
    /// VC of the channel it is on, or came over.
    pub(crate) vc: usize,
    /// At its router: entry.
    pub(crate) entered: Instant,
    /// At its router: input (port, VC).
    pub(crate) input: (usize, usize),
    /// At its router: output (port, VC), once routed.
    pub(crate) output: (usize, usize),
    /// At its router: first instant it may start, once routed.
    pub(crate) ready: Instant,
}

/// How a message came to the NIC, and when.
#[derive(Clone, Copy)]
enum Origin {
    /// Handed over at this instant.
    Sent(Instant),
    /// Pulled; created at this instant.
    Pulled(Instant),
}

/// A message on its way.
pub(crate) struct Transfer {
    message: Message,
    origin: Origin,
    /// Payload not yet in a packet.
    unsent: u64,
    /// Packets made and not delivered.
    on_the_way: u64,
}

/// A NIC, and when its endpoint is to be woken.
pub(crate) struct Node {
    pub(crate) id: NodeId,
    /// Router and port at the other end of the host link.
    attached: Attachment,
    /// Messages that have packets left to send.
    queue: VecDeque<usize>,
    pub(crate) credits: u32,
    /// End of the last packet.
    channel_free: Instant,
    /// An injection is on the agenda, or waits for credits.
    planned: bool,
    /// The injection waits for credits.
    starved: bool,
    /// Starts of the packets of messages handed over.
    starts: Vec<Instant>,
    /// Packets ever started.
    started: u64,
}

impl Node {
    pub(crate) fn new(id: NodeId, topology: &Topology, parameters: &Parameters) -> Self {
        Self {
            id,
            attached: Attachment::Router(topology.router_of(id), topology.host_port(id)),
            queue: VecDeque::new(),
            credits: parameters.input_buffer_flits,
            channel_free: Instant::ZERO,
            planned: false,
            starved: false,
            starts: Vec::new(),
            started: 0,
        }
    }
}

/// Collects what an endpoint sends while it is woken.
#[derive(Default)]
struct Outbox(Vec<Message>);

impl Nic for Outbox {
    fn send(&mut self, message: Message) {
        self.0.push(message);
    }
}

impl<E: Endpoint> Simulation<'_, E> {
    fn place(node: usize) -> Place {
        Place {
            component: node,
            port: 0,
        }
    }

    /// Asks the endpoint for its next open-loop message.
    pub(crate) fn pull(&mut self, node: usize) {
        if let Some((created, message)) = self.endpoints[node].pull() {
            self.hand_over(node, message, Origin::Pulled(created));
        }
        self.plan_wake(node);
    }

    /// Puts the endpoint's next wake on the agenda; stale ones are skipped when they come.
    pub(crate) fn plan_wake(&mut self, node: usize) {
        let at = self.endpoints[node].next_wake();
        if at != Instant::NEVER {
            self.agenda.add(
                at.max(self.now),
                Kind::Wake,
                Self::place(node),
                Subject::Place,
            );
        }
    }

    pub(crate) fn wake(&mut self, node: usize) {
        while self.endpoints[node].next_wake() <= self.now {
            let mut outbox = Outbox::default();
            self.endpoints[node].wake(self.now, &mut outbox);
            for message in outbox.0 {
                self.hand_over(node, message, Origin::Sent(self.now));
            }
        }
        self.plan_wake(node);
    }

    fn hand_over(&mut self, node: usize, message: Message, origin: Origin) {
        let source = self.nodes[node].id;
        assert!(message.bytes > 0, "node {source:?} sends an empty message");
        assert!(message.target != source, "node {source:?} sends to itself");
        assert!(
            message.target.index() < self.nodes.len(),
            "the target exists: {message:?}"
        );
        let message = Message { source, ..message };
        let unsent = message.bytes;
        self.nodes[node].queue.push_back(self.transfers.len());
        self.transfers.push(Transfer {
            message,
            origin,
            unsent,
            on_the_way: 0,
        });
        self.plan_injection(node);
    }

    /// Bytes of the next packet of a message: full ones first.
    fn next_bytes(&self, transfer: usize) -> u32 {
        let header = self.parameters.header_bytes;
        let payload = self.parameters.packet_bytes - header;
        let bytes = self.transfers[transfer].unsent.min(u64::from(payload));
        u32::try_from(bytes).unwrap_or(payload) + header
    }

    /// The instant from which the next packet of the queue exists.
    fn next_creation(&self, node: usize, transfer: usize) -> Instant {
        match self.transfers[transfer].origin {
            Origin::Pulled(created) => created,
            Origin::Sent(handed_over) => {
                let starts = &self.nodes[node].starts;
                let places = self.parameters.nic_buffer_packets as usize;
                let freed = starts
                    .len()
                    .checked_sub(places)
                    .map(|packet| starts[packet]);
                freed.map_or(handed_over, |freed| handed_over.max(freed))
            }
        }
    }

    /// Decides when the next packet may start, credits aside.
    fn plan_injection(&mut self, node: usize) {
        let state = &self.nodes[node];
        let Some(&transfer) = state.queue.front() else {
            return;
        };
        if state.planned {
            return;
        }
        let exists = self.next_creation(node, transfer);
        let at = if exists < state.channel_free {
            state.channel_free
        } else {
            exists + self.timing.wake_up(LinkKind::Host)
        };
        self.nodes[node].planned = true;
        self.agenda
            .add(at, Kind::Injection, Self::place(node), Subject::Place);
    }

    /// Starts the next packet, or waits for its credits.
    pub(crate) fn inject(&mut self, node: usize) {
        let Some(&transfer) = self.nodes[node].queue.front() else {
            unreachable!("an injection is planned for a message");
        };
        let bytes = self.next_bytes(transfer);
        let flits = self.timing.flits(bytes);
        if self.nodes[node].credits < flits {
            self.nodes[node].starved = true;
            return;
        }
        let created = self.next_creation(node, transfer);
        let packet = self.packets.len();
        let origin = self.transfers[transfer].origin;
        self.packets.push(Packet {
            transfer,
            sequence: self.nodes[node].started,
            bytes,
            flits,
            created,
            injected: self.now,
            route: PacketRoute {
                target: self.transfers[transfer].message.target,
                intermediate: RouterId(0),
                plan: Plan::Fresh,
            },
            path: Vec::new(),
            vc: 0,
            entered: Instant::NEVER,
            input: (0, 0),
            output: (0, 0),
            ready: Instant::NEVER,
        });
        let state = &mut self.nodes[node];
        assert!(
            self.now >= state.channel_free && self.now >= created,
            "not before its time"
        );
        state.credits -= flits;
        state.started += 1;
        state.channel_free = self.now + self.timing.serialization(LinkKind::Host, flits);
        state.planned = false;
        if matches!(origin, Origin::Sent(_)) {
            state.starts.push(self.now);
        }
        let attached = state.attached;
        self.send_over(packet, LinkKind::Host, attached);
        self.finish_packet(node, transfer, bytes);
        self.plan_injection(node);
    }

    /// Counts a packet off its message; a pulled message that is through makes room for the next.
    fn finish_packet(&mut self, node: usize, transfer: usize, bytes: u32) {
        let state = &mut self.transfers[transfer];
        state.on_the_way += 1;
        state.unsent -= u64::from(bytes - self.parameters.header_bytes);
        if state.unsent > 0 {
            return;
        }
        let origin = state.origin;
        self.nodes[node].queue.pop_front();
        if matches!(origin, Origin::Pulled(_)) {
            self.pull(node);
        }
    }

    pub(crate) fn add_nic_credits(&mut self, node: usize, flits: u32) {
        let state = &mut self.nodes[node];
        state.credits += flits;
        assert!(
            state.credits <= self.parameters.input_buffer_flits,
            "no credit is made"
        );
        let Some(&transfer) = self.nodes[node].queue.front() else {
            return;
        };
        let needed = self.timing.flits(self.next_bytes(transfer));
        let state = &mut self.nodes[node];
        if state.starved && state.credits >= needed {
            state.starved = false;
            let at = self.now + self.timing.wake_up(LinkKind::Host);
            self.agenda
                .add(at, Kind::Injection, Self::place(node), Subject::Place);
        }
    }

    /// A packet is delivered; with the last one of a message, the endpoint hears of it.
    pub(crate) fn deliver(&mut self, node: usize, packet: usize) {
        let state = &mut self.packets[packet];
        let transfer = &mut self.transfers[state.transfer];
        assert!(
            transfer.message.target == self.nodes[node].id,
            "packets reach their target"
        );
        self.records.push(PacketRecord {
            source: transfer.message.source,
            sequence: state.sequence,
            target: transfer.message.target,
            created: state.created,
            injected: state.injected,
            delivered: self.now,
            bytes: state.bytes,
            minimal: !state.route.plan.is_nonminimal(),
            path: std::mem::take(&mut state.path),
        });
        transfer.on_the_way -= 1;
        if transfer.unsent == 0 && transfer.on_the_way == 0 {
            self.endpoints[node].deliver(self.now, &transfer.message);
            self.plan_wake(node);
        }
    }
}
