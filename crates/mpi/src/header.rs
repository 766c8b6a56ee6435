//! Envelope of an MPI message: what it carries besides its payload.

use odonata_endpoint::Header;

/// The messages of the protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageKind {
    /// Envelope and payload.
    Eager,
    /// Envelope of a rendezvous: request to send.
    Rts,
    /// The receiver asks the sender's NIC for the payload.
    Get,
    /// The payload.
    Data,
    /// The receiver has the payload, or a put is in the memory of its target.
    Ack,
    /// The payload of a put.
    Put,
    /// Asks the target's NIC for the payload of a get.
    Fetch,
    /// The payload of a get.
    Fetched,
}

impl MessageKind {
    /// Whether the payload of the envelope travels with it.
    #[must_use]
    pub const fn carries_payload(self) -> bool {
        matches!(self, Self::Eager | Self::Data | Self::Put | Self::Fetched)
    }

    /// Whether it is a protocol header, or data that go with one: what libraries keep in order.
    #[must_use]
    pub const fn is_ordered(self) -> bool {
        matches!(self, Self::Eager | Self::Rts | Self::Get | Self::Ack)
    }

    /// Whether the message is matched with a receive.
    const fn is_envelope(self) -> bool {
        matches!(self, Self::Eager | Self::Rts)
    }
}

/// A message as the ranks see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// Which message of the protocols.
    pub kind: MessageKind,
    /// Context of the communicator, twice, plus 1 for the messages of its collectives.
    pub context: u32,
    /// Tag of the user, or number of the collective.
    pub tag: u32,
    /// Sender, as a rank of the job; below 2^24.
    pub source: u32,
    /// Number of the envelope among those from this sender to this receiver.
    pub sequence: u32,
    /// Payload bytes.
    pub bytes: u64,
    /// Request slot of the sender of the payload.
    pub send_slot: u32,
    /// Request slot of the receiver of the payload.
    pub receive_slot: u32,
    /// Envelopes (eager, request to send): repetition of the program that sends, from 0.
    pub repetition: u32,
    /// Whether it belongs to an alltoall; so do the data that a request to send announces.
    pub alltoall: bool,
}

impl Envelope {
    /// Packs the envelope into the four words that the network carries, for the rank with local
    /// rank `local_rank` of the node that receives.
    #[must_use]
    pub const fn encode(&self, local_rank: u8) -> Header {
        let kind = match self.kind {
            MessageKind::Eager => 0_u64,
            MessageKind::Rts => 1,
            MessageKind::Get => 2,
            MessageKind::Data => 3,
            MessageKind::Ack => 4,
            MessageKind::Put => 5,
            MessageKind::Fetch => 6,
            MessageKind::Fetched => 7,
        };
        // An envelope knows no slot of its receiver, and nothing else asks for the repetition.
        let last = if self.kind.is_envelope() {
            self.repetition
        } else {
            self.receive_slot
        };
        Header([
            ((self.alltoall as u64) << 63)
                | (kind << 56)
                | ((self.context as u64) << 32)
                | self.tag as u64,
            ((local_rank as u64) << 56) | ((self.source as u64) << 32) | self.sequence as u64,
            self.bytes,
            ((self.send_slot as u64) << 32) | last as u64,
        ])
    }

    /// The inverse of [`Envelope::encode`].
    ///
    /// # Panics
    /// If the header was not made by `encode`.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "fields are taken out of their bits"
    )]
    pub const fn decode(header: &Header) -> Self {
        let [first, second, bytes, slots] = header.0;
        let kind = match (first >> 56) & 0x7F {
            0 => MessageKind::Eager,
            1 => MessageKind::Rts,
            2 => MessageKind::Get,
            3 => MessageKind::Data,
            4 => MessageKind::Ack,
            5 => MessageKind::Put,
            6 => MessageKind::Fetch,
            7 => MessageKind::Fetched,
            _ => unreachable!(),
        };
        let last = slots as u32;
        let (receive_slot, repetition) = if kind.is_envelope() {
            (0, last)
        } else {
            (last, 0)
        };
        Self {
            kind,
            context: (first >> 32) as u32 & 0x00FF_FFFF,
            tag: first as u32,
            source: (second >> 32) as u32 & 0x00FF_FFFF,
            sequence: second as u32,
            bytes,
            send_slot: (slots >> 32) as u32,
            receive_slot,
            repetition,
            alltoall: first >> 63 == 1,
        }
    }
}

/// The local rank that a message is for.
#[must_use]
pub const fn local_rank(header: &Header) -> u8 {
    (header.0[1] >> 56) as u8
}

/// Ranks that a job has at most: more do not fit into a header.
pub const MOST_RANKS: u32 = 1 << 24;

#[cfg(test)]
mod tests {
    use super::{Envelope, MessageKind, local_rank};

    #[test]
    fn decode_inverts_encode() {
        for kind in [
            MessageKind::Eager,
            MessageKind::Rts,
            MessageKind::Get,
            MessageKind::Data,
            MessageKind::Ack,
            MessageKind::Put,
            MessageKind::Fetch,
            MessageKind::Fetched,
        ] {
            let envelope = Envelope {
                kind,
                context: 0x00FE_DCBA,
                tag: u32::MAX,
                source: 0x0080_0001,
                sequence: 0xFFFF_FFFE,
                bytes: u64::MAX,
                send_slot: 0x1234_5678,
                receive_slot: if kind.is_envelope() { 0 } else { 0x9ABC_DEF0 },
                repetition: if kind.is_envelope() { 0xFEDC_BA98 } else { 0 },
                alltoall: kind != MessageKind::Ack,
            };
            let header = envelope.encode(0xA5);
            assert_eq!(
                (Envelope::decode(&header), local_rank(&header)),
                (envelope, 0xA5)
            );
        }
    }

    /// Libraries order these; bulk data and one-sided messages are not ordered.
    #[test]
    fn headers_and_eager_data_are_ordered() {
        use MessageKind::{Ack, Data, Eager, Fetch, Fetched, Get, Put, Rts};
        assert!(
            [Eager, Rts, Get, Ack]
                .map(MessageKind::is_ordered)
                .iter()
                .all(|it| *it)
        );
        assert!(
            ![Data, Put, Fetch, Fetched]
                .map(MessageKind::is_ordered)
                .contains(&true)
        );
    }
}
