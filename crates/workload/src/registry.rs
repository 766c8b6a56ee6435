//! The registry of workloads: one line per member.

use odonata_mpi::collective::{Profile, formula};
use odonata_mpi::{CollectiveKind, MpiParameters};
use odonata_registry::{describe, member};
use serde_json::{Map, Value, json};

use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{FAMILY, Parameter, Spec};
use crate::{open_loop, skeleton, trace};

static ENTRIES: [WorkloadEntry; 46] = [
    skeleton::uniform_random::ENTRY,
    skeleton::halo3d::ENTRY,
    skeleton::milc::ENTRY,
    skeleton::fft3d::ENTRY,
    skeleton::allreduce::ENTRY,
    skeleton::allreduce::COSMOFLOW,
    skeleton::allreduce::DL,
    skeleton::training::ENTRY,
    skeleton::inference::ENTRY,
    skeleton::lu::ENTRY,
    skeleton::lqcd::ENTRY,
    skeleton::stencil5d::ENTRY,
    skeleton::lulesh::ENTRY,
    skeleton::lammps::ENTRY,
    skeleton::nekbone::ENTRY,
    skeleton::nearest_neighbour::ENTRY,
    skeleton::fan::INCAST,
    skeleton::fan::MANY_TO_MANY,
    skeleton::fan::SPREAD,
    skeleton::layered_allbcast::ENTRY,
    skeleton::ping_pong::ENTRY,
    skeleton::collectives::ALLTOALL,
    skeleton::collectives::BARRIER,
    skeleton::collectives::BCAST,
    skeleton::collectives::SMALL_ALLREDUCES,
    skeleton::sweep3d::ENTRY,
    skeleton::halo26::ENTRY,
    skeleton::hpcg::ENTRY,
    skeleton::cg::ENTRY,
    skeleton::fft::ENTRY,
    skeleton::graph500::BFS,
    skeleton::graph500::SSSP,
    skeleton::crystal_router::ENTRY,
    skeleton::fill_boundary::ENTRY,
    skeleton::amg::ENTRY,
    skeleton::gpcnet::LATENCY,
    skeleton::gpcnet::BANDWIDTH,
    skeleton::gpcnet::ALLREDUCE,
    skeleton::gpcnet::ALLTOALL,
    skeleton::gpcnet::INCAST,
    skeleton::gpcnet::PUT,
    skeleton::gpcnet::GET,
    open_loop::ENTRY,
    trace::ENTRY,
    trace::PROGRAM,
    trace::PROFILE,
];

/// The entry that `spec` names, and its checked parameters.
pub(crate) fn find(
    spec: &Map<String, Value>,
) -> Result<(&'static WorkloadEntry, Spec<'_>), WorkloadError> {
    let entry = member(FAMILY, &ENTRIES, |entry| entry.name, spec)?;
    Ok((entry, Spec::new(entry.name, entry.parameters, spec)?))
}

/// The families of this room and of those below it: `workloads`, `patterns`, `arrivals`,
/// `collectives`, `profiles`, `placements`, `mappings`, and the parameters `mpi`.
///
/// A family is a list of entries as [`describe`] makes them; their parameters are as
/// [`Parameter::describe`] has them.
#[must_use]
pub fn registry() -> Value {
    let workloads: Vec<Value> = ENTRIES
        .iter()
        .map(|entry| {
            let parameters = entry.parameters.iter().map(Parameter::describe).collect();
            describe([entry.name, entry.summary, entry.source], parameters)
        })
        .collect();
    let mut collectives = Vec::new();
    for kind in CollectiveKind::ALL {
        for algorithm in kind.algorithms() {
            let name = format!("{}/{}", kind.name(), algorithm.name());
            let words = [&name, algorithm.summary(), algorithm.source()];
            let mut entry = describe(words, Vec::new());
            entry["rule"] = formula(kind, *algorithm).into();
            collectives.push(entry);
        }
    }
    let profiles = Profile::ALL.map(|profile| {
        let words = [profile.name(), profile.summary(), profile.source()];
        let mut entry = describe(words, Vec::new());
        entry["rule"] = profile.limits().into();
        entry
    });
    let patterns = open_loop::PATTERNS
        .iter()
        .map(odonata_registry::Entry::describe);
    let arrivals = open_loop::ARRIVALS
        .iter()
        .map(odonata_registry::Entry::describe);
    json!({
        "workloads": workloads,
        "patterns": patterns.collect::<Vec<_>>(),
        "arrivals": arrivals.collect::<Vec<_>>(),
        "collectives": collectives,
        "profiles": profiles,
        "placements": odonata_placement::registry(),
        "mappings": odonata_placement::mappings(),
        "mpi": MpiParameters::registry(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    use odonata_mpi::MpiParameters;
    use odonata_units::{Bandwidth, JobId, NodeId};
    use serde_json::{Map, Value, json};

    use super::{ENTRIES, find};
    use crate::{JobContext, SystemView, TraceTable};

    /// Rows that building `spec` does not read.
    fn unread(spec: &Map<String, Value>) -> BTreeSet<&'static str> {
        let trace = TraceTable {
            rank_offsets: vec![0, 0],
            comm_offsets: vec![0],
            ..TraceTable::default()
        };
        let traces = BTreeMap::from([("a.npz".to_owned(), Arc::new(trace))]);
        let (entry, spec) = find(spec).unwrap();
        let ranks = (entry.ranks)(&spec, 64, &traces).unwrap();
        let nodes: Vec<NodeId> = (0..ranks).map(NodeId).collect();
        let context = JobContext {
            seed: 1,
            job: JobId(0),
            name: "job",
            nodes: &nodes,
            rank_map: None,
            here: None,
            system: SystemView {
                node_count: 64,
                group_starts: &[0, 8, 16, 24, 32, 40, 48, 56],
                injection: Bandwidth::from_bytes_per_second(25_000_000_000).unwrap(),
                flit_bytes: 128,
                packet_bytes: 512,
            },
            mpi: &MpiParameters::preset("ideal").unwrap(),
            traces: &traces,
        };
        if let Err(error) = (entry.build)(&spec, &context) {
            unreachable!("{}: {error}", entry.name);
        }
        spec.unread().into_iter().collect()
    }

    #[test]
    fn every_row_is_read() {
        for entry in &ENTRIES {
            let given = match entry.name {
                "open-loop" => json!({"kind": "open-loop", "load": 0.5, "pattern": "adversarial"}),
                "program" => json!({"kind": "program", "path": "a.npz", "ranks": 1}),
                name @ ("trace" | "profile") => json!({"kind": name, "path": "a.npz"}),
                name => json!({"kind": name}),
            };
            let left = unread(given.as_object().unwrap());
            assert!(left.is_empty(), "{} never reads {left:?}", entry.name);
        }
    }
}
