//! Where everything goes that leaves a router or a NIC: to the wakes of its group, or into the mail
//! for another.

use std::marker::PhantomData;

use odonata_topology::LinkKind;
use odonata_units::{GroupId, Instant};

use crate::features::Features;
use crate::in_flight::{
    ChunkPools, CreditInFlight, FeedbackInFlight, GroupArrivals, InFlight, PacketInFlight,
};
use crate::inbox::Incoming;
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::{Clock, Shared};
use crate::wake_schedule::WakeSchedule;
use odonata_endpoint::{Message, NicCounters};

/// The other end of a link: where its packets enter, and where its credits come back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LinkEnd {
    /// Router, as its group numbers it; itself if a node or nothing is there.
    pub(crate) router: u16,
    /// Its port; towards a node, the one that leads there.
    pub(crate) port: u8,
    pub(crate) kind: LinkKind,
    destination: Destination,
}

/// Kinds of in_flight, with one that is never used.
const KINDS: usize = 4;

/// To which in_flight what goes there is added, found without a branch: it is as good as random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Destination {
    /// Bits of the slot of the instant that count: all, or none.
    slots: u16,
    /// Position of the in_flight where no bit counts.
    position: u16,
    /// See [`Outbox::in_flight`].
    kind: u8,
}

impl Destination {
    /// To the nodes of the router.
    pub(crate) const NODES: Self = Self {
        slots: 0,
        position: 0,
        kind: 2,
    };
    /// To the routers of the group.
    pub(crate) const HERE: Self = Self {
        slots: u16::MAX,
        position: 0,
        kind: 0,
    };

    /// To another group.
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
        router: u16,
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
    /// Measured packets created here less those delivered here.
    pub(crate) measured_undelivered: i64,
    /// Goal endpoints not finished.
    pub(crate) unfinished: i64,
    /// Goal endpoints that know when they will be woken.
    pub(crate) waking: i64,
    /// Messages of goals handed over here less those delivered here.
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
    pub(crate) shared: &'a Shared,
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
    /// To the routers of this group, by slot; to other groups; to the nodes of the router that is
    /// simulated, which are told at the end of its window: the way to them is longer.
    /// The last one is empty: a kind of two bits is an index without a check.
    in_flight: [&'a mut [InFlight]; KINDS],
    clock: Clock,
    group: u16,
    features: PhantomData<F>,
}

/// The parts of an outbox that belong to a group, and those that belong to a thread.
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
    /// By group.
    pub(crate) mail: &'a mut [InFlight],
}

impl<'a, F: Features, P> Outbox<'a, F, P> {
    pub(crate) fn new(parts: Parts<'a, P>) -> Self {
        Self {
            shared: parts.shared,
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
            features: PhantomData,
        }
    }

    /// The group whose outbox it is.
    pub(crate) fn group_id(&self) -> GroupId {
        GroupId(u32::from(self.group))
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^14 slots")]
    const fn slot(&self, at: Instant) -> u16 {
        self.clock.slot(at) as u16
    }

    /// The in_flight of a window of this group.
    #[inline(always)]
    pub(crate) fn window(&mut self, slot: usize) -> &mut InFlight {
        &mut self.in_flight[0][slot]
    }

    /// Takes what reaches the group in the window of `slot`.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: usize, arrivals: &mut GroupArrivals) {
        let learns = self.shared.equipment.learns::<F>();
        arrivals.fill(&mut self.in_flight[0][slot], self.pools, learns);
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

    /// The in_flight that something is added to, which goes to `destination` and arrives in `slot`, and the
    /// spare lists.
    #[inline(always)]
    fn in_flight(
        &mut self,
        destination: Destination,
        slot: u16,
    ) -> (&mut InFlight, &mut ChunkPools) {
        let position = usize::from(slot & destination.slots | destination.position);
        let in_flight = &mut self.in_flight[usize::from(destination.kind) % KINDS];
        (&mut in_flight[position], self.pools)
    }

    /// A copy of `packet` goes to the router at `to`, which it enters at `at`, or starts towards the
    /// node there at `at`, on virtual channel `vc`; returns the copy, to be changed. What differs is
    /// written behind the copy: a wide load right behind narrow stores would have to wait for them.
    #[inline(always)]
    pub(crate) fn post_packet(
        &mut self,
        to: &LinkEnd,
        at: Instant,
        (packet, vc): (&Packet, u8),
    ) -> &mut Packet {
        let slot = self.slot(at);
        let offset = self.clock.offset(at);
        let (in_flight, pools) = self.in_flight(to.destination, slot);
        let flight = pools.packets.next(&mut in_flight.packets);
        flight.router = to.router;
        flight.slot = slot;
        let copy = &mut flight.packet;
        *copy = *packet;
        copy.link = offset;
        copy.in_port = to.port;
        copy.vc = vc;
        copy.hops = packet.hops.wrapping_add(u8::from(!to.is_node()));
        copy
    }

    /// `packet` enters router `router` of this group, from one of its nodes.
    #[inline(always)]
    pub(crate) fn enter_packet(&mut self, router: u16, at: Instant, packet: &mut Packet) {
        packet.link = self.clock.offset(at);
        let slot = self.slot(at);
        let (in_flight, pools) = self.in_flight(Destination::HERE, slot);
        *pools.packets.next(&mut in_flight.packets) = PacketInFlight {
            packet: *packet,
            router,
            slot,
        };
    }

    /// The credits that `packet` took are usable at the router at `to` from `at` on; those of a
    /// node likewise.
    #[inline(always)]
    pub(crate) fn post_credits(&mut self, to: &LinkEnd, at: Instant, packet: &Packet) {
        let slot = self.slot(at);
        let credit = Credit::of(packet, to.port, self.clock.offset(at));
        let (in_flight, pools) = self.in_flight(to.destination, slot);
        *pools.credits.next(&mut in_flight.credits) = CreditInFlight {
            credit,
            router: to.router,
            slot,
        };
    }

    /// The router at `to` learns `feedback` at `at`.
    pub(crate) fn post_feedback(&mut self, to: &LinkEnd, at: Instant, feedback: Feedback) {
        let offset = self.clock.offset(at);
        let slot = self.slot(at);
        let (in_flight, pools) = self.in_flight(to.destination, slot);
        *pools.feedback.next(&mut in_flight.feedback) = FeedbackInFlight {
            feedback: Feedback { offset, ..feedback },
            router: to.router,
            slot,
        };
    }

    /// The packets of a message will follow.
    pub(crate) fn announce(&mut self, incoming: Incoming) {
        let group = self.shared.topology.group_of_node(incoming.message.target);
        if group.index() == usize::from(self.group) {
            self.announced.push(incoming);
        } else {
            self.in_flight[1][group.index()].messages.push(incoming);
        }
    }

    /// Router `router` of this group is to wake in the window of `at`; if the wheel
    /// does not reach that far, it is looked at before. `now` is the start of a window.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, router: usize, at: Instant, now: Instant) {
        let at = at.min(now.plus(self.shared.horizon));
        self.wakes.schedule(self.clock.slot(at), router);
    }
}
