//! Runs of which whole iterations are left out, against the same runs in full.

use std::collections::BTreeSet;

use crate::precision::{noise, notes, ran, ring, victim};
use crate::support::{
    Traces, as_in_kang2022, config, count, dragonfly, fingerprint, floats, inputs, number, outcome,
    text, whole,
};
use odonata_sim::{Config, Outcome, check};
use serde_json::{Value, json};

fn skipping(jobs: &[Value], half_width_ppm: Option<u64>) -> Config {
    let config = config(&dragonfly((2, 4, 2, 9), "voq"), "ugal-node", jobs, None);
    let mut config = as_in_kang2022(config);
    config.stop.skip_ppm = half_width_ppm;
    config
}

/// The intervals of job `index` hold what the full run has; how wide they are at most, as a share.
fn holds(cut: &Outcome, full: &Outcome, index: usize) -> f64 {
    let in_full = |key: &str| number(full, &format!("/jobs/{index}/{key}"));
    let said = |key: &str| number(cut, &format!("/jobs/{index}/estimated/{key}"));
    let between = |name: &str, found: f64| {
        let [low, mean, high] = ["low", "mean", "high"].map(|end| said(&format!("{name}/{end}")));
        assert!(
            low <= found && found <= high,
            "{index} {name}: {found}, {}",
            cut.summary["jobs"][index]
        );
        (high - low) / mean
    };
    // All time of these ranks is communication: the last one ends when it has communicated so long.
    let end = between("end_ns", in_full("comm_time_ns/max"));
    end.max(between("comm_time_ns", in_full("comm_time_ns/mean")))
}

#[test]
fn a_run_without_most_of_its_iterations_says_what_it_had_said() {
    let jobs = [victim(1_000), noise()];
    let full = ran(&skipping(&jobs, None));
    let cut = ran(&skipping(&jobs, Some(20_000)));
    assert_eq!(text(&cut, "/stop"), "finished");
    assert!(holds(&cut, &full, 0) < 0.06);
    let simulated = count(&cut, "/jobs/0/estimated/iterations_simulated");
    assert!((150..500).contains(&simulated), "{simulated}");
    assert_eq!(count(&cut, "/jobs/0/estimated/iterations"), 1_000);
    assert_eq!(
        count(&cut, "/jobs/0/cuts/0/iterations_left_out"),
        1_000 - simulated
    );
    assert_eq!(count(&cut, "/jobs/0/cuts/0/audits_passed"), 2);
    assert_eq!(count(&cut, "/jobs/0/ranks_finished"), 27);
    let used = number(&cut, "/jobs/0/cuts/0/iterations_used");
    assert!((number(&cut, "/jobs/0/cuts/0/unseen_share") - 3.0 / used).abs() < 1e-9);
    assert!(notes(&cut).contains(&format!("left out {} of 1000", 1_000 - simulated)));
    assert!(full.summary["jobs"][0]["cuts"].is_null() && full.summary["notes"].is_null());
    // Until the first rank ends, it is the beginning of the full run, to the last bit.
    let ends = floats(&cut, "iterations", "end_ns");
    let numbers = whole(&cut, "iterations", "iteration");
    let last = ends
        .iter()
        .zip(numbers)
        .filter(|(_, number)| **number + 1 == simulated);
    let first_end = last.map(|(end, _)| *end).fold(f64::INFINITY, f64::min);
    let in_full: BTreeSet<u64> = (floats(&full, "iterations", "end_ns").iter())
        .map(|end| end.to_bits())
        .collect();
    let before = || ends.iter().filter(|end| **end < first_end);
    assert!(before().count() as u64 > 26 * (simulated - 2));
    assert!(before().all(|end| in_full.contains(&end.to_bits())));
}

/// One victim ends, and iterations of the other one are left out twice. What follows the first cut
/// is not like its sample: the cut is taken back.
#[test]
fn jobs_end_one_after_the_other() {
    let jobs = [victim(1_500), ring("first", "victim", false, 1_200)];
    let full = ran(&skipping(&jobs, None));
    let cut = ran(&skipping(&jobs, Some(20_000)));
    let cuts = |job: usize| cut.summary["jobs"][job]["cuts"].as_array().map(Vec::len);
    assert_eq!((cuts(0), cuts(1)), (Some(1), Some(2)), "{}", notes(&cut));
    let note = notes(&cut);
    assert!(note.contains("took back 1 times"), "{note}");
    assert!(note.contains("iterations behind the sample"), "{note}");
    for job in [0, 1] {
        holds(&cut, &full, job);
    }
    let hops = |run: &Outcome| number(run, "/engine/packet_hops");
    assert!(2.0 * hops(&cut) < hops(&full));
}

#[test]
fn the_number_of_threads_shows_nowhere() {
    let jobs = [victim(600), ring("first", "victim", false, 500), noise()];
    let config = skipping(&jobs, Some(50_000));
    let one = ran(&config);
    assert!(one.summary["jobs"][0]["cuts"].is_array(), "{}", notes(&one));
    for threads in [2, 3] {
        let several = outcome(&config, &Traces::new(), threads);
        assert_eq!(fingerprint(&one), fingerprint(&several), "{threads}");
    }
}

#[test]
fn what_is_not_known_is_simulated() {
    let jobs = [victim(220), noise()];
    let full = ran(&skipping(&jobs, None));
    let tight = ran(&skipping(&jobs, Some(100)));
    assert_eq!(full.summary["jobs"], tight.summary["jobs"]);
    assert!(notes(&tight).contains("left nothing out: job `victim`: the half-width is"));
}

#[test]
fn what_does_not_hold_is_refused() {
    let refused = |jobs: &[Value], change: &dyn Fn(&mut Config)| {
        let mut config = skipping(jobs, Some(20_000));
        change(&mut config);
        let error = check(&config, &inputs(&Traces::new()));
        error.map_or_else(|error| error.to_string(), |_| String::new())
    };
    let same = |_: &mut Config| {};
    let with = |key: &str, value: Value| {
        let mut late = ring("late", "background", true, 3);
        late[key] = value;
        vec![victim(1_000), late]
    };
    let mut training = ring("model", "aggressor", false, 3);
    training["workload"] = json!({"kind": "training", "ranks": 8, "layers": 4,
                                   "forward": 200_000});
    let mut slow = noise();
    slow["workload"]["burst"] = json!(1_000_000);
    slow["workload"]["pause"] = json!(200_000_000_000_u64);
    assert_eq!(refused(&[victim(1_000), noise()], &same), "");
    assert_eq!(refused(&with("repeat", json!(true)), &same), "");
    let cases = [
        (
            refused(&[victim(150)], &same),
            "no job that ends has 206 iterations",
        ),
        (
            refused(&with("start_ps", json!(1_000_u64)), &same),
            "comes or leaves",
        ),
        (
            refused(&with("end_ps", json!(1_000_000_000_u64)), &same),
            "comes or leaves",
        ),
        (
            refused(&[victim(1_000), training], &same),
            "not counted before it runs",
        ),
        (
            refused(&[victim(1_000)], &|config| {
                config.routing.algorithm = "q-adaptive".to_owned();
                config.routing.parameters.clear();
            }),
            "goes on learning",
        ),
        (
            refused(&[victim(1_000)], &|config| {
                let precision = json!({"time_ps": 1_000_000_000_u64, "precision": [{}],
                                       "skip_ppm": 20_000});
                config.stop = serde_json::from_value(precision).unwrap();
            }),
            "ends the run before there is anything to leave out",
        ),
        (
            refused(&[victim(1_000)], &|config| {
                let measure = json!({"warm_up_ps": 1_000_000, "window_ps": 1_000_000,
                                     "drain_ps": 0});
                config.measure = serde_json::from_value(measure).unwrap();
            }),
            "interval of simulated time",
        ),
        (
            refused(&[victim(1_000), slow], &same),
            "do not fit into `stop.time`",
        ),
    ];
    for (case, expected) in &cases {
        assert!(case.starts_with("stop.skip"), "{expected}: {case}");
        assert!(case.contains(expected), "{case}");
    }
}
