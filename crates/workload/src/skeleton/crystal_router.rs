//! Crystal router: what is for the other half goes there, then for the other quarter, and so on.

use odonata_mpi::{CommId, Operation, Request};
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
    name: "crystal-router",
    summary: "many to many in stages: every rank exchanges with one of the other half, of the other \
              quarter, and so on down to its neighbour",
    source: "Wang et al. 2018, section III-A and Fig. 2; gslib, crystal router (public sources)",
    parameters: &[
        ranks_row(1_000).source("Wang et al. 2018"),
        message_row(190_000, "payload of each stage")
            .source("Fig. 2 of Wang et al. 2018: a constant load of about 190 KB per rank"),
        iterations_row(10).source("assumed: the length of the trace is not published"),
        compute_row(0, "computation before each stage").source("ignored in the study"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

/// What a rank does in a stage: whom it sends to, and whom it hears from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StagePartners {
    target: u32,
    sources: [Option<u32>; 2],
}

/// Stage `number` of `rank` among `size`; `None` behind the last one. Of an odd number of ranks the
/// lower half has one more, whose partner is the first of the upper half.
fn stage(rank: u32, size: u32, number: u32) -> Option<StagePartners> {
    let (mut base, mut count) = (0, size);
    for _ in 0..number {
        let lower = count.div_ceil(2);
        if rank < base + lower {
            count = lower;
        } else {
            (base, count) = (base + lower, count - lower);
        }
    }
    if count < 2 {
        return None;
    }
    let lower = count.div_ceil(2);
    let upper = base + lower;
    let alone = (count % 2 == 1).then(|| upper - 1);
    Some(if alone == Some(rank) {
        StagePartners {
            target: upper,
            sources: [None, None],
        }
    } else if rank < upper {
        StagePartners {
            target: rank + lower,
            sources: [Some(rank + lower), None],
        }
    } else {
        StagePartners {
            target: rank - lower,
            sources: [Some(rank - lower), alone.filter(|_| rank == upper)],
        }
    })
}

struct Router {
    size: u32,
    bytes: u64,
    compute: Span,
}

impl Phase for Router {
    /// A size and a payload for each message, as the library sends them: receives, sends, wait.
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        const SIZE_BYTES: u64 = 8;
        let comm = CommId::WORLD;
        loop {
            // Acts come in threes: computation, sizes, payloads.
            let stage = stage(current.rank, self.size, cursor.act / 3)?;
            let (tag, bytes) = match cursor.act % 3 {
                0 => {
                    cursor.act += 1;
                    return Some(Operation::Compute(self.compute));
                }
                1 => (0, SIZE_BYTES),
                _ => (1, self.bytes),
            };
            let at = cursor.at;
            cursor.at += 1;
            let receive = |source: Option<u32>, request| {
                Some(Operation::Irecv {
                    comm,
                    source: Some(source?),
                    tag: Some(tag),
                    bytes,
                    request: Request(request),
                })
            };
            let operation = match at {
                0 => receive(stage.sources[0], 0),
                1 => receive(stage.sources[1], 1),
                2 => Some(Operation::Isend {
                    comm,
                    target: stage.target,
                    tag,
                    bytes,
                    request: Request(2),
                }),
                3 => Some(Operation::WaitAll((0..3).map(Request).collect())),
                _ => {
                    (cursor.act, cursor.at) = (cursor.act + 1, 0);
                    None
                }
            };
            if operation.is_some() {
                return operation;
            }
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of the registry")]
fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let router = Router {
        size: u32::try_from(context.nodes.len()).unwrap_or(u32::MAX),
        bytes: spec.count("message"),
        compute: spec.time("compute"),
    };
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(router)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::stage;

    #[test]
    fn everybody_reaches_everybody() {
        for size in 1..40 {
            // What rank 0 has spreads to all ranks, whoever is alone in its half.
            for number in 0.. {
                let all: Vec<_> = (0..size).map(|rank| stage(rank, size, number)).collect();
                if all.iter().all(Option::is_none) {
                    assert_eq!(number, size.next_power_of_two().ilog2());
                    break;
                }
                for (rank, stage) in (0..).zip(&all) {
                    let Some(stage) = stage else { continue };
                    let heard = all[stage.target as usize].as_ref().unwrap();
                    assert!(
                        heard.sources.contains(&Some(rank)),
                        "{size} ranks, stage {number}"
                    );
                }
                let sent: usize = all.iter().flatten().count();
                let heard = all.iter().flatten().flat_map(|one| one.sources).flatten();
                assert_eq!(heard.count(), sent);
            }
        }
    }

    #[test]
    fn the_last_stage_is_with_a_neighbour() {
        let partners: BTreeSet<u32> = (0..1_024)
            .map(|rank| stage(rank, 1_024, 9).unwrap().target ^ rank)
            .collect();
        assert_eq!(partners, BTreeSet::from([1]));
        assert_eq!(stage(5, 1_024, 10), None);
    }
}
