//! Hosts by hand: detours in computation, in calls and on streams, costs of calls, shared cores.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::sync::Arc;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{
    CallCost, CommId, Communicator, Detours, Distribution, HostModel, HostTime, Law, MpiParameters,
    MpiRank, Operation, Peer, Place, RankMap, RankReport, RankSetup, Recording, Request,
};
use odonata_units::{Bandwidth, Instant, NodeId, Span};

const WORLD: CommId = CommId::WORLD;
/// One byte takes 40 ps; a message of an empty header takes at least one.
const RATE: u64 = 25_000_000_000;

/// Two ranks, of which the second is on a host.
fn run(preset: &str, model: HostModel, programs: [Vec<Operation>; 2]) -> Vec<RankReport> {
    let nodes = [NodeId(3), NodeId(9)];
    let rank_map = Arc::new(RankMap::new(&nodes));
    let parameters = Arc::new(MpiParameters::preset(preset).unwrap());
    let model = Arc::new(model);
    let mut ranks: Vec<MpiRank> = (0..)
        .zip(programs)
        .map(|(rank, list)| {
            let mut list = list.into_iter();
            let mut made = MpiRank::new(RankSetup {
                rank,
                rank_map: Arc::clone(&rank_map),
                communicators: vec![Communicator::world(rank, 2)],
                parameters: Arc::clone(&parameters),
                program: (move || list.next().unwrap_or(Operation::Finish)).into(),
            });
            if rank == 1 {
                let place = Place {
                    node: 9,
                    local_rank: 0,
                    ranks: 3,
                };
                made.sit_on(&model, 7, place);
            }
            made
        })
        .collect();
    let network = IdealNetwork {
        latency: Span::from_ns(100),
        bandwidth: Bandwidth::from_bytes_per_second(RATE),
        jitter: Span::ZERO,
    };
    network.run(&mut ranks, &nodes, Instant::from_ps(u64::MAX - 1));
    ranks.iter().map(MpiRank::report).collect()
}

/// A host with the detours of a recording.
fn away(detours: &str) -> HostModel {
    HostModel {
        detours: vec![Detours::Recorded(Arc::new(
            Recording::parse(detours).unwrap(),
        ))],
        ..HostModel::default()
    }
}

fn compute(ns: u64) -> Operation {
    Operation::Compute(Span::from_ns(ns))
}

fn send(target: u32, bytes: u64) -> Operation {
    Peer::in_job(target, 0).send(bytes)
}

fn recv(source: u32, bytes: u64) -> Operation {
    Peer::in_job(source, 0).recv(bytes)
}

/// When the CPU of rank 1 is first away, ps, and a recording in which that takes 5 us: it is found
/// by a computation that is interrupted.
fn first_detour() -> (u64, HostModel) {
    let text = "0 5000000\n1000000000\n";
    let long = run("ideal", away(text), [vec![], vec![compute(1_000_000)]]);
    // A recording of 1 ms has one detour of 5 us: the work of 1 ms meets it once, or twice.
    assert!(long[1].host.in_computation >= Span::from_ns(5_000));
    let (mut low, mut high) = (0, 1_000_000);
    while low < high {
        let middle = (low + high) / 2;
        let one = run("ideal", away(text), [vec![], vec![compute(middle)]]);
        if one[1].host.in_computation > Span::ZERO {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    (low, away(text))
}

#[test]
fn a_detour_lengthens_computation_and_counts_as_computation() {
    let (first, model) = first_detour();
    let report = &run("ideal", model, [vec![], vec![compute(first + 10)]])[1];
    assert_eq!(report.compute_time, Span::from_ns(first + 10 + 5_000));
    assert_eq!(report.comm_time, Span::ZERO);
    assert_eq!(report.host.in_computation, Span::from_ns(5_000));
    assert_eq!(report.host.in_calls, Span::ZERO);
}

#[test]
fn a_message_that_arrives_in_a_detour_waits_for_its_end() {
    let (first, model) = first_detour();
    // It is sent 1 us into the detour, and arrives 100 ns and 1 byte later.
    let programs = [vec![compute(first + 1_000), send(1, 0)], vec![recv(0, 0)]];
    let quiet = run("ideal", HostModel::default(), programs.clone());
    let noisy = run("ideal", model, programs);
    assert_eq!(quiet[1].end, Instant::from_ps((first + 1_100) * 1_000 + 40));
    // The first detour begins within the last ns that was tried.
    let back = (first + 5_000) * 1_000;
    assert!(noisy[1].end.ps() <= back && noisy[1].end.ps() > back - 1_000);
    assert_eq!(noisy[1].host.in_calls, noisy[1].end - quiet[1].end);
    assert_eq!(noisy[0], quiet[0]);
}

#[test]
fn calls_cost_what_is_added_times_the_factor() {
    let fixed = |mean| Distribution {
        law: Law::Fixed,
        mean,
        most: 1e12,
    };
    let model = HostModel {
        calls: vec![
            CallCost::Added(fixed(700_000.0)),
            CallCost::Added(fixed(300_000.0)),
            CallCost::Factor(fixed(1.5)),
        ],
        ..HostModel::default()
    };
    // Entering, setting up, copying 32 + 8 B, returning: 30 + 13 + 13.76 + 30 ns.
    let programs = [vec![recv(1, 8)], vec![send(0, 8), compute(50)]];
    let report = &run("firefly-kang2022", model, programs)[1];
    let call = 1_500_000 + (30_000 + 13_000 + 13_760 + 30_000) * 3 / 2;
    assert_eq!(report.mpi_time, Span::from_ps(call));
    assert_eq!(report.compute_time, Span::from_ns(50));
    assert_eq!(report.host.calls, Span::from_ps(call - 86_760));
}

#[test]
fn shared_cores_and_memory_make_steps_longer() {
    let shared = |cores, carried, traffic| HostModel {
        cores: Some(cores),
        memory_bytes_per_s: Some(carried),
        traffic_bytes_per_s: traffic,
        ..HostModel::default()
    };
    // Three ranks: on two cores all takes half as long again, and computation that wants twice the
    // memory that there is twice as long.
    for (model, compute_ns, factor) in [
        (shared(3, 30, 10), 1_000, 1),
        (shared(2, 30, 10), 1_500, 3),
        (shared(2, 30, 20), 2_000, 3),
        (shared(16, 30, 5), 1_000, 1),
    ] {
        let programs = [vec![recv(1, 8)], vec![compute(1_000), send(0, 8)]];
        let report = &run("firefly-kang2022", model, programs)[1];
        assert_eq!(report.compute_time, Span::from_ns(compute_ns));
        let call = if factor == 1 { 86_760 } else { 86_760 * 3 / 2 };
        assert_eq!(report.mpi_time, Span::from_ps(call));
        let more = (compute_ns - 1_000) * 1_000 + call - 86_760;
        assert_eq!(report.host.sharing, Span::from_ps(more));
    }
}

/// A nonblocking collective makes the rank a crew of strands, which takes another way to its steps.
#[test]
fn strands_wait_for_their_cpu_too() {
    let overlapped = || {
        vec![
            WORLD.barrier().nonblocking(Request(1)),
            compute(20_000),
            Operation::Wait(Request(1)),
        ]
    };
    let often = HostModel {
        detours: vec![Detours::Drawn {
            gap: Distribution {
                law: Law::Exponential,
                mean: 2e6,
                most: 1e12,
            },
            length: Distribution {
                law: Law::Fixed,
                mean: 1e6,
                most: 1e12,
            },
        }],
        ..HostModel::default()
    };
    let quiet = run(
        "firefly-kang2022",
        HostModel::default(),
        [overlapped(), overlapped()],
    );
    let noisy = run("firefly-kang2022", often, [overlapped(), overlapped()]);
    let host = noisy[1].host;
    assert!(host.in_computation >= Span::from_ns(5_000), "{host:?}");
    assert_eq!(
        noisy[1].compute_time,
        quiet[1].compute_time + host.in_computation
    );
    assert_eq!(noisy[0].host, HostTime::default());
    assert!(noisy[1].end.saturating_since(quiet[1].end) <= host.in_computation + host.in_calls);
}
