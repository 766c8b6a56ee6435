//! The instant of a step, and what of the same instant comes before it.

use odonata_units::Instant;

/// The instant at which a packet is routed, and which output decisions show then.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    /// Credits up to and including this instant show.
    pub(crate) now: Instant,
    /// Output decisions up to and including this instant show.
    pub(crate) limit: Instant,
}
