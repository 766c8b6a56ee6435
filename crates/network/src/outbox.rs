//! Where everything goes that leaves a router or a NIC: to the wires of its group, or into the mail
//! for another.

use std::marker::PhantomData;

use odonata_topology::LinkKind;
use odonata_units::{GroupId, Instant};

use crate::dense::at_mut;
use crate::features::Features;
use crate::inbox::Incoming;
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::Shared;
use crate::wires::{Flight, Returning, Spares, Wires};

/// What one group sends another in an epoch: plain records, each with its slot in the wheel there.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    pub(crate) packets: Vec<(u16, Flight)>,
    pub(crate) credits: Vec<(u16, Returning)>,
    pub(crate) lessons: Vec<(u16, u32, Feedback)>,
    /// Announcements of messages whose packets will follow.
    pub(crate) messages: Vec<Incoming>,
}

/// The other end of a link: where its packets enter, and where its credits come back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peer {
    /// Router or node, as its group numbers it; itself if unconnected.
    pub(crate) place: u32,
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
    /// Packets delivered and calls of endpoints.
    pub(crate) work: u64,
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
    /// By group.
    mail: &'a mut [Mail],
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
        self.shared.slot(at) as u16
    }

    /// `packet`, whose `in_port` and `vc` are those of the router at `to`, enters it at `at`.
    #[inline(always)]
    pub(crate) fn post_packet(&mut self, to: Peer, at: Instant, packet: &mut Packet) {
        packet.link = self.shared.offset(at);
        let flight = Flight {
            packet: *packet,
            router: to.place,
        };
        let slot = self.slot(at);
        if to.group == self.group {
            let bundle = self.wires.bundle(usize::from(slot));
            self.spares.push_packet(&mut bundle.packets, flight);
        } else {
            let mail = at_mut(self.mail, usize::from(to.group));
            mail.packets.push((slot, flight));
            self.mailed = true;
        }
    }

    /// `packet` enters router `router` of this group, from one of its nodes.
    #[inline(always)]
    pub(crate) fn enter_packet(&mut self, router: u32, at: Instant, packet: &mut Packet) {
        packet.link = self.shared.offset(at);
        let flight = Flight {
            packet: *packet,
            router,
        };
        let slot = self.slot(at);
        let bundle = self.wires.bundle(usize::from(slot));
        self.spares.push_packet(&mut bundle.packets, flight);
    }

    /// `flits` credits of `vc` are usable at the router at `to` from `at` on.
    #[inline(always)]
    pub(crate) fn post_credits(&mut self, to: Peer, at: Instant, (vc, flits): (u8, u16)) {
        let returning = Returning {
            credit: Credit::new(to.port, vc, flits).with_offset(self.shared.offset(at)),
            router: to.place,
        };
        let slot = self.slot(at);
        if to.group == self.group {
            let bundle = self.wires.bundle(usize::from(slot));
            self.spares.push_credit(&mut bundle.credits, returning);
        } else {
            let mail = at_mut(self.mail, usize::from(to.group));
            mail.credits.push((slot, returning));
            self.mailed = true;
        }
    }

    /// The router at `to` learns `feedback` at `at`.
    pub(crate) fn post_lesson(&mut self, to: Peer, at: Instant, feedback: Feedback) {
        let offset = self.shared.offset(at);
        let feedback = Feedback { offset, ..feedback };
        let slot = self.slot(at);
        if to.group == self.group {
            let bundle = self.wires.bundle(usize::from(slot));
            bundle.lessons.push((to.place, feedback));
        } else {
            let mail = at_mut(self.mail, usize::from(to.group));
            mail.lessons.push((slot, to.place, feedback));
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
        self.wires.wish(self.shared.slot(at), router);
    }
}
