//! MILC on the 1,056-node dragonfly of MFNetSim (Wang et al. 2025), against its published output.
//!
//! The allocation files belong to the shared data, which is not part of this repository: without
//! them the tests skip. Theirs are means over 100 iterations, ours over two. With `--nocapture` the
//! table is printed as Markdown; `docs/validation.md` has its numbers.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "the table is what a reader of the test wants; a test may stop on what cannot be"
)]

use std::path::{Path, PathBuf};

use crate::support::{Unattended, number};
use odonata_sim::{Config, Inputs, Outcome, run_alone};
use serde_json::{Value, json};

/// The shared data: `ODONATA_SHARED`, or `shared` beside the repository.
fn shared() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("ODONATA_SHARED").map_or(beside, PathBuf::from)
}

/// The preset `mfnetsim-1056`, everything eager.
fn system() -> Value {
    let link =
        |rate: u64, latency: u64| json!({"bandwidth_bytes_per_s": rate, "latency_ps": latency});
    json!({
        "topology": {
            "kind": "dragonfly", "groups": 33, "routers_per_group": 8, "nodes_per_router": 4,
            "global_ports_per_router": 4, "arrangement": "relative",
        },
        "links": {
            "host": link(17_179_869_184, 238_419),
            "local": link(5_637_144_576, 726_609),
            "global": link(5_046_586_573, 811_638),
        },
        "router": {
            "architecture": "voq", "switching": "store-and-forward", "latency_ps": 100_000,
            "credit_delay_ps": 1_419, "credit_return": "reservation",
            "host_buffer_bytes": 32_768, "input_buffer_bytes": 16_384,
            "global_buffer_bytes": 16_384, "output_buffer_bytes": 16_384, "speedup": 1,
            "arbitration": "lowest-vc",
        },
        "packet": {"size_bytes": 4_096, "flit_bytes": 64, "header_bytes": 0, "delivery": "tail"},
        "nic": {"buffer_packets": 8},
        "mpi": {"preset": "codes", "eager_limit": 1_u64 << 30},
    })
}

/// A workload of 300 ranks on an allocation file.
fn simulate(allocation: &str, text: &str, routing: &Value, workload: &Value) -> Outcome {
    let value = json!({
        "seed": 1, "system": system(), "routing": routing,
        "jobs": [{
            "name": "app", "role": "victim",
            "placement": {
                "kind": "list", "file": allocation, "text": text, "line": 0, "per_group": 30,
            },
            "workload": workload,
        }],
        "stop": {"time_ps": 5_000_000_000_000_u64},
    });
    let config: Config = serde_json::from_value(value).unwrap();
    run_alone(&config, &Inputs::default(), 1, &Unattended).unwrap()
}

/// `iterations` of MILC on an allocation file.
fn milc(allocation: &str, text: &str, routing: &Value, iterations: u32) -> Outcome {
    let workload = json!({"kind": "milc", "ranks": 300, "iterations": iterations});
    simulate(allocation, text, routing, &workload)
}

/// What MFNetSim prints of a run.
struct Published {
    routers: f64,
    latency_us: f64,
    nonminimal: f64,
    /// Mean communication time of a rank, of 100 iterations.
    communication_ms: f64,
}

const ITERATIONS: u32 = 2;

/// Prints a row per number; routers within 2 %, non-minimal packets within 0.02, communication
/// time within 5 %. Latency, whose start differs, within 15 %.
fn compare(placement: &str, name: &str, routing: &Value, theirs: &Published) {
    let file = format!("{placement}-1d-1056-300p1.conf");
    let path = shared()
        .join("data/reference/mfnetsim/conf/alloc")
        .join(&file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        let path = path.display();
        eprintln!("skipped: no {path}; set ODONATA_SHARED to the shared data");
        return;
    };
    let outcome = milc(&file, &text, routing, ITERATIONS);
    let value = |pointer| number(&outcome, pointer);
    let waiting = value("/network/queueing_ns_mean");
    let inside = (value("/network/packet_latency_ns/mean") - waiting) / 1e3;
    let communication = value("/jobs/0/comm_time_ns/mean") / 1e6 * 100.0 / f64::from(ITERATIONS);
    let rows = [
        (
            "routers/packet",
            theirs.routers,
            value("/network/hops_mean"),
            2.0,
        ),
        ("latency, us", theirs.latency_us, inside, 15.0),
        (
            "communication time, ms",
            theirs.communication_ms,
            communication,
            5.0,
        ),
    ];
    for (what, theirs, ours, tolerance) in rows {
        let deviation = (ours / theirs - 1.0) * 100.0;
        println!("| {placement} | {name} | {what} | {theirs:.4} | {ours:.4} | {deviation:+.2} % |");
        assert!(
            deviation.abs() <= tolerance,
            "{placement}, {name}, {what}: {ours}"
        );
    }
    let share = value("/network/nonminimal_fraction");
    let published = theirs.nonminimal;
    println!("| {placement} | {name} | non-minimal | {published:.4} | {share:.4} | |");
    assert!(
        (share - published).abs() <= 0.02,
        "{placement}, {name}: {share}"
    );
}

/// `routing="minimal"`: the ports and virtual channels of dragonfly-dally, never diverted.
fn minimal() -> Value {
    json!({"algorithm": "codes-par", "threshold": 1_u32 << 30})
}

/// `routing="prog-adaptive"`, the non-minimal side counted twice.
fn progressive() -> Value {
    json!({"algorithm": "codes-par", "scale": 2})
}

#[test]
fn milc_contiguous() {
    let published = Published {
        routers: 2.456_777,
        latency_us: 32.125,
        nonminimal: 0.0,
        communication_ms: 992.52,
    };
    compare("cont", "MIN", &minimal(), &published);
    let published = Published {
        routers: 2.882_076,
        latency_us: 19.960,
        nonminimal: 17_971_587.0 / 58_987_200.0,
        communication_ms: 335.92,
    };
    compare("cont", "PAR", &progressive(), &published);
}

#[test]
fn milc_on_random_nodes() {
    let published = Published {
        routers: 3.700_654,
        latency_us: 19.241,
        nonminimal: 0.0,
        communication_ms: 485.83,
    };
    compare("rand_node0", "MIN", &minimal(), &published);
    let published = Published {
        routers: 5.045_499,
        latency_us: 25.062,
        nonminimal: 41_895_190.0 / 58_987_200.0,
        communication_ms: 218.24,
    };
    compare("rand_node0", "PAR", &progressive(), &published);
}

/// The allreduce of `CosmoFlow`. The published means include writes to storage, which has no counterpart
/// here: 2,066 of 16,439.04 packets of a rank and iteration go to servers on router 7 of the rank's
/// group and back, one router from there and two from elsewhere. The rest is the allreduce.
#[test]
#[ignore = "half a minute: four allreduces of 4.3 million packets"]
fn cosmoflow_allreduce() {
    let (reduced, written) = (4_311_912.0, 300.0 * 2_066.0);
    let rows = [
        ("cont", "MIN", minimal(), 1.604_653),
        ("cont", "PAR", progressive(), 1.679_171),
        ("rand_node0", "MIN", minimal(), 3.467_999),
        ("rand_node0", "PAR", progressive(), 4.772_337),
    ];
    for (placement, name, routing, published) in rows {
        let file = format!("{placement}-1d-1056-300p1.conf");
        let path = shared()
            .join("data/reference/mfnetsim/conf/alloc")
            .join(&file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            let path = path.display();
            eprintln!("skipped: no {path}; set ODONATA_SHARED to the shared data");
            return;
        };
        let clients = text.split_whitespace().map(|id| id.parse::<u32>().unwrap());
        let beside = clients.filter(|client| client % 30 / 4 == 7).count();
        let to_server = 2.0 - f64::from(u32::try_from(beside).unwrap()) / 300.0;
        let theirs = (published * (reduced + written) - written * to_server) / reduced;
        let workload = json!({
            "kind": "cosmoflow", "ranks": 300, "iterations": 1, "message": 29_516_800,
            "compute": 129_000_000_000_u64,
        });
        let outcome = simulate(&file, &text, &routing, &workload);
        let ours = number(&outcome, "/network/hops_mean");
        let deviation = (ours / theirs - 1.0) * 100.0;
        println!(
            "| {placement} | {name} | routers/packet | {theirs:.4} | {ours:.4} | {deviation:+.2} % |"
        );
        assert!(deviation.abs() <= 2.0, "{placement}, {name}: {ours}");
    }
}

/// The whole published run: 59 million packets.
#[test]
#[ignore = "a minute: the run that MFNetSim published, for its wall time"]
fn milc_contiguous_whole() {
    let path = shared().join("data/reference/mfnetsim/conf/alloc/cont-1d-1056-300p1.conf");
    let Ok(text) = std::fs::read_to_string(&path) else {
        let path = path.display();
        eprintln!("skipped: no {path}; set ODONATA_SHARED to the shared data");
        return;
    };
    let outcome = milc("cont-1d-1056-300p1.conf", &text, &progressive(), 100);
    let value = |pointer| number(&outcome, pointer);
    assert!((value("/network/hops_mean") / 2.882_076 - 1.0).abs() < 0.02);
    println!("{}", outcome.summary);
}
