//! Ejection matching in the simulation: `docs/model/congestion.md`, "Abatement".

use std::collections::BTreeSet;

use odonata_endpoint::Endpoint;
use odonata_network::{Abate, AbateShare, Architecture};
use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Span};

use crate::event::{EventKind, Subject};
use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// `Q` and `q`.
    fn abate_thresholds(&self, abate: &Abate) -> (u32, u32) {
        let depth = match self.parameters.architecture {
            Architecture::Cioq => self.parameters.output_buffer_flits,
            Architecture::Voq => self.timing.depth(LinkKind::Host),
        };
        let vcs = self.class_vcs * usize::from(self.parameters.qos.classes);
        let fits = vcs as u128 * u128::from(depth);
        let part = |milli: u32| {
            let flits = (fits * u128::from(milli)).div_ceil(1_000).max(1);
            u32::try_from(flits).unwrap_or(u32::MAX)
        };
        let from = part(abate.on_milli);
        (from, part(abate.off_milli).min(from))
    }

    fn flits_of(&self, packets: &[usize], is_meant: impl Fn(usize) -> bool) -> u32 {
        let meant = packets.iter().filter(|packet| is_meant(**packet));
        meant.map(|packet| self.packets[*packet].flits).sum()
    }

    fn is_aggressor(&self, abate: &Abate, packets: &[usize], job: u8) -> bool {
        let all = u64::from(self.flits_of(packets, |_| true));
        let own = u64::from(self.flits_of(packets, |it| self.packets[it].job == job));
        let parts = match abate.share {
            AbateShare::Exact => own * 1_000,
            AbateShare::Codes if own == all => 1_000 * all,
            AbateShare::Codes => 0,
        };
        parts >= u64::from(abate.aggressor_milli) * all
    }

    /// `packet` is routed to `port`.
    pub(crate) fn note_ejection(&mut self, router: usize, port: usize, packet: usize) {
        let Some(abate) = self.parameters.abate() else {
            return;
        };
        if self.routers[router].outputs[port].kind != LinkKind::Host {
            return;
        }
        let now = self.now;
        let mut hop = std::mem::take(&mut self.routers[router].ejections[port]);
        let mut news = BTreeSet::new();
        if hop.is_ending && now > hop.until {
            hop.is_congested = false;
            hop.abated.clear();
        } else if hop.is_ending {
            news.extend(hop.abated.iter().copied());
        }
        hop.is_ending = false;
        hop.waiting.push(packet);
        let source = self.packets[packet].source;
        let (from, below) = self.abate_thresholds(&abate);
        let time = |flits| self.timing.serialization(LinkKind::Host, flits);
        if hop.is_congested {
            let job = self.packets[packet].job;
            if !hop.abated.contains(&source) && self.is_aggressor(&abate, &hop.waiting, job) {
                hop.abated.insert(source);
                news.insert(source);
            }
            hop.until += time(self.packets[packet].flits);
        } else if self.flits_of(&hop.waiting, |_| true) >= from {
            hop.is_congested = true;
            let drain = u128::from(time(from - below).ps());
            let hold = drain * u128::from(abate.hold_milli) / 1_000;
            hop.until = now + Span::from_ps(u64::try_from(hold).unwrap_or(u64::MAX));
            for &packet in &hop.waiting {
                let state = &self.packets[packet];
                if self.is_aggressor(&abate, &hop.waiting, state.job) {
                    hop.abated.insert(state.source);
                    news.insert(state.source);
                }
            }
        }
        self.signal(router, &news, now, true);
        self.routers[router].ejections[port] = hop;
    }

    /// `packet` starts by `port` to its node.
    pub(crate) fn note_ejected(&mut self, router: usize, port: usize, packet: usize) {
        let Some(abate) = self.parameters.abate() else {
            return;
        };
        let now = self.now;
        let mut hop = std::mem::take(&mut self.routers[router].ejections[port]);
        hop.waiting.retain(|other| *other != packet);
        let left = self.flits_of(&hop.waiting, |_| true);
        if hop.is_congested {
            if now > hop.until && left < self.abate_thresholds(&abate).1 {
                hop.is_congested = false;
                let abated = std::mem::take(&mut hop.abated);
                self.signal(router, &abated, now, false);
            } else if left == 0 {
                hop.is_ending = true;
                self.signal(router, &hop.abated, now.max(hop.until), false);
            }
        }
        self.routers[router].ejections[port] = hop;
    }

    fn signal(&mut self, router: usize, sources: &BTreeSet<NodeId>, from: Instant, begins: bool) {
        for &source in sources {
            let at = from + self.notice_delay(router, source);
            let port = Self::node_port(source.index());
            let subject = Subject::Signal { begins };
            self.agenda.add(at, EventKind::Notice, port, subject);
        }
    }

    /// A NIC is told to abate, or that this is over.
    pub(crate) fn heed_signal(&mut self, node: usize, begins: bool) {
        let state = &mut self.nodes[node];
        state.paced.noticed_at = self.now;
        state.abated.signals += if begins { 1 } else { -1 };
        self.plan_injection(node);
    }

    /// A NIC is told that `packet` is delivered.
    pub(crate) fn heed_ejected(&mut self, node: usize, packet: usize) {
        let one = (self.now, self.packets[packet].bytes);
        self.nodes[node].abated.delivered.push(one);
    }

    /// The instant until which an abated NIC holds everything back.
    pub(crate) fn abated_until(&self, node: usize) -> Instant {
        let abated = &self.nodes[node].abated;
        if abated.signals > 0 {
            abated.until
        } else {
            Instant::ZERO
        }
    }

    /// A packet of a message starts that takes `wire`.
    pub(crate) fn abate(&mut self, node: usize, wire: Span) {
        let Some(abate) = self.parameters.abate() else {
            return;
        };
        let length = abate.period.ps();
        let period = self.now.ps() / length;
        let first = period.saturating_sub(abate.periods.into());
        let state = &mut self.nodes[node].abated;
        let counts = |at: &Instant| (first..period).contains(&(at.ps() / length));
        let counted = state.delivered.iter().filter(|(at, _)| counts(at));
        let delivered: u128 = counted.map(|(_, bytes)| u128::from(*bytes)).sum();
        let rate = u128::from(self.parameters.host.bandwidth.bytes_per_second());
        let full = rate * u128::from(length) * u128::from(abate.periods) / 1_000_000_000_000;
        let wire = u128::from(wire.ps());
        let longest = wire * 1_000_000 / u128::from(abate.floor_ppm);
        let matched = (wire * full).checked_div(delivered).unwrap_or(longest);
        let spacing = matched.max(wire).min(longest);
        if state.signals > 0 {
            state.until = self.now + Span::from_ps(u64::try_from(spacing).unwrap_or(u64::MAX));
        }
    }
}
