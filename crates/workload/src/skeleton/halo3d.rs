//! Nearest-neighbour exchange on a grid of ranks.

use std::collections::BTreeMap;

use odonata_mpi::{CommId, Operation, Request};

use super::{Fixed, Repeat, WAIT_BEFORE, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Default, Kind, Parameter, Spec};
use crate::trace::table::TraceTable;

const DEFAULT_RANKS: u64 = 528;

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "halo3d",
    summary: "exchange with all neighbours on a 3-D grid, or with those of one dimension after the other",
    source: "Kang et al. 2022, Table I (Halo3D); Ember motif Halo3D",
    parameters: &[
        Parameter::new(
            "ranks",
            Kind::Count,
            Default::Derived,
            "ranks of the job; the product of the grid if absent, 528 if that is absent too",
        )
        .at_least(1),
        Parameter::new(
            "grid",
            Kind::Counts,
            Default::Derived,
            "ranks along x, y, z, x fastest; the most cubic grid of the ranks if absent",
        )
        .at_least(1),
        Parameter::new(
            "face",
            Kind::Bytes,
            Default::Count(191_944),
            "payload to each neighbour",
        )
        .at_least(1),
        Parameter::new("iterations", Kind::Count, Default::Count(90), "iterations"),
        Parameter::new(
            "compute",
            Kind::Time,
            Default::Count(9_000_000),
            "computation per iteration; by default what makes the execution time that of the study",
        ),
        Parameter::new(
            "reduction",
            Kind::Boolean,
            Default::Boolean(false),
            "whether an allreduce of 8 B ends each iteration",
        ),
        Parameter::new(
            "overlap",
            Kind::Boolean,
            Default::Boolean(true),
            "whether all faces are under way at once, or one dimension after the other (Ember)",
        ),
        WAIT_BEFORE,
    ],
    ranks: count,
    build,
};

/// The three factors of `ranks` that are closest together, ascending.
fn most_cubic(ranks: u64) -> [u64; 3] {
    let mut best = [1, 1, ranks];
    let spread = |grid: &[u64; 3]| grid[2] - grid[0];
    for first in (1..)
        .take_while(|&a| a * a * a <= ranks)
        .filter(|&a| ranks.is_multiple_of(a))
    {
        let rest = ranks / first;
        let seconds = (first..).take_while(|&b| b * b <= rest);
        for second in seconds.filter(|&b| rest.is_multiple_of(b)) {
            let grid = [first, second, rest / second];
            if spread(&grid) < spread(&best) {
                best = grid;
            }
        }
    }
    best
}

/// The grid, and its number of ranks.
fn grid(spec: &Spec<'_>) -> Result<([u64; 3], u64), WorkloadError> {
    let ranks = spec.optional_count("ranks");
    let Some(list) = spec.counts("grid") else {
        let ranks = ranks.unwrap_or(DEFAULT_RANKS);
        return Ok((most_cubic(ranks), ranks));
    };
    let Ok(grid) = <[u64; 3]>::try_from(list) else {
        return Err(spec.wrong("grid", "three numbers of ranks, along x, y and z"));
    };
    let product = grid
        .iter()
        .try_fold(1_u64, |product, &side| product.checked_mul(side));
    let Some(product) = product else {
        return Err(spec.wrong("grid", "a grid of at most 4294967295 ranks"));
    };
    if let Some(ranks) = ranks
        && ranks != product
    {
        let [x, y, z] = grid;
        let [a, b, c] = most_cubic(ranks);
        return Err(spec.impossible(format!(
            "a grid of {x} x {y} x {z} has {product} ranks, not {ranks}; leave `ranks` out, or \
             use for example grid = [{a}, {b}, {c}]"
        )));
    }
    Ok((grid, product))
}

fn count(
    spec: &Spec<'_>,
    _available: u32,
    _traces: &BTreeMap<String, TraceTable>,
) -> Result<u32, WorkloadError> {
    let (_, ranks) = grid(spec)?;
    spec.fit("ranks", ranks)
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = grid(spec)?;
    let (wait, iterations) = (spec.time("wait_before"), spec.count("iterations"));
    let body = |rank: u32| {
        let mut steps = vec![Operation::Compute(spec.time("compute"))];
        let mut faces = Vec::new();
        let mut stride = 1;
        for side in grid {
            let position = u64::from(rank) / stride % side;
            let stride_ranks = u32::try_from(stride).unwrap_or(u32::MAX);
            let down = (position > 0).then(|| rank - stride_ranks);
            let up = (position + 1 < side).then(|| rank + stride_ranks);
            faces.push([down, up]);
            stride *= side;
        }
        let bytes = spec.count("face");
        if spec.boolean("overlap") {
            exchange_at_once(&mut steps, bytes, faces.concat().into_iter().flatten());
        } else {
            for neighbours in faces {
                exchange(&mut steps, bytes, neighbours);
            }
        }
        if spec.boolean("reduction") {
            steps.push(Operation::Allreduce {
                comm: CommId::WORLD,
                bytes: 8,
            });
        }
        Fixed(steps)
    };
    Ok(ranks(context, |rank| {
        (Repeat::new(body(rank), wait, iterations), Vec::new())
    }))
}

/// Along one dimension: both receives are posted, both sends block in turn, then both receives
/// are awaited in turn.
fn exchange(steps: &mut Vec<Operation>, bytes: u64, neighbours: [Option<u32>; 2]) {
    let (comm, tag) = (CommId::WORLD, 0);
    let both = || (0..).map(Request).zip(neighbours);
    let there = || both().filter_map(|(request, rank)| Some((request, rank?)));
    for (request, rank) in there() {
        steps.push(Operation::Irecv {
            comm,
            source: Some(rank),
            tag: Some(tag),
            bytes,
            request,
        });
    }
    for (_, target) in there() {
        steps.push(Operation::Send {
            comm,
            target,
            tag,
            bytes,
        });
    }
    for (request, _) in there() {
        steps.push(Operation::Wait(request));
    }
}

/// With all neighbours: all receives are posted, then all sends, and all are awaited together.
fn exchange_at_once(
    steps: &mut Vec<Operation>,
    bytes: u64,
    neighbours: impl Iterator<Item = u32> + Clone,
) {
    let (comm, tag) = (CommId::WORLD, 0);
    let receives = (0..).map(Request).zip(neighbours.clone());
    let first_send = u32::try_from(neighbours.clone().count()).unwrap_or(u32::MAX);
    let sends = (first_send..).map(Request).zip(neighbours);
    for (request, source) in receives.clone() {
        steps.push(Operation::Irecv {
            comm,
            source: Some(source),
            tag: Some(tag),
            bytes,
            request,
        });
    }
    for (request, target) in sends.clone() {
        steps.push(Operation::Isend {
            comm,
            target,
            tag,
            bytes,
            request,
        });
    }
    let requests = receives.chain(sends).map(|(request, _)| request);
    steps.push(Operation::WaitAll(requests.collect()));
}

#[cfg(test)]
mod tests {
    use super::most_cubic;

    #[test]
    fn grids_are_as_cubic_as_the_factors_allow() {
        for (ranks, grid) in [
            (528, [6, 8, 11]),
            (512, [8, 8, 8]),
            (7, [1, 1, 7]),
            (1, [1, 1, 1]),
            (12, [2, 2, 3]),
            (36, [3, 3, 4]),
        ] {
            assert_eq!(most_cubic(ranks), grid);
        }
    }
}
