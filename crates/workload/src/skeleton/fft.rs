//! A parallel FFT on slabs: an alltoall over all ranks there, and one back.

use odonata_mpi::{CommId, Operation};

use super::WAIT_BEFORE;
use super::phase::{Alike, Phase};
use super::phased::{compute_row, iterations_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Parameter, Spec};

/// Bytes of a complex number.
const COMPLEX: u64 = 16;

const fn points(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter::count(name, 1_024, meaning).within(1.0, 1_048_576.0)
}

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "fft",
    summary: "FFT on slabs: transform, alltoall over all ranks, transform, alltoall back",
    source: "De Sensi et al. 2019, section 5.2; FFTW, distributed-memory transforms (Frigo and \
             Johnson 2005)",
    parameters: &[
        ranks_row(256).source("De Sensi et al. 2019: 256 and 64 nodes"),
        points("nx", "points along x, shared out before the transposition"),
        points("ny", "points along y, shared out behind it"),
        points("nz", "points along z, never shared out"),
        iterations_row(1),
        compute_row(0, "computation of each of the two transforms"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let ranks = context.nodes.len() as u64;
    let [x, y] = ["nx", "ny"].map(|name| spec.count(name).div_ceil(ranks));
    let block = x
        .checked_mul(y)
        .and_then(|xy| xy.checked_mul(spec.count("nz") * COMPLEX));
    let Some(bytes) = block else {
        return Err(spec.impossible("a block of more than 2^64 B; lower `nx`, `ny` or `nz`".into()));
    };
    let compute = || Operation::Compute(spec.time("compute"));
    let transpose = || CommId::WORLD.alltoall(bytes);
    let steps = vec![compute(), transpose(), compute(), transpose()];
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(Alike(steps))];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
