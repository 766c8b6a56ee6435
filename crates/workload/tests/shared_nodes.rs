//! Ranks that share a node: its memory, its NIC, and who gets it when.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_mpi::ideal::{IdealNetwork, IdealOutcome};
use odonata_mpi::{
    CommId, Communicator, MpiParameters, MpiRank, Operation, Peer, RankMap, RankReport, RankSetup,
    Request,
};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::{JobContext, Memory, NicShape, NodeEndpoint, SystemView, build, seated};
use serde_json::json;

const WORLD: CommId = CommId::WORLD;

fn rate() -> Bandwidth {
    Bandwidth::from_bytes_per_second(25_000_000_000).unwrap()
}

fn nic() -> NicShape {
    NicShape::single(rate(), 1)
}

fn network() -> IdealNetwork {
    IdealNetwork {
        latency: Span::from_ns(100),
        bandwidth: Some(rate()),
        jitter: Span::ZERO,
    }
}

/// Runs a list of operations for each rank, each rank on its node.
fn run(
    preset: &str,
    nodes: &[u32],
    programs: Vec<Vec<Operation>>,
) -> (Vec<RankReport>, IdealOutcome) {
    let nodes: Vec<NodeId> = nodes.iter().copied().map(NodeId).collect();
    let size = u32::try_from(nodes.len()).unwrap();
    let rank_map = Arc::new(RankMap::new(&nodes));
    let parameters = Arc::new(MpiParameters::preset(preset).unwrap());
    let ranks = (0..).zip(programs).map(|(rank, list)| {
        let mut list = list.into_iter();
        NodeEndpoint::Rank(Box::new(MpiRank::new(RankSetup {
            rank,
            rank_map: Arc::clone(&rank_map),
            communicators: vec![Communicator::world(rank, size)],
            parameters: Arc::clone(&parameters),
            program: (move || list.next().unwrap_or(Operation::Finish)).into(),
        })))
    });
    run_endpoints(&nodes, ranks.collect())
}

fn run_endpoints(nodes: &[NodeId], ranks: Vec<NodeEndpoint>) -> (Vec<RankReport>, IdealOutcome) {
    run_users(nodes, seated(nodes, ranks, &nic()).unwrap())
}

fn run_users(
    nodes: &[NodeId],
    users: Vec<(NodeId, NodeEndpoint)>,
) -> (Vec<RankReport>, IdealOutcome) {
    let (own, mut endpoints): (Vec<NodeId>, Vec<NodeEndpoint>) = users.into_iter().unzip();
    let outcome = network().run(&mut endpoints, &own, Instant::from_ps(u64::MAX - 1));
    let mut by_node: BTreeMap<NodeId, Vec<RankReport>> = BTreeMap::new();
    for (node, endpoint) in own.iter().zip(&endpoints) {
        let reports = endpoint.ranks().iter().map(MpiRank::report);
        by_node.insert(*node, reports.rev().collect());
    }
    let in_order = nodes
        .iter()
        .map(|node| by_node.get_mut(node).unwrap().pop());
    (in_order.map(Option::unwrap).collect(), outcome)
}

fn send(target: u32, bytes: u64) -> Operation {
    Peer::in_job(target, 0).send(bytes)
}

fn isend(target: u32, bytes: u64, request: u32) -> Operation {
    Peer::in_job(target, 0).isend(bytes, Request(request))
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

#[test]
fn a_message_through_memory_takes_the_time_of_the_page() {
    // Eager, 8 B: enter 30, set-up 13, 40 B copied 13.76, memory 300 + 0.8, one receive compared
    // 15, set-up 10, copy 0.344, return 30.
    let programs = || vec![vec![send(1, 8)], vec![recv(0, 8)]];
    let (reports, outcome) = run("firefly-kang2022", &[4, 4], programs());
    assert_eq!(reports[1].end.ps(), 412_904);
    assert_eq!((outcome.messages, outcome.bytes), (0, 0));
    for (report, sent) in reports.iter().zip([1, 0]) {
        assert_eq!((report.messages_sent, report.bytes_sent), (0, 0));
        assert_eq!(report.payload_bytes_sent, 0);
        assert_eq!(report.local_messages_sent, sent);
        assert_eq!(report.local_bytes_sent, 8 * sent);
    }
    // The same to another node goes through the network.
    let (reports, outcome) = run("firefly-kang2022", &[4, 5], programs());
    assert_eq!((outcome.messages, outcome.bytes), (1, 53));
    assert_eq!(reports[0].local_messages_sent, 0);
    // Rendezvous, 20,000 B (four whole pages, R = 340): enter 30, set-up 13 + 11.008 + 340, memory
    // 300, compared 15, set-up 10, get 300, data 300 + 2,000, released 340, return 30.
    let programs = vec![vec![send(1, 20_000)], vec![recv(0, 20_000)]];
    let (reports, outcome) = run("firefly-kang2022", &[4, 4], programs);
    assert_eq!(reports[1].end.ps(), 3_689_008);
    assert_eq!(outcome.messages, 0);
    assert_eq!(reports[0].local_messages_sent, 1);
}

#[test]
fn puts_and_gets_inside_a_node_go_through_its_memory() {
    let (comm, target) = (WORLD, 1);
    let programs = vec![
        vec![
            Operation::Put {
                comm,
                target,
                bytes: 1_000,
            },
            Operation::Get {
                comm,
                target,
                bytes: 2_000,
            },
            Operation::Flush { comm, target: None },
        ],
        Vec::new(),
    ];
    let (reports, outcome) = run("firefly-kang2022", &[4, 4], programs);
    assert!(reports.iter().all(|rank| rank.finished));
    assert_eq!((outcome.messages, outcome.bytes), (0, 0));
    let local = [0, 1].map(|rank: usize| reports[rank].local_bytes_sent);
    assert_eq!(local, [1_000, 2_000]);
    // The get: two calls of 73 ns less the return, 30 + 13, asked for 300, data 300 + 200, back in
    // the flush 30.
    assert_eq!(
        reports[0].end.ps(),
        73_000 + 43_000 + 300_000 + 500_000 + 30_000
    );
}

#[test]
fn ranks_of_a_node_take_turns_at_its_nic() {
    // Rank 0 hands over twenty messages of 100,000 B at once, rank 1 a single one: it is second.
    let many = || (0..20).map(|request| isend(2, 100_000, request)).collect();
    let drain = |from: u32, count: usize| vec![recv(from, 100_000); count];
    let programs = vec![many(), vec![send(3, 100_000)], drain(0, 20), drain(1, 1)];
    let (reports, _) = run("ideal", &[0, 0, 1, 2], programs);
    // 4 us each: the second message has left after 8 us, the last one after 84 us.
    assert_eq!(reports[3].end.ps(), 8_100_000);
    assert_eq!(reports[2].end.ps(), 84_100_000);
    // Alone the twenty take as long as ever: the NIC is never idle.
    let programs = vec![many(), Vec::new(), drain(0, 20), Vec::new()];
    let (reports, _) = run("ideal", &[0, 0, 1, 2], programs);
    assert_eq!(reports[2].end.ps(), 80_100_000);
}

#[test]
fn a_hierarchical_collective_crosses_the_network_between_nodes_only() {
    let count = |algorithm: &str| {
        let nodes: Vec<NodeId> = (0..24).map(|rank| NodeId(rank / 4)).collect();
        let mpi = json!({"preset": "ideal", "allreduce": algorithm});
        let context = JobContext {
            seed: 5,
            job: JobId(0),
            name: "job",
            nodes: &nodes,
            rank_map: None,
            here: None,
            system: SystemView {
                node_count: 32,
                group_starts: &[0],
                injection: rate(),
                flit_bytes: 128,
                packet_bytes: 512,
            },
            mpi: &MpiParameters::from_json(mpi.as_object().unwrap()).unwrap(),
            traces: &BTreeMap::new(),
        };
        let spec = json!({"kind": "allreduce", "ranks": 24, "message": 9_000, "iterations": 1});
        let ranks = build(spec.as_object().unwrap(), &context).unwrap();
        let (reports, outcome) = run_endpoints(&nodes, ranks);
        assert!(reports.iter().all(|rank| rank.finished));
        let local: u64 = reports.iter().map(|rank| rank.local_messages_sent).sum();
        (local, outcome.messages)
    };
    // Inside: 18 ranks up and down. Between six nodes as `mpich` chooses, Rabenseifner:
    // 2 * 4 * 2 + 2 * 2.
    assert_eq!(count("hierarchical"), (36, 20));
    // The ranks of a node are neighbours in the first two of four rounds of 16; 8 of 24 fold, in
    // pairs that share a node.
    let (local, network) = count("rabenseifner");
    assert_eq!(local + network, 2 * 16 * 4 + 2 * 8);
    assert!(network > 20, "{network}");
}

#[test]
fn every_skeleton_runs_on_shared_nodes_with_the_same_messages() {
    for spec in [
        json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000, "iterations": 2}),
        json!({"kind": "fft3d", "ranks": 24, "nx": 24, "ny": 24, "nz": 24, "process_rows": 4,
               "iterations": 1}),
        json!({"kind": "allreduce", "ranks": 24, "message": 9_000}),
        json!({"kind": "uniform-random", "ranks": 24, "iterations": 4}),
    ] {
        let total = |each: u32| {
            let nodes: Vec<NodeId> = (0..24).map(|rank| NodeId(rank / each)).collect();
            let context = JobContext {
                seed: 5,
                job: JobId(0),
                name: "job",
                nodes: &nodes,
                rank_map: None,
                here: None,
                system: SystemView {
                    node_count: 32,
                    group_starts: &[0],
                    injection: rate(),
                    flit_bytes: 128,
                    packet_bytes: 512,
                },
                mpi: &MpiParameters::preset("firefly-kang2022").unwrap(),
                traces: &BTreeMap::new(),
            };
            let ranks = build(spec.as_object().unwrap(), &context).unwrap();
            let (reports, outcome) = run_endpoints(&nodes, ranks);
            assert!(reports.iter().all(|rank| rank.finished), "{spec} {each}");
            let sum = |f: fn(&RankReport) -> u64| reports.iter().map(f).sum::<u64>();
            let local = sum(|rank| rank.local_messages_sent);
            let wire = sum(|rank| rank.bytes_sent);
            assert_eq!(wire, outcome.bytes, "{spec} {each}");
            let messages = sum(|rank| rank.messages_sent) + local;
            let payload = sum(|rank| rank.payload_bytes_sent + rank.local_bytes_sent);
            (messages, payload, local, outcome.messages)
        };
        let (messages, payload, local, _) = total(1);
        assert_eq!(local, 0);
        for each in [2, 5, 8] {
            let shared = total(each);
            assert_eq!((shared.0, shared.1), (messages, payload), "{spec} {each}");
            assert!(shared.2 > 0, "{spec} {each}");
        }
        let alone = total(24);
        assert_eq!(
            (alone.2, alone.3),
            (messages, 0),
            "{spec}: one node, no network"
        );
    }
}

#[test]
fn only_ranks_share_a_node() {
    let endpoints = vec![NodeEndpoint::Idle, NodeEndpoint::Idle];
    let refused = seated(&[NodeId(1), NodeId(1)], endpoints, &nic());
    assert_eq!(refused.err(), Some(0));
}

/// Three ranks send 10,000 B each to the fourth at once, through a memory of 5 GB/s: each copy takes
/// it 2 us, and has a way of its own of 300 ns and 100 ps a byte, 1.3 us.
#[test]
fn copies_go_through_the_memory_of_a_node_one_by_one() {
    let programs = || {
        let mut programs = vec![vec![send(3, 10_000)]; 3];
        programs.push(vec![recv(0, 10_000), recv(1, 10_000), recv(2, 10_000)]);
        programs
    };
    let nodes = [NodeId(4); 4];
    let ranks = |preset: &str| {
        let mut parameters = MpiParameters::preset(preset).unwrap();
        parameters.local_latency = Span::from_ns(300);
        parameters.local_per_byte = Span::from_ps(100);
        let parameters = Arc::new(parameters);
        let rank_map = Arc::new(RankMap::new(&nodes));
        let ranks = (0..).zip(programs()).map(move |(rank, list)| {
            let mut list = list.into_iter();
            NodeEndpoint::Rank(Box::new(MpiRank::new(RankSetup {
                rank,
                rank_map: Arc::clone(&rank_map),
                communicators: vec![Communicator::world(rank, 4)],
                parameters: Arc::clone(&parameters),
                program: (move || list.next().unwrap_or(Operation::Finish)).into(),
            })))
        });
        seated(&nodes, ranks.collect(), &nic()).unwrap()
    };
    let (without, _) = run_users(&nodes, ranks("ideal"));
    assert_eq!(without[3].end.ps(), 1_300_000);
    for (carried, end) in [(5_000_000_000, 6_000_000), (50_000_000_000, 1_300_000)] {
        let mut users = ranks("ideal");
        let rate = Bandwidth::from_bytes_per_second(carried).unwrap();
        let NodeEndpoint::Ranks(node) = &mut users[0].1 else {
            panic!("four ranks share the node");
        };
        node.use_memory(Memory::new(rate, Span::from_ns(300), Span::from_ps(100)));
        let (reports, outcome) = run_users(&nodes, users);
        assert_eq!((reports[3].end.ps(), outcome.messages), (end, 0));
    }
}
