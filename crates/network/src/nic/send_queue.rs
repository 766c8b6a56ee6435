//! A lane of a NIC: the messages of one class and virtual network, with credits of their own.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId};

use crate::model::index::{LaneIndex, LaneQueue};
use crate::nic::turns::Turns;
use crate::shared::all_groups::Shared;
use odonata_endpoint::{Message, Role};

/// The lanes of a NIC, by class and virtual network. Most have one, which lies in the node itself.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct SendQueues {
    first: SendQueue,
    others: Vec<SendQueue>,
}

impl SendQueues {
    pub(crate) fn new(shared: &Shared, lanes: usize) -> Self {
        Self {
            first: SendQueue::new(shared),
            others: (1..lanes).map(|_| SendQueue::new(shared)).collect(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SendQueue> {
        std::iter::once(&self.first).chain(self.others.iter())
    }
}

impl Index<LaneIndex> for SendQueues {
    type Output = SendQueue;

    #[inline(always)]
    fn index(&self, lane: LaneIndex) -> &SendQueue {
        match lane.index() {
            0 => &self.first,
            other => &self.others[other - 1],
        }
    }
}

impl IndexMut<LaneIndex> for SendQueues {
    #[inline(always)]
    fn index_mut(&mut self, lane: LaneIndex) -> &mut SendQueue {
        match lane.index() {
            0 => &mut self.first,
            other => &mut self.others[other - 1],
        }
    }
}

/// The lane of one class and virtual network. What every packet touches comes first, in one line of
/// the cache.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct SendQueue {
    /// Flits that may be sent.
    credits: u32,
    /// The number of packets sent; where a lane has several queues, data, or a queue of get
    /// requests, of the current message.
    sequence: u32,
    /// Message being sent.
    pub(crate) current: Option<Current>,
    /// Credits to come: instant and flits, ascending.
    pending: VecDeque<(Instant, u32)>,
    /// Numbers given to packets of the lane of responses and of data, and where get requests have a
    /// queue of their own.
    numbered: u32,
    /// Handed over; the first one may be the one being sent.
    waiting: VecDeque<(Instant, Message)>,
    /// History of the starts of those handed over.
    sent: StartHistory,
    /// The other queues, where a lane has several. The fields above are then those of the queue
    /// whose turn it is.
    turns: Option<Box<Turns<Resting>>>,
    /// The FIFO of get requests, where they have one of their own.
    gets: Option<Box<GetQueue>>,
}

/// Get requests of a lane that do not wait behind other messages.
#[derive(Debug, Default)]
struct GetQueue {
    /// They, or all other messages while they are at the front.
    resting: Resting,
    /// They lie in the lane itself.
    are_in_front: bool,
}

/// A queue of the lane whose turn it is not.
#[derive(Debug, Default)]
struct Resting {
    sequence: u32,
    current: Option<Current>,
    waiting: VecDeque<(Instant, Message)>,
    sent: StartHistory,
}

/// Packets of handed-over messages that have started, as far as the next ones need them.
#[derive(Debug, Default)]
struct StartHistory {
    /// Their starts, by packet number modulo so many as are kept.
    starts: Vec<Instant>,
    packets: u64,
}

impl StartHistory {
    /// How many starts are kept.
    fn depth(shared: &Shared) -> u64 {
        let parameters = &shared.parameters;
        let most = parameters.nic_buffer_packets.max(parameters.get_behind);
        u64::from(most.max(1))
    }

    /// Creation of the next handed-over packet: when it gets a place in the output buffer.
    fn creation(&self, shared: &Shared, handed: Instant) -> Instant {
        self.once_started(shared, shared.parameters.nic_buffer_packets.max(1), handed)
    }

    /// From when on get requests that are handed over wait for the next packet of a message that was
    /// `handed` over.
    fn queued(&self, shared: &Shared, handed: Instant) -> Instant {
        self.once_started(shared, shared.parameters.get_behind, handed)
    }

    /// `handed`, or the start of the packet that was sent so many before the next one.
    #[inline]
    fn once_started(&self, shared: &Shared, before: u32, handed: Instant) -> Instant {
        let Some(packet) = self.packets.checked_sub(before.into()) else {
            return handed;
        };
        let position = usize::try_from(packet % Self::depth(shared)).unwrap_or(0);
        handed.max(self.starts[position])
    }

    /// The packet that was sent last starts at `start`.
    #[inline]
    fn note(&mut self, shared: &Shared, start: Instant) {
        let depth = Self::depth(shared);
        let position = usize::try_from(self.packets % depth).unwrap_or(0);
        if self.starts.len() <= position {
            self.starts.resize(position + 1, Instant::ZERO);
        }
        self.starts[position] = start;
        self.packets += 1;
    }
}

/// The next packet of a queue, as far as it decides whether the queue is held back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NextPacket {
    pub(crate) target: NodeId,
    /// Payload not yet in packets.
    pub(crate) left: u64,
    pub(crate) exists: Instant,
}

impl NextPacket {
    /// The next packet of a queue that is sending `current`, or begins with what waits.
    fn of(
        shared: &Shared,
        current: Option<&Current>,
        waiting: &VecDeque<(Instant, Message)>,
        sent: &StartHistory,
    ) -> Option<Self> {
        if let Some(current) = current {
            return Some(Self {
                target: current.target,
                left: current.left,
                exists: current.exists,
            });
        }
        let (at, message) = waiting.front()?;
        Some(Self {
            target: message.target,
            left: message.bytes,
            exists: sent.creation(shared, *at),
        })
    }
}

/// A message being sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Current {
    pub(crate) target: NodeId,
    /// Payload not yet cut into packets.
    pub(crate) left: u64,
    /// Instant from which the next packet exists.
    pub(crate) exists: Instant,
    pub(crate) mode: u8,
    pub(crate) job: u8,
    pub(crate) state: MessageState,
    pub(crate) role: Role,
}

/// How a message came to its lane, and how far it is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MessageState {
    /// Its endpoint was asked for it.
    Pulled,
    /// It was handed over, and no packet of it has started.
    Fresh,
    /// It was handed over, and packets of it have started.
    Begun,
}

/// What every packet touches of a lane fills a line of the cache.
const _: () = assert!(size_of::<Option<Current>>() == 24);

/// A response that waits to leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Response {
    pub(crate) exists: Instant,
    pub(crate) bytes: u32,
    /// Creation of the request.
    pub(crate) created: Instant,
    pub(crate) is_measured: bool,
    pub(crate) target: NodeId,
    pub(crate) job: u8,
}

/// Requests of a NIC that are started and not answered.
#[derive(Debug, Default)]
pub(crate) struct OutstandingRequests {
    open: u32,
    /// Deliveries of responses not yet taken into account, ascending.
    response_times: VecDeque<Instant>,
}

impl OutstandingRequests {
    /// First instant at which one more request may start; `None` while nobody knows.
    pub(crate) fn allowed_at(&self, most: u32) -> Option<Instant> {
        if self.open < most {
            return Some(Instant::ZERO);
        }
        self.response_times.front().copied()
    }

    /// A request starts at `at`.
    pub(crate) fn start(&mut self, at: Instant) {
        while self
            .response_times
            .front()
            .is_some_and(|response| *response <= at)
        {
            self.response_times.pop_front();
            self.open -= 1;
        }
        self.open += 1;
    }

    /// A response is delivered at `at`.
    pub(crate) fn note_response(&mut self, at: Instant) {
        self.response_times.push_back(at);
    }
}

impl SendQueue {
    pub(crate) fn new(shared: &Shared) -> Self {
        Self {
            credits: shared.depth(LinkKind::Host),
            sequence: 0,
            numbered: 0,
            pending: VecDeque::new(),
            current: None,
            waiting: VecDeque::new(),
            sent: StartHistory::default(),
            turns: None,
            gets: None,
        }
    }

    /// Whether an open-loop message is still to be created before `end`.
    pub(crate) fn creates_before(&self, end: Instant) -> bool {
        self.current
            .is_some_and(|current| current.state == MessageState::Pulled && current.exists < end)
    }

    #[inline]
    pub(crate) const fn next_sequence(&mut self) -> u32 {
        let sequence = self.sequence;
        self.sequence = sequence.wrapping_add(1);
        sequence
    }

    /// Draws a number for a response.
    #[inline]
    pub(crate) const fn number_response(&mut self) -> u32 {
        let number = self.numbered;
        self.numbered = number.wrapping_add(1);
        number
    }

    /// Draws the numbers of the message being sent, if none of its packets has started.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "sequences count modulo 2^32"
    )]
    pub(crate) fn number_message(&mut self, shared: &Shared, multiple: u16) {
        if let Some(current) = self
            .current
            .filter(|current| current.state == MessageState::Fresh)
        {
            self.sequence = self.numbered;
            let packets = shared.packets_of(current.left, multiple);
            self.numbered = self.numbered.wrapping_add(packets as u32);
        }
    }

    /// Lets the queue send next whose turn it is.
    #[inline]
    pub(crate) fn return_turn(&mut self) {
        if let Some(turns) = &self.turns
            && let Some(queue) = turns.passed_over()
        {
            self.turn_to(queue);
        }
    }

    /// Lets the queue send next that is held back until the earliest instant, of several the first
    /// from the one on whose turn it is. `until` says it of a next packet; 0: it is not held back.
    pub(crate) fn choose_turn(&mut self, shared: &Shared, until: impl Fn(NextPacket) -> Instant) {
        let Some(turns) = &self.turns else {
            return;
        };
        let mut first: Option<(Instant, LaneQueue)> = None;
        for queue in turns.in_turn() {
            let next = match turns.at_rest(queue) {
                Some(other) => {
                    let current = other.current.as_ref();
                    NextPacket::of(shared, current, &other.waiting, &other.sent)
                }
                None => NextPacket::of(shared, self.current.as_ref(), &self.waiting, &self.sent),
            };
            let Some(until) = next.map(&until) else {
                continue;
            };
            if first.is_none_or(|(least, _)| until < least) {
                first = Some((until, queue));
            }
            if until == Instant::ZERO {
                break;
            }
        }
        if let Some((_, queue)) = first {
            self.turn_to(queue);
        }
    }

    /// Queues a message that is handed over at `at`.
    pub(crate) fn hand_over(&mut self, shared: &Shared, at: Instant, message: Message) {
        let queues = shared.parameters.nic_queues;
        if shared.gets_pass() {
            if message.role == Role::Get {
                return self.hand_over_get(at, message);
            }
            self.put_gets_in_front(false);
        }
        if queues > 1 {
            let turns = self.turns.get_or_insert_default();
            let queue = turns.assign(queues, &message);
            if self.waiting.is_empty() {
                turns.give_turn(queue);
                self.turn_to(queue);
            } else if let Some(other) = turns.resting(queue) {
                return other.waiting.push_back((at, message));
            }
        }
        self.waiting.push_back((at, message));
    }

    /// Queues a get request that does not wait behind other messages.
    fn hand_over_get(&mut self, at: Instant, message: Message) {
        let gets = self.gets.get_or_insert_default();
        let waiting = if gets.are_in_front {
            &mut self.waiting
        } else {
            &mut gets.resting.waiting
        };
        waiting.push_back((at, message));
    }

    /// Brings get requests to the front, or what else the lane has to send.
    fn put_gets_in_front(&mut self, is_wanted: bool) {
        let Some(mut gets) = self.gets.take() else {
            return;
        };
        if gets.are_in_front != is_wanted {
            self.exchange(&mut gets.resting);
            gets.are_in_front = is_wanted;
        }
        self.gets = Some(gets);
    }

    /// Brings to the front what was queued first: a get request, or a packet of another message. Of
    /// two that were queued at the same instant it is the get request.
    #[inline(never)]
    fn choose_front(&mut self, shared: &Shared) {
        let Some(gets) = &self.gets else {
            return;
        };
        let queued = |waiting: &VecDeque<(Instant, Message)>, sent: &StartHistory| {
            let first = waiting.front();
            first.map(|(handed, _)| sent.queued(shared, *handed))
        };
        let front = queued(&self.waiting, &self.sent);
        let rest = queued(&gets.resting.waiting, &gets.resting.sent);
        let are_in_front = gets.are_in_front;
        let rest_goes = match (front, rest) {
            (Some(front), Some(rest)) => rest < front || rest == front && !are_in_front,
            (front, rest) => front.is_none() && rest.is_some(),
        };
        if rest_goes {
            self.put_gets_in_front(!are_in_front);
        }
    }

    /// Exchanges the queue at the front with `other`.
    const fn exchange(&mut self, other: &mut Resting) {
        std::mem::swap(&mut self.sequence, &mut other.sequence);
        std::mem::swap(&mut self.current, &mut other.current);
        std::mem::swap(&mut self.waiting, &mut other.waiting);
        std::mem::swap(&mut self.sent, &mut other.sent);
    }

    /// Brings a queue of the lane to the front.
    fn turn_to(&mut self, queue: LaneQueue) {
        let Some(mut turns) = self.turns.take() else {
            return;
        };
        turns.turn_to(queue, |other| self.exchange(other));
        self.turns = Some(turns);
    }

    /// Adds credits at once if there are so many that nothing depends on when; else false.
    #[inline(always)]
    pub(crate) const fn takes_at_once(&mut self, shared: &Shared, flits: u32) -> bool {
        let is_ample = self.credits >= shared.ample_nic_credits;
        if is_ample {
            self.credits += flits;
        }
        is_ample
    }

    /// Credits usable from `at` on. Ports catch up in any order, so they may come out of order.
    #[inline(always)]
    pub(crate) fn expect_credits(&mut self, at: Instant, flits: u32) {
        let mut position = self.pending.len();
        while position > 0 && self.pending[position - 1].0 > at {
            position -= 1;
        }
        if position == self.pending.len() {
            self.pending.push_back((at, flits));
        } else {
            self.pending.insert(position, (at, flits));
        }
    }

    /// Takes `flits` credits at `at`.
    #[inline(always)]
    pub(crate) fn take_credits(&mut self, at: Instant, flits: u32) {
        while let Some((usable, flits)) = self.pending.front() {
            if *usable > at {
                break;
            }
            self.credits += *flits;
            self.pending.pop_front();
        }
        debug_assert!(self.credits >= flits);
        self.credits -= flits;
    }

    /// First instant at which credits for `flits` are usable, as far as is known; the past if they
    /// are already.
    #[inline(always)]
    pub(crate) fn credits_at(&self, flits: u32) -> Option<Instant> {
        let mut at = Instant::ZERO;
        let mut credits = self.credits;
        let mut pending = self.pending.iter();
        while credits < flits {
            let (usable, more) = pending.next()?;
            credits += *more;
            at = *usable;
        }
        Some(at)
    }

    /// The next packet of a handed-over message, with `payload` bytes, started at `start`.
    pub(crate) fn follow_handed(&mut self, shared: &Shared, start: Instant, payload: u64) {
        self.sent.note(shared, start);
        let is_last = self.current.is_none_or(|current| current.left == 0);
        let done = if is_last {
            self.current = None;
            self.waiting.pop_front()
        } else {
            if let Some(current) = self.current {
                let exists = self.sent.creation(shared, current.exists);
                self.current = Some(Current { exists, ..current });
            }
            None
        };
        if self.gets.as_ref().is_some_and(|gets| gets.are_in_front) {
            return;
        }
        if let Some(turns) = &mut self.turns {
            turns.count(payload, done.as_ref().map(|(_, message)| message));
            if let Some(queue) = turns.next() {
                turns.give_turn(queue);
                self.turn_to(queue);
            }
        }
    }

    /// The handed-over message being sent.
    pub(crate) fn message(&self) -> Option<&Message> {
        self.waiting.front().map(|(_, message)| message)
    }

    /// The message being sent; begins the next one if there is none.
    #[inline(always)]
    pub(crate) fn begin(&mut self, shared: &Shared, multiple: u16) -> Option<&Current> {
        if shared.gets_pass() {
            self.choose_front(shared);
        }
        if self.current.is_none() {
            let (at, message) = self.waiting.front()?;
            let current = Current {
                target: message.target,
                left: message.bytes,
                exists: self.sent.creation(shared, *at),
                mode: shared.mode_of(message),
                job: message.job,
                state: MessageState::Fresh,
                role: message.role,
            };
            if let Some(turns) = &mut self.turns
                && !shared.gets_pass()
                && shared.parameters.control.is_none()
            {
                self.sequence = turns.draw_numbers(shared.packets_of(message.bytes, multiple));
            }
            self.current = Some(current);
        }
        self.current.as_ref()
    }
}
