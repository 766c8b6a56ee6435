//! Small Aries and megafly systems, every one of them, and published ones: the geometry is checked
//! against its definition, port by port and pair by pair.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeSet;

use odonata_topology::{
    AriesShape, Arrangement, Attachment, Family, LinkKind, MegaflyShape, NicWiring, NodeEnds,
    PortIndex, Shape, Topology,
};
use odonata_units::{NodeId, RouterId};

/// Every buildable Aries system of the small world.
fn aries() -> Vec<Topology> {
    let mut systems = Vec::new();
    for (rows, columns) in [(1, 1), (1, 3), (2, 1), (2, 2), (3, 2), (2, 3), (4, 3)] {
        for column_links in 1..=3 {
            for ports in 0..=4 {
                for groups in 1..=(rows * columns * ports + 1).min(8) {
                    systems.push(
                        Topology::aries(AriesShape {
                            groups,
                            rows,
                            columns,
                            nodes_per_router: 2,
                            column_links,
                            global_ports_per_router: ports,
                            chassis_per_cabinet: 2,
                        })
                        .unwrap(),
                    );
                }
            }
        }
    }
    systems
}

/// Every megafly of the small world.
fn megaflies() -> Vec<Topology> {
    let mut systems = Vec::new();
    for (leaves, spines) in [(1, 1), (1, 3), (3, 1), (2, 2), (3, 4)] {
        for links in 1..=5 {
            for groups in 1..=7 {
                systems.push(
                    Topology::megafly(MegaflyShape {
                        groups,
                        leaf_routers_per_group: leaves,
                        spine_routers_per_group: spines,
                        nodes_per_leaf: 2,
                        links_per_group_pair: links,
                    })
                    .unwrap(),
                );
            }
        }
    }
    systems
}

fn all() -> Vec<Topology> {
    let mut systems = aries();
    systems.extend(megaflies());
    assert!(systems.len() > 400, "{}", systems.len());
    systems
}

fn far(topology: &Topology, router: RouterId, port: u16) -> Option<(RouterId, PortIndex)> {
    match topology.neighbour(router, PortIndex(port))? {
        Attachment::Router(far, back) => Some((far, back)),
        Attachment::Node(_) => None,
    }
}

#[test]
fn ports_lead_where_their_kind_says_and_back() {
    for topology in all() {
        for router in topology.routers() {
            for port in 0..topology.radix() {
                let kind = topology.port_kind(PortIndex(port));
                assert!(topology.ports(kind).contains(&port));
                let Some(end) = topology.neighbour(router, PortIndex(port)) else {
                    assert_eq!(topology.output_channel(router, PortIndex(port)), None);
                    continue;
                };
                assert_eq!(
                    topology.opposite(end),
                    Some(Attachment::Router(router, PortIndex(port)))
                );
                let Some((far, back)) = far(&topology, router, port) else {
                    assert_eq!(kind, LinkKind::Host);
                    continue;
                };
                assert_eq!(topology.port_kind(back), kind);
                let same = topology.group_of(router) == topology.group_of(far);
                assert_eq!(same, kind.is_local(), "{kind}");
                if let Family::Aries(shape) = topology.family() {
                    let position = |router| shape.row_and_column(topology.position(router));
                    let ((row, column), (far_row, far_column)) = (position(router), position(far));
                    assert_eq!(kind == LinkKind::Row, same && row == far_row);
                    assert_eq!(kind == LinkKind::Column, same && column == far_column);
                }
                if let Family::Megafly(shape) = topology.family() {
                    let is_leaf = |router| topology.position(router) < shape.leaf_routers_per_group;
                    let levels = (is_leaf(router), is_leaf(far));
                    assert_eq!(levels.0 != levels.1, same);
                    assert!(same || !levels.0, "global links join spines");
                }
            }
        }
    }
}

#[test]
fn ids_are_dense_and_hierarchical() {
    for topology in all() {
        let mut node = 0;
        let mut router = 0;
        for group in topology.groups() {
            assert_eq!(topology.first_router(group).0, router);
            assert_eq!(topology.first_node(group).0, node);
            for (position, member) in (0..).zip(topology.routers_of(group)) {
                assert_eq!((member.0, topology.position(member)), (router, position));
                assert_eq!(topology.group_of(member), group);
                for (port, own) in (0..).map(PortIndex).zip(topology.nodes_of(member)) {
                    assert_eq!(own.0, node);
                    assert_eq!(topology.router_of(own), member);
                    assert_eq!(topology.host_port(own), port);
                    assert_eq!(topology.node_at(member, port), Some(own));
                    assert_eq!(topology.group_of_node(own), group);
                    node += 1;
                }
                router += 1;
            }
            let count = usize::try_from(topology.routers_in_group(group)).unwrap();
            assert_eq!(topology.routers_of(group).len(), count);
        }
        assert_eq!(
            (node, router),
            (topology.node_count(), topology.router_count())
        );
        for unit in topology.units() {
            assert_eq!(unit.starts[0], 0, "{}", unit.name);
            assert!(unit.starts.windows(2).all(|two| two[0] < two[1]));
        }
    }
}

#[test]
fn lists_agree_with_the_neighbours() {
    for topology in all() {
        for from in topology.routers() {
            let reached = |kinds: &dyn Fn(LinkKind) -> bool,
                           is_wanted: &dyn Fn(RouterId) -> bool| {
                (0..topology.radix())
                    .filter(|&port| kinds(topology.port_kind(PortIndex(port))))
                    .filter(|&port| {
                        far(&topology, from, port).is_some_and(|(far, _)| is_wanted(far))
                    })
                    .map(PortIndex)
                    .collect::<Vec<_>>()
            };
            for to in topology.routers() {
                let expected = reached(&LinkKind::is_local, &|far| far == to);
                assert_eq!(topology.local_ports(from, to), expected, "{from:?} {to:?}");
            }
            for group in topology.groups() {
                let expected = reached(&|kind| kind == LinkKind::Global, &|far| {
                    topology.group_of(far) == group
                });
                assert_eq!(topology.direct_ports(from, group), expected);
                let own = topology.global_channels(topology.group_of(from), group);
                let own = own.iter().filter(|end| end.0 == from).map(|end| end.1);
                assert!(own.eq(expected));
            }
        }
        let indices = topology.channels().map(|channel| channel.index.0);
        assert!(indices.eq(0..topology.channel_count()));
        for channel in topology.channels() {
            let found = match channel.source {
                Attachment::Node(node) => Some(topology.injection_channel(node)),
                Attachment::Router(router, port) => topology.output_channel(router, port),
            };
            assert_eq!(found, Some(channel.index));
        }
    }
}

#[test]
fn each_two_groups_are_joined_alike() {
    for topology in all() {
        let links = topology.links_per_group_pair();
        assert_eq!(links > 0, topology.group_count() > 1);
        if let Family::Megafly(shape) = topology.family() {
            assert!(links == 0 || links == shape.links_per_group_pair);
        }
        for from in topology.groups() {
            for to in topology.groups().filter(|&to| to != from) {
                let near = topology.global_channels(from, to);
                assert_eq!(near.len(), links as usize);
                if let Family::Aries(shape) = topology.family() {
                    // Theta's rule: the same row at both ends, where one row reaches every group.
                    let rows: BTreeSet<u32> = near
                        .iter()
                        .map(|end| shape.row_and_column(topology.position(end.0)).0)
                        .collect();
                    let is_per_row = rows.len() == shape.rows as usize;
                    for &(router, port) in near.iter().filter(|_| is_per_row) {
                        let (far, _) = far(&topology, router, port.0).unwrap();
                        let row = |router| shape.row_and_column(topology.position(router)).0;
                        assert_eq!(row(router), row(far));
                    }
                }
            }
        }
    }
}

/// Fewest hops over local hops, at most one global one, and local hops again.
fn fewest_hops(topology: &Topology, from: RouterId) -> Vec<u32> {
    let routers = topology.router_count() as usize;
    let mut fewest = vec![[u32::MAX; 2]; routers];
    fewest[from.index()][0] = 0;
    let mut edge = vec![(from, 0)];
    let mut hops = 0;
    while !edge.is_empty() {
        hops += 1;
        let mut next = Vec::new();
        for (here, crossed) in edge {
            for port in topology.ports(LinkKind::Host).end..topology.radix() {
                let Some((far, _)) = far(topology, here, port) else {
                    continue;
                };
                let is_global = topology.port_kind(PortIndex(port)) == LinkKind::Global;
                let after = crossed + usize::from(is_global);
                if after <= 1 && fewest[far.index()][after] == u32::MAX {
                    fewest[far.index()][after] = hops;
                    next.push((far, after));
                }
            }
        }
        edge = next;
    }
    fewest
        .into_iter()
        .map(|both| both[0].min(both[1]))
        .collect()
}

#[test]
fn minimal_hops_and_the_summary_equal_a_search() {
    for topology in all() {
        let (mut most, mut sum, mut pairs) = (0, 0, 0);
        for from in topology.routers() {
            for (to, hops) in topology.routers().zip(fewest_hops(&topology, from)) {
                assert_eq!(topology.minimal_hops(from, to), hops, "{from:?} {to:?}");
                let both = topology.nodes_of(from).len() * topology.nodes_of(to).len();
                if both > 0 {
                    most = most.max(hops);
                }
                if from != to {
                    pairs += both;
                    sum += both * hops as usize;
                }
            }
        }
        let summary = topology.summary();
        assert_eq!(summary.diameter_hops, most);
        let mean = summary.mean_minimal_hops * f64::from(u32::try_from(pairs).unwrap());
        let error = mean - f64::from(u32::try_from(sum).unwrap());
        assert!(error.abs() < 1e-6, "{error}");
        for kind in LinkKind::ALL {
            let count = topology
                .channels()
                .filter(|channel| channel.kind == kind)
                .count();
            assert_eq!(summary.channels_of(kind) as usize, count);
        }
        let half = topology.group_count() / 2;
        let across = topology.channels().filter(|channel| {
            let group = |end| match end {
                Attachment::Node(node) => topology.group_of_node(node).0,
                Attachment::Router(router, _) => topology.group_of(router).0,
            };
            group(channel.source) < half && group(channel.target) >= half
        });
        assert_eq!(summary.bisection_links, across.count() as u64);
    }
}

#[test]
fn published_systems() {
    let megafly = Topology::megafly(MegaflyShape {
        groups: 33,
        leaf_routers_per_group: 16,
        spine_routers_per_group: 16,
        nodes_per_leaf: 16,
        links_per_group_pair: 8,
    })
    .unwrap();
    let summary = megafly.summary();
    assert_eq!(
        (summary.nodes, summary.groups, summary.routers),
        (8_448, 33, 1_056)
    );
    assert_eq!(summary.routers_with_nodes, 528);
    assert_eq!(
        (summary.radix_in_use, summary.unconnected_global_ports),
        (32, 0)
    );
    assert_eq!(
        (summary.links_per_group_pair.least, summary.diameter_hops),
        (8, 3)
    );
    assert_eq!(summary.nonminimal_paths.most, 31 * 64);
    assert_eq!(summary.bisection_links, 16 * 17 * 8);

    let dragonfly = Topology::dragonfly(Shape {
        groups: 65,
        routers_per_group: 16,
        nodes_per_router: 8,
        global_ports_per_router: 8,
        arrangement: Arrangement::Relative,
    })
    .unwrap();
    let summary = dragonfly.summary();
    assert_eq!((summary.nodes, summary.routers), (8_320, 1_040));
    assert_eq!(
        (summary.links_per_group_pair.most, summary.radix_in_use),
        (2, 31)
    );
    assert_eq!(summary.diameter_hops, 3);

    // The sizes of Frontier: 74 groups of 32 switches with 16 network ends each.
    let frontier = Topology::dragonfly(Shape {
        groups: 74,
        routers_per_group: 32,
        nodes_per_router: 16,
        global_ports_per_router: 7,
        arrangement: Arrangement::Absolute,
    })
    .unwrap();
    assert_eq!(
        (frontier.router_count(), frontier.node_count()),
        (2_368, 37_888)
    );
    let ends = frontier.node_ends(4, NicWiring::Spread).unwrap();
    assert_eq!(ends.node_count(), 9_472);
    let groups = ends.units(frontier.units()).pop().unwrap();
    assert_eq!(groups.starts[..3], [0, 128, 256]);
    assert_eq!(frontier.summary().diameter_hops, 3);
}

#[test]
fn the_ends_of_a_node_are_on_routers_of_their_own_or_on_one() {
    let topology = Topology::dragonfly(Shape {
        groups: 3,
        routers_per_group: 4,
        nodes_per_router: 4,
        global_ports_per_router: 2,
        arrangement: Arrangement::Absolute,
    })
    .unwrap();
    let spread = topology.node_ends(2, NicWiring::Spread).unwrap();
    let together = topology.node_ends(2, NicWiring::Together).unwrap();
    for (ends, routers) in [(&spread, 2), (&together, 1)] {
        assert_eq!((ends.node_count(), ends.nics_of(0)), (24, 2));
        let mut seen = BTreeSet::new();
        for (node, set) in (0..).zip(ends.sets()) {
            let on: BTreeSet<_> = set.iter().map(|end| topology.router_of(*end)).collect();
            assert_eq!(on.len(), routers, "{set:?}");
            let groups = set.iter().map(|end| topology.group_of_node(*end).0);
            assert!(groups.eq([node / 8; 2]), "nodes are counted by group");
            for (nic, end) in (0..).zip(set) {
                assert_eq!((ends.end(node, nic), ends.beside(*end)), (*end, set));
                seen.insert(*end);
            }
        }
        assert_eq!(seen.len(), 48, "every end has a node");
    }
    // Node 0 has the first port of routers 0 and 1, node 4 that of routers 2 and 3.
    let two = [0, 1, 4].map(|node| [spread.end(node, 0).0, spread.end(node, 1).0]);
    assert_eq!(two, [[0, 4], [1, 5], [8, 12]]);
    let starts = |ends: &NodeEnds| {
        let units = ends.units(topology.units());
        units
            .into_iter()
            .map(|unit| unit.starts)
            .collect::<Vec<_>>()
    };
    assert_eq!(starts(&spread), [vec![0, 4, 8, 12, 16, 20], vec![0, 8, 16]]);
    let routers = (0..12).map(|router| 2 * router).collect();
    assert_eq!(starts(&together), [routers, vec![0, 8, 16]]);
    let alone = topology.node_ends(1, NicWiring::Spread).unwrap();
    assert_eq!((alone.node_count(), alone.end(7, 0)), (48, NodeId(7)));
    assert!(alone.beside(NodeId(7)).is_empty() && alone.sets().next().is_none());
    let units = alone.units(topology.units());
    assert_eq!(units, topology.units());
    for (nics, wiring) in [
        (3, NicWiring::Spread),
        (3, NicWiring::Together),
        (0, NicWiring::Spread),
    ] {
        let error = topology.node_ends(nics, wiring).unwrap_err().to_string();
        assert!(error.contains("NICs") || error.contains("nics"), "{error}");
    }
    let megafly = Topology::megafly(MegaflyShape {
        groups: 3,
        leaf_routers_per_group: 4,
        spine_routers_per_group: 4,
        nodes_per_leaf: 3,
        links_per_group_pair: 4,
    })
    .unwrap();
    let ends = megafly.node_ends(4, NicWiring::Spread).unwrap();
    assert_eq!(ends.node_count(), 9, "routers without ends are passed over");
}
