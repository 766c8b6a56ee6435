//! The controller of a NIC, and the notices on their way to it.

use std::collections::VecDeque;

use odonata_units::{Instant, NodeId, Span};

use crate::congestion::pace::Source;
use crate::congestion::{Controller, Notice};

/// The controller of a NIC, and what is on its way to it.
#[derive(Debug, Default)]
pub(crate) struct NicControl {
    controller: Source,
    /// Notices on their way, by instant; those of one instant in the order they were sent in.
    pending: VecDeque<Notice>,
    /// When the last one arrived.
    last: Instant,
}

impl NicControl {
    /// Whether no notice has ever come to matter: everything may start.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.controller.is_idle()
    }

    /// The instant until which a packet to `target` that is not a small one is held back.
    #[inline]
    pub(crate) fn held_until(&self, target: NodeId) -> Instant {
        if self.controller.is_idle() {
            return Instant::ZERO;
        }
        self.controller.may_send_at(target)
    }

    /// When the last notice arrived.
    #[inline]
    pub(crate) const fn last(&self) -> Instant {
        self.last
    }

    /// A packet to `target` that is not a small one, and takes `wire`, starts at `at`.
    #[inline]
    pub(crate) fn sent(&mut self, target: NodeId, at: Instant, wire: Span) {
        if !self.controller.is_idle() {
            self.controller.sent(target, at, wire);
        }
    }

    /// `notice` is on its way.
    pub(crate) fn expect(&mut self, notice: Notice) {
        let place = self.pending.partition_point(|other| other.at <= notice.at);
        self.pending.insert(place, notice);
    }

    /// When the next notice arrives; never if none is on its way.
    #[inline]
    pub(crate) fn next_notice(&self) -> Instant {
        self.pending
            .front()
            .map_or(Instant::NEVER, |notice| notice.at)
    }

    /// Takes the next notice.
    pub(crate) fn take_notice(&mut self) {
        if let Some(notice) = self.pending.pop_front() {
            self.last = notice.at;
            self.controller.noticed(&notice);
        }
    }
}
