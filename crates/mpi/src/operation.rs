//! Operations of a rank's program.

use std::sync::Arc;

use odonata_units::Span;

use crate::collective::{CollectiveKind, Sizes};

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

/// The other end of a point-to-point message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peer {
    /// Among whom.
    pub comm: CommId,
    /// Rank of the communicator.
    pub rank: u32,
    /// For matching.
    pub tag: u32,
}

impl Peer {
    /// A rank of the whole job.
    #[must_use]
    pub const fn in_job(rank: u32, tag: u32) -> Self {
        let comm = CommId::WORLD;
        Self { comm, rank, tag }
    }

    /// Blocking send to this peer.
    #[must_use]
    pub const fn send(self, bytes: u64) -> Operation {
        self.sent(bytes, SendMode::Standard, None)
    }

    /// Nonblocking send to this peer.
    #[must_use]
    pub const fn isend(self, bytes: u64, request: Request) -> Operation {
        self.sent(bytes, SendMode::Standard, Some(request))
    }

    /// Send to this peer.
    #[must_use]
    pub const fn sent(self, bytes: u64, mode: SendMode, request: Option<Request>) -> Operation {
        Operation::Send {
            to: self,
            bytes,
            mode,
            request,
        }
    }

    /// Blocking receive of at most `bytes` from this peer, with its tag.
    #[must_use]
    pub const fn recv(self, bytes: u64) -> Operation {
        self.received(bytes, None)
    }

    /// Nonblocking receive of at most `bytes` from this peer, with its tag.
    #[must_use]
    pub const fn irecv(self, bytes: u64, request: Request) -> Operation {
        self.received(bytes, Some(request))
    }

    const fn received(self, bytes: u64, request: Option<Request>) -> Operation {
        Operation::Receive {
            comm: self.comm,
            source: Some(self.rank),
            tag: Some(self.tag),
            bytes,
            request,
        }
    }
}

/// Completion of a send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendMode {
    /// The send buffer may be used again.
    Standard,
    /// The receive has been posted, whatever the size of the message.
    Synchronous,
}

/// One step of a program. Ranks are positions in the communicator; sizes are payload bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// The CPU is busy and makes no progress on messages.
    Compute(Span),
    /// Send.
    Send {
        /// Receiver.
        to: Peer,
        /// Payload.
        bytes: u64,
        /// How it completes.
        mode: SendMode,
        /// Name of the request; `None`: the send blocks.
        request: Option<Request>,
    },
    /// Receive.
    Receive {
        /// Among whom.
        comm: CommId,
        /// Sender; `None`: any.
        source: Option<u32>,
        /// For matching; `None`: any.
        tag: Option<u32>,
        /// Largest payload; `u64::MAX`: as large as it comes.
        bytes: u64,
        /// Name of the request; `None`: the receive blocks.
        request: Option<Request>,
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
    /// A collective among all ranks of a communicator.
    Collective {
        /// Its kind and sizes; in a box, as every rank keeps an operation.
        call: Box<CollectiveCall>,
        /// Name of the request; `None`: the collective blocks. One that does not goes on while the
        /// rank is in other calls.
        request: Option<Request>,
    },
    /// An iteration of the program begins.
    IterationBegin,
    /// An iteration has begun, or begins, so long after the repetition of the program; the rank
    /// waits until then, which counts as computation. In a graph it begins at once.
    IterationFrom(Span),
    /// The iteration that began last ends.
    IterationEnd,
    /// The program has ended; asked again it says so again.
    Finish,
}

impl Operation {
    /// The operation in the words of a diagnosis.
    #[must_use]
    pub fn name(&self) -> String {
        let name = match self {
            Self::Compute(_) => "compute",
            Self::Send { mode, request, .. } => match (mode, request) {
                (SendMode::Standard, None) => "send",
                (SendMode::Standard, Some(_)) => "isend",
                (SendMode::Synchronous, None) => "ssend",
                (SendMode::Synchronous, Some(_)) => "issend",
            },
            Self::Receive { request: None, .. } => "recv",
            Self::Receive { .. } => "irecv",
            Self::Put { .. } => "put",
            Self::Get { .. } => "get",
            Self::Flush { .. } => "flush",
            Self::Fence { .. } => "fence",
            Self::Wait(_) => "wait",
            Self::WaitAll(_) => "waitall",
            Self::WaitAny(_) => "waitany",
            Self::WaitSome(_) => "waitsome",
            Self::Test(_) => "test",
            Self::Collective { call, request } => {
                let i = if request.is_some() { "i" } else { "" };
                return format!("{i}{}", call.name());
            }
            Self::IterationBegin | Self::IterationFrom(_) => "iteration begin",
            Self::IterationEnd => "iteration end",
            Self::Finish => "finish",
        };
        name.to_owned()
    }

    /// The nonblocking form of a collective; other operations stay as they are.
    #[must_use]
    pub fn nonblocking(mut self, name: Request) -> Self {
        if let Self::Collective { request, .. } = &mut self {
            *request = Some(name);
        }
        self
    }
}

/// A collective as its steps are made from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveCall {
    /// Its kind.
    pub kind: CollectiveKind,
    /// Among whom.
    pub comm: CommId,
    /// Root, 0 for those without one.
    pub root: u32,
    /// Payload that leaves.
    pub sizes: Sizes,
    /// Payload that comes in.
    pub incoming: Sizes,
}

impl CollectiveCall {
    /// Name of the call, `v` behind those with individual sizes.
    pub(crate) fn name(&self) -> String {
        let is_cut = matches!(
            self.kind,
            CollectiveKind::Allreduce | CollectiveKind::ReduceScatter
        );
        let is_even = is_cut || matches!(self.sizes, Sizes::Uniform(_));
        let v = if is_even { "" } else { "v" };
        format!("{}{v}", self.kind.name())
    }

    fn taking(self, incoming: Sizes) -> Self {
        Self { incoming, ..self }
    }

    fn rooted(self, root: u32) -> Self {
        Self { root, ..self }
    }
}

impl From<CollectiveCall> for Operation {
    fn from(call: CollectiveCall) -> Self {
        Self::Collective {
            call: Box::new(call),
            request: None,
        }
    }
}

/// Collectives among the ranks of a communicator.
impl CommId {
    /// A collective without a root, of which no sizes come in that are known.
    const fn call(self, kind: CollectiveKind, sizes: Sizes) -> CollectiveCall {
        CollectiveCall {
            kind,
            comm: self,
            root: 0,
            sizes,
            incoming: Sizes::Unknown,
        }
    }

    /// Nobody leaves before everybody has come.
    #[must_use]
    pub fn barrier(self) -> Operation {
        self.call(CollectiveKind::Barrier, Sizes::Uniform(0)).into()
    }

    /// `bytes` of the root to everybody.
    #[must_use]
    pub fn bcast(self, root: u32, bytes: u64) -> Operation {
        let call = self.call(CollectiveKind::Bcast, Sizes::Uniform(bytes));
        call.rooted(root).into()
    }

    /// `bytes` of everybody combined at the root.
    #[must_use]
    pub fn reduce(self, root: u32, bytes: u64) -> Operation {
        let call = self.call(CollectiveKind::Reduce, Sizes::Uniform(bytes));
        call.rooted(root).into()
    }

    /// `bytes` of everybody combined at everybody.
    #[must_use]
    pub fn allreduce(self, bytes: u64) -> Operation {
        self.call(CollectiveKind::Allreduce, Sizes::Cut(bytes))
            .into()
    }

    /// `bytes` from everybody to everybody.
    #[must_use]
    pub fn alltoall(self, bytes: u64) -> Operation {
        let call = self.call(CollectiveKind::Alltoall, Sizes::Uniform(bytes));
        call.taking(Sizes::Uniform(bytes)).into()
    }

    /// Payload to each rank of the communicator, and from each; no payload from any: as large as it
    /// comes.
    #[must_use]
    pub fn alltoallv(self, send: Arc<[u64]>, receive: Arc<[u64]>) -> Operation {
        let call = self.call(CollectiveKind::Alltoall, Sizes::Each(send));
        call.taking(Sizes::each_or(receive, Sizes::Unknown)).into()
    }

    /// `bytes` of everybody to everybody.
    #[must_use]
    pub fn allgather(self, bytes: u64) -> Operation {
        self.call(CollectiveKind::Allgather, Sizes::Uniform(bytes))
            .into()
    }

    /// Payload of each rank to everybody.
    #[must_use]
    pub fn allgatherv(self, sizes: Arc<[u64]>) -> Operation {
        self.call(CollectiveKind::Allgather, Sizes::Each(sizes))
            .into()
    }

    /// `bytes` of everybody to the root.
    #[must_use]
    pub fn gather(self, root: u32, bytes: u64) -> Operation {
        let call = self.call(CollectiveKind::Gather, Sizes::Uniform(bytes));
        call.rooted(root).taking(Sizes::Uniform(bytes)).into()
    }

    /// `bytes` of this rank to the root, which knows the payload of each rank; no payload of any:
    /// as large as it comes.
    #[must_use]
    pub fn gatherv(self, root: u32, bytes: u64, sizes: Arc<[u64]>) -> Operation {
        let call = self
            .call(CollectiveKind::Gather, Sizes::Own(bytes))
            .rooted(root);
        call.taking(Sizes::each_or(sizes, Sizes::Unknown)).into()
    }

    /// `bytes` of the root to each rank.
    #[must_use]
    pub fn scatter(self, root: u32, bytes: u64) -> Operation {
        let call = self.call(CollectiveKind::Scatter, Sizes::Uniform(bytes));
        call.rooted(root).taking(Sizes::Uniform(bytes)).into()
    }

    /// At most `bytes` of the root to this rank, `u64::MAX`: as large as it comes; the root knows
    /// the payload to each rank.
    #[must_use]
    pub fn scatterv(self, root: u32, bytes: u64, sizes: Arc<[u64]>) -> Operation {
        let sizes = Sizes::each_or(sizes, Sizes::Own(bytes));
        let call = self.call(CollectiveKind::Scatter, sizes).rooted(root);
        call.taking(Sizes::Own(bytes)).into()
    }

    /// Blocks of everybody combined, block `i` at rank `i`.
    #[must_use]
    pub fn reduce_scatter(self, sizes: Arc<[u64]>) -> Operation {
        self.call(CollectiveKind::ReduceScatter, Sizes::Each(sizes))
            .into()
    }

    /// Blocks of `bytes` of everybody combined, block `i` at rank `i`.
    #[must_use]
    pub fn reduce_scatter_block(self, bytes: u64) -> Operation {
        self.call(CollectiveKind::ReduceScatter, Sizes::Uniform(bytes))
            .into()
    }

    /// `bytes` of ranks `0..=r` combined at rank `r`.
    #[must_use]
    pub fn scan(self, bytes: u64) -> Operation {
        self.call(CollectiveKind::Scan, Sizes::Uniform(bytes))
            .into()
    }
}

/// The program of one rank: a generator of operations, never a list of them.
pub trait Program: Send {
    /// The next operation; [`Operation::Finish`] for ever once the program has ended.
    fn next(&mut self) -> Operation;

    /// The operation handed out last has completed a receive of so many bytes: one that is awaited,
    /// or a test that finds it complete. A program may go on as the message says.
    fn received(&mut self, _bytes: u64) {}

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
