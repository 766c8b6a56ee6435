//! Messages there and back between pairs of ranks.

use odonata_mpi::{Operation, Peer};
use odonata_units::Span;

use super::WAIT_BEFORE;
use super::phase::{Cursor, Phase, RankIteration};
use super::phased::{compute_row, iterations_row, message_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::Spec;

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "ping-pong",
    summary: "a message there and one back between each rank of the first half and one of the second",
    source: "De Sensi et al. 2019, section 3.2 and 5.1",
    parameters: &[
        ranks_row(2),
        iterations_row(1_000),
        message_row(1_024, "payload of each message"),
        compute_row(0, "computation before each message there"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

struct PingPong {
    /// Ranks of a half; the last of an odd number has no partner.
    half: u32,
    bytes: u64,
    compute: Span,
}

impl Phase for PingPong {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let bytes = self.bytes;
        let first = current.rank < self.half;
        if current.rank >= 2 * self.half {
            return None;
        }
        let partner = if first {
            current.rank + self.half
        } else {
            current.rank - self.half
        };
        let act = cursor.at;
        cursor.at += 1;
        let partner = Peer::in_job(partner, 0);
        match (act, first) {
            (0, true) => Some(Operation::Compute(self.compute)),
            (1, true) | (1, false) => Some(partner.send(bytes)),
            (0, false) | (2, true) => Some(partner.recv(bytes)),
            _ => None,
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of the registry")]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let ping_pong = PingPong {
        half: u32::try_from(context.nodes.len() / 2).unwrap_or(u32::MAX),
        bytes: spec.count("message"),
        compute: spec.time("compute"),
    };
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(ping_pong)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}
