//! Where everything goes that leaves a router or a NIC: to the wires of its group, or into the mail
//! for another.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

use odonata_topology::LinkKind;
use odonata_units::{GroupId, Instant};

use crate::dense::at_mut;
use crate::features::Features;
use crate::inbox::Incoming;
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::{Clock, Shared};
use crate::wires::{Flight, Returning, Spares, Taught, Wires};

/// What one group sends another in an epoch: plain records.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    pub(crate) packets: Vec<Flight>,
    pub(crate) credits: Vec<Returning>,
    pub(crate) lessons: Vec<Taught>,
    /// Announcements of messages whose packets will follow.
    pub(crate) messages: Vec<Incoming>,
}

impl Mail {
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.packets.is_empty()
            && self.credits.is_empty()
            && self.lessons.is_empty()
            && self.messages.is_empty()
    }
}

/// The other end of a link: where its packets enter, and where its credits come back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peer {
    /// Node, as its group numbers it.
    pub(crate) node: u32,
    /// Router, as its group numbers it; itself if unconnected.
    pub(crate) router: u16,
    /// Its group.
    pub(crate) group: u16,
    /// Its port; towards a node the one that leads there.
    pub(crate) port: u8,
    pub(crate) kind: LinkKind,
}

impl Peer {
    #[inline(always)]
    pub(crate) const fn is_node(&self) -> bool {
        matches!(self.kind, LinkKind::Host)
    }
}

/// What a router sends its nodes in a window, and gives them back. They are told at its end: the
/// way to them takes longer than what is left of the window.
#[derive(Debug, Default)]
pub(crate) struct ToNodes {
    /// On the channel to a node since `link`, the offset in the window.
    pub(crate) packets: Vec<Flight>,
    /// From the input buffer of a node, which they left at the offset.
    pub(crate) credits: Vec<Returning>,
}

/// Sums over a group: what decides when a run ends, and what a user sees of its progress.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Measured packets created here less those delivered here.
    pub(crate) outstanding: i64,
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
    /// Arrivals at routers, output decisions and injections.
    pub(crate) events: u64,
}

/// What a router or NIC may write to besides itself, and what it reads.
pub(crate) struct Outbox<'a, F, P> {
    pub(crate) shared: &'a Shared,
    pub(crate) probe: &'a mut P,
    pub(crate) tally: &'a mut Tally,
    /// Messages announced to nodes of this group.
    pub(crate) announced: &'a mut Vec<Incoming>,
    pub(crate) wires: &'a mut Wires,
    pub(crate) spares: &'a mut Spares,
    pub(crate) to_nodes: &'a mut ToNodes,
    /// By group.
    mail: &'a mut [Mail],
    clock: Clock,
    group: u16,
    /// Something is in the mail.
    pub(crate) mailed: bool,
    features: PhantomData<F>,
}

/// The parts of an outbox that belong to a group, and those that belong to a thread.
pub(crate) struct Parts<'a, P> {
    pub(crate) group: u16,
    pub(crate) shared: &'a Shared,
    pub(crate) wires: &'a mut Wires,
    pub(crate) tally: &'a mut Tally,
    pub(crate) announced: &'a mut Vec<Incoming>,
    pub(crate) probe: &'a mut P,
    pub(crate) spares: &'a mut Spares,
    pub(crate) to_nodes: &'a mut ToNodes,
    pub(crate) mail: &'a mut [Mail],
}

impl<'a, F: Features, P> Outbox<'a, F, P> {
    pub(crate) const fn new(parts: Parts<'a, P>) -> Self {
        Self {
            shared: parts.shared,
            probe: parts.probe,
            tally: parts.tally,
            announced: parts.announced,
            wires: parts.wires,
            spares: parts.spares,
            to_nodes: parts.to_nodes,
            mail: parts.mail,
            clock: parts.shared.clock,
            group: parts.group,
            mailed: false,
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

    /// A copy of `packet` goes to the router at `to`, which it enters at `at`, or starts towards the
    /// node there at `at`, on virtual channel `vc`; returns the copy, to be changed. What differs is
    /// written behind the copy: a wide load right behind narrow stores would have to wait for them.
    ///
    /// Which list it goes to is as good as random: it is selected, not branched for.
    #[inline(always)]
    pub(crate) fn post_packet(
        &mut self,
        to: Peer,
        at: Instant,
        (packet, vc): (&Packet, u8),
    ) -> &mut Packet {
        let slot = self.slot(at);
        let flight = Flight {
            packet: *packet,
            router: to.router,
            slot,
        };
        let (is_node, is_here) = (to.is_node(), to.group == self.group);
        self.mailed |= !is_here;
        let here = self.wires.packets(slot, is_here & !is_node);
        let there = &mut at_mut(self.mail, usize::from(to.group)).packets;
        let list = select_unpredictable(is_here, here, there);
        let list = select_unpredictable(is_node, &mut self.to_nodes.packets, list);
        let copy = &mut self.spares.push_packet(list, flight).packet;
        copy.link = self.clock.offset(at);
        copy.in_port = to.port;
        copy.vc = vc;
        copy.hops = packet.hops.wrapping_add(u8::from(!is_node));
        copy
    }

    /// `packet` enters router `router` of this group, from one of its nodes.
    #[inline(always)]
    pub(crate) fn enter_packet(&mut self, router: u16, at: Instant, packet: &mut Packet) {
        packet.link = self.clock.offset(at);
        let slot = self.slot(at);
        let flight = Flight {
            packet: *packet,
            router,
            slot,
        };
        let bundle = self.wires.bundle(slot);
        self.spares.push_packet(&mut bundle.packets, flight);
    }

    /// The credits that `packet` took are usable at the router at `to` from `at` on, or have left the
    /// input buffer of the node at `to` at `at`.
    #[inline(always)]
    pub(crate) fn post_credits(&mut self, to: Peer, at: Instant, packet: &Packet) {
        let credit = Credit::new(to.port, packet.vc, (packet.job(), packet.flits));
        let slot = self.slot(at);
        let returning = Returning {
            credit: credit.with_offset(self.clock.offset(at)),
            router: to.router,
            slot,
        };
        let (is_node, is_here) = (to.is_node(), to.group == self.group);
        self.mailed |= !is_here;
        let here = self.wires.credits(slot, is_here & !is_node);
        let there = &mut at_mut(self.mail, usize::from(to.group)).credits;
        let list = select_unpredictable(is_here, here, there);
        let list = select_unpredictable(is_node, &mut self.to_nodes.credits, list);
        self.spares.push_credit(list, returning);
    }

    /// The router at `to` learns `feedback` at `at`.
    pub(crate) fn post_lesson(&mut self, to: Peer, at: Instant, feedback: Feedback) {
        let offset = self.clock.offset(at);
        let taught = Taught {
            feedback: Feedback { offset, ..feedback },
            router: to.router,
            slot: self.slot(at),
        };
        if to.group == self.group {
            let bundle = self.wires.bundle(taught.slot);
            self.spares.push_lesson(&mut bundle.lessons, taught);
        } else {
            let mail = at_mut(self.mail, usize::from(to.group));
            mail.lessons.push(taught);
            self.mailed = true;
        }
    }

    /// The packets of a message will follow.
    pub(crate) fn announce(&mut self, incoming: Incoming) {
        let group = self.shared.topology.group_of_node(incoming.message.target);
        if group.index() == usize::from(self.group) {
            self.announced.push(incoming);
        } else {
            self.mail[group.index()].messages.push(incoming);
            self.mailed = true;
        }
    }

    /// Router `router` of this group wishes to be looked at in the window of `at`; if the wheel
    /// does not reach that far, it is looked at before. `now` is the start of a window.
    #[inline(always)]
    pub(crate) fn wish(&mut self, router: usize, at: Instant, now: Instant) {
        let at = at.min(now.plus(self.shared.horizon));
        self.wires.wish(self.clock.slot(at), router);
    }
}
