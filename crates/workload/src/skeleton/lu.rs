//! LU Gauss-Seidel of the NAS parallel benchmarks: a wavefront there, a wavefront back.

use super::WAIT_BEFORE;
use super::grid::{Grid, sides};
use super::phase::Phase;
use super::phased::{GRID_RANKS, compute_row, iterations_row, message_row, phased};
use super::scaled::SIZE_SCALE;
use super::sweep::Sweep;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 2] = [22, 24];

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "lu",
    summary: "LU Gauss-Seidel: a wavefront over a 2-D grid from corner to corner, and one back",
    source: "Kang et al. 2022, Table I (LU); Ember motif NASLU; NAS parallel benchmarks",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x and y, x fastest; the most even grid of the ranks, or 22, 24 if absent",
        )
        .at_least(1),
        iterations_row(3)
            .source("recovered: 450 stages in all from the bytes of Table I, 3 from its time"),
        Parameter::count(
            "stages",
            150,
            "steps of a wavefront: blocks of planes along z",
        )
        .source(
            "recovered: 450 stages in all from the bytes of Table I, 3 iterations from its time",
        ),
        message_row(
            15_000,
            "payload of a message: points of a line times planes of a block",
        )
        .source("recovered from Table I: 30.0 kB are two messages"),
        compute_row(0, "computation of each stage"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let sweep = |upwards, tag| -> Box<dyn Phase> {
        Box::new(Sweep {
            grid: Grid::open(&grid),
            upwards: [upwards; 2],
            stages: spec.count("stages"),
            bytes: [spec.count("message"); 2],
            compute: spec.time("compute"),
            tag,
        })
    };
    let plan = vec![sweep(true, 0), sweep(false, 1)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
