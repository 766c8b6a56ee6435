//! MILC on the 1,056-node dragonfly of MFNetSim (Wang et al. 2025), against its published output.
//!
//! The allocation files belong to the shared data, which is not part of this repository: without
//! them the tests skip. Theirs are means over 100 iterations; hops and shares do not depend on
//! how many there are. With `--nocapture` the table is printed as Markdown.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is what a reader of the test wants"
)]

mod support;

use std::path::{Path, PathBuf};

use odonata_sim::{Config, Inputs, Outcome, run};
use serde_json::{Value, json};
use support::{Unattended, number};

const ALLOCATIONS: &str = "data/reference/mfnetsim/conf/alloc";

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
            "credit_delay_ps": 1_419, "credit_return": "reservation", "input_buffer_bytes": 16_384,
            "host_buffer_bytes": 32_768, "global_buffer_bytes": 16_384,
            "output_buffer_bytes": 16_384, "speedup": 1, "arbitration": std::env::var("ARB").unwrap_or("lowest-vc".into()),
        },
        "packet": {"size_bytes": 4_096, "flit_bytes": 64, "header_bytes": 0, "delivery": "tail"},
        "nic": {"buffer_packets": 30},
        "mpi": {"preset": "codes", "eager_limit": 1_u64 << 30},
    })
}

/// `iterations` of MILC on an allocation file.
fn milc(allocation: &str, text: &str, routing: &str, iterations: u32) -> Outcome {
    let config: Config = serde_json::from_value(json!({
        "seed": 1, "system": system(), "routing": if routing == "dally-minimal" { json!({"algorithm":"codes-par","threshold": 1u32<<30})} else {json!({"algorithm": routing, "scale": std::env::var("SCALE").map_or(1, |s| s.parse().unwrap())})},
        "jobs": [{
            "name": "milc", "role": "victim",
            "placement": {
                "kind": "list", "file": allocation, "text": text, "line": 0, "per_group": 30,
            },
            "workload": {"kind": "milc", "ranks": 300, "iterations": iterations},
        }],
        "stop": {"time_ps": 5_000_000_000_000_u64},
    }))
    .unwrap();
    run(&config, &Inputs::default(), 1, &Unattended).unwrap()
}
fn explore() -> u32 {
    std::env::var("ITER")
        .ok()
        .and_then(|t| t.parse().ok())
        .unwrap_or(2)
}

#[test]
fn milc_hops_and_latency() {
    let rows = [
        ("cont", "dally-minimal", 2.456_777, 32.125_484, 992.52, 0.0),
        (
            "cont",
            "codes-par",
            2.882_076,
            19.960_135,
            335.92,
            0.304_669,
        ),
        (
            "rand_node0",
            "dally-minimal",
            3.700_654,
            19.240_789,
            485.83,
            0.0,
        ),
        (
            "rand_node0",
            "codes-par",
            5.045_499,
            25.062_218,
            218.24,
            0.710_242,
        ),
    ];
    let only = std::env::var("ONLY").unwrap_or_default();
    for (allocation, routing, hops, latency, comm, share) in rows {
        let name = format!("{allocation}-1d-1056-300p1.conf");
        if !format!("{allocation} {routing}").contains(&only) {
            continue;
        }
        let path = shared().join(ALLOCATIONS).join(&name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!(
                "skipped: no {}; set ODONATA_SHARED to the shared data",
                path.display()
            );
            return;
        };
        let started = std::time::Instant::now();
        let outcome = milc(&name, &text, routing, explore());
        let ours = number(&outcome, "/network/hops_mean");
        let inside = number(&outcome, "/network/packet_latency_ns/mean")
            - number(&outcome, "/network/queueing_ns_mean");
        println!(
            "{allocation} {routing} hops {hops} {ours:.4} {:+.2}% lat {latency} {:.3} {:+.1}% comm {comm} {:.2} {:+.1}% non {share:.4} {:.4} wall {:.1}",
            (ours / hops - 1.0) * 100.0,
            inside / 1e3,
            (inside / 1e3 / latency - 1.0) * 100.0,
            number(&outcome, "/jobs/0/comm_time_ns/mean") / 1e6 / f64::from(explore()) * 100.0,
            (number(&outcome, "/jobs/0/comm_time_ns/mean") / 1e4 / f64::from(explore()) / comm
                - 1.0)
                * 100.0,
            number(&outcome, "/network/nonminimal_fraction"),
            started.elapsed().as_secs_f64()
        );
    }
}
