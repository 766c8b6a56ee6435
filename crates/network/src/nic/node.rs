//! A node: its endpoint and its NIC, injection on one side, arrival of messages on the other.
//!
//! Nodes run first in a window, up to its end less the way into the router. What the router does
//! in the same window reaches them later than that.

use std::collections::VecDeque;

use odonata_telemetry::{Injection, NicStall, Probe};
use odonata_topology::PortIndex;
use odonata_units::{Instant, NodeId, Span};

use crate::flight::inbox::{Inbox, Incoming};
use crate::flight::outbox::{GroupTotals, Outbox};
use crate::model::features::Features;
use crate::model::index::{LaneIndex, LocalRouter};
use crate::model::packet::{Birth, Credit, Packet};
use crate::nic::nic_control::NicControl;
use crate::nic::send_queue::{Current, MessageState, OutstandingRequests, Response, SendQueues};
use crate::rules::classes::Monitors;
use crate::shared::all_groups::Shared;
use crate::shared::view::View;
use odonata_endpoint::{Endpoint, Message, NicCounters, Role};

mod arrival;
mod due;
mod next_packet;
mod notices;
mod outgoing;
pub(crate) mod together;

use due::Due;
use outgoing::{Outgoing, SentCounts, is_goal};

/// A node, its NIC, and the endpoint that uses it.
///
/// What every packet touches comes first, and together: the nodes of a group do not fit the first
/// cache, so that each line of 64 bytes that a packet touches has to be fetched. The first line
/// says what comes next, the second is of the lane (see
/// [`SendQueue`](crate::nic::send_queue::SendQueue)), the fourth says who it is.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Node<E> {
    /// The end of the packet that was sent last.
    free_at: Instant,
    /// The instant of the last call of the endpoint: calls never go back in time.
    clock: Instant,
    /// The instant at which the endpoint wants to be woken.
    wake: Instant,
    /// The instant at which the next message is complete; never if none is.
    arrival: Instant,
    /// The packet that starts next, as far as known; it is found again when it is stale.
    due: Due,
    /// `[class * networks + network]`.
    queues: SendQueues,
    id: NodeId,
    /// The router of its group that the node is attached to, and the port there.
    router: LocalRouter,
    port: u8,
    /// Job its packets are booked to.
    job: u8,
    is_stale: bool,
    /// The run goes on until its endpoint is finished.
    is_goal: bool,
    is_finished: bool,
    /// Several jobs use the node: each message says whose it is.
    is_shared: bool,
    /// A bit set: in class `c`, a response was served last.
    last_responses: u8,
    /// So many full packets of its messages travel as one at most.
    multiple: u16,
    sent: SentCounts,
    pub(crate) endpoint: E,
    inbox: Inbox,
    /// Counters of the NIC, without `sent`.
    counters: NicCounters,
    /// Present only where packets are answered, limited or shared by classes.
    extension: Option<Box<NicExtension>>,
}

/// A port of a router that a node is attached to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostPort {
    pub(crate) router: LocalRouter,
    pub(crate) port: PortIndex,
}

/// The nodes of a group.
#[derive(Debug)]
pub(crate) struct GroupNodes<'a, E> {
    pub(crate) nodes: &'a mut [Node<E>],
    /// `[node]`: the instant before which nothing happens at the node.
    pub(crate) due: &'a mut [Instant],
}

/// Extension of a NIC where packets are answered, or several classes share it.
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
    control: NicControl,
}

impl<E: Endpoint> Node<E> {
    /// The node `id`, which is attached at `at`; asks its endpoint for its first wake.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a radix is at most 255, ids have 24 bits"
    )]
    pub(crate) fn new(
        shared: &Shared,
        id: NodeId,
        at: HostPort,
        endpoint: E,
        totals: &mut GroupTotals,
    ) -> Self {
        let used = shared.usage.nodes[id.index()];
        let classes = shared.class_policy.classes;
        let has_responses = shared.parameters.response_bytes > 0;
        let networks = 1 + u8::from(has_responses);
        let lanes = usize::from(classes * networks);
        let mut node = Self {
            free_at: Instant::ZERO,
            clock: Instant::ZERO,
            wake: Instant::NEVER,
            arrival: Instant::NEVER,
            id,
            router: at.router,
            port: at.port.0 as u8,
            job: used.job,
            is_goal: used.is_goal,
            is_finished: endpoint.is_finished(),
            is_shared: (shared.usage.sharing.by_jobs.get(id.index())).is_some_and(|shared| *shared),
            last_responses: 0,
            multiple: shared.usage.sharing.packet_multiple(id),
            due: Due::NEVER,
            is_stale: true,
            queues: SendQueues::new(shared, lanes),
            sent: SentCounts::default(),
            endpoint,
            inbox: Inbox::default(),
            counters: NicCounters::default(),
            extension: (lanes > 1
                || shared.parameters.outstanding > 0
                || shared.controls_all_nics())
            .then(|| {
                Box::new(NicExtension {
                    responses: (0..if has_responses { classes } else { 0 })
                        .map(|_| VecDeque::new())
                        .collect(),
                    monitors: Monitors::new(&shared.class_policy, 1),
                    control: NicControl::new(shared, id),
                    ..NicExtension::default()
                })
            }),
        };
        totals.unfinished += i64::from(node.is_goal && !node.is_finished);
        if let Some((created, message)) = node.endpoint.pull() {
            let lane = LaneIndex::new(usize::from(message.class * networks));
            node.begin_pulled(shared, lane, created, message, totals);
            node.note_handed(shared, &message, Instant::ZERO, created);
        }
        node.note_wake(totals);
        node
    }

    /// Moves the node into a block in which so many routers come before those of its group.
    pub(crate) fn join(&mut self, routers: usize) {
        self.router = LocalRouter::new(self.router.index() + routers);
    }

    /// The instant before which nothing happens at this node, which is new.
    pub(crate) fn begins(&self) -> Instant {
        let pulled = self.queues.iter().filter_map(|queue| queue.current);
        pulled.fold(self.wake, |first, one| first.min(one.exists))
    }

    fn begin_pulled(
        &mut self,
        shared: &Shared,
        lane: LaneIndex,
        created: Instant,
        message: Message,
        totals: &mut GroupTotals,
    ) {
        if shared.usage.measure.is_some() && shared.is_measured(created) {
            totals.measured_undelivered +=
                i64::try_from(shared.packets_of(message.bytes, self.multiple)).unwrap_or(i64::MAX);
        }
        self.queues[lane].current = Some(Current {
            target: message.target,
            left: message.bytes,
            exists: created,
            mode: shared.mode_of(&message),
            job: self.job,
            state: MessageState::Pulled,
            role: Role::Request,
        });
    }

    /// Announces a message that will arrive at this node.
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
        self.send_notices(out);
        loop {
            let arrival = self.arrival;
            let wake = self.wake.max(self.clock);
            let start = self.next_start(out.shared);
            let now = arrival.min(wake).min(start);
            if F::NOTICES {
                let notice = self.next_notice();
                if notice <= now {
                    if notice >= end {
                        return notice;
                    }
                    self.take_notice(out);
                    continue;
                }
            }
            if now >= end {
                return now;
            }
            if arrival == now {
                let message = self.take_message();
                out.totals.goal_messages -= i64::from(self.waits_for(&out.shared, &message));
                self.endpoint.deliver(now, &message);
                // Nobody is finished by it: what it leads to comes with a wake.
                out.totals.calls += 1;
                self.note_wake(out.totals);
            } else if wake == now {
                self.wake(out, now);
                self.note_call(out.totals);
            } else {
                self.inject(out);
            }
        }
    }

    /// Takes the next message that is complete.
    fn take_message(&mut self) -> Message {
        let message = self.inbox.take();
        self.arrival = self.inbox.next();
        message
    }

    /// Counters of the NIC.
    fn counted(&self) -> NicCounters {
        let response_flits = self.extension.as_ref().map_or(0, |one| one.flits);
        self.sent.with(response_flits, &self.counters)
    }

    /// The part of the NIC that exists only where packets are answered, limited or shared by
    /// classes.
    fn extension(&mut self) -> &mut NicExtension {
        self.extension.get_or_insert_default()
    }

    /// Whether the run waits for a message that arrives here.
    fn waits_for(&self, shared: &Shared, message: &Message) -> bool {
        if self.is_shared {
            is_goal(&shared.usage.sharing.goals, message)
        } else {
            self.is_goal
        }
    }

    /// Calls the endpoint at `now`.
    fn wake<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>, now: Instant) {
        self.count_round_trips(now);
        self.wake_with(out, now, &[]);
    }

    /// Calls the endpoint of a node whose other NICs have counted `beside`.
    fn wake_with<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        now: Instant,
        beside: &[NicCounters],
    ) {
        self.clock = now;
        let response_flits = self.extension.as_ref().map_or(0, |one| one.flits);
        let control = match &mut self.extension {
            Some(extension) if F::NOTICES && out.shared.credit_rules.is_some() => {
                Some(&mut extension.control)
            }
            _ => None,
        };
        let mut outgoing = Outgoing {
            now,
            source: self.id,
            networks: out.shared.networks(),
            has_data: out.shared.has_data(),
            shared: &out.shared,
            queues: &mut self.queues,
            elsewhere: &mut out.elsewhere,
            sent: self.sent,
            response_flits,
            counters: &self.counters,
            control,
            beside,
            probe: &mut *out.probe,
            job: (!self.is_shared).then_some(self.job),
            goals: &out.shared.usage.sharing.goals,
            handed: 0,
        };
        self.endpoint.wake(now, &mut outgoing);
        self.is_stale = true;
        if self.is_goal || self.is_shared {
            out.totals.goal_messages += outgoing.handed;
        }
        self.send_notices(out);
    }

    /// Notes that the endpoint was called.
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

    /// Starts the packet that is due.
    #[inline(always)]
    fn inject<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>) {
        let shared = out.shared;
        let due = self.due;
        self.is_stale = true;
        let (start, exists) = (due.start, due.exists);
        let lane = due.lane(shared);
        let flits = due.flits;
        let times = shared.times.injection(flits);
        self.free_at = start.plus(times.serialization);
        self.queues[lane].take_credits(start, u32::from(flits));
        let is_on_response_network = shared.is_for_responses(lane);
        if start > due.begin {
            let stall = start - due.begin;
            match due.cause {
                NicStall::Credits => self.counters.lacked_credits(stall, is_on_response_network),
                NicStall::Outstanding => self.counters.lacked_responses(stall),
                NicStall::Pacing => self.counters.was_paced(stall),
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
            self.respond(shared, due)
        } else {
            self.request(out, due)
        };
        if F::NOTICES && !is_response {
            self.choose_path(shared, &mut packet);
            self.note_paced(shared, &packet, due, times.serialization);
            self.send_notices(out);
        }
        packet.flits = flits;
        packet.bytes = due.bytes;
        packet.in_port = self.port;
        if shared.lanes() > 1 {
            packet.vc = shared.lane_vc(lane);
            self.note_turn(shared, due, times.serialization);
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
        let lane = due.lane(shared);
        let is_data = shared.is_for_responses(lane);
        let queue = &mut self.queues[lane];
        if is_data || shared.gets_pass() || shared.control().is_some() {
            queue.number_message(&shared, self.multiple);
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
        let mut packet = Packet::new(self.id, current.target, birth, current.job);
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
        let payload = if self.multiple > 1 {
            shared.parameters.payload_in(bytes.into())
        } else {
            u32::from(bytes) - shared.parameters.header_bytes
        };
        let payload = u64::from(payload);
        current.left -= payload;
        let is_last = current.left == 0;
        // A get is outstanding from its last packet on: others could wait for one before that.
        let becomes_outstanding = is_last || !shared.has_data() || role != Role::Get;
        if !is_pulled {
            out.totals.measured_undelivered += i64::from(birth.is_measured);
            if is_first && let Some(message) = queue.message() {
                let packets = shared.packets_of(message.bytes, self.multiple);
                out.announce(Incoming::new(*message, sequence, packets));
            }
            self.queues[lane].follow_handed(&shared, start, payload);
        } else if is_last {
            self.queues[lane].current = None;
            if let Some((created, message)) = self.endpoint.pull() {
                let lane = shared.request_lane(message.class);
                self.begin_pulled(&shared, lane, created, message, out.totals);
                if F::NOTICES {
                    self.note_handed(&shared, &message, start, created);
                }
            }
        }
        if shared.outstanding_limit().is_some() && !is_data && becomes_outstanding {
            self.extension().outstanding.start(start);
        }
        (packet, birth.age())
    }

    /// The next response of a queue, and its age.
    fn respond<F: Features>(&mut self, shared: View<'_, F>, due: Due) -> (Packet, Span) {
        let lane = due.lane;
        let Some(response) =
            self.extension().responses[usize::from(shared.class_of_lane(lane))].pop_front()
        else {
            unreachable!("a queue that is due has a response");
        };
        debug_assert!(response.exists <= due.start);
        let birth = Birth {
            created: response.created,
            now: due.start,
            is_measured: response.is_measured,
        };
        let mut packet = Packet::new(self.id, response.target, birth, response.job);
        packet.sequence = self.queues[lane].number_response();
        packet.set_mode(shared.routing.response_mode());
        (packet, birth.age())
    }

    /// Takes `credit`, of a packet that left the router's input buffer, at once if there are so
    /// many credits that nothing can depend on its instant; else false.
    #[inline(always)]
    pub(crate) fn takes_at_once<F: Features>(
        &mut self,
        shared: View<'_, F>,
        credit: Credit,
    ) -> bool {
        let lane = shared.lane_of_vc(credit.vc());
        self.queues[lane].takes_at_once(&shared, credit.flits())
    }

    /// Makes `credit` usable from `at` on, when something may happen here.
    pub(crate) fn expect_credit<F: Features>(
        &mut self,
        shared: View<'_, F>,
        at: Instant,
        credit: Credit,
    ) {
        let lane = shared.lane_of_vc(credit.vc());
        self.queues[lane].expect_credits(at, credit.flits());
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
