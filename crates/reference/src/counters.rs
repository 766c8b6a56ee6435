//! What tiles and NICs count, from `docs/model/counters.md` alone: every sum where it happens.

use std::collections::BTreeSet;

use odonata_counters::{
    CLASSES, NicCounts, ROUND_TRIP_EDGES_US, TileCounts, Traffic, latency_bin, size_bin,
};
use odonata_endpoint::Endpoint;
use odonata_network::{Architecture, CreditReturn};
use odonata_telemetry::NicStall;
use odonata_topology::LinkKind;
use odonata_units::{Instant, Span};

use crate::sender::Stall;
use crate::simulation::Simulation;
use crate::tile::Tile;

impl<E: Endpoint> Simulation<'_, E> {
    /// The virtual channel of a tile that `vc` is folded onto.
    fn fold(&self, vc: usize) -> usize {
        let inside = vc % self.class_vcs;
        let (first, number, count) = if inside < self.request_vcs {
            (0, inside, self.request_vcs)
        } else {
            let count = self.class_vcs - self.request_vcs;
            (4, inside - self.request_vcs, count)
        };
        first
            + if count > 4 {
                number * 4 / count
            } else {
                number
            }
    }

    /// `packet` has entered.
    pub(crate) fn count_entry(&mut self, router: usize, packet: usize) {
        let state = &self.packets[packet];
        let (port, vc) = state.input;
        let (flits, fold) = (state.flits, self.fold(vc));
        let counts = &mut self.tiles[router][port].counts;
        counts.flits[fold] += u64::from(flits);
        counts.packets[fold / 4] += 1;
    }

    /// `packet` starts on the channel behind `port`, or is granted (`cioq`).
    fn count_wait(&mut self, router: usize, packet: usize, wait: Span) {
        let (port, vc) = self.packets[packet].input;
        let fold = self.fold(vc);
        self.tiles[router][port].counts.waiting_ps[fold] += wait.ps();
    }

    /// `voq`: `packet` starts on `port`.
    pub(crate) fn count_start(&mut self, router: usize, port: usize, packet: usize) {
        let state = &self.packets[packet];
        let (wait, (input, vc)) = (self.now - state.ready, state.input);
        if self.parameters.architecture == Architecture::Voq {
            self.count_wait(router, packet, wait);
            let half = self.fold(vc) / 4;
            if let Some(since) = self.tiles[router][port].stalled_since() {
                let held = (self.now - since).ps();
                self.tiles[router][input].counts.row_stall_ps[half] += held;
            }
        }
        let now = self.now;
        self.tiles[router][port].end_stall(now);
    }

    /// `cioq`: `packet`, a head, is granted.
    pub(crate) fn count_grant(&mut self, router: usize, packet: usize) {
        if self.parameters.architecture == Architecture::Voq {
            return;
        }
        let state = &self.packets[packet];
        let (inside, as_head) = (self.now - state.entered, self.now - state.headed);
        let (port, vc) = state.input;
        let half = self.fold(vc) / 4;
        self.count_wait(router, packet, inside);
        self.tiles[router][port].counts.row_stall_ps[half] += as_head.ps();
    }

    /// The channel behind `port` is free and nothing starts: notes who lacks credits.
    pub(crate) fn count_shortage(&mut self, router: usize, port: usize) {
        let output = &self.routers[router].outputs[port];
        if self.now < output.channel_free {
            return;
        }
        let mut lacking = BTreeSet::new();
        for vc in 0..output.fifos.len() {
            let output = &self.routers[router].outputs[port];
            let Some(&head) = output.fifos[vc].front() else {
                continue;
            };
            let packet = &self.packets[head];
            let lacks = match self.parameters.credit_return {
                CreditReturn::Reservation => output.reserved[vc] == 0,
                CreditReturn::Departure => {
                    let credits = output.credits.as_ref();
                    credits.is_some_and(|credits| credits[vc] < packet.flits)
                }
            };
            if lacks && packet.ready <= self.now {
                let half = self.fold(vc) / 4;
                let now = self.now;
                self.tiles[router][port].stalled[half].get_or_insert(now);
                lacking.insert(vc);
            }
        }
        self.blame_shortage(router, port, lacking);
    }

    /// `packet`, which was held up for `stall`, starts at its NIC.
    pub(crate) fn count_injection(&mut self, node: usize, packet: usize, stall: Stall) {
        let state = &self.packets[packet];
        let (class, half) = (
            state.lane.class.min(CLASSES - 1),
            usize::from(state.lane.is_response),
        );
        let (bytes, traffic) = (state.bytes, self.traffic(packet));
        let counts = &mut self.nics[node];
        add(&mut counts.sent[half], traffic);
        counts.sent_by_class[class] += 1;
        counts.sent_by_size[size_bin(bytes)] += 1;
        let ps = stall.span.ps();
        match stall.cause {
            _ if ps == 0 => {}
            NicStall::Outstanding => counts.outstanding_stall_ps += ps,
            NicStall::Pacing => counts.pacing_stall_ps += ps,
            NicStall::Credits => {
                counts.credit_stalls += 1;
                counts.credit_stall_ps[half] += ps;
                counts.credit_stall_by_class_ps[class] += ps;
            }
        }
    }

    /// `packet` has arrived at its NIC.
    pub(crate) fn count_arrival(&mut self, node: usize, packet: usize) {
        let state = &self.packets[packet];
        let (class, is_response) = (state.lane.class.min(CLASSES - 1), state.lane.is_response);
        let (bytes, age) = (state.bytes, (self.now - state.created).ps());
        let traffic = self.traffic(packet);
        let counts = &mut self.nics[node];
        let half = usize::from(is_response);
        let is_answer = state.transfer.is_none();
        add(&mut counts.received[half], traffic);
        counts.received_by_class[half][class] += 1;
        counts.received_by_size[size_bin(bytes)] += 1;
        if is_answer {
            counts.round_trips += 1;
            counts.round_trip_ps += age;
            let edges = ROUND_TRIP_EDGES_US.iter();
            let bin = edges.filter(|edge| age >= **edge * 1_000_000).count();
            counts.round_trip_bins[bin] += 1;
        }
        if is_answer || self.parameters.response_bytes == 0 {
            counts.latency_bins[latency_bin(age)] += 1;
        }
    }

    fn traffic(&self, packet: usize) -> Traffic {
        let state = &self.packets[packet];
        Traffic {
            packets: 1,
            flits: u64::from(state.flits),
            bytes: u64::from(state.bytes),
            payload: u64::from(state.bytes.saturating_sub(self.parameters.header_bytes)),
        }
    }

    /// What goes on at `until` has lasted up to then.
    pub(crate) fn close_counters(&mut self, until: Instant) {
        for router in 0..self.routers.len() {
            let voq = self.parameters.architecture == Architecture::Voq;
            let here = &self.routers[router];
            let outputs = here.outputs.iter().flat_map(|port| &port.fifos);
            let inputs = here.inputs.iter().flat_map(|port| &port.fifos);
            let waiting: Vec<usize> = if voq {
                outputs.flatten().copied().collect()
            } else {
                inputs.flatten().copied().collect()
            };
            for packet in waiting {
                let state = &self.packets[packet];
                let since = if voq { state.ready } else { state.entered };
                self.count_wait(router, packet, until.saturating_since(since));
            }
            for (tile, output) in self.tiles[router]
                .iter_mut()
                .zip(&self.routers[router].outputs)
            {
                debug_assert!(output.kind != LinkKind::Host || tile.stalled == [None; 2]);
                tile.end_stall(until);
            }
        }
    }

    /// What all tiles have counted, by router and port, and all NICs.
    pub(crate) fn take_counts(&mut self) -> (Vec<Vec<TileCounts>>, Vec<NicCounts>) {
        let of_router = |tiles: &Vec<Tile>| tiles.iter().map(|tile| tile.counts).collect();
        (
            self.tiles.iter().map(of_router).collect(),
            std::mem::take(&mut self.nics),
        )
    }
}

fn add(sum: &mut Traffic, more: Traffic) {
    sum.packets += more.packets;
    sum.flits += more.flits;
    sum.bytes += more.bytes;
    sum.payload += more.payload;
}
