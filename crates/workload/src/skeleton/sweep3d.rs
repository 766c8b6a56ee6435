//! Sweep3D: wavefronts from all corners, for discrete ordinates.

use super::WAIT_BEFORE;
use super::grid::{Grid, sides};
use super::phase::Phase;
use super::phased::{GRID_RANKS, compute_row, iterations_row, phased};
use super::scaled::SIZE_SCALE;
use super::sweep::Sweep;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 2] = [22, 24];
const MOTIF: &str = "Ember motif Sweep3D";

const fn cells(name: &'static str, default: u64, meaning: &'static str) -> Parameter {
    Parameter::count(name, default, meaning)
        .within(1.0, 1_000_000.0)
        .source(MOTIF)
}

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "sweep3d",
    summary: "discrete ordinates: wavefronts over a 2-D grid from each of its four corners, twice",
    source: "De Sensi et al. 2019, section 5.1; Ember motif Sweep3D",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x and y, x fastest; the most even grid of the ranks, or 22, 24 if absent",
        )
        .at_least(1),
        cells("nx", 50, "cells of a rank along x"),
        cells("ny", 50, "cells of a rank along y"),
        cells("nz", 50, "cells along z"),
        cells(
            "block",
            1,
            "planes along z of a stage, a divisor of nz (kba)",
        ),
        cells("cell", 64, "bytes of a cell: 8 fields of 8 B"),
        iterations_row(1).source(MOTIF),
        compute_row(0, "computation of each stage")
            .source("none, as in the benchmark; the motif has 275 operations per cell and field"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let (planes, block) = (spec.count("nz"), spec.count("block"));
    if !planes.is_multiple_of(block) {
        return Err(spec.impossible(format!(
            "blocks of {block} planes do not divide nz = {planes}; `block` must be a divisor of `nz`"
        )));
    }
    let bytes = ["nx", "ny"].map(|side| spec.count(side) * block * spec.count("cell"));
    let sweep = |(tag, upwards): (u32, [bool; 2])| -> Box<dyn Phase> {
        Box::new(Sweep {
            grid: Grid::open(&grid),
            upwards,
            stages: planes / block,
            bytes,
            compute: spec.time("compute"),
            tag,
        })
    };
    let corners = [[true, true], [false, true], [false, false], [true, false]];
    // Once for the octants above, once for those below.
    let plan: Vec<_> = (0..).zip([corners, corners].concat()).map(sweep).collect();
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
