//! Quantities to be known, and where they cannot be had.

use odonata_registry::spelling::hint;
use odonata_steady::FEWEST_BEHIND_WARM_UP;

use crate::build::learned::LEARNING;
use crate::config::{Config, Job, JobEntry, Precision, Quantity, RoutingChoice};
use crate::error::SimError;

use super::ahead::Ahead;

/// Iterations of a job without which no run could stop before its end: the first is left out.
const FEWEST: u64 = FEWEST_BEHIND_WARM_UP as u64 + 2;

/// Values of a series in one audit.
pub(super) const AUDIT: usize = 25;

/// Audits of each cut: with the sample three parts of a mix of jobs are simulated in detail.
pub(super) const AUDITS: usize = 2;

/// Iterations of the slowest job from the decision to the end of the first one: the audits, and one
/// iteration at either end.
pub(super) const TAIL: u64 = (AUDITS * AUDIT) as u64 + 2;

/// Iterations of a job without which none could be left out: a sample, its audit, and as many.
const FEWEST_SKIPPED: u64 = FEWEST + 2 * TAIL;

/// So many cycles of whatever else goes on are in every sample.
pub(super) const CYCLES: u64 = 10;

/// One quantity of one job that is to be known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Asked {
    pub(crate) job: usize,
    pub(crate) quantity: Quantity,
    /// Half the width of the interval over the mean.
    pub(crate) half_width: f64,
}

/// The quantities that `config` asks for; none if it asks for none, or for those of jobs that are
/// muted.
///
/// # Errors
/// Where no interval would hold.
pub(super) fn asked(config: &Config, ahead: &Ahead) -> Result<Vec<Asked>, SimError> {
    let mut found = Vec::new();
    for (number, one) in config.stop.precision.iter().enumerate() {
        let path = format!("stop.precision[{number}]");
        for job in jobs_of(config, ahead, one, &path)? {
            #[expect(clippy::cast_precision_loss, reason = "millionths")]
            found.push(Asked {
                job,
                quantity: one.quantity,
                half_width: one.half_width_ppm as f64 / 1e6,
            });
        }
    }
    if !found.is_empty() {
        refuse_memory(config, "precision")?;
        refuse_slow_traffic(config, ahead, "precision")?;
    }
    Ok(found)
}

/// The means that are to be known before iterations are left out: of every job that ends; none if
/// `config` does not ask for it, or if all jobs that are there are short.
///
/// # Errors
/// Where iterations cannot be left out.
pub(super) fn skipped(config: &Config, ahead: &Ahead) -> Result<Vec<Asked>, SimError> {
    let Some(half_width_ppm) = config.stop.skip_ppm else {
        return Ok(Vec::new());
    };
    let refuse = |message: String| Err(SimError::new("stop.skip", message));
    if !config.stop.precision.is_empty() {
        let message = "`stop.precision` ends the run before there is anything to leave out; leave \
                       one of both away";
        return refuse(message.to_owned());
    }
    if config.measure.is_some() {
        let message = "the window of [measure] is an interval of simulated time, and time is left \
                       out; leave `skip` out";
        return refuse(message.to_owned());
    }
    let mut found = Vec::new();
    let mut longest = 0;
    for (index, job) in config.jobs.iter().enumerate().filter(|(_, job)| !job.muted) {
        if job.start_ps > 0 || job.end_ps.is_some() {
            return refuse(format!(
                "job `{}` comes or leaves at an instant of simulated time, and time is left out; \
                 leave `skip` out, or its `start` and `end`",
                job.name
            ));
        }
        if job.repeat || ahead.ranks(index) == 0 {
            continue;
        }
        let Some(count) = ahead.iterations(index) else {
            return refuse(format!(
                "the iterations of job `{}` are not counted before it runs, as those of skeletons \
                 are, and it ends: nobody knows when; leave `skip` out, or let the job repeat",
                job.name
            ));
        };
        longest = longest.max(count);
        let quantities: &[Quantity] = match job.role.as_str() {
            "victim" => &[Quantity::IterationTime, Quantity::CommTime],
            _ => &[Quantity::IterationTime],
        };
        #[expect(clippy::cast_precision_loss, reason = "millionths")]
        found.extend(quantities.iter().map(|quantity| Asked {
            job: index,
            quantity: *quantity,
            half_width: half_width_ppm as f64 / 1e6,
        }));
    }
    if longest < FEWEST_SKIPPED && !config.jobs.iter().any(|job| job.muted) {
        return refuse(format!(
            "no job that ends has {FEWEST_SKIPPED} iterations or more, which a sample and its audit \
             take; leave `skip` out: the run is short enough to be simulated in full"
        ));
    }
    refuse_memory(config, "skip")?;
    refuse_slow_traffic(config, ahead, "skip")?;
    Ok(found)
}

/// The jobs that an entry speaks of.
fn jobs_of(
    config: &Config,
    ahead: &Ahead,
    one: &Precision,
    path: &str,
) -> Result<Vec<usize>, SimError> {
    let entries = config.jobs.iter().enumerate();
    let found: Vec<usize> = match &one.job {
        Some(name) => {
            let Some((index, job)) = entries.clone().find(|(_, job)| job.name == *name) else {
                let names = || config.jobs.iter().map(|job| job.name.as_str());
                let known = names().collect::<Vec<_>>().join(", ");
                let message = format!(
                    "there is no job `{name}`{}; the jobs are {known}",
                    hint(name, names())
                );
                return Err(SimError::new(format!("{path}.job"), message));
            };
            if job.muted {
                return Ok(Vec::new());
            }
            if ahead.iterations(index).is_none() {
                return Err(SimError::new(format!("{path}.job"), not_counted(job)));
            }
            vec![index]
        }
        None => {
            let iterating = entries.filter(|(index, job)| {
                job.role == "victim" && !job.muted && ahead.iterations(*index).is_some()
            });
            let found: Vec<usize> = iterating.map(|(index, _)| index).collect();
            // An isolated run may be that of a job that nothing is asked about.
            if found.is_empty() && !config.jobs.iter().any(|job| job.muted) {
                let message = "no victim has iterations that are counted before it runs: skeletons \
                               have, traces, `training` and `inference` do not; name a `job` that \
                               has, or leave `precision` out";
                return Err(SimError::new(path, message));
            }
            found
        }
    };
    for index in &found {
        let count = ahead.iterations(*index).unwrap_or(0);
        if count < FEWEST {
            let message = format!(
                "job `{}` has {count} iterations, and no interval is given from fewer than \
                 {FEWEST}; raise its `iterations`, name another `job`, or leave `precision` out: \
                 the run is short enough to be simulated in full",
                config.jobs[*index].name
            );
            return Err(SimError::new(path, message));
        }
    }
    Ok(found)
}

fn not_counted(job: &Job) -> String {
    format!(
        "the iterations of job `{}` are not counted before it runs: skeletons have such iterations, \
         traces, `training`, `inference` and open-loop traffic do not; name another `job`, or leave `precision` \
         out",
        job.name
    )
}

/// Refuses what goes on learning: no part of such a run stands for the rest of it.
fn refuse_memory(config: &Config, key: &str) -> Result<(), SimError> {
    let learns = |choice: &RoutingChoice| choice.algorithm == LEARNING;
    for (index, job) in config.jobs.iter().enumerate() {
        let entry = JobEntry { index, job };
        let own = job.routing.as_ref().unwrap_or(&config.routing);
        let mut others = job.alternated.iter().chain(&job.alltoall_routings);
        if !job.muted && (learns(own) || others.any(learns)) {
            let message = format!(
                "job `{}` is routed by `{LEARNING}`, which goes on learning: what a part of the run \
                 says does not hold for the rest; leave `{key}` out, or take a routing that \
                 does not learn",
                job.name
            );
            return Err(SimError::new(format!("stop.{key}"), message));
        }
        let decides = job.policy.as_ref().is_some_and(|policy| {
            policy
                .get("always")
                .is_none_or(|always| *always == crate::policy::interface::DECIDE)
        });
        if !job.muted && decides {
            let message = format!(
                "the policy of job `{}` remembers what it has seen: what a part of the run says \
                 does not hold for the rest; leave `{key}` out, or give the policy one way for \
                 all messages (`always`)",
                entry.job.name
            );
            return Err(SimError::new(format!("stop.{key}"), message));
        }
    }
    Ok(())
}

/// Refuses traffic whose cycles no run could have enough of.
fn refuse_slow_traffic(config: &Config, ahead: &Ahead, key: &str) -> Result<(), SimError> {
    let Some((index, cycle)) = ahead.longest_cycle() else {
        return Ok(());
    };
    if cycle.ps().saturating_mul(CYCLES) < config.stop.time_ps {
        return Ok(());
    }
    let message = format!(
        "a burst of job `{}` and its pause, or the time between its messages, take {:.0} ns, and a \
         sample has {CYCLES} of them; they do not fit into `stop.time`; leave `{key}` out, or \
         raise `stop.time`",
        config.jobs[index].name,
        crate::result::statistic::ns(cycle.ps())
    );
    Err(SimError::new(format!("stop.{key}"), message))
}
