//! Where everything goes that leaves a router or a NIC: to the wires of its group, or into the mail
//! for another.

use std::marker::PhantomData;

use odonata_topology::LinkKind;
use odonata_units::Instant;

use crate::features::Features;
use crate::inbox::Incoming;
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::Shared;
use crate::wires::Wires;

/// What one group sends another in an epoch: plain records, each with its bucket
/// (`Wires`).
#[derive(Debug, Default)]
pub(crate) struct Mail {
    pub(crate) packets: Vec<(u32, Packet)>,
    pub(crate) credits: Vec<(u32, Credit)>,
    pub(crate) lessons: Vec<(u32, Feedback)>,
    /// Announcements of messages whose packets will follow.
    pub(crate) messages: Vec<Incoming>,
}

/// The other end of a link: where its packets enter, and where its credits come back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peer {
    /// First bucket of the router; of a host link: node, as its group numbers it. Itself if
    /// unconnected.
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

/// Buffers of one window, kept to save allocations.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Packets that enter a router: offset, input port and place in the bucket.
    pub(crate) order: Vec<u64>,
    /// Credits of a router that are not applied early.
    pub(crate) credits: Vec<Credit>,
    /// What a router learns.
    pub(crate) lessons: Vec<Feedback>,
}

/// What a router or NIC may write to besides itself, and what it reads.
pub(crate) struct Outbox<'a, F, P> {
    pub(crate) shared: &'a Shared,
    pub(crate) probe: &'a mut P,
    pub(crate) tally: &'a mut Tally,
    pub(crate) scratch: &'a mut Scratch,
    /// Messages announced to nodes of this group.
    pub(crate) announced: &'a mut Vec<Incoming>,
    pub(crate) wires: &'a mut Wires,
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
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) mail: &'a mut [Mail],
}

impl<'a, F: Features, P> Outbox<'a, F, P> {
    pub(crate) const fn new(parts: Parts<'a, P>) -> Self {
        Self {
            shared: parts.shared,
            probe: parts.probe,
            tally: parts.tally,
            scratch: parts.scratch,
            announced: parts.announced,
            wires: parts.wires,
            mail: parts.mail,
            group: parts.group,
            mailed: false,
            features: PhantomData,
        }
    }

    /// Bucket of the window that contains `at`, of the router whose first bucket is `first`.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^14 slots")]
    pub(crate) const fn bucket(&self, first: u32, at: Instant) -> u32 {
        first | self.shared.slot(at) as u32
    }

    /// `packet`, whose `in_port` and `vc` are those of the router at `to`, enters it at `at`.
    #[inline(always)]
    pub(crate) fn post_packet(&mut self, to: Peer, at: Instant, packet: &mut Packet) {
        packet.link = self.shared.offset(at);
        let bucket = self.bucket(to.place, at);
        if to.group == self.group {
            self.wires.post_packet(bucket, packet);
        } else {
            self.mail[usize::from(to.group)]
                .packets
                .push((bucket, *packet));
            self.mailed = true;
        }
    }

    /// `packet` enters the router of this group whose first bucket is `first`, from a node.
    #[inline(always)]
    pub(crate) fn enter_packet(&mut self, first: u32, at: Instant, packet: &mut Packet) {
        packet.link = self.shared.offset(at);
        let bucket = self.bucket(first, at);
        self.wires.post_packet(bucket, packet);
    }

    /// `flits` credits of `vc` are usable at the router at `to` from `at` on.
    #[inline(always)]
    pub(crate) fn post_credits(&mut self, to: Peer, at: Instant, (vc, flits): (u8, u16)) {
        let credit = Credit::new(to.port, vc, flits).with_offset(self.shared.offset(at));
        let bucket = self.bucket(to.place, at);
        if to.group == self.group {
            self.wires.post_credit(bucket, credit);
        } else {
            self.mail[usize::from(to.group)]
                .credits
                .push((bucket, credit));
            self.mailed = true;
        }
    }

    /// The router at `to` learns `feedback` at `at`.
    pub(crate) fn post_lesson(&mut self, to: Peer, at: Instant, feedback: Feedback) {
        let offset = self.shared.offset(at);
        let feedback = Feedback { offset, ..feedback };
        let bucket = self.bucket(to.place, at);
        if to.group == self.group {
            self.wires.post_lesson(bucket, feedback);
        } else {
            self.mail[usize::from(to.group)]
                .lessons
                .push((bucket, feedback));
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

    /// Something happens at `at` at the router of this group whose first bucket is `first`.
    #[inline(always)]
    pub(crate) fn activate(&mut self, first: u32, at: Instant) {
        self.wires.activate(self.bucket(first, at));
    }

    /// The same for an instant that may be further away than the wheels reach: then the router is
    /// looked at before. `now` is the start of the window.
    #[inline(always)]
    pub(crate) fn activate_by_horizon(&mut self, first: u32, at: Instant, now: Instant) {
        self.activate(first, at.min(now.plus(self.shared.horizon)));
    }

    /// Takes the set of routers that are active in the window of `at`, by words of 64.
    #[inline]
    pub(crate) fn take_active(&mut self, at: Instant, word: usize) -> u64 {
        self.wires.take_active(self.shared.slot(at), word)
    }
}
