//! Windows of NICs and the marks of routers: `docs/model/congestion.md`, "Windows".

use std::collections::BTreeMap;

use odonata_endpoint::Endpoint;
use odonata_network::Nscc;
use odonata_topology::{LinkKind, Topology};
use odonata_units::{Instant, NodeId, Purpose, RouterId, Span, Stream};

use crate::event::{EventKind, Subject};
use crate::simulation::Simulation;

/// What the page calls `V`, `T`, `Q`, `P` and `M`.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    given: Nscc,
    trip: u128,
    target: u128,
    product: u128,
    packet: u128,
    most: u128,
}

/// What a NIC knows of a target: the symbols of the page.
pub(crate) struct Window {
    /// `w`.
    size: u128,
    /// Packets without an acknowledgement, with their bytes: `f` is their sum.
    flying: BTreeMap<usize, u128>,
    /// `r_0`, ps.
    shortest: u128,
    /// `D`, ps.
    average: u128,
    /// `i`.
    gained: u128,
    /// `n`.
    since_added: u128,
    added: Instant,
    steadied: Instant,
    reduced: Instant,
    /// `z`.
    free: u128,
    period_ends: Instant,
    /// `g`.
    in_period: u128,
    /// `k`.
    ignored: u128,
    last: Instant,
}

/// What an output port marks by.
pub(crate) struct Marker {
    /// Flits of packets routed to it that have not started.
    pub(crate) waiting: u32,
    draws: Stream,
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
    fn new(numbers: &Numbers, now: Instant) -> Self {
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
    fn in_flight(&self) -> u128 {
        self.flying.values().sum()
    }
}

impl Numbers {
    /// `ps` behind an instant.
    #[expect(clippy::unused_self, reason = "reads as the page does")]
    fn after(&self, now: Instant, ps: u128) -> Instant {
        now + Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX >> 2))
    }

    fn bounded(&self, size: u128) -> u128 {
        size.max(self.packet).min(self.most)
    }

    /// The eight steps of the page for an acknowledgement at `now`.
    fn acknowledged(
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

impl<E: Endpoint> Simulation<'_, E> {
    /// Finds the numbers of windows, if NICs have any.
    pub(crate) fn find_window_numbers(&self) -> Option<Numbers> {
        let given = self.parameters.nscc()?;
        let parameters = self.parameters;
        let trip = given.round_trip.unwrap_or_else(|| self.longest_trip());
        let trip = u128::from(trip.ps());
        let rate = u128::from(parameters.host.bandwidth.bytes_per_second());
        let product = trip * rate / 1_000_000_000_000;
        let packet = u128::from(parameters.packet_bytes);
        Some(Numbers {
            given,
            trip,
            target: (trip * u128::from(given.target_milli) / 1_000).max(1),
            product,
            packet,
            most: (product * u128::from(given.window_milli) / 1_000).max(packet),
        })
    }

    /// From a NIC through its router.
    fn into_router(&self) -> Span {
        self.parameters.host.latency + self.parameters.router_latency
    }

    /// There and back between the two nodes farthest from each other, and a largest packet.
    fn longest_trip(&self) -> Span {
        let nodes: Vec<NodeId> = self.topology.nodes().collect();
        let ways = nodes.iter().flat_map(|from| {
            let router = self.topology.router_of(*from).index();
            nodes.iter().map(move |to| self.notice_delay(router, *to))
        });
        let longest = ways.max().unwrap_or(Span::ZERO);
        let flits = self.timing.flits(self.parameters.packet_bytes);
        (self.into_router() + longest) * 2 + self.timing.serialization(LinkKind::Host, flits)
    }

    /// `packet` is routed to `port`.
    pub(crate) fn note_routed(&mut self, router: usize, port: usize, packet: usize) {
        self.routers[router].markers[port].waiting += self.packets[packet].flits;
    }

    /// `packet` starts by `port`.
    pub(crate) fn mark(&mut self, router: usize, port: usize, packet: usize) {
        let flits = self.packets[packet].flits;
        let numbers = self.window_numbers;
        let marker = &mut self.routers[router].markers[port];
        marker.waiting -= flits;
        let Some(numbers) = numbers else {
            return;
        };
        let left = u128::from(marker.waiting) * u128::from(self.parameters.flit_bytes);
        let of_product = |milli: u32| numbers.product * u128::from(milli) / 1_000;
        let from = of_product(numbers.given.mark_from_milli);
        let to = of_product(numbers.given.mark_to_milli);
        if left > from && left >= to {
            self.packets[packet].is_marked = true;
        } else if left > from {
            let drawn = marker
                .draws
                .below(u32::try_from(to - from).unwrap_or(u32::MAX));
            self.packets[packet].is_marked |= u128::from(drawn) < left - from;
        }
    }

    /// `packet` is delivered: its NIC will hear of that.
    pub(crate) fn acknowledge(&mut self, packet: usize) {
        let state = &self.packets[packet];
        let is_controlled = self.parameters.nscc().is_some() && state.transfer.is_some();
        if !is_controlled {
            return;
        }
        let source = state.source;
        let router = self.topology.router_of(state.target).index();
        let at = self.now + self.into_router() + self.notice_delay(router, source);
        let port = Self::node_port(source.index());
        self.agenda
            .add(at, EventKind::Notice, port, Subject::Packet(packet));
    }

    /// The acknowledgement of `packet` arrives.
    pub(crate) fn heed_acknowledgement(&mut self, node: usize, packet: usize) {
        let Some(numbers) = self.window_numbers else {
            unreachable!("acknowledgements are for windows");
        };
        let state = &self.packets[packet];
        let (target, start, mark) = (state.target, state.injected, state.is_marked);
        let Some(window) = self.nodes[node].windows.get_mut(&target) else {
            unreachable!("a packet in flight keeps its window");
        };
        numbers.acknowledged(window, self.now, packet, start, mark);
        self.nodes[node].paced.told_at = self.now;
        self.plan_injection(node);
    }

    /// A packet of a message starts.
    pub(crate) fn fly(&mut self, node: usize, packet: usize) {
        let Some(numbers) = self.window_numbers else {
            return;
        };
        let state = &self.packets[packet];
        let (target, bytes) = (state.target, u128::from(state.bytes));
        if state.transfer.is_none() {
            return;
        }
        let now = self.now;
        let silence = numbers.trip * u128::from(numbers.given.forget_milli) / 1_000;
        let windows = &mut self.nodes[node].windows;
        let is_over = |window: &Window| {
            window.flying.is_empty() && now >= numbers.after(window.last, silence)
        };
        if windows.get(&target).is_none_or(is_over) {
            windows.insert(target, Window::new(&numbers, now));
        }
        if let Some(window) = windows.get_mut(&target) {
            window.flying.insert(packet, bytes);
        }
    }

    /// Whether the window to `target` has no room for a packet of so many bytes.
    pub(crate) fn is_shut(&self, node: usize, target: NodeId, bytes: u32) -> bool {
        let window = self.nodes[node].windows.get(&target);
        window.is_some_and(|window| {
            let in_flight = window.in_flight();
            in_flight > 0 && in_flight + u128::from(bytes) > window.size
        })
    }
}
