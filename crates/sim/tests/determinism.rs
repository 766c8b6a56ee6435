//! The number of threads shows nowhere, in no table and in no number: whole simulations of 342 nodes
//! with everything recorded. `fuzz/attack.py` does the same for small random ones,
//! `tests/test_determinism.py` compares the files of different processes.

use crate::support::{
    Letters, Traces, US, config, dragonfly, fingerprint, job, number, open_loop, outcome, ring,
    text, trace,
};
use odonata_sim::Config;
use serde_json::json;

/// 342 nodes in 19 groups.
const MEDIUM: Letters = (3, 6, 3, 19);

/// Runs on 1, 2 and 3 threads and compares every bit of everything that can be recorded; returns the
/// packets delivered.
fn compare(mut config: Config, traces: &Traces) -> f64 {
    let telemetry = &mut config.telemetry;
    telemetry.packet_sample = 7;
    telemetry.message_sample = 5;
    telemetry.blame = true;
    telemetry.counters = true;
    telemetry.counter_interval_ps = Some(US);
    telemetry.link_series = true;
    telemetry.flows = true;
    let one = outcome(&config, traces, 1);
    let expected = fingerprint(&one);
    for threads in [2, 3] {
        let found = fingerprint(&outcome(&config, traces, threads));
        assert_eq!(expected.len(), found.len());
        for (expected, found) in expected.iter().zip(&found) {
            let differs = expected
                .bytes()
                .zip(found.bytes())
                .position(|(a, b)| a != b);
            assert!(
                expected == found,
                "{threads} threads, `{}`, from byte {differs:?} on",
                &expected[..expected.len().min(40)]
            );
        }
    }
    assert_eq!(text(&one, "/stop"), "finished");
    number(&one, "/engine/packets")
}

#[test]
fn open_loop_adaptive_voq() {
    let traffic = open_loop("uniform", 0.9, 512, "exponential");
    let measure = Some((3 * US, 8 * US, 8 * US));
    let system = dragonfly(MEDIUM, "voq");
    let packets = compare(
        config(&system, "ugal-node", &[traffic], measure),
        &Traces::new(),
    );
    assert!(packets > 1e5, "{packets}");
}

#[test]
fn open_loop_progressive_cioq() {
    let traffic = open_loop("adversarial", 0.6, 700, "bernoulli");
    let measure = Some((2 * US, 5 * US, 8 * US));
    let system = dragonfly(MEDIUM, "cioq");
    let packets = compare(config(&system, "par", &[traffic], measure), &Traces::new());
    assert!(packets > 3e4, "{packets}");
}

/// Oldest-first compares instants of creation, valiant draws at every source.
#[test]
fn open_loop_oldest_first() {
    let traffic = open_loop("tornado", 0.5, 512, "fixed");
    let mut system = dragonfly(MEDIUM, "cioq");
    system["router"]["arbitration"] = json!("oldest-first");
    let measure = Some((2 * US, 4 * US, 8 * US));
    let packets = compare(
        config(&system, "valiant-node", &[traffic], measure),
        &Traces::new(),
    );
    assert!(packets > 3e4, "{packets}");
}

#[test]
fn two_mpi_jobs() {
    let fft3d =
        json!({"kind": "fft3d", "ranks": 96, "nx": 64, "ny": 64, "nz": 64, "iterations": 2});
    let halo3d = json!({"kind": "halo3d", "ranks": 125, "face": 20_000, "iterations": 3,
                        "compute": 2 * US});
    for architecture in ["voq", "cioq"] {
        let jobs = [
            job("fft3d", "random-node", fft3d.clone()),
            job("halo3d", "random-node", halo3d.clone()),
        ];
        let system = dragonfly(MEDIUM, architecture);
        let packets = compare(config(&system, "ugal-group", &jobs, None), &Traces::new());
        assert!(packets > 1e5, "{packets}");
    }
}

/// A goal beside traffic without end, and a measured window shorter than the goal.
#[test]
fn mpi_job_beside_open_loop() {
    let reduce = json!({"kind": "allreduce", "ranks": 60, "iterations": 2});
    let background = json!({"kind": "open-loop", "ranks": 200, "load": 0.4, "message": 2_048});
    let mut traffic = job("traffic", "random-node", background);
    traffic["role"] = json!("background");
    let jobs = [job("reduce", "random-node", reduce), traffic];
    let system = dragonfly(MEDIUM, "voq");
    let packets = compare(
        config(&system, "par", &jobs, Some((US, 3 * US, US))),
        &Traces::new(),
    );
    assert!(packets > 4e4, "{packets}");
}

/// Sources that a controller paces: what was done to their flows is kept by thread.
#[test]
fn paced_incast() {
    let incast = json!({"kind": "incast", "ranks": 120, "message": 20_000, "iterations": 2});
    let mut system = dragonfly(MEDIUM, "cioq");
    system["nic"]["congestion"] = json!("pace");
    let config = config(
        &system,
        "par",
        &[job("incast", "random-node", incast)],
        None,
    );
    let mut observed = config.clone();
    observed.telemetry.flows = true;
    let flows = outcome(&observed, &Traces::new(), 1);
    let flows = flows.tables.iter().find(|table| table.name == "flows");
    assert!(flows.is_some_and(|table| table.columns[0].1.len() > 100));
    compare(config, &Traces::new());
}

#[test]
fn a_trace() {
    let traces = Traces::from([("ring".to_owned(), trace(&ring(48, 8)))]);
    let workload = json!({"kind": "trace", "path": "ring"});
    let jobs = [job("ring", "random-node", workload)];
    let packets = compare(
        config(&dragonfly(MEDIUM, "cioq"), "par", &jobs, None),
        &traces,
    );
    assert!(packets > 1e4, "{packets}");
}

/// What routers learn, and how far off they were, summed over threads.
#[test]
fn learning_and_its_tables() {
    let traffic = open_loop("adversarial", 0.4, 512, "exponential");
    let measure = Some((2 * US, 8 * US, 8 * US));
    let mut config = config(
        &dragonfly(MEDIUM, "cioq"),
        "q-adaptive",
        &[traffic],
        measure,
    );
    config.telemetry.q_table = true;
    let packets = compare(config, &Traces::new());
    assert!(packets > 2e4, "{packets}");
}

/// Two jobs in two classes, requests and responses, two modes, on tabled paths.
#[test]
fn classes_responses_and_modes_on_aries() {
    let mut system = dragonfly(MEDIUM, "voq");
    system["topology"] = json!({
        "kind": "aries", "groups": 5, "rows": 3, "columns": 4, "nodes_per_router": 2,
        "column_links": 3, "global_ports_per_router": 2, "chassis_per_cabinet": 3,
    });
    system["nic"]["response_bytes"] = json!(128);
    system["nic"]["outstanding"] = json!(20);
    system["qos"] = json!({
        "window_ps": US, "monitor": "sliding",
        "classes": [{"name": "high", "cap_ppm": 300_000}, {"name": "low", "cap_ppm": 700_000}],
    });
    let jobs: Vec<_> = [("high", "adaptive-3"), ("low", "adaptive-1")]
        .into_iter()
        .enumerate()
        .map(|(parity, (class, mode))| {
            let nodes: Vec<u32> = (0..120).skip(parity).step_by(2).collect();
            let mut job = open_loop("uniform", 0.5, 512, "exponential");
            job["name"] = json!(class);
            job["class"] = json!(class);
            job["routing"] = json!({"algorithm": mode});
            job["workload"]["ranks"] = json!(nodes.len());
            job["placement"] = json!({"kind": "list", "nodes": nodes});
            job
        })
        .collect();
    let measure = Some((2 * US, 8 * US, 20 * US));
    let config = config(&system, "minimal", &jobs, measure);
    let packets = compare(config, &Traces::new());
    assert!(packets > 1e4, "{packets}");
}

/// The five classes of a profile of Slingshot, two of them in use: requests and responses, a ceiling
/// that binds, under every monitor.
#[test]
fn a_profile_of_classes() {
    for monitor in ["static", "sliding", "token-bucket"] {
        let mut system = dragonfly(MEDIUM, "cioq");
        system["nic"]["response_bytes"] = json!(128);
        system["qos"] = json!({
            "window_ps": 4 * US, "monitor": monitor, "profile": "slingshot-hpc",
        });
        let classes = ["low-latency", "best-effort"].into_iter().enumerate();
        let jobs: Vec<_> = classes
            .map(|(parity, class)| {
                let nodes: Vec<u32> = (0..72).skip(parity).step_by(2).collect();
                let mut job = open_loop("uniform", 0.5, 512, "exponential");
                job["name"] = json!(class);
                job["class"] = json!(class);
                job["workload"]["ranks"] = json!(nodes.len());
                job["placement"] = json!({"kind": "list", "nodes": nodes});
                job
            })
            .collect();
        let measure = Some((2 * US, 8 * US, 20 * US));
        let config = config(&system, "minimal", &jobs, measure);
        let packets = compare(config, &Traces::new());
        assert!(packets > 5e3, "{monitor}: {packets}");
    }
}
