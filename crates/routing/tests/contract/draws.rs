//! Intermediates and parallel links are drawn as documented.

use odonata_routing::{Candidates, Choice, Entry, Intermediate, PathState, Routing, Rule, entry};
use odonata_topology::{Arrangement, LinkKind, Shape};
use odonata_units::{GroupId, NodeId, Purpose, RouterId, Stream};

use crate::walk::{dragonfly, entries, routing, shape, walk};

/// Systems for draws of intermediates: one link per pair, and parallel ones.
fn roomy() -> [Shape; 2] {
    [
        shape(9, 4, 2, 2, Arrangement::Absolute),
        shape(5, 3, 2, 6, Arrangement::Circulant),
    ]
}

/// Counts of intermediate routers at the source router, and of packets that drew none.
fn drawn(routing: &Routing, source: RouterId, target: NodeId, count: u32) -> (Vec<u32>, u32) {
    let topology = routing.geometry().topology();
    let mut counts = vec![0; topology.router_count() as usize];
    let mut none = 0;
    let mut draw = Stream::new(11, Purpose::Routing, u64::from(source.0));
    for _ in 0..count {
        let path = walk(routing, source, target, |_| 0, &mut draw);
        // An adaptive packet that finds no flits stays minimal; its intermediate is drawn all the
        // same, and it is asked only if there is one.
        let is_drawn = path[0].after.path_state == PathState::Outward || !path[0].asked.is_empty();
        if is_drawn {
            counts[path[0].after.intermediate.index()] += 1;
        } else {
            none += 1;
        }
    }
    (counts, none)
}

/// Chi-square of `counts` against equal shares, and the bound that uniform counts pass but once in
/// a million seeds (Wilson and Hilferty 1931).
fn chi_square(counts: &[u32]) -> (f64, f64) {
    let total: u32 = counts.iter().sum();
    let cells = f64::from(u32::try_from(counts.len()).unwrap());
    let expected = f64::from(total) / cells;
    assert!(expected >= 10.0, "too few draws to tell");
    let chi = counts
        .iter()
        .map(|count| (f64::from(*count) - expected).powi(2) / expected)
        .sum();
    let freedom = cells - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    let bound = freedom * (1.0 - spread + 4.753 * spread.sqrt()).powi(3);
    (chi, bound)
}

/// Uniform over all routers outside the groups of source and target.
///
/// Each of the 40 comparisons fails by chance for one seed in a million.
#[test]
fn intermediates_are_uniform_outside_both_groups() {
    let drawing = |e: &&Entry| {
        let rule = e.algorithm.rule();
        let drawn = |r: &Rule| {
            r.choice != Choice::Minimal
                && r.intermediate != Intermediate::AnyNode
                && r.candidates == Candidates::Independent
        };
        rule.is_some_and(drawn)
    };
    for entry in entries().filter(drawing) {
        for shape in roomy() {
            let topology = dragonfly(&shape);
            let routing = routing(&topology, entry);
            let last = topology.node_count() - 1;
            for (source, target) in [(0, last), (last, 0), (last / 2, 1), (1, last / 2)] {
                let source = topology.router_of(NodeId(source));
                let excluded = [
                    topology.group_of(source),
                    topology.group_of_node(NodeId(target)),
                ];
                let (counts, none) = drawn(&routing, source, NodeId(target), 20_000);
                assert_eq!(none, 0);
                let (inside, outside): (Vec<_>, Vec<_>) = topology
                    .routers()
                    .partition(|router| excluded.contains(&topology.group_of(*router)));
                let count = |routers: &[RouterId]| -> Vec<u32> {
                    routers
                        .iter()
                        .map(|router| counts[router.index()])
                        .collect()
                };
                assert!(count(&inside).iter().all(|count| *count == 0));
                let (chi, bound) = chi_square(&count(&outside));
                assert!(
                    chi < bound,
                    "{} {shape:?}: {chi} is not below {bound}",
                    entry.name
                );
            }
        }
    }
}

/// `booksim-ugal` draws a node of the whole machine: none of the source group, which makes the
/// packet minimal, and the target group like any other.
///
/// Chance of failure: one seed in 10^6 for each of the 2 systems, and one in 10^5 for the share of packets
/// without an intermediate.
#[test]
fn any_node_may_be_an_intermediate() {
    for shape in roomy() {
        let topology = dragonfly(&shape);
        let routing = routing(&topology, entry("booksim-ugal").unwrap());
        let target = NodeId(topology.node_count() - 1);
        let (counts, none) = drawn(&routing, RouterId(0), target, 40_000);
        let (own, others) = counts.split_at(shape.routers_per_group as usize);
        assert!(own.iter().all(|count| *count == 0));
        let (chi, bound) = chi_square(others);
        assert!(chi < bound, "{shape:?}: {chi} is not below {bound}");
        let share = 1.0 / f64::from(shape.groups);
        let sigma = (40_000.0 * share * (1.0 - share)).sqrt();
        let off = (f64::from(none) - 40_000.0 * share).abs();
        assert!(off < 4.42 * sigma, "{none} packets without an intermediate");
    }
}

/// A minimal packet draws uniformly among parallel links (error probability 10^-6 for each of 4),
/// also if its source router has one itself; after a local hop it draws among those at hand.
#[test]
fn parallel_links_are_drawn_uniformly() {
    let shape = shape(3, 3, 1, 4, Arrangement::Absolute);
    let topology = dragonfly(&shape);
    let routing = routing(&topology, entry("minimal").unwrap());
    let links = topology.global_channels(GroupId(0), GroupId(2)).to_vec();
    assert_eq!(links.len(), 6);
    for source in 0..3 {
        let mut draw = Stream::new(8, Purpose::Routing, source);
        let source = RouterId(u32::try_from(source).unwrap());
        let mut first = vec![0; topology.radix() as usize];
        let mut taken = vec![0; links.len()];
        for _ in 0..20_000 {
            let path = walk(&routing, source, NodeId(8), |_| 0, &mut draw);
            first[path[0].hop.port.index()] += 1;
            let global = path
                .iter()
                .find(|step| step.kind == LinkKind::Global)
                .unwrap();
            let at = |link: &_| *link == (global.here, global.hop.port);
            taken[links.iter().position(at).unwrap()] += 1;
        }
        let (chi, bound) = chi_square(&taken);
        assert!(chi < bound, "{taken:?}: {chi} is not below {bound}");
        let local: u32 = topology
            .ports(LinkKind::Local)
            .map(|port| first[usize::from(port)])
            .sum();
        // Two of six links at each router: two thirds of the packets take a local hop first.
        assert!(
            (12_900..=13_770).contains(&local),
            "{local} of 20,000, 6.5 sigma"
        );
    }
}
