//! Every path shape of Aries and megafly, a packet alone; and order where it is kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_network::{Architecture, Parameters};
use odonata_reference::simulate;
use odonata_reference::testing::theory::zero_load_delivery;
use odonata_reference::testing::{
    OpenLoop, Pattern, TestEndpoint, booksim, kang2022, message, open_loop, routing,
};
use odonata_topology::{AriesShape, Attachment, LinkKind, MegaflyShape, Topology};
use odonata_units::{Instant, NodeId, RouterId, Span};

use LinkKind::{Column, Global, Host, Local, Row};

const LATE: Instant = Instant::from_ps(1 << 60);

fn aries() -> Arc<Topology> {
    let shape = AriesShape {
        groups: 4,
        rows: 3,
        columns: 4,
        nodes_per_router: 2,
        column_links: 2,
        global_ports_per_router: 1,
        chassis_per_cabinet: 3,
    };
    Arc::new(Topology::aries(shape).unwrap())
}

fn megafly() -> Arc<Topology> {
    let shape = MegaflyShape {
        groups: 5,
        leaf_routers_per_group: 4,
        spine_routers_per_group: 4,
        nodes_per_leaf: 2,
        links_per_group_pair: 1,
    };
    Arc::new(Topology::megafly(shape).unwrap())
}

/// BookSim's parameters with a column link of 20 ns; packets take 4 ns.
fn parameters() -> Parameters {
    let mut parameters = booksim();
    parameters.column.latency = Span::from_ns(20);
    parameters
}

fn kind_between(topology: &Topology, pair: &[RouterId]) -> LinkKind {
    let joins = |port: &u16| {
        let far = topology.neighbour(pair[0], odonata_topology::PortIndex(*port));
        matches!(far, Some(Attachment::Router(far, _)) if far == pair[1])
    };
    let port = (0..topology.radix()).find(joins).unwrap();
    topology.port_kind(odonata_topology::PortIndex(port))
}

/// Sends a packet from every `step`th node to every node, one at a time; compares each with the
/// recursion over the channels it took; returns the latencies of each path shape.
fn shapes(
    topology: &Arc<Topology>,
    algorithm: &str,
    parameters: &Parameters,
    step: usize,
) -> BTreeMap<Vec<LinkKind>, Span> {
    let routing = routing(topology, &[algorithm], false).unwrap();
    let nodes = topology.node_count();
    let mut scripts = vec![Vec::new(); nodes as usize];
    let pairs = (0..nodes)
        .step_by(step)
        .flat_map(|source| (0..nodes).map(move |target| (source, target)))
        .filter(|(source, target)| source != target);
    let apart = Span::from_ps(parameters.crossbar_cycle().ps() * 10_000);
    for (index, (source, target)) in (0..).zip(pairs) {
        let bytes = u64::from(parameters.packet_bytes);
        scripts[source as usize].push((
            Instant::ZERO + apart * index,
            message(NodeId(target), bytes),
        ));
    }
    let endpoints: Vec<_> = scripts.into_iter().map(TestEndpoint::scripted).collect();
    let run = simulate(Arc::clone(topology), &routing, parameters, endpoints, LATE);
    assert_eq!(run.undelivered, 0);
    let mut seen = BTreeMap::new();
    for record in &run.records {
        let between = record.path.windows(2);
        let mut kinds: Vec<_> = between.map(|pair| kind_between(topology, pair)).collect();
        let name = kinds.clone();
        kinds.insert(0, Host);
        kinds.push(Host);
        let flits = parameters.flits(record.bytes);
        let expected = zero_load_delivery(parameters, &kinds, flits, record.created);
        assert_eq!(record.delivered, expected, "{record:?}");
        seen.insert(name, record.delivered - record.created);
    }
    seen
}

/// By hand: 1 + 1 ns on host links, 4 ns for the packet, 2 ns per router, and the links.
fn assert_by_hand(seen: &BTreeMap<Vec<LinkKind>, Span>, expected: &[(&[LinkKind], u64)]) {
    for &(kinds, ns) in expected {
        assert_eq!(seen.get(kinds), Some(&Span::from_ns(ns)), "{kinds:?}");
    }
}

#[test]
fn aries_minimal_paths() {
    let seen = shapes(&aries(), "minimal", &parameters(), 5);
    let expected: [(&[LinkKind], u64); 12] = [
        (&[], 8),
        (&[Row], 20),
        (&[Column], 30),
        (&[Row, Column], 42),
        (&[Column, Row], 42),
        (&[Global], 110),
        (&[Row, Global], 122),
        (&[Global, Row], 122),
        (&[Column, Global], 132),
        (&[Global, Column], 132),
        (&[Row, Global, Column], 144),
        (&[Row, Column, Global, Row, Column], 178),
    ];
    assert_by_hand(&seen, &expected);
    assert!(
        seen.keys().all(|kinds| kinds.len() <= 5),
        "minimal: {seen:?}"
    );
}

/// Through `cioq` as well, by the recursion alone.
#[test]
fn aries_paths_through_crossbars() {
    let seen = shapes(&aries(), "minimal", &kang2022(), 17);
    assert!(seen.len() > 10, "{seen:?}");
    let seen = shapes(&aries(), "valiant-node", &kang2022(), 29);
    let longest = seen.keys().map(Vec::len).max();
    assert!(longest > Some(7), "{longest:?}");
}

#[test]
fn aries_detours() {
    let seen = shapes(&aries(), "valiant-group", &parameters(), 7);
    let globals = |kinds: &Vec<LinkKind>| kinds.iter().filter(|&&kind| kind == Global).count();
    assert!(seen.keys().any(|kinds| globals(kinds) == 2), "{seen:?}");
    for (kinds, latency) in &seen {
        let links: u64 = kinds
            .iter()
            .map(|&kind| parameters().link(kind).latency.ps())
            .sum();
        let routers = kinds.len() as u64 + 1;
        assert_eq!(latency.ps(), 6_000 + 2_000 * routers + links, "{kinds:?}");
    }
}

/// Up, global, down; between leaves of a group up and down.
#[test]
fn megafly_minimal_paths() {
    let seen = shapes(&megafly(), "minimal", &parameters(), 3);
    let expected: [(&[LinkKind], u64); 3] = [
        (&[], 8),
        (&[Local, Local], 32),
        (&[Local, Global, Local], 134),
    ];
    assert_by_hand(&seen, &expected);
    assert_eq!(
        seen.len(),
        expected.len(),
        "no other path is minimal: {seen:?}"
    );
}

#[test]
fn megafly_detours() {
    let seen = shapes(&megafly(), "valiant-group", &parameters(), 3);
    assert_by_hand(&seen, &[(&[Local, Local], 32)]);
    // Two global links, and between them down and up again, or a spine with both.
    let is_detour =
        |kinds: &Vec<LinkKind>| kinds.iter().filter(|&&kind| kind == Global).count() == 2;
    assert!(seen.keys().any(is_detour), "{seen:?}");
}

/// Packets of one pair of nodes arrive in the order they left in, where routing keeps one path per
/// pair; those on random paths overtake each other under the same load.
#[test]
fn order_is_kept_where_paths_are_fixed() {
    for topology in [aries(), megafly()] {
        for architecture in [Architecture::Voq, Architecture::Cioq] {
            let parameters = Parameters {
                architecture,
                input_buffer_flits: [16; 5],
                output_buffer_flits: 16,
                ..parameters()
            };
            assert_eq!(overtakings(&topology, "in-order", &parameters), 0);
            assert!(overtakings(&topology, "valiant-node", &parameters) > 0);
        }
    }
}

fn overtakings(topology: &Arc<Topology>, algorithm: &str, parameters: &Parameters) -> usize {
    let routing = routing(topology, &[algorithm], false).unwrap();
    let nodes = topology.node_count();
    let last = Instant::from_ps(500_000);
    let pattern = Pattern::Shift(nodes / 3);
    let source = OpenLoop::new(NodeId(0), nodes, pattern, 32, 300.0, last);
    let endpoints = open_loop(&source, 7);
    let run = simulate(Arc::clone(topology), &routing, parameters, endpoints, LATE);
    assert!(run.records.len() > 1_000 && run.undelivered == 0);
    let pairs = run.records.windows(2);
    pairs
        .filter(|pair| pair[0].source == pair[1].source && pair[0].delivered > pair[1].delivered)
        .count()
}
