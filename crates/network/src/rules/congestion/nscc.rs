//! The sender window of Ultra Ethernet 1.0 (NSCC) on lossless credits: `docs/model/congestion.md`.
//!
//! Source: uet-htsim, `uec.cpp`, with the differences that the page states.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use odonata_topology::Topology;
use odonata_units::{Instant, NodeId, Span};
use rustc_hash::FxHashMap;

use super::{Content, Controller, Notice, PacketName, Sent};
use crate::model::parameters::{Nscc, Parameters};
use crate::rules::notice_times::NoticeTimes;

/// The product of bandwidth and delay that the constants of the source are for: 100 Gb/s times
/// 12 us, bytes.
const REFERENCE_BYTES: u128 = 150_000;
/// The delay of that, ps.
const REFERENCE_DELAY: u128 = 12_000_000;
/// `mss` of the source, bytes.
const SEGMENT: u128 = 4_096;

/// Rules that follow from the numbers of [`Nscc`] in one network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowRules {
    /// `T`.
    round_trip: Span,
    /// `Q`: the queueing delay that is aimed at.
    target: Span,
    free_delay: Span,
    adjust_bytes: u64,
    average: u64,
    forget: Span,
    /// `V`: the product of bandwidth and delay, bytes.
    product: u64,
    /// `P`: the largest packet, bytes.
    least: u64,
    /// `M`: the largest window, bytes.
    most: u64,
    /// Nothing is held back: there are marks and acknowledgements alone.
    is_open: bool,
    /// Gain of a byte where the delay is too long and nothing is marked, bytes squared.
    fair: u64,
    /// Its gain where there is no delay.
    proportional: u64,
    /// Gain of a round trip in any case.
    steady: u64,
    /// Starts that leave no more behind are not marked, bytes.
    pub(crate) mark_from: u64,
    /// Those that leave as much are.
    pub(crate) mark_to: u64,
}

/// `bytes` times a number of thousandths.
fn milli(bytes: u64, thousandths: u32) -> u64 {
    saturated(u128::from(bytes) * u128::from(thousandths) / 1_000)
}

fn saturated(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

impl WindowRules {
    /// Those of a network, if its NICs have windows.
    pub(crate) fn of(
        parameters: &Parameters,
        topology: &Topology,
        times: &NoticeTimes,
    ) -> Option<Self> {
        let nscc = parameters.nscc()?;
        Some(Self::new(&nscc, parameters, topology, times))
    }

    fn new(nscc: &Nscc, parameters: &Parameters, topology: &Topology, times: &NoticeTimes) -> Self {
        let longest = || times.round_trip(parameters, topology);
        let round_trip = nscc.round_trip.unwrap_or_else(longest);
        let product = parameters.host_bytes_in(round_trip);
        let target = milli(round_trip.ps(), nscc.target_milli).max(1);
        let least = u64::from(parameters.packet_bytes);
        let bytes = saturated(product);
        Self {
            round_trip,
            target: Span::from_ps(target),
            free_delay: nscc.free_delay,
            adjust_bytes: u64::from(nscc.adjust_bytes),
            average: u64::from(nscc.average),
            forget: Span::from_ps(milli(round_trip.ps(), nscc.forget_milli)),
            product: bytes,
            least,
            most: milli(bytes, nscc.window_milli).max(least),
            is_open: nscc.window_milli == 0,
            fair: saturated(5 * SEGMENT * product / REFERENCE_BYTES),
            proportional: saturated(
                4 * SEGMENT * product * u128::from(target) / (REFERENCE_BYTES * REFERENCE_DELAY),
            ),
            steady: saturated(15 * SEGMENT * product / (100 * REFERENCE_BYTES)),
            mark_from: milli(bytes, nscc.mark_from_milli),
            mark_to: milli(bytes, nscc.mark_to_milli),
        }
    }
}

/// A packet that is not acknowledged.
#[derive(Clone, Copy, Debug)]
struct Flying {
    name: PacketName,
    bytes: u16,
    start: Instant,
}

/// Packets to a target that are not acknowledged, by their start.
#[derive(Debug, Default)]
struct Unacknowledged {
    /// Here, since most flows have one at a time.
    first: Option<Flying>,
    further: VecDeque<Flying>,
    bytes: u64,
}

impl Unacknowledged {
    fn add(&mut self, packet: Flying) {
        self.bytes += u64::from(packet.bytes);
        if self.first.is_none() {
            self.first = Some(packet);
        } else {
            self.further.push_back(packet);
        }
    }

    fn remove(&mut self, name: PacketName) -> Option<Flying> {
        let packet = if self.first.is_some_and(|first| first.name == name) {
            std::mem::replace(&mut self.first, self.further.pop_front())
        } else {
            let index = self.further.iter().position(|one| one.name == name)?;
            self.further.remove(index)
        }?;
        self.bytes -= u64::from(packet.bytes);
        Some(packet)
    }
}

/// State of a target at a NIC.
#[derive(Debug)]
struct TargetFlow {
    in_flight: Unacknowledged,
    window: u64,
    /// The shortest round trip seen.
    shortest: Span,
    /// The average delay, ps.
    average: u64,
    /// Gain that is not yet added to the window, bytes squared.
    gained: u64,
    /// Bytes acknowledged since it was added.
    since_added: u64,
    added: Instant,
    /// When the steady gain was added last.
    steadied: Instant,
    /// When the window was made smaller last.
    reduced: Instant,
    /// Bytes acknowledged since a delay was long or a packet marked.
    free: u64,
    /// When the bytes of a period are looked at.
    period_ends: Instant,
    /// Bytes acknowledged in the period.
    in_period: u64,
    /// Bytes of which marks mean nothing.
    ignored: u64,
    /// When the last acknowledgement came.
    last: Instant,
}

/// An acknowledgement.
#[derive(Clone, Copy, Debug)]
struct Acknowledged {
    at: Instant,
    bytes: u64,
    delay: Span,
    is_marked: bool,
}

impl TargetFlow {
    fn new(rules: &WindowRules, now: Instant) -> Self {
        Self {
            in_flight: Unacknowledged::default(),
            window: rules.most,
            shortest: rules.round_trip,
            average: 0,
            gained: 0,
            since_added: 0,
            added: now,
            steadied: now,
            reduced: now,
            free: 0,
            period_ends: now.plus(rules.round_trip + rules.target),
            in_period: 0,
            ignored: 0,
            last: now,
        }
    }

    /// Whether the target was silent for so long at `now` that the next packet begins anew.
    fn is_over(&self, rules: &WindowRules, now: Instant) -> bool {
        self.in_flight.bytes == 0 && self.last.plus(rules.forget) <= now
    }

    /// Takes an acknowledgement; false if the packet is none of the flow.
    fn acknowledge(
        &mut self,
        rules: &WindowRules,
        now: Instant,
        name: PacketName,
        is_marked: bool,
    ) -> bool {
        let Some(packet) = self.in_flight.remove(name) else {
            return false;
        };
        let trip = now - packet.start;
        self.last = now;
        self.shortest = self.shortest.min(trip);
        let one = Acknowledged {
            at: now,
            bytes: u64::from(packet.bytes),
            delay: trip.saturating_sub(self.shortest),
            is_marked,
        };
        self.average_delay(rules, one);
        self.adapt_quickly(rules, one);
        if self.ignored > 0 {
            self.ignored = self.ignored.saturating_sub(one.bytes);
            if is_marked {
                return true;
            }
        }
        self.respond(rules, one);
        self.add_gains(rules, one);
        true
    }

    const fn average_delay(&mut self, rules: &WindowRules, one: Acknowledged) {
        let is_odd = !one.is_marked && one.delay.ps() > rules.target.ps();
        let sample = if is_odd {
            rules.round_trip.ps() / 4
        } else {
            one.delay.ps()
        };
        if sample >= self.average {
            self.average += (sample - self.average) / rules.average;
        } else {
            self.average -= (self.average - sample) / rules.average;
        }
    }

    /// At the end of a period in which next to nothing has come, the window becomes that.
    fn adapt_quickly(&mut self, rules: &WindowRules, one: Acknowledged) {
        self.in_period += one.bytes;
        if one.at < self.period_ends {
            return;
        }
        let is_long = one.delay > rules.target * 4;
        if is_long && self.in_period <= (rules.most / 8).max(rules.least) {
            self.window = self.in_period.max(rules.least);
            self.ignored = self.in_flight.bytes;
            self.gained = 0;
            self.since_added = 0;
        }
        self.in_period = 0;
        self.period_ends = one.at.plus(rules.round_trip + rules.target);
    }

    fn respond(&mut self, rules: &WindowRules, one: Acknowledged) {
        let (delay, target) = (one.delay.ps(), rules.target.ps());
        if one.is_marked || one.delay >= rules.free_delay {
            self.free = 0;
        } else {
            self.free += one.bytes;
        }
        match (one.is_marked, delay < target) {
            (false, false) => self.gain(one, rules.fair),
            (false, true) if self.free > self.window => {
                let bytes = u128::from(one.bytes) * u128::from(rules.product);
                self.window = self
                    .window
                    .saturating_add(saturated(bytes / (4 * REFERENCE_BYTES)));
            }
            (false, true) => {
                let share = u128::from(rules.proportional) * u128::from(target - delay);
                self.gain(one, saturated(share / u128::from(target)));
            }
            (true, false) => {
                if self.average > target && one.at >= self.reduced.plus(rules.round_trip) {
                    let above = u128::from(self.average - target) * 4 * u128::from(self.window);
                    let cut = saturated(above / (u128::from(self.average) * 5));
                    self.window -= cut.min(self.window / 2);
                    self.reduced = one.at;
                }
            }
            (true, true) => {}
        }
        self.bound(rules);
    }

    /// Gains so much for each byte; numbers of a scenario may be so large that it has an end.
    const fn gain(&mut self, one: Acknowledged, factor: u64) {
        let gained = one.bytes.saturating_mul(factor);
        self.gained = self.gained.saturating_add(gained);
    }

    fn add_gains(&mut self, rules: &WindowRules, one: Acknowledged) {
        self.since_added += one.bytes;
        let is_due = one.at >= self.added.plus(rules.round_trip);
        if is_due || self.since_added >= rules.adjust_bytes {
            self.window = self.window.saturating_add(self.gained / self.window);
            self.gained = 0;
            self.since_added = 0;
            self.added = one.at;
        }
        if one.at >= self.steadied.plus(rules.round_trip) {
            self.window = self.window.saturating_add(rules.steady);
            self.steadied = one.at;
        }
        self.bound(rules);
    }

    fn bound(&mut self, rules: &WindowRules) {
        self.window = self.window.clamp(rules.least, rules.most);
    }
}

/// The windows of a NIC, by target.
#[derive(Debug)]
pub(crate) struct Windows {
    rules: WindowRules,
    /// Some are over, until room is needed.
    flows: FxHashMap<NodeId, TargetFlow>,
}

impl Windows {
    pub(crate) fn new(rules: WindowRules) -> Self {
        Self {
            rules,
            flows: FxHashMap::default(),
        }
    }

    /// The window to `target`, if there are any; the largest one if the next packet begins a new one.
    pub(crate) fn window_to(&self, target: NodeId, now: Instant) -> Option<u64> {
        let flow = self.flows.get(&target);
        let flow = flow.filter(|flow| !flow.is_over(&self.rules, now));
        let window = flow.map_or(self.rules.most, |flow| flow.window);
        (!self.rules.is_open).then_some(window)
    }

    /// Makes room for a flow: forgets those that are over, and grows if they are few.
    #[cold]
    fn make_room(&mut self, now: Instant) {
        let rules = self.rules;
        self.flows.retain(|_, flow| !flow.is_over(&rules, now));
        if self.flows.len() > self.flows.capacity() / 2 {
            self.flows.reserve(self.flows.len());
        }
    }
}

impl Controller for Windows {
    #[inline]
    fn is_idle(&self) -> bool {
        self.flows.is_empty()
    }

    fn may_send_at(&self, target: NodeId, bytes: u32) -> Instant {
        let fits = |flow: &TargetFlow| {
            let in_flight = flow.in_flight.bytes;
            in_flight == 0 || in_flight + u64::from(bytes) <= flow.window
        };
        if self.rules.is_open || self.flows.get(&target).is_none_or(fits) {
            Instant::ZERO
        } else {
            Instant::NEVER
        }
    }

    fn sent(&mut self, packet: Sent) {
        if self.flows.len() == self.flows.capacity() {
            self.make_room(packet.at);
        }
        let rules = &self.rules;
        let flow = match self.flows.entry(packet.target) {
            Entry::Vacant(entry) => entry.insert(TargetFlow::new(rules, packet.at)),
            Entry::Occupied(entry) => {
                let flow = entry.into_mut();
                if flow.is_over(rules, packet.at) {
                    *flow = TargetFlow::new(rules, packet.at);
                }
                flow
            }
        };
        flow.in_flight.add(Flying {
            name: packet.name,
            bytes: packet.bytes,
            start: packet.at,
        });
    }

    fn noticed(&mut self, notice: &Notice) -> bool {
        let Content::Delivered {
            packet, is_marked, ..
        } = notice.content
        else {
            return false;
        };
        let flow = self.flows.get_mut(&notice.target);
        flow.is_some_and(|flow| flow.acknowledge(&self.rules, notice.at, packet, is_marked))
    }
}
