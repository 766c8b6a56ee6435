//! Counts of a rank.

use std::num::NonZeroU8;

use odonata_units::{Instant, Span};

use crate::host::HostTime;
use crate::iteration_log::IterationLog;
use crate::report::{IterationReport, RankReport};

/// Time of one kind each, summed.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    mpi: Span,
    compute: Span,
    /// Communication inside iterations.
    iterations: Span,
}

/// Counts so far.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) start: Option<Instant>,
    pub(super) last: Instant,
    pub(super) bytes_sent: u64,
    payload_bytes_sent: u64,
    messages_sent: u64,
    local_bytes_sent: u64,
    local_messages_sent: u64,
    /// Payload sent to other nodes since the rank last had a message, computed (if for no time),
    /// or began an iteration; and the most there ever was.
    burst: u64,
    peak_ingress_bytes: u64,
    /// Repetitions of the program that have ended.
    pub(super) repetitions: u32,
    /// Bytes that had been sent when the repetition in progress began.
    sent_before: u64,
    /// Whether that repetition has received a message.
    has_received: bool,
    pub(super) last_return: Instant,
    pub(super) compute_time: Span,
    mpi_time: Span,
    first_call: Option<Instant>,
    /// Calls in progress, and since when there are any.
    calls: u32,
    call: Instant,
    /// Computations in progress on several streams, and since when there are any.
    computations: u32,
    computation: Instant,
    /// End of the last repetition, and what was spent until then.
    ended: (Instant, Spent),
    iteration: (Instant, Span),
    iterations: IterationLog,
}

impl Account {
    /// Keeps at most `most` iterations. Before the first one only.
    pub(super) fn keep_iterations(&mut self, most: usize) {
        self.iterations = IterationLog::new(most);
    }

    /// A message of so many bytes is sent, through the memory of the node or not. Numbers end at
    /// what 64 bits hold: sends that cost no time may hand over more than any network takes.
    pub(super) const fn count(&mut self, is_local: bool, bytes: u64) {
        if is_local {
            self.local_messages_sent += 1;
            self.local_bytes_sent = self.local_bytes_sent.saturating_add(bytes);
        } else {
            self.messages_sent += 1;
            self.payload_bytes_sent = self.payload_bytes_sent.saturating_add(bytes);
            self.burst = self.burst.saturating_add(bytes);
            if self.burst > self.peak_ingress_bytes {
                self.peak_ingress_bytes = self.burst;
            }
        }
    }

    /// What was sent so far did not come all at once with what follows.
    pub(super) const fn end_burst(&mut self) {
        self.burst = 0;
    }

    /// A message that was asked for is in.
    pub(super) const fn note_receive(&mut self) {
        self.has_received = true;
        self.end_burst();
    }

    /// Bytes that were handed to the NIC in the repetition in progress.
    pub(super) const fn handed_over(&self) -> u64 {
        self.bytes_sent - self.sent_before
    }

    pub(super) fn enter_call(&mut self, now: Instant) {
        self.first_call.get_or_insert(now);
        if self.calls == 0 {
            self.call = now;
        }
        self.calls += 1;
    }

    pub(super) fn leave_call(&mut self, now: Instant) {
        self.calls -= 1;
        if self.calls == 0 {
            self.mpi_time += now - self.call;
        }
        self.last_return = now;
    }

    /// A stream among several begins to compute. Computation of several at once counts once.
    pub(super) const fn begin_computation(&mut self, now: Instant) {
        self.end_burst();
        if self.computations == 0 {
            self.computation = now;
        }
        self.computations += 1;
    }

    pub(super) fn end_computation(&mut self, now: Instant) {
        self.computations -= 1;
        if self.computations == 0 {
            self.compute_time += now - self.computation;
        }
    }

    /// Computation until `now`, that in progress included.
    fn computed(&self, now: Instant) -> Span {
        match self.computations {
            0 => self.compute_time,
            _ => self.compute_time + (now - self.computation),
        }
    }

    pub(super) fn begin_iteration(&mut self, now: Instant) {
        self.end_burst();
        self.iteration = (now, self.computed(now));
    }

    /// Whose turn it is among `turns` that change with every iteration.
    pub(super) fn turn(&self, turns: NonZeroU8) -> u8 {
        // A remainder is below its divisor, which has 8 bits.
        u8::try_from(self.iterations.count() % u64::from(turns.get())).unwrap_or(0)
    }

    pub(super) fn end_iteration(&mut self, now: Instant) {
        let (start, computed) = self.iteration;
        let compute = self.computed(now).saturating_sub(computed);
        self.iterations.push(IterationReport {
            repetition: self.repetitions,
            start,
            end: now,
            comm_time: (now - start).saturating_sub(compute),
        });
    }

    /// Iterations that have ended.
    pub(super) const fn iterations(&self) -> u64 {
        self.iterations.count()
    }

    /// Time from the beginning of the rank to `now`, less the computation in it.
    pub(super) fn communication(&self, now: Instant) -> Span {
        let passed = now.saturating_since(self.start.unwrap_or(Instant::ZERO));
        passed.saturating_sub(self.computed(now))
    }

    /// A repetition has ended; whether it took time, sent or received anything. One that did not
    /// counts only if it is the first.
    pub(super) fn end_repetition(&mut self, now: Instant) -> bool {
        let did_something = now > self.begin() || self.handed_over() > 0 || self.has_received;
        if did_something || self.repetitions == 0 {
            self.repetitions += 1;
            self.ended = (now, self.spent());
        }
        self.sent_before = self.bytes_sent;
        self.has_received = false;
        did_something
    }

    /// All that was spent so far.
    const fn spent(&self) -> Spent {
        Spent {
            mpi: self.mpi_time,
            compute: self.compute_time,
            iterations: self.iterations.comm_time(),
        }
    }

    /// When the repetition in progress began.
    pub(super) fn begin(&self) -> Instant {
        match self.repetitions {
            0 => self.start.unwrap_or(Instant::ZERO),
            _ => self.ended.0,
        }
    }

    /// The record, less what only the rank knows: whether it goes on.
    pub(super) fn report(&self) -> RankReport {
        let start = self.start.unwrap_or(Instant::ZERO);
        let (ended, before) = self.ended;
        let (end, spent) = match self.repetitions {
            0 => (self.last, self.spent()),
            _ => (ended, before),
        };
        let unfinished = self.last.saturating_since(self.begin());
        let computed = self.compute_time.saturating_sub(before.compute);
        RankReport {
            start,
            end,
            bytes_sent: self.bytes_sent,
            payload_bytes_sent: self.payload_bytes_sent,
            messages_sent: self.messages_sent,
            local_bytes_sent: self.local_bytes_sent,
            local_messages_sent: self.local_messages_sent,
            peak_ingress_bytes: self.peak_ingress_bytes,
            repetitions: self.repetitions,
            comm_time: (end - start).saturating_sub(spent.compute),
            mpi_time: spent.mpi,
            compute_time: spent.compute,
            unfinished_comm_time: unfinished.saturating_sub(computed),
            first_call: self.first_call,
            last_call: self.last,
            iteration_comm_time: spent.iterations,
            iterations: self.iterations.kept().to_vec(),
            iterations_every: self.iterations.every(),
            finished: self.repetitions > 0,
            blocked_on: None,
            host: HostTime::default(),
        }
    }
}
