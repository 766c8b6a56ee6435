//! Programs that start again when they have ended: what one repetition sends never reaches another.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{
    CommId, Communicator, MpiParameters, MpiRank, Operation, Peer, Program, RankMap, RankReport,
    RankSetup, Request,
};
use odonata_units::{Bandwidth, Instant, NodeId, Span};

const WORLD: CommId = CommId::WORLD;
/// Of every channel: 25 B in 1 ns.
const RATE: Bandwidth = Bandwidth::from_bytes_per_second(25_000_000_000).unwrap();

/// A list of operations, from the beginning again after a rewind.
struct List(Vec<Operation>, usize);

impl Program for List {
    fn next(&mut self) -> Operation {
        self.1 += 1;
        self.0.get(self.1 - 1).cloned().unwrap_or(Operation::Finish)
    }

    fn rewind(&mut self) {
        self.1 = 0;
    }
}

/// Runs one repeating list of operations per rank for `limit`.
fn run(preset: &str, programs: Vec<Vec<Operation>>, limit: Span) -> Vec<RankReport> {
    run_keeping(usize::MAX, preset, programs, limit)
}

/// The same; each rank keeps at most `most` iterations.
fn run_keeping(
    most: usize,
    preset: &str,
    programs: Vec<Vec<Operation>>,
    limit: Span,
) -> Vec<RankReport> {
    let size = u32::try_from(programs.len()).unwrap();
    let nodes: Vec<NodeId> = (0..size).map(NodeId).collect();
    let rank_map = Arc::new(RankMap::new(&nodes));
    let parameters = Arc::new(MpiParameters::preset(preset).unwrap());
    let mut ranks: Vec<MpiRank> = (0..)
        .zip(programs)
        .map(|(rank, list)| {
            let mut rank = MpiRank::new(RankSetup {
                rank,
                rank_map: Arc::clone(&rank_map),
                communicators: vec![Communicator::world(rank, size)],
                parameters: Arc::clone(&parameters),
                program: List(list, 0).into(),
            });
            rank.repeat(RATE);
            rank.keep_iterations(most);
            rank
        })
        .collect();
    let network = IdealNetwork {
        latency: Span::from_ns(100),
        bandwidth: Some(RATE),
        jitter: Span::from_ns(300),
    };
    network.run(&mut ranks, &nodes, Instant::ZERO + limit);
    for rank in &ranks {
        assert_eq!(rank.is_finished(), rank.report().finished);
    }
    ranks.iter().map(MpiRank::report).collect()
}

fn send(target: u32, bytes: u64) -> Operation {
    Peer::in_job(target, 0).send(bytes)
}

fn recv(source: Option<u32>, bytes: u64) -> Operation {
    let (comm, tag) = (WORLD, Some(0));
    Operation::Receive {
        comm,
        source,
        tag,
        bytes,
        request: None,
    }
}

fn compute(us: u64) -> Operation {
    Operation::Compute(Span::from_ns(us * 1_000))
}

/// Rank 1 is many repetitions ahead of rank 2 when rank 0 receives from any source: with one queue
/// for all repetitions it would take two messages of rank 1 for those of one repetition, and the
/// sizes would not fit.
#[test]
fn a_receive_from_anybody_takes_no_message_of_a_later_repetition() {
    let programs = vec![
        vec![recv(Some(1), 10), recv(None, 20), recv(None, 20)],
        vec![send(0, 10), send(0, 11)],
        vec![compute(50), send(0, 20)],
    ];
    let reports = run("firefly-kang2022", programs, Span::from_ns(1_000_000));
    for (rank, report) in reports.iter().enumerate() {
        assert!(report.finished, "rank {rank}: {:?}", report.blocked_on);
        let words = report.blocked_on.as_deref().unwrap_or_default();
        assert!(!words.contains("truncated"), "rank {rank}: {words}");
    }
    let times = [0, 1, 2].map(|rank| reports[rank].repetitions);
    assert!(times[1] > 100 * times[2] && times[2] >= 15, "{times:?}");
    // Rank 0 keeps up with the slowest, and never overtakes it.
    assert!(
        times[0] <= times[2] && times[0] + 2 >= times[2],
        "{times:?}"
    );
}

/// The record of a rank that repeats is that of repetitions which have ended; the rest is apart.
#[test]
fn finished_repetitions_are_counted_apart_from_the_last_one() {
    let mark = [Operation::IterationBegin, Operation::IterationEnd];
    let ping = vec![
        mark[0].clone(),
        send(1, 8),
        recv(Some(1), 8),
        compute(1),
        mark[1].clone(),
    ];
    let pong = vec![recv(Some(0), 8), send(0, 8)];
    let limit = Span::from_ns(100_000);
    let report = run("firefly-kang2022", vec![ping, pong], limit)[0].clone();
    let count = report.repetitions;
    assert!(count > 20, "{count} ping-pongs in 100 us");
    assert_eq!(report.compute_time, Span::from_ns(1_000) * u64::from(count));
    assert_eq!(
        report.comm_time,
        (report.end - report.start).saturating_sub(report.compute_time)
    );
    assert_eq!(
        report.mpi_time, report.comm_time,
        "all but computation is inside calls"
    );
    let last = report.iterations.last().unwrap();
    assert_eq!((last.repetition + 1, last.end), (count, report.end));
    assert_eq!(report.iterations.len() as u64, u64::from(count));
    let sum: u64 = report.iterations.iter().map(|one| one.comm_time.ps()).sum();
    assert_eq!(report.iteration_comm_time.ps(), sum);
    assert!(report.unfinished_comm_time < report.comm_time);
    assert_eq!(
        report.messages_sent,
        u64::from(count) + 1,
        "that of the unfinished one too"
    );
    assert_eq!(report.first_call, Some(Instant::ZERO));
}

/// The records are thinned; what is counted is over all, the end of the last repetition included.
#[test]
fn a_rank_that_keeps_few_iterations_counts_all() {
    let ping = vec![
        Operation::IterationBegin,
        send(1, 8),
        recv(Some(1), 8),
        Operation::IterationEnd,
        Operation::IterationBegin,
        send(1, 8),
        compute(1),
        recv(Some(1), 8),
        Operation::IterationEnd,
    ];
    let pong = vec![recv(Some(0), 8), send(0, 8), recv(Some(0), 8), send(0, 8)];
    let reports = |most| {
        let programs = vec![ping.clone(), pong.clone()];
        run_keeping(most, "firefly-kang2022", programs, Span::from_ns(100_000))
    };
    let all = reports(usize::MAX)[0].clone();
    let few = reports(5)[0].clone();
    assert!(all.iterations.len() > 20 && all.iterations_every == 1);
    let step = usize::try_from(few.iterations_every).unwrap();
    assert!(step.is_power_of_two() && all.iterations.len() > 5 * step / 2);
    let expected: Vec<_> = all.iterations.iter().copied().step_by(step).collect();
    assert_eq!(few.iterations, expected);
    assert!(few.iterations.len() <= 5);
    let finished = all.iterations.iter();
    let finished = finished.filter(|one| one.repetition < all.repetitions);
    let sum: u64 = finished.map(|one| one.comm_time.ps()).sum();
    assert_eq!(all.iteration_comm_time.ps(), sum);
    let same_records = RankReport {
        iterations: all.iterations.clone(),
        iterations_every: 1,
        ..few
    };
    assert_eq!(same_records, all);
}

/// A request that nobody awaits keeps its name only until the program ends.
#[test]
fn requests_that_nobody_awaits_do_not_reach_the_next_repetition() {
    let (tag, request) = (0, Request(7));
    let leave = Peer::in_job(1, tag).isend(50_000, request);
    let take = Peer::in_job(0, tag).irecv(50_000, request);
    let programs = vec![vec![leave, compute(40)], vec![take, compute(40)]];
    for report in run("firefly-kang2022", programs, Span::from_ns(1_000_000)) {
        assert!(report.repetitions > 15, "{:?}", report.blocked_on);
        assert!(report.bytes_sent > 15, "a rendezvous is answered");
    }
}

/// A program that takes no time would start again for ever at one instant.
#[test]
fn what_takes_no_time_ends() {
    let reports = run(
        "ideal",
        vec![vec![compute(0)], vec![]],
        Span::from_ns(1_000),
    );
    for report in reports {
        assert_eq!((report.repetitions, report.finished), (1, true));
        assert_eq!(report.unfinished_comm_time, Span::ZERO);
    }
}

/// Sends that take the CPU no time are repeated at the rate of the channel, not once. With short
/// messages that overtake each other several repetitions of the receiver end at one instant: it goes
/// on all the same.
#[test]
fn sends_that_take_no_time_are_repeated_at_the_rate_of_the_channel() {
    for preset in ["ideal", "codes"] {
        for (bytes, passes) in [(25_000 / 10, 1_000), (100, 25_000)] {
            let programs = vec![vec![send(1, bytes)], vec![recv(Some(0), bytes)]];
            let reports = run(preset, programs, Span::from_ns(100_000));
            let times = [0, 1].map(|rank| reports[rank].repetitions);
            assert!(times[0].abs_diff(passes) <= 1, "{preset}: {times:?}");
            // A message is on its way for up to 6 us.
            assert!(times[1] + passes / 10 > times[0], "{preset}: {times:?}");
            assert_eq!(reports[0].compute_time, Span::ZERO);
        }
    }
}

/// A rank that only hands data over on request does nothing itself, and is not kept busy.
#[test]
fn a_rank_from_which_others_get_may_be_idle() {
    let get = Operation::Get {
        comm: WORLD,
        target: 0,
        bytes: 4_096,
    };
    let flush = Operation::Flush {
        comm: WORLD,
        target: Some(0),
    };
    let reports = run(
        "ideal",
        vec![vec![], vec![get, flush]],
        Span::from_ns(50_000),
    );
    assert_eq!(reports[0].repetitions, 1);
    assert!(reports[1].repetitions > 20);
}

/// Collectives of successive repetitions stay apart, by every preset.
#[test]
fn collectives_repeat() {
    for preset in ["firefly-kang2022", "codes"] {
        let step = |rank: u64| vec![compute(rank % 3), WORLD.allreduce(20_000), WORLD.barrier()];
        let reports = run(preset, (0..7).map(step).collect(), Span::from_ns(3_000_000));
        let counts: Vec<_> = reports.iter().map(|report| report.repetitions).collect();
        let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
        assert!(*least > 10 && most - least <= 1, "{preset}: {counts:?}");
    }
}
