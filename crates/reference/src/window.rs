//! Windows of NICs and the marks of routers: `docs/model/congestion.md`, "Windows".

use std::collections::BTreeMap;

use odonata_network::Nscc;
use odonata_topology::Topology;
use odonata_units::{Instant, Purpose, RouterId, Span, Stream};

/// What the page calls `V`, `T`, `Q`, `P` and `M`.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) given: Nscc,
    pub(crate) trip: u128,
    pub(crate) target: u128,
    pub(crate) product: u128,
    pub(crate) packet: u128,
    pub(crate) most: u128,
}

/// What a NIC knows of a target: the symbols of the page.
pub(crate) struct Window {
    /// `w`.
    pub(crate) size: u128,
    /// Packets without an acknowledgement, with their bytes: `f` is their sum.
    pub(crate) flying: BTreeMap<usize, u128>,
    /// `r_0`, ps.
    pub(crate) shortest: u128,
    /// `D`, ps.
    pub(crate) average: u128,
    /// `i`.
    pub(crate) gained: u128,
    /// `n`.
    pub(crate) since_added: u128,
    pub(crate) added: Instant,
    pub(crate) steadied: Instant,
    pub(crate) reduced: Instant,
    /// `z`.
    pub(crate) free: u128,
    pub(crate) period_ends: Instant,
    /// `g`.
    pub(crate) in_period: u128,
    /// `k`.
    pub(crate) ignored: u128,
    pub(crate) last: Instant,
}

/// Limits of the marks of an output port.
pub(crate) struct Marker {
    /// Flits of packets routed to it that have not started.
    pub(crate) waiting: u32,
    pub(crate) draws: Stream,
}

impl Marker {
    pub(crate) fn new(router: RouterId, port: u16, topology: &Topology, seed: u64) -> Self {
        let number = u64::from(router.0) * u64::from(topology.radix()) + u64::from(port);
        Self {
            waiting: 0,
            draws: Stream::new(seed, Purpose::Mark, number),
        }
    }
}

impl Window {
    pub(crate) fn new(numbers: &Numbers, now: Instant) -> Self {
        Self {
            size: numbers.most,
            flying: BTreeMap::new(),
            shortest: numbers.trip,
            average: 0,
            gained: 0,
            since_added: 0,
            added: now,
            steadied: now,
            reduced: now,
            free: 0,
            period_ends: numbers.after(now, numbers.trip + numbers.target),
            in_period: 0,
            ignored: 0,
            last: now,
        }
    }

    /// `f`.
    pub(crate) fn in_flight(&self) -> u128 {
        self.flying.values().sum()
    }
}

impl Numbers {
    /// `ps` behind an instant.
    #[expect(clippy::unused_self, reason = "reads as the page does")]
    pub(crate) fn after(&self, now: Instant, ps: u128) -> Instant {
        now + Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX >> 2))
    }

    fn bounded(&self, size: u128) -> u128 {
        size.max(self.packet).min(self.most)
    }

    /// The eight steps of the page for an acknowledgement at `now`.
    pub(crate) fn acknowledged(
        &self,
        one: &mut Window,
        now: Instant,
        packet: usize,
        start: Instant,
        mark: bool,
    ) {
        let Some(bytes) = one.flying.remove(&packet) else {
            unreachable!("what is acknowledged was in flight");
        };
        one.last = now;
        let trip = u128::from((now - start).ps());
        one.shortest = one.shortest.min(trip);
        let delay = trip - one.shortest;
        let is_long = delay >= self.target;
        let sample = if !mark && delay > self.target {
            self.trip / 4
        } else {
            delay
        };
        let times = u128::from(self.given.average);
        if sample < one.average {
            one.average -= (one.average - sample) / times;
        } else {
            one.average += (sample - one.average) / times;
        }
        one.in_period += bytes;
        if now >= one.period_ends {
            if delay > 4 * self.target && one.in_period <= self.packet.max(self.most / 8) {
                one.size = one.in_period.max(self.packet);
                one.ignored = one.in_flight();
                one.gained = 0;
                one.since_added = 0;
            }
            one.in_period = 0;
            one.period_ends = self.after(now, self.trip + self.target);
        }
        if one.ignored > 0 {
            one.ignored = one.ignored.saturating_sub(bytes);
            if mark {
                return;
            }
        }
        let is_free = !mark && delay < u128::from(self.given.free_delay.ps());
        one.free = if is_free { one.free + bytes } else { 0 };
        let constant = 4_096 * self.product;
        if !mark && is_long {
            one.gained += bytes * (5 * constant / 150_000);
        } else if !mark && one.free > one.size {
            one.size += bytes * self.product / 600_000;
        } else if !mark {
            let most = 4 * constant * self.target / (150_000 * 12_000_000);
            one.gained += bytes * (most * (self.target - delay) / self.target);
        } else if is_long && one.average > self.target && now >= self.after(one.reduced, self.trip)
        {
            let cut = 4 * (one.average - self.target) * one.size / (5 * one.average);
            one.size -= cut.min(one.size / 2);
            one.reduced = now;
        }
        one.size = self.bounded(one.size);
        one.since_added += bytes;
        let is_due = now >= self.after(one.added, self.trip);
        if is_due || one.since_added >= u128::from(self.given.adjust_bytes) {
            one.size += one.gained / one.size;
            one.gained = 0;
            one.since_added = 0;
            one.added = now;
        }
        if now >= self.after(one.steadied, self.trip) {
            one.size += 15 * constant / 15_000_000;
            one.steadied = now;
        }
        one.size = self.bounded(one.size);
    }
}
