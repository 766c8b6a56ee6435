//! Classes, responses and early credits on the reference model alone: shares, turns and instants by hand.

#![expect(
    clippy::cast_precision_loss,
    reason = "times and counts stay below 2^53"
)]

use std::ops::Range;
use std::sync::Arc;

use odonata_endpoint::Message;
use odonata_network::{
    Architecture, ClassShare, CreditReturn, MOST_CLASSES, Monitor, Parameters, Qos,
};
use odonata_reference::testing::{TestEndpoint, booksim, kang2022, message, routing};
use odonata_reference::{Run, simulate};
use odonata_telemetry::PacketRecord;
use odonata_topology::{Arrangement, Shape, Topology};
use odonata_units::{Instant, NodeId, Span};

const LATE: Instant = Instant::from_ps(1 << 50);
const MONITORS: [Monitor; 3] = [Monitor::Static, Monitor::Sliding, Monitor::TokenBucket];

/// Who sends what to whom, in which class, and when.
type Send = (u32, Instant, Message);

fn send(source: u32, target: u32, bytes: u64, class: u8) -> Send {
    let message = Message {
        class,
        ..message(NodeId(target), bytes)
    };
    (source, Instant::ZERO, message)
}

/// One group of `routers` routers with `nodes` nodes each.
fn run(
    routers: u32,
    nodes: u32,
    parameters: &Parameters,
    sends: &[Send],
    until: Instant,
) -> Run<TestEndpoint> {
    let shape = Shape {
        groups: 1,
        routers_per_group: routers,
        nodes_per_router: nodes,
        global_ports_per_router: 0,
        arrangement: Arrangement::Absolute,
    };
    let topology = Arc::new(Topology::dragonfly(shape).unwrap());
    let routing = routing(&topology, &["minimal"], parameters.response_bytes > 0).unwrap();
    let mut scripts = vec![Vec::new(); (routers * nodes) as usize];
    for &(source, at, message) in sends {
        scripts[source as usize].push((at, message));
    }
    let endpoints: Vec<_> = scripts.into_iter().map(TestEndpoint::scripted).collect();
    simulate(topology, &routing, parameters, endpoints, until)
}

fn classes(monitor: Monitor, window: Span, caps: &[u32]) -> Qos {
    let caps: Vec<_> = caps.iter().map(|&cap| ClassShare::cap(cap)).collect();
    of_shares(monitor, window, &caps)
}

fn of_shares(monitor: Monitor, window: Span, each: &[ClassShare]) -> Qos {
    let mut shares = Qos::NONE.shares;
    shares[..each.len()].copy_from_slice(each);
    Qos {
        classes: u8::try_from(each.len()).unwrap(),
        window,
        monitor,
        shares,
    }
}

/// An assured share and a ceiling in millionths, and a priority.
fn share(assured_ppm: u32, ceiling_ppm: u32, priority: u8) -> ClassShare {
    ClassShare {
        ceiling_ppm,
        priority,
        response_priority: priority,
        ..ClassShare::cap(assured_ppm)
    }
}

/// Share of the bytes per lane among packets that `select` gives an instant in `watched`.
fn shares(
    records: &[PacketRecord],
    watched: Range<Instant>,
    select: impl Fn(&PacketRecord) -> Option<Instant>,
) -> Vec<f64> {
    let mut bytes = [0_u64; 2 * MOST_CLASSES];
    for record in records {
        if select(record).is_some_and(|at| watched.contains(&at)) {
            bytes[usize::from(record.lane)] += u64::from(record.bytes);
        }
    }
    let all: u64 = bytes.iter().sum();
    bytes.iter().map(|&b| b as f64 / all as f64).collect()
}

fn assert_shares(seen: &[f64], expected: &[f64], here: &str) {
    for (class, &share) in expected.iter().enumerate() {
        let lane = seen[2 * class];
        assert!(
            (lane - share).abs() < 0.01,
            "{here}: class {class} has {lane}, not {share}"
        );
    }
}

/// Windows of 2 us are 500 packets of 4 ns each; 20 of them are watched, after the full buckets of
/// the beginning are empty.
const WINDOW: Span = Span::from_ns(2_000);
const WATCHED: Range<Instant> = Instant::from_ps(20_000_000)..Instant::from_ps(60_000_000);

fn architectures() -> [Parameters; 2] {
    [Architecture::Voq, Architecture::Cioq].map(|architecture| Parameters {
        architecture,
        output_buffer_flits: 64,
        ..booksim()
    })
}

/// Three nodes on one router flood a node of the next, each in a class of its own: on the link
/// between the routers each class has its cap.
#[test]
fn classes_share_a_link_by_their_caps() {
    let cases = [
        ([200_000, 300_000, 500_000], [0.2, 0.3, 0.5]),
        ([500_000, 300_000, 200_000], [0.5, 0.3, 0.2]),
        ([700_000, 700_000, 1_000_000], [0.7, 0.3, 0.0]),
        ([1_000_000, 1_000_000, 1_000_000], [1.0, 0.0, 0.0]),
    ];
    for parameters in architectures() {
        for monitor in MONITORS {
            for (caps, expected) in &cases {
                let parameters = Parameters {
                    qos: classes(monitor, WINDOW, caps),
                    ..parameters
                };
                let flood = |class: u8| send(class.into(), 3, 600_000, class);
                let sends = [0, 1, 2].map(flood);
                let run = run(2, 3, &parameters, &sends, WATCHED.end);
                let seen = shares(&run.records, WATCHED, |record| Some(record.delivered));
                let here = format!("{:?} {monitor:?} {caps:?}", parameters.architecture);
                assert_shares(&seen, expected, &here);
            }
        }
    }
}

/// What caps leave over goes to all in turn. A static window forgets that at its end and a bucket
/// does not charge it, so that each class has a third of it on top of its cap; a sliding window
/// remembers it, so that all have as much, except those that have more by their cap; it is 15 and a
/// half parts long on average, not 16.
#[test]
fn leftovers_go_in_turn() {
    for monitor in MONITORS {
        let parameters = Parameters {
            qos: classes(monitor, WINDOW, &[100_000, 200_000, 400_000]),
            ..booksim()
        };
        let flood = |class: u8| send(class.into(), 3, 600_000, class);
        let run = run(2, 3, &parameters, &[0, 1, 2].map(flood), WATCHED.end);
        let seen = shares(&run.records, WATCHED, |record| Some(record.delivered));
        let expected = match monitor {
            Monitor::Static | Monitor::TokenBucket => [0.2, 0.3, 0.5],
            Monitor::Sliding => [0.2935, 0.2935, 0.4 * 16.0 / 15.5],
        };
        assert_shares(&seen, &expected, &format!("{monitor:?}"));
    }
}

/// The same at a NIC that floods three nodes.
#[test]
fn classes_share_a_nic_by_their_caps() {
    for parameters in architectures() {
        for monitor in MONITORS {
            let parameters = Parameters {
                qos: classes(monitor, WINDOW, &[150_000, 250_000, 600_000]),
                ..parameters
            };
            let flood = |class: u8| send(0, 1 + u32::from(class), 600_000, class);
            let run = run(1, 4, &parameters, &[0, 1, 2].map(flood), WATCHED.end);
            let seen = shares(&run.records, WATCHED, |record| Some(record.injected));
            assert_shares(&seen, &[0.15, 0.25, 0.6], &format!("{monitor:?}"));
        }
    }
}

/// A class over its cap has the channel while nobody else wants it.
#[test]
fn nothing_waits_for_a_cap() {
    for monitor in MONITORS {
        let mut parameters = booksim();
        let sends = [send(0, 1, 40_000, 1)];
        parameters.qos = classes(monitor, Span::from_ns(100), &[1_000, 1_000]);
        let capped = run(1, 2, &parameters, &sends, LATE);
        parameters.qos = classes(monitor, Span::from_ns(100), &[1_000_000, 1_000_000]);
        let free = run(1, 2, &parameters, &sends, LATE);
        assert_eq!(capped.records, free.records, "{monitor:?}");
        assert_eq!(capped.end.ps(), free.end.ps(), "{monitor:?}");
    }
}

/// Classes on a contended link: assured shares, ceilings and priorities.
type Contended = ([ClassShare; 3], [f64; 3]);

/// What each of three classes that flood a link gets of it.
fn contended() -> [Contended; 4] {
    let whole = ClassShare::WHOLE_PPM;
    [
        // The first has what is left, up to its ceiling; the others then share it in turn.
        (
            [
                share(100_000, 300_000, 7),
                share(200_000, whole, 2),
                share(300_000, whole, 2),
            ],
            [0.3, 0.3, 0.4],
        ),
        // The last one has its assured share however small its priority is, and no more.
        (
            [
                share(100_000, whole, 7),
                share(200_000, whole, 2),
                share(300_000, whole, 1),
            ],
            [0.5, 0.2, 0.3],
        ),
        // A ceiling that is the assured share.
        (
            [
                share(50_000, 50_000, 7),
                share(450_000, 450_000, 2),
                share(100_000, whole, 1),
            ],
            [0.05, 0.45, 0.5],
        ),
        // All have ceilings, which leave a part of the link unused.
        (
            [
                share(100_000, 200_000, 2),
                share(100_000, 250_000, 2),
                share(100_000, 300_000, 2),
            ],
            [0.2 / 0.75, 0.25 / 0.75, 0.3 / 0.75],
        ),
    ]
}

/// What was left after assured shares goes to the classes below their ceilings, by priority. A
/// sliding window remembers turns, see `leftovers_go_in_turn`: it has its own shares where equals
/// share what is left.
#[test]
fn assured_shares_and_ceilings_hold_on_a_link_and_at_a_nic() {
    for parameters in architectures() {
        for monitor in MONITORS {
            for (index, (of_each, expected)) in contended().iter().enumerate() {
                let parameters = Parameters {
                    qos: of_shares(monitor, WINDOW, of_each),
                    ..parameters
                };
                let mut expected = *expected;
                if (monitor, index) == (Monitor::Sliding, 0) {
                    expected = [0.3, 0.35, 0.35];
                }
                let flood = |class: u8| send(class.into(), 3, 600_000, class);
                let link = run(2, 3, &parameters, &[0, 1, 2].map(flood), WATCHED.end);
                let at_link = shares(&link.records, WATCHED, |record| Some(record.delivered));
                let flood = |class: u8| send(0, 1 + u32::from(class), 600_000, class);
                let nic = run(1, 4, &parameters, &[0, 1, 2].map(flood), WATCHED.end);
                let at_nic = shares(&nic.records, WATCHED, |record| Some(record.injected));
                for (place, seen) in [("link", at_link), ("NIC", at_nic)] {
                    let here = format!("{place} {:?} {monitor:?} {index}", parameters.architecture);
                    assert_shares(&seen, &expected, &here);
                }
            }
        }
    }
}

/// A class at its ceiling waits though nobody else wants the channel, and has that share of it.
#[test]
fn a_ceiling_leaves_a_channel_idle() {
    let seconds = (WATCHED.end - WATCHED.start).ps() as f64 / 1e12;
    for parameters in architectures() {
        for monitor in MONITORS {
            let of_each = [share(50_000, 300_000, 7), share(50_000, 1_000_000, 2)];
            let parameters = Parameters {
                qos: of_shares(monitor, WINDOW, &of_each),
                ..parameters
            };
            for (routers, target) in [(2, 3), (1, 1)] {
                let sends = [send(0, target, 600_000, 0)];
                let run = run(routers, 3, &parameters, &sends, WATCHED.end);
                let seen = run.records.iter().filter(|r| WATCHED.contains(&r.injected));
                let bytes: u64 = seen.map(|record| u64::from(record.bytes)).sum();
                let rate = parameters.host.bandwidth.bytes_per_second() as f64;
                let share = bytes as f64 / (rate * seconds);
                let here = format!("{:?} {monitor:?}", parameters.architecture);
                assert!((share - 0.3).abs() < 0.003, "{here}: {share}");
            }
        }
    }
}

/// Requests and responses of one class that flood a link: with a priority of their own, responses
/// wait for all requests; with the same one they take turns.
#[test]
fn responses_may_go_behind_requests() {
    let order = |response_priority| {
        let mut qos = classes(Monitor::Static, WINDOW, &[500_000, 500_000]);
        for share in &mut qos.shares {
            (share.priority, share.response_priority) = (2, response_priority);
        }
        let parameters = Parameters {
            response_bytes: 32,
            qos,
            ..booksim()
        };
        // Node 0 sends requests to node 1, and answers those of node 2.
        let sends = [send(0, 1, 32 * 10, 0), send(2, 0, 32 * 4, 0)];
        let run = run(1, 3, &parameters, &sends, LATE);
        assert_eq!(run.undelivered, 0);
        lanes_by_start(&run, 0)
    };
    let mut behind = vec![0; 10];
    behind.extend([1; 4]);
    assert_eq!(order(1), behind);
    let mut in_turn = vec![0, 0];
    in_turn.extend([1, 0].repeat(4));
    in_turn.extend([0; 4]);
    assert_eq!(order(2), in_turn);
}

fn lanes_by_start(run: &Run<TestEndpoint>, source: u32) -> Vec<u8> {
    let mut all: Vec<_> = run
        .records
        .iter()
        .filter(|record| record.source == NodeId(source))
        .map(|record| (record.injected, record.lane))
        .collect();
    all.sort_unstable();
    all.into_iter().map(|(_, lane)| lane).collect()
}

/// By hand: packets of 32 B take 4 ns, a window of 64 ns is 16 of them. Class 0 has 4 per window,
/// class 1 has 8; the other 4 go in turn, beginning with class 0. The second
/// window begins afresh.
#[test]
fn a_window_packet_by_packet() {
    let parameters = Parameters {
        qos: classes(Monitor::Static, Span::from_ns(64), &[250_000, 500_000]),
        ..booksim()
    };
    let sends = [send(0, 1, 32 * 20, 0), send(0, 1, 32 * 20, 1)];
    let run = run(1, 2, &parameters, &sends, LATE);
    let seen: Vec<u8> = lanes_by_start(&run, 0)
        .iter()
        .map(|lane| lane / 2)
        .collect();
    let window = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1];
    assert_eq!(seen[..16], window);
    assert_eq!(seen[16..32], window);
}

/// Node 1 answers node 0 and sends to node 2 as well. Its first response is due at 8 ns, two
/// requests having started; then responses and requests take turns, each 4 ns.
#[test]
fn requests_and_responses_take_turns() {
    let parameters = Parameters {
        response_bytes: 32,
        ..booksim()
    };
    let sends = [send(0, 1, 32 * 10, 0), send(1, 2, 32 * 10, 0)];
    let run = run(1, 3, &parameters, &sends, LATE);
    assert_eq!(run.undelivered, 0);
    assert_eq!(run.records.len(), 40);
    let seen = lanes_by_start(&run, 1);
    let mut expected = vec![0, 0];
    expected.extend([1, 0].repeat(8));
    expected.extend([1, 1]);
    assert_eq!(seen, expected);
    let order: Vec<_> = run
        .records
        .iter()
        .filter(|record| record.source == NodeId(1) && record.lane == 1)
        .map(|record| (record.target, record.created))
        .collect();
    assert_eq!(order, [(NodeId(0), Instant::ZERO); 10], "their requests'");
}

/// By hand, one router on: the request is delivered as in `zero_load.rs`, the response of one flit
/// is back 1 + 2 + 10 + 2 + 1 + 1 ns later (`voq`).
///
/// `cioq`: delivered at 127,760; start 132,880; entry 162,880; tick 163,840 (128 cycles); start
/// 168,960; entry 218,960; tick 220,160 (172 cycles); start 225,280; delivery 240,400.
#[test]
fn round_trips_by_hand() {
    let trip = |parameters: Parameters, bytes: u32| {
        let sends = [send(0, 1, bytes.into(), 0)];
        let run = run(2, 1, &parameters, &sends, LATE);
        assert_eq!(run.records.len(), 2);
        assert_eq!(run.endpoints[0].arrivals.len(), 0, "nobody hears of it");
        assert_eq!(run.endpoints[1].arrivals.len(), 1);
        let [request, response] = &run.records[..] else {
            unreachable!("two records");
        };
        assert_eq!((request.lane, response.lane), (0, 1));
        assert_eq!(response.created, request.created);
        assert_eq!(response.path.len(), 2);
        let ps = |at: Instant| at.ps();
        (
            ps(request.delivered),
            ps(response.injected),
            ps(response.delivered),
        )
    };
    let voq = Parameters {
        response_bytes: 8,
        ..booksim()
    };
    assert_eq!(trip(voq, 32), (20_000, 20_000, 37_000));
    let cioq = Parameters {
        response_bytes: 128,
        ..kang2022()
    };
    assert_eq!(trip(cioq, 512), (127_760, 132_880, 240_400));
}

fn starts(run: &Run<TestEndpoint>, lane: u8) -> Vec<u64> {
    let mine = |record: &&PacketRecord| record.source == NodeId(0) && record.lane == lane;
    let records = run.records.iter().filter(mine);
    records.map(|record| record.injected.ps()).collect()
}

/// With one request outstanding, each waits for the answer to the one before; `cioq` wakes up
/// then. With two, two are out at any time. Limits are per NIC, not per class.
#[test]
fn requests_wait_for_answers() {
    let sends = [send(0, 1, 96, 0)];
    let mut voq = Parameters {
        response_bytes: 8,
        outstanding: 1,
        qos: classes(Monitor::Static, Span::from_ns(1_000), &[1_000_000; 2]),
        ..booksim()
    };
    let one = run(2, 1, &voq, &sends, LATE);
    assert_eq!(starts(&one, 0), [0, 37_000, 74_000]);
    let classes = [send(0, 1, 64, 0), send(0, 1, 64, 1)];
    let both = run(2, 1, &voq, &classes, LATE);
    assert_eq!(starts(&both, 0), [0, 37_000]);
    assert_eq!(starts(&both, 2), [74_000, 111_000]);
    voq.outstanding = 2;
    let two = run(2, 1, &voq, &sends, LATE);
    assert_eq!(starts(&two, 0), [0, 4_000, 37_000]);
    let cioq = Parameters {
        response_bytes: 128,
        outstanding: 1,
        ..kang2022()
    };
    let sends = [send(0, 1, 1_024, 0)];
    let woken = run(2, 1, &cioq, &sends, LATE);
    assert_eq!(starts(&woken, 0), [5_120, 240_400 + 5_120]);
}

/// Nodes 0 and 1 send two packets each to node 2, through input buffers of one packet. Both enter
/// at 3 ns; the packet of node 0 leaves then, that of node 1 at 7 ns, and credits are back 4 ns
/// later. Early credits: both have left at 3 ns, since nodes take everything.
#[test]
fn early_credits_by_hand() {
    let parameters = Parameters {
        input_buffer_flits: [4; 5],
        ..booksim()
    };
    let sends = [send(0, 2, 64, 0), send(1, 2, 64, 0)];
    let second = |credit_return| {
        let parameters = Parameters {
            credit_return,
            ..parameters
        };
        let run = run(1, 3, &parameters, &sends, LATE);
        let second = run.records.iter().filter(|record| record.sequence == 1);
        second.map(|r| r.injected.ps()).collect::<Vec<_>>()
    };
    assert_eq!(second(CreditReturn::Departure), [7_000, 11_000]);
    assert_eq!(second(CreditReturn::Reservation), [7_000, 7_000]);
}

/// Towards a router, a packet leaves early only while there is room behind the link: of three
/// packets that two nodes send over one local link with a buffer of two packets behind it, two
/// leave at their entry and the third when the first has left the next router's buffer.
///
/// By hand: the first packets of both nodes enter at 3 ns and are reserved. The second one of node
/// 0 starts at 4 ns and enters at 7 ns. The first packet starts on the local link at 3, enters at
/// 15 and leaves at once, its credits are usable at 15 + 10 + 3 = 28 ns: so the third packet
/// leaves then, and node 0 has the credits of it at 32 ns.
#[test]
fn early_credits_need_room_behind_the_link() {
    let parameters = Parameters {
        input_buffer_flits: [8, 8, 8, 8, 8],
        credit_return: CreditReturn::Reservation,
        ..booksim()
    };
    let sends = [send(0, 2, 32 * 4, 0), send(1, 3, 32, 0)];
    let run = run(2, 2, &parameters, &sends, LATE);
    // Credits of the first packet are back at 3 + 4 = 7, in time for the third start at 8 ns. The
    // second one holds its place in the buffer of two until 28 ns; so does the third one then.
    assert_eq!(starts(&run, 0), [0, 4_000, 8_000, 32_000]);
    let delivered: Vec<u64> = run.records.iter().map(|r| r.delivered.ps()).collect();
    // On the local link: 3, 28, ...; that of node 1 at 7.
    assert_eq!(delivered[0], 20_000);
    assert_eq!(delivered[4], 24_000);
}
