//! Uniform random traffic: every iteration the ranks exchange along a new random permutation.

use odonata_mpi::{Operation, Peer, Request};
use odonata_units::Span;

use super::scaled::{SIZE_SCALE, Scale, Scaled};
use super::{Iteration, Repeat, WAIT_BEFORE, given_ranks, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::permutation::{Permutation, PermutationKey};
use crate::spec::{Parameter, Spec};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "uniform-random",
    summary: "a new random permutation of the ranks in each iteration, one message each",
    source: "Kang et al. 2022, Table I (UR); Ember motif Random",
    parameters: &[
        Parameter::count("ranks", 528, "ranks of the job").at_least(1),
        Parameter::count("iterations", 7_200, "iterations").at_least(1),
        Parameter::bytes("message", 3_072, "payload of a message"),
        Parameter::time("compute", 0, "computation per iteration"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| given_ranks(spec),
    build,
};

/// One rank; ranks that a permutation leaves in place do nothing in that iteration.
struct UniformRandom {
    rank: u32,
    size: u32,
    seed: u64,
    job: u64,
    bytes: u64,
    compute: Span,
    partners: (u32, u32),
}

impl Iteration for UniformRandom {
    fn step(&mut self, iteration: u64, index: usize) -> Option<Operation> {
        let (tag, bytes) = (0, self.bytes);
        match index {
            0 => {
                let key = PermutationKey {
                    seed: self.seed,
                    job: self.job,
                    number: iteration,
                };
                let permutation = Permutation::new(self.size, key);
                self.partners = (
                    permutation.forward(self.rank),
                    permutation.backward(self.rank),
                );
                Some(Operation::Compute(self.compute))
            }
            _ if self.partners.0 == self.rank => None,
            1 => Some(Peer::in_job(self.partners.0, tag).isend(bytes, Request(0))),
            2 => Some(Peer::in_job(self.partners.1, tag).irecv(bytes, Request(1))),
            3 => Some(Operation::WaitAll(vec![Request(0), Request(1)])),
            _ => None,
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of the registry")]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let size = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let body = |rank| UniformRandom {
        rank,
        size,
        seed: context.seed,
        job: u64::from(context.job.0),
        bytes: spec.count("message"),
        compute: spec.time("compute"),
        partners: (rank, rank),
    };
    let (wait, iterations) = (spec.time("wait_before"), spec.count("iterations"));
    let scale = Scale::of(spec);
    Ok(ranks(context, |rank| {
        (
            Repeat::new(Scaled::new(body(rank), scale), wait, iterations),
            Vec::new(),
        )
    }))
}
