//! Who delayed whom, from `docs/model/blame.md` alone: every packet that waits has a list of those
//! it waits for, and whenever something happens at its port the time since then is added to it.

#![expect(
    clippy::cast_possible_truncation,
    reason = "ports and nodes are counted in 32 bits, and a part is not larger than the whole"
)]

use std::collections::{BTreeMap, BTreeSet};

use odonata_network::{Cause, Endpoint, NicStall, Place};
use odonata_units::{Instant, Span};

use crate::sender::Load;
use crate::simulation::Simulation;

/// Job and traffic class.
type Party = (usize, usize);

/// Delayed job, delaying job and its class, where, why: ps.
pub type Charges = BTreeMap<(usize, usize, usize, Place, Cause), u64>;

/// A packet that waits at an output port.
struct Wait {
    packet: usize,
    vc: usize,
    /// From then on it may start.
    ready: Instant,
    charged: Vec<(Party, Cause, u64)>,
}

/// An output port.
#[derive(Default)]
struct Port {
    /// Everything is charged up to here.
    seen: Instant,
    /// What it sends or has sent last, and until when.
    sends: Option<(Party, Instant)>,
    /// Virtual channels that lacked credits when it could not start anything.
    lacking: BTreeSet<usize>,
    /// Credits taken, by virtual channel and party, flits.
    held: BTreeMap<usize, BTreeMap<Party, u64>>,
    waits: Vec<Wait>,
    /// `cioq`: who was granted it last, and when.
    granted: Option<(Party, Instant)>,
}

impl Port {
    /// Adds what has passed up to `to` to the lists of all that wait.
    fn advance(&mut self, to: Instant, own: impl Fn(usize) -> Party) {
        while self.seen < to {
            let from = self.seen;
            let occupied = self.sends.filter(|(_, until)| *until > from);
            let changes = self.waits.iter().map(|wait| wait.ready);
            let changes = changes.chain(occupied.map(|(_, until)| until));
            let next = changes.filter(|at| *at > from).fold(to, Instant::min);
            let span = (next - from).ps();
            for wait in self.waits.iter_mut().filter(|wait| wait.ready <= from) {
                let holders = self
                    .held
                    .get(&wait.vc)
                    .filter(|_| self.lacking.contains(&wait.vc));
                match (occupied, holders) {
                    (Some((party, _)), _) => wait.charged.push((party, Cause::Port, span)),
                    (None, Some(held)) if held.values().sum::<u64>() > 0 => {
                        let parts = in_proportion(span, held).into_iter();
                        let parts = parts.map(|(party, ps)| (party, Cause::Credits, ps));
                        wait.charged.extend(parts);
                    }
                    (None, _) => wait.charged.push((own(wait.packet), Cause::Stage, span)),
                }
            }
            self.seen = next;
        }
    }
}

/// Parts of `span` in proportion to what each holds, rounded down; the rest is for the first of
/// those that hold most.
fn in_proportion(span: u64, held: &BTreeMap<Party, u64>) -> BTreeMap<Party, u64> {
    let all: u64 = held.values().sum();
    let part = |flits: u64| u128::from(span) * u128::from(flits) / u128::from(all);
    let mut parts: BTreeMap<Party, u64> = held
        .iter()
        .map(|(party, flits)| (*party, part(*flits) as u64))
        .collect();
    let rest = span - parts.values().sum::<u64>();
    let most = held.values().max();
    let first = held.iter().find(|(_, flits)| Some(*flits) == most);
    if let Some(sum) = first.and_then(|(party, _)| parts.get_mut(party)) {
        *sum += rest;
    }
    parts
}

/// Everything that is written down.
#[derive(Default)]
pub(crate) struct Ledger {
    /// Job of each node.
    jobs: Vec<usize>,
    /// Job of each packet.
    of_packet: Vec<usize>,
    ports: BTreeMap<(usize, usize), Port>,
    /// `cioq`: party that left an input buffer last, by router, port and virtual channel.
    left: BTreeMap<(usize, usize, usize), Party>,
    /// Party of the packet that a NIC started last, and the end of that packet.
    nics: BTreeMap<usize, (Party, Instant)>,
    charges: Charges,
}

impl Ledger {
    pub(crate) fn new(jobs: Vec<usize>) -> Self {
        Self {
            jobs,
            ..Self::default()
        }
    }

    fn charge(&mut self, delayed: Party, to: (Party, Cause), place: Place, ps: u64) {
        if ps > 0 {
            let ((job, class), cause) = to;
            *self
                .charges
                .entry((delayed.0, job, class, place, cause))
                .or_default() += ps;
        }
    }

    pub(crate) fn take(self) -> Charges {
        self.charges
    }
}

/// How long a packet had to wait at its NIC.
pub(crate) struct NicWait {
    pub(crate) load: Load,
    pub(crate) exists: Instant,
    pub(crate) stall: (NicStall, Span),
    pub(crate) wire: Span,
}

impl<E: Endpoint> Simulation<'_, E> {
    fn place(&self, router: usize, port: usize) -> Place {
        Place::Port((router * usize::from(self.topology.radix()) + port) as u32)
    }

    /// `packet`, the newest, starts at its NIC.
    pub(crate) fn blame_injection(&mut self, node: usize, packet: usize, wait: &NicWait) {
        let (now, class) = (self.now, self.packets[packet].lane.class);
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = match wait.load {
            Load::Message(_) => ledger.jobs[node],
            Load::Response { request, .. } => ledger.of_packet[request],
        };
        ledger.of_packet.push(job);
        let own = (job, class);
        let before = ledger.nics.insert(node, (own, now + wait.wire));
        let (ahead, free) = before.unwrap_or((own, Instant::ZERO));
        let all = (now - wait.exists).ps();
        let stall = wait.stall.1.ps();
        let behind = free.saturating_since(wait.exists).ps().min(all - stall);
        let cause = match wait.stall.0 {
            NicStall::Credits => Cause::NicCredits,
            NicStall::Outstanding => Cause::NicOutstanding,
        };
        let place = Place::Nic(node as u32);
        ledger.charge(own, (ahead, cause), place, stall);
        ledger.charge(own, (ahead, Cause::NicQueue), place, behind);
        ledger.charge(own, (own, Cause::NicStage), place, all - stall - behind);
    }

    /// Lets the lists of a port run up to now, and shows it with the job of every packet.
    fn caught_up(&mut self, router: usize, port: usize) -> Option<(&mut Port, &[usize])> {
        let (now, packets) = (self.now, &self.packets);
        let ledger = self.ledger.as_mut()?;
        let (ports, of_packet) = (&mut ledger.ports, &ledger.of_packet);
        let port = ports.entry((router, port)).or_default();
        port.advance(now, |packet| {
            (of_packet[packet], packets[packet].lane.class)
        });
        Some((port, of_packet))
    }

    /// `packet` joins the queue of its output port.
    pub(crate) fn blame_join(&mut self, router: usize, packet: usize) {
        let (port, vc) = self.packets[packet].output;
        let ready = self.packets[packet].ready.max(self.now);
        if let Some((port, _)) = self.caught_up(router, port) {
            let charged = Vec::new();
            let wait = Wait {
                packet,
                vc,
                ready,
                charged,
            };
            port.waits.push(wait);
        }
    }

    /// `packet` starts on `port` and occupies it for `wire`.
    pub(crate) fn blame_start(&mut self, router: usize, port: usize, packet: usize, wire: Span) {
        let (now, class) = (self.now, self.packets[packet].lane.class);
        let place = self.place(router, port);
        let Some((port, of_packet)) = self.caught_up(router, port) else {
            return;
        };
        let own = (of_packet[packet], class);
        port.sends = Some((own, now + wire));
        port.lacking.clear();
        let Some(turn) = port.waits.iter().position(|wait| wait.packet == packet) else {
            unreachable!("what starts has joined");
        };
        let wait = port.waits.remove(turn);
        if let Some(ledger) = self.ledger.as_mut() {
            for (party, cause, ps) in wait.charged {
                ledger.charge(own, (party, cause), place, ps);
            }
        }
    }

    /// Nothing can start on the free channel behind `port`: virtual channels `lacking` lack credits.
    pub(crate) fn blame_shortage(&mut self, router: usize, port: usize, lacking: BTreeSet<usize>) {
        let known = self
            .ledger
            .as_ref()
            .and_then(|ledger| ledger.ports.get(&(router, port)));
        // To decide the same again changes nothing.
        let is_new = known.is_some_and(|known| known.lacking != lacking) && !lacking.is_empty();
        if is_new && let Some((port, _)) = self.caught_up(router, port) {
            port.lacking = lacking;
        }
    }

    /// `packet` takes credits of (`port`, `vc`).
    pub(crate) fn blame_taking(&mut self, router: usize, port: usize, vc: usize, packet: usize) {
        let (flits, class) = (self.packets[packet].flits, vc / self.class_vcs);
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = ledger.of_packet[packet];
        let held = &mut ledger.ports.entry((router, port)).or_default().held;
        let of_vc = held.entry(vc).or_default();
        *of_vc.entry((job, class)).or_default() += u64::from(flits);
    }

    /// The credits of (`port`, `vc`) that `packet` took are usable again.
    pub(crate) fn blame_returning(&mut self, router: usize, port: usize, vc: usize, packet: usize) {
        let (flits, class) = (self.packets[packet].flits, vc / self.class_vcs);
        let known = self
            .ledger
            .as_ref()
            .and_then(|ledger| ledger.ports.get(&(router, port)));
        if known.is_some_and(|known| known.lacking.contains(&vc)) {
            let _ = self.caught_up(router, port);
        }
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = ledger.of_packet[packet];
        let held = &mut ledger.ports.entry((router, port)).or_default().held;
        let sum = held.entry(vc).or_default().entry((job, class)).or_default();
        assert!(
            *sum >= u64::from(flits),
            "credits are returned that were taken"
        );
        *sum -= u64::from(flits);
    }

    /// `cioq`: `packet` became head of its input buffer.
    pub(crate) fn blame_head(&mut self, router: usize, packet: usize) {
        let state = &self.packets[packet];
        let (wait, class) = ((self.now - state.entered).ps(), state.lane.class);
        let (port, vc) = state.input;
        let place = self.place(router, port);
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let own = (ledger.of_packet[packet], class);
        let ahead = *ledger.left.get(&(router, port, vc)).unwrap_or(&own);
        ledger.charge(own, (ahead, Cause::InputQueue), place, wait);
    }

    /// `cioq`: `packet`, a head, is granted its output port.
    pub(crate) fn blame_grant(&mut self, router: usize, packet: usize) {
        let (now, state) = (self.now, &self.packets[packet]);
        let (headed, class, output) = (state.headed, state.lane.class, state.output.0);
        let (port, vc) = state.input;
        let place = self.place(router, output);
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let own = (ledger.of_packet[packet], class);
        ledger.left.insert((router, port, vc), own);
        let granted = &mut ledger.ports.entry((router, output)).or_default().granted;
        let others = granted
            .replace((own, now))
            .filter(|(_, when)| *when >= headed);
        let charged = others.map_or((own, Cause::Stage), |(party, _)| (party, Cause::Crossbar));
        ledger.charge(own, charged, place, (now - headed).ps());
    }
}
