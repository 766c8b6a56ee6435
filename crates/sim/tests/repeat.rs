//! Jobs that start again until the victims have ended, and how long they were there.

use crate::support::{
    Traces, US, Unattended, config, count, dragonfly, fingerprint, inputs, number, outcome, text,
    whole, words,
};
use odonata_sim::{Config, Outcome, run_alone};
use serde_json::{Value, json};

fn system() -> Value {
    dragonfly((2, 4, 2, 9), "voq")
}

/// About 40 us alone.
fn victim(role: &str) -> Value {
    json!({"name": "victim", "role": role, "placement": {"kind": "random-node"}, "workload": {
        "kind": "allreduce", "ranks": 24, "message": 20_000, "iterations": 3}})
}

/// About 7 us alone.
fn other(role: &str, repeat: bool) -> Value {
    json!({"name": "other", "role": role, "repeat": repeat,
           "placement": {"kind": "random-node"}, "workload": {
        "kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": 4_000, "iterations": 2,
        "overlap": true, "compute": 0}})
}

fn pair(role: &str, repeat: bool) -> Config {
    config(
        &system(),
        "ugal-group",
        &[victim("victim"), other(role, repeat)],
        None,
    )
}

fn done(config: &Config) -> Outcome {
    let outcome = outcome(config, &Traces::new(), 1);
    assert_eq!(text(&outcome, "/stop"), "finished");
    outcome
}

const OVERLAP: &str = "/jobs/0/overlap/other";

#[test]
fn an_aggressor_that_repeats_is_there_to_the_end() {
    let once = done(&pair("aggressor", false));
    let again = done(&pair("aggressor", true));
    assert!(number(&once, OVERLAP) < 0.5, "{}", number(&once, OVERLAP));
    assert!(
        number(&again, OVERLAP) > 0.99,
        "{}",
        number(&again, OVERLAP)
    );
    assert_eq!(count(&once, "/jobs/1/repetitions"), 1);
    assert!(number(&once, "/jobs/1/unfinished_comm_time_ns/max").abs() < 1e-9);
    assert!(count(&again, "/jobs/1/repetitions") >= 3);
    assert_eq!(count(&again, "/jobs/1/ranks_finished"), 27);
    let mean = |outcome: &Outcome| number(outcome, "/jobs/0/comm_time_ns/mean");
    assert!(
        mean(&again) > mean(&once),
        "more noise: {} {}",
        mean(&again),
        mean(&once)
    );
    // A repetition takes about as long as the only one; the last one is counted apart.
    let (one, mean) = (
        number(&once, "/jobs/1/comm_time_ns/mean"),
        number(&again, "/jobs/1/comm_time_ns/mean"),
    );
    assert!((0.7..1.5).contains(&(mean / one)), "{mean} against {one}");
    let unfinished = number(&again, "/jobs/1/unfinished_comm_time_ns/max");
    assert!(unfinished > 0.0 && unfinished < 2.0 * mean, "{unfinished}");
}

/// The share is that of the tables: first call to last return, here of jobs without computation.
#[test]
fn overlap_is_what_the_tables_say() {
    let outcome = done(&pair("aggressor", false));
    let jobs = words(&outcome, "ranks", "job");
    let times = crate::support::floats(&outcome, "ranks", "comm_time_ns");
    let longest = |name: &str| {
        let own = jobs.iter().zip(times).filter(|(job, _)| **job == name);
        own.map(|(_, time)| *time).fold(0.0, f64::max)
    };
    let expected = longest("other") / longest("victim");
    let found = number(&outcome, OVERLAP);
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    // What begins late is absent before.
    let mut late = pair("aggressor", true);
    late.jobs[1]
        .workload
        .insert("wait_before".to_owned(), json!(20 * US));
    let outcome = done(&late);
    let expected = 1.0 - 20_000.0 / number(&outcome, "/jobs/0/comm_time_ns/max");
    let found = number(&outcome, OVERLAP);
    assert!((found - expected).abs() < 0.02, "{found} {expected}");
    assert!(count(&outcome, "/jobs/1/repetitions") >= 2, "it waits once");
}

#[test]
fn the_run_ends_with_the_victims() {
    let end = |outcome: &Outcome| number(outcome, "/simulated_ns");
    let last = |outcome: &Outcome| number(outcome, "/jobs/0/comm_time_ns/max");
    let again = done(&pair("aggressor", true));
    assert!(
        (end(&again) - last(&again)).abs() < 1e-6,
        "{} {}",
        end(&again),
        last(&again)
    );
    // Background ends nothing, whether it repeats or not.
    for repeat in [false, true] {
        let run = done(&pair("background", repeat));
        assert!((end(&run) - last(&run)).abs() < 1e-6);
        assert_eq!(number(&run, OVERLAP) > 0.99, repeat);
    }
    // Of two victims that repeat, the first to end goes on until the other has ended.
    let mut both = pair("victim", true);
    both.jobs[0].repeat = true;
    let run = done(&both);
    assert!(number(&run, OVERLAP) > 0.99 && count(&run, "/jobs/1/repetitions") >= 3);
    assert!(number(&run, "/jobs/1/overlap/victim") > 0.99);
    assert_eq!(count(&run, "/jobs/0/repetitions"), 1);
}

#[test]
fn something_must_end_a_run() {
    let refused = |config: &Config| {
        let error = run_alone(config, &inputs(&Traces::new()), 1, &Unattended).unwrap_err();
        format!("{}: {error}", error.path)
    };
    let both = [victim("aggressor"), other("aggressor", true)];
    let mut none = config(&system(), "minimal", &both, None);
    none.jobs[0].repeat = true;
    let text = refused(&none);
    assert!(
        text.contains("measure") && text.contains("`repeat = false`"),
        "{text}"
    );
    // The window of [measure] ends it.
    none.measure = config(&system(), "minimal", &both, Some((US, 90 * US, 90 * US))).measure;
    let run = outcome(&none, &Traces::new(), 1);
    assert_eq!(crate::support::text(&run, "/stop"), "finished");
    assert!(number(&run, "/simulated_ns") < 190_000.0);
    assert!(count(&run, "/jobs/1/repetitions") >= 2);
    // An aggressor that does not repeat ends it too.
    let one = done(&config(&system(), "minimal", &both, None));
    assert!(count(&one, "/jobs/0/ranks_finished") == 24);

    let traffic = crate::support::open_loop("uniform", 0.1, 512, "exponential");
    let mut endless = config(&system(), "minimal", &[traffic], Some((US, US, US)));
    endless.jobs[0].repeat = true;
    let text = refused(&endless);
    assert!(
        text.starts_with("jobs[0].repeat") && text.contains("never ends"),
        "{text}"
    );
}

/// A repeating job whose ranks wait for each other in vain is not taken for one that communicates.
#[test]
fn a_job_that_stands_still_is_not_there() {
    use crate::support::Operation;
    use odonata_workload::trace::op;
    let send = |peer, bytes| Operation {
        code: op::SEND,
        peer,
        bytes,
        ..Operation::default()
    };
    let recv = |peer, bytes| Operation {
        code: op::RECV,
        peer,
        bytes,
        ..Operation::default()
    };
    // Both send a rendezvous first.
    let ranks = [
        vec![send(1, 100), send(1, 50_000), recv(1, 50_000)],
        vec![recv(0, 100), send(0, 50_000), recv(0, 50_000)],
    ];
    let traces = Traces::from([("stuck".to_owned(), crate::support::trace(&ranks))]);
    let stuck = json!({"name": "other", "role": "aggressor", "repeat": true,
        "placement": {"kind": "random-node"}, "workload": {"kind": "trace", "path": "stuck"}});
    let config = config(&system(), "minimal", &[victim("victim"), stuck], None);
    let run = outcome(&config, &traces, 1);
    assert_eq!(text(&run, "/stop"), "finished");
    assert!(number(&run, OVERLAP) < 0.3, "{}", number(&run, OVERLAP));
    assert_eq!(count(&run, "/jobs/1/ranks_finished"), 0);
}

#[test]
fn repetitions_do_not_depend_on_threads() {
    let mut config = pair("aggressor", true);
    config.jobs.push(
        serde_json::from_value(json!({
            "name": "third", "role": "background", "repeat": true,
            "placement": {"kind": "random-node"},
            "workload": {"kind": "uniform-random", "ranks": 16, "iterations": 5, "message": 3_000},
        }))
        .unwrap(),
    );
    config.telemetry.packet_sample = 3;
    let one = outcome(&config, &Traces::new(), 1);
    assert!(count(&one, "/jobs/2/repetitions") > 3);
    for threads in [2, 3] {
        let found = fingerprint(&outcome(&config, &Traces::new(), threads));
        assert!(found == fingerprint(&one), "{threads} threads");
    }
    // Iterations say which repetition they belong to; the unfinished one has its own.
    let (jobs, repetitions) = (
        words(&one, "iterations", "job"),
        whole(&one, "iterations", "repetition"),
    );
    let last = jobs
        .iter()
        .zip(repetitions)
        .filter(|(job, _)| **job == "third");
    let last = last.map(|(_, repetition)| *repetition).max().unwrap();
    assert!(last >= count(&one, "/jobs/2/repetitions"));
}
