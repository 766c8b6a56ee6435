//! Where everything goes that leaves a router or a NIC: into the wheel of its group, or into the
//! mail for another.

use std::ops::Range;

use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Span};

use crate::flight::in_flight::{
    ChunkPools, CreditInFlight, FeedbackInFlight, GroupArrivals, InFlight, PacketInFlight, Wheel,
};
use crate::flight::inbox::Incoming;
use crate::flight::wake_schedule::{NodeSchedule, SlotSet, WakeSchedule};
use crate::model::features::Features;
use crate::model::index::{LocalNode, LocalRouter, WindowSlot};
use crate::model::packet::{Credit, Feedback, Packet};
use crate::model::partition::Partition;
use crate::model::window::{Clock, Window};
use crate::rules::congestion::Notice;
use crate::shared::all_groups::Shared;
use crate::shared::view::View;
use odonata_endpoint::{Message, NicCounters};

/// The other end of a link: where its packets enter, and where its credits come back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LinkEnd {
    /// The router there; the same one if a node or nothing is there.
    pub(crate) router: LocalRouter,
    /// The port of that router; towards a node, the port that leads there.
    pub(crate) port: u8,
    pub(crate) kind: LinkKind,
    destination: Destination,
    /// How much longer than that of the shortest link of its kind its latency is, ps.
    extra: u32,
}

const _: () = assert!(size_of::<LinkEnd>() == 16);

/// Kinds of destinations, with one that is never used: a kind of two bits is an index without a
/// check.
const KINDS: usize = 4;

/// Which list what goes to a link end is added to. The list is found without a branch, for which
/// kind it is is as good as random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Destination {
    /// The bits of the slot of the instant that count: all, or none.
    slots: u16,
    /// The position of the list where no bit counts.
    position: u16,
    /// Which lists of the outbox are meant.
    kind: u8,
}

impl Destination {
    /// The nodes of the router that is simulated.
    pub(crate) const NODES: Self = Self {
        slots: 0,
        position: 0,
        kind: 2,
    };
    /// The routers of the group.
    pub(crate) const HERE: Self = Self {
        slots: u16::MAX,
        position: 0,
        kind: 0,
    };

    /// The routers of another block.
    pub(crate) const fn to_block(block: u16) -> Self {
        Self {
            slots: 0,
            position: block,
            kind: 1,
        }
    }
}

impl LinkEnd {
    pub(crate) const fn new(
        router: LocalRouter,
        port: u8,
        kind: LinkKind,
        destination: Destination,
    ) -> Self {
        Self {
            router,
            port,
            kind,
            destination,
            extra: 0,
        }
    }

    /// The same end of a link whose latency is `extra` longer than that of the shortest one.
    pub(crate) fn longer_by(self, extra: Span) -> Self {
        Self {
            extra: u32::try_from(extra.ps()).unwrap_or(u32::MAX),
            ..self
        }
    }

    /// How much longer than that of the shortest link of its kind the latency of the link is.
    #[inline(always)]
    pub(crate) const fn extra(&self) -> Span {
        Span::from_ps(self.extra as u64)
    }

    #[inline(always)]
    pub(crate) const fn is_node(&self) -> bool {
        matches!(self.kind, LinkKind::Host)
    }
}

/// Sums over a group: what decides when a run ends, and what a user sees of its totals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GroupTotals {
    /// Measured packets created here, less measured packets delivered here.
    pub(crate) measured_undelivered: i64,
    /// Goal endpoints not finished.
    pub(crate) unfinished: i64,
    /// Goal endpoints that know when they will be woken.
    pub(crate) waking: i64,
    /// Messages of goals handed over here, less messages of goals delivered here.
    pub(crate) goal_messages: i64,
    /// Packets delivered.
    pub(crate) work: u64,
    /// Calls of endpoints.
    pub(crate) calls: u64,
    /// Arrivals at routers, output decisions and injections.
    pub(crate) events: u64,
    /// Packets rerouted as links went down.
    pub(crate) rerouted: u64,
}

/// Environment of a router or NIC: what it may write to besides itself, and what it reads.
pub(crate) struct Outbox<'a, F, P> {
    pub(crate) shared: View<'a, F>,
    pub(crate) probe: &'a mut P,
    pub(crate) totals: &'a mut GroupTotals,
    /// Messages announced to nodes of this group.
    pub(crate) announced: &'a mut Vec<Incoming>,
    /// Messages that an endpoint has handed to another NIC than the first.
    pub(crate) elsewhere: Vec<Message>,
    /// Notices that the routers of this group have sent NICs in the window.
    pub(crate) notices: Vec<Notice>,
    /// Counters of the NICs of the node that is woken, where it has several.
    pub(crate) beside: Vec<NicCounters>,
    pub(crate) wakes: &'a mut WakeSchedule,
    pub(crate) nodes: &'a mut NodeSchedule,
    pub(crate) pools: &'a mut ChunkPools,
    /// Slots for which anything is in flight to the routers of this group.
    filled: &'a mut SlotSet,
    /// `[kind]`: what is in flight to the routers of this group, by slot; to other groups; to the
    /// nodes of the router that is simulated, which are told at the end of its window, since the
    /// path to them is longer than a window. The last list is empty.
    in_flight: [&'a mut [InFlight]; KINDS],
    clock: Clock,
    partition: &'a Partition,
    /// Nodes of the block.
    pub(crate) own: Range<u32>,
}

/// The parts of an outbox: some belong to a group, some to a thread.
pub(crate) struct Parts<'a, P> {
    pub(crate) shared: &'a Shared,
    pub(crate) partition: &'a Partition,
    /// Nodes of the block.
    pub(crate) own: Range<u32>,
    pub(crate) wakes: &'a mut WakeSchedule,
    pub(crate) nodes: &'a mut NodeSchedule,
    pub(crate) wheel: &'a mut Wheel,
    pub(crate) totals: &'a mut GroupTotals,
    pub(crate) announced: &'a mut Vec<Incoming>,
    pub(crate) probe: &'a mut P,
    pub(crate) pools: &'a mut ChunkPools,
    pub(crate) to_nodes: &'a mut InFlight,
    /// `[block]`.
    pub(crate) mail: &'a mut [InFlight],
}

impl GroupTotals {
    /// Adds the sums over another group.
    pub(crate) const fn add(&mut self, other: &Self) {
        self.measured_undelivered += other.measured_undelivered;
        self.unfinished += other.unfinished;
        self.waking += other.waking;
        self.goal_messages += other.goal_messages;
        self.work += other.work;
        self.calls += other.calls;
        self.events += other.events;
        self.rerouted += other.rerouted;
    }
}

impl<'a, F: Features, P> Outbox<'a, F, P> {
    pub(crate) fn new(parts: Parts<'a, P>) -> Self {
        Self {
            shared: View::new(parts.shared),
            probe: parts.probe,
            totals: parts.totals,
            announced: parts.announced,
            wakes: parts.wakes,
            nodes: parts.nodes,
            pools: parts.pools,
            filled: &mut parts.wheel.filled,
            in_flight: [
                &mut parts.wheel.slots,
                parts.mail,
                std::slice::from_mut(parts.to_nodes),
                &mut [],
            ],
            clock: parts.shared.clock,
            partition: parts.partition,
            own: parts.own,
            elsewhere: Vec::new(),
            beside: Vec::new(),
            notices: Vec::new(),
        }
    }

    /// The number of `node`, which is one of the block, among its nodes.
    #[inline]
    pub(crate) fn local_node(&self, node: NodeId) -> LocalNode {
        LocalNode::new((node.0 - self.own.start) as usize)
    }

    /// The number of windows from that of `slot` on to the first in which something reaches the
    /// group, or a router or node of it does something of its own accord.
    #[inline(always)]
    pub(crate) fn windows_ahead(&self, slot: WindowSlot) -> Option<u64> {
        let sets = [self.filled, &self.wakes.slots, &self.nodes.near.slots];
        SlotSet::ahead(sets, slot)
    }

    /// Moves what reaches the group in the window of `slot` to `arrivals`.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: WindowSlot, arrivals: &mut GroupArrivals) {
        let learns = self.shared.learns();
        self.filled.remove(slot);
        arrivals.fill(&mut self.in_flight[0][slot.index()], self.pools, learns);
    }

    /// Leaves what reaches the group `span` after the start of the window of `slot`, or later, in
    /// the wheel: the run ends before, and what is under way then is not lost.
    pub(crate) fn leave_from(
        &mut self,
        slot: WindowSlot,
        span: Span,
        arrivals: &mut GroupArrivals,
    ) {
        let in_flight = &mut self.in_flight[0][slot.index()];
        arrivals.cut(span, in_flight, self.pools);
        if !in_flight.is_empty() {
            self.filled.insert(slot);
        }
    }

    /// Flits in flight from the router that is simulated to its nodes.
    #[inline(always)]
    pub(crate) fn for_nodes(&mut self) -> &mut InFlight {
        &mut self.in_flight[2][0]
    }

    /// Whether the router that is simulated sends its nodes anything.
    #[inline(always)]
    pub(crate) fn has_for_nodes(&self) -> bool {
        let in_flight = &self.in_flight[2][0];
        !(in_flight.packets.is_empty() && in_flight.credits.is_empty())
    }

    /// The lists to which something is added that goes to `destination` and arrives in `slot`, with
    /// the chunks for them.
    #[inline(always)]
    fn in_flight(&mut self, destination: Destination, slot: WindowSlot) -> Adding<'_> {
        let slots = usize::from(destination.slots);
        let position = slot.index() & slots | usize::from(destination.position);
        let in_flight = &mut self.in_flight[usize::from(destination.kind) % KINDS];
        Adding {
            lists: &mut in_flight[position],
            pools: self.pools,
            filled: self.filled,
            slot,
            is_here: destination.kind == Destination::HERE.kind,
        }
    }

    /// Sends a copy of `packet` to the router at `to`, which it enters at `at`, or towards the node
    /// there, which it starts to at `at`, on virtual channel `vc`; returns the copy, to be changed.
    /// What differs is written behind the copy: a wide load right behind narrow stores would have
    /// to wait for them.
    #[inline(always)]
    pub(crate) fn post_packet(
        &mut self,
        to: &LinkEnd,
        at: Instant,
        packet: &Packet,
        vc: u8,
    ) -> &mut Packet {
        let slot = self.clock.slot(at);
        let offset = self.clock.offset(at);
        let flight = self.in_flight(to.destination, slot).packet();
        flight.router = to.router;
        flight.slot = slot;
        let copy = &mut flight.packet;
        *copy = *packet;
        copy.set_offset(offset);
        copy.in_port = to.port;
        copy.vc = vc;
        copy.hops = packet.hops.wrapping_add(u8::from(!to.is_node()));
        copy
    }

    /// Lets `packet`, which comes from a node, enter a router of this group at `at`.
    #[inline(always)]
    pub(crate) fn enter_packet(&mut self, router: LocalRouter, at: Instant, packet: &mut Packet) {
        packet.set_offset(self.clock.offset(at));
        let slot = self.clock.slot(at);
        *self.in_flight(Destination::HERE, slot).packet() = PacketInFlight {
            packet: *packet,
            router,
            slot,
        };
    }

    /// Makes the credits that `packet` took usable at the router or node at `to` from `at` on.
    #[inline(always)]
    pub(crate) fn post_credits(&mut self, to: &LinkEnd, at: Instant, packet: &Packet) {
        let slot = self.clock.slot(at);
        let credit = Credit::of(packet, to.port, self.clock.offset(at));
        *self.in_flight(to.destination, slot).credit() = CreditInFlight {
            credit,
            router: to.router,
            slot,
        };
    }

    /// Sends `feedback` to the router at `to`, which learns it at `at`.
    pub(crate) fn post_feedback(&mut self, to: &LinkEnd, at: Instant, feedback: Feedback) {
        let offset = self.clock.offset(at);
        let slot = self.clock.slot(at);
        *self.in_flight(to.destination, slot).feedback() = FeedbackInFlight {
            feedback: Feedback { offset, ..feedback },
            router: to.router,
            slot,
        };
    }

    /// Announces a message whose packets will follow.
    pub(crate) fn announce(&mut self, incoming: Incoming) {
        let target = incoming.message.target;
        if self.own.contains(&target.0) {
            self.announced.push(incoming);
        } else {
            let group = self.shared.topology.group_of_node(target);
            let block = usize::from(self.partition.block_of(group));
            self.in_flight[1][block].messages.push(incoming);
        }
    }

    /// Sends `notice` to a node of another group.
    pub(crate) fn post_notice(&mut self, notice: Notice) {
        let group = self.shared.topology.group_of_node(notice.node);
        let block = usize::from(self.partition.block_of(group));
        self.in_flight[1][block].notices.push(notice);
    }

    /// Schedules a router of this group to wake in the window of `at`, or before if the wheel does
    /// not reach that far. `now` is the start of a window.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, router: LocalRouter, at: Instant, now: Instant) {
        let at = at.min(now.plus(self.shared.horizon));
        self.wakes.schedule(self.clock.slot(at), router);
    }

    /// Schedules the nodes of a router of this group, the first of which has something to do at
    /// `due`, in the window in which the router sees it, `window` being simulated.
    #[inline(always)]
    pub(crate) fn schedule_nodes(&mut self, router: LocalRouter, due: Instant, window: Window) {
        self.nodes.schedule(&self.shared, router, due, window);
    }
}

/// Lists to which something is added.
struct Adding<'a> {
    lists: &'a mut InFlight,
    pools: &'a mut ChunkPools,
    filled: &'a mut SlotSet,
    slot: WindowSlot,
    /// They are of the wheel, which notes its filled slots.
    is_here: bool,
}

impl<'a> Adding<'a> {
    /// The next packet, to be written over.
    #[inline(always)]
    fn packet(self) -> &'a mut PacketInFlight {
        let note = note_filled(self.filled, self.slot, self.is_here);
        self.pools.packets.next(&mut self.lists.packets, note)
    }

    /// The next credit, to be written over.
    #[inline(always)]
    fn credit(self) -> &'a mut CreditInFlight {
        let note = note_filled(self.filled, self.slot, self.is_here);
        self.pools.credits.next(&mut self.lists.credits, note)
    }

    /// The next feedback, to be written over.
    #[inline(always)]
    fn feedback(self) -> &'a mut FeedbackInFlight {
        let note = note_filled(self.filled, self.slot, self.is_here);
        self.pools.feedback.next(&mut self.lists.feedback, note)
    }
}

/// Note that a slot is filled, if it is of the wheel.
#[inline(always)]
fn note_filled(filled: &mut SlotSet, slot: WindowSlot, is_here: bool) -> impl FnOnce() {
    move || {
        if is_here {
            filled.insert(slot);
        }
    }
}
