//! What one output port has counted of packets that found no room behind its channel.

use odonata_units::Instant;

/// Picoseconds so far, and since when a refusal goes on, per VC.
#[derive(Clone, Default)]
pub(crate) struct Refusals {
    since: Vec<Option<Instant>>,
    pub(crate) ps: u64,
}

impl Refusals {
    pub(crate) fn new(vcs: usize) -> Self {
        Self {
            since: vec![None; vcs],
            ps: 0,
        }
    }

    /// A packet of `vc` is refused at `now`.
    pub(crate) fn begin(&mut self, vc: usize, now: Instant) {
        self.since[vc].get_or_insert(now);
    }

    /// A credit of `vc` comes at `now`.
    pub(crate) fn end(&mut self, vc: usize, now: Instant) {
        if let Some(since) = self.since[vc].take() {
            self.ps += (now - since).ps();
        }
    }
}
