//! Waits in the input buffers of `cioq` routers.

use std::collections::VecDeque;

use odonata_units::Instant;

use super::charges::{BufferKind, Cause, Delayed};
use super::clock::Queue;
use super::outputs::Books;
use super::party::Waiters;
use super::waiting::Who;

/// A packet in an input buffer.
#[derive(Clone, Copy, Debug)]
struct Inside {
    since: Instant,
    who: Who,
}

/// One input buffer: of an input port and a virtual channel.
#[derive(Clone, Debug, Default)]
struct Input {
    /// Behind the head.
    behind: VecDeque<Inside>,
    /// Since when it is the head, and the output port it wants.
    head: Option<(Inside, usize)>,
    /// Party that left last.
    left: Option<usize>,
}

/// All input buffers of a scope; none under `voq`.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    waiters: Waiters,
    vcs: usize,
    radix: usize,
    /// `[port * vcs + vc]`.
    inputs: Vec<Input>,
    /// `[port]`: what was granted last to an output port, and when.
    granted: Vec<Option<(usize, Instant)>>,
}

impl Inputs {
    pub(crate) fn new(ports: usize, radix: usize, vcs: usize, waiters: Waiters) -> Self {
        Self {
            waiters,
            vcs,
            radix,
            inputs: vec![Input::default(); ports * vcs],
            granted: vec![None; ports],
        }
    }

    /// Whether there are any.
    pub(crate) const fn are_used(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// A packet enters the buffer `queue`.
    pub(crate) fn enter(&mut self, queue: Queue, who: Who, at: Instant) {
        let input = &mut self.inputs[queue.index(self.vcs)];
        input.behind.push_back(Inside { since: at, who });
    }

    /// The first of those behind the head of `queue` becomes head and wants `output`.
    pub(crate) fn become_head(
        &mut self,
        queue: Queue,
        output: usize,
        at: Instant,
        books: &mut Books,
    ) {
        let input = &mut self.inputs[queue.index(self.vcs)];
        let Some(first) = input.behind.pop_front() else {
            return;
        };
        let own = self.waiters.party(first.who.waiter());
        let ahead = input.left.unwrap_or(own);
        let head = Inside { since: at, ..first };
        input.head = Some((head, output));
        let wait = at.saturating_since(first.since).ps();
        book(&self.waiters, first.who, wait, ahead, queue.port, books);
    }

    /// The head of `queue` leaves.
    pub(crate) fn leave(&mut self, queue: Queue, at: Instant, books: &mut Books) {
        let input = &mut self.inputs[queue.index(self.vcs)];
        let Some((head, output)) = input.head.take() else {
            return;
        };
        let own = self.waiters.party(head.who.waiter());
        input.left = Some(own);
        let others = self.granted[output].filter(|(_, when)| *when >= head.since);
        self.granted[output] = Some((own, at));
        let charged = match others {
            Some((party, _)) => (party, Cause::Crossbar),
            None => (own, Cause::Stage),
        };
        let wait = at.saturating_since(head.since).ps();
        if wait > 0 {
            let packets = Delayed::of(&self.waiters, head.who.waiter());
            let mut row = books.rows.row(output, head.who.waiter());
            row.waited(queue.port % self.radix, wait);
            books.charges[output].count(packets, BufferKind::Input);
            if charged.1 == Cause::Crossbar {
                row.add(Cause::Crossbar, charged.0, wait);
                let held = books.held(output, head.who, packets, charged.0, charged.1);
                books.senders.add_held(held, wait);
            } else {
                let (source, kind) = (head.who.source(), packets.transaction);
                books.senders.add(source, kind, own, wait);
            }
        }
    }

    /// Books the waits that have not ended at `end`.
    pub(crate) fn close(&mut self, end: Instant, books: &mut Books) {
        for buffer in 0..self.inputs.len() {
            let queue = Queue {
                port: buffer / self.vcs,
                vc: buffer % self.vcs,
            };
            let Some((head, _)) = self.inputs[buffer].head else {
                continue;
            };
            self.leave(queue, end, books);
            let behind = std::mem::take(&mut self.inputs[buffer].behind);
            for one in behind {
                let own = self.waiters.party(head.who.waiter());
                let wait = end.saturating_since(one.since).ps();
                book(&self.waiters, one.who, wait, own, queue.port, books);
            }
        }
    }
}

/// Books a wait of `wait` ps behind others in an input buffer to the party `delaying`.
fn book(waiters: &Waiters, who: Who, wait: u64, delaying: usize, port: usize, books: &mut Books) {
    if wait == 0 {
        return;
    }
    let packets = Delayed::of(waiters, who.waiter());
    books.charges[port].add(packets, delaying, Cause::InputQueue, wait);
    books.charges[port].count(packets, BufferKind::Input);
    let held = books.held(port, who, packets, delaying, Cause::InputQueue);
    books.senders.add_held(held, wait);
}
