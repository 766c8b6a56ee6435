//! Pacing by the degree of the last hop: `docs/model/congestion.md`.

use std::collections::BTreeMap;

use odonata_endpoint::Endpoint;
use odonata_network::Pace;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::event::{EventKind, Subject};
use crate::last_hop::{Notice, PauseNotice, Stream};
use crate::packet::LaneName;
use crate::sender::Load;
use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// Whether a packet of so many bytes counts.
    fn counts(&self, pace: &Pace, bytes: u32) -> bool {
        bytes
            >= self
                .parameters
                .header_bytes
                .saturating_add(pace.smallest_bytes)
    }

    /// `packet` enters `router`.
    pub(crate) fn watch_entry(&mut self, router: usize, packet: usize) {
        let Some(pace) = self.parameters.pace() else {
            return;
        };
        let state = &self.packets[packet];
        let (source, target, flits) = (state.source, state.target, state.flits);
        if self.topology.router_of(target).index() != router || !self.counts(&pace, state.bytes) {
            return;
        }
        let now = self.now;
        let full = self
            .parameters
            .packet_bytes
            .div_ceil(self.parameters.flit_bytes);
        let full = self.timing.serialization(LinkKind::Host, full);
        let port = self.topology.host_port(target).index();
        let hop = &mut self.routers[router].last_hops[port];
        let mut notices: BTreeMap<NodeId, PauseNotice> = BTreeMap::new();
        let stream = hop.streams.entry(source).or_insert(Stream {
            packets: 0,
            told: 1,
            last: now,
        });
        stream.packets += 1;
        let is_held = stream.told > 1;
        hop.flits += flits;
        while let Some((last, quiet)) = hop.quietest() {
            let silent_since = last.max(hop.paused_until);
            if silent_since + pace.expiry(hop.held(), full) > now {
                break;
            }
            hop.streams.remove(&quiet);
            let free = PauseNotice {
                degree: 1,
                pause: None,
            };
            notices.insert(quiet, free);
        }
        let is_long = hop.flits >= pace.queue_flits;
        let holds_all = !is_held && is_long && hop.sources() >= pace.least_sources;
        let held = if holds_all { hop.sources() } else { hop.held() };
        let degree = if held < pace.least_sources { 1 } else { held };
        let mut pause =
            self.timing.serialization(LinkKind::Host, hop.flits) * u64::from(pace.pause);
        for (&source, stream) in &mut hop.streams {
            if stream.told != degree && (holds_all || stream.told > 1) {
                let one = PauseNotice {
                    degree,
                    pause: (stream.told < degree).then_some(pause),
                };
                notices.insert(source, one);
                stream.told = degree;
            }
            pause += pace.slot(full);
        }
        hop.forget();
        self.send_notices(router, target, notices);
    }

    /// Sends notices of `router` about `target`, by source: its degree, and its pause if it has one.
    fn send_notices(
        &mut self,
        router: usize,
        target: NodeId,
        notices: BTreeMap<NodeId, PauseNotice>,
    ) {
        let (now, host) = (self.now, self.topology.host_port(target).index());
        for (source, PauseNotice { degree, pause }) in notices {
            let notice = Notice {
                target,
                degree,
                pause: pause.unwrap_or(Span::ZERO),
            };
            let delay = self.notice_delay(router, source);
            let at = now + delay;
            if let Some(pause) = pause {
                let hop = &mut self.routers[router].last_hops[host];
                hop.paused_until = hop.paused_until.max(at + pause + delay);
            }
            let port = Self::node_port(source.index());
            self.agenda
                .add(at, EventKind::Notice, port, Subject::Notice(notice));
        }
    }

    /// `packet` is routed, maybe past its target's node: it is in the router for another one then.
    pub(crate) fn watch_route(&mut self, router: usize, packet: usize) {
        let state = &self.packets[packet];
        let port = self.topology.host_port(state.target).index();
        let is_at_target = self.topology.router_of(state.target).index() == router;
        if is_at_target && state.output.0 != port {
            self.watch_start(router, port, packet);
        }
    }

    /// A packet starts on the last channel to its target at `port`, or passes it.
    pub(crate) fn watch_start(&mut self, router: usize, port: usize, packet: usize) {
        let Some(pace) = self.parameters.pace() else {
            return;
        };
        let state = &self.packets[packet];
        if !self.counts(&pace, state.bytes) {
            return;
        }
        let hop = &mut self.routers[router].last_hops[port];
        hop.flits -= state.flits;
        let Some(stream) = hop.streams.get_mut(&state.source) else {
            unreachable!("what starts was counted");
        };
        stream.packets -= 1;
        stream.last = self.now;
        hop.forget();
    }

    /// How long a notice travels.
    #[expect(clippy::cast_possible_truncation, reason = "routers have 32 bits")]
    pub(crate) fn notice_delay(&self, from: usize, node: NodeId) -> Span {
        let topology = &self.topology;
        let (from, to) = (RouterId(from as u32), topology.router_of(node));
        let most = |kind| self.parameters.link(kind).longest + self.parameters.router_latency;
        let is_used = |kind: &LinkKind| {
            let mut ports = (topology.routers())
                .flat_map(|router| topology.ports(*kind).map(move |port| (router, port)));
            ports.any(|(router, port)| topology.neighbour(router, PortIndex(port)).is_some())
        };
        let inside = [LinkKind::Local, LinkKind::Row, LinkKind::Column].into_iter();
        let longest = inside.filter(is_used).map(most).max();
        let longest = longest.unwrap_or_else(|| most(LinkKind::Global));
        let hops = if from == to {
            0
        } else {
            topology.minimal_hops(from, to)
        };
        let groups = (topology.group_of(from), topology.group_of(to));
        let leaves = groups.0 != groups.1;
        let outside = if leaves {
            self.between_groups(groups.0, groups.1) + self.parameters.router_latency
        } else {
            Span::ZERO
        };
        self.parameters.host.latency + longest * u64::from(hops - u32::from(leaves)) + outside
    }

    /// A notice reaches a NIC.
    pub(crate) fn heed(&mut self, node: usize, notice: Notice) {
        let paced = &mut self.nodes[node].paced;
        paced.noticed_at = self.now;
        if notice.degree > 1 {
            let until = paced.targets.get(&notice.target);
            let until = until.map_or(Instant::ZERO, |&(_, until)| until);
            let until = until.max(self.now + notice.pause);
            paced.targets.insert(notice.target, (notice.degree, until));
        } else {
            paced.targets.remove(&notice.target);
        }
        self.plan_injection(node);
    }

    /// The instant until which the NIC holds back a packet of so many bytes to `target`; never if
    /// nobody knows.
    fn held_until(&self, node: usize, target: NodeId, bytes: u32) -> Instant {
        if self.is_shut(node, target, bytes) || self.lacks_credit(node, target) {
            return Instant::NEVER;
        }
        if self.parameters.abate().is_some() {
            return self.abated_until(node);
        }
        let counts = self
            .parameters
            .pace()
            .is_some_and(|pace| self.counts(&pace, bytes));
        let until = self.nodes[node].paced.targets.get(&target);
        until.map_or(
            Instant::ZERO,
            |&(_, until)| {
                if counts { until } else { Instant::ZERO }
            },
        )
    }

    /// The instant until which a packet of so many bytes is held back; responses never are.
    pub(crate) fn load_held_until(&self, node: usize, load: Load, bytes: u32) -> Instant {
        let Load::Message(transfer) = load else {
            return Instant::ZERO;
        };
        let target = self.transfers[transfer].message.target;
        self.held_until(node, target, bytes)
    }

    /// The instant from which on a packet may start: what can is known anew with each notice.
    pub(crate) fn paced_until(&self, node: usize, load: Load, bytes: u32) -> Instant {
        let noticed_at = self.nodes[node].paced.noticed_at;
        self.load_held_until(node, load, bytes).max(noticed_at)
    }

    /// A packet of a message starts.
    pub(crate) fn pace(&mut self, node: usize, load: Load, bytes: u32, wire: Span) {
        let Load::Message(transfer) = load else {
            return;
        };
        self.abate(node, wire);
        let target = self.transfers[transfer].message.target;
        let counts = self
            .parameters
            .pace()
            .is_some_and(|pace| self.counts(&pace, bytes));
        if let Some((degree, until)) = self.nodes[node].paced.targets.get_mut(&target)
            && counts
        {
            *until = self.now + wire * u64::from(*degree + Pace::SLACK);
        }
    }

    /// Lets the queue of `lane` send that is held back until the earliest instant, of several the
    /// first from the one on whose turn it is.
    pub(crate) fn choose_queue(&mut self, node: usize, lane: LaneName) {
        let state = &self.nodes[node].lanes[lane.index()];
        let count = state.queues.len();
        let in_turn = (0..count).map(|ahead| (state.turn + ahead) % count);
        let held = |queue: usize| {
            let load = *state.queues[queue].loads.front()?;
            let (exists, bytes) = self.next_in(node, lane, queue, load);
            let Load::Message(transfer) = load else {
                return None;
            };
            let target = self.transfers[transfer].message.target;
            let until = self.held_until(node, target, bytes);
            let free = self.nodes[node].channel_free;
            let counts = until > free.max(exists);
            Some((if counts { until } else { Instant::ZERO }, queue))
        };
        // The first of several that are least.
        let chosen = in_turn.filter_map(held).min_by_key(|(until, _)| *until);
        let turn = state.turn;
        self.nodes[node].lanes[lane.index()].sending = chosen.map_or(turn, |(_, queue)| queue);
    }
}
