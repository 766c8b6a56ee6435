//! The controller of a NIC, and the notices on their way to it.

use std::collections::VecDeque;

use odonata_units::{Instant, NodeId};

use crate::congestion::nscc::{WindowRules, Windows};
use crate::congestion::pace::Source;
use crate::congestion::{Controller, Notice, Sent};

/// A controller of any kind.
#[derive(Debug)]
enum AnyController {
    Pace(Source),
    Nscc(Box<Windows>),
}

impl AnyController {
    #[inline]
    fn get(&self) -> &dyn Controller {
        match self {
            Self::Pace(source) => source,
            Self::Nscc(windows) => windows.as_ref(),
        }
    }

    #[inline]
    fn get_mut(&mut self) -> &mut dyn Controller {
        match self {
            Self::Pace(source) => source,
            Self::Nscc(windows) => windows.as_mut(),
        }
    }
}

/// The controller of a NIC, and what is on its way to it.
#[derive(Debug)]
pub(crate) struct NicControl {
    controller: AnyController,
    /// Notices on their way, by instant; those of one instant in the order they were sent in.
    pending: VecDeque<Notice>,
    /// When the last one arrived.
    last: Instant,
    /// What starts need not be told as long as no flow is held back.
    heeds_starts: bool,
}

impl Default for NicControl {
    fn default() -> Self {
        Self::new(None)
    }
}

impl NicControl {
    /// With windows by these rules, or paced.
    pub(crate) fn new(windows: Option<&WindowRules>) -> Self {
        Self {
            controller: match windows {
                Some(rules) => AnyController::Nscc(Box::new(Windows::new(*rules))),
                None => AnyController::Pace(Source::default()),
            },
            pending: VecDeque::new(),
            last: Instant::ZERO,
            heeds_starts: windows.is_some(),
        }
    }

    /// Whether no notice has ever come to matter: everything may start.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.controller.get().is_idle()
    }

    /// The instant until which a packet of `bytes` to `target` that is not a small one is held
    /// back.
    #[inline]
    pub(crate) fn held_until(&self, target: NodeId, bytes: u32) -> Instant {
        let controller = self.controller.get();
        if controller.is_idle() {
            return Instant::ZERO;
        }
        controller.may_send_at(target, bytes)
    }

    /// When the last notice arrived.
    #[inline]
    pub(crate) const fn last(&self) -> Instant {
        self.last
    }

    /// A packet that is not a small one starts.
    #[inline]
    pub(crate) fn sent(&mut self, packet: Sent) {
        if self.heeds_starts || !self.controller.get().is_idle() {
            self.controller.get_mut().sent(packet);
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
        if let Some(notice) = self.pending.pop_front()
            && self.controller.get_mut().noticed(&notice)
        {
            self.last = notice.at;
        }
    }
}
