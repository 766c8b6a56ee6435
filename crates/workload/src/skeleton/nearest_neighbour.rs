//! Cartesian neighbourhood on a periodic 3-D grid.

use super::WAIT_BEFORE;
use super::exchange::{Act, Direction, Exchange, box26, count, crossed};
use super::grid::{Grid, sides};
use super::phase::Phase;
use super::phased::{GRID_RANKS, compute_row, iterations_row, message_row, phased};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [16, 16, 16];
const INPUT: &str = "SWM-workloads, nearest_neighbor/skeleton.json";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "nearest-neighbour",
    summary: "a message to each of 6, 18 or 26 neighbours on a periodic 3-D grid, all at once",
    source: "Mubarak et al. 2019, section IV-B; SWM-workloads, nearest_neighbor (public sources)",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 16, 16, 16 if absent",
        )
        .at_least(1)
        .source(INPUT),
        Parameter::count(
            "distance",
            3,
            "in how many dimensions a neighbour may differ: 1: 6, 2: 18, 3: 26 neighbours",
        )
        .within(1.0, 3.0)
        .source(INPUT),
        message_row(32_768, "payload to each neighbour (64 and 128 KiB in the paper)").source(INPUT),
        iterations_row(1).source(INPUT),
        compute_row(0, "computation before each exchange"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// Neighbours by ascending x, then y, then z.
fn neighbours(distance: u64, bytes: u64) -> Vec<Direction> {
    let mut all = box26(|_| bytes);
    all.retain(|direction| crossed(&direction.step) as u64 <= distance);
    all.sort_by_key(|direction| direction.step);
    all
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let directions = neighbours(spec.count("distance"), spec.count("message"));
    let all = || 0..count(&directions);
    let acts = vec![
        Act::Compute(spec.time("compute")),
        Act::Both(all()),
        Act::WaitAll {
            of: all(),
            sends: true,
        },
    ];
    let exchange = Exchange {
        grid: Grid::periodic(&grid),
        directions,
        acts,
    };
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(exchange)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
