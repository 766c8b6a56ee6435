//! A node that sends by itself.

use odonata_network::{Header, Message};
use odonata_units::{Instant, NodeId, Stream};

use super::arrival::Arrival;
use super::pattern::Pattern;

/// A node that sends messages at a given rate for ever.
#[derive(Clone, Debug)]
pub struct OpenLoopSource {
    pub(super) node: NodeId,
    pub(super) bytes: u64,
    pub(super) next: Instant,
    pub(super) arrival: Arrival,
    pub(super) arrivals: Stream,
    pub(super) pattern: Pattern,
    pub(super) targets: Stream,
}

impl OpenLoopSource {
    /// Payload of a message.
    #[must_use]
    pub const fn message_bytes(&self) -> u64 {
        self.bytes
    }

    /// Mean time between messages, ps.
    #[must_use]
    pub fn mean_gap_ps(&self) -> f64 {
        self.arrival.mean_gap_ps()
    }

    /// Whether messages come at equal intervals, in step with the other nodes of the job.
    #[must_use]
    pub const fn is_periodic(&self) -> bool {
        matches!(self.arrival, Arrival::Fixed { .. })
    }

    /// The next message and the instant it is created. Cost O(1), no allocation; two draws at
    /// most from each of the node's streams for arrivals and for targets.
    #[inline(always)]
    pub fn next_message(&mut self) -> (Instant, Message) {
        let at = self.next;
        self.next += self.arrival.gap(&mut self.arrivals);
        let target = self.pattern.target(&mut self.targets);
        let message = Message {
            source: self.node,
            target,
            bytes: self.bytes,
            header: Header::default(),
            mode: 0,
            class: 0,
        };
        (at, message)
    }
}
