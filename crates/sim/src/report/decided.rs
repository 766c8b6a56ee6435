//! Decisions of policies in the tables and the summary of a run.

use serde_json::{Map, Value, json};

use crate::build::machine::Steered;
use crate::build::service::class_of_mode;
use crate::config::Config;
use crate::policy::decision_sums::Decided;
use crate::policy::interface::{Class, SendMode};
use crate::policy::steering::Steering;
use crate::report::finished::Finished;
use crate::result::outcome::{Table, table};
use crate::result::statistic::{ns, number, ratio};

/// The table `decisions`; `None` if no job has a policy.
pub(crate) fn table(config: &Config, finished: &Finished) -> Option<Table> {
    let with_policy = |job: &usize| finished.machine.job_routings[*job].policy.is_some();
    let jobs: Vec<usize> = (0..config.jobs.len()).filter(with_policy).collect();
    if jobs.is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for job in jobs {
        let Some(Decided { log, .. }) = finished.decided.get(job).and_then(Option::as_ref) else {
            continue;
        };
        let names = names(config, finished, job);
        for (bin, send_mode, cell) in log.cells() {
            let start = ns(bin * log.bin().ps());
            let name = names.get(send_mode).cloned().unwrap_or_default();
            rows.push((
                &config.jobs[job].name,
                start,
                name,
                *cell,
                ns(log.bin().ps()),
            ));
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    let mean = |sum: f64, count: u64| sum / count as f64;
    Some(table!("decisions", rows, {
        "job" => Text, |row| row.0.clone();
        "time_ns" => F64, |row| row.1;
        "routing" => Text, |row| row.2.0.clone();
        "class" => Text, |row| row.2.1.clone();
        "messages" => U64, |row| row.3.messages;
        "bytes" => U64, |row| row.3.bytes;
        "decisions" => U64, |row| row.3.decisions;
        "changes" => U64, |row| row.3.changes;
        "observations" => U64, |row| row.3.observations;
        "latency_cycles_mean" => F64, |row| mean(row.3.latency, row.3.observations);
        "stalls_cycles_per_flit_mean" => F64, |row| mean(row.3.stalls, row.3.observations);
        "bin_ns" => F64, |row| row.4;
    }))
}

/// Decisions of the policy of job `index`; `None` if it has none.
pub(crate) fn summary(config: &Config, finished: &Finished, index: usize) -> Option<Value> {
    let decided = finished.decided.get(index)?.as_ref()?;
    let totals = decided.log.totals();
    let bytes: u64 = totals.iter().map(|cell| cell.bytes).sum();
    let steered = finished.machine.job_routings[index].policy.as_ref()?;
    let shares = steered.send_modes.iter().zip(&totals);
    let shares: Map<String, Value> = shares
        .map(|(send_mode, cell)| (send_mode.name.to_owned(), number(ratio(cell.bytes, bytes))))
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    let mean = |sum: f64| number(sum / decided.deciders as f64);
    let kind = config.jobs[index].policy.as_ref();
    let kind = kind.and_then(|given| given.get("kind"));
    Some(json!({
        "kind": kind,
        "bytes_share": shares,
        "messages": totals.iter().map(|cell| cell.messages).sum::<u64>(),
        "decisions": decided.decisions,
        "small": decided.small,
        "changes": decided.changes,
        "observations": decided.observations,
        "empty_readings": decided.empty_readings,
        "cut_losses": decided.cut_losses,
        "readings": decided.readings,
        "reading_ns": ns(decided.reading.ps()),
        "latency_factor_mean": mean(decided.latency_factors),
        "stall_factor_mean": mean(decided.stall_factors),
    }))
}

/// Adds what policies have done at the nodes of this process, node after node, behind those of other
/// processes that are there. The order matters: sums of numbers with fractions depend on it.
pub(crate) fn add(finished: &mut Finished) {
    let mut all = std::mem::take(&mut finished.decided);
    add_to(&mut all, finished);
    finished.decided = all;
}

fn add_to(all: &mut Vec<Option<Decided>>, finished: &Finished) {
    let routings = &finished.machine.job_routings;
    all.resize_with(routings.len(), || None);
    for (job, decided) in all.iter_mut().enumerate() {
        if routings[job].policy.is_none() {
            continue;
        }
        for steering in steerings(finished, job) {
            let decided = match decided {
                Some(decided) => {
                    decided.log.merge(steering.log());
                    decided
                }
                None => decided.insert(Decided::beginning(steering.log().clone())),
            };
            decided.count(steering);
        }
    }
}

/// Deciders at the nodes of a job that this process simulates, each node once.
fn steerings(finished: &Finished, job: usize) -> impl Iterator<Item = &Steering> {
    let first = finished.network.own_nodes().start;
    let mut nodes: Vec<u32> = (finished.placed.locations[job].iter())
        .filter_map(|location| location.home.0.checked_sub(first))
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    let mut nodes = nodes.into_iter().peekable();
    let endpoints = (0..).zip(finished.network.endpoints());
    let own = endpoints.filter(move |(index, _)| nodes.next_if_eq(index).is_some());
    let number = u8::try_from(job).unwrap_or(u8::MAX);
    own.filter_map(move |(_, served)| served.steering.as_deref()?.of(number))
}

/// Routing and class of each send mode of the policy of a job.
fn names(config: &Config, finished: &Finished, job: usize) -> Vec<(String, String)> {
    let Some(Steered { send_modes, .. }) = &finished.machine.job_routings[job].policy else {
        return Vec::new();
    };
    let own = config.jobs[job].routing.as_ref();
    let own = own.unwrap_or(&config.routing);
    let classes = config.system.qos.as_ref().map(|qos| &qos.classes);
    let number = |class: &Class| class_of_mode(config, job, class).ok();
    let name = |send_mode: &SendMode| {
        let routing = send_mode.routing.as_ref().unwrap_or(own);
        let number = send_mode.class.as_ref().and_then(number);
        let class = match (number, classes) {
            (Some(number), Some(all)) => all.get(usize::from(number)),
            _ => None,
        };
        let class = class.map_or_else(String::new, |one| one.name.clone());
        (routing.algorithm.clone(), class)
    };
    send_modes.iter().map(name).collect()
}
