//! What a rank's program asks for, one operation at a time.

use std::sync::Arc;

use odonata_units::Span;

/// A request of a nonblocking operation: a number the program chooses.
///
/// It names one request from the nonblocking call until a wait has completed it and may be used
/// again then. Waiting on a number that names nothing returns at once, as for `MPI_REQUEST_NULL`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Request(pub u32);

/// A communicator of a rank: index into the list given to the rank; 0 is the whole job.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct CommId(pub u32);

impl CommId {
    /// The communicator of all ranks of the job.
    pub const WORLD: Self = Self(0);
}

/// One step of a program. Ranks are positions in the communicator; sizes are payload bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// The CPU is busy and makes no progress on messages.
    Compute(Span),
    /// Blocking send.
    Send {
        /// Among whom.
        comm: CommId,
        /// Receiver.
        target: u32,
        /// For matching.
        tag: u32,
        /// Payload.
        bytes: u64,
    },
    /// Blocking send that returns only when its receive has been posted, whatever its size.
    Ssend {
        /// Among whom.
        comm: CommId,
        /// Receiver.
        target: u32,
        /// For matching.
        tag: u32,
        /// Payload.
        bytes: u64,
    },
    /// Blocking receive.
    Recv {
        /// Among whom.
        comm: CommId,
        /// Sender; `None`: any.
        source: Option<u32>,
        /// For matching; `None`: any.
        tag: Option<u32>,
        /// Largest payload; `u64::MAX`: as large as it comes.
        bytes: u64,
    },
    /// Nonblocking send.
    Isend {
        /// Among whom.
        comm: CommId,
        /// Receiver.
        target: u32,
        /// For matching.
        tag: u32,
        /// Payload.
        bytes: u64,
        /// Name of the request.
        request: Request,
    },
    /// Nonblocking send that completes only when its receive has been posted, whatever its size.
    Issend {
        /// Among whom.
        comm: CommId,
        /// Receiver.
        target: u32,
        /// For matching.
        tag: u32,
        /// Payload.
        bytes: u64,
        /// Name of the request.
        request: Request,
    },
    /// Nonblocking receive.
    Irecv {
        /// Among whom.
        comm: CommId,
        /// Sender; `None`: any.
        source: Option<u32>,
        /// For matching; `None`: any.
        tag: Option<u32>,
        /// Largest payload; `u64::MAX`: as large as it comes.
        bytes: u64,
        /// Name of the request.
        request: Request,
    },
    /// Writes into the memory of a rank; returns at once. It is there after a flush or fence.
    Put {
        /// Among whom.
        comm: CommId,
        /// Whose memory.
        target: u32,
        /// Payload.
        bytes: u64,
    },
    /// Reads from the memory of a rank; returns at once. The data are here after a flush or fence.
    Get {
        /// Among whom.
        comm: CommId,
        /// Whose memory.
        target: u32,
        /// Payload.
        bytes: u64,
    },
    /// Until the puts and gets of this rank are complete at the target.
    Flush {
        /// Among whom.
        comm: CommId,
        /// Which of them; `None`: those at all ranks.
        target: Option<u32>,
    },
    /// A flush of all ranks, then a barrier: the puts and gets of all of them are complete.
    Fence {
        /// Among whom.
        comm: CommId,
    },
    /// Until the request is complete.
    Wait(Request),
    /// Until all requests are complete.
    WaitAll(Vec<Request>),
    /// Until at least one request is complete; exactly one is completed.
    WaitAny(Vec<Request>),
    /// Until at least one request is complete; all that are complete then are completed.
    WaitSome(Vec<Request>),
    /// Progress, and completion of the request if it is complete.
    Test(Request),
    /// Nobody leaves before everybody has come.
    Barrier {
        /// Among whom.
        comm: CommId,
    },
    /// `bytes` of the root to everybody.
    Bcast {
        /// Among whom.
        comm: CommId,
        /// Sender.
        root: u32,
        /// Payload.
        bytes: u64,
    },
    /// `bytes` of everybody combined at the root.
    Reduce {
        /// Among whom.
        comm: CommId,
        /// Receiver.
        root: u32,
        /// Payload of each rank.
        bytes: u64,
    },
    /// `bytes` of everybody combined at everybody.
    Allreduce {
        /// Among whom.
        comm: CommId,
        /// Payload of each rank.
        bytes: u64,
    },
    /// `bytes` from everybody to everybody.
    Alltoall {
        /// Among whom.
        comm: CommId,
        /// Payload per pair.
        bytes: u64,
    },
    /// Individual sizes from everybody to everybody.
    Alltoallv {
        /// Among whom.
        comm: CommId,
        /// Payload to each rank of the communicator.
        send: Arc<[u64]>,
        /// Payload from each rank of the communicator; empty: as large as it comes.
        receive: Arc<[u64]>,
    },
    /// `bytes` of everybody to everybody.
    Allgather {
        /// Among whom.
        comm: CommId,
        /// Payload of each rank.
        bytes: u64,
    },
    /// Individual sizes of everybody to everybody.
    Allgatherv {
        /// Among whom.
        comm: CommId,
        /// Payload of each rank.
        sizes: Arc<[u64]>,
    },
    /// `bytes` of everybody to the root.
    Gather {
        /// Among whom.
        comm: CommId,
        /// Receiver.
        root: u32,
        /// Payload of each rank.
        bytes: u64,
    },
    /// Individual sizes of everybody to the root.
    Gatherv {
        /// Among whom.
        comm: CommId,
        /// Receiver.
        root: u32,
        /// Payload of this rank.
        bytes: u64,
        /// At the root: payload of each rank; empty: as large as it comes. Elsewhere unused.
        sizes: Arc<[u64]>,
    },
    /// `bytes` of the root to each rank.
    Scatter {
        /// Among whom.
        comm: CommId,
        /// Sender.
        root: u32,
        /// Payload to each rank.
        bytes: u64,
    },
    /// Individual sizes of the root to each rank.
    Scatterv {
        /// Among whom.
        comm: CommId,
        /// Sender.
        root: u32,
        /// Largest payload of this rank; `u64::MAX`: as large as it comes.
        bytes: u64,
        /// At the root: payload to each rank. Elsewhere unused.
        sizes: Arc<[u64]>,
    },
    /// Blocks of everybody combined, block `i` at rank `i`.
    ReduceScatter {
        /// Among whom.
        comm: CommId,
        /// Payload of each block.
        sizes: Arc<[u64]>,
    },
    /// `bytes` of ranks `0..=r` combined at rank `r`.
    Scan {
        /// Among whom.
        comm: CommId,
        /// Payload of each rank.
        bytes: u64,
    },
    /// The nonblocking form of a collective: it goes on while the rank is in other calls.
    Nonblocking {
        /// One of the collectives above.
        collective: Box<Operation>,
        /// Name of the request.
        request: Request,
    },
    /// An iteration of the program begins.
    IterationBegin,
    /// The iteration that began last ends.
    IterationEnd,
    /// The program has ended; asked again it says so again.
    Finish,
}

impl Operation {
    /// The operation in the words of a diagnosis.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Compute(_) => "compute",
            Self::Send { .. } => "send",
            Self::Ssend { .. } => "ssend",
            Self::Recv { .. } => "recv",
            Self::Isend { .. } => "isend",
            Self::Issend { .. } => "issend",
            Self::Irecv { .. } => "irecv",
            Self::Put { .. } => "put",
            Self::Get { .. } => "get",
            Self::Flush { .. } => "flush",
            Self::Fence { .. } => "fence",
            Self::Wait(_) => "wait",
            Self::WaitAll(_) => "waitall",
            Self::WaitAny(_) => "waitany",
            Self::WaitSome(_) => "waitsome",
            Self::Test(_) => "test",
            Self::Barrier { .. } => "barrier",
            Self::Bcast { .. } => "bcast",
            Self::Reduce { .. } => "reduce",
            Self::Allreduce { .. } => "allreduce",
            Self::Alltoall { .. } => "alltoall",
            Self::Alltoallv { .. } => "alltoallv",
            Self::Allgather { .. } => "allgather",
            Self::Allgatherv { .. } => "allgatherv",
            Self::Gather { .. } => "gather",
            Self::Gatherv { .. } => "gatherv",
            Self::Scatter { .. } => "scatter",
            Self::Scatterv { .. } => "scatterv",
            Self::ReduceScatter { .. } => "reduce_scatter",
            Self::Scan { .. } => "scan",
            Self::Nonblocking { collective, .. } => collective.nonblocking_name(),
            Self::IterationBegin => "iteration begin",
            Self::IterationEnd => "iteration end",
            Self::Finish => "finish",
        }
    }

    /// The name of the nonblocking form of a collective.
    const fn nonblocking_name(&self) -> &'static str {
        match self {
            Self::Barrier { .. } => "ibarrier",
            Self::Bcast { .. } => "ibcast",
            Self::Reduce { .. } => "ireduce",
            Self::Allreduce { .. } => "iallreduce",
            Self::Alltoall { .. } => "ialltoall",
            Self::Alltoallv { .. } => "ialltoallv",
            Self::Allgather { .. } => "iallgather",
            Self::Allgatherv { .. } => "iallgatherv",
            Self::Gather { .. } => "igather",
            Self::Gatherv { .. } => "igatherv",
            Self::Scatter { .. } => "iscatter",
            Self::Scatterv { .. } => "iscatterv",
            Self::ReduceScatter { .. } => "ireduce_scatter",
            Self::Scan { .. } => "iscan",
            _ => "nonblocking call of no collective",
        }
    }
}

/// The program of one rank: a generator of operations, never a list of them.
pub trait Program: Send {
    /// The next operation; [`Operation::Finish`] for ever once the program has ended.
    fn next(&mut self) -> Operation;

    /// Share of the program whose operations have been handed out, 0 to 1; `None`: nobody knows.
    fn share(&self) -> Option<f64> {
        None
    }

    /// Iterations of the program; `None`: they are not known before it has run.
    fn iterations(&self) -> Option<u64> {
        None
    }

    /// The program ends so many iterations sooner than it was made for; what was said before does
    /// not count any more. Those that do not know their iterations go on to their end.
    ///
    /// To be called between two iterations, of a program that has more left than these.
    fn leave_out(&mut self, _iterations: u64) {}

    /// Goes back to the first operation: a job that repeats starts again. What only says when a
    /// job begins is left out.
    fn rewind(&mut self);
}

/// A closure cannot go back: it is asked on.
impl<F: FnMut() -> Operation + Send> Program for F {
    fn next(&mut self) -> Operation {
        self()
    }

    fn rewind(&mut self) {}
}
