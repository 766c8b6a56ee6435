//! Lattice quantum chromodynamics: first and third neighbours on an open 4-D grid, twice, and sums.

use odonata_mpi::{CommId, Operation};

use super::WAIT_BEFORE;
use super::exchange::{Act, Direction, Exchange, faces};
use super::grid::{Grid, by};
use super::phase::{Alike, Phase};
use super::phased::{compute_row, iterations_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

/// Directions of a 4-D grid in space and time.
const AXES: usize = 4;
const STUDY: [u64; AXES] = [72, 84, 88, 128];
/// A vector of three complex numbers.
const VECTOR_BYTES: u64 = 48;

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "lqcd",
    summary: "lattice quantum chromodynamics: gathers from first and third neighbours on a 4-D grid \
              for even and odd sites, then two allreduces of 8 B",
    source: "Kang et al. 2022, Table I (LQCD); Ember motif LQCD",
    parameters: &[
        ranks_row(528),
        Parameter::derived(
            "lattice",
            Kind::Counts,
            "sites along x, y, z, t; 72, 84, 88, 128 if absent. How ranks share them follows",
        )
        .at_least(1)
        .source("recovered: of two that meet the bytes of Table I the one that meets its peak ingress volume and its time"),
        iterations_row(3).source("with the lattice"),
        compute_row(
            0,
            "computation of each of five segments: four products and the residual",
        ),
        Parameter::boolean(
            "overlap",
            false,
            "whether all messages are under way at once, or blocking sends follow each other (Ember)",
        ),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

type Lattice = [u64; AXES];

/// How many ranks share each side of the lattice: the prime factors of the ranks, from the largest
/// on, each divide the longest side that they divide, one that was divided before if there are
/// several (the layout of MILC).
fn layout(lattice: Lattice, ranks: u64) -> Option<Lattice> {
    let (mut local, mut grid) = (lattice, [1; AXES]);
    for prime in primes(ranks) {
        let fits = |side: &u64| side.is_multiple_of(prime);
        let longest = local.iter().copied().filter(fits).max()?;
        let equal = |axis: &usize| local[*axis] == longest;
        let axis = (0..AXES)
            .find(|axis| equal(axis) && grid[*axis] > 1)
            .or_else(|| (0..AXES).find(equal))?;
        local[axis] /= prime;
        grid[axis] *= prime;
    }
    Some(grid)
}

/// Prime factors, descending.
fn primes(mut of: u64) -> Vec<u64> {
    let mut found = Vec::new();
    let mut prime = 2;
    while prime * prime <= of {
        while of.is_multiple_of(prime) {
            found.push(prime);
            of /= prime;
        }
        prime += 1;
    }
    if of > 1 {
        found.push(of);
    }
    found.reverse();
    found
}

/// Entries 0..4: first neighbours upwards, 4..8: third neighbours upwards, 8..12 and 12..16: the
/// same downwards. Half of the sites of a face are of one parity; of the three planes that the
/// third neighbours need, one has gone with the first.
fn gathers(lattice: Lattice, grid: Lattice) -> Vec<Direction> {
    let local: Vec<u64> = lattice
        .iter()
        .zip(grid)
        .map(|(all, ranks)| all / ranks)
        .collect();
    let volume: u64 = local.iter().product();
    let steps = faces(AXES, 0);
    let mut all = Vec::with_capacity(4 * AXES);
    for upwards in [true, false] {
        for third in [false, true] {
            for axis in 0..AXES {
                // Downwards the motif goes from t to x.
                let axis = if upwards { axis } else { AXES - 1 - axis };
                let direction = steps[2 * axis + usize::from(upwards)];
                let sites = volume / local[axis] * if third { 2 } else { 1 } / 2;
                let tags = if third { 8 } else { 0 };
                all.push(Direction {
                    bytes: sites * VECTOR_BYTES,
                    sent: direction.sent + tags,
                    received: direction.received + tags,
                    ..direction
                });
            }
        }
    }
    all
}

fn acts(spec: &Spec<'_>) -> Vec<Act> {
    let mut acts = Vec::new();
    let overlap = spec.boolean("overlap");
    for quarter in [0..4, 4..8, 8..12, 12..16] {
        acts.push(Act::Receive(quarter.clone()));
        acts.push(if overlap {
            Act::Isend(quarter)
        } else {
            Act::Send(quarter)
        });
    }
    for half in [0..8, 8..16] {
        acts.push(Act::Wait(half.clone()));
        if overlap {
            acts.push(Act::WaitSends(half));
        }
        acts.push(Act::Compute(spec.time("compute")));
    }
    acts
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let given = spec.counts("lattice").unwrap_or_else(|| STUDY.to_vec());
    let Ok(lattice) = Lattice::try_from(given) else {
        return Err(spec.wrong("lattice", "four numbers of sites, along x, y, z and t"));
    };
    if lattice.iter().any(|&sites| sites > 1 << 12) {
        return Err(spec.wrong("lattice", "at most 4096 sites along each direction"));
    }
    let ranks = context.nodes.len() as u64;
    let Some(grid) = layout(lattice, ranks) else {
        return Err(spec.impossible(format!(
            "a lattice of {} sites cannot be shared by {ranks} ranks; each prime factor of `ranks` \
             must divide a side of `lattice`: {:?}",
            by(&lattice),
            primes(ranks)
        )));
    };
    let directions = gathers(lattice, grid);
    let exchange = || -> Box<dyn Phase> {
        Box::new(Exchange {
            grid: Grid::open(&grid),
            directions: directions.clone(),
            acts: acts(spec),
        })
    };
    let sum = || CommId::WORLD.allreduce(8);
    let sums = vec![sum(), Operation::Compute(spec.time("compute")), sum()];
    let plan: Vec<Box<dyn Phase>> = vec![exchange(), exchange(), Box::new(Alike(sums))];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}

#[cfg(test)]
mod tests {
    use super::{STUDY, layout};

    #[test]
    fn ranks_share_the_longest_sides() {
        assert_eq!(layout(STUDY, 528), Some([4, 3, 11, 4]));
        assert_eq!(layout([84, 88, 88, 168], 528), Some([2, 11, 4, 6]));
        assert_eq!(layout([32; 4], 256), Some([4; 4]));
        assert_eq!(layout(STUDY, 13), None);
        assert_eq!(layout(STUDY, 1), Some([1; 4]));
    }
}
