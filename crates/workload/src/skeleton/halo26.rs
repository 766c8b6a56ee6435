//! Exchange with 26 neighbours on an open 3-D grid: faces, edges and corners by their sizes.

use super::WAIT_BEFORE;
use super::exchange::{at_once, box26};
use super::grid::{Step, sides};
use super::phased::{GRID_RANKS, compute_row, iterations_row, stencil};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [6, 8, 11];
const MOTIF: &str = "Ember motif Halo3D26";

const fn cells(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter::count(name, 100, meaning)
        .within(1.0, 1_000_000.0)
        .source(MOTIF)
}

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "halo26",
    summary: "exchange with the 26 neighbours on an open 3-D grid, each over the cells it shares",
    source: "Ember motif Halo3D26",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 6, 8, 11 if absent",
        )
        .at_least(1),
        cells("nx", "cells of a rank along x"),
        cells("ny", "cells of a rank along y"),
        cells("nz", "cells of a rank along z"),
        Parameter::bytes("cell", 8, "bytes of a cell").source(MOTIF),
        Parameter::derived(
            "face",
            Kind::Bytes,
            "in place of nx, ny, nz: bytes of each face of a cube; an edge has the root of face \
             times cell, a corner a cell; by default what nx, ny, nz make",
        )
        .at_least(1)
        .sparse(),
        iterations_row(1).source(MOTIF),
        compute_row(0, "computation before each exchange")
            .source("none; the motif has 26 operations per cell"),
        Parameter::boolean(
            "reduction",
            false,
            "whether an allreduce of 8 B ends each iteration",
        )
        .source("none; the motif has one (doreduce)")
        .sparse(),
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
    let face = spec.optional_count("face");
    let shared = |step: &Step| -> u64 {
        let along = cells.iter().zip(step).filter(|(_, by)| **by == 0);
        match (face, along.clone().count()) {
            (Some(face), 2) => face,
            (Some(face), 1) => face.saturating_mul(cell).isqrt(),
            _ => along.map(|(cells, _)| cells).product::<u64>() * cell,
        }
    };
    let directions = box26(shared);
    let exchange = at_once(&directions);
    Ok(stencil(spec, context, &grid, directions, exchange))
}
