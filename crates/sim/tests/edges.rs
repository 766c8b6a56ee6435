//! Runs and checks at the edge of what a configuration may say.

mod support;

use serde_json::json;
use support::{Traces, config, dragonfly, job, outcome, text};

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

/// A packet that is all header is refused with a sentence, by the check as by the run.
#[test]
fn a_header_larger_than_its_packet_is_refused() {
    let mut system = dragonfly((2, 4, 2, 9), "voq");
    system["packet"] = json!({"size_bytes": 16, "flit_bytes": 16, "header_bytes": 16,
                              "delivery": "tail"});
    let source = support::open_loop("uniform", 0.1, 16, "exponential");
    let one = config(
        &system,
        "minimal",
        &[source],
        Some((1_000_000, 1_000_000, 0)),
    );
    let Err(error) = odonata_sim::check(&one, &Traces::new()) else {
        panic!("a packet without payload is accepted");
    };
    assert_eq!(error.path, "system.packet");
    assert!(error.message.contains("`packet.header`"), "{error}");
}
