//! Waits at output ports.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::Instant;

use super::charges::{Cause, Charges, Delayed};
use super::clock::{Clocks, Queue};
use super::party::Waiters;
use super::rows::Rows;
use super::senders::{BySender, Held};
use super::waiting::{Lines, WaitingPacket, Who};
use crate::probe::{ChannelStart, CreditChange, Queueing};

/// Where charges go.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Books {
    /// Charges at input ports, `[port]`.
    pub(crate) charges: Vec<Charges>,
    pub(crate) senders: BySender,
    /// Sums at output ports.
    pub(crate) rows: Rows,
    /// Number of the first port of the scope among those of all routers.
    pub(crate) first_port: u32,
}

impl Books {
    /// A wait at `port` of the scope that is passed on.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "ports have 32 bits")]
    pub(crate) const fn held(
        &self,
        port: usize,
        who: Who,
        packets: Delayed,
        delaying: usize,
        cause: Cause,
    ) -> Held {
        Held {
            port: Some(self.first_port + port as u32),
            sender: who.source(),
            transaction: packets.transaction,
            delaying,
            cause,
        }
    }

    /// Adds the routers behind these.
    pub(crate) fn append(&mut self, other: Self) {
        self.charges.extend(other.charges);
        self.senders.merge(&other.senders);
        self.rows.append(other.rows);
    }
}

/// A wait that begins only later.
#[derive(Clone, Copy, Debug)]
struct Later {
    begins: Instant,
    vc: usize,
    record: u32,
}

/// All output ports of a scope.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    waiters: Waiters,
    vcs: usize,
    clocks: Clocks,
    /// Packets that wait, `[port * vcs + vc]`.
    lines: Lines,
    /// `[port]`: few, and none where links are equally fast.
    later: Vec<Vec<Later>>,
    /// Waits that begin later, of all ports.
    later_count: usize,
}

impl Outputs {
    pub(crate) fn new(ports: usize, vcs: usize, waiters: Waiters) -> Self {
        let clocks = Clocks::new(ports, vcs, waiters.parties);
        Self {
            waiters,
            vcs,
            lines: Lines::new(ports * vcs, clocks.reading_len()),
            clocks,
            later: vec![Vec::new(); ports],
            later_count: 0,
        }
    }

    /// Lets a port run to `to`, and readings be taken on the way.
    ///
    /// Waits that began before read the clocks first.
    #[inline(always)]
    fn advance(&mut self, port: usize, to: Instant) {
        if self.later_count > 0 {
            self.begin_waits(port, to);
        }
        self.clocks.advance(port, to);
    }

    /// Takes the readings of waits of a port that begin up to `to`.
    #[inline(never)]
    fn begin_waits(&mut self, port: usize, to: Instant) {
        while !self.later[port].is_empty() {
            let first = self.later[port].iter().map(|one| one.begins).min();
            let Some(begins) = first.filter(|begins| *begins <= to) else {
                break;
            };
            self.clocks.advance(port, begins);
            let (clocks, lines) = (&self.clocks, &mut self.lines);
            let before = self.later[port].len();
            self.later[port].retain(|one| {
                if one.begins == begins {
                    let queue = Queue { port, vc: one.vc };
                    if clocks.has_lacked(queue) {
                        lines.set_lacked(one.record);
                    }
                    clocks.read(queue, begins, lines.reading_mut(one.record));
                }
                one.begins != begins
            });
            self.later_count -= before - self.later[port].len();
        }
    }

    /// A packet joins a queue.
    #[inline(always)]
    pub(crate) fn join(&mut self, queue: Queue, who: Who, queueing: Queueing) {
        let Queue { port, vc } = queue;
        let Queueing { at, ready, .. } = queueing;
        self.advance(port, at);
        let record = self
            .lines
            .join(queue.index(self.vcs), WaitingPacket { since: ready, who });
        if self.clocks.has_lacked(queue) {
            self.lines.set_lacked(record);
        }
        self.clocks.set_waiting(port, vc, true);
        let reading = self.lines.reading_mut(record);
        self.clocks.read(queue, at, reading);
        if ready > at {
            self.later_count += 1;
            let begins = ready;
            self.later[port].push(Later { begins, vc, record });
        }
    }

    /// A packet of `party` starts from a queue: its first one, or one that did not wait.
    #[inline(always)]
    pub(crate) fn start(
        &mut self,
        queue: Queue,
        party: usize,
        start: ChannelStart,
        books: &mut Books,
    ) {
        if self.clocks.has_waiting(queue.port) {
            self.end_wait(queue, start.at, books);
        }
        self.clocks
            .occupy(queue.port, party, start.at, start.serialization);
    }

    /// The first packet of a queue starts at `at`, when the port is free.
    #[inline(always)]
    fn end_wait(&mut self, queue: Queue, at: Instant, books: &mut Books) {
        let Queue { port, vc } = queue;
        self.advance(port, at);
        let line = queue.index(self.vcs);
        if let Some((record, first)) = self.lines.leave(line) {
            self.settle(queue, record, first, at, books);
            if self.lines.is_empty(line) {
                self.clocks.set_waiting(port, vc, false);
            }
        }
    }

    /// Books the wait of a packet that ended at `at`, when the port is free.
    #[inline(always)]
    fn settle(
        &mut self,
        queue: Queue,
        record: u32,
        one: WaitingPacket,
        at: Instant,
        books: &mut Books,
    ) {
        let wait = at.saturating_since(one.since).ps();
        if wait == 0 {
            return;
        }
        let packets = Delayed::of(&self.waiters, one.who.waiter());
        let (source, kind) = (one.who.source(), packets.transaction);
        let mut row = books.rows.row(queue.port, one.who.waiter());
        row.count();
        row.waited(one.who.in_port(), wait);
        let (mut own, senders) = (wait, &mut books.senders);
        let then = self.lines.reading(record);
        let now = self.clocks.busy(queue.port);
        for (delaying, now) in now.iter().enumerate() {
            // Clocks may have run ahead to the instant of a credit.
            let span = (now - then[delaying]).min(own);
            if span > 0 {
                own -= span;
                row.add(Cause::Port, delaying, span);
                senders.add(source, kind, delaying, span);
            }
        }
        if self.clocks.has_lacked(queue) {
            own = self.settle_credits(queue, record, one, own, books);
        }
        if own > 0 {
            let party = self.waiters.party(one.who.waiter());
            books.senders.add(source, kind, party, own);
        }
    }

    /// Books the part of a wait for lacking credits, at most `most`, and returns what is left.
    fn settle_credits(
        &self,
        queue: Queue,
        record: u32,
        one: WaitingPacket,
        most: u64,
        books: &mut Books,
    ) -> u64 {
        let parties = &self.waiters.parties;
        let packets = Delayed::of(&self.waiters, one.who.waiter());
        let class = parties.class_of(queue.vc);
        let then = &self.lines.reading(record)[parties.count()..];
        let mut own = most;
        for (job, now) in self.clocks.lacking(queue).iter().enumerate() {
            let then = if one.who.had_lacked() { then[job] } else { 0 };
            let span = (now - then).min(own);
            if span > 0 {
                own -= span;
                let party = job * parties.classes + class;
                let mut row = books.rows.row(queue.port, one.who.waiter());
                row.add(Cause::Credits, party, span);
                let held = books.held(queue.port, one.who, packets, party, Cause::Credits);
                books.senders.add_held(held, span);
            }
        }
        own
    }

    /// See `Probe::blocked`.
    pub(crate) fn block(&mut self, port: usize, lacking: u32, at: Instant) {
        self.advance(port, at);
        self.clocks.block(port, lacking, at);
    }

    /// See `Probe::credits_taken`.
    #[inline(always)]
    pub(crate) fn take(&mut self, queue: Queue, job: u8, flits: u32) {
        self.clocks.take(queue.index(self.vcs), job, flits);
    }

    /// See `Probe::credits_returned`.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, queue: Queue, credits: CreditChange, at: Instant) {
        if self.clocks.is_blocked(queue) {
            self.advance(queue.port, at);
        }
        self.clocks
            .give_back(queue.index(self.vcs), credits.job, credits.flits);
    }

    /// Books the waits that have not ended at `end`.
    pub(crate) fn close(&mut self, end: Instant, books: &mut Books) {
        for port in 0..self.later.len() {
            self.advance(port, end);
            self.clocks.cut(port, end);
            for vc in 0..self.vcs {
                let queue = Queue { port, vc };
                while let Some((record, one)) = self.lines.leave(queue.index(self.vcs)) {
                    self.settle(queue, record, one, end, books);
                }
                self.clocks.set_waiting(port, vc, false);
            }
        }
    }
}
