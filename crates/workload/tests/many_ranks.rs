//! Jobs of 100,000 ranks: what a rank takes before it does anything. A test of its own, since it
//! counts the memory of its process.

use std::alloc::System;
use std::collections::BTreeMap;

use cap::Cap;
use odonata_mpi::MpiParameters;
use odonata_units::{Bandwidth, JobId, NodeId};
use odonata_workload::{JobContext, SystemView, build};
use serde_json::json;

const RANKS: u32 = 100_000;

/// Counts what is asked of the system's allocator: the same in each run, as resident pages are not.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

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
        let before = HEAP.allocated();
        let job = build(spec.as_object().unwrap(), &context).unwrap();
        assert_eq!(job.len(), RANKS as usize);
        let each = (HEAP.allocated() - before) / RANKS as usize;
        assert!(each < 2_048, "{kind}: {each} B per rank");
    }
}
