//! Every packet arrives, by the ladder of its algorithm, and does what its path state says.

use std::sync::Arc;

use odonata_routing::{
    Algorithm, Choice, Draws, Entry, Intermediate, PathState, Routing, Rule, Scope, entry,
};
use odonata_topology::{Arrangement, LinkKind, Shape, Topology};
use odonata_units::{NodeId, Purpose, RouterId, Stream};
use proptest::prelude::{ProptestConfig, proptest};
use proptest::sample::select;

use crate::walk::{
    Step, any_flits, any_shape, dragonfly, entries, routing, shape, shapes, walk, with_every_path,
};

/// Most channels between routers, by the paths that `docs/model/routing.md` draws: local, global, local
/// when minimal; two more through an intermediate group, one more to a router of it, and one more if the
/// packet is asked again behind a local hop.
fn longest(entry: &Entry) -> usize {
    match &entry.algorithm {
        Algorithm::Rule(rule) if rule.choice == Choice::Minimal => 3,
        Algorithm::Rule(rule) => {
            5 + usize::from(rule.intermediate.is_visited()) + usize::from(rule.progressive)
        }
        Algorithm::Ports(_) | Algorithm::QAdaptive(_) => 5,
    }
}

/// Position of a channel in `l0 < g0 < l1 < g1 < ...`.
fn rung(step: &Step) -> usize {
    2 * usize::from(step.hop.vc) + usize::from(step.kind == LinkKind::Global)
}

/// The rule of an entry that has one.
fn rule(entry: &Entry) -> Option<&Rule> {
    entry.algorithm.rule()
}

/// What holds for every path of `entry`.
fn check(entry: &Entry, routing: &Routing, path: &[Step]) {
    let (last, way) = path.split_last().unwrap();
    let context = || format!("{}: {path:#?}", entry.name);
    assert!(way.len() <= longest(entry), "too long, {}", context());
    let rungs: Vec<_> = way.iter().map(rung).collect();
    assert!(
        rungs.is_sorted_by(|a, b| a < b),
        "the ladder is climbed, {}",
        context()
    );
    assert_eq!(last.kind, LinkKind::Host);
    let on_last = last.hop.vc == routing.virtual_channels() - 1;
    // Inside its group a rule on ports counts the local hops made.
    let made = u8::try_from(way.len()).unwrap();
    let is_on_ports = matches!(entry.algorithm, Algorithm::Ports(_));
    let is_counted = is_on_ports && last.hop.vc == made && made < 2;
    assert!(on_last || is_counted || routing.learns(), "{}", context());
    for (step, next) in path.iter().zip(&path[1..]) {
        assert_eq!(step.after, next.before);
        let detour_ends =
            step.before.path_state.is_nonminimal() && !step.after.path_state.is_nonminimal();
        assert!(!detour_ends, "a detour is for good, {}", context());
    }
    let decisions = path.iter().filter(|step| !step.asked.is_empty()).count();
    let Some(rule) = rule(entry) else {
        return;
    };
    let at_most = match (rule.choice, rule.progressive) {
        (Choice::Adaptive, true) => 2,
        (Choice::Adaptive, false) => 1,
        (Choice::Minimal | Choice::NonMinimal, _) => 0,
    };
    assert!(decisions <= at_most, "{}", context());
    check_plan(rule, routing, path);
}

/// The path state that a packet ends with is what it did.
fn check_plan(rule: &Rule, routing: &Routing, path: &[Step]) {
    let topology = routing.geometry().topology();
    let globals = path
        .iter()
        .filter(|step| step.kind == LinkKind::Global)
        .count();
    let end = path[path.len() - 1].after;
    let (from, to) = (
        topology.group_of(path[0].here),
        topology.group_of_node(end.target),
    );
    let through = topology.group_of(end.intermediate);
    match end.path_state {
        PathState::Onward => {
            assert_ne!(rule.choice, Choice::Minimal);
            if from == to {
                assert_eq!(
                    (through, rule.scope),
                    (from, Scope::Everywhere),
                    "{path:#?}"
                );
                assert!(globals == 0 && path.len() == 3, "{path:#?}");
                return;
            }
            assert_ne!(through, from, "{path:#?}");
            let anywhere = rule.intermediate == Intermediate::AnyNode;
            assert!(anywhere || through != to, "{path:#?}");
            assert_eq!(globals, if through == to { 1 } else { 2 }, "{path:#?}");
            let visited = |step: &Step| match rule.intermediate {
                Intermediate::Group => topology.group_of(step.here) == through,
                Intermediate::Router | Intermediate::OutsideRouter | Intermediate::AnyNode => {
                    step.here == end.intermediate
                }
            };
            assert!(path.iter().any(visited), "{path:#?}");
        }
        PathState::Minimal | PathState::Tentative | PathState::Confirmed => {
            assert_eq!(globals, usize::from(from != to), "{path:#?}");
            let is_par = rule.progressive;
            assert!(is_par || end.path_state == PathState::Minimal, "{path:#?}");
            assert!(path.len() <= 4, "a minimal path, {path:#?}");
        }
        PathState::Fresh | PathState::Outward => unreachable!("delivered undecided: {path:#?}"),
    }
}

/// From every router to every node, with random observations; how many steps were precomputed.
pub(crate) fn check_all_pairs(entry: &Entry, shape: &Shape, rounds: u32, seed: u64) -> u32 {
    let topology = dragonfly(shape);
    let routing = routing(&topology, entry);
    let mut draw = Stream::new(seed, Purpose::Routing, 0);
    let mut flits = Stream::new(seed, Purpose::Routing, 1);
    let mut precomputed = 0;
    for source in topology.routers() {
        for target in topology.nodes() {
            for _ in 0..rounds {
                let look = |_| any_flits(&mut flits);
                let path = walk(&routing, source, target, look, &mut draw);
                check(entry, &routing, &path);
                precomputed +=
                    u32::try_from(path.iter().filter(|s| s.precomputed.is_some()).count()).unwrap();
                // The way to the node itself has nothing left to decide.
                assert!(
                    path[path.len() - 1].before.path_state == PathState::Outward
                        || path[path.len() - 1].precomputed.is_some()
                );
            }
        }
    }
    precomputed
}

#[test]
fn every_packet_arrives_by_its_ladder() {
    for entry in entries() {
        for shape in shapes() {
            let precomputed = check_all_pairs(entry, &shape, 12, 1);
            assert!(precomputed > 0, "{} on {shape:?}", entry.name);
        }
    }
}

/// The documented longest path of each algorithm exists.
#[test]
fn the_longest_path_is_taken() {
    let topology = dragonfly(&shape(9, 4, 2, 2, Arrangement::Absolute));
    for entry in entries() {
        check_longest(&with_every_path(entry), &topology);
    }
}

/// Some packet takes the longest path that `entry` may take on `topology`.
pub(crate) fn check_longest(entry: &Entry, topology: &Arc<Topology>) {
    let routing = routing(topology, entry);
    let mut draw = Stream::new(1, Purpose::Routing, 0);
    let mut flits = Stream::new(1, Purpose::Routing, 1);
    let mut most = 0;
    for (source, target) in pairs(topology) {
        for _ in 0..20 {
            let look = |_| any_flits(&mut flits);
            let path = walk(&routing, source, target, look, &mut draw);
            most = most.max(path.len() - 1);
        }
    }
    assert_eq!(most, longest(entry), "{}", entry.name);
}

/// Inside a group, and on the only minimal path, every step is precomputed.
#[test]
fn what_is_left_undecided_is_little() {
    for entry in entries() {
        for shape in shapes() {
            let topology = dragonfly(&shape);
            let routing = routing(&topology, entry);
            let mut draw = Stream::new(1, Purpose::Routing, 0);
            let is_minimal = rule(entry)
                .is_some_and(|r| r.choice == Choice::Minimal && r.draws == Draws::PerPacket);
            let is_one_path = is_minimal && topology.links_per_group_pair() <= 1;
            for (source, target) in pairs(&topology) {
                let is_inside = topology.group_of(source) == topology.group_of_node(target);
                let path = walk(&routing, source, target, |_| 0, &mut draw);
                let is_precomputed = path.iter().all(|step| step.precomputed.is_some());
                let asks = rule(entry).is_some_and(|r| r.scope == Scope::Everywhere);
                let is_due = is_one_path || is_inside && !asks;
                assert!(is_precomputed || !is_due, "{path:#?}");
            }
        }
    }
}

/// Every router with every node.
fn pairs(topology: &Topology) -> impl Iterator<Item = (RouterId, NodeId)> {
    topology
        .routers()
        .flat_map(|source| topology.nodes().map(move |target| (source, target)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_packet_arrives_on_any_shape(
        shape in any_shape(),
        entry in select(entries().copied().collect::<Vec<_>>()),
        seed in 0..u64::MAX,
    ) {
        check_all_pairs(&entry, &shape, 3, seed);
    }
}

/// Channels between routers of every path that is found in many draws.
fn lengths(routing: &Routing, source: RouterId, target: NodeId) -> (usize, usize) {
    let mut draw = Stream::new(5, Purpose::Routing, 0);
    let lengths: Vec<_> = (0..200)
        .map(|_| walk(routing, source, target, |_| 0, &mut draw).len() - 1)
        .collect();
    (
        *lengths.iter().min().unwrap(),
        *lengths.iter().max().unwrap(),
    )
}

/// With one link per group pair there is one minimal path; with more the shortest is among those
/// drawn and none has more than three channels. Among 200 draws of at most 8 links each link fails
/// to appear with probability below 10^-11.
#[test]
fn minimal_takes_the_minimal_hops() {
    for shape in shapes() {
        let topology = dragonfly(&shape);
        let routing = routing(&topology, entry("minimal").unwrap());
        for source in topology.routers() {
            for target in topology.nodes() {
                let expected = topology.minimal_hops(source, topology.router_of(target)) as usize;
                let (least, most) = lengths(&routing, source, target);
                assert_eq!(least, expected, "{shape:?} {source:?} {target:?}");
                let is_one_path = topology.links_per_group_pair() <= 1;
                assert!(most == expected || !is_one_path && most <= 3);
            }
        }
    }
}

/// Where no third group exists every packet of the group and router algorithms is minimal.
#[test]
fn no_third_group_no_detour() {
    let drawing = |e: &&Entry| rule(e).is_some_and(|r| r.intermediate != Intermediate::AnyNode);
    for entry in entries().filter(drawing) {
        for shape in shapes().filter(|shape| shape.groups < 3) {
            let topology = dragonfly(&shape);
            let routing = routing(&topology, entry);
            let mut draw = Stream::new(2, Purpose::Routing, 0);
            for (source, target) in pairs(&topology) {
                let path = walk(&routing, source, target, |_| 0, &mut draw);
                let asks = rule(entry).is_some_and(|r| r.scope == Scope::Everywhere);
                if asks && topology.group_of(source) == topology.group_of_node(target) {
                    continue;
                }
                assert!(
                    !path[path.len() - 1].after.path_state.is_nonminimal(),
                    "{path:#?}"
                );
                assert!(
                    path.iter().all(|step| step.asked.is_empty()),
                    "nothing to compare"
                );
            }
        }
    }
}
