//! Several modes in one network, and responses.

use odonata_routing::geometry::Geometry;
use odonata_routing::{
    Algorithm, Arrival, MODE_LIMIT, Mode, Ordered, PacketRoute, PathState, Responses, Routing,
    check_dependencies, entry,
};
use odonata_topology::{AriesShape, Arrangement, Attachment, LinkKind, MegaflyShape, Topology};
use odonata_units::{NodeId, Purpose, Stream};
use std::sync::Arc;

use crate::walk::{Eyes, any_flits, dragonfly, entries, learns, shape};

fn with(topology: &Arc<Topology>, names: &[&str], responses: impl Into<Responses>) -> Routing {
    let modes = names
        .iter()
        .map(|name| entry(name).unwrap().mode())
        .collect();
    Routing::new(Geometry::new(Arc::clone(topology)), modes, responses).unwrap()
}

fn systems() -> [Arc<Topology>; 3] {
    let aries = AriesShape {
        groups: 4,
        rows: 2,
        columns: 3,
        nodes_per_router: 1,
        column_links: 2,
        global_ports_per_router: 2,
        chassis_per_cabinet: 2,
    };
    let megafly = MegaflyShape {
        groups: 4,
        leaf_routers_per_group: 3,
        spine_routers_per_group: 3,
        nodes_per_leaf: 1,
        links_per_group_pair: 2,
    };
    [
        dragonfly(&shape(5, 3, 1, 2, Arrangement::Absolute)),
        Arc::new(Topology::aries(aries).unwrap()),
        Arc::new(Topology::megafly(megafly).unwrap()),
    ]
}

/// VCs of a packet of `mode` between two nodes, the last one towards its node.
fn vcs(routing: &Routing, mode: u8, source: u32, target: u32, streams: &mut Streams) -> Vec<u8> {
    let topology = routing.geometry().topology();
    let mut packet = PacketRoute::new(NodeId(source), NodeId(target), mode);
    let mut here = topology.router_of(packet.source);
    let mut arrival = Arrival::FROM_NODE;
    let mut vcs = Vec::new();
    loop {
        let mut eyes = Eyes::new(|_| any_flits(&mut streams.congestion));
        let hop = routing.route(
            &routing.location(here),
            arrival,
            &mut packet,
            &mut eyes,
            &mut streams.choices,
        );
        vcs.push(hop.vc);
        match topology.neighbour(here, hop.port).unwrap() {
            Attachment::Node(node) => {
                assert_eq!(node, packet.target);
                return vcs;
            }
            Attachment::Router(next, _) => {
                arrival = Arrival {
                    kind: topology.port_kind(hop.port),
                    vc: hop.vc,
                };
                here = next;
            }
        }
        assert!(vcs.len() < 20, "astray");
    }
}

/// Draws of one walk after another.
#[derive(Clone)]
struct Streams {
    /// What ports hold.
    congestion: Stream,
    /// What the routing chooses.
    choices: Stream,
}

fn streams() -> Streams {
    let stream = |entity| Stream::new(2, Purpose::Routing, entity);
    Streams {
        congestion: stream(0),
        choices: stream(1),
    }
}

/// The Aries modes together need what their largest needs.
#[test]
fn modes_share_the_largest_ladder() {
    let aries = [
        "adaptive-0",
        "adaptive-1",
        "adaptive-2",
        "adaptive-3",
        "min-hash",
        "nmin-hash",
        "in-order",
        "minimal",
    ];
    let [dragonfly, two_dimensional, megafly] = systems();
    for (topology, largest) in [(&dragonfly, 5), (&two_dimensional, 10), (&megafly, 2)] {
        let routing = with(topology, &aries, false);
        assert_eq!(routing.virtual_channels(), largest);
        assert_eq!(check_dependencies(&routing), Ok(()));
    }
    let mixed = with(&dragonfly, &["codes-par", "ugal-node"], false);
    assert_eq!(
        mixed.virtual_channels(),
        5,
        "neither ladder holds the other"
    );
    assert_eq!(
        with(&dragonfly, &["minimal", "ugal-group"], false).virtual_channels(),
        3
    );
    assert_eq!(
        with(&dragonfly, &["q-adaptive", "minimal"], false).virtual_channels(),
        5
    );
    assert_eq!(
        with(&dragonfly, &["q-adaptive", "par"], false).virtual_channels(),
        7
    );
}

/// Each two algorithms in one network, with responses, on every family.
#[test]
fn every_two_modes_are_free_of_deadlock_together() {
    for topology in systems() {
        let family = topology.family().name();
        let works: Vec<_> = odonata_routing::ENTRIES
            .iter()
            .filter(|entry| entry.families.contains(&family))
            .map(|entry| entry.name)
            .collect();
        for (index, one) in works.iter().enumerate() {
            for other in &works[index + 1..] {
                let routing = with(&topology, &[one, other], true);
                assert_eq!(
                    check_dependencies(&routing),
                    Ok(()),
                    "{family} {one} {other}"
                );
            }
        }
    }
}

/// Requests stay below the responses' virtual channels, responses at or above.
#[test]
fn responses_have_their_own_ladder() {
    for topology in systems() {
        let routing = with(&topology, &["ugal-node", "minimal", "adaptive-1"], true);
        let alone = with(&topology, &["ugal-node", "minimal", "adaptive-1"], false);
        let minimal = with(&topology, &["minimal"], false);
        let requests = routing.request_virtual_channels();
        assert_eq!(requests, alone.virtual_channels());
        assert_eq!(
            routing.virtual_channels(),
            requests + minimal.virtual_channels()
        );
        assert_eq!(routing.response_mode(), 3);
        let nodes = topology.node_count();
        let mut draws = streams();
        for source in 0..nodes {
            for target in (0..nodes).filter(|target| *target != source) {
                for mode in 0..3 {
                    let path = vcs(&routing, mode, source, target, &mut draws);
                    assert!(path.iter().all(|vc| *vc < requests));
                }
                let path = vcs(&routing, 3, source, target, &mut draws);
                let range = requests..routing.virtual_channels();
                assert!(path.iter().all(|vc| range.contains(vc)), "{path:?}");
            }
        }
    }
}

/// Data go by the modes of requests, above the virtual channels of requests; no cycle, and with too
/// few virtual channels one that is refused.
#[test]
fn data_of_gets_have_the_ladder_of_requests_once_more() {
    let names = ["ugal-node", "minimal", "adaptive-1"];
    for topology in systems() {
        let routing = with(&topology, &names, Responses::Data);
        let requests = routing.request_virtual_channels();
        assert_eq!(routing.virtual_channels(), 2 * requests);
        assert_eq!(
            (0..3)
                .map(|mode| routing.data_mode(mode))
                .collect::<Vec<_>>(),
            [4, 5, 6]
        );
        let nodes = topology.node_count();
        let (mut draws, mut others) = (streams(), streams());
        for source in 0..nodes {
            for target in (0..nodes).filter(|target| *target != source) {
                for mode in 0..3 {
                    let path = vcs(&routing, mode, source, target, &mut draws);
                    let data = vcs(
                        &routing,
                        routing.data_mode(mode),
                        source,
                        target,
                        &mut others,
                    );
                    assert!(path.iter().all(|vc| *vc < requests));
                    let shifted: Vec<u8> = path.iter().map(|vc| vc + requests).collect();
                    assert_eq!(data, shifted);
                }
                let answer = vcs(
                    &routing,
                    routing.response_mode(),
                    source,
                    target,
                    &mut draws,
                );
                assert!(
                    answer
                        .iter()
                        .all(|vc| (requests..2 * requests).contains(vc))
                );
                others = draws.clone();
            }
        }
        assert_eq!(check_dependencies(&routing), Ok(()));
        let on_one = with(&topology, &["minimal"], Responses::Data);
        let requests = on_one.request_virtual_channels();
        assert!(check_dependencies(&on_one.with_virtual_channels(requests)).is_err());
    }
}

/// Each mode is there twice, and the one of answers: there is room for half as many.
#[test]
fn modes_with_data_are_fewer() {
    let topology = dragonfly(&shape(2, 2, 1, 1, Arrangement::Absolute));
    let of = |count| {
        let modes = vec![Mode::minimal(); count];
        Routing::new(Geometry::new(Arc::clone(&topology)), modes, Responses::Data)
    };
    assert!(of(15).is_ok());
    assert!(of(16).unwrap_err().to_string().contains("at most 15"));
}

/// The mode called `name` that orders these packets.
fn ordering(name: &str, ordered: Ordered) -> Mode {
    let mut mode = entry(name).unwrap().mode();
    if let Algorithm::Rule(rule) = &mut mode.algorithm {
        rule.ordered = ordered;
    }
    mode
}

/// A mode that orders some packets is there once more for them, behind all others; paths and virtual
/// channels are those of the mode without it.
#[test]
fn ordered_packets_of_a_mode_have_a_mode_of_their_own() {
    let all = || {
        vec![
            ordering("ugal-node", Ordered::Eager),
            Mode::minimal(),
            ordering("par", Ordered::All),
            ordering("ugal-group", Ordered::Eager),
        ]
    };
    let topology = dragonfly(&shape(5, 3, 2, 2, Arrangement::Absolute));
    for (responses, first) in [
        (Responses::Absent, 4),
        (Responses::Answers, 5),
        (Responses::Data, 9),
    ] {
        let geometry = Geometry::new(Arc::clone(&topology));
        let routing = Routing::new(geometry, all(), responses).unwrap();
        let plain = with(
            &topology,
            &["ugal-node", "minimal", "par", "ugal-group"],
            responses,
        );
        assert_eq!(routing.virtual_channels(), plain.virtual_channels());
        assert_eq!(
            routing.request_virtual_channels(),
            plain.request_virtual_channels()
        );
        assert_eq!(
            (0..4)
                .map(|mode| routing.ordered_mode(mode))
                .collect::<Vec<_>>(),
            [first, 1, 2, first + 1]
        );
        let orders = |mode| routing.flow_gap(mode).is_some();
        let ordered: Vec<u8> = (0..first + 2).filter(|mode| orders(*mode)).collect();
        let data = routing.data_mode(2);
        let expected = match responses {
            Responses::Data => vec![2, data, first, first + 1],
            Responses::Absent | Responses::Answers => vec![2, first, first + 1],
        };
        assert_eq!(ordered, expected);
        assert!(routing.orders() && !plain.orders());
        assert_eq!(check_dependencies(&routing), Ok(()));
    }
}

/// A packet names its mode in five bits.
#[test]
fn modes_that_order_some_packets_count_twice() {
    let topology = dragonfly(&shape(3, 2, 1, 1, Arrangement::Absolute));
    let of = |count, responses| {
        let modes = vec![ordering("ugal-group", Ordered::Eager); count];
        Routing::new(Geometry::new(Arc::clone(&topology)), modes, responses)
    };
    assert!(of(16, Responses::Absent).is_ok() && of(15, Responses::Answers).is_ok());
    assert!(of(10, Responses::Data).is_ok());
    let refused = of(17, Responses::Absent).unwrap_err().to_string();
    assert!(refused.starts_with("34 different routings"), "{refused}");
    assert!(of(16, Responses::Answers).is_err() && of(11, Responses::Data).is_err());
}

/// Without virtual channels of their own responses can block requests: refused.
#[test]
fn responses_on_the_ladder_of_requests_are_refused() {
    for topology in systems() {
        let routing = with(&topology, &["minimal"], true);
        let requests = routing.request_virtual_channels();
        let error = check_dependencies(&routing.with_virtual_channels(requests)).unwrap_err();
        assert!(error.to_string().contains("cycle"), "{error}");
    }
}

/// A packet is precomputed, or routed, the same in a network of many modes as alone.
#[test]
fn modes_decide_as_they_do_alone() {
    let topology = dragonfly(&shape(9, 4, 2, 2, Arrangement::Absolute));
    let names: Vec<_> = entries()
        .filter(|entry| !learns(entry))
        .map(|entry| entry.name)
        .collect();
    let together = with(&topology, &names, false);
    for (mode, name) in names.iter().enumerate() {
        let alone = with(&topology, &[name], false);
        let (mut draws, mut others) = (streams(), streams());
        for source in topology.nodes() {
            let target = NodeId((source.0 * 7 + 5) % topology.node_count());
            let mut packet = PacketRoute::new(source, target, u8::try_from(mode).unwrap());
            let mut other = PacketRoute { mode: 0, ..packet };
            let here = topology.router_of(source);
            let arrival = Arrival::FROM_NODE;
            let mut eyes = Eyes::new(|_| any_flits(&mut draws.congestion));
            let hop = together.route(
                &together.location(here),
                arrival,
                &mut packet,
                &mut eyes,
                &mut draws.choices,
            );
            let mut eyes = Eyes::new(|_| any_flits(&mut others.congestion));
            let same = alone.route(
                &alone.location(here),
                arrival,
                &mut other,
                &mut eyes,
                &mut others.choices,
            );
            assert_eq!(
                (hop.port, packet.path_state),
                (same.port, other.path_state),
                "{name}"
            );
            assert_eq!(packet.intermediate, other.intermediate, "{name}");
        }
    }
}

#[test]
fn credits_are_read_if_any_mode_reads_them() {
    let topology = dragonfly(&shape(9, 4, 2, 2, Arrangement::Absolute));
    assert!(!with(&topology, &["minimal", "valiant-node"], true).reads_credits());
    assert!(with(&topology, &["minimal", "ugal-node"], false).reads_credits());
    assert!(with(&topology, &["codes-par"], false).reads_credits());
    let mut queued = entry("par").unwrap().mode();
    if let Algorithm::Rule(rule) = &mut queued.algorithm {
        rule.estimate = odonata_routing::Estimate::Queued;
    }
    let geometry = Geometry::new(topology);
    let routing = Routing::new(geometry, vec![queued], false).unwrap();
    assert!(!routing.reads_credits() && !routing.learns());
}

#[test]
fn no_modes_and_too_many_are_refused() {
    let topology = dragonfly(&shape(2, 2, 1, 1, Arrangement::Absolute));
    for count in [0, MODE_LIMIT + 1] {
        let modes = vec![Mode::minimal(); count];
        let refused = Routing::new(Geometry::new(Arc::clone(&topology)), modes, false);
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("at most 31"), "{message}");
    }
    let modes = vec![Mode::minimal(); MODE_LIMIT];
    let routing = Routing::new(Geometry::new(topology), modes, true).unwrap();
    assert_eq!(routing.response_mode(), 31);
}

/// A packet without a path state counts as minimal.
#[test]
fn fresh_packets_are_minimal() {
    assert!(!PathState::Fresh.is_nonminimal() && PathState::Outward.is_nonminimal());
    assert!((0..=5).all(|code| PathState::from_code(code) as u8 == code));
    assert_eq!(Arrival::FROM_NODE.kind, LinkKind::Host);
}
