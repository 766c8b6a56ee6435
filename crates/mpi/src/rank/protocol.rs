//! Eager and rendezvous, message by message.

use odonata_endpoint::{Message, Role};
use odonata_units::{Instant, Span};

use super::MpiRank;
use super::requests::RequestKind;
use super::strand::Step;
use super::timers::Event;
use crate::collective::CollectiveKind;
use crate::header::{Envelope, MessageKind};

impl MpiRank {
    /// The set-up of a send is over: its first message goes to the NIC.
    pub(super) fn inject(&mut self, index: u32, now: Instant) {
        let slot = *self.requests.get(index);
        if matches!(slot.kind, RequestKind::Put | RequestKind::Get) {
            return self.inject_one_sided(index, now);
        }
        let target = slot.peer.unwrap_or(self.rank);
        let eager =
            slot.kind != RequestKind::SynchronousSend && self.parameters.is_eager(slot.bytes);
        let mut envelope = Envelope {
            kind: if eager {
                MessageKind::Eager
            } else {
                MessageKind::Rts
            },
            context: slot.context,
            tag: slot.tag.unwrap_or(0),
            source: self.rank,
            sequence: 0,
            bytes: slot.bytes,
            send_slot: index,
            receive_slot: 0,
            repetition: self.repetition,
            alltoall: self.is_in_alltoall(),
        };
        if target == self.rank {
            envelope.kind = MessageKind::Eager;
            self.arrived.push_back(envelope);
            self.requests.set_done(index, true);
        } else {
            let sequence = self.sequences.of(target);
            envelope.sequence = *sequence;
            *sequence = sequence.wrapping_add(1);
            self.account
                .count(self.rank_map.share_a_node(self.rank, target), slot.bytes);
            self.requests.set_done(index, eager);
            let parameters = &self.parameters;
            let mut delay = parameters.host_to_nic + parameters.nic_send;
            if eager {
                delay += parameters.nic_send_per_byte * slot.bytes;
            }
            self.hand_over(target, envelope, now, delay);
        }
        if slot.blocking {
            self.wait_for(index, now);
        } else {
            self.leave(now);
        }
    }

    /// Whether the strand is inside an alltoall.
    fn is_in_alltoall(&self) -> bool {
        let running = self.strand.collective.as_ref();
        running.is_some_and(|one| one.steps.kind() == CollectiveKind::Alltoall)
    }

    /// Gives a message to the NIC after `delay`, or to the memory of the node; returns when it is
    /// handed over.
    pub(super) fn hand_over(
        &mut self,
        target: u32,
        envelope: Envelope,
        now: Instant,
        delay: Span,
    ) -> Instant {
        let parameters = &self.parameters;
        let bytes = match envelope.kind {
            MessageKind::Eager => parameters.eager_header + envelope.bytes,
            MessageKind::Rts => parameters.rts_header,
            MessageKind::Get | MessageKind::Fetch => parameters.get_header,
            MessageKind::Data | MessageKind::Put | MessageKind::Fetched => {
                parameters.data_header.saturating_add(envelope.bytes)
            }
            MessageKind::Ack => parameters.ack_header,
        }
        .max(1);
        let at = if self.rank_map.share_a_node(self.rank, target) {
            let payload = if envelope.kind.carries_payload() {
                envelope.bytes
            } else {
                0
            };
            now + parameters.local_latency + parameters.local_per_byte * payload
        } else {
            self.account.bytes_sent = self.account.bytes_sent.saturating_add(bytes);
            now + delay
        };
        let message = Message {
            source: self.rank_map.node(self.rank),
            target: self.rank_map.node(target),
            bytes,
            header: envelope.encode(self.rank_map.local_rank(target)),
            mode: self.account.turn(self.turns),
            class: 0,
            sender: 0,
            nic: 0,
            job: 0,
            role: match envelope.kind {
                MessageKind::Get | MessageKind::Fetch => Role::Get,
                MessageKind::Data | MessageKind::Fetched => Role::Data,
                MessageKind::Eager | MessageKind::Rts | MessageKind::Ack | MessageKind::Put => {
                    Role::Request
                }
            },
            is_ordered: envelope.kind.is_ordered(),
        };
        self.timers.set(at, Event::HandOver(message));
        at
    }

    /// The NIC has received a whole message.
    pub(super) fn receive(&mut self, now: Instant, message: &Message) {
        let envelope = Envelope::decode(&message.header);
        let parameters = &self.parameters;
        let is_local = self.rank_map.share_a_node(self.rank, envelope.source);
        match envelope.kind {
            MessageKind::Get => {
                // The sender's NIC answers; its CPU does not notice.
                let data = Envelope {
                    kind: MessageKind::Data,
                    source: self.rank,
                    ..envelope
                };
                let delay = parameters.nic_get + parameters.nic_send;
                let is_acknowledged = parameters.ack_header > 0;
                let at = self.hand_over(envelope.source, data, now, delay);
                if !is_acknowledged {
                    let complete = Envelope {
                        kind: MessageKind::Ack,
                        ..envelope
                    };
                    self.timers.set(at, Event::Arrive(complete));
                }
            }
            MessageKind::Put | MessageKind::Fetch => self.answer(&envelope, now),
            MessageKind::Fetched => self.fetched(envelope, is_local, now),
            _ if is_local => self.timers.set(now, Event::Arrive(envelope)),
            MessageKind::Data => {
                self.timers
                    .set(now + parameters.nic_to_host, Event::Arrive(envelope));
            }
            MessageKind::Eager | MessageKind::Rts | MessageKind::Ack => {
                let short = message.bytes <= parameters.nic_match_limit;
                let matching = if short {
                    parameters.nic_match
                } else {
                    Span::ZERO
                };
                let at = now + matching + parameters.nic_to_host;
                self.timers.set(at, Event::Arrive(envelope));
            }
        }
    }

    /// A message has reached the host.
    pub(super) fn arrive(&mut self, envelope: Envelope, now: Instant) {
        match envelope.kind {
            MessageKind::Eager | MessageKind::Rts => {
                let (arrived, later) = (&mut self.arrived, &mut self.later);
                self.matching.in_order(envelope, |passed| {
                    if passed.repetition > self.repetition {
                        let queue =
                            (later.get_or_insert_default().entry(passed.repetition)).or_default();
                        queue.push_back(passed);
                    } else {
                        arrived.push_back(passed);
                    }
                });
            }
            MessageKind::Data => self.landed.push_back(envelope.receive_slot),
            MessageKind::Ack | MessageKind::Fetched => self.complete(envelope.send_slot),
            MessageKind::Get | MessageKind::Put | MessageKind::Fetch => {}
        }
        match self.strand.step {
            Step::Blocked => self.continue_with(Step::Wait, now),
            Step::Finished | Step::Rest => self.drain(now),
            Step::Gone => self.settle(now),
            _ => {}
        }
    }

    /// After its program has ended the library still completes what has been posted, at no cost.
    pub(super) fn drain(&mut self, now: Instant) {
        while let Some(slot) = self.landed.pop_front() {
            self.land(slot, now);
        }
        while let Some(envelope) = self.arrived.pop_front() {
            match self.matching.search_posted(&envelope).found {
                Some(posted) => self.take(&envelope, posted.slot, now),
                None => self.keep(envelope),
            }
        }
    }

    /// Nobody has asked for a message yet; of one from an earlier repetition nobody will.
    pub(super) fn keep(&mut self, envelope: Envelope) {
        if envelope.repetition == self.repetition {
            self.matching.keep(envelope);
        }
    }

    /// CPU time to take a matched message in.
    pub(super) fn take_cost(&self, envelope: &Envelope, slot: u32) -> Span {
        let parameters = &self.parameters;
        match envelope.kind {
            // Not registered when it was posted: of unknown size, or small enough to be eager.
            MessageKind::Rts if self.requests.get(slot).release == 0 => {
                parameters.receive_setup + parameters.registration(envelope.bytes)
            }
            MessageKind::Rts => parameters.receive_setup,
            _ => parameters.receive_cost(envelope.bytes),
        }
    }

    /// A matched message is in: an eager one completes the receive, a rendezvous is asked for.
    pub(super) fn take(&mut self, envelope: &Envelope, index: u32, now: Instant) {
        let slot = self.requests.get_mut(index);
        if envelope.bytes > slot.bytes {
            let (most, tag, source) = (slot.bytes, envelope.tag, envelope.source);
            return self.fail(format!(
                "{} got {} B from rank {source} (tag {tag}, {}) into a receive of {most} B: \
                 truncated; make the receive at least as large as the message",
                self.strand.operation.name(),
                envelope.bytes,
                diagnosis_context(envelope.context),
            ));
        }
        slot.bytes = envelope.bytes;
        if envelope.kind == MessageKind::Eager {
            return self.complete(index);
        }
        if slot.release == 0 {
            slot.release = envelope.bytes;
        }
        slot.acknowledge = (envelope.source, envelope.send_slot);
        let get = Envelope {
            kind: MessageKind::Get,
            source: self.rank,
            receive_slot: index,
            ..*envelope
        };
        self.hand_over(envelope.source, get, now, self.parameters.host_to_nic);
    }

    /// The data of a rendezvous are in: the receive is complete and the sender is told, unless it
    /// did not wait for that.
    pub(super) fn land(&mut self, index: u32, now: Instant) {
        self.complete(index);
        let slot = self.requests.get(index);
        let (source, send_slot) = slot.acknowledge;
        if self.parameters.ack_header == 0 {
            return;
        }
        let acknowledgement = Envelope {
            kind: MessageKind::Ack,
            context: slot.context,
            tag: 0,
            source: self.rank,
            sequence: 0,
            bytes: 0,
            send_slot,
            receive_slot: index,
            repetition: 0,
            alltoall: false,
        };
        let delay = self.parameters.host_to_nic + self.parameters.nic_send;
        self.hand_over(source, acknowledgement, now, delay);
    }
}

fn diagnosis_context(context: u32) -> String {
    super::diagnosis::context_name(context)
}
