//! Runs that stop when they know enough, and those that say why they cannot.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::support::{
    Traces, config, count, dragonfly, fingerprint, inputs, number, outcome, text, theta, whole,
};
use odonata_sim::{Config, Control, Outcome, check, run_alone};
use odonata_units::Instant;
use serde_json::{Value, json};

/// A job of 27 ranks whose iterations take about 5 us.
pub(crate) fn victim(iterations: u64) -> Value {
    json!({"name": "victim", "role": "victim", "placement": {"kind": "random-node"}, "workload": {
        "kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": 2_000,
        "iterations": iterations, "overlap": true, "compute": 0}})
}

pub(crate) fn noise() -> Value {
    json!({"name": "noise", "role": "background", "placement": {"kind": "random-node"},
        "workload": {"kind": "open-loop", "ranks": 37, "pattern": "uniform", "load": 0.3,
                     "message": 4_096, "arrival": "exponential"}})
}

pub(crate) fn ring(name: &str, role: &str, repeat: bool, iterations: u64) -> Value {
    json!({"name": name, "role": role, "repeat": repeat, "placement": {"kind": "random-node"},
        "workload": {"kind": "allreduce", "ranks": 8, "message": 2_000,
                     "iterations": iterations}})
}

fn asking(jobs: &[Value], precision: Value) -> Config {
    let mut config = config(&dragonfly((2, 4, 2, 9), "voq"), "ugal-node", jobs, None);
    let stop = json!({"time_ps": 1_000_000_000_000_u64, "precision": precision});
    config.stop = match serde_json::from_value(stop) {
        Ok(stop) => stop,
        Err(error) => unreachable!("the bounds of these tests are complete: {error}"),
    };
    config
}

pub(crate) fn ran(config: &Config) -> Outcome {
    outcome(config, &Traces::new(), 1)
}

pub(crate) fn notes(outcome: &Outcome) -> String {
    outcome.summary["notes"].to_string()
}

const END: &str = "/jobs/0/estimated/end_ns";

#[test]
fn a_run_that_knows_enough_says_what_it_would_have_said() {
    let jobs = [victim(1_000), noise()];
    let full = ran(&asking(&jobs, json!([])));
    let asked = json!([{"half_width_ppm": 5_000}, {"quantity": "comm_time", "job": "victim"}]);
    let cut = ran(&asking(&jobs, asked));
    assert_eq!(text(&full, "/stop"), "finished");
    assert_eq!(text(&cut, "/stop"), "precision");
    assert!(full.summary["notes"].is_null());
    let between = |name: &str, found: f64| {
        let at = |end: &str| number(&cut, &format!("/jobs/0/estimated/{name}/{end}"));
        assert!(
            at("low") <= found && found <= at("high"),
            "{name}: {found}, {}",
            cut.summary["jobs"][0]["estimated"]
        );
        assert!((at("high") - at("low")) / at("mean") < 0.02, "{name}");
    };
    between("end_ns", number(&full, "/simulated_ns"));
    between("comm_time_ns", number(&full, "/jobs/0/comm_time_ns/mean"));
    let simulated = count(&cut, "/jobs/0/estimated/iterations_simulated");
    assert!((102..800).contains(&simulated), "{simulated}");
    assert_eq!(count(&cut, "/jobs/0/estimated/iterations"), 1_000);
    let used = count(&cut, "/jobs/0/estimated/iterations_used");
    let left_out = count(&cut, "/jobs/0/estimated/iterations_warm_up");
    assert_eq!(used + left_out, simulated);
    // What is not under `estimated` is of what was simulated: tables, too.
    assert!(number(&cut, "/simulated_ns") < 0.8 * number(&full, "/simulated_ns"));
    let last = whole(&cut, "iterations", "iteration").iter().max();
    assert!(last.is_some_and(|last| (simulated - 1..simulated + 2).contains(last)));
    assert_eq!(count(&cut, "/jobs/0/ranks_finished"), 0);
    assert!(notes(&cut).contains(&format!("{simulated} of 1000 iterations")));
}

#[test]
fn the_number_of_threads_shows_nowhere() {
    let beside_traffic = [victim(1_000), noise(), ring("ring", "background", true, 3)];
    let mut late = ring("late", "background", true, 3);
    late["start_ps"] = json!(500_000_000_u64);
    let in_turn = [victim(1_500), ring("first", "aggressor", false, 50), late];
    for jobs in [&beside_traffic, &in_turn] {
        let config = asking(jobs, json!([{"half_width_ppm": 20_000}]));
        let one = ran(&config);
        assert_eq!(text(&one, "/stop"), "precision");
        for threads in [2, 3] {
            let several = outcome(&config, &Traces::new(), threads);
            assert_eq!(fingerprint(&one), fingerprint(&several), "{threads}");
        }
    }
}

/// The smallest megafly with all that `mubarak2019-megafly-8448` has. Links have no latency, so that
/// an epoch is one window of 20 ns, the delay of a credit.
fn small_megafly() -> Value {
    let mut system = theta();
    system["topology"] = json!({
        "kind": "megafly", "groups": 3, "leaf_routers_per_group": 2,
        "spine_routers_per_group": 2, "nodes_per_leaf": 2, "links_per_group_pair": 2,
    });
    let link = json!({"bandwidth_bytes_per_s": 26_843_545_600_u64, "latency_ps": 0});
    system["links"] = json!({"host": link, "local": link, "global": link});
    system["router"] = json!({
        "architecture": "voq", "latency_ps": 100_000, "credit_delay_ps": 20_000,
        "input_buffer_bytes": 32_768, "switching": "store-and-forward",
        "credit_return": "reservation",
    });
    system["packet"] = json!({"size_bytes": 4_096, "flit_bytes": 64, "header_bytes": 0,
                              "delivery": "tail"});
    system["mpi"] = json!({"preset": "ideal"});
    system
}

/// Counts the epochs that are simulated.
#[derive(Default)]
struct Epochs(AtomicU64);

impl Control for Epochs {
    fn progress(&self, _: Instant, _: u64, _: f64) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        false
    }
}

/// Where an epoch is one window, the groups of a thread are one block, and epochs are left out in
/// which nothing happens. Which ones depends on the number of threads: mail between two blocks has
/// to be received. The instant at which a run knows enough does not.
///
/// Each of these seeds fails where looks are taken after every epoch that is simulated.
#[test]
fn epochs_that_are_left_out_show_nowhere() {
    let mut ring = ring("ring", "victim", false, 200);
    ring["workload"]["ranks"] = json!(4);
    ring["workload"]["message"] = json!(8);
    let mut noise = noise();
    noise["workload"]["ranks"] = json!(6);
    noise["workload"]["load"] = json!(0.1);
    let mut config = asking(&[ring, noise], json!([{"half_width_ppm": 200_000}]));
    config.system = serde_json::from_value(small_megafly()).unwrap();
    config.routing.algorithm = "minimal".to_owned();
    for seed in [10, 12] {
        config.seed = seed;
        let ran = |threads| {
            let epochs = Epochs::default();
            let done = run_alone(&config, &inputs(&Traces::new()), threads, &epochs).unwrap();
            assert_eq!(text(&done, "/stop"), "precision");
            (done, epochs.0.into_inner())
        };
        let (one, epochs) = ran(1);
        let all = number(&one, "/simulated_ns") / 20.0;
        let float = |count: u64| f64::from(u32::try_from(count).unwrap());
        for threads in [2, 3] {
            let (several, others) = ran(threads);
            assert!(
                epochs < others && float(others) < all,
                "{epochs} on one thread, {others} on {threads}, {all} in all"
            );
            assert_eq!(
                fingerprint(&one),
                fingerprint(&several),
                "{threads}, seed {seed}"
            );
        }
    }
}

#[test]
fn what_is_not_known_is_simulated_in_full() {
    let jobs = [victim(150), noise()];
    let full = ran(&asking(&jobs, json!([])));
    let tight = ran(&asking(&jobs, json!([{"half_width_ppm": 100}])));
    assert_eq!(text(&tight, "/stop"), "finished");
    assert!(tight.summary["notes"].is_null(), "{}", notes(&tight));
    assert_eq!(full.summary["jobs"], tight.summary["jobs"]);
    let mut short = asking(&jobs, json!([{"half_width_ppm": 100}]));
    short.stop.time_ps = 400_000_000;
    let short = ran(&short);
    assert_eq!(text(&short, "/stop"), "time-limit");
    assert!(notes(&short).contains("nothing is estimated"));
    assert!(short.summary["jobs"][0]["estimated"].is_null());
}

/// A ring that ends soon: what the victim does beside it says nothing of what it does alone.
#[test]
fn a_job_that_ends_changes_the_mix() {
    let jobs = [victim(1_500), ring("first", "aggressor", false, 200)];
    let cut = ran(&asking(&jobs, json!([{"job": "victim"}])));
    let full = ran(&asking(&jobs, json!([])));
    assert_eq!(text(&cut, "/stop"), "precision");
    assert_eq!(count(&cut, "/jobs/1/ranks_finished"), 8);
    let used = count(&cut, "/jobs/0/estimated/iterations_used");
    let simulated = count(&cut, "/jobs/0/estimated/iterations_simulated");
    assert!(used + 10 < simulated, "{used} of {simulated}");
    let end = number(&full, "/jobs/0/comm_time_ns/max");
    let (low, high) = (
        number(&cut, &format!("{END}/low")),
        number(&cut, &format!("{END}/high")),
    );
    assert!(low - 1.0 <= end && end <= high + 1.0, "{low} {end} {high}");
}

/// Whoever comes later changes the mix, too.
#[test]
fn a_job_that_comes_changes_the_mix() {
    let mut late = ring("late", "background", true, 3);
    late["start_ps"] = json!(1_000_000_000_u64);
    let jobs = [victim(1_500), late];
    let cut = ran(&asking(&jobs, json!([{"half_width_ppm": 20_000}])));
    assert_eq!(text(&cut, "/stop"), "precision");
    assert!(number(&cut, "/simulated_ns") > 1_000_000.0);
}

/// Ten cycles of everything else are in a sample: this burst and its pause take 200 us.
#[test]
fn a_sample_holds_ten_bursts() {
    let mut bursts = noise();
    bursts["workload"]["burst"] = json!(20_000_000);
    bursts["workload"]["pause"] = json!(180_000_000);
    let jobs = [victim(2_000), bursts];
    let cut = ran(&asking(&jobs, json!([{"half_width_ppm": 200_000}])));
    assert_eq!(text(&cut, "/stop"), "precision");
    assert!(number(&cut, "/simulated_ns") > 2_000_000.0);
}

#[test]
fn what_does_not_hold_is_refused() {
    let refused = |jobs: &[Value], precision: Value, change: &dyn Fn(&mut Config)| {
        let mut config = asking(jobs, precision);
        change(&mut config);
        let error = check(&config, &inputs(&Traces::new()));
        error.map_or_else(|error| error.to_string(), |_| String::new())
    };
    let same = |_: &mut Config| {};
    let all = json!([{}]);
    let jobs = [victim(1_000), noise()];
    assert_eq!(refused(&jobs, all.clone(), &same), "");
    let cases = [
        refused(&[victim(50)], all.clone(), &same),
        refused(&jobs, json!([{"job": "victm"}]), &same),
        refused(&jobs, json!([{"job": "noise"}]), &same),
        refused(&jobs, all.clone(), &|config| {
            config.routing.algorithm = "q-adaptive".to_owned();
        }),
        refused(
            &[victim(1_000), {
                let mut slow = noise();
                slow["workload"]["burst"] = json!(1_000_000);
                slow["workload"]["pause"] = json!(200_000_000_000_u64);
                slow
            }],
            all.clone(),
            &same,
        ),
    ];
    let expected = [
        "has 50 iterations, and no interval is given from fewer than 102",
        "there is no job `victm` (did you mean `victim`?)",
        "not counted before it runs",
        "goes on learning",
        "do not fit into `stop.time`",
    ];
    for (case, expected) in cases.iter().zip(expected) {
        assert!(case.starts_with("stop.precision"), "{case}");
        assert!(case.contains(expected), "{case}");
    }
    // A policy that decides remembers; one that sends all messages alike does not.
    for (always, is_refused) in [
        (json!(null), true),
        (json!("decide"), true),
        (json!("adaptive-0"), false),
    ] {
        let mut steered = victim(1_000);
        steered["policy"] = json!({"kind": "application-aware"});
        if !always.is_null() {
            steered["policy"]["always"] = always;
        }
        let found = refused(&[steered, noise()], all.clone(), &|config| {
            config
                .system
                .nic
                .insert("response_bytes".to_owned(), json!(16));
        });
        assert_eq!(
            found.contains("remembers what it has seen"),
            is_refused,
            "{found}"
        );
    }
    // The isolated run of another victim asks about a job that is not there.
    let mut muted = victim(1_000);
    muted["muted"] = json!(true);
    let jobs = [muted, ring("other", "victim", false, 3)];
    assert_eq!(refused(&jobs, json!([{"job": "victim"}]), &same), "");
}
