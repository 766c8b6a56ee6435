//! A node that several ranks share, of one job or of several: its memory, and its NICs.
//!
//! A message between two ranks of a node never reaches a NIC: it is handed over when it has gone
//! through the memory. Messages to other nodes leave by the NIC that the local rank of their sender
//! gives, large ones, if asked for, in parts by all NICs. Before a NIC with one send queue they
//! wait in a queue of their rank: it gets one at a time, from the ranks that have one in turn, the
//! next when it could have sent the last one at the full rate of its channel, so that no rank's
//! messages are all in front of those of another one. A NIC with several send queues sees to that
//! itself and gets everything at once, and so does one that a single rank uses.

use std::collections::{BTreeMap, VecDeque};

use odonata_endpoint::{Endpoint, Header, Message, Nic, NicCounters, Role};
use odonata_mpi::header::{self, Envelope};
use odonata_mpi::{MOST_RANKS_PER_NODE, MpiRank};
use odonata_topology::NodeEnds;
use odonata_units::{Bandwidth, Instant, NodeId, Span};

/// NICs of a node.
#[derive(Clone, Debug)]
pub struct NicShape {
    /// Rate of a host channel.
    pub rate: Bandwidth,
    /// Send queues of a NIC for each traffic class.
    pub queues: u16,
    /// NICs of all nodes.
    pub ends: Option<NodeEnds>,
    /// Payload from which on a message goes in parts by all NICs, bytes.
    pub stripe: Option<u64>,
}

impl NicShape {
    /// A NIC that all of a node share.
    #[must_use]
    pub const fn single(rate: Bandwidth, queues: u16) -> Self {
        Self {
            rate,
            queues,
            ends: None,
            stripe: None,
        }
    }

    /// NICs of the node that `end` belongs to.
    fn count(&self, end: NodeId) -> usize {
        self.beside(end).len().max(1)
    }

    /// Parts of a message between a node and `other`: one for each NIC of the one that has fewer;
    /// 1 if it stays whole.
    fn parts(&self, node: NodeId, other: NodeId, message: &Message) -> usize {
        let parts = self.count(node).min(self.count(other));
        let is_long = |least: u64| {
            let envelope = Envelope::decode(&message.header);
            envelope.kind.carries_payload() && envelope.bytes >= least
        };
        if parts > 1 && self.stripe.is_some_and(is_long) {
            parts
        } else {
            1
        }
    }

    /// The NICs of the node that `end` belongs to.
    fn beside(&self, end: NodeId) -> &[NodeId] {
        self.ends.as_ref().map_or(&[], |ends| ends.beside(end))
    }
}

/// A rank on a node.
pub struct Occupant {
    /// The rank.
    pub rank: MpiRank,
    /// Its number among the ranks of the node; numbers between may be missing.
    pub local_rank: u8,
    /// Its job.
    pub job: u8,
    /// Whether the run waits for it.
    pub is_goal: bool,
}

/// The ranks of one node.
pub struct SharedNode {
    node: NodeId,
    /// By local rank.
    ranks: Vec<MpiRank>,
    /// Entries of the ranks, in the same order.
    entries: Vec<RankEntry>,
    /// When each of them wants to be woken.
    wakes: Vec<Instant>,
    /// By NIC: what it has not got yet.
    nic_queues: Vec<NicQueue>,
    nic: NicShape,
    /// Messages of which not all parts have arrived: parts and bytes that have.
    parts: BTreeMap<(NodeId, Header), (usize, u64)>,
    /// Messages that a rank sends while it is awake; empty otherwise.
    sent: Vec<Message>,
    /// The memory of the node, if it is in the way of messages between its ranks.
    memory: Option<Box<Memory>>,
}

/// The memory of a node: one message after the other goes through it.
#[derive(Debug)]
pub struct Memory {
    rate: Bandwidth,
    /// How long a message without payload is on its way, and each byte more.
    latency: Span,
    per_byte: Span,
    /// When it has done all that it has begun.
    free: Instant,
    /// Messages that are not there yet, and when each will be.
    on_the_way: VecDeque<(Instant, Message)>,
}

impl Memory {
    /// A memory of `rate`, on a node whose messages need `latency` and `per_byte` by themselves.
    #[must_use]
    pub const fn new(rate: Bandwidth, latency: Span, per_byte: Span) -> Self {
        Self {
            rate,
            latency,
            per_byte,
            free: Instant::ZERO,
            on_the_way: VecDeque::new(),
        }
    }

    /// When `bytes` of payload are there whose own way ends at `now`.
    fn there_at(&mut self, now: Instant, bytes: u64) -> Instant {
        let way = self.latency + self.per_byte * bytes;
        let begun = Instant::from_ps(now.ps().saturating_sub(way.ps()));
        self.free = self.free.max(begun) + self.rate.serialization(bytes);
        now.max(self.free)
    }

    fn next(&self) -> Instant {
        let first = self.on_the_way.front();
        first.map_or(Instant::NEVER, |(at, _)| *at)
    }
}

/// Entry of a rank.
#[derive(Clone, Copy)]
struct RankEntry {
    local_rank: u8,
    job: u8,
    is_goal: bool,
}

/// The messages that wait for a NIC, in a queue for each rank.
struct NicQueue {
    /// By rank.
    queues: Vec<VecDeque<Message>>,
    /// Messages in all of them.
    waiting: usize,
    /// Rank whose turn it is.
    turn: usize,
    /// When the NIC gets its next message.
    free: Instant,
}

/// The NIC as one rank of the node sees it.
struct SendRecorder<'a, N> {
    sent: &'a mut Vec<Message>,
    nic: &'a N,
}

impl<N: Nic> Nic for SendRecorder<'_, N> {
    fn send(&mut self, message: Message) {
        self.sent.push(message);
    }

    fn counters(&self, nic: u8) -> NicCounters {
        self.nic.counters(nic)
    }
}

impl SharedNode {
    /// The ranks of `node` in the order of their local ranks; `node` is its first NIC.
    ///
    /// # Panics
    /// If there are more than [`MOST_RANKS_PER_NODE`].
    #[must_use]
    pub fn new(node: NodeId, occupants: Vec<Occupant>, nic: NicShape) -> Self {
        assert!(
            occupants.len() <= MOST_RANKS_PER_NODE as usize,
            "too many ranks on a node"
        );
        let entry = |one: &Occupant| RankEntry {
            local_rank: one.local_rank,
            job: one.job,
            is_goal: one.is_goal,
        };
        let entries: Vec<_> = occupants.iter().map(entry).collect();
        let ranks: Vec<_> = occupants.into_iter().map(|one| one.rank).collect();
        let queue = |_| NicQueue {
            queues: ranks.iter().map(|_| VecDeque::new()).collect(),
            waiting: 0,
            turn: 0,
            free: Instant::ZERO,
        };
        Self {
            node,
            wakes: ranks.iter().map(Endpoint::next_wake).collect(),
            nic_queues: (0..nic.count(node)).map(queue).collect(),
            entries,
            ranks,
            nic,
            parts: BTreeMap::new(),
            sent: Vec::new(),
            memory: None,
        }
    }

    /// From now on messages between its ranks go through `memory`.
    pub fn use_memory(&mut self, memory: Memory) {
        self.memory = Some(Box::new(memory));
    }

    /// The ranks, by local rank.
    #[must_use]
    pub fn ranks(&self) -> &[MpiRank] {
        &self.ranks
    }

    /// The ranks, by local rank, before they begin.
    pub fn ranks_mut(&mut self) -> &mut [MpiRank] {
        &mut self.ranks
    }

    pub(crate) fn next_wake(&self) -> Instant {
        let ranks = self.wakes.iter().copied().min();
        let filled = self.nic_queues.iter().filter(|queue| !queue.is_empty());
        let free = filled.map(|queue| queue.free).min();
        let never = Instant::NEVER;
        let there = self.memory.as_ref().map_or(never, |memory| memory.next());
        ranks.unwrap_or(never).min(free.unwrap_or(never)).min(there)
    }

    pub(crate) fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        self.take_out_of_memory(now);
        let mut sent = std::mem::take(&mut self.sent);
        while let Some(index) = self.wakes.iter().position(|&wake| wake <= now) {
            let mut recorder = SendRecorder {
                sent: &mut sent,
                nic: &*nic,
            };
            self.ranks[index].wake(now, &mut recorder);
            self.wakes[index] = self.ranks[index].next_wake();
            for message in sent.drain(..) {
                self.forward(now, index, message, nic);
            }
        }
        self.sent = sent;
        for queue in &mut self.nic_queues {
            queue.serve(now, self.nic.rate, nic);
        }
    }

    /// Where a message of a rank goes.
    fn forward(&mut self, now: Instant, rank: usize, message: Message, nic: &mut impl Nic) {
        let own = self.nic.beside(self.node);
        if message.target == self.node || own.contains(&message.target) {
            return self.go_through_memory(now, message);
        }
        let entry = self.entries[rank];
        let message = Message {
            sender: u16::from(entry.local_rank),
            job: entry.job,
            ..message
        };
        let nics = self.nic_queues.len();
        let parts = self.nic.parts(self.node, message.target, &message);
        if parts == 1 {
            return self.leave(rank, usize::from(entry.local_rank) % nics, message, nic);
        }
        let targets = self.nic.beside(message.target).to_vec();
        let whole = u128::from(message.bytes);
        let up_to = |part: usize| whole * part as u128 / parts as u128;
        for (part, target) in targets.into_iter().take(parts).enumerate() {
            let bytes = u64::try_from(up_to(part + 1) - up_to(part)).unwrap_or(u64::MAX);
            // A get waits at the NIC that asked.
            let role = match message.role {
                Role::Data if target != message.target => Role::Part,
                role => role,
            };
            let part_of = Message {
                target,
                bytes: bytes.max(1),
                role,
                ..message
            };
            self.leave(rank, part, part_of, nic);
        }
    }

    /// The way of a message inside of the node has ended; its memory may not be done with it.
    fn go_through_memory(&mut self, now: Instant, message: Message) {
        let envelope = Envelope::decode(&message.header);
        let Some(memory) = &mut self.memory else {
            return self.receive(now, &message);
        };
        if !envelope.kind.carries_payload() {
            return self.receive(now, &message);
        }
        let at = memory.there_at(now, envelope.bytes);
        if at <= now {
            return self.receive(now, &message);
        }
        memory.on_the_way.push_back((at, message));
        if let Some(index) = self.index_of(header::local_rank(&message.header)) {
            self.ranks[index].note_memory(at - now);
        }
    }

    /// What the memory is done with at `now` has arrived.
    fn take_out_of_memory(&mut self, now: Instant) {
        while let Some(memory) = self.memory.as_mut().filter(|memory| memory.next() <= now)
            && let Some((_, message)) = memory.on_the_way.pop_front()
        {
            self.receive(now, &message);
        }
    }

    /// A message of a rank leaves by one of the NICs, or waits for it.
    fn leave(&mut self, rank: usize, by: usize, message: Message, nic: &mut impl Nic) {
        let message = Message {
            nic: u8::try_from(by).unwrap_or(u8::MAX),
            ..message
        };
        if self.nic.queues > 1 || self.ranks.len() == 1 {
            nic.send(message);
        } else {
            let queue = &mut self.nic_queues[by];
            queue.queues[rank].push_back(message);
            queue.waiting += 1;
        }
    }

    pub(crate) fn deliver(&mut self, now: Instant, message: &Message) {
        let parts = self.nic.parts(self.node, message.source, message);
        if parts == 1 {
            return self.receive(now, message);
        }
        let from = self.nic.beside(message.source)[0];
        let key = (from, message.header);
        let (count, bytes) = self.parts.entry(key).or_default();
        *count += 1;
        *bytes += message.bytes;
        if *count == parts {
            let whole = Message {
                bytes: *bytes,
                ..*message
            };
            self.parts.remove(&key);
            self.receive(now, &whole);
        }
    }

    /// A whole message is there.
    fn receive(&mut self, now: Instant, message: &Message) {
        let Some(index) = self.index_of(header::local_rank(&message.header)) else {
            unreachable!("nobody sends to a rank that is not there");
        };
        self.ranks[index].deliver(now, message);
        self.wakes[index] = self.ranks[index].next_wake();
    }

    fn index_of(&self, local_rank: u8) -> Option<usize> {
        let found = self
            .entries
            .binary_search_by_key(&local_rank, |one| one.local_rank);
        found.ok()
    }

    /// The rank with a local rank.
    pub(crate) fn rank_at(&self, local_rank: u8) -> Option<&MpiRank> {
        self.index_of(local_rank).map(|index| &self.ranks[index])
    }

    /// The rank with a local rank, before it begins.
    pub(crate) fn rank_at_mut(&mut self, local_rank: u8) -> Option<&mut MpiRank> {
        self.index_of(local_rank)
            .map(|index| &mut self.ranks[index])
    }

    /// The job of the rank with a local rank.
    pub(crate) fn job_at(&self, local_rank: u8) -> Option<u8> {
        self.index_of(local_rank)
            .map(|index| self.entries[index].job)
    }

    pub(crate) fn is_finished(&self) -> bool {
        let ranks = self.ranks.iter().zip(&self.entries);
        let awaited = ranks.filter(|(_, entry)| entry.is_goal);
        awaited.map(|(rank, _)| rank).all(Endpoint::is_finished)
    }
}

impl NicQueue {
    const fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Gives the NIC what it can take.
    fn serve(&mut self, now: Instant, rate: Bandwidth, nic: &mut impl Nic) {
        let queues = self.queues.len();
        while self.waiting > 0 && self.free <= now {
            let mut turns = (0..queues).map(|ahead| (self.turn + ahead) % queues);
            let Some(index) = turns.find(|&index| !self.queues[index].is_empty()) else {
                return;
            };
            let Some(message) = self.queues[index].pop_front() else {
                return;
            };
            self.waiting -= 1;
            self.turn = (index + 1) % queues;
            let span = rate.serialization(message.bytes).max(Span::from_ps(1));
            self.free = now + span;
            nic.send(message);
        }
    }
}
