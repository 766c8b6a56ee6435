//! Nearest-neighbour exchange on a grid of ranks.

use super::WAIT_BEFORE;
use super::exchange::{Act, Direction, at_once, faces};
use super::grid::sides;
use super::phased::stencil;
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; 3] = [6, 8, 11];

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "halo3d",
    summary: "exchange with all neighbours on a 3-D grid, or with those of one dimension after the other",
    source: "Kang et al. 2022, Table I (Halo3D); Ember motif Halo3D",
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
            "ranks along x, y, z, x fastest; the most cubic grid of the ranks if absent",
        )
        .at_least(1),
        Parameter::bytes("face", 191_944, "payload to each neighbour").at_least(1),
        Parameter::count("iterations", 90, "iterations").at_least(1),
        Parameter::time(
            "compute",
            9_000_000,
            "computation per iteration; by default what makes the execution time that of the study",
        ),
        Parameter::boolean(
            "reduction",
            false,
            "whether an allreduce of 8 B ends each iteration",
        ),
        Parameter::boolean(
            "overlap",
            true,
            "whether all faces are under way at once, or one dimension after the other (Ember)",
        ),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// Along one dimension after the other: both receives are posted, both sends block in turn, then
/// both receives are awaited in turn.
fn by_dimension() -> Vec<Act> {
    let both = |dimension: u32| 2 * dimension..2 * (dimension + 1);
    (0..3)
        .map(both)
        .flat_map(|both| {
            [
                Act::Receive(both.clone()),
                Act::Send(both.clone()),
                Act::Wait(both),
            ]
        })
        .collect()
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    // No two ranks of an open grid are neighbours twice, so that one tag is enough.
    let one_tag = |direction| Direction {
        sent: 0,
        received: 0,
        ..direction
    };
    let directions = faces(STUDY.len(), spec.count("face"));
    let directions: Vec<_> = directions.into_iter().map(one_tag).collect();
    let exchange = if spec.boolean("overlap") {
        at_once(&directions)
    } else {
        by_dimension()
    };
    Ok(stencil(spec, context, &grid, directions, exchange))
}
