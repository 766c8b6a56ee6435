//! Every dragonfly with p, a, h up to 4 and every number of groups it can have: the geometry is
//! checked against its definition, node by node and port by port.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]

use std::collections::{BTreeSet, VecDeque};

use odonata_topology::{Arrangement, Attachment, LinkKind, PortIndex, Shape, Topology};
use odonata_units::{GroupId, NodeId, RouterId};

/// Calls `check` with every system of the small world.
fn for_each(check: impl Fn(&Topology)) {
    let mut systems = 0;
    for p in 1..=4 {
        for a in 1..=4 {
            for h in 0..=4 {
                for g in 1..=a * h + 1 {
                    for arrangement in Arrangement::ALL {
                        let shape = Shape {
                            groups: g,
                            routers_per_group: a,
                            nodes_per_router: p,
                            global_ports_per_router: h,
                            arrangement,
                        };
                        check(&Topology::dragonfly(shape).unwrap());
                        systems += 1;
                    }
                }
            }
        }
    }
    // 4 p x 3 arrangements x sum over a, h of (a h + 1), which is 10 * 10 + 20.
    assert_eq!(systems, 4 * 3 * 120);
}

fn ports(dragonfly: &Topology) -> impl Iterator<Item = (RouterId, PortIndex)> + '_ {
    dragonfly
        .routers()
        .flat_map(|router| (0..dragonfly.radix()).map(move |port| (router, PortIndex(port))))
}

fn routers_behind(dragonfly: &Topology, router: RouterId, kind: LinkKind) -> Vec<RouterId> {
    let ends = dragonfly
        .ports(kind)
        .map(|port| dragonfly.neighbour(router, PortIndex(port)));
    ends.flatten()
        .map(|end| match end {
            Attachment::Router(router, _) => router,
            Attachment::Node(node) => panic!("{node:?} behind a {kind} port"),
        })
        .collect()
}

#[test]
fn ids_are_dense_and_hierarchical() {
    for_each(|dragonfly| {
        let shape = dragonfly.family().dragonfly().unwrap();
        let (a, p) = (shape.routers_per_group, shape.nodes_per_router);
        assert_eq!(dragonfly.group_count(), shape.groups);
        assert_eq!(dragonfly.router_count(), shape.groups * a);
        assert_eq!(dragonfly.node_count(), shape.groups * a * p);
        let routers: Vec<RouterId> = dragonfly
            .groups()
            .flat_map(|group| dragonfly.routers_of(group))
            .collect();
        assert!(routers.iter().copied().eq(dragonfly.routers()));
        let nodes = routers
            .iter()
            .flat_map(|&router| dragonfly.nodes_of(router));
        assert!(nodes.eq(dragonfly.nodes()));
        for group in dragonfly.groups() {
            for (position, router) in (0..).zip(dragonfly.routers_of(group)) {
                assert_eq!(dragonfly.group_of(router), group);
                assert_eq!(dragonfly.position(router), position);
                assert_eq!(router, RouterId(group.0 * a + position));
            }
        }
        for router in dragonfly.routers() {
            for (port, node) in (0..).map(PortIndex).zip(dragonfly.nodes_of(router)) {
                assert_eq!(dragonfly.router_of(node), router);
                assert_eq!(dragonfly.group_of_node(node), dragonfly.group_of(router));
                assert_eq!(dragonfly.host_port(node), port);
                assert_eq!(dragonfly.node_at(router, port), Some(node));
                assert_eq!(node, NodeId(router.0 * p + u32::from(port.0)));
            }
        }
    });
}

#[test]
fn neighbours_are_an_involution_of_the_right_kind() {
    for_each(|dragonfly| {
        for (router, port) in ports(dragonfly) {
            let kind = dragonfly.port_kind(port);
            assert!(dragonfly.ports(kind).contains(&port.0));
            match dragonfly.neighbour(router, port) {
                Some(Attachment::Node(node)) => {
                    assert_eq!(kind, LinkKind::Host);
                    assert_eq!(dragonfly.node_at(router, port), Some(node));
                    assert_eq!(
                        dragonfly.attachment_of(node),
                        Attachment::Router(router, port)
                    );
                }
                Some(Attachment::Router(other, back)) => {
                    assert_ne!(router, other);
                    assert_eq!(dragonfly.node_at(router, port), None);
                    assert_eq!(dragonfly.port_kind(back), kind);
                    let same = dragonfly.group_of(router) == dragonfly.group_of(other);
                    assert_eq!(
                        kind,
                        if same {
                            LinkKind::Local
                        } else {
                            LinkKind::Global
                        }
                    );
                    assert_eq!(
                        dragonfly.neighbour(other, back),
                        Some(Attachment::Router(router, port))
                    );
                }
                None => assert_eq!(kind, LinkKind::Global),
            }
        }
    });
}

#[test]
fn no_port_is_connected_beyond_the_radix() {
    for_each(|dragonfly| {
        let shape = dragonfly.family().dragonfly().unwrap();
        let radix =
            shape.nodes_per_router + shape.routers_per_group - 1 + shape.global_ports_per_router;
        assert_eq!(u32::from(dragonfly.radix()), radix);
        for router in dragonfly.routers() {
            for port in [dragonfly.radix(), dragonfly.radix() + 1, u16::MAX].map(PortIndex) {
                assert_eq!(dragonfly.neighbour(router, port), None);
                assert_eq!(dragonfly.output_channel(router, port), None);
                assert_eq!(dragonfly.node_at(router, port), None);
            }
        }
    });
}

#[test]
fn every_group_is_a_clique_in_id_order() {
    for_each(|dragonfly| {
        for router in dragonfly.routers() {
            let others: Vec<RouterId> = dragonfly
                .routers_of(dragonfly.group_of(router))
                .filter(|&other| other != router)
                .collect();
            assert_eq!(routers_behind(dragonfly, router, LinkKind::Local), others);
            for other in dragonfly.routers() {
                let port = dragonfly.local_ports(router, other).first().copied();
                assert_eq!(port.is_some(), others.contains(&other));
                if let Some(port) = port {
                    let back = dragonfly.local_ports(other, router)[0];
                    assert_eq!(
                        dragonfly.neighbour(router, port),
                        Some(Attachment::Router(other, back))
                    );
                }
            }
        }
    });
}

#[test]
fn each_two_groups_share_the_same_number_of_links_and_the_rest_is_left_over() {
    for_each(|dragonfly| {
        let shape = dragonfly.family().dragonfly().unwrap();
        let per_group = shape.routers_per_group * shape.global_ports_per_router;
        let links = if shape.groups == 1 {
            0
        } else {
            per_group / (shape.groups - 1)
        };
        assert_eq!(dragonfly.links_per_group_pair(), links);
        for group in dragonfly.groups() {
            let mut counts = vec![0; shape.groups as usize];
            for router in dragonfly.routers_of(group) {
                for far in routers_behind(dragonfly, router, LinkKind::Global) {
                    counts[dragonfly.group_of(far).index()] += 1;
                }
            }
            for (other, count) in dragonfly.groups().zip(counts) {
                assert_eq!(count, if other == group { 0 } else { links });
            }
        }
        // Channels below k (g - 1) are connected, the ones above are not.
        for (router, port) in
            ports(dragonfly).filter(|end| dragonfly.port_kind(end.1) == LinkKind::Global)
        {
            let first = dragonfly.ports(LinkKind::Global).start;
            let channel = dragonfly.position(router) * shape.global_ports_per_router
                + u32::from(port.0 - first);
            let connected = dragonfly.neighbour(router, port).is_some();
            assert_eq!(connected, channel < links * (shape.groups - 1));
        }
    });
}

#[test]
fn channel_lists_agree_with_the_neighbours() {
    for_each(|dragonfly| {
        for from in dragonfly.groups() {
            for to in dragonfly.groups() {
                let leads_there = |end: &(RouterId, PortIndex)| {
                    dragonfly.port_kind(end.1) == LinkKind::Global
                        && matches!(
                            dragonfly.neighbour(end.0, end.1),
                            Some(Attachment::Router(far, _)) if dragonfly.group_of(far) == to
                        )
                };
                let expected: Vec<_> = ports(dragonfly)
                    .filter(|end| dragonfly.group_of(end.0) == from)
                    .filter(leads_there)
                    .collect();
                assert_eq!(
                    dragonfly.global_channels(from, to),
                    expected,
                    "{from:?} {to:?}"
                );
                for router in dragonfly.routers_of(from) {
                    let own: Vec<PortIndex> = expected
                        .iter()
                        .filter(|end| end.0 == router)
                        .map(|end| end.1)
                        .collect();
                    assert_eq!(dragonfly.direct_ports(router, to), own);
                }
            }
        }
    });
}

#[test]
fn the_two_ends_of_parallel_links_are_paired_in_order() {
    for_each(|dragonfly| {
        for from in dragonfly.groups() {
            for to in dragonfly.groups() {
                let there = dragonfly.global_channels(from, to);
                let back = dragonfly.global_channels(to, from);
                assert_eq!(there.len(), back.len());
                for (near, far) in there.iter().zip(back) {
                    assert_eq!(
                        dragonfly.neighbour(near.0, near.1),
                        Some(Attachment::Router(far.0, far.1))
                    );
                }
            }
        }
    });
}

/// Hops from `from` to every router; `steps` gives the routers that follow a state.
fn breadth_first<S: Copy + Ord>(start: S, steps: impl Fn(S) -> Vec<S>) -> Vec<(S, u32)> {
    let mut seen = BTreeSet::from([start]);
    let mut queue = VecDeque::from([(start, 0)]);
    let mut reached = Vec::new();
    while let Some((state, hops)) = queue.pop_front() {
        reached.push((state, hops));
        for next in steps(state) {
            if seen.insert(next) {
                queue.push_back((next, hops + 1));
            }
        }
    }
    reached
}

/// Fewest hops to every router over paths local - global - local, each part at most one hop.
fn local_global_local(dragonfly: &Topology, from: RouterId) -> Vec<Option<u32>> {
    // Stage 0: nothing used; 1: first local; 2: global; 3: last local.
    let reached = breadth_first((from, 0_u8), |(router, stage)| {
        let mut next = Vec::new();
        if stage == 0 || stage == 2 {
            let locals = routers_behind(dragonfly, router, LinkKind::Local);
            next.extend(locals.into_iter().map(|router| (router, stage + 1)));
        }
        if stage <= 1 {
            let globals = routers_behind(dragonfly, router, LinkKind::Global);
            next.extend(globals.into_iter().map(|router| (router, 2)));
        }
        next
    });
    let mut fewest = vec![None; dragonfly.router_count() as usize];
    for ((router, _), hops) in reached {
        fewest[router.index()].get_or_insert(hops);
    }
    fewest
}

/// Fewest hops to every router over any path.
fn shortest(dragonfly: &Topology, from: RouterId) -> Vec<Option<u32>> {
    let reached = breadth_first(from, |router| {
        let mut next = routers_behind(dragonfly, router, LinkKind::Local);
        next.extend(routers_behind(dragonfly, router, LinkKind::Global));
        next
    });
    let mut fewest = vec![None; dragonfly.router_count() as usize];
    for (router, hops) in reached {
        fewest[router.index()] = Some(hops);
    }
    fewest
}

/// Minimal hops are the fewest over local - global - local paths, exactly. A path of any shape is
/// shorter in one case only: two global hops instead of three mixed ones.
#[test]
fn minimal_hops_equal_a_breadth_first_search() {
    for_each(|dragonfly| {
        // Nodes do not matter here.
        if dragonfly.family().dragonfly().unwrap().nodes_per_router > 1 {
            return;
        }
        for from in dragonfly.routers() {
            let restricted = local_global_local(dragonfly, from);
            let unrestricted = shortest(dragonfly, from);
            for to in dragonfly.routers() {
                let hops = dragonfly.minimal_hops(from, to);
                assert!(hops <= 3);
                assert_eq!(restricted[to.index()], Some(hops), "{from:?} to {to:?}");
                let any = unrestricted[to.index()].unwrap();
                assert!(any == hops || (any == 2 && hops == 3), "{from:?} to {to:?}");
                assert_eq!(dragonfly.minimal_hops(to, from), hops);
            }
        }
    });
}

/// With one link per group pair the path is unique, and its length follows from the gateways.
#[test]
fn with_single_links_the_gateways_decide() {
    for_each(|dragonfly| {
        if dragonfly.links_per_group_pair() != 1
            || dragonfly.family().dragonfly().unwrap().nodes_per_router > 1
        {
            return;
        }
        for from in dragonfly.routers() {
            for to in dragonfly.routers() {
                let (source, target) = (dragonfly.group_of(from), dragonfly.group_of(to));
                if source == target {
                    continue;
                }
                let first = u32::from(dragonfly.direct_ports(from, target).is_empty());
                let last = u32::from(dragonfly.direct_ports(to, source).is_empty());
                assert_eq!(dragonfly.minimal_hops(from, to), first + 1 + last);
            }
        }
    });
}

#[test]
fn channels_are_dense_complete_and_found_again() {
    for_each(|dragonfly| {
        let channels: Vec<_> = dragonfly.channels().collect();
        assert_eq!(channels.len(), dragonfly.channel_count() as usize);
        for (position, channel) in channels.iter().enumerate() {
            assert_eq!(channel.index.index(), position);
            let (found, kind) = match channel.source {
                Attachment::Node(node) => (Some(dragonfly.injection_channel(node)), LinkKind::Host),
                Attachment::Router(router, port) => (
                    dragonfly.output_channel(router, port),
                    dragonfly.port_kind(port),
                ),
            };
            assert_eq!(found, Some(channel.index));
            assert_eq!(channel.kind, kind);
            assert_eq!(dragonfly.opposite(channel.source), Some(channel.target));
            assert_eq!(dragonfly.opposite(channel.target), Some(channel.source));
        }
        let sources: BTreeSet<Attachment> = channels.iter().map(|channel| channel.source).collect();
        let connected = ports(dragonfly).filter(|end| dragonfly.neighbour(end.0, end.1).is_some());
        let expected: BTreeSet<Attachment> = connected
            .map(|(router, port)| Attachment::Router(router, port))
            .chain(dragonfly.nodes().map(Attachment::Node))
            .collect();
        assert_eq!(sources, expected);
    });
}

#[test]
fn the_summary_counts_what_is_there() {
    for_each(|dragonfly| {
        let summary = dragonfly.summary();
        let count = |kind| {
            u32::try_from(
                dragonfly
                    .channels()
                    .filter(|channel| channel.kind == kind)
                    .count(),
            )
        };
        assert_eq!(
            Ok(summary.channels_of(LinkKind::Host)),
            count(LinkKind::Host)
        );
        assert_eq!(
            Ok(summary.channels_of(LinkKind::Local)),
            count(LinkKind::Local)
        );
        assert_eq!(
            Ok(summary.channels_of(LinkKind::Global)),
            count(LinkKind::Global)
        );
        let unconnected = ports(dragonfly)
            .filter(|end| dragonfly.neighbour(end.0, end.1).is_none())
            .count();
        assert_eq!(summary.unconnected_global_ports as usize, unconnected);
        let pairs = dragonfly.routers().flat_map(|from| {
            dragonfly
                .routers()
                .map(move |to| dragonfly.minimal_hops(from, to))
        });
        assert_eq!(Some(summary.diameter_hops), pairs.max());
        assert_eq!(summary.nodes, dragonfly.node_count());
        assert_eq!(summary.routers, dragonfly.router_count());
        assert_eq!(summary.groups, dragonfly.group_count());
        assert_eq!(summary.radix, dragonfly.radix());
        let links = summary.links_per_group_pair;
        let each = u64::from(dragonfly.links_per_group_pair());
        assert_eq!((links.least, links.most), (each, each));
    });
}

/// Paths and the cut are counted one by one, for the halves of low and high groups and of even
/// and odd ones.
#[test]
fn the_summary_counts_paths_and_the_cut() {
    for_each(|dragonfly| {
        let (summary, groups) = (dragonfly.summary(), dragonfly.group_count());
        let links = |from, to| dragonfly.global_channels(GroupId(from), GroupId(to)).len() as u64;
        if groups > 1 {
            let through: u64 = (1..groups - 1)
                .map(|middle| links(0, middle) * links(middle, groups - 1))
                .sum();
            assert_eq!(summary.nonminimal_paths.least, through);
            assert_eq!(summary.minimal_paths.most, links(0, groups - 1));
        }
        let low = |group: u32| group < groups / 2;
        let odd = |group: u32| !group.is_multiple_of(2);
        for in_half in [&low as &dyn Fn(u32) -> bool, &odd] {
            let halves = |from| (0..groups).filter(move |&to| in_half(from) && !in_half(to));
            let cut: u64 = (0..groups)
                .flat_map(|from| halves(from).map(move |to| links(from, to)))
                .sum();
            assert_eq!(summary.bisection_links, cut);
        }
    });
}

#[test]
fn one_group_more_than_the_ports_allow_is_refused() {
    for a in 1..=4 {
        for h in 0..=4 {
            let shape = Shape {
                groups: a * h + 2,
                routers_per_group: a,
                nodes_per_router: 1,
                global_ports_per_router: h,
                arrangement: Arrangement::Absolute,
            };
            let error = Topology::dragonfly(shape).unwrap_err().to_string();
            let remedy = format!("groups to at most {}", a * h + 1);
            assert!(error.ends_with(&remedy), "{error}");
        }
    }
}
