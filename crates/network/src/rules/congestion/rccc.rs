//! Receiver credit of Ultra Ethernet 1.0 (RCCC) on lossless links: `docs/model/congestion.md`,
//! "Receiver credit".
//!
//! Source: uet-htsim, `uec.cpp`, with the differences that the page states.

use std::collections::{BTreeMap, BTreeSet};

use odonata_topology::{LinkKind, Topology};
use odonata_units::{Instant, NodeId, Span};

use super::{Content, Controller, Notice, Sent};
use crate::model::parameters::Parameters;
use crate::rules::notice_times::NoticeTimes;

/// Rules that follow from the numbers of [`Rccc`](crate::Rccc) in one network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CreditRules {
    /// `I`, bytes.
    initial: u64,
    /// `Z`, bytes.
    pull: u64,
    /// `Y`.
    interval: Span,
    /// `P`, bytes.
    packet: u64,
}

impl CreditRules {
    /// Those of a network, if its NICs give credit.
    pub(crate) fn of(
        parameters: &Parameters,
        topology: &Topology,
        times: &NoticeTimes,
    ) -> Option<Self> {
        let given = parameters.rccc()?;
        let packet = u64::from(parameters.packet_bytes);
        let round_trip = given
            .round_trip
            .unwrap_or_else(|| times.round_trip(parameters, topology));
        let product = parameters.host_bytes_in(round_trip);
        let window = product * u128::from(given.window_milli) / 1_000;
        let full = parameters.serialization(LinkKind::Host, parameters.packet_flits());
        let pull = u128::from(full.ps()) * u128::from(given.pull) * 1_000;
        let interval = pull / u128::from(given.rate_milli);
        Some(Self {
            initial: u64::try_from(window).unwrap_or(u64::MAX >> 1).max(packet),
            pull: packet * u64::from(given.pull),
            interval: Span::from_ps(u64::try_from(interval).unwrap_or(u64::MAX >> 2).max(1)),
            packet,
        })
    }
}

/// Traffic of a NIC to one target, bytes.
#[derive(Debug)]
struct Outward {
    /// `B`.
    handed: u64,
    /// `S`.
    sent: u64,
    /// `C`.
    credit: u64,
    /// `D`.
    asked: u64,
}

impl Outward {
    const fn is_open(&self) -> bool {
        self.handed > self.sent
    }

    /// `E` with `most` for `K`.
    fn wanted(&self, most: u64, open: u64) -> u64 {
        let ahead = self.sent + (self.handed - self.sent).min(most);
        self.credit + ahead.saturating_sub(self.credit).div_ceil(open.max(1))
    }
}

/// Traffic to a NIC from one sender, bytes.
#[derive(Debug)]
struct Inward {
    /// `D`.
    asked: u64,
    /// `G`.
    given: u64,
}

/// A notice about credit for another NIC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CreditNotice {
    pub(crate) at: Instant,
    pub(crate) node: NodeId,
    pub(crate) content: Content,
}

/// The credit of a NIC: what it has by target, and what it gives by sender.
#[derive(Debug)]
pub(crate) struct Credits {
    rules: CreditRules,
    targets: BTreeMap<NodeId, Outward>,
    /// Targets that are open.
    open: u64,
    senders: BTreeMap<NodeId, Inward>,
    /// Senders with backlog.
    waiting: BTreeSet<NodeId>,
    /// Idle ones.
    idle: BTreeSet<NodeId>,
    /// The sender that was pulled last.
    pulled: Option<NodeId>,
    /// No pull before.
    free_at: Instant,
    /// The next pull; never if there is none.
    pub(crate) pull_at: Instant,
    /// Notices that are to be sent.
    pub(crate) notices: Vec<CreditNotice>,
    /// The window to the target that is dealt with next, if NICs have windows.
    pub(crate) window: Option<u64>,
}

impl Credits {
    pub(crate) const fn new(rules: CreditRules) -> Self {
        Self {
            rules,
            targets: BTreeMap::new(),
            open: 0,
            senders: BTreeMap::new(),
            waiting: BTreeSet::new(),
            idle: BTreeSet::new(),
            pulled: None,
            free_at: Instant::ZERO,
            pull_at: Instant::NEVER,
            notices: Vec::new(),
            window: None,
        }
    }

    /// So many bytes are handed over for `target`, and exist from `at` on.
    pub(crate) fn hand_over(&mut self, target: NodeId, bytes: u64, at: Instant) {
        let initial = self.rules.initial;
        let outward = self.targets.entry(target).or_insert(Outward {
            handed: 0,
            sent: 0,
            credit: initial,
            asked: 0,
        });
        self.open += u64::from(!outward.is_open());
        outward.handed = outward.handed.saturating_add(bytes);
        self.ask(target, at);
    }

    /// Asks `target` for more at `at`, if more is wanted.
    pub(crate) fn ask(&mut self, target: NodeId, at: Instant) {
        let beside = |window: u64| window.saturating_add(self.rules.packet);
        let most = self.window.map_or(u64::MAX, beside).min(self.rules.initial);
        let Some(outward) = self.targets.get_mut(&target) else {
            return;
        };
        let wanted = outward.wanted(most, self.open).max(outward.sent);
        if wanted > outward.asked {
            outward.asked = wanted;
            self.notices.push(CreditNotice {
                at,
                node: target,
                content: Content::Demand { bytes: wanted },
            });
        }
    }

    /// `sender` asks for so many bytes in all.
    fn be_asked(&mut self, sender: NodeId, bytes: u64, now: Instant) {
        let given = self.rules.initial;
        let inward = self
            .senders
            .entry(sender)
            .or_insert(Inward { asked: 0, given });
        inward.asked = inward.asked.max(bytes);
        self.sort(sender);
        self.plan(now);
    }

    /// Gives credit to the sender whose turn it is.
    pub(crate) fn pull(&mut self, now: Instant) {
        let list = if self.waiting.is_empty() {
            &self.idle
        } else {
            &self.waiting
        };
        let behind = |last: NodeId| list.range(NodeId(last.0 + 1)..).next();
        let next = self.pulled.and_then(behind).or_else(|| list.first());
        let Some(sender) = next.copied() else {
            self.pull_at = Instant::NEVER;
            return;
        };
        let bytes = self.rules.pull;
        if let Some(inward) = self.senders.get_mut(&sender) {
            inward.given += bytes;
        }
        self.notices.push(CreditNotice {
            at: now,
            node: sender,
            content: Content::Credit { bytes },
        });
        self.pulled = Some(sender);
        self.free_at = now.plus(self.rules.interval);
        self.sort(sender);
        self.plan(now);
    }

    /// Puts `sender` into the list that it belongs to.
    fn sort(&mut self, sender: NodeId) {
        let Some(Inward { asked, given }) = self.senders.get(&sender) else {
            return;
        };
        let has_backlog = asked > given;
        let is_idle = !has_backlog && given - asked < self.rules.initial;
        for (list, belongs) in [(&mut self.waiting, has_backlog), (&mut self.idle, is_idle)] {
            if belongs {
                list.insert(sender);
            } else {
                list.remove(&sender);
            }
        }
    }

    /// Finds out when the next pull is.
    fn plan(&mut self, now: Instant) {
        self.pull_at = if self.waiting.is_empty() && self.idle.is_empty() {
            Instant::NEVER
        } else {
            now.max(self.free_at)
        };
    }
}

impl Controller for Credits {
    fn is_idle(&self) -> bool {
        self.targets.is_empty()
    }

    fn may_send_at(&self, target: NodeId, _: u32) -> Instant {
        let outward = self.targets.get(&target);
        if outward.is_some_and(|outward| outward.credit <= outward.sent) {
            Instant::NEVER
        } else {
            Instant::ZERO
        }
    }

    fn sent(&mut self, packet: Sent) {
        if let Some(outward) = self.targets.get_mut(&packet.target) {
            outward.sent += u64::from(packet.bytes);
            self.open -= u64::from(!outward.is_open());
            self.ask(packet.target, packet.at);
        }
    }

    fn noticed(&mut self, notice: &Notice) -> bool {
        match notice.content {
            Content::Demand { bytes } => {
                self.be_asked(notice.target, bytes, notice.at);
                false
            }
            Content::Credit { bytes } => {
                if let Some(outward) = self.targets.get_mut(&notice.target) {
                    outward.credit += bytes;
                    self.ask(notice.target, notice.at);
                }
                true
            }
            // The window may have grown.
            Content::Delivered { .. } => {
                self.ask(notice.target, notice.at);
                false
            }
            _ => false,
        }
    }
}
