//! The NIC of a node: injection on one side, arrival of messages on the other.
//!
//! NICs run first in a window, up to its end less the way into the router. What the router does
//! in the same window reaches them later than that.

use std::collections::VecDeque;

use odonata_units::{Instant, NodeId};

use crate::block::{Arrived, Context, State};
use crate::endpoint::{Endpoint, Message, Nic};
use crate::packet::Packet;
use crate::shared::Shared;
use odonata_topology::LinkKind;

const NEVER: u64 = u64::MAX;

/// The part of a NIC that every packet touches.
#[derive(Debug)]
pub(crate) struct NicState {
    /// Nothing happens at this node before.
    pub(crate) earliest: u64,
    /// End of the packet sent last.
    free_at: u64,
    /// Flits that may be sent.
    credits: u32,
    /// Counts packets sent.
    sequence: u32,
    /// Credits to come: instant and flits, ascending.
    pending: VecDeque<(u64, u16)>,
    /// Router within the block, and its port.
    router: u32,
    port: u8,
    /// The run goes on until its endpoint is finished.
    pub(crate) is_goal: bool,
    pub(crate) packets_received: u64,
    pub(crate) hops_received: u64,
    pub(crate) bytes_sent: u64,
}

/// The part that only messages touch.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    /// Message being sent.
    current: Option<Current>,
    /// Handed over and not begun.
    waiting: VecDeque<(Instant, Message)>,
    /// Starts of the packets of handed-over messages, by packet number modulo the buffer.
    starts: Vec<u64>,
    handed_packets: u64,
    /// Expected messages.
    incoming: Vec<Incoming>,
    /// Complete messages for the endpoint, in order.
    arrived: Vec<Arrived>,
    was_finished: bool,
    /// Endpoint calls never go back in time.
    clock: u64,
}

#[derive(Clone, Copy, Debug)]
struct Current {
    message: Message,
    /// Payload not yet cut into packets.
    left: u64,
    /// Instant from which the next packet exists.
    exists: u64,
    pulled: bool,
}

/// A message whose packets are on their way to `message.target`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    first_sequence: u32,
    packets: u32,
    left: u32,
    latest: Instant,
    message: Message,
}

impl Queues {
    /// Whether this node still has to create an open-loop message before `end`.
    pub(crate) fn creates_before(&self, end: Instant) -> bool {
        self.current
            .is_some_and(|current| current.pulled && current.exists < end.ps())
    }
}

impl NicState {
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    pub(crate) fn new(shared: &Shared, node: usize) -> Self {
        Self {
            router: (node / shared.hosts) as u32,
            port: (node % shared.hosts) as u8,
            is_goal: false,
            earliest: 0,
            free_at: 0,
            credits: shared.parameters.input_buffer_flits[0],
            sequence: 0,
            pending: VecDeque::new(),
            packets_received: 0,
            hops_received: 0,
            bytes_sent: 0,
        }
    }

    /// Credits usable from `at` on. Ports catch up in any order, so they may come out of order.
    #[inline]
    pub(crate) fn credit(&mut self, shared: &Shared, at: u64, flits: u16) {
        if self.credits >= shared.ample_nic_credits {
            self.credits += u32::from(flits);
            return;
        }
        let mut place = self.pending.len();
        while place > 0 && self.pending[place - 1].0 > at {
            place -= 1;
        }
        if place == self.pending.len() {
            self.pending.push_back((at, flits));
        } else {
            self.pending.insert(place, (at, flits));
        }
        self.earliest = self.earliest.min(at);
    }

    /// Takes in credits usable at `now`.
    #[inline]
    fn take_credits(&mut self, now: u64) {
        while let Some((at, flits)) = self.pending.front() {
            if *at > now {
                break;
            }
            self.credits += u32::from(*flits);
            self.pending.pop_front();
        }
    }

    /// Start of a packet of `flits` that exists from `exists` on, as far as known credits tell.
    #[inline]
    fn start_of(&mut self, exists: u64, flits: u32, wake: u64) -> Option<u64> {
        let begin = if exists < self.free_at {
            self.free_at
        } else {
            exists + wake
        };
        if self.credits >= flits {
            return Some(begin);
        }
        self.take_credits(begin);
        let mut credits = self.credits;
        if credits >= flits {
            return Some(begin);
        }
        for (at, more) in &self.pending {
            credits += u32::from(*more);
            if credits >= flits {
                return Some(at + wake);
            }
        }
        None
    }
}

/// Collects what an endpoint sends.
struct Outgoing<'a> {
    now: Instant,
    source: NodeId,
    waiting: &'a mut VecDeque<(Instant, Message)>,
}

impl Nic for Outgoing<'_> {
    fn send(&mut self, message: Message) {
        debug_assert!(message.bytes > 0 && message.target != self.source);
        self.waiting.push_back((
            self.now,
            Message {
                source: self.source,
                ..message
            },
        ));
    }
}

impl<E: Endpoint> State<E> {
    /// Asks a new endpoint for its first wish.
    pub(crate) fn start_node(&mut self, shared: &Shared, node: usize) {
        let is_goal = shared.observe.nodes[self.node(node).index()].is_goal;
        self.nics[node].is_goal = is_goal;
        let endpoint = &mut self.endpoints[node];
        let queue = &mut self.queues[node];
        queue.was_finished = endpoint.is_finished();
        if is_goal && !queue.was_finished {
            self.unfinished += 1;
        }
        if let Some((created, message)) = endpoint.pull() {
            let source = self.node(node);
            self.begin_pulled(shared, node, created, Message { source, ..message });
        }
        let wake = self.endpoints[node].next_wake().ps();
        let packet = self.queues[node]
            .current
            .map_or(NEVER, |current| current.exists);
        self.nics[node].earliest = wake.min(packet);
    }

    fn begin_pulled(&mut self, shared: &Shared, node: usize, created: Instant, message: Message) {
        if let Some(window) = shared.observe.measure
            && (window.from..window.to).contains(&created)
        {
            let payload = u64::from(shared.parameters.payload_bytes());
            // Most messages are one packet, and a division takes its time.
            let is_one = message.bytes <= payload;
            let packets = if is_one {
                1
            } else {
                message.bytes.div_ceil(payload)
            };
            self.outstanding += i64::try_from(packets).unwrap_or(i64::MAX);
        }
        self.queues[node].current = Some(Current {
            message,
            left: message.bytes,
            exists: created.ps(),
            pulled: true,
        });
    }

    /// Everything that happens at `node` before `end`, in order: arrivals, wakes, injection.
    pub(crate) fn advance_node(&mut self, context: &mut Context<'_>, node: usize, end: u64) {
        loop {
            let arrival = self.queues[node]
                .arrived
                .first()
                .map_or(NEVER, |one| one.at.ps());
            let wake = self.endpoints[node].next_wake().ps();
            let packet = self.next_packet(context.shared, node);
            let start = packet.map_or(NEVER, |(start, _)| start);
            let clock = self.queues[node].clock;
            let now = arrival.min(wake.max(clock)).min(start);
            if now >= end {
                self.nics[node].earliest = now;
                return;
            }
            if arrival == now {
                let one = self.queues[node].arrived.remove(0);
                self.goal_messages -= i64::from(self.nics[node].is_goal);
                self.endpoints[node].deliver(one.at, &one.message);
            } else if wake.max(clock) == now {
                self.queues[node].clock = now;
                let source = self.node(node);
                let waiting = &mut self.queues[node].waiting;
                let before = waiting.len();
                let now = Instant::from_ps(now);
                self.endpoints[node].wake(
                    now,
                    &mut Outgoing {
                        now,
                        source,
                        waiting,
                    },
                );
                if self.nics[node].is_goal {
                    let handed = self.queues[node].waiting.len() - before;
                    self.goal_messages += i64::try_from(handed).unwrap_or(i64::MAX);
                }
            } else {
                if let Some((start, bytes)) = packet {
                    self.inject(context, node, start, bytes);
                }
                continue;
            }
            self.note_call(node);
        }
    }

    /// The endpoint of `node` was called.
    fn note_call(&mut self, node: usize) {
        let is_goal = self.nics[node].is_goal;
        self.work += 1;
        let queue = &mut self.queues[node];
        if !queue.was_finished && self.endpoints[node].is_finished() {
            queue.was_finished = true;
            self.unfinished -= i64::from(is_goal);
        }
    }

    /// Start and bytes of the next packet of `node`, as far as known; begins the next message.
    #[inline]
    fn next_packet(&mut self, shared: &Shared, node: usize) -> Option<(u64, u32)> {
        let queue = &mut self.queues[node];
        if queue.current.is_none() {
            let (at, message) = queue.waiting.pop_front()?;
            let exists = queue.creation(shared, at.ps());
            let current = Current {
                message,
                left: message.bytes,
                exists,
                pulled: false,
            };
            queue.current = Some(current);
        }
        let current = queue.current.as_ref()?;
        let bytes = packet_bytes(shared, current.left);
        let flits = shared.flits(bytes);
        let wake = shared.times.wake_up[LinkKind::Host as usize];
        let start = self.nics[node].start_of(current.exists, flits, wake)?;
        Some((start, bytes))
    }

    /// Starts the next packet of the current message of `node` at `start`.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a packet is at most 65,535 bytes"
    )]
    fn inject(&mut self, context: &mut Context<'_>, node: usize, start: u64, bytes: u32) {
        let shared = context.shared;
        let source = self.node(node);
        let queue = &mut self.queues[node];
        let Some(current) = queue.current.as_mut() else {
            return;
        };
        let nic = &mut self.nics[node];
        let flits = shared.flits(bytes) as u16;
        if !nic.pending.is_empty() {
            nic.take_credits(start);
        }
        debug_assert!(nic.credits >= u32::from(flits));
        nic.credits -= u32::from(flits);
        let times = shared.times.hop(LinkKind::Host, flits);
        nic.free_at = start + times.serialization;
        let job = shared.observe.nodes[source.index()].job;
        let created = Instant::from_ps(current.exists);
        let mut packet = Packet::new((source, current.message.target), created, job);
        packet.sequence = nic.sequence;
        packet.flits = flits;
        packet.bytes = bytes as u16;
        packet.in_port = nic.port;
        let router = nic.router as usize;
        nic.sequence = nic.sequence.wrapping_add(1);
        nic.bytes_sent += u64::from(bytes);
        let pulled = current.pulled;
        let is_first = current.left == current.message.bytes;
        current.left -= u64::from(bytes - shared.parameters.header_bytes);
        let is_last = current.left == 0;
        self.book_injection(context, &packet, (start, pulled));
        if !pulled {
            self.follow_handed(context, node, &packet, (start, is_first, is_last));
        } else if is_last {
            match self.endpoints[node].pull() {
                Some((created, message)) => {
                    self.begin_pulled(shared, node, created, Message { source, ..message });
                }
                None => self.queues[node].current = None,
            }
        }
        let entry = start + times.entry;
        packet.link = shared.offset(entry);
        self.post_packet(shared, context.spares, (router, entry), packet);
    }

    /// What else the start of a packet of a handed-over message brings: its announcement, the
    /// creation of the next packet.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a message has fewer than 2^32 packets"
    )]
    fn follow_handed(
        &mut self,
        context: &mut Context<'_>,
        node: usize,
        packet: &Packet,
        (start, is_first, is_last): (u64, bool, bool),
    ) {
        let shared = context.shared;
        let queue = &mut self.queues[node];
        queue.note_start(shared, start);
        let Some(current) = queue.current else { return };
        if is_last {
            queue.current = None;
        } else {
            let exists = queue.creation(shared, current.exists);
            queue.current = Some(Current { exists, ..current });
        }
        if is_first {
            let message = current.message;
            let full = u64::from(shared.parameters.payload_bytes());
            let packets = message.bytes.div_ceil(full) as u32;
            let (first_sequence, latest) = (packet.sequence, Instant::ZERO);
            let left = packets;
            self.announce(
                context,
                Incoming {
                    first_sequence,
                    packets,
                    left,
                    latest,
                    message,
                },
            );
        }
    }

    fn book_injection(
        &mut self,
        context: &mut Context<'_>,
        packet: &Packet,
        (start, pulled): (u64, bool),
    ) {
        let shared = context.shared;
        let now = Instant::from_ps(start);
        self.recorder.inject(packet, now);
        let job = packet.job();
        let bytes = u64::from(packet.bytes);
        let waited = packet.age(now).ps();
        let stats = &mut *context.stats;
        stats.events += 1;
        stats.series.at(start, job).bytes_injected += bytes;
        let stats = &mut stats.jobs[job];
        stats.packets_injected += 1;
        stats.bytes_injected += bytes;
        if shared.is_measured(start - waited) {
            stats.packets_measured += 1;
            stats.queueing_sum += waited;
            if !pulled {
                self.outstanding += 1;
            }
        }
    }

    fn announce(&mut self, context: &mut Context<'_>, incoming: Incoming) {
        let target = incoming.message.target;
        let group = context.shared.topology.group_of_node(target).index();
        if group == self.group_id.index() {
            self.expect_message(incoming);
        } else {
            context.mail[group].messages.push(incoming);
            self.mailed = true;
        }
    }

    /// A message will arrive at a node of this block.
    pub(crate) fn expect_message(&mut self, incoming: Incoming) {
        let node = (incoming.message.target.0 - self.first_node) as usize;
        self.queues[node].incoming.push(incoming);
    }

    /// `packet` reaches the NIC of `node` at `at`.
    #[inline]
    pub(crate) fn deliver(
        &mut self,
        context: &mut Context<'_>,
        node: usize,
        packet: &Packet,
        at: Instant,
    ) {
        let shared = context.shared;
        self.recorder.deliver(packet, at);
        let nic = &mut self.nics[node];
        self.work += 1;
        let hops = u64::from(packet.hops);
        nic.packets_received += 1;
        nic.hops_received += hops;
        let job = packet.job();
        let bytes = u64::from(packet.bytes);
        let latency = packet.age(at).ps();
        context.stats.packet_hops += hops;
        let bin = context.stats.series.at(at.ps(), job);
        bin.bytes_delivered += bytes;
        bin.packets_delivered += 1;
        bin.latency_sum += latency;
        let stats = &mut context.stats.jobs[job];
        stats.packets_delivered += 1;
        stats.bytes_delivered += bytes;
        if shared.is_measured(at.ps()) {
            stats.window_bytes_delivered += bytes;
        }
        if shared.is_measured(at.ps() - latency) {
            stats.packets += 1;
            stats.latency_sum += latency;
            stats.latency_max = stats.latency_max.max(latency);
            stats.latency.add(latency);
            stats.hops += hops;
            stats.nonminimal += u64::from(packet.plan().is_nonminimal());
            self.outstanding -= 1;
        }
        if !self.queues[node].incoming.is_empty() {
            self.assemble(node, packet, at);
        }
    }

    /// Books a packet to the message it belongs to; a complete message awaits the endpoint.
    fn assemble(&mut self, node: usize, packet: &Packet, at: Instant) {
        let source = packet.source();
        let queue = &mut self.queues[node];
        let place = queue.incoming.iter().position(|one| {
            one.message.source == source
                && packet.sequence.wrapping_sub(one.first_sequence) < one.packets
        });
        let Some(place) = place else { return };
        let one = &mut queue.incoming[place];
        one.left -= 1;
        one.latest = one.latest.max(at);
        if one.left > 0 {
            return;
        }
        let done = queue.incoming.swap_remove(place);
        let arrived = Arrived {
            at: done.latest,
            sequence: done.first_sequence,
            message: done.message,
        };
        let key = |one: &Arrived| (one.at, one.message.source, one.sequence);
        let place = queue
            .arrived
            .partition_point(|other| key(other) <= key(&arrived));
        queue.arrived.insert(place, arrived);
        let nic = &mut self.nics[node];
        nic.earliest = nic.earliest.min(done.latest.ps());
    }
}

impl Queues {
    /// Creation of the next handed-over packet: when it gets a place in the output buffer.
    fn creation(&self, shared: &Shared, handed: u64) -> u64 {
        let buffer = u64::from(shared.parameters.nic_buffer_packets.max(1));
        if self.handed_packets < buffer {
            return handed;
        }
        let place = usize::try_from(self.handed_packets % buffer).unwrap_or(0);
        handed.max(self.starts[place])
    }

    fn note_start(&mut self, shared: &Shared, start: u64) {
        let buffer = shared.parameters.nic_buffer_packets.max(1) as usize;
        let place = usize::try_from(self.handed_packets % buffer as u64).unwrap_or(0);
        if self.starts.len() <= place {
            self.starts.resize(place + 1, 0);
        }
        self.starts[place] = start;
        self.handed_packets += 1;
    }
}

/// Bytes of the next packet of a message with `left` bytes of payload.
#[inline]
fn packet_bytes(shared: &Shared, left: u64) -> u32 {
    let full = shared.parameters.payload_bytes();
    let payload = u32::try_from(left).unwrap_or(u32::MAX).min(full);
    payload + shared.parameters.header_bytes
}
