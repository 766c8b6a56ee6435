//! LULESH after its published communication analyses: bcast, reduce, 26 neighbours, a sweep.

use odonata_mpi::{CommId, Operation};

use super::WAIT_BEFORE;
use super::exchange::{Act, Exchange, at_once, box26};
use super::grid::{Grid, by, even_sides, sides};
use super::phase::{Alike, Phase};
use super::phased::{GRID_RANKS, compute_row, iterations_row, phased};
use super::scaled::SIZE_SCALE;
use super::sweep::Sweep;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [8, 8, 8];
const TOTALS: &str = "the authors' motif: traced totals of 216 ranks over their messages";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "lulesh",
    summary: "shock hydrodynamics: bcast, reduce, exchange with 26 neighbours on a 3-D grid, sweep \
              over a 2-D grid",
    source: "Kang et al. 2022, Table I (LULESH); Ember motif Lulesh of its authors",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 8, 8, 8 if absent",
        )
        .at_least(1),
        Parameter::derived(
            "sweep_grid",
            Kind::Counts,
            "ranks of the sweep along x and y, x fastest; the most even grid if absent: 16, 32",
        )
        .at_least(1),
        iterations_row(12).source("recovered from Table I"),
        Parameter::bytes(
            "root_message",
            240,
            "payload of the bcast and of the reduce, 30 numbers of 8 B",
        )
        .source(TOTALS),
        Parameter::bytes(
            "face",
            74_814,
            "payload to each of the 26 neighbours, whether over a face, an edge or a corner",
        )
        .source(TOTALS),
        Parameter::count("stages", 100, "messages per edge of the sweep")
            .source("recovered from Table I: 14.91 kB are two messages"),
        Parameter::bytes("sweep_message", 7_457, "payload of a message of the sweep")
            .source(TOTALS),
        compute_row(0, "computation behind each of the four phases"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// The grid of the sweep, which has the same ranks.
fn sweep_grid(spec: &Spec<'_>, ranks: u32) -> Result<Vec<u64>, WorkloadError> {
    let even = even_sides(u64::from(ranks), 2);
    let grid = spec.counts("sweep_grid").unwrap_or_else(|| even.clone());
    if grid.len() != 2 {
        return Err(spec.wrong("sweep_grid", "two numbers of ranks, along x and y"));
    }
    let product = grid[0].checked_mul(grid[1]);
    if product != Some(u64::from(ranks)) {
        return Err(spec.impossible(format!(
            "a sweep over {} does not have {ranks} ranks; leave `sweep_grid` out, or use for \
             example sweep_grid = {even:?}",
            by(&grid)
        )));
    }
    Ok(grid)
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, ranks) = sides(spec, "grid", &STUDY)?;
    let (comm, root, bytes) = (CommId::WORLD, 0, spec.count("root_message"));
    let compute = spec.time("compute");
    let alike = |operation| -> Box<dyn Phase> {
        Box::new(Alike(vec![operation, Operation::Compute(compute)]))
    };
    let face = spec.count("face");
    let directions = box26(|_| face);
    let mut acts = at_once(&directions);
    acts.push(Act::Compute(compute));
    let exchange = Exchange {
        grid: Grid::open(&grid),
        directions,
        acts,
    };
    let sweep = Sweep {
        grid: Grid::open(&sweep_grid(spec, ranks)?),
        upwards: [true; 2],
        stages: spec.count("stages"),
        bytes: [spec.count("sweep_message"); 2],
        compute: odonata_units::Span::ZERO,
        tag: 27,
    };
    let plan: Vec<Box<dyn Phase>> = vec![
        alike(comm.bcast(root, bytes)),
        alike(comm.reduce(root, bytes)),
        Box::new(exchange),
        Box::new(sweep),
        Box::new(Alike(vec![Operation::Compute(compute)])),
    ];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
