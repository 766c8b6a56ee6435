//! Messages on their way.

use odonata_endpoint::Message;
use odonata_network::Parameters;
use odonata_units::Instant;

/// How a message came to the NIC, and when.
#[derive(Clone, Copy)]
pub(crate) enum Origin {
    /// Handed over at this instant.
    Sent(Instant),
    /// Pulled; created at this instant.
    Pulled(Instant),
}

impl Origin {
    pub(crate) const fn is_pulled(self) -> bool {
        matches!(self, Self::Pulled(_))
    }

    /// From when on a packet of the message exists, if its place in the output buffer of the NIC
    /// was freed at `freed`, or was free all along.
    pub(crate) fn exists(self, freed: Option<Instant>) -> Instant {
        match self {
            Self::Pulled(created) => created,
            Self::Sent(handed_over) => freed.map_or(handed_over, |freed| handed_over.max(freed)),
        }
    }
}

/// A message on its way.
pub(crate) struct Transfer {
    pub(crate) message: Message,
    pub(crate) origin: Origin,
    /// Payload not yet in a packet.
    pub(crate) unsent: u64,
    /// Number of its next packet, once one has started.
    pub(crate) number: Option<u64>,
    /// Packets made and not delivered.
    pub(crate) on_the_way: u64,
}

impl Transfer {
    /// Bytes of the next packet: of as many as travel as one, full ones first.
    pub(crate) fn next_bytes(&self, parameters: &Parameters, multiple: u32) -> u32 {
        let payload = parameters.packet_bytes - parameters.header_bytes;
        let mut left = self.unsent;
        let mut bytes = 0;
        for _ in 0..multiple {
            if left > 0 || bytes == 0 {
                let next = left.min(u64::from(payload));
                bytes += u32::try_from(next).unwrap_or(payload) + parameters.header_bytes;
                left -= next;
            }
        }
        bytes
    }
}
