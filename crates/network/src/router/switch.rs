//! Through a `cioq` router: input FIFO, crossbar, output FIFO.

use odonata_telemetry::{Probe, Queueing};
use odonata_units::Instant;

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::index::InputIndex;
use crate::model::packet::{Packet, PendingFeedback};
use crate::router::moment::Moment;
use crate::router::output::Start;
use crate::router::state::Router;

/// The instant before `at`.
#[inline(always)]
const fn before(at: Instant) -> Instant {
    Instant::from_ps(at.ps() - 1)
}

impl Router {
    /// Grants everything that is due at ticks up to `limit`.
    #[inline(always)]
    pub(crate) fn run_crossbar<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        limit: Instant,
    ) {
        if !out.shared.has_crossbar() {
            return;
        }
        while self.crossbar.next_tick <= limit {
            let tick = self.crossbar.next_tick;
            self.arbitrate(out, tick);
        }
    }

    /// Puts a packet that enters at `now` into its input FIFO.
    pub(crate) fn enter_input<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &Packet,
        now: Instant,
    ) {
        let shared = out.shared;
        let input = shared.input(packet.in_port(), packet.vc);
        let index = self.slab.insert(packet);
        if shared.has_ready() {
            self.slab.set_ready(index, now);
        }
        if shared.learns() {
            let feedback = PendingFeedback {
                entered: now,
                ..PendingFeedback::default()
            };
            self.slab.set_feedback(index, feedback);
        }
        let fifo = &mut self.crossbar.inputs[input.index()];
        if fifo.occupied {
            self.slab.get_mut(fifo.tail).set_next(Some(index));
            fifo.tail = index;
            return;
        }
        (fifo.head, fifo.tail, fifo.occupied) = (index, index, true);
        self.crossbar.begin(input);
        let moment = Moment { now, limit: now };
        self.make_head(out, input, moment);
    }

    /// Routes the head of `input`, which became so at `moment.now`.
    fn make_head<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        input: InputIndex,
        moment: Moment,
    ) {
        let index = self.crossbar.inputs[input.index()].head;
        let mut packet = *self.slab.get(index);
        if out.shared.learns() {
            let entered = self.slab.feedback(index).entered;
            let feedback = self.pending_feedback_of(out.shared, &packet, entered);
            self.slab.set_feedback(index, feedback);
        }
        let hop = self.route(out, &mut packet, moment);
        self.slab.get_mut(index).take_route(&packet);
        let channel = self.channel(hop.port);
        out.probe
            .became_head(channel, &packet.facts(moment.now), moment.now);
        let crossbar = &mut self.crossbar;
        let head = &mut crossbar.inputs[input.index()];
        (head.output, head.vc, head.flits) = (hop.port, hop.vc, packet.flits);
        head.needs_room = false;
        let try_at = crossbar
            .grid
            .after(moment.now)
            .max(crossbar.in_free[packet.in_port().index()])
            .max(crossbar.out_free[hop.port.index()]);
        crossbar.plan(input, try_at);
    }

    /// Grants what can be granted at `tick`, least recently granted inputs first, and moves it.
    fn arbitrate<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>, tick: Instant) {
        out.totals.events += 1;
        let count = self.crossbar.find_due(tick);
        if count > 1 {
            self.arbitrate_among(out, tick, count);
        } else if count == 1 {
            let input = self.crossbar.due(0);
            if self.grant(out, input, tick) {
                self.crossbar.note_grant(input);
                self.transfer(out, input, tick);
            }
        }
    }

    /// As [`Router::arbitrate`], for `count` inputs that are due, more than one.
    #[inline(never)]
    fn arbitrate_among<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        tick: Instant,
        count: usize,
    ) {
        self.crossbar.sort_due(count);
        let mut granted = 0;
        for number in 0..count {
            if self.grant(out, self.crossbar.due(number), tick) {
                self.crossbar.keep_due(number, granted);
                granted += 1;
            }
        }
        // In reverse: the first granted becomes the most recent.
        for number in (0..granted).rev() {
            self.crossbar.note_grant(self.crossbar.due(number));
        }
        self.crossbar.sort_by_input(granted);
        for number in 0..granted {
            self.transfer(out, self.crossbar.due(number), tick);
        }
    }

    /// Grants the head of `input` at `tick`, or plans its next try.
    #[inline(always)]
    fn grant<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        input: InputIndex,
        tick: Instant,
    ) -> bool {
        let head = &self.crossbar.inputs[input.index()];
        let (from, to) = (head.port, head.output);
        let (vc, flits) = (head.vc, u32::from(head.flits));
        let free = self.crossbar.in_free[from.index()].max(self.crossbar.out_free[to.index()]);
        if free > tick {
            self.crossbar.plan(input, free);
            return false;
        }
        let queue = out.shared.queue(to, vc).index();
        if self.queues[queue].lacks_room(flits) {
            self.run_output(out, to, before(tick));
        }
        let crossbar = &mut self.crossbar;
        if !self.queues[queue].lacks_room(flits) {
            let busy_until = tick.plus(crossbar.grid.cycle * u64::from(flits));
            crossbar.in_free[from.index()] = busy_until;
            crossbar.out_free[to.index()] = busy_until;
            crossbar.inputs[input.index()].needs_room = false;
            return true;
        }
        let decision = self.ports[to.index()].due;
        let try_at = if decision == Instant::NEVER {
            Instant::NEVER
        } else {
            crossbar.grid.after(decision)
        };
        crossbar.inputs[input.index()].needs_room = true;
        crossbar.plan(input, try_at);
        false
    }

    /// Moves the head of `input` to its output FIFO.
    #[inline(always)]
    fn transfer<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        input: InputIndex,
        tick: Instant,
    ) {
        let shared = out.shared;
        let fifo = &mut self.crossbar.inputs[input.index()];
        let index = fifo.head;
        let (port, vc) = (fifo.output, fifo.vc);
        let packet = *self.slab.get(index);
        fifo.occupied = packet.next().is_some();
        fifo.head = packet.next().unwrap_or(index);
        self.slab.get_mut(index).set_next(None);
        if shared.learns() {
            self.pending_feedback = self.slab.feedback(index);
        }
        self.return_credits(out, &packet, tick);
        if packet.next().is_some() {
            let moment = Moment {
                now: tick,
                limit: before(tick),
            };
            self.make_head(out, input, moment);
        } else {
            self.crossbar.end(input);
        }
        self.run_output(out, port, before(tick));
        let mut ready = tick;
        if shared.has_ready() {
            let (from, to) = (self.link_at(packet.in_port()), self.link_at(port));
            let entered = self.slab.ready(index);
            let wait = shared.ready_wait(from, to, packet.flits, entered);
            let mut own = entered.plus(wait);
            if F::CHANGES {
                own = own.max(shared.held_until(to, entered, tick));
            }
            ready = ready.max(own);
            self.slab.set_ready(index, own);
        }
        let start = Start::new(&shared, port, vc, tick);
        let queueing = Queueing {
            vc,
            at: tick,
            ready,
        };
        out.probe
            .queued(self.channel(port), &packet.facts(tick), queueing);
        self.push(out, index, packet.flits, start);
        if shared.has_ready() {
            // The port may have waited for a head to become ready; now it decides earlier.
            let decision = self.ports[port.index()].due;
            self.crossbar.retry_blocked(port, decision);
        }
    }
}
