//! Background traffic: intervals, rounds, rotation, incast, bursts and pauses, jittered starts.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::{BTreeMap, BTreeSet};

use odonata_endpoint::Endpoint;
use odonata_mpi::MpiParameters;
use odonata_units::{Bandwidth, JobId, NodeId};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build};
use serde_json::{Value, json};

const NODES: u32 = 24;

fn sources(seed: u64, spec: &Value) -> Result<Vec<NodeEndpoint>, String> {
    let nodes: Vec<NodeId> = (0..NODES).map(NodeId).collect();
    let context = JobContext {
        seed,
        job: JobId(0),
        name: "background",
        nodes: &nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: NODES,
            group_starts: &[0, 8, 16],
            injection: Bandwidth::from_bytes_per_second(25_000_000_000).unwrap(),
            flit_bytes: 128,
            packet_bytes: 512,
        },
        mpi: &MpiParameters::preset("ideal").unwrap(),
        traces: &BTreeMap::new(),
    };
    build(spec.as_object().unwrap(), &context).map_err(|error| error.to_string())
}

/// Instants (ps) and targets of the first `count` messages of each node.
fn messages(spec: &Value, count: usize) -> Vec<Vec<(u64, u32)>> {
    let mut all = sources(3, spec).unwrap();
    all.iter_mut()
        .map(|source| {
            let pulled = std::iter::from_fn(|| source.pull());
            let seen = pulled.take(count).map(|(at, m)| (at.ps(), m.target.0));
            seen.collect()
        })
        .collect()
}

/// An interval is what it says, for every arrival process.
#[test]
fn an_interval_sets_the_mean_gap() {
    for (arrival, tolerance) in [("fixed", 0.0), ("exponential", 0.02), ("bernoulli", 0.02)] {
        let spec = json!({"kind": "open-loop", "interval": 2_000_000, "arrival": arrival});
        let last: u64 = messages(&spec, 4_001).iter().map(|all| all[4_000].0).sum();
        #[expect(clippy::cast_precision_loss, reason = "statistics")]
        let mean = last as f64 / (4_000.0 * f64::from(NODES));
        // 96,000 gaps have a standard error of 0.3 %: 6 sigma.
        assert!((mean / 2e6 - 1.0).abs() <= tolerance, "{arrival}: {mean}");
    }
}

/// Wang et al. 2018, section IV-D: each node to all others at once, at an interval.
#[test]
fn a_round_of_all_to_all_reaches_every_other_node_once() {
    let spec = json!({"kind": "open-loop", "pattern": "all-to-all", "interval": 1_000_000,
                      "arrival": "fixed"});
    let others = NODES as usize - 1;
    for (node, all) in (0..).zip(messages(&spec, 3 * others)) {
        for (round, sent) in (0..).zip(all.chunks(others)) {
            assert!(sent.iter().all(|(at, _)| *at == round * 1_000_000));
            let reached: BTreeSet<u32> = sent.iter().map(|(_, target)| *target).collect();
            assert_eq!(reached.len(), others);
            assert!(!reached.contains(&node));
        }
    }
    // A load is that of all messages of a round: 23 messages of 4 flits of 5,120 ps at one half.
    let spec = json!({"kind": "open-loop", "pattern": "all-to-all", "load": 0.5,
                      "arrival": "fixed"});
    assert_eq!(messages(&spec, 24)[0][23].0, 23 * 4 * 5_120 * 2);
}

/// Mubarak et al. 2019, section V: the same target until it has got so many bytes.
#[test]
fn a_rotation_keeps_its_target_up_to_the_threshold() {
    let spec = json!({"kind": "open-loop", "pattern": "rotating", "load": 0.3, "message": 1_000,
                      "threshold": 7_500});
    let mut changes = 0;
    for (node, all) in (0..).zip(messages(&spec, 800)) {
        for stretch in all.chunks(8) {
            assert!(
                stretch
                    .iter()
                    .all(|(_, to)| *to == stretch[0].1 && *to != node)
            );
        }
        let targets: Vec<u32> = all.chunks(8).map(|stretch| stretch[0].1).collect();
        changes += targets.windows(2).filter(|pair| pair[0] != pair[1]).count();
    }
    // 99 draws each of 23 others: 1 in 23 stays. 2,376 draws, 5 sigma are 50.
    assert!((2_222..=2_322).contains(&changes), "{changes}");
}

#[test]
fn an_incast_sends_to_silent_nodes() {
    let spec = json!({"kind": "open-loop", "pattern": "incast", "hot_nodes": 2, "load": 0.3});
    let all = messages(&spec, 50);
    assert!(all[..2].iter().all(Vec::is_empty));
    for sent in &all[2..] {
        let reached: BTreeSet<u32> = sent.iter().map(|(_, target)| *target).collect();
        assert_eq!(reached, BTreeSet::from([0, 1]));
    }
}

/// Bursts of 10 us with pauses of 30 us: at the load inside, silent outside.
#[test]
fn bursts_have_their_length_their_pause_and_their_load() {
    for arrival in ["exponential", "fixed"] {
        let spec = json!({"kind": "open-loop", "load": 0.5, "burst": 10_000_000,
                          "pause": 30_000_000, "arrival": arrival});
        let all = messages(&spec, 20_000);
        assert!(
            all.iter()
                .flatten()
                .all(|(at, _)| at % 40_000_000 <= 10_000_000)
        );
        let last: u64 = all.iter().map(|sent| sent[19_999].0).sum();
        #[expect(clippy::cast_precision_loss, reason = "statistics")]
        let mean = last as f64 / (20_000.0 * f64::from(NODES));
        // 480,000 gaps of 40,960 ps in a quarter of the time; one cycle more or less is 1.2 %.
        assert!(
            (mean / (4.0 * 40_960.0) - 1.0).abs() < 0.015,
            "{arrival}: {mean}"
        );
    }
}

/// In step or each at its own phase, which does not depend on the others; gaps are the same.
#[test]
fn starts_are_in_step_or_jittered() {
    for more in [json!({}), json!({"burst": 4_000_000, "pause": 5_000_000})] {
        let mut spec = json!({"kind": "open-loop", "interval": 1_000_000, "arrival": "fixed"});
        spec.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let cycle = if spec.get("burst").is_some() {
            9_000_000
        } else {
            1_000_000
        };
        let step = messages(&spec, 12);
        assert!(step.iter().all(|sent| sent[0].0 == 0));
        spec["start"] = json!("jittered");
        let own = messages(&spec, 12);
        let phases: BTreeSet<u64> = own.iter().map(|sent| sent[0].0).collect();
        assert_eq!(phases.len(), NODES as usize);
        assert!(phases.iter().all(|phase| *phase < cycle), "{phases:?}");
        assert!(*phases.last().unwrap() > cycle / 2, "spread over the cycle");
        for (step, own) in step.iter().zip(&own) {
            let gaps = |all: &[(u64, u32)]| -> Vec<u64> {
                all.windows(2).map(|pair| pair[1].0 - pair[0].0).collect()
            };
            assert_eq!(gaps(step), gaps(own));
        }
    }
}

#[test]
fn what_contradicts_itself_is_refused() {
    let refused = |spec: Value, part: &str| {
        let error = sources(1, &spec).err().unwrap();
        assert!(error.contains(part), "{error}");
    };
    let base = |more: Value| {
        let mut spec = json!({"kind": "open-loop"});
        spec.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        spec
    };
    refused(base(json!({})), "neither of `load` and `interval`");
    refused(base(json!({"load": 0.5, "interval": 5})), "both of `load`");
    refused(
        base(json!({"load": 0.5, "pause": 5})),
        "a `pause` but no `burst`",
    );
    refused(
        base(json!({"load": 0.5, "start": "jiterred"})),
        "did you mean `jittered`?",
    );
    refused(
        base(json!({"load": 0.5, "pattern": "incast", "hot_nodes": 24})),
        "all of its 24 nodes are hot",
    );
}
