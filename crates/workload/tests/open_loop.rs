//! Open-loop sources: whom they send to, how often, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::{BTreeMap, BTreeSet};

use odonata_endpoint::Endpoint;
use odonata_mpi::MpiParameters;
use odonata_units::{Bandwidth, Instant, JobId, NodeId};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count};
use serde_json::{Value, json};

/// 9 groups of 2 routers with 2 nodes.
const SYSTEM: (u32, u32, u32) = (9, 2, 2);
const GROUP: u32 = SYSTEM.1 * SYSTEM.2;

fn build_on(spec: &Value, nodes: &[NodeId]) -> Result<Vec<NodeEndpoint>, String> {
    let starts: Vec<u32> = (0..SYSTEM.0).map(|group| group * GROUP).collect();
    build_in(spec, nodes, &starts)
}

fn build_in(
    spec: &Value,
    nodes: &[NodeId],
    group_starts: &[u32],
) -> Result<Vec<NodeEndpoint>, String> {
    let traces = BTreeMap::new();
    let context = JobContext {
        seed: 11,
        job: JobId(2),
        name: "open",
        nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: SYSTEM.0 * GROUP,
            group_starts,
            injection: Bandwidth::from_bytes_per_second(25_000_000_000).unwrap(),
            flit_bytes: 128,
            packet_bytes: 512,
        },
        mpi: &MpiParameters::preset("ideal").unwrap(),
        traces: &traces,
    };
    build(spec.as_object().unwrap(), &context).map_err(|error| error.to_string())
}

fn all_nodes() -> Vec<NodeId> {
    (0..SYSTEM.0 * GROUP).map(NodeId).collect()
}

fn spec(pattern: &str) -> Value {
    json!({ "kind": "open-loop", "pattern": pattern, "load": 0.5 })
}

/// By source: its targets in 400 messages, with their counts.
fn targets(spec: &Value, nodes: &[NodeId]) -> BTreeMap<NodeId, BTreeMap<NodeId, u32>> {
    let mut sources = build_on(spec, nodes).unwrap();
    let mut all = BTreeMap::new();
    for (source, endpoint) in nodes.iter().zip(&mut sources) {
        let mut counts = BTreeMap::new();
        for _ in 0..400 {
            let (_, message) = endpoint.pull().unwrap();
            assert_eq!((message.source, message.bytes), (*source, 512));
            assert!(nodes.contains(&message.target), "only nodes of the job");
            assert_ne!(message.target, *source);
            *counts.entry(message.target).or_insert(0) += 1;
        }
        all.insert(*source, counts);
    }
    all
}

#[test]
fn every_pattern_has_its_targets() {
    let nodes = all_nodes();
    let group = |node: &NodeId| node.0 / GROUP;
    for (source, to) in targets(&spec("uniform"), &nodes) {
        // 400 messages to 35 nodes miss one of them once in 3,000 sources.
        assert!(to.len() >= 33, "{source:?}: {}", to.len());
    }
    for (source, to) in targets(&spec("adversarial"), &nodes) {
        let wanted = (group(&source) + 1) % SYSTEM.0;
        assert_eq!(to.len(), GROUP as usize, "every node of the group");
        assert!(to.keys().all(|target| group(target) == wanted));
    }
    for (pattern, shift) in [("tornado", SYSTEM.0 / 2), ("nearest-group", 1)] {
        for (source, to) in targets(&spec(pattern), &nodes) {
            let wanted = NodeId((source.0 + shift * GROUP) % (SYSTEM.0 * GROUP));
            assert_eq!(to.into_keys().collect::<Vec<_>>(), [wanted], "{pattern}");
        }
    }
    let permutation = targets(&spec("permutation"), &nodes);
    let reached: BTreeSet<NodeId> = permutation
        .values()
        .flat_map(BTreeMap::keys)
        .copied()
        .collect();
    assert!(permutation.values().all(|to| to.len() == 1));
    assert_eq!(
        reached.len(),
        nodes.len(),
        "every node is the target of one other"
    );
}

/// Whoever looks for the worst case of minimal routing must not get traffic that leaves no group.
#[test]
fn patterns_that_lead_back_into_their_group_are_refused() {
    let refused = |spec: &Value, starts: &[u32]| {
        let error = build_in(spec, &all_nodes(), starts).err();
        error.unwrap_or_else(|| panic!("{spec} on {} groups", starts.len()))
    };
    let nine: Vec<u32> = (0..SYSTEM.0).map(|group| group * GROUP).collect();
    for shift in [0, 9, 18] {
        let mut back = spec("adversarial");
        back["shift"] = json!(shift);
        let error = refused(&back, &nine);
        assert!(error.contains("from group 0 back into group 0"), "{error}");
        assert!(
            error.contains("use a `shift` that is not a multiple of its 9 groups"),
            "{error}"
        );
    }
    for pattern in ["adversarial", "tornado", "nearest-group"] {
        let error = refused(&spec(pattern), &[0]);
        assert!(error.contains("back into group 0"), "{error}");
        assert!(error.contains("a system of several groups"), "{error}");
        // A key that the pattern does not read is no remedy.
        assert!(!error.contains("`shift`"), "{error}");
        let error = refused(&spec(pattern), &[0, 36]);
        assert!(error.contains("where the job has no node"), "{error}");
        assert_eq!(
            error.contains("`shift`"),
            pattern == "adversarial",
            "{error}"
        );
    }
}

#[test]
fn groups_of_patterns_may_differ_in_size() {
    let nodes = all_nodes();
    let group = |node: NodeId| [10, 11].iter().filter(|&&first| node.0 >= first).count();
    let mut sources = build_in(&spec("nearest-group"), &nodes, &[0, 10, 11]).unwrap();
    for (&source, endpoint) in nodes.iter().zip(&mut sources) {
        let (_, message) = endpoint.pull().unwrap();
        assert_eq!(group(message.target), (group(source) + 1) % 3, "{source:?}");
    }
    // Group 2 has no nodes: those of group 1 have nowhere to send to.
    let refused = build_in(&spec("adversarial"), &nodes, &[0, 10, 11, 11]).err();
    let refused = refused.unwrap();
    assert!(refused.contains("from group 1 to group 2"), "{refused}");
}

#[test]
fn hot_nodes_get_their_share() {
    let hot = json!({
        "kind": "open-loop", "pattern": "hotspot", "load": 0.5, "hot_fraction": 0.4,
        "hot_nodes": 2,
    });
    let all = targets(&hot, &all_nodes());
    let total: u32 = all.values().flat_map(BTreeMap::values).sum();
    let to_hot: u32 = all
        .values()
        .flatten()
        .filter(|(to, _)| to.0 < 2)
        .map(|(_, n)| n)
        .sum();
    // 0.4 plus two nodes' part of the rest, less what hot nodes cannot send themselves; 14,400
    // draws have a standard error of 0.4 %: 5 sigma are exceeded once in two million seeds.
    let share = f64::from(to_hot) / f64::from(total);
    assert!((share - 0.434).abs() < 0.021, "{share}");
}

#[test]
fn a_job_on_part_of_the_system_talks_to_itself_only() {
    let nodes: Vec<NodeId> = all_nodes()
        .into_iter()
        .filter(|node| node.0 % 3 != 1)
        .collect();
    for pattern in [
        "uniform",
        "adversarial",
        "permutation",
        "tornado",
        "hotspot",
        "nearest-group",
    ] {
        targets(&spec(pattern), &nodes);
    }
    let scattered = [NodeId(0), NodeId(20)];
    let error = build_on(&spec("adversarial"), &scattered).err().unwrap();
    assert!(
        error.contains("group 0 to group 1, where the job has no node"),
        "{error}"
    );
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "statistics")]
fn the_offered_load_is_met() {
    for arrival in ["exponential", "bernoulli", "fixed"] {
        for (message, flits) in [(512, 4), (513, 5), (100, 1), (1_536, 12)] {
            let spec = json!({
                "kind": "open-loop", "load": 0.7, "message": message, "arrival": arrival,
            });
            let mut sources = build_on(&spec, &all_nodes()).unwrap();
            let mut last = 0;
            for source in &mut sources {
                let mut before = Instant::ZERO;
                for _ in 0..2_000 {
                    let (at, _) = source.pull().unwrap();
                    assert!(at >= before, "time never falls");
                    before = at;
                }
                last += before.ps();
            }
            // 72,000 gaps: the mean lies within 2 % except once in ten million seeds.
            let gap = last as f64 / (36.0 * 2_000.0);
            let wanted = f64::from(flits) * 5_120.0 / 0.7;
            assert!(
                (gap / wanted - 1.0).abs() < 0.02,
                "{arrival} {message}: {gap} {wanted}"
            );
        }
    }
}

#[test]
fn fixed_arrivals_are_in_phase_and_sources_are_independent_of_each_other() {
    let fixed = json!({ "kind": "open-loop", "load": 1.25, "arrival": "fixed" });
    for source in &mut build_on(&fixed, &all_nodes()).unwrap() {
        let times: Vec<u64> = (0..3).map(|_| source.pull().unwrap().0.ps()).collect();
        assert_eq!(times, [0, 16_384, 32_768]);
        assert!(!source.is_finished() && source.next_wake() == Instant::NEVER);
    }
    // A node draws the same whoever else is in the job.
    let few: Vec<NodeId> = all_nodes()[..20].to_vec();
    let first = |nodes: &[NodeId]| {
        build_on(&spec("uniform"), nodes).unwrap()[7]
            .pull()
            .unwrap()
            .0
    };
    assert_eq!(first(&few), first(&all_nodes()));
}

#[test]
fn errors_name_key_value_and_remedy() {
    let check = |spec: Value, nodes: &[NodeId], parts: &[&str]| {
        let error = build_on(&spec, nodes).err().unwrap();
        for part in parts {
            assert!(error.contains(part), "{part:?} in {error:?}");
        }
    };
    let nodes = all_nodes();
    check(
        json!({ "kind": "open-loop" }),
        &nodes,
        &["neither of `load` and `interval`", "such as `load = 0.5`"],
    );
    check(
        json!({ "kind": "open-lop" }),
        &nodes,
        &["did you mean `open-loop`?", "halo3d"],
    );
    check(json!({}), &nodes, &["`kind`", "fft3d"]);
    let with = |key: &str, value: Value| {
        let mut spec = spec("uniform");
        spec[key] = value;
        spec
    };
    check(
        with("patern", json!("x")),
        &nodes,
        &["did you mean `pattern`?", "arrival"],
    );
    check(
        with("pattern", json!("tornadoe")),
        &nodes,
        &["did you mean `tornado`?", "hotspot"],
    );
    check(with("load", json!(0)), &nodes, &["`load`", "1e-9"]);
    check(with("load", json!("half")), &nodes, &["`load`", "a number"]);
    check(
        with("message", json!(0)),
        &nodes,
        &["`message`", "at least 1"],
    );
    check(
        with("hot_fraction", json!(1.5)),
        &nodes,
        &["`hot_fraction`", "at most 1"],
    );
    check(
        with("hot_nodes", json!(99)),
        &nodes,
        &["99 hot nodes among 36"],
    );
    check(
        with("ranks", json!(4)),
        &nodes,
        &["4 ranks", "`open`", "36 nodes"],
    );
    check(spec("uniform"), &nodes[..1], &["1 nodes", "at least 2"]);
    let all = spec("uniform");
    assert_eq!(
        rank_count(all.as_object().unwrap(), 17, &BTreeMap::new()),
        Ok(17)
    );
}
