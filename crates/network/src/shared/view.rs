//! The shared state as one copy of the hot loop sees it: a feature that it is compiled without is
//! read as absent.

use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::Deref;

use odonata_endpoint::Message;
use odonata_routing::{LinkChanges, Routing};

use crate::model::features::Features;
use crate::model::index::LaneIndex;
use crate::model::limits::MOST_VCS;
use crate::model::parameters::Control;
use crate::shared::all_groups::Shared;

/// The shared state as the copy of the hot loop for the features `F` sees it.
#[derive(Debug)]
pub(crate) struct View<'a, F> {
    shared: &'a Shared,
    features: PhantomData<fn() -> F>,
}

impl<F> Clone for View<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for View<'_, F> {}

impl<F> Deref for View<'_, F> {
    type Target = Shared;

    #[inline]
    fn deref(&self) -> &Shared {
        self.shared
    }
}

impl<'a, F: Features> View<'a, F> {
    pub(crate) const fn new(shared: &'a Shared) -> Self {
        Self {
            shared,
            features: PhantomData,
        }
    }

    /// Whether routers have input FIFOs and a crossbar.
    #[inline]
    pub(crate) const fn has_crossbar(self) -> bool {
        F::CROSSBAR && self.shared.equipment.has_crossbar
    }

    /// Whether routing learns from feedback.
    #[inline]
    pub(crate) const fn learns(self) -> bool {
        F::LEARNING && self.shared.equipment.learns
    }

    /// Whether a slot downstream is reserved before a packet starts.
    #[inline]
    pub(crate) const fn reserves(self) -> bool {
        F::RESERVATION && self.shared.equipment.reserves
    }

    /// Control of congestion, if there is any.
    #[inline]
    pub(crate) const fn control(self) -> Option<&'a Control> {
        if F::NOTICES {
            self.shared.equipment.control.as_ref()
        } else {
            None
        }
    }

    /// Changes of links during the run, if there are any.
    #[inline]
    pub(crate) fn changes(self) -> Option<&'a LinkChanges<Routing>> {
        if F::CHANGES {
            self.shared.routing.changes()
        } else {
            None
        }
    }

    /// Whether packets wait in queues with the instant from which on they may start.
    #[inline]
    pub(crate) const fn has_ready(self) -> bool {
        F::CHANGES || self.shared.times.has_ready
    }

    /// Whether packets are answered by responses.
    #[inline]
    pub(crate) const fn has_responses(self) -> bool {
        F::RESPONSES && self.shared.equipment.has_responses
    }

    /// Whether the data of gets are responses.
    #[inline]
    pub(crate) const fn has_data(self) -> bool {
        F::RESPONSES && self.shared.equipment.has_data
    }

    /// The largest number of requests of a NIC that are started and not answered, if there is one.
    #[inline]
    pub(crate) const fn outstanding_limit(self) -> Option<NonZeroU32> {
        if F::RESPONSES {
            self.shared.equipment.outstanding_limit
        } else {
            None
        }
    }

    /// Number of traffic classes.
    #[inline]
    pub(crate) const fn classes(self) -> u8 {
        if F::CLASSES {
            self.shared.equipment.classes
        } else {
            1
        }
    }

    /// Whether there are several traffic classes.
    #[inline]
    pub(crate) const fn has_classes(self) -> bool {
        self.classes() > 1
    }

    /// Whether some class has a ceiling.
    #[inline(always)]
    pub(crate) const fn has_ceilings(self) -> bool {
        self.has_classes() && self.shared.class_policy.has_ceilings
    }

    /// Number of virtual networks of a class: requests, and responses if there are any.
    #[inline]
    pub(crate) const fn networks(self) -> u8 {
        if self.has_responses() { 2 } else { 1 }
    }

    /// Number of lanes of a NIC: one per class and virtual network.
    #[inline]
    pub(crate) const fn lanes(self) -> u8 {
        self.classes() * self.networks()
    }

    /// The lane of requests of `class`.
    #[inline]
    pub(crate) const fn request_lane(self, class: u8) -> LaneIndex {
        LaneIndex::new(class as usize * self.networks() as usize)
    }

    /// The lane that `message` goes to.
    #[inline]
    pub(crate) const fn lane_of_message(self, message: &Message) -> LaneIndex {
        let is_data = self.has_data() && message.role.is_data();
        LaneIndex::new(self.request_lane(message.class).index() + is_data as usize)
    }

    /// The lane of the class and virtual network that `vc` belongs to.
    #[inline]
    pub(crate) fn lane_of_vc(self, vc: u8) -> LaneIndex {
        if F::CLASSES || F::RESPONSES {
            self.shared.vc_lanes[usize::from(vc)]
        } else {
            LaneIndex::default()
        }
    }

    /// Whether `lane` is for responses.
    #[inline]
    pub(crate) const fn is_for_responses(self, lane: LaneIndex) -> bool {
        self.has_responses() && lane.index() & 1 == 1
    }

    /// The class of `lane`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 8 classes")]
    pub(crate) const fn class_of_lane(self, lane: LaneIndex) -> u8 {
        lane.index() as u8 / self.networks()
    }

    /// The class that `vc` belongs to.
    #[inline]
    pub(crate) const fn class_of(self, vc: u8) -> u8 {
        if F::CLASSES {
            self.shared.vc_classes[vc as usize % MOST_VCS]
        } else {
            0
        }
    }

    /// The first VC of the class that `vc` belongs to.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 32 VCs")]
    pub(crate) const fn class_base(self, vc: u8) -> u8 {
        self.class_of(vc) * self.shared.class_vcs as u8
    }

    /// Whether routing learns from packets of `mode`.
    #[inline]
    pub(crate) fn learns_from(self, mode: u8) -> bool {
        self.learns() && self.shared.routing.mode_learns(mode)
    }
}
