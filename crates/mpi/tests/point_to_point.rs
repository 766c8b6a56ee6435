//! Ranks over the ideal network: times by hand, matching, protocols, diagnoses.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{
    CommId, Communicator, MpiParameters, MpiRank, Operation, Peer, RankMap, RankReport, RankSetup,
    Request, SendMode,
};
use odonata_units::{Bandwidth, Instant, NodeId, Span};

const WORLD: CommId = CommId::WORLD;
const LATENCY: Span = Span::from_ns(100);
const RATE: u64 = 25_000_000_000;

/// Runs one list of operations per rank to the end of everything.
fn run(parameters: &MpiParameters, programs: Vec<Vec<Operation>>) -> Vec<RankReport> {
    run_with(parameters, programs, Span::ZERO)
}

/// As [`run`], over a network where messages overtake each other.
fn run_with(
    parameters: &MpiParameters,
    programs: Vec<Vec<Operation>>,
    jitter: Span,
) -> Vec<RankReport> {
    let size = u32::try_from(programs.len()).unwrap();
    let nodes: Vec<NodeId> = (0..size).map(|rank| NodeId(10 + 3 * rank)).collect();
    let rank_map = Arc::new(RankMap::new(&nodes));
    let parameters = Arc::new(parameters.clone());
    let mut ranks: Vec<MpiRank> = (0..)
        .zip(programs)
        .map(|(rank, list)| {
            let mut list = list.into_iter();
            MpiRank::new(RankSetup {
                rank,
                rank_map: Arc::clone(&rank_map),
                communicators: vec![Communicator::world(rank, size)],
                parameters: Arc::clone(&parameters),
                program: (move || list.next().unwrap_or(Operation::Finish)).into(),
            })
        })
        .collect();
    let network = IdealNetwork {
        latency: LATENCY,
        bandwidth: Bandwidth::from_bytes_per_second(RATE),
        jitter,
    };
    network.run(&mut ranks, &nodes, Instant::from_ps(u64::MAX - 1));
    for rank in &ranks {
        assert_eq!(rank.is_finished(), rank.report().finished);
    }
    ranks.iter().map(MpiRank::report).collect()
}

fn send(target: u32, tag: u32, bytes: u64) -> Operation {
    Peer::in_job(target, tag).send(bytes)
}

fn isend(target: u32, tag: u32, bytes: u64, request: u32) -> Operation {
    Peer::in_job(target, tag).isend(bytes, Request(request))
}

fn recv(source: u32, tag: u32, bytes: u64) -> Operation {
    Peer::in_job(source, tag).recv(bytes)
}

fn irecv(source: Option<u32>, tag: Option<u32>, bytes: u64, request: u32) -> Operation {
    Operation::Receive {
        comm: WORLD,
        source,
        tag,
        bytes,
        request: Some(Request(request)),
    }
}

fn compute(ns: u64) -> Operation {
    Operation::Compute(Span::from_ns(ns))
}

fn firefly() -> MpiParameters {
    MpiParameters::preset("firefly-kang2022").unwrap()
}

fn wire(bytes: u64) -> u64 {
    bytes * 1_000_000_000_000 / RATE
}

#[test]
fn an_eager_ping_pong_takes_the_time_of_the_table() {
    let size = 8;
    let ping = vec![send(1, 0, size), recv(1, 0, size)];
    let pong = vec![recv(0, 0, size), send(0, 0, size)];
    let reports = run(&firefly(), vec![ping, pong]);
    // docs/model/mpi.md, "A ping-pong by hand": one way from the entry of the send to the return
    // of the receive.
    let send_cpu = 30_000 + 13_000 + (32 + size) * 344;
    let flight = 5_000 + 5_000 + wire(size + 45) + 100_000 + 10_000 + 5_000;
    let receive_cpu = 15_000 + 10_000 + 344 + 30_000;
    let one_way = send_cpu + flight + receive_cpu;
    assert_eq!(
        reports[1].end.ps(),
        one_way + send_cpu + 30_000,
        "the pong returns at once"
    );
    assert_eq!(reports[0].end.ps(), 2 * one_way);
    for report in &reports {
        assert!(report.finished && report.blocked_on.is_none());
        assert_eq!((report.bytes_sent, report.payload_bytes_sent), (53, 8));
        assert_eq!(report.messages_sent, 1);
        assert_eq!(report.comm_time, report.end - Instant::ZERO);
        assert_eq!(report.mpi_time, report.comm_time);
    }
}

#[test]
fn a_rendezvous_takes_the_time_of_the_table() {
    let size = 192_000;
    let reports = run(
        &firefly(),
        vec![vec![send(1, 0, size)], vec![recv(0, 0, size)]],
    );
    let register = 300_000 + 46 * 10_000;
    let rts = 30_000 + 13_000 + 32 * 344 + register + 10_000 + wire(45) + 100_000 + 15_000;
    // The receiver has registered 760 ns after 30 ns and waits: it matches and gets.
    let get = 15_000 + 10_000 + 5_000 + wire(13) + 100_000;
    let data = 200_000 + 5_000 + wire(size + 13) + 100_000 + 5_000;
    let received = rts + get + data + register + 30_000;
    assert_eq!(reports[1].end.ps(), received);
    let acknowledged = rts + get + data + 10_000 + wire(15) + 100_000 + 15_000 + 30_000;
    assert_eq!(reports[0].end.ps(), acknowledged);
    assert_eq!(reports[0].bytes_sent + reports[1].bytes_sent, size + 86);
    assert_eq!((reports[0].messages_sent, reports[1].messages_sent), (1, 0));
}

#[test]
fn without_costs_only_the_network_takes_time() {
    let ideal = MpiParameters::preset("ideal").unwrap();
    let reports = run(
        &ideal,
        vec![vec![send(1, 0, 1_000)], vec![recv(0, 0, 1_000)]],
    );
    assert_eq!(reports[0].end, Instant::ZERO);
    assert_eq!(reports[1].end.ps(), wire(1_000) + 100_000);
}

#[test]
fn computation_overlaps_with_messages_but_not_with_matching() {
    let slow = vec![
        irecv(Some(0), Some(0), 8, 1),
        compute(10_000),
        Operation::Wait(Request(1)),
    ];
    let reports = run(&firefly(), vec![vec![send(1, 0, 8)], slow]);
    // The message waits for the end of the computation, is matched in the wait.
    let end = 60_000 + 10_000_000 + 30_000 + 15_000 + 10_344 + 30_000;
    assert_eq!(reports[1].end.ps(), end);
    assert_eq!(reports[1].compute_time.ps(), 10_000_000);
    assert_eq!(reports[1].comm_time.ps(), end - 10_000_000);
    assert_eq!(reports[1].mpi_time, reports[1].comm_time);
}

#[test]
fn unexpected_messages_are_searched_at_fifteen_nanoseconds_each() {
    let sender = vec![send(1, 1, 8), send(1, 2, 8), send(1, 3, 8)];
    let end = |wanted: &[u32]| {
        let mut receiver = vec![compute(100_000), Operation::Test(Request(9))];
        receiver.extend(wanted.iter().map(|&tag| recv(0, tag, 8)));
        run(&firefly(), vec![sender.clone(), receiver])[1].end.ps()
    };
    // The test looks at three envelopes without a receive; then each receive compares.
    let taken = 30_000 + 15_000 + 10_344 + 30_000;
    let test = 100_000_000 + 60_000;
    assert_eq!(end(&[1, 2, 3]), test + 3 * taken);
    assert_eq!(end(&[3, 2, 1]), test + 3 * taken + (2 + 1) * 15_000);
}

#[test]
fn messages_of_one_sender_are_matched_in_order_whatever_their_protocol() {
    let sender = vec![
        isend(1, 7, 50_000, 0),
        isend(1, 7, 8, 1),
        Operation::WaitAll(vec![Request(0), Request(1)]),
    ];
    // Were the short message matched first, the first receive would be too small for the long one.
    let receiver = vec![recv(0, 7, 50_000), recv(0, 7, 8)];
    let reports = run(&firefly(), vec![sender, receiver]);
    assert!(reports.iter().all(|report| report.finished), "{reports:?}");
}

#[test]
fn wildcards_take_whoever_comes_first() {
    let any = vec![
        irecv(None, None, u64::MAX, 1),
        irecv(None, Some(5), u64::MAX, 2),
        Operation::WaitAll(vec![Request(1), Request(2)]),
    ];
    let late = vec![compute(5_000), send(0, 5, 70_000)];
    let reports = run(&firefly(), vec![any, vec![send(0, 9, 100)], late]);
    assert!(reports.iter().all(|report| report.finished), "{reports:?}");
}

#[test]
fn wait_any_and_some_return_with_what_is_there() {
    let first = |wait: Operation| {
        let receiver = vec![
            irecv(Some(1), Some(0), 8, 1),
            irecv(Some(2), Some(0), 8, 2),
            wait.clone(),
        ];
        let late = vec![compute(50_000), send(0, 0, 8)];
        run(&firefly(), vec![receiver, late, vec![send(0, 0, 8)]])[0]
            .end
            .ps()
    };
    let both = vec![Request(1), Request(2)];
    assert!(first(Operation::WaitAny(both.clone())) < 1_000_000);
    assert!(first(Operation::WaitSome(both.clone())) < 1_000_000);
    assert!(first(Operation::WaitAll(both)) > 50_000_000);
    assert!(first(Operation::WaitAll(Vec::new())) < 1_000_000);
}

#[test]
fn a_message_to_oneself_never_reaches_the_nic() {
    let program = vec![
        irecv(Some(0), Some(1), 90_000, 1),
        send(0, 1, 90_000),
        Operation::Wait(Request(1)),
    ];
    let reports = run(&firefly(), vec![program, vec![]]);
    assert!(reports[0].finished);
    assert_eq!((reports[0].bytes_sent, reports[0].messages_sent), (0, 0));
}

#[test]
fn what_blocks_a_rank_is_said_in_words() {
    let reports = run(
        &firefly(),
        vec![vec![recv(1, 42, 3_072)], vec![send(0, 41, 3_072)]],
    );
    let said = reports[0].blocked_on.clone().unwrap();
    let parts = [
        "recv",
        "rank 1",
        "tag 42",
        "communicator 0",
        "3072 B",
        "1 messages arrived that no",
    ];
    for part in parts {
        assert!(said.contains(part), "{part:?} in {said:?}");
    }
    assert!(!reports[0].finished && reports[1].finished);
    let reports = run(&firefly(), vec![vec![send(1, 4, 20_000)], vec![]]);
    let said = reports[0].blocked_on.clone().unwrap();
    assert!(
        said.contains("the receive of a send to rank 1")
            && said.contains("above `mpi.eager_limit` = 12000 B"),
        "{said}"
    );
}

fn ssend(target: u32, bytes: u64) -> Operation {
    Peer::in_job(target, 0).sent(bytes, SendMode::Synchronous, None)
}

#[test]
fn a_synchronous_send_waits_for_its_receive_whatever_its_size() {
    for preset in ["firefly-kang2022", "codes", "ideal"] {
        let parameters = MpiParameters::preset(preset).unwrap();
        for bytes in [0, 8] {
            let head_to_head = |other| vec![ssend(other, bytes), recv(other, 0, bytes)];
            for report in run(&parameters, vec![head_to_head(1), head_to_head(0)]) {
                assert!(!report.finished, "{preset}, {bytes} B");
                let said = report.blocked_on.unwrap();
                assert!(said.contains("a synchronous send to rank"), "{said}");
            }
            let late = vec![compute(5_000), recv(0, 0, bytes)];
            let reports = run(&parameters, vec![vec![ssend(1, bytes)], late]);
            assert!(reports.iter().all(|report| report.finished), "{preset}");
            let received = Instant::ZERO + Span::from_ns(5_000);
            assert!(reports[0].end > received, "{preset}: {:?}", reports[0].end);
        }
    }
}

#[test]
fn a_nonblocking_synchronous_send_completes_with_its_receive() {
    let issend = Peer::in_job(1, 0).sent(8, SendMode::Synchronous, Some(Request(0)));
    let sender = vec![issend, compute(100), Operation::Wait(Request(0))];
    let receiver = vec![compute(5_000), recv(0, 0, 8)];
    let reports = run(&firefly(), vec![sender.clone(), receiver]);
    assert!(reports.iter().all(|report| report.finished));
    assert!(reports[0].end > Instant::ZERO + Span::from_ns(5_000));
    let alone = run(&firefly(), vec![sender, vec![]]);
    assert!(!alone[0].finished);
}

#[test]
fn impossible_programs_stop_with_a_reason() {
    let said = |program: Vec<Operation>, other: Vec<Operation>| {
        let reports = run(&firefly(), vec![program, other]);
        assert!(!reports[0].finished);
        reports[0].blocked_on.clone().unwrap()
    };
    let text = said(vec![recv(1, 0, 8)], vec![send(0, 0, 9)]);
    assert!(
        text.contains("got 9 B from rank 1") && text.contains("receive of 8 B"),
        "{text}"
    );
    let text = said(vec![send(2, 0, 8)], vec![]);
    assert!(
        text.contains("target 2 is not a rank of communicator 0"),
        "{text}"
    );
    let again = vec![irecv(None, None, 8, 3), irecv(None, None, 8, 3)];
    assert!(said(again, vec![]).contains("request 3 is started again"));
    let bad = WORLD.alltoallv([1].into(), [].into());
    assert!(said(vec![bad], vec![]).contains("alltoallv among 2 ranks has 1 sizes"));
    let bad = WORLD.bcast(2, 8);
    assert!(said(vec![bad], vec![]).contains("root 2 of bcast"));
    let bad = CommId(3).barrier();
    assert!(said(vec![bad], vec![]).contains("communicator 3 of 1"));
}

#[test]
fn iterations_carry_their_communication_time() {
    let program = |other: u32| {
        let mut list = vec![compute(350)];
        for _ in 0..3 {
            list.extend([
                Operation::IterationBegin,
                compute(1_000),
                isend(other, 0, 8, 0),
                irecv(Some(other), Some(0), 8, 1),
                Operation::WaitAll(vec![Request(0), Request(1)]),
                Operation::IterationEnd,
            ]);
        }
        list
    };
    for report in run(&firefly(), vec![program(1), program(0)]) {
        assert_eq!(report.iterations.len(), 3);
        for pair in report.iterations.windows(2) {
            assert_eq!(pair[0].end, pair[1].start);
        }
        let sum: u64 = report.iterations.iter().map(|i| i.comm_time.ps()).sum();
        assert_eq!(sum, report.comm_time.ps());
        assert_eq!(report.iterations[0].start.ps(), 350_000);
    }
}

/// One call of every collective, as `rank` of six makes it.
fn every_collective(rank: u64) -> Vec<Operation> {
    let sizes: Arc<[u64]> = (0..6).map(|i| i * 9_000).collect();
    let column: Arc<[u64]> = vec![rank * 9_000; 6].into();
    let comm = WORLD;
    vec![
        comm.barrier(),
        comm.allreduce(100_000),
        comm.bcast(4, 64),
        comm.reduce(5, 64),
        comm.alltoall(20_000),
        comm.alltoallv(sizes.clone(), column),
        comm.alltoallv(sizes.clone(), [].into()),
        comm.allgather(10),
        comm.allgatherv(sizes.clone()),
        comm.gather(2, 10),
        comm.gatherv(2, 7, [].into()),
        comm.scatter(1, 10),
        comm.scatterv(1, 99_999, sizes.clone()),
        comm.reduce_scatter(sizes),
        comm.scan(50),
    ]
}

#[test]
fn collectives_end_for_everybody_and_cost_one_call() {
    for algorithm in ["recursive-doubling", "ring", "binary-tree"] {
        let table = serde_json::json!({ "allreduce": algorithm });
        let parameters = MpiParameters::from_json(table.as_object().unwrap()).unwrap();
        let reports = run(&parameters, (0..6).map(every_collective).collect());
        for report in reports {
            assert_eq!(
                (report.finished, report.blocked_on),
                (true, None),
                "{algorithm}"
            );
        }
    }
    let alone = run(&firefly(), vec![vec![WORLD.allreduce(64)]]);
    assert_eq!(alone[0].end.ps(), 60_000);
}

#[test]
fn overtaking_changes_no_matching() {
    // Every message has its own size and meets a receive of just that size in order; were two
    // exchanged, a receive would be too small.
    let mut draw = odonata_units::Stream::new(5, odonata_units::Purpose::Program, 0);
    for _ in 0..40 {
        let sizes: Vec<u64> = (0..30).map(|_| u64::from(draw.below(40_000))).collect();
        let requests: Vec<Request> = (0..30).map(Request).collect();
        let mut sender: Vec<Operation> = (0..)
            .zip(&sizes)
            .map(|(name, &bytes)| isend(1, 3, bytes, name))
            .collect();
        sender.push(Operation::WaitAll(requests.clone()));
        let posted = draw.below(31) as usize;
        let mut receiver: Vec<Operation> = (0..)
            .zip(&sizes[..posted])
            .map(|(name, &bytes)| irecv(Some(0), Some(3), bytes, name))
            .collect();
        receiver.push(compute(u64::from(draw.below(20_000))));
        receiver.extend(sizes[posted..].iter().map(|&bytes| recv(0, 3, bytes)));
        receiver.push(Operation::WaitAll(requests));
        let reports = run_with(&firefly(), vec![sender, receiver], Span::from_ns(50_000));
        for report in &reports {
            assert_eq!((report.finished, &report.blocked_on), (true, &None));
        }
        assert_eq!(reports[0].payload_bytes_sent, sizes.iter().sum::<u64>());
    }
}

#[test]
fn what_was_posted_is_completed_after_the_end_of_the_program() {
    let early = vec![
        irecv(Some(1), Some(0), 50_000, 1),
        irecv(Some(1), Some(1), 8, 2),
    ];
    let late = vec![compute(5_000), send(0, 0, 50_000), send(0, 1, 8)];
    let reports = run(&firefly(), vec![early, late]);
    assert!(reports.iter().all(|report| report.finished), "{reports:?}");
    assert_eq!(reports[0].end.ps(), 2 * 60_000 + 300_000 + 12 * 10_000);
}

#[test]
fn the_costs_of_codes_overlap_with_each_other() {
    let codes = MpiParameters::preset("codes").unwrap();
    let waitall = Operation::WaitAll((0..3).map(Request).collect());
    let sends = vec![
        isend(1, 0, 1_000, 0),
        isend(1, 1, 1_000, 1),
        isend(1, 2, 1_000, 2),
        waitall.clone(),
    ];
    let receives = vec![
        irecv(Some(0), Some(0), 1_000, 0),
        irecv(Some(0), Some(1), 1_000, 1),
        irecv(Some(0), Some(2), 1_000, 2),
        waitall,
    ];
    let reports = run(&codes, vec![sends, receives]);
    // 10 + 2,500 + 1,000 ns and 0.55 ns a byte once; only the wire takes three times as long.
    let latency = LATENCY.ps();
    assert_eq!(
        reports[1].end.ps(),
        3_510_000 + 550_000 + 3 * wire(1_000) + latency
    );
    assert_eq!(reports[0].end.ps(), 0, "eager sends do not wait");
    assert_eq!(reports[0].bytes_sent, 3_000, "no headers");
}

#[test]
fn a_rendezvous_of_codes_has_three_legs_and_no_acknowledgement() {
    let codes = MpiParameters::preset("codes").unwrap();
    let size = 10_000;
    let reports = run(&codes, vec![vec![send(1, 0, size)], vec![recv(0, 0, size)]]);
    let control = 3_510_000 + wire(64) + LATENCY.ps();
    let handed_over = 2 * control + 3_510_000;
    assert_eq!(reports[0].end.ps(), handed_over);
    assert_eq!(reports[1].end.ps(), handed_over + wire(size) + LATENCY.ps());
    let sent = [reports[0].bytes_sent, reports[1].bytes_sent];
    assert_eq!(sent, [64 + size, 64]);
}
