//! Marks of an output port: `docs/model/congestion.md`, "Marks".

use odonata_units::{Purpose, Stream};

use super::nscc::WindowRules;

/// Limits by which an output port sets marks.
#[derive(Debug)]
pub(crate) struct PortMarks {
    /// Flits of the packets that were routed to the port and have not started.
    waiting: u32,
    draws: Stream,
}

impl PortMarks {
    /// Those of the port that is number `number` among the ports of all routers.
    pub(crate) const fn new(seed: u64, number: u64) -> Self {
        Self {
            waiting: 0,
            draws: Stream::new(seed, Purpose::Mark, number),
        }
    }

    /// A packet of `flits` is routed to the port.
    pub(crate) fn route(&mut self, flits: u16) {
        self.waiting += u32::from(flits);
    }

    /// A packet of `flits` is routed to another port after all.
    pub(crate) fn leave(&mut self, flits: u16) {
        self.waiting -= u32::from(flits);
    }

    /// A packet of `flits` starts; true if it is marked.
    pub(crate) fn start(&mut self, rules: &WindowRules, flits: u16, flit_bytes: u32) -> bool {
        self.waiting -= u32::from(flits);
        let left = u64::from(self.waiting) * u64::from(flit_bytes);
        if left <= rules.mark_from {
            return false;
        }
        let above = left - rules.mark_from;
        let range = rules.mark_to.saturating_sub(rules.mark_from);
        above >= range || {
            let range = u32::try_from(range).unwrap_or(u32::MAX);
            u64::from(self.draws.below(range)) < above
        }
    }
}
