//! Some ranks send to some others, all messages at once: incast, spread, many to many.

use std::ops::Range;

use odonata_mpi::{Operation, Peer, Request};

use super::WAIT_BEFORE;
use super::phase::{Alike, Cursor, Phase, RankIteration};
use super::phased::{compute_row, iterations_row, message_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::spec::{Parameter, Spec};

const MIB: u64 = 1 << 20;

pub(crate) const INCAST: WorkloadEntry = WorkloadEntry {
    name: "incast",
    summary: "all ranks send to rank 0 at once",
    source: "SWM-workloads, incast (public sources)",
    parameters: &[
        ranks_row(100).source("SWM-workloads: 99 to one"),
        message_row(MIB + MIB / 4, "payload of a message").source("SWM-workloads, incast"),
        iterations_row(10).source("SWM-workloads, incast"),
        compute_row(0, "computation of the senders before each message"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let ranks = size(context);
        Ok(fan(spec, context, 1..ranks, 0..1, false))
    },
};

pub(crate) const SPREAD: WorkloadEntry = WorkloadEntry {
    name: "spread",
    summary: "rank 0 sends to all others at once",
    source: "SWM-workloads, spread (public sources)",
    parameters: &[
        ranks_row(64).source("SWM-workloads: one to 63"),
        message_row(8, "payload of a message").source("SWM-workloads, spread"),
        iterations_row(10),
        compute_row(0, "computation of the sender before each iteration"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let ranks = size(context);
        Ok(fan(spec, context, 0..1, 1..ranks, false))
    },
};

pub(crate) const MANY_TO_MANY: WorkloadEntry = WorkloadEntry {
    name: "many-to-many",
    summary: "the second half of the ranks sends to the first half: in fixed pairs, or each to all",
    source: "SWM-workloads, many_to_many (public sources)",
    parameters: &[
        ranks_row(256).source("SWM-workloads: 128 to 128"),
        message_row(4 * MIB, "payload of a message").source("SWM-workloads, many_to_many"),
        iterations_row(2).source("SWM-workloads, many_to_many"),
        Parameter::boolean("fixed_pairs", true, "whether each sends to one other only")
            .source("SWM-workloads, many_to_many"),
        compute_row(0, "computation of the senders before each iteration"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build: |spec, context| {
        let half = size(context) / 2;
        let pairs = spec.boolean("fixed_pairs");
        Ok(fan(spec, context, half..2 * half, 0..half, pairs))
    },
};

fn size(context: &JobContext<'_>) -> u32 {
    u32::try_from(context.nodes.len()).unwrap_or(u32::MAX)
}

fn fan(
    spec: &Spec<'_>,
    context: &JobContext<'_>,
    senders: Range<u32>,
    receivers: Range<u32>,
    pairs: bool,
) -> Vec<NodeEndpoint> {
    let fan = Fan {
        senders,
        receivers,
        pairs,
        bytes: spec.count("message"),
        compute: Alike(vec![Operation::Compute(spec.time("compute"))]),
    };
    let plan: Vec<Box<dyn Phase>> = vec![Box::new(fan)];
    phased(spec, context, plan, spec.count("iterations"))
}

/// In which order a rank meets those of the other side.
#[derive(Clone, Copy)]
enum Order {
    FromFirst,
    /// From the one at the rank's own position on, round to the one before it.
    FromOwnPosition,
}

/// All messages from senders to receivers.
struct Fan {
    senders: Range<u32>,
    receivers: Range<u32>,
    /// Whether only those of equal positions meet.
    pairs: bool,
    bytes: u64,
    compute: Alike,
}

impl Fan {
    /// Sender or receiver number `at` that a rank at `position` of the other side meets; a sender
    /// of many starts at its own position, so that not all begin with the same receiver.
    fn peer(&self, others: &Range<u32>, position: u32, order: Order, at: u64) -> Option<u32> {
        let count = u64::from(others.end - others.start);
        let number = match (self.pairs, order) {
            (true, _) => (at == 0).then_some(u64::from(position))?,
            (false, Order::FromOwnPosition) => {
                (at < count).then(|| (u64::from(position) + at) % count)?
            }
            (false, Order::FromFirst) => (at < count).then_some(at)?,
        };
        Some(others.start + u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn send(&self, rank: u32, cursor: &mut Cursor) -> Option<Operation> {
        if cursor.act == 0 {
            cursor.act = 1;
            return self.compute.0.first().cloned();
        }
        let position = rank - self.senders.start;
        match self.peer(&self.receivers, position, Order::FromOwnPosition, cursor.at) {
            Some(target) if cursor.act == 1 => {
                let request = request(cursor.at);
                cursor.at += 1;
                Some(Peer::in_job(target, 0).isend(self.bytes, request))
            }
            _ => wait(cursor),
        }
    }

    fn receive(&self, rank: u32, cursor: &mut Cursor) -> Option<Operation> {
        let position = rank - self.receivers.start;
        match self.peer(&self.senders, position, Order::FromFirst, cursor.at) {
            Some(source) if cursor.act == 0 => {
                let request = request(cursor.at);
                cursor.at += 1;
                Some(Peer::in_job(source, 0).irecv(self.bytes, request))
            }
            _ => wait(cursor),
        }
    }
}

fn request(at: u64) -> Request {
    Request(u32::try_from(at).unwrap_or(u32::MAX))
}

/// For all requests `0..at`, once.
fn wait(cursor: &mut Cursor) -> Option<Operation> {
    if cursor.act == 2 {
        return None;
    }
    cursor.act = 2;
    Some(Operation::WaitAll((0..cursor.at).map(request).collect()))
}

impl Phase for Fan {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        if self.senders.contains(&current.rank) && !self.receivers.is_empty() {
            self.send(current.rank, cursor)
        } else if self.receivers.contains(&current.rank) && !self.senders.is_empty() {
            self.receive(current.rank, cursor)
        } else {
            None
        }
    }
}
