//! Warnings of numbers that say something else than they seem to, in sentences.

use odonata_routing::{Choice, Rule};
use odonata_telemetry::Bin;

use crate::build::demand::{Pressure, senders};
use crate::build::learned;
use crate::build::limits::{Sent, Traffic, limits, mpi};
use crate::build::pattern_limit::choice;
use crate::report::finished::Reported;
use crate::report::losses;
use crate::result::outcome::{Column, Table};
use crate::result::statistic::{ns, percent, ratio};

/// Share of the packets of a job on non-minimal paths that has a reason, if links are busy.
const MANY: f64 = 0.2;

/// Share of the time up to which no link is busy enough to be such a reason.
const IDLE: f64 = 1.0 / 3.0;

/// Mean correction of an estimate, over the first estimate of a global link, from which on a
/// learning routing is still on its way.
const MOVING: f64 = 0.5;

/// Of a run that is over, whose tables are `tables`; nothing if all is well.
pub(crate) fn warnings(run: Reported<'_>, tables: &[Table]) -> Vec<String> {
    let finished = run.finished;
    let traffic = Traffic {
        locations: &finished.placed.locations,
        sources: &finished.sources,
    };
    let mut found = limits(run.config, &finished.machine, traffic);
    let most = busiest(run, tables);
    found.extend((0..run.config.jobs.len()).filter_map(|index| detours(run, index, most?)));
    found.extend(learning(run));
    found.extend((0..run.config.jobs.len()).filter_map(|index| losses::warning(run, index)));
    let jobs = run.config.jobs.iter().zip(run.reports);
    found.extend(jobs.filter_map(|(job, reports)| {
        let pressure = Pressure::of(reports);
        let sent = Sent {
            ranks: reports.len() as u64,
            senders: senders(reports),
            messages: reports.iter().map(|report| report.messages_sent).sum(),
            bytes: pressure.bytes,
            rate: pressure.rate,
        };
        mpi(
            job,
            run.config,
            finished.machine.parameters.host.bandwidth,
            sent,
        )
    }));
    found
}

/// How busy the busiest link was when there was most traffic, about: a share of that time.
fn busiest(run: Reported<'_>, tables: &[Table]) -> Option<f64> {
    let links = tables.iter().find(|table| table.name == "links")?;
    let (_, column) = links
        .columns
        .iter()
        .find(|(name, _)| *name == "congestion_index")?;
    let Column::F64(busy) = column else {
        return None;
    };
    let mean = busy.iter().copied().fold(0.0, f64::max);
    // Jobs that compute in between leave links idle, which says nothing of the time they send in.
    let series = &run.finished.heard.stats()?.series;
    let sent = |bins: &[Bin]| bins.iter().map(|bin| bin.bytes_injected).sum::<u64>();
    let most = series.bins().map(sent).max()?;
    let all: u64 = series.bins().map(sent).sum();
    let bins = ratio(run.finished.network.end().ps(), series.bin().ps()).max(1.0);
    Some(mean * ratio(most, all) * bins)
}

/// Packets of a job that went round an idle network.
fn detours(run: Reported<'_>, index: usize, busiest: f64) -> Option<String> {
    let (job, machine) = (&run.config.jobs[index], &run.finished.machine);
    let stats = run.finished.heard.stats()?.jobs.get(index)?;
    let share = ratio(stats.nonminimal, stats.packets);
    let is_asked_for = job.policy.is_some()
        || choice(machine, index, |rule: &Rule| rule.choice) != Choice::Adaptive;
    let is_reason = busiest > IDLE || is_asked_for;
    // Without packets there is no share.
    (share > MANY && !is_reason).then(|| {
        format!(
            "{} of the packets of job `{}` left the minimal path although no link was busy for \
             more than {} of the time: its routing takes packets that are on their way for \
             congestion, or has not learned. Give an adaptive routing a larger `bias` or \
             `estimate = \"queued\"`.",
            percent(share),
            job.name,
            percent(busiest),
        )
    })
}

/// Tables that still moved while they were measured.
fn learning(run: Reported<'_>) -> Option<String> {
    let (config, finished) = (run.config, run.finished);
    let (measure, learner) = (
        config.measure.as_ref()?,
        finished.machine.routing.learner()?,
    );
    let series = &finished.heard.stats()?.series;
    let bin = series.bin().ps();
    let window = measure.warm_up_ps..measure.warm_up_ps + measure.window_ps;
    let (mut lessons, mut error_ns) = (0, 0);
    for (number, bins) in (0..).zip(series.bins()) {
        // A bin counts for the window that its middle lies in.
        if window.contains(&(number * bin + bin / 2)) {
            lessons += bins.iter().map(|bin| bin.lessons).sum::<u64>();
            error_ns += bins.iter().map(|bin| bin.lesson_error_ns).sum::<u64>();
        }
    }
    let error = ratio(error_ns, lessons);
    (error > MOVING * f64::from(learner.global_ns)).then(|| {
        format!(
            "The tables of `{}` still moved in the measured window: an estimate was off by {error:.0} \
             ns on average when it was corrected, and that of a global link is {} ns at first. What \
             is measured is how it learns. Give a `measure.warm_up` longer than {} us, or start \
             from a table that was kept (`load_table`).",
            learned::LEARNING,
            learner.global_ns,
            ns(measure.warm_up_ps) / 1e3,
        )
    })
}
