//! Lattice quantum chromodynamics: halo exchange on a periodic 4-D grid, half by half, and sums.

use odonata_mpi::{CommId, Operation, Peer, Request};

use super::grid::sides;
use super::scaled::{SIZE_SCALE, Scale, Scaled};
use super::{Fixed, Repeat, WAIT_BEFORE, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const DIMENSIONS: usize = 4;
const STUDY: LatticeSides = [3, 4, 4, 11];

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "milc",
    summary: "lattice quantum chromodynamics: two half exchanges with the 8 neighbours on a \
              periodic 4-D grid, then two allreduces of 8 B",
    source: "SWM-workloads, milc (public sources); parameters of MFNetSim, Wang et al. 2025",
    parameters: &[
        Parameter::derived(
            "ranks",
            Kind::Count,
            "ranks of the job; the product of the grid if absent, 528 if that is absent too",
        )
        .at_least(1),
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along x, y, z, t, x fastest; the most even grid of the ranks if absent",
        )
        .at_least(1),
        Parameter::bytes(
            "message",
            497_664,
            "payload to each neighbour in each half; 1.5 L^4 for L^4 sites per rank, L = 24",
        ),
        Parameter::count("iterations", 100, "iterations").at_least(1),
        Parameter::time(
            "compute",
            25_000,
            "computation of each half, while its messages travel",
        ),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

type LatticeSides = [u64; DIMENSIONS];

/// Neighbours of `rank`, the lower and the upper one of each dimension in turn; none in a
/// dimension of one rank, the same one twice in a dimension of two.
fn neighbours(rank: u32, grid: LatticeSides) -> Vec<Neighbour> {
    let mut found = Vec::with_capacity(2 * DIMENSIONS);
    let mut stride = 1;
    for (dimension, side) in (0..).zip(grid) {
        let position = u64::from(rank) / stride % side;
        let at = |other: u64| {
            let rank = u64::from(rank) - position * stride + other * stride;
            u32::try_from(rank).unwrap_or(u32::MAX)
        };
        if side > 1 {
            for (direction, step) in [(0, side - 1), (1, 1)] {
                found.push(Neighbour {
                    rank: at((position + step) % side),
                    sent: 2 * dimension + direction,
                    received: 2 * dimension + 1 - direction,
                });
            }
        }
        stride *= side;
    }
    found
}

/// A neighbour, and the tags of what goes to it and comes from it: one per direction of travel, so
/// that messages between two ranks that are neighbours twice are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Neighbour {
    rank: u32,
    sent: u32,
    received: u32,
}

/// All receives and sends are posted, then computation, then the sends and the receives are
/// awaited.
fn half(spec: &Spec<'_>, neighbours: &[Neighbour]) -> Vec<Operation> {
    let bytes = spec.count("message");
    let count = u32::try_from(neighbours.len()).unwrap_or(u32::MAX);
    let (receives, sends) = (0..count, count..2 * count);
    let mut steps = Vec::with_capacity(2 * neighbours.len() + 3);
    for (request, neighbour) in receives.clone().zip(neighbours) {
        steps.push(Peer::in_job(neighbour.rank, neighbour.received).irecv(bytes, Request(request)));
    }
    for (request, neighbour) in sends.clone().zip(neighbours) {
        steps.push(Peer::in_job(neighbour.rank, neighbour.sent).isend(bytes, Request(request)));
    }
    steps.push(Operation::Compute(spec.time("compute")));
    steps.push(Operation::WaitAll(sends.map(Request).collect()));
    steps.push(Operation::WaitAll(receives.map(Request).collect()));
    steps
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let grid = LatticeSides::try_from(grid).unwrap_or(STUDY);
    let (wait, iterations) = (spec.time("wait_before"), spec.count("iterations"));
    let scale = Scale::of(spec);
    let sum = || CommId::WORLD.allreduce(8);
    let body = |rank: u32| {
        let even = half(spec, &neighbours(rank, grid));
        let mut steps = even.clone();
        steps.extend(even);
        steps.extend([sum(), sum()]);
        Fixed::new(steps)
    };
    Ok(ranks(context, |rank| {
        (
            Repeat::new(Scaled::new(body(rank), scale), wait, iterations),
            Vec::new(),
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::neighbours;

    #[test]
    fn neighbours_wrap_around_and_see_each_other() {
        let ranks = |rank, grid| -> Vec<u32> {
            neighbours(rank, grid).iter().map(|one| one.rank).collect()
        };
        assert_eq!(ranks(0, [3, 4, 5, 5]), [2, 1, 9, 3, 48, 12, 240, 60]);
        assert_eq!(ranks(1, [3, 1, 2, 1]), [0, 2, 4, 4]);
        let grid = [3, 2, 1, 4];
        for rank in 0..24 {
            for there in neighbours(rank, grid) {
                let mut back = neighbours(there.rank, grid).into_iter();
                assert!(back.any(|one| one.rank == rank && one.received == there.sent));
            }
        }
    }
}
