//! Algebraic multigrid: exchanges with up to six neighbours, less on each coarser grid.

use odonata_mpi::{CommId, Operation};

use super::WAIT_BEFORE;
use super::exchange::{Act, Exchange, at_once, faces};
use super::grid::{Grid, sides};
use super::phase::{Alike, Phase};
use super::phased::{GRID_RANKS, compute_row, iterations_row, message_row, phased};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Default, Kind, Parameter, Spec};

const STUDY: [u64; 3] = [12, 12, 12];
const FIGURE: &str = "Fig. 2 of Wang et al. 2018";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "amg",
    summary: "algebraic multigrid: cycles of exchanges with up to six neighbours on an open 3-D grid, \
              smaller with each level",
    source: "Wang et al. 2018, section III-A and Fig. 2; AMG of the DOE mini-applications",
    parameters: &[
        GRID_RANKS,
        Parameter::new(
            "grid",
            Kind::Counts,
            Default::Derived,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 12, 12, 12 if absent",
        )
        .at_least(1)
        .source("1,728 ranks in Wang et al. 2018"),
        message_row(12_500, "payload to a neighbour on the finest grid")
            .source("Fig. 2 of Wang et al. 2018: peaks of 75 KB per rank, to six neighbours"),
        Parameter::new(
            "decrease",
            Kind::Number,
            Default::Number(4.0),
            "payload over that of the next coarser grid",
        )
        .within(1.0, 1_000.0)
        .source("assumed: sides are halved from grid to grid, faces quartered"),
        Parameter::new("levels", Kind::Count, Default::Count(7), "grids of a cycle")
            .within(1.0, 30.0)
            .source("assumed: down to messages of a few bytes"),
        Parameter::new(
            "sweeps",
            Kind::Count,
            Default::Count(1),
            "exchanges on each grid, on the way down and on the way up",
        )
        .within(1.0, 1_000.0)
        .source("assumed: one smoothing each"),
        iterations_row(3).source(FIGURE),
        compute_row(0, "computation before each exchange").source("ignored in the study"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "payloads are far below 2^53, and cut"
)]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let (decrease, compute) = (spec.ratio("decrease"), spec.time("compute"));
    let mut payloads = Vec::new();
    let mut bytes = spec.count("message") as f64;
    for _ in 0..spec.count("levels") {
        payloads.push((bytes as u64).max(1));
        bytes /= decrease;
    }
    // Down to the coarsest grid and up again, the coarsest once.
    let mut cycle = payloads.clone();
    cycle.extend(payloads.iter().rev().skip(1));
    let exchange = |bytes| -> Box<dyn Phase> {
        let directions = faces(3, bytes);
        let mut acts = vec![Act::Compute(compute)];
        acts.extend(at_once(&directions));
        Box::new(Exchange {
            grid: Grid::open(&grid),
            directions,
            acts,
        })
    };
    let mut plan: Vec<Box<dyn Phase>> = Vec::new();
    for bytes in cycle {
        plan.extend((0..spec.count("sweeps")).map(|_| exchange(bytes)));
    }
    plan.push(Box::new(Alike(vec![Operation::Allreduce {
        comm: CommId::WORLD,
        bytes: 8,
    }])));
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
