//! Nekbone: conjugate gradients on spectral elements, gather-scatter with 26 neighbours and sums.

use odonata_mpi::{CommId, Operation};
use odonata_units::Span;

use super::WAIT_BEFORE;
use super::exchange::{Act, Exchange, box26, count};
use super::grid::{Grid, Step, sides};
use super::phase::{Alike, Phase, PhaseSequence};
use super::phased::{GRID_RANKS, compute_row, iterations_row, phased};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [13, 13, 13];
const ORDERS: [u64; 2] = [8, 11];
const INPUT: &str = "SWM-workloads, nekbone/workload.json";
/// Solves of each order, a barrier between them.
const SOLVES: u64 = 2;
const NUMBER_BYTES: u64 = 8;

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "nekbone",
    summary: "conjugate gradients on spectral elements: gather-scatter with 26 neighbours on an open \
              3-D grid, three allreduces of 8 B an iteration",
    source: "Mubarak et al. 2019, section IV-B; SWM-workloads, nekbone (public sources)",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 13, 13, 13 if absent",
        )
        .at_least(1)
        .source(INPUT),
        Parameter::count(
            "elements",
            13,
            "elements of a rank along each direction",
        )
        .within(1.0, 10_000.0)
        .source(INPUT),
        Parameter::derived(
            "orders",
            Kind::Counts,
            "polynomial orders, one after the other; 8, 11 if absent",
        )
        .within(1.0, 1_000.0)
        .source(INPUT),
        iterations_row(100)
            .at_least(1)
            .source("SWM-workloads, nekbone/workload.json; the paper's volume needs fewer"),
        compute_row(0, "computation of each iteration of a solve"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// The lists of one order.
struct Solver {
    /// Phases before the first iteration of each of its two solves.
    before: [Vec<Box<dyn Phase>>; 2],
    iteration: Vec<Box<dyn Phase>>,
}

struct Nekbone {
    solvers: Vec<Solver>,
    /// Iterations of a solve.
    iterations: u64,
}

impl PhaseSequence for Nekbone {
    fn phase(&self, iteration: u64, number: usize) -> Option<&dyn Phase> {
        let (solve, within) = (iteration / self.iterations, iteration % self.iterations);
        let solver = self.solvers.get(usize::try_from(solve / SOLVES).ok()?)?;
        let before = match within {
            0 => solver.before[usize::from(solve % SOLVES == 1)].as_slice(),
            _ => &[],
        };
        let phase = before.iter().chain(&solver.iteration).nth(number);
        phase.map(AsRef::as_ref)
    }
}

/// Bytes over a face, an edge or a corner: the points that both ranks have.
fn shared(step: &Step, side: u64) -> u64 {
    let along = step[..3].iter().filter(|&&by| by == 0);
    along.map(|_| side).product::<u64>() * NUMBER_BYTES
}

/// Receives from all, sends to all, waits for the receives; the sends are awaited before the next
/// gather-scatter, when they have long ended (the original never awaits them).
fn gather_scatter(grid: &[u64], elements: u64, order: u64) -> Box<dyn Phase> {
    let side = elements * order + 1;
    let directions = box26(|step| shared(step, side));
    let all = || 0..count(&directions);
    let acts = vec![
        Act::WaitSends(all()),
        Act::Receive(all()),
        Act::Isend(all()),
        Act::WaitAll {
            of: all(),
            sends: false,
        },
    ];
    Box::new(Exchange {
        grid: Grid::open(grid),
        directions,
        acts,
    })
}

fn solver(grid: &[u64], elements: u64, order: u64, compute: Span) -> Solver {
    let comm = CommId::WORLD;
    let sum = || comm.allreduce(NUMBER_BYTES);
    let gather = || gather_scatter(grid, elements, order);
    Solver {
        before: [
            vec![gather(), gather(), Box::new(Alike(vec![sum()]))],
            vec![Box::new(Alike(vec![comm.barrier(), sum()]))],
        ],
        iteration: vec![
            Box::new(Alike(vec![Operation::Compute(compute), sum()])),
            gather(),
            Box::new(Alike(vec![sum(), sum()])),
        ],
    }
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let orders = spec.counts("orders").unwrap_or_else(|| ORDERS.to_vec());
    let (elements, compute) = (spec.count("elements"), spec.time("compute"));
    let iterations = spec.count("iterations");
    let plan = Nekbone {
        solvers: orders
            .iter()
            .map(|&order| solver(&grid, elements, order, compute))
            .collect(),
        iterations,
    };
    let all = (orders.len() as u64 * SOLVES).checked_mul(iterations);
    let all = all.ok_or_else(|| spec.wrong("iterations", "below 10^18"))?;
    Ok(phased(spec, context, plan, all))
}
