//! Runs and checks at the edge of what a configuration may say.

use crate::support::{Traces, config, count, dragonfly, job, outcome, text};
use odonata_sim::{Control, Inputs, run_alone};
use odonata_units::Instant;
use serde_json::json;

/// Jobs may end long before the measured window: the run goes on to its end, it has not stalled.
#[test]
fn a_window_outlives_the_jobs() {
    let halo = json!({"kind": "halo3d", "ranks": 8, "grid": [2, 2, 2], "iterations": 1,
                      "face": 1000});
    let system = dragonfly((2, 4, 2, 9), "voq");
    let jobs = [job("halo", "contiguous", halo)];
    let one = config(&system, "minimal", &jobs, Some((1_000_000, 100_000_000, 0)));
    let outcome = outcome(&one, &Traces::new(), 1);
    assert_eq!(text(&outcome, "/stop"), "finished");
}

/// What a user sees as packets are packets, not calls of ranks.
#[test]
fn progress_counts_packets() {
    struct Counter(std::sync::atomic::AtomicU64);
    impl Control for Counter {
        fn progress(&self, _: Instant, packets: u64, _: f64) {
            self.0
                .fetch_max(packets, std::sync::atomic::Ordering::Relaxed);
        }

        fn interrupted(&self) -> bool {
            false
        }
    }
    let reduce = json!({"kind": "allreduce", "ranks": 16, "iterations": 20});
    let system = dragonfly((2, 4, 2, 9), "voq");
    let one = config(
        &system,
        "minimal",
        &[job("reduce", "contiguous", reduce)],
        None,
    );
    let counter = Counter(0.into());
    let done = run_alone(&one, &Inputs::default(), 2, &counter).unwrap();
    let (seen, packets) = (counter.0.into_inner(), count(&done, "/engine/packets"));
    assert!(
        seen <= packets && 2 * seen > packets,
        "{seen} of {packets} packets"
    );
}

/// A packet that is all header is refused with a sentence, by the check as by the run.
#[test]
fn a_header_larger_than_its_packet_is_refused() {
    let mut system = dragonfly((2, 4, 2, 9), "voq");
    system["packet"] = json!({"size_bytes": 16, "flit_bytes": 16, "header_bytes": 16,
                              "delivery": "tail"});
    let source = crate::support::open_loop("uniform", 0.1, 16, "exponential");
    let one = config(
        &system,
        "minimal",
        &[source],
        Some((1_000_000, 1_000_000, 0)),
    );
    let Err(error) = odonata_sim::check(&one, &Inputs::default()) else {
        panic!("a packet without payload is accepted");
    };
    assert_eq!(error.path, "system.packet");
    assert!(error.message.contains("`packet.header`"), "{error}");
}

/// Two ranks that both receive first, beside traffic so sparse that the network is often empty,
/// and with a measured window: they are seen to wait for each other all the same.
#[test]
fn blocked_ranks_are_seen_beside_sparse_traffic_and_in_a_window() {
    use crate::support::Operation;
    use odonata_workload::trace::op;
    let first = |peer: i32| {
        let call = |code| Operation {
            code,
            peer,
            bytes: 8,
            ..Operation::default()
        };
        vec![call(op::RECV), call(op::SEND)]
    };
    let traces = Traces::from([(
        "blocked".to_owned(),
        crate::support::trace(&[first(1), first(0)]),
    )]);
    for (load, measure) in [(0.001, None), (0.3, Some((1_000_000, 1_000_000, 0)))] {
        let blocked = job(
            "blocked",
            "contiguous",
            json!({"kind": "trace", "path": "blocked"}),
        );
        let mut sparse = crate::support::open_loop("uniform", load, 512, "exponential");
        sparse["role"] = json!("background");
        sparse["workload"]["ranks"] = json!(8);
        let system = dragonfly((2, 4, 2, 9), "voq");
        let one = config(&system, "minimal", &[blocked, sparse], measure);
        let outcome = outcome(&one, &traces, 1);
        assert_eq!(text(&outcome, "/stop"), "stalled", "load {load}");
        let stall = outcome.stall.unwrap_or_default();
        assert!(
            stall.contains("rank 0") && stall.contains("rank 1"),
            "{stall}"
        );
    }
}

/// A job whose few packets all wait behind an incast moves, if slowly: it has not stalled.
#[test]
fn a_job_behind_an_incast_has_not_stalled() {
    let mut slow = job(
        "slow",
        "list",
        json!({"kind": "halo3d", "ranks": 2, "grid": [2, 1, 1], "face": 512, "iterations": 4}),
    );
    slow["placement"]["nodes"] = json!([1, 1020]);
    let mut incast = crate::support::open_loop("hotspot", 1.0, 512, "exponential");
    incast["role"] = json!("background");
    incast["workload"]["ranks"] = json!(1040);
    incast["workload"]["hot_fraction"] = json!(1.0);
    incast["workload"]["hot_nodes"] = json!(1);
    let mut one = config(
        &crate::support::kang2022(),
        "minimal",
        &[slow, incast],
        None,
    );
    one.stop.time_ps = 3_000_000_000;
    let outcome = outcome(&one, &Traces::new(), 2);
    assert_ne!(text(&outcome, "/stop"), "stalled");
}
