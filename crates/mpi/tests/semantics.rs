//! What MPI promises: order, wildcards, communicators, messages to oneself, messages of no bytes.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::sync::Arc;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{
    CommId, Communicator, MpiParameters, MpiRank, Operation, Peer, RankMap, RankReport, RankSetup,
    Request, SendMode,
};
use odonata_units::{Bandwidth, Instant, NodeId, Span};

const WORLD: CommId = CommId::WORLD;
/// The second communicator of every rank.
const SUB: CommId = CommId(1);

/// Runs a program per rank; ranks that share an entry of `colors` have a communicator besides the
/// job, in descending order of their ranks.
fn run(colors: &[u32], programs: Vec<Vec<Operation>>, jitter_ns: u64) -> Vec<RankReport> {
    let size = u32::try_from(programs.len()).unwrap();
    let nodes: Vec<NodeId> = (0..size).map(NodeId).collect();
    let rank_map = Arc::new(RankMap::new(&nodes));
    let parameters = Arc::new(MpiParameters::preset("firefly-kang2022").unwrap());
    let own = |rank: u32| {
        let &color = colors.get(rank as usize)?;
        let members = (0..size)
            .rev()
            .filter(|&other| colors[other as usize] == color);
        Communicator::new(1 + color, members.collect(), rank)
    };
    let mut ranks: Vec<MpiRank> = (0..)
        .zip(programs)
        .map(|(rank, list)| {
            let mut list = list.into_iter();
            let mut communicators = vec![Communicator::world(rank, size)];
            communicators.extend(own(rank));
            MpiRank::new(RankSetup {
                rank,
                rank_map: Arc::clone(&rank_map),
                communicators,
                parameters: Arc::clone(&parameters),
                program: (move || list.next().unwrap_or(Operation::Finish)).into(),
            })
        })
        .collect();
    let network = IdealNetwork {
        latency: Span::from_ns(100),
        bandwidth: Bandwidth::from_bytes_per_second(25_000_000_000),
        jitter: Span::from_ns(jitter_ns),
    };
    network.run(&mut ranks, &nodes, Instant::from_ps(u64::MAX - 1));
    ranks.iter().map(MpiRank::report).collect()
}

fn send(comm: CommId, target: u32, tag: u32, bytes: u64) -> Operation {
    let rank = target;
    Peer { comm, rank, tag }.send(bytes)
}

fn recv(comm: CommId, source: Option<u32>, tag: Option<u32>, bytes: u64) -> Operation {
    Operation::Receive {
        comm,
        source,
        tag,
        bytes,
        request: None,
    }
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

/// A receive that is one byte too small for any other message than the one expected stops its rank:
/// so sizes show which message met which receive.
fn all_end(reports: &[RankReport]) {
    for (rank, report) in reports.iter().enumerate() {
        assert!(report.finished, "rank {rank}: {:?}", report.blocked_on);
    }
}

#[test]
fn receives_are_matched_in_the_order_in_which_they_were_posted() {
    // Falling sizes into falling receives: any other order does not fit.
    let sizes = [40_000, 13_000, 12_000, 500, 499, 1, 0];
    for late in [false, true] {
        for jitter in [0, 5_000] {
            let sends = sizes.map(|bytes| send(WORLD, 1, 7, bytes));
            // Wildcards among them do not change the order.
            let receives = (0..).zip(sizes).map(|(at, bytes): (u32, u64)| {
                let source = (at % 2 == 0).then_some(0);
                let tag = (at % 3 != 0).then_some(7);
                irecv(source, tag, bytes, at)
            });
            let mut second = vec![compute(if late { 90_000 } else { 0 })];
            second.extend(receives);
            second.push(Operation::WaitAll((0..7).map(Request).collect()));
            let first = vec![compute(if late { 0 } else { 90_000 })];
            let first = first.into_iter().chain(sends.into_iter().map(nonblocking));
            let mut first: Vec<Operation> = first.collect();
            first.push(Operation::WaitAll((0..7).map(Request).collect()));
            for (at, operation) in first.iter_mut().skip(1).take(7).enumerate() {
                if let Operation::Send { request, .. } = operation {
                    *request = Some(Request(u32::try_from(at).unwrap()));
                }
            }
            all_end(&run(&[], vec![first, second], jitter));
        }
    }
}

fn nonblocking(operation: Operation) -> Operation {
    let Operation::Send { to, bytes, .. } = operation else {
        unreachable!("a send")
    };
    to.isend(bytes, Request(0))
}

#[test]
fn tags_and_sources_choose_among_unexpected_messages() {
    // All four are there before the first receive; each receive fits one of them only.
    let programs = vec![
        vec![send(WORLD, 2, 1, 10), send(WORLD, 2, 2, 20)],
        vec![send(WORLD, 2, 1, 30), send(WORLD, 2, 2, 40)],
        vec![
            compute(50_000),
            recv(WORLD, Some(1), Some(2), 40),
            recv(WORLD, Some(0), None, 10),
            recv(WORLD, None, Some(2), 20),
            recv(WORLD, None, None, 30),
        ],
    ];
    all_end(&run(&[], programs, 0));
}

#[test]
fn a_rendezvous_waits_among_unexpected_messages() {
    // The request to send is there long before its receive, an eager message behind it: 50 us,
    // enter 30, R = 340, one envelope compared 15, set-up 10, get request 5 + 0.52 + 100, answer
    // 205, 20,013 B 800.52 + 100, 5, release 340, return 30.
    let programs = vec![
        vec![send(WORLD, 1, 0, 20_000), send(WORLD, 1, 0, 8)],
        vec![
            compute(50_000),
            recv(WORLD, Some(0), Some(0), 20_000),
            recv(WORLD, None, None, 8),
        ],
    ];
    let reports = run(&[], programs, 0);
    all_end(&reports);
    // The second send left only when the first one was acknowledged.
    assert!(reports[0].end.ps() > 51_000_000, "{}", reports[0].end.ps());
    assert_eq!(reports[1].mpi_time.ps() / 1_000_000, 2);
}

#[test]
fn communicators_do_not_hear_each_other() {
    // Ranks 0, 2, 4 and 1, 3, 5; in each the ranks count from the last one down.
    let colors = [0, 1, 0, 1, 0, 1];
    let programs = (0..6).map(|rank: u32| {
        let own = 2 - rank / 2;
        let (left, right) = ((own + 2) % 3, (own + 1) % 3);
        let next = (rank + 1) % 6;
        vec![
            // The same tag on both communicators, sizes that fit one receive each.
            irecv(None, Some(3), 900, 0),
            Peer {
                comm: SUB,
                rank: right,
                tag: 3,
            }
            .isend(901, Request(1)),
            send(WORLD, next, 3, 900),
            recv(SUB, Some(left), Some(3), 901),
            Operation::WaitAll(vec![Request(0), Request(1)]),
            SUB.bcast(0, 77),
            SUB.allreduce(14_000),
            WORLD.barrier(),
        ]
    });
    for jitter in [0, 3_000] {
        all_end(&run(&colors, programs.clone().collect(), jitter));
    }
}

#[test]
fn waitany_completes_one_request_and_leaves_the_others() {
    let programs = vec![
        vec![compute(9_000), send(WORLD, 2, 0, 1)],
        vec![compute(2_000), send(WORLD, 2, 0, 2)],
        vec![
            irecv(Some(0), Some(0), 1, 0),
            irecv(Some(1), Some(0), 2, 1),
            Operation::WaitAny(vec![Request(0), Request(1)]),
            // Rank 1 was first: its name is free, the other one is not.
            irecv(Some(1), Some(9), 3, 1),
            Operation::Test(Request(0)),
            Operation::Wait(Request(0)),
            Operation::WaitAny(vec![Request(0), Request(5)]),
        ],
    ];
    let reports = run(&[], programs, 0);
    all_end(&reports);
    assert!(reports[2].end.ps() > 9_000_000);
    let taken = vec![
        vec![send(WORLD, 1, 0, 1)],
        vec![
            irecv(Some(0), Some(0), 1, 0),
            irecv(Some(0), Some(1), 1, 1),
            Operation::WaitAny(vec![Request(0), Request(1)]),
            irecv(Some(0), Some(2), 1, 1),
        ],
    ];
    let reports = run(&[], taken, 0);
    let words = reports[1].blocked_on.as_deref().unwrap();
    assert!(words.contains("request 1 is started again"), "{words}");
}

#[test]
fn messages_to_oneself_and_of_no_bytes_are_messages() {
    let lonely = vec![
        irecv(Some(0), Some(4), 0, 0),
        irecv(None, None, 50_000, 1),
        send(WORLD, 0, 4, 0),
        send(WORLD, 0, 5, 50_000),
        Operation::WaitAll(vec![Request(0), Request(1)]),
        // Unexpected to oneself.
        nonblocking(send(WORLD, 0, 6, 0)),
        recv(WORLD, Some(0), Some(6), 0),
        Operation::Wait(Request(0)),
    ];
    let reports = run(&[], vec![lonely], 0);
    all_end(&reports);
    assert_eq!((reports[0].messages_sent, reports[0].bytes_sent), (0, 0));
    assert_eq!(reports[0].local_messages_sent, 0);
    // To others: an envelope goes over the wire.
    let programs = vec![
        vec![
            send(WORLD, 1, 0, 0),
            Peer::in_job(1, 1).sent(0, SendMode::Synchronous, None),
        ],
        vec![
            recv(WORLD, Some(0), Some(1), 0),
            recv(WORLD, Some(0), Some(0), 0),
        ],
    ];
    let reports = run(&[], programs, 0);
    all_end(&reports);
    assert_eq!(reports[0].messages_sent, 2);
    assert_eq!(reports[0].payload_bytes_sent, 0);
    assert!(reports[0].bytes_sent >= 45 + 45 + 13);
}
