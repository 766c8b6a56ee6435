//! What a decision looks at, how it compares, and when it is taken.

use odonata_routing::{
    Algorithm, Candidates, Choice, Estimate, Intermediate, Mode, Plan, Rule, VcScheme, build_mode,
};
use odonata_topology::{Arrangement, LinkKind, PortIndex, Shape};
use odonata_units::{NodeId, Purpose, Stream};
use serde_json::{Value, json};

use crate::walk::{Asked, Step, dragonfly, entries, shape, walk, with_mode};

/// Flits of (port, VC) in world number `world`: the same question has the same answer.
fn flits(world: u64, (port, vc, _): Asked) -> u32 {
    let channel = u64::from(port.0) * 16 + vc.map_or(15, u64::from);
    let mut draw = Stream::new(world, Purpose::Routing, channel);
    [0, 1, 2, 5, 12, 60][draw.below(6) as usize]
}

/// Systems with one link per pair of groups and with parallel ones.
fn systems() -> [Shape; 2] {
    [
        shape(9, 4, 2, 2, Arrangement::Absolute),
        shape(4, 3, 1, 4, Arrangement::Relative),
    ]
}

/// Paths of many packets between all pairs under `rule`, each in a world of its own.
fn paths(rule: Rule, shape: &Shape) -> Vec<(u64, Vec<Step>)> {
    let topology = dragonfly(shape);
    let mode = Mode {
        name: "minimal".to_owned(),
        algorithm: Algorithm::Rule(rule),
    };
    let routing = with_mode(&topology, mode);
    let mut draw = Stream::new(1, Purpose::Routing, 0);
    let mut paths = Vec::new();
    for source in topology.routers() {
        for target in (0..topology.node_count()).map(NodeId) {
            let world = paths.len() as u64;
            let path = walk(
                &routing,
                source,
                target,
                |asked| flits(world, asked),
                &mut draw,
            );
            paths.push((world, path));
        }
    }
    paths
}

fn adaptive() -> impl Iterator<Item = (&'static str, Rule)> {
    let rules = entries().filter_map(|e| Some((e.name, *e.algorithm.rule()?)));
    rules.filter(|(_, rule)| {
        rule.choice == Choice::Adaptive && rule.candidates == Candidates::Independent
    })
}

/// The VCs compared, as minimal and non-minimal packet, by the ladders of the page.
fn ladder(rule: &Rule, is_second: bool) -> (u8, u8) {
    match (rule.vcs, is_second) {
        (VcScheme::Group, false) => (1, 0),
        (VcScheme::Router, false) => (2, 0),
        (VcScheme::Progressive, false) => (0, 1),
        (VcScheme::Progressive, true) => (3, 1),
        other => unreachable!("{other:?} does not decide"),
    }
}

/// Checks one decision; returns whether both candidates left by one port.
fn check_decision(rule: &Rule, world: u64, step: &Step) -> bool {
    let is_second = step.before.plan == Plan::Tentative;
    let (minimal_vc, detour_vc) = ladder(rule, is_second);
    let [.., minimal, detour] = step.asked[..] else {
        unreachable!("a decision compares two ports: {step:?}");
    };
    assert!(step.asked.iter().all(|asked| asked.2 == rule.estimate));
    let is_same = minimal.0 == detour.0;
    if is_same && rule.same_port_by_vc {
        assert_eq!((minimal.1, detour.1), (Some(minimal_vc), Some(detour_vc)));
    } else {
        assert_eq!((minimal.1, detour.1), (None, None));
    }
    let (q_minimal, q_detour) = (flits(world, minimal), flits(world, detour));
    let bound = i64::from(rule.scale) * i64::from(q_detour) + rule.bias;
    let diverts = i64::from(q_minimal) > bound;
    assert_eq!(step.after.plan == Plan::Outward, diverts, "{step:?}");
    let expected = if diverts {
        (detour.0, detour_vc)
    } else {
        (minimal.0, minimal_vc)
    };
    assert_eq!((step.hop.port, step.hop.vc), expected, "{step:?}");
    is_same
}

#[test]
fn the_rule_decides_on_what_the_ports_show() {
    for (name, rule) in adaptive() {
        for shape in systems() {
            let (mut decisions, mut detours, mut same) = (0, 0, 0);
            for (world, path) in paths(rule, &shape) {
                for step in path.iter().filter(|step| !step.asked.is_empty()) {
                    assert_eq!(step.asked.len(), 2, "one candidate of each kind");
                    same += u32::from(check_decision(&rule, world, step));
                    detours += u32::from(step.after.plan == Plan::Outward);
                    decisions += 1;
                }
            }
            let is_mixed = decisions > 50 && same > 5 && detours > 5 && detours + 5 < decisions;
            assert!(is_mixed, "{name}: {decisions} {detours} {same}");
        }
    }
}

/// When both candidates of `booksim-ugal` leave by one port, it is compared with itself.
#[test]
fn booksim_stays_minimal_on_one_port() {
    let rule = with("booksim-ugal", &json!({}));
    let mut seen = 0;
    for (_, path) in paths(rule, &systems()[0]) {
        if let [(minimal, ..), (detour, ..)] = path[0].asked[..] {
            seen += u32::from(minimal == detour);
            assert!(minimal != detour || path[0].after.plan == Plan::Minimal);
        }
    }
    assert!(seen > 20, "{seen}");
}

/// A decision is taken at the source router of a packet that leaves its group; `par` decides a
/// second time on a packet that is still minimal after a local hop in its source group.
#[test]
fn decisions_are_taken_where_documented() {
    for (name, rule) in adaptive() {
        for shape in systems() {
            let group = |step: &Step| step.here.0 / shape.routers_per_group;
            let (mut second, mut direct) = (0, 0);
            for (_, path) in paths(rule, &shape) {
                let leaves = group(&path[0]) != group(&path[path.len() - 1]);
                let is_free = rule.intermediate == Intermediate::AnyNode;
                assert!(
                    !path[0].asked.is_empty() || !leaves || is_free,
                    "{name} {path:#?}"
                );
                assert!(path[0].asked.is_empty() || leaves, "{name} {path:#?}");
                for (place, step) in path.iter().enumerate().skip(1) {
                    let is_asked = rule.progressive
                        && place == 1
                        && path[0].after.plan == Plan::Tentative
                        && step.arrival.kind == LinkKind::Local;
                    assert_eq!(!step.asked.is_empty(), is_asked, "{name} {path:#?}");
                    if is_asked {
                        assert_eq!(group(step), group(&path[0]));
                        assert_eq!(step.after.intermediate, path[0].after.intermediate);
                        second += 1;
                    }
                }
                let is_tentative = path[0].after.plan == Plan::Tentative;
                direct += u32::from(is_tentative && path[0].kind == LinkKind::Global);
            }
            let is_both = second > 10 && direct > 10;
            assert_eq!(is_both, rule.progressive, "{name}: {second} {direct}");
        }
    }
}

fn with(name: &str, parameters: &Value) -> Rule {
    let mode = build_mode(name, parameters.as_object().unwrap()).unwrap();
    *mode.algorithm.rule().unwrap()
}

/// The first port with the fewest flits.
fn least(world: u64, asked: &[Asked]) -> PortIndex {
    asked
        .iter()
        .min_by_key(|asked| flits(world, **asked))
        .unwrap()
        .0
}

/// Several candidates: each is looked at over all VCs, the first of the least congested is
/// compared. Detours are drawn before minimal ones.
#[test]
fn the_least_congested_candidates_are_compared() {
    let names = adaptive().filter(|(_, rule)| rule.intermediate != Intermediate::AnyNode);
    for (name, _) in names {
        for (minimals, detours) in [(1, 3), (4, 1), (3, 2), (8, 8)] {
            let parameters =
                json!({"minimal_candidates": minimals, "nonminimal_candidates": detours});
            let rule = with(name, &parameters);
            for shape in systems() {
                let mut decisions = 0;
                for (world, path) in paths(rule, &shape) {
                    let step = &path[0];
                    if step.asked.is_empty() {
                        continue;
                    }
                    decisions += 1;
                    check_decision(&rule, world, step);
                    let (drawn, compared) = step.asked.split_at(step.asked.len() - 2);
                    let count = if detours == 1 { 0 } else { detours };
                    let (ways_round, ways) = drawn.split_at(count);
                    assert_eq!(ways.len(), if minimals == 1 { 0 } else { minimals });
                    assert!(drawn.iter().all(|asked| asked.1.is_none()));
                    if minimals > 1 {
                        assert_eq!(compared[0].0, least(world, ways));
                    }
                    if detours > 1 {
                        assert_eq!(compared[1].0, least(world, ways_round));
                    }
                }
                assert!(decisions > 50, "{name}: {decisions}");
            }
        }
    }
}

/// Parameters reach the comparison and the observation.
#[test]
fn parameters_change_decisions() {
    let settings = [
        json!({"scale": 0, "bias": -1}),
        json!({"scale": 1000, "bias": 1 << 30}),
        json!({"scale": 1, "bias": 4, "estimate": "queued"}),
        json!({"estimate": "in-use"}),
        json!({"estimate": "both"}),
    ];
    for (name, _) in adaptive() {
        let mut shares = Vec::new();
        for parameters in &settings {
            let rule = with(name, parameters);
            let (mut decisions, mut detours) = (0, 0);
            for (world, path) in paths(rule, &systems()[0]) {
                for step in path.iter().filter(|step| !step.asked.is_empty()) {
                    check_decision(&rule, world, step);
                    decisions += 1;
                    detours += u32::from(step.after.plan == Plan::Outward);
                }
            }
            shares.push((detours, decisions));
        }
        assert_eq!(
            shares[0].0, shares[0].1,
            "{name}: zero scale, bias below zero: always"
        );
        assert_eq!(shares[1].0, 0, "{name}: never");
        assert!(
            shares[2].0 > 0 && shares[2].0 < shares[2].1,
            "{name}: {shares:?}"
        );
    }
    let estimates = [Estimate::Queued, Estimate::InUse, Estimate::Both];
    for (parameters, estimate) in settings[2..].iter().zip(estimates) {
        assert_eq!(with("par", parameters).estimate, estimate);
    }
}
