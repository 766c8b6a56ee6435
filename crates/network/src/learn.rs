//! Feedback of a learning routing: what a router notes of a packet, and what it learns
//! (`docs/model/network.md`, section "Learning").

use odonata_telemetry::Probe;
use odonata_topology::PortIndex;
use odonata_units::{Instant, Span};

use crate::features::Features;
use crate::order::Order;
use crate::outbox::Outbox;
use crate::packet::{Feedback, Lesson, Packet};
use crate::router::Router;
use crate::shared::Shared;

/// What a router learns in one window, in order, and how far it has got.
#[derive(Debug)]
pub(crate) struct Lessons<'a> {
    feedback: &'a mut Vec<Feedback>,
    order: &'a mut Order,
    next: usize,
}

impl<'a> Lessons<'a> {
    /// `feedback`, and the `order` in which it is learnt.
    #[inline(always)]
    pub(crate) fn new<F: Features>(
        shared: &Shared,
        (feedback, order): (&'a mut Vec<Feedback>, &'a mut Order),
    ) -> Self {
        if shared.equipment.learns::<F>() {
            let push_all = |order: &mut Order, feedback: &[Feedback]| {
                for (place, lesson) in feedback.iter().enumerate() {
                    order.push(place, (lesson.offset, lesson.port));
                }
            };
            push_all(order, feedback);
            if !order.sort_distinct(shared.offset_bits) {
                // Lessons of one instant and port: what they say decides.
                feedback.sort_unstable();
                order.clear();
                push_all(order, feedback);
            }
        }
        Self {
            feedback,
            order,
            next: 0,
        }
    }

    /// The next one if it is usable up to and including `limit`, and when it is; `start` is the
    /// start of the window. Behind the last one the list is emptied.
    #[inline]
    pub(crate) fn next_until(
        &mut self,
        start: Instant,
        limit: Instant,
    ) -> Option<(Instant, Feedback)> {
        if self.next == self.order.len() {
            if self.next > 0 {
                self.feedback.clear();
                self.order.clear();
                self.next = 0;
            }
            return None;
        }
        let (offset, place) = self.order.get(self.next);
        let at = start.plus(Span::from_ps(offset));
        if at > limit {
            return None;
        }
        self.next += 1;
        Some((at, self.feedback[place]))
    }
}

impl Router {
    /// Learns `lesson` at `at`.
    pub(crate) fn learn<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        lesson: &Feedback,
        at: Instant,
    ) {
        let Some(table) = &mut self.table else { return };
        let error = table.update(
            PortIndex(u16::from(lesson.port)),
            lesson.row,
            lesson.measured_ns,
            lesson.estimate_ns,
        );
        out.probe
            .learnt(self.id, lesson.job, error.unsigned_abs(), at);
    }

    /// What it notes of `packet`, which entered at `entered` and is routed now.
    pub(crate) fn note_lesson(&self, shared: &Shared, packet: &Packet, entered: Instant) -> Lesson {
        let row = shared.routing.row(&packet.route());
        let estimate_ns = match &self.table {
            Some(table) if !self.is_own_row(shared, row) => table.least(row),
            _ => 0,
        };
        Lesson {
            entered,
            estimate_ns,
            row,
        }
    }

    /// Whether packets of a row are for nodes of its group.
    #[inline]
    pub(crate) fn is_own_row(&self, shared: &Shared, row: u32) -> bool {
        shared.routing.rows_of(self.group).contains(&row)
    }
}
