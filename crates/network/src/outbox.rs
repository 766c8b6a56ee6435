//! Where everything goes that leaves a router or a NIC: to the wires of its group, or into the mail
//! for another.

use std::marker::PhantomData;

use odonata_topology::LinkKind;
use odonata_units::{GroupId, Instant};

use crate::dense::{append, at_mut};
use crate::endpoint::Message;
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
    /// Its port.
    pub(crate) port: u8,
    pub(crate) kind: LinkKind,
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
    /// Messages that an endpoint has handed to another NIC than the first.
    pub(crate) elsewhere: Vec<Message>,
    pub(crate) wires: &'a mut Wires,
    pub(crate) spares: &'a mut Spares,
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
            mail: parts.mail,
            clock: parts.shared.clock,
            group: parts.group,
            mailed: false,
            elsewhere: Vec::new(),
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

    /// A copy of `packet` enters the router at `to` at `at`, on virtual channel `vc`; returns the
    /// copy, to be changed. What differs is written behind the copy: a wide load right behind
    /// narrow stores would have to wait for them.
    #[inline(always)]
    pub(crate) fn post_packet(
        &mut self,
        to: Peer,
        at: Instant,
        (packet, vc): (&Packet, u8),
    ) -> &mut Packet {
        let slot = self.slot(at);
        let offset = self.clock.offset(at);
        let flight = Flight {
            packet: *packet,
            router: to.router,
            slot,
        };
        let copy = if to.group == self.group {
            let list = &mut self.wires.bundle(slot).packets;
            &mut self.spares.push_packet(list, flight).packet
        } else {
            self.mailed = true;
            let list = &mut at_mut(self.mail, usize::from(to.group)).packets;
            &mut append(list, flight, |_| ()).packet
        };
        copy.link = offset;
        copy.in_port = to.port;
        copy.vc = vc;
        copy.hops = packet.hops.wrapping_add(1);
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

    /// The credits that `packet` took are usable at the router at `to` from `at` on.
    #[inline(always)]
    pub(crate) fn post_credits(&mut self, to: Peer, at: Instant, packet: &Packet) {
        let credit = Credit::new(to.port, packet.vc, (packet.job(), packet.flits));
        let returning = Returning {
            credit: credit.with_offset(self.clock.offset(at)),
            router: to.router,
            slot: self.slot(at),
        };
        if to.group == self.group {
            let bundle = self.wires.bundle(returning.slot);
            self.spares.push_credit(&mut bundle.credits, returning);
        } else {
            let mail = at_mut(self.mail, usize::from(to.group));
            append(&mut mail.credits, returning, |_| ());
            self.mailed = true;
        }
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
