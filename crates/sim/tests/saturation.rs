//! Whether a network that could not take its load is called saturated, and no other one.

use crate::support::{Measure, Traces, US, config, dragonfly, inputs, number, open_loop, outcome};
use odonata_sim::{Config, check};
use serde_json::{Value, json};

const SYSTEM: crate::support::Letters = (2, 4, 2, 9);

fn saturated(config: &Config) -> (Option<bool>, Option<bool>) {
    let outcome = outcome(config, &Traces::new(), 2);
    let flag = |pointer| outcome.summary.pointer(pointer).and_then(Value::as_bool);
    (flag("/network/saturated"), flag("/jobs/0/saturated"))
}

/// Minimal routing under adversarial traffic has one global link for 8 nodes: 1/8 at most.
#[test]
fn adversarial_traffic_saturates_where_theory_says() {
    let measure = Some((10 * US, 40 * US, 160 * US));
    let system = dragonfly(SYSTEM, "voq");
    for arrival in ["exponential", "bernoulli", "fixed"] {
        for (load, expected) in [(0.02, false), (0.1, false), (0.14, true), (0.3, true)] {
            let traffic = open_loop("adversarial", load, 512, arrival);
            let run = config(&system, "minimal", &[traffic], measure);
            let expected = Some(expected);
            assert_eq!(saturated(&run), (expected, expected), "{arrival} {load}");
        }
    }
}

/// The noise of a window is no saturation: short and long windows, rare and large messages, every
/// arrival process, headers. Three standard deviations are exceeded downwards once in
/// 700 windows, but the least noise of 1 % is wider for most of these.
#[test]
fn noise_is_no_saturation() {
    let windows: [Measure; 3] = [
        (5 * US, 2 * US, 20 * US),
        (5 * US, 20 * US, 80 * US),
        (20 * US, 50 * US, 200 * US),
    ];
    let mut with_header = dragonfly(SYSTEM, "voq");
    with_header["packet"]["header_bytes"] = json!(32);
    for system in [dragonfly(SYSTEM, "voq"), with_header] {
        for arrival in ["exponential", "bernoulli", "fixed"] {
            for (index, measure) in (0..).zip(windows) {
                for (load, message) in [(0.05, 100), (0.3, 512), (0.3, 20_000), (0.5, 512)] {
                    let traffic = open_loop("uniform", load, message, arrival);
                    let mut run = config(&system, "minimal", &[traffic], Some(measure));
                    run.seed = 1 + index;
                    let no = Some(false);
                    assert_eq!(
                        saturated(&run),
                        (no, no),
                        "{arrival} {measure:?} {load} {message}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_was_not_measured_is_not_judged() {
    let traffic = open_loop("adversarial", 0.5, 512, "exponential");
    let system = dragonfly(SYSTEM, "voq");
    let mut run = config(&system, "minimal", &[traffic], Some((10 * US, 40 * US, US)));
    assert_eq!(saturated(&run), (Some(true), Some(true)));
    // The run ends inside the window.
    run.stop.time_ps = 30 * US;
    assert_eq!(saturated(&run), (None, None));
    // A drain that is too short for packets on their way leaves them undelivered, and says so.
    let traffic = open_loop("uniform", 0.1, 512, "exponential");
    let run = config(&system, "minimal", &[traffic], Some((10 * US, 40 * US, 1)));
    let found = outcome(&run, &Traces::new(), 1);
    assert!(number(&found, "/network/measured_packets_undelivered") > 0.0);
    assert_eq!(saturated(&run).0, Some(true));
    // Ranks have no offered load.
    let job = json!({"name": "ranks", "role": "victim", "placement": {"kind": "contiguous"},
                     "workload": {"kind": "allreduce", "ranks": 8}});
    let run = config(&system, "minimal", &[job], None);
    assert_eq!(saturated(&run), (None, None));
}

/// Gives a key of the workload of `job` a value; null takes it away.
fn set(job: &mut Value, key: &str, value: &Value) {
    job["workload"][key] = value.clone();
    if let Some(workload) = job["workload"].as_object_mut() {
        workload.retain(|_, value| !value.is_null());
    }
}

/// Offered and accepted load of the network, and of each job.
fn loads(system: &Value, jobs: &[Value]) -> Vec<(f64, f64)> {
    let measure = Some((10 * US, 40 * US, 80 * US));
    let found = outcome(&config(system, "minimal", jobs, measure), &Traces::new(), 2);
    let of = |place: &str| {
        let load = |key: &str| number(&found, &format!("/{place}/{key}"));
        (load("offered_load"), load("accepted_load"))
    };
    let jobs = (0..jobs.len()).map(|index| of(&format!("jobs/{index}")));
    std::iter::once(of("network")).chain(jobs).collect()
}

/// What is offered is what the sources create, whatever the scenario calls it, and a network that
/// takes everything accepts as much.
#[test]
fn offered_load_is_what_sources_create() {
    let system = dragonfly(SYSTEM, "voq");
    let with = |keys: Value| {
        let mut job = open_loop("uniform", 0.2, 512, "exponential");
        for (key, value) in keys.as_object().into_iter().flatten() {
            set(&mut job, key, value);
        }
        job
    };
    let bursts = with(json!({"burst": 2 * US, "pause": 2 * US}));
    // 512 B each 102.4 ns are 5 GB/s of 25.
    let interval = with(json!({"load": null, "interval": 102_400}));
    let rounds = with(json!({"load": null, "interval": 71 * 102_400, "pattern": "all-to-all"}));
    let incast = with(json!({"pattern": "incast", "load": 0.01}));
    let mut with_header = dragonfly(SYSTEM, "voq");
    with_header["packet"]["header_bytes"] = json!(32);
    // A message becomes two packets.
    let headers = 0.2 * 576.0 / 512.0;
    // 512 B of flits for 500 B.
    let unfilled = with(json!({"message": 500}));
    for (system, job, offered) in [
        (&system, with(json!({})), 0.2),
        (&system, bursts, 0.1),
        (&system, interval.clone(), 0.2),
        (&system, rounds, 0.2),
        (&system, incast, 0.01),
        (&with_header, with(json!({})), headers),
        (&system, unfilled, 0.2 * 500.0 / 512.0),
    ] {
        for (found, accepted) in loads(system, std::slice::from_ref(&job)) {
            assert!((found - offered).abs() < 1e-9, "{job}: {found}");
            // 72 nodes create 5,600 messages in the window, an incast 1,400 and 400 rounds of 71: four
            // standard deviations are exceeded once in 16,000 seeds. Bursts end within it.
            let in_rounds = job["workload"]["pattern"] == "all-to-all";
            let noise = if offered < 0.05 || in_rounds {
                0.25
            } else {
                0.06
            };
            assert!(
                (accepted / offered - 1.0).abs() < noise,
                "{job}: {accepted}"
            );
        }
    }
    // A job with an interval does not take the load of others away.
    let half = |mut job: Value| {
        job["workload"]["ranks"] = json!(36);
        job
    };
    let found = loads(&system, &[half(with(json!({"load": 0.4}))), half(interval)]);
    for ((found, _), wanted) in found.into_iter().zip([0.3, 0.4, 0.2]) {
        assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
    }
}

/// A forecast counts the packets of the sources, not those of a key that they may not have.
#[test]
fn check_counts_the_packets_of_sources() {
    let system = dragonfly(SYSTEM, "voq");
    let packets = |keys: &[(&str, Value)]| {
        let mut job = open_loop("uniform", 0.2, 512, "exponential");
        for (key, value) in keys {
            set(&mut job, key, value);
        }
        let config = config(&system, "minimal", &[job], Some((10 * US, 40 * US, US)));
        let found = check(&config, &inputs(&Traces::new())).unwrap_or_default();
        found["forecast"]["packets"].as_f64().unwrap_or(f64::NAN)
    };
    let usual = packets(&[]);
    assert!(
        (usual - 72.0 * 50_000.0 * 0.2 / 20.48).abs() < 2.0,
        "{usual}"
    );
    let bursts = packets(&[("burst", json!(2 * US)), ("pause", json!(2 * US))]);
    assert!((bursts / usual - 0.5).abs() < 1e-3, "{bursts}");
    let interval = packets(&[("load", Value::Null), ("interval", json!(102_400))]);
    assert!((interval / usual - 1.0).abs() < 1e-3, "{interval}");
    // A node injects no more than its channel carries.
    let all = packets(&[("load", json!(7))]);
    assert!((all / usual - 5.0).abs() < 1e-2, "{all}");
}
