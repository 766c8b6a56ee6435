//! `summary.json`, less what only the caller knows.

use odonata_mpi::{IterationLog, MpiRank, RankReport};
use odonata_network::{JobStats, Stop};
use odonata_workload::NodeEndpoint;
use serde_json::{Map, Value, json};

use crate::config::Config;
use crate::run::Finished;

pub(crate) const fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Finished => "finished",
        Stop::TimeLimit => "time-limit",
        Stop::Interrupted => "interrupted",
        Stop::Stalled => "stalled",
    }
}

/// Picoseconds as nanoseconds.
#[expect(clippy::cast_precision_loss, reason = "statistics")]
pub(crate) fn ns(ps: u64) -> f64 {
    ps as f64 / 1e3
}

#[expect(clippy::cast_precision_loss, reason = "statistics")]
pub(crate) fn ratio(part: impl Into<u128>, whole: u64) -> f64 {
    if whole == 0 {
        f64::NAN
    } else {
        part.into() as f64 / whole as f64
    }
}

/// JSON has no NaN.
fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn latency(stats: &JobStats) -> Value {
    let quantile = |q| {
        let found = stats.latency.quantile(q);
        found.map_or(f64::NAN, |ps| ns(ps.min(stats.latency_max)))
    };
    json!({
        "mean": number(ratio(stats.latency_sum, stats.packets) / 1e3),
        "p50": number(quantile(0.50)),
        "p95": number(quantile(0.95)),
        "p99": number(quantile(0.99)),
        "max": if stats.packets == 0 { Value::Null } else { number(ns(stats.latency_max)) },
    })
}

/// From the creation of a request to the delivery of its response.
fn round_trip(stats: &JobStats) -> Value {
    let quantile = |q| stats.round_trips.quantile(q).map_or(f64::NAN, ns);
    json!({
        "mean": number(ratio(stats.round_trip_sum, stats.round_trip_count) / 1e3),
        "p50": number(quantile(0.50)),
        "p99": number(quantile(0.99)),
    })
}

/// The ranks of a job, in order; none of open-loop traffic.
pub(crate) fn ranks_of(finished: &Finished, job: usize) -> impl Iterator<Item = &MpiRank> {
    let endpoints: Vec<_> = finished.network.endpoints().collect();
    let nodes = finished.placed.nodes[job].iter();
    nodes.filter_map(move |node| match &endpoints[node.index()].endpoint {
        NodeEndpoint::Rank(rank) => Some(&**rank),
        NodeEndpoint::Idle | NodeEndpoint::OpenLoop(_) => None,
    })
}

/// Reports of the ranks of a job, in rank order; empty for open-loop traffic.
pub(crate) fn rank_reports(finished: &Finished, job: usize) -> Vec<RankReport> {
    ranks_of(finished, job).map(MpiRank::report).collect()
}

fn spread(values: &[f64]) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / count;
    let max = values.iter().copied().fold(0.0, f64::max);
    json!({"mean": number(mean), "std": number(variance.sqrt()), "max": number(max)})
}

fn job(config: &Config, finished: &Finished, index: usize) -> Value {
    let entry = &config.jobs[index];
    let stats = finished
        .network
        .stats()
        .and_then(|stats| stats.jobs.get(index));
    let mut summary = Map::new();
    let mut set = |key: &str, value: Value| summary.insert(key.to_owned(), value);
    set("name", json!(entry.name));
    set("role", json!(entry.role));
    set("muted", json!(entry.muted));
    set("ranks", json!(finished.placed.nodes[index].len()));
    let Some(stats) = stats else {
        return Value::Object(summary);
    };
    let reports = rank_reports(finished, index);
    set("bytes_sent", json!(stats.bytes_injected));
    let messages = reports
        .iter()
        .map(|report| report.messages_sent)
        .sum::<u64>();
    set(
        "messages_sent",
        if reports.is_empty() {
            Value::Null
        } else {
            json!(messages)
        },
    );
    set("packets", json!(stats.packets_delivered));
    if !reports.is_empty() {
        let times = |f: &dyn Fn(&RankReport) -> u64| {
            let values: Vec<_> = reports.iter().map(|report| ns(f(report))).collect();
            spread(&values)
        };
        set("comm_time_ns", times(&|report| report.comm_time.ps()));
        set("mpi_time_ns", times(&|report| report.mpi_time.ps()));
        let iterations = ranks_of(finished, index).map(MpiRank::iterations);
        let iterations = iterations.map(|log| ns(log.comm_time().ps()));
        set(
            "iteration_comm_time_ns",
            spread(&iterations.collect::<Vec<_>>()),
        );
        let finished = reports.iter().filter(|report| report.finished).count();
        set("ranks_finished", json!(finished));
    }
    set("packet_latency_ns", latency(stats));
    set(
        "queueing_ns_mean",
        number(ratio(stats.queueing_sum, stats.packets_measured) / 1e3),
    );
    set("hops_mean", number(ratio(stats.hops, stats.packets)));
    set(
        "nonminimal_fraction",
        number(ratio(stats.nonminimal, stats.packets)),
    );
    if stats.round_trip_count > 0 {
        set("round_trip_ns", round_trip(stats));
    }
    if let Some((offered, accepted)) = loads(config, finished, &[index]) {
        set("offered_load", number(offered));
        set("accepted_load", number(accepted));
    }
    Value::Object(summary)
}

/// Offered and accepted load of open-loop jobs, as fractions of the injection bandwidth of their
/// nodes; `None` without a measured window or open-loop job.
fn loads(config: &Config, finished: &Finished, jobs: &[usize]) -> Option<(f64, f64)> {
    let measure = config.measure.as_ref()?;
    let stats = finished.network.stats()?;
    let (mut nodes, mut offered, mut delivered) = (0_u64, 0.0, 0_u64);
    for index in jobs
        .iter()
        .copied()
        .filter(|index| finished.placed.open_loop[*index])
    {
        let count = finished.placed.nodes[index].len() as u64;
        let load = config.jobs[index]
            .workload
            .get("load")
            .and_then(Value::as_f64)?;
        #[expect(clippy::cast_precision_loss, reason = "statistics")]
        let share = load * count as f64;
        offered += share;
        nodes += count;
        delivered += stats.jobs[index].window_bytes_delivered;
    }
    if nodes == 0 {
        return None;
    }
    let rate = finished
        .machine
        .parameters
        .host
        .bandwidth
        .bytes_per_second();
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    let capacity = rate as f64 * nodes as f64 * measure.window_ps as f64 / 1e12;
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    Some((offered / nodes as f64, delivered as f64 / capacity))
}

/// The summary of a run.
pub(crate) fn summary(config: &Config, finished: &Finished) -> Value {
    let stats = finished.network.stats();
    let mut all = JobStats::default();
    for one in stats.iter().flat_map(|stats| &stats.jobs) {
        all.merge(one);
    }
    let every: Vec<usize> = (0..config.jobs.len()).collect();
    let (offered, accepted) = loads(config, finished, &every)
        .map_or((Value::Null, Value::Null), |(offered, accepted)| {
            (number(offered), number(accepted))
        });
    let jobs: Vec<_> = every
        .iter()
        .map(|index| job(config, finished, *index))
        .collect();
    json!({
        "schema": 1,
        "seed": config.seed,
        "simulated_ns": ns(simulated_ps(finished)),
        "stop": stop_name(finished.stop),
        "notes": notes(config, finished),
        "engine": {
            "threads": finished.threads,
            "packets": all.packets_delivered,
            "packet_hops": stats.map_or(0, |stats| stats.packet_hops),
            "events": finished.network.events(),
            "packets_in_flight": finished.network.packets_in_flight(),
        },
        "network": {
            "routing": config.routing.algorithm,
            "virtual_channels": finished.machine.routing.virtual_channels(),
            "offered_load": offered,
            "accepted_load": accepted,
            "measured_packets_undelivered": finished.network.measured_undelivered(),
            "packet_latency_ns": latency(&all),
            "queueing_ns_mean": number(ratio(all.queueing_sum, all.packets_measured) / 1e3),
            "hops_mean": number(ratio(all.hops, all.packets)),
            "nonminimal_fraction": number(ratio(all.nonminimal, all.packets)),
        },
        "jobs": jobs,
    })
}

/// What was asked for and left out, in sentences.
fn notes(config: &Config, finished: &Finished) -> Vec<String> {
    let telemetry = &config.telemetry;
    let mut notes = Vec::new();
    for (index, job) in config.jobs.iter().enumerate() {
        let logs = ranks_of(finished, index).map(MpiRank::iterations);
        let every = logs.map(IterationLog::every).max().unwrap_or(1);
        if every > 1 {
            notes.push(format!(
                "job `{}`: the table of iterations holds every {every}th iteration or more of each \
                 rank; raise `telemetry.iteration_records` above {} for more (sums are over all)",
                job.name, telemetry.iteration_records
            ));
        }
    }
    notes
}

/// The instant the last goal was reached, or else the end of the simulated time.
fn simulated_ps(finished: &Finished) -> u64 {
    let end = finished.network.end().ps();
    if finished.stop != Stop::Finished {
        return end;
    }
    let goals = finished
        .network
        .endpoints()
        .filter_map(|user| match &user.endpoint {
            NodeEndpoint::Rank(rank) if rank.report().finished => Some(rank.report().end.ps()),
            NodeEndpoint::Rank(_) | NodeEndpoint::Idle | NodeEndpoint::OpenLoop(_) => None,
        });
    goals.max().map_or(end, |last| last.min(end))
}
