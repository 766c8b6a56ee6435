//! Feedback of a learning routing: what a router notes of a packet, and what it learns
//! (`docs/model/network.md`, section "Learning").

use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, Span};

use crate::flight::chunk_list::OpenList;
use crate::flight::in_flight::FeedbackInFlight;
use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::{Feedback, Packet, PendingFeedback};
use crate::router::order::Order;
use crate::router::state::Router;
use crate::shared::view::View;

/// Feedback to a router in one window, in order, and how far it has got.
#[derive(Debug)]
pub(crate) struct FeedbackQueue<'a> {
    order: &'a mut Order,
    arrivals: &'a OpenList<FeedbackInFlight>,
    next: usize,
}

impl<'a> FeedbackQueue<'a> {
    /// The feedback of `arrivals` that `order` refers to, which is brought in order.
    #[inline]
    pub(crate) fn new<F: Features>(
        shared: View<'_, F>,
        order: &'a mut Order,
        arrivals: &'a OpenList<FeedbackInFlight>,
    ) -> Self {
        if shared.learns() && !order.sort_distinct(shared.offset_bits) {
            // Several arrive at one instant and port: what they say decides.
            order.sort_by_key(|index| arrivals.get(index).feedback);
        }
        Self {
            order,
            arrivals,
            next: 0,
        }
    }

    /// The next feedback and when it is usable, if that is up to and including `limit`; `start` is
    /// the start of the window.
    #[inline]
    pub(crate) fn next_until(
        &mut self,
        start: Instant,
        limit: Instant,
    ) -> Option<(Instant, &'a Feedback)> {
        if self.next == self.order.len() {
            return None;
        }
        let (offset, index) = self.order.get(self.next);
        let at = start.plus(Span::from_ps(offset));
        if at > limit {
            return None;
        }
        self.next += 1;
        Some((at, &self.arrivals.get(index).feedback))
    }

    /// Empties the order, when all feedback of the window is learnt.
    #[inline]
    pub(crate) fn end<F: Features>(self, shared: View<'_, F>) {
        if shared.learns() {
            self.order.clear();
        }
    }
}

impl Router {
    /// Learns `feedback` at `now`.
    pub(crate) fn learn<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        feedback: &Feedback,
        now: Instant,
    ) {
        let Some(table) = &mut self.table else { return };
        let error = table.update(
            PortIndex(u16::from(feedback.port)),
            feedback.row,
            feedback.measured_ns,
            feedback.estimate_ns,
        );
        out.probe
            .learnt(self.id, feedback.job, error.unsigned_abs(), now);
    }

    /// Feedback to be sent on `packet`, which entered at `entered` and is routed now.
    #[inline]
    pub(crate) fn pending_feedback_of<F: Features>(
        &self,
        shared: View<'_, F>,
        packet: &Packet,
        entered: Instant,
    ) -> PendingFeedback {
        let nothing = PendingFeedback {
            entered,
            ..PendingFeedback::default()
        };
        let from = shared.kinds[packet.in_port().index()];
        if from == LinkKind::Host || !shared.learns_from(packet.mode()) {
            return nothing;
        }
        let row = shared.routing.row(packet.source(), packet.target());
        let is_own = shared.routing.rows_of(self.group).contains(&row);
        match &self.table {
            _ if is_own && from != LinkKind::Global => nothing,
            Some(table) if !is_own => PendingFeedback {
                entered,
                estimate_ns: table.least(row),
                row: Some(row),
            },
            _ => PendingFeedback {
                row: Some(row),
                ..nothing
            },
        }
    }
}
