//! Random choices: what becomes of links.

use std::sync::Arc;

use odonata_routing::LinkChange;
use odonata_topology::{Attachment, FailedLink, Topology};
use odonata_units::{Instant, Span};

use crate::testing::dice::Dice;
use crate::testing::scenario::Scenario;

/// Sets of changes that are tried until one is possible.
const TRIES: u32 = 40;

impl Dice {
    /// Lets links of `scenario` go down, come back and lose lanes.
    pub(super) fn change_links(&mut self, scenario: &mut Scenario, topology: &Arc<Topology>) {
        let links: Vec<FailedLink> = topology
            .channels()
            .filter_map(|channel| match (channel.source, channel.target) {
                (Attachment::Router(from, port), Attachment::Router(to, _)) => Some(FailedLink {
                    from,
                    to,
                    port: Some(port),
                }),
                _ => None,
            })
            .collect();
        if links.is_empty() {
            return;
        }
        let last = scenario.until.ps().max(2);
        scenario.known_after = Span::from_ps(self.pick(&[0, 0, last / 50, last / 5]));
        for attempt in 0..TRIES {
            let changes = self.changes(&links, last, attempt);
            if scenario.allows(&changes, topology) {
                scenario.changes = changes;
                return;
            }
        }
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
