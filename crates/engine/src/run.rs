//! The epoch loop.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use odonata_units::{Instant, Span};

use crate::barrier::Barrier;

/// A set of logical processes that one thread simulates together.
pub trait Block: Send {
    /// What other blocks send here, in one container per epoch.
    type Mail: Default + Send;
    /// What the blocks of one thread share (statistics, spare memory).
    type Local: Send;

    /// Takes in `mail` and leaves it empty (its memory is used again).
    fn receive(&mut self, mail: &mut Self::Mail, local: &mut Self::Local);

    /// Simulates everything in `[from, to)`; `mail[b]` is for block `b` and is received before
    /// `to`. Nothing in it may matter before `to`.
    fn advance(
        &mut self,
        from: Instant,
        to: Instant,
        local: &mut Self::Local,
        mail: &mut [Self::Mail],
    );

    /// What is left to do, seen after an epoch that ended at `now`.
    fn status(&self, now: Instant) -> Status;
}

/// What a block, or all of them, still have to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// Nothing happens before; [`Instant::NEVER`] if nothing will.
    pub next: Instant,
    /// Goals not yet reached; the run ends when the sum over blocks is zero.
    pub open_goals: i64,
    /// Next instant at which something that a goal depends on is known to happen by itself;
    /// [`Instant::NEVER`] if goals only wait for others.
    pub goal_next: Instant,
    /// Things under way that a goal may be waiting for (summed over blocks). With none of them,
    /// and no [`Status::goal_next`], goals can only wait for each other: a stall, at once.
    pub on_the_way: i64,
    /// Steps made so far that can help a goal (summed over blocks): what tells a stall of things
    /// that are under way.
    pub progress: u64,
    /// Work done so far, towards goals or not (summed over blocks): what a user sees.
    pub work: u64,
}

impl Status {
    /// Nothing to do, nothing done.
    pub const IDLE: Self = Self {
        next: Instant::NEVER,
        open_goals: 0,
        goal_next: Instant::NEVER,
        on_the_way: 0,
        progress: 0,
        work: 0,
    };
}

/// Length and bounds of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EpochPlan {
    /// Nothing takes less than this from one block to another.
    pub epoch: Span,
    /// Nothing at or after this instant need be simulated; the last epoch may go beyond.
    pub until: Instant,
    /// No progress for this long, with goals open and none waiting for a known instant, is a
    /// stall.
    pub patience: Span,
}

/// The outside of a run: progress out, interruption in.
pub trait Control: Sync {
    /// Called by one thread after each epoch: `now`, and the sum of work done up to the epoch
    /// before. True: stop now.
    fn after_epoch(&self, now: Instant, work: u64) -> bool;
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All goals reached.
    Finished,
    /// `until` reached.
    TimeLimit,
    /// [`Control::after_epoch`] said so.
    Interrupted,
    /// Goals are open, and nothing moves any more.
    Stalled,
}

const GO_ON: u8 = 0;
const INTERRUPT: u8 = 1;

/// What a thread publishes after an epoch, double-buffered by epoch parity.
struct Slot {
    next: AtomicU64,
    open_goals: AtomicU64,
    goal_next: AtomicU64,
    on_the_way: AtomicU64,
    progress: AtomicU64,
    work: AtomicU64,
    verdict: AtomicU8,
}

impl Slot {
    const fn new() -> Self {
        Self {
            next: AtomicU64::new(0),
            open_goals: AtomicU64::new(0),
            goal_next: AtomicU64::new(0),
            on_the_way: AtomicU64::new(0),
            progress: AtomicU64::new(0),
            work: AtomicU64::new(0),
            verdict: AtomicU8::new(GO_ON),
        }
    }
}

struct Exchange<M> {
    /// `[parity][thread]`.
    slots: [Vec<Slot>; 2],
    /// `[parity][destination block][source thread]`.
    mail: [Vec<Vec<Mutex<M>>>; 2],
    barrier: Barrier,
}

fn lock<M>(mutex: &Mutex<M>) -> MutexGuard<'_, M> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Blocks that thread `thread` of `threads` simulates, of `count` in all.
#[must_use]
pub const fn share(thread: usize, threads: usize, count: usize) -> std::ops::Range<usize> {
    thread * count / threads..(thread + 1) * count / threads
}

/// Simulates `blocks` epoch by epoch, on one thread per member of `locals`.
///
/// Returns why and when the run ended: the end of the last epoch, or `plan.until` if that is later
/// and nothing happens before it. The outcome is the same for any number of threads.
///
/// # Panics
/// If a block panics, after all threads have stopped.
pub fn run<B: Block, C: Control>(
    blocks: &mut [B],
    locals: &mut [B::Local],
    plan: EpochPlan,
    control: &C,
) -> (Stop, Instant) {
    let threads = locals.len().max(1);
    let count = blocks.len();
    let new_mail = || -> Vec<Vec<Mutex<B::Mail>>> {
        (0..count)
            .map(|_| {
                (0..threads)
                    .map(|_| Mutex::new(B::Mail::default()))
                    .collect()
            })
            .collect()
    };
    let exchange = Exchange {
        slots: [0, 1].map(|_| (0..threads).map(|_| Slot::new()).collect()),
        mail: [new_mail(), new_mail()],
        barrier: Barrier::new(threads),
    };
    if let [local] = locals {
        return worker(
            Share {
                thread: 0,
                first: 0,
                blocks,
                local,
            },
            plan,
            control,
            &exchange,
        );
    }
    std::thread::scope(|scope| {
        let mut rest = blocks;
        let mut first = 0;
        let mut handles = Vec::new();
        for (thread, local) in locals.iter_mut().enumerate() {
            let end = share(thread, threads, count).end;
            let (mine, others) = rest.split_at_mut(end - first);
            rest = others;
            let part = Share {
                thread,
                first,
                blocks: mine,
                local,
            };
            let exchange = &exchange;
            handles.push(scope.spawn(move || {
                let guard = BreakOnPanic(&exchange.barrier);
                let outcome = worker(part, plan, control, exchange);
                std::mem::forget(guard);
                outcome
            }));
            first = end;
        }
        let mut outcome = (Stop::Finished, Instant::ZERO);
        let mut panic = None;
        for handle in handles {
            match handle.join() {
                Ok(result) => outcome = result,
                Err(payload) => panic = Some(payload),
            }
        }
        if let Some(payload) = panic {
            std::panic::resume_unwind(payload);
        }
        outcome
    })
}

struct BreakOnPanic<'a>(&'a Barrier);

impl Drop for BreakOnPanic<'_> {
    fn drop(&mut self) {
        self.0.break_up();
    }
}

struct Share<'a, B: Block> {
    thread: usize,
    first: usize,
    blocks: &'a mut [B],
    local: &'a mut B::Local,
}

/// What all threads agree on after an epoch.
struct Total {
    status: Status,
    interrupted: bool,
}

fn worker<B: Block, C: Control>(
    share: Share<'_, B>,
    plan: EpochPlan,
    control: &C,
    exchange: &Exchange<B::Mail>,
) -> (Stop, Instant) {
    let Share {
        thread,
        first,
        blocks,
        local,
    } = share;
    let mut outbox: Vec<B::Mail> = (0..exchange.mail[0].len())
        .map(|_| B::Mail::default())
        .collect();
    let mut parity = 0;
    let mut from = Instant::ZERO;
    let mut last_progress = (0_u64, Instant::ZERO);
    loop {
        let to = from + plan.epoch;
        let mut mine = Status::IDLE;
        for (offset, block) in blocks.iter_mut().enumerate() {
            for mail in &exchange.mail[1 - parity][first + offset] {
                block.receive(&mut lock(mail), local);
            }
            block.advance(from, to, local, &mut outbox);
            mine = add(mine, block.status(to));
        }
        for (mail, slots) in outbox.iter_mut().zip(&exchange.mail[parity]) {
            std::mem::swap(mail, &mut lock(&slots[thread]));
        }
        publish(&exchange.slots[parity][thread], mine);
        if thread == 0 {
            let known = total(&exchange.slots[1 - parity]).status.work;
            let verdict = if control.after_epoch(to, known) {
                INTERRUPT
            } else {
                GO_ON
            };
            exchange.slots[parity][0]
                .verdict
                .store(verdict, Ordering::Relaxed);
        }
        if !exchange.barrier.wait() {
            return (Stop::Interrupted, to);
        }
        let all = total(&exchange.slots[parity]);
        let awaited = all.status.goal_next != Instant::NEVER || all.status.next > to;
        if awaited || all.status.progress != last_progress.0 {
            last_progress = (all.status.progress, to.max(all.status.next.min(plan.until)));
        }
        let hopeless = all.status.on_the_way == 0 && all.status.goal_next == Instant::NEVER;
        let stalled = hopeless || to.saturating_since(last_progress.1) > plan.patience;
        if let Some(stop) = judge(&all, stalled, to, plan) {
            // Nothing happens from `to` to the next instant: an idle stretch is simulated.
            let end = if stop == Stop::TimeLimit {
                to.max(plan.until)
            } else {
                to
            };
            return (stop, end);
        }
        from = skip_idle(to, all.status.next, plan.epoch);
        parity = 1 - parity;
    }
}

fn add(a: Status, b: Status) -> Status {
    Status {
        next: a.next.min(b.next),
        open_goals: a.open_goals + b.open_goals,
        goal_next: a.goal_next.min(b.goal_next),
        on_the_way: a.on_the_way + b.on_the_way,
        progress: a.progress + b.progress,
        work: a.work + b.work,
    }
}

fn publish(slot: &Slot, status: Status) {
    // Relaxed: the barrier orders these stores before every load.
    slot.next.store(status.next.ps(), Ordering::Relaxed);
    slot.open_goals
        .store(status.open_goals.cast_unsigned(), Ordering::Relaxed);
    slot.goal_next
        .store(status.goal_next.ps(), Ordering::Relaxed);
    slot.on_the_way
        .store(status.on_the_way.cast_unsigned(), Ordering::Relaxed);
    slot.progress.store(status.progress, Ordering::Relaxed);
    slot.work.store(status.work, Ordering::Relaxed);
}

fn total(slots: &[Slot]) -> Total {
    let mut status = Status::IDLE;
    for slot in slots {
        let one = Status {
            next: Instant::from_ps(slot.next.load(Ordering::Relaxed)),
            open_goals: slot.open_goals.load(Ordering::Relaxed).cast_signed(),
            goal_next: Instant::from_ps(slot.goal_next.load(Ordering::Relaxed)),
            on_the_way: slot.on_the_way.load(Ordering::Relaxed).cast_signed(),
            progress: slot.progress.load(Ordering::Relaxed),
            work: slot.work.load(Ordering::Relaxed),
        };
        status = add(status, one);
    }
    let interrupted = slots
        .iter()
        .any(|s| s.verdict.load(Ordering::Relaxed) == INTERRUPT);
    Total {
        status,
        interrupted,
    }
}

fn judge(all: &Total, stalled: bool, now: Instant, plan: EpochPlan) -> Option<Stop> {
    if all.status.open_goals == 0 {
        Some(Stop::Finished)
    } else if all.interrupted {
        Some(Stop::Interrupted)
    } else if all.status.next == Instant::NEVER || stalled {
        Some(Stop::Stalled)
    } else if now >= plan.until || all.status.next >= plan.until {
        Some(Stop::TimeLimit)
    } else {
        None
    }
}

/// The last epoch boundary at or before `next`, so that idle stretches cost nothing.
fn skip_idle(now: Instant, next: Instant, epoch: Span) -> Instant {
    let epochs = next.saturating_since(now).ps() / epoch.ps();
    now + epoch * epochs
}
