//! A router through one window: credits, feedback and packets in the order of their instants, then
//! whatever its ports decide up to the end.

use odonata_telemetry::Probe;
use odonata_units::{Instant, Span};

use crate::features::Features;
use crate::feedback::FeedbackQueue;
use crate::in_flight::GroupArrivals;
use crate::order::Order;
use crate::outbox::Outbox;
use crate::output::Start;
use crate::packet::{Credit, Packet, PendingFeedback};
use crate::route::Moment;
use crate::router::{Early, Router};
use crate::shared::Shared;

/// What reaches a router in a window.
#[derive(Debug, Default)]
pub(crate) struct RouterArrivals {
    pub(crate) order: Order,
    /// Credits that are not applied early.
    credits: Vec<Credit>,
    pub(crate) feedback: Order,
}

impl RouterArrivals {
    /// Whether nothing does.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.order.len() == 0 && self.credits.is_empty() && self.feedback.len() == 0
    }
}

impl Router {
    /// Simulates the window from `start` to `end`, in which its nodes have run: `reaching` refers
    /// to `arrivals`. Returns the first instant behind it at which a port or the crossbar does
    /// something of its own accord.
    #[inline(never)]
    pub(crate) fn advance<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        (reaching, arrivals): (&mut RouterArrivals, &mut GroupArrivals),
        (start, end): (Instant, Instant),
    ) -> Instant {
        let shared = out.shared;
        let last = Instant::from_ps(end.ps() - 1);
        let RouterArrivals {
            order,
            credits,
            feedback,
        } = reaching;
        self.window = start;
        order.sort(shared.offset_bits);
        if credits.len() > 1 {
            credits.sort_unstable_by_key(Credit::rank);
        }
        let mut feedback = FeedbackQueue::new::<F>(shared, feedback, &arrivals.feedback);
        out.totals.events += order.len() as u64;
        let mut next_credit = 0;
        for number in 0..order.len() {
            let (offset, index) = order.get(number);
            let packet = &mut arrivals.packets.get_mut(index).packet;
            let now = start.plus(Span::from_ps(offset));
            while let Some(credit) = credits.get(next_credit) {
                let at = start.plus(Span::from_ps(credit.offset()));
                if at > now {
                    break;
                }
                self.learn_until(out, &mut feedback, at);
                self.take_credit(out, *credit, at);
                next_credit += 1;
            }
            self.learn_until(out, &mut feedback, now);
            self.enter(out, packet, now);
        }
        for credit in &credits[next_credit..] {
            let at = start.plus(Span::from_ps(credit.offset()));
            self.learn_until(out, &mut feedback, at);
            self.take_credit(out, *credit, at);
        }
        self.learn_until(out, &mut feedback, last);
        feedback.end::<F>(shared);
        order.clear();
        credits.clear();
        self.run_crossbar(out, last);
        let next = self.run_busy_outputs(out, last);
        // Only now: heads that became so in the window were routed by what showed then.
        for early in &self.early {
            self.ports[early.credit.port()].early = 0;
        }
        self.early.clear();
        if shared.equipment.has_crossbar::<F>() {
            next.min(self.crossbar.next_tick)
        } else {
            next
        }
    }

    /// `credit` is usable in the window that starts at `start`, and nothing in it has happened:
    /// applies it early if it may be, or keeps it in `reaching` (true).
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "credits of a window fit memory"
    )]
    pub(crate) fn foresee_credit<P: Probe>(
        &mut self,
        (shared, probe): (&Shared, &mut P),
        reaching: &mut RouterArrivals,
        (credit, start): (Credit, Instant),
    ) -> bool {
        let port = credit.port();
        let queue = &mut self.queues[shared.queue(port, credit.vc())];
        if queue.credits < shared.ample_credits {
            reaching.credits.push(credit);
            return true;
        }
        queue.credits += credit.flits();
        if shared.shows_credits {
            let state = &mut self.ports[port];
            state.in_use -= credit.flits();
            let before = state.early;
            self.early.push(Early { credit, before });
            state.early = self.early.len() as u32;
        }
        let at = start.plus(Span::from_ps(credit.offset()));
        let returned = (credit.job(), credit.flits());
        probe.credits_returned(self.channel(port), credit.vc(), returned, at);
        // Where routing looks at credits the list of early ones has to be emptied.
        shared.shows_credits
    }

    /// Applies one credit at its instant; quickly where nothing can depend on it.
    #[inline(always)]
    fn take_credit<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        credit: Credit,
        at: Instant,
    ) {
        let shared = out.shared;
        let port = credit.port();
        let queue = &mut self.queues[shared.queue(port, credit.vc())];
        let state = &mut self.ports[port];
        let is_idle = state.waiting_vcs == 0 && queue.credits >= shared.packet_flits;
        if is_idle && !shared.equipment.has_crossbar::<F>() {
            queue.credits += credit.flits();
            state.give_back(shared, credit.flits());
            let channel = self.channel(port);
            out.probe
                .credits_returned(channel, credit.vc(), (credit.job(), credit.flits()), at);
            return;
        }
        self.run_crossbar(out, Instant::from_ps(at.ps() - 1));
        let start = Start::new(shared, (port, credit.vc()), at);
        self.accept_credits(out, start, (credit.job(), credit.flits()));
    }

    /// Learns what is usable up to and including `limit`.
    #[inline(always)]
    fn learn_until<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        feedback: &mut FeedbackQueue<'_>,
        limit: Instant,
    ) {
        if !out.shared.equipment.learns::<F>() {
            return;
        }
        while let Some((at, feedback)) = feedback.next_until(self.window, limit) {
            // Heads that are routed before must not know yet.
            self.run_crossbar(out, Instant::from_ps(at.ps() - 1));
            self.learn(out, feedback, at);
        }
    }

    /// `packet` enters at `now`.
    #[inline(always)]
    fn enter<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        now: Instant,
    ) {
        out.probe.entered(self.id, &packet.facts(now), now);
        if out.shared.equipment.has_crossbar::<F>() {
            self.run_crossbar(out, now);
            self.enter_input(out, packet, now);
        } else {
            self.enter_output(out, packet, now);
        }
    }

    /// `voq`: from the wire into the queue of its output, or straight on.
    #[inline(always)]
    fn enter_output<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        now: Instant,
    ) {
        let shared = out.shared;
        let mut feedback = PendingFeedback::default();
        if shared.equipment.learns::<F>() {
            feedback = self.pending_feedback_of::<F>(shared, packet, now);
        }
        let moment = Moment { now, limit: now };
        let hop = self.route(out, packet, moment);
        let port = hop.port.index();
        let state = &self.ports[port];
        let start = Start::new(shared, (port, hop.vc), now);
        let mut ready = now;
        if shared.times.has_ready {
            let from = shared.kinds[usize::from(packet.in_port)];
            ready = now.plus(shared.times.ready(from, state.far_end.kind, packet.flits));
        }
        // One question: each of its parts is a toss-up.
        let may_start = |router: &Self| {
            let state = &router.ports[port];
            (state.waiting_vcs == 0)
                & (state.free_at <= now)
                & (ready == now)
                & router.has_credits(start, packet.flits)
        };
        let mut starts = may_start(self);
        if !starts && self.ports[port].due <= now {
            self.catch_up(out, port, now);
            starts = may_start(self);
        }
        if starts {
            if shared.equipment.learns::<F>() {
                self.pending_feedback = feedback;
            }
            self.start(out, packet, start, false);
            return;
        }
        out.probe
            .queued(self.channel(port), hop.vc, &packet.facts(now), (now, ready));
        let index = self.slab.insert(packet);
        if shared.times.has_ready {
            self.slab.set_ready(index, ready);
        }
        if shared.equipment.learns::<F>() {
            self.slab.set_feedback(index, feedback);
        }
        self.push::<F>(shared, (index, packet.flits), start);
        if shared.equipment.reserves::<F>() {
            self.reserve(out, start);
        }
        self.run_output(out, port, now);
    }
}
