//! Fill boundary: ghost cells of neighbours on a periodic grid, and messages all over the job.

use odonata_mpi::{Operation, Peer, Request};
use odonata_units::{Purpose, Span, Stream};

use super::WAIT_BEFORE;
use super::exchange::{Direction, box26, crossed};
use super::grid::{Grid, sides};
use super::phase::{Cursor, Partner, Phase, RankIteration};
use super::phased::{GRID_RANKS, compute_row, iterations_row, phased};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::permutation::{Permutation, PermutationKey};
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [10, 10, 10];
const FIGURE: &str = "Fig. 2 of Wang et al. 2018: fluctuating between 100 and 2,560 KB per rank";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "fill-boundary",
    summary: "adaptive meshes: ghost cells of 26 neighbours on a periodic 3-D grid and messages all \
              over the job, of a load that fluctuates from iteration to iteration",
    source: "Wang et al. 2018, section III-A and Fig. 2; FillBoundary of BoxLib",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 10, 10, 10 if absent",
        )
        .at_least(1)
        .source("1,000 ranks in Wang et al. 2018"),
        Parameter::bytes(
            "least",
            100_000,
            "smallest load of an iteration: what a rank with all neighbours sends",
        )
        .within(1.0, 1e12)
        .source(FIGURE),
        Parameter::bytes(
            "most",
            2_560_000,
            "largest load of an iteration; loads are drawn between both, evenly by magnitude",
        )
        .within(1.0, 1e12)
        .source(FIGURE),
        Parameter::number(
            "scattered",
            0.1,
            "share of the load that goes to ranks all over the job",
        )
        .within(0.0, 1.0)
        .source("assumed: the paper says that there is some"),
        Parameter::count(
            "targets",
            8,
            "ranks all over the job that each rank sends to in an iteration",
        )
        .within(0.0, 10_000.0)
        .source("assumed"),
        iterations_row(20).source("assumed: the length of the trace is not published"),
        compute_row(0, "computation before each iteration").source("ignored in the study"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// Relative sizes of what goes over a face, an edge and a corner: a box of 16 cells a side.
const WEIGHTS: [u64; 4] = [0, 256, 16, 1];
/// The number of all neighbours.
const WEIGHT: u64 = 6 * WEIGHTS[1] + 12 * WEIGHTS[2] + 8 * WEIGHTS[3];

struct FillBoundary {
    grid: Grid,
    directions: Vec<Direction>,
    size: u32,
    seed: u64,
    job: u64,
    /// Bounds of the load.
    loads: [f64; 2],
    scattered: f64,
    targets: u32,
    compute: Span,
}

/// An exchange of one rank: partner, tags of what is sent and received, payload.
struct Pair {
    target: u32,
    source: u32,
    tags: [u32; 2],
    bytes: u64,
}

impl FillBoundary {
    /// The load of an iteration, the same for all ranks.
    fn load(&self, iteration: u64) -> f64 {
        let mut root = Stream::new(self.seed, Purpose::Job, self.job);
        let mut stream = Stream::new(root.next_u64(), Purpose::Program, iteration);
        let [least, most] = self.loads.map(libm::log);
        libm::exp(least + (most - least) * stream.unit())
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "loads are at most 10^12 B, and cut"
    )]
    fn payload(&self, current: RankIteration, share: f64) -> u64 {
        ((self.load(current.iteration) * share) as u64).max(1)
    }

    #[expect(clippy::cast_precision_loss, reason = "weights are small")]
    fn neighbour(&self, current: RankIteration, partner: Partner) -> Pair {
        let direction = &self.directions[partner.entry as usize];
        let weight = WEIGHTS[crossed(&direction.step)] as f64 / WEIGHT as f64;
        Pair {
            target: partner.rank,
            source: partner.rank,
            tags: [direction.sent, direction.received],
            bytes: self.payload(current, (1.0 - self.scattered) * weight),
        }
    }

    /// Message `number` of those all over the job: along a permutation of its own.
    fn scattered(&self, current: RankIteration, number: u32) -> Pair {
        let key = PermutationKey {
            seed: self.seed,
            job: self.job,
            number: current.iteration * u64::from(self.targets) + u64::from(number),
        };
        let permutation = Permutation::new(self.size, key);
        Pair {
            target: permutation.forward(current.rank),
            source: permutation.backward(current.rank),
            tags: [27 + number; 2],
            bytes: self.payload(current, self.scattered / f64::from(self.targets)),
        }
    }
}

impl Phase for FillBoundary {
    fn enter(&self, current: RankIteration, cursor: &mut Cursor) {
        let partners = (0..)
            .zip(&self.directions)
            .filter_map(|(entry, direction)| {
                let rank = self.grid.neighbour(current.rank, &direction.step)?;
                Some(Partner { rank, entry })
            });
        cursor.partners.extend(partners);
    }

    /// Act 0: computation; 1: receives; 2: sends; 3: all together.
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let neighbours = cursor.partners.len() as u64;
        let count = neighbours + u64::from(self.targets);
        loop {
            match cursor.act {
                0 => {
                    cursor.act = 1;
                    return Some(Operation::Compute(self.compute));
                }
                1 | 2 => {}
                3 => {
                    cursor.act = 4;
                    return Some(Operation::WaitAll((0..2 * count).map(request).collect()));
                }
                _ => return None,
            }
            let at = cursor.at;
            cursor.at += 1;
            if at == count {
                (cursor.act, cursor.at) = (cursor.act + 1, 0);
                continue;
            }
            let pair = match usize::try_from(at)
                .ok()
                .and_then(|at| cursor.partners.get(at))
            {
                Some(&partner) => self.neighbour(current, partner),
                None => {
                    let number = u32::try_from(at - neighbours).unwrap_or(u32::MAX);
                    self.scattered(current, number)
                }
            };
            if pair.target == current.rank {
                continue;
            }
            return Some(if cursor.act == 1 {
                Peer::in_job(pair.source, pair.tags[1]).irecv(pair.bytes, request(at))
            } else {
                Peer::in_job(pair.target, pair.tags[0]).isend(pair.bytes, request(count + at))
            });
        }
    }
}

fn request(at: u64) -> Request {
    Request(u32::try_from(at).unwrap_or(u32::MAX))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "bounds of loads are at most 10^12"
)]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, size) = sides(spec, "grid", &STUDY)?;
    let (least, most) = (spec.count("least"), spec.count("most"));
    if least > most {
        return Err(spec.impossible(format!(
            "loads from {least} to {most} B; `least` must not be above `most`"
        )));
    }
    let phase = FillBoundary {
        grid: Grid::periodic(&grid),
        directions: box26(|_| 0),
        size,
        seed: context.seed,
        job: u64::from(context.job.0),
        loads: [least as f64, most as f64],
        scattered: spec.ratio("scattered"),
        targets: spec.small("targets")?,
        compute: spec.time("compute"),
    };
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(phase)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
