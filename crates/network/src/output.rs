//! The output stage of a router port: one for every architecture.
//!
//! Nothing is scheduled. A port knows the instant of its next decision (`gate`) and is brought up
//! to date when something looks at it: a packet put in, a credit, an observation, the end of a
//! window. Ports do not influence each other, so the order in which they catch up is free.

use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::{Instant, RouterId, Span};

use crate::block::{Context, State};
use crate::endpoint::Endpoint;
use crate::packet::{Credit, Packet};
use crate::parameters::Parameters;
use crate::shared::Shared;

const NEVER: u64 = u64::MAX;

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
    target: u32,
    /// Block of the target.
    block: u32,
    /// Its router within this block; its port.
    router: u16,
    port: u8,
    target_port: u8,
    kind: LinkKind,
    last_vc: u8,
    armed: bool,
    /// Nothing could start at the last decision.
    waiting: bool,
    same_block: bool,
    /// Last window (its number modulo 2^16) in which credits for this port were applied early.
    pub(crate) early: u16,
    /// Since when a ready packet has lacked credits, or never.
    stalled_since: u64,
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
    head: u32,
    tail: u32,
    /// Since when a full packet has lacked credits, or never.
    low_since: u64,
    pub(crate) saturated_ps: u64,
}

/// Traffic of one job over one port.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LinkJob {
    pub(crate) bytes: u64,
    pub(crate) packets: u64,
}

impl Lane {
    pub(crate) const fn new(parameters: &Parameters) -> Self {
        Self {
            credits: parameters.input_buffer_flits[0],
            room: parameters.output_buffer_flits,
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
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
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
            block: group.0,
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
    pub(crate) fn run_output(&mut self, context: &mut Context<'_>, output: usize, limit: u64) {
        while self.outputs[output].armed && self.outputs[output].gate <= limit {
            self.decide(context, output);
        }
    }

    /// Lets all ports of `router` with waiting packets decide what is due.
    pub(crate) fn run_busy_outputs(
        &mut self,
        context: &mut Context<'_>,
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
    fn decide(&mut self, context: &mut Context<'_>, output: usize) {
        let at = self.outputs[output].gate;
        if self.outputs[output].waiting_vcs == 0 {
            self.outputs[output].armed = false;
            return;
        }
        context.stats.events += 1;
        match self.choose(context.shared, output, at) {
            Ok(vc) => {
                let lanes = output * context.shared.vcs + usize::from(vc);
                let packet = self.pop(output, vc, lanes);
                self.start(context, &packet, Start { output, vc, at });
            }
            Err(ready) => {
                let port = &mut self.outputs[output];
                port.waiting = true;
                port.armed = ready < NEVER;
                port.gate = if port.armed { ready } else { at };
            }
        }
    }

    /// The virtual channel to serve at `at`; otherwise the first instant at which a waiting head
    /// becomes ready.
    #[inline]
    fn choose(&mut self, shared: &Shared, output: usize, at: u64) -> Result<u8, u64> {
        let port = &self.outputs[output];
        let is_host = port.kind == LinkKind::Host;
        if port.waiting_vcs.is_power_of_two() && !shared.times.has_ready {
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            let vc = port.waiting_vcs.trailing_zeros() as u8;
            let lane = &self.lanes[output * shared.vcs + usize::from(vc)];
            if is_host || lane.credits >= u32::from(self.slab.get(lane.head).flits) {
                return Ok(vc);
            }
        }
        let mut best: Option<(Span, u8)> = None;
        let mut ready_next = NEVER;
        let mut lacks_credits = false;
        // Cyclic order: first the channels above the one served last.
        let above = port.waiting_vcs & !((2_u32 << port.last_vc) - 1);
        for mut vcs in [above, port.waiting_vcs & !above] {
            while vcs != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
                let vc = vcs.trailing_zeros() as u8;
                vcs &= vcs - 1;
                let lane = &self.lanes[output * shared.vcs + usize::from(vc)];
                let packet = self.slab.get(lane.head);
                if shared.times.has_ready {
                    let ready = self.slab.ready(lane.head).ps();
                    if ready > at {
                        ready_next = ready_next.min(ready);
                        continue;
                    }
                }
                if !is_host && lane.credits < u32::from(packet.flits) {
                    lacks_credits = true;
                    continue;
                }
                if !shared.oldest_first {
                    return Ok(vc);
                }
                let age = packet.age(Instant::from_ps(at));
                let older = best
                    .is_none_or(|(oldest, other)| age > oldest || (age == oldest && vc < other));
                if older {
                    best = Some((age, vc));
                }
            }
        }
        if let Some((_, vc)) = best {
            return Ok(vc);
        }
        if lacks_credits {
            let since = &mut self.outputs[output].stalled_since;
            *since = (*since).min(at);
        }
        Err(ready_next)
    }

    #[inline]
    fn pop(&mut self, output: usize, vc: u8, lane: usize) -> Packet {
        let place = self.lanes[lane].head;
        let packet = self.slab.remove(place);
        let flits = u32::from(packet.flits);
        let port = &mut self.outputs[output];
        port.queued -= flits;
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
        let room = &mut self.lanes[lane].room;
        *room = room.wrapping_add(flits);
        packet
    }

    /// Puts a packet of the slab in the queue of `start.output` and channel `start.vc`.
    ///
    /// The port must have been run up to `start.at`.
    pub(crate) fn push(&mut self, shared: &Shared, (place, flits): (u32, u16), start: Start) {
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
    pub(crate) fn add_credit(
        &mut self,
        context: &mut Context<'_>,
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
        let lane = &mut self.lanes[output * shared.vcs + credit.vc()];
        let holds = self.outputs[output].waiting_vcs & (1 << credit.vc()) != 0;
        let lacked = holds && lane.credits < u32::from(self.slab.get(lane.head).flits);
        lane.credits += flits;
        debug_assert!(lane.credits <= shared.parameters.input_buffer_flits[0]);
        if lane.low_since < NEVER && lane.credits >= shared.packet_flits {
            lane.saturated_ps += at - lane.low_since;
            lane.low_since = NEVER;
        }
        let port = &mut self.outputs[output];
        port.in_use -= flits;
        if lacked && port.waiting {
            port.arm(at, shared.times.wake_up[port.kind as usize]);
        }
        if shared.is_cioq {
            self.retry_blocked(shared, router, output);
        }
    }

    /// Sends a packet on its way over `start.output`.
    #[inline]
    pub(crate) fn start(&mut self, context: &mut Context<'_>, packet: &Packet, start: Start) {
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
        if port.stalled_since < NEVER {
            port.stall_ps += at - port.stalled_since;
            port.stalled_since = NEVER;
        }
        let traffic = &mut self.link_jobs[output * shared.jobs + packet.job()];
        traffic.bytes += u64::from(packet.bytes);
        traffic.packets += 1;
        let (router, index) = (usize::from(port.router), usize::from(port.port));
        if kind == LinkKind::Host {
            let node = router * shared.hosts + index;
            let delivered = at + shared.times.delivery(flits);
            self.deliver(context, node, packet, Instant::from_ps(delivered));
        } else {
            port.in_use += u32::from(flits);
            let (target, block, same_block) = (port.target, port.block, port.same_block);
            let entry = at + times.entry;
            let moved = Packet {
                link: shared.offset(entry),
                in_port: port.target_port,
                vc,
                ..*packet
            };
            self.take_credits(shared, output, vc, (flits, at));
            if same_block {
                let target = (target - self.first_router) as usize;
                self.post_packet(shared, context.spares, (target, entry), moved);
            } else {
                context.mail[block as usize]
                    .packets
                    .push((target, entry, moved));
                self.mailed = true;
            }
        }
        if !shared.is_cioq {
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
    fn take_credits(&mut self, shared: &Shared, output: usize, vc: u8, (flits, at): (u16, u64)) {
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
    pub(crate) fn return_credits(
        &mut self,
        context: &mut Context<'_>,
        router: usize,
        packet: &Packet,
        at: u64,
    ) {
        let shared = context.shared;
        let upstream = &self.outputs[router * shared.radix + usize::from(packet.in_port)];
        let usable = at + shared.times.credit_return[upstream.kind as usize];
        if upstream.kind == LinkKind::Host {
            let node = router * shared.hosts + usize::from(packet.in_port);
            self.nics[node].credit(shared, usable, packet.flits);
            return;
        }
        let credit = Credit::new(upstream.target_port, packet.vc, packet.flits);
        let target = upstream.target;
        if upstream.same_block {
            let target = (target - self.first_router) as usize;
            self.post_credit(shared, context.spares, (target, usable), credit);
        } else {
            let block = upstream.block;
            context.mail[block as usize]
                .credits
                .push((target, usable, credit));
            self.mailed = true;
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
