//! A node that several ranks of a job share: its memory, and its NIC.
//!
//! A message between two of its ranks never reaches the NIC: it is handed over when it has gone
//! through the memory. Messages to other nodes wait in a queue of their rank. The NIC gets one at a
//! time, from the ranks that have one in turn, the next when it could have sent the last one at the
//! full rate of its channel: no rank's messages are all in front of those of another one. A NIC with
//! several send queues sees to that itself and gets everything at once.

use std::collections::VecDeque;

use odonata_mpi::{MpiRank, header};
use odonata_network::{Endpoint, Message, Nic, NicCounters};
use odonata_units::{Bandwidth, Instant, NodeId, Span};

/// The ranks of one node.
pub struct SharedNode {
    node: NodeId,
    ranks: Vec<MpiRank>,
    /// `[seat]`: when the rank wants to be woken.
    wakes: Vec<Instant>,
    /// `[seat]`: messages to other nodes that its NIC has not got yet.
    queues: Vec<VecDeque<Message>>,
    /// Seat whose turn it is.
    turn: usize,
    /// When the NIC gets its next message.
    free: Instant,
    nic: NicShape,
}

/// What a node knows of its NIC.
#[derive(Clone, Copy, Debug)]
pub struct NicShape {
    /// Rate of its host channel.
    pub rate: Bandwidth,
    /// Its send queues for each traffic class.
    pub queues: u16,
}

/// The NIC as one rank of the node sees it.
struct Desk<'a> {
    sent: &'a mut Vec<Message>,
    counters: NicCounters,
}

impl Nic for Desk<'_> {
    fn send(&mut self, message: Message) {
        self.sent.push(message);
    }

    fn counters(&self) -> NicCounters {
        self.counters
    }
}

impl SharedNode {
    /// The ranks of `node` in the order of their seats.
    #[must_use]
    pub fn new(node: NodeId, ranks: Vec<MpiRank>, nic: NicShape) -> Self {
        Self {
            node,
            wakes: ranks.iter().map(Endpoint::next_wake).collect(),
            queues: ranks.iter().map(|_| VecDeque::new()).collect(),
            ranks,
            turn: 0,
            free: Instant::ZERO,
            nic,
        }
    }

    /// The ranks, by seat.
    #[must_use]
    pub fn ranks(&self) -> &[MpiRank] {
        &self.ranks
    }

    /// The ranks, by seat, before they begin.
    pub fn ranks_mut(&mut self) -> &mut [MpiRank] {
        &mut self.ranks
    }

    pub(crate) fn next_wake(&self) -> Instant {
        let next = self.wakes.iter().copied().min().unwrap_or(Instant::NEVER);
        if self.queues.iter().all(VecDeque::is_empty) {
            next
        } else {
            next.min(self.free)
        }
    }

    pub(crate) fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        let mut sent = Vec::new();
        while let Some(seat) = self.wakes.iter().position(|&wake| wake <= now) {
            let counters = nic.counters();
            let mut desk = Desk {
                sent: &mut sent,
                counters,
            };
            self.ranks[seat].wake(now, &mut desk);
            self.wakes[seat] = self.ranks[seat].next_wake();
            for mut message in sent.drain(..) {
                message.sender = u16::try_from(seat).unwrap_or(u16::MAX);
                if message.target == self.node {
                    self.deliver(now, &message);
                } else if self.nic.queues > 1 {
                    nic.send(message);
                } else {
                    self.queues[seat].push_back(message);
                }
            }
        }
        self.serve(now, nic);
    }

    /// Gives the NIC what it can take.
    fn serve(&mut self, now: Instant, nic: &mut impl Nic) {
        let seats = self.queues.len();
        while self.free <= now {
            let mut turns = (0..seats).map(|ahead| (self.turn + ahead) % seats);
            let Some(seat) = turns.find(|&seat| !self.queues[seat].is_empty()) else {
                return;
            };
            let Some(message) = self.queues[seat].pop_front() else {
                return;
            };
            self.turn = (seat + 1) % seats;
            let span = self
                .nic
                .rate
                .serialization(message.bytes)
                .max(Span::from_ps(1));
            self.free = now + span;
            nic.send(message);
        }
    }

    pub(crate) fn deliver(&mut self, now: Instant, message: &Message) {
        let seat = usize::from(header::seat(&message.header));
        self.ranks[seat].deliver(now, message);
        self.wakes[seat] = self.ranks[seat].next_wake();
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.ranks.iter().all(Endpoint::is_finished)
    }
}
