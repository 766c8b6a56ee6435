//! A node: its endpoint and its NIC, injection on one side, arrival of messages on the other.
//!
//! Nodes run first in a window, up to its end less the way into the router. What the router does
//! in the same window reaches them later than that.

use std::collections::VecDeque;

use odonata_telemetry::{Injection, NicStall, Probe};
use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Span};

use crate::classes::{ClassChannel, Monitors, next_class};
use crate::features::Features;
use crate::inbox::{Inbox, Incoming};
use crate::outbox::{GroupTotals, Outbox};
use crate::packet::{Birth, Credit, Packet};
use crate::send_queue::{Current, MessageState, OutstandingRequests, Response, SendQueues};
use crate::shared::Shared;
use odonata_endpoint::{Endpoint, Message, NicCounters, Role};

mod arrival;
mod outgoing;
pub(crate) mod together;

use outgoing::{Outgoing, SentCounts, is_goal};

/// The one channel of a NIC, in its monitors.
const HOST_CHANNEL: usize = 0;

/// A node, and who uses it.
///
/// What every packet touches comes first, and together: the nodes of a group do not fit the first
/// cache, so that each line of 64 bytes that a packet touches has to be fetched. The first line says
/// what comes next, the second is of the lane (see [`SendQueue`](crate::send_queue::SendQueue)), the fourth says who it is.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Node<E> {
    /// End of the packet sent last.
    free_at: Instant,
    /// Endpoint calls never go back in time.
    clock: Instant,
    /// When the endpoint wants to be woken.
    wake: Instant,
    /// When the next message is complete; never if none is.
    arrival: Instant,
    /// What starts next, as far as known; found again when it is stale.
    due: Due,
    /// `[class * networks + network]`.
    queues: SendQueues,
    id: NodeId,
    /// Router within the group, and its port.
    router: u16,
    port: u8,
    /// Job its packets are booked to.
    job: u8,
    is_stale: bool,
    /// The run goes on until its endpoint is finished.
    is_goal: bool,
    is_finished: bool,
    /// Several jobs use it: each message says whose it is.
    is_shared: bool,
    /// Bit `c`: a response was served last in class `c`.
    last_responses: u8,
    sent: SentCounts,
    pub(crate) endpoint: E,
    inbox: Inbox,
    /// What it has counted, without `sent`.
    counters: NicCounters,
    /// Only where something is answered or shared.
    extension: Option<Box<NicExtension>>,
}

/// What a NIC has where packets are answered, or several classes share it.
#[derive(Debug, Default)]
struct NicExtension {
    /// `[class]`; empty without responses.
    responses: Vec<VecDeque<Response>>,
    /// Flits of responses started.
    flits: u64,
    outstanding: OutstandingRequests,
    /// Round trips whose responses are delivered and not yet counted, by delivery.
    round_trips: VecDeque<(Instant, Span)>,
    monitors: Monitors,
}

/// A packet that could start; never if there is none, or nobody knows when.
#[derive(Clone, Copy, Debug)]
struct Due {
    start: Instant,
    /// Since when the packet exists.
    exists: Instant,
    /// When it could have started but for credits and answers.
    begin: Instant,
    bytes: u16,
    flits: u16,
    queue: u8,
    /// It is the response to another packet.
    is_response: bool,
    cause: NicStall,
}

impl Due {
    const NOTHING: Self = Self {
        start: Instant::NEVER,
        exists: Instant::NEVER,
        begin: Instant::NEVER,
        bytes: 0,
        flits: 0,
        queue: 0,
        is_response: false,
        cause: NicStall::Credits,
    };

    /// The send queue it comes from; known to the compiler where there is but one.
    #[inline(always)]
    fn queue<F: Features>(&self, shared: &Shared) -> usize {
        if shared.equipment.send_queues::<F>() == 1 {
            0
        } else {
            usize::from(self.queue)
        }
    }
}

impl<E: Endpoint> Node<E> {
    /// Node `id` at `port` of router `router` of its group; asks its endpoint for its first wake.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a radix is at most 255, ids have 24 bits"
    )]
    pub(crate) fn new(
        shared: &Shared,
        id: NodeId,
        (router, port): (usize, usize),
        endpoint: E,
        totals: &mut GroupTotals,
    ) -> Self {
        let used = shared.observe.nodes[id.index()];
        let classes = shared.class_policy.classes;
        let has_responses = shared.parameters.response_bytes > 0;
        let queues = classes * (1 + usize::from(has_responses));
        let mut node = Self {
            free_at: Instant::ZERO,
            clock: Instant::ZERO,
            wake: Instant::NEVER,
            arrival: Instant::NEVER,
            id,
            router: router as u16,
            port: port as u8,
            job: used.job,
            is_goal: used.is_goal,
            is_finished: endpoint.is_finished(),
            is_shared: (shared.observe.sharing.by_jobs.get(id.index()))
                .is_some_and(|shared| *shared),
            last_responses: 0,
            due: Due::NOTHING,
            is_stale: true,
            queues: SendQueues::new(shared, queues),
            sent: SentCounts::default(),
            endpoint,
            inbox: Inbox::default(),
            counters: NicCounters::default(),
            extension: (queues > 1 || shared.parameters.outstanding > 0).then(|| {
                Box::new(NicExtension {
                    responses: (0..if has_responses { classes } else { 0 })
                        .map(|_| VecDeque::new())
                        .collect(),
                    monitors: Monitors::new(&shared.class_policy, 1),
                    ..NicExtension::default()
                })
            }),
        };
        totals.unfinished += i64::from(node.is_goal && !node.is_finished);
        if let Some((created, message)) = node.endpoint.pull() {
            let queue = usize::from(message.class) * (1 + usize::from(has_responses));
            node.begin_pulled(shared, queue, (created, message), totals);
        }
        node.note_wake(totals);
        node
    }

    /// Nothing happens at this node, which is new, before.
    pub(crate) fn begins(&self) -> Instant {
        let pulled = self.queues.iter().filter_map(|queue| queue.current);
        pulled.fold(self.wake, |first, one| first.min(one.exists))
    }

    fn begin_pulled(
        &mut self,
        shared: &Shared,
        queue: usize,
        (created, message): (Instant, Message),
        totals: &mut GroupTotals,
    ) {
        if shared.observe.measure.is_some() && shared.is_measured(created) {
            totals.measured_undelivered +=
                i64::try_from(shared.packets_of(message.bytes)).unwrap_or(i64::MAX);
        }
        self.queues[queue].current = Some(Current {
            target: message.target,
            left: message.bytes,
            exists: created,
            mode: message.mode,
            job: self.job,
            state: MessageState::Pulled,
            role: Role::Request,
        });
    }

    /// A message will arrive at this node.
    pub(crate) fn expect(&mut self, incoming: Incoming) {
        self.inbox.expect(incoming);
    }

    /// Whether an open-loop message is still to be created before `end`.
    pub(crate) fn creates_before(&self, end: Instant) -> bool {
        self.queues.iter().any(|queue| queue.creates_before(end))
    }

    /// Everything that happens at this node before `end`, in order: arrivals, wakes, injection.
    /// Returns the instant before which nothing more does, as far as known.
    pub(crate) fn advance<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        end: Instant,
    ) -> Instant {
        loop {
            let arrival = self.arrival;
            let wake = self.wake.max(self.clock);
            let start = self.next_start::<F>(out.shared);
            let now = arrival.min(wake).min(start);
            if now >= end {
                return now;
            }
            if arrival == now {
                let message = self.take_message();
                out.totals.goal_messages -= i64::from(self.waits_for(out.shared, &message));
                self.endpoint.deliver(now, &message);
            } else if wake == now {
                self.wake(out, now);
            } else {
                self.inject(out);
                continue;
            }
            self.note_call(out.totals);
        }
    }

    /// Takes the message that is complete.
    fn take_message(&mut self) -> Message {
        let message = self.inbox.take();
        self.arrival = self.inbox.next();
        message
    }

    /// What it has counted.
    fn counted(&self) -> NicCounters {
        let response_flits = self.extension.as_ref().map_or(0, |one| one.flits);
        self.sent.with(response_flits, &self.counters)
    }

    /// What it has where something is answered or shared.
    fn extension(&mut self) -> &mut NicExtension {
        self.extension.get_or_insert_default()
    }

    /// Whether the run waits for a message that arrives here.
    fn waits_for(&self, shared: &Shared, message: &Message) -> bool {
        if self.is_shared {
            is_goal(&shared.observe.sharing.goals, message)
        } else {
            self.is_goal
        }
    }

    /// Calls the endpoint at `now`.
    fn wake<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>, now: Instant) {
        self.count_round_trips(now);
        self.wake_with(out, now, &[]);
    }

    /// The same, whose other NICs have counted `beside`.
    fn wake_with<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        now: Instant,
        beside: &[NicCounters],
    ) {
        self.clock = now;
        let mut outgoing = Outgoing {
            now,
            source: self.id,
            networks: out.shared.equipment.networks::<F>(),
            has_data: out.shared.equipment.has_data::<F>(),
            turns: out.shared.parameters.nic_queues,
            queues: &mut self.queues,
            elsewhere: &mut out.elsewhere,
            sent: self.sent,
            response_flits: self.extension.as_ref().map_or(0, |one| one.flits),
            counters: &self.counters,
            beside,
            probe: &mut *out.probe,
            job: (!self.is_shared).then_some(self.job),
            goals: &out.shared.observe.sharing.goals,
            handed: 0,
        };
        self.endpoint.wake(now, &mut outgoing);
        self.is_stale = true;
        if self.is_goal || self.is_shared {
            out.totals.goal_messages += outgoing.handed;
        }
    }

    /// The endpoint was called.
    fn note_call(&mut self, totals: &mut GroupTotals) {
        totals.calls += 1;
        if !self.is_finished && self.endpoint.is_finished() {
            self.is_finished = true;
            totals.unfinished -= i64::from(self.is_goal);
        }
        self.note_wake(totals);
    }

    /// Asks when the endpoint wants to be woken; keeps count of the goals that know.
    #[inline]
    fn note_wake(&mut self, totals: &mut GroupTotals) {
        let wake = self.endpoint.next_wake();
        if self.is_goal {
            totals.waking += i64::from(wake != Instant::NEVER);
            totals.waking -= i64::from(self.wake != Instant::NEVER);
        }
        self.wake = wake;
    }

    /// When the next packet starts, as far as known; begins messages.
    #[inline(always)]
    fn next_start<F: Features>(&mut self, shared: &Shared) -> Instant {
        if self.is_stale {
            self.is_stale = false;
            let due = if shared.equipment.send_queues::<F>() == 1 {
                self.due_on::<F>(shared, 0)
            } else {
                self.first_due::<F>(shared)
            };
            self.due = due.unwrap_or(Due::NOTHING);
        }
        self.due.start
    }

    /// The packet that starts next from one queue.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 16 send queues, a packet is at most 65,535 bytes"
    )]
    fn due_on<F: Features>(&mut self, shared: &Shared, queue: usize) -> Option<Due> {
        let (exists, bytes);
        let mut allowed_at = Instant::ZERO;
        let mut is_response = false;
        if shared.is_for_responses::<F>(queue) {
            let response = self.extension().responses[queue / 2].front();
            let response =
                response.map(|waiting| (waiting.exists, shared.parameters.response_bytes));
            let data = self.next_data::<F>(shared, queue);
            // Whatever exists first; a response before data of the same instant.
            is_response = match (response, data) {
                (Some(response), Some(data)) => response.0 <= data.0,
                (response, _) => response.is_some(),
            };
            (exists, bytes) = if is_response { response? } else { data? };
        } else {
            let current = self.queues[queue].begin(shared)?;
            (exists, bytes) = (current.exists, packet_bytes(shared, current.left));
            let is_limited = !shared.equipment.has_data::<F>()
                || current.role != Role::Get
                || current.left <= u64::from(shared.payload_bytes);
            if let Some(most) = shared.equipment.limit::<F>()
                && is_limited
            {
                allowed_at = self.extension().outstanding.allowed_at(most)?;
            }
        }
        let wake = shared.host_wake_up;
        let begin = if exists < self.free_at {
            self.free_at
        } else {
            exists.plus(wake)
        };
        let flits = shared.flits(bytes);
        let credits_at = self.queues[queue].credits_at(flits)?;
        let suffices = allowed_at.max(credits_at);
        let cause = if allowed_at > credits_at {
            NicStall::Outstanding
        } else {
            NicStall::Credits
        };
        let start = if suffices <= begin {
            begin
        } else {
            suffices.plus(wake)
        };
        Some(Due {
            start,
            exists,
            begin,
            bytes: bytes as u16,
            flits: flits as u16,
            queue: queue as u8,
            is_response,
            cause,
        })
    }

    /// Since when the next packet of data exists in a lane of responses, and its bytes.
    fn next_data<F: Features>(&mut self, shared: &Shared, queue: usize) -> Option<(Instant, u32)> {
        if !shared.equipment.has_data::<F>() {
            return None;
        }
        let current = self.queues[queue].begin(shared)?;
        Some((current.exists, packet_bytes(shared, current.left)))
    }

    /// The packet that starts next from any queue: the earliest, then by class and turn.
    fn first_due<F: Features>(&mut self, shared: &Shared) -> Option<Due> {
        let mut first = Due::NOTHING;
        let mut tied = 0_u32;
        for queue in 0..shared.equipment.send_queues::<F>() {
            let Some(due) = self.due_on::<F>(shared, queue) else {
                continue;
            };
            if due.start < first.start {
                (first, tied) = (due, 0);
            }
            if due.start == first.start {
                tied |= 1 << queue;
            }
        }
        if tied & tied.wrapping_sub(1) == 0 {
            return Some(first);
        }
        let queue = self.choose_queue::<F>(shared, tied, first.start);
        self.due_on::<F>(shared, queue)
    }

    /// Of the queues in `tied`, which could all start at `at`, the one that does.
    fn choose_queue<F: Features>(&mut self, shared: &Shared, tied: u32, at: Instant) -> usize {
        let networks = shared.equipment.networks::<F>();
        let classes = shared.equipment.classes::<F>();
        let queues_of = |class: usize| tied >> (class * networks) & ((1 << networks) - 1);
        let able = (0..classes)
            .filter(|class| queues_of(*class) != 0)
            .fold(0_u32, |able, class| able | 1 << class);
        let last = match classes {
            1 => 0,
            _ => self.extension().monitors.last_turn(HOST_CHANNEL),
        };
        // It may still turn out that something starts before.
        let monitors = &self.extension().monitors;
        let is_over = |class| {
            classes > 1 && monitors.will_be_over(&shared.class_policy, host_channel_of(class), at)
        };
        let class = next_class(able, classes, last, is_over).unwrap_or(0);
        let responded = self.last_responses & (1 << class) != 0;
        let network = match queues_of(class) {
            0b11 => usize::from(!responded),
            0b10 => 1,
            _ => 0,
        };
        class * networks + network
    }

    /// Books a start to its class and virtual network.
    fn note_turn<F: Features>(&mut self, shared: &Shared, due: Due, serialization: Span) {
        let queue = usize::from(due.queue);
        let class = queue / shared.equipment.networks::<F>();
        let bit = 1 << class;
        self.last_responses = if shared.is_for_responses::<F>(queue) {
            self.last_responses | bit
        } else {
            self.last_responses & !bit
        };
        if shared.equipment.classes::<F>() > 1 {
            let vc = shared.queue_vc(queue);
            let sent = (u32::from(due.bytes), serialization);
            self.extension().monitors.note(
                &shared.class_policy,
                host_channel_of(class),
                (due.start, vc),
                sent,
            );
        }
    }

    /// Starts the packet that is due.
    #[inline(always)]
    fn inject<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>) {
        let shared = out.shared;
        let due = self.due;
        self.is_stale = true;
        let (start, exists) = (due.start, due.exists);
        let queue = due.queue::<F>(shared);
        let flits = due.flits;
        let times = shared.times.injection(flits);
        self.free_at = start.plus(times.serialization);
        self.queues[queue].take_credits(start, u32::from(flits));
        let is_on_response_network = shared.is_for_responses::<F>(queue);
        if start > due.begin {
            let stall = start - due.begin;
            match due.cause {
                NicStall::Credits => self.counters.lacked_credits(stall, is_on_response_network),
                NicStall::Outstanding => self.counters.lacked_responses(stall),
            }
            out.probe.nic_stalled(self.id, due.cause, due.begin, start);
        }
        self.sent.flits += u64::from(flits);
        if F::RESPONSES {
            self.count_round_trips(start);
        }
        if is_on_response_network {
            self.extension().flits += u64::from(flits);
        } else {
            self.sent.requests += 1;
        }
        let is_response = F::RESPONSES && due.is_response;
        let (mut packet, age) = if is_response {
            self.respond::<F>(shared, due)
        } else {
            self.request(out, due)
        };
        packet.flits = flits;
        packet.bytes = due.bytes;
        packet.in_port = self.port;
        if shared.equipment.send_queues::<F>() > 1 {
            packet.vc = shared.queue_vc(queue);
            self.note_turn::<F>(shared, due, times.serialization);
        }
        out.totals.events += 1;
        let injection = Injection {
            exists,
            at: start,
            serialization: times.serialization,
        };
        out.probe
            .injected(&packet.facts_of_age(start, age), is_response, injection);
        packet.hops = 1;
        out.enter_packet(self.router, start.plus(times.entry), &mut packet);
    }

    /// The next packet of the message that a queue is sending, and its age.
    #[inline(always)]
    fn request<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        due: Due,
    ) -> (Packet, Span) {
        let shared = out.shared;
        let Due { start, bytes, .. } = due;
        let index = due.queue::<F>(shared);
        let is_data = shared.is_for_responses::<F>(index);
        let queue = &mut self.queues[index];
        if is_data {
            queue.number_data(shared);
        }
        let sequence = queue.next_sequence();
        let Some(current) = queue.current.as_mut() else {
            unreachable!("a queue that is due sends a message");
        };
        let created = current.exists;
        let birth = Birth {
            created,
            now: start,
            is_measured: shared.is_measured(created),
        };
        let mut packet = Packet::new((self.id, current.target), birth, current.job);
        packet.sequence = sequence;
        packet.set_mode(if is_data {
            shared.routing.data_mode(current.mode)
        } else {
            current.mode
        });
        let is_pulled = current.state == MessageState::Pulled;
        let is_first = current.state == MessageState::Fresh;
        if is_first {
            current.state = MessageState::Begun;
        }
        let role = current.role;
        let payload = u64::from(u32::from(bytes) - shared.parameters.header_bytes);
        current.left -= payload;
        let is_last = current.left == 0;
        // A get is outstanding from its last packet on: others could wait for one before that.
        let becomes_outstanding = is_last || !shared.equipment.has_data::<F>() || role != Role::Get;
        if !is_pulled {
            out.totals.measured_undelivered += i64::from(birth.is_measured);
            if is_first && let Some(message) = queue.message() {
                let packets = shared.packets_of(message.bytes);
                out.announce(Incoming::new(*message, sequence, packets));
            }
            self.queues[index].follow_handed(shared, start, payload);
        } else if is_last {
            self.queues[index].current = None;
            if let Some(pulled) = self.endpoint.pull() {
                let queue = shared.request_queue::<F>(pulled.1.class);
                self.begin_pulled(shared, queue, pulled, out.totals);
            }
        }
        if shared.equipment.limit::<F>().is_some() && !is_data && becomes_outstanding {
            self.extension().outstanding.start(start);
        }
        (packet, birth.age())
    }

    /// The next response of a queue, and its age.
    fn respond<F: Features>(&mut self, shared: &Shared, due: Due) -> (Packet, Span) {
        let queue = usize::from(due.queue);
        let Some(response) = self.extension().responses[queue / 2].pop_front() else {
            unreachable!("a queue that is due has a response");
        };
        debug_assert!(response.exists <= due.start);
        let birth = Birth {
            created: response.created,
            now: due.start,
            is_measured: response.is_measured,
        };
        let mut packet = Packet::new((self.id, response.target), birth, response.job);
        packet.sequence = self.queues[queue].number_response();
        packet.set_mode(shared.routing.response_mode());
        (packet, birth.age())
    }

    /// `credit`, of a packet that left the router's input buffer, is taken at once if there is
    /// plenty: then nothing can depend on its instant.
    #[inline(always)]
    pub(crate) fn takes_at_once<F: Features>(&mut self, shared: &Shared, credit: Credit) -> bool {
        let queue = shared.queue_of::<F>(credit.vc());
        self.queues[queue].takes_at_once(shared, credit.flits())
    }

    /// `credit` is usable from `at` on, and something may happen here then.
    pub(crate) fn expect_credit<F: Features>(
        &mut self,
        shared: &Shared,
        at: Instant,
        credit: Credit,
    ) {
        let queue = shared.queue_of::<F>(credit.vc());
        self.queues[queue].expect_credits(at, credit.flits());
        self.is_stale = true;
    }

    /// Counts the round trips that ended up to `now`.
    fn count_round_trips(&mut self, now: Instant) {
        let Some(extension) = &mut self.extension else {
            return;
        };
        while let Some((at, trip)) = extension.round_trips.front()
            && *at <= now
        {
            self.counters.round_trips += 1;
            self.counters.round_trip_time += *trip;
            extension.round_trips.pop_front();
        }
    }
}

/// A class on the channel of a NIC.
const fn host_channel_of(class: usize) -> ClassChannel {
    ClassChannel {
        port: HOST_CHANNEL,
        kind: LinkKind::Host,
        class,
    }
}

/// Bytes of the next packet of a message with `left` bytes of payload.
#[inline]
fn packet_bytes(shared: &Shared, left: u64) -> u32 {
    let full = shared.payload_bytes;
    let payload = u32::try_from(left).unwrap_or(u32::MAX).min(full);
    payload + shared.parameters.header_bytes
}
