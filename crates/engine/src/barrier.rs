//! A barrier that spins briefly and then yields: epochs are too short to sleep on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const SPINS_BEFORE_YIELD: u32 = 2_000;

/// Meeting point of a fixed number of threads, reusable.
#[derive(Debug)]
pub(crate) struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    broken: AtomicBool,
}

impl Barrier {
    pub(crate) const fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    /// Lets every waiting thread go, now and later: a thread has panicked.
    pub(crate) fn break_up(&self) {
        self.broken.store(true, Ordering::Release);
    }

    /// Waits for all threads; false if the barrier is broken.
    pub(crate) fn wait(&self) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return !self.broken.load(Ordering::Acquire);
        }
        let mut spins = 0_u32;
        while self.round.load(Ordering::Acquire) == round {
            if self.broken.load(Ordering::Acquire) {
                return false;
            }
            spins += 1;
            if spins < SPINS_BEFORE_YIELD {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
        !self.broken.load(Ordering::Acquire)
    }
}
