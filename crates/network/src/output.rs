//! The output stage of a router port: one for every architecture.
//!
//! Nothing is scheduled. A port knows the instant of its next decision (`gate`) and is brought up
//! to date when something looks at it: a packet put in, a credit, an observation, the end of a
//! window. Ports do not influence each other, so the order in which they catch up is free.

use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::{Instant, RouterId};

use crate::block::{Context, State};
use crate::endpoint::Endpoint;
use crate::packet::{Credit, Packet};
use crate::shared::Shared;
use crate::view::View;

const NEVER: u64 = u64::MAX;
/// No place of the slab.
pub(crate) const NOTHING: u32 = u32::MAX;

/// One output port, and the other end of its link (packets come in from there).
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Output {
    /// Armed: instant of the next decision. Otherwise: no earlier than this.
    pub(crate) gate: u64,
    /// Virtual channels with waiting packets.
    pub(crate) waiting_vcs: u32,
    /// Flits waiting.
    pub(crate) queued: u32,
    /// Credits taken and not yet usable again, flits.
    pub(crate) in_use: u32,
    /// Router or node at the other end; itself if unconnected.
    pub(crate) target: u32,
    /// Block of the target.
    pub(crate) block: u16,
    /// Its router within this block; its port.
    router: u16,
    port: u8,
    pub(crate) target_port: u8,
    kind: LinkKind,
    pub(crate) last_vc: u8,
    armed: bool,
    /// Nothing could start at the last decision.
    waiting: bool,
    pub(crate) same_block: bool,
    /// Last window (its number modulo 2^16) in which credits for this port were applied early.
    pub(crate) early: u16,
    /// Since when a ready packet has lacked credits, or never.
    pub(crate) stalled_since: u64,
    pub(crate) busy_ps: u64,
    pub(crate) stall_ps: u64,
}

/// One virtual channel of an output port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    /// Flits that may be sent.
    pub(crate) credits: u32,
    /// Flits that the output buffer still takes: a bound under `cioq`, and a count modulo 2^32
    /// under `voq`, whose queues have no bound of their own.
    pub(crate) room: u32,
    pub(crate) head: u32,
    pub(crate) tail: u32,
    /// Since when a full packet has lacked credits, or never.
    low_since: u64,
    pub(crate) saturated_ps: u64,
}

/// Traffic of one job or class over one port.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LinkUse {
    pub(crate) bytes: u64,
    pub(crate) packets: u64,
}

impl Lane {
    pub(crate) const fn new(shared: &Shared, kind: LinkKind) -> Self {
        Self {
            credits: shared.depth(kind),
            room: shared.parameters.output_buffer_flits,
            head: 0,
            tail: 0,
            low_since: NEVER,
            saturated_ps: 0,
        }
    }

    /// Saturated time, with what is still going on at `now`.
    pub(crate) const fn saturated_until(&self, now: u64) -> u64 {
        self.saturated_ps + now.saturating_sub(self.low_since)
    }
}

impl Output {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a radix is at most 255, groups at most 2^16"
    )]
    pub(crate) fn new(shared: &Shared, router: RouterId, port: u16) -> Self {
        let topology = &shared.topology;
        let kind = topology.port_kind(PortIndex(port));
        let own = topology.group_of(router);
        let (target, target_port, group) = match topology.neighbour(router, PortIndex(port)) {
            Some(Attachment::Node(node)) => (node.0, 0, own),
            Some(Attachment::Router(other, back)) => {
                (other.0, back.0 as u8, topology.group_of(other))
            }
            None => (router.0, port as u8, own),
        };
        Self {
            gate: 0,
            waiting_vcs: 0,
            queued: 0,
            in_use: 0,
            target,
            block: group.0 as u16,
            router: topology.position(router) as u16,
            port: port as u8,
            target_port,
            kind,
            last_vc: (shared.vcs - 1) as u8,
            armed: false,
            waiting: false,
            same_block: group == own,
            early: 0,
            stalled_since: NEVER,
            busy_ps: 0,
            stall_ps: 0,
        }
    }

    #[inline]
    pub(crate) const fn kind(&self) -> LinkKind {
        self.kind
    }

    #[inline]
    pub(crate) fn is_host(&self) -> bool {
        self.kind == LinkKind::Host
    }

    /// Stall time, with what is still going on at `now`.
    pub(crate) const fn stall_until(&self, now: u64) -> u64 {
        self.stall_ps + now.saturating_sub(self.stalled_since)
    }

    /// Instant of the next decision, if one is due without anything new.
    pub(crate) const fn next_decision(&self) -> u64 {
        if self.armed { self.gate } else { NEVER }
    }

    /// Something new at `at` (a packet, credits): decide `wake` later, unless busy until then.
    #[inline]
    fn arm(&mut self, at: u64, wake: u64) {
        if self.armed && !self.waiting {
            return;
        }
        let gate = at + wake;
        self.gate = if self.armed {
            self.gate.min(gate)
        } else {
            gate
        };
        self.armed = true;
        self.waiting = false;
    }
}

/// A packet about to start.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    pub(crate) output: usize,
    pub(crate) vc: u8,
    pub(crate) at: u64,
}

impl<E: Endpoint> State<E> {
    /// Lets `output` make every decision that is due at or before `limit`.
    #[inline]
    pub(crate) fn run_output<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        output: usize,
        limit: u64,
    ) {
        while self.outputs[output].armed && self.outputs[output].gate <= limit {
            self.decide(context, output);
        }
    }

    /// Lets all ports of `router` with waiting packets decide what is due.
    pub(crate) fn run_busy_outputs<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        limit: u64,
    ) {
        for word in 0..4 {
            let mut ports = self.busy[router][word];
            while ports != 0 {
                let port = word * 64 + ports.trailing_zeros() as usize;
                ports &= ports - 1;
                self.run_output(context, router * context.shared.radix + port, limit);
            }
        }
    }

    /// Starts a packet at the gate, or finds that none can.
    #[inline]
    fn decide<const RICH: bool>(&mut self, context: &mut Context<'_, RICH>, output: usize) {
        let at = self.outputs[output].gate;
        if self.outputs[output].waiting_vcs == 0 {
            self.outputs[output].armed = false;
            return;
        }
        context.stats.events += 1;
        match self.choose(context.shared, output, at) {
            Ok(vc) => {
                let lanes = output * context.shared.vcs + usize::from(vc);
                let packet = self.pop(context.shared, (output, vc), lanes);
                let start = Start { output, vc, at };
                self.start(context, &packet, start, context.shared.reserves());
            }
            Err(ready) => {
                let port = &mut self.outputs[output];
                port.waiting = true;
                port.armed = ready < NEVER;
                port.gate = if port.armed { ready } else { at };
            }
        }
    }

    #[inline]
    fn pop<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        (output, vc): (usize, u8),
        lane: usize,
    ) -> Packet {
        let place = self.lanes[lane].head;
        if shared.learns() {
            self.lesson = self.slab.lesson(place);
        }
        let packet = self.slab.remove(place);
        let flits = u32::from(packet.flits);
        let port = &mut self.outputs[output];
        if !shared.reserves() {
            port.queued -= flits;
            let room = &mut self.lanes[lane].room;
            *room = room.wrapping_add(flits);
        }
        if place == self.lanes[lane].tail {
            port.waiting_vcs &= !(1 << vc);
            if port.waiting_vcs == 0 {
                let index = port.port;
                self.busy[usize::from(port.router)][usize::from(index >> 6)] &=
                    !(1 << (index & 63));
            }
        } else {
            self.lanes[lane].head = packet.link;
        }
        packet
    }

    /// Puts a packet of the slab in the queue of `start.output` and channel `start.vc`.
    ///
    /// The port must have been run up to `start.at`.
    pub(crate) fn push<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        (place, flits): (u32, u16),
        start: Start,
    ) {
        let Start { output, vc, at } = start;
        let flits = u32::from(flits);
        let lane = &mut self.lanes[output * shared.vcs + usize::from(vc)];
        let port = &mut self.outputs[output];
        if port.waiting_vcs & (1 << vc) == 0 {
            lane.head = place;
        } else {
            self.slab.get_mut(lane.tail).link = place;
        }
        lane.tail = place;
        lane.room = lane.room.wrapping_sub(flits);
        if shared.reserves() {
            let first = &mut self.unreserved[output * shared.vcs + usize::from(vc)];
            if *first == NOTHING {
                *first = place;
            }
        }
        if port.waiting_vcs == 0 {
            let index = port.port;
            self.busy[usize::from(port.router)][usize::from(index >> 6)] |= 1 << (index & 63);
            // A port that ran empty is still busy with its last packet up to the gate.
            port.waiting = false;
            port.armed = port.gate >= at && port.gate > 0;
        }
        port.waiting_vcs |= 1 << vc;
        port.queued += flits;
        port.arm(at, shared.times.wake_up[port.kind as usize]);
    }

    /// Adds credits that become usable at `at`; the router must have been run before that.
    pub(crate) fn add_credit<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        credit: Credit,
        at: u64,
    ) {
        let shared = context.shared;
        let output = router * shared.radix + credit.port();
        if self.outputs[output].waiting_vcs != 0 {
            self.run_output(context, output, at - 1);
        }
        let flits = credit.flits();
        let place = output * shared.vcs + credit.vc();
        let lane = &mut self.lanes[place];
        let holds = self.outputs[output].waiting_vcs & (1 << credit.vc()) != 0;
        let lacked = holds
            && if shared.reserves() {
                self.unreserved[place] == lane.head
            } else {
                lane.credits < u32::from(self.slab.get(lane.head).flits)
            };
        lane.credits += flits;
        debug_assert!(lane.credits <= shared.depth(self.outputs[output].kind));
        if lane.low_since < NEVER && lane.credits >= shared.packet_flits {
            lane.saturated_ps += at - lane.low_since;
            lane.low_since = NEVER;
        }
        let port = &mut self.outputs[output];
        port.in_use -= flits;
        if lacked && port.waiting {
            port.arm(at, shared.times.wake_up[port.kind as usize]);
        }
        if shared.reserves() && holds {
            self.reserve(context, router, (output, credit.vc()), at);
        }
        if shared.is_cioq {
            self.retry_blocked(&shared, router, output);
        }
    }

    /// Sends a packet on its way over `start.output`; its slot downstream may be reserved already.
    #[inline]
    pub(crate) fn start<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        packet: &Packet,
        start: Start,
        is_reserved: bool,
    ) {
        let shared = context.shared;
        let Start { output, vc, at } = start;
        let flits = packet.flits;
        let port = &mut self.outputs[output];
        let kind = port.kind;
        let times = shared.times.hop(kind, flits);
        debug_assert!(port.gate <= at);
        port.gate = at + times.serialization;
        port.busy_ps += times.serialization;
        port.armed = port.waiting_vcs != 0;
        port.waiting = false;
        port.last_vc = vc;
        if kind != LinkKind::Host && !is_reserved {
            port.in_use += u32::from(flits);
        }
        if port.stalled_since < NEVER {
            port.stall_ps += at - port.stalled_since;
            port.stalled_since = NEVER;
        }
        let traffic = &mut self.link_jobs[output * shared.jobs + packet.job()];
        traffic.bytes += u64::from(packet.bytes);
        traffic.packets += 1;
        let router = usize::from(port.router);
        if shared.classes() > 1 {
            self.note_class(&shared, packet, start, times.serialization);
        }
        let port = &self.outputs[output];
        if kind == LinkKind::Host {
            let node = (port.target - self.first_node) as usize;
            let delay = shared.times.delivery(flits);
            self.deliver(context, node, packet, (Instant::from_ps(at), delay));
        } else {
            let (target, block, same_block) = (port.target, port.block, port.same_block);
            let entry = at + times.entry;
            let mut moved = Packet {
                link: shared.offset(entry),
                in_port: port.target_port,
                vc,
                ..*packet
            };
            if shared.learns_from(packet) {
                moved.set_measured_ns((entry - self.lesson.entered) / 1_000);
            }
            if !is_reserved {
                self.take_credits(&shared, output, vc, (flits, at));
            }
            if same_block {
                let target = (target - self.first_router) as usize;
                self.post_packet(&shared, context.spares, (target, entry), moved);
            } else {
                context.mail[usize::from(block)]
                    .packets
                    .push((target, entry, moved));
                self.mailed = true;
            }
        }
        if !shared.is_cioq && !is_reserved {
            self.return_credits(context, router, packet, at);
        }
    }

    #[inline]
    pub(crate) fn has_credits(&self, shared: &Shared, start: Start, flits: u16) -> bool {
        let lane = &self.lanes[start.output * shared.vcs + usize::from(start.vc)];
        lane.credits >= u32::from(flits)
    }

    /// Flits waiting on one virtual channel.
    pub(crate) fn queued_flits(&self, shared: &Shared, output: usize, vc: u8) -> u32 {
        let lane = &self.lanes[output * shared.vcs + usize::from(vc)];
        shared
            .parameters
            .output_buffer_flits
            .wrapping_sub(lane.room)
    }

    #[inline]
    pub(crate) fn take_credits(
        &mut self,
        shared: &Shared,
        output: usize,
        vc: u8,
        (flits, at): (u16, u64),
    ) {
        let flits = u32::from(flits);
        let lane = &mut self.lanes[output * shared.vcs + usize::from(vc)];
        debug_assert!(lane.credits >= flits);
        lane.credits -= flits;
        if lane.credits < shared.packet_flits && lane.low_since == NEVER {
            lane.low_since = at;
        }
    }

    /// Tells the sender on the other end of the port that `packet` came in by that its slot is
    /// free from `at` on.
    #[inline(always)]
    pub(crate) fn return_credits<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        packet: &Packet,
        at: u64,
    ) {
        let shared = context.shared;
        let upstream = &self.outputs[router * shared.radix + usize::from(packet.in_port)];
        let usable = at + shared.times.credit_return[upstream.kind as usize];
        if upstream.kind == LinkKind::Host {
            let node = (upstream.target - self.first_node) as usize;
            let lane = node * shared.nic_lanes() + shared.lane(packet.vc);
            if self.send_lanes[lane].credit(&shared, usable, packet.flits) {
                let earliest = &mut self.nics[node].earliest;
                *earliest = (*earliest).min(usable);
            }
            return;
        }
        let credit = Credit::new(upstream.target_port, packet.vc, packet.flits);
        let target = upstream.target;
        if upstream.same_block {
            let target = (target - self.first_router) as usize;
            self.post_credit(&shared, context.spares, (target, usable), credit);
        } else {
            let block = upstream.block;
            context.mail[usize::from(block)]
                .credits
                .push((target, usable, credit));
            self.mailed = true;
        }
        if shared.learns_from(packet) {
            let upstream = router * shared.radix + usize::from(packet.in_port);
            self.give_feedback(context, upstream, packet, usable);
        }
    }
}

impl<E> State<E> {
    /// Calls `each` for the packets of a queue that is not empty, in order.
    pub(crate) fn each_queued(
        &self,
        shared: &Shared,
        output: usize,
        vc: usize,
        mut each: impl FnMut(&Packet),
    ) {
        let lane = &self.lanes[output * shared.vcs + vc];
        let mut place = lane.head;
        loop {
            let packet = self.slab.get(place);
            each(packet);
            if place == lane.tail {
                return;
            }
            place = packet.link;
        }
    }
}
