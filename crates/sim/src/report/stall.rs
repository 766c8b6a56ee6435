//! Why nothing moves any more, in words.

use std::fmt::Write;

use crate::report::finished::Reported;
use crate::report::losses;
use crate::result::statistic::ns;

/// Ranks named in full; the others are counted.
const MOST_RANKS: usize = 20;

/// A diagnosis: blocked ranks, what the network holds, and a cycle of waiting buffers if there is
/// one.
pub(crate) fn diagnose(run: Reported<'_>) -> String {
    let (config, finished) = (run.config, run.finished);
    let mut text = String::new();
    let in_flight = finished.heard.packets_in_flight();
    let _ = writeln!(
        text,
        "The simulation stalled before {:.0} ns: jobs have not ended, and nothing that they wait \
         for is on its way. Packets in the network: {in_flight}.",
        ns(finished.network.end().ps())
    );
    let mut blocked = 0;
    let mut jobs: Vec<_> = config.jobs.iter().enumerate().collect();
    jobs.sort_by_key(|(_, job)| !job.ends_the_run());
    for (index, job) in jobs {
        if let Some(failure) = losses::killed(run, index) {
            let _ = writeln!(text, "job `{}` was killed when its {failure}", job.name);
            continue;
        }
        let locations = &finished.placed.locations[index];
        for (rank, (report, location)) in run.reports[index].iter().zip(locations).enumerate() {
            if report.finished {
                continue;
            }
            blocked += 1;
            if blocked <= MOST_RANKS {
                if let Some(failure) = losses::of_rank(finished, index, *location) {
                    let name = &job.name;
                    let _ = writeln!(text, "job `{name}` rank {rank} is dead: its {failure}");
                    continue;
                }
                let what = report.blocked_on.as_deref().unwrap_or("the network");
                let _ = writeln!(
                    text,
                    "job `{}` rank {rank} (node {}) waits for: {what}",
                    job.name, location.address.0
                );
            }
        }
    }
    if blocked > MOST_RANKS {
        let _ = writeln!(text, "... and {} more ranks", blocked - MOST_RANKS);
    }
    let cycle = finished.network.waiting_cycle();
    if cycle.is_empty() {
        let _ = writeln!(
            text,
            "No buffers wait for each other in a cycle: the jobs wait, not the network."
        );
    } else {
        let _ = writeln!(
            text,
            "Buffers that wait for each other in a cycle (deadlock):"
        );
        for wait in &cycle {
            let _ = writeln!(text, "  {wait}");
        }
    }
    text
}
