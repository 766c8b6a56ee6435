//! Every limit of the table "Sizes" in `docs/limitations.md`, at it and beyond. Those on what a run
//! counts are in `integers.rs`, those on memory and records in `endless.rs`; those on ports and
//! routers alone in the tests of `topology`.

use crate::support::{Traces, US, config, dragonfly, inputs, job, open_loop};
use odonata_sim::{Config, check};
use serde_json::{Value, json};

/// A dragonfly of 32 nodes in 8 groups.
fn system() -> Value {
    dragonfly((2, 2, 4, 8), "voq")
}

fn of(system: &Value) -> Config {
    let jobs = [open_loop("uniform", 0.1, 512, "fixed")];
    config(system, "minimal", &jobs, Some((0, US, US)))
}

/// Why `config` is refused; empty if it is not.
fn refusal(config: &Config) -> String {
    let refused = check(config, &inputs(&Traces::new()));
    refused.map_or_else(|error| error.to_string(), |_| String::new())
}

#[track_caller]
fn holds(config: &Config) {
    assert_eq!(refusal(config), "");
}

#[track_caller]
fn refused(config: &Config, part: &str) {
    let found = refusal(config);
    assert!(found.contains(part), "{part:?} is not in {found:?}");
}

fn with(pointer: &str, value: Value) -> Config {
    let mut system = system();
    match system.pointer_mut(pointer) {
        Some(entry) => *entry = value,
        None => unreachable!("the system has {pointer}"),
    }
    of(&system)
}

#[test]
fn ports_of_a_router() {
    holds(&of(&dragonfly((255, 1, 0, 1), "voq")));
    refused(&of(&dragonfly((256, 1, 0, 1), "voq")), "at most 255");
}

/// As many nodes as can be numbered are too many for little memory, and more for any.
#[test]
fn nodes() {
    // 64 routers of 64 nodes in each of 4,096 groups, and one group more.
    for (groups, part) in [
        (4_096, "of memory and 1 MB are free"),
        (4_097, "nodes: 16781312"),
    ] {
        let mut inputs = inputs(&Traces::new());
        inputs.memory_bytes = Some(1_000_000);
        let error = check(&of(&dragonfly((64, 64, 64, groups), "voq")), &inputs);
        let found = error.map_or_else(|error| error.to_string(), |_| String::new());
        assert!(found.contains(part), "{part:?} is not in {found:?}");
    }
}

#[test]
fn jobs() {
    let workload = json!({"kind": "allreduce", "ranks": 1, "message": 8});
    let jobs = |count: usize| -> Vec<Value> {
        let named = |index| job(&format!("j{index}"), "contiguous", workload.clone());
        (0..count).map(named).collect()
    };
    let system = dragonfly((4, 8, 4, 33), "voq");
    holds(&config(&system, "minimal", &jobs(255), None));
    refused(
        &config(&system, "minimal", &jobs(256), None),
        "more than the 255",
    );
}

#[test]
fn packets_and_buffers() {
    let packet = |size: u64, buffer: u64| {
        let mut system = system();
        system["packet"]["size_bytes"] = json!(size);
        for name in ["input_buffer_bytes", "output_buffer_bytes"] {
            system["router"][name] = json!(buffer);
        }
        of(&system)
    };
    holds(&packet(65_535, 65_536));
    refused(&packet(65_536, 65_536), "1 to 65535");
    holds(&packet(512, 512));
    refused(&packet(512, 511), "must fit");
    // 128 B a flit, 8 ports, 2 virtual channels: 2^31 / 16 flits, less one.
    let channels = {
        let report = check(&packet(512, 512), &inputs(&Traces::new()));
        let needed = report.map(|report| report["virtual_channels"].as_u64());
        needed.ok().flatten().unwrap_or(0)
    };
    let radix = 2 + 1 + 4;
    let most = ((1_u64 << 31) - 1) / (radix * channels);
    holds(&packet(512, most * 128));
    refused(&packet(512, (most + 1) * 128), "counted up to 2^31");
    refused(&packet(512, 128 << 30), "more than 2^30 flits");
}

#[test]
fn delays_apart() {
    // The safe window is 40 ns, there and back between a node and its router: 16,384 slots of it,
    // less three.
    let far = |latency: u64| with("/links/global/latency_ps", json!(latency));
    let most = (16_384 - 3) * 40_000;
    holds(&far(most - 20_000));
    refused(&far(most + 40_000), "bring latencies closer together");
}

#[test]
fn the_shortest_delay() {
    let near = |latency: u64| {
        let mut system = system();
        system["router"]["latency_ps"] = json!(0);
        system["router"]["credit_delay_ps"] = json!(0);
        for kind in ["host", "local", "global"] {
            system["links"][kind]["latency_ps"] = json!(latency);
        }
        of(&system)
    };
    holds(&near(16));
    refused(&near(15), "no delay to work with");
}

#[test]
fn virtual_channels_of_all_classes() {
    let classes = |count: u64, routing: &str| {
        let mut system = system();
        let class = |index| json!({"name": format!("c{index}"), "cap_ppm": 100_000});
        system["qos"] = json!({"window_ps": US, "monitor": "static",
                               "classes": (0..count).map(class).collect::<Vec<_>>()});
        let mut config = of(&system);
        config.routing.algorithm = routing.to_owned();
        config
    };
    holds(&classes(8, "minimal"));
    refused(&classes(9, "minimal"), "1 to 8 traffic classes");
    refused(
        &classes(8, "par"),
        "virtual channels of all traffic classes",
    );
}

#[test]
fn routing_modes() {
    let workload = json!({"kind": "allreduce", "ranks": 1, "message": 8});
    let modes = |count: i64| {
        let own = |bias: i64| {
            let mut job = job(&format!("j{bias}"), "contiguous", workload.clone());
            job["routing"] = json!({"algorithm": "ugal-group", "bias": bias});
            job
        };
        let jobs: Vec<Value> = (0..count).map(own).collect();
        config(&system(), "minimal", &jobs, None)
    };
    // That of the scenario is one of them.
    holds(&modes(30));
    refused(&modes(31), "31");
}

#[test]
fn simulated_time() {
    let until = |seconds: u64| {
        let mut config = of(&system());
        config.stop.time_ps = seconds * 1_000_000 * US;
        config
    };
    holds(&until(259_200));
    refused(&until(259_201), "at most 3 days");
}

#[test]
fn bandwidth() {
    let fast = |rate: u64| with("/links/local/bandwidth_bytes_per_s", json!(rate));
    // 512 B in 100 ps, in 99.2 ps, in 99.004 ps and in 64 ps.
    holds(&fast(5_120_000_000_000));
    holds(&fast(5_160_000_000_000));
    refused(&fast(5_171_500_000_000), "too fast for a clock of 1 ps");
    holds(&fast(8_000_000_000_000));
    let mut large = system();
    large["packet"]["size_bytes"] = json!(65_535);
    large["router"]["input_buffer_bytes"] = json!(65_536);
    large["links"]["global"]["bandwidth_bytes_per_s"] = json!(1_000_000_000_000_000_u64);
    holds(&of(&large));
    large["links"]["global"]["bandwidth_bytes_per_s"] = json!(1_000_000_000_000_001_u64);
    refused(&of(&large), "at most 1 PB/s");
}
