//! A router through one window: credits, feedback and packets in the order of their instants, then
//! whatever its ports decide up to the end.

use odonata_telemetry::{Probe, Queueing};
use odonata_units::{Instant, Span};

use crate::flight::in_flight::GroupArrivals;
use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::{Credit, Packet, PendingFeedback};
use crate::model::window::Window;
use crate::router::feedback::FeedbackQueue;
use crate::router::moment::Moment;
use crate::router::order::Order;
use crate::router::output::Start;
use crate::router::state::{EarlyCredit, Router};
use crate::shared::all_groups::Shared;

/// Arrivals at a router in a window.
#[derive(Debug, Default)]
pub(crate) struct RouterArrivals {
    /// Packets, as numbers in the list of the group.
    pub(crate) packets: Order,
    /// Credits that are not applied early.
    pub(crate) credits: Vec<Credit>,
    /// Feedback, as numbers in the list of the group.
    pub(crate) feedback: Order,
}

impl Router {
    /// Simulates `window`, in which the router's nodes have run: `own` refers to `arrivals`.
    /// Returns the first instant behind it at which a port or the crossbar does something of its
    /// own accord.
    #[inline(never)]
    pub(crate) fn advance<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        own: &mut RouterArrivals,
        arrivals: &mut GroupArrivals,
        window: Window,
    ) -> Instant {
        let shared = out.shared;
        let (start, last) = (window.start, window.last());
        let RouterArrivals {
            packets,
            credits,
            feedback,
        } = own;
        self.window = start;
        packets.sort(shared.offset_bits);
        if credits.len() > 1 {
            credits.sort_unstable_by_key(Credit::rank);
        }
        let mut feedback = FeedbackQueue::new(shared, feedback, &arrivals.feedback);
        out.totals.events += packets.len() as u64;
        let mut next_credit = 0;
        for number in 0..packets.len() {
            let (offset, index) = packets.get(number);
            let packet = &mut arrivals.packets.get_mut(index).packet;
            let now = start.plus(Span::from_ps(offset));
            while let Some(credit) = credits.get(next_credit) {
                let at = start.plus(Span::from_ps(credit.offset()));
                if at > now {
                    break;
                }
                self.take_down_until(out, at);
                self.learn_until(out, &mut feedback, at);
                self.take_credit(out, *credit, at);
                next_credit += 1;
            }
            self.take_down_until(out, now);
            self.learn_until(out, &mut feedback, now);
            self.enter(out, packet, now);
        }
        for credit in &credits[next_credit..] {
            let at = start.plus(Span::from_ps(credit.offset()));
            self.take_down_until(out, at);
            self.learn_until(out, &mut feedback, at);
            self.take_credit(out, *credit, at);
        }
        self.take_down_until(out, last);
        self.learn_until(out, &mut feedback, last);
        feedback.end(shared);
        packets.clear();
        credits.clear();
        self.run_crossbar(out, last);
        let mut next = self.run_busy_outputs(out, last);
        if F::CHANGES && !self.is_empty(shared) {
            next = next.min(self.next_down);
        }
        // Only now: heads that became so in the window were routed by what showed then.
        for early in &self.early {
            self.ports[early.credit.port().index()].early = None;
        }
        self.early.clear();
        if shared.has_crossbar() {
            next.min(self.crossbar.next_tick)
        } else {
            next
        }
    }

    /// Applies `credit`, which is usable at `at` in a window in which nothing has happened yet, at
    /// once if nothing can depend on its instant; else false. Unless `moves`, no packet enters or
    /// is routed in the window.
    #[inline(always)]
    pub(crate) fn apply_early<P: Probe>(
        &mut self,
        shared: &Shared,
        probe: &mut P,
        credit: Credit,
        at: Instant,
        moves: bool,
    ) -> bool {
        let port = credit.port();
        let queue = &mut self.queues[shared.queue(port, credit.vc()).index()];
        if queue.credits < shared.ample_credits {
            let state = &self.ports[port.index()];
            if moves || state.waiting_vcs != 0 || queue.credits < shared.largest_flits {
                return false;
            }
        }
        if shared.shows_credits {
            if self.early.len() == EarlyCredit::MOST {
                return false;
            }
            let state = &mut self.ports[port.index()];
            state.in_use -= credit.flits();
        }
        if shared.shows_credits && moves {
            let state = &mut self.ports[port.index()];
            let before = state.early;
            self.early.push(EarlyCredit { credit, before });
            state.early = EarlyCredit::last_of(&self.early);
        }
        queue.credits += credit.flits();
        probe.credits_returned(self.channel(port), credit.change(), at);
        true
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
        let queue = &mut self.queues[shared.queue(port, credit.vc()).index()];
        let state = &mut self.ports[port.index()];
        let is_idle = state.waiting_vcs == 0 && queue.credits >= shared.largest_flits;
        if is_idle && !shared.has_crossbar() {
            queue.credits += credit.flits();
            state.give_back(&shared, credit.flits());
            let channel = self.channel(port);
            out.probe.credits_returned(channel, credit.change(), at);
            return;
        }
        self.run_crossbar(out, Instant::from_ps(at.ps() - 1));
        let start = Start::new(&shared, port, credit.vc(), at);
        self.accept_credits(out, start, credit);
    }

    /// Learns what is usable up to and including `limit`.
    #[inline(always)]
    fn learn_until<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        queue: &mut FeedbackQueue<'_>,
        limit: Instant,
    ) {
        if !out.shared.learns() {
            return;
        }
        while let Some((at, feedback)) = queue.next_until(self.window, limit) {
            // Heads that are routed before must not know yet.
            self.run_crossbar(out, Instant::from_ps(at.ps() - 1));
            self.learn(out, feedback, at);
        }
    }

    /// Lets `packet` enter at `now`.
    #[inline(always)]
    fn enter<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        now: Instant,
    ) {
        out.probe.entered(self.id, &packet.facts(now), now);
        if out.shared.has_crossbar() {
            self.run_crossbar(out, now);
            self.note_entered(out, packet, Moment { now, limit: now });
            self.enter_input(out, packet, now);
        } else {
            self.note_entered(out, packet, Moment { now, limit: now });
            self.enter_output(out, packet, now);
        }
    }

    /// Moves `packet` from the wire into the queue of its output, or straight on (`voq`).
    #[inline(always)]
    fn enter_output<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        now: Instant,
    ) {
        let shared = out.shared;
        let mut feedback = PendingFeedback::default();
        if shared.learns() {
            feedback = self.pending_feedback_of(shared, packet, now);
        }
        let moment = Moment { now, limit: now };
        let hop = self.route(out, packet, moment);
        let port = hop.port;
        let start = Start::new(&shared, port, hop.vc, now);
        let mut ready = now;
        if shared.has_ready() {
            let (from, to) = (self.link_at(packet.in_port()), self.link_at(port));
            ready = now.plus(shared.ready_wait(from, to, packet.flits, now));
            if F::CHANGES {
                ready = ready.max(shared.held_until(to, now, now));
            }
        }
        // One question: each of its parts is a toss-up.
        let may_start = |router: &Self| {
            let state = &router.ports[port.index()];
            (state.waiting_vcs == 0)
                & (state.free_at <= now)
                & (ready == now)
                & router.has_credits(start, packet.flits)
                & !(shared.has_ceilings() && router.is_held(shared, start))
        };
        let mut starts = may_start(self);
        if !starts && self.ports[port.index()].due <= now {
            self.catch_up(out, port, now);
            starts = may_start(self);
        }
        if starts {
            if shared.learns() {
                self.pending_feedback = feedback;
            }
            self.start(out, packet, start, false);
            return;
        }
        out.probe.queued(
            self.channel(port),
            &packet.facts(now),
            Queueing {
                vc: hop.vc,
                at: now,
                ready,
            },
        );
        let index = self.slab.insert(packet);
        if shared.has_ready() {
            self.slab.set_ready(index, ready);
        }
        if shared.learns() {
            self.slab.set_feedback(index, feedback);
        }
        let is_short = self.queues[start.queue.index()].credits < shared.largest_flits;
        self.push(out, index, packet.flits, start);
        if shared.reserves() {
            if is_short {
                self.reserve(out, start);
            } else {
                self.pending_feedback = feedback;
                self.reserve_for(out, start, packet);
            }
        }
        self.run_output(out, port, now);
    }
}
