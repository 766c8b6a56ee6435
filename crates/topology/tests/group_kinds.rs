//! Dragonflies and megaflies with groups of several kinds, and nodes of several kinds, against their
//! definitions.

use std::collections::VecDeque;

use odonata_topology::{
    Arrangement, Attachment, GroupKind, KindsShape, LinkKind, MegaflyShape, NicWiring, NodeType,
    PortIndex, Shape, Topology,
};
use odonata_units::{GroupId, NodeId, RouterId};

/// (g, a, p, h, links in the kind, links to kinds before).
type Numbers = (u32, u32, u32, u32, u32, u32);

fn shape(kinds: &[Numbers], arrangement: Arrangement) -> KindsShape {
    let kind = |(index, &(groups, a, p, h, own, others)): (usize, &Numbers)| GroupKind {
        name: if index == 0 {
            "compute".to_owned()
        } else {
            format!("kind-{index}")
        },
        groups,
        routers_per_group: a,
        spine_routers_per_group: 0,
        nodes_per_router: p,
        global_ports_per_router: h,
        links_per_group_pair: own,
        links_to_others: vec![others; index],
    };
    KindsShape {
        kinds: kinds.iter().enumerate().map(kind).collect(),
        arrangement,
    }
}

const FRONTIER: [Numbers; 3] = [
    (74, 32, 16, 10, 4, 0),
    (5, 16, 16, 11, 4, 2),
    (1, 16, 16, 10, 1, 2),
];

/// Small systems of two and three kinds.
fn small() -> Vec<KindsShape> {
    let kinds: [&[Numbers]; 7] = [
        &[(3, 2, 2, 4, 2, 0), (1, 1, 1, 6, 1, 2)],
        &[(1, 1, 1, 2, 1, 0), (1, 3, 2, 1, 1, 2)],
        &[(4, 3, 1, 3, 1, 0), (2, 2, 2, 5, 3, 1)],
        &[(2, 4, 2, 2, 3, 0), (2, 4, 2, 2, 1, 1), (1, 2, 1, 4, 1, 1)],
        &[(2, 2, 1, 4, 1, 0), (3, 1, 0, 9, 2, 2)],
        &[(5, 3, 2, 2, 1, 0), (1, 3, 2, 2, 1, 1)],
        &[(3, 5, 3, 2, 2, 0), (2, 1, 4, 10, 2, 2), (2, 2, 0, 5, 1, 1)],
    ];
    let of = |kinds: &[Numbers]| Arrangement::ALL.map(|arrangement| shape(kinds, arrangement));
    kinds.into_iter().flat_map(of).collect()
}

fn built(shape: &KindsShape) -> Topology {
    Topology::dragonfly_of_kinds(shape.clone()).expect("a shape that can be wired")
}

/// The kind of each group.
fn kinds(shape: &KindsShape) -> Vec<usize> {
    let kinds = shape.kinds.iter().enumerate();
    kinds
        .flat_map(|(index, kind)| vec![index; kind.groups as usize])
        .collect()
}

#[test]
fn ids_and_sizes_are_those_of_the_kinds() {
    for shape in small() {
        let topology = built(&shape);
        let size = shape.size().unwrap();
        assert_eq!(
            (size.groups, size.routers, size.nodes, size.radix),
            (
                topology.group_count(),
                topology.router_count(),
                topology.node_count(),
                topology.radix()
            )
        );
        let (mut router, mut node) = (0, 0);
        for (group, kind) in topology.groups().zip(kinds(&shape)) {
            let kind = &shape.kinds[kind];
            assert_eq!(topology.first_router(group), RouterId(router));
            assert_eq!(topology.routers_in_group(group), kind.routers_per_group);
            for position in 0..kind.routers_per_group {
                let here = RouterId(router + position);
                assert_eq!(
                    (topology.group_of(here), topology.position(here)),
                    (group, position)
                );
                let nodes: Vec<_> = topology.nodes_of(here).collect();
                let expected: Vec<_> = (node..node + kind.nodes_per_router).map(NodeId).collect();
                assert_eq!(nodes, expected);
                node += kind.nodes_per_router;
            }
            router += kind.routers_per_group;
        }
        assert_eq!(
            (router, node),
            (topology.router_count(), topology.node_count())
        );
    }
}

#[test]
fn wiring_is_symmetric_and_has_the_links_that_are_said() {
    let frontier = shape(&FRONTIER, Arrangement::Absolute);
    for shape in small().into_iter().chain([frontier]) {
        let topology = built(&shape);
        let kinds = kinds(&shape);
        for here in topology.routers() {
            let kind = &shape.kinds[kinds[topology.group_of(here).index()]];
            let mut counts = [0_u32; 5];
            for port in (0..topology.radix()).map(PortIndex) {
                let Some(end) = topology.neighbour(here, port) else {
                    continue;
                };
                counts[topology.port_kind(port) as usize] += 1;
                let Attachment::Router(far, back) = end else {
                    continue;
                };
                assert_eq!(
                    topology.neighbour(far, back),
                    Some(Attachment::Router(here, port))
                );
                let is_inside = topology.group_of(far) == topology.group_of(here);
                assert_eq!(is_inside, topology.port_kind(port) == LinkKind::Local);
            }
            assert_eq!(counts[LinkKind::Host as usize], kind.nodes_per_router);
            assert_eq!(counts[LinkKind::Local as usize], kind.routers_per_group - 1);
            // Spread evenly: the routers of a group differ by one link at most.
            let own = kinds[topology.group_of(here).index()];
            let links: u64 = (0..shape.kinds.len())
                .map(|far| shape.links_of_group(own, far))
                .sum();
            let routers = u64::from(kind.routers_per_group);
            let global = u64::from(counts[LinkKind::Global as usize]);
            assert!((links / routers..=links.div_ceil(routers)).contains(&global));
            assert!(global <= u64::from(kind.global_ports_per_router));
            for to in topology.routers_of(topology.group_of(here)) {
                assert_eq!(
                    topology.local_ports(here, to).len(),
                    usize::from(to != here)
                );
            }
        }
        for from in topology.groups() {
            for to in topology.groups() {
                let links = topology.global_channels(from, to).len();
                let expected = shape.links(kinds[from.index()], kinds[to.index()]) as usize;
                assert_eq!(links, if from == to { 0 } else { expected });
            }
        }
    }
}

#[test]
fn kinds_that_are_alike_make_the_plain_wiring_if_all_ports_are_in_use() {
    for arrangement in Arrangement::ALL {
        let plain = Topology::dragonfly(Shape {
            groups: 5,
            routers_per_group: 4,
            nodes_per_router: 2,
            global_ports_per_router: 2,
            arrangement,
        });
        let alike = built(&shape(
            &[(3, 4, 2, 2, 2, 0), (2, 4, 2, 2, 2, 2)],
            arrangement,
        ));
        assert!(plain.unwrap().channels().eq(alike.channels()));
    }
}

/// Router-to-router hops of shortest paths with one global link at most.
fn hops_from(topology: &Topology, from: RouterId) -> Vec<Option<u32>> {
    let mut hops = vec![[None; 2]; topology.router_count() as usize];
    hops[from.index()][0] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((here, crossed)) = queue.pop_front() {
        for port in (0..topology.radix()).map(PortIndex) {
            let Some(Attachment::Router(next, _)) = topology.neighbour(here, port) else {
                continue;
            };
            let is_global = topology.port_kind(port) == LinkKind::Global;
            let after = crossed + usize::from(is_global);
            if after < 2 && hops[next.index()][after].is_none() {
                hops[next.index()][after] = hops[here.index()][crossed].map(|hops: u32| hops + 1);
                queue.push_back((next, after));
            }
        }
    }
    hops.iter()
        .map(|both| both[0].into_iter().chain(both[1]).min())
        .collect()
}

#[test]
fn hops_are_those_of_a_search() {
    for shape in small() {
        let topology = built(&shape);
        let (mut sum, mut pairs, mut most) = (0_u64, 0_u64, 0);
        for from in topology.routers() {
            for (to, hops) in topology.routers().zip(hops_from(&topology, from)) {
                let hops = hops.unwrap();
                assert_eq!(topology.minimal_hops(from, to), hops);
                let weight = topology.nodes_of(from).len() * topology.nodes_of(to).len();
                if weight > 0 && from != to {
                    sum += u64::from(hops) * weight as u64;
                    pairs += weight as u64;
                    most = most.max(hops);
                }
            }
        }
        let summary = topology.summary();
        assert_eq!(summary.diameter_hops, most);
        #[expect(clippy::cast_precision_loss, reason = "a mean of few")]
        let mean = sum as f64 / pairs.max(1) as f64;
        assert!((summary.mean_minimal_hops - mean).abs() < 1e-12);
    }
}

#[test]
fn frontier_has_the_numbers_that_are_published() {
    let topology = built(&shape(&FRONTIER, Arrangement::Absolute));
    let kinds = topology.kind_summaries();
    let compute = &kinds[0];
    assert_eq!(
        (compute.groups, compute.routers_per_group, compute.nodes),
        (74, 32, 37_888)
    );
    assert_eq!(
        (compute.links_per_group_pair, compute.global_links_per_group),
        (4, 292)
    );
    assert_eq!(compute.links_to_other_kinds, 12);
    assert_eq!(compute.global_links, 74 * 73 / 2 * 4);
    assert_eq!(compute.bisection_links, 37 * 37 * 4);
    let rate = 25_000_000_000;
    assert!((compute.taper(rate, rate) - 292.0 / 512.0).abs() < 1e-12);
    assert_eq!((kinds[1].groups, kinds[1].global_links_per_group), (5, 16));
    assert_eq!(kinds[2].global_links_per_group, 0);
    let between = topology.links_between_kinds();
    let between: Vec<_> = between
        .iter()
        .map(|one| (&*one.name, one.each.most))
        .collect();
    assert_eq!(
        between,
        [
            ("compute-kind-1", 2),
            ("compute-kind-2", 2),
            ("kind-1-kind-2", 2)
        ]
    );
    // 37 compute groups and 2 of storage against all others.
    let expected = 37 * 37 * 4 + 37 * (3 + 1) * 2 + 2 * 37 * 2 + 2 * 3 * 4 + 2 * 2;
    assert_eq!(topology.summary().bisection_links, expected);
    let ends = topology.node_ends(4, NicWiring::Spread).unwrap();
    assert_eq!(ends.node_count(), (37_888 + 6 * 256) / 4);
    let units = ends.units(topology.units());
    let groups = units.iter().find(|unit| unit.name == "group").unwrap();
    assert_eq!(
        (groups.starts.len(), groups.starts[74], groups.starts[79]),
        (80, 9_472, 9_792)
    );
}

#[test]
fn a_damaged_one_keeps_its_family() {
    let topology = built(&small()[0]);
    let failed = topology
        .draw_failures(200_000, &[LinkKind::Global], 1)
        .unwrap();
    let damaged = topology.without_links(&failed).unwrap();
    assert!(damaged.is_damaged() && damaged.family() == topology.family());
    assert_eq!(
        damaged.channel_count() as usize + 2 * failed.len(),
        topology.channels().count()
    );
    assert!(damaged.summary().unconnected_global_ports > 0);
}

#[track_caller]
fn refused(kinds: &[Numbers], expected: &str) {
    let error = Topology::dragonfly_of_kinds(shape(kinds, Arrangement::Absolute))
        .expect_err("a shape that is refused");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn refusals_say_what_and_how_to_go_on() {
    refused(
        &[(3, 2, 1, 4, 2, 0), (2, 2, 1, 2, 1, 2)],
        "a group of kind `kind-1` has 7 links to other groups, but routers_per_group = 2 times \
         global_ports_per_router = 2 makes 4; set its global_ports_per_router to at least 4, or \
         lower links_per_group_pair or links_to_others",
    );
    refused(
        &[(3, 2, 1, 4, 2, 0), (2, 0, 1, 2, 1, 2)],
        "routers_per_group of the groups of kind `kind-1` is 0; it must be at least 1: set it to 1 \
         or more",
    );
    let mut twice = shape(
        &[(2, 2, 1, 4, 2, 0), (1, 2, 1, 4, 1, 1)],
        Arrangement::Absolute,
    );
    twice.kinds[1].name = "compute".to_owned();
    let error = Topology::dragonfly_of_kinds(twice).unwrap_err().to_string();
    assert!(
        error.starts_with("two kinds of groups are called `compute`"),
        "{error}"
    );
    let most = u32::MAX;
    for field in 0..6 {
        let mut kind = [3, 2, 1, 4, 1, 1];
        kind[field] = most;
        let [groups, a, p, h, own, others] = kind;
        let huge = [(3, 2, 1, 9, 2, 0), (groups, a, p, h, own, others)];
        let shape = shape(&huge, Arrangement::Absolute);
        assert!(
            Topology::dragonfly_of_kinds(shape).is_err(),
            "field {field}"
        );
    }
}

/// (g, leaves, spines, p, links in the kind, links to each kind before).
type Levels<'a> = (u32, u32, u32, u32, u32, &'a [u32]);

fn megafly(kinds: &[Levels<'_>]) -> KindsShape {
    let kind =
        |(index, &(groups, leaves, spines, p, own, others)): (usize, &Levels<'_>)| GroupKind {
            name: format!("kind-{index}"),
            groups,
            routers_per_group: leaves + spines,
            spine_routers_per_group: spines,
            nodes_per_router: p,
            global_ports_per_router: 0,
            links_per_group_pair: own,
            links_to_others: others.to_vec(),
        };
    KindsShape::megafly(kinds.iter().enumerate().map(kind).collect())
}

#[test]
fn a_megafly_of_kinds_that_are_alike_is_the_plain_one() {
    for (groups, leaves, spines, p, links) in [
        (5, 3, 2, 4, 2),
        (4, 2, 3, 1, 1),
        (7, 3, 3, 2, 5),
        (1, 2, 1, 1, 1),
    ] {
        let plain = Topology::megafly(MegaflyShape {
            groups,
            leaf_routers_per_group: leaves,
            spine_routers_per_group: spines,
            nodes_per_leaf: p,
            links_per_group_pair: links,
        })
        .unwrap();
        let shape = megafly(&[(groups, leaves, spines, p, links, &[])]);
        let one = Topology::megafly_of_kinds(shape).unwrap();
        assert!(one.channels().eq(plain.channels()));
        assert_eq!(one.summary(), plain.summary());
        if groups > 2 {
            let two = megafly(&[
                (2, leaves, spines, p, links, &[]),
                (groups - 2, leaves, spines, p, links, &[links]),
            ]);
            let two = Topology::megafly_of_kinds(two).unwrap();
            assert!(two.channels().eq(plain.channels()));
        }
    }
}

/// The links of a router of a megafly inside its group, and what hangs on it.
fn check_levels(topology: &Topology, kind: &GroupKind, router: RouterId) {
    let leaves = kind.routers_per_group - kind.spine_routers_per_group;
    let is_leaf = |router| topology.position(router) < leaves;
    let ports = |kind| {
        let ports = topology.ports(kind).map(PortIndex);
        ports
            .filter_map(|port| topology.neighbour(router, port))
            .count()
    };
    let [local, nodes] = if is_leaf(router) {
        [kind.spine_routers_per_group, kind.nodes_per_router]
    } else {
        [leaves, 0]
    };
    assert_eq!(ports(LinkKind::Local), local as usize);
    assert_eq!(topology.nodes_of(router).len(), nodes as usize);
    assert!(!is_leaf(router) || ports(LinkKind::Global) == 0);
    let others = topology.routers_of(topology.group_of(router));
    for other in others.filter(|other| *other != router) {
        let found = topology.local_ports(router, other);
        assert_eq!(found.len(), usize::from(is_leaf(router) != is_leaf(other)));
        for port in found {
            let far = topology.neighbour(router, *port);
            assert!(matches!(far, Some(Attachment::Router(at, _)) if at == other));
        }
    }
}

#[test]
fn a_megafly_of_several_kinds_has_the_links_that_are_said() {
    let shape = megafly(&[
        (3, 3, 2, 2, 4, &[]),
        (2, 2, 3, 5, 1, &[2]),
        (1, 1, 1, 3, 1, &[3, 1]),
    ]);
    let topology = Topology::megafly_of_kinds(shape.clone()).unwrap();
    let kinds = kinds(&shape);
    assert!(topology.family().has_levels());
    assert_eq!(topology.family().name(), "megafly");
    let size = shape.size().unwrap();
    assert_eq!(
        (size.routers, size.nodes),
        (topology.router_count(), topology.node_count())
    );
    assert_eq!((size.routers, size.nodes), (15 + 10 + 2, 18 + 20 + 3));
    for from in topology.groups() {
        for to in topology.groups().filter(|to| *to != from) {
            let links = shape.links(kinds[from.index()], kinds[to.index()]) as usize;
            assert_eq!(topology.global_channels(from, to).len(), links);
        }
        let kind = &shape.kinds[kinds[from.index()]];
        for router in topology.routers_of(from) {
            check_levels(&topology, kind, router);
        }
    }
    let damaged = topology
        .without_links(
            &topology
                .draw_failures(60_000, &[LinkKind::Global], 2)
                .unwrap(),
        )
        .unwrap();
    assert!(damaged.family() == topology.family() && damaged.is_damaged());
    let summary = topology.summary();
    assert_eq!((summary.diameter_hops, summary.routers_with_nodes), (3, 14));
}

#[test]
fn kinds_of_a_megafly_that_cannot_be_are_refused() {
    for (kinds, words) in [
        (
            &[(2, 2, 2, 1, 1, &[][..]), (1, 2, 0, 1, 1, &[1])][..],
            "spine_routers_per_group of the groups of kind `kind-1` is 0",
        ),
        (
            &[(2, 2, 2, 1, 1, &[]), (1, 2, 2, 0, 1, &[1])],
            "nodes_per_leaf of the groups of kind `kind-1` is 0",
        ),
        (
            &[(2, 2, 2, 1, 1, &[]), (1, 2, 2, 1, 1, &[1, 2])],
            "links_to names 2 numbers",
        ),
        (
            &[(2, 2, 1, 1, 1, &[]), (300, 2, 1, 1, 1, &[1])],
            "raise spine_routers_per_group",
        ),
    ] {
        let error = Topology::megafly_of_kinds(megafly(kinds)).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

fn node_type(name: &str, nodes: Option<u32>, nics: u32, wiring: NicWiring) -> NodeType {
    NodeType {
        name: name.to_owned(),
        nodes,
        nics,
        wiring,
    }
}

/// Two groups of 4 routers with 3 ends, then two of 2 routers with 4.
fn uneven() -> Topology {
    built(&shape(
        &[(2, 4, 3, 4, 2, 0), (2, 2, 4, 8, 2, 1)],
        Arrangement::Absolute,
    ))
}

#[test]
fn nodes_of_several_types_have_their_own_nics() {
    let topology = uneven();
    let ends = topology
        .node_ends_of_types(&[
            node_type("gpu", Some(6), 4, NicWiring::Spread),
            node_type("cpu", Some(8), 1, NicWiring::Spread),
            node_type("big", None, 2, NicWiring::Together),
        ])
        .unwrap();
    assert_eq!(ends.node_count(), 6 + 8 + 4);
    let kinds = ends.types().iter();
    let kinds: Vec<_> = kinds
        .map(|kind| (&*kind.name, kind.nodes.clone(), kind.nics))
        .collect();
    assert_eq!(
        kinds,
        [("gpu", 0..6, 4), ("cpu", 6..14, 1), ("big", 14..18, 2)]
    );
    let of = |node: u32| -> Vec<u32> {
        (0..ends.nics_of(node))
            .map(|nic| ends.end(node, nic).0)
            .collect()
    };
    assert_eq!(of(1), [1, 4, 7, 10]);
    assert_eq!(of(3), [12, 15, 18, 21]);
    assert_eq!((of(6), of(13)), (vec![24], vec![31]));
    assert_eq!((of(14), of(17)), (vec![32, 33], vec![38, 39]));
    for node in 0..ends.node_count() {
        for end in of(node).into_iter().map(NodeId) {
            assert_eq!(ends.node_of(end), node);
            assert_eq!(ends.beside(end).len(), ends.nics_of(node) as usize);
        }
    }
    assert_eq!(ends.sets().count(), 6 + 8 + 4);
    assert_eq!(ends.nics_of_all(&(0..6)), Some(4));
    assert_eq!(ends.nics_of_all(&(6..14)), Some(1));
    assert_eq!(ends.nics_of_all(&(5..7)), None);
    assert_eq!(ends.nodes_in(&topology, &(0..2)), 0..6);
    assert_eq!(ends.nodes_in(&topology, &(2..4)), 6..18);
    let units = ends.units(topology.units());
    let starts = |name| {
        let unit = units.iter().find(|unit| unit.name == name);
        unit.unwrap().starts.clone()
    };
    assert_eq!(starts("group"), [0, 3, 6, 14]);
    // Each of the four routers behind the first eight has whole nodes.
    assert_eq!(starts("router"), [0, 3, 6, 10, 14, 16]);
}

#[test]
fn types_of_nodes_that_do_not_fit_are_refused() {
    let topology = uneven();
    let (spread, together) = (NicWiring::Spread, NicWiring::Together);
    for (kinds, words) in [
        (
            vec![
                node_type("a", Some(4), 4, spread),
                node_type("b", None, 1, spread),
            ],
            "nodes of type `a` are 4, but the last 1 of them share routers of group 1 with others: \
             these have 3 nodes of 4 NICs; give 3 or 6 nodes",
        ),
        (
            vec![node_type("a", Some(6), 4, spread)],
            "ends of group 2 and later ones belong to no node",
        ),
        (
            vec![
                node_type("a", Some(6), 4, spread),
                node_type("b", Some(17), 1, together),
            ],
            "nodes of type `b` are 1 more than the network has ends for",
        ),
        (
            vec![
                node_type("a", Some(40), 1, spread),
                node_type("b", None, 1, spread),
            ],
            "nodes of type `b` get no end",
        ),
        (
            vec![
                node_type("a", None, 1, spread),
                node_type("b", None, 1, spread),
            ],
            "only those of the last type",
        ),
        (
            vec![
                node_type("a", Some(3), 4, spread),
                node_type("a", None, 1, spread),
            ],
            "are named twice",
        ),
        (
            vec![
                node_type("a", Some(3), 4, spread),
                node_type("b", None, 4, spread),
            ],
            "the routers of group 2 cannot share nodes with 4 NICs",
        ),
    ] {
        let error = topology.node_ends_of_types(&kinds).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn links_to_each_kind_before_may_differ() {
    let mut shape = shape(
        &[(3, 4, 1, 4, 2, 0), (2, 4, 1, 4, 1, 1), (1, 4, 1, 4, 1, 1)],
        Arrangement::Absolute,
    );
    shape.kinds[2].links_to_others = vec![1, 4];
    let topology = built(&shape);
    let links = |from, to| topology.global_channels(GroupId(from), GroupId(to)).len();
    assert_eq!(
        (links(0, 5), links(5, 0), links(4, 5), links(5, 3)),
        (1, 1, 4, 4)
    );
    shape.kinds[2].links_to_others = vec![1];
    let error = Topology::dragonfly_of_kinds(shape).unwrap_err();
    assert!(error.to_string().contains("links to 2 kinds"), "{error}");
}
