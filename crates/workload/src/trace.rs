//! Traces: the operations of every rank of a recorded job, in columns, and their replay.

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_mpi::{Communicator, GraphProgram, RankProgram};

use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::skeleton;
use crate::spec::{Default, Kind, Parameter, Spec};

mod block;
mod check;
mod collectives;
pub(crate) mod column;
mod graph;
mod inspect;
mod messages;
pub mod op;
mod order;
mod replay;
mod sizes;
pub(crate) mod table;

use table::TraceTable;

const COMPUTE_SCALE: Parameter = Parameter::number(
    "compute_scale",
    1.0,
    "factor of the computation between operations; 0 drops it",
);
const SIZE_SCALE: Parameter = Parameter::number(
    "size_scale",
    1.0,
    "factor of the sizes of messages and collectives",
)
.within(0.0, 1e6)
.sparse();
const NOISE: Parameter = Parameter::new(
    "noise",
    Kind::Path,
    Default::Text(""),
    "file of detours of a host, which lengthen the computation; without it nothing does",
)
.source("docs/traces.md: Noise of hosts")
.sparse();
/// A program says how many ranks it wants nowhere else.
const RANKS: Parameter = Parameter::required("ranks", Kind::Count, "ranks of the job").at_least(1);

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "trace",
    summary: "the operations of a recorded job, with the computation between them",
    source: "trace files, see `odonata trace`",
    parameters: &[
        Parameter::required("path", Kind::Path, "file of the trace"),
        COMPUTE_SCALE,
        SIZE_SCALE,
        NOISE,
        skeleton::WAIT_BEFORE,
    ],
    ranks,
    build,
};

pub(crate) const PROGRAM: WorkloadEntry = WorkloadEntry {
    name: "program",
    summary: "a small Python program of your own, evaluated once per rank",
    source: "docs/programs.md",
    parameters: &[
        Parameter::required(
            "path",
            Kind::Path,
            "Python file with a function `rank(me, size)` that yields operations",
        ),
        RANKS,
        Parameter::new(
            "arguments",
            Kind::Numbers,
            Default::Numbers(&[]),
            "numbers that `rank` is given besides its own and the number of ranks",
        ),
        COMPUTE_SCALE,
        SIZE_SCALE,
        NOISE,
        skeleton::WAIT_BEFORE,
    ],
    ranks: |spec, available, traces| {
        let (given, found) = (spec.small("ranks")?, ranks(spec, available, traces)?);
        let arguments = spec.ratios("arguments").len();
        if given != found {
            return Err(spec.impossible(format!(
                "it was evaluated with {arguments} arguments for {found} ranks, not {given}"
            )));
        }
        Ok(found)
    },
    build,
};

pub(crate) const PROFILE: WorkloadEntry = WorkloadEntry {
    name: "profile",
    summary: "messages and collectives as a profiler summed them up, spread over iterations",
    source: "docs/programs.md",
    parameters: &[
        Parameter::required(
            "path",
            Kind::Path,
            "profile: bytes per pair of ranks, collectives, computation (TOML)",
        ),
        COMPUTE_SCALE,
        SIZE_SCALE,
        NOISE,
        skeleton::WAIT_BEFORE,
    ],
    ranks,
    build,
};

fn ranks(
    spec: &Spec<'_>,
    _available: u32,
    traces: &BTreeMap<String, Arc<TraceTable>>,
) -> Result<u32, WorkloadError> {
    let table = find(spec, traces)?;
    if table.rank_count() == 0 {
        return Err(spec.impossible(format!("trace `{}` has no ranks", spec.text("path"))));
    }
    Ok(table.rank_count())
}

fn find<'a>(
    spec: &Spec<'_>,
    traces: &'a BTreeMap<String, Arc<TraceTable>>,
) -> Result<&'a Arc<TraceTable>, WorkloadError> {
    let path = spec.text("path");
    traces
        .get(&path)
        .ok_or(WorkloadError::MissingTrace { path })
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let table = find(spec, context.traces)?;
    table.check().map_err(|problem| WorkloadError::BadTrace {
        path: spec.text("path"),
        problem,
    })?;
    let scale = spec.ratio("compute_scale");
    if scale > 1e6 {
        return Err(spec.wrong("compute_scale", "a number from 0 to 1e6"));
    }
    // Whoever reads the trace has added the detours to its computation.
    let _ = spec.text("noise");
    let sizes = sizes::SizeScale(spec.ratio("size_scale"));
    let gathered = Arc::new(sizes::Gathered::new(table));
    let communicators: Vec<Arc<[u32]>> = (0..table.communicator_count())
        .map(|comm| table.members(comm).into())
        .collect();
    let of_rank = table.positions();
    let wait = spec.time("wait_before");
    Ok(skeleton::ranks(context, |rank| {
        // The rank has communicator 0 already: all ranks of the job.
        let of_rank = of_rank[rank as usize].keys().copied();
        let own: Vec<u32> = of_rank.filter(|&comm| comm > 0).collect();
        let views: Vec<Communicator> = own
            .iter()
            .filter_map(|&comm| {
                Communicator::new(comm, Arc::clone(&communicators[comm as usize]), rank)
            })
            .collect();
        let program = replay::Replay::new(table, &gathered, rank)
            .with_communicators(own)
            .with_sizes(sizes)
            .with_computation(scale, wait);
        // The table has passed its check: whatever is no sequence has a graph.
        let program = match graph::of_rank(table, rank) {
            Ok(Some(graph)) => RankProgram::from(GraphProgram {
                graph,
                operations: Box::new(program),
                wait_before: wait,
            }),
            Ok(None) | Err(_) => program.into(),
        };
        (program, views)
    }))
}
