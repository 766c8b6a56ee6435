//! The epoch loop.

use std::ops::Range;

use odonata_mesh::{Mesh, MeshError};
use odonata_units::{Instant, Span};

use crate::block::{Block, Control, EpochPlan, Stop};
use crate::processes::{Member, Post};
use crate::status::Status;
use crate::stopwatch::Stopwatch;
use crate::transport::{Exchange, Thread, Total, Transport};

/// Simulates `blocks`, those of the process of `mesh`, epoch by epoch, on one thread per member of
/// `locals`. `ranges` are the blocks of all threads of all processes, as many threads in each, in
/// order: first those of process 0; see [`split`](crate::split()).
///
/// Returns why and when the run ended: `plan.until`, or the end of the last epoch if that is
/// sooner. The outcome is the same for any number of processes and threads.
///
/// # Errors
/// Another process is gone, or says why it cannot go on.
///
/// # Panics
/// If a block panics, after all threads have stopped; if `ranges` do not hold all blocks in order,
/// or are not those of so many threads.
pub fn run<B: Block, C: Control>(
    blocks: &mut [B],
    ranges: &[Range<usize>],
    locals: &mut [B::Local],
    plan: EpochPlan,
    control: &C,
    mesh: &Mesh,
) -> Result<(Stop, Instant), MeshError> {
    let threads = locals.len();
    assert!(
        threads > 0 && ranges.len() == threads * mesh.processes(),
        "a range of blocks for each thread of each process"
    );
    let count = ranges.last().map_or(0, |last| last.end);
    let own = &ranges[mesh.rank() * threads..][..threads];
    assert!(
        own[threads - 1].end - own[0].start == blocks.len(),
        "the ranges of a process hold its blocks"
    );
    let exchange = &Exchange::new(threads, count);
    let all = Blocks { count, blocks };
    let thread = |number| Thread { exchange, number };
    if !mesh.has_others() {
        return Ok(on_threads(all, own, locals, exchange, |own, number| {
            worker(own, plan, control, &thread(number))
        }));
    }
    let post = Post::new(mesh, ranges);
    let looks = || control.is_interrupted();
    let clock = || control.clock_ns();
    let outcome = on_threads(all, own, locals, exchange, |own, number| {
        let member = Member {
            thread: thread(number),
            post: &post,
            looks: &looks,
            clock: &clock,
        };
        worker(own, plan, control, &member)
    });
    post.unless_lost(outcome)
}

/// Blocks of a run that are simulated here.
struct Blocks<'a, B> {
    /// Blocks in all, those of other processes included.
    count: usize,
    blocks: &'a mut [B],
}

/// Calls `work` for the blocks of each of `ranges`, on a thread each. Blocks before those of the
/// first range are simulated elsewhere.
fn on_threads<B: Block>(
    all: Blocks<'_, B>,
    ranges: &[Range<usize>],
    locals: &mut [B::Local],
    exchange: &Exchange<B::Mail>,
    work: impl Fn(ThreadBlocks<'_, B>, usize) -> (Stop, Instant) + Sync,
) -> (Stop, Instant) {
    let mut first = ranges.first().map_or(0, |range| range.start);
    let Blocks { count, blocks } = all;
    if let [local] = locals {
        let own = ThreadBlocks {
            first,
            count,
            number: 0,
            blocks,
            local,
        };
        return work(own, 0);
    }
    std::thread::scope(|scope| {
        let mut rest = blocks;
        let mut handles = Vec::new();
        let work = &work;
        for (number, (local, range)) in locals.iter_mut().zip(ranges).enumerate() {
            let end = range.end;
            let (mine, others) = rest.split_at_mut(end - first);
            rest = others;
            let own = ThreadBlocks {
                first,
                count,
                number,
                blocks: mine,
                local,
            };
            handles.push(scope.spawn(move || {
                let guard = BreakOnPanic(exchange);
                let outcome = work(own, number);
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

struct BreakOnPanic<'a, M>(&'a Exchange<M>);

impl<M> Drop for BreakOnPanic<'_, M> {
    fn drop(&mut self) {
        self.0.break_up();
    }
}

/// What one thread simulates.
struct ThreadBlocks<'a, B: Block> {
    first: usize,
    /// Blocks in all.
    count: usize,
    /// Number of the thread in its process; the first one asks whether the run is to stop.
    number: usize,
    blocks: &'a mut [B],
    local: &'a mut B::Local,
}

/// Simulates the blocks of one thread to the end of the run.
fn worker<B: Block, C: Control, T: Transport<B>>(
    own: ThreadBlocks<'_, B>,
    plan: EpochPlan,
    control: &C,
    partners: &T,
) -> (Stop, Instant) {
    let number = own.number;
    let mut watch = Stopwatch::new(control);
    let outcome = epochs(own, plan, control, partners, &mut watch);
    watch.tell(number, partners.exchanged());
    outcome
}

fn epochs<B: Block, C: Control, T: Transport<B>>(
    own: ThreadBlocks<'_, B>,
    plan: EpochPlan,
    control: &C,
    partners: &T,
    watch: &mut Stopwatch<'_, C>,
) -> (Stop, Instant) {
    let ThreadBlocks {
        first,
        count,
        number,
        blocks,
        local,
    } = own;
    let is_leader = number == 0;
    let mut outbox: Vec<B::Mail> = Vec::new();
    outbox.resize_with(count, B::Mail::default);
    let mut turn = 0;
    let mut from = Instant::ZERO;
    let mut last_progress = (0_u64, Instant::ZERO);
    let rests = Rests::new(control, plan);
    loop {
        let to = (from + plan.epoch).min(plan.until);
        let mut status = Status::IDLE;
        for (offset, block) in blocks.iter_mut().enumerate() {
            partners.receive(1 - turn, first + offset, block, local);
            watch.exchanged();
            block.advance(from, to, local, &mut outbox);
            status = status.and(block.status(to));
            watch.worked();
        }
        for (block, mail) in outbox.iter_mut().enumerate() {
            if let Some(needed) = B::needed(mail, to) {
                partners.send(turn, block, mail, local);
                status.next = status.next.min(needed);
                status.idle_until = status.idle_until.min(needed);
            }
        }
        watch.exchanged();
        let is_interrupted = is_leader && control.after_epoch(to, partners.work(1 - turn));
        let mine = Total {
            status,
            is_interrupted,
        };
        let Some(mut all) = partners.meet(turn, mine) else {
            return (Stop::Interrupted, to);
        };
        if rests.are_due(to) {
            let Some(stops) = rest(to, control, partners, is_leader) else {
                return (Stop::Interrupted, to);
            };
            all.is_interrupted |= stops;
        }
        watch.waited();
        let awaited = all.status.goal_next != Instant::NEVER || all.status.next > to;
        if awaited || all.status.progress != last_progress.0 {
            last_progress = (all.status.progress, to.max(all.status.next.min(plan.until)));
        }
        let hopeless = all.status.on_the_way == 0 && all.status.goal_next == Instant::NEVER;
        let stalled = hopeless || to.saturating_since(last_progress.1) > plan.patience;
        if let Some(stop) = judge(&all, stalled, to, plan) {
            // Nothing happens from `to` to the next instant: an idle stretch is simulated.
            let is_over = stop == Stop::TimeLimit;
            return (stop, if is_over { plan.until } else { to });
        }
        let is_known = all.status.goal_next != Instant::NEVER;
        let last = Instant::from_ps(plan.until.ps() - 1);
        let mut idle_until = all.status.idle_until.min(last);
        if !is_known {
            // The epoch in which patience ends is simulated.
            let end = last_progress.1.ps().saturating_add(plan.patience.ps());
            idle_until = idle_until.min(Instant::from_ps(end));
        }
        from = skip_idle(to, idle_until.min(rests.last_start(to)), plan.epoch);
        if is_known {
            // As it was at the end of each epoch that is left out.
            last_progress.1 = last_progress.1.max(from);
        }
        turn = 1 - turn;
    }
}

/// All threads rest at `now`, and the first one of each process decides: whether the run is to stop.
/// `None` if somebody is gone.
fn rest<B: Block, C: Control, T: Transport<B>>(
    now: Instant,
    control: &C,
    partners: &T,
    is_leader: bool,
) -> Option<bool> {
    if is_leader {
        partners.tell(control)?;
    }
    partners.agree(is_leader && control.at_rest(now))
}

/// The instants at which all threads rest.
#[derive(Clone, Copy)]
struct Rests {
    epoch: Span,
    /// From one to the next; `None`: there are none.
    every: Option<Span>,
}

impl Rests {
    fn new<C: Control>(control: &C, plan: EpochPlan) -> Self {
        Self {
            epoch: plan.epoch,
            every: control.rests_every().map(|every| plan.epoch * every.get()),
        }
    }

    /// Whether threads rest at `now`.
    fn are_due(self, now: Instant) -> bool {
        (self.every).is_some_and(|every| now.ps().is_multiple_of(every.ps()))
    }

    /// The start of the epoch behind which threads rest next, after `now`.
    fn last_start(self, now: Instant) -> Instant {
        let Some(every) = self.every.map(Span::ps) else {
            return Instant::NEVER;
        };
        let next = (now.ps() / every).saturating_add(1).saturating_mul(every);
        Instant::from_ps(next - self.epoch.ps())
    }
}

fn judge(all: &Total, stalled: bool, now: Instant, plan: EpochPlan) -> Option<Stop> {
    if all.status.open_goals == 0 {
        Some(Stop::Finished)
    } else if all.is_interrupted {
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
