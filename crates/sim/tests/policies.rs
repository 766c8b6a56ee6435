//! Policies in a run: what is paid, what is told, and what they answer to.

use crate::support::{
    Traces, US, config, count, fingerprint, floats, inputs, job, number, open_loop, outcome, whole,
    words,
};
use odonata_sim::{Config, check};
use serde_json::{Value, json};

/// 48 nodes with the packets of Aries.
fn aries() -> Value {
    let mut system = crate::support::theta();
    system["topology"] = json!({
        "kind": "aries", "groups": 4, "rows": 2, "columns": 3, "nodes_per_router": 2,
        "column_links": 1, "global_ports_per_router": 2, "chassis_per_cabinet": 1,
    });
    let link =
        |rate: u64, latency: u64| json!({"bandwidth_bytes_per_s": rate, "latency_ps": latency});
    system["links"] = json!({
        "host": link(16_000_000_000, 10_000), "local": link(5_250_000_000, 10_000),
        "row": link(5_250_000_000, 10_000), "column": link(5_250_000_000, 15_000),
        "global": link(4_700_000_000, 100_000),
    });
    system["router"] = json!({
        "architecture": "voq", "latency_ps": 100_000, "credit_delay_ps": 10_000,
        "input_buffer_bytes": 8_192, "host_buffer_bytes": 8_192, "global_buffer_bytes": 16_384,
    });
    system["packet"] = json!({"size_bytes": 80, "flit_bytes": 16, "header_bytes": 16});
    system["nic"] = json!({"buffer_packets": 1, "response_bytes": 16, "outstanding": 1024});
    system["mpi"] = json!({"preset": "ideal"});
    system
}

fn with(mut job: Value, more: &[(&str, Value)]) -> Value {
    for (key, value) in more {
        job[*key] = value.clone();
    }
    job
}

fn ping_pong(message: u64, iterations: u64) -> Value {
    let workload = json!({"kind": "ping-pong", "ranks": 2, "message": message,
                          "iterations": iterations});
    let mut job = job("ping", "list", workload);
    job["placement"]["nodes"] = json!([0, 40]);
    job
}

fn alone(job: Value) -> Config {
    config(&aries(), "adaptive-0", &[job], None)
}

/// A ping-pong with a reading of 40 us after each message of 64 KiB, which takes 8 us.
#[test]
fn readings_are_paid_for() {
    let policy =
        |read: u64| json!({"kind": "application-aware", "counter_read": read, "extensions": []});
    let run = |read: u64| {
        let steered = with(ping_pong(65_536, 10), &[("policy", policy(read))]);
        outcome(&alone(steered), &Traces::new(), 1)
    };
    let (free, paid) = (run(0), run(40 * US));
    let of = |outcome: &_| number(outcome, "/jobs/0/comm_time_ns/max");
    assert_eq!(count(&paid, "/jobs/0/policy/readings"), 20);
    assert!((number(&paid, "/jobs/0/policy/reading_ns") - 800_000.0).abs() < 1e-6);
    // The answer is there before the sender has read its counters: an iteration lasts as long as a
    // reading, the last one as long as an answer at least.
    assert!(of(&free) < 200_000.0, "{}", of(&free));
    let range = 9.0 * 40_000.0..=10.0 * 40_000.0 + of(&free) / 10.0;
    assert!(range.contains(&of(&paid)), "{} not in {range:?}", of(&paid));
    assert_eq!(count(&free, "/jobs/0/policy/messages"), 20);
}

#[test]
fn modes_are_told_in_the_tables_and_the_summary() {
    let workload = json!({"kind": "alltoall", "ranks": 24, "message": 6_000, "iterations": 3});
    let steered = with(
        job("all", "random-node", workload),
        &[("policy", json!({"kind": "application-aware"}))],
    );
    let found = outcome(&alone(steered), &Traces::new(), 1);
    let messages = whole(&found, "decisions", "messages").iter().sum::<u64>();
    assert_eq!(messages, count(&found, "/jobs/0/policy/messages"));
    assert_eq!(messages, count(&found, "/jobs/0/messages_sent"));
    let modes = words(&found, "decisions", "routing");
    assert!(modes.contains(&"adaptive-1"), "an alltoall");
    assert!(modes.iter().all(|mode| *mode != "adaptive-0"));
    let shares = found.summary["jobs"][0]["policy"]["bytes_share"].as_object();
    let shares = shares.map_or(0.0, |all| all.values().filter_map(Value::as_f64).sum());
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
}

#[test]
fn routings_take_turns_and_the_policy_comes_last() {
    let turns = json!([{"algorithm": "adaptive-0"}, {"algorithm": "adaptive-3"}]);
    let policy = json!({"kind": "application-aware", "counter_read": 0});
    let run = |more: &[(&str, Value)]| {
        let traces = Traces::new();
        outcome(&alone(with(ping_pong(8_192, 12), more)), &traces, 1)
    };
    let both = run(&[("alternated", turns.clone()), ("policy", policy)]);
    let names = words(&both, "iterations", "routing");
    assert_eq!(
        names[..3],
        ["adaptive-0", "adaptive-3", "application-aware"]
    );
    assert_eq!(names[..3], names[9..12]);
    // Of 12 iterations, 4 are the policy's: two messages each.
    assert_eq!(count(&both, "/jobs/0/policy/messages"), 8);
    // Minimal and valiant differ in length: so do their iterations, in turns.
    let run =
        |more: &[(&str, Value)]| outcome(&alone(with(ping_pong(64, 12), more)), &Traces::new(), 1);
    let far = json!([{"algorithm": "minimal"}, {"algorithm": "valiant-node"}]);
    let found = run(&[("alternated", far)]);
    let times = floats(&found, "iterations", "comm_time_ns");
    let mean = |first: usize| times[first..12].iter().step_by(2).sum::<f64>() / 6.0;
    assert!(mean(1) > 1.2 * mean(0), "{times:?}");
    let plain = run(&[]);
    assert!(
        words(&plain, "iterations", "routing")
            .iter()
            .all(|name| *name == "adaptive-0")
    );
}

/// A bias that drives every packet away from minimal paths, in the routing that the job names.
#[test]
fn a_mode_of_the_policy_has_the_parameters_that_the_job_names() {
    let policy = json!({"kind": "application-aware", "counter_read": 0, "always": "adaptive-3"});
    let run = |key: &str, routing: Value| {
        let more = [("policy", policy.clone()), (key, routing)];
        let job = with(ping_pong(8_192, 12), &more);
        let found = outcome(&alone(job), &Traces::new(), 1);
        number(&found, "/jobs/0/nonminimal_fraction")
    };
    let away = json!({"algorithm": "adaptive-3", "bias": -1_000});
    let usual = run("routing", json!({"algorithm": "adaptive-0"}));
    let named = run("routing", away.clone());
    assert!(usual < 0.5 && named > 0.9, "{usual}, {named}");
    let half = run("alternated", json!([{"algorithm": "adaptive-0"}, away]));
    assert!(
        half > 0.9 * 2.0 / 3.0,
        "its own turn and the policy's: {half}"
    );
}

/// Bursts of an incast stall the NICs of a victim; between them its policy goes back.
#[test]
fn bursts_of_others_move_the_policy_both_ways() {
    let stencil = json!({"kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": 8_000,
                         "iterations": 10});
    let victim = with(
        job("victim", "random-node", stencil),
        &[(
            "policy",
            json!({"kind": "application-aware", "counter_read": 0, "extensions": []}),
        )],
    );
    let incast = json!({"kind": "open-loop", "ranks": 21, "pattern": "uniform", "load": 0.5,
                        "message": 4_096, "arrival": "exponential", "burst": 8 * US,
                        "pause": 8 * US});
    let mut others = open_loop("uniform", 0.6, 4_096, "exponential");
    others["workload"] = incast;
    others["role"] = json!("background");
    others["name"] = json!("others");
    others["placement"] = json!({"kind": "random-node"});
    let config = config(&aries(), "adaptive-0", &[victim, others], None);
    let found = outcome(&config, &Traces::new(), 1);
    let modes = words(&found, "decisions", "routing").into_iter();
    let changes = modes.zip(whole(&found, "decisions", "changes"));
    let to = |mode: &str| {
        let some = changes.clone().filter(|(name, _)| *name == mode);
        some.map(|(_, changes)| changes).sum::<u64>()
    };
    let (there, back) = (to("adaptive-3"), to("adaptive-0"));
    assert!(there > 10 && back > 3, "{there} {back}");
    let one = fingerprint(&found);
    for threads in [2, 3] {
        let other = fingerprint(&outcome(&config, &Traces::new(), threads));
        assert!(one == other, "{threads} threads");
    }
}

#[test]
fn what_cannot_be_is_refused_in_a_sentence() {
    let refused = |config: &Config| {
        let found = check(config, &inputs(&Traces::new()));
        found.map_or_else(|error| error.to_string(), |_| String::new())
    };
    let policy = |kind: &str| ("policy", json!({ "kind": kind }));
    let steered = |kind: &str| with(ping_pong(8, 1), &[policy(kind)]);
    let dragonfly = crate::support::dragonfly((2, 4, 2, 9), "voq");
    let unanswered = config(
        &dragonfly,
        "adaptive-0",
        &[steered("application-aware")],
        None,
    );
    assert!(refused(&unanswered).contains("packets are not answered"));
    let text = refused(&alone(steered("slingshat")));
    assert!(
        text.contains("did you mean `slingshot`") || text.contains("slingshot"),
        "{text}"
    );
    let source = with(
        open_loop("uniform", 0.1, 512, "fixed"),
        &[policy("slingshot")],
    );
    let measure = Some((US, US, US));
    let text = refused(&config(&aries(), "adaptive-0", &[source], measure));
    assert!(text.contains("knows no policy"), "{text}");
    let wrong = json!({"kind": "application-aware", "damping_hold": 3});
    let text = refused(&alone(with(ping_pong(8, 1), &[("policy", wrong)])));
    assert!(text.contains("without the extension `damping`"), "{text}");
    let named = json!({"kind": "slingshot", "urgent_class": "fast"});
    let text = refused(&alone(with(ping_pong(8, 1), &[("policy", named)])));
    assert!(text.contains("qos"), "{text}");
}

/// Two jobs on the same two nodes. One reads its counters for a long time after every message; the
/// other is not held up by it.
#[test]
fn a_reading_holds_up_the_ranks_of_its_job_only() {
    let run = |read: u64, nics: u32| {
        let policy = json!({"kind": "application-aware", "counter_read": read, "extensions": []});
        let shares = ("share_nodes", json!(true));
        let steered = with(ping_pong(65_536, 10), &[shares.clone(), ("policy", policy)]);
        let beside = with(ping_pong(65_536, 10), &[shares, ("name", json!("beside"))]);
        let mut system = aries();
        system["node"] = json!({ "nics": nics });
        let mut jobs = [steered, beside];
        for job in &mut jobs {
            // Nodes of one NIC or of two: the same ends of the network.
            job["placement"]["nodes"] = json!([0, 40 / nics]);
        }
        outcome(
            &config(&system, "adaptive-0", &jobs, None),
            &Traces::new(),
            1,
        )
    };
    for nics in [1, 2] {
        let (free, paid) = (run(0, nics), run(40 * US, nics));
        let time = |found: &_, job: usize| number(found, &format!("/jobs/{job}/comm_time_ns/max"));
        assert_eq!(count(&paid, "/jobs/0/policy/readings"), 20, "{nics}");
        assert!(time(&paid, 0) > 2.0 * time(&free, 0), "{nics} NICs");
        let (with, without) = (time(&paid, 1), time(&free, 1));
        assert!(with < 1.2 * without, "{nics} NICs: {with} {without}");
        assert!(paid.summary["jobs"][1]["policy"].is_null(), "{nics} NICs");
    }
}
