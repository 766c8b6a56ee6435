//! Marks of the output ports of a router: `docs/model/congestion.md`, "Marks".

use odonata_topology::PortIndex;
use odonata_units::{Purpose, Stream};

use super::nscc::WindowRules;

/// Marks of the output ports of a router.
#[derive(Debug)]
pub(crate) struct PortMarks {
    pub(crate) rules: WindowRules,
    flit_bytes: u32,
    /// `[port]`.
    draws: Box<[Stream]>,
    /// `[port]`: flits of the packets that were routed to the port and have not started. Empty where
    /// these are the packets that wait in the queue of the port.
    waiting: Box<[u32]>,
}

impl PortMarks {
    /// Those of the ports of a router, of which the first is number `first` among all ports.
    pub(crate) fn new(rules: WindowRules, flit_bytes: u32, seed: u64, ports: MarkedPorts) -> Self {
        let draws = |port| Stream::new(seed, Purpose::Mark, ports.first + port);
        let counted = if ports.are_counted { ports.count } else { 0 };
        Self {
            rules,
            flit_bytes,
            draws: (0..ports.count).map(draws).collect(),
            waiting: (0..counted).map(|_| 0).collect(),
        }
    }

    /// Whether packets must be counted from when they are routed.
    pub(crate) const fn are_counted(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// A packet of `flits` is routed to `port`.
    pub(crate) fn route(&mut self, port: PortIndex, flits: u16) {
        if let Some(waiting) = self.waiting.get_mut(port.index()) {
            *waiting += u32::from(flits);
        }
    }

    /// A packet of `flits` leaves `port`: it starts, or is routed to another one after all.
    pub(crate) fn leave(&mut self, port: PortIndex, flits: u16) {
        if let Some(waiting) = self.waiting.get_mut(port.index()) {
            *waiting -= u32::from(flits);
        }
    }

    /// Whether the packet is marked that has started at `port`, in whose queue are `queued` flits.
    #[inline]
    pub(crate) fn marks(&mut self, port: PortIndex, queued: u32) -> bool {
        let waiting = self.waiting.get(port.index()).copied().unwrap_or(queued);
        let left = u64::from(waiting) * u64::from(self.flit_bytes);
        if left <= self.rules.mark_from {
            return false;
        }
        let above = left - self.rules.mark_from;
        let range = self.rules.mark_to.saturating_sub(self.rules.mark_from);
        above >= range || {
            let range = u32::try_from(range).unwrap_or(u32::MAX);
            u64::from(self.draws[port.index()].below(range)) < above
        }
    }
}

/// The ports of a router.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkedPorts {
    /// Number of the first one among the ports of all routers.
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// Packets routed to them wait elsewhere, too, or leave their queues before they start.
    pub(crate) are_counted: bool,
}
