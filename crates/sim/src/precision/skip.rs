//! Leaves whole iterations out of a run, and says what it would have been with them.
//!
//! Nothing happens to the network where iterations are left out: every job that ends is told to end
//! so many iterations sooner. What is simulated until the first rank ends is therefore the beginning
//! of the full run, bit by bit, and as long as no rank has ended the jobs can be told otherwise: if
//! what follows is not like the sample, nothing is left out.
//!
//! Decisions are taken while all threads rest, and depend on no thread or process. `docs/model/skipping.md`.

use odonata_network::Parameters;
use odonata_steady::{Estimate, departure};
use odonata_units::Instant;
use serde_json::{Value, json};

use crate::build::jobs::Placed;
use crate::config::Config;
use crate::error::SimError;
use crate::result::statistic::{ns, number};

use super::ahead::Ahead;
use super::asked::{AUDIT, AUDITS, Asked, TAIL, skipped};
use super::mix::Mix;
use super::progress::JobProgress;
use super::report::{Known, LeftOut, Sample};

/// Numbers of iterations that are tried for the one that keeps the jobs in step.
const TRIED: u64 = 50;

/// Iterations left out of one job under one mix of jobs.
#[derive(Debug)]
struct Part {
    job: usize,
    /// Iterations, and those that were left out before.
    iterations: u64,
    before: u64,
    sample: Sample,
    /// The values behind the warm-up, and what each stands for.
    values: Vec<f64>,
    each: u64,
}

impl Part {
    /// Half the width of the interval for the time of all that is left out, and up to an iteration
    /// more: the jobs are not in step as they would have been.
    fn half(&self) -> f64 {
        half_of(&self.sample.time, self.iterations) + self.sample.time.mean
    }

    /// Audit number `number`, from 0, of the times that followed; `None` if there are too few yet.
    fn audit(&self, later: &[f64], number: usize) -> Option<Result<(), String>> {
        let each = usize::try_from(self.each).ok()?;
        let from = number * AUDIT * each;
        #[expect(clippy::cast_precision_loss, reason = "statistics")]
        let values: Vec<f64> = later
            .get(from..from + AUDIT * each)?
            .chunks_exact(each)
            .map(|values| values.iter().sum::<f64>() / each as f64)
            .collect();
        Some(match departure(&self.values, &values) {
            Some(how) => Err(how.to_string()),
            None => Ok(()),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "statistics")]
fn half_of(each: &Estimate, iterations: u64) -> f64 {
    each.half_width_of_sum(iterations as f64)
}

/// Iterations left out of all jobs under one mix of them.
#[derive(Debug)]
struct Cut {
    at: Instant,
    /// Number of the mix.
    mix: usize,
    parts: Vec<Part>,
    audits: usize,
    /// Why what followed was not like the sample, if nothing could be done about it any more.
    unsafe_because: Option<String>,
}

/// Looks at a run of which iterations may be left out.
#[derive(Debug)]
pub(crate) struct SkipWatch {
    asked: Vec<Asked>,
    mix: Mix,
    /// One per mix of jobs at most; the last one may be under audit.
    cuts: Vec<Cut>,
    /// Whether the last cut is of the present mix.
    is_cut: bool,
    /// Why cuts were taken back.
    taken_back: Vec<String>,
    /// Why nothing was left out, at the last look.
    why: String,
}

impl SkipWatch {
    /// The watch of a run whose jobs are `placed`; `None` if nothing is to be left out.
    ///
    /// # Errors
    /// Iterations cannot be left out.
    pub(crate) fn new(
        config: &Config,
        placed: &mut Placed,
        parameters: &Parameters,
        ahead: &Ahead,
    ) -> Result<Option<Self>, SimError> {
        let asked = skipped(config, ahead)?;
        if asked.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            asked,
            mix: Mix::new(config, placed, parameters, ahead),
            cuts: Vec::new(),
            is_cut: false,
            taken_back: Vec::new(),
            why: "the jobs had ended before there was a sample".to_owned(),
        }))
    }

    /// The jobs that it looks at.
    pub(super) const fn mix(&self) -> &Mix {
        &self.mix
    }

    /// All threads rest at `now`.
    pub(crate) fn at_rest(&mut self, now: Instant) {
        if self.mix.rest(now) {
            self.is_cut = false;
        }
        if self.is_cut {
            self.audit();
        } else if self.is_due() {
            for job in self.going_on() {
                if let Some(job) = self.mix.jobs[job].as_mut() {
                    job.look();
                }
            }
            if let Err(why) = self.cut() {
                self.why = why;
            }
        }
    }

    /// The run has ended at `end`.
    pub(crate) fn close(&mut self, end: Instant) {
        self.mix.close(end);
        // The means under the last mix are wanted, too.
        for job in self.mix.jobs.iter_mut().flatten() {
            job.forget();
        }
    }

    /// Jobs that end, and have not, in order.
    fn going_on(&self) -> Vec<usize> {
        let jobs = self.asked.iter().map(|one| one.job);
        let mut jobs: Vec<usize> = jobs
            .filter(|job| {
                let job = self.mix.progress(*job);
                job.is_some_and(|job| job.ended.is_none())
            })
            .collect();
        jobs.dedup();
        jobs
    }

    fn progress(&self, job: usize) -> Result<&JobProgress, String> {
        let found = self.mix.progress(job);
        found.ok_or_else(|| "a job is not there".to_owned())
    }

    /// Whether something new can be said of all jobs that end.
    fn is_due(&self) -> bool {
        let jobs = self.going_on();
        let is_due = |job: &usize| self.mix.progress(*job).is_some_and(JobProgress::is_due);
        !jobs.is_empty() && jobs.iter().all(is_due)
    }

    /// Leaves iterations out if all that is asked is known; or why not.
    fn cut(&mut self) -> Result<(), String> {
        let jobs = self.going_on();
        for one in self.asked.iter().filter(|one| jobs.contains(&one.job)) {
            let named = |why| format!("job `{}`: {why}", self.mix.names[one.job]);
            self.mix.is_known(one).map_err(named)?;
        }
        let parts = self.plan(&jobs)?;
        let mix = self.progress(jobs[0])?.mixes();
        for part in &parts {
            if let Some(job) = self.mix.jobs[part.job].as_mut() {
                job.leave_out(part.before + part.iterations);
            }
        }
        self.cuts.push(Cut {
            at: self.mix.now,
            mix,
            parts,
            audits: 0,
            unsafe_because: None,
        });
        self.is_cut = true;
        Ok(())
    }

    /// How many iterations of each of `jobs` are to be left out.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "numbers of iterations, far below 2^53, not negative"
    )]
    fn plan(&self, jobs: &[usize]) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        for job in jobs {
            parts.push(part(*job, self.progress(*job)?)?);
        }
        let mean = |part: &Part| part.sample.time.mean;
        let left = |part: &Part| {
            let job = self.mix.progress(part.job);
            job.map_or(0, JobProgress::least_left)
        };
        // The job that ends first stays until all are audited.
        let tail = parts
            .iter()
            .map(|part| (TAIL * part.each) as f64 * mean(part))
            .fold(0.0, f64::max);
        let end = |part: &Part| left(part) as f64 * mean(part);
        let first = parts
            .iter()
            .min_by(|one, two| end(one).total_cmp(&end(two)));
        let first = first.ok_or("no job ends")?;
        let most = ((end(first) - tail) / mean(first)).max(0.0) as u64;
        if most < TAIL {
            return Err(format!(
                "job `{}` ends too soon for anything to be left out",
                self.mix.names[first.job]
            ));
        }
        let span = |count: u64| count as f64 * mean(first);
        let of = |part: &Part, count: u64| (span(count) / mean(part)).round();
        let out_of_step = |count: &u64| -> f64 {
            let each = parts
                .iter()
                .map(|part| (of(part, *count) * mean(part) - span(*count)).abs() / mean(part));
            each.sum()
        };
        let tried = (most.saturating_sub(TRIED).max(TAIL)..=most).rev();
        let count = tried
            .min_by(|one, two| out_of_step(one).total_cmp(&out_of_step(two)))
            .unwrap_or(most);
        let counts: Vec<u64> = parts.iter().map(|part| of(part, count) as u64).collect();
        for (part, count) in parts.iter_mut().zip(counts) {
            let job = self.progress(part.job)?;
            if count + 2 > job.least_left() {
                return Err(format!(
                    "ranks of job `{}` are too far apart",
                    self.mix.names[part.job]
                ));
            }
            part.iterations = count;
        }
        Ok(parts)
    }

    /// Compares what has followed the last cut with its samples.
    fn audit(&mut self) {
        let Some(cut) = self.cuts.last_mut() else {
            return;
        };
        if cut.audits == AUDITS {
            return;
        }
        let mut worst = Ok(());
        for part in &cut.parts {
            let later = self.mix.jobs[part.job].as_ref().map(JobProgress::later);
            let Some(found) = part.audit(later.unwrap_or_default(), cut.audits) else {
                return;
            };
            worst = worst.and(found.map_err(|why| (part.job, why)));
        }
        cut.audits += 1;
        let Err((job, why)) = worst else {
            return;
        };
        let why = format!("job `{}`: {why}", self.mix.names[job]);
        let jobs = cut.parts.iter().map(|part| &self.mix.jobs[part.job]);
        if jobs.flatten().any(JobProgress::is_ending) {
            cut.audits = AUDITS;
            cut.unsafe_because = Some(why);
            return;
        }
        for part in &cut.parts {
            if let Some(job) = self.mix.jobs[part.job].as_mut() {
                job.leave_out(part.before);
            }
        }
        self.cuts.pop();
        self.is_cut = false;
        self.taken_back.push(why.clone());
        self.why = why;
    }

    /// What the run would have said in full, of each job that has ended, and of which iterations
    /// were left out.
    pub(crate) fn known(&self) -> Vec<Known> {
        let jobs = self.mix.jobs.iter().enumerate();
        let known = jobs.filter_map(|(index, job)| {
            let job = job.as_ref()?;
            job.ended?;
            let parts = || self.parts_of(index);
            parts().next()?;
            let mut time = LeftOut::default();
            let mut comm_time = Some(LeftOut::default());
            for (cut, part) in parts() {
                let drift = drift(cut, part, job);
                add(&mut time, &part.sample.time, part.iterations, drift.0);
                let each = part.sample.comm_time;
                comm_time = comm_time.zip(each).map(|(mut all, each)| {
                    add(&mut all, &each, part.iterations, drift.1);
                    all
                });
            }
            Known::of_skipped(index, job, time, comm_time)
        });
        known.collect()
    }

    fn parts_of(&self, job: usize) -> impl Iterator<Item = (&Cut, &Part)> {
        let all = self.cuts.iter();
        let all = all.flat_map(|cut| cut.parts.iter().map(move |part| (cut, part)));
        all.filter(move |(_, part)| part.job == job)
    }

    /// The key `cuts` of the summary of a job, if iterations of it were left out.
    pub(crate) fn cuts(&self, job: usize) -> Option<Value> {
        let cuts: Vec<Value> = self
            .parts_of(job)
            .map(|(cut, part)| json(cut, part))
            .collect();
        (!cuts.is_empty()).then(|| json!(cuts))
    }

    /// Notes on the run, in sentences.
    pub(crate) fn notes(&self, config: &Config) -> Vec<String> {
        let name = |job: usize| &config.jobs[job].name;
        let mut notes: Vec<String> = self
            .known()
            .iter()
            .map(|one| {
                let used = self
                    .parts_of(one.job)
                    .map(|(_, part)| part.sample.time.used);
                format!(
                    "job `{}`: `stop.skip` left out {} of {} iterations; what it has under \
                     `estimated` is for all of them, every other number and every table is of what \
                     was simulated; what happens in fewer than 3 of {} iterations may not have \
                     been seen (95 %)",
                    name(one.job),
                    one.total.saturating_sub(one.simulated),
                    one.total,
                    used.min().unwrap_or(0),
                )
            })
            .collect();
        for cut in &self.cuts {
            let at = ns(cut.at.ps());
            if let Some(why) = &cut.unsafe_because {
                notes.push(format!(
                    "the iterations that `stop.skip` left out at {at:.0} ns are not safe: {why}"
                ));
            } else if cut.audits < AUDITS {
                notes.push(format!(
                    "the iterations that `stop.skip` left out at {at:.0} ns are not safe: a job \
                     ended after {} of {AUDITS} audits",
                    cut.audits
                ));
            }
        }
        if let Some(why) = self.taken_back.last() {
            notes.push(format!(
                "`stop.skip` took back {} times what it had left out, last because of {why}",
                self.taken_back.len()
            ));
        }
        if self.cuts.is_empty() {
            notes.push(format!("`stop.skip` left nothing out: {}", self.why));
        }
        let unfinished = self.going_on();
        let unfinished = unfinished
            .iter()
            .filter(|job| self.parts_of(**job).next().is_some());
        notes.extend(unfinished.map(|job| {
            format!(
                "job `{}`: iterations were left out, and the run ended before the job did: nothing \
                 is estimated",
                name(*job)
            )
        }));
        notes
    }
}

/// Knowledge of a job of which nothing is left out yet.
fn part(index: usize, job: &JobProgress) -> Result<Part, String> {
    let unknown = |why: odonata_steady::Unsteady| why.to_string();
    let sayings = job.sayings.ok_or("nothing is known")?;
    let sample = Sample {
        time: sayings.time.map_err(unknown)?,
        comm_time: sayings.comm_time.ok(),
    };
    let (values, each) = job.sample();
    let used = sample.time.used as u64 / each;
    let warm_up = values
        .len()
        .saturating_sub(usize::try_from(used).unwrap_or(0));
    Ok(Part {
        job: index,
        iterations: 0,
        before: job.left_out(),
        sample,
        values: values[warm_up..].to_vec(),
        each,
    })
}

/// How far the time and the communication time of a job may be off because another job ended under
/// `cut` sooner or later than in the full run: so many iterations are then under another mix.
fn drift(cut: &Cut, part: &Part, job: &JobProgress) -> (f64, f64) {
    let Some(next) = job.means_under(cut.mix + 1) else {
        return (0.0, 0.0);
    };
    let off = cut.parts.iter().map(Part::half).fold(0.0, f64::max);
    let here = part.sample.time.mean;
    let iterations = off / here.max(f64::MIN_POSITIVE);
    let comm_time = part.sample.comm_time.map_or(0.0, |each| each.mean);
    (
        iterations * (next.time - here).abs(),
        iterations * (next.comm_time - comm_time).abs(),
    )
}

/// Adds what was left out at one cut, whose errors have nothing to do with those of others: they
/// are added nevertheless, since few of them are many.
#[expect(clippy::cast_precision_loss, reason = "statistics")]
fn add(all: &mut LeftOut, each: &Estimate, iterations: u64, drift: f64) {
    all.sum += iterations as f64 * each.mean;
    all.half += half_of(each, iterations) + each.mean + drift;
}

#[expect(clippy::cast_precision_loss, reason = "statistics")]
fn json(cut: &Cut, part: &Part) -> Value {
    let mut found = part.sample.json();
    let mut set = |key: &str, value: Value| found.insert(key.to_owned(), value);
    set("at_ns", number(ns(cut.at.ps())));
    set("iterations_left_out", json!(part.iterations));
    set(
        "audits_passed",
        json!(if cut.unsafe_because.is_some() {
            0
        } else {
            cut.audits
        }),
    );
    let unseen = 3.0 / part.sample.time.used.max(1) as f64;
    set("unseen_share", number(unseen));
    Value::Object(found)
}
