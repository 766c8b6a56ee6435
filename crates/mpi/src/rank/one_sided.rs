//! Put, get, flush and fence: the CPU begins them, the NICs do the rest.

use odonata_units::{Instant, Span};

use super::MpiRank;
use super::requests::{OpenRequest, RequestKind};
use super::strand::{Goal, Step};
use super::timers::Event;
use crate::header::{Envelope, MessageKind};
use crate::operation::{CommId, Operation};

/// With so many open, those that are done are looked for when another one begins.
const FEW: usize = 64;

/// A rank of a communicator whose memory a put or a get is about.
#[derive(Clone, Copy)]
pub(super) struct Target {
    comm: CommId,
    rank: u32,
}

impl Target {
    pub(super) const fn new(comm: CommId, rank: u32) -> Self {
        Self { comm, rank }
    }
}

impl MpiRank {
    /// A put or a get of `bytes` at `target` begins.
    pub(super) fn start_one_sided(
        &mut self,
        target: Target,
        kind: RequestKind,
        bytes: u64,
        now: Instant,
    ) {
        let Some((context, peer)) = self.member_of(target.comm, target.rank) else {
            return;
        };
        self.forget_done();
        let slot = OpenRequest {
            kind,
            bytes,
            context,
            peer: Some(peer),
            ..OpenRequest::IDLE
        };
        let Some(index) = self.store(slot) else {
            return;
        };
        self.one_sided.get_or_insert_default().open.push(index);
        let until = if peer == self.rank {
            now + self.parameters.local_send_cost(bytes)
        } else {
            now + self.parameters.send_setup
        };
        self.continue_with(Step::Inject(index), until);
    }

    /// Its set-up is over: it goes to the NIC.
    pub(super) fn inject_one_sided(&mut self, index: u32, now: Instant) {
        let slot = *self.requests.get(index);
        let target = slot.peer.unwrap_or(self.rank);
        let is_put = slot.kind == RequestKind::Put;
        if target == self.rank {
            self.requests.set_done(index, true);
            return self.leave(now);
        }
        let kind = if is_put {
            MessageKind::Put
        } else {
            MessageKind::Fetch
        };
        let envelope = Envelope {
            kind,
            context: slot.context,
            tag: 0,
            source: self.rank,
            sequence: 0,
            bytes: slot.bytes,
            send_slot: index,
            receive_slot: 0,
            repetition: 0,
            alltoall: false,
        };
        let mut delay = self.parameters.host_to_nic;
        if is_put {
            delay += self.parameters.nic_send;
            self.count_one_sided(target, slot.bytes);
        }
        self.hand_over(target, envelope, now, delay);
        self.leave(now);
    }

    /// A message of `bytes` of payload to `target` without a receive.
    fn count_one_sided(&mut self, target: u32, bytes: u64) {
        let is_local = self.rank_map.share_a_node(self.rank, target);
        self.account.count(is_local, bytes);
    }

    /// The NIC has got a put or the request of a get: it answers by itself.
    pub(super) fn answer(&mut self, envelope: &Envelope, now: Instant) {
        let parameters = &self.parameters;
        let (kind, delay) = if envelope.kind == MessageKind::Put {
            (MessageKind::Ack, parameters.nic_send)
        } else {
            (
                MessageKind::Fetched,
                parameters.nic_get + parameters.nic_send,
            )
        };
        let back = Envelope {
            kind,
            source: self.rank,
            ..*envelope
        };
        if kind == MessageKind::Fetched {
            self.count_one_sided(envelope.source, envelope.bytes);
        }
        self.hand_over(envelope.source, back, now, delay);
    }

    /// The NIC has got the data of a get: they are in the memory of the host a little later.
    pub(super) fn fetched(&mut self, envelope: Envelope, is_local: bool, now: Instant) {
        let delay = if is_local {
            Span::ZERO
        } else {
            self.parameters.nic_to_host
        };
        self.timers.set(now + delay, Event::Arrive(envelope));
    }

    /// Waits until all puts and gets at `target`, of all ranks if `None`, are complete there.
    pub(super) fn flush(&mut self, comm: CommId, target: Option<u32>, now: Instant) {
        let peer = match target {
            None => None,
            Some(target) => match self.member_of(comm, target) {
                Some((_, peer)) => Some(peer),
                None => return,
            },
        };
        self.await_one_sided(peer, now);
    }

    /// Waits as a flush of all ranks does, then meets the ranks of `comm` in a barrier.
    pub(super) fn fence(&mut self, comm: CommId, now: Instant) {
        let Operation::Collective { call, .. } = comm.barrier() else {
            return;
        };
        let Some(barrier) = self.ongoing(&call) else {
            return;
        };
        self.strand.collective = Some(Box::new(barrier));
        self.await_one_sided(None, now);
    }

    fn await_one_sided(&mut self, peer: Option<u32>, now: Instant) {
        let requests = &self.requests;
        let is_meant = |index: u32| peer.is_none() || requests.get(index).peer == peer;
        let awaited_already = self.flushed_by_others(is_meant);
        let one_sided = self.one_sided.get_or_insert_default();
        let (mut awaited, others): (Vec<u32>, Vec<u32>) = std::mem::take(&mut one_sided.open)
            .into_iter()
            .partition(|&index| is_meant(index));
        one_sided.open = others;
        awaited.extend((awaited_already.into_iter()).filter_map(|index| self.echo(index)));
        self.strand.goal = Goal::All;
        self.strand.awaited.set(awaited);
        self.wait(now);
    }

    /// Puts and gets that are not complete and that other strands wait for.
    fn flushed_by_others(&self, is_meant: impl Fn(u32) -> bool) -> Vec<u32> {
        let Some(crew) = &self.crew else {
            return Vec::new();
        };
        let is_open = |index: u32| {
            let slot = self.requests.get(index);
            matches!(slot.kind, RequestKind::Put | RequestKind::Get)
                && !self.requests.is_done(index)
        };
        let awaited = crew
            .strands()
            .flat_map(|strand| strand.awaited.slots())
            .copied();
        let found = awaited.filter(|&index| is_open(index) && is_meant(index));
        // One that is the echo of another is found with that.
        let found: Vec<u32> = found.collect();
        let echoes: Vec<u32> = found
            .iter()
            .filter_map(|&one| self.requests.get(one).echo)
            .collect();
        found
            .into_iter()
            .filter(|index| !echoes.contains(index))
            .collect()
    }

    /// A request that is complete when `index` is.
    fn echo(&mut self, index: u32) -> Option<u32> {
        let slot = OpenRequest {
            waiter: None,
            ..*self.requests.get(index)
        };
        let echo = self.store(slot)?;
        self.requests.set_done(echo, self.requests.is_done(index));
        self.requests.get_mut(index).echo = Some(echo);
        Some(echo)
    }

    /// A program that never flushes keeps nothing of what is done.
    fn forget_done(&mut self) {
        let one_sided = self.one_sided.get_or_insert_default();
        if one_sided.open.len() < one_sided.sweep_at.max(FEW) {
            return;
        }
        let requests = &mut self.requests;
        one_sided.open.retain(|&index| {
            let is_done = requests.is_done(index);
            if is_done {
                requests.remove(index);
            }
            !is_done
        });
        one_sided.sweep_at = 2 * one_sided.open.len();
    }
}
