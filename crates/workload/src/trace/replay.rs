//! The program of one rank of a trace.

use std::sync::Arc;

use odonata_mpi::{CommId, Operation, Operations, Peer, Program, Request, SendMode};
use odonata_units::Span;

use super::op;
use super::sizes::{Gathered, SizeScale};
use super::table::TraceTable;

/// Reads the operations of one rank out of the shared table, one by one.
pub(super) struct Replay {
    table: Arc<TraceTable>,
    gathered: Arc<Gathered>,
    rank: u32,
    first: usize,
    next: usize,
    end: usize,
    /// Communicators of the table that the rank belongs to, ascending, without 0.
    own: Vec<u32>,
    scale: f64,
    sizes: SizeScale,
    wait: Option<Span>,
}

impl Replay {
    pub(super) fn new(table: &Arc<TraceTable>, gathered: &Arc<Gathered>, rank: u32) -> Self {
        let range = table.operations(rank);
        Self {
            table: Arc::clone(table),
            gathered: Arc::clone(gathered),
            rank,
            first: range.start,
            next: range.start,
            end: range.end,
            own: Vec::new(),
            scale: 1.0,
            sizes: SizeScale(1.0),
            wait: None,
        }
    }

    /// Communicator `own[i]` of the table is communicator `i + 1` of the rank.
    pub(super) fn with_communicators(mut self, own: Vec<u32>) -> Self {
        self.own = own;
        self
    }

    pub(super) const fn with_computation(mut self, scale: f64, wait: Span) -> Self {
        self.scale = scale;
        self.wait = Some(wait);
        self
    }

    pub(super) const fn with_sizes(mut self, scale: SizeScale) -> Self {
        self.sizes = scale;
        self
    }

    fn bytes(&self, at: usize) -> u64 {
        self.sizes.of(self.table.bytes.get(at))
    }

    fn comm(&self, at: usize) -> CommId {
        let comm = self.table.comm.get(at);
        if comm == 0 {
            return CommId::WORLD;
        }
        let found = self.own.binary_search(&comm);
        CommId(
            found
                .ok()
                .and_then(|position| u32::try_from(position + 1).ok())
                .unwrap_or(u32::MAX),
        )
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::float_cmp,
        reason = "a scale other than 1 is exact to 2^-53; the conversion saturates"
    )]
    fn computation(&self, at: usize) -> Span {
        let recorded = self.table.duration_ps.get(at);
        if self.scale == 1.0 {
            return Span::from_ps(recorded);
        }
        Span::from_ps(libm::round(recorded as f64 * self.scale) as u64)
    }

    /// The list of a collective, or `bytes` in nearly equal shares.
    fn shares(&self, at: usize) -> Arc<[u64]> {
        let list = self.table.list(at);
        if !list.is_empty() {
            return list.into_iter().map(|size| self.sizes.of(size)).collect();
        }
        let size = self.table.members(self.table.comm.get(at)).len() as u64;
        let bytes = self.bytes(at);
        (0..size)
            .map(|rank| bytes / size + u64::from(rank < bytes % size))
            .collect()
    }

    fn alltoallv(&self, at: usize) -> Operation {
        let comm = self.comm(at);
        let list = self.shares(at);
        let size = self.table.members(self.table.comm.get(at)).len();
        if list.len() == 2 * size {
            let (send, receive) = list.split_at(size);
            return comm.alltoallv(send.into(), receive.into());
        }
        comm.alltoallv(list, Arc::from([]))
    }

    fn gathered(&self, at: usize) -> Arc<[u64]> {
        self.gathered.of(&self.table, self.rank, at, self.sizes)
    }

    fn collective(&self, at: usize) -> Operation {
        let comm = self.comm(at);
        let bytes = self.bytes(at);
        let root = u32::try_from(self.table.peer.get(at)).unwrap_or(0);
        match op::blocking(self.table.op.get(at)) {
            op::BARRIER => comm.barrier(),
            op::FENCE => Operation::Fence { comm },
            op::BCAST => comm.bcast(root, bytes),
            op::REDUCE => comm.reduce(root, bytes),
            op::ALLREDUCE => comm.allreduce(bytes),
            op::ALLTOALL => comm.alltoall(bytes),
            op::ALLTOALLV => self.alltoallv(at),
            op::ALLGATHER => comm.allgather(bytes),
            op::ALLGATHERV => comm.allgatherv(self.gathered(at)),
            op::GATHER => comm.gather(root, bytes),
            op::GATHERV => comm.gatherv(root, bytes, self.gathered(at)),
            op::SCATTER => comm.scatter(root, bytes),
            op::SCATTERV => comm.scatterv(root, bytes, self.gathered(at)),
            op::REDUCE_SCATTER => comm.reduce_scatter(self.shares(at)),
            _ => comm.scan(bytes),
        }
    }

    fn send(&self, at: usize) -> Operation {
        let table = &self.table;
        let code = table.op.get(at);
        let to = Peer {
            comm: self.comm(at),
            rank: u32::try_from(table.peer.get(at)).unwrap_or(0),
            tag: u32::try_from(table.tag.get(at)).unwrap_or(0),
        };
        let mode = match code {
            op::SEND | op::ISEND => SendMode::Standard,
            _ => SendMode::Synchronous,
        };
        let is_nonblocking = code != op::SEND && code != op::SSEND;
        let request = is_nonblocking.then(|| Request(table.request.get(at)));
        to.sent(self.bytes(at), mode, request)
    }

    fn operation(&self, at: usize) -> Operation {
        let table = &self.table;
        let (comm, bytes, request) = (
            self.comm(at),
            self.bytes(at),
            Request(table.request.get(at)),
        );
        let peer = u32::try_from(table.peer.get(at)).ok();
        let tag = u32::try_from(table.tag.get(at)).ok();
        match table.op.get(at) {
            op::COMPUTE => Operation::Compute(self.computation(at)),
            code if op::is_send(code) => self.send(at),
            code @ (op::RECV | op::IRECV) => Operation::Receive {
                comm,
                source: peer,
                tag,
                bytes,
                request: (code == op::IRECV).then_some(request),
            },
            op::PUT => Operation::Put {
                comm,
                target: peer.unwrap_or(0),
                bytes,
            },
            op::GET => Operation::Get {
                comm,
                target: peer.unwrap_or(0),
                bytes,
            },
            op::FLUSH => Operation::Flush { comm, target: peer },
            op::WAIT => Operation::Wait(request),
            op::WAITALL => Operation::WaitAll(self.requests(at)),
            op::WAITANY => Operation::WaitAny(self.requests(at)),
            op::WAITSOME => Operation::WaitSome(self.requests(at)),
            op::TEST => Operation::Test(request),
            op::ITERATION_BEGIN => Operation::IterationBegin,
            op::ITERATION_END => Operation::IterationEnd,
            op::NOTHING => Operation::Compute(Span::ZERO),
            code if op::is_nonblocking(code) => self.collective(at).nonblocking(request),
            _ => self.collective(at),
        }
    }

    /// The requests of a wait for several.
    fn requests(&self, at: usize) -> Vec<Request> {
        let list = self.table.list(at).into_iter();
        list.filter_map(|name| u32::try_from(name).ok().map(Request))
            .collect()
    }
}

impl Operations for Replay {
    fn operation(&self, position: u32) -> Operation {
        self.operation(self.first + position as usize)
    }
}

impl Program for Replay {
    fn next(&mut self) -> Operation {
        if let Some(wait) = self.wait.take() {
            return Operation::Compute(wait);
        }
        if self.next == self.end {
            return Operation::Finish;
        }
        self.next += 1;
        self.operation(self.next - 1)
    }

    #[expect(clippy::cast_precision_loss, reason = "a share for a progress bar")]
    fn share(&self) -> Option<f64> {
        Some((self.next - self.first) as f64 / (self.end - self.first).max(1) as f64)
    }

    fn rewind(&mut self) {
        self.next = self.first;
    }
}
