//! The iterations of a job as all its ranks end them, for whoever watches a run.
//!
//! Ranks say when they have ended an iteration; an iteration of the job has ended when its last
//! rank has ended it. Nothing in a simulation depends on it, unless iterations are left out.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use odonata_units::{Instant, Span};

/// What counts as an iteration of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marks {
    /// The iterations that its programs mark.
    Iterations,
    /// The repetitions of its programs.
    Repetitions,
}

/// An iteration that all ranks of a job have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndedIteration {
    /// When the last rank ended it.
    pub end: Instant,
    /// Communication time of all ranks from the beginning of the job to where each ended the
    /// iteration, summed, ps.
    pub comm_time_ps: u128,
}

/// An iteration that some ranks have not ended.
#[derive(Clone, Copy, Debug)]
struct OpenIteration {
    /// Ranks that have not ended it.
    left: u32,
    ended: EndedIteration,
}

#[derive(Debug, Default)]
struct State {
    /// Number of the first iteration of `open`.
    first: u64,
    open: VecDeque<OpenIteration>,
    ended: VecDeque<EndedIteration>,
    /// Ranks whose program has ended, and when the last of them did.
    finished: u32,
    last: Instant,
}

/// The iterations of one job.
#[derive(Debug)]
pub struct JobIterations {
    ranks: u32,
    marks: Marks,
    state: Mutex<State>,
    /// Iterations of each rank that are left out.
    left_out: AtomicU64,
}

impl JobIterations {
    /// Of a job of so many ranks, at least one. Iterations that are marked count only where all
    /// ranks have the same number of them.
    #[must_use]
    pub fn new(ranks: u32, marks: Marks) -> Self {
        Self {
            ranks: ranks.max(1),
            marks,
            state: Mutex::default(),
            left_out: AtomicU64::new(0),
        }
    }

    /// What counts as an iteration.
    #[must_use]
    pub const fn marks(&self) -> Marks {
        self.marks
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A rank ended its iteration `number` at `now`, after so much communication in all.
    pub(crate) fn note_end(&self, number: u64, now: Instant, comm_time: Span) {
        let mut state = self.state();
        let Some(index) = number
            .checked_sub(state.first)
            .and_then(|index| usize::try_from(index).ok())
        else {
            return;
        };
        while state.open.len() <= index {
            state.open.push_back(OpenIteration {
                left: self.ranks,
                ended: EndedIteration {
                    end: Instant::ZERO,
                    comm_time_ps: 0,
                },
            });
        }
        let one = &mut state.open[index];
        one.left -= 1;
        one.ended.end = one.ended.end.max(now);
        one.ended.comm_time_ps += u128::from(comm_time.ps());
        while let Some(one) = state.open.front().copied().filter(|one| one.left == 0) {
            state.open.pop_front();
            state.first += 1;
            state.ended.push_back(one.ended);
        }
    }

    /// The program of a rank ended at `now`, for the first time if it repeats.
    pub(crate) fn note_finish(&self, now: Instant) {
        let mut state = self.state();
        state.finished += 1;
        state.last = state.last.max(now);
    }

    /// Takes the next iteration that ended before `limit` out, in order; `None`: none did.
    ///
    /// What it gives does not depend on threads if everything before `limit` was simulated.
    pub fn take_before(&self, limit: Instant) -> Option<EndedIteration> {
        let mut state = self.state();
        if state.ended.front()?.end >= limit {
            return None;
        }
        state.ended.pop_front()
    }

    /// Iterations that the rank that is furthest has ended.
    #[must_use]
    pub fn furthest(&self) -> u64 {
        let state = self.state();
        state.first + state.open.len() as u64
    }

    /// Whether the program of a rank has ended.
    #[must_use]
    pub fn is_ending(&self) -> bool {
        self.state().finished > 0
    }

    /// Each rank ends so many iterations sooner than its program says; a later call replaces an
    /// earlier one.
    ///
    /// To be called while no rank does anything, at least two iterations before the end of the one
    /// that is furthest: all ranks then leave out the same number.
    pub fn leave_out(&self, iterations: u64) {
        self.left_out.store(iterations, Ordering::Relaxed);
    }

    /// Iterations of each rank that are left out.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    /// When the job ended, if that was before `limit`; of one that repeats, for the first time.
    #[must_use]
    pub fn finished_before(&self, limit: Instant) -> Option<Instant> {
        let state = self.state();
        (state.finished >= self.ranks && state.last < limit).then_some(state.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_has_ended_with_its_last_rank() {
        let job = JobIterations::new(2, Marks::Iterations);
        let at = Instant::from_ps;
        job.note_end(0, at(10), Span::from_ps(4));
        job.note_end(1, at(20), Span::from_ps(9));
        assert_eq!(job.take_before(at(100)), None);
        job.note_end(0, at(15), Span::from_ps(7));
        assert_eq!(job.take_before(at(15)), None, "not before its end");
        let first = job.take_before(at(16));
        assert_eq!(
            first.map(|one| (one.end.ps(), one.comm_time_ps)),
            Some((15, 11))
        );
        job.note_end(1, at(19), Span::from_ps(8));
        assert_eq!(job.take_before(at(21)).map(|one| one.end.ps()), Some(20));
        job.note_finish(at(19));
        assert_eq!(job.finished_before(at(100)), None);
        job.note_finish(at(20));
        assert_eq!(job.finished_before(at(20)), None);
        assert_eq!(job.finished_before(at(21)), Some(at(20)));
    }
}
