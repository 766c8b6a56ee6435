//! 3-D Fourier transform on a 2-D grid of ranks: two transposes there, two back.

use std::sync::Arc;

use odonata_mpi::{CommId, Communicator, Operation};
use odonata_units::Span;

use super::scaled::{SIZE_SCALE, Scale, Scaled};
use super::{Fixed, Repeat, WAIT_BEFORE, given_ranks, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Default, Kind, Parameter, Spec};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "fft3d",
    summary: "3-D FFT, pencils on a 2-D process grid: alltoallv in columns and rows",
    source: "Kang et al. 2022, Table I (FFT3D); Ember motif FFT3D",
    parameters: &[
        Parameter::count("ranks", 528, "ranks of the job").at_least(1),
        Parameter::count("nx", 400, "grid points along x").at_least(1),
        Parameter::count("ny", 400, "grid points along y").at_least(1),
        Parameter::count("nz", 400, "grid points along z").at_least(1),
        Parameter::derived(
            "process_rows",
            Kind::Count,
            "rows of the process grid, a divisor of the ranks; the largest one up to the square \
             root if absent",
        )
        .at_least(1),
        Parameter::count("iterations", 8, "iterations").at_least(1),
        Parameter::time(
            "element_time",
            1_000,
            "computation per grid point and transform",
        ),
        Parameter::new(
            "transform_cost",
            Kind::Numbers,
            Default::Numbers(&[1.0; 6]),
            "factors of the computation of the three forward and three backward transforms",
        ),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| given_ranks(spec),
    build,
};

const COLUMN: CommId = CommId(1);
const ROW: CommId = CommId(2);
/// Bytes of a complex number.
const COMPLEX: u64 = 16;

/// How the points of one direction are shared out: the first ranks get one more.
fn shares(points: u64, ranks: u64) -> Vec<u64> {
    (0..ranks)
        .map(|rank| points / ranks + u64::from(rank < points % ranks))
        .collect()
}

/// The process grid and the shares of the points.
struct Pencils {
    rows: u32,
    columns: u32,
    /// Points of the half spectrum along x, by row.
    x_by_row: Vec<u64>,
    y_by_row: Vec<u64>,
    y_by_column: Vec<u64>,
    z_by_column: Vec<u64>,
    phases: [Span; 6],
}

/// Payloads of one alltoallv of one rank.
struct PencilExchange {
    send: Arc<[u64]>,
    receive: Arc<[u64]>,
}

impl Pencils {
    fn new(spec: &Spec<'_>, ranks: u64) -> Result<Self, WorkloadError> {
        let rows = spec.optional_count("process_rows").unwrap_or_else(|| {
            let divisors = (1..).take_while(|&row| row * row <= ranks);
            divisors
                .filter(|&row| ranks.is_multiple_of(row))
                .last()
                .unwrap_or(1)
        });
        if !ranks.is_multiple_of(rows) {
            let divisors = (1..=ranks).filter(|&row| ranks.is_multiple_of(row));
            let list: Vec<String> = divisors.map(|row| row.to_string()).collect();
            return Err(spec.impossible(format!(
                "{ranks} ranks do not form {rows} process rows; `process_rows` must divide \
                 `ranks`: {}",
                list.join(", ")
            )));
        }
        let [x, y, z] = ["nx", "ny", "nz"].map(|name| spec.count(name));
        if [x, y, z].iter().any(|&points| points > 1 << 20) {
            return Err(spec.impossible(format!(
                "{x} x {y} x {z} points: at most 1048576 along each direction can be had"
            )));
        }
        let columns = ranks / rows;
        Ok(Self {
            rows: spec.fit("ranks", rows)?,
            columns: spec.fit("ranks", columns)?,
            x_by_row: shares(x / 2 + 1, rows),
            y_by_row: shares(y, rows),
            y_by_column: shares(y, columns),
            z_by_column: shares(z, columns),
            phases: phases(spec, x * (y * z / ranks))?,
        })
    }

    /// Column `rank / rows`: `rows` consecutive ranks.
    fn column_members(&self, column: u32) -> Arc<[u32]> {
        (0..self.rows).map(|row| column * self.rows + row).collect()
    }

    /// Row `rank % rows`: ranks `rows` apart.
    fn row_members(&self, row: u32) -> Arc<[u32]> {
        (0..self.columns)
            .map(|column| row + column * self.rows)
            .collect()
    }

    /// The transpose between x and y, in a column.
    fn forward_column(&self, row: usize, column: usize) -> PencilExchange {
        let (y, z) = (self.y_by_row[row], self.z_by_column[column]);
        let x = self.x_by_row[row];
        PencilExchange {
            send: self.x_by_row.iter().map(|x| COMPLEX * x * y * z).collect(),
            receive: self.y_by_row.iter().map(|y| COMPLEX * x * y * z).collect(),
        }
    }

    /// The transpose between y and z, in a row; the same both ways.
    fn row_exchange(&self, row: usize, column: usize) -> PencilExchange {
        let (x, y, z) = (
            self.x_by_row[row],
            self.y_by_column[column],
            self.z_by_column[column],
        );
        PencilExchange {
            send: self
                .y_by_column
                .iter()
                .map(|y| COMPLEX * x * y * z)
                .collect(),
            receive: self
                .z_by_column
                .iter()
                .map(|z| COMPLEX * x * y * z)
                .collect(),
        }
    }

    /// One iteration of the rank at (`row`, `column`) of the process grid.
    fn steps(&self, row: usize, column: usize) -> Vec<Operation> {
        let forward = self.forward_column(row, column);
        let across = self.row_exchange(row, column);
        let exchange = |comm: CommId, send: &Arc<[u64]>, receive: &Arc<[u64]>| {
            comm.alltoallv(Arc::clone(send), Arc::clone(receive))
        };
        let barrier = || CommId::WORLD.barrier();
        let mut phases = self.phases.into_iter().map(Operation::Compute);
        let communication = [
            exchange(COLUMN, &forward.send, &forward.receive),
            exchange(ROW, &across.send, &across.receive),
            barrier(),
            exchange(ROW, &across.send, &across.receive),
            // Back the way they came.
            exchange(COLUMN, &forward.receive, &forward.send),
            barrier(),
        ];
        let mut steps = Vec::with_capacity(2 * communication.len());
        for operation in communication {
            steps.extend(phases.next());
            steps.push(operation);
        }
        steps
    }
}

/// Computation before each of the six communication steps; the last transform counts twice.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times of transforms are far below 2^53 ps, and factors are not negative"
)]
fn phases(spec: &Spec<'_>, points: u64) -> Result<[Span; 6], WorkloadError> {
    let costs = spec.ratios("transform_cost");
    let Ok(costs) = <[f64; 6]>::try_from(costs) else {
        return Err(spec.wrong("transform_cost", "six numbers"));
    };
    let weights = [1.0, 1.0, 1.0, 1.0, 1.0, 2.0];
    let element = spec.count("element_time") as f64;
    let mut phases = [Span::ZERO; 6];
    for ((phase, cost), weight) in phases.iter_mut().zip(costs).zip(weights) {
        let time = points as f64 * element * cost * weight;
        if time >= 1e15 {
            return Err(spec.impossible(format!(
                "one transform takes {time:.3e} ps; lower `element_time` or `transform_cost`"
            )));
        }
        *phase = Span::from_ps(time as u64);
    }
    Ok(phases)
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let pencils = Pencils::new(spec, context.nodes.len() as u64)?;
    let columns: Vec<_> = (0..pencils.columns)
        .map(|c| pencils.column_members(c))
        .collect();
    let rows: Vec<_> = (0..pencils.rows).map(|r| pencils.row_members(r)).collect();
    let (wait, iterations) = (spec.time("wait_before"), spec.count("iterations"));
    let scale = Scale::of(spec);
    Ok(ranks(context, |rank| {
        let (row, column) = (rank % pencils.rows, rank / pencils.rows);
        let in_column = Communicator::new(1 + column, columns[column as usize].clone(), rank);
        let row_context = 1 + pencils.columns + row;
        let in_row = Communicator::new(row_context, rows[row as usize].clone(), rank);
        let steps = pencils.steps(row as usize, column as usize);
        let communicators = in_column.into_iter().chain(in_row).collect();
        (
            Repeat::new(Scaled::new(Fixed::new(steps), scale), wait, iterations),
            communicators,
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn shares_add_up_and_differ_by_one_at_most() {
        for points in 1..60 {
            for ranks in 1..20 {
                let shares = shares(points, ranks);
                assert_eq!(shares.iter().sum::<u64>(), points);
                assert!(shares.windows(2).all(|pair| pair[0] - pair[1] <= 1));
            }
        }
    }
}
