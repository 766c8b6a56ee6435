//! The schedule of routers that have something of their own to do.

use crate::index::{LocalRouter, WindowSlot};
use crate::shared::Shared;

/// The windows in which routers of a group do something of their own accord.
#[derive(Debug)]
pub(crate) struct WakeSchedule {
    /// `[slot * words + word]`: routers that do something of their own accord, as a bit set.
    wakes: Vec<u64>,
    words: usize,
}

impl WakeSchedule {
    pub(crate) fn new(shared: &Shared, routers: usize) -> Self {
        let words = routers.div_ceil(64);
        Self {
            wakes: (0..words * shared.slots).map(|_| 0).collect(),
            words,
        }
    }

    /// Whether no router is to wake in a window.
    #[inline(always)]
    pub(crate) fn is_quiet(&self, slot: WindowSlot) -> bool {
        let mut wakes = 0;
        for word in 0..self.words {
            wakes |= self.wakes[slot.index() * self.words + word];
        }
        wakes == 0
    }

    /// Router `router` is to wake in a window.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, slot: WindowSlot, router: LocalRouter) {
        let router = router.index();
        self.wakes[slot.index() * self.words + (router >> 6)] |= 1 << (router & 63);
    }

    /// Takes 64 routers of the set of those that are to wake in a window.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: WindowSlot, word: usize) -> u64 {
        std::mem::take(&mut self.wakes[slot.index() * self.words + word])
    }

    /// Words of a set of routers.
    pub(crate) const fn words(&self) -> usize {
        self.words
    }
}
