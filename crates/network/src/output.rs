//! The output stage of a router port: one for every architecture.
//!
//! Nothing is scheduled. A port knows the instant of its next decision (`due`) and is brought up to
//! date when something looks at it: a packet put in, a credit, an observation, the end of a
//! window. Ports do not influence each other, so the order in which they catch up is free.

use std::hint::{black_box, select_unpredictable};

use odonata_telemetry::{Channel, Probe};
use odonata_units::{Instant, Span};

use crate::classes::ClassChannel;
use crate::features::Features;
use crate::outbox::Outbox;
use crate::packet::{Feedback, Packet, PendingFeedback};
use crate::router::{OutputPort, PORT_WORDS, Router};
use crate::shared::Shared;
use crate::slab::NOTHING;

/// A packet about to start, or to be put in a queue.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    pub(crate) port: usize,
    pub(crate) vc: u8,
    /// Its queue, of port and VC.
    pub(crate) queue: usize,
    pub(crate) at: Instant,
}

impl Start {
    #[inline(always)]
    pub(crate) const fn new(shared: &Shared, (port, vc): (usize, u8), at: Instant) -> Self {
        Self {
            port,
            vc,
            queue: shared.queue(port, vc),
            at,
        }
    }
}

impl OutputPort {
    /// Credits are usable again.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, shared: &Shared, flits: u32) {
        if shared.shows_credits {
            self.in_use -= flits;
        }
    }

    /// Something new at `at` (a packet, credits): decide `wake` later, unless busy until then.
    #[inline(always)]
    fn arm(&mut self, at: Instant, wake: Span) {
        if self.due == Instant::NEVER || self.waiting {
            self.due = self.due.min(at.plus(wake));
            self.waiting = false;
        }
    }
}

impl Router {
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    #[inline(always)]
    pub(crate) const fn channel(&self, port: usize) -> Channel {
        Channel {
            router: self.id,
            port: port as u8,
            index: self.first_port + port as u32,
        }
    }

    /// Lets `port` make every decision that is due at or before `limit`.
    #[inline(always)]
    pub(crate) fn run_output<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: usize,
        limit: Instant,
    ) {
        if self.ports[port].due <= limit {
            self.catch_up(out, port, limit);
        }
    }

    /// The same for a port that has something to decide: most often one thing. A loop would first
    /// put together what all its rounds need.
    #[inline(never)]
    pub(crate) fn catch_up<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: usize,
        limit: Instant,
    ) {
        self.decide(out, port);
        if self.ports[port].due <= limit {
            self.catch_up_further(out, port, limit);
        }
    }

    /// The decisions behind the first.
    #[inline(never)]
    fn catch_up_further<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: usize,
        limit: Instant,
    ) {
        while self.ports[port].due <= limit {
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
        let mut next = Instant::NEVER;
        for word in 0..out.shared.port_words.min(PORT_WORDS) {
            let mut ports = self.busy[word];
            while ports != 0 {
                let port = word * 64 + ports.trailing_zeros() as usize;
                ports &= ports - 1;
                self.run_output(out, port, limit);
                next = next.min(self.ports[port].due);
            }
        }
        next
    }

    /// Starts a packet at the instant that is due, or finds that none can.
    #[inline(always)]
    fn decide<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>, port: usize) {
        let at = self.ports[port].due;
        debug_assert!(self.ports[port].waiting_vcs != 0);
        out.totals.events += 1;
        match self.choose::<F>(out.shared, port, at) {
            Ok(vc) => {
                let start = Start::new(out.shared, (port, vc), at);
                let packet = self.pop::<F>(out.shared, start);
                let is_reserved = out.shared.equipment.reserves::<F>();
                // In memory, as a whole: its parts would be taken apart into registers, and put
                // together again.
                let packet = black_box(&packet);
                self.start(out, packet, start, is_reserved);
            }
            Err(shortage) => {
                let channel = self.channel(port);
                let state = &mut self.ports[port];
                if shortage.lacking != 0 {
                    out.probe.blocked(channel, shortage.lacking, at);
                    state.stalled_since = state.stalled_since.min(at);
                }
                state.waiting = true;
                state.due = shortage.ready_next;
            }
        }
    }

    #[inline(always)]
    fn pop<F: Features>(&mut self, shared: &Shared, start: Start) -> Packet {
        let Start { port, vc, .. } = start;
        let queue = &mut self.queues[start.queue];
        let index = queue.head;
        if shared.equipment.learns::<F>() {
            self.pending_feedback = self.slab.feedback(index);
        }
        let packet = self.slab.remove(index);
        let flits = u32::from(packet.flits);
        let state = &mut self.ports[port];
        if !shared.equipment.reserves::<F>() {
            state.queued -= flits;
            queue.room = queue.room.wrapping_add(flits);
        }
        if index == queue.tail {
            state.waiting_vcs &= !(1 << vc);
            if state.waiting_vcs == 0 {
                self.busy[(port >> 6) % PORT_WORDS] &= !(1 << (port & 63));
            }
        } else {
            queue.head = packet.link;
        }
        packet
    }

    /// Puts a packet of the slab, of `flits`, in the queue of `start.port` and `start.vc`.
    ///
    /// The port must have been run up to `start.at`.
    #[inline(always)]
    pub(crate) fn push<F: Features>(
        &mut self,
        shared: &Shared,
        (index, flits): (u32, u16),
        start: Start,
    ) {
        let Start {
            port,
            vc,
            queue: queue_index,
            at,
        } = start;
        let flits = u32::from(flits);
        let queue = &mut self.queues[queue_index];
        let state = &mut self.ports[port];
        if state.waiting_vcs & (1 << vc) == 0 {
            queue.head = index;
        } else {
            self.slab.get_mut(queue.tail).link = index;
        }
        queue.tail = index;
        queue.room = queue.room.wrapping_sub(flits);
        if shared.equipment.reserves::<F>() && self.unreserved[queue_index] == NOTHING {
            self.unreserved[queue_index] = index;
        }
        if state.waiting_vcs == 0 {
            self.busy[(port >> 6) % PORT_WORDS] |= 1 << (port & 63);
            // A port that ran empty may still be busy with its last packet.
            state.waiting = false;
            let is_busy = state.free_at >= at && state.free_at > Instant::ZERO;
            state.due = if is_busy {
                state.free_at
            } else {
                Instant::NEVER
            };
        }
        state.waiting_vcs |= 1 << vc;
        state.queued += flits;
        state.arm(at, shared.times.wake_up(state.far_end.kind));
    }

    /// Sends a packet on its way over `start.port`; its slot downstream may be reserved already.
    #[inline(always)]
    pub(crate) fn start<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        begin: Start,
        is_reserved: bool,
    ) {
        let Start { port, vc, at, .. } = begin;
        let shared = out.shared;
        let flits = packet.flits;
        let channel = self.channel(port);
        let state = &mut self.ports[port];
        let times = shared.times.hop(state.far_end.kind, flits);
        debug_assert!(state.free_at <= at);
        state.free_at = at.plus(times.serialization);
        state.due = if state.waiting_vcs == 0 {
            Instant::NEVER
        } else {
            state.free_at
        };
        state.waiting = false;
        state.last_vc = vc;
        if state.stalled_since < Instant::NEVER {
            out.probe.lacked_credits(channel, state.stalled_since, at);
            state.stalled_since = Instant::NEVER;
        }
        let class = shared.class_of::<F>(vc);
        let facts = packet.facts(at);
        out.probe
            .started(channel, (vc, class), &facts, (at, times.serialization));
        if shared.equipment.classes::<F>() > 1 {
            let sent = (packet.bytes, times.serialization);
            self.note_class(shared, class, begin, sent);
        }
        if !is_reserved {
            self.take_credits(out, begin, packet);
        }
        if !shared.equipment.has_crossbar::<F>() && !is_reserved {
            self.return_credits(out, packet, at);
        }
        let entry = at.plus(times.entry);
        let far_end = &self.ports[port].far_end;
        let copy = out.post_packet(far_end, entry, (packet, vc));
        if shared.learns_from::<F>(packet.mode()) && !far_end.is_node() {
            copy.set_measured(entry - self.pending_feedback.entered);
        }
    }

    /// Books a start to its class.
    #[inline]
    fn note_class(
        &mut self,
        shared: &Shared,
        class: u8,
        start: Start,
        (bytes, serialization): (u16, Span),
    ) {
        let channel = ClassChannel {
            port: start.port,
            kind: self.ports[start.port].far_end.kind,
            class: usize::from(class),
        };
        let sent = (u32::from(bytes), serialization);
        self.monitors
            .note(&shared.class_policy, channel, (start.at, start.vc), sent);
    }

    #[inline(always)]
    pub(crate) fn has_credits(&self, start: Start, flits: u16) -> bool {
        self.queues[start.queue].credits >= u32::from(flits)
    }

    /// Takes the credits of `packet` for a channel; none towards a node.
    #[inline(always)]
    pub(crate) fn take_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
        packet: &Packet,
    ) {
        let shared = out.shared;
        let channel = self.channel(start.port);
        let state = &mut self.ports[start.port];
        let is_node = state.is_host();
        if !is_node {
            let taken = (packet.job(), u32::from(packet.flits));
            out.probe.credits_taken(channel, start.vc, taken, start.at);
        }
        let flits = select_unpredictable(is_node, 0, u32::from(packet.flits));
        let index = start.queue;
        let queue = &mut self.queues[index];
        debug_assert!(queue.credits >= flits);
        queue.credits -= flits;
        state.in_use = state.in_use.wrapping_add(flits);
        if queue.credits < shared.packet_flits && self.low_since[index] == Instant::NEVER {
            self.low_since[index] = start.at;
        }
    }

    /// Tells the sender on the other end of the port that `packet` came in by that its slot is
    /// free from `at` on.
    #[inline(always)]
    pub(crate) fn return_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        at: Instant,
    ) {
        let shared = out.shared;
        out.probe.left(self.id, &packet.facts(at), at);
        let port = &self.ports[usize::from(packet.in_port)];
        let (upstream, usable) = (&port.far_end, at.plus(port.credit_return));
        out.post_credits(upstream, usable, packet);
        if shared.equipment.learns::<F>() && self.pending_feedback.row != PendingFeedback::NO_ROW {
            let feedback = Feedback {
                offset: 0,
                port: upstream.port,
                row: self.pending_feedback.row,
                measured_ns: packet.measured_ns(),
                estimate_ns: self.pending_feedback.estimate_ns,
                job: packet.job(),
            };
            out.post_feedback(upstream, usable, feedback);
        }
    }

    /// Adds credits of a job that become usable at `at`, flits; the port must have been run before that. True if
    /// packets wait for them that no slot downstream is reserved for.
    pub(crate) fn add_credits<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        start: Start,
        (job, flits): (u8, u32),
    ) -> bool {
        let shared = out.shared;
        let Start {
            port,
            vc,
            queue: index,
            at,
        } = start;
        let channel = self.channel(port);
        let queue = &mut self.queues[index];
        let state = &mut self.ports[port];
        let holds = state.waiting_vcs & (1 << vc) != 0;
        let lacked = holds
            && if shared.equipment.reserves::<F>() {
                self.unreserved[index] == queue.head
            } else {
                queue.credits < u32::from(self.slab.get(queue.head).flits)
            };
        queue.credits += flits;
        debug_assert!(queue.credits <= shared.depth(state.far_end.kind));
        let since = &mut self.low_since[index];
        if *since < Instant::NEVER && queue.credits >= shared.packet_flits {
            out.probe.was_saturated(channel, vc, *since, at);
            *since = Instant::NEVER;
        }
        out.probe.credits_returned(channel, vc, (job, flits), at);
        state.give_back(shared, flits);
        if lacked && state.waiting {
            state.arm(at, shared.times.wake_up(state.far_end.kind));
        }
        if shared.equipment.has_crossbar::<F>() {
            self.crossbar.retry_blocked(port, state.due);
        }
        shared.equipment.reserves::<F>() && holds
    }

    /// Tells the probe of stalls that are still going on at `end`.
    pub(crate) fn close<P: Probe>(&self, shared: &Shared, end: Instant, probe: &mut P) {
        for port in 0..shared.radix {
            let since = self.ports[port].stalled_since;
            let channel = self.channel(port);
            if since < end {
                probe.lacked_credits(channel, since, end);
            }
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            for vc in 0..shared.vcs as u8 {
                let since = self.low_since[shared.queue(port, vc)];
                if since < end {
                    probe.was_saturated(channel, vc, since, end);
                }
            }
        }
    }
}
