//! How far a job has come, and what its iterations say.

use std::sync::Arc;

use odonata_mpi::{JobIterations, Marks};
use odonata_steady::{Estimate, Series, Unsteady, estimate};
use odonata_units::{Instant, Span};

/// Estimate of a series, or why there is none.
pub(super) type Said = Result<Estimate, Unsteady>;

/// Estimates from the iterations of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sayings {
    /// Of the time of an iteration, ps.
    pub(super) time: Said,
    /// Of the communication time of a rank in an iteration, ps.
    pub(super) comm_time: Said,
}

/// Mean time of an iteration, and communication time in it, ps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Means {
    pub(super) time: f64,
    pub(super) comm_time: f64,
}

/// Constant terms of a job.
#[derive(Clone, Debug)]
pub(super) struct JobTerms {
    pub(super) ranks: u64,
    /// Iterations of each rank, if they are counted before the job runs.
    pub(super) total: Option<u64>,
    pub(super) repeats: bool,
    /// Instants from which and up to which it is there.
    pub(super) from: Instant,
    pub(super) until: Instant,
    /// Routings that take turns from iteration to iteration.
    pub(super) turns: u64,
    /// Several processes simulate its ranks.
    pub(super) is_shared: bool,
}

/// The iterations of a job so far. An iteration of the job is the time from when its last rank ended
/// the one before to when its last rank ended this one.
#[derive(Debug)]
pub(super) struct JobProgress {
    pub(super) terms: JobTerms,
    iterations: Arc<JobIterations>,
    /// Iterations that have ended, and when the last of them did.
    pub(super) count: u64,
    pub(super) last: Instant,
    /// Communication time up to then, summed over ranks, ps.
    comm_time_ps: u128,
    /// Of those that began under the present mix of jobs.
    time: Series,
    comm_time: Series,
    longest: Span,
    /// Iterations that are left out, see `skip.rs`.
    left_out: u64,
    /// Times of iterations since they are audited.
    later: Option<Vec<f64>>,
    /// Means under the mixes of jobs before; `None` where no iteration began and ended under one.
    past: Vec<Option<Means>>,
    /// When its work was done.
    pub(super) ended: Option<Instant>,
    next_look: u64,
    pub(super) sayings: Option<Sayings>,
}

impl JobProgress {
    pub(super) fn new(terms: JobTerms) -> Self {
        let marks = match terms.total {
            Some(_) => Marks::Iterations,
            None => Marks::Repetitions,
        };
        let ranks = u32::try_from(terms.ranks).unwrap_or(u32::MAX);
        let mut iterations = JobIterations::new(ranks, marks);
        if terms.is_shared {
            iterations = iterations.with_news();
        }
        Self {
            iterations: Arc::new(iterations),
            count: 0,
            last: terms.from,
            comm_time_ps: 0,
            time: Series::default(),
            comm_time: Series::default(),
            longest: Span::ZERO,
            left_out: 0,
            later: None,
            past: Vec::new(),
            ended: None,
            next_look: 0,
            sayings: None,
            terms,
        }
    }

    /// What its ranks are to tell of their iterations.
    pub(super) const fn iterations(&self) -> &Arc<JobIterations> {
        &self.iterations
    }

    /// When its work was done, if that was before `limit` and is not known yet.
    pub(super) fn notice_end(&mut self, limit: Instant) -> Option<Instant> {
        if self.ended.is_some() {
            return None;
        }
        self.ended = self.iterations.finished_before(limit);
        self.ended
    }

    /// Whether it is there at `now` and goes on.
    pub(super) fn is_active(&self, now: Instant) -> bool {
        let is_done = self.ended.is_some() && !self.terms.repeats;
        !is_done && self.terms.from <= now && now < self.terms.until
    }

    /// The mix of jobs has changed: what was seen so far says nothing of what follows.
    pub(super) fn forget(&mut self) {
        self.past.push(self.means());
        self.later = None;
        self.time.clear();
        self.comm_time.clear();
        self.longest = Span::ZERO;
        self.next_look = 0;
        self.sayings = None;
    }

    /// Takes in the iterations that ended before `limit`; those that began before `regime` are
    /// counted only. So is the first, in which a job begins.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub(super) fn take_in(&mut self, limit: Instant, regime: Instant) {
        while let Some(one) = self.iterations.take_before(limit) {
            if self.count > 0 && self.last >= regime {
                let span = one.end.saturating_since(self.last);
                let comm_time_ps = one.comm_time_ps - self.comm_time_ps;
                self.longest = self.longest.max(span);
                self.time.push(span.ps() as f64);
                if let Some(later) = &mut self.later {
                    later.push(span.ps() as f64);
                }
                self.comm_time
                    .push(comm_time_ps as f64 / self.terms.ranks as f64);
            }
            (self.count, self.last) = (self.count + 1, one.end);
            self.comm_time_ps = one.comm_time_ps;
        }
    }

    /// The longest time between two ends of iterations since `regime`, that up to `now` included.
    pub(super) fn longest_gap(&self, now: Instant, regime: Instant) -> Span {
        let since = self.last.max(regime);
        self.longest.max(now.saturating_since(since))
    }

    /// Whether there are enough new iterations for another look.
    pub(super) const fn is_due(&self) -> bool {
        !self.time.is_empty() && self.time.len() >= self.next_look
    }

    /// Looks at what its iterations say. The next look is after a tenth more of them: each look is
    /// another chance to be wrong.
    pub(super) fn look(&mut self) {
        self.next_look = self.time.len() + self.time.len() / 10 + 1;
        self.sayings = Some(Sayings {
            time: self.said(&self.time),
            comm_time: self.said(&self.comm_time),
        });
    }

    /// What a series says, in single iterations.
    #[expect(clippy::unused_self, reason = "it belongs to the job")]
    fn said(&self, series: &Series) -> Said {
        let each = usize::try_from(series.each()).unwrap_or(usize::MAX);
        let found = estimate(series.values())?;
        Ok(Estimate {
            warm_up: found.warm_up * each,
            used: found.used * each,
            batch_size: found.batch_size * each,
            ..found
        })
    }

    /// Means under the present mix of jobs, single iterations that are not yet in the series left
    /// out.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    fn means(&self) -> Option<Means> {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let values = self.time.values();
        (!values.is_empty()).then(|| Means {
            time: mean(values),
            comm_time: mean(self.comm_time.values()),
        })
    }

    /// Means under the mix of jobs number `mix`, from 0, once it has changed.
    pub(super) fn means_under(&self, mix: usize) -> Option<Means> {
        self.past.get(mix).copied().flatten()
    }

    /// How often the mix of jobs has changed.
    pub(super) const fn mixes(&self) -> usize {
        self.past.len()
    }

    /// Mean time of an iteration so far, ps.
    pub(super) fn mean_time(&self) -> Option<f64> {
        self.means().map(|means| means.time)
    }

    /// Iterations whose time is in the series, and what one of its values stands for.
    pub(super) fn sample(&self) -> (&[f64], u64) {
        (self.time.values(), self.time.each())
    }

    /// Changes the number of iterations that are left out, and begins to audit what follows.
    pub(super) fn leave_out(&mut self, iterations: u64) {
        self.left_out = iterations;
        self.iterations.leave_out(iterations);
        self.later = Some(Vec::new());
    }

    /// Iterations that are left out.
    pub(super) const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Times of iterations since the last change of [`JobProgress::left_out`], under one mix, ps.
    pub(super) fn later(&self) -> &[f64] {
        self.later.as_deref().unwrap_or_default()
    }

    /// Whether a rank has done all its work.
    pub(super) fn is_ending(&self) -> bool {
        self.iterations.is_ending()
    }

    /// Iterations that the rank that is furthest still has to end.
    pub(super) fn least_left(&self) -> u64 {
        let gone = self.left_out + self.iterations.furthest().max(self.count);
        self.terms.total.unwrap_or(0).saturating_sub(gone)
    }

    /// Mean communication time of a rank up to the last iteration that has ended, ps.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub(super) fn comm_time(&self) -> f64 {
        self.comm_time_ps as f64 / self.terms.ranks as f64
    }

    /// Iterations that have not ended; 0 if nobody knows how many there are.
    pub(super) fn left(&self) -> u64 {
        let gone = self.count + self.left_out;
        self.terms.total.unwrap_or(0).saturating_sub(gone)
    }

    /// When the job will have done its work if it goes on as now, ps; `None` if nobody can say.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub(super) fn predicted_end(&self) -> Option<f64> {
        self.terms.total?;
        let mean = self.mean_time()?;
        Some(self.last.ps() as f64 + self.left() as f64 * mean)
    }
}
