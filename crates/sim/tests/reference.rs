//! MPI jobs in the engine and in the reference model: every packet and every rank's record agree.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use odonata_mpi::collective::Profile;
use odonata_mpi::{
    CallCost, Detours, Distribution, HostModel, Law, MpiParameters, MpiRank, Place, RankLocation,
    RankMap, RankReport,
};
use odonata_network::{Architecture, Parameters, Sharing, Users};
use odonata_reference::simulate;
use odonata_reference::testing::{booksim, kang2022, simulate_recorded};
use odonata_routing::geometry::Geometry;
use odonata_routing::{Algorithm, ENTRIES, Mode, Ordered, Routing, entry};
use odonata_telemetry::PacketRecord;
use odonata_topology::{Arrangement, NicWiring, NodeEnds, NodeType, Shape, Topology};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Purpose, Stream};
use odonata_workload::{
    JobContext, Memory, NicShape, NodeEndpoint, Occupant, SharedNode, SystemView, build, seated,
};
use serde_json::{Value, json};

/// 72 nodes.
const SHAPE: Shape = Shape {
    groups: 9,
    routers_per_group: 4,
    nodes_per_router: 2,
    global_ports_per_router: 2,
    arrangement: Arrangement::Absolute,
};

/// First node of each group; none of the groups here is without nodes.
fn starts(topology: &Topology) -> Vec<u32> {
    let first = |group| topology.nodes_in(group).next().unwrap().0;
    topology.groups().map(first).collect()
}

/// Two jobs on random nodes of a system of 72 nodes, 8 of which stay idle.
fn endpoints(topology: &Topology, parameters: &Parameters, jobs: &[Value]) -> Vec<NodeEndpoint> {
    let group_starts = starts(topology);
    let system = SystemView {
        node_count: topology.node_count(),
        group_starts: &group_starts,
        injection: parameters.host.bandwidth,
        flit_bytes: parameters.flit_bytes,
        packet_bytes: parameters.packet_bytes,
    };
    let mut free: Vec<NodeId> = topology.nodes().collect();
    let mut draw = Stream::new(5, Purpose::Placement, 0);
    let mut all: Vec<_> = free.iter().map(|_| NodeEndpoint::Idle).collect();
    for (number, job) in jobs.iter().enumerate() {
        // The MPI library of a job stands beside its workload here.
        let mut job = job.as_object().unwrap().clone();
        let mpi = job.remove("mpi").unwrap_or_else(|| json!({}));
        let mpi = MpiParameters::from_json(mpi.as_object().unwrap()).unwrap();
        let is_noisy = job.remove("noisy").is_some();
        let ranks = job["ranks"].as_u64().unwrap();
        let take = |_| free.swap_remove(draw.below(u32::try_from(free.len()).unwrap()) as usize);
        // As many nodes as ranks, or fewer, each taken several times in turn.
        let each = job.remove("ranks_per_node").and_then(|each| each.as_u64());
        let own: Vec<NodeId> = (0..ranks.div_ceil(each.unwrap_or(1))).map(take).collect();
        let ranks = usize::try_from(ranks).unwrap();
        let nodes: Vec<NodeId> = own.iter().copied().cycle().take(ranks).collect();
        let context = JobContext {
            seed: 3,
            job: JobId(u32::try_from(number).unwrap()),
            name: "job",
            nodes: &nodes,
            rank_map: None,
            here: None,
            system,
            mpi: &mpi,
            traces: &BTreeMap::new(),
        };
        let built = build(&job, &context).unwrap();
        let nic = NicShape::single(system.injection, parameters.nic_queues);
        for (node, mut endpoint) in seated(&nodes, built, &nic).unwrap() {
            if is_noisy {
                make_noisy(node, &mut endpoint, &mpi);
            }
            all[node.index()] = endpoint;
        }
    }
    all
}

/// The ranks of a node are away now and then, pay for calls, and share its memory.
fn make_noisy(node: NodeId, endpoint: &mut NodeEndpoint, mpi: &MpiParameters) {
    let drawn = |law, mean| Distribution {
        law,
        mean,
        most: 4e7,
    };
    let model = Arc::new(HostModel {
        detours: vec![
            Detours::Drawn {
                gap: drawn(Law::Fixed, 9e6),
                length: drawn(Law::Lognormal(0.5), 4e5),
            },
            Detours::Drawn {
                gap: drawn(Law::Exponential, 2e7),
                length: drawn(Law::Pareto(1.5), 2e6),
            },
        ],
        calls: vec![CallCost::Added(drawn(Law::Exponential, 2e5))],
        cores: Some(2),
        memory_bytes_per_s: Some(4_000_000_000),
        traffic_bytes_per_s: 1_500_000_000,
    });
    let ranks = u32::try_from(endpoint.ranks().len()).unwrap();
    for (number, rank) in (0..).zip(endpoint.ranks_mut()) {
        let place = Place {
            node: node.0,
            local_rank: number,
            ranks,
        };
        rank.sit_on(&model, 3, place);
    }
    if let NodeEndpoint::Ranks(shared) = endpoint {
        let rate = Bandwidth::from_bytes_per_second(4_000_000_000).unwrap();
        shared.use_memory(Memory::new(rate, mpi.local_latency, mpi.local_per_byte));
    }
}

fn reports<'a>(endpoints: impl Iterator<Item = &'a NodeEndpoint>) -> Vec<RankReport> {
    endpoints
        .flat_map(|endpoint| endpoint.ranks().iter().map(MpiRank::report))
        .collect()
}

pub(crate) type Seen = (Vec<PacketRecord>, Vec<RankReport>);

pub(crate) fn compare(parameters: &Parameters, algorithm: &str, jobs: &[Value]) -> Seen {
    compare_by(parameters, entry(algorithm).unwrap().mode(), jobs)
}

fn compare_by(parameters: &Parameters, mode: Mode, jobs: &[Value]) -> Seen {
    let algorithm = mode.name.clone();
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    let geometry = Geometry::new(Arc::clone(&topology));
    let routing = Routing::new(geometry, vec![mode], false).unwrap();
    let until = Instant::from_ps(1 << 40);
    let reference = {
        let endpoints = endpoints(&topology, parameters, jobs);
        let run = simulate(
            Arc::clone(&topology),
            &routing,
            parameters,
            endpoints,
            until,
        );
        (run.records, reports(run.endpoints.iter()))
    };
    for threads in [1, 2, 3] {
        let endpoints = endpoints(&topology, parameters, jobs);
        let here = Arc::clone(&topology);
        let run = simulate_recorded(here, &routing, parameters, endpoints, until, threads);
        let (records, after) = run.unwrap();
        assert!(
            records == reference.0,
            "{algorithm}, {threads} threads: packets differ"
        );
        let reports = reports(after.iter());
        assert_eq!(
            reports, reference.1,
            "{algorithm}, {threads} threads: ranks differ"
        );
    }
    assert!(
        reference.1.iter().all(|report| report.finished),
        "every rank ends"
    );
    reference
}

#[test]
fn jobs_agree_under_every_routing_and_router() {
    let jobs = [
        json!({"kind": "fft3d", "ranks": 24, "nx": 48, "ny": 48, "nz": 48, "process_rows": 4,
               "iterations": 1}),
        json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000,
               "iterations": 2}),
        json!({"kind": "allreduce", "ranks": 16, "message": 30_000, "iterations": 2}),
    ];
    for entry in ENTRIES
        .iter()
        .filter(|entry| entry.families.contains(&"dragonfly"))
    {
        for architecture in [Architecture::Voq, Architecture::Cioq] {
            let parameters = Parameters {
                architecture,
                ..kang2022()
            };
            let (records, ranks) = compare(&parameters, entry.name, &jobs);
            assert!(records.len() > 2_000, "the jobs talk: {}", records.len());
            assert_eq!(ranks.len(), 64);
        }
    }
}

/// Packets that arrive before one from the same node that left earlier.
fn overtaken(records: &[PacketRecord]) -> usize {
    let mut flows: BTreeMap<(NodeId, NodeId), Vec<&PacketRecord>> = BTreeMap::new();
    for record in records {
        let flow = (record.source, record.target);
        flows.entry(flow).or_default().push(record);
    }
    let behind = |flow: &mut Vec<&PacketRecord>| {
        flow.sort_by_key(|record| record.sequence);
        let pairs = flow.windows(2);
        pairs
            .filter(|two| two[1].delivered < two[0].delivered)
            .count()
    };
    flows.values_mut().map(behind).sum()
}

/// Eager messages and protocol headers are ordered, data of a rendezvous are not: the limit of the MPI
/// library divides them.
#[test]
fn eager_messages_of_jobs_are_ordered() {
    let ordered = |ordered: Ordered| {
        let mut mode = entry("par").unwrap().mode();
        if let Algorithm::Rule(rule) = &mut mode.algorithm {
            (rule.ordered, rule.flow_gap_ns) = (ordered, 1_000_000_000);
        }
        mode
    };
    for (limit, is_eager) in [(0, false), (1_000_000, true)] {
        let mpi = json!({"preset": "firefly-kang2022", "eager_limit": limit});
        let jobs = [
            json!({"kind": "alltoall", "ranks": 32, "message": 20_000, "iterations": 2, "mpi": mpi}),
            json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000,
                   "iterations": 2, "mpi": mpi}),
        ];
        let seen = |mode| compare_by(&kang2022(), mode, &jobs);
        let (none, eager, all) = (
            seen(ordered(Ordered::None)),
            seen(ordered(Ordered::Eager)),
            seen(ordered(Ordered::All)),
        );
        let counts = [&none, &eager, &all].map(|(records, _)| overtaken(records));
        assert!(counts[0] > 100 && counts[2] == 0, "{counts:?}");
        if is_eager {
            assert_eq!(counts[1], 0, "each message is eager");
            assert!(eager == all);
        } else {
            assert!(counts[1] > 100, "data go as they like: {counts:?}");
            assert!(eager.0 != none.0, "headers are ordered");
        }
    }
}

/// Ranks that share nodes, their memory and their NIC, beside a job of one rank per node.
#[test]
fn nodes_with_several_ranks_agree() {
    let jobs = [
        json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000,
               "iterations": 2, "ranks_per_node": 4}),
        json!({"kind": "fft3d", "ranks": 24, "nx": 48, "ny": 48, "nz": 48, "process_rows": 4,
               "iterations": 1, "ranks_per_node": 7}),
        json!({"kind": "allreduce", "ranks": 16, "message": 30_000, "iterations": 2}),
    ];
    for (algorithm, nic_queues) in [("minimal", 1), ("par", 1), ("par", 3), ("minimal", 48)] {
        let parameters = Parameters {
            nic_queues,
            ..kang2022()
        };
        let (records, ranks) = compare(&parameters, algorithm, &jobs);
        assert!(records.len() > 2_000, "the jobs talk: {}", records.len());
        assert_eq!(ranks.len(), 64);
        let local: u64 = ranks.iter().map(|rank| rank.local_messages_sent).sum();
        assert!(local > 100, "some of it in memory: {local}");
    }
}

/// What the reference model sees on nodes used together; the engine sees the same on 1, 2 and 3
/// threads.
fn compare_sharing(
    topology: &Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    users: &dyn Fn() -> Users<NodeEndpoint>,
    until: Instant,
) -> Seen {
    let here = Arc::clone(topology);
    let reference = simulate(here, routing, parameters, users(), until);
    let expected = reports(reference.endpoints.iter());
    for threads in [1, 2, 3] {
        let here = Arc::clone(topology);
        let run = simulate_recorded(here, routing, parameters, users(), until, threads);
        let (records, after) = run.unwrap();
        assert!(
            records == reference.records,
            "{threads} threads: packets differ"
        );
        assert_eq!(reports(after.iter()), expected, "{threads} threads");
    }
    (reference.records, expected)
}

/// Two jobs on the same nodes of a machine with `ends`: ranks sit down job by job.
fn on_machine(
    topology: &Topology,
    parameters: &Parameters,
    ends: &NodeEnds,
    stripe: Option<u64>,
) -> Vec<NodeEndpoint> {
    let nic = NicShape {
        rate: parameters.host.bandwidth,
        queues: parameters.nic_queues,
        ends: Some(ends.clone()),
        stripe,
    };
    let mut local_ranks = vec![0_u8; ends.node_count() as usize];
    let mut occupants: BTreeMap<NodeId, Vec<Occupant>> = BTreeMap::new();
    let group_starts = starts(topology);
    let jobs = [
        json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000, "iterations": 2}),
        json!({"kind": "allreduce", "ranks": 20, "message": 30_000, "iterations": 2}),
    ];
    for (number, job) in (0_u8..).zip(&jobs) {
        let ranks = u32::try_from(job["ranks"].as_u64().unwrap()).unwrap();
        let locations: Vec<RankLocation> = (0..ranks)
            .map(|rank| {
                let node = rank / 2 * 7 % 16;
                let local_rank = &mut local_ranks[node as usize];
                *local_rank += 1;
                RankLocation {
                    address: ends.end(node, u32::from(*local_rank - 1) % ends.nics_of(node)),
                    home: ends.end(node, 0),
                    local_rank: *local_rank - 1,
                }
            })
            .collect();
        let nodes: Vec<NodeId> = locations.iter().map(|location| location.address).collect();
        let rank_map = Arc::new(RankMap::at(&locations));
        let context = JobContext {
            seed: 3,
            job: JobId(number.into()),
            name: "job",
            nodes: &nodes,
            rank_map: Some(&rank_map),
            here: None,
            system: SystemView {
                node_count: topology.node_count(),
                group_starts: &group_starts,
                injection: parameters.host.bandwidth,
                flit_bytes: parameters.flit_bytes,
                packet_bytes: parameters.packet_bytes,
            },
            mpi: &MpiParameters::preset("firefly-kang2022").unwrap(),
            traces: &BTreeMap::new(),
        };
        let built = build(job.as_object().unwrap(), &context).unwrap();
        for (location, endpoint) in locations.iter().zip(built) {
            let NodeEndpoint::Rank(rank) = endpoint else {
                unreachable!("a job of ranks");
            };
            let occupant = Occupant {
                rank: *rank,
                local_rank: location.local_rank,
                job: number,
                is_goal: true,
            };
            occupants.entry(location.home).or_default().push(occupant);
        }
    }
    let mut all: Vec<_> = topology.nodes().map(|_| NodeEndpoint::Idle).collect();
    for (home, occupants) in occupants {
        let node = SharedNode::new(home, occupants, nic.clone());
        all[home.index()] = NodeEndpoint::Ranks(Box::new(node));
    }
    all
}

/// Nodes with several NICs, and two jobs on the same nodes.
#[test]
fn nodes_with_several_nics_agree() {
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    let geometry = Geometry::new(Arc::clone(&topology));
    let mode = entry("par").unwrap().mode();
    let routing = Routing::new(geometry, vec![mode], false).unwrap();
    let until = Instant::from_ps(1 << 40);
    let mut ends_of_run = Vec::new();
    let node_type = |name: &str, nodes, nics, wiring| NodeType {
        name: name.to_owned(),
        nodes,
        nics,
        wiring,
    };
    let alike = |nics, wiring| vec![node_type("all", None, nics, wiring)];
    // Messages between unlike nodes go in as many parts as the smaller one has NICs.
    let mixed = |other| {
        vec![
            node_type("gpu", Some(4), 4, NicWiring::Spread),
            node_type("cpu", Some(6), 1, NicWiring::Spread),
            node_type("big", None, other, NicWiring::Together),
        ]
    };
    for (types, queues, stripe) in [
        (alike(2, NicWiring::Spread), 1, None),
        (alike(4, NicWiring::Spread), 3, None),
        (alike(4, NicWiring::Spread), 1, Some(9_000)),
        (alike(2, NicWiring::Together), 48, Some(1)),
        (mixed(2), 1, None),
        (mixed(2), 3, Some(5_000)),
    ] {
        let parameters = Parameters {
            nic_queues: queues,
            architecture: if queues == 3 {
                Architecture::Voq
            } else {
                Architecture::Cioq
            },
            ..kang2022()
        };
        let ends = topology.node_ends_of_types(&types).unwrap();
        let sharing = Sharing {
            together: ends.sets().map(<[NodeId]>::to_vec).collect(),
            ..Sharing::default()
        };
        let users = || Users {
            endpoints: on_machine(&topology, &parameters, &ends, stripe),
            sharing: sharing.clone(),
        };
        let (records, expected) = compare_sharing(&topology, &routing, &parameters, &users, until);
        assert_eq!(expected.len(), 44);
        assert!(expected.iter().all(|rank| rank.finished), "every rank ends");
        let senders: BTreeSet<NodeId> = records.iter().map(|one| one.source).collect();
        let several = ends.sets().filter(|set| set.len() > 1);
        let second = several.filter(|set| senders.contains(&set[1])).count();
        let least = if types.len() > 1 { 5 } else { 12 };
        assert!(second >= least, "second NICs send: {second}");
        let local: u64 = expected.iter().map(|rank| rank.local_messages_sent).sum();
        assert!(local > 20, "{local}");
        ends_of_run.push(expected.iter().map(|rank| rank.end).max().unwrap());
    }
    assert!(
        ends_of_run[2] < ends_of_run[0],
        "more NICs, sooner done: {ends_of_run:?}"
    );
}

/// Jobs that start again, for as long as both engines look: every packet until then.
#[test]
fn repetitions_agree() {
    let jobs = [
        json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000, "iterations": 2}),
        json!({"kind": "uniform-random", "ranks": 20, "message": 900, "iterations": 3}),
        json!({"kind": "allreduce", "ranks": 16, "message": 3_000}),
    ];
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    let geometry = Geometry::new(Arc::clone(&topology));
    let mode = entry("par").unwrap().mode();
    let routing = Routing::new(geometry, vec![mode], false).unwrap();
    let until = Instant::from_ps(200_000_000);
    let parameters = kang2022();
    let users = || {
        let mut all = endpoints(&topology, &parameters, &jobs);
        for endpoint in &mut all {
            for rank in endpoint.ranks_mut() {
                rank.repeat(parameters.host.bandwidth);
            }
        }
        all
    };
    let reference = simulate(Arc::clone(&topology), &routing, &parameters, users(), until);
    let again = reports(reference.endpoints.iter());
    assert!(
        again.iter().all(|report| report.repetitions >= 3),
        "all start again"
    );
    let here = Arc::clone(&topology);
    let (records, _) = simulate_recorded(here, &routing, &parameters, users(), until, 2).unwrap();
    assert!(records == reference.records, "packets differ");
}

/// Jobs that come and go, one after the other on the same nodes of two NICs.
#[test]
fn jobs_that_leave_agree() {
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    let (first, middle, until) = (
        Instant::from_ps(5_000_000),
        Instant::from_ps(60_000_000),
        Instant::from_ps(150_000_000),
    );
    let geometry = Geometry::new(Arc::clone(&topology));
    let mode = entry("par").unwrap().mode();
    let routing = Routing::new(geometry, vec![mode], false).unwrap();
    let parameters = kang2022();
    let ends = topology.node_ends(2, NicWiring::Spread).unwrap();
    let sharing = Sharing {
        together: ends.sets().map(<[NodeId]>::to_vec).collect(),
        ..Sharing::default()
    };
    let users = || {
        let mut all = on_machine(&topology, &parameters, &ends, None);
        for endpoint in &mut all {
            // Two ranks of the first job, and two of the second, if there are any.
            for (local_rank, rank) in endpoint.ranks_mut().iter_mut().enumerate() {
                rank.repeat(parameters.host.bandwidth);
                match local_rank {
                    0 | 1 => rank.stay(first, middle),
                    _ => rank.stay(middle, Instant::NEVER),
                }
            }
        }
        Users {
            endpoints: all,
            sharing: sharing.clone(),
        }
    };
    let (_, expected) = compare_sharing(&topology, &routing, &parameters, &users, until);
    assert!(
        expected.iter().all(|rank| rank.repetitions >= 1),
        "all work"
    );
    for report in &expected {
        let is_first = report.start == first;
        assert!(is_first || report.start == middle, "{:?}", report.start);
        assert!(!is_first || report.last_call <= middle);
    }
}

/// Messages of eager size, packets of four small flits, an unsynchronised program.
#[test]
fn many_small_messages_agree() {
    let jobs = [json!({"kind": "uniform-random", "ranks": 60, "message": 500, "iterations": 20})];
    let (records, _) = compare(&booksim(), "ugal-node", &jobs);
    assert!(records.len() > 5_000, "{}", records.len());
}

/// Collectives as every library chooses them, and some that none of them chooses.
#[test]
fn collectives_of_every_library_agree() {
    let libraries = Profile::ALL.map(|profile| json!({"collectives": profile.name()}));
    let others = [
        "bine",
        "bine-halving",
        "hierarchical",
        "pipelined-trees",
        "ring-channels",
    ]
    .map(|name| json!({"allreduce": name}));
    for mpi in libraries.into_iter().chain(others) {
        let jobs = [
            json!({"kind": "fft3d", "ranks": 24, "nx": 24, "ny": 24, "nz": 24,
                   "process_rows": 4, "iterations": 1, "mpi": mpi}),
            json!({"kind": "allreduce", "ranks": 23, "message": 30_000, "mpi": mpi}),
            json!({"kind": "allreduce", "ranks": 16, "message": 8, "iterations": 5, "mpi": mpi}),
        ];
        let (records, ranks) = compare(&kang2022(), "par", &jobs);
        assert!(records.len() > 1_000, "the jobs talk: {}", records.len());
        assert_eq!(ranks.len(), 63);
    }
}

/// Background traffic of every kind beside a job, for as long as both engines look.
#[test]
fn backgrounds_agree() {
    let jobs = [
        json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000, "iterations": 2}),
        json!({"kind": "open-loop", "ranks": 12, "pattern": "all-to-all", "interval": 4_000_000,
               "arrival": "fixed", "start": "jittered"}),
        json!({"kind": "open-loop", "ranks": 12, "pattern": "rotating", "load": 0.7,
               "threshold": 3_000, "burst": 3_000_000, "pause": 2_000_000}),
        json!({"kind": "open-loop", "ranks": 12, "pattern": "incast", "hot_nodes": 2,
               "load": 0.1, "arrival": "bernoulli", "burst": 2_000_000, "pause": 1_000_000,
               "start": "jittered"}),
    ];
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    let geometry = Geometry::new(Arc::clone(&topology));
    let mode = entry("par").unwrap().mode();
    let routing = Routing::new(geometry, vec![mode], false).unwrap();
    let until = Instant::from_ps(30_000_000);
    let parameters = kang2022();
    let users = || endpoints(&topology, &parameters, &jobs);
    let reference = simulate(Arc::clone(&topology), &routing, &parameters, users(), until);
    assert!(
        reference.records.len() > 3_000,
        "{}",
        reference.records.len()
    );
    for threads in [1, 2] {
        let here = Arc::clone(&topology);
        let run = simulate_recorded(here, &routing, &parameters, users(), until, threads);
        let (records, _) = run.unwrap();
        assert!(
            records == reference.records,
            "{threads} threads: packets differ"
        );
    }
}

/// Every skeleton at a small size: in sets that fill the system.
#[test]
fn skeletons_agree() {
    let sets = [
        vec![
            json!({"kind": "lu", "ranks": 24, "iterations": 1, "stages": 4}),
            json!({"kind": "stencil5d", "ranks": 24, "message": 20_000, "compute": 1_000_000}),
            json!({"kind": "lqcd", "ranks": 16, "lattice": [8, 8, 8, 16], "iterations": 1}),
        ],
        vec![
            json!({"kind": "lulesh", "ranks": 27, "iterations": 1, "stages": 4, "face": 5_000}),
            json!({"kind": "lammps", "ranks": 36, "replicas": [1, 1, 1], "iterations": 1}),
        ],
        vec![
            json!({"kind": "nekbone", "ranks": 24, "elements": 2, "orders": [4], "iterations": 1}),
            json!({"kind": "nearest-neighbour", "ranks": 24, "message": 3_000}),
            json!({"kind": "incast", "ranks": 9, "message": 20_000, "iterations": 2}),
            json!({"kind": "spread", "ranks": 7, "iterations": 2}),
            json!({"kind": "many-to-many", "ranks": 8, "message": 9_000, "fixed_pairs": false}),
        ],
        vec![
            json!({"kind": "layered-allbcast", "ranks": 8, "layers": 3, "iterations": 1}),
            json!({"kind": "ping-pong", "ranks": 6, "iterations": 4}),
            json!({"kind": "alltoall", "ranks": 8, "iterations": 2}),
            json!({"kind": "barrier", "ranks": 8, "iterations": 2}),
            json!({"kind": "bcast", "ranks": 8, "iterations": 2}),
            json!({"kind": "small-allreduces", "ranks": 8, "iterations": 1, "calls": 3}),
            json!({"kind": "cg", "ranks": 8, "order": 3_000, "iterations": 2}),
            json!({"kind": "fft", "ranks": 8, "nx": 32, "ny": 32, "nz": 16}),
        ],
        vec![
            json!({"kind": "sweep3d", "ranks": 12, "nz": 2}),
            json!({"kind": "halo26", "ranks": 18, "nx": 20, "ny": 20, "nz": 20}),
            json!({"kind": "hpcg", "ranks": 18, "points": 16, "iterations": 1}),
        ],
        vec![
            json!({"kind": "bfs", "ranks": 10, "scale": 10, "iterations": 1}),
            json!({"kind": "sssp", "ranks": 9, "scale": 9, "iterations": 1}),
            json!({"kind": "crystal-router", "ranks": 11, "message": 5_000, "iterations": 2}),
            json!({"kind": "fill-boundary", "ranks": 12, "least": 1_000, "most": 20_000,
                   "iterations": 2}),
            json!({"kind": "amg", "ranks": 12, "message": 2_000, "levels": 4, "iterations": 1}),
        ],
        vec![
            json!({"kind": "gpcnet-latency", "ranks": 11, "rings": 2, "iterations": 4}),
            json!({"kind": "gpcnet-bandwidth", "ranks": 9, "message": 3_000, "rings": 2,
                   "iterations": 1}),
            json!({"kind": "gpcnet-allreduce", "ranks": 9, "iterations": 3}),
            json!({"kind": "gpcnet-alltoall", "ranks": 16, "iterations": 1}),
            json!({"kind": "gpcnet-incast", "ranks": 11, "iterations": 2}),
            json!({"kind": "gpcnet-put-incast", "ranks": 8, "iterations": 3}),
            json!({"kind": "gpcnet-get-bcast", "ranks": 8, "iterations": 3}),
        ],
    ];
    for (jobs, algorithm) in sets
        .iter()
        .zip(["par", "ugal-node", "minimal"].iter().cycle())
    {
        let parameters = Parameters {
            architecture: Architecture::Cioq,
            ..kang2022()
        };
        let (records, _) = compare(&parameters, algorithm, jobs);
        assert!(records.len() > 500, "the jobs talk: {}", records.len());
    }
}

/// Hosts that take time from their ranks, alone on a node and together.
#[test]
fn noisy_hosts_agree() {
    let jobs = [
        json!({"kind": "halo3d", "ranks": 24, "grid": [2, 3, 4], "face": 20_000, "iterations": 3,
               "compute": 3_000_000, "noisy": true}),
        json!({"kind": "allreduce", "ranks": 32, "message": 3_000, "iterations": 4, "noisy": true,
               "ranks_per_node": 4}),
        json!({"kind": "alltoall", "ranks": 16, "message": 700, "iterations": 2}),
    ];
    let (_, ranks) = compare(&kang2022(), "par", &jobs);
    let noisy = ranks
        .iter()
        .filter(|rank| rank.host != odonata_mpi::HostTime::default());
    assert_eq!(noisy.count(), 56);
    assert!(ranks.iter().any(|rank| rank.host.in_calls.ps() > 0));
    assert!(ranks.iter().any(|rank| rank.host.in_computation.ps() > 0));
}
