//! Observations of a router by its routing, and the choice of the least congested.

use odonata_topology::PortIndex;

use crate::q_table::QTable;

/// Measure of the congestion of an output port, in flits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimate {
    /// Waiting in this router for the port.
    Queued,
    /// Credits taken and not yet returned: what is on the wire, in the next router's buffer, and
    /// on its way back.
    InUse,
    /// The sum of both.
    Both,
    /// Waiting in this router, and credits in use beyond what one round trip of the link holds: a
    /// busy link alone is no congestion.
    Backlog,
}

impl Estimate {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Queued, Self::InUse, Self::Both, Self::Backlog];

    /// Congestion of a port where `queued` flits wait, and `in_use` credits are not yet usable again
    /// on a link whose round trip takes `round_trip` flits at its full rate.
    #[inline(always)]
    #[must_use]
    pub const fn of(self, queued: u32, in_use: u32, round_trip: u32) -> u32 {
        match self {
            Self::Queued => queued,
            Self::InUse => in_use,
            Self::Both => queued + in_use,
            Self::Backlog => queued + in_use.saturating_sub(round_trip),
        }
    }
}

/// Observations that a router offers its routing, at the instant of the decision.
pub trait Observation {
    /// Congestion of output `port`, flits: over all VCs, or of one.
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32;

    /// Table that this router has learned (Q-adaptive).
    fn table(&self) -> Option<&QTable> {
        None
    }
}

/// The least congested of several: flits and what has them; the first one on a tie.
#[inline]
pub(crate) fn least<T>(several: impl Iterator<Item = (u32, T)>) -> Option<(u32, T)> {
    several.min_by_key(|(flits, _)| *flits)
}
