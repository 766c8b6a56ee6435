//! The iterations of a job as all its ranks end them, for whoever watches a run.
//!
//! Ranks say when they have ended an iteration; an iteration of the job has ended when its last
//! rank has ended it. Nothing in a simulation depends on it, unless iterations are left out.
//!
//! Where several processes simulate the ranks of a job, each tells the others what its own ranks
//! have ended since it last did ([`News`]): maxima and sums of integers, so that all know the same
//! when all have been told.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Span};

/// Marks that make an iteration of a job.
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
    /// News for other processes; `None`: there are none.
    news: Option<News>,
}

/// Part of one iteration that some ranks have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
struct EndedRanks {
    /// Number of the iteration.
    number: u64,
    ranks: u32,
    /// When the last of them ended it, and their communication time, see [`EndedIteration`].
    end: Instant,
    comm_time_ps: u128,
}
/// Iterations that the ranks of one process have ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct News {
    /// At most one of each iteration, in order.
    parts: Vec<EndedRanks>,
    /// Ranks whose program has ended, and when the last of them did.
    finished: u32,
    last: Instant,
}
impl News {
    fn note(&mut self, part: EndedRanks) {
        let at = (self.parts).partition_point(|known| known.number < part.number);
        match self.parts.get_mut(at) {
            Some(known) if known.number == part.number => {
                known.ranks += part.ranks;
                known.end = known.end.max(part.end);
                known.comm_time_ps += part.comm_time_ps;
            }
            _ => self.parts.insert(at, part),
        }
    }
}

impl State {
    /// So many of `ranks` ranks have ended an iteration; false if there are not so many left.
    fn note(&mut self, ranks: u32, part: EndedRanks) -> bool {
        let Some(index) = part
            .number
            .checked_sub(self.first)
            .and_then(|index| usize::try_from(index).ok())
        else {
            return false;
        };
        while self.open.len() <= index {
            self.open.push_back(OpenIteration {
                left: ranks,
                ended: EndedIteration {
                    end: Instant::ZERO,
                    comm_time_ps: 0,
                },
            });
        }
        let one = &mut self.open[index];
        let Some(left) = one.left.checked_sub(part.ranks) else {
            return false;
        };
        one.left = left;
        one.ended.end = one.ended.end.max(part.end);
        one.ended.comm_time_ps += part.comm_time_ps;
        while let Some(one) = self.open.front().copied().filter(|one| one.left == 0) {
            self.open.pop_front();
            self.first += 1;
            self.ended.push_back(one.ended);
        }
        true
    }
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

    /// Marks that make an iteration.
    #[must_use]
    pub const fn marks(&self) -> Marks {
        self.marks
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what its ranks end here for [`JobIterations::take_news`].
    #[must_use]
    pub fn with_news(self) -> Self {
        self.state().news = Some(News::default());
        self
    }

    /// A rank ended its iteration `number` at `now`, after so much communication in all.
    pub(crate) fn note_end(&self, number: u64, now: Instant, comm_time: Span) {
        let part = EndedRanks {
            number,
            ranks: 1,
            end: now,
            comm_time_ps: u128::from(comm_time.ps()),
        };
        let mut state = self.state();
        if state.note(self.ranks, part)
            && let Some(news) = &mut state.news
        {
            news.note(part);
        }
    }

    /// The program of a rank ended at `now`, for the first time if it repeats.
    pub(crate) fn note_finish(&self, now: Instant) {
        let mut state = self.state();
        state.finished += 1;
        state.last = state.last.max(now);
        if let Some(news) = &mut state.news {
            news.finished += 1;
            news.last = news.last.max(now);
        }
    }

    /// Iterations that ranks have ended here since this was last asked; none without
    /// [`JobIterations::with_news`].
    #[must_use]
    pub fn take_news(&self) -> News {
        self.state()
            .news
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Takes in what ranks have ended in another process; false if there are not so many ranks.
    #[must_use]
    pub fn hear(&self, news: &News) -> bool {
        let mut state = self.state();
        state.finished += news.finished;
        state.last = state.last.max(news.last);
        let mut parts = news.parts.iter();
        parts.all(|part| state.note(self.ranks, *part)) && state.finished <= self.ranks
    }

    /// Takes the next iteration that ended before `limit` out, in order; `None`: none did.
    ///
    /// What it gives depends neither on threads nor on processes if everything before `limit` was
    /// simulated, and the news of all processes were heard.
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

    /// Two processes with two ranks and one know the same as one process with three.
    #[test]
    fn processes_that_hear_of_each_other_know_the_same() {
        let at = Instant::from_ps;
        let job = || JobIterations::new(3, Marks::Iterations);
        let (one, two, other) = (job(), job().with_news(), job().with_news());
        let ends = [
            (0, 10, 4),
            (0, 12, 5),
            (1, 20, 9),
            (0, 17, 6),
            (1, 19, 8),
            (1, 30, 9),
        ];
        for (number, (iteration, end, comm)) in ends.into_iter().enumerate() {
            let here = if number % 3 == 2 { &other } else { &two };
            for job in [&one, here] {
                job.note_end(iteration, at(end), Span::from_ps(comm));
            }
            if number == 3 {
                assert_eq!(two.furthest(), 1);
                assert!(two.hear(&other.take_news()) && other.hear(&two.take_news()));
                assert_eq!((two.furthest(), other.furthest()), (2, 2));
            }
        }
        for job in [&one, &other] {
            job.note_finish(at(31));
        }
        assert!(!two.is_ending());
        assert!(two.hear(&other.take_news()) && other.hear(&two.take_news()));
        assert!(two.is_ending());
        let all = |job: &JobIterations| {
            std::iter::from_fn(|| job.take_before(Instant::NEVER)).collect::<Vec<_>>()
        };
        let expected = all(&one);
        assert_eq!(expected.len(), 2);
        assert_eq!((all(&two), all(&other)), (expected.clone(), expected));
        assert_eq!(two.take_news(), News::default());
        // A rank more than there are.
        two.note_end(2, at(40), Span::ZERO);
        let news = two.take_news();
        assert!(
            [true, true, true, false]
                .iter()
                .all(|fits| one.hear(&news) == *fits)
        );
    }
}
