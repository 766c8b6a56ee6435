//! GPCNeT: victims and congestors of the benchmark that tells what congestion does to a network.

use odonata_mpi::{CommId, Operation, Peer, Request};

use super::WAIT_BEFORE;
use super::phase::{Alike, Cursor, Partner, Phase, RankIteration};
use super::phased::{iterations_row, message_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::permutation::{Permutation, PermutationKey};
use crate::spec::{Kind, Parameter, Spec};

const SOURCE: &str = "GPCNeT 1.3 (Chunduri et al. 2019; public sources)";
/// Messages of a congestor's pass, by the ranks that share them.
const PASS: u64 = 512 * 32;
/// Gets of each rank in a pass.
const GETS: u64 = 512;

const RINGS: Parameter = Parameter::count("rings", 30, "random rings, one after the other")
    .within(1.0, 1_000_000.0)
    .source(SOURCE);

const fn pass_row(meaning: &'static str) -> Parameter {
    Parameter::derived("iterations", Kind::Count, meaning)
        .source(SOURCE)
        .at_least(1)
}

pub(crate) const LATENCY: WorkloadEntry = WorkloadEntry {
    name: "gpcnet-latency",
    summary: "victim: 8 B to both neighbours in a random ring, and from them; the latency is half \
              the time of an iteration",
    source: SOURCE,
    parameters: &[
        ranks_row(64),
        RINGS,
        iterations_row(100).source("assumed: iterations of a ring"),
        message_row(8, "payload").source(SOURCE),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        Ok(ring(
            spec,
            context,
            Rings {
                in_flight: 1,
                ends_with_a_barrier: false,
            },
        ))
    },
};

pub(crate) const BANDWIDTH: WorkloadEntry = WorkloadEntry {
    name: "gpcnet-bandwidth",
    summary: "victim: eight messages of 131,072 B to each neighbour in a random ring, and from it, \
              then a barrier; the bandwidth is what a rank sends over the time of an iteration",
    source: SOURCE,
    parameters: &[
        ranks_row(64),
        RINGS,
        iterations_row(8).source("assumed: iterations of a ring"),
        message_row(131_072, "payload of each message").source(SOURCE),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        Ok(ring(
            spec,
            context,
            Rings {
                in_flight: 8,
                ends_with_a_barrier: true,
            },
        ))
    },
};

pub(crate) const ALLREDUCE: WorkloadEntry = WorkloadEntry {
    name: "gpcnet-allreduce",
    summary: "victim: allreduce of 8 B; the latency is the time of an iteration",
    source: SOURCE,
    parameters: &[
        ranks_row(64),
        iterations_row(1_000).source("assumed"),
        message_row(8, "payload").source(SOURCE),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let sum = CommId::WORLD.allreduce(spec.count("message"));
        let plan: Vec<Box<dyn Phase>> = vec![Box::new(Alike(vec![sum]))];
        Ok(phased(spec, context, plan, spec.count("iterations")))
    },
};

pub(crate) const ALLTOALL: WorkloadEntry = WorkloadEntry {
    name: "gpcnet-alltoall",
    summary: "congestor: 4,096 B exchanged with every rank in turn, without a barrier",
    source: SOURCE,
    parameters: &[
        ranks_row(64),
        pass_row("iterations of a pass; 16,384 over the ranks if absent, at least one"),
        message_row(4_096, "payload of each message").source(SOURCE),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| Ok(congestor(spec, context, Congestor::Alltoall)),
};

pub(crate) const INCAST: WorkloadEntry = WorkloadEntry {
    name: "gpcnet-incast",
    summary: "congestor: every rank sends 4,096 B to rank 0, which posts all receives and waits",
    source: SOURCE,
    parameters: &[
        ranks_row(64),
        pass_row("iterations of a pass; 16,384 over the ranks if absent, at least one"),
        message_row(4_096, "payload of each message").source(SOURCE),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| Ok(congestor(spec, context, Congestor::Incast)),
};

pub(crate) const PUT: WorkloadEntry = WorkloadEntry {
    name: "gpcnet-put-incast",
    summary: "congestor: every rank puts 4,096 B into the memory of rank 0 and flushes",
    source: SOURCE,
    parameters: &[
        ranks_row(64),
        pass_row("iterations of a pass; 16,384 over the ranks if absent, at least one"),
        message_row(4_096, "payload of each put").source(SOURCE),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| Ok(congestor(spec, context, Congestor::Put)),
};

pub(crate) const GET: WorkloadEntry = WorkloadEntry {
    name: "gpcnet-get-bcast",
    summary: "congestor: every rank gets 4,096 B from the memory of rank 0 and flushes",
    source: SOURCE,
    parameters: &[
        ranks_row(64),
        pass_row("iterations of a pass; 512 if absent"),
        message_row(4_096, "payload of each get").source(SOURCE),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| Ok(congestor(spec, context, Congestor::Get)),
};

/// Classes of congestors.
#[derive(Clone, Copy)]
enum Congestor {
    Alltoall,
    Incast,
    Put,
    Get,
}

fn size(context: &JobContext<'_>) -> u32 {
    u32::try_from(context.nodes.len()).unwrap_or(u32::MAX)
}

/// How the ranks of a ring exchange.
#[derive(Clone, Copy)]
struct Rings {
    /// Messages per neighbour and direction that are under way at once.
    in_flight: u32,
    ends_with_a_barrier: bool,
}

fn ring(spec: &Spec<'_>, context: &JobContext<'_>, rings: Rings) -> Vec<NodeEndpoint> {
    let each = spec.count("iterations");
    let ring = Ring {
        size: size(context),
        seed: context.seed,
        job: u64::from(context.job.0),
        each: each.max(1),
        bytes: spec.count("message"),
        in_flight: rings.in_flight,
    };
    let mut plan: Vec<Box<dyn Phase>> = vec![Box::new(ring)];
    if rings.ends_with_a_barrier {
        plan.push(Box::new(Alike(vec![CommId::WORLD.barrier()])));
    }
    let all = each.saturating_mul(spec.count("rings"));
    phased(spec, context, plan, all)
}

fn congestor(spec: &Spec<'_>, context: &JobContext<'_>, kind: Congestor) -> Vec<NodeEndpoint> {
    let (ranks, bytes) = (size(context), spec.count("message"));
    let pass = match kind {
        Congestor::Get => GETS,
        Congestor::Alltoall | Congestor::Incast | Congestor::Put => {
            (PASS / u64::from(ranks)).max(1)
        }
    };
    let iterations = spec.optional_count("iterations").unwrap_or(pass);
    let phase: Box<dyn Phase> = match kind {
        Congestor::Alltoall => Box::new(SendrecvRounds { size: ranks, bytes }),
        Congestor::Incast => Box::new(ToOne { size: ranks, bytes }),
        Congestor::Put => Box::new(OneSidedRounds {
            is_put: true,
            bytes,
        }),
        Congestor::Get => Box::new(OneSidedRounds {
            is_put: false,
            bytes,
        }),
    };
    phased(spec, context, vec![phase], iterations)
}

/// Both neighbours in a ring that is drawn anew after so many iterations.
struct Ring {
    size: u32,
    seed: u64,
    job: u64,
    /// Iterations of a ring.
    each: u64,
    bytes: u64,
    /// Messages per neighbour and direction.
    in_flight: u32,
}

impl Phase for Ring {
    /// Partner 0 is the one before, partner 1 the one behind.
    fn enter(&self, current: RankIteration, cursor: &mut Cursor) {
        if self.size < 2 {
            return;
        }
        let key = PermutationKey {
            seed: self.seed,
            job: self.job,
            number: current.iteration / self.each,
        };
        let ring = Permutation::new(self.size, key);
        let at = ring.backward(current.rank);
        for (entry, step) in [(0, self.size - 1), (1, 1)] {
            let rank = ring.forward((at + step) % self.size);
            cursor.partners.push(Partner { rank, entry });
        }
    }

    /// Receives from both, sends to both, all together.
    fn next(&self, _current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let at = u32::try_from(cursor.at).unwrap_or(u32::MAX);
        let half = 2 * self.in_flight;
        cursor.at += 1;
        let request = Request(at);
        if at == 2 * half && self.size > 1 {
            return Some(Operation::WaitAll((0..2 * half).map(Request).collect()));
        }
        let partner = cursor.partners.get((at % 2) as usize)?;
        // Tag 0 travels towards the one behind.
        match at / half {
            0 => Some(Peer::in_job(partner.rank, partner.entry).irecv(self.bytes, request)),
            1 => Some(Peer::in_job(partner.rank, 1 - partner.entry).isend(self.bytes, request)),
            _ => None,
        }
    }
}

/// A Sendrecv with every other rank: those whose numbers differ in the same bits, or, if the ranks
/// are no power of two, to the one so far ahead while from the one so far behind.
struct SendrecvRounds {
    size: u32,
    bytes: u64,
}

impl Phase for SendrecvRounds {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let (tag, request) = (0, Request(0));
        let step = 1 + u32::try_from(cursor.at).unwrap_or(u32::MAX - 1);
        if step >= self.size {
            return None;
        }
        let (target, source) = if self.size.is_power_of_two() {
            (current.rank ^ step, current.rank ^ step)
        } else {
            let ahead = (current.rank + step) % self.size;
            (ahead, (current.rank + self.size - step) % self.size)
        };
        let act = cursor.act;
        (cursor.act, cursor.at) = if act == 2 {
            (0, cursor.at + 1)
        } else {
            (act + 1, cursor.at)
        };
        Some(match act {
            0 => Peer::in_job(source, tag).irecv(self.bytes, request),
            1 => Peer::in_job(target, tag).send(self.bytes),
            _ => Operation::Wait(request),
        })
    }
}

/// Everybody sends to rank 0, blocking.
struct ToOne {
    size: u32,
    bytes: u64,
}

impl Phase for ToOne {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let (root, bytes) = (Peer::in_job(0, 0), self.bytes);
        let at = u32::try_from(cursor.at).unwrap_or(u32::MAX);
        cursor.at += 1;
        if current.rank > 0 {
            return (at == 0).then_some(root.send(bytes));
        }
        let others = self.size - 1;
        if at < others {
            return Some(Peer::in_job(at + 1, root.tag).irecv(bytes, Request(at)));
        }
        (at == others && others > 0).then(|| Operation::WaitAll((0..others).map(Request).collect()))
    }
}

/// Everybody but rank 0 puts into its memory, or gets from it, and flushes; rank 0 does nothing.
struct OneSidedRounds {
    is_put: bool,
    bytes: u64,
}

impl Phase for OneSidedRounds {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let (comm, target, bytes) = (CommId::WORLD, 0, self.bytes);
        let at = cursor.at;
        cursor.at += 1;
        match at {
            _ if current.rank == 0 => None,
            0 if self.is_put => Some(Operation::Put {
                comm,
                target,
                bytes,
            }),
            0 => Some(Operation::Get {
                comm,
                target,
                bytes,
            }),
            1 => Some(Operation::Flush {
                comm,
                target: Some(target),
            }),
            _ => None,
        }
    }
}
