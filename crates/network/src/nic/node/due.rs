//! The packet that a NIC could start next.

use odonata_telemetry::NicStall;
use odonata_units::Instant;

use crate::model::features::Features;
use crate::model::index::LaneIndex;
use crate::shared::view::View;

/// A packet that could start. Its start is never if there is none, or if nobody knows when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    pub(super) start: Instant,
    /// The instant from which the packet exists.
    pub(super) exists: Instant,
    /// The instant at which the packet could have started but for credits and responses.
    pub(super) begin: Instant,
    pub(super) bytes: u16,
    pub(super) flits: u16,
    pub(super) lane: LaneIndex,
    /// It is the response to another packet.
    pub(super) is_response: bool,
    pub(super) cause: NicStall,
}

impl Due {
    pub(super) const NEVER: Self = Self {
        start: Instant::NEVER,
        exists: Instant::NEVER,
        begin: Instant::NEVER,
        bytes: 0,
        flits: 0,
        lane: LaneIndex::new(0),
        is_response: false,
        cause: NicStall::Credits,
    };

    /// The lane that the packet comes from; known to the compiler where there is but one.
    #[inline]
    pub(super) fn lane<F: Features>(&self, shared: View<'_, F>) -> LaneIndex {
        if shared.lanes() == 1 {
            LaneIndex::default()
        } else {
            self.lane
        }
    }
}
