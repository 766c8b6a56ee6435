//! Exchange with 26 neighbours on an open 3-D grid: faces, edges and corners by their sizes.

use super::WAIT_BEFORE;
use super::exchange::{Act, Exchange, at_once, box26};
use super::grid::{Grid, Step, sides};
use super::phase::Phase;
use super::phased::{GRID_RANKS, compute_row, iterations_row, phased};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Default, Kind, Parameter, Spec};

const STUDY: [u64; 3] = [6, 8, 11];
const MOTIF: &str = "Ember motif Halo3D26";

const fn cells(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter::new(name, Kind::Count, Default::Count(100), meaning)
        .within(1.0, 1_000_000.0)
        .source(MOTIF)
}

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "halo26",
    summary: "exchange with the 26 neighbours on an open 3-D grid, each over the cells it shares",
    source: "Ember motif Halo3D26",
    parameters: &[
        GRID_RANKS,
        Parameter::new(
            "grid",
            Kind::Counts,
            Default::Derived,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 6, 8, 11 if absent",
        )
        .at_least(1),
        cells("nx", "cells of a rank along x"),
        cells("ny", "cells of a rank along y"),
        cells("nz", "cells of a rank along z"),
        Parameter::new("cell", Kind::Bytes, Default::Count(8), "bytes of a cell").source(MOTIF),
        iterations_row(1).source(MOTIF),
        compute_row(0, "computation before each exchange")
            .source("none; the motif has 26 operations per cell"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let cells = ["nx", "ny", "nz"].map(|side| spec.count(side));
    let cell = spec.count("cell").min(1 << 20);
    let shared = |step: &Step| -> u64 {
        let along = cells.iter().zip(step).filter(|(_, by)| **by == 0);
        along.map(|(cells, _)| cells).product::<u64>() * cell
    };
    let directions = box26(shared);
    let mut acts = vec![Act::Compute(spec.time("compute"))];
    acts.extend(at_once(&directions));
    let exchange = Exchange {
        grid: Grid::open(&grid),
        directions,
        acts,
    };
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(exchange)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
