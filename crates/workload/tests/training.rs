//! Training on a grid of ranks: bytes by formula, bubbles of the pipeline, overlap of gradients.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{MpiParameters, RankReport};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count};
use serde_json::{Value, json};

const US: u64 = 1_000_000;

fn run(spec: &Value, bandwidth: Option<u64>) -> Result<Vec<RankReport>, String> {
    run_kind("training", spec, 1, bandwidth)
}

/// Runs a job on a network of so many bytes per second, or of no delay at all.
pub(crate) fn run_kind(
    kind: &str,
    spec: &Value,
    seed: u64,
    bandwidth: Option<u64>,
) -> Result<Vec<RankReport>, String> {
    let mut spec = spec.clone();
    spec["kind"] = json!(kind);
    let spec = spec.as_object().unwrap();
    let traces = BTreeMap::new();
    let ranks = rank_count(spec, 0, &traces).map_err(|error| error.to_string())?;
    let nodes: Vec<NodeId> = (0..ranks).map(NodeId).collect();
    let mpi = json!({"preset": "ideal", "allreduce": "ring", "alltoall": "pairwise"});
    let mpi = MpiParameters::from_json(mpi.as_object().unwrap()).unwrap();
    let context = JobContext {
        seed,
        job: JobId(0),
        name: "job",
        nodes: &nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: ranks,
            group_starts: &[0],
            injection: Bandwidth::from_bytes_per_second(25_000_000_000).unwrap(),
            flit_bytes: 128,
            packet_bytes: 512,
        },
        mpi: &mpi,
        traces: &traces,
    };
    let mut endpoints = build(spec, &context).map_err(|error| error.to_string())?;
    let network = IdealNetwork {
        latency: Span::ZERO,
        bandwidth: bandwidth.and_then(Bandwidth::from_bytes_per_second),
        jitter: Span::ZERO,
    };
    network.run(&mut endpoints, &nodes, Instant::from_ps(u64::MAX - 1));
    let report = |endpoint: &NodeEndpoint| match endpoint {
        NodeEndpoint::Rank(rank) => Some(rank.report()),
        _ => None,
    };
    let reports: Vec<RankReport> = endpoints.iter().filter_map(report).collect();
    assert!(
        reports.iter().all(|report| report.finished),
        "every rank ends"
    );
    Ok(reports)
}

/// Time of the slowest rank, ps.
fn time(reports: &[RankReport]) -> u64 {
    let spans = reports
        .iter()
        .map(|report| (report.end - report.start).ps());
    spans.max().unwrap()
}

fn payload(reports: &[RankReport]) -> u64 {
    reports.iter().map(|report| report.payload_bytes_sent).sum()
}

/// Messages are free: what remains is the computation and the bubble of the pipeline,
/// (microbatches + stages - 1) times a microbatch (Narayanan et al. 2021, section 2.2).
#[test]
fn a_pipeline_has_its_bubble() {
    for schedule in ["1f1b", "gpipe"] {
        for (stages, batches, tensor) in [(1, 1, 1), (1, 4, 2), (4, 1, 1), (4, 8, 1), (3, 2, 2)] {
            let spec = json!({"ranks": stages * 2 * tensor, "pipeline": stages, "tensor": tensor,
                              "microbatches": batches, "schedule": schedule, "layers": 3,
                              "forward": 7 * US, "iterations": 2});
            let reports = run(&spec, None).unwrap();
            let wanted = 2 * (batches + stages - 1) * 3 * (7 + 14) * US;
            assert_eq!(
                time(&reports),
                wanted,
                "{schedule}, {stages} stages, {batches} batches"
            );
            let computed = reports.iter().map(|report| report.compute_time.ps());
            assert!(
                computed
                    .into_iter()
                    .all(|time| time == 2 * batches * 3 * 21 * US)
            );
        }
    }
}

/// Payload of one iteration on a 2 (data) x 3 (pipeline) x 4 (tensor) grid, by hand.
#[test]
fn bytes_are_those_of_the_grid() {
    let (data, stages, tensor, batches, layers) = (2_u64, 3, 4, 5, 6);
    let (activation, gradients) = (4_000, 100_000);
    let spec = json!({"ranks": data * stages * tensor, "pipeline": stages, "tensor": tensor,
                      "microbatches": batches, "layers": layers, "activation": activation,
                      "gradients": gradients, "bucket": 30_000, "iterations": 1});
    // From stage to stage and back, for every rank of a stage.
    let between = (stages - 1) * data * tensor * batches * 2 * activation;
    // Two rings each way and layer: 2 (n - 1) times the payload in each group.
    let rings = 2 * (tensor - 1) * activation;
    let shared = stages * data * batches * layers * 4 * rings;
    let combined = stages * tensor * 2 * (data - 1) * gradients;
    let reports = run(&spec, None).unwrap();
    assert_eq!(payload(&reports), between + shared + combined);
    // Experts: two exchanges each way and layer among 2 ranks, an activation in two halves.
    let mut spec = spec;
    spec["experts"] = json!(2);
    let exchanged = stages * tensor * data * batches * layers * 4 * (activation / 2);
    let reports = run(&spec, None).unwrap();
    assert_eq!(payload(&reports), between + shared + combined + exchanged);
    assert_eq!(run(&spec, None).unwrap(), reports, "the same again");
}

/// Buckets are combined while layers still go backward: only the last one shows.
#[test]
fn gradients_are_combined_beside_the_backward_pass() {
    // 8 ranks, 4 buckets of 1 MB: a ring takes 14/8 of 40 us each.
    let spec = |overlap: bool| {
        json!({"ranks": 8, "layers": 8, "gradients": 4_000_000, "bucket": 1_000_000,
               "forward": 20 * US, "overlap": overlap, "iterations": 1})
    };
    let ring = 14 * 5 * US;
    let computed = 8 * (20 + 40) * US;
    let behind = time(&run(&spec(false), Some(25_000_000_000)).unwrap());
    assert_eq!(behind, computed + 4 * ring);
    // Two layers of 40 us backward fill a bucket: 80 us hide a ring of 70 us.
    let beside = time(&run(&spec(true), Some(25_000_000_000)).unwrap());
    assert_eq!(beside, computed + ring);
    // One bucket is full only when everything is done: nothing is hidden.
    let mut single = spec(true);
    single["bucket"] = json!(4_000_000);
    assert_eq!(time(&run(&single, Some(25_000_000_000)).unwrap()), behind);
}

/// Chunks make the bubble smaller (Narayanan et al. 2021, section 2.2), and cross more edges.
#[test]
fn interleaved_stages_have_a_smaller_bubble() {
    for schedule in ["1f1b", "gpipe"] {
        for (stages, batches, chunks) in [(2, 2, 2), (2, 4, 2), (4, 8, 3), (4, 4, 6), (3, 9, 2)] {
            let spec = json!({"ranks": stages * 2, "pipeline": stages, "chunks": chunks,
                              "microbatches": batches, "schedule": schedule, "layers": 6,
                              "forward": 7 * US, "iterations": 1, "gradients": 0,
                              "activation": 1_000});
            let reports = run(&spec, None).unwrap();
            let wanted = (batches * 6 + (stages - 1) * 6 / chunks) * (7 + 14) * US;
            assert_eq!(
                time(&reports),
                wanted,
                "{schedule} {stages} {batches} {chunks}"
            );
            let edges = stages * chunks - 1;
            assert_eq!(payload(&reports), 2 * batches * edges * 2 * 1_000);
        }
    }
}

/// What is kept once is gathered: as many bytes as an allreduce, or those of each pass besides.
#[test]
fn shards_are_gathered_and_scattered() {
    let (data, batches, layers, gradients) = (8, 3, 4, 4_000_000);
    let spec = |sharding: &str| {
        json!({"ranks": 2 * data, "tensor": 2, "layers": layers, "microbatches": batches,
               "gradients": gradients, "bucket": 1_000_000, "activation": 0, "iterations": 1,
               "sharding": sharding, "forward": 50 * US})
    };
    let once = 2 * (data - 1) * gradients;
    for (sharding, passes) in [("none", 2), ("zero-2", 2), ("zero-3", 1 + 2 * batches)] {
        let reports = run(&spec(sharding), None).unwrap();
        assert_eq!(payload(&reports), passes * once, "{sharding}");
    }
    // A layer is gathered in 7 steps of 5 us, beside the one before it, and scattered in as many.
    let mut alone = spec("zero-3");
    alone["ranks"] = json!(data);
    alone["tensor"] = json!(1);
    let reports = run(&alone, Some(25_000_000_000)).unwrap();
    assert_eq!(
        time(&reports),
        (35 + batches * layers * (50 + 100) + 35) * US
    );
    // With less to compute the network decides: all gathered, all gradients scattered.
    alone["forward"] = json!(US);
    let reports = run(&alone, Some(25_000_000_000)).unwrap();
    let passes = 2 * batches * layers;
    assert_eq!(time(&reports) / US, 35 * (passes + layers));
}

/// Experts that are asked for more compute for longer, and the others wait; bytes are the same.
#[test]
fn experts_have_their_loads() {
    let spec = |key: &str, value: Value| {
        let mut spec = json!({"ranks": 8, "experts": 4, "layers": 3, "microbatches": 2,
                              "forward": 20 * US, "gradients": 0, "expert_message": 1_200,
                              "iterations": 1});
        spec[key] = value;
        run(&spec, None).unwrap()
    };
    let even = spec("expert_skew", json!(0.0));
    assert_eq!(time(&even), 3 * 2 * 60 * US);
    let skewed = spec("expert_load", json!([2.0, 1.0, 1.0, 0.0]));
    // Half of a layer takes twice as long at the first rank.
    assert_eq!(time(&skewed), 3 * 2 * 90 * US);
    assert_eq!(payload(&skewed), payload(&even));
    let computed: Vec<u64> = skewed
        .iter()
        .map(|one| one.compute_time.ps() / US)
        .collect();
    assert_eq!(computed, [540, 360, 360, 180, 540, 360, 360, 180]);
    // 1, 1/2, 1/3, 1/4 of 25/12: the first rank has 48/25 of its share.
    let zipf = spec("expert_skew", json!(1.0));
    assert_eq!(time(&zipf), 3 * 2 * 30 * 73 * US / 25);
    assert_eq!(payload(&zipf), payload(&even));
}

/// Sizes of published models, on 2 stages of 8 x 4 ranks.
#[test]
#[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^53")]
fn published_models_have_their_sizes() {
    let spec = |model: &str, experts: u32| {
        json!({"ranks": 64, "pipeline": 2, "tensor": 4, "experts": experts, "model": model,
               "tokens": 8, "flops": 1e12, "iterations": 1, "bucket": 1_u64 << 40})
    };
    let dense = run(&spec("llama-3-8b", 1), None).unwrap();
    // 16 GB on 8 ranks, combined by 8 ranks; tokens of 4,096 numbers.
    let activation = 8 * 4_096 * 2;
    let gradients = 8 * 2 * 7 * 2_000_000_000_u64;
    let shared = 16 * 16 * 4 * 2 * 3 * activation;
    assert_eq!(payload(&dense), gradients + shared + 32 * 2 * activation);
    // 3 x 16 GFlop for each of 8 tokens, on 8 ranks of 1 TFlop/s.
    assert_eq!(dense[0].compute_time.ps(), 48_000 * US);
    // 45.3 of 47 thousand million parameters are those of 8 experts, one of them at each rank.
    let experts = run(&spec("mixtral-8x7b", 8), None).unwrap();
    let kept = 47e9 - 7.0 * 34e9 / 6.0;
    let gradients = 8.0 * 2.0 * 7.0 * 2.0 * kept / 8.0;
    // A token goes to 2 of 8 experts.
    let exchanged = 64 * 16 * 4 * 7 * activation * 2 / 8;
    let rest = payload(&experts) - shared - 32 * 2 * activation - exchanged;
    assert!(
        (rest as f64 / gradients - 1.0).abs() < 1e-6,
        "{rest}, {gradients}"
    );
}

#[test]
fn one_rank_trains_alone() {
    let spec = json!({"ranks": 1, "iterations": 3, "layers": 2});
    let reports = run(&spec, None).unwrap();
    assert_eq!(payload(&reports), 0);
    assert_eq!(reports[0].iterations.len(), 3);
}

#[test]
fn grids_that_do_not_fit_are_refused_with_a_remedy() {
    let refused = |spec: Value, parts: &[&str]| {
        let error = run(&spec, None).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "{part:?} in {error:?}");
        }
    };
    refused(
        json!({"ranks": 24, "pipeline": 5, "tensor": 2}),
        &["24 ranks", "multiple of 10", "`ranks = 20`"],
    );
    refused(
        json!({"ranks": 24, "tensor": 2, "experts": 5}),
        &["12 ranks with the same layers", "`experts = 4`"],
    );
    refused(
        json!({"ranks": 2, "iterations": 1_000_000}),
        &["operations", "fewer `iterations`"],
    );
    // Before its gradients are cut: the list of buckets would take 267 GB.
    refused(
        json!({"ranks": 2, "gradients": 437_339_130_962_423_936_u64, "bucket": 26_214_400}),
        &["operations", "larger `bucket`"],
    );
    refused(
        json!({"ranks": 8, "pipeline": 4, "chunks": 2, "microbatches": 6, "layers": 3}),
        &["take turns", "now 6", "now 3"],
    );
    refused(
        json!({"ranks": 8, "experts": 4, "expert_load": [1, 2]}),
        &["`expert_load`", "4 numbers"],
    );
    refused(
        json!({"ranks": 8, "model": "llama-3-8b", "layers": 3}),
        &["`layers` follows from `model", "leave one of them out"],
    );
    refused(
        json!({"ranks": 8, "model": "gpt-3-175b", "experts": 2}),
        &["no experts", "another `model`"],
    );
    refused(json!({"schedule": "1f1c"}), &["did you mean `1f1b`?"]);
    refused(json!({"pipeline": 0}), &["`pipeline`", "at least 1"]);
}
