//! What is written down to say who delayed whom (`docs/model/blame.md`): every packet that waits
//! has a list of those it waits for, and whenever something happens at its port the time since then
//! is added to it.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a part is not larger than the whole"
)]

use std::collections::{BTreeMap, BTreeSet};

use odonata_telemetry::{Cause, Transaction, WaitPoint};
use odonata_units::{Instant, NodeId};

/// Job and traffic class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Party {
    /// Number of the job.
    pub job: usize,
    /// Number of the class.
    pub class: usize,
}

/// A packet that waits, as far as charges tell packets apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Delayed {
    /// Its job.
    pub job: usize,
    /// Its transaction.
    pub transaction: Transaction,
    /// The NIC that sent it.
    pub sender: NodeId,
}

/// Whose packets waited because of which job and class, where, and why.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Charge {
    /// Whose.
    pub delayed: Delayed,
    /// Job and class that made them wait.
    pub party: Party,
    /// Where.
    pub point: WaitPoint,
    /// Why.
    pub cause: Cause,
}

/// How long, ps.
pub type Charges = BTreeMap<Charge, u64>;

/// The ports by which a packet comes to a router and leaves it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Crossing {
    pub(crate) router: usize,
    pub(crate) input: usize,
    pub(crate) output: usize,
}

/// A packet that waits at an output port.
pub(crate) struct Wait {
    pub(crate) packet: usize,
    pub(crate) vc: usize,
    /// From then on it may start.
    pub(crate) ready: Instant,
    pub(crate) charged: Vec<(Party, Cause, u64)>,
}

/// An output port.
#[derive(Default)]
pub(crate) struct Port {
    /// Everything is charged up to here.
    pub(crate) seen: Instant,
    /// What it sends or has sent last, and until when.
    pub(crate) sends: Option<(Party, Instant)>,
    /// Virtual channels that lacked credits when it could not start anything.
    pub(crate) lacking: BTreeSet<usize>,
    /// Credits taken, by virtual channel and party, flits.
    pub(crate) held: BTreeMap<usize, BTreeMap<Party, u64>>,
    pub(crate) waits: Vec<Wait>,
    /// `cioq`: who was granted it last, and when.
    pub(crate) granted: Option<(Party, Instant)>,
}

impl Port {
    /// Adds what has passed up to `to` to the lists of all that wait.
    pub(crate) fn advance(&mut self, to: Instant, own: impl Fn(usize) -> Party) {
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
    pub(crate) jobs: Vec<usize>,
    /// Job of each packet.
    pub(crate) of_packet: Vec<usize>,
    pub(crate) ports: BTreeMap<(usize, usize), Port>,
    /// `cioq`: party that left an input buffer last, by router, port and virtual channel.
    pub(crate) left: BTreeMap<(usize, usize, usize), Party>,
    /// Party of the packet that a NIC started last, and the end of that packet.
    pub(crate) nics: BTreeMap<usize, (Party, Instant)>,
    pub(crate) book: Book,
}

/// Rest of a ledger.
#[derive(Clone, Default, Debug)]
pub struct Book {
    /// Direct charges.
    pub charges: Charges,
    /// How long packets of a party that came by a port of a router waited for an output port of it,
    /// ps: by router, both ports, and party.
    pub(crate) waits: BTreeMap<Crossing, BTreeMap<Party, u64>>,
    /// By node: time in which its NIC was sending, and in which it lacked credits of the router,
    /// ps.
    pub(crate) nics: BTreeMap<u32, (u64, u64)>,
    /// Routers have input buffers with one head each.
    pub(crate) has_crossbar: bool,
}

impl Ledger {
    pub(crate) fn new(jobs: Vec<usize>, has_crossbar: bool) -> Self {
        let mut ledger = Self {
            jobs,
            ..Self::default()
        };
        ledger.book.has_crossbar = has_crossbar;
        ledger
    }

    pub(crate) fn charge(&mut self, charge: Charge, ps: u64) {
        if ps > 0 {
            *self.book.charges.entry(charge).or_default() += ps;
        }
    }

    /// A packet of `party` that came to a router by one port waited for another.
    pub(crate) fn wait(&mut self, crossing: Crossing, party: Party, ps: u64) {
        if ps > 0 {
            let parties = self.book.waits.entry(crossing).or_default();
            *parties.entry(party).or_default() += ps;
        }
    }

    pub(crate) fn take(self) -> Book {
        self.book
    }
}
