//! Receiver credit in the simulation: `docs/model/congestion.md`, "Receiver credit".

use odonata_endpoint::Endpoint;
use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Span};

use crate::credit::{Inward, Outward, Word};
use crate::event::{EventKind, Subject};
use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// Finds `I`, if targets give credit.
    pub(crate) fn find_initial_credit(&self) -> u64 {
        let Some(given) = self.parameters.rccc() else {
            return u64::MAX;
        };
        let trip = given.round_trip.unwrap_or_else(|| self.longest_trip());
        let rate = u128::from(self.parameters.host.bandwidth.bytes_per_second());
        let product = u128::from(trip.ps()) * rate / 1_000_000_000_000;
        let window = product * u128::from(given.window_milli) / 1_000;
        let packet = u128::from(self.parameters.packet_bytes);
        u64::try_from(window.max(packet)).unwrap_or(u64::MAX)
    }

    /// `Z` and `Y`.
    fn pull_size(&self) -> (u64, Span) {
        let Some(given) = self.parameters.rccc() else {
            unreachable!("pulls are of receiver credit");
        };
        let flits = self.timing.flits(self.parameters.packet_bytes);
        let full = self.timing.serialization(LinkKind::Host, flits);
        let time = u128::from(full.ps()) * u128::from(given.pull);
        let interval = (time * 1_000 / u128::from(given.rate_milli)).max(1);
        let bytes = u64::from(given.pull) * u64::from(self.parameters.packet_bytes);
        (
            bytes,
            Span::from_ps(u64::try_from(interval).unwrap_or(u64::MAX)),
        )
    }

    /// Sends a word of `node` to another, which leaves at `at`.
    fn say(&mut self, node: usize, to: NodeId, at: Instant, word: Word) {
        let router = self.topology.router_of(self.nodes[node].id).index();
        let at = at + self.way_in() + self.notice_delay(router, to);
        let port = Self::node_port(to.index());
        self.agenda
            .add(at, EventKind::Word, port, Subject::Word(word));
    }

    /// Tells `target` what is wanted of it, if that has grown; `at` says when.
    fn demand(&mut self, node: usize, target: NodeId, at: Instant) {
        let mut most = self.initial_credit;
        if let Some(window) = self.window_to(node, target) {
            let beside = window + u128::from(self.parameters.packet_bytes);
            most = most.min(u64::try_from(beside).unwrap_or(u64::MAX));
        }
        let state = &mut self.nodes[node];
        let is_open = |one: &&Outward| one.handed > one.sent;
        let open = state.credits.targets.values().filter(is_open).count() as u64;
        let Some(one) = state.credits.targets.get_mut(&target) else {
            return;
        };
        let backlog = one.handed - one.sent;
        let missing = (backlog.min(most) + one.sent).saturating_sub(one.credit);
        let wanted = one.sent.max(one.credit + missing.div_ceil(open.max(1)));
        if wanted > one.asked {
            one.asked = wanted;
            let word = Word::Demand(state.id, wanted);
            self.say(node, target, at, word);
        }
    }

    /// A message is handed over whose payload is so many bytes, and exists from `exists` on.
    pub(crate) fn ask_for(&mut self, node: usize, target: NodeId, bytes: u64, exists: Instant) {
        if self.parameters.rccc().is_none() {
            return;
        }
        let credit = self.initial_credit;
        let payload = u64::from(self.parameters.packet_bytes - self.parameters.header_bytes);
        let headers = bytes.div_ceil(payload) * u64::from(self.parameters.header_bytes);
        let targets = &mut self.nodes[node].credits.targets;
        let one = targets.entry(target).or_insert(Outward {
            handed: 0,
            sent: 0,
            credit,
            asked: 0,
        });
        one.handed += bytes + headers;
        self.demand(node, target, exists.max(self.now));
    }

    /// A packet of a message has started.
    pub(crate) fn spend(&mut self, node: usize, packet: usize) {
        let state = &self.packets[packet];
        let (target, bytes) = (state.target, u64::from(state.bytes));
        if self.parameters.rccc().is_none() || state.transfer.is_none() {
            return;
        }
        if let Some(one) = self.nodes[node].credits.targets.get_mut(&target) {
            one.sent += bytes;
        }
        self.demand(node, target, self.now);
    }

    /// The window to `target` was told of a delivery.
    pub(crate) fn ask_beside_window(&mut self, node: usize, target: NodeId) {
        if self.parameters.rccc().is_some() {
            self.demand(node, target, self.now);
        }
    }

    /// Whether nothing may start to `target` until credit comes.
    pub(crate) fn lacks_credit(&self, node: usize, target: NodeId) -> bool {
        let one = self.nodes[node].credits.targets.get(&target);
        one.is_some_and(|one| one.credit <= one.sent)
    }

    /// A NIC is told something by another.
    pub(crate) fn hear(&mut self, node: usize, word: Word) {
        match word {
            Word::Demand(sender, bytes) => {
                let given = self.initial_credit;
                let senders = &mut self.nodes[node].credits.senders;
                let one = senders.entry(sender).or_insert(Inward { asked: 0, given });
                one.asked = one.asked.max(bytes);
                self.plan_pull(node);
            }
            Word::Credit(target, bytes) => {
                if let Some(one) = self.nodes[node].credits.targets.get_mut(&target) {
                    one.credit += bytes;
                }
                self.demand(node, target, self.now);
                self.nodes[node].paced.noticed_at = self.now;
                self.plan_injection(node);
            }
        }
    }

    /// When the next pull may be.
    fn pull_from(&self, node: usize) -> Instant {
        let last = self.nodes[node].credits.last_pull;
        let free = last.map_or(Instant::ZERO, |(at, _)| at + self.pull_size().1);
        free.max(self.now)
    }

    /// Plans a pull; it is looked at when it comes whether there is anything to do.
    fn plan_pull(&mut self, node: usize) {
        let at = self.pull_from(node);
        let port = Self::node_port(node);
        self.agenda.add(at, EventKind::Pull, port, Subject::Port);
    }

    /// Gives credit, if it is time and somebody is to get some.
    pub(crate) fn pull_credit(&mut self, node: usize) {
        if self.pull_from(node) > self.now {
            return;
        }
        let initial = self.initial_credit;
        let bytes = self.pull_size().0;
        let state = &mut self.nodes[node];
        let last = state.credits.last_pull.map(|(_, sender)| sender);
        let of = |is_meant: &dyn Fn(&Inward) -> bool| {
            let meant = state.credits.senders.iter().filter(|(_, it)| is_meant(it));
            let meant: Vec<NodeId> = meant.map(|(sender, _)| *sender).collect();
            let behind = meant.iter().find(|sender| Some(**sender) > last);
            behind.or_else(|| meant.first()).copied()
        };
        let waiting = of(&|it| it.asked > it.given);
        let idle = of(&|it| it.asked <= it.given && it.given < it.asked + initial);
        let Some(sender) = waiting.or(idle) else {
            return;
        };
        if let Some(one) = state.credits.senders.get_mut(&sender) {
            one.given += bytes;
        }
        state.credits.last_pull = Some((self.now, sender));
        let word = Word::Credit(state.id, bytes);
        self.say(node, sender, self.now, word);
        self.plan_pull(node);
    }
}
