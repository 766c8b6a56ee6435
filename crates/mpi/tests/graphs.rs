//! Programs that are graphs, and nonblocking collectives: what starts when, who makes progress.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{
    CommId, Communicator, Edge, Graph, GraphProgram, Moment, MpiParameters, MpiRank, Operation,
    Peer, RankMap, RankProgram, RankReport, RankSetup, Request,
};
use odonata_units::{Bandwidth, Instant, NodeId, Purpose, Span, Stream};

const WORLD: CommId = CommId::WORLD;

/// Runs one program per rank to the end of everything.
fn run(preset: &str, programs: Vec<RankProgram>, jitter_ns: u64) -> Vec<RankReport> {
    let end = Instant::from_ps(u64::MAX - 1);
    run_until(preset, programs, jitter_ns, end, false)
}

fn run_until(
    preset: &str,
    programs: Vec<RankProgram>,
    jitter_ns: u64,
    limit: Instant,
    repeats: bool,
) -> Vec<RankReport> {
    let size = u32::try_from(programs.len()).unwrap();
    let nodes: Vec<NodeId> = (0..size).map(NodeId).collect();
    let rank_map = Arc::new(RankMap::new(&nodes));
    let parameters = Arc::new(MpiParameters::preset(preset).unwrap());
    let bandwidth = Bandwidth::from_bytes_per_second(25_000_000_000);
    let mut ranks: Vec<MpiRank> = (0..)
        .zip(programs)
        .map(|(rank, program)| {
            let mut rank = MpiRank::new(RankSetup {
                rank,
                rank_map: Arc::clone(&rank_map),
                communicators: vec![Communicator::world(rank, size)],
                parameters: Arc::clone(&parameters),
                program,
            });
            if repeats {
                rank.repeat(bandwidth.unwrap());
            }
            rank
        })
        .collect();
    let network = IdealNetwork {
        latency: Span::from_ns(100),
        bandwidth,
        jitter: Span::from_ns(jitter_ns),
    };
    network.run(&mut ranks, &nodes, limit);
    for rank in &ranks {
        assert_eq!(rank.is_finished(), rank.report().finished);
    }
    ranks.iter().map(MpiRank::report).collect()
}

fn sequence(list: Vec<Operation>) -> RankProgram {
    let mut list = list.into_iter();
    (move || list.next().unwrap_or(Operation::Finish)).into()
}

/// A graph of operations, each with its stream, and edges.
fn graph(operations: Vec<(u32, Operation)>, edges: &[Edge]) -> RankProgram {
    let streams: Vec<u32> = operations.iter().map(|(stream, _)| *stream).collect();
    GraphProgram {
        graph: Graph::new(&streams, edges).unwrap(),
        operations: Box::new(move |at: u32| operations[at as usize].1.clone()),
        wait_before: Span::ZERO,
    }
    .into()
}

/// `later` after the end of `earlier`.
fn after(earlier: u32, later: u32) -> Edge {
    let moment = Moment::End;
    Edge {
        earlier,
        moment,
        later,
    }
}

/// A list as a graph in which every operation follows the one before it.
fn chain(list: Vec<Operation>) -> RankProgram {
    let count = u32::try_from(list.len()).unwrap();
    let edges: Vec<Edge> = (1..count).map(|at| after(at - 1, at)).collect();
    graph(list.into_iter().map(|one| (4, one)).collect(), &edges)
}

fn send(target: u32, bytes: u64) -> Operation {
    Peer::in_job(target, 0).send(bytes)
}

fn recv(source: u32, bytes: u64) -> Operation {
    let (comm, tag) = (WORLD, Some(0));
    Operation::Receive {
        comm,
        source: Some(source),
        tag,
        bytes,
        request: None,
    }
}

fn compute(ns: u64) -> Operation {
    Operation::Compute(Span::from_ns(ns))
}

fn allreduce(bytes: u64) -> Operation {
    let comm = WORLD;
    comm.allreduce(bytes)
}

fn nonblocking(collective: Operation, request: u32) -> Operation {
    collective.nonblocking(Request(request))
}

fn wait(request: u32) -> Operation {
    Operation::Wait(Request(request))
}

/// A mixture of everything for `rank` of `size`, which never stands still: rings of sends and
/// receives of many sizes, blocking and nonblocking, and collectives.
fn mixture(rank: u32, size: u32, seed: u64) -> Vec<Operation> {
    // The same draws on all ranks: what they do fits together.
    let mut stream = Stream::new(seed, Purpose::Job, 0);
    let mut draw = |below: u64| stream.next_u64() % below;
    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
    let mut list = Vec::new();
    for _ in 0..12 {
        let bytes = [0, 1, 800, 12_000, 12_001, 90_000][usize::try_from(draw(6)).unwrap()];
        match draw(7) {
            0 => list.push(compute(draw(2_000) * u64::from(rank + 1))),
            1 => list.push(allreduce(bytes)),
            2 => list.push(Operation::IterationBegin),
            3 => list.push(Operation::IterationEnd),
            4 => list.push(WORLD.alltoall(bytes)),
            _ => list.extend([
                Operation::Receive {
                    comm: WORLD,
                    source: Some(left),
                    tag: None,
                    bytes,
                    request: Some(Request(5)),
                },
                send(right, bytes),
                wait(5),
            ]),
        }
    }
    list
}

#[test]
fn a_sequence_is_the_same_as_a_graph() {
    for seed in 0..40 {
        for preset in ["firefly-kang2022", "codes", "ideal"] {
            let programs = |form: fn(Vec<Operation>) -> RankProgram| {
                (0..5).map(|rank| form(mixture(rank, 5, seed))).collect()
            };
            let expected = run(preset, programs(sequence), 300);
            let found = run(preset, programs(chain), 300);
            assert!(expected.iter().all(|rank| rank.finished), "seed {seed}");
            assert_eq!(found, expected, "seed {seed}, {preset}");
        }
    }
}

/// Times in ns, on the library without costs: 8 B take 100.32 ns to the other rank.
#[test]
fn streams_compute_at_the_same_time_and_edges_order_them() {
    let work = |edges: &[Edge]| {
        let operations = vec![(0, compute(300)), (1, compute(500)), (0, compute(50))];
        run("ideal", vec![graph(operations, edges)], 0).remove(0)
    };
    let end = |report: &RankReport| report.end.ps() / 1_000;
    // One stream works 350 ns in all, the other 500 ns.
    let report = work(&[]);
    assert_eq!(
        (end(&report), report.compute_time),
        (500, Span::from_ns(500))
    );
    assert_eq!(report.comm_time, Span::ZERO);
    assert_eq!(end(&work(&[after(1, 2)])), 550);
    assert_eq!(end(&work(&[after(0, 1), after(1, 2)])), 850);
    // After the start of the 500 ns, which begin at 300 ns.
    let start = Edge {
        moment: Moment::Start,
        ..after(1, 2)
    };
    assert_eq!(end(&work(&[after(0, 1), start])), 800);
}

#[test]
fn what_waits_for_a_message_leaves_its_cpu_to_others() {
    // Rank 0 sends after 400 ns; the receive of rank 1 is posted first, and 300 ns of computation
    // fit in front of the message.
    let sender = || sequence(vec![compute(400), send(1, 8)]);
    let free = graph(vec![(0, recv(0, 8)), (0, compute(300))], &[]);
    let reports = run("ideal", vec![sender(), free], 0);
    assert_eq!(reports[1].end.ps(), 500_320);
    assert!(reports[1].finished);
    let ordered = chain(vec![recv(0, 8), compute(300)]);
    let reports = run("ideal", vec![sender(), ordered], 0);
    assert_eq!(reports[1].end.ps(), 800_320);
    // A computation is not interrupted, and nothing is matched meanwhile.
    let busy = graph(vec![(0, recv(0, 8)), (0, compute(900))], &[]);
    let reports = run("ideal", vec![sender(), busy], 0);
    assert_eq!(reports[1].end.ps(), 900_000);
    // Two streams: the receive ends when the message is there.
    let streams = vec![(0, recv(0, 8)), (1, compute(900)), (0, compute(100))];
    let reports = run("ideal", vec![sender(), graph(streams, &[after(0, 2)])], 0);
    assert_eq!(reports[1].end.ps(), 900_000);
    assert_eq!(reports[1].compute_time, Span::from_ns(900));
}

/// Dozens of receives and sends in any order between all ranks, without any order among them.
#[test]
fn graphs_without_order_end_whatever_overtakes_what() {
    let size = 6;
    for seed in 0..20 {
        let programs = (0..size).map(|rank| {
            let mut draws = Stream::new(seed, Purpose::Job, u64::from(rank));
            let mut operations = Vec::new();
            for other in (0..size).filter(|&other| other != rank) {
                for bytes in [0, 700, 20_000] {
                    operations.push((rank % 3, send(other, bytes)));
                    operations.push((0, recv(other, 20_000)));
                }
                operations.push((1, compute(draws.next_u64() % 4_000)));
            }
            let edges = [after(3, 20), after(12, 5), after(7, 30)];
            graph(operations, &edges)
        });
        let reports = run("firefly-kang2022", programs.collect(), 2_000);
        for report in &reports {
            assert!(report.finished, "seed {seed}: {:?}", report.blocked_on);
            assert_eq!(report.messages_sent, 15);
        }
    }
}

#[test]
fn a_nonblocking_collective_costs_what_the_blocking_one_does_and_overlaps() {
    let times = |operations: fn(u32) -> Vec<Operation>| {
        let programs = (0..7).map(|rank| sequence(operations(rank))).collect();
        let reports = run("firefly-kang2022", programs, 0);
        assert!(reports.iter().all(|rank| rank.finished));
        let messages: u64 = reports.iter().map(|rank| rank.messages_sent).sum();
        let end = reports.iter().map(|rank| rank.end.ps()).max().unwrap();
        (messages, end)
    };
    let blocking = times(|_| vec![allreduce(4_000)]);
    let waited = times(|_| vec![nonblocking(allreduce(4_000), 3), wait(3)]);
    assert_eq!(blocking.0, waited.0);
    // One call more, which hides behind the messages but for at most its own 60 ns.
    assert!(
        (0..=60_000).contains(&(waited.1 - blocking.1)),
        "{}",
        waited.1
    );
    // 40 us of other calls in between: the collective is over by then.
    let busy = times(|_| {
        let mut list = vec![nonblocking(allreduce(4_000), 3)];
        list.extend((0..400).flat_map(|_| [compute(100), Operation::Test(Request(9))]));
        list.push(wait(3));
        list
    });
    assert!(busy.1 < 400 * 160_000 + blocking.1, "{}", busy.1);
    // 40 us of computation at a stretch: nothing goes on meanwhile.
    let deaf = times(|_| vec![nonblocking(allreduce(4_000), 3), compute(40_000), wait(3)]);
    assert!(deaf.1 > 40_000_000 + blocking.1 / 2, "{}", deaf.1);
    // Nobody waits for it: the program does, at its end.
    let left = times(|_| vec![nonblocking(allreduce(4_000), 3)]);
    assert_eq!(left.0, blocking.0);
}

#[test]
fn many_collectives_are_in_progress_at_once_beside_messages() {
    let size = 6;
    for seed in 0..10 {
        let programs = (0..size).map(|rank| {
            let barrier = WORLD.barrier();
            let bcast = WORLD.bcast(2, 50_000);
            let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
            sequence(vec![
                nonblocking(allreduce(30_000), 0),
                nonblocking(barrier, 1),
                compute(u64::from(rank) * 700),
                nonblocking(bcast, 2),
                Peer::in_job(right, 0).isend(60_000, Request(3)),
                recv(left, 60_000),
                allreduce(8),
                Operation::WaitAny(vec![Request(1), Request(2)]),
                Operation::WaitAll((0..4).map(Request).collect()),
            ])
        });
        let reports = run("firefly-kang2022", programs.collect(), 500 * seed);
        for report in &reports {
            assert!(report.finished, "{:?}", report.blocked_on);
        }
        let messages: u64 = reports.iter().map(|rank| rank.messages_sent).sum();
        assert_eq!(messages, (10 + 10 + 5 + 10) + 6);
    }
}

#[test]
fn what_blocks_a_graph_is_said_for_each_operation() {
    let waits = graph(
        vec![
            (0, compute(10)),
            (0, recv(1, 8)),
            (3, recv(1, 9)),
            (0, compute(5)),
        ],
        &[after(0, 1), after(1, 3)],
    );
    let reports = run("firefly-kang2022", vec![waits, sequence(Vec::new())], 0);
    let words = reports[0].blocked_on.as_deref().unwrap();
    for part in [
        "operation 1 (recv, stream 0) waits for a message from rank 1 (tag 0, communicator 0, 8 B)",
        "operation 2 (recv, stream 3) waits for a message from rank 1 (tag 0, communicator 0, 9 B)",
        "1 operations wait for these",
    ] {
        assert!(words.contains(part), "{words}");
    }
    assert!(!reports[0].finished && reports[1].finished);
    // A wrong operation stops the rank, and says which it was.
    let wrong = graph(vec![(2, send(9, 8)), (0, compute(7))], &[]);
    let reports = run("firefly-kang2022", vec![wrong], 0);
    let words = reports[0].blocked_on.as_deref().unwrap();
    assert!(
        words.contains("operation 0 (stream 2): target 9 is not a rank"),
        "{words}"
    );
    // A collective in progress that others never join.
    let lonely = sequence(vec![nonblocking(allreduce(8), 4), wait(4)]);
    let reports = run("firefly-kang2022", vec![lonely, sequence(Vec::new())], 0);
    let words = reports[0].blocked_on.as_deref().unwrap();
    for part in [
        "wait waits for the end of a nonblocking collective on communicator 0",
        "nonblocking allreduce waits for a message from rank 1",
    ] {
        assert!(words.contains(part), "{words}");
    }
    // Two operations wait for one request.
    let twice = vec![
        (0, nonblocking(allreduce(8), 4)),
        (0, wait(4)),
        (1, wait(4)),
    ];
    let twice = graph(twice, &[after(0, 1), after(0, 2)]);
    let reports = run("firefly-kang2022", vec![twice, sequence(Vec::new())], 0);
    let words = reports[0].blocked_on.as_deref().unwrap();
    assert!(words.contains("another operation waits for"), "{words}");
}

#[test]
fn graphs_and_nonblocking_collectives_repeat() {
    let size = 4;
    let end = Instant::ZERO + Span::from_ns(400_000);
    let programs = (0..size).map(|rank| {
        let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
        graph(
            vec![
                (0, recv(left, 20_000)),
                (0, send(right, 20_000)),
                (1, compute(500 + u64::from(rank) * 100)),
                (0, nonblocking(allreduce(800), 0)),
                (1, wait(0)),
            ],
            &[after(0, 3), after(1, 3), after(3, 4), after(2, 4)],
        )
    });
    let reports = run_until("firefly-kang2022", programs.collect(), 700, end, true);
    let counts: Vec<u32> = reports.iter().map(|rank| rank.repetitions).collect();
    for report in &reports {
        assert!(
            report.repetitions > 20,
            "{counts:?}: {:?}",
            report.blocked_on
        );
    }
    let spread = counts.iter().max().unwrap() - counts.iter().min().unwrap();
    assert!(spread <= 1, "{counts:?}");
}

#[test]
fn a_graph_of_nothing_ends_at_once() {
    let knot = |at: u32| (at % 2, compute(0));
    let knots = graph((0..5).map(knot).collect(), &[after(4, 0), after(0, 2)]);
    let reports = run("ideal", vec![graph(Vec::new(), &[]), knots], 0);
    for report in &reports {
        assert!(report.finished);
        assert_eq!((report.start, report.end), (Instant::ZERO, Instant::ZERO));
    }
}

#[test]
fn two_streams_that_flush_one_target_both_wait() {
    let put = Operation::Put {
        comm: WORLD,
        target: 1,
        bytes: 1_000_000,
    };
    let flush = |target| Operation::Flush {
        comm: WORLD,
        target,
    };
    // Stream 0 puts and flushes; streams 1 and 2 flush once the put has begun, and then send.
    let flusher = graph(
        vec![
            (0, put),
            (1, flush(Some(1))),
            (2, flush(None)),
            (0, flush(Some(1))),
            (1, send(1, 8)),
            (2, send(2, 8)),
        ],
        &[
            after(0, 1),
            after(0, 2),
            after(0, 3),
            after(1, 4),
            after(2, 5),
        ],
    );
    let receiver = || {
        sequence(vec![
            Operation::IterationBegin,
            recv(0, 8),
            Operation::IterationEnd,
        ])
    };
    let reports = run("firefly-kang2022", vec![flusher, receiver(), receiver()], 0);
    for report in &reports {
        assert!(report.finished, "{:?}", report.blocked_on);
    }
    // 1 MB takes 40 us, and a put is answered.
    for receiver in &reports[1..] {
        let end = receiver.iterations[0].end;
        assert!(end > Instant::from_ps(40_000_000), "{end:?}");
        assert!(end < Instant::from_ps(45_000_000), "{end:?}");
    }
}
