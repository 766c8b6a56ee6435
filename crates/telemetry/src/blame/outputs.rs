//! Waits at output ports.

use std::collections::VecDeque;

use odonata_units::{Instant, Span};

use super::charges::{BySender, Cause, Charges, Stage};
use super::clock::Clocks;
use super::party::Parties;
use super::transit::Transit;

/// A packet in the queue of an output port.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// First instant at which it may start.
    since: Instant,
    party: u16,
    in_port: u8,
    source: u32,
    /// Of the clocks when its wait began.
    reading: u32,
}

/// Who waits, at a port of a share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub(crate) party: usize,
    pub(crate) in_port: u8,
    pub(crate) source: u32,
}

/// Where charges go.
pub(crate) struct Books<'a> {
    /// `[port]`.
    pub(crate) charges: &'a mut [Charges],
    pub(crate) senders: &'a mut BySender,
    pub(crate) transit: &'a mut Transit,
    /// All waits, ps.
    pub(crate) waited: &'a mut u128,
}

/// Readings of clocks, each in a place of its own; places are used again.
#[derive(Clone, Debug, Default)]
struct Readings {
    values: Vec<u64>,
    free: Vec<u32>,
}

impl Readings {
    fn keep(&mut self, clocks: &Clocks, (port, vc): (usize, usize)) -> u32 {
        let place = self.reserve(clocks.reading_len());
        self.write(place, clocks, (port, vc));
        place
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "fewer packets than 2^32 wait"
    )]
    fn reserve(&mut self, length: usize) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            let place = self.values.len() / length;
            self.values.resize(self.values.len() + length, 0);
            place as u32
        })
    }

    fn write(&mut self, place: u32, clocks: &Clocks, (port, vc): (usize, usize)) {
        let length = clocks.reading_len();
        let slot = &mut self.values[place as usize * length..][..length];
        for (value, now) in slot.iter_mut().zip(clocks.reading(port, vc)) {
            *value = now;
        }
    }

    fn get(&self, place: u32, length: usize) -> &[u64] {
        &self.values[place as usize * length..][..length]
    }
}

/// A wait that begins only later.
#[derive(Clone, Copy, Debug)]
struct Later {
    begins: Instant,
    vc: usize,
    reading: u32,
}

/// All output ports of a share.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    parties: Parties,
    vcs: usize,
    radix: usize,
    clocks: Clocks,
    /// `[port * vcs + vc]`, in the order in which they start.
    queues: Vec<VecDeque<Waiting>>,
    /// `[port]`: few, and none where links are equally fast.
    later: Vec<Vec<Later>>,
    /// Waits that begin later, of all ports.
    later_count: usize,
    readings: Readings,
}

impl Outputs {
    pub(crate) fn new(ports: usize, (radix, vcs): (usize, usize), parties: Parties) -> Self {
        Self {
            parties,
            vcs,
            radix,
            clocks: Clocks::new(ports, vcs, parties.count()),
            queues: (0..ports * vcs).map(|_| VecDeque::new()).collect(),
            later: vec![Vec::new(); ports],
            later_count: 0,
            readings: Readings::default(),
        }
    }

    /// Lets a port run to `to`, and readings be taken on the way.
    #[inline]
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
            let (clocks, readings) = (&self.clocks, &mut self.readings);
            let before = self.later[port].len();
            self.later[port].retain(|one| {
                if one.begins == begins {
                    readings.write(one.reading, clocks, (port, one.vc));
                }
                one.begins != begins
            });
            self.later_count -= before - self.later[port].len();
        }
    }

    /// A packet joins the queue of (`port`, `vc`) at `at` and may start from `ready` on.
    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 parties")]
    pub(crate) fn join(
        &mut self,
        (port, vc): (usize, usize),
        who: Who,
        (at, ready): (Instant, Instant),
    ) {
        self.advance(port, at);
        let queue = &mut self.queues[port * self.vcs + vc];
        if queue.is_empty() {
            self.clocks.set_waiting(port, vc, true);
        }
        let reading = self.readings.keep(&self.clocks, (port, vc));
        if ready > at {
            self.later_count += 1;
            self.later[port].push(Later {
                begins: ready,
                vc,
                reading,
            });
        }
        queue.push_back(Waiting {
            since: ready,
            party: who.party as u16,
            in_port: who.in_port,
            source: who.source,
            reading,
        });
    }

    /// A packet of `party` starts on (`port`, `vc`) at `at` and occupies it for `serialization`:
    /// the first of its queue, or one that did not wait.
    #[inline(always)]
    pub(crate) fn start(
        &mut self,
        (port, vc): (usize, usize),
        party: usize,
        (at, serialization): (Instant, Span),
        books: &mut Books<'_>,
    ) {
        if self.clocks.has_waiting(port) {
            self.end_wait((port, vc), at, books);
        }
        self.clocks.occupy(port, party, (at, at + serialization));
    }

    /// The first packet of a queue starts at `at`.
    #[inline(never)]
    fn end_wait(&mut self, (port, vc): (usize, usize), at: Instant, books: &mut Books<'_>) {
        self.advance(port, at);
        let place = port * self.vcs + vc;
        if let Some(first) = self.queues[place].pop_front() {
            self.settle((port, vc), first, at, books);
            if self.queues[place].is_empty() {
                self.clocks.set_waiting(port, vc, false);
            }
        }
    }

    /// Books the wait of a packet that ended at `at`.
    #[inline]
    fn settle(
        &mut self,
        (port, vc): (usize, usize),
        one: Waiting,
        at: Instant,
        books: &mut Books<'_>,
    ) {
        self.readings.free.push(one.reading);
        let wait = at.saturating_since(one.since).ps();
        if wait == 0 {
            return;
        }
        let (party, parties) = (usize::from(one.party), self.parties.count());
        let job = self.parties.job(party);
        let charges = &mut books.charges[port];
        let then = self.readings.get(one.reading, self.clocks.reading_len());
        let mut own = wait;
        for (place, (now, then)) in self.clocks.reading(port, vc).zip(then).enumerate() {
            let span = now - then;
            if span == 0 {
                continue;
            }
            let (delaying, cause) = if place < parties {
                (place, Cause::Port)
            } else {
                (place - parties, Cause::Credits)
            };
            own -= span;
            charges.add(job, delaying, cause, span);
            books.senders.add(one.source, delaying, span);
        }
        if own > 0 {
            charges.add(job, party, Cause::Stage, own);
            books.senders.add(one.source, party, own);
        }
        charges.count(job, Stage::Output);
        let ports = (usize::from(one.in_port), port % self.radix);
        books.transit.add(port / self.radix, ports, party, wait);
        *books.waited += u128::from(wait);
    }

    /// See `Probe::blocked`.
    pub(crate) fn block(&mut self, port: usize, lacking: u32, at: Instant) {
        self.advance(port, at);
        self.clocks.block(port, lacking, at);
    }

    /// See `Probe::credits_taken`.
    #[inline(always)]
    pub(crate) fn take(&mut self, (port, vc): (usize, usize), party: usize, flits: u32) {
        self.clocks.take(port * self.vcs + vc, party, flits);
    }

    /// See `Probe::credits_returned`.
    #[inline(always)]
    pub(crate) fn give_back(
        &mut self,
        (port, vc): (usize, usize),
        party: usize,
        (flits, at): (u32, Instant),
    ) {
        self.clocks.give_back((port, vc), party, (flits, at));
    }

    /// Books the waits that have not ended at `end`.
    pub(crate) fn close(&mut self, end: Instant, books: &mut Books<'_>) {
        for port in 0..self.later.len() {
            self.advance(port, end);
            for vc in 0..self.vcs {
                while let Some(one) = self.queues[port * self.vcs + vc].pop_front() {
                    self.settle((port, vc), one, end, books);
                }
                self.clocks.set_waiting(port, vc, false);
            }
        }
    }
}
