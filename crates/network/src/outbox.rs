//! Where everything goes that leaves a router or a NIC: into the wheel of its group, or into the
//! mail for another.

use odonata_topology::LinkKind;
use odonata_units::{GroupId, Instant};

use crate::features::Features;
use crate::in_flight::{
    ChunkPools, CreditInFlight, FeedbackInFlight, GroupArrivals, InFlight, PacketInFlight,
};
use crate::inbox::Incoming;
use crate::index::{LocalRouter, WindowSlot};
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::Shared;
use crate::view::View;
use crate::wake_schedule::WakeSchedule;
use crate::window::Clock;
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
}

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

    /// The routers of another group.
    pub(crate) const fn to_group(group: u16) -> Self {
        Self {
            slots: 0,
            position: group,
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
        }
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
    /// GroupArrivals at routers, output decisions and injections.
    pub(crate) events: u64,
}

/// What a router or NIC may write to besides itself, and what it reads.
pub(crate) struct Outbox<'a, F, P> {
    pub(crate) shared: View<'a, F>,
    pub(crate) probe: &'a mut P,
    pub(crate) totals: &'a mut GroupTotals,
    /// Messages announced to nodes of this group.
    pub(crate) announced: &'a mut Vec<Incoming>,
    /// Messages that an endpoint has handed to another NIC than the first.
    pub(crate) elsewhere: Vec<Message>,
    /// What the NICs of the node that is woken have counted, where it has several.
    pub(crate) beside: Vec<NicCounters>,
    pub(crate) wakes: &'a mut WakeSchedule,
    pub(crate) pools: &'a mut ChunkPools,
    /// `[kind]`: what is in flight to the routers of this group, by slot; to other groups; to the
    /// nodes of the router that is simulated, which are told at the end of its window, since the
    /// path to them is longer than a window. The last list is empty.
    in_flight: [&'a mut [InFlight]; KINDS],
    clock: Clock,
    group: u16,
}

/// The parts of an outbox: some belong to a group, some to a thread.
pub(crate) struct Parts<'a, P> {
    pub(crate) group: u16,
    pub(crate) shared: &'a Shared,
    pub(crate) wakes: &'a mut WakeSchedule,
    pub(crate) wheel: &'a mut [InFlight],
    pub(crate) totals: &'a mut GroupTotals,
    pub(crate) announced: &'a mut Vec<Incoming>,
    pub(crate) probe: &'a mut P,
    pub(crate) pools: &'a mut ChunkPools,
    pub(crate) to_nodes: &'a mut InFlight,
    /// `[group]`.
    pub(crate) mail: &'a mut [InFlight],
}

impl<'a, F: Features, P> Outbox<'a, F, P> {
    pub(crate) fn new(parts: Parts<'a, P>) -> Self {
        Self {
            shared: View::new(parts.shared),
            probe: parts.probe,
            totals: parts.totals,
            announced: parts.announced,
            wakes: parts.wakes,
            pools: parts.pools,
            in_flight: [
                parts.wheel,
                parts.mail,
                std::slice::from_mut(parts.to_nodes),
                &mut [],
            ],
            clock: parts.shared.clock,
            group: parts.group,
            elsewhere: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// The group whose outbox it is.
    pub(crate) fn group_id(&self) -> GroupId {
        GroupId(u32::from(self.group))
    }

    /// What is in flight to this group for a window.
    #[inline(always)]
    pub(crate) fn window(&mut self, slot: WindowSlot) -> &mut InFlight {
        &mut self.in_flight[0][slot.index()]
    }

    /// Moves what reaches the group in the window of `slot` to `arrivals`.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: WindowSlot, arrivals: &mut GroupArrivals) {
        let learns = self.shared.learns();
        arrivals.fill(&mut self.in_flight[0][slot.index()], self.pools, learns);
    }

    /// What the router that is simulated sends its nodes.
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

    /// The lists to which something is added that goes to `destination` and arrives in `slot`, and
    /// the chunks for them.
    #[inline]
    fn in_flight(
        &mut self,
        destination: Destination,
        slot: WindowSlot,
    ) -> (&mut InFlight, &mut ChunkPools) {
        let slots = usize::from(destination.slots);
        let position = slot.index() & slots | usize::from(destination.position);
        let in_flight = &mut self.in_flight[usize::from(destination.kind) % KINDS];
        (&mut in_flight[position], self.pools)
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
        let (in_flight, pools) = self.in_flight(to.destination, slot);
        let flight = pools.packets.next(&mut in_flight.packets);
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
        let (in_flight, pools) = self.in_flight(Destination::HERE, slot);
        *pools.packets.next(&mut in_flight.packets) = PacketInFlight {
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
        let (in_flight, pools) = self.in_flight(to.destination, slot);
        *pools.credits.next(&mut in_flight.credits) = CreditInFlight {
            credit,
            router: to.router,
            slot,
        };
    }

    /// Sends `feedback` to the router at `to`, which learns it at `at`.
    pub(crate) fn post_feedback(&mut self, to: &LinkEnd, at: Instant, feedback: Feedback) {
        let offset = self.clock.offset(at);
        let slot = self.clock.slot(at);
        let (in_flight, pools) = self.in_flight(to.destination, slot);
        *pools.feedback.next(&mut in_flight.feedback) = FeedbackInFlight {
            feedback: Feedback { offset, ..feedback },
            router: to.router,
            slot,
        };
    }

    /// Announces a message whose packets will follow.
    pub(crate) fn announce(&mut self, incoming: Incoming) {
        let group = self.shared.topology.group_of_node(incoming.message.target);
        if group.index() == usize::from(self.group) {
            self.announced.push(incoming);
        } else {
            self.in_flight[1][group.index()].messages.push(incoming);
        }
    }

    /// Schedules a router of this group to wake in the window of `at`, or before if the wheel does
    /// not reach that far. `now` is the start of a window.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, router: LocalRouter, at: Instant, now: Instant) {
        let at = at.min(now.plus(self.shared.horizon));
        self.wakes.schedule(self.clock.slot(at), router);
    }
}
