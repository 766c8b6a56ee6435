//! Lanes of a NIC: one queue of messages, with credits of its own, per class and virtual network.

use std::collections::VecDeque;

use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId};

use crate::block::{Context, State};
use crate::classes::{Share, next_class};
use crate::endpoint::{Endpoint, Message};
use crate::packet::{Birth, Packet};
use crate::shared::Shared;
use crate::view::View;

/// One lane of a NIC.
#[derive(Debug)]
pub(crate) struct SendLane {
    /// Flits that may be sent.
    credits: u32,
    /// Counts packets sent.
    sequence: u32,
    /// Credits to come: instant and flits, ascending.
    pending: VecDeque<(u64, u16)>,
    /// Message being sent.
    pub(crate) current: Option<Current>,
    /// Handed over and not begun.
    pub(crate) waiting: VecDeque<(Instant, Message)>,
    /// Starts of the packets of handed-over messages, by packet number modulo the buffer.
    starts: Vec<u64>,
    handed_packets: u64,
}

/// A message being sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Current {
    pub(crate) message: Message,
    /// Payload not yet cut into packets.
    pub(crate) left: u64,
    /// Instant from which the next packet exists.
    pub(crate) exists: u64,
    pub(crate) pulled: bool,
}

/// A response that waits to leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    exists: u64,
    /// Creation of the request.
    created: Instant,
    is_measured: bool,
    target: NodeId,
    job: u8,
}

/// Requests of a NIC that are started and not answered.
#[derive(Debug, Default)]
pub(crate) struct Unanswered {
    open: u32,
    /// Deliveries of responses not yet taken into account, ascending.
    answered: VecDeque<u64>,
}

/// A packet that could start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) start: u64,
    pub(crate) lane: usize,
    pub(crate) bytes: u32,
}

impl Unanswered {
    /// First instant at which one more request may start; `None` while nobody knows.
    fn place_at(&self, most: u32) -> Option<u64> {
        if self.open < most {
            return Some(0);
        }
        self.answered.front().copied()
    }

    /// A request starts at `at`.
    pub(crate) fn start(&mut self, at: u64) {
        while self.answered.front().is_some_and(|answer| *answer <= at) {
            self.answered.pop_front();
            self.open -= 1;
        }
        self.open += 1;
    }
}

impl SendLane {
    pub(crate) fn new(shared: &Shared) -> Self {
        Self {
            credits: shared.depth(LinkKind::Host),
            sequence: 0,
            pending: VecDeque::new(),
            current: None,
            waiting: VecDeque::new(),
            starts: Vec::new(),
            handed_packets: 0,
        }
    }

    /// Instant from which the next packet of the message being sent exists.
    pub(crate) fn exists(&self) -> Option<u64> {
        self.current.map(|current| current.exists)
    }

    /// Whether an open-loop message is still to be created before `end`.
    pub(crate) fn creates_before(&self, end: Instant) -> bool {
        self.current
            .is_some_and(|current| current.pulled && current.exists < end.ps())
    }

    pub(crate) const fn next_sequence(&mut self) -> u32 {
        let sequence = self.sequence;
        self.sequence = sequence.wrapping_add(1);
        sequence
    }

    /// Credits usable from `at` on; true if the NIC has to look at them then. Ports catch up in
    /// any order, so they may come out of order.
    #[inline(always)]
    pub(crate) fn credit(&mut self, shared: &Shared, at: u64, flits: u16) -> bool {
        if self.credits >= shared.ample_nic_credits {
            self.credits += u32::from(flits);
            return false;
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
        true
    }

    /// Takes `flits` credits at `at`.
    #[inline(always)]
    pub(crate) fn take_credits(&mut self, at: u64, flits: u32) {
        while let Some((usable, flits)) = self.pending.front() {
            if *usable > at {
                break;
            }
            self.credits += u32::from(*flits);
            self.pending.pop_front();
        }
        debug_assert!(self.credits >= flits);
        self.credits -= flits;
    }

    /// Start of a packet of `flits` that could start at `begin` for all but its credits and its
    /// place (free at `place_at`), as far as known credits tell.
    #[inline(always)]
    fn start_of(&self, begin: u64, flits: u32, (wake, place_at): (u64, u64)) -> Option<u64> {
        let mut suffices = place_at;
        let mut credits = self.credits;
        let mut pending = self.pending.iter();
        while credits < flits {
            let (at, more) = pending.next()?;
            credits += u32::from(*more);
            suffices = suffices.max(*at);
        }
        Some(if suffices <= begin {
            begin
        } else {
            suffices + wake
        })
    }

    /// Creation of the next handed-over packet: when it gets a place in the output buffer.
    fn creation(&self, shared: &Shared, handed: u64) -> u64 {
        let buffer = u64::from(shared.parameters.nic_buffer_packets.max(1));
        if self.handed_packets < buffer {
            return handed;
        }
        let place = usize::try_from(self.handed_packets % buffer).unwrap_or(0);
        handed.max(self.starts[place])
    }

    /// The next packet of a handed-over message started at `start`.
    pub(crate) fn follow_handed(&mut self, shared: &Shared, (start, is_last): (u64, bool)) {
        let buffer = shared.parameters.nic_buffer_packets.max(1) as usize;
        let place = usize::try_from(self.handed_packets % buffer as u64).unwrap_or(0);
        if self.starts.len() <= place {
            self.starts.resize(place + 1, 0);
        }
        self.starts[place] = start;
        self.handed_packets += 1;
        if is_last {
            self.current = None;
        } else if let Some(current) = self.current {
            let exists = self.creation(shared, current.exists);
            self.current = Some(Current { exists, ..current });
        }
    }

    /// Begins the next message, if none is being sent.
    #[inline(always)]
    fn begin(&mut self, shared: &Shared) -> Option<&Current> {
        if self.current.is_none() {
            let (at, message) = self.waiting.pop_front()?;
            let exists = self.creation(shared, at.ps());
            self.current = Some(Current {
                message,
                left: message.bytes,
                exists,
                pulled: false,
            });
        }
        self.current.as_ref()
    }
}

impl<E: Endpoint> State<E> {
    /// The packet of `node` that starts next, as far as known; begins messages.
    #[inline]
    pub(crate) fn next_packet<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        node: usize,
    ) -> Option<Due> {
        if shared.nic_lanes() == 1 {
            return self.due_on(shared, node, 0);
        }
        self.first_due(shared, node)
    }

    /// The packet that starts next on one lane.
    #[inline(always)]
    fn due_on<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        node: usize,
        lane: usize,
    ) -> Option<Due> {
        let place = node * shared.nic_lanes() + lane;
        let (exists, bytes, place_at);
        if shared.is_response_lane(lane) {
            let class = lane / 2;
            exists = self.answers[node * shared.classes() + class]
                .front()?
                .exists;
            (bytes, place_at) = (shared.parameters.response_bytes, 0);
        } else {
            let current = self.send_lanes[place].begin(&shared)?;
            (exists, bytes) = (current.exists, packet_bytes(&shared, current.left));
            place_at = match shared.parameters.outstanding {
                most if RICH && most > 0 => self.unanswered[node].place_at(most)?,
                _ => 0,
            };
        }
        let wake = shared.times.wake_up[LinkKind::Host as usize];
        let free_at = self.nics[node].free_at;
        let begin = if exists < free_at {
            free_at
        } else {
            exists + wake
        };
        let flits = shared.flits(bytes);
        let start = self.send_lanes[place].start_of(begin, flits, (wake, place_at))?;
        Some(Due { start, lane, bytes })
    }

    /// The packet that starts next on any lane: the earliest, then by class and turn.
    fn first_due<const RICH: bool>(&mut self, shared: View<'_, RICH>, node: usize) -> Option<Due> {
        let mut first: Option<Due> = None;
        let mut tied = 0_u32;
        for lane in 0..shared.nic_lanes() {
            let Some(due) = self.due_on(shared, node, lane) else {
                continue;
            };
            let earliest = first.map_or(u64::MAX, |first| first.start);
            if due.start < earliest {
                (first, tied) = (Some(due), 0);
            }
            if due.start <= earliest {
                tied |= 1 << lane;
            }
        }
        let first = first?;
        if tied.is_power_of_two() {
            return Some(first);
        }
        let lane = self.choose_lane(shared, node, (tied, first.start));
        self.due_on(shared, node, lane)
    }

    /// Of the lanes in `tied`, which could all start at `at`, the one that does.
    fn choose_lane<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        node: usize,
        (tied, at): (u32, u64),
    ) -> usize {
        let networks = shared.nic_lanes() / shared.classes();
        let lanes_of = |class: usize| tied >> (class * networks) & ((1 << networks) - 1);
        let able = (0..shared.classes())
            .filter(|class| lanes_of(*class) != 0)
            .fold(0_u32, |able, class| able | 1 << class);
        let channel = self.outputs.len() + node;
        let last = match shared.classes() {
            1 => 0,
            _ => self.monitors.last_turn(channel),
        };
        let monitors = &mut self.monitors;
        let is_over = |class| {
            let share = Share {
                channel,
                kind: LinkKind::Host,
                class,
            };
            shared.classes() > 1 && monitors.is_over(&shared.policy, share, at)
        };
        let class = next_class(able, shared.classes(), last, is_over).unwrap_or(0);
        let responded = self.nics[node].last_responses & (1 << class) != 0;
        let network = match lanes_of(class) {
            0b11 => usize::from(!responded),
            0b10 => 1,
            _ => 0,
        };
        class * networks + network
    }

    /// Books a start to the lane's class.
    pub(crate) fn note_lane<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        node: usize,
        (due, serialization): (Due, u64),
    ) {
        let networks = shared.nic_lanes() / shared.classes();
        let class = due.lane / networks;
        let nic = &mut self.nics[node];
        let bit = 1 << class;
        nic.last_responses = if shared.is_response_lane(due.lane) {
            nic.last_responses | bit
        } else {
            nic.last_responses & !bit
        };
        if shared.classes() > 1 {
            let share = Share {
                channel: self.outputs.len() + node,
                kind: LinkKind::Host,
                class,
            };
            let vc = shared.lane_vc(due.lane);
            let sent = (due.bytes, serialization);
            self.monitors
                .note(&shared.policy, share, (due.start, vc), sent);
        }
    }

    /// The next response of the lane at `place`, which starts at `start`.
    pub(crate) fn respond<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        node: usize,
        place: usize,
        start: u64,
    ) -> Packet {
        let shared = context.shared;
        let class = place % shared.nic_lanes() / 2;
        let answers = &mut self.answers[node * shared.classes() + class];
        let Some(answer) = answers.pop_front() else {
            unreachable!("a lane that is due has a response");
        };
        debug_assert!(answer.exists <= start);
        let ends = (self.node(node), answer.target);
        let birth = Birth {
            created: answer.created,
            now: Instant::from_ps(start),
            is_measured: answer.is_measured,
        };
        let mut packet = Packet::new(ends, birth, answer.job);
        packet.sequence = self.send_lanes[place].next_sequence();
        packet.set_mode(shared.routing.response_mode());
        context.stats.events += 1;
        context.stats.jobs[packet.job()].responses_injected += 1;
        packet
    }

    /// `packet` reaches the NIC of `node` at `at`: a response ends here (true), a request is
    /// answered.
    pub(crate) fn meet_response<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        node: usize,
        packet: &Packet,
        (at, age): (Instant, u64),
    ) -> bool {
        let shared = context.shared;
        let lane = shared.lane(packet.vc);
        let nic = &mut self.nics[node];
        nic.earliest = nic.earliest.min(at.ps());
        let created = Instant::from_ps(at.ps() - age);
        if !shared.is_response_lane(lane) {
            let answer = Answer {
                exists: at.ps(),
                created,
                is_measured: packet.is_measured(),
                target: packet.source(),
                #[expect(clippy::cast_possible_truncation, reason = "at most 256 jobs")]
                job: packet.job() as u8,
            };
            self.answers[node * shared.classes() + lane / 2].push_back(answer);
            return false;
        }
        self.work += 1;
        if shared.parameters.outstanding > 0 {
            self.unanswered[node].answered.push_back(at.ps());
        }
        context.stats.packet_hops += u64::from(packet.hops);
        let stats = &mut context.stats.jobs[packet.job()];
        stats.responses_delivered += 1;
        if packet.is_measured() {
            stats.round_trips.add(age);
            stats.round_trip_sum += u128::from(age);
            stats.round_trip_count += 1;
        }
        true
    }
}

/// Bytes of the next packet of a message with `left` bytes of payload.
#[inline]
fn packet_bytes(shared: &Shared, left: u64) -> u32 {
    let full = shared.parameters.payload_bytes();
    let payload = u32::try_from(left).unwrap_or(u32::MAX).min(full);
    payload + shared.parameters.header_bytes
}
