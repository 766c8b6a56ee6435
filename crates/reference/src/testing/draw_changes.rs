//! Random choices: what becomes of links.

use std::sync::Arc;

use odonata_routing::{LinkChange, NetworkChanges, RouterOutage};
use odonata_topology::{Attachment, FailedLink, Topology};
use odonata_units::{Instant, RouterId, Span};

use crate::testing::dice::Dice;
use crate::testing::scenario::Scenario;

/// Sets of changes that are tried until one is possible.
const TRIES: u32 = 40;

/// The links between routers.
fn joined(topology: &Topology) -> Vec<FailedLink> {
    let links = topology.channels();
    let links = links.filter_map(|channel| match (channel.source, channel.target) {
        (Attachment::Router(from, port), Attachment::Router(to, _)) => Some(FailedLink {
            from,
            to,
            port: Some(port),
        }),
        _ => None,
    });
    links.collect()
}

impl Dice {
    /// Lets links of `scenario` go down, come back and lose lanes.
    pub(super) fn change_links(&mut self, scenario: &mut Scenario, topology: &Arc<Topology>) {
        let links = joined(topology);
        if links.is_empty() {
            return;
        }
        let last = scenario.until.ps().max(2);
        let known_after = self.delay(last);
        for attempt in 0..TRIES {
            let changes = NetworkChanges {
                links: self.changes(&links, last, attempt),
                known_after,
                ..NetworkChanges::default()
            };
            if scenario.allows(&changes, topology) {
                scenario.changes = changes;
                return;
            }
        }
    }

    /// Lets routers of `scenario` go down and come back, maybe beside links.
    pub(super) fn fail_routers(&mut self, scenario: &mut Scenario, topology: &Arc<Topology>) {
        let links = joined(topology);
        let last = scenario.until.ps().max(2);
        let [known_after, resent_after] = [self.delay(last), self.delay(last)];
        for attempt in 0..TRIES {
            let tamer = attempt > TRIES / 2;
            let mut changes = NetworkChanges {
                known_after,
                resent_after,
                ..NetworkChanges::default()
            };
            if scenario.number.is_multiple_of(2) && !tamer && !links.is_empty() {
                changes.links = self.changes(&links, last, attempt);
            }
            for _ in 0..self.between(1, if tamer { 1 } else { 3 }) {
                let router = RouterId(self.between(0, topology.router_count() - 1));
                let from = self.instant(last);
                let until = from + Span::from_ps(1 + self.instant(last).ps());
                let until = if self.chance(40) {
                    Instant::NEVER
                } else {
                    until
                };
                changes.routers.push(RouterOutage {
                    router,
                    from,
                    until,
                });
            }
            if scenario.allows(&changes, topology) {
                scenario.changes = changes;
                return;
            }
        }
    }

    fn delay(&mut self, last: u64) -> Span {
        Span::from_ps(self.pick(&[0, 0, last / 50, last / 5]))
    }

    fn changes(&mut self, links: &[FailedLink], last: u64, attempt: u32) -> Vec<LinkChange> {
        let mut changes = Vec::new();
        let tamer = attempt > TRIES / 2;
        for _ in 0..self.between(1, if tamer { 1 } else { 5 }) {
            let mut link = self.pick(links);
            if self.chance(20) {
                link.port = None;
            }
            let mut at = self.instant(last);
            for _ in 0..self.between(1, 4) {
                let share_ppm = self.share(tamer && attempt.is_multiple_of(4));
                changes.push(LinkChange {
                    link,
                    at,
                    share_ppm,
                });
                at += Span::from_ps(1 + self.instant(last).ps() / 4);
            }
        }
        changes
    }

    fn share(&mut self, stays_up: bool) -> u32 {
        if !stays_up && self.chance(55) {
            return 0;
        }
        if self.chance(40) {
            return 1_000_000;
        }
        self.between(50_000, 999_999)
    }

    fn instant(&mut self, last: u64) -> Instant {
        let thousandths = u64::from(self.between(0, 700));
        let below = u64::from(self.between(0, 999));
        Instant::from_ps(last / 1_000 * thousandths + below)
    }
}
