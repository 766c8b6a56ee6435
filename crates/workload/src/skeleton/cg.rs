//! CG of the NAS parallel benchmarks: sums over rows of a 2-D grid, an exchange over its diagonal.

use odonata_mpi::{Operation, Peer, Request};

use super::WAIT_BEFORE;
use super::phase::{Alike, Cursor, Phase, RankIteration};
use super::phased::{compute_row, iterations_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Parameter, Spec};

const NUMBER_BYTES: u64 = 8;

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "cg",
    summary: "conjugate gradients of the NAS benchmarks: a product summed over rows by halving \
              distances, an exchange over the diagonal, two sums of 8 B",
    source: "NAS parallel benchmarks 3.4, CG (public sources)",
    parameters: &[
        ranks_row(512),
        Parameter::count("order", 150_000, "order of the matrix")
            .within(1.0, 1e12)
            .source("class C"),
        iterations_row(25).source("one estimate of the eigenvalue; the benchmark makes 75"),
        compute_row(0, "computation of each iteration"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| {
        let ranks = spec.small("ranks")?;
        if ranks.is_power_of_two() {
            return Ok(ranks);
        }
        let (below, above) = (1_u64 << ranks.ilog2(), u64::from(ranks).next_power_of_two());
        Err(spec.impossible(format!(
            "{ranks} ranks do not form its grid; `ranks` must be a power of two, such as {below} \
             or {above}"
        )))
    },
    build,
};

/// Exchanges of one iteration, blocking, one after the other.
struct Row {
    /// Columns of the process grid: as many as rows, or twice as many.
    columns: u32,
    rows: u32,
    order: u64,
}

impl Row {
    /// Partner and payload of exchange `number` of `rank`: the product, the diagonal, the two sums.
    fn exchange(&self, rank: u32, number: u32) -> Option<(u32, u64)> {
        let stages = self.columns.ilog2();
        let segment = self.order.div_ceil(u64::from(self.rows)) * NUMBER_BYTES;
        // With twice as many columns as rows, two ranks share a segment.
        let half = if self.columns == self.rows { 1 } else { 2 };
        let (row, column) = (rank / self.columns, rank % self.columns);
        let bytes = segment.div_ceil(u64::from(half));
        let across = |distance: u32| row * self.columns + (column ^ distance);
        if number < stages {
            return Some((across(1 << number), bytes));
        }
        if number == stages {
            let diagonal = column / half * self.columns + row * half + column % half;
            return Some((diagonal, bytes));
        }
        let sum = number - stages - 1;
        let distance = |stage| self.columns >> (stage + 1);
        (sum < 2 * stages).then(|| (across(distance(sum % stages)), NUMBER_BYTES))
    }
}

impl Phase for Row {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let (tag, request) = (0, Request(0));
        let number = u32::try_from(cursor.at).unwrap_or(u32::MAX);
        let (partner, bytes) = self.exchange(current.rank, number)?;
        let act = cursor.act;
        (cursor.act, cursor.at) = if act == 2 {
            (0, cursor.at + 1)
        } else {
            (act + 1, cursor.at)
        };
        Some(match act {
            0 => Peer::in_job(partner, tag).irecv(bytes, request),
            1 => Peer::in_job(partner, tag).send(bytes),
            _ => Operation::Wait(request),
        })
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of the registry")]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let ranks = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let rows = 1 << (ranks.ilog2() / 2);
    let row = Row {
        columns: ranks / rows,
        rows,
        order: spec.count("order"),
    };
    let compute = Operation::Compute(spec.time("compute"));
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(Alike(vec![compute])), Box::new(row)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn partners_name_each_other_and_agree_on_sizes() {
        for ranks in [1_u32, 2, 4, 8, 16, 32, 512] {
            let rows = 1 << (ranks.ilog2() / 2);
            let row = Row {
                columns: ranks / rows,
                rows,
                order: 1_001,
            };
            for rank in 0..ranks {
                let all = (0..).map_while(|number| row.exchange(rank, number));
                for (number, (partner, bytes)) in (0..).zip(all) {
                    assert!(partner < ranks);
                    assert_eq!(row.exchange(partner, number), Some((rank, bytes)));
                }
            }
        }
    }
}
