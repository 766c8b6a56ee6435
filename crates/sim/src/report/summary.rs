//! `summary.json`, less what only the caller knows.

use odonata_engine::{Laps, Stop};
use odonata_mpi::RankReport;
use odonata_telemetry::JobStats;
use serde_json::{Map, Value, json};

use crate::build::demand::Pressure;
use crate::build::pattern_limit::{Limit, limit};
use crate::config::Config;
use crate::precision::IterationWatch;
use crate::report::finished::{Finished, Reported, iterations_every};
use crate::report::{counters, decided, link_outcome, load, losses, overlap};
use crate::result::statistic::{ns, number, per_repetition, ratio};

/// Why a run ended. One that knew enough was stopped from inside.
fn stop_name(finished: &Finished) -> &'static str {
    match finished.stop {
        Stop::Interrupted if knows_enough(finished) => "precision",
        Stop::Finished => "finished",
        Stop::TimeLimit => "time-limit",
        Stop::Interrupted => "interrupted",
        Stop::Stalled => "stalled",
    }
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

fn knows_enough(finished: &Finished) -> bool {
    let watch = finished.iterations.as_ref();
    watch.is_some_and(IterationWatch::is_decided)
}

/// Times of the ranks of an MPI job, and who was there meanwhile.
fn times(run: &Reported<'_>, index: usize) -> Map<String, Value> {
    let (entry, reports) = (&run.config.jobs[index], &run.reports[index]);
    let over_ranks = |f: &dyn Fn(&RankReport) -> f64| {
        let values: Vec<_> = reports.iter().map(f).collect();
        spread(&values)
    };
    let mut found = Map::new();
    let mut set = |key: &str, value: Value| found.insert(key.to_owned(), value);
    let comm = over_ranks(&|one| per_repetition(one, one.comm_time));
    set("comm_time_ns", comm);
    let mpi = over_ranks(&|one| per_repetition(one, one.mpi_time));
    set("mpi_time_ns", mpi);
    let inside = over_ranks(&|one| per_repetition(one, one.iteration_comm_time));
    set("iteration_comm_time_ns", inside);
    let pressure = Pressure::of(reports);
    set("injection_rate_bytes_per_s", number(pressure.rate));
    set("peak_ingress_bytes", json!(pressure.peak));
    let finished = reports.iter().filter(|report| report.finished).count();
    set("ranks_finished", json!(finished));
    let least = reports.iter().map(|report| report.repetitions).min();
    set("repetitions", json!(least));
    let unfinished = over_ranks(&|one| ns(one.unfinished_comm_time.ps()));
    set("unfinished_comm_time_ns", unfinished);
    let overlap = overlap::of_others(run, index);
    if entry.role == "victim" && !overlap.is_empty() {
        set("overlap", Value::Object(overlap));
    }
    found
}

/// Packets of messages and, where there are any, responses that arrived.
fn delivered(finished: &Finished, stats: &JobStats) -> Map<String, Value> {
    let mut found = Map::from_iter([("packets".to_owned(), json!(stats.packets_delivered))]);
    if finished.machine.parameters.response_bytes > 0 {
        found.insert("responses".to_owned(), json!(stats.responses_delivered));
    }
    found
}

fn job(run: &Reported<'_>, index: usize) -> Value {
    let Reported {
        config,
        finished,
        reports,
    } = run;
    let entry = &config.jobs[index];
    let stats = finished
        .heard
        .stats()
        .and_then(|stats| stats.jobs.get(index));
    let mut summary = Map::new();
    let mut set = |key: &str, value: Value| summary.insert(key.to_owned(), value);
    set("name", json!(entry.name));
    set("role", json!(entry.role));
    set("muted", json!(entry.muted));
    set("ranks", json!(finished.placed.locations[index].len()));
    let Some(stats) = stats else {
        return Value::Object(summary);
    };
    let reports = &reports[index];
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
    let local = |f: fn(&RankReport) -> u64| reports.iter().map(f).fold(0, u64::saturating_add);
    if entry.ranks_per_node.is_some_and(|each| each > 1) {
        set("local_bytes_sent", json!(local(|one| one.local_bytes_sent)));
        let messages = local(|one| one.local_messages_sent);
        set("local_messages_sent", json!(messages));
    }
    summary.append(&mut delivered(finished, stats));
    if !reports.is_empty() {
        summary.append(&mut times(run, index));
    }
    let mut set = |key: &str, value: Value| summary.insert(key.to_owned(), value);
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
    if let Some(policy) = decided::summary(config, finished, index) {
        set("policy", policy);
    }
    let watch = finished.iterations.as_ref();
    if let Some(estimated) = watch.and_then(|watch| watch.estimated(index)) {
        set("estimated", estimated);
    }
    if let Some(cuts) = watch.and_then(|watch| watch.cuts(index)) {
        set("cuts", cuts);
    }
    summary.extend(losses::summary(*run, index).map(|it| ("failure".to_owned(), it)));
    summary.append(&mut loads(config, finished, index));
    Value::Object(summary)
}

/// Offered and accepted load of open-loop traffic.
fn loads(config: &Config, finished: &Finished, index: usize) -> Map<String, Value> {
    let Some(load) = load::of_jobs(config, finished, &[index]) else {
        return Map::new();
    };
    let locations = &finished.placed.locations[index];
    let limit = limit(config, &finished.machine, index, locations);
    let bound = |limit: &Limit| [number(limit.load), limit.of.name().into()];
    let [load_limit, load_limit_of] = limit.as_ref().map_or_else(Default::default, bound);
    Map::from_iter([
        ("load_limit".to_owned(), load_limit),
        ("load_limit_of".to_owned(), load_limit_of),
        ("offered_load".to_owned(), number(load.offered)),
        ("accepted_load".to_owned(), number(load.accepted)),
        (
            "saturated".to_owned(),
            json!(load::is_saturated(config, finished, index)),
        ),
    ])
}

/// Where the time of a thread has gone.
fn timing(laps: &Laps) -> Value {
    json!({
        "process": laps.process,
        "thread": laps.thread,
        "epochs": laps.epochs,
        "work_s": number(ratio(laps.work_ns, 1) / 1e9),
        "waiting_s": number(ratio(laps.waiting_ns, 1) / 1e9),
        "exchange_s": number(ratio(laps.exchange_ns, 1) / 1e9),
        "sent_bytes": laps.sent_bytes,
    })
}

/// The summary of a run.
pub(crate) fn summary(run: Reported<'_>) -> Value {
    let (config, finished) = (run.config, run.finished);
    let stats = finished.heard.stats();
    let mut all = JobStats::default();
    for one in stats.iter().flat_map(|stats| &stats.jobs) {
        all.merge(one);
    }
    let every: Vec<usize> = (0..config.jobs.len()).collect();
    let (offered, accepted) = load::of_jobs(config, finished, &every)
        .map_or((Value::Null, Value::Null), |load| {
            (number(load.offered), number(load.accepted))
        });
    let jobs: Vec<_> = every.iter().map(|index| job(&run, *index)).collect();
    let mut summary = json!({
        "schema": 1,
        "seed": config.seed,
        "simulated_ns": ns(run.end().ps()),
        "stop": stop_name(finished),
        "engine": {
            "threads": finished.threads,
            "packets": all.packets_delivered,
            "packet_hops": stats.map_or(0, |stats| stats.packet_hops),
            "events": finished.network.events(),
            "packets_in_flight": finished.heard.packets_in_flight(),
        },
        "network": {
            "routing": config.routing.algorithm,
            "virtual_channels": finished.machine.routing.virtual_channels(),
            "offered_load": offered,
            "accepted_load": accepted,
            "saturated": load::saturated(config, finished),
            "measured_packets_undelivered": finished.network.measured_undelivered(),
            "packet_latency_ns": latency(&all),
            "queueing_ns_mean": number(ratio(all.queueing_sum, all.packets_measured) / 1e3),
            "hops_mean": number(ratio(all.hops, all.packets)),
            "nonminimal_fraction": number(ratio(all.nonminimal, all.packets)),
        },
        "jobs": jobs,
    });
    if !finished.laps.is_empty() {
        summary["engine"]["timing"] = finished.laps.iter().map(timing).collect();
    }
    if let Some(links) = link_outcome::summary(config, finished) {
        summary["network"]["links"] = links;
    }
    if let Some(blame) = &finished.heard.blame {
        summary["network"]["waiting_ns"] = number(ratio(blame.waited_ps(), 1_000));
    }
    summary
}

/// Notes on what was left out of the tables, in sentences.
pub(crate) fn notes(run: Reported<'_>) -> Vec<String> {
    let (config, finished) = (run.config, run.finished);
    let mut notes: Vec<String> = counters::note(config, finished).into_iter().collect();
    notes.extend(link_outcome::note(config, finished));
    if let Some(watch) = &finished.iterations {
        notes.extend(watch.notes(config));
    }
    for (job, reports) in config.jobs.iter().zip(run.reports) {
        let every = iterations_every(reports);
        if every > 1 {
            notes.push(format!(
                "job `{}`: the table of iterations holds one of every {every} iterations of each \
                 rank, so that they are not more than `telemetry.iteration_records` = {}; sums and \
                 times of ranks are over all of them",
                job.name, config.telemetry.iteration_records
            ));
        }
    }
    notes
}
