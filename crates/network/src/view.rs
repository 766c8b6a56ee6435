//! What a network has beyond the plain case, known to the compiler.
//!
//! The hot loop is compiled twice: for networks with one class, one-way packets, credits at
//! departure and routing that learns nothing (`RICH = false`), and for all others. A plain network
//! does not pay for what it does not have.

use std::ops::Deref;

use crate::packet::Packet;
use crate::shared::Shared;

/// [`Shared`], as one of the two compilations sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a, const RICH: bool>(pub(crate) &'a Shared);

impl<const RICH: bool> Deref for View<'_, RICH> {
    type Target = Shared;

    #[inline]
    fn deref(&self) -> &Shared {
        self.0
    }
}

impl<const RICH: bool> View<'_, RICH> {
    /// Routing learns from feedback.
    #[inline]
    pub(crate) const fn learns(self) -> bool {
        RICH && self.0.learns
    }

    /// Whether routing learns from `packet`.
    #[inline]
    pub(crate) fn learns_from(self, packet: &Packet) -> bool {
        self.learns() && self.0.routing.mode_learns(packet.mode())
    }

    /// A slot downstream is reserved before a packet starts.
    #[inline]
    pub(crate) const fn reserves(self) -> bool {
        RICH && self.0.reserves
    }

    /// Every packet is answered.
    #[inline]
    pub(crate) const fn has_responses(self) -> bool {
        RICH && self.0.has_responses
    }

    /// Traffic classes.
    #[inline]
    pub(crate) const fn classes(self) -> usize {
        if RICH { self.0.policy.classes } else { 1 }
    }

    /// First VC of the class that `vc` belongs to.
    #[inline]
    pub(crate) const fn class_base(self, vc: u8) -> u8 {
        if RICH { self.0.class_base(vc) } else { 0 }
    }

    /// Lane of a NIC that injects on `vc`.
    #[inline]
    pub(crate) fn lane(self, vc: u8) -> usize {
        if RICH { self.0.lane_of(vc) } else { 0 }
    }

    /// Whether `lane` is for responses.
    #[inline]
    pub(crate) const fn is_response_lane(self, lane: usize) -> bool {
        self.has_responses() && lane & 1 == 1
    }

    /// Lanes of a NIC.
    #[inline]
    pub(crate) const fn nic_lanes(self) -> usize {
        if RICH { self.0.nic_lanes } else { 1 }
    }
}

impl Shared {
    /// Whether the network needs the rich compilation.
    pub(crate) fn is_rich(&self) -> bool {
        self.learns || self.reserves || self.nic_lanes > 1 || self.parameters.outstanding > 0
    }
}
