//! A port as a tile.

use odonata_counters::TileCounts;
use odonata_units::Instant;

/// What one port has counted, and the stall of its channel that goes on.
#[derive(Clone, Default)]
pub(crate) struct Tile {
    pub(crate) counts: TileCounts,
    /// `[half]`.
    pub(crate) stalled: [Option<Instant>; 2],
}

impl Tile {
    /// When the stall that goes on began.
    pub(crate) fn stalled_since(&self) -> Option<Instant> {
        self.stalled.into_iter().flatten().min()
    }

    pub(crate) fn end_stall(&mut self, at: Instant) {
        for half in 0..2 {
            if let Some(since) = self.stalled[half].take() {
                self.counts.column_stall_ps[half] += (at - since).ps();
            }
        }
    }
}
