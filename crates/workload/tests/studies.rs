//! Messages of the skeletons of published studies, by formulas that know nothing of the code.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;

use odonata_endpoint::{Endpoint, Message, Nic};
use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{MpiParameters, RankReport};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count};
use serde_json::{Value, json};

/// An endpoint that counts what arrives, by size.
struct Counting {
    inner: NodeEndpoint,
    sizes: BTreeMap<u64, u64>,
}

impl Endpoint for Counting {
    fn next_wake(&self) -> Instant {
        self.inner.next_wake()
    }

    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        self.inner.wake(now, nic);
    }

    fn deliver(&mut self, now: Instant, message: &Message) {
        *self.sizes.entry(message.bytes).or_default() += 1;
        self.inner.deliver(now, message);
    }

    fn pull(&mut self) -> Option<(Instant, Message)> {
        self.inner.pull()
    }

    fn is_finished(&self) -> bool {
        self.inner.is_finished()
    }
}

/// Messages by size without any header, and the records of the ranks.
fn run(spec: &Value) -> (BTreeMap<u64, u64>, Vec<RankReport>) {
    let table = spec.as_object().unwrap();
    let traces = BTreeMap::new();
    let ranks = rank_count(table, 10_000, &traces).unwrap();
    let nodes: Vec<NodeId> = (0..ranks).map(NodeId).collect();
    let context = JobContext {
        seed: 1,
        job: JobId(0),
        name: "job",
        nodes: &nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: 10_000,
            group_starts: &[0],
            injection: Bandwidth::from_bytes_per_second(25_000_000_000).unwrap(),
            flit_bytes: 128,
            packet_bytes: 512,
        },
        mpi: &MpiParameters::preset("ideal").unwrap(),
        traces: &traces,
    };
    let endpoints = build(table, &context).unwrap().into_iter();
    let count = |inner| Counting {
        inner,
        sizes: BTreeMap::new(),
    };
    let mut endpoints: Vec<Counting> = endpoints.map(count).collect();
    let network = IdealNetwork {
        latency: Span::from_ns(1_000),
        bandwidth: None,
        jitter: Span::ZERO,
    };
    network.run(&mut endpoints, &nodes, Instant::from_ps(u64::MAX - 1));
    let mut sizes = BTreeMap::new();
    let mut reports = Vec::new();
    for endpoint in &endpoints {
        for (&bytes, count) in &endpoint.sizes {
            *sizes.entry(bytes).or_default() += count;
        }
        let NodeEndpoint::Rank(rank) = &endpoint.inner else {
            unreachable!("a skeleton has ranks only")
        };
        let report = rank.report();
        assert!(report.finished, "{spec}: {:?}", report.blocked_on);
        reports.push(report);
    }
    (sizes, reports)
}

/// Pairs of ranks, both ways, that differ by one position along each of `along` chosen dimensions of
/// an open grid of equal sides.
fn pairs(side: u64, along: u32) -> u64 {
    let ways = [1, 3, 3, 1][along as usize] * 2_u64.pow(along);
    ways * (side - 1).pow(along) * side.pow(3 - along)
}

/// A wire carries at least one byte.
const EMPTY: u64 = 1;

#[test]
fn nekbone() {
    // FACTS: per order two gather-scatters and two solves with a barrier between them; a solve is
    // a sum and, per iteration, a sum, a gather-scatter, two sums. Three iterations instead of 100.
    let iterations = 3;
    let (sizes, reports) = run(&json!({ "kind": "nekbone", "iterations": iterations }));
    let exchanges = 2 + 2 * iterations;
    let mut expected = BTreeMap::new();
    for order in [8, 11] {
        let line: u64 = 13 * order + 1;
        for (along, bytes) in [(1, line * line * 8), (2, line * 8), (3, 8)] {
            *expected.entry(bytes).or_default() += exchanges * pairs(13, along);
        }
    }
    assert_eq!(
        expected.keys().copied().collect::<Vec<_>>(),
        [8, 840, 1_152, 88_200, 165_888]
    );
    // Collectives over the binary tree: up and down every edge.
    let edges = 2 * (2_197 - 1);
    *expected.entry(8).or_default() += 2 * 2 * (1 + 3 * iterations) * edges;
    *expected.entry(EMPTY).or_default() += 2 * edges;
    assert_eq!(sizes, expected);
    // A rank inside exchanges with 26 others: 26 * 404 = 10,504 messages at 100 iterations.
    let inside: usize = 6 + 13 * (6 + 13 * 6);
    let tree = u64::from(2 * inside + 1 < 2_197) + u64::from(2 * inside + 2 < 2_197) + 1;
    let collectives = 2 * (2 * (1 + 3 * iterations) + 1);
    let sent = reports[inside].messages_sent;
    assert_eq!(sent, 26 * 2 * exchanges + tree * collectives);
    assert_eq!(26 * 2 * (2 + 2 * 100), 10_504);
}

#[test]
fn nearest_neighbour() {
    for (distance, neighbours) in [(1, 6), (2, 18), (3, 26)] {
        let (sizes, reports) = run(&json!({ "kind": "nearest-neighbour", "distance": distance }));
        assert_eq!(sizes, BTreeMap::from([(32_768, 4_096 * neighbours)]));
        assert!(reports.iter().all(|rank| rank.messages_sent == neighbours));
    }
}

#[test]
fn lammps() {
    // 64 ranks, 4 x 4 x 4, one box: everything but the transposes of the mesh by hand.
    let (sizes, reports) = run(
        &json!({ "kind": "lammps", "ranks": 64, "replicas": [1, 1, 1],
                                        "iterations": 12 }),
    );
    let edges = 2 * (64 - 1);
    assert_eq!(sizes[&48], 12 * 4 * edges);
    // Steps 5 to 10 look for new neighbours, step 10 finds some: per dimension two counts of atoms
    // that have moved, two of borders.
    assert_eq!(sizes[&4], (6 + 5) * edges + 64 * 3 * 4);
    let atoms = |bytes: u64| sizes.get(&bytes).copied().unwrap_or(0);
    let [x, y, z] = [55.0 / 4.0, 77.0 / 4.0, 72.726_1 / 4.0];
    let cut = |number: f64| number.floor();
    let volumes = [
        y * z * 12.0,
        (x + 24.0) * z * 12.0,
        (x + 24.0) * (y + 24.0) * 12.0,
    ];
    for volume in volumes {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "cut"
        )]
        let bytes = |per: f64| cut(cut(volume) * per + 0.5) as u64;
        // Two further exchanges in each step besides the first, which step 10 does without.
        assert_eq!(atoms(bytes(2.488_41)), 64 * 2 * (11 + 2 * 12));
        assert_eq!(atoms(bytes(6.635_63)), 64 * 2);
    }
    assert!(reports.iter().all(|rank| rank.iterations.len() == 12));
}

#[test]
fn fans() {
    let incast = run(&json!({ "kind": "incast" }));
    assert_eq!(incast.0, BTreeMap::from([(1_310_720, 990)]));
    assert_eq!(incast.1[0].messages_sent, 0);
    let spread = run(&json!({ "kind": "spread" }));
    assert_eq!(spread.0, BTreeMap::from([(8, 630)]));
    assert_eq!(spread.1[0].messages_sent, 630);
    let fixed = run(&json!({ "kind": "many-to-many" }));
    assert_eq!(fixed.0, BTreeMap::from([(4 << 20, 2 * 128)]));
    let all = run(&json!({ "kind": "many-to-many", "fixed_pairs": false, "message": 100 }));
    assert_eq!(all.0, BTreeMap::from([(100, 2 * 128 * 128)]));
}

#[test]
fn layered_allbcast() {
    let (sizes, _) = run(&json!({ "kind": "layered-allbcast", "iterations": 2 }));
    let mut expected = BTreeMap::from([(32, 2 * 2 * 31)]);
    let mut layer = 8_192.0_f64;
    for _ in 0..50 {
        for bytes in [layer / 32.0 / 32.0, layer / 32.0] {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "cut"
            )]
            let bytes = (bytes as u64).max(EMPTY);
            *expected.entry(bytes).or_default() += 2 * 32 * 31;
        }
        layer *= 1.12;
    }
    assert_eq!(sizes, expected);
}

#[test]
fn micro_benchmarks() {
    let only = |spec: Value, bytes: u64, count: u64| {
        assert_eq!(run(&spec).0, BTreeMap::from([(bytes, count)]), "{spec}");
    };
    only(json!({ "kind": "ping-pong", "iterations": 7 }), 1_024, 14);
    only(
        json!({ "kind": "ping-pong", "ranks": 7, "iterations": 2 }),
        1_024,
        2 * 2 * 3,
    );
    only(
        json!({ "kind": "alltoall", "ranks": 12, "iterations": 2 }),
        1_024,
        2 * 12 * 11,
    );
    only(
        json!({ "kind": "bcast", "ranks": 12, "iterations": 2 }),
        1_024,
        2 * 11,
    );
    only(
        json!({ "kind": "barrier", "ranks": 12, "iterations": 2 }),
        EMPTY,
        2 * 2 * 11,
    );
    only(
        json!({ "kind": "small-allreduces", "ranks": 12, "iterations": 2 }),
        8,
        200 * 2 * 11,
    );
    // A slab of 1024 / 8 by 1024 / 8 by 1024 points of 16 B to each of 7 others, there and back.
    only(
        json!({ "kind": "fft", "ranks": 8 }),
        128 * 128 * 1_024 * 16,
        2 * 8 * 7,
    );
}

/// Messages along x and y of an open grid of `x` by `y` ranks, one way.
fn edges([x, y]: [u64; 2]) -> [u64; 2] {
    [(x - 1) * y, x * (y - 1)]
}

#[test]
fn sweeps_pass_every_edge() {
    let (sizes, _) = run(
        &json!({ "kind": "sweep3d", "grid": [3, 5], "nx": 10, "ny": 20, "nz": 8,
                                  "block": 2, "iterations": 2 }),
    );
    let [along_x, along_y] = edges([3, 5]);
    // Eight octants of four stages in each of two iterations.
    let expected = [(10 * 2 * 64, 64 * along_x), (20 * 2 * 64, 64 * along_y)];
    assert_eq!(sizes, BTreeMap::from(expected));
}

#[test]
fn boxes_share_faces_edges_and_corners() {
    let (sizes, _) = run(
        &json!({ "kind": "halo26", "grid": [3, 3, 3], "nx": 10, "ny": 20,
                                  "nz": 30, "cell": 1 }),
    );
    let (faces, edges, corners) = (pairs(3, 1) / 3, pairs(3, 2) / 3, pairs(3, 3));
    let expected = [
        (600, faces),
        (300, faces),
        (200, faces),
        (30, edges),
        (20, edges),
        (10, edges),
        (1, corners),
    ];
    assert_eq!(sizes, BTreeMap::from(expected));
}

#[test]
fn a_face_decides_on_edges_and_corners() {
    // Faces of 400 B of cells of 4 B: 100 cells, ten along an edge.
    let (sizes, _) = run(
        &json!({ "kind": "halo26", "grid": [3, 3, 3], "face": 400, "cell": 4,
                                  "reduction": true }),
    );
    let (faces, edges, corners) = (pairs(3, 1), pairs(3, 2), pairs(3, 3));
    assert_eq!(
        [400, 40, 4].map(|size| sizes[&size]),
        [faces, edges, corners]
    );
    let reductions = sizes.iter().filter(|(size, _)| **size == 8);
    assert!(reductions.map(|(_, count)| count).sum::<u64>() >= 26);
}

#[test]
fn hpcg() {
    let (sizes, _) = run(
        &json!({ "kind": "hpcg", "grid": [3, 3, 3], "points": 16, "levels": 3,
                                  "iterations": 2 }),
    );
    let mut expected = BTreeMap::new();
    // Four exchanges on the finest grid, three on the next one, one on the coarsest.
    for (points, exchanges) in [(16_u64, 4), (8, 3), (4, 1)] {
        for along in 1..=3 {
            *expected.entry(8 * points.pow(3 - along)).or_default() +=
                2 * exchanges * pairs(3, along);
        }
    }
    *expected.entry(8).or_default() += 2 * 3 * 2 * 26;
    assert_eq!(sizes, expected);
}

#[test]
fn cg() {
    // 16 ranks, 4 x 4: two stages of the product and the diagonal, which 4 of 16 have with
    // themselves; two sums of two stages.
    let (sizes, _) = run(&json!({ "kind": "cg", "ranks": 16, "order": 1_000, "iterations": 3 }));
    assert_eq!(
        sizes,
        BTreeMap::from([(2_000, 3 * (2 * 16 + 12)), (8, 3 * 4 * 16)])
    );
    // 32 ranks, 4 x 8: three stages, halves of segments.
    let (sizes, _) = run(&json!({ "kind": "cg", "ranks": 32, "order": 1_000, "iterations": 1 }));
    assert_eq!(sizes, BTreeMap::from([(1_000, 3 * 32 + 24), (8, 6 * 32)]));
}

#[test]
fn searches_look_at_every_edge_from_both_ends() {
    for (kind, record) in [("bfs", 8), ("sssp", 16)] {
        let (sizes, _) = run(&json!({ "kind": kind, "ranks": 10, "scale": 16,
                                      "levels": [0.25, 0.75] }));
        let edges = 2 * 16 * (1_u64 << 16);
        let mut expected = BTreeMap::from([(8, 2 * 2 * 9)]);
        for records in [edges / 4, 3 * edges / 4].map(|all| (all + 50) / 100) {
            let bytes = records * record;
            *expected.entry(4_096).or_default() += bytes / 4_096 * 90;
            *expected.entry(bytes % 4_096).or_default() += 90;
        }
        assert_eq!(sizes, expected, "{kind}");
    }
}

/// Messages of a crystal router among `ranks` in one iteration: each rank sends one in every stage
/// that its part is halved in.
fn routed(ranks: u64) -> u64 {
    let mut parts = vec![ranks];
    let mut sent = 0;
    while parts.iter().any(|&part| part > 1) {
        sent += parts.iter().filter(|&&part| part > 1).sum::<u64>();
        parts = parts
            .iter()
            .flat_map(|&part| [part.div_ceil(2), part / 2])
            .collect();
        parts.retain(|&part| part > 0);
    }
    sent
}

#[test]
fn crystal_router() {
    let (sizes, reports) = run(&json!({ "kind": "crystal-router", "iterations": 2 }));
    // 1,000 ranks halve ten times at most; ranks of smaller parts end a stage earlier.
    let sent = 2 * routed(1_000);
    assert_eq!(sizes, BTreeMap::from([(4, sent), (19_000, sent)]));
    assert!(
        reports
            .iter()
            .all(|rank| (36..=40).contains(&rank.messages_sent))
    );
    // The trace of ten ranks: four stages of about 2 kB.
    let trace = json!({ "kind": "crystal-router", "ranks": 10, "load": 7_832, "iterations": 3 });
    let sent = 3 * routed(10);
    assert_eq!(run(&trace).0, BTreeMap::from([(4, sent), (1_958, sent)]));
    // What it was before: one size for all stages, 8 B in front, partners at the same position.
    let before = json!({ "kind": "crystal-router", "message": 190_000, "length": 8,
                         "partner": "shifted", "iterations": 1 });
    let sent = routed(1_000);
    let expected = BTreeMap::from([(8, sent), (190_000, sent)]);
    assert_eq!(run(&before).0, expected);
}

#[test]
fn fill_boundary_has_the_published_load() {
    let (_, reports) = run(&json!({ "kind": "fill-boundary", "ranks": 27, "iterations": 30 }));
    let loads: Vec<u64> = {
        let total = |iterations: u64| {
            let spec = json!({ "kind": "fill-boundary", "ranks": 27, "iterations": iterations });
            run(&spec).1[0].payload_bytes_sent
        };
        let mut sums = vec![0];
        sums.extend((1..6).map(total));
        sums.windows(2).map(|pair| pair[1] - pair[0]).collect()
    };
    assert!(
        loads.iter().all(|load| (99_000..=2_560_000).contains(load)),
        "{loads:?}"
    );
    assert!(
        loads.windows(2).all(|pair| pair[0] != pair[1]),
        "it fluctuates: {loads:?}"
    );
    // Drawn evenly by magnitude between 0.1 and 2.56 MB: mean 0.76, deviation 0.65 MB; the mean
    // of 30 lies within 3.3 standard errors but once in a thousand seeds, and this is one seed.
    let mean = reports[0].payload_bytes_sent / 30;
    assert!((370_000..1_150_000).contains(&mean), "{mean}");
}

/// Pairs of ranks, both ways, of an open grid of equal sides: `far` apart along one dimension and
/// `near` along another one, in `planes` of the six ways to choose both.
fn apart(side: u64, far: u64, near: u64, planes: u64) -> u64 {
    let signs = if near == 0 { 2 } else { 4 };
    planes * signs * (side - far) * (side - near) * side
}

#[test]
fn amg_grows_from_three_to_thirteen_neighbours() {
    let [face, edge, corner] = [1, 2, 3].map(|along| pairs(12, along));
    let (straight, aside) = (apart(12, 2, 0, 3), apart(12, 2, 1, 3));
    let mut expected = BTreeMap::new();
    // Two cycles; each has three exchanges on a level and two with the next one.
    let mut add = |times: u64, all: &[(u64, u64)]| {
        for &(bytes, count) in all {
            *expected.entry(bytes).or_default() += 2 * times * count;
        }
    };
    add(3, &[(12_800, face)]);
    add(2, &[(1_616, face), (24, edge)]);
    add(3, &[(3_568, face), (128, edge)]);
    add(2, &[(432, face), (24, edge)]);
    add(3, &[(1_712, face), (200, edge), (16, corner)]);
    add(2, &[(112, face), (8, edge)]);
    add(3, &[(472, face), (168, edge), (48, corner)]);
    add(2, &[(32, face), (8, corner)]);
    add(
        3,
        &[
            (104, face),
            (72, edge),
            (56, corner),
            (24, straight + aside),
        ],
    );
    add(2, &[(16, face), (8, corner)]);
    add(3, &[(8, face + edge + corner + straight)]);
    let (sizes, reports) = run(&json!({ "kind": "amg" }));
    assert_eq!(sizes, expected);
    // Inside the grid: 75 KiB at once, six times.
    let inside = 5 * (1 + 12 + 144);
    assert!(reports[inside].payload_bytes_sent > 6 * 75 * 1_024);
    // The trace: 386 messages and 375,504 B of a rank at a corner.
    let (_, reports) = run(&json!({ "kind": "amg", "ranks": 27 }));
    for corner in [0, 2, 6, 8, 18, 20, 24, 26] {
        let sent = (
            reports[corner].messages_sent,
            reports[corner].payload_bytes_sent,
        );
        assert_eq!(sent, (380, 375_328), "rank {corner}");
    }
}

#[test]
fn amg_over_faces_has_the_same_six_on_every_level() {
    let (sizes, _) = run(
        &json!({ "kind": "amg", "neighbours": "faces", "message": 12_500,
                                  "levels": 7, "iterations": 3, "allreduce": 8 }),
    );
    let mut expected = BTreeMap::new();
    for level in 0..7_u32 {
        let times = if level == 6 { 1 } else { 2 };
        *expected.entry(12_500 / 4_u64.pow(level)).or_default() += 3 * times * pairs(12, 1);
    }
    *expected.entry(8).or_default() += 3 * 2 * 1_727;
    assert_eq!(sizes, expected);
}

#[test]
fn gpcnet() {
    let rings = json!({ "kind": "gpcnet-latency", "ranks": 13, "rings": 3, "iterations": 5 });
    let (sizes, reports) = run(&rings);
    assert_eq!(sizes, BTreeMap::from([(8, 3 * 5 * 2 * 13)]));
    assert!(
        reports
            .iter()
            .all(|rank| rank.iterations.len() == 15 && rank.messages_sent == 30)
    );
    let (sizes, _) = run(
        &json!({ "kind": "gpcnet-bandwidth", "ranks": 13, "rings": 2,
                                  "iterations": 3 }),
    );
    let expected = [(131_072, 2 * 3 * 2 * 8 * 13), (EMPTY, 2 * 3 * 2 * 12)];
    assert_eq!(sizes, BTreeMap::from(expected));
    // A pass is 512 * 32 / n iterations.
    for (ranks, iterations) in [(16, 1_024), (13, 1_260)] {
        let (sizes, _) = run(&json!({ "kind": "gpcnet-alltoall", "ranks": ranks }));
        assert_eq!(
            sizes,
            BTreeMap::from([(4_096, iterations * ranks * (ranks - 1))])
        );
        let (sizes, _) = run(&json!({ "kind": "gpcnet-incast", "ranks": ranks }));
        assert_eq!(sizes, BTreeMap::from([(4_096, iterations * (ranks - 1))]));
    }
}

#[test]
fn sizes_scale_from_one_percent_to_twenty_times() {
    for (scale, bytes) in [(0.01, 150), (0.5, 7_500), (1.0, 15_000), (20.0, 300_000)] {
        let (sizes, _) = run(
            &json!({ "kind": "lu", "grid": [3, 4], "iterations": 1, "stages": 2,
                                      "size_scale": scale }),
        );
        assert_eq!(sizes, BTreeMap::from([(bytes, 2 * 2 * (2 * 4 + 3 * 3))]));
    }
    // Nothing stays nothing, and little does not become nothing.
    let (sizes, _) = run(
        &json!({ "kind": "nekbone", "grid": [2, 1, 1], "elements": 1,
                                  "orders": [1], "iterations": 1, "size_scale": 0.01 }),
    );
    assert_eq!(sizes.keys().copied().collect::<Vec<_>>(), [1]);
}
