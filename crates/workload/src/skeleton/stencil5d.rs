//! Exchange with up to ten neighbours on a 5-D grid.

use super::WAIT_BEFORE;
use super::exchange::{Act, Direction, at_once, faces};
use super::grid::{DIMENSIONS, sides};
use super::phased::{GRID_RANKS, compute_row, iterations_row, message_row, stencil};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

const STUDY: [u64; DIMENSIONS] = [2, 2, 3, 4, 11];

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "stencil5d",
    summary: "exchange of large messages with up to ten neighbours on an open 5-D grid",
    source: "Kang et al. 2022, Table I (Stencil5D); Ember motif StencilNd of its authors",
    parameters: &[
        GRID_RANKS,
        Parameter::derived(
            "grid",
            Kind::Counts,
            "ranks along five directions, first fastest; the most even grid of the ranks, or \
             2, 2, 3, 4, 11 if absent",
        )
        .at_least(1),
        iterations_row(2).source("recovered from Table I"),
        message_row(1_400_000, "payload to each neighbour")
            .source("recovered from Table I: 14.0 MB are ten messages"),
        compute_row(2_000_000_000, "computation before each exchange")
            .source("not published; makes the execution time that of Table I"),
        Parameter::boolean(
            "overlap",
            false,
            "whether all messages are under way at once, or blocking sends follow each other (Ember)",
        ),
        Parameter::boolean(
            "reduction",
            false,
            "whether an allreduce of 8 B ends each iteration",
        )
        .source("recovered: in the study ranks at the edge of the grid end earlier (V-C)"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| Ok(sides(spec, "grid", &STUDY)?.1),
    build,
};

/// The directions up first, then those down.
fn up_then_down(bytes: u64) -> Vec<Direction> {
    let (down, up): (Vec<_>, Vec<_>) = faces(DIMENSIONS, bytes)
        .into_iter()
        .partition(|direction| direction.step.iter().any(|&by| by < 0));
    [up, down].concat()
}

/// Receives from above, sends there one after the other, the same below, then all receives: what
/// the motif does. A send waits for a receive that its target posts only when it turns downwards,
/// so that the exchange runs over the grid as a wave.
fn in_turn() -> Vec<Act> {
    vec![
        Act::Receive(0..5),
        Act::Send(0..5),
        Act::Receive(5..10),
        Act::Send(5..10),
        Act::Wait(0..10),
    ]
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let directions = up_then_down(spec.count("message"));
    let exchange = if spec.boolean("overlap") {
        at_once(&directions)
    } else {
        in_turn()
    };
    Ok(stencil(spec, context, &grid, directions, exchange))
}
