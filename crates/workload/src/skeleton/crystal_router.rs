//! Crystal router: what is for the other half goes there, then for the other quarter, and so on.

use odonata_mpi::{Operation, Peer, Request};
use odonata_units::Span;

use super::WAIT_BEFORE;
use super::phase::{Cursor, Phase, RankIteration};
use super::phased::{compute_row, iterations_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

/// `partner`: the names of [`Partners`].
const PARTNERS: [&str; 2] = ["mirrored", "shifted"];
const TRACE: &str = "public trace of rank 0 of 10 (Crystal Router of DesignForward)";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "crystal-router",
    summary: "many to many in stages: every rank exchanges with one of the other half, of the other \
              quarter, and so on down to its neighbour",
    source: "Wang et al. 2018, section III-A and Fig. 2; gslib, crystal router (public sources); a \
             public trace of rank 0 of 10 (DesignForward)",
    parameters: &[
        ranks_row(1_000).source("Wang et al. 2018"),
        Parameter::bytes(
            "load",
            190_000,
            "payload that a rank sends in an iteration, in equal parts over the stages",
        )
        .at_least(1)
        .source("Fig. 2 of Wang et al. 2018: about 190 KB per rank; per iteration: the trace"),
        Parameter::derived(
            "message",
            Kind::Bytes,
            "payload of each stage; `load` over the number of stages if absent",
        ),
        Parameter::bytes(
            "length",
            4,
            "message in front of each payload, which says how long that is",
        )
        .at_least(1)
        .source(TRACE),
        Parameter::choice(
            "partner",
            &PARTNERS,
            PARTNERS[0],
            "who in the other half: the rank as far from its end, or as far from its beginning",
        )
        .source(TRACE),
        iterations_row(10).source("assumed: the length of the trace is not published"),
        compute_row(0, "computation before each stage").source("ignored in the study"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

/// Who of the other half a rank exchanges with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Partners {
    /// The first with the last, the second with the last but one.
    Mirrored,
    /// The first with the first of the upper half.
    Shifted,
}

/// Partners of a rank in a stage: its target, and its sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StagePartners {
    target: u32,
    sources: [Option<u32>; 2],
}

impl Partners {
    /// Stage `number` of `rank` among `size`; `None` behind the last one. Of an odd number of ranks
    /// the last of the lower half is alone: it sends to the first of the upper half.
    fn stage(self, rank: u32, size: u32, number: u32) -> Option<StagePartners> {
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
        if alone == Some(rank) {
            return Some(StagePartners {
                target: upper,
                sources: [None, None],
            });
        }
        let target = match self {
            Self::Mirrored => base + (base + count - 1 - rank),
            Self::Shifted if rank < upper => rank + lower,
            Self::Shifted => rank - lower,
        };
        Some(StagePartners {
            target,
            sources: [Some(target), alone.filter(|_| rank == upper)],
        })
    }
}

/// Stages of `size` ranks: how often the largest part can be halved.
const fn stages(size: u32) -> u32 {
    match size {
        0 | 1 => 0,
        _ => (size - 1).ilog2() + 1,
    }
}

struct Router {
    size: u32,
    partners: Partners,
    length: u64,
    bytes: u64,
    compute: Span,
}

impl Phase for Router {
    /// A length and a payload for each message, as the library sends them: receives, sends, wait.
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        loop {
            // Acts come in threes: computation, lengths, payloads.
            let number = cursor.act / 3;
            let stage = self.partners.stage(current.rank, self.size, number)?;
            let (tag, bytes) = match cursor.act % 3 {
                0 => {
                    cursor.act += 1;
                    return Some(Operation::Compute(self.compute));
                }
                1 => (0, self.length),
                _ => (1, self.bytes),
            };
            let at = cursor.at;
            cursor.at += 1;
            let receive = |source: Option<u32>, request| {
                Some(Peer::in_job(source?, tag).irecv(bytes, Request(request)))
            };
            let operation = match at {
                0 => receive(stage.sources[0], 0),
                1 => receive(stage.sources[1], 1),
                2 => Some(Peer::in_job(stage.target, tag).isend(bytes, Request(2))),
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
    let size = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let share = spec.count("load") / u64::from(stages(size).max(1));
    let router = Router {
        size,
        partners: match spec.text("partner").as_str() {
            "shifted" => Partners::Shifted,
            _ => Partners::Mirrored,
        },
        length: spec.count("length"),
        bytes: spec.optional_count("message").unwrap_or(share.max(1)),
        compute: spec.time("compute"),
    };
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(router)];
    Ok(phased(spec, context, plan, spec.count("iterations")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Partners, stages};

    const ALL: [Partners; 2] = [Partners::Mirrored, Partners::Shifted];

    #[test]
    fn everybody_reaches_everybody() {
        for (size, partners) in (1..40).flat_map(|size| ALL.map(|partners| (size, partners))) {
            // What rank 0 has spreads to all ranks, whoever is alone in its half.
            for number in 0.. {
                let stage = |rank| partners.stage(rank, size, number);
                let all: Vec<_> = (0..size).map(stage).collect();
                if all.iter().all(Option::is_none) {
                    assert_eq!(number, size.next_power_of_two().ilog2());
                    assert_eq!(number, stages(size));
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
    fn partners_are_those_of_the_trace() {
        let of = |partners: Partners| -> Vec<_> {
            (0..4)
                .map(|number| partners.stage(0, 10, number).unwrap().target)
                .collect()
        };
        assert_eq!(of(Partners::Mirrored), [9, 4, 2, 1]);
        assert_eq!(of(Partners::Shifted), [5, 3, 2, 1]);
        assert_eq!(Partners::Mirrored.stage(0, 10, 4), None);
    }

    #[test]
    fn the_last_stage_is_with_a_neighbour() {
        for partners in ALL {
            let apart: BTreeSet<u32> = (0..1_024)
                .map(|rank| partners.stage(rank, 1_024, 9).unwrap().target ^ rank)
                .collect();
            assert_eq!(apart, BTreeSet::from([1]));
            assert_eq!(partners.stage(5, 1_024, 10), None);
        }
    }
}
