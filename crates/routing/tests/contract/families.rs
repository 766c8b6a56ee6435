//! Every entry on every family of systems, whole and damaged.

use std::collections::BTreeSet;
use std::sync::Arc;

use odonata_routing::{
    ENTRIES, Entry, PacketRoute, PathState, Routing, RoutingError, check_dependencies, entry,
};
use odonata_topology::{
    AriesShape, Arrangement, Attachment, FailedLink, Family, GraphChannel, GraphSpec, GroupKind,
    KindsShape, LinkKind, MegaflyShape, PortIndex, Topology,
};
use odonata_units::{GroupId, NodeId, Purpose, RouterId, Stream};

use crate::deadlock::{has_cycle, waits};
use crate::walk::{Step, any_flits, dragonfly, learns, routing, shape, walk};
use odonata_routing::geometry::Geometry;

fn aries(groups: u32, rows: u32, columns: u32, column_links: u32, ports: u32) -> Topology {
    Topology::aries(AriesShape {
        groups,
        rows,
        columns,
        nodes_per_router: 1,
        column_links,
        global_ports_per_router: ports,
        chassis_per_cabinet: 1,
    })
    .unwrap()
}

fn megafly(groups: u32, leaves: u32, spines: u32, links: u32) -> Topology {
    Topology::megafly(MegaflyShape {
        groups,
        leaf_routers_per_group: leaves,
        spine_routers_per_group: spines,
        nodes_per_leaf: 1,
        links_per_group_pair: links,
    })
    .unwrap()
}

/// A ring of `routers` with a chord, doubled between routers 0 and 1; every second router has a
/// node.
fn graph(routers: u32) -> Topology {
    let mut channels = Vec::new();
    let mut join = |from: u32, to: u32| {
        for (from, to) in [(from, to), (to, from)] {
            channels.push(GraphChannel {
                kind: LinkKind::Local,
                source: RouterId(from),
                target: RouterId(to),
            });
        }
    };
    for router in 0..routers {
        join(router, (router + 1) % routers);
    }
    join(0, 1);
    join(0, routers / 2);
    // Routers with nodes come first: 0, 1, 2, ... of the first half.
    Topology::graph(&GraphSpec {
        router_of: (0..routers / 2 + 1).map(RouterId).collect(),
        group_of: vec![GroupId(0); routers as usize],
        channels,
    })
    .unwrap()
}

/// Takes the `n`-th, 2 `n`-th, ... link between routers away, or those between two groups.
fn damaged(topology: &Topology, every: usize) -> Topology {
    let links: Vec<_> = links(topology).into_iter().step_by(every).skip(1).collect();
    topology.without_links(&links).unwrap()
}

/// Every link between routers, once.
fn links(topology: &Topology) -> Vec<FailedLink> {
    let mut links = Vec::new();
    for from in topology.routers() {
        for port in (0..topology.radix()).map(PortIndex) {
            if let Some(Attachment::Router(to, back)) = topology.neighbour(from, port)
                && (from, port) < (to, back)
            {
                links.push(FailedLink {
                    from,
                    to,
                    port: Some(port),
                });
            }
        }
    }
    links
}

/// Without any link between the first two groups.
fn gapped(topology: &Topology) -> Topology {
    let group = |router| topology.group_of(router).0;
    let mut between = links(topology);
    between.retain(|link| {
        let ends = (group(link.from), group(link.to));
        ends == (0, 1) || ends == (1, 0)
    });
    topology.without_links(&between).unwrap()
}

/// A dragonfly with groups of two or three kinds: (g, a, p, h, links in the kind, links to others).
fn group_kinds(kinds: &[[u32; 6]]) -> Topology {
    let kinds = kinds.iter().zip(["compute", "io", "service"]).zip(0..);
    let kinds = kinds.map(
        |((&[groups, a, p, h, own, others], name), before)| GroupKind {
            name: name.to_owned(),
            groups,
            routers_per_group: a,
            spine_routers_per_group: 0,
            nodes_per_router: p,
            global_ports_per_router: h,
            links_per_group_pair: own,
            links_to_others: vec![others; before],
        },
    );
    Topology::dragonfly_of_kinds(KindsShape {
        kinds: kinds.collect(),
        arrangement: Arrangement::Relative,
    })
    .unwrap()
}

/// The same of leaves and spines.
fn megafly_kinds(kinds: &[[u32; 6]]) -> Topology {
    let kinds = kinds.iter().zip(["compute", "io", "service"]).zip(0..);
    let kinds = kinds.map(
        |((&[groups, leaves, spines, p, own, others], name), before)| GroupKind {
            name: name.to_owned(),
            groups,
            routers_per_group: leaves + spines,
            spine_routers_per_group: spines,
            nodes_per_router: p,
            global_ports_per_router: 0,
            links_per_group_pair: own,
            links_to_others: vec![others; before],
        },
    );
    Topology::megafly_of_kinds(KindsShape::megafly(kinds.collect())).unwrap()
}

/// One of every kind of system, with the local hops of its longest leg.
fn systems() -> Vec<(&'static str, Arc<Topology>)> {
    let plain = dragonfly(&shape(9, 4, 2, 2, Arrangement::Absolute));
    let parallel = dragonfly(&shape(4, 3, 1, 4, Arrangement::Relative));
    let small = aries(3, 2, 3, 2, 2);
    let large = aries(4, 3, 4, 3, 2);
    let fly = megafly(5, 3, 4, 2);
    let kinds = group_kinds(&[[4, 4, 2, 3, 2, 0], [2, 2, 3, 6, 3, 1], [1, 1, 1, 8, 1, 1]]);
    let single = group_kinds(&[[3, 3, 1, 2, 1, 0], [2, 1, 2, 4, 1, 1]]);
    let bare = group_kinds(&[[3, 2, 2, 4, 2, 0], [1, 3, 0, 4, 1, 2]]);
    let flies = megafly_kinds(&[[3, 3, 2, 2, 3, 0], [2, 2, 3, 3, 1, 2], [1, 1, 1, 1, 1, 1]]);
    vec![
        ("damaged megafly of kinds", Arc::new(damaged(&flies, 8))),
        ("megafly of kinds", Arc::new(flies)),
        ("damaged groups of kinds", Arc::new(damaged(&kinds, 5))),
        ("groups of kinds", Arc::new(kinds)),
        ("groups of kinds, one link", Arc::new(single)),
        ("groups without nodes", Arc::new(bare)),
        ("damaged dragonfly", Arc::new(damaged(&plain, 9))),
        ("gapped dragonfly", Arc::new(gapped(&parallel))),
        (
            "damaged parallel dragonfly",
            Arc::new(damaged(&parallel, 11)),
        ),
        ("damaged aries", Arc::new(damaged(&large, 7))),
        ("gapped aries", Arc::new(gapped(&large))),
        ("damaged megafly", Arc::new(damaged(&fly, 8))),
        ("gapped megafly", Arc::new(gapped(&fly))),
        ("dragonfly", plain),
        ("parallel dragonfly", parallel),
        ("aries", Arc::new(small)),
        ("larger aries", Arc::new(large)),
        ("one group of aries", Arc::new(aries(1, 3, 3, 1, 0))),
        ("megafly", Arc::new(fly)),
        ("megafly, one link", Arc::new(megafly(4, 2, 3, 1))),
        ("megafly of two groups", Arc::new(megafly(2, 2, 2, 2))),
        ("graph", Arc::new(graph(9))),
    ]
}

fn works(entry: &Entry, topology: &Topology) -> bool {
    let is_whole = !topology.is_damaged() || !learns(entry);
    entry.families.contains(&topology.family().name()) && is_whole
}

/// Every system with every entry that works on it.
fn for_each(mut visit: impl FnMut(&str, &Entry, &Routing)) {
    for (name, topology) in systems() {
        for entry in ENTRIES.iter().filter(|entry| works(entry, &topology)) {
            visit(name, entry, &routing(&topology, entry));
        }
    }
}

/// Routers with nodes, and every node.
fn pairs(topology: &Topology) -> impl Iterator<Item = (RouterId, NodeId)> {
    topology
        .nodes()
        .flat_map(|source| topology.nodes().map(move |target| (source, target)))
        .map(|(source, target)| (topology.router_of(source), target))
}

#[test]
fn what_works_where_is_what_the_registry_says() {
    for (name, topology) in systems() {
        for entry in ENTRIES {
            let geometry = Geometry::new(Arc::clone(&topology));
            let built = Routing::new(geometry, vec![entry.mode()], false);
            assert_eq!(
                built.is_ok(),
                works(entry, &topology),
                "{name} {}",
                entry.name
            );
            let Err(error) = built else {
                continue;
            };
            let message = error.to_string();
            assert!(matches!(error, RoutingError::Family { .. }), "{message}");
            let (_, valid) = message.split_once("these do: ").unwrap();
            for other in valid.split(", ") {
                assert!(works(odonata_routing::entry(other).unwrap(), &topology));
            }
        }
    }
}

/// Legs of a path: kinds and groups.
fn check(name: &str, entry: &Entry, routing: &Routing, path: &[Step]) {
    let topology = routing.geometry().topology();
    let (last, way) = path.split_last().unwrap();
    let context = || format!("{name} {}: {path:#?}", entry.name);
    assert_eq!(last.kind, LinkKind::Host, "{}", context());
    let group = |step: &Step| topology.group_of(step.here);
    let globals = way
        .iter()
        .filter(|step| step.kind == LinkKind::Global)
        .count();
    assert!(globals <= 3, "{}", context());
    let is_minimal = !last.after.path_state.is_nonminimal();
    let (from, to) = (group(&path[0]), group(last));
    let graph = matches!(topology.family(), Family::Graph);
    if is_minimal && !graph {
        assert_eq!(globals, usize::from(from != to), "{}", context());
    }
    let visited: BTreeSet<_> = path.iter().map(|step| step.here).collect();
    assert!(
        !is_minimal || visited.len() == path.len(),
        "a minimal packet meets no router twice, {}",
        context()
    );
    assert_eq!(
        last.after.path_state == PathState::Outward,
        last.after.path_state == PathState::Outward && routing.learns()
    );
    let hops = usize::from(routing.virtual_channels()) * 2 + 1;
    assert!(way.len() <= hops.max(6), "{}", context());
}

#[test]
fn every_packet_arrives_on_every_system() {
    for_each(check_all_pairs);
}

/// Between all nodes, with random observations.
fn check_all_pairs(name: &str, entry: &Entry, routing: &Routing) {
    let mut draw = Stream::new(1, Purpose::Routing, 0);
    let mut flits = Stream::new(1, Purpose::Routing, 1);
    for (source, target) in pairs(routing.geometry().topology()) {
        for _ in 0..3 {
            let look = |_| any_flits(&mut flits);
            let path = walk(routing, source, target, look, &mut draw);
            check(name, entry, routing, &path);
        }
    }
}

/// A process that has the tables of its own routers decides as one that has those of all.
#[test]
fn routers_of_one_group_decide_as_among_all() {
    for_each(|name, entry, whole| {
        let topology = whole.geometry().topology();
        let routers = |group| {
            let first = topology.first_router(group).0;
            first..first + topology.routers_in_group(group)
        };
        let parts: Vec<Routing> = topology
            .groups()
            .map(|group| whole.clone().at_routers(routers(group)))
            .collect();
        let mut draw = Stream::new(1, Purpose::Routing, 0);
        let mut flits = Stream::new(1, Purpose::Routing, 1);
        for (source, target) in pairs(topology) {
            let path = walk(whole, source, target, |_| any_flits(&mut flits), &mut draw);
            for step in path {
                let packet = step.before;
                let told = |routing: &Routing| {
                    let location = routing.location(step.here);
                    let PacketRoute {
                        target,
                        path_state,
                        intermediate,
                        ..
                    } = packet;
                    (
                        routing.precomputed(&location, step.arrival, packet),
                        routing.precomputed_plainly(&location, target, path_state, intermediate),
                    )
                };
                let part = &parts[topology.group_of(step.here).index()];
                assert_eq!(told(part), told(whole), "{name} {}: {step:?}", entry.name);
            }
        }
    });
}

/// Packets of `entry` arrive on every system that it works on, and cannot wait for each other.
pub(crate) fn check_everywhere(entry: &Entry) {
    for (name, topology) in systems().into_iter().filter(|one| works(entry, &one.1)) {
        let routing = routing(&topology, entry);
        check_all_pairs(name, entry, &routing);
        assert!(!has_cycle(&waits(&routing, 2)), "{name} {}", entry.name);
    }
}

#[test]
fn every_entry_is_free_of_deadlock_on_every_system() {
    for_each(|name, entry, routing| {
        assert_eq!(check_dependencies(routing), Ok(()), "{name} {}", entry.name);
        assert!(!has_cycle(&waits(routing, 6)), "{name} {}", entry.name);
    });
}

/// Whatever the check accepts with fewer virtual channels has no cycle on the system itself.
#[test]
fn too_few_virtual_channels_are_refused() {
    let mut refused = 0;
    for_each(|name, entry, routing| {
        let all = routing.virtual_channels();
        for count in [1, all / 2, all - 1]
            .into_iter()
            .filter(|n| *n > 0 && *n < all)
        {
            let fewer = routing.clone().with_virtual_channels(count);
            match check_dependencies(&fewer) {
                Ok(()) => assert!(
                    !has_cycle(&waits(&fewer, 6)),
                    "{name} {} with {count} of {all}",
                    entry.name
                ),
                Err(error) => {
                    assert!(error.cycle.iter().all(|one| one.vc < count), "{error}");
                    refused += 1;
                }
            }
        }
    });
    assert!(refused > 100, "{refused}");
}

/// The counts of CODES on Theta and on the megafly, and of the papers on the dragonfly.
#[test]
fn virtual_channels_are_those_of_the_page() {
    let on = |topology: &Arc<Topology>, name: &str| {
        routing(topology, entry(name).unwrap()).virtual_channels()
    };
    let systems: std::collections::BTreeMap<_, _> = systems().into_iter().collect();
    for (name, expected) in [
        ("minimal", (2, 4, 1)),
        ("valiant-group", (3, 6, 2)),
        ("ugal-node", (4, 8, 2)),
        ("par", (5, 10, 2)),
        ("codes-par", (4, 10, 2)),
        ("adaptive-0", (4, 8, 2)),
        ("adaptive-1", (5, 10, 2)),
        ("in-order", (2, 4, 1)),
    ] {
        let found = (
            on(&systems["dragonfly"], name),
            on(&systems["larger aries"], name),
            on(&systems["megafly"], name),
        );
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(on(&systems["larger aries"], "codes-adaptive"), 8);
    assert_eq!(on(&systems["dragonfly"], "q-adaptive"), 5);
}

/// Routers of a path.
fn routers(path: &[Step]) -> Vec<(RouterId, PortIndex)> {
    path.iter().map(|step| (step.here, step.hop.port)).collect()
}

/// In order: the same path for all packets of a pair, whatever is drawn or seen; and the pairs
/// together use every gateway.
#[test]
fn in_order_keeps_one_path_for_each_pair() {
    for (name, topology) in systems() {
        let routing = routing(&topology, entry("in-order").unwrap());
        let mut differ = false;
        let mut draw = Stream::new(4, Purpose::Routing, 0);
        let mut flits = Stream::new(4, Purpose::Routing, 1);
        for (source, target) in pairs(&topology) {
            let mut go = || {
                walk(
                    &routing,
                    source,
                    target,
                    |_| any_flits(&mut flits),
                    &mut draw,
                )
            };
            let first = go();
            for _ in 0..3 {
                assert_eq!(routers(&go()), routers(&first), "{name}");
            }
            let vcs: Vec<_> = first.iter().map(|step| step.hop.vc).collect();
            let again: Vec<_> = go().iter().map(|step| step.hop.vc).collect();
            assert_eq!(vcs, again);
            differ |= first.len() > 2;
        }
        assert!(differ, "{name}: some paths are long");
    }
}

/// Minimal packets find the minimal hops among those drawn, on whole systems.
#[test]
fn minimal_takes_minimal_paths() {
    for (name, topology) in systems() {
        if topology.is_damaged() || matches!(topology.family(), Family::Graph) {
            continue;
        }
        let routing = routing(&topology, entry("minimal").unwrap());
        let mut draw = Stream::new(5, Purpose::Routing, 0);
        for (source, target) in pairs(&topology) {
            let least = (0..60)
                .map(|_| walk(&routing, source, target, |_| 0, &mut draw).len() - 1)
                .min();
            let expected = topology.minimal_hops(source, topology.router_of(target));
            assert_eq!(
                least,
                Some(expected as usize),
                "{name} {source:?} {target:?}"
            );
        }
    }
}

/// Where two groups have no channel, packets go over a third one, and count as non-minimal.
#[test]
fn gaps_are_bridged() {
    for (name, topology) in systems()
        .into_iter()
        .filter(|(n, _)| n.starts_with("gapped"))
    {
        for entry in ENTRIES.iter().filter(|entry| works(entry, &topology)) {
            let routing = routing(&topology, entry);
            let mut draw = Stream::new(6, Purpose::Routing, 0);
            for source in topology.nodes_in(GroupId(0)) {
                for target in topology.nodes_in(GroupId(1)) {
                    let router = topology.router_of(source);
                    let path = walk(&routing, router, target, |_| 0, &mut draw);
                    assert!(
                        path[path.len() - 1].after.path_state.is_nonminimal(),
                        "{name} {}",
                        entry.name
                    );
                }
            }
        }
    }
}

/// What cannot be bridged is refused with the groups, or the routers.
#[test]
fn systems_that_fall_apart_are_refused() {
    let build = |topology: Topology| {
        let geometry = Geometry::new(Arc::new(topology));
        let modes = vec![entry("minimal").unwrap().mode()];
        Routing::new(geometry, modes, false)
            .unwrap_err()
            .to_string()
    };
    // A chain of groups: 0 - 2 - 3 - 1.
    let four = dragonfly(&shape(4, 3, 1, 1, Arrangement::Absolute));
    let mut between = links(&four);
    between.retain(|link| {
        let ends = [link.from, link.to].map(|router| four.group_of(router).0);
        [[0, 1], [0, 3], [1, 2]].contains(&ends)
    });
    let two = dragonfly(&shape(2, 3, 1, 1, Arrangement::Absolute));
    assert_eq!(
        build(four.without_links(&between).unwrap()),
        "no global channel leads from group 0 to group 1, and no third group has channels to both; \
         take fewer of their links away"
    );
    let mut around = links(&two);
    around.retain(|link| link.from == RouterId(4) || link.to == RouterId(4));
    around.retain(|link| link.from.0 >= 3);
    assert_eq!(
        build(two.without_links(&around).unwrap()),
        "group 1 falls apart: no local links lead from its router 3 to its router 4; take fewer of \
         its links away"
    );
}
