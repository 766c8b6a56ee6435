//! The output stage of a router port: one for every architecture.
//!
//! Nothing is scheduled. A port knows the instant of its next decision (`due`) and is brought up to
//! date when something looks at it: a packet put in, a credit, an observation, the end of a
//! window. Ports do not influence each other, so the order in which they catch up is free.

use std::hint::{black_box, select_unpredictable};

use odonata_telemetry::{Channel, ChannelStart, CreditChange, Probe};
use odonata_topology::PortIndex;
use odonata_units::{Instant, Span};

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::index::{QueueIndex, SlabIndex};
use crate::model::packet::{Credit, Feedback, Packet};
use crate::router::state::{OutputPort, OutputQueue, Router};
use crate::rules::classes::{ClassChannel, Monitors, Transmission};
use crate::shared::all_groups::Shared;
use crate::shared::link_changes::LinkAt;

/// Event at one output port and virtual channel at one instant: a packet starts or is put
/// in the queue, or credits return.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    pub(crate) port: PortIndex,
    pub(crate) vc: u8,
    /// The queue of `port` and `vc`.
    pub(crate) queue: QueueIndex,
    pub(crate) at: Instant,
}

impl Start {
    #[inline(always)]
    pub(crate) const fn new(shared: &Shared, port: PortIndex, vc: u8, at: Instant) -> Self {
        Self {
            port,
            vc,
            queue: shared.queue(port, vc),
            at,
        }
    }
}

/// Notes that something has held from `at` on, unless it has held for longer.
#[inline]
fn note_since(since: &mut Instant, at: Instant) {
    if *since == Instant::NEVER {
        *since = at;
    }
}

/// Counts `packet`, which starts as `started`, for its class on `channel`.
#[inline(always)]
fn count_class(
    monitors: &mut Monitors,
    shared: &Shared,
    channel: ClassChannel,
    packet: &Packet,
    started: ChannelStart,
) {
    let transmission = Transmission {
        at: started.at,
        vc: started.vc,
        bytes: packet.bytes,
        serialization: started.serialization,
    };
    monitors.note(&shared.class_policy, channel, transmission);
}

impl OutputPort {
    /// Takes the credits of a packet of `flits` for `queue`; none towards a node.
    #[inline(always)]
    fn take_credits(&mut self, queue: &mut OutputQueue, flits: u16, is_host: bool) {
        let flits = select_unpredictable(is_host, 0, u32::from(flits));
        debug_assert!(queue.credits >= flits);
        queue.credits -= flits;
        self.in_use = self.in_use.wrapping_add(flits);
    }

    /// Makes credits usable again.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, shared: &Shared, flits: u32) {
        if shared.shows_credits {
            self.in_use -= flits;
        }
    }

    /// Lets the port decide `wake` after `at`, when something new (a packet, credits) came, unless
    /// the port is busy until later.
    #[inline(always)]
    fn arm(&mut self, at: Instant, wake: Span) {
        if self.due == Instant::NEVER || self.obstacles.is_blocked() {
            self.due = self.due.min(at.plus(wake));
            self.obstacles.unblock();
        }
    }
}

impl Router {
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    #[inline(always)]
    pub(crate) const fn channel(&self, port: PortIndex) -> Channel {
        Channel {
            router: self.id,
            port: port.0 as u8,
            index: self.first_port + port.0 as u32,
        }
    }

    /// The link at `port`.
    #[inline(always)]
    pub(crate) const fn link_at(&self, port: PortIndex) -> LinkAt {
        LinkAt {
            router: self.id,
            port,
            kind: self.far_end(port).kind,
        }
    }

    /// Lets `port` make every decision that is due at or before `limit`.
    #[inline(always)]
    pub(crate) fn run_output<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: PortIndex,
        limit: Instant,
    ) {
        if self.ports[port.index()].due <= limit {
            self.catch_up(out, port, limit);
        }
    }

    /// As [`Router::run_output`], for a port that has something to decide: most often one thing. A
    /// loop would first put together what all its rounds need.
    #[inline(never)]
    pub(crate) fn catch_up<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: PortIndex,
        limit: Instant,
    ) {
        self.decide(out, port);
        if self.ports[port.index()].due <= limit {
            self.catch_up_further(out, port, limit);
        }
    }

    /// Makes the decisions behind the first.
    #[inline(never)]
    fn catch_up_further<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: PortIndex,
        limit: Instant,
    ) {
        while self.ports[port.index()].due <= limit {
            self.decide(out, port);
        }
    }

    /// Lets all ports with waiting packets decide what is due up to `limit`; returns the first
    /// instant at which one decides again.
    pub(crate) fn run_busy_outputs<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        limit: Instant,
    ) -> Instant {
        if self.ports_due > limit {
            return self.ports_due;
        }
        let mut next = Instant::NEVER;
        let busy = self.busy;
        busy.for_each(out.shared.port_words, |port| {
            self.run_output(out, port, limit);
            next = next.min(self.ports[port.index()].due);
        });
        self.ports_due = next;
        next
    }

    /// Starts a packet at the instant that is due, or finds that none can.
    #[inline(always)]
    fn decide<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>, port: PortIndex) {
        let at = self.ports[port.index()].due;
        debug_assert!(self.ports[port.index()].waiting_vcs != 0);
        out.totals.events += 1;
        match self.choose(out.shared, port, at) {
            Ok(vc) => {
                let start = Start::new(&out.shared, port, vc, at);
                let packet = self.pop(out, start);
                let is_reserved = out.shared.reserves();
                // In memory, as a whole: its parts would be taken apart into registers, and put
                // together again.
                let packet = black_box(&packet);
                self.start(out, packet, start, is_reserved);
            }
            Err(shortage) => {
                let channel = self.channel(port);
                let state = &mut self.ports[port.index()];
                if shortage.lacking != 0 {
                    out.probe.blocked(channel, shortage.lacking, at);
                    if !state.obstacles.is_stalled() {
                        state.obstacles.stall();
                        self.stalled_since[port.index()] = at;
                    }
                }
                state.obstacles.block();
                state.due = shortage.ready_next;
                self.ports_due = self.ports_due.min(state.due);
            }
        }
    }

    /// Takes the head of the queue of `start`.
    #[inline(always)]
    fn pop<F: Features, P: Probe>(&mut self, out: &Outbox<'_, F, P>, start: Start) -> Packet {
        let shared = out.shared;
        let queue = &mut self.queues[start.queue.index()];
        let index = queue.head;
        if shared.learns() {
            self.pending_feedback = self.slab.feedback(index);
        }
        let packet = self.slab.remove(index);
        let flits = u32::from(packet.flits);
        let state = &mut self.ports[start.port.index()];
        if !shared.reserves() {
            state.queued -= flits;
            queue.room = queue.room.wrapping_add(flits);
        }
        if let Some(next) = packet.next() {
            queue.head = next;
        } else {
            state.waiting_vcs &= !(1 << start.vc);
            if state.waiting_vcs == 0 {
                self.busy.remove(start.port);
            }
        }
        packet
    }

    /// Puts a packet of the slab, of `flits`, in the queue of `start`.
    ///
    /// The port must have been run up to `start.at`.
    #[inline(always)]
    pub(crate) fn push<F: Features, P: Probe>(
        &mut self,
        out: &Outbox<'_, F, P>,
        index: SlabIndex,
        flits: u16,
        start: Start,
    ) {
        let shared = out.shared;
        let Start { port, vc, at, .. } = start;
        let flits = u32::from(flits);
        self.note_refusal(start, flits, shared.reserves());
        let queue = &mut self.queues[start.queue.index()];
        let state = &mut self.ports[port.index()];
        if state.waiting_vcs & (1 << vc) == 0 {
            queue.head = index;
        } else {
            self.slab.get_mut(queue.tail).set_next(Some(index));
        }
        queue.tail = index;
        queue.room = queue.room.wrapping_sub(flits);
        if shared.reserves() && queue.credits < shared.largest_flits {
            self.unreserved[start.queue.index()].get_or_insert(index);
        }
        if state.waiting_vcs == 0 {
            self.busy.insert(port);
            // A port that ran empty may still be busy with its last packet.
            state.obstacles.unblock();
            let is_busy = state.free_at >= at && state.free_at > Instant::ZERO;
            state.due = if is_busy {
                state.free_at
            } else {
                Instant::NEVER
            };
        }
        state.waiting_vcs |= 1 << vc;
        state.queued += flits;
        state.arm(at, shared.times.wake_up(shared.kinds[port.index()]));
        self.ports_due = self.ports_due.min(state.due);
    }

    /// Notes that a packet of `flits`, which is about to join the queue of `start`, finds no room
    /// downstream, if that is so and no packet of the queue has a slot reserved there.
    #[inline(always)]
    fn note_refusal(&mut self, start: Start, flits: u32, reserves: bool) {
        let queue = &self.queues[start.queue.index()];
        let unreserved = if reserves {
            self.unreserved[start.queue.index()]
        } else {
            None
        };
        if queue.credits >= flits && unreserved.is_none() {
            return;
        }
        let holds = self.ports[start.port.index()].waiting_vcs & (1 << start.vc) != 0;
        if !reserves || !holds || unreserved == Some(queue.head) {
            note_since(&mut self.refused_since[start.queue.index()], start.at);
        }
    }

    /// Starts `packet` on the channel of `start`; the packet's slot downstream may be reserved
    /// already.
    #[inline(always)]
    pub(crate) fn start<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        start: Start,
        is_reserved: bool,
    ) {
        let Start { port, vc, at, .. } = start;
        let shared = out.shared;
        let channel = self.channel(port);
        let times = shared.hop_times(self.link_at(port), packet.flits, at);
        let state = &mut self.ports[port.index()];
        let far_end = &self.far_ends[port.index()];
        debug_assert!(state.free_at <= at);
        state.free_at = at.plus(times.serialization);
        state.due = if state.waiting_vcs == 0 {
            Instant::NEVER
        } else {
            state.free_at
        };
        self.ports_due = self.ports_due.min(state.due);
        state.last_vc = vc;
        let obstacles = std::mem::take(&mut state.obstacles);
        if obstacles.is_stalled() {
            let since = self.stalled_since[port.index()];
            out.probe.lacked_credits(channel, since, at);
        }
        let class = shared.class_of(vc);
        let facts = packet.facts(at);
        let started = ChannelStart {
            vc,
            class,
            at,
            serialization: times.serialization,
        };
        out.probe.started(channel, &facts, started);
        if shared.has_classes() {
            let channel = ClassChannel {
                port,
                kind: far_end.kind,
                class,
            };
            count_class(&mut self.monitors, &shared, channel, packet, started);
        }
        if !is_reserved {
            if !far_end.is_node() {
                let credits = CreditChange {
                    vc,
                    job: packet.job(),
                    flits: u32::from(packet.flits),
                };
                out.probe.credits_taken(channel, credits, at);
            }
            let queue = &mut self.queues[start.queue.index()];
            state.take_credits(queue, packet.flits, far_end.is_node());
            if queue.credits < shared.packet_flits {
                note_since(&mut self.low_since[start.queue.index()], at);
            }
        }
        let entry = at.plus(times.entry).plus(far_end.extra());
        let is_marked = self.note_started(out, packet, start);
        let far_end = &self.far_ends[port.index()];
        let copy = out.post_packet(far_end, entry, packet, vc);
        if is_marked {
            copy.mark();
        }
        if shared.learns_from(packet.mode()) && !far_end.is_node() {
            copy.set_measured(entry - self.pending_feedback.entered);
        }
        if !shared.has_crossbar() && !is_reserved {
            self.return_credits(out, packet, at);
        }
    }

    /// Whether there are credits for a packet of `flits`.
    #[inline(always)]
    pub(crate) fn has_credits(&self, start: Start, flits: u16) -> bool {
        self.queues[start.queue.index()].credits >= u32::from(flits)
    }

    /// Takes the credits of `packet`, whose slot downstream is reserved; none towards a node.
    pub(crate) fn take_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
        packet: &Packet,
    ) {
        let channel = self.channel(start.port);
        let state = &mut self.ports[start.port.index()];
        let is_host = self.far_ends[start.port.index()].is_node();
        if !is_host {
            let credits = CreditChange {
                vc: start.vc,
                job: packet.job(),
                flits: u32::from(packet.flits),
            };
            out.probe.credits_taken(channel, credits, start.at);
        }
        let queue = &mut self.queues[start.queue.index()];
        state.take_credits(queue, packet.flits, is_host);
        if queue.credits < out.shared.packet_flits {
            note_since(&mut self.low_since[start.queue.index()], start.at);
        }
    }

    /// Tells the sender at the other end of the port that `packet` came in by that the packet's
    /// slot is free from `at` on.
    #[inline(always)]
    pub(crate) fn return_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        at: Instant,
    ) {
        let shared = out.shared;
        out.probe.left(self.id, &packet.facts(at), at);
        let upstream = self.far_end(packet.in_port());
        let delay = shared.times.credit_return(upstream.kind);
        let usable = at.plus(delay).plus(upstream.extra());
        out.post_credits(upstream, usable, packet);
        if shared.learns()
            && let Some(row) = self.pending_feedback.row
        {
            let feedback = Feedback {
                offset: 0,
                port: upstream.port,
                row,
                measured_ns: packet.measured_ns(),
                estimate_ns: self.pending_feedback.estimate_ns,
                job: packet.job(),
            };
            out.post_feedback(upstream, usable, feedback);
        }
    }

    /// Adds `credit`, which becomes usable at `start.at`; the port must have been run before that.
    /// True if packets may wait for it that no slot downstream is reserved for.
    pub(crate) fn add_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
        credit: Credit,
    ) -> bool {
        let shared = out.shared;
        let Start { port, vc, at, .. } = start;
        let flits = credit.flits();
        let channel = self.channel(port);
        let kind = shared.kinds[port.index()];
        let holds = self.ports[port.index()].waiting_vcs & (1 << vc) != 0;
        let lacked = holds && self.lacks_credits(shared, start.queue);
        let queue = &mut self.queues[start.queue.index()];
        let state = &mut self.ports[port.index()];
        let was_low = queue.credits < shared.packet_flits;
        let is_short = queue.credits < shared.largest_flits;
        queue.credits += flits;
        debug_assert!(queue.credits <= shared.depth(kind));
        if is_short {
            let since = &mut self.refused_since[start.queue.index()];
            if *since < Instant::NEVER {
                out.probe.was_refused(channel, vc, *since, at);
                *since = Instant::NEVER;
            }
        }
        if was_low && queue.credits >= shared.packet_flits {
            let since = &mut self.low_since[start.queue.index()];
            debug_assert!(*since < Instant::NEVER);
            out.probe.was_saturated(channel, vc, *since, at);
            *since = Instant::NEVER;
        }
        out.probe.credits_returned(channel, credit.change(), at);
        state.give_back(&shared, flits);
        if lacked && state.obstacles.is_blocked() {
            state.arm(at, shared.times.wake_up(kind));
            self.ports_due = self.ports_due.min(state.due);
        }
        if shared.has_crossbar() {
            self.crossbar.retry_blocked(port, state.due);
        }
        shared.reserves() && holds && is_short
    }

    /// Tells the probe of stalls and refusals that are still going on at `end`.
    pub(crate) fn close<P: Probe>(&self, shared: &Shared, end: Instant, probe: &mut P) {
        for (port, state) in (0..).map(PortIndex).zip(&self.ports) {
            let channel = self.channel(port);
            let since = self.stalled_since[port.index()];
            if state.obstacles.is_stalled() && since < end {
                probe.lacked_credits(channel, since, end);
            }
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            for vc in 0..shared.vcs as u8 {
                let since = self.low_since[shared.queue(port, vc).index()];
                if since < end {
                    probe.was_saturated(channel, vc, since, end);
                }
                let since = self.refused_since[shared.queue(port, vc).index()];
                if since < end {
                    probe.was_refused(channel, vc, since, end);
                }
            }
        }
    }
}
