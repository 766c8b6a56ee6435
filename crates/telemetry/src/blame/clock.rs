//! Clocks of output ports: how long, up to now, each party has occupied a port or held what others
//! lacked there. The difference of two readings says who made a packet wait in between.

use odonata_units::Instant;

/// Times of one port since the clocks were last set.
#[derive(Clone, Copy, Debug)]
struct Port {
    /// Up to here the clocks are right.
    last: Instant,
    /// End of what it sends, and whose it is.
    busy_until: Instant,
    occupant: usize,
    /// Virtual channels whose packets lack credits, while nothing can start.
    lacking: u32,
    /// Virtual channels with waiting packets.
    waiting: u32,
}

/// The clocks of all ports of a share; they run only while somebody waits.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    parties: usize,
    vcs: usize,
    ports: Vec<Port>,
    /// `[port * parties + party]`: time in which the party occupied the port, ps.
    busy: Vec<u64>,
    /// `[(port * vcs + vc) * parties + party]`: time in which it held the credits of a virtual
    /// channel that was blocked, ps.
    lacking: Vec<u64>,
    /// The same: flits of credits that its packets took.
    held: Vec<u32>,
}

impl Clocks {
    pub(crate) fn new(ports: usize, vcs: usize, parties: usize) -> Self {
        let port = Port {
            last: Instant::ZERO,
            busy_until: Instant::ZERO,
            occupant: 0,
            lacking: 0,
            waiting: 0,
        };
        Self {
            parties,
            vcs,
            ports: vec![port; ports],
            busy: vec![0; ports * parties],
            lacking: vec![0; ports * vcs * parties],
            held: vec![0; ports * vcs * parties],
        }
    }

    /// Entries of a reading.
    pub(crate) const fn reading_len(&self) -> usize {
        2 * self.parties
    }

    /// Lets the clocks of a port run to `to`.
    #[inline]
    pub(crate) fn advance(&mut self, port: usize, to: Instant) {
        let state = &mut self.ports[port];
        let from = state.last;
        if to <= from {
            return;
        }
        state.last = to;
        if state.waiting == 0 {
            return;
        }
        let sending = (state.busy_until.clamp(from, to) - from).ps();
        let free = (to - from).ps() - sending;
        self.busy[port * self.parties + state.occupant] += sending;
        if free > 0 {
            let mut vcs = state.waiting & state.lacking;
            while vcs != 0 {
                self.charge_holders(port * self.vcs + vcs.trailing_zeros() as usize, free);
                vcs &= vcs - 1;
            }
        }
    }

    /// Splits `span` among those who hold the credits of a queue; see `docs/model/blame.md`, "In
    /// proportion, in integers".
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a part is not larger than the whole"
    )]
    fn charge_holders(&mut self, queue: usize, span: u64) {
        let places = queue * self.parties..(queue + 1) * self.parties;
        let held = &self.held[places.clone()];
        let all: u128 = held.iter().map(|flits| u128::from(*flits)).sum();
        if all == 0 {
            return;
        }
        let clocks = &mut self.lacking[places];
        let (mut left, mut most) = (span, 0);
        for (party, flits) in held.iter().enumerate() {
            let part = (u128::from(span) * u128::from(*flits) / all) as u64;
            clocks[party] += part;
            left -= part;
            if *flits > held[most] {
                most = party;
            }
        }
        clocks[most] += left;
    }

    /// Whether somebody waits at a port.
    #[inline]
    pub(crate) fn has_waiting(&self, port: usize) -> bool {
        self.ports[port].waiting != 0
    }

    /// What the clocks of a port and virtual channel say now: occupied, then lacking credits.
    #[inline]
    pub(crate) fn reading(&self, port: usize, vc: usize) -> impl Iterator<Item = u64> + '_ {
        let queue = port * self.vcs + vc;
        let busy = &self.busy[port * self.parties..(port + 1) * self.parties];
        let lacking = &self.lacking[queue * self.parties..(queue + 1) * self.parties];
        busy.iter().chain(lacking).copied()
    }

    /// Somebody waits on a virtual channel, or nobody any more.
    #[inline]
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
    #[inline]
    pub(crate) fn occupy(
        &mut self,
        port: usize,
        occupant: usize,
        (from, until): (Instant, Instant),
    ) {
        let state = &mut self.ports[port];
        state.last = from;
        state.busy_until = until;
        state.occupant = occupant;
        state.lacking = 0;
    }

    /// Nothing can start at a port from `at` on.
    #[inline]
    pub(crate) fn block(&mut self, port: usize, lacking: u32, at: Instant) {
        self.advance(port, at);
        self.ports[port].lacking = lacking;
    }

    /// `party` takes credits.
    #[inline]
    pub(crate) fn take(&mut self, queue: usize, party: usize, flits: u32) {
        self.held[queue * self.parties + party] += flits;
    }

    /// Credits that `party` had taken are usable again at `at`.
    #[inline]
    pub(crate) fn give_back(
        &mut self,
        (port, vc): (usize, usize),
        party: usize,
        (flits, at): (u32, Instant),
    ) {
        let state = &self.ports[port];
        if state.lacking & state.waiting & (1 << vc) != 0 {
            self.advance(port, at);
        }
        let held = &mut self.held[(port * self.vcs + vc) * self.parties + party];
        debug_assert!(*held >= flits, "credits are returned that were taken");
        *held -= flits;
    }
}
