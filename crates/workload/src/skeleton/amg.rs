//! Algebraic multigrid: exchanges on every level of a cycle, on coarser ones with more ranks and less.

use odonata_mpi::CommId;

use super::WAIT_BEFORE;
use super::exchange::{Act, Direction, Exchange, at_once, faces};
use super::grid::{DIMENSIONS, Grid, sides};
use super::phase::{Alike, Phase};
use super::phased::{GRID_RANKS, compute_row, iterations_row, message_row, phased};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [12, 12, 12];
/// `neighbours`: as the trace, or the same six on every level.
const NEIGHBOURS: [&str; 2] = ["growing", "faces"];
const TRACE: &str = "public trace of rank 0 of 3 x 3 x 3 (AMG of DesignForward)";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "amg",
    summary: "algebraic multigrid: cycles of exchanges on an open 3-D grid, on coarser levels with \
              more and more distant ranks, and less",
    source: "Wang et al. 2018, section III-A and Fig. 2; AMG of the DOE mini-applications; a public \
             trace of rank 0 of 27 (DesignForward)",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, x fastest; the most even grid of the ranks, or 12, 12, 12 if absent",
        )
        .at_least(1)
        .source("1,728 ranks in Wang et al. 2018"),
        message_row(FINEST, "payload to a neighbour on the finest level; the others are in proportion")
            .source("the trace; to six neighbours it is the peak of 75 KB in Fig. 2 of Wang et al. 2018"),
        Parameter::choice(
            "neighbours",
            &NEIGHBOURS,
            NEIGHBOURS[0],
            "whether coarser levels reach further, as in the trace, or all levels over faces only",
        )
        .source(TRACE),
        Parameter::count("levels", 6, "levels of a cycle")
            .within(1.0, 30.0)
            .source(TRACE),
        Parameter::derived(
            "decrease",
            Kind::Number,
            "of `neighbours = \"faces\"`: payload over that of the next coarser level; 4 if absent",
        )
        .within(1.0, 1_000.0)
        .source("assumed: sides are halved from level to level, faces quartered"),
        Parameter::count(
            "sweeps",
            1,
            "smoothing exchanges on each level, on the way down and on the way up",
        )
        .within(1.0, 1_000.0)
        .source(TRACE),
        Parameter::bytes(
            "allreduce",
            0,
            "payload of an allreduce behind each cycle; none if 0",
        )
        .source(TRACE),
        iterations_row(2).source("the trace; they make the three surges in Fig. 2 of Wang et al. 2018"),
        compute_row(0, "computation before each exchange").source("ignored in the study"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// Bytes that go over a face on the finest level of the trace: 40 x 40 doubles.
const FINEST: u64 = 12_800;

/// Bytes that a rank sends to others, by where those are on the grid; none where it is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Stencil {
    /// One away in one dimension, in two, in three.
    face: u64,
    edge: u64,
    corner: u64,
    /// Two away in one dimension.
    straight: u64,
    /// Two away in one dimension and one in the next: in y beside x, in z beside y, in x beside z.
    aside: u64,
}

/// Exchanges on a level, and with the next coarser one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    own: Stencil,
    transfer: Stencil,
}

const fn stencil(face: u64, edge: u64, corner: u64) -> Stencil {
    Stencil {
        face,
        edge,
        corner,
        straight: 0,
        aside: 0,
    }
}

/// The levels of the trace, whose rank is at a corner of its grid.
const LEVELS: [Level; 6] = [
    Level {
        own: stencil(FINEST, 0, 0),
        transfer: stencil(1_616, 24, 0),
    },
    Level {
        own: stencil(3_568, 128, 0),
        transfer: stencil(432, 24, 0),
    },
    Level {
        own: stencil(1_712, 200, 16),
        transfer: stencil(112, 8, 0),
    },
    Level {
        own: stencil(472, 168, 48),
        transfer: stencil(32, 0, 8),
    },
    Level {
        own: Stencil {
            straight: 24,
            aside: 24,
            ..stencil(104, 72, 56)
        },
        transfer: stencil(16, 0, 8),
    },
    Level {
        own: Stencil {
            straight: 8,
            ..stencil(8, 8, 8)
        },
        transfer: stencil(8, 0, 8),
    },
];

impl Stencil {
    /// Bytes to the rank that is `x`, `y`, `z` away.
    const fn to(&self, [x, y, z]: [i8; 3]) -> u64 {
        match [x.unsigned_abs(), y.unsigned_abs(), z.unsigned_abs()] {
            [1, 0, 0] | [0, 1, 0] | [0, 0, 1] => self.face,
            [1, 1, 0] | [1, 0, 1] | [0, 1, 1] => self.edge,
            [1, 1, 1] => self.corner,
            [2, 0, 0] | [0, 2, 0] | [0, 0, 2] => self.straight,
            [2, 1, 0] | [0, 2, 1] | [1, 0, 2] => self.aside,
            _ => 0,
        }
    }

    /// Neighbours by ascending rank, with their bytes times `message` over [`FINEST`].
    fn directions(&self, message: u64) -> Vec<Direction> {
        const LAST: u32 = 124;
        let mut all = Vec::new();
        let mut tag = 0;
        for z in -2..=2 {
            for y in -2..=2 {
                for x in -2..=2 {
                    let bytes = self.to([x, y, z]);
                    if bytes > 0 {
                        let mut step = [0; DIMENSIONS];
                        step[..3].copy_from_slice(&[x, y, z]);
                        all.push(Direction {
                            step,
                            bytes: in_proportion(bytes, message),
                            sent: tag,
                            received: LAST - tag,
                        });
                    }
                    tag += 1;
                }
            }
        }
        all
    }
}

/// `bytes` of the trace where a message on the finest level has `message`.
fn in_proportion(bytes: u64, message: u64) -> u64 {
    let scaled = u128::from(bytes) * u128::from(message) / u128::from(FINEST);
    u64::try_from(scaled).unwrap_or(u64::MAX).max(1)
}

/// The exchanges of a cycle: on each level one more than `sweeps` on the way down (smoothing, then
/// what is left) and `sweeps` on the way up, and one with the next level both ways.
fn growing(levels: usize, sweeps: u64) -> Vec<Stencil> {
    let level = |number: usize| &LEVELS[number.min(LEVELS.len() - 1)];
    let times = |stencil, count: u64| (0..count).map(move |_| stencil);
    let mut cycle = Vec::new();
    for number in 0..levels - 1 {
        cycle.extend(times(level(number).own, sweeps + 1));
        cycle.push(level(number).transfer);
    }
    cycle.extend(times(level(levels - 1).own, 2 * sweeps + 1));
    for number in (0..levels - 1).rev() {
        cycle.push(level(number).transfer);
        cycle.extend(times(level(number).own, sweeps));
    }
    cycle
}

/// The payloads of a cycle over faces: `sweeps` exchanges on each level, the coarsest once.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "payloads are far below 2^53, and cut"
)]
fn over_faces(spec: &Spec<'_>, decrease: f64) -> Vec<u64> {
    let mut payloads = Vec::new();
    let mut bytes = spec.count("message") as f64;
    for _ in 0..spec.count("levels") {
        payloads.push((bytes as u64).max(1));
        bytes /= decrease;
    }
    let up = payloads.iter().rev().skip(1);
    let cycle = payloads.iter().chain(up);
    cycle
        .flat_map(|&bytes| (0..spec.count("sweeps")).map(move |_| bytes))
        .collect()
}

/// The exchanges of a cycle, in order: with whom, and how much.
fn cycle(spec: &Spec<'_>) -> Result<Vec<Vec<Direction>>, WorkloadError> {
    let decrease = spec.value("decrease").as_f64();
    if spec.text("neighbours") == NEIGHBOURS[1] {
        let payloads = over_faces(spec, decrease.unwrap_or(4.0));
        return Ok(payloads.into_iter().map(|bytes| faces(3, bytes)).collect());
    }
    if decrease.is_some() {
        return Err(spec.impossible(
            "`decrease` is of `neighbours = \"faces\"`; the levels of `growing` have the sizes of \
             the trace, in proportion to `message`"
                .to_owned(),
        ));
    }
    let message = spec.count("message");
    let levels = usize::try_from(spec.count("levels")).unwrap_or(LEVELS.len());
    let exchanges = growing(levels, spec.count("sweeps"));
    let directions = |stencil: &Stencil| stencil.directions(message);
    Ok(exchanges.iter().map(directions).collect())
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let compute = spec.time("compute");
    let exchange = |directions: Vec<Direction>| -> Box<dyn Phase> {
        let mut acts = vec![Act::Compute(compute)];
        acts.extend(at_once(&directions));
        Box::new(Exchange {
            grid: Grid::open(&grid),
            directions,
            acts,
        })
    };
    let mut plan: Vec<Box<dyn Phase>> = cycle(spec)?.into_iter().map(exchange).collect();
    let bytes = spec.count("allreduce");
    if bytes > 0 {
        let comm = CommId::WORLD;
        plan.push(Box::new(Alike(vec![comm.allreduce(bytes)])));
    }
    Ok(phased(spec, context, plan, spec.count("iterations")))
}

#[cfg(test)]
mod tests {
    use super::{FINEST, growing};
    use crate::skeleton::grid::Grid;

    /// Messages and bytes of each exchange of the first cycle of the trace
    /// (`docs/workloads/amg.md`).
    const TRACE: [(usize, u64); 28] = [
        (3, 38_400),
        (3, 38_400),
        (6, 4_928),
        (6, 11_096),
        (6, 11_096),
        (6, 1_376),
        (7, 5_752),
        (7, 5_752),
        (6, 368),
        (7, 1_976),
        (7, 1_976),
        (4, 104),
        (13, 728),
        (13, 728),
        (5, 56),
        (11, 88),
        (11, 88),
        (11, 88),
        (4, 32),
        (13, 728),
        (4, 96),
        (7, 1_976),
        (5, 384),
        (7, 5_752),
        (6, 1_448),
        (6, 11_096),
        (6, 4_840),
        (3, 38_400),
    ];

    #[test]
    fn a_corner_of_three_by_three_by_three_sends_what_the_trace_has() {
        let grid = Grid::open(&[3, 3, 3]);
        let cycle = growing(6, 1);
        assert_eq!(cycle.len(), TRACE.len());
        let (mut messages, mut bytes) = (0, 0);
        for (number, (stencil, (published, load))) in cycle.iter().zip(TRACE).enumerate() {
            let sent = stencil.directions(FINEST);
            let sent = sent
                .iter()
                .filter(|one| grid.neighbour(0, &one.step).is_some());
            let (count, sum) = sent.fold((0, 0), |(count, sum), one| (count + 1, sum + one.bytes));
            assert!(published.abs_diff(count) <= 1, "exchange {number}: {count}");
            assert!(
                load.abs_diff(sum) * 100 <= load * 6 || load.abs_diff(sum) <= 24,
                "exchange {number}: {sum} B, {load} B in the trace"
            );
            messages += count;
            bytes += sum;
        }
        // 193 messages and 187,752 B in the trace.
        assert_eq!((messages, bytes), (190, 187_664));
    }

    #[test]
    fn payloads_are_in_proportion_to_the_finest() {
        let level = super::LEVELS[1].own;
        let bytes = |message| level.directions(message)[0].bytes;
        assert_eq!(
            (bytes(FINEST), bytes(2 * FINEST), bytes(100)),
            (128, 256, 1)
        );
    }
}
