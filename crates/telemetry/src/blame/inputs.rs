//! Waits in the input buffers of `cioq` routers.

use std::collections::VecDeque;

use odonata_units::Instant;

use super::charges::{BufferKind, Cause, Delayed};
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
    pub(crate) fn new(ports: usize, (radix, vcs): (usize, usize), waiters: Waiters) -> Self {
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

    /// A packet enters by (`port`, `vc`).
    pub(crate) fn enter(&mut self, (port, vc): (usize, usize), who: Who, at: Instant) {
        let input = &mut self.inputs[port * self.vcs + vc];
        input.behind.push_back(Inside { since: at, who });
    }

    /// The first of those behind the head of (`port`, `vc`) becomes head and wants `output`.
    pub(crate) fn become_head(
        &mut self,
        (port, vc): (usize, usize),
        output: usize,
        at: Instant,
        books: &mut Books,
    ) {
        let input = &mut self.inputs[port * self.vcs + vc];
        let Some(first) = input.behind.pop_front() else {
            return;
        };
        let own = self.waiters.party(first.who.waiter());
        let ahead = input.left.unwrap_or(own);
        let head = Inside { since: at, ..first };
        input.head = Some((head, output));
        book(&self.waiters, (first, at), ahead, port, books);
    }

    /// The head of (`port`, `vc`) leaves.
    pub(crate) fn leave(&mut self, (port, vc): (usize, usize), at: Instant, books: &mut Books) {
        let input = &mut self.inputs[port * self.vcs + vc];
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
            row.waited(port % self.radix, wait);
            books.charges[output].count(packets, BufferKind::Input);
            if charged.1 == Cause::Crossbar {
                row.add(Cause::Crossbar, charged.0, wait);
                let held = books.held(output, (head.who, packets), charged);
                books.senders.add_held(held, wait);
            } else {
                let sent = (head.who.source(), packets.transaction);
                books.senders.add(sent, own, wait);
            }
        }
    }

    /// Books the waits that have not ended at `end`.
    pub(crate) fn close(&mut self, end: Instant, books: &mut Books) {
        for buffer in 0..self.inputs.len() {
            let lane = (buffer / self.vcs, buffer % self.vcs);
            let Some((head, _)) = self.inputs[buffer].head else {
                continue;
            };
            self.leave(lane, end, books);
            let behind = std::mem::take(&mut self.inputs[buffer].behind);
            for one in behind {
                let own = self.waiters.party(head.who.waiter());
                book(&self.waiters, (one, end), own, lane.0, books);
            }
        }
    }
}

/// Books a wait behind others in an input buffer, that ended at `at`, to a party.
fn book(
    waiters: &Waiters,
    (one, at): (Inside, Instant),
    delaying: usize,
    port: usize,
    books: &mut Books,
) {
    let wait = at.saturating_since(one.since).ps();
    if wait == 0 {
        return;
    }
    let packets = Delayed::of(waiters, one.who.waiter());
    books.charges[port].add(packets, delaying, Cause::InputQueue, wait);
    books.charges[port].count(packets, BufferKind::Input);
    let held = books.held(port, (one.who, packets), (delaying, Cause::InputQueue));
    books.senders.add_held(held, wait);
}
