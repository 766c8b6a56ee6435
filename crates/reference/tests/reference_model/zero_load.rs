//! Latency of a packet alone in the network, to the picosecond, for every shape of path.

use std::sync::Arc;

use odonata_network::{Architecture, Delivery, Parameters, Switching};
use odonata_reference::testing::theory::zero_load_delivery;
use odonata_reference::testing::{
    TestEndpoint, booksim, codes_dally, gigabytes, kang2022, message, shape_of_1056,
    simulate_recorded,
};
use odonata_reference::{Run, simulate};
use odonata_routing::geometry::Geometry;
use odonata_routing::{Routing, entry};
use odonata_telemetry::PacketRecord;
use odonata_topology::{LinkKind, Topology};
use odonata_units::{Instant, NodeId, RouterId, Span};

use LinkKind::{Global, Host, Local};

const LATE: Instant = Instant::from_ps(1 << 60);

fn dragonfly() -> Arc<Topology> {
    Arc::new(Topology::dragonfly(shape_of_1056()).unwrap())
}

fn run(
    topology: &Arc<Topology>,
    algorithm: &str,
    parameters: &Parameters,
    sends: &[(NodeId, Instant, NodeId, u64)],
) -> Run<TestEndpoint> {
    let geometry = Geometry::new(Arc::clone(topology));
    let routing = Routing::new(geometry, vec![entry(algorithm).unwrap().mode()], false).unwrap();
    let mut scripts = vec![Vec::new(); topology.node_count() as usize];
    for &(source, at, target, bytes) in sends {
        scripts[source.index()].push((at, message(target, bytes)));
    }
    let endpoints: Vec<_> = scripts.into_iter().map(TestEndpoint::scripted).collect();
    let copy = endpoints.clone();
    let run = simulate(Arc::clone(topology), &routing, parameters, endpoints, LATE);
    let engine =
        simulate_recorded(Arc::clone(topology), &routing, parameters, copy, LATE, 1).unwrap();
    assert_eq!(
        run.records, engine.0,
        "what holds here holds for the engine"
    );
    assert_eq!(run.undelivered, 0);
    run
}

/// The kinds of the channels that a packet went over.
fn channels(topology: &Topology, record: &PacketRecord) -> Vec<LinkKind> {
    let kind = |pair: &[RouterId]| {
        if topology.group_of(pair[0]) == topology.group_of(pair[1]) {
            Local
        } else {
            Global
        }
    };
    let mut kinds = vec![Host];
    kinds.extend(record.path.windows(2).map(kind));
    kinds.push(Host);
    kinds
}

/// Nodes that node 0 reaches over each minimal path shape (absolute arrangement: router 0 has the
/// links to groups 1 to 4, which land on router 0 of these groups; group 5 hangs on router 1).
const SHAPES: [(&str, u32, &[LinkKind]); 6] = [
    ("same router", 1, &[Host, Host]),
    ("local", 4, &[Host, Local, Host]),
    ("global", 32, &[Host, Global, Host]),
    ("global-local", 36, &[Host, Global, Local, Host]),
    ("local-global", 160, &[Host, Local, Global, Host]),
    (
        "local-global-local",
        191,
        &[Host, Local, Global, Local, Host],
    ),
];

/// Node 0 sends one packet to each of the six, a microsecond apart and more; returns latencies.
fn latencies(parameters: &Parameters, bytes: u64, apart: Span) -> Vec<Span> {
    let topology = dragonfly();
    let sends: Vec<_> = (0..)
        .zip(SHAPES)
        .map(|(index, (_, node, _))| {
            (
                NodeId(0),
                Instant::ZERO + apart * index,
                NodeId(node),
                bytes,
            )
        })
        .collect();
    let run = run(&topology, "minimal", parameters, &sends);
    assert_eq!(run.records.len(), SHAPES.len());
    for ((name, _, kinds), record) in SHAPES.iter().zip(&run.records) {
        assert_eq!(channels(&topology, record), *kinds, "{name}");
        assert!(record.minimal, "{name}");
        let flits = parameters.flits(record.bytes);
        let expected = zero_load_delivery(parameters, kinds, flits, record.created);
        assert_eq!(record.delivered, expected, "{name}");
    }
    run.records
        .iter()
        .map(|record| record.delivered - record.created)
        .collect()
}

fn ps<const N: usize>(times: [u64; N]) -> Vec<Span> {
    times.into_iter().map(Span::from_ps).collect()
}

#[test]
fn booksim_numbers() {
    // BookSim2 configuration A, 4-flit packets: 8, 20, 110, 122, 122, 134 cycles.
    let expected = ps([8_000, 20_000, 110_000, 122_000, 122_000, 134_000]);
    assert_eq!(latencies(&booksim(), 32, Span::from_ns(1_000)), expected);
}

#[test]
fn codes_numbers() {
    // Measured with CODES dragonfly-dally: 405.176, 657.764, 1162.94 ns for 1, 2, 4 routers.
    let expected = ps([405_176, 657_764, 657_764, 910_352, 910_352, 1_162_940]);
    assert_eq!(
        latencies(&codes_dally(), 1024, Span::from_ns(5_000)),
        expected
    );
}

/// Cables of a kind that are not alike: 33 groups in rows of 10, 8 routers per group.
#[test]
fn links_are_as_long_as_the_page_says() {
    let mut parameters = Parameters {
        architecture: Architecture::Voq,
        groups_per_row: 10,
        ..kang2022()
    };
    // Routers of a group are up to 7 apart, groups 3 rows and 9 places: 10 ns for each step.
    parameters.local.longest = parameters.local.latency + Span::from_ns(60);
    parameters.global.longest = parameters.global.latency + Span::from_ns(110);
    let topology = dragonfly();
    let cases = [
        ("routers 0 and 1", 0, 4, 110_480),
        ("routers 0 and 7: 6 steps", 0, 28, 170_480),
        ("groups 0 and 1", 0, 32, 380_480),
        ("groups 0 and 4: 3 steps", 0, 128, 410_480),
        (
            "group 12 is in row 1: routers 1 step, groups 2",
            0,
            384,
            460_480,
        ),
        (
            "group 32 is in row 3: routers 6 and 6 steps, groups 4",
            0,
            1_052,
            640_480,
        ),
        ("groups 9 and 30: 11 steps", 316, 968, 490_480),
    ];
    for (name, from, to, expected) in cases {
        for (source, target) in [(from, to), (to, from)] {
            let sends = [(NodeId(source), Instant::ZERO, NodeId(target), 512)];
            let run = run(&topology, "minimal", &parameters, &sends);
            let found = run.records[0].delivered - run.records[0].created;
            assert_eq!(found, Span::from_ps(expected), "{name}");
        }
    }
}

/// The paper's system with ideal routers: sums of latencies, 20 ns per router, 20.48 ns.
#[test]
fn kang2022_numbers_voq() {
    let voq = Parameters {
        architecture: Architecture::Voq,
        ..kang2022()
    };
    let expected = ps([60_480, 110_480, 380_480, 430_480, 430_480, 480_480]);
    assert_eq!(latencies(&voq, 512, Span::from_ns(2_000)), expected);
    let whole = Parameters {
        switching: Switching::StoreAndForward,
        ..voq
    };
    // One serialization more for every channel after the first.
    let expected = ps([80_960, 151_440, 421_440, 491_920, 491_920, 562_400]);
    assert_eq!(latencies(&whole, 512, Span::from_ns(2_000)), expected);
}

/// The paper's system: a wake-up of 5.12 ns per channel and the wait for a tick of 1.28 ns.
///
/// By hand, same router: start 5,120; entry 35,120; tick 35,840 (28 cycles); start 40,960;
/// delivery 40,960 + 10,000 + 20,480. Local: start on the local link 40,960; entry 90,960; tick
/// 92,160 (72 cycles); start 97,280; delivery 127,760. Global: entry 360,960, which is a tick (282
/// cycles), so that the next one at 362,240 counts; start 367,360; delivery 397,840.
#[test]
fn kang2022_numbers_cioq() {
    let seen = latencies(&kang2022(), 512, Span::from_ps(2_560_000));
    let expected = ps([71_440, 127_760, 397_840, 454_160, 454_160, 510_480]);
    assert_eq!(seen, expected);
    let head = Parameters {
        delivery: Delivery::Head,
        ..kang2022()
    };
    let earlier = latencies(&head, 512, Span::from_ps(2_560_000));
    let tail = Span::from_ps(20_480);
    assert!(
        seen.iter()
            .zip(&earlier)
            .all(|(&late, &early)| late == early + tail)
    );
}

#[test]
fn mixed_bandwidths_do_not_overtake_tails() {
    for architecture in [Architecture::Voq, Architecture::Cioq] {
        for switching in [Switching::CutThrough, Switching::StoreAndForward] {
            let mut parameters = Parameters {
                architecture,
                switching,
                ..kang2022()
            };
            parameters.local.bandwidth = gigabytes(100);
            parameters.global.bandwidth = gigabytes(7);
            // `latencies` compares with the recursion; here, that the tail never comes early.
            let seen = latencies(&parameters, 512, Span::from_ns(3_000));
            let slowest = parameters.serialization(Global, 4);
            let host = parameters.serialization(Host, 4);
            assert!(
                seen[1] >= Span::from_ps(90_000) + host,
                "{architecture:?} {switching:?}"
            );
            assert!(
                seen[2] >= Span::from_ps(360_000) + slowest,
                "{architecture:?} {switching:?}"
            );
        }
    }
    // Cut-through, by hand: the fast local link waits for 20.48 - 5.12 ns of the packet.
    let mut voq = Parameters {
        architecture: Architecture::Voq,
        ..kang2022()
    };
    voq.local.bandwidth = gigabytes(100);
    let local = latencies(&voq, 512, Span::from_ns(2_000))[1];
    assert_eq!(
        local,
        Span::from_ps(30_000 + 15_360 + 50_000 + 10_000 + 20_480)
    );
}

/// Every non-minimal path of Valiant routing obeys the same formula, with its own channels.
#[test]
fn valiant_paths() {
    let topology = dragonfly();
    for parameters in [booksim(), kang2022(), codes_dally()] {
        for (algorithm, longest) in [("valiant-group", 5), ("valiant-node", 6)] {
            let targets = (0..300).map(|index| (index * 7) % 1_055 + 1);
            let sends: Vec<_> = (0..)
                .zip(targets)
                .map(|(index, node)| {
                    let at = Instant::from_ps(index * 10_000_000);
                    (
                        NodeId(0),
                        at,
                        NodeId(node),
                        u64::from(parameters.packet_bytes),
                    )
                })
                .collect();
            let run = run(&topology, algorithm, &parameters, &sends);
            let mut lengths = [0; 8];
            for record in &run.records {
                let kinds = channels(&topology, record);
                let flits = parameters.flits(record.bytes);
                let expected = zero_load_delivery(&parameters, &kinds, flits, record.created);
                assert_eq!(record.delivered, expected, "{record:?}");
                let globals = kinds.iter().filter(|&&kind| kind == Global).count();
                let far = topology.group_of_node(record.target).0 != 0;
                assert_eq!(globals, if far { 2 } else { 0 }, "{record:?}");
                assert_eq!(record.minimal, !far);
                lengths[record.path.len() - 1] += 1;
            }
            assert!(
                lengths[longest] > 0,
                "{algorithm}: the longest path occurs: {lengths:?}"
            );
            assert!(
                lengths[longest + 1..].iter().all(|&count| count == 0),
                "{lengths:?}"
            );
        }
    }
}

/// Uniform traffic without the sender itself: the mean over all 1,055 targets is 134,728 / 1,055
/// = 127.704 ns; BookSim2, whose uniform traffic includes the sender, has (134,728 + 8) / 1,056
/// = 127.59.
#[test]
fn booksim_mean_over_all_targets() {
    let topology = dragonfly();
    for source in [NodeId(0), NodeId(527), NodeId(1_055)] {
        let targets = topology.nodes().filter(|&node| node != source);
        let sends: Vec<_> = (0..)
            .zip(targets)
            .map(|(index, node)| (source, Instant::from_ps(index * 1_000_000), node, 32))
            .collect();
        let run = run(&topology, "minimal", &booksim(), &sends);
        let sum: u64 = run
            .records
            .iter()
            .map(|record| (record.delivered - record.created).ps())
            .sum();
        assert_eq!(
            (run.records.len(), sum),
            (1_055, 134_728_000),
            "from {source:?}"
        );
    }
}

/// A message of several packets: they follow each other without a gap, the last one partial.
#[test]
fn packets_of_a_message_follow_each_other() {
    let parameters = Parameters {
        header_bytes: 8,
        ..booksim()
    };
    let topology = dragonfly();
    // 24 B of payload each: 24 + 24 + 2 in packets of 32, 32 and 10 B: 4, 4 and 2 flits.
    let run = run(
        &topology,
        "minimal",
        &parameters,
        &[(NodeId(0), Instant::ZERO, NodeId(4), 50)],
    );
    let seen: Vec<_> = run
        .records
        .iter()
        .map(|r| {
            (
                r.sequence,
                r.bytes,
                r.created.ps(),
                r.injected.ps(),
                r.delivered.ps(),
            )
        })
        .collect();
    let expected = [
        (0, 32, 0, 0, 20_000),
        (1, 32, 0, 4_000, 24_000),
        (2, 10, 0, 8_000, 26_000),
    ];
    assert_eq!(seen, expected);
    let arrivals = &run.endpoints[4].arrivals;
    assert_eq!(arrivals.len(), 1, "one message");
    assert_eq!(
        (arrivals[0].at.ps(), arrivals[0].message.bytes),
        (26_000, 50)
    );
    assert_eq!(
        arrivals[0].message.source,
        NodeId(0),
        "the NIC fills in the source"
    );
}

/// Two send queues: messages to two targets take turns, one to the target of the first follows it.
#[test]
fn messages_to_different_targets_take_turns() {
    let topology = dragonfly();
    let sends = [
        (NodeId(0), Instant::ZERO, NodeId(4), 96),
        (NodeId(0), Instant::ZERO, NodeId(5), 64),
        (NodeId(0), Instant::ZERO, NodeId(4), 32),
    ];
    let order = |nic_queues| {
        let parameters = Parameters {
            nic_queues,
            ..booksim()
        };
        let run = run(&topology, "minimal", &parameters, &sends);
        let seen = run.records.iter();
        let mut seen: Vec<_> = seen
            .map(|r| (r.injected.ps(), r.target.0, r.sequence))
            .collect();
        seen.sort_unstable();
        let arrivals = &run.endpoints[4].arrivals;
        let arrivals: Vec<_> = arrivals.iter().map(|one| one.message.bytes).collect();
        assert_eq!(arrivals, [96, 32], "one after the other");
        seen
    };
    let at = |(packet, (target, number)): (u64, (u32, u64))| (packet * 4_000, target, number);
    let in_order = [(4, 0), (4, 1), (4, 2), (5, 3), (5, 4), (4, 5)];
    let by_turns = [(4, 0), (5, 3), (4, 1), (5, 4), (4, 2), (4, 5)];
    let expected = |order: [(u32, u64); 6]| (0..).zip(order).map(at).collect::<Vec<_>>();
    assert_eq!(order(1), expected(in_order));
    assert_eq!(order(2), expected(by_turns));
    assert_eq!(order(48), expected(by_turns));
}

/// With a NIC buffer of one packet, each packet is created when the one before it starts.
#[test]
fn creation_waits_for_the_nic_buffer() {
    let topology = dragonfly();
    let parameters = Parameters {
        nic_buffer_packets: 2,
        ..booksim()
    };
    let sends = [(NodeId(0), Instant::from_ps(7), NodeId(4), 160)];
    let run = run(&topology, "minimal", &parameters, &sends);
    let created: Vec<_> = run
        .records
        .iter()
        .map(|r| (r.created.ps(), r.injected.ps()))
        .collect();
    let expected = [
        (7, 7),
        (7, 4_007),
        (7, 8_007),
        (4_007, 12_007),
        (8_007, 16_007),
    ];
    assert_eq!(created, expected);
}

/// An input buffer of one packet: the second one waits for the credits of the first, which takes
/// L + R on the way there and L + C on the way back.
#[test]
fn credits_come_back_after_a_round_trip() {
    let topology = dragonfly();
    let sends = [(NodeId(0), Instant::ZERO, NodeId(1), 96)];
    let parameters = Parameters {
        input_buffer_flits: [4; 5],
        ..booksim()
    };
    let voq = run(&topology, "minimal", &parameters, &sends);
    let starts: Vec<_> = voq.records.iter().map(|r| r.injected.ps()).collect();
    // Host link: 1 + 2 + 1 + 3 ns.
    assert_eq!(starts, [0, 7_000, 14_000]);
    // `cioq`: a flit takes 1 ns, the crossbar 0.25 ns; start 1; entry 4, tick 4.25; credits at
    // 8.25, start one flit time later.
    let cioq = Parameters {
        architecture: Architecture::Cioq,
        ..parameters
    };
    let cioq = run_starts(&topology, &cioq, &sends);
    assert_eq!(cioq, [1_000, 9_250, 17_500]);
}

fn run_starts(
    topology: &Arc<Topology>,
    parameters: &Parameters,
    sends: &[(NodeId, Instant, NodeId, u64)],
) -> Vec<u64> {
    let run = run(topology, "minimal", parameters, sends);
    run.records
        .iter()
        .map(|record| record.injected.ps())
        .collect()
}
