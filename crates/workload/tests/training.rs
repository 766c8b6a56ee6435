//! Training on a grid of ranks: bytes by formula, bubbles of the pipeline, overlap of gradients.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{MpiParameters, RankReport};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count};
use serde_json::{Value, json};

const US: u64 = 1_000_000;

/// Runs a job on a network of 25 GB/s, or of no delay at all.
fn run(spec: &Value, bandwidth: Option<u64>) -> Result<Vec<RankReport>, String> {
    let mut spec = spec.clone();
    spec["kind"] = json!("training");
    let spec = spec.as_object().unwrap();
    let traces = BTreeMap::new();
    let ranks = rank_count(spec, 0, &traces).map_err(|error| error.to_string())?;
    let nodes: Vec<NodeId> = (0..ranks).map(NodeId).collect();
    let mpi = json!({"preset": "ideal", "allreduce": "ring", "alltoall": "pairwise"});
    let mpi = MpiParameters::from_json(mpi.as_object().unwrap()).unwrap();
    let context = JobContext {
        seed: 1,
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
    refused(json!({"schedule": "1f1c"}), &["did you mean `1f1b`?"]);
    refused(json!({"pipeline": 0}), &["`pipeline`", "at least 1"]);
}
