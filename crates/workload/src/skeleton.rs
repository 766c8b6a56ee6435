//! Skeletons: programs reduced to their communication and timed gaps, generated step by step.

use std::sync::Arc;

use odonata_mpi::{Communicator, MpiRank, Operation, Program, RankMap, RankProgram, RankSetup};
use odonata_units::Span;

use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::error::WorkloadError;
use crate::spec::{Parameter, Spec};

pub(crate) mod allreduce;
pub(crate) mod amg;
pub(crate) mod cg;
pub(crate) mod collectives;
pub(crate) mod crystal_router;
mod exchange;
pub(crate) mod fan;
pub(crate) mod fft;
pub(crate) mod fft3d;
pub(crate) mod fill_boundary;
pub(crate) mod gpcnet;
pub(crate) mod graph500;
mod grid;
pub(crate) mod halo26;
pub(crate) mod halo3d;
pub(crate) mod hpcg;
pub(crate) mod inference;
pub(crate) mod lammps;
pub(crate) mod layered_allbcast;
pub(crate) mod lqcd;
pub(crate) mod lu;
pub(crate) mod lulesh;
pub(crate) mod milc;
mod models;
pub(crate) mod nearest_neighbour;
pub(crate) mod nekbone;
mod phase;
mod phased;
pub(crate) mod ping_pong;
mod scaled;
pub(crate) mod stencil5d;
mod sweep;
pub(crate) mod sweep3d;
pub(crate) mod training;
pub(crate) mod uniform_random;

/// Parameter of every skeleton.
pub(crate) const WAIT_BEFORE: Parameter = Parameter::time(
    "wait_before",
    0,
    "computation before the first iteration (350 us in Kang et al. 2022)",
);

/// Steps of one iteration of a skeleton.
pub(crate) trait Iteration: Send {
    /// Step `index` of iteration `iteration`; `None` behind the last one.
    fn step(&mut self, iteration: u64, index: usize) -> Option<Operation>;
}

/// Every iteration has these operations.
pub(crate) struct Fixed(Box<[Operation]>);

impl Fixed {
    /// An iteration of these steps. Ranks are many, so nothing is kept for steps that never come.
    pub(crate) fn new(steps: Vec<Operation>) -> Self {
        Self(steps.into_boxed_slice())
    }
}

impl Iteration for Fixed {
    fn step(&mut self, _iteration: u64, index: usize) -> Option<Operation> {
        self.0.get(index).cloned()
    }
}

/// A program that repeats an iteration, each between its two marks.
pub(crate) struct Repeat<I> {
    body: I,
    wait_before: Span,
    iterations: u64,
    /// The iteration behind the last one: `iterations`, less those that are left out.
    until: u64,
    /// Iteration in progress, and its next step; step 0 is the mark of its beginning.
    iteration: u64,
    index: usize,
    begun: bool,
}

impl<I: Iteration> Repeat<I> {
    pub(crate) const fn new(body: I, wait_before: Span, iterations: u64) -> Self {
        Self {
            body,
            wait_before,
            iterations,
            until: iterations,
            iteration: 0,
            index: 0,
            begun: false,
        }
    }
}

impl<I: Iteration> Program for Repeat<I> {
    fn next(&mut self) -> Operation {
        if !self.begun {
            self.begun = true;
            return Operation::Compute(self.wait_before);
        }
        if self.iteration >= self.until {
            return Operation::Finish;
        }
        if self.index == 0 {
            self.index = 1;
            return Operation::IterationBegin;
        }
        if let Some(operation) = self.body.step(self.iteration, self.index - 1) {
            self.index += 1;
            return operation;
        }
        self.iteration += 1;
        self.index = 0;
        Operation::IterationEnd
    }

    #[expect(clippy::cast_precision_loss, reason = "a share for a progress bar")]
    fn share(&self) -> Option<f64> {
        Some(self.iteration as f64 / self.until.max(1) as f64)
    }

    fn iterations(&self) -> Option<u64> {
        Some(self.iterations)
    }

    fn leave_out(&mut self, iterations: u64) {
        self.until = self.iterations.saturating_sub(iterations);
    }

    fn rewind(&mut self) {
        (self.iteration, self.index) = (0, 0);
    }
}

/// Makes a rank of each node of the job that is here: `program(rank)` says what it runs, and on
/// which communicators besides the whole job.
pub(crate) fn ranks<P: Into<RankProgram>>(
    context: &JobContext<'_>,
    mut program: impl FnMut(u32) -> (P, Vec<Communicator>),
) -> Vec<NodeEndpoint> {
    let rank_map = match context.rank_map {
        Some(rank_map) => Arc::clone(rank_map),
        None => Arc::new(RankMap::new(context.nodes)),
    };
    let parameters = Arc::new(context.mpi.clone());
    let size = u32::try_from(rank_map.rank_count()).unwrap_or(u32::MAX);
    (0..size)
        .zip(context.nodes)
        .filter_map(|(rank, node)| {
            // Whoever is elsewhere has drawn from the streams of the job all the same.
            let (program, others) = program(rank);
            if !context.is_here(*node) {
                return None;
            }
            let mut communicators = Vec::with_capacity(1 + others.len());
            communicators.push(Communicator::world(rank, size));
            communicators.extend(others);
            Some(NodeEndpoint::Rank(Box::new(MpiRank::new(RankSetup {
                rank,
                rank_map: Arc::clone(&rank_map),
                communicators,
                parameters: Arc::clone(&parameters),
                program: program.into(),
            }))))
        })
        .collect()
}

/// Number of ranks given under `ranks`.
pub(crate) fn given_ranks(spec: &Spec<'_>) -> Result<u32, WorkloadError> {
    spec.small("ranks")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iterations that the program still ends.
    fn left(program: &mut Repeat<Fixed>) -> usize {
        let operations = std::iter::from_fn(|| match program.next() {
            Operation::Finish => None,
            operation => Some(operation),
        });
        let ends = operations.filter(|one| matches!(one, Operation::IterationEnd));
        ends.count()
    }

    #[test]
    fn iterations_are_left_out_and_taken_back() {
        for (said, found) in [(vec![], 8), (vec![5], 3), (vec![5, 0], 8), (vec![5, 2], 6)] {
            let mut program = Repeat::new(Fixed::new(Vec::new()), Span::ZERO, 10);
            for _ in 0..5 {
                program.next();
            }
            for iterations in said {
                program.leave_out(iterations);
            }
            assert_eq!(program.iterations(), Some(10));
            assert_eq!(left(&mut program), found);
            assert_eq!(program.share(), Some(1.0));
        }
    }
}
