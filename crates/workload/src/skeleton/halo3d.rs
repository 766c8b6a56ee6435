//! Nearest-neighbour exchange on a grid of ranks.

use odonata_mpi::{CommId, Operation, Peer, Request};

use super::grid::sides;
use super::scaled::{SIZE_SCALE, Scale, Scaled};
use super::{Fixed, Repeat, WAIT_BEFORE, ranks};
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

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let (grid, _) = sides(spec, "grid", &STUDY)?;
    let (wait, iterations) = (spec.time("wait_before"), spec.count("iterations"));
    let scale = Scale::of(spec);
    let body = |rank: u32| {
        let mut steps = vec![Operation::Compute(spec.time("compute"))];
        let mut faces = Vec::new();
        let mut stride = 1;
        for &side in &grid {
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
            steps.push(CommId::WORLD.allreduce(8));
        }
        Fixed::new(steps)
    };
    Ok(ranks(context, |rank| {
        (
            Repeat::new(Scaled::new(body(rank), scale), wait, iterations),
            Vec::new(),
        )
    }))
}

/// Along one dimension: both receives are posted, both sends block in turn, then both receives
/// are awaited in turn.
fn exchange(steps: &mut Vec<Operation>, bytes: u64, neighbours: [Option<u32>; 2]) {
    let tag = 0;
    let both = || (0..).map(Request).zip(neighbours);
    let there = || both().filter_map(|(request, rank)| Some((request, rank?)));
    for (request, rank) in there() {
        steps.push(Peer::in_job(rank, tag).irecv(bytes, request));
    }
    for (_, target) in there() {
        steps.push(Peer::in_job(target, tag).send(bytes));
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
    let tag = 0;
    let receives = (0..).map(Request).zip(neighbours.clone());
    let first_send = u32::try_from(neighbours.clone().count()).unwrap_or(u32::MAX);
    let sends = (first_send..).map(Request).zip(neighbours);
    for (request, source) in receives.clone() {
        steps.push(Peer::in_job(source, tag).irecv(bytes, request));
    }
    for (request, target) in sends.clone() {
        steps.push(Peer::in_job(target, tag).isend(bytes, request));
    }
    let requests = receives.chain(sends).map(|(request, _)| request);
    steps.push(Operation::WaitAll(requests.collect()));
}
