//! The exchange between threads that simulate parts of one system, at the end of an epoch: mail,
//! and sums that all threads know. Here among the threads of one process; see `processes.rs` for
//! several.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use odonata_units::Instant;

use crate::barrier::Barrier;
use crate::block::{Block, Control};
use crate::laps::Exchanged;
use crate::status::Status;

/// What all threads know after an epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Total {
    pub(crate) status: Status,
    /// The run is to stop now.
    pub(crate) is_interrupted: bool,
}

impl Total {
    /// Of nobody.
    pub(crate) const IDLE: Self = Self {
        status: Status::IDLE,
        is_interrupted: false,
    };

    /// Of two parts together.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            status: self.status.and(other.status),
            is_interrupted: self.is_interrupted | other.is_interrupted,
        }
    }
}

/// How one thread reaches all others. Sets of mail and sums are used by turns: `turn` is 0 or 1.
pub(crate) trait Transport<B: Block> {
    /// Sends `mail` to block `block`, and takes an empty container in exchange.
    fn send(&self, turn: usize, block: usize, mail: &mut B::Mail, local: &mut B::Local);

    /// Hands what was sent to it over to `block`, which has number `number`.
    fn receive(&self, turn: usize, number: usize, block: &mut B, local: &mut B::Local);

    /// The work of all threads, as last published in this turn.
    fn work(&self, turn: usize) -> u64;

    /// Publishes the status of this thread, waits for all others, and returns the sum; `None` if
    /// one of them is gone.
    fn meet(&self, turn: usize, mine: Total) -> Option<Total>;

    /// Lets the controls of all processes hear what the others tell, after [`Transport::meet`]; by
    /// one thread of each process. `None` if another process is gone.
    fn tell<C: Control>(&self, _control: &C) -> Option<()> {
        Some(())
    }

    /// Waits for all others after [`Transport::meet`]; whether one of them says so. `None` if one
    /// is gone.
    fn agree(&self, mine: bool) -> Option<bool>;

    /// What was done in [`Transport::meet`] beside waiting.
    fn exchanged(&self) -> Exchanged {
        Exchanged::default()
    }
}

/// What a thread publishes after an epoch.
#[derive(Debug, Default)]
struct Slot {
    next: AtomicU64,
    idle_until: AtomicU64,
    open_goals: AtomicI64,
    goal_next: AtomicU64,
    on_the_way: AtomicI64,
    progress: AtomicU64,
    work: AtomicU64,
    is_interrupted: AtomicBool,
}

/// A container of mail between one thread and one block.
#[derive(Debug, Default)]
struct Letterbox<M> {
    is_filled: AtomicBool,
    mail: Mutex<M>,
}

/// What the threads of a run exchange.
#[derive(Debug)]
pub(crate) struct Exchange<M> {
    /// `[turn][thread]`.
    slots: [Vec<Slot>; 2],
    /// `[turn][destination block][source thread]`.
    mail: [Vec<Vec<Letterbox<M>>>; 2],
    /// One of the threads has said so: for ever, for the run ends then.
    is_agreed: AtomicBool,
    barrier: Barrier,
}

fn lock<M>(mutex: &Mutex<M>) -> MutexGuard<'_, M> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn many<T: Default>(count: usize) -> Vec<T> {
    (0..count).map(|_| T::default()).collect()
}

impl<M: Default> Exchange<M> {
    pub(crate) fn new(threads: usize, blocks: usize) -> Self {
        let boxes = || (0..blocks).map(|_| many(threads)).collect();
        Self {
            slots: [many(threads), many(threads)],
            mail: [boxes(), boxes()],
            is_agreed: AtomicBool::new(false),
            barrier: Barrier::new(threads),
        }
    }
}

impl<M> Exchange<M> {
    /// Lets all threads go: one has panicked.
    pub(crate) fn break_up(&self) {
        self.barrier.break_up();
    }

    /// Waits for all threads; false if one has panicked.
    pub(crate) fn wait(&self) -> bool {
        self.barrier.wait()
    }

    /// As [`Transport::meet`], for thread `number`.
    pub(crate) fn meet(&self, turn: usize, number: usize, mine: Total) -> Option<Total> {
        let slot = &self.slots[turn][number];
        let status = mine.status;
        slot.next.store(status.next.ps(), Ordering::Relaxed);
        slot.idle_until
            .store(status.idle_until.ps(), Ordering::Relaxed);
        slot.open_goals.store(status.open_goals, Ordering::Relaxed);
        slot.goal_next
            .store(status.goal_next.ps(), Ordering::Relaxed);
        slot.on_the_way.store(status.on_the_way, Ordering::Relaxed);
        slot.progress.store(status.progress, Ordering::Relaxed);
        slot.work.store(status.work, Ordering::Relaxed);
        slot.is_interrupted
            .store(mine.is_interrupted, Ordering::Relaxed);
        self.barrier.wait().then(|| self.total(turn))
    }

    /// As [`Transport::agree`].
    pub(crate) fn agree(&self, mine: bool) -> Option<bool> {
        self.is_agreed.fetch_or(mine, Ordering::Relaxed);
        self.barrier.wait().then(|| self.is_agreed())
    }

    /// Another process has said so.
    pub(crate) fn note_agreed(&self) {
        self.is_agreed.store(true, Ordering::Relaxed);
    }

    /// Whether anybody has said so.
    pub(crate) fn is_agreed(&self) -> bool {
        self.is_agreed.load(Ordering::Relaxed)
    }

    fn total(&self, turn: usize) -> Total {
        let mut sum = Total::IDLE;
        for slot in &self.slots[turn] {
            let status = Status {
                next: Instant::from_ps(slot.next.load(Ordering::Relaxed)),
                idle_until: Instant::from_ps(slot.idle_until.load(Ordering::Relaxed)),
                open_goals: slot.open_goals.load(Ordering::Relaxed),
                goal_next: Instant::from_ps(slot.goal_next.load(Ordering::Relaxed)),
                on_the_way: slot.on_the_way.load(Ordering::Relaxed),
                progress: slot.progress.load(Ordering::Relaxed),
                work: slot.work.load(Ordering::Relaxed),
            };
            sum = sum.and(Total {
                status,
                is_interrupted: slot.is_interrupted.load(Ordering::Relaxed),
            });
        }
        sum
    }
}

/// A thread that takes part in the exchange.
#[derive(Debug)]
pub(crate) struct Thread<'a, M> {
    pub(crate) exchange: &'a Exchange<M>,
    pub(crate) number: usize,
}

impl<B: Block> Transport<B> for Thread<'_, B::Mail> {
    // Relaxed everywhere: the barrier orders what is stored before it and loaded behind it.
    #[inline]
    fn send(&self, turn: usize, block: usize, mail: &mut B::Mail, _: &mut B::Local) {
        let letterbox = &self.exchange.mail[turn][block][self.number];
        std::mem::swap(mail, &mut lock(&letterbox.mail));
        letterbox.is_filled.store(true, Ordering::Relaxed);
    }

    #[inline]
    fn receive(&self, turn: usize, number: usize, block: &mut B, local: &mut B::Local) {
        for letterbox in &self.exchange.mail[turn][number] {
            if letterbox.is_filled.load(Ordering::Relaxed) {
                block.receive(&mut lock(&letterbox.mail), local);
                letterbox.is_filled.store(false, Ordering::Relaxed);
            }
        }
    }

    fn work(&self, turn: usize) -> u64 {
        self.exchange.total(turn).status.work
    }

    fn meet(&self, turn: usize, mine: Total) -> Option<Total> {
        self.exchange.meet(turn, self.number, mine)
    }

    fn agree(&self, mine: bool) -> Option<bool> {
        self.exchange.agree(mine)
    }
}
