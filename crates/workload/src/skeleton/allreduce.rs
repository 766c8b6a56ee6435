//! Repeated allreduce: data-parallel training, and its two presets.

use odonata_mpi::{CommId, Operation};

use super::scaled::{SIZE_SCALE, Scale, Scaled};
use super::{Fixed, Repeat, WAIT_BEFORE, given_ranks, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Parameter, Spec};

/// The parameters with the defaults of one preset.
const fn parameters(iterations: u64, bytes: u64, compute_ps: u64) -> [Parameter; 6] {
    [
        Parameter::count("ranks", 528, "ranks of the job").at_least(1),
        Parameter::count("iterations", iterations, "iterations").at_least(1),
        Parameter::bytes("message", bytes, "payload of each rank"),
        Parameter::time("compute", compute_ps, "computation before each allreduce"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ]
}

const PLAIN: [Parameter; 6] = parameters(1, 8, 0);
const COSMOFLOW_PARAMETERS: [Parameter; 6] = parameters(2, 140_750 * 8, 5_160_000_000);
const DL_PARAMETERS: [Parameter; 6] = parameters(8, 144_000 * 8, 0);

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "allreduce",
    summary: "computation, then an allreduce over all ranks, again and again",
    source: "Ember motif Allreduce",
    parameters: &PLAIN,
    ranks: |spec, _, _| given_ranks(spec),
    build,
};

pub(crate) const COSMOFLOW: WorkloadEntry = WorkloadEntry {
    name: "cosmoflow",
    summary: "allreduce of 1.126 MB every 5.16 ms: training of CosmoFlow; MFNetSim has 300 ranks, \
              5 iterations, 29,516,800 B and 129 ms",
    source: "Kang et al. 2022, Table I (CosmoFlow); Wang et al. 2025 (MFNetSim)",
    parameters: &COSMOFLOW_PARAMETERS,
    ranks: |spec, _, _| given_ranks(spec),
    build,
};

pub(crate) const DL: WorkloadEntry = WorkloadEntry {
    name: "dl",
    summary: "allreduce of 1.152 MB without pause: training of a deep network",
    source: "Kang et al. 2022, Table I (DL); its time leaves none for computation in between",
    parameters: &DL_PARAMETERS,
    ranks: |spec, _, _| given_ranks(spec),
    build,
};

#[expect(clippy::unnecessary_wraps, reason = "the signature of the registry")]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (wait, iterations) = (spec.time("wait_before"), spec.count("iterations"));
    let scale = Scale::of(spec);
    Ok(ranks(context, |_| {
        let steps = vec![
            Operation::Compute(spec.time("compute")),
            CommId::WORLD.allreduce(spec.count("message")),
        ];
        (
            Repeat::new(Scaled::new(Fixed::new(steps), scale), wait, iterations),
            Vec::new(),
        )
    }))
}
