//! A barrier for threads that meet often: whoever waits looks for a moment, for most epochs are too
//! short to sleep on, and then sleeps, so that others have its core. It does not yield: on a busy
//! host each `sched_yield` waits for a time slice of somebody else, and whoever sleeps is woken
//! before that.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Looks before a thread sleeps: some 100 us, about as long as waking takes at most.
const SPINS: u32 = 4_000;

/// Meeting point of a fixed number of threads, reusable.
#[derive(Debug)]
pub(crate) struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    broken: AtomicBool,
    /// Threads that sleep, or are about to.
    sleepers: AtomicUsize,
    gate: Mutex<()>,
    opened: Condvar,
}

impl Barrier {
    pub(crate) const fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            gate: Mutex::new(()),
            opened: Condvar::new(),
        }
    }

    /// Lets every waiting thread go, now and later: a thread has panicked.
    pub(crate) fn break_up(&self) {
        self.broken.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// Waits for all threads; false if the barrier is broken.
    pub(crate) fn wait(&self) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            self.wake();
        } else if !self.looks(round) {
            self.sleep(round);
        }
        !self.broken.load(Ordering::Acquire)
    }

    // Sequentially consistent with `sleepers`: either whoever opens the barrier sees a sleeper, or
    // the sleeper sees that it is open.
    fn is_open(&self, round: usize) -> bool {
        self.round.load(Ordering::SeqCst) != round || self.broken.load(Ordering::SeqCst)
    }

    /// Whether the barrier is open within a moment.
    fn looks(&self, round: usize) -> bool {
        for _ in 0..SPINS {
            if self.is_open(round) {
                return true;
            }
            std::hint::spin_loop();
        }
        false
    }

    fn sleep(&self, round: usize) {
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = |(): &mut ()| !self.is_open(round);
        drop(self.opened.wait_while(gate, closed));
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // Whoever is about to sleep holds the gate until it does.
            drop(self.gate.lock().unwrap_or_else(PoisonError::into_inner));
            self.opened.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::Barrier;

    /// ns that this thread has been on a core; `None` where the system does not tell.
    fn worked_ns() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    }

    #[test]
    fn whoever_waits_long_leaves_its_core_to_others() {
        let barrier = Barrier::new(3);
        thread::scope(|scope| {
            let waiters = [(); 2].map(|()| {
                scope.spawn(|| {
                    let before = worked_ns()?;
                    assert!(barrier.wait());
                    Some(worked_ns()? - before)
                })
            });
            thread::sleep(Duration::from_millis(300));
            assert!(barrier.wait());
            for waiter in waiters {
                let worked = waiter.join().unwrap().unwrap_or(0);
                assert!(worked < 50_000_000, "{worked} ns of 300 ms");
            }
        });
    }

    #[test]
    fn sleepers_and_those_who_are_awake_meet_in_every_round() {
        const THREADS: usize = 3;
        let (barrier, arrived) = (Barrier::new(THREADS), AtomicUsize::new(0));
        thread::scope(|scope| {
            for number in 0..THREADS {
                let (barrier, arrived) = (&barrier, &arrived);
                scope.spawn(move || {
                    for round in 1..=600 {
                        if round % (40 + number) == 0 {
                            thread::sleep(Duration::from_millis(1));
                        }
                        arrived.fetch_add(1, Ordering::Relaxed);
                        assert!(barrier.wait());
                        assert_eq!(arrived.load(Ordering::Relaxed), round * THREADS);
                        assert!(barrier.wait());
                    }
                });
            }
        });
    }

    #[test]
    fn sleepers_wake_when_the_barrier_breaks() {
        let barrier = Barrier::new(2);
        thread::scope(|scope| {
            let waiter = scope.spawn(|| barrier.wait());
            thread::sleep(Duration::from_millis(20));
            barrier.break_up();
            assert!(!waiter.join().unwrap());
        });
    }
}
