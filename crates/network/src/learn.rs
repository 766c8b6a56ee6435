//! Feedback of a learning routing: what a router notes of a packet, and what it learns
//! (`docs/model/network.md`, section "Learning").

use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, Span};

use crate::features::Features;
use crate::order::Order;
use crate::outbox::Outbox;
use crate::packet::{Feedback, Lesson, Packet};
use crate::pile::Opened;
use crate::router::Router;
use crate::shared::Shared;
use crate::wires::Taught;

/// What a router learns in one window, in order, and how far it has got.
#[derive(Debug)]
pub(crate) struct Lessons<'a> {
    order: &'a mut Order,
    taught: &'a Opened<Taught>,
    next: usize,
}

impl<'a> Lessons<'a> {
    /// Those of `taught` that `order` refers to, which is brought in order.
    #[inline(always)]
    pub(crate) fn new<F: Features>(
        shared: &Shared,
        order: &'a mut Order,
        taught: &'a Opened<Taught>,
    ) -> Self {
        if shared.equipment.learns::<F>() && !order.sort_distinct(shared.offset_bits) {
            // Lessons of one instant and port: what they say decides.
            order.sort_by_key(|place| taught.get(place).feedback);
        }
        Self {
            order,
            taught,
            next: 0,
        }
    }

    /// The next one and when it is usable, if that is up to and including `limit`; `start` is the
    /// start of the window.
    #[inline(always)]
    pub(crate) fn next_until(
        &mut self,
        start: Instant,
        limit: Instant,
    ) -> Option<(Instant, &'a Feedback)> {
        if self.next == self.order.len() {
            return None;
        }
        let (offset, place) = self.order.get(self.next);
        let at = start.plus(Span::from_ps(offset));
        if at > limit {
            return None;
        }
        self.next += 1;
        Some((at, &self.taught.get(place).feedback))
    }

    /// Behind the last one.
    #[inline(always)]
    pub(crate) fn end<F: Features>(self, shared: &Shared) {
        if shared.equipment.learns::<F>() {
            self.order.clear();
        }
    }
}

impl Router {
    /// Learns `lesson` at `now`.
    pub(crate) fn learn<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        lesson: &Feedback,
        now: Instant,
    ) {
        let Some(table) = &mut self.table else { return };
        let error = table.update(
            PortIndex(u16::from(lesson.port)),
            lesson.row,
            lesson.measured_ns,
            lesson.estimate_ns,
        );
        out.probe
            .learnt(self.id, lesson.job, error.unsigned_abs(), now);
    }

    /// What it notes of `packet`, which entered at `entered` and is routed now.
    #[inline(always)]
    pub(crate) fn note_lesson<F: Features>(
        &self,
        shared: &Shared,
        packet: &Packet,
        entered: Instant,
    ) -> Lesson {
        let nothing = Lesson {
            entered,
            ..Lesson::default()
        };
        let from = shared.kinds[usize::from(packet.in_port)];
        if from == LinkKind::Host || !shared.learns_from::<F>(packet.mode()) {
            return nothing;
        }
        let row = shared.routing.row(packet.source(), packet.target());
        let is_own = shared.routing.rows_of(self.group).contains(&row);
        match &self.table {
            _ if is_own && from != LinkKind::Global => nothing,
            Some(table) if !is_own => Lesson {
                entered,
                estimate_ns: table.least(row),
                row,
            },
            _ => Lesson { row, ..nothing },
        }
    }
}
