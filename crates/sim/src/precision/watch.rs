//! Looks at the iterations of jobs while they run, and says when enough is known.
//!
//! Nothing here depends on threads: after an epoch only what ended before the epoch before it ended
//! is looked at, which all threads have simulated by then.

use odonata_network::Parameters;
use odonata_steady::Unsteady;
use odonata_units::{Instant, Span};

use crate::config::{Config, Quantity};
use crate::jobs::Placed;
use crate::statistic::ns;

use super::asked::{Asked, CYCLES, asked, iterations, longest_cycle, ranks};
use super::progress::{JobProgress, JobTerms, Sayings};
use super::report::Known;
use crate::error::SimError;

/// Looks at a run that is to stop when it knows enough.
#[derive(Debug)]
pub(crate) struct PrecisionWatch {
    asked: Vec<Asked>,
    names: Vec<String>,
    /// `[job]`: those of ranks that are there.
    jobs: Vec<Option<JobProgress>>,
    /// Instants at which jobs come or leave as the scenario says, the next one last.
    events: Vec<Instant>,
    /// The job whose traffic has the longest cycle, and this cycle.
    cycle: Option<(usize, Span)>,
    /// How far NICs are behind the end of an epoch.
    lag: Span,
    /// End of the epoch before.
    before: Instant,
    /// The mix of jobs has not changed since.
    regime: Instant,
    is_decided: bool,
}

impl PrecisionWatch {
    /// The watch of a run whose jobs are `placed`; `None` if nothing is asked of it.
    ///
    /// # Errors
    /// What is asked cannot be said.
    pub(crate) fn new(
        config: &Config,
        placed: &mut Placed,
        parameters: &Parameters,
    ) -> Result<Option<Self>, SimError> {
        let asked = asked(config, placed)?;
        if asked.is_empty() {
            return Ok(None);
        }
        let jobs = config.jobs.iter().enumerate();
        let jobs: Vec<_> = jobs
            .map(|(index, job)| {
                let count = ranks(placed, index).count() as u64;
                let terms = JobTerms {
                    ranks: count,
                    total: iterations(placed, index),
                    repeats: job.repeat,
                    from: Instant::from_ps(job.start_ps),
                    until: job.end_ps.map_or(Instant::NEVER, Instant::from_ps),
                    turns: job.alternated.len().max(1) as u64,
                };
                (count > 0).then(|| JobProgress::new(terms))
            })
            .collect();
        let there = config.jobs.iter().filter(|job| !job.muted);
        let changes = there.flat_map(|job| [Some(job.start_ps), job.end_ps]);
        let mut events: Vec<Instant> = changes
            .flatten()
            .filter(|ps| *ps > 0)
            .map(Instant::from_ps)
            .collect();
        events.sort_unstable();
        events.reverse();
        let watch = Self {
            asked,
            names: config.jobs.iter().map(|job| job.name.clone()).collect(),
            jobs,
            events,
            cycle: longest_cycle(placed),
            lag: parameters.host.latency + parameters.router_latency,
            before: Instant::ZERO,
            regime: Instant::ZERO,
            is_decided: false,
        };
        watch.instruct(placed);
        Ok(Some(watch))
    }

    /// Tells ranks whom to tell of their iterations.
    fn instruct(&self, placed: &mut Placed) {
        for (job, locations) in self.jobs.iter().zip(&placed.locations) {
            let Some(job) = job else {
                continue;
            };
            for location in locations {
                let served = &mut placed.endpoints[location.home.index()];
                if let Some(rank) = served.endpoint.rank_at_mut(location.local_rank) {
                    rank.tell_iterations(job.iterations());
                }
            }
        }
    }

    /// An epoch ended at `now`; whether enough is known.
    pub(crate) fn after_epoch(&mut self, now: Instant) -> bool {
        let limit = self.before.ps().saturating_sub(self.lag.ps());
        self.before = now;
        self.take_in(Instant::from_ps(limit));
        if !self.is_decided && self.is_due() {
            self.look();
            self.is_decided = (self.asked.iter()).all(|one| self.verdict(one, limit).is_ok());
        }
        self.is_decided
    }

    /// The run is over, for another reason than that enough is known or for this one.
    pub(crate) fn close(&mut self, end: Instant, is_otherwise: bool) {
        if is_otherwise {
            self.is_decided = false;
            self.take_in(Instant::NEVER);
            self.before = end;
            self.look();
        }
    }

    /// Whether the run ended because enough was known.
    pub(crate) const fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Takes in what ended before `limit`.
    fn take_in(&mut self, limit: Instant) {
        let mut changed = None;
        while let Some(event) = self.events.pop_if(|event| *event < limit) {
            changed = Some(event);
        }
        for job in self.jobs.iter_mut().flatten() {
            let ended = job.notice_end(limit);
            if !job.terms.repeats {
                changed = changed.max(ended);
            }
        }
        if let Some(changed) = changed {
            self.regime = self.regime.max(changed);
            for job in self.jobs.iter_mut().flatten() {
                job.forget();
            }
        }
        for job in self.jobs.iter_mut().flatten() {
            job.take_in(limit, self.regime);
        }
    }

    fn progress(&self, job: usize) -> Option<&JobProgress> {
        self.jobs.get(job).and_then(Option::as_ref)
    }

    /// Whether something new can be said of a job that is asked about.
    fn is_due(&self) -> bool {
        let mut asked = self.asked.iter().filter_map(|one| self.progress(one.job));
        let all_ended = asked.clone().all(|job| job.ended.is_some());
        all_ended || asked.any(|job| job.ended.is_none() && job.is_due())
    }

    fn look(&mut self) {
        for one in &self.asked {
            if let Some(job) = self.jobs.get_mut(one.job).and_then(Option::as_mut) {
                job.look();
            }
        }
    }

    /// Whether what is asked is known, or why not.
    fn verdict(&self, one: &Asked, now_ps: u64) -> Result<(), String> {
        let Some(job) = self.progress(one.job) else {
            return Ok(());
        };
        if job.ended.is_some() {
            return Ok(());
        }
        let too_few = || Unsteady::TooFew.to_string();
        let Sayings { time, comm_time } = job.sayings.ok_or_else(too_few)?;
        let steady = time.map_err(|why| why.to_string())?;
        let said = match one.quantity {
            Quantity::IterationTime => steady,
            Quantity::CommTime => comm_time.map_err(|why| why.to_string())?,
        };
        let found = said.half_width / said.mean.max(f64::MIN_POSITIVE);
        if found > one.half_width {
            return Err(format!(
                "the half-width is {:.2} % of the mean and {:.2} % are asked",
                100.0 * found,
                100.0 * one.half_width
            ));
        }
        #[expect(clippy::cast_precision_loss, reason = "statistics")]
        let sample_ps = steady.mean * steady.used as f64;
        if (steady.used as u64) < CYCLES * job.terms.turns {
            return Err(format!(
                "the sample is shorter than {CYCLES} turns of all routings"
            ));
        }
        self.sees_cycles(one.job, sample_ps, Instant::from_ps(now_ps))?;
        self.mix_stays(one, job, Instant::from_ps(now_ps))
    }

    /// Whether a sample of job `asked` has enough cycles of everything else that goes on.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    fn sees_cycles(&self, asked: usize, sample_ps: f64, now: Instant) -> Result<(), String> {
        let others = self.jobs.iter().enumerate();
        let others = others.filter_map(|(index, job)| {
            let job = job.as_ref().filter(|job| job.is_active(now))?;
            (index != asked).then(|| (index, job.longest_gap(now, self.regime)))
        });
        for (index, cycle) in others.chain(self.cycle) {
            if sample_ps < CYCLES as f64 * cycle.ps() as f64 {
                return Err(format!(
                    "the sample is shorter than {CYCLES} times what job `{}` repeats, {:.0} ns",
                    self.names[index],
                    ns(cycle.ps())
                ));
            }
        }
        Ok(())
    }

    /// Whether the mix of jobs stays as it is until `job` has ended.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    fn mix_stays(&self, one: &Asked, job: &JobProgress, now: Instant) -> Result<(), String> {
        let end = job
            .predicted_end()
            .ok_or_else(|| "its end is not known".to_owned())?;
        if let Some(event) = self.events.last()
            && (event.ps() as f64) < end
        {
            return Err(format!(
                "a job comes or leaves at {:.0} ns, before its end",
                ns(event.ps())
            ));
        }
        let tolerance = one.half_width * (end - job.terms.from.ps() as f64);
        match self.first_other_end(one.job, now) {
            Some((index, None)) => Err(format!(
                "it is not known when job `{}` ends",
                self.names[index]
            )),
            Some((index, Some(other))) if other < end - tolerance => Err(format!(
                "job `{}` ends before it, and the mix of jobs changes",
                self.names[index]
            )),
            _ => Ok(()),
        }
    }

    /// The job besides `asked` that ends first, and its predicted end, ps. One whose end is not
    /// known comes first.
    fn first_other_end(&self, asked: usize, now: Instant) -> Option<(usize, Option<f64>)> {
        let others = self.jobs.iter().enumerate();
        let ends = others.filter_map(|(index, job)| {
            let job = job.as_ref().filter(|job| job.is_active(now))?;
            let ends = index != asked && !job.terms.repeats && job.terms.until == Instant::NEVER;
            ends.then(|| (index, job.predicted_end()))
        });
        ends.min_by(|(_, one), (_, other)| {
            let end = |end: &Option<f64>| end.unwrap_or(f64::NEG_INFINITY);
            end(one).total_cmp(&end(other))
        })
    }

    /// What the run would have said in full, of each job that was cut short and asked about.
    pub(crate) fn known(&self) -> Vec<Known> {
        if !self.is_decided {
            return Vec::new();
        }
        let mut jobs: Vec<usize> = self.asked.iter().map(|one| one.job).collect();
        jobs.sort_unstable();
        jobs.dedup();
        let now = self.before;
        let known = jobs.into_iter().filter_map(|index| {
            let job = self.progress(index).filter(|job| job.ended.is_none())?;
            let first = self.first_other_end(index, now).and_then(|(_, end)| end);
            Known::new(index, job, first)
        });
        known.collect()
    }

    /// Why what is asked is not known, by job; of a run that has ended otherwise.
    pub(crate) fn unknown(&self) -> Vec<(usize, String)> {
        if self.is_decided {
            return Vec::new();
        }
        let now = self.before.ps();
        let unknown = self.asked.iter().filter_map(|one| {
            let why = self.verdict(one, now).err()?;
            Some((one.job, why))
        });
        unknown.collect()
    }
}
