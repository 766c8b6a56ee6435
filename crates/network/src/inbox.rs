//! Messages on their way to a node: packets are booked to them until they are complete.

use std::collections::VecDeque;

use odonata_units::{Instant, NodeId};

use odonata_endpoint::{Message, Role};

/// A message whose packets are on their way to `message.target`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    first_sequence: u32,
    packets: u64,
    left: u64,
    latest: Instant,
    pub(crate) message: Message,
}

/// A complete message, as its receiver needs to know it.
#[derive(Clone, Copy, Debug)]
struct Arrived {
    at: Instant,
    sequence: u32,
    message: Message,
}

impl Incoming {
    /// `message`, which its source cuts into `packets` packets from `first_sequence` on.
    pub(crate) const fn new(message: Message, first_sequence: u32, packets: u64) -> Self {
        Self {
            first_sequence,
            packets,
            left: packets,
            latest: Instant::ZERO,
            message,
        }
    }

    /// Whether the packet that its source counts as `sequence` belongs to this message.
    ///
    /// Sequences are known modulo 2^32 and a message may be longer: the packet is the one nearest
    /// to what is to come next, since far fewer than 2^31 packets of a source overtake each other.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "sequences count modulo 2^32"
    )]
    const fn holds(&self, sequence: u32) -> bool {
        let received = self.packets - self.left;
        let next = self.first_sequence.wrapping_add(received as u32);
        let ahead = sequence.wrapping_sub(next).cast_signed() as i64;
        received.wrapping_add_signed(ahead) < self.packets
    }
}

/// What a node expects, and what it has got and not yet looked at.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    incoming: Vec<Incoming>,
    /// Complete messages, in the order the endpoint is told of them.
    arrived: VecDeque<Arrived>,
}

impl Inbox {
    pub(crate) fn expect(&mut self, incoming: Incoming) {
        self.incoming.push(incoming);
    }

    #[inline]
    pub(crate) const fn expects_nothing(&self) -> bool {
        self.incoming.is_empty()
    }

    /// Books the packet that `source` counts as `sequence` and that arrives at `at` to its message,
    /// one of those that `is_of` holds for. Returns what the message is, and the instant of its
    /// last packet if it is complete; `None` if the packet is of none of these messages.
    pub(crate) fn assemble(
        &mut self,
        source: NodeId,
        sequence: u32,
        at: Instant,
        is_of: impl Fn(&Message) -> bool,
    ) -> Option<(Role, Option<Instant>)> {
        let position = self.incoming.iter().position(|one| {
            one.message.source == source && is_of(&one.message) && one.holds(sequence)
        })?;
        let one = &mut self.incoming[position];
        one.left -= 1;
        one.latest = one.latest.max(at);
        let role = one.message.role;
        if one.left > 0 {
            return Some((role, None));
        }
        let done = self.incoming.swap_remove(position);
        let arrived = Arrived {
            at: done.latest,
            sequence: done.first_sequence,
            message: done.message,
        };
        let key = |one: &Arrived| (one.at, one.message.source, one.sequence);
        let position = self
            .arrived
            .partition_point(|other| key(other) <= key(&arrived));
        self.arrived.insert(position, arrived);
        Some((role, Some(done.latest)))
    }

    /// Instant at which the next message is complete; never if none is.
    pub(crate) fn next(&self) -> Instant {
        self.arrived.front().map_or(Instant::NEVER, |one| one.at)
    }

    /// Takes the next complete message.
    pub(crate) fn take(&mut self) -> Message {
        let Some(arrived) = self.arrived.pop_front() else {
            unreachable!("a message that is complete is there");
        };
        arrived.message
    }
}
