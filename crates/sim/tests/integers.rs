//! Numbers that are larger than usual: long waits, long sums, long messages, long silences.

use crate::support::{
    Traces, US, config, count, dragonfly, fingerprint, job, number, outcome, table, text, whole,
};
use odonata_sim::{Config, Outcome};
use serde_json::{Value, json};

const SECOND: u64 = 1_000_000 * US;

fn run(config: &Config) -> Outcome {
    outcome(config, &Traces::new(), 1)
}

/// A small dragonfly with these bandwidths of host and global links, and delays of milliseconds, so
/// that long times are simulated quickly.
fn slow(host: u64, global: u64, flit: u32) -> Value {
    let mut system = dragonfly((2, 1, 1, 2), "voq");
    let link = |rate: u64| json!({"bandwidth_bytes_per_s": rate, "latency_ps": 2_000 * US});
    system["links"] = json!({
        "host": link(host), "local": link(25_000_000_000), "global": link(global),
    });
    system["packet"] =
        json!({"size_bytes": 64, "flit_bytes": flit, "header_bytes": 0, "delivery": "head"});
    system
}

fn with_stop(mut config: Config, time_ps: u64) -> Config {
    config.stop.time_ps = time_ps;
    config
}

fn real<'a>(outcome: &'a Outcome, name: &str, column: &str) -> &'a [f64] {
    let mut columns = table(outcome, name).columns.iter();
    match columns.find(|(known, _)| *known == column) {
        Some((_, odonata_sim::Column::F64(values))) => values,
        _ => unreachable!("`{name}` has numbers in `{column}`"),
    }
}

/// All packets are created in 4 ms and leave one by one, 0.64 s each: latencies are a ramp of
/// thousands of seconds, whose sum has more than 64 bits, in picoseconds.
#[test]
fn sums_of_latencies_do_not_wrap() {
    let message = json!({
        "kind": "open-loop", "pattern": "uniform", "load": 1e6, "message": 64, "arrival": "fixed",
        "ranks": 2,
    });
    let system = slow(100, 25_000_000_000, 64);
    let measure = (0, 4_000 * US, 50_000 * SECOND);
    let jobs = [job("traffic", "contiguous", message)];
    let config = with_stop(
        config(&system, "minimal", &jobs, Some(measure)),
        100_000 * SECOND,
    );
    let outcome = run(&config);
    assert_eq!(text(&outcome, "/stop"), "finished");
    assert_eq!(count(&outcome, "/network/measured_packets_undelivered"), 0);
    let packets = count(&outcome, "/jobs/0/packets");
    assert_eq!(packets, 12_500);
    // The k-th packet of either node waits for k others: k * 0.64 s.
    let last = 6_249.0 * 0.64e9;
    let near = |pointer: &str, expected: f64| {
        let found = number(&outcome, pointer);
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{pointer}: {found} and not {expected}"
        );
    };
    near("/network/packet_latency_ns/max", last);
    near("/network/packet_latency_ns/mean", last / 2.0);
    near("/network/packet_latency_ns/p50", last / 2.0);
    near("/network/queueing_ns_mean", last / 2.0);
    let mut sum = 0.0;
    let delivered = whole(&outcome, "series", "packets_delivered");
    for (mean, packets) in real(&outcome, "series", "latency_ns_mean")
        .iter()
        .zip(delivered)
    {
        #[expect(clippy::cast_precision_loss, reason = "statistics")]
        let packets = *packets as f64;
        sum += if packets > 0.0 { mean * packets } else { 0.0 };
    }
    assert!((sum / (12_500.0 * last / 2.0) - 1.0).abs() < 0.01, "{sum}");
}

/// Offered twice what the host link takes, for so long that packets wait for seconds.
#[test]
fn a_wait_of_seconds_is_a_wait_of_seconds() {
    let message = json!({
        "kind": "open-loop", "pattern": "uniform", "load": 2.0, "message": 64,
        "arrival": "exponential",
    });
    let system = slow(1_000_000, 25_000_000_000, 64);
    for measure in [(0, 4 * SECOND, 5 * SECOND), (SECOND, 3 * SECOND, 0)] {
        let jobs = [job("traffic", "contiguous", message.clone())];
        let mut config = config(&system, "minimal", &jobs, Some(measure));
        config.stop.time_ps = 20 * SECOND;
        let one = run(&config);
        assert_eq!(text(&one, "/stop"), "finished");
        let accepted = number(&one, "/network/accepted_load");
        assert!((accepted - 1.0).abs() < 0.01, "{measure:?}: {accepted}");
        let undelivered = count(&one, "/network/measured_packets_undelivered");
        // With time to drain all packets come, the last of them after 4 s of waiting.
        if measure.2 > 0 {
            assert_eq!(undelivered, 0);
            let longest = number(&one, "/network/packet_latency_ns/max");
            assert!((longest / 4e9 - 1.0).abs() < 0.05, "{longest}");
        }
        let three = outcome(&config, &Traces::new(), 3);
        assert!(fingerprint(&one) == fingerprint(&three));
    }
}

/// Packets that wait inside the network: the buffers in front of a slow link take them at once.
#[test]
fn a_packet_may_spend_minutes_in_the_network() {
    let mut system = slow(25_000_000_000, 100, 64);
    for (size, flit) in [(64, 64), (60, 16)] {
        system["packet"]["size_bytes"] = json!(size);
        system["packet"]["flit_bytes"] = json!(flit);
        let workload = json!({
            "kind": "open-loop", "pattern": "adversarial", "load": 1e6, "message": size,
            "arrival": "fixed",
        });
        let jobs = [job("traffic", "contiguous", workload)];
        // All created within a window of the slow link.
        let measure = (0, 1_000_000, 20_000 * SECOND);
        let mut config = config(&system, "minimal", &jobs, Some(measure));
        config.telemetry.packet_sample = 1;
        config.stop.time_ps = 100 * SECOND;
        let outcome = run(&config);
        let created = real(&outcome, "packets", "created_ns");
        let injected = real(&outcome, "packets", "injected_ns");
        let delivered = real(&outcome, "packets", "delivered_ns");
        let mut longest = 0.0_f64;
        for ((created, injected), delivered) in created.iter().zip(injected).zip(delivered) {
            assert!(*created <= *injected && *injected < *delivered);
            longest = longest.max(delivered - injected);
        }
        assert!(
            longest > 30e9,
            "{longest}: the buffers hold packets for long"
        );
        let times = created.iter().zip(delivered);
        let measured = times.filter(|(created, _)| **created < 1_000.0);
        let longest = measured.map(|(created, delivered)| delivered - created);
        let longest = longest.fold(0.0, f64::max);
        let reported = number(&outcome, "/network/packet_latency_ns/max");
        assert!(
            (reported / longest - 1.0).abs() < 1e-4,
            "{reported} {longest}"
        );
    }
}

/// 2^41 bytes are 2^32 packets of 512 bytes, which is more than 32 bits count.
#[test]
fn a_message_of_more_than_four_thousand_million_packets_takes_its_time() {
    let mut system = dragonfly((2, 2, 1, 3), "voq");
    system["mpi"] = json!({"preset": "ideal"});
    for message in [1_u64 << 41, (1 << 41) + 512, 1 << 50] {
        let workload = json!({"kind": "allreduce", "ranks": 2, "message": message});
        let config = config(
            &system,
            "minimal",
            &[job("a", "contiguous", workload)],
            None,
        );
        let outcome = run(&with_stop(config, 50 * US));
        assert_eq!(text(&outcome, "/stop"), "time-limit", "{message} B");
        assert_eq!(count(&outcome, "/jobs/0/ranks_finished"), 0, "{message} B");
    }
}

/// A time limit that falls into an idle stretch is the end of the run.
#[test]
fn an_idle_stretch_is_simulated_up_to_the_limit() {
    let system = dragonfly((2, 2, 1, 3), "voq");
    let workload = json!({"kind": "allreduce", "ranks": 6, "message": 4_096, "iterations": 2,
                          "compute": 100_000 * US});
    let config = config(
        &system,
        "minimal",
        &[job("a", "contiguous", workload)],
        None,
    );
    for limit_us in [3_u64, 1_000, 60_000] {
        let outcome = run(&with_stop(config.clone(), limit_us * US));
        assert_eq!(text(&outcome, "/stop"), "time-limit");
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let expected = (limit_us * 1_000) as f64;
        let simulated = number(&outcome, "/simulated_ns");
        assert!(
            (expected..expected + 1_000.0).contains(&simulated),
            "{simulated}"
        );
    }
}

/// A cost of centuries is a time limit, neither a short one nor a stall.
#[test]
fn costs_do_not_wrap() {
    let mut system = dragonfly((2, 2, 1, 3), "voq");
    system["mpi"] = json!({"preset": "firefly-kang2022", "send_copy_per_byte": 1_u64 << 40});
    let workload = json!({"kind": "allreduce", "ranks": 6, "message": 1 << 24});
    let mut system_of_pages = system.clone();
    system_of_pages["mpi"] = json!({"register_per_page": 1_u64 << 62, "eager_limit": 0});
    for system in [system, system_of_pages] {
        let jobs = [job("a", "contiguous", workload.clone())];
        let outcome = run(&config(&system, "minimal", &jobs, None));
        assert_eq!(text(&outcome, "/stop"), "time-limit");
        assert_eq!(count(&outcome, "/jobs/0/ranks_finished"), 0);
    }
    let workload = json!({"kind": "allreduce", "ranks": 6, "message": 8, "iterations": 5,
                          "compute": (1_u64 << 63) - 1});
    let system = dragonfly((2, 2, 1, 3), "voq");
    let outcome = run(&config(
        &system,
        "minimal",
        &[job("a", "contiguous", workload)],
        None,
    ));
    assert_eq!(text(&outcome, "/stop"), "time-limit");
}

/// Host and local latencies far above that between groups are no stall.
#[test]
fn long_ways_to_the_nodes_are_no_stall() {
    let mut system = dragonfly((2, 4, 2, 9), "voq");
    system["links"]["host"]["latency_ps"] = json!(3 * US);
    system["links"]["global"]["latency_ps"] = json!(1_000);
    system["router"]["credit_delay_ps"] = json!(0);
    system["packet"] =
        json!({"size_bytes": 16, "flit_bytes": 16, "header_bytes": 0, "delivery": "tail"});
    let workload = json!({"kind": "allreduce", "ranks": 8, "message": 8});
    let config = config(
        &system,
        "minimal",
        &[job("a", "contiguous", workload)],
        None,
    );
    assert_eq!(text(&run(&config), "/stop"), "finished");
}
