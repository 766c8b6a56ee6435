//! From an operation of the program to the first step of its call.

use std::sync::Arc;

use odonata_units::{Instant, Span};

use super::one_sided::Target;
use super::requests::RequestKind;
use super::strand::{Goal, Ongoing, Step, Task};
use super::{MpiRank, OpenRequest};
use crate::collective::{Algorithm, Collective, CollectiveKind, Primitive, Shape, Sizes};
use crate::operation::{CommId, Operation, Request};

/// The far end of a point-to-point call, in the terms of its communicator.
#[derive(Clone, Copy)]
struct Partner {
    comm: CommId,
    rank: Option<u32>,
    tag: Option<u32>,
}

impl Partner {
    const fn new(comm: CommId, rank: Option<u32>, tag: Option<u32>) -> Self {
        Self { comm, rank, tag }
    }
}

impl MpiRank {
    /// The call has been entered.
    pub(super) fn start_call(&mut self, now: Instant) {
        if !self.enters_library() {
            return;
        }
        let operation = std::mem::replace(&mut self.strand.operation, Operation::Finish);
        match &operation {
            Operation::Send {
                comm,
                target,
                tag,
                bytes,
            }
            | Operation::Ssend {
                comm,
                target,
                tag,
                bytes,
            } => {
                let partner = Partner::new(*comm, Some(*target), Some(*tag));
                self.start_send(partner, send_kind(&operation), *bytes, None, now);
            }
            Operation::Isend {
                comm,
                target,
                tag,
                bytes,
                request,
            }
            | Operation::Issend {
                comm,
                target,
                tag,
                bytes,
                request,
            } => {
                let partner = Partner::new(*comm, Some(*target), Some(*tag));
                self.start_send(partner, send_kind(&operation), *bytes, Some(*request), now);
            }
            Operation::Recv {
                comm,
                source,
                tag,
                bytes,
            } => {
                self.start_receive(Partner::new(*comm, *source, *tag), *bytes, None, now);
            }
            Operation::Irecv {
                comm,
                source,
                tag,
                bytes,
                request,
            } => {
                let partner = Partner::new(*comm, *source, *tag);
                self.start_receive(partner, *bytes, Some(*request), now);
            }
            Operation::Wait(request) => self.await_named(&[*request], Goal::All, now),
            Operation::Test(request) => self.await_named(&[*request], Goal::Test, now),
            Operation::WaitAll(requests) => self.await_named(requests, Goal::All, now),
            Operation::WaitAny(requests) => self.await_named(requests, Goal::Any, now),
            Operation::WaitSome(requests) => self.await_named(requests, Goal::Some, now),
            other => self.start_other(other, now),
        }
        self.strand.operation = operation;
    }

    fn start_send(
        &mut self,
        to: Partner,
        kind: RequestKind,
        bytes: u64,
        name: Option<Request>,
        now: Instant,
    ) {
        let Some((context, peer)) = self.resolve(&to, "target") else {
            return;
        };
        let slot = OpenRequest {
            kind,
            blocking: name.is_none(),
            bytes,
            release: 0,
            context,
            peer,
            tag: to.tag,
            acknowledge: (0, 0),
            name,
            waiter: None,
            echo: None,
        };
        let Some(index) = self.store(slot) else {
            return;
        };
        let until = now + self.send_cost(peer, kind, bytes);
        self.continue_with(Step::Inject(index), until);
    }

    fn send_cost(&self, peer: Option<u32>, kind: RequestKind, bytes: u64) -> Span {
        if peer == Some(self.rank) {
            self.parameters.local_send_cost(bytes)
        } else if kind == RequestKind::SynchronousSend {
            self.parameters.rendezvous_send_cost(bytes)
        } else {
            self.parameters.send_cost(bytes)
        }
    }

    fn start_receive(&mut self, from: Partner, bytes: u64, name: Option<Request>, now: Instant) {
        let Some((context, peer)) = self.resolve(&from, "source") else {
            return;
        };
        let registered = self.registered_bytes(bytes);
        let slot = OpenRequest {
            kind: RequestKind::Receive,
            blocking: name.is_none(),
            bytes,
            release: registered,
            context,
            peer,
            tag: from.tag,
            acknowledge: (0, 0),
            name,
            waiter: None,
            echo: None,
        };
        let Some(index) = self.store(slot) else {
            return;
        };
        let until = now + self.parameters.registration(registered);
        self.continue_with(Step::Register(index), until);
    }

    /// Bytes that a receive of at most `bytes` registers when it is posted.
    fn registered_bytes(&self, bytes: u64) -> u64 {
        if self.parameters.is_eager(bytes) || bytes == u64::MAX {
            0
        } else {
            bytes
        }
    }

    pub(super) fn store(&mut self, slot: OpenRequest) -> Option<u32> {
        let index = self.requests.insert(slot);
        if index.is_none() {
            let name = slot.name.map_or(0, |Request(name)| name);
            self.fail(format!(
                "request {name} is started again before it was awaited; wait for it first"
            ));
        }
        index
    }

    /// The context and the rank of the job of a partner; stops the rank if there is none.
    fn resolve(&mut self, partner: &Partner, role: &str) -> Option<(u32, Option<u32>)> {
        let CommId(index) = partner.comm;
        let Some(communicator) = self.communicators.get(index as usize) else {
            self.fail_communicator(index);
            return None;
        };
        let context = communicator.context() * 2;
        let Some(rank) = partner.rank else {
            return Some((context, None));
        };
        if let Some(member) = communicator.member(rank) {
            return Some((context, Some(member)));
        }
        let (size, number) = (communicator.size(), communicator.context());
        self.fail(format!(
            "{role} {rank} is not a rank of communicator {number}, which has {size} ranks"
        ));
        None
    }

    /// The context of a communicator and a member as a rank of the job; stops the rank if there is
    /// none.
    pub(super) fn member_of(&mut self, comm: CommId, target: u32) -> Option<(u32, u32)> {
        let (context, peer) = self.resolve(&Partner::new(comm, Some(target), None), "target")?;
        peer.map(|peer| (context, peer))
    }

    fn fail_communicator(&mut self, index: u32) {
        let count = self.communicators.len();
        self.fail(format!(
            "communicator {index} of {count} does not exist on this rank"
        ));
    }

    /// Collectives, and what is no call.
    fn start_other(&mut self, operation: &Operation, now: Instant) {
        match operation {
            Operation::Nonblocking {
                collective,
                request,
            } => self.start_nonblocking(collective, *request, now),
            Operation::Put {
                comm,
                target,
                bytes,
            } => self.start_one_sided(
                Target {
                    comm: *comm,
                    rank: *target,
                },
                RequestKind::Put,
                *bytes,
                now,
            ),
            Operation::Get {
                comm,
                target,
                bytes,
            } => self.start_one_sided(
                Target {
                    comm: *comm,
                    rank: *target,
                },
                RequestKind::Get,
                *bytes,
                now,
            ),
            Operation::Flush { comm, target } => self.flush(*comm, *target, now),
            Operation::Fence { comm } => self.fence(*comm, now),
            // A program that ends waits for the collectives it has left in progress.
            Operation::Finish => {
                self.strand.goal = Goal::All;
                self.strand.awaited = self.open_collectives();
                self.wait(now);
            }
            Operation::Compute(_) | Operation::IterationBegin | Operation::IterationEnd => {
                self.continue_with(Step::Fetch, now);
            }
            collective => {
                if let Some(ongoing) = self.ongoing(collective) {
                    self.strand.collective = Some(Box::new(ongoing));
                    self.collective_step(now);
                }
            }
        }
    }

    /// Begins a collective that goes on beside the program.
    fn start_nonblocking(&mut self, collective: &Operation, name: Request, now: Instant) {
        let Some(ongoing) = self.ongoing(collective) else {
            return;
        };
        let slot = OpenRequest {
            kind: RequestKind::Collective,
            blocking: false,
            bytes: 0,
            release: 0,
            context: self.communicators[ongoing.comm].context() * 2 + 1,
            peer: None,
            tag: Some(ongoing.tag),
            acknowledge: (0, 0),
            name: Some(name),
            waiter: None,
            echo: None,
        };
        let Some(request) = self.store(slot) else {
            return;
        };
        self.begin_nonblocking(ongoing, collective.clone(), request);
        self.leave(now);
    }

    /// The steps of a collective; stops the rank if it cannot be.
    pub(super) fn ongoing(&mut self, operation: &Operation) -> Option<Ongoing> {
        let Some((kind, comm, root, sizes, incoming)) = collective(operation) else {
            self.fail(format!("{} is no collective", operation.name()));
            return None;
        };
        let CommId(index) = comm;
        let Some(communicator) = self.communicators.get(index as usize) else {
            self.fail_communicator(index);
            return None;
        };
        let (rank, size) = (communicator.rank(), communicator.size());
        if root >= size {
            self.fail(format!(
                "root {root} of {} is not among {size} ranks",
                kind.name()
            ));
            return None;
        }
        for each in [&sizes, &incoming] {
            if let Sizes::Each(list) = each
                && list.len() != size as usize
            {
                let (name, given) = (operation.name(), list.len());
                self.fail(format!("{name} among {size} ranks has {given} sizes"));
                return None;
            }
        }
        let tag = self.collective_counts[index as usize];
        self.collective_counts[index as usize] = tag.wrapping_add(1);
        let shape = Shape {
            rank,
            size,
            root,
            sizes,
            incoming,
        };
        let algorithm = self.parameters.algorithm(kind);
        let groups = match algorithm {
            Algorithm::Hierarchical => self.rank_map.groups(communicator),
            _ => None,
        };
        Some(Ongoing {
            steps: Collective::on_nodes(kind, algorithm, shape, groups.as_ref()),
            comm: index as usize,
            tag,
            pending: Vec::new(),
        })
    }

    /// Takes the next step of the collective in progress.
    pub(super) fn collective_step(&mut self, now: Instant) {
        let Some(mut running) = self.strand.collective.take() else {
            return self.leave(now);
        };
        let primitive = running.steps.advance();
        match primitive {
            Primitive::Done => {
                // The last primitive has looked at what arrived; the call only returns.
                return match self.strand.task {
                    Task::Collective(request) => {
                        self.complete(request);
                        self.continue_with(Step::Gone, Instant::NEVER);
                    }
                    Task::Sequence | Task::Operation(_) => self.exit(now),
                };
            }
            Primitive::WaitAll => {
                self.strand.goal = Goal::All;
                self.strand.awaited.clear();
                self.strand.awaited.append(&mut running.pending);
                self.strand.collective = Some(running);
                return self.wait(now);
            }
            Primitive::Send { peer, bytes, .. } | Primitive::Isend { peer, bytes, .. } => {
                let index = self.store_step(&mut running, primitive, peer, bytes);
                let member = self.communicators[running.comm].member(peer);
                let until = now + self.send_cost(member, RequestKind::Send, bytes);
                self.continue_with(Step::Inject(index), until);
            }
            Primitive::Recv { peer, bytes, .. } | Primitive::Irecv { peer, bytes, .. } => {
                let index = self.store_step(&mut running, primitive, peer, bytes);
                let registered = self.registered_bytes(bytes);
                let until = now + self.parameters.registration(registered);
                self.continue_with(Step::Register(index), until);
            }
        }
        self.strand.collective = Some(running);
    }

    fn store_step(
        &mut self,
        running: &mut Ongoing,
        primitive: Primitive,
        peer: u32,
        bytes: u64,
    ) -> u32 {
        let communicator = &self.communicators[running.comm];
        let (kind, blocking) = match primitive {
            Primitive::Send { .. } => (RequestKind::Send, true),
            Primitive::Isend { .. } => (RequestKind::Send, false),
            Primitive::Recv { .. } => (RequestKind::Receive, true),
            _ => (RequestKind::Receive, false),
        };
        let slot = OpenRequest {
            kind,
            blocking,
            bytes,
            release: match kind {
                RequestKind::Receive => self.registered_bytes(bytes),
                _ => 0,
            },
            context: communicator.context() * 2 + 1,
            peer: communicator.member(peer),
            tag: Some(running.tag),
            acknowledge: (0, 0),
            name: None,
            waiter: None,
            echo: None,
        };
        let index = self.requests.insert(slot);
        assert!(
            index.is_some(),
            "a request without a name always finds a slot"
        );
        let index = index.unwrap_or_default();
        if !blocking {
            running.pending.push(index);
        }
        index
    }
}

/// How the payload of a send goes.
const fn send_kind(send: &Operation) -> RequestKind {
    match send {
        Operation::Ssend { .. } | Operation::Issend { .. } => RequestKind::SynchronousSend,
        _ => RequestKind::Send,
    }
}

type Parts = (CollectiveKind, CommId, u32, Sizes, Sizes);

/// A collective operation taken apart: kind, communicator, root, sizes, incoming sizes.
pub(super) fn collective(operation: &Operation) -> Option<Parts> {
    use CollectiveKind as Kind;
    let uniform = Sizes::Uniform;
    let none = || Sizes::Unknown;
    Some(match operation {
        Operation::Barrier { comm } => (Kind::Barrier, *comm, 0, uniform(0), none()),
        Operation::Allreduce { comm, bytes } => {
            (Kind::Allreduce, *comm, 0, Sizes::Cut(*bytes), none())
        }
        Operation::Alltoall { comm, bytes } => {
            (Kind::Alltoall, *comm, 0, uniform(*bytes), uniform(*bytes))
        }
        Operation::Alltoallv {
            comm,
            send,
            receive,
        } => {
            let incoming = if receive.is_empty() {
                none()
            } else {
                each(receive)
            };
            (Kind::Alltoall, *comm, 0, each(send), incoming)
        }
        Operation::Allgather { comm, bytes } => {
            (Kind::Allgather, *comm, 0, uniform(*bytes), none())
        }
        Operation::Allgatherv { comm, sizes } => (Kind::Allgather, *comm, 0, each(sizes), none()),
        Operation::ReduceScatter { comm, sizes } => {
            (Kind::ReduceScatter, *comm, 0, each(sizes), none())
        }
        Operation::Scan { comm, bytes } => (Kind::Scan, *comm, 0, uniform(*bytes), none()),
        _ => return rooted(operation),
    })
}

/// As [`collective`], for those with a root.
fn rooted(operation: &Operation) -> Option<Parts> {
    use CollectiveKind as Kind;
    let uniform = Sizes::Uniform;
    Some(match operation {
        Operation::Bcast { comm, root, bytes } => {
            (Kind::Bcast, *comm, *root, uniform(*bytes), Sizes::Unknown)
        }
        Operation::Reduce { comm, root, bytes } => {
            (Kind::Reduce, *comm, *root, uniform(*bytes), Sizes::Unknown)
        }
        Operation::Gather { comm, root, bytes } => {
            (Kind::Gather, *comm, *root, uniform(*bytes), uniform(*bytes))
        }
        Operation::Gatherv {
            comm,
            root,
            bytes,
            sizes,
        } => {
            let incoming = if sizes.is_empty() {
                Sizes::Unknown
            } else {
                each(sizes)
            };
            (Kind::Gather, *comm, *root, Sizes::Own(*bytes), incoming)
        }
        Operation::Scatter { comm, root, bytes } => (
            Kind::Scatter,
            *comm,
            *root,
            uniform(*bytes),
            uniform(*bytes),
        ),
        Operation::Scatterv {
            comm,
            root,
            bytes,
            sizes,
        } => {
            let outgoing = if sizes.is_empty() {
                Sizes::Own(*bytes)
            } else {
                each(sizes)
            };
            (Kind::Scatter, *comm, *root, outgoing, Sizes::Own(*bytes))
        }
        _ => return None,
    })
}

fn each(sizes: &Arc<[u64]>) -> Sizes {
    Sizes::Each(Arc::clone(sizes))
}
