//! Probes on the engine: the seam itself, and blame.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use odonata_network::Control;
use odonata_units::Instant;

mod balance;
mod blame;
mod by_hand;

/// Goes on to the end.
pub(crate) struct Unattended;

impl Control for Unattended {
    fn after_epoch(&self, _: Instant, _: u64) -> bool {
        false
    }
}
