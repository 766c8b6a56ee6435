//! Jobs of 100,000 ranks: what a rank takes before it does anything. A test of its own, since it
//! reads the memory of its process.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;

use odonata_mpi::MpiParameters;
use odonata_units::{Bandwidth, JobId, NodeId};
use odonata_workload::{JobContext, SystemView, build};
use serde_json::json;

const RANKS: u32 = 100_000;

/// Bytes of the process that are in memory.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4_096
}

#[test]
fn a_rank_takes_less_than_two_kilobytes() {
    let nodes: Vec<NodeId> = (0..RANKS).map(NodeId).collect();
    let mpi = MpiParameters::preset("firefly-kang2022").unwrap();
    let traces = BTreeMap::new();
    for kind in [
        "uniform-random",
        "halo3d",
        "lu",
        "stencil5d",
        "lulesh",
        "lammps",
        "nekbone",
        "nearest-neighbour",
        "sweep3d",
        "hpcg",
        "crystal-router",
        "fill-boundary",
        "amg",
        "gpcnet-latency",
    ] {
        let spec = json!({ "kind": kind, "ranks": RANKS });
        let context = JobContext {
            seed: 1,
            job: JobId(0),
            name: "job",
            nodes: &nodes,
            rank_map: None,
            here: None,
            system: SystemView {
                node_count: RANKS,
                group_starts: &[0],
                injection: Bandwidth::from_bytes_per_second(25_000_000_000).unwrap(),
                flit_bytes: 128,
                packet_bytes: 512,
            },
            mpi: &mpi,
            traces: &traces,
        };
        let before = resident();
        let job = build(spec.as_object().unwrap(), &context).unwrap();
        assert_eq!(job.len(), RANKS as usize);
        let each = resident().saturating_sub(before) / RANKS as usize;
        assert!(each < 2_048, "{kind}: {each} B per rank");
        // Memory that is given back would be counted for the next job.
        std::mem::forget(job);
    }
}
