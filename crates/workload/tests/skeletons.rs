//! Skeletons at small sizes: they end, repeat themselves, and refuse impossible shapes.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{MpiParameters, RankReport};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count, registry};
use serde_json::{Value, json};

fn run(spec: &Value, seed: u64) -> Result<Vec<RankReport>, String> {
    let table = spec.as_object().unwrap();
    let traces = BTreeMap::new();
    let ranks = rank_count(table, 10_000, &traces).map_err(|error| error.to_string())?;
    let nodes: Vec<NodeId> = (0..ranks).map(NodeId).collect();
    let bandwidth = Bandwidth::from_bytes_per_second(25_000_000_000).unwrap();
    let context = JobContext {
        seed,
        job: JobId(0),
        name: "job",
        nodes: &nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: 10_000,
            group_starts: &[0],
            injection: bandwidth,
            flit_bytes: 128,
            packet_bytes: 512,
        },
        mpi: &MpiParameters::preset("firefly-kang2022").unwrap(),
        traces: &traces,
    };
    let mut endpoints = build(table, &context).map_err(|error| error.to_string())?;
    let network = IdealNetwork {
        latency: Span::from_ns(450),
        bandwidth: Some(bandwidth),
        jitter: Span::ZERO,
    };
    network.run(&mut endpoints, &nodes, Instant::from_ps(u64::MAX - 1));
    let report = |endpoint: &NodeEndpoint| match endpoint {
        NodeEndpoint::Rank(rank) => rank.report(),
        _ => unreachable!("a skeleton has ranks only"),
    };
    Ok(endpoints.iter().map(report).collect())
}

/// Every skeleton, small, with so many ranks.
fn small_jobs(ranks: u32) -> Vec<Value> {
    vec![
        json!({ "kind": "uniform-random", "ranks": ranks, "iterations": 5, "compute": 7 }),
        json!({ "kind": "halo3d", "ranks": ranks, "iterations": 2, "reduction": true }),
        json!({ "kind": "halo3d", "ranks": ranks, "iterations": 2, "overlap": false }),
        json!({ "kind": "milc", "ranks": ranks, "iterations": 2, "compute": 7 }),
        json!({ "kind": "fft3d", "ranks": ranks, "nx": 30, "ny": 20, "nz": 10,
                    "iterations": 2 }),
        json!({ "kind": "allreduce", "ranks": ranks, "iterations": 3, "message": 20_000 }),
        json!({ "kind": "training", "ranks": ranks, "iterations": 2, "layers": 3,
                    "gradients": 90_000, "bucket": 40_000, "wait_before": 900, "overlap": false }),
        json!({ "kind": "lu", "ranks": ranks, "iterations": 2, "stages": 3, "compute": 7 }),
        json!({ "kind": "lqcd", "ranks": ranks, "iterations": 2, "lattice": [110, 126, 104, 72],
                    "overlap": ranks.is_multiple_of(2), "compute": 7 }),
        json!({ "kind": "stencil5d", "ranks": ranks, "iterations": 2, "message": 30_000,
                    "overlap": ranks.is_multiple_of(2) }),
        json!({ "kind": "lulesh", "ranks": ranks, "iterations": 2, "stages": 3, "compute": 7 }),
        json!({ "kind": "lammps", "ranks": ranks, "iterations": 12, "replicas": [1, 1, 1] }),
        json!({ "kind": "nearest-neighbour", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "incast", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "spread", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "many-to-many", "ranks": ranks, "iterations": 2,
                    "fixed_pairs": ranks.is_multiple_of(3) }),
        json!({ "kind": "layered-allbcast", "ranks": ranks, "iterations": 2, "layers": 3 }),
        json!({ "kind": "ping-pong", "ranks": ranks, "iterations": 2, "compute": 7 }),
        json!({ "kind": "alltoall", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "barrier", "ranks": ranks, "iterations": 2, "compute": 7 }),
        json!({ "kind": "bcast", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "small-allreduces", "ranks": ranks, "iterations": 2, "calls": 3 }),
        json!({ "kind": "sweep3d", "ranks": ranks, "iterations": 2, "nz": 6, "block": 2 }),
        json!({ "kind": "halo26", "ranks": ranks, "iterations": 2, "nx": 7 }),
        json!({ "kind": "hpcg", "ranks": ranks, "iterations": 2, "points": 24 }),
        json!({ "kind": "cg", "ranks": ranks.next_power_of_two(), "iterations": 2 }),
        json!({ "kind": "fft", "ranks": ranks, "iterations": 2, "nx": 32, "ny": 20 }),
        json!({ "kind": "bfs", "ranks": ranks, "iterations": 2, "scale": 12 }),
        json!({ "kind": "sssp", "ranks": ranks, "iterations": 2, "scale": 10 }),
        json!({ "kind": "crystal-router", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "crystal-router", "ranks": ranks, "iterations": 2, "partner": "shifted" }),
        json!({ "kind": "fill-boundary", "ranks": ranks, "iterations": 2, "targets": 3 }),
        json!({ "kind": "fill-boundary", "ranks": ranks, "iterations": 2, "targets": 0 }),
        json!({ "kind": "amg", "ranks": ranks, "iterations": 2, "sweeps": 2, "levels": 8 }),
        json!({ "kind": "amg", "ranks": ranks, "iterations": 2, "sweeps": 2, "levels": 1,
                    "neighbours": "faces", "allreduce": 8 }),
        json!({ "kind": "gpcnet-latency", "ranks": ranks, "iterations": 2, "rings": 1 }),
        json!({ "kind": "gpcnet-bandwidth", "ranks": ranks, "iterations": 2, "rings": 1 }),
        json!({ "kind": "gpcnet-allreduce", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "gpcnet-alltoall", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "gpcnet-incast", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "gpcnet-put-incast", "ranks": ranks, "iterations": 2 }),
        json!({ "kind": "gpcnet-get-bcast", "ranks": ranks, "iterations": 2 }),
    ]
}

#[test]
fn every_skeleton_ends_at_every_size_and_repeats_itself() {
    for ranks in (1..14).chain([24, 36]) {
        for spec in small_jobs(ranks) {
            let reports = run(&spec, 3).unwrap();
            assert_eq!(reports.len() as u64, spec["ranks"].as_u64().unwrap());
            for report in &reports {
                assert!(report.finished, "{spec}: {:?}", report.blocked_on);
                assert_eq!(
                    report.iterations.len() as u64,
                    spec["iterations"].as_u64().unwrap()
                );
                let sum: u64 = report.iterations.iter().map(|one| one.comm_time.ps()).sum();
                assert_eq!(
                    sum,
                    report.comm_time.ps(),
                    "all communication is in iterations"
                );
                assert_eq!(report.comm_time, report.mpi_time);
            }
            assert_eq!(
                reports,
                run(&spec, 3).unwrap(),
                "same scenario and seed, same times"
            );
        }
    }
}

#[test]
fn a_solve_of_nekbone_is_as_many_iterations_as_given() {
    let spec = json!({ "kind": "nekbone", "ranks": 12, "iterations": 3, "elements": 2,
                       "orders": [2, 5, 3] });
    for report in run(&spec, 1).unwrap() {
        assert_eq!(report.iterations.len(), 3 * 2 * 3);
        assert_eq!(report.comm_time, report.iteration_comm_time);
    }
}

#[test]
fn waiting_before_the_first_iteration_counts_as_computation() {
    let spec = json!({ "kind": "halo3d", "grid": [2, 2, 2], "wait_before": 350_000_000,
                       "compute": 0 });
    for report in run(&spec, 1).unwrap() {
        assert_eq!(report.iterations[0].start.ps(), 350_000_000);
        assert_eq!(report.compute_time.ps(), 350_000_000);
        assert_eq!(report.comm_time, report.end - report.iterations[0].start);
    }
}

#[test]
fn halo_messages_follow_the_grid() {
    let spec = json!({ "kind": "halo3d", "grid": [3, 1, 2], "iterations": 4, "face": 1_000 });
    let sent: Vec<u64> = run(&spec, 1)
        .unwrap()
        .iter()
        .map(|r| r.messages_sent)
        .collect();
    assert_eq!(sent, [8, 12, 8, 8, 12, 8]);
}

#[test]
fn overlapping_faces_send_as_much_in_less_time() {
    let spec = json!({ "kind": "halo3d", "grid": [3, 4, 2], "iterations": 3, "face": 50_000 });
    let mut in_turn = spec.clone();
    in_turn["overlap"] = json!(false);
    let (in_turn, at_once) = (run(&in_turn, 1).unwrap(), run(&spec, 1).unwrap());
    for (in_turn, at_once) in in_turn.iter().zip(&at_once) {
        assert_eq!(at_once.messages_sent, in_turn.messages_sent);
        assert_eq!(at_once.bytes_sent, in_turn.bytes_sent);
        assert!(at_once.comm_time < in_turn.comm_time);
    }
}

#[test]
fn lattice_messages_follow_the_grid() {
    // Two halves of eight messages, and two allreduces by the binary tree: both children and up,
    // one way each.
    let spec = json!({ "kind": "milc", "grid": [3, 3, 3, 3], "iterations": 2, "message": 1_000 });
    for (rank, report) in (0..81).zip(run(&spec, 1).unwrap()) {
        let children = [2 * rank + 1, 2 * rank + 2]
            .iter()
            .filter(|&&child| child < 81)
            .count();
        let tree = children as u64 + u64::from(rank > 0);
        assert_eq!(report.messages_sent, 2 * (16 + 2 * tree), "rank {rank}");
    }
    // A dimension of two ranks has both neighbours on one rank, one of one rank has none.
    let spec = json!({ "kind": "milc", "grid": [2, 1, 1, 1], "iterations": 1 });
    let sent = |report: &RankReport| report.messages_sent;
    let reports = run(&spec, 1).unwrap();
    assert_eq!(reports.iter().map(sent).collect::<Vec<_>>(), [6, 6]);
}

#[test]
fn another_seed_draws_other_permutations() {
    let spec = json!({ "kind": "uniform-random", "ranks": 16, "iterations": 4 });
    assert_ne!(run(&spec, 1).unwrap(), run(&spec, 2).unwrap());
}

#[test]
fn impossible_shapes_are_refused_with_a_remedy() {
    let check = |spec: Value, parts: &[&str]| {
        let error = run(&spec, 1).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "{part:?} in {error:?}");
        }
    };
    check(
        json!({ "kind": "halo3d", "ranks": 528, "grid": [6, 8, 10] }),
        &["480 ranks, not 528", "grid = [6, 8, 11]"],
    );
    check(
        json!({ "kind": "halo3d", "grid": [6, 8] }),
        &["`grid`", "three numbers"],
    );
    check(
        json!({ "kind": "halo3d", "grid": [6, 0, 8] }),
        &["`grid`", "at least 1"],
    );
    check(
        json!({ "kind": "milc", "ranks": 300, "grid": [3, 4, 5, 6] }),
        &["360 ranks, not 300", "grid = [3, 4, 5, 5]"],
    );
    check(
        json!({ "kind": "milc", "grid": [3, 4, 5] }),
        &["`grid`", "four numbers"],
    );
    check(
        json!({ "kind": "milc", "grid": [3, 4, 5, 0] }),
        &["`grid`", "at least 1"],
    );
    check(
        json!({ "kind": "milc", "mesage": 8 }),
        &["did you mean `message`?"],
    );
    check(
        json!({ "kind": "milc", "ranks": 5_000_000_000_u64 }),
        &["`ranks`", "at most 4294967295"],
    );
    check(
        json!({ "kind": "fft3d", "ranks": 528, "process_rows": 23 }),
        &["528 ranks do not form 23", "22, 24"],
    );
    check(
        json!({ "kind": "fft3d", "transform_cost": [1, 2] }),
        &["six numbers"],
    );
    check(
        json!({ "kind": "fft3d", "ranks": 0 }),
        &["`ranks`", "at least 1"],
    );
    check(
        json!({ "kind": "cosmoflow", "message": -1 }),
        &["`message`", "whole number of bytes"],
    );
    check(
        json!({ "kind": "amg", "decrease": 2.0 }),
        &["`decrease`", "neighbours = \"faces\""],
    );
    check(
        json!({ "kind": "halo3d", "fcae": 8 }),
        &["did you mean `face`?"],
    );
    check(json!({ "kind": "trace" }), &["needs the key `path`"]);
    check(
        json!({ "kind": "trace", "path": "x.npz" }),
        &["`x.npz` has not been read"],
    );
}

/// Ranks of a skeleton that is given none.
fn ranks_of_the_study(name: &str) -> u32 {
    match name {
        // All free nodes run open-loop traffic unless something else is said.
        "open-loop" => 64,
        "lulesh" => 512,
        "lammps" => 2_048,
        "nekbone" => 2_197,
        "nearest-neighbour" => 4_096,
        "incast" => 100,
        "spread" => 64,
        name if name.starts_with("gpcnet-") => 64,
        "many-to-many" => 256,
        "layered-allbcast" | "inference" => 32,
        "ping-pong" => 2,
        "fft" | "bfs" | "sssp" => 256,
        "cg" | "hpcg" | "small-allreduces" => 512,
        "crystal-router" | "fill-boundary" => 1_000,
        "amg" => 1_728,
        _ => 528,
    }
}

#[test]
fn the_registry_can_be_used_as_it_stands() {
    let registry = registry();
    for family in [
        "workloads",
        "patterns",
        "arrivals",
        "collectives",
        "profiles",
        "placements",
        "mappings",
    ] {
        let entries = registry[family].as_array().unwrap();
        assert!(!entries.is_empty(), "{family}");
        for entry in entries {
            for key in ["name", "summary", "source"] {
                let text = entry[key].as_str().unwrap();
                assert!(!text.is_empty(), "{family}: {key} of {entry}");
            }
            assert!(entry["parameters"].is_array(), "{family}: {entry}");
        }
    }
    // Defaults are valid values.
    for entry in registry["workloads"].as_array().unwrap() {
        let mut spec = json!({ "kind": entry["name"] });
        for parameter in entry["parameters"].as_array().unwrap() {
            let name = parameter["name"].as_str().unwrap();
            if !parameter["default"].is_null() {
                spec[name] = parameter["default"].clone();
            }
            // A program of one's own has as many ranks as one says.
            let is_program = entry["name"] == "program";
            let needed = name == "path" || (name == "ranks" && is_program);
            assert_eq!(parameter["required"], json!(needed));
        }
        match rank_count(spec.as_object().unwrap(), 64, &BTreeMap::new()) {
            Ok(found) => {
                let name = entry["name"].as_str().unwrap();
                assert_eq!(found, ranks_of_the_study(name), "{name}");
            }
            Err(error) => assert!(error.to_string().contains("path"), "{error}"),
        }
    }
}
