//! Layered all-broadcast: every layer of a network is exchanged by everybody with everybody.

use odonata_mpi::{CommId, Operation, Peer, Request};

use super::WAIT_BEFORE;
use super::phase::{Alike, Cursor, Phase, RankIteration};
use super::phased::{compute_row, iterations_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Parameter, Spec};

const INPUT: &str = "SWM-workloads, layered_allbroadcast/layered_allbcast.json";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "layered-allbcast",
    summary: "training by layers: for each layer a piece of its gradient and one of its weights from \
              everybody to everybody, then an allreduce of 32 B",
    source: "SWM-workloads, layered_allbroadcast (public sources)",
    parameters: &[
        ranks_row(32).source(INPUT),
        iterations_row(10).source(INPUT),
        Parameter::count("layers", 50, "layers")
            .within(0.0, 1_000.0)
            .source(INPUT),
        Parameter::bytes("first_layer", 8_192, "weights of the first layer").source(INPUT),
        Parameter::number(
            "growth",
            1.12,
            "size of a layer over that of the layer before",
        )
        .within(0.0, 100.0)
        .source(INPUT),
        Parameter::number("compression", 32.0, "weights over gradient")
            .within(1e-3, 1e9)
            .source(INPUT),
        compute_row(0, "computation of each layer"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

/// Everybody sends to everybody, all messages at once.
struct Everyone {
    size: u32,
    tag: u32,
    bytes: u64,
}

impl Phase for Everyone {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let (tag, bytes) = (self.tag, self.bytes);
        if cursor.at == u64::from(current.rank) {
            cursor.at += 1;
        }
        if cursor.at >= u64::from(self.size) {
            (cursor.act, cursor.at) = (cursor.act + 1, u64::from(current.rank == 0));
        }
        let peer = u32::try_from(cursor.at).unwrap_or(u32::MAX);
        let all = |first: u32| {
            let others = (0..self.size).filter(|&other| other != current.rank);
            Operation::WaitAll(others.map(|other| Request(2 * other + first)).collect())
        };
        cursor.at += 1;
        match cursor.act {
            _ if self.size == 1 => None,
            0 => Some(Peer::in_job(peer, tag).irecv(bytes, Request(2 * peer))),
            1 => Some(Peer::in_job(peer, tag).isend(bytes, Request(2 * peer + 1))),
            2 | 3 => {
                let first = 3 - cursor.act;
                (cursor.act, cursor.at) = (cursor.act + 1, u64::from(current.rank == 0));
                Some(all(first))
            }
            _ => None,
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are cut to whole bytes, as the original does"
)]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let size = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let (growth, compression) = (spec.ratio("growth"), spec.ratio("compression"));
    let mut plan: Vec<Box<dyn Phase>> = Vec::new();
    let mut next = spec.count("first_layer") as f64;
    for layer in 0..spec.count("layers") {
        let weights = next;
        next *= growth;
        if weights > 1e15 {
            return Err(spec.impossible(format!(
                "layer {layer} has {weights:.1e} B; lower `growth`, `layers` or `first_layer`"
            )));
        }
        let piece = |bytes: f64, tag| -> Box<dyn Phase> {
            Box::new(Everyone {
                size,
                tag,
                bytes: (bytes / f64::from(size)) as u64,
            })
        };
        plan.push(Box::new(Alike(vec![Operation::Compute(
            spec.time("compute"),
        )])));
        plan.push(piece(weights / compression, 0));
        plan.push(piece(weights, 1));
    }
    plan.push(Box::new(Alike(vec![CommId::WORLD.allreduce(32)])));
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
