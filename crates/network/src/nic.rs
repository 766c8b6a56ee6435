//! The NIC of a node: injection on one side, arrival of messages on the other.
//!
//! NICs run first in a window, up to its end less the way into the router. What the router does
//! in the same window reaches them later than that.

use odonata_units::{Instant, NodeId, Span};

use crate::block::{Arrived, Context, State};
use crate::endpoint::{Endpoint, Message, Nic};
use crate::lane::{Current, Due, SendLane};
use crate::packet::{Birth, Packet};
use crate::shared::Shared;
use crate::view::View;
use odonata_topology::LinkKind;

const NEVER: u64 = u64::MAX;

/// The part of a NIC that every packet touches.
#[derive(Debug)]
pub(crate) struct NicState {
    /// Nothing happens at this node before.
    pub(crate) earliest: u64,
    /// End of the packet sent last.
    pub(crate) free_at: u64,
    /// Router within the block, and its port.
    router: u32,
    port: u8,
    /// The run goes on until its endpoint is finished.
    pub(crate) is_goal: bool,
    /// Bit `c`: a response was served last in class `c`.
    pub(crate) last_responses: u8,
    pub(crate) packets_received: u64,
    pub(crate) hops_received: u64,
    pub(crate) bytes_sent: u64,
}

/// The part that only messages touch.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    /// Expected messages.
    incoming: Vec<Incoming>,
    /// Complete messages for the endpoint, in order.
    arrived: Vec<Arrived>,
    was_finished: bool,
    /// Endpoint calls never go back in time.
    clock: u64,
}

/// A message whose packets are on their way to `message.target`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    first_sequence: u32,
    packets: u64,
    left: u64,
    latest: Instant,
    message: Message,
}

impl Incoming {
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

impl NicState {
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    pub(crate) const fn new(router: usize, port: usize) -> Self {
        Self {
            router: router as u32,
            port: port as u8,
            is_goal: false,
            earliest: 0,
            free_at: 0,
            last_responses: 0,
            packets_received: 0,
            hops_received: 0,
            bytes_sent: 0,
        }
    }
}

/// Collects what an endpoint sends.
struct Outgoing<'a> {
    now: Instant,
    source: NodeId,
    shared: &'a Shared,
    /// From the first lane of the node on.
    lanes: &'a mut [SendLane],
    handed: i64,
}

impl Nic for Outgoing<'_> {
    fn send(&mut self, message: Message) {
        debug_assert!(message.bytes > 0 && message.target != self.source);
        let source = self.source;
        let lane = self.shared.request_lane(message.class);
        let message = Message { source, ..message };
        self.lanes[lane].waiting.push_back((self.now, message));
        self.handed += 1;
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
        let lanes = node * shared.nic_lanes..(node + 1) * shared.nic_lanes;
        let packet = self.send_lanes[lanes].iter().filter_map(SendLane::exists);
        self.nics[node].earliest = packet.fold(wake, u64::min);
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
        let lane = node * shared.nic_lanes + shared.request_lane(message.class);
        self.send_lanes[lane].current = Some(Current {
            message,
            left: message.bytes,
            exists: created.ps(),
            pulled: true,
        });
    }

    /// Everything that happens at `node` before `end`, in order: arrivals, wakes, injection.
    pub(crate) fn advance_node<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        node: usize,
        end: u64,
    ) {
        loop {
            let arrival = self.queues[node]
                .arrived
                .first()
                .map_or(NEVER, |one| one.at.ps());
            let wake = self.endpoints[node].next_wake().ps();
            let packet = self.next_packet(context.shared, node);
            let start = packet.map_or(NEVER, |due| due.start);
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
                let shared = context.shared;
                let now = Instant::from_ps(now);
                let mut outgoing = Outgoing {
                    now,
                    source: self.node(node),
                    shared: &shared,
                    lanes: &mut self.send_lanes[node * shared.nic_lanes()..],
                    handed: 0,
                };
                self.endpoints[node].wake(now, &mut outgoing);
                if self.nics[node].is_goal {
                    self.goal_messages += outgoing.handed;
                }
            } else {
                if let Some(due) = packet {
                    self.inject(context, node, due);
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

    /// Starts the packet of `node` that is due.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a packet is at most 65,535 bytes, a router has at most 32 VCs"
    )]
    fn inject<const RICH: bool>(&mut self, context: &mut Context<'_, RICH>, node: usize, due: Due) {
        let shared = context.shared;
        let Due { start, lane, bytes } = due;
        let place = node * shared.nic_lanes() + lane;
        let flits = shared.flits(bytes) as u16;
        let times = shared.times.hop(LinkKind::Host, flits);
        self.nics[node].free_at = start + times.serialization;
        self.send_lanes[place].take_credits(start, u32::from(flits));
        let mut packet = if shared.is_response_lane(lane) {
            self.respond(context, node, place, start)
        } else {
            self.request(context, node, place, due)
        };
        let nic = &self.nics[node];
        packet.flits = flits;
        packet.bytes = bytes as u16;
        packet.in_port = nic.port;
        packet.vc = if RICH { shared.lane_vc(lane) } else { 0 };
        let router = nic.router as usize;
        if shared.nic_lanes() > 1 {
            self.note_lane(shared, node, (due, times.serialization));
        }
        self.recorder.inject(&packet, Instant::from_ps(start));
        let entry = start + times.entry;
        packet.link = shared.offset(entry);
        self.post_packet(&shared, context.spares, (router, entry), packet);
    }

    /// The next packet of the message that the lane at `place` is sending.
    #[inline(always)]
    fn request<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        node: usize,
        place: usize,
        due: Due,
    ) -> Packet {
        let shared = context.shared;
        let Due { start, bytes, .. } = due;
        let source = self.node(node);
        let lane = &mut self.send_lanes[place];
        let Some(current) = lane.current.as_mut() else {
            unreachable!("a lane that is due sends a message");
        };
        let job = shared.observe.nodes[source.index()].job;
        let created = Instant::from_ps(current.exists);
        let birth = Birth {
            created,
            now: Instant::from_ps(start),
            is_measured: shared.is_measured(created.ps()),
        };
        let mut packet = Packet::new((source, current.message.target), birth, job);
        packet.set_mode(current.message.mode);
        let (pulled, is_first) = (current.pulled, current.left == current.message.bytes);
        current.left -= u64::from(bytes - shared.parameters.header_bytes);
        let is_last = current.left == 0;
        packet.sequence = lane.next_sequence();
        self.nics[node].bytes_sent += u64::from(bytes);
        let waited = start - created.ps();
        self.book_injection(context, &packet, (start, waited), (bytes, pulled));
        if RICH && shared.parameters.outstanding > 0 {
            self.unanswered[node].start(start);
        }
        if !pulled {
            if is_first && let Some(current) = &self.send_lanes[place].current {
                let message = current.message;
                self.announce_message(context, packet.sequence, message);
            }
            self.send_lanes[place].follow_handed(&shared, (start, is_last));
        } else if is_last {
            self.send_lanes[place].current = None;
            if let Some((created, message)) = self.endpoints[node].pull() {
                self.begin_pulled(&shared, node, created, Message { source, ..message });
            }
        }
        packet
    }

    /// What follows once a packet of a message is the first one: its receiver is told.
    fn announce_message<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        first_sequence: u32,
        message: Message,
    ) {
        let full = u64::from(context.shared.parameters.payload_bytes());
        let packets = message.bytes.div_ceil(full);
        let incoming = Incoming {
            first_sequence,
            packets,
            left: packets,
            latest: Instant::ZERO,
            message,
        };
        self.announce(context, incoming);
    }

    fn book_injection<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        packet: &Packet,
        (start, waited): (u64, u64),
        (bytes, pulled): (u32, bool),
    ) {
        let job = packet.job();
        let bytes = u64::from(bytes);
        let stats = &mut *context.stats;
        stats.events += 1;
        stats.series.at(start, job).bytes_injected += bytes;
        let stats = &mut stats.jobs[job];
        stats.packets_injected += 1;
        stats.bytes_injected += bytes;
        if packet.is_measured() {
            stats.packets_measured += 1;
            stats.queueing_sum += u128::from(waited);
            if !pulled {
                self.outstanding += 1;
            }
        }
    }

    fn announce<const RICH: bool>(&mut self, context: &mut Context<'_, RICH>, incoming: Incoming) {
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

    /// `packet` starts towards the NIC of `node` and reaches it after `delay` ps.
    #[inline]
    pub(crate) fn deliver<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        node: usize,
        packet: &Packet,
        (start, delay): (Instant, u64),
    ) {
        let shared = context.shared;
        let at = start + Span::from_ps(delay);
        // The way to the NIC may be longer than what a stamp can tell.
        let latency = packet.age(start).ps() + delay;
        self.recorder.deliver(packet, at, latency);
        if shared.has_responses() && self.meet_response(context, node, packet, (at, latency)) {
            return;
        }
        let nic = &mut self.nics[node];
        self.work += 1;
        let hops = u64::from(packet.hops);
        nic.packets_received += 1;
        nic.hops_received += hops;
        let job = packet.job();
        let bytes = u64::from(packet.bytes);
        context.stats.packet_hops += hops;
        let bin = context.stats.series.at(at.ps(), job);
        bin.bytes_delivered += bytes;
        bin.packets_delivered += 1;
        bin.latency_sum += u128::from(latency);
        let nonminimal = u64::from(packet.plan().is_nonminimal());
        bin.nonminimal += nonminimal;
        let stats = &mut context.stats.jobs[job];
        stats.packets_delivered += 1;
        stats.bytes_delivered += bytes;
        if shared.is_measured(at.ps()) {
            stats.window_bytes_delivered += bytes;
        }
        if packet.is_measured() {
            stats.packets += 1;
            stats.latency_sum += u128::from(latency);
            stats.latency_max = stats.latency_max.max(latency);
            stats.latency.add(latency);
            stats.hops += hops;
            stats.nonminimal += nonminimal;
            self.outstanding -= 1;
        }
        if !self.queues[node].incoming.is_empty() {
            self.assemble(shared, node, packet, at);
        }
    }

    /// Books a packet to the message it belongs to; a complete message awaits the endpoint.
    fn assemble<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        node: usize,
        packet: &Packet,
        at: Instant,
    ) {
        let source = packet.source();
        let lane = shared.lane(packet.vc);
        let queue = &mut self.queues[node];
        let place = queue.incoming.iter().position(|one| {
            one.message.source == source
                && (!RICH || shared.request_lane(one.message.class) == lane)
                && one.holds(packet.sequence)
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
