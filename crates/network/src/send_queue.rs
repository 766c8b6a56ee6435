//! A lane of a NIC: the messages of one class and virtual network, with credits of their own.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId};

use crate::index::{LaneIndex, LaneQueue};
use crate::shared::Shared;
use crate::turns::Turns;
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
    /// The number of packets sent; where a lane has several queues or data, of the current message.
    sequence: u32,
    /// Message being sent.
    pub(crate) current: Option<Current>,
    /// Credits to come: instant and flits, ascending.
    pending: VecDeque<(Instant, u32)>,
    /// Numbers given to packets of the lane of responses, and of data.
    numbered: u32,
    /// Handed over; the first one may be the one being sent.
    waiting: VecDeque<(Instant, Message)>,
    /// What has left of those handed over.
    sent: StartHistory,
    /// The other queues, where a lane has several. The fields above are then those of the queue
    /// whose turn it is.
    turns: Option<Box<Turns<Resting>>>,
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
    /// Their starts, by packet number modulo the buffer.
    starts: Vec<Instant>,
    packets: u64,
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
    pub(crate) fn allowed_at(&self, most: NonZeroU32) -> Option<Instant> {
        if self.open < most.get() {
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

    /// Draws the numbers of the data being sent, if none of their packets has started.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "sequences count modulo 2^32"
    )]
    pub(crate) fn number_data(&mut self, shared: &Shared) {
        if let Some(current) = self
            .current
            .filter(|current| current.state == MessageState::Fresh)
        {
            self.sequence = self.numbered;
            let packets = shared.packets_of(current.left);
            self.numbered = self.numbered.wrapping_add(packets as u32);
        }
    }

    /// Queues a message that is handed over at `at`, in one of `queues` queues.
    pub(crate) fn hand_over(&mut self, queues: u16, at: Instant, message: Message) {
        if queues > 1 {
            let turns = self.turns.get_or_insert_default();
            let queue = turns.assign(queues, &message);
            if self.waiting.is_empty() {
                self.turn_to(queue);
            } else if let Some(other) = turns.resting(queue) {
                return other.waiting.push_back((at, message));
            }
        }
        self.waiting.push_back((at, message));
    }

    /// Brings a queue of the lane to the front.
    fn turn_to(&mut self, queue: LaneQueue) {
        let Some(turns) = &mut self.turns else {
            return;
        };
        turns.turn_to(queue, |other| {
            std::mem::swap(&mut self.sequence, &mut other.sequence);
            std::mem::swap(&mut self.current, &mut other.current);
            std::mem::swap(&mut self.waiting, &mut other.waiting);
            std::mem::swap(&mut self.sent, &mut other.sent);
        });
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

    /// Creation of the next handed-over packet: when it gets a place in the output buffer.
    fn creation(&self, shared: &Shared, handed: Instant) -> Instant {
        let buffer = u64::from(shared.parameters.nic_buffer_packets.max(1));
        if self.sent.packets < buffer {
            return handed;
        }
        let position = usize::try_from(self.sent.packets % buffer).unwrap_or(0);
        handed.max(self.sent.starts[position])
    }

    /// The next packet of a handed-over message, with `payload` bytes, started at `start`.
    pub(crate) fn follow_handed(&mut self, shared: &Shared, start: Instant, payload: u64) {
        let buffer = shared.parameters.nic_buffer_packets.max(1) as usize;
        let position = usize::try_from(self.sent.packets % buffer as u64).unwrap_or(0);
        if self.sent.starts.len() <= position {
            self.sent.starts.resize(position + 1, Instant::ZERO);
        }
        self.sent.starts[position] = start;
        self.sent.packets += 1;
        let is_last = self.current.is_none_or(|current| current.left == 0);
        let done = if is_last {
            self.current = None;
            self.waiting.pop_front()
        } else {
            if let Some(current) = self.current {
                let exists = self.creation(shared, current.exists);
                self.current = Some(Current { exists, ..current });
            }
            None
        };
        if let Some(turns) = &mut self.turns {
            turns.count(payload, done.as_ref().map(|(_, message)| message));
            if let Some(queue) = turns.next() {
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
    pub(crate) fn begin(&mut self, shared: &Shared) -> Option<&Current> {
        if self.current.is_none() {
            let (at, message) = self.waiting.front()?;
            let current = Current {
                target: message.target,
                left: message.bytes,
                exists: self.creation(shared, *at),
                mode: message.mode,
                job: message.job,
                state: MessageState::Fresh,
                role: message.role,
            };
            if let Some(turns) = &mut self.turns {
                self.sequence = turns.draw_numbers(shared.packets_of(message.bytes));
            }
            self.current = Some(current);
        }
        self.current.as_ref()
    }
}
