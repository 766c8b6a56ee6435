//! From an operation of the program to the first step of its call.

use odonata_units::{Instant, Span};

use super::one_sided::Target;
use super::requests::RequestKind;
use super::strand::{Goal, Ongoing, Step, Task};
use super::{MpiRank, OpenRequest};
use crate::collective::{Algorithm, Collective, Primitive, Shape, Sizes};
use crate::operation::{CollectiveCall, CommId, Operation, Request, SendMode};

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
        match self.strand.operation {
            Operation::Send {
                to,
                bytes,
                mode,
                request,
            } => {
                let partner = Partner::new(to.comm, Some(to.rank), Some(to.tag));
                let kind = match mode {
                    SendMode::Standard => RequestKind::Send,
                    SendMode::Synchronous => RequestKind::SynchronousSend,
                };
                self.start_send(partner, kind, bytes, request, now);
            }
            Operation::Receive {
                comm,
                source,
                tag,
                bytes,
                request,
            } => {
                let partner = Partner::new(comm, source, tag);
                self.start_receive(partner, bytes, request, now);
            }
            Operation::Wait(request) => self.await_named(&[request], Goal::All, now),
            Operation::Test(request) => self.await_named(&[request], Goal::Test, now),
            _ => {
                let operation = std::mem::replace(&mut self.strand.operation, Operation::Finish);
                self.start_other(&operation, now);
                self.strand.operation = operation;
            }
        }
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
            context,
            peer,
            tag: to.tag,
            name,
            ..OpenRequest::IDLE
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
            name,
            ..OpenRequest::IDLE
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

    /// Calls with lists, collectives, one-sided calls, and what is no call.
    fn start_other(&mut self, operation: &Operation, now: Instant) {
        match operation {
            Operation::WaitAll(requests) => self.await_named(requests, Goal::All, now),
            Operation::WaitAny(requests) => self.await_named(requests, Goal::Any, now),
            Operation::WaitSome(requests) => self.await_named(requests, Goal::Some, now),
            Operation::Collective { call, request } => self.start_collective(call, *request, now),
            Operation::Put {
                comm,
                target,
                bytes,
            } => self.start_one_sided(Target::new(*comm, *target), RequestKind::Put, *bytes, now),
            Operation::Get {
                comm,
                target,
                bytes,
            } => self.start_one_sided(Target::new(*comm, *target), RequestKind::Get, *bytes, now),
            Operation::Flush { comm, target } => self.flush(*comm, *target, now),
            Operation::Fence { comm } => self.fence(*comm, now),
            // A program that ends waits for the collectives it has left in progress.
            Operation::Finish => {
                self.strand.goal = Goal::All;
                let open = self.open_collectives();
                self.strand.awaited.set(open);
                self.wait(now);
            }
            // Computation and marks of iterations are no calls.
            _ => self.continue_with(Step::Fetch, now),
        }
    }

    /// Begins a collective; one with a request goes on beside the program.
    fn start_collective(&mut self, call: &CollectiveCall, request: Option<Request>, now: Instant) {
        let Some(ongoing) = self.ongoing(call) else {
            return;
        };
        let Some(name) = request else {
            self.strand.collective = Some(Box::new(ongoing));
            return self.collective_step(now);
        };
        let slot = OpenRequest {
            kind: RequestKind::Collective,
            context: self.communicators[ongoing.comm].context() * 2 + 1,
            tag: Some(ongoing.tag),
            name: Some(name),
            ..OpenRequest::IDLE
        };
        let Some(request) = self.store(slot) else {
            return;
        };
        self.begin_nonblocking(ongoing, call.clone().into(), request);
        self.leave(now);
    }

    /// The steps of a collective; stops the rank if it cannot be.
    pub(super) fn ongoing(&mut self, call: &CollectiveCall) -> Option<Ongoing> {
        let &CollectiveCall { kind, root, .. } = call;
        let CommId(index) = call.comm;
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
        for each in [&call.sizes, &call.incoming] {
            if let Sizes::Each(list) = each
                && list.len() != size as usize
            {
                let (name, given) = (call.name(), list.len());
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
            sizes: call.sizes.clone(),
            incoming: call.incoming.clone(),
        };
        let algorithm = self.parameters.algorithm(kind);
        let groups = match algorithm {
            Algorithm::Hierarchical | Algorithm::RingChannels => self.rank_map.groups(communicator),
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
        let Some(running) = &mut self.strand.collective else {
            return self.leave(now);
        };
        match running.steps.advance() {
            Primitive::Done => {
                self.strand.collective = None;
                // The last primitive has looked at what arrived; the call only returns.
                match self.strand.task {
                    Task::Collective(request) => {
                        self.complete(request);
                        self.continue_with(Step::Gone, Instant::NEVER);
                    }
                    Task::Sequence | Task::Operation(_) => self.exit(now),
                }
            }
            Primitive::WaitAll => {
                self.strand.goal = Goal::All;
                self.strand.awaited.set(running.pending.drain(..));
                self.wait(now);
            }
            Primitive::Send {
                peer,
                bytes,
                blocking,
                ..
            } => {
                let request = OpenRequest {
                    blocking,
                    bytes,
                    ..OpenRequest::IDLE
                };
                let (index, member) = self.store_step(request, peer);
                let until = now + self.send_cost(member, RequestKind::Send, bytes);
                self.continue_with(Step::Inject(index), until);
            }
            Primitive::Receive {
                peer,
                bytes,
                blocking,
                ..
            } => {
                let registered = self.registered_bytes(bytes);
                let request = OpenRequest {
                    kind: RequestKind::Receive,
                    blocking,
                    bytes,
                    release: registered,
                    ..OpenRequest::IDLE
                };
                let (index, _) = self.store_step(request, peer);
                let until = now + self.parameters.registration(registered);
                self.continue_with(Step::Register(index), until);
            }
        }
    }

    /// Stores a request of the collective in progress, to or from a member of its communicator:
    /// where, and which rank of the job that is.
    fn store_step(&mut self, request: OpenRequest, peer: u32) -> (u32, Option<u32>) {
        let Some(running) = &mut self.strand.collective else {
            unreachable!("a collective is in progress");
        };
        let communicator = &self.communicators[running.comm];
        let member = communicator.member(peer);
        let index = self.requests.insert(OpenRequest {
            context: communicator.context() * 2 + 1,
            peer: member,
            tag: Some(running.tag),
            ..request
        });
        let Some(index) = index else {
            unreachable!("a request without a name always finds a slot");
        };
        if !request.blocking {
            running.pending.push(index);
        }
        (index, member)
    }
}
