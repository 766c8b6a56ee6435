//! What jobs have lost as nodes of theirs failed.

use odonata_mpi::RankLocation;
use serde_json::{Value, json};

use crate::build::events::{Loss, NodeOutage};
use crate::config::OnFailure;
use crate::report::finished::{Finished, Reported};
use crate::result::statistic::ns;

/// What became of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Ended,
    Waited,
    WentOn,
}

/// What job `index` lost before it had ended, if it did, and what became of it.
fn loss(run: Reported<'_>, index: usize) -> Option<(Loss, Fate)> {
    let loss = run.loss(index)?;
    let outcome = match run.config.jobs[index].on_failure {
        _ if run.finished.placed.open_loop[index] => Fate::WentOn,
        OnFailure::End => Fate::Ended,
        OnFailure::Wait => Fate::Waited,
    };
    Some((loss, outcome))
}

/// The same, for the summary.
pub(crate) fn summary(run: Reported<'_>, index: usize) -> Option<Value> {
    let (loss, outcome) = loss(run, index)?;
    Some(json!({
        "at_ns": ns(loss.first.from_ps),
        "node": loss.first.node,
        "router": loss.first.router,
        "ranks_lost": loss.ranks,
        "outcome": match outcome {
            Fate::Ended => "ended",
            Fate::Waited => "waited",
            Fate::WentOn => "went-on",
        },
    }))
}

/// The same in a sentence.
pub(crate) fn warning(run: Reported<'_>, index: usize) -> Option<String> {
    let (loss, outcome) = loss(run, index)?;
    let name = &run.config.jobs[index].name;
    let (failure, ranks) = (failure(&loss.first), loss.ranks);
    Some(match outcome {
        Fate::Ended => format!(
            "Job `{name}` was killed when its {failure}. What is said of its ranks and iterations \
             is of the time before."
        ),
        Fate::Waited => format!(
            "Job `{name}` has {ranks} ranks on nodes that fail; its {failure}. The others waited \
             for them where they needed them."
        ),
        Fate::WentOn => format!(
            "Traffic `{name}` has {ranks} sources on nodes that fail; its {failure}. The others \
             went on, and what they sent there is thrown away, and counts as delivered."
        ),
    })
}

/// Which node failed when, and because of what.
fn failure(outage: &NodeOutage) -> String {
    let us = ns(outage.from_ps) / 1e3;
    match outage.router {
        Some(router) => format!(
            "node {} failed with router {router} at {us} us",
            outage.node
        ),
        None => format!("node {} failed at {us} us", outage.node),
    }
}

/// Why job `index` was killed, if it was.
pub(crate) fn killed(run: Reported<'_>, index: usize) -> Option<String> {
    let (loss, outcome) = loss(run, index)?;
    (outcome == Fate::Ended).then(|| failure(&loss.first))
}

/// When the node of a rank of job `index` failed, in words, if it did.
pub(crate) fn of_rank(finished: &Finished, index: usize, location: RankLocation) -> Option<String> {
    let first = finished.placed.losses[index]?.first;
    let machine = &finished.machine;
    let there = [first.from_ps - 1, finished.network.end().ps()];
    let outage = machine
        .outages
        .of_node(&machine.ends, location.home, there)?;
    Some(failure(&outage))
}
