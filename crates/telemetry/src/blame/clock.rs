//! Clocks of output ports: how long, up to now, each party has occupied a port or held what others
//! lacked there. The difference of two readings says who made a packet wait in between.
//!
//! What a packet occupies is added when it starts, all at once, and a reading leaves out what has
//! not passed yet. So only ports that are blocked have anything to catch up with.

use odonata_units::{Instant, Span};

use super::party::Parties;

/// What a port does.
#[derive(Clone, Copy, Debug)]
struct PortClock {
    /// End of what it sends, and whose it is.
    busy_until: Instant,
    occupant: u32,
    /// Virtual channels whose packets lack credits, while nothing can start.
    lacking: u32,
    /// Virtual channels with waiting packets.
    waiting: u32,
    /// Virtual channels where credits have been lacking: the other clocks are at zero.
    lacked: u32,
    /// Up to here the clocks of those that lack credits are right.
    blocked_at: Instant,
}

/// The queue of an output port, or the buffer of an input port, that belongs to a virtual channel.
#[derive(Clone, Copy)]
pub(crate) struct Queue {
    /// Port, among those of the scope.
    pub(crate) port: usize,
    pub(crate) vc: usize,
}

impl Queue {
    /// Index in lists of all queues of ports with `vcs` virtual channels each.
    #[inline(always)]
    pub(crate) const fn index(self, vcs: usize) -> usize {
        self.port * vcs + self.vc
    }
}

/// The clocks of all ports of a scope.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    parties: usize,
    jobs: usize,
    vcs: usize,
    ports: Vec<PortClock>,
    /// `[port * parties + party]`: time in which the party occupied the port, up to the end of
    /// what it sends, ps.
    busy: Vec<u64>,
    /// `[(port * vcs + vc) * jobs + job]`: time in which it held the credits of a virtual channel
    /// that was blocked, ps. The class is that of the virtual channel.
    lacking: Vec<u64>,
    /// `[(port * vcs + vc) * jobs + job]`: flits of credits that its packets took.
    held: Vec<u32>,
}

impl Clocks {
    pub(crate) fn new(ports: usize, vcs: usize, parties: Parties) -> Self {
        let port = PortClock {
            busy_until: Instant::ZERO,
            occupant: 0,
            lacking: 0,
            waiting: 0,
            lacked: 0,
            blocked_at: Instant::ZERO,
        };
        Self {
            parties: parties.count(),
            jobs: parties.jobs,
            vcs,
            ports: vec![port; ports],
            busy: vec![0; ports * parties.count()],
            lacking: vec![0; ports * vcs * parties.jobs],
            held: vec![0; ports * vcs * parties.jobs],
        }
    }

    /// Entries of a reading: occupied by party, then lacking by job.
    pub(crate) const fn reading_len(&self) -> usize {
        self.parties + self.jobs
    }

    /// Lets the clocks of a port run to `to`.
    #[inline(always)]
    pub(crate) fn advance(&mut self, port: usize, to: Instant) {
        if self.ports[port].lacking != 0 {
            self.charge_lacking(port, to);
        }
    }

    /// Charges the time up to `to` of a blocked port to those that hold the credits.
    #[inline(never)]
    fn charge_lacking(&mut self, port: usize, to: Instant) {
        let state = &mut self.ports[port];
        let from = state.blocked_at.max(state.busy_until);
        if to <= from {
            return;
        }
        state.blocked_at = to;
        let mut vcs = state.waiting & state.lacking;
        state.lacked |= vcs;
        while vcs != 0 {
            let queue = port * self.vcs + vcs.trailing_zeros() as usize;
            self.charge_holders(queue, (to - from).ps());
            vcs &= vcs - 1;
        }
    }

    /// Splits `span` among those who hold the credits of a queue; see `docs/model/blame.md`, "In
    /// proportion, in integers".
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a part is not larger than the whole"
    )]
    fn charge_holders(&mut self, queue: usize, span: u64) {
        let first = queue * self.jobs;
        let held = &self.held[first..][..self.jobs];
        let all: u128 = held.iter().map(|flits| u128::from(*flits)).sum();
        if all == 0 {
            return;
        }
        let clocks = &mut self.lacking[first..][..self.jobs];
        let (mut left, mut most) = (span, 0);
        for (job, flits) in held.iter().enumerate() {
            let part = (u128::from(span) * u128::from(*flits) / all) as u64;
            clocks[job] += part;
            left -= part;
            if *flits > held[most] {
                most = job;
            }
        }
        clocks[most] += left;
    }

    /// Whether somebody waits at a port.
    #[inline(always)]
    pub(crate) fn has_waiting(&self, port: usize) -> bool {
        self.ports[port].waiting != 0
    }

    /// Writes down what the clocks of a port and virtual channel say at `at`, up to which they
    /// have run.
    #[inline(always)]
    pub(crate) fn read(&self, queue: Queue, at: Instant, reading: &mut [u64]) {
        let port = queue.port;
        // Mostly one or two numbers: a loop would prepare for many.
        let busy = self.busy(port);
        reading[0] = busy[0];
        if let [_, second, others @ ..] = busy {
            reading[1] = *second;
            for (then, now) in reading[2..].iter_mut().zip(others) {
                *then = *now;
            }
        }
        let state = &self.ports[port];
        reading[state.occupant as usize] -= state.busy_until.saturating_since(at).ps();
        if self.has_lacked(queue) {
            let lacking = &mut reading[self.parties..];
            for (then, now) in lacking.iter_mut().zip(self.lacking(queue)) {
                *then = *now;
            }
        }
    }

    /// Time in which each party occupied a port, up to the end of what it sends, ps.
    #[inline(always)]
    pub(crate) fn busy(&self, port: usize) -> &[u64] {
        &self.busy[port * self.parties..][..self.parties]
    }

    /// Time in which each job held the credits of a blocked virtual channel, ps.
    #[inline(always)]
    pub(crate) fn lacking(&self, queue: Queue) -> &[u64] {
        &self.lacking[queue.index(self.vcs) * self.jobs..][..self.jobs]
    }

    /// What a port sends is cut off at `end`.
    pub(crate) fn cut(&mut self, port: usize, end: Instant) {
        let state = &mut self.ports[port];
        let rest = state.busy_until.saturating_since(end).ps();
        self.busy[port * self.parties + state.occupant as usize] -= rest;
        state.busy_until = state.busy_until.min(end);
    }

    /// Somebody waits on a virtual channel, or nobody any more.
    #[inline(always)]
    pub(crate) fn set_waiting(&mut self, port: usize, vc: usize, waits: bool) {
        let bit = 1 << vc;
        let waiting = &mut self.ports[port].waiting;
        *waiting = if waits {
            *waiting | bit
        } else {
            *waiting & !bit
        };
    }

    /// A packet of `occupant` occupies a port. The clocks have run up to then, or nobody waits.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 parties")]
    pub(crate) fn occupy(&mut self, port: usize, occupant: usize, from: Instant, span: Span) {
        let state = &mut self.ports[port];
        state.busy_until = from.plus(span);
        state.occupant = occupant as u32;
        state.lacking = 0;
        self.busy[port * self.parties + occupant] += span.ps();
    }

    /// Nothing can start at a port from `at` on.
    #[inline]
    pub(crate) fn block(&mut self, port: usize, lacking: u32, at: Instant) {
        self.advance(port, at);
        let state = &mut self.ports[port];
        state.lacking = lacking;
        // A credit announced ahead of its instant may have let the clocks run further.
        state.blocked_at = state.blocked_at.max(at);
    }

    /// Whether somebody lacks credits of a virtual channel while nothing can start.
    #[inline(always)]
    pub(crate) fn is_blocked(&self, queue: Queue) -> bool {
        let state = &self.ports[queue.port];
        state.lacking != 0 && state.lacking & state.waiting & (1 << queue.vc) != 0
    }

    /// Whether credits of a virtual channel have ever been lacking: else its clocks are at zero.
    #[inline(always)]
    pub(crate) fn has_lacked(&self, queue: Queue) -> bool {
        self.ports[queue.port].lacked & (1 << queue.vc) != 0
    }

    /// A job takes credits of a queue.
    #[inline(always)]
    pub(crate) fn take(&mut self, queue: usize, job: u8, flits: u32) {
        self.held[queue * self.jobs + usize::from(job)] += flits;
    }

    /// Credits that a job had taken are usable again. Where packets lack them, the clocks have run
    /// up to then.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, queue: usize, job: u8, flits: u32) {
        let held = &mut self.held[queue * self.jobs + usize::from(job)];
        debug_assert!(*held >= flits, "credits are returned that were taken");
        *held -= flits;
    }
}
