//! The seam between the network and what uses it: one endpoint per node, and its NIC.
//!
//! An [`Endpoint`] is driven by time alone: it is woken at the instant it asked for, told of each
//! message that has arrived, and hands messages to its [`Nic`]. It never sees a packet.
//!
//! The network implements [`Nic`] and calls endpoints; MPI ranks and sources of traffic are
//! endpoints. Neither side knows the other one.
#![forbid(unsafe_code)]

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId, Span};

/// Header that a message carries for its receiver: opaque to the network.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, BorshSerialize, BorshDeserialize,
)]
pub struct Header(pub [u64; 4]);

/// Role of a message where the data of gets are responses; elsewhere all are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum Role {
    /// Each of its packets is answered.
    #[default]
    Request,
    /// Asks for data, which are its answer: it counts as an unanswered request until they come.
    Get,
    /// The data that a get asked for. It goes with the responses, and is not answered.
    Data,
    /// A part of such data that another NIC of the node gets: no get waits for it alone.
    Part,
}

impl Role {
    /// Whether it goes with the responses.
    #[must_use]
    pub const fn is_data(self) -> bool {
        matches!(self, Self::Data | Self::Part)
    }
}

/// A message between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct Message {
    /// Node of the network that sends; the NIC that takes the message fills it in.
    pub source: NodeId,
    /// Node that receives; not the source (what a node sends to itself never reaches its NIC).
    pub target: NodeId,
    /// Bytes on the wire, headers of upper layers included; at least 1.
    pub bytes: u64,
    /// For the receiver.
    pub header: Header,
    /// Index of the routing mode; 0 is the scenario's default.
    pub mode: u8,
    /// Traffic class; 0 has the highest priority.
    pub class: u8,
    /// Who of the source node sends: messages of one sender to one target leave in order, others
    /// by turns if the NIC has several send queues.
    pub sender: u16,
    /// Which NIC of the source node sends, where it has several; 0 is the first.
    pub nic: u8,
    /// Whose it is, where several jobs share the source node; elsewhere the NIC fills it in.
    pub job: u8,
    /// Its role where the data of gets are responses; a message that is pulled is a request.
    pub role: Role,
    /// Whether its packets arrive in the order in which they leave, where a routing mode does that
    /// for messages that ask for it; of data of gets that are responses it is not read.
    pub is_ordered: bool,
}

/// Counts of a NIC since the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NicCounters {
    /// Packets of messages started.
    pub requests: u64,
    /// Flits started, those of responses included.
    pub flits: u64,
    /// Flits of requests started.
    pub request_flits: u64,
    /// Time in which a packet existed and the host channel was free, but the router's input buffer
    /// was full. Counted when the packet starts.
    pub credit_stall: Span,
    /// The part of it in which the packet was a request.
    pub request_credit_stall: Span,
    /// Time in which a request existed and the host channel was free, but as many requests as
    /// allowed were not answered. Counted when the packet starts.
    pub outstanding_stall: Span,
    /// Time in which a packet existed and the host channel was free, but its target had so many
    /// sources that the NIC paced itself. Counted when the packet starts.
    pub pacing_stall: Span,
    /// Requests whose responses have arrived.
    pub round_trips: u64,
    /// From the creation of these requests to the delivery of their responses, summed.
    pub round_trip_time: Span,
}

impl NicCounters {
    /// A packet starts that lacked credits for `span`.
    pub fn lacked_credits(&mut self, span: Span, is_response: bool) {
        self.credit_stall += span;
        if !is_response {
            self.request_credit_stall += span;
        }
    }

    /// A request starts that waited for `span` because as many as allowed were not answered.
    pub fn lacked_responses(&mut self, span: Span) {
        self.outstanding_stall += span;
    }

    /// A packet starts that waited for `span` because its NIC paced itself.
    pub fn was_paced(&mut self, span: Span) {
        self.pacing_stall += span;
    }
}

/// The NIC of an endpoint while it is called.
pub trait Nic {
    /// Queues `message` behind those handed over before. It may start to leave at once.
    fn send(&mut self, message: Message);

    /// Counters of NIC `nic` of the node before now: starts before now, responses up to now.
    /// 0 is the first, as in [`Message::nic`].
    ///
    /// # Panics
    /// If the node has no such NIC.
    fn counters(&self, nic: u8) -> NicCounters;
}

/// A user of one node: a rank of a job, an open-loop source, or nothing.
///
/// Called in this order at one instant: [`Endpoint::deliver`] for every message that arrives then
/// (by source node, then in the order the source sent them), [`Endpoint::wake`] (again while
/// [`Endpoint::next_wake`] is still `now`). Calls never go back in time.
pub trait Endpoint: Send {
    /// The next instant at which the endpoint wants to be woken; [`Instant::NEVER`] if none.
    ///
    /// May be at or before `now` right after a call: then it is woken again at `now`.
    fn next_wake(&self) -> Instant;

    /// It is `now`, the instant asked for.
    fn wake(&mut self, now: Instant, nic: &mut impl Nic);

    /// The last packet of `message` arrived at `now`.
    ///
    /// The endpoint must not call `nic.send` before `now` + its reaction time, see
    /// [`Endpoint::next_wake`]: deliveries are processed through wakes, never answered directly.
    fn deliver(&mut self, now: Instant, message: &Message);

    /// Open-loop sources only: the next message and the instant it is created, which may lie in
    /// the future, or in the past when the NIC is behind. `None`: this endpoint never pulls.
    ///
    /// Called once for the first message and then each time the NIC has started the last packet
    /// of the previous one: a queue of any length costs nothing. An endpoint that is pulled hands
    /// nothing to its NIC, and its next wake stays what it was.
    fn pull(&mut self) -> Option<(Instant, Message)>;

    /// True once the endpoint has done what a run waits for; it may go on sending.
    fn is_finished(&self) -> bool;
}
