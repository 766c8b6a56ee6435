//! Jobs whose ranks walk through one phases, and the rows that most of them have.

use std::sync::Arc;

use odonata_mpi::{CommId, Communicator, Operation};

use super::exchange::{Act, Direction, Exchange};
use super::grid::Grid;
use super::phase::{Alike, Phase, PhaseSequence, Walk};
use super::scaled::{Scale, Scaled};
use super::{Iteration, Repeat, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::spec::{Kind, Parameter, Spec};

/// `ranks` of skeletons that take any number.
pub(crate) const fn ranks_row(default: u64) -> Parameter {
    Parameter::count("ranks", default, "ranks of the job").at_least(1)
}

/// `ranks` of skeletons on a grid.
pub(crate) const GRID_RANKS: Parameter = Parameter::derived(
    "ranks",
    Kind::Count,
    "ranks of the job; the product of the grid if absent",
)
.at_least(1);

/// `iterations` with the number of the study.
pub(crate) const fn iterations_row(default: u64) -> Parameter {
    Parameter::count("iterations", default, "iterations").at_least(1)
}

/// `message`, a payload.
pub(crate) const fn message_row(default: u64, meaning: &'static str) -> Parameter {
    Parameter::bytes("message", default, meaning)
}

/// `compute`, a span in picoseconds.
pub(crate) const fn compute_row(default: u64, meaning: &'static str) -> Parameter {
    Parameter::time("compute", default, meaning)
}

impl Iteration for Walk {
    fn step(&mut self, iteration: u64, index: usize) -> Option<Operation> {
        if index == 0 {
            self.restart();
        }
        self.next(iteration)
    }
}

/// A rank per node, all on `phases`, for `iterations`.
pub(crate) fn phased(
    spec: &Spec<'_>,
    context: &JobContext<'_>,
    phases: impl PhaseSequence + 'static,
    iterations: u64,
) -> Vec<NodeEndpoint> {
    phased_among(spec, context, phases, iterations, |_| Vec::new())
}

/// A rank per node on an open grid, whose iterations compute, exchange, and end with an allreduce of
/// 8 B if `reduction`.
pub(crate) fn stencil(
    spec: &Spec<'_>,
    context: &JobContext<'_>,
    grid: &[u64],
    directions: Vec<Direction>,
    exchange: Vec<Act>,
) -> Vec<NodeEndpoint> {
    let acts = [vec![Act::Compute(spec.time("compute"))], exchange].concat();
    let mut plan: Vec<Box<dyn Phase>> = vec![Box::new(Exchange {
        grid: Grid::open(grid),
        directions,
        acts,
    })];
    if spec.boolean("reduction") {
        plan.push(Box::new(Alike(vec![CommId::WORLD.allreduce(8)])));
    }
    phased(spec, context, plan, spec.count("iterations"))
}

/// As [`phased`], with the communicators of each rank besides the whole job.
pub(crate) fn phased_among(
    spec: &Spec<'_>,
    context: &JobContext<'_>,
    phases: impl PhaseSequence + 'static,
    iterations: u64,
    communicators: impl Fn(u32) -> Vec<Communicator>,
) -> Vec<NodeEndpoint> {
    let phases: Arc<dyn PhaseSequence> = Arc::new(phases);
    let (wait, scale) = (spec.time("wait_before"), Scale::of(spec));
    ranks(context, |rank| {
        let body = Scaled::new(Walk::new(Arc::clone(&phases), rank), scale);
        (Repeat::new(body, wait, iterations), communicators(rank))
    })
}
