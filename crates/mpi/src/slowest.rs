//! How far the slowest rank has come: what the progress of a run that ranks end is.
//!
//! Ranks say so themselves, each when it enters another thousandth of its program; whoever asks
//! finds the lowest one that anybody is in. Nothing in a simulation depends on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Parts of a program that are told apart.
const PARTS: usize = 1000;

/// How many ranks are in each part of their programs.
#[derive(Debug)]
pub struct Slowest {
    /// `[part]`: ranks in it; the last one has those that have ended.
    ranks: Vec<AtomicU32>,
    /// No rank is in an earlier part: none goes back.
    lowest: AtomicUsize,
}

impl Default for Slowest {
    fn default() -> Self {
        Self {
            ranks: (0..=PARTS).map(|_| AtomicU32::new(0)).collect(),
            lowest: AtomicUsize::new(0),
        }
    }
}

impl Slowest {
    /// Share of its program that the slowest rank has done; `None` if nobody is watched.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share for a progress bar")]
    pub fn share(&self) -> Option<f64> {
        let from = self.lowest.load(Ordering::Relaxed);
        let mut parts = from..=PARTS;
        let found = parts.find(|part| self.ranks[*part].load(Ordering::Relaxed) > 0);
        // Asked after every epoch: where nobody is, nobody is looked for twice.
        let lowest = found.unwrap_or(PARTS + 1);
        self.lowest.fetch_max(lowest, Ordering::Relaxed);
        found.map(|part| part as f64 / PARTS as f64)
    }
}

/// One rank that says how far it has come.
#[derive(Debug)]
pub(crate) struct Watched {
    slowest: Arc<Slowest>,
    part: usize,
    /// Operations since the last look.
    unseen: u32,
}

impl Watched {
    /// Operations between two looks, in iterations that take long.
    const LOOK: u32 = 256;

    pub(crate) fn new(slowest: Arc<Slowest>) -> Self {
        slowest.ranks[0].fetch_add(1, Ordering::Relaxed);
        slowest.lowest.store(0, Ordering::Relaxed);
        Self {
            slowest,
            part: 0,
            unseen: 0,
        }
    }

    /// One more operation; whether it is time to look.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.unseen += 1;
        self.unseen >= Self::LOOK
    }

    /// Such a share of the program has been done.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share from 0 to 1"
    )]
    pub(crate) fn reached(&mut self, share: f64) {
        self.unseen = 0;
        let part = (share.clamp(0.0, 1.0) * PARTS as f64) as usize;
        if part > self.part {
            // First there, then gone: nobody sees it nowhere.
            self.slowest.ranks[part].fetch_add(1, Ordering::Relaxed);
            self.slowest.ranks[self.part].fetch_sub(1, Ordering::Relaxed);
            self.part = part;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_decides() {
        let slowest = Arc::new(Slowest::default());
        assert_eq!(slowest.share(), None);
        let mut ranks: Vec<_> = (0..3).map(|_| Watched::new(Arc::clone(&slowest))).collect();
        assert_eq!(slowest.share(), Some(0.0));
        ranks[0].reached(0.5);
        ranks[1].reached(1.0);
        assert_eq!(slowest.share(), Some(0.0));
        ranks[2].reached(0.25);
        assert_eq!(slowest.share(), Some(0.25));
        ranks[2].reached(1.0);
        assert_eq!(slowest.share(), Some(0.5));
        ranks[0].reached(1.0);
        assert_eq!(slowest.share(), Some(1.0));
    }
}
