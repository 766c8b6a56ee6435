//! The mix of jobs of a run that is looked at: how far each has come, and since when the mix is what
//! it is.
//!
//! Nothing here depends on threads or processes: looks are taken while all of them rest, at instants
//! that follow from the system alone. All have simulated the same by then, and every process has
//! heard what the ranks of the others have ended: each decides by itself, and all decide alike.

use std::num::NonZeroU64;

use odonata_mpi::News;
use odonata_network::Parameters;
use odonata_steady::Unsteady;
use odonata_units::{Instant, Span};

use crate::build::jobs::Placed;
use crate::config::{Config, Quantity};
use crate::result::statistic::ns;

use super::ahead::Ahead;
use super::asked::{Asked, CYCLES};
use super::progress::{JobProgress, JobTerms, Sayings};

/// Windows from one rest of all threads to the next, about. It is a compromise: rests cost time,
/// and a run goes on to the next one when it knows enough.
const REST_WINDOWS: u64 = 64;

/// Epochs from one rest of all threads to the next, if an epoch has so many windows.
pub(crate) fn rests_every(epoch_windows: u64) -> Option<NonZeroU64> {
    NonZeroU64::new((REST_WINDOWS / epoch_windows.max(1)).max(1))
}

/// The jobs of a run, and what is known of them.
#[derive(Debug)]
pub(super) struct Mix {
    pub(super) names: Vec<String>,
    /// `[job]`: those of ranks that are there.
    pub(super) jobs: Vec<Option<JobProgress>>,
    /// Instants at which jobs come or leave as the scenario says, the next one last.
    events: Vec<Instant>,
    /// The job whose traffic has the longest cycle, and this cycle.
    cycle: Option<(usize, Span)>,
    /// How far NICs are behind the end of an epoch.
    lag: Span,
    /// Up to which ranks have been simulated.
    pub(super) now: Instant,
    /// The mix of jobs has not changed since.
    regime: Instant,
}

impl Mix {
    pub(super) fn new(
        config: &Config,
        placed: &mut Placed,
        parameters: &Parameters,
        ahead: &Ahead,
    ) -> Self {
        let jobs = config.jobs.iter().enumerate();
        let jobs: Vec<_> = jobs
            .map(|(index, job)| {
                let count = ahead.ranks(index);
                let terms = JobTerms {
                    ranks: count,
                    total: ahead.iterations(index),
                    repeats: job.repeat,
                    from: Instant::from_ps(job.start_ps),
                    until: job.end_ps.map_or(Instant::NEVER, Instant::from_ps),
                    turns: job.alternated.len().max(1) as u64,
                    is_shared: ahead.is_shared,
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
        let mix = Self {
            names: config.jobs.iter().map(|job| job.name.clone()).collect(),
            jobs,
            events,
            cycle: ahead.longest_cycle(),
            lag: parameters.host.latency + parameters.router_latency,
            now: Instant::ZERO,
            regime: Instant::ZERO,
        };
        mix.instruct(placed);
        mix
    }

    /// Tells ranks whom to tell of their iterations.
    fn instruct(&self, placed: &mut Placed) {
        let all = std::mem::take(&mut placed.locations);
        for (job, locations) in self.jobs.iter().zip(&all) {
            let Some(job) = job else {
                continue;
            };
            for location in locations {
                let served = placed.served_mut(location.home);
                let endpoint = served.map(|served| &mut served.endpoint);
                let rank = endpoint.and_then(|one| one.rank_at_mut(location.local_rank));
                if let Some(rank) = rank {
                    rank.tell_iterations(job.iterations());
                }
            }
        }
        placed.locations = all;
    }

    /// Iterations that the ranks of this process have ended since this was last asked, by job.
    pub(super) fn take_news(&self) -> Vec<News> {
        let jobs = self.jobs.iter().flatten();
        jobs.map(|job| job.iterations().take_news()).collect()
    }

    /// Takes in what ranks have ended in another process; false if that cannot be.
    pub(super) fn hear(&self, news: &[News]) -> bool {
        let jobs = || self.jobs.iter().flatten();
        jobs().count() == news.len()
            && jobs()
                .zip(news)
                .all(|(job, news)| job.iterations().hear(news))
    }

    /// All threads rest at `now`: takes in what has ended by then. Whether the mix has changed.
    pub(super) fn rest(&mut self, now: Instant) -> bool {
        self.now = Instant::from_ps(now.ps().saturating_sub(self.lag.ps()));
        self.take_in(self.now)
    }

    /// The run has ended at `end`: takes in all the rest. Whether the mix has changed.
    pub(super) fn close(&mut self, end: Instant) -> bool {
        self.now = end;
        self.take_in(Instant::NEVER)
    }

    /// Takes in what ended before `limit`. Whether the mix has changed.
    fn take_in(&mut self, limit: Instant) -> bool {
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
        changed.is_some()
    }

    pub(super) fn progress(&self, job: usize) -> Option<&JobProgress> {
        self.jobs.get(job).and_then(Option::as_ref)
    }

    /// Whether the mean that is asked for is known as of now, or why not.
    pub(super) fn is_known(&self, one: &Asked) -> Result<(), String> {
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
        self.sees_cycles(one.job, sample_ps)
    }

    /// Whether a sample of job `asked` has enough cycles of everything else that goes on.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    fn sees_cycles(&self, asked: usize, sample_ps: f64) -> Result<(), String> {
        let others = self.jobs.iter().enumerate();
        let others = others.filter_map(|(index, job)| {
            let job = job.as_ref().filter(|job| job.is_active(self.now))?;
            (index != asked).then(|| (index, job.longest_gap(self.now, self.regime)))
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
    pub(super) fn mix_stays(&self, one: &Asked, job: &JobProgress) -> Result<(), String> {
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
        match self.first_other_end(one.job) {
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
    pub(super) fn first_other_end(&self, asked: usize) -> Option<(usize, Option<f64>)> {
        let others = self.jobs.iter().enumerate();
        let ends = others.filter_map(|(index, job)| {
            let job = job.as_ref().filter(|job| job.is_active(self.now))?;
            let ends = index != asked && !job.terms.repeats && job.terms.until == Instant::NEVER;
            ends.then(|| (index, job.predicted_end()))
        });
        ends.min_by(|(_, one), (_, other)| {
            let end = |end: &Option<f64>| end.unwrap_or(f64::NEG_INFINITY);
            end(one).total_cmp(&end(other))
        })
    }
}
