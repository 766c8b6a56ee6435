//! What a router shows its routing, and the choice of the least congested.

use odonata_topology::PortIndex;

use crate::q_table::QTable;

/// What counts as congestion of an output port, in flits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimate {
    /// Waiting in this router for the port.
    Queued,
    /// Credits taken and not yet returned: what is on the wire, in the next router's buffer, and
    /// on its way back.
    InUse,
    /// The sum of both.
    Both,
}

/// What a router lets its routing see, at the instant of the decision.
pub trait Observation {
    /// Congestion of output `port`, flits: over all VCs, or of one.
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32;

    /// What this router has learned (Q-adaptive).
    fn table(&self) -> Option<&QTable> {
        None
    }
}

/// The least congested of several: flits and what has them; the first one on a tie.
#[inline]
pub(crate) fn least<T>(several: impl Iterator<Item = (u32, T)>) -> Option<(u32, T)> {
    several.min_by_key(|(flits, _)| *flits)
}
