//! One collective again and again, as micro-benchmarks measure them.

use odonata_mpi::{CommId, Operation};

use super::WAIT_BEFORE;
use super::phase::{Alike, Phase};
use super::phased::{compute_row, iterations_row, message_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::spec::{Parameter, Spec};

const SOURCE: &str = "De Sensi et al. 2019, section 5.1";
const PAUSE: Parameter = compute_row(0, "computation before each call");

pub(crate) const ALLTOALL: WorkloadEntry = WorkloadEntry {
    name: "alltoall",
    summary: "an alltoall over all ranks, again and again",
    source: SOURCE,
    parameters: &[
        ranks_row(528),
        iterations_row(100),
        message_row(1_024, "payload of each pair of ranks"),
        PAUSE,
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let (comm, bytes) = (CommId::WORLD, spec.count("message"));
        Ok(again(spec, context, comm.alltoall(bytes)))
    },
};

pub(crate) const BARRIER: WorkloadEntry = WorkloadEntry {
    name: "barrier",
    summary: "a barrier over all ranks, again and again",
    source: SOURCE,
    parameters: &[
        ranks_row(528),
        iterations_row(100),
        PAUSE,
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let comm = CommId::WORLD;
        Ok(again(spec, context, comm.barrier()))
    },
};

pub(crate) const BCAST: WorkloadEntry = WorkloadEntry {
    name: "bcast",
    summary: "a broadcast from rank 0, again and again",
    source: SOURCE,
    parameters: &[
        ranks_row(528),
        iterations_row(100),
        message_row(1_024, "payload"),
        PAUSE,
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let (comm, root, bytes) = (CommId::WORLD, 0, spec.count("message"));
        Ok(again(spec, context, comm.bcast(root, bytes)))
    },
};

pub(crate) const SMALL_ALLREDUCES: WorkloadEntry = WorkloadEntry {
    name: "small-allreduces",
    summary: "many small allreduces in a row: what a solver that is bound by latency does",
    source: "Groves et al. 2017, section III; SWM-workloads, allreduce (public sources)",
    parameters: &[
        ranks_row(512).source("Groves et al. 2017: 32 to 512"),
        iterations_row(30).source("Groves et al. 2017"),
        Parameter::count("calls", 100, "allreduces of an iteration")
            .source("SWM-workloads, allreduce"),
        message_row(8, "payload of each rank (8 B to 8 KiB in the paper)"),
        PAUSE,
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let calls = RepeatedPair {
            operations: [
                Operation::Compute(spec.time("compute")),
                CommId::WORLD.allreduce(spec.count("message")),
            ],
            calls: spec.count("calls"),
        };
        let plan: Vec<Box<dyn Phase>> = vec![Box::new(calls)];
        Ok(phased(spec, context, plan, spec.count("iterations")))
    },
};

/// Repeats two operations so many times.
struct RepeatedPair {
    operations: [Operation; 2],
    calls: u64,
}

impl Phase for RepeatedPair {
    fn next(
        &self,
        _current: super::phase::RankIteration,
        cursor: &mut super::phase::Cursor,
    ) -> Option<Operation> {
        let at = cursor.at;
        cursor.at += 1;
        (at / 2 < self.calls).then(|| self.operations[usize::from(at % 2 == 1)].clone())
    }
}

fn again(spec: &Spec<'_>, context: &JobContext<'_>, call: Operation) -> Vec<NodeEndpoint> {
    let steps = vec![Operation::Compute(spec.time("compute")), call];
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(Alike(steps))];
    phased(spec, context, plan, spec.count("iterations"))
}
