//! HPCG: conjugate gradients with a multigrid preconditioner.

use odonata_mpi::{CommId, Operation};

use super::WAIT_BEFORE;
use super::exchange::{Act, Exchange, box26, count};
use super::grid::{Grid, sides};
use super::phase::{Alike, Phase};
use super::phased::{GRID_RANKS, compute_row, iterations_row, phased};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [8, 8, 8];
const REFERENCE: &str = "HPCG 3.1, reference implementation";
const NUMBER_BYTES: u64 = 8;

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "hpcg",
    summary: "conjugate gradients with multigrid: halo exchanges with 26 neighbours on grids of \
              halved sides, three allreduces of 8 B",
    source: "De Sensi et al. 2019, section 5.2; Dongarra, Heroux, Luszczek 2015",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 8, 8, 8 if absent",
        )
        .at_least(1),
        Parameter::count("points", 104, "grid points of a rank along each direction")
            .within(1.0, 100_000.0)
            .source(REFERENCE),
        Parameter::count("levels", 4, "grids of the multigrid")
            .within(1.0, 16.0)
            .source(REFERENCE),
        iterations_row(50).source(REFERENCE),
        compute_row(0, "computation of each iteration"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// A halo exchange as the reference has it: receives, blocking sends, a wait for each receive.
fn halo(grid: &[u64], points: u64) -> Box<dyn Phase> {
    let directions = box26(|step| {
        let along = step[..3].iter().filter(|&&by| by == 0);
        along.map(|_| points).product::<u64>() * NUMBER_BYTES
    });
    let all = || 0..count(&directions);
    let acts = vec![Act::Receive(all()), Act::Send(all()), Act::Wait(all())];
    Box::new(Exchange {
        grid: Grid::open(grid),
        directions,
        acts,
    })
}

fn sum() -> Operation {
    CommId::WORLD.allreduce(NUMBER_BYTES)
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let (points, levels) = (spec.count("points"), spec.count("levels"));
    let coarsest = levels - 1;
    let divisor = 1 << coarsest;
    if !points.is_multiple_of(divisor) {
        return Err(spec.impossible(format!(
            "{points} points cannot be halved {coarsest} times; `points` must be a multiple of \
             {divisor}, or `levels` smaller"
        )));
    }
    let compute = Operation::Compute(spec.time("compute"));
    let mut plan: Vec<Box<dyn Phase>> = vec![Box::new(Alike(vec![compute]))];
    // Down: smoother and residual on each grid; the smoother alone on the coarsest; up: smoother.
    for level in 0..coarsest {
        plan.push(halo(&grid, points >> level));
        plan.push(halo(&grid, points >> level));
    }
    plan.push(halo(&grid, points >> coarsest));
    for level in (0..coarsest).rev() {
        plan.push(halo(&grid, points >> level));
    }
    plan.push(Box::new(Alike(vec![sum()])));
    plan.push(halo(&grid, points));
    plan.push(Box::new(Alike(vec![sum(), sum()])));
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
