//! What a decision looks at, how it compares, and when it is taken.

use std::sync::Arc;

use odonata_routing::{
    Algorithm, Candidates, Choice, Congestion, Entry, Estimate, Intermediate, Mode, PacketRoute,
    PathState, Rule, VcScheme, Weights, build_mode,
};
use odonata_topology::{Arrangement, Attachment, LinkKind, PortIndex, Shape, Topology};
use odonata_units::{NodeId, Purpose, RouterId, Stream};
use serde_json::{Value, json};

use crate::walk::{Asked, Step, dragonfly, entries, shape, unbiased, walk, with_mode};

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
    paths_on(rule, &dragonfly(shape))
}

fn paths_on(rule: Rule, topology: &Arc<Topology>) -> Vec<(u64, Vec<Step>)> {
    let mode = Mode {
        name: "minimal".to_owned(),
        algorithm: Algorithm::Rule(rule),
    };
    let routing = with_mode(topology, mode);
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

/// The entries that compare paths whose candidates are drawn one by one.
fn compared() -> impl Iterator<Item = (&'static Entry, Rule)> {
    let rules = entries().filter_map(|entry| Some((entry, *entry.algorithm.rule()?)));
    rules.filter(|(_, rule)| {
        rule.choice == Choice::Adaptive && rule.candidates == Candidates::Independent
    })
}

fn adaptive() -> impl Iterator<Item = (&'static str, Rule)> {
    compared().map(|(entry, rule)| (entry.name, rule))
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

/// The VCs compared for a packet inside its group, as minimal packet and over another router.
fn ladder_inside(rule: &Rule) -> (u8, u8) {
    match rule.vcs {
        VcScheme::Router => (3, 1),
        VcScheme::Progressive => (4, 2),
        other => unreachable!("{other:?} visits no router"),
    }
}

/// The router behind a port.
fn behind(topology: &Topology, router: RouterId, port: PortIndex) -> RouterId {
    match topology.neighbour(router, port) {
        Some(Attachment::Router(far, _)) => far,
        other => unreachable!("{other:?} is no way to a group"),
    }
}

/// Hops of the shortest way from `here` by `port` into the group of `goal`, and of what `rest` counts
/// there; every two routers of a group are joined.
fn hops_by(
    topology: &Topology,
    here: RouterId,
    port: PortIndex,
    goal: RouterId,
    rest: impl Fn(RouterId) -> u32,
) -> u32 {
    if topology.port_kind(port) == LinkKind::Global {
        return 1 + rest(behind(topology, here, port));
    }
    let gateway = behind(topology, here, port);
    let ports = topology.direct_ports(gateway, topology.group_of(goal));
    let over = ports
        .iter()
        .map(|port| 2 + rest(behind(topology, gateway, *port)));
    over.min().unwrap()
}

/// The hops of both ways that were compared by these ports, as the page counts them.
fn hops(
    topology: &Topology,
    rule: &Rule,
    here: RouterId,
    packet: &PacketRoute,
    ports: [PortIndex; 2],
) -> [u32; 2] {
    let target = topology.router_of(packet.target);
    let through = packet.intermediate;
    let to_target = |from| topology.minimal_hops(from, target);
    let minimal = hops_by(topology, here, ports[0], target, to_target);
    let detour = if rule.intermediate == Intermediate::Group {
        hops_by(topology, here, ports[1], through, to_target)
    } else {
        let to_router = |from| topology.minimal_hops(from, through);
        hops_by(topology, here, ports[1], through, to_router) + to_target(through)
    };
    [minimal, detour]
}

/// Ports that a decision looks at: those of all candidates of a kind, if there are several, and the two
/// that are compared, which are all inside a group. A draw of any node may be no candidate.
fn check_looks(rule: &Rule, step: &Step, is_inside: bool) {
    if is_inside {
        assert_eq!(step.asked.len(), 2, "{step:?}");
        return;
    }
    let several = |count: u8| if count > 1 { usize::from(count) } else { 0 };
    let minimals = several(rule.minimal_candidates);
    let detours = if step.before.path_state == PathState::Tentative {
        0
    } else {
        several(rule.nonminimal_candidates)
    };
    let most = minimals + detours + 2;
    let looks = step.asked.len();
    if rule.intermediate == Intermediate::AnyNode && detours > 0 {
        assert!((minimals + 3..=most).contains(&looks), "{step:?}");
    } else {
        assert_eq!(looks, most, "{step:?}");
    }
}

/// Checks one decision; returns whether both candidates left by one port.
fn check_decision(topology: &Topology, rule: &Rule, world: u64, step: &Step) -> bool {
    let is_second = step.before.path_state == PathState::Tentative;
    let target = topology.router_of(step.before.target);
    let is_inside = topology.group_of(step.here) == topology.group_of(target);
    let (minimal_vc, detour_vc) = if is_inside {
        ladder_inside(rule)
    } else {
        ladder(rule, is_second)
    };
    let [.., minimal, detour] = step.asked[..] else {
        unreachable!("a decision compares two ports: {step:?}");
    };
    check_looks(rule, step, is_inside);
    assert!(step.asked.iter().all(|asked| asked.2 == rule.estimate));
    let is_same = minimal.0 == detour.0;
    if is_same && rule.same_port_by_vc {
        assert_eq!((minimal.1, detour.1), (Some(minimal_vc), Some(detour_vc)));
    } else {
        assert_eq!((minimal.1, detour.1), (None, None));
    }
    let weights = match rule.weights {
        Weights::Scale => [1, rule.scale],
        // Every two routers of a group are joined.
        Weights::Hops if is_inside => [1, 2],
        Weights::Hops => hops(
            topology,
            rule,
            step.here,
            &step.after,
            [minimal.0, detour.0],
        ),
    };
    let [weight, other] = weights.map(i64::from);
    let (q_minimal, q_detour) = (flits(world, minimal), flits(world, detour));
    let bias = rule.bias + rule.bias_step * i64::from(is_second);
    let bound = other * i64::from(q_detour) * (100 + rule.bias_percent) + 100 * bias;
    let is_worse = 100 * weight * i64::from(q_minimal) > bound;
    let diverts = is_worse && (rule.threshold == 0 || q_minimal > rule.threshold);
    assert_eq!(
        step.after.path_state == PathState::Outward,
        diverts,
        "{step:?}"
    );
    let expected = if diverts {
        (detour.0, detour_vc)
    } else {
        (minimal.0, minimal_vc)
    };
    assert_eq!((step.hop.port, step.hop.vc), expected, "{step:?}");
    is_same
}

/// Checks every decision of many packets; how many there were, how many went for the detour, and how many
/// were between two ways by one port.
pub(crate) fn check_decisions(rule: Rule, shape: &Shape) -> (u32, u32, u32) {
    let topology = dragonfly(shape);
    let (mut decisions, mut detours, mut same) = (0, 0, 0);
    for (world, path) in paths_on(rule, &topology) {
        for step in path.iter().filter(|step| !step.asked.is_empty()) {
            same += u32::from(check_decision(&topology, &rule, world, step));
            detours += u32::from(step.after.path_state == PathState::Outward);
            decisions += 1;
        }
    }
    (decisions, detours, same)
}

/// With every number that its entry gives, and with numbers that let both ways be taken.
#[test]
fn the_rule_decides_on_what_the_ports_show() {
    for (name, rule) in adaptive() {
        for shape in systems() {
            let (decisions, ..) = check_decisions(rule, &shape);
            assert!(decisions > 50, "{name}: {decisions}");
            let (decisions, detours, same) = check_decisions(unbiased(rule), &shape);
            let is_mixed = decisions > 50 && same > 5 && detours > 5 && detours + 5 < decisions;
            assert!(is_mixed, "{name}: {decisions} {detours} {same}");
        }
    }
}

/// Weights by hops decide as the hops say, and otherwise than any fixed ones would in the same place.
#[test]
fn hops_are_weights() {
    for (name, rule) in adaptive() {
        let by_hops = Rule {
            weights: Weights::Hops,
            ..unbiased(rule)
        };
        let mut differ = [0; 3];
        for shape in systems() {
            let (decisions, detours, _) = check_decisions(by_hops, &shape);
            let is_mixed = detours > 5 && detours + 5 < decisions;
            assert!(is_mixed, "{name}: {decisions} {detours}");
            for (world, path) in paths(by_hops, &shape) {
                let [.., minimal, detour] = path[0].asked[..] else {
                    continue;
                };
                let congestion = Congestion {
                    minimal: flits(world, minimal),
                    nonminimal: flits(world, detour),
                };
                let diverts = path[0].after.path_state == PathState::Outward;
                for (scale, count) in (1..).zip(&mut differ) {
                    let fixed = Rule {
                        scale,
                        ..unbiased(rule)
                    };
                    *count += u32::from(fixed.diverts(congestion, 0) != diverts);
                }
            }
        }
        assert!(differ.iter().all(|count| *count > 0), "{name}: {differ:?}");
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
            assert!(minimal != detour || path[0].after.path_state == PathState::Minimal);
        }
    }
    assert!(seen > 20, "{seen}");
}

/// A decision is taken at the source router of a packet that leaves its group; `par` decides a
/// second time on a packet that is still minimal after a local hop in its source group.
#[test]
fn decisions_are_taken_where_documented() {
    for (name, rule) in adaptive() {
        let rule = unbiased(rule);
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
                for (position, step) in path.iter().enumerate().skip(1) {
                    let is_asked = rule.progressive
                        && position == 1
                        && path[0].after.path_state == PathState::Tentative
                        && step.arrival.kind == LinkKind::Local;
                    assert_eq!(!step.asked.is_empty(), is_asked, "{name} {path:#?}");
                    if is_asked {
                        assert_eq!(group(step), group(&path[0]));
                        assert_eq!(step.after.intermediate, path[0].after.intermediate);
                        second += 1;
                    }
                }
                let is_tentative = path[0].after.path_state == PathState::Tentative;
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
    let rules = adaptive().filter(|(_, rule)| rule.intermediate != Intermediate::AnyNode);
    for (name, rule) in rules {
        for (minimals, detours) in [(1, 3), (4, 1), (3, 2), (8, 8)] {
            let rule = Rule {
                minimal_candidates: minimals,
                nonminimal_candidates: detours,
                weights: Weights::Scale,
                ..rule
            };
            let (minimals, detours) = (usize::from(minimals), usize::from(detours));
            for shape in systems() {
                let topology = dragonfly(&shape);
                let mut decisions = 0;
                for (world, path) in paths(rule, &shape) {
                    let step = &path[0];
                    if step.asked.is_empty() {
                        continue;
                    }
                    decisions += 1;
                    check_decision(&topology, &rule, world, step);
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
        json!({"weights": "scale", "threshold": 0, "scale": 0, "bias": -1}),
        json!({"weights": "scale", "scale": 1000, "bias": 1 << 30}),
        json!({"weights": "scale", "threshold": 0, "scale": 1, "bias": 4, "estimate": "queued"}),
        json!({"estimate": "in-use"}),
        json!({"estimate": "both"}),
        json!({"estimate": "backlog"}),
    ];
    let has_all = |entry: &Entry| {
        let names = ["weights", "scale", "bias", "estimate"];
        names.iter().all(|name| entry.parameters.contains(name))
    };
    let with = |entry: &Entry, parameters: &Value| {
        let mut known = parameters.as_object().unwrap().clone();
        known.retain(|name, _| entry.parameters.contains(&name.as_str()));
        with(entry.name, &Value::Object(known))
    };
    for (entry, _) in compared().filter(|(entry, _)| has_all(entry)) {
        let name = entry.name;
        let mut shares = Vec::new();
        for parameters in &settings {
            let rule = with(entry, parameters);
            let (decisions, detours, _) = check_decisions(rule, &systems()[0]);
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
    let estimates = Estimate::ALL;
    for (parameters, estimate) in settings[2..].iter().zip(estimates) {
        let par = odonata_routing::entry("par").unwrap();
        assert_eq!(with(par, parameters).estimate, estimate);
    }
}
