//! Ejection matching: a NIC that congests a last hop sends what of it is delivered:
//! `docs/model/congestion.md`, "Abatement".
//!
//! Source: CODES, `congestion-controller.cxx`, with the differences that the page states.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Span};

use super::{Content, Controller, Notice, Sent};
use crate::model::parameters::{Abate, AbateShare, Parameters};

/// Rules that follow from the numbers of [`Abate`] in one network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AbateRules {
    given: Abate,
    /// `Q`, flits.
    from_flits: u32,
    /// `q`, flits.
    below_flits: u32,
    /// `H`.
    hold: Span,
    /// Capacity of the host channel in all periods, bytes.
    full: u128,
}

/// So many thousandths of `flits`, rounded up, at least 1.
fn part(flits: u64, milli: u32) -> u32 {
    let part = (flits * u64::from(milli)).div_ceil(1_000);
    u32::try_from(part.max(1)).unwrap_or(u32::MAX)
}

impl AbateRules {
    /// Those of a network whose ports have so many virtual channels, if its NICs are abated.
    pub(crate) fn of(parameters: &Parameters, vcs: usize) -> Option<Self> {
        let given = parameters.abate()?;
        let behind = parameters.input_buffer_flits[LinkKind::Host as usize];
        let depth = parameters.output_fifo_flits().unwrap_or(behind);
        let held = u64::from(depth) * vcs as u64;
        let from_flits = part(held, given.on_milli);
        let below_flits = part(held, given.off_milli).min(from_flits);
        let drain = parameters.serialization(LinkKind::Host, from_flits - below_flits);
        Some(Self {
            given,
            from_flits,
            below_flits,
            hold: Span::from_ps(drain.ps().saturating_mul(given.hold_milli.into()) / 1_000),
            full: parameters.host_bytes_in(given.period * u64::from(given.periods)),
        })
    }

    /// Whether a job with so many of all flits at a last hop is an aggressor.
    fn is_aggressor(&self, own: u32, all: u32) -> bool {
        let milli = u64::from(self.given.aggressor_milli);
        match self.given.share {
            AbateShare::Exact => u64::from(own) * 1_000 >= u64::from(all) * milli,
            AbateShare::Codes => u64::from(own / all) * 1_000 >= milli,
        }
    }

    /// The time from the start of a packet that takes `wire` to the next one, if so many bytes were
    /// delivered.
    fn spacing(&self, wire: Span, delivered: u64) -> Span {
        let wire = u128::from(wire.ps());
        let longest = wire * 1_000_000 / u128::from(self.given.floor_ppm);
        let spacing = match delivered {
            0 => longest,
            _ => (wire * self.full / u128::from(delivered)).clamp(wire, longest),
        };
        Span::from_ps(u64::try_from(spacing).unwrap_or(u64::MAX))
    }
}

/// A packet that is routed to the channel to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Routed {
    pub(crate) job: u8,
    pub(crate) source: NodeId,
    pub(crate) flits: u16,
    pub(crate) at: Instant,
}

/// A notice to a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AbateNotice {
    pub(crate) source: NodeId,
    /// It is sent at this instant.
    pub(crate) from: Instant,
    /// It is to abate; otherwise that is over.
    pub(crate) begins: bool,
}

/// The last hop to one node: whose packets wait for it, and which sources abate.
#[derive(Debug, Default)]
pub(crate) struct Ejection {
    flits: u32,
    by_job: BTreeMap<u8, u32>,
    by_source: BTreeMap<(u8, NodeId), u32>,
    is_on: bool,
    /// Nothing is left, and the sources that abated have notice that it is over.
    is_ending: bool,
    /// `b`.
    on_until: Instant,
    abated: BTreeSet<NodeId>,
}

impl Ejection {
    /// A packet is routed to the channel, all starts up to then have been; `wire` is the time that
    /// it takes there. `send` sends a notice.
    #[inline(never)]
    pub(crate) fn route(
        &mut self,
        rules: &AbateRules,
        packet: Routed,
        wire: Span,
        mut send: impl FnMut(AbateNotice),
    ) {
        let Routed {
            job, source, at, ..
        } = packet;
        let begin = |source| AbateNotice {
            source,
            from: at,
            begins: true,
        };
        if self.is_ending {
            self.is_ending = false;
            if at > self.on_until {
                self.is_on = false;
                self.abated.clear();
            } else {
                self.abated.iter().copied().map(begin).for_each(&mut send);
            }
        }
        self.flits += u32::from(packet.flits);
        *self.by_job.entry(job).or_default() += u32::from(packet.flits);
        *self.by_source.entry((job, source)).or_default() += u32::from(packet.flits);
        if self.is_on {
            if rules.is_aggressor(self.by_job[&job], self.flits) && self.abated.insert(source) {
                send(begin(source));
            }
            self.on_until = self.on_until.plus(wire);
        } else if self.flits >= rules.from_flits {
            self.is_on = true;
            self.on_until = at.plus(rules.hold);
            let is_aggressor = |job: &u8| rules.is_aggressor(self.by_job[job], self.flits);
            let sources = self.by_source.keys().filter(|(job, _)| is_aggressor(job));
            self.abated = sources.map(|(_, source)| *source).collect();
            self.abated.iter().copied().map(begin).for_each(send);
        }
    }

    /// A packet that was routed to the channel starts on it.
    #[inline(never)]
    pub(crate) fn start(
        &mut self,
        rules: &AbateRules,
        packet: Routed,
        send: impl FnMut(AbateNotice),
    ) {
        let Routed {
            job, source, at, ..
        } = packet;
        let flits = u32::from(packet.flits);
        self.flits -= flits;
        take(&mut self.by_job, job, flits);
        take(&mut self.by_source, (job, source), flits);
        if !self.is_on {
            return;
        }
        let is_over = self.flits < rules.below_flits && at > self.on_until;
        if !is_over && self.flits > 0 {
            return;
        }
        let over = |source| AbateNotice {
            source,
            from: at.max(self.on_until),
            begins: false,
        };
        self.abated.iter().copied().map(over).for_each(send);
        if is_over {
            self.is_on = false;
            self.abated.clear();
        } else {
            self.is_ending = true;
        }
    }
}

/// Takes `flits` off a count; counts of nothing are left out.
fn take<K: Ord>(counts: &mut BTreeMap<K, u32>, key: K, flits: u32) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= flits;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}

/// The notices that a NIC has got, and what was delivered of what it sent.
#[derive(Debug)]
pub(crate) struct Abated {
    rules: AbateRules,
    /// How many notices said to abate, less how many that it is over.
    signals: i32,
    /// Nothing may start before, as long as it is abated.
    until: Instant,
    /// The number of the period that is being counted.
    period: u64,
    /// Bytes delivered in it.
    counted: u64,
    /// The same of the periods before it, the last one at the back.
    past: VecDeque<u64>,
}

impl Abated {
    pub(crate) const fn new(rules: AbateRules) -> Self {
        Self {
            rules,
            signals: 0,
            until: Instant::ZERO,
            period: 0,
            counted: 0,
            past: VecDeque::new(),
        }
    }

    /// Goes on to the period of `now`.
    fn go_on(&mut self, now: Instant) {
        let period = now.ps() / self.rules.given.period.ps();
        let most = self.rules.given.periods as usize;
        if period > self.period + most as u64 {
            self.past.clear();
            self.counted = 0;
        } else {
            for _ in self.period..period {
                self.past.push_back(std::mem::take(&mut self.counted));
                if self.past.len() > most {
                    self.past.pop_front();
                }
            }
        }
        self.period = period;
    }
}

impl Controller for Abated {
    #[inline]
    fn is_idle(&self) -> bool {
        self.signals <= 0
    }

    fn may_send_at(&self, _: NodeId, _: u32) -> Instant {
        self.until
    }

    fn sent(&mut self, packet: Sent) {
        self.go_on(packet.at);
        let delivered = self.past.iter().sum();
        self.until = packet.at.plus(self.rules.spacing(packet.wire, delivered));
    }

    fn noticed(&mut self, notice: &Notice) -> bool {
        match notice.content {
            Content::Ejected { bytes } => {
                self.go_on(notice.at);
                self.counted += u64::from(bytes);
                false
            }
            Content::Abate { begins } => {
                self.signals += if begins { 1 } else { -1 };
                true
            }
            _ => false,
        }
    }
}
