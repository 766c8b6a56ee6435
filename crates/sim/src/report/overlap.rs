//! How long jobs communicate beside each other.

use odonata_mpi::RankReport;
use serde_json::{Map, Value};

use crate::report::finished::Reported;
use crate::result::statistic::number;

/// The time in which a job communicates, ps.
#[derive(Clone, Copy)]
struct Stretch {
    from: u64,
    to: u64,
}

/// For each other job of the run: the share of the span of job `victim` in which it communicates.
/// Both are spans from the first call of any rank to the end of the last one; between them, ranks
/// may compute.
pub(crate) fn of_others(run: &Reported<'_>, victim: usize) -> Map<String, Value> {
    let mut shares = Map::new();
    let Some(own) = measured(run, victim) else {
        return shares;
    };
    for (index, job) in run.config.jobs.iter().enumerate() {
        if index != victim && !job.muted {
            let share = presence(run, index).map_or(0.0, |other| share(own, other));
            shares.insert(job.name.clone(), number(share));
        }
    }
    shares
}

#[expect(clippy::cast_precision_loss, reason = "statistics")]
fn share(own: Stretch, other: Stretch) -> f64 {
    let common = other
        .to
        .min(own.to)
        .saturating_sub(other.from.max(own.from));
    common as f64 / (own.to - own.from) as f64
}

/// The time in which job `job` communicates; `None` if it never does, or takes no time.
fn presence(run: &Reported<'_>, job: usize) -> Option<Stretch> {
    let end = run.finished.network.end().ps();
    if run.finished.placed.open_loop[job] {
        return Some(Stretch { from: 0, to: end });
    }
    let reports = &run.reports[job];
    let first = reports
        .iter()
        .filter_map(|report| report.first_call)
        .min()?;
    let last = reports.iter().map(|report| report.last_call.ps()).max()?;
    let stretch = Stretch {
        from: first.ps(),
        to: last.max(last_traffic(run, job)).min(end),
    };
    (stretch.from < stretch.to).then_some(stretch)
}

/// The time in which a victim communicates; of one that repeats, finished repetitions are
/// measured.
fn measured(run: &Reported<'_>, victim: usize) -> Option<Stretch> {
    let whole = presence(run, victim)?;
    let reports = &run.reports[victim];
    if !run.config.jobs[victim].repeat || reports.iter().any(|report| !report.finished) {
        return Some(whole);
    }
    let end = reports.iter().map(|report| report.end.ps()).max()?;
    let to = whole.to.min(end);
    (whole.from < end).then_some(Stretch { to, ..whole })
}

/// End of the last bin of the series in which the job sent or got anything: ranks that wait may
/// wait for a long message.
fn last_traffic(run: &Reported<'_>, job: usize) -> u64 {
    let waits = |report: &RankReport| report.blocked_on.is_some();
    let Some(stats) = run.finished.heard.stats() else {
        return 0;
    };
    if !run.reports[job].iter().any(waits) {
        return 0;
    }
    let bins = stats.series.bins().zip(1..);
    let busy = bins.filter(|(bins, _)| bins[job].bytes_injected + bins[job].bytes_delivered > 0);
    busy.last()
        .map_or(0, |(_, next)| next * stats.series.bin().ps())
}
