//! Windows in the simulation: marks, acknowledgements, and what may start.

use odonata_endpoint::Endpoint;
use odonata_topology::LinkKind;
use odonata_units::{NodeId, Span};

use crate::event::{EventKind, Subject};
use crate::simulation::Simulation;
use crate::window::{Numbers, Window};

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
    pub(crate) fn way_in(&self) -> Span {
        self.parameters.host.latency + self.parameters.router_latency
    }

    /// There and back between the two nodes farthest from each other, and a largest packet.
    pub(crate) fn longest_trip(&self) -> Span {
        let nodes: Vec<NodeId> = self.topology.nodes().collect();
        let ways = nodes.iter().flat_map(|from| {
            let router = self.topology.router_of(*from).index();
            nodes.iter().map(move |to| self.notice_delay(router, *to))
        });
        let longest = ways.max().unwrap_or(Span::ZERO);
        let flits = self.timing.flits(self.parameters.packet_bytes);
        (self.way_in() + longest) * 2 + self.timing.serialization(LinkKind::Host, flits)
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
        let is_windowed = self.parameters.nscc().is_some() && state.transfer.is_some();
        let is_controlled = is_windowed || self.parameters.abate().is_some();
        if !is_controlled {
            return;
        }
        let source = state.source;
        let router = self.topology.router_of(state.target).index();
        let at = self.now + self.way_in() + self.notice_delay(router, source);
        let port = Self::node_port(source.index());
        self.agenda
            .add(at, EventKind::Notice, port, Subject::Packet(packet));
    }

    /// The acknowledgement of `packet` arrives.
    pub(crate) fn heed_acknowledgement(&mut self, node: usize, packet: usize) {
        let Some(numbers) = self.window_numbers else {
            return self.heed_ejected(node, packet);
        };
        let state = &self.packets[packet];
        let (target, start, mark) = (state.target, state.injected, state.is_marked);
        let Some(window) = self.nodes[node].windows.get_mut(&target) else {
            unreachable!("a packet in flight keeps its window");
        };
        numbers.acknowledged(window, self.now, packet, start, mark);
        self.heed_path(node, packet);
        self.ask_beside_window(node, target);
        self.nodes[node].paced.noticed_at = self.now;
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

    /// The window to `target`, if NICs have windows: the largest one if the next packet begins one.
    pub(crate) fn window_to(&self, node: usize, target: NodeId) -> Option<u128> {
        let numbers = self.window_numbers.filter(|it| it.given.window_milli > 0)?;
        let silence = numbers.trip * u128::from(numbers.given.forget_milli) / 1_000;
        let window = self.nodes[node].windows.get(&target).filter(|window| {
            !window.flying.is_empty() || self.now < numbers.after(window.last, silence)
        });
        Some(window.map_or(numbers.most, |window| window.size))
    }

    /// Whether the window to `target` has no room for a packet of so many bytes.
    pub(crate) fn is_shut(&self, node: usize, target: NodeId, bytes: u32) -> bool {
        let window = self.nodes[node].windows.get(&target);
        let limits = self
            .window_numbers
            .is_some_and(|it| it.given.window_milli > 0);
        window.is_some_and(|window| {
            let in_flight = window.in_flight();
            limits && in_flight > 0 && in_flight + u128::from(bytes) > window.size
        })
    }
}
