//! Searches of a graph level by level, as Graph 500 measures them: BFS and SSSP.

use odonata_mpi::{CommId, Operation, Peer, Request};

use super::WAIT_BEFORE;
use super::phase::{Alike, Cursor, Phase, RankIteration};
use super::phased::{compute_row, iterations_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Default, Kind, Parameter, Spec};

const REFERENCE: &str = "Graph 500 reference implementation, version 3";
/// Messages that a rank has under way at once.
const WINDOW: u64 = 128;

const SCALE: Parameter =
    Parameter::count("scale", 24, "vertices of the graph, as a power of 2").within(1.0, 42.0);

const EDGE_FACTOR: Parameter = Parameter::count("edge_factor", 16, "edges per vertex")
    .within(1.0, 1_024.0)
    .source(REFERENCE);

const COALESCED: Parameter = Parameter::bytes(
    "coalesced",
    4_096,
    "records to one rank are sent together, up to so many bytes",
)
.within(1.0, 1e9)
.source(REFERENCE);

const fn levels(default: &'static [f64]) -> Parameter {
    Parameter::new(
        "levels",
        Kind::Numbers,
        Default::Numbers(default),
        "share of all edges that is looked at in each round",
    )
    .within(0.0, 1.0)
    .source("assumed, after the shape of R-MAT graphs: a handful of rounds, one has most edges")
}

const fn record(default: u64) -> Parameter {
    Parameter::bytes("record", default, "bytes of the record of an edge")
        .within(1.0, 4_096.0)
        .source(REFERENCE)
}

pub(crate) const BFS: WorkloadEntry = WorkloadEntry {
    name: "bfs",
    summary: "breadth-first search, level by level: coalesced records from everybody to everybody, \
              then an allreduce of 8 B",
    source: "De Sensi et al. 2019, section 5.2; Graph 500 reference implementation",
    parameters: &[
        ranks_row(256),
        SCALE,
        EDGE_FACTOR,
        levels(&[1e-6, 0.001, 0.15, 0.7, 0.14, 0.008, 0.0001]),
        record(8),
        COALESCED,
        iterations_row(1).source("searches; the benchmark makes 64"),
        compute_row(0, "computation of each round"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

pub(crate) const SSSP: WorkloadEntry = WorkloadEntry {
    name: "sssp",
    summary: "shortest paths by delta stepping, round by round: as bfs, with more rounds and longer \
              records",
    source: "De Sensi et al. 2019, section 5.2; Graph 500 reference implementation",
    parameters: &[
        ranks_row(256),
        SCALE,
        EDGE_FACTOR,
        levels(&[
            1e-6, 0.001, 0.05, 0.2, 0.15, 0.25, 0.1, 0.15, 0.05, 0.06, 0.02, 0.01, 0.005, 0.001,
        ]),
        record(16),
        COALESCED,
        iterations_row(1).source("searches; the benchmark makes 64"),
        compute_row(0, "computation of each round"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

/// Records from every rank to every other one: vertices are spread by a hash, so that every pair
/// has the same. A rank sends to those behind it first.
struct Round {
    size: u32,
    /// Whole messages per pair, and the bytes of the last one.
    whole: u64,
    rest: u64,
    coalesced: u64,
}

impl Round {
    fn messages(&self) -> u64 {
        (self.whole + u64::from(self.rest > 0)) * u64::from(self.size - 1)
    }

    /// How far away the receiver of message `number` is, and its payload.
    fn message(&self, number: u64) -> (u32, u64) {
        let others = u64::from(self.size - 1);
        let distance = 1 + u32::try_from(number % others).unwrap_or(0);
        let bytes = if number / others < self.whole {
            self.coalesced
        } else {
            self.rest
        };
        (distance, bytes)
    }
}

impl Phase for Round {
    /// Windows: receives, sends, all together. An act is a window, a step a message of it.
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let tag = 0;
        let first = u64::from(cursor.act) * WINDOW;
        let count = self.messages().saturating_sub(first).min(WINDOW);
        if count == 0 {
            return None;
        }
        let at = cursor.at;
        cursor.at += 1;
        if at == 2 * count {
            (cursor.act, cursor.at) = (cursor.act + 1, 0);
            return Some(Operation::WaitAll((0..2 * count).map(request).collect()));
        }
        let (distance, bytes) = self.message(first + at % count);
        let rank_at = |distance| (current.rank + distance) % self.size;
        Some(if at < count {
            Peer::in_job(rank_at(self.size - distance), tag).irecv(bytes, request(at))
        } else {
            Peer::in_job(rank_at(distance), tag).isend(bytes, request(at))
        })
    }
}

fn request(at: u64) -> Request {
    Request(u32::try_from(at).unwrap_or(u32::MAX))
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "records per pair are far below 2^53, and rounded"
)]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let size = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    // Every edge is looked at from both ends.
    let edges = 2.0 * spec.count("edge_factor") as f64 * (1_u64 << spec.count("scale")) as f64;
    let (record, coalesced) = (spec.count("record"), spec.count("coalesced"));
    let coalesced = (coalesced / record).max(1) * record;
    let mut plan: Vec<Box<dyn Phase>> = Vec::new();
    for share in spec.ratios("levels") {
        let records = (edges * share / f64::from(size) / f64::from(size)).round() as u64;
        let bytes = records.saturating_mul(record);
        let round = Round {
            size,
            whole: bytes / coalesced,
            rest: bytes % coalesced,
            coalesced,
        };
        if round.messages() > u64::from(u32::MAX) {
            return Err(spec.impossible(
                "a round has more than 2^32 messages of a rank; lower `scale`, or raise `ranks` or \
                 `coalesced`"
                    .into(),
            ));
        }
        plan.push(Box::new(Alike(vec![Operation::Compute(
            spec.time("compute"),
        )])));
        plan.push(Box::new(round));
        plan.push(Box::new(Alike(vec![CommId::WORLD.allreduce(8)])));
    }
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
