//! Nodes: endpoints, the messages they hand over, and what is delivered to them.

use odonata_endpoint::{Endpoint, Message, Nic, NicCounters, Role};
use odonata_telemetry::PacketRecord;
use odonata_units::Instant;

use crate::event::{EventKind, Subject};
use crate::packet::LaneName;
use crate::sender::Load;
use crate::simulation::Simulation;
use crate::transfer::{Origin, Transfer};

/// Collects what an endpoint sends while it is woken.
struct Outbox {
    sent: Vec<Message>,
    /// By NIC.
    counters: Vec<NicCounters>,
}

impl Nic for Outbox {
    fn send(&mut self, message: Message) {
        self.sent.push(message);
    }

    fn counters(&self, nic: u8) -> NicCounters {
        self.counters[usize::from(nic)]
    }
}

impl<E: Endpoint> Simulation<'_, E> {
    /// Asks the endpoint for its next open-loop message.
    pub(crate) fn pull(&mut self, node: usize) {
        if let Some((created, message)) = self.endpoints[node].pull() {
            self.hand_over(node, message, Origin::Pulled(created));
        }
        self.plan_wake(node);
    }

    /// The nodes that the endpoint of a node uses, its own first.
    fn members(&self, node: usize) -> Vec<usize> {
        let together = self.together.get(&node);
        together.cloned().unwrap_or_else(|| vec![node])
    }

    /// Puts the endpoint's next wake on the agenda; stale ones are skipped when they come.
    pub(crate) fn plan_wake(&mut self, node: usize) {
        let at = self.endpoints[node].next_wake();
        if at != Instant::NEVER {
            let port = Self::node_port(node);
            self.agenda
                .add(at.max(self.now), EventKind::Wake, port, Subject::Port);
        }
    }

    pub(crate) fn wake(&mut self, node: usize) {
        let members = self.members(node);
        while self.endpoints[node].next_wake() <= self.now {
            let counted = members.iter().map(|&member| self.nodes[member].counters);
            let mut outbox = Outbox {
                sent: Vec::new(),
                counters: counted.collect(),
            };
            self.endpoints[node].wake(self.now, &mut outbox);
            for message in outbox.sent {
                let member = members[usize::from(message.nic)];
                self.hand_over(member, message, Origin::Sent(self.now));
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
        assert!(
            message.class < self.parameters.qos.classes,
            "the class exists: {message:?}"
        );
        assert!(
            usize::from(message.mode) < self.routing.modes().len(),
            "the mode exists: {message:?}"
        );
        let message = Message { source, ..message };
        let lane = LaneName {
            class: usize::from(message.class),
            is_response: self.has_data() && message.role.is_data(),
        };
        let load = Load::Message(self.transfers.len());
        if self.has_own_queue(&message) {
            let lane = &mut self.nodes[node].lanes[lane.index()];
            lane.gets.loads.push_back(load);
        } else {
            let queue = self.queue_for(node, lane, &message);
            self.nodes[node].lanes[lane.index()].put(queue, load);
        }
        self.transfers.push(Transfer {
            message,
            origin,
            unsent: message.bytes,
            number: None,
            on_the_way: 0,
        });
        self.ask_for(node, message.target, message.bytes, origin.exists(None));
        self.plan_injection(node);
    }

    /// A packet is delivered. A request is answered; with the last packet of a message, the
    /// endpoint hears of it. A response, or the last packet of data, makes room for a request.
    pub(crate) fn deliver(&mut self, node: usize, packet: usize) {
        self.count_arrival(node, packet);
        self.acknowledge(packet);
        let state = &mut self.packets[packet];
        let (lane, transfer) = (state.lane, state.transfer);
        assert!(
            state.target == self.nodes[node].id,
            "packets reach their target"
        );
        self.records.push(PacketRecord {
            source: state.source,
            lane: u8::try_from(lane.index()).unwrap_or(u8::MAX),
            sequence: state.sequence,
            target: state.target,
            created: state.created,
            injected: state.injected,
            delivered: self.now,
            bytes: state.bytes,
            minimal: !state.is_nonminimal(),
            path: std::mem::take(&mut state.path),
        });
        match transfer {
            Some(transfer) => {
                let message = self.transfers[transfer].message;
                let is_answered = !lane.is_response && !self.is_get(&message);
                if self.parameters.response_bytes > 0 && is_answered {
                    self.answer(node, packet);
                }
                if self.finish_message(node, transfer)
                    && lane.is_response
                    && message.role == Role::Data
                {
                    self.make_room(node);
                }
            }
            None => {
                let created = self.packets[packet].created;
                let state = &mut self.nodes[node];
                state.counters.round_trips += 1;
                state.counters.round_trip_time += self.now - created;
                self.make_room(node);
            }
        }
    }

    /// A slot among the outstanding requests is free.
    fn make_room(&mut self, node: usize) {
        let state = &mut self.nodes[node];
        assert!(state.unanswered > 0, "answers have requests");
        state.unanswered -= 1;
        self.plan_injection(node);
    }

    fn answer(&mut self, node: usize, request: usize) {
        let lane = LaneName {
            class: self.packets[request].lane.class,
            is_response: true,
        };
        let load = Load::Response {
            request,
            delivered: self.now,
        };
        self.nodes[node].lanes[lane.index()].answers.push_back(load);
        self.plan_injection(node);
    }

    /// The queue of a lane that a message goes to: that of its flow, or the one with least to send.
    fn queue_for(&self, node: usize, lane: LaneName, message: &Message) -> usize {
        let queues = &self.nodes[node].lanes[lane.index()].queues;
        let of = |queue: usize| {
            let loads = queues[queue].loads.iter();
            loads.filter_map(|load| match load {
                Load::Message(transfer) => Some(&self.transfers[*transfer]),
                Load::Response { .. } => None,
            })
        };
        let flow = |message: &Message| (message.sender, message.target);
        let same = (0..queues.len())
            .find(|&queue| of(queue).any(|other| flow(&other.message) == flow(message)));
        let unsent = |queue: &usize| of(*queue).map(|other| other.unsent).sum::<u64>();
        same.or_else(|| (0..queues.len()).min_by_key(unsent))
            .unwrap_or(0)
    }

    /// A packet of a message has arrived; true if it was the last.
    fn finish_message(&mut self, node: usize, transfer: usize) -> bool {
        let transfer = &mut self.transfers[transfer];
        transfer.on_the_way -= 1;
        if transfer.unsent == 0 && transfer.on_the_way == 0 {
            let message = transfer.message;
            let home = self.members(node)[0];
            self.endpoints[home].deliver(self.now, &message);
            self.plan_wake(home);
            return true;
        }
        false
    }
}
