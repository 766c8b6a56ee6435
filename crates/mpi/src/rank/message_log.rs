//! When messages left a rank and reached it, if somebody asks.

use std::num::NonZeroU32;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_endpoint::{Header, Message};
use odonata_units::{Instant, NodeId, is_sampled};

use crate::header::{Envelope, MessageKind};

/// A message with payload that a rank handed to its NIC, or to the memory of its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct SentMessage {
    /// Address of the receiver.
    pub target: NodeId,
    /// As the network carries it: the receiver has logged the same.
    pub header: Header,
    /// When.
    pub at: Instant,
}

/// A message with payload that reached a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct ArrivedMessage {
    /// As the network carried it.
    pub header: Header,
    /// When its last packet was there.
    pub at: Instant,
}

/// See the module. Both ends of a message keep it, or neither does.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct MessageLog {
    every: NonZeroU32,
    sent: Vec<SentMessage>,
    arrived: Vec<ArrivedMessage>,
}

impl MessageLog {
    /// A log of about every `every`-th message.
    pub(super) const fn new(every: NonZeroU32) -> Self {
        Self {
            every,
            sent: Vec::new(),
            arrived: Vec::new(),
        }
    }

    /// Messages handed over, in order.
    #[must_use]
    pub fn sent(&self) -> &[SentMessage] {
        &self.sent
    }

    /// Messages that arrived, in order.
    #[must_use]
    pub fn arrived(&self) -> &[ArrivedMessage] {
        &self.arrived
    }

    pub(super) fn note_sent(&mut self, message: &Message, at: Instant) {
        if self.keeps(&message.header) {
            self.sent.push(SentMessage {
                target: message.target,
                header: message.header,
                at,
            });
        }
    }

    pub(super) fn note_arrived(&mut self, header: Header, at: Instant) {
        if self.keeps(&header) {
            self.arrived.push(ArrivedMessage { header, at });
        }
    }

    /// Whether a message is kept: by its header alone, which both ends see.
    fn keeps(&self, header: &Header) -> bool {
        let kind = Envelope::decode(header).kind;
        kind.carries_payload() && is_sampled(&header.0, self.every)
    }
}

impl SentMessage {
    /// Payload of the message, and how it goes.
    #[must_use]
    pub const fn what(&self) -> (u64, &'static str) {
        let envelope = Envelope::decode(&self.header);
        let how = match envelope.kind {
            MessageKind::Eager => "eager",
            MessageKind::Data => "rendezvous",
            MessageKind::Put => "put",
            MessageKind::Fetched => "get",
            MessageKind::Rts | MessageKind::Get | MessageKind::Ack | MessageKind::Fetch => "",
        };
        (envelope.bytes, how)
    }
}
