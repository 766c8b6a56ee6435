//! Feedback of a learning routing: how long the hop took, and what is left, told to the router
//! before (`docs/model/network.md`, section "Learning").

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::GroupId;

use crate::block::{Context, State};
use crate::endpoint::Endpoint;
use crate::packet::{Feedback, Lesson, Packet};
use crate::shared::Shared;
use crate::view::View;

/// What a router learns in one window, in order, and how far it has got.
#[derive(Debug, Default)]
pub(crate) struct Lessons {
    pub(crate) feedback: Vec<Feedback>,
    next: usize,
}

impl<E: Endpoint> State<E> {
    /// Takes the lessons of a router and window, in order.
    #[inline]
    pub(crate) fn sort_lessons(&mut self, place: usize) -> Lessons {
        let mut feedback = match self.lessons.get_mut(place) {
            Some(bucket) => std::mem::take(bucket),
            None => return Lessons::default(),
        };
        self.filled -= u32::from(!feedback.is_empty());
        feedback.sort_unstable();
        Lessons { feedback, next: 0 }
    }

    /// Keeps the memory of lessons that are learnt.
    #[inline]
    pub(crate) fn put_back(&mut self, place: usize, mut lessons: Lessons) {
        if let Some(bucket) = self.lessons.get_mut(place) {
            lessons.feedback.clear();
            *bucket = lessons.feedback;
        }
    }

    /// Learns what is usable up to and including `limit`.
    #[inline(always)]
    pub(crate) fn learn_until<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        lessons: &mut Lessons,
        limit: u64,
    ) {
        if context.shared.learns() && lessons.next < lessons.feedback.len() {
            self.learn_some(context, router, lessons, limit);
        }
    }

    fn learn_some<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        lessons: &mut Lessons,
        limit: u64,
    ) {
        while let Some(lesson) = lessons.feedback.get(lessons.next) {
            let at = self.window + u64::from(lesson.offset);
            if at > limit {
                return;
            }
            lessons.next += 1;
            // Heads that are routed before must not know yet.
            self.run_crossbar(context, router, at - 1);
            let error = self.tables[router].update(
                PortIndex(u16::from(lesson.port)),
                lesson.row,
                lesson.measured_ns,
                lesson.estimate_ns,
            );
            let bin = context.stats.series.at(at, usize::from(lesson.job));
            bin.lessons += 1;
            bin.lesson_error_ns += error.unsigned_abs();
        }
    }

    /// Puts a lesson in the wheel of a router of this block.
    pub(crate) fn post_lesson(
        &mut self,
        shared: &Shared,
        (router, at): (usize, u64),
        feedback: Feedback,
    ) {
        let offset = shared.offset(at);
        let bucket = &mut self.lessons[router * shared.slots + shared.slot(at)];
        self.filled += u32::from(bucket.is_empty());
        bucket.push(Feedback { offset, ..feedback });
    }

    /// What `router` notes of `packet`, which entered at `entered` and is routed now.
    #[inline]
    pub(crate) fn note_lesson<const RICH: bool>(
        &self,
        shared: View<'_, RICH>,
        router: usize,
        packet: &Packet,
        entered: u64,
    ) -> Lesson {
        let is_there = shared.topology.group_of_node(packet.target()) == self.group_id;
        let estimate_ns = if is_there {
            0
        } else {
            let row = shared.routing.row(&packet.route());
            self.tables[router].least(row)
        };
        Lesson {
            entered,
            estimate_ns,
        }
    }

    /// Sends what was noted of `packet`, which leaves its input buffer, to the router before; the
    /// lesson is usable there from `usable` on.
    #[inline]
    pub(crate) fn give_feedback<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        upstream: usize,
        packet: &Packet,
        usable: u64,
    ) {
        let shared = context.shared;
        let route = packet.route();
        let port = &self.outputs[upstream];
        let target_group: GroupId = shared.topology.group_of_node(route.target);
        if port.kind() == LinkKind::Host
            || (port.kind() != LinkKind::Global && target_group == self.group_id)
        {
            return;
        }
        let feedback = Feedback {
            offset: 0,
            port: port.target_port,
            row: shared.routing.row(&route),
            measured_ns: packet.measured_ns(),
            estimate_ns: self.lesson.estimate_ns,
            #[expect(clippy::cast_possible_truncation, reason = "at most 256 jobs")]
            job: packet.job() as u8,
        };
        if port.same_block {
            let router = (port.target - self.first_router) as usize;
            self.post_lesson(&shared, (router, usable), feedback);
        } else {
            let mail = &mut context.mail[usize::from(port.block)];
            mail.lessons.push((port.target, usable, feedback));
            self.mailed = true;
        }
    }
}
