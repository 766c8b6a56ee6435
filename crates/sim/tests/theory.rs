//! What theory says of throughput, waits and conservation.

use crate::support::{
    Letters, Traces, US, config, count, dragonfly, inputs, job, number, open_loop, outcome, text,
    whole, words,
};
use odonata_sim::{Config, Outcome, check};
use serde_json::{Value, json};

/// Balanced: a = 2p = 2h.
const BALANCED: Letters = (3, 6, 3, 19);

fn saturated(letters: Letters, routing: &str, pattern: &str, architecture: &str, load: f64) -> f64 {
    let outcome = loaded(letters, routing, pattern, architecture, load);
    number(&outcome, "/network/accepted_load")
}

fn loaded(
    letters: Letters,
    routing: &str,
    pattern: &str,
    architecture: &str,
    load: f64,
) -> Outcome {
    let traffic = open_loop(pattern, load, 512, "exponential");
    let system = dragonfly(letters, architecture);
    let config = config(&system, routing, &[traffic], Some((20 * US, 20 * US, 0)));
    outcome(&config, &Traces::new(), 1)
}

/// Load that minimal routing accepts of adversarial traffic, in global links per group. The window
/// is a multiple of the round trip of credits, 640 ns.
fn accepted_links(letters: Letters, architecture: &str, shift: u32, buffer: u64) -> f64 {
    let mut traffic = open_loop("adversarial", 0.5, 512, "exponential");
    traffic["workload"]["shift"] = json!(shift);
    let mut system = dragonfly(letters, architecture);
    system["router"]["input_buffer_bytes"] = json!(buffer);
    let config = config(
        &system,
        "minimal",
        &[traffic],
        Some((40 * US, 64 * 640_000, 0)),
    );
    let accepted = number(
        &outcome(&config, &Traces::new(), 1),
        "/network/accepted_load",
    );
    accepted * f64::from(letters.0 * letters.1)
}

/// With a * p nodes per group and one link between two groups, minimal routing of adversarial
/// traffic carries exactly one link (Kim et al. 2008, section 4.2), if buffers cover the round trip
/// of credits.
#[test]
fn minimal_under_adversarial_traffic_accepts_one_global_link() {
    for letters in [BALANCED, (2, 4, 2, 9), (4, 8, 4, 33)] {
        for (architecture, shift) in [("voq", 1), ("cioq", 1), ("voq", 5)] {
            let links = accepted_links(letters, architecture, shift, 1 << 16);
            assert!(
                (links - 1.0).abs() < 0.001,
                "{letters:?} {architecture} +{shift}: {links}"
            );
        }
    }
}

/// Buffers below the round trip bound a virtual channel: 30 packets per 2 (300 + 20) ns are 96 % of
/// a link of 25 GB/s.
#[test]
fn short_buffers_bound_a_link_by_the_round_trip_of_credits() {
    for packets in [10_u32, 30] {
        let bound = f64::from(packets) * 20.48 / 640.0;
        let links = accepted_links(BALANCED, "voq", 1, u64::from(packets) * 512);
        assert!(
            links <= bound * 1.000_5,
            "{packets} packets: {links} above {bound}"
        );
        assert!(
            links > bound * 0.99,
            "{packets} packets: {links} instead of {bound}"
        );
    }
}

/// Valiant routing uses two global links per packet that leaves its group, so that a balanced
/// system accepts at most half of those (Kim et al. 2008, section 4.2); unlike minimal routing it
/// accepts much under any pattern.
#[test]
fn valiant_accepts_at_most_half() {
    let (p, a, _, g) = BALANCED;
    let inside = f64::from(a * p - 1) / f64::from(a * p * g - 1);
    for routing in ["valiant-group", "valiant-node"] {
        for architecture in ["voq", "cioq"] {
            let uniform = saturated(BALANCED, routing, "uniform", architecture, 1.0);
            // Packets inside a group use no global link.
            let bound = 0.5 / (1.0 - inside);
            assert!(
                uniform <= bound,
                "{routing} {architecture}: {uniform} above {bound}"
            );
            assert!(uniform > 0.35, "{routing} {architecture}: {uniform}");
            for pattern in ["adversarial", "tornado", "nearest-group"] {
                let accepted = saturated(BALANCED, routing, pattern, architecture, 1.0);
                assert!(
                    accepted <= 0.5,
                    "{routing} {pattern} {architecture}: {accepted}"
                );
                assert!(
                    accepted > 0.1,
                    "{routing} {pattern} {architecture}: {accepted}"
                );
            }
        }
    }
}

/// Adaptive routing with its defaults is minimal where nothing waits, carries nearly what minimal
/// routing carries of uniform traffic, and what Valiant routing carries of adversarial traffic (Kim
/// et al. 2008, section 4.3). `docs/model/routing.md` has seven systems.
#[test]
fn adaptive_routing_is_minimal_when_idle_and_valiant_when_it_must_be() {
    let letters = (2, 4, 2, 9);
    for architecture in ["voq", "cioq"] {
        let saturated = |routing: &str, pattern: &str, load: f64| {
            saturated(letters, routing, pattern, architecture, load)
        };
        let idle = |routing: &str| loaded(letters, routing, "uniform", architecture, 0.05);
        let latency = |outcome: &Outcome| number(outcome, "/network/packet_latency_ns/mean");
        let shortest = latency(&idle("minimal"));
        let limit = saturated("minimal", "uniform", 1.0);
        let valiant = saturated("valiant-node", "adversarial", 0.5);
        for routing in ["ugal-group", "ugal-node", "par"] {
            let here = format!("{routing} {architecture}");
            let run = idle(routing);
            assert!(
                number(&run, "/network/nonminimal_fraction") <= 0.01,
                "{here}"
            );
            assert!(latency(&run) <= 1.01 * shortest, "{here}");
            let accepted = saturated(routing, "uniform", 0.9 * limit);
            assert!(
                accepted >= 0.98 * 0.9 * limit,
                "{here}: {accepted} of {limit}"
            );
            let accepted = saturated(routing, "adversarial", 0.5);
            assert!(
                accepted >= 0.95 * valiant,
                "{here}: {accepted} of {valiant}"
            );
        }
    }
}

/// What `check` warns of.
fn warnings(system: &Value, routing: &str, traffic: Value) -> Vec<String> {
    warnings_of(&config(
        system,
        routing,
        &[traffic],
        Some((20 * US, 20 * US, 0)),
    ))
}

fn warnings_of(config: &Config) -> Vec<String> {
    let found = check(config, &inputs(&Traces::new()));
    let found = found.unwrap_or_else(|error| json!({"warnings": [error.to_string()]}));
    let texts = found["warnings"].as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// On `dragonfly(2, 4, 2, 9)`, 8 nodes of a group and a link for each of 8 other groups: keys of
/// open-loop traffic, routing, the load that theory lets through, and what bounds it.
fn bounds() -> Vec<(Value, &'static str, f64, &'static str)> {
    let (minimal, others) = ("on minimal paths", "on non-minimal paths");
    let targets = "its targets can receive";
    let plain = |pattern: &str| json!({"pattern": pattern});
    let hot = json!({"pattern": "hotspot", "hot_fraction": 0.5, "hot_nodes": 4});
    vec![
        (plain("adversarial"), "minimal", 1.0 / 8.0, minimal),
        (plain("tornado"), "minimal", 1.0 / 8.0, minimal),
        (plain("nearest-group"), "minimal", 1.0 / 8.0, minimal),
        (plain("adversarial"), "valiant-node", 0.5, others),
        // Packets inside a group, 7 of 71, take no such link.
        (plain("uniform"), "valiant-group", 0.5 * 71.0 / 64.0, others),
        // One link directly, and seven of them for three and a half detours.
        (plain("adversarial"), "par", 4.5 / 8.0, "on any paths"),
        (plain("incast"), "minimal", 1.0 / 71.0, targets),
        (
            json!({"pattern": "incast", "hot_nodes": 8}),
            "par",
            8.0 / 64.0,
            targets,
        ),
        // Uniform packets come on top: a share of 1 for everybody.
        (hot, "minimal", 1.0 / (0.5 + 0.5 * 72.0 / 4.0), targets),
        (plain("uniform"), "minimal", 1.0, "its nodes can inject"),
    ]
}

/// A job that offers more than theory lets through is named with the bound, and no other one is.
#[test]
fn a_load_above_the_limit_of_its_pattern_is_named() {
    let system = dragonfly((2, 4, 2, 9), "voq");
    for (keys, routing, bound, words) in bounds() {
        let with = |load: f64| {
            let mut job = open_loop("uniform", load, 512, "exponential");
            for (key, value) in keys.as_object().into_iter().flatten() {
                job["workload"][key] = value.clone();
            }
            warnings(&system, routing, job)
        };
        let found = with(1.3);
        assert!(
            found.len() == 1 && found[0].contains(words),
            "{keys}: {found:?}"
        );
        let said = found[0].split("a load of ").nth(1).unwrap_or("");
        let said = said.split(". ").next().unwrap_or("").parse::<f64>();
        let said = said.unwrap_or(f64::NAN);
        assert!((said / bound - 1.0).abs() < 0.006, "{keys}: {said} {bound}");
        assert_eq!(with(bound * 0.999), [""; 0], "{keys}");
    }
}

/// Buffers below the round trip, requests that wait for answers, windows of half a burst.
#[test]
fn other_limits_of_a_setting_are_named() {
    let usual = || open_loop("uniform", 0.1, 512, "exponential");
    let said = |system: &Value, traffic: Value, words: &[&str]| {
        let found = warnings(system, "minimal", traffic);
        assert_eq!(found.len(), 1, "{found:?}");
        for word in words {
            assert!(found[0].contains(word), "{word}: {found:?}");
        }
    };
    let system = || dragonfly(BALANCED, "voq");
    assert!(warnings(&system(), "minimal", usual()).is_empty());
    let mut short = system();
    short["router"]["input_buffer_bytes"] = json!(10 * 512);
    said(
        &short,
        usual(),
        &[
            "32 % of a global link",
            "5120 B",
            "16384 B",
            "global_buffer",
        ],
    );
    let mut waiting = system();
    waiting["nic"]["response_bytes"] = json!(16);
    waiting["nic"]["outstanding"] = json!(20);
    // 2 (380 + 80) ns there and back, and a packet.
    said(
        &waiting,
        usual(),
        &["43.6 % of its bandwidth", "0.94 us", "nic.outstanding"],
    );
    // An output FIFO of 8 flits: a bias in packets is at most 4 of them, one in flits is as stated.
    let mut tiny = dragonfly(BALANCED, "cioq");
    tiny["router"]["output_buffer_bytes"] = json!(8 * 128);
    tiny["router"]["input_buffer_bytes"] = json!(24 * 128);
    tiny["router"]["global_buffer_bytes"] = json!(15_360);
    let biased = |bias: u32| {
        let mut config = config(&tiny, "par", &[usual()], Some((20 * US, 20 * US, 0)));
        let parameters = &mut config.routing.parameters;
        parameters.insert("bias".to_owned(), json!(bias));
        warnings_of(&config)
    };
    assert!(biased(0).is_empty() && biased(3).is_empty());
    let found = biased(4);
    assert!(
        found.len() == 1 && found[0].contains("shows at most 8 on a virtual channel"),
        "{found:?}"
    );
    assert!(warnings(&tiny, "minimal", usual()).is_empty());
    let mut bursts = usual();
    bursts["workload"]["burst"] = json!(15 * US);
    bursts["workload"]["pause"] = json!(15 * US);
    said(
        &system(),
        bursts.clone(),
        &["shorter than a cycle", "30 us"],
    );
    bursts["workload"]["pause"] = json!(5 * US);
    assert!(warnings(&system(), "minimal", bursts).is_empty());
}

/// Minimal routing of uniform traffic is bounded by the links alone: a balanced system with
/// unlimited buffers accepts nearly all.
#[test]
fn minimal_under_uniform_traffic_accepts_nearly_all() {
    let mut system = dragonfly(BALANCED, "voq");
    system["router"]["input_buffer_bytes"] = json!(1 << 20);
    let traffic = open_loop("uniform", 0.95, 512, "exponential");
    let config = config(&system, "minimal", &[traffic], Some((40 * US, 40 * US, 0)));
    let accepted = number(
        &outcome(&config, &Traces::new(), 1),
        "/network/accepted_load",
    );
    assert!((accepted - 0.95).abs() < 0.01, "{accepted}");
}

/// Many sources, one router, one target: the output port is an M/D/1 queue, whose mean wait is
/// `load / (2 (1 - load))` services (Pollaczek and Khinchine).
///
/// The spread of six runs gives the standard error; a deviation of five of them happens by chance
/// less than once in a hundred runs of this test with other seeds (Student's t, 5 degrees of
/// freedom: 0.4 %).
#[test]
fn a_single_output_port_is_an_md1_queue() {
    let sources = 200_u32;
    let service = 20.48;
    for load in [0.5, 0.8] {
        let waits: Vec<f64> = (1..=6).map(|seed| wait(sources, load, seed)).collect();
        let count = 6.0;
        let mean = waits.iter().sum::<f64>() / count;
        let variance = waits.iter().map(|wait| (wait - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let error = (variance / count).sqrt();
        let theory = load / (2.0 * (1.0 - load)) * service;
        assert!(
            error < 0.03 * theory,
            "{load}: waits {waits:?} are too uncertain"
        );
        assert!(
            (mean - theory).abs() < 5.0 * error.max(0.005 * theory),
            "{load}: {mean} ns, standard error {error} ns, instead of {theory} ns"
        );
    }
}

/// Mean wait at the port to node 0, ns.
fn wait(sources: u32, load: f64, seed: u64) -> f64 {
    let nodes = sources + 1;
    let system = dragonfly((nodes, 1, 0, 1), "voq");
    let workload = json!({
        "kind": "open-loop", "pattern": "hotspot", "hot_fraction": 1.0, "hot_nodes": 1,
        "load": load / f64::from(sources), "message": 512, "arrival": "exponential",
    });
    let jobs = [job("traffic", "contiguous", workload)];
    let mut config = config(
        &system,
        "minimal",
        &jobs,
        Some((100 * US, 2_000 * US, 100 * US)),
    );
    config.seed = seed;
    let outcome = outcome(&config, &Traces::new(), 1);
    assert_eq!(text(&outcome, "/stop"), "finished");
    let latency = number(&outcome, "/network/packet_latency_ns/mean");
    let queueing = number(&outcome, "/network/queueing_ns_mean");
    // Node 0 sends elsewhere, without waiting: one packet in `nodes`.
    let zero_load = 10.0 + 20.0 + 10.0 + 20.48;
    (latency - queueing - zero_load) * f64::from(nodes) / f64::from(sources)
}

fn sum(outcome: &Outcome, name: &str, column: &str) -> u64 {
    whole(outcome, name, column).iter().sum()
}

/// What the summary and every table say of bytes, packets and hops agrees.
fn check_books(outcome: &Outcome) {
    let delivered = count(outcome, "/engine/packets");
    let in_flight = count(outcome, "/engine/packets_in_flight");
    let sent = sum(outcome, "ranks", "bytes_sent");
    let arrived = sum(outcome, "series", "bytes_delivered");
    assert_eq!(sent, sum(outcome, "series", "bytes_injected"));
    assert_eq!(delivered, sum(outcome, "ranks", "packets_received"));
    assert_eq!(delivered, sum(outcome, "series", "packets_delivered"));
    assert_eq!(
        sum(outcome, "links", "bytes"),
        sum(outcome, "link_jobs", "bytes")
    );
    assert_eq!(
        sum(outcome, "links", "packets"),
        sum(outcome, "link_jobs", "packets")
    );
    let to_nodes = |column: &str| -> u64 {
        let kinds = words(outcome, "links", "kind").into_iter();
        let values = whole(outcome, "links", column).iter();
        kinds
            .zip(values)
            .filter(|(kind, _)| *kind == "host")
            .map(|(_, value)| value)
            .sum()
    };
    assert_eq!(arrived, to_nodes("bytes"));
    assert_eq!(delivered, to_nodes("packets"));
    // A packet in flight has left its node and some routers, a delivered one all of them.
    let hops = count(outcome, "/engine/packet_hops");
    let forwarded = sum(outcome, "links", "packets");
    if in_flight == 0 {
        assert_eq!((sent, forwarded), (arrived, hops));
    } else {
        assert!(
            sent > arrived && forwarded > hops,
            "{sent} {arrived} {forwarded} {hops}"
        );
    }
    let measured = sum(outcome, "latency", "packets");
    assert!(
        measured <= delivered && measured > 0,
        "{measured} {delivered}"
    );
}

#[test]
fn open_loop_traffic_is_conserved() {
    for architecture in ["voq", "cioq"] {
        for routing in ["minimal", "par"] {
            let traffic = open_loop("uniform", 0.8, 1_300, "exponential");
            let system = dragonfly(BALANCED, architecture);
            let measure = Some((3 * US, 5 * US, 20 * US));
            let outcome = outcome(
                &config(&system, routing, &[traffic], measure),
                &Traces::new(),
                2,
            );
            check_books(&outcome);
            assert_eq!(text(&outcome, "/stop"), "finished");
            assert_eq!(count(&outcome, "/network/measured_packets_undelivered"), 0);
            assert!(
                count(&outcome, "/engine/packets_in_flight") > 0,
                "sources go on"
            );
        }
    }
}

#[test]
fn jobs_that_finish_leave_nothing_behind() {
    for architecture in ["voq", "cioq"] {
        let exchange = json!({"kind": "halo3d", "ranks": 64, "face": 30_000, "iterations": 3});
        let transform =
            json!({"kind": "fft3d", "ranks": 64, "nx": 48, "ny": 48, "nz": 48, "iterations": 2});
        let jobs = [
            job("halo3d", "random-node", exchange),
            job("fft3d", "random-node", transform),
        ];
        let config = config(&dragonfly(BALANCED, architecture), "ugal-node", &jobs, None);
        let outcome = outcome(&config, &Traces::new(), 1);
        check_books(&outcome);
        assert_eq!(text(&outcome, "/stop"), "finished");
        assert_eq!(count(&outcome, "/engine/packets_in_flight"), 0);
    }
}
