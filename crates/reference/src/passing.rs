//! Through blame, from `docs/model/blame.md` alone: the charges of every sender are divided step by
//! step until all of them have ended.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "waits of short runs; ports are counted in 32 bits"
)]

use std::collections::BTreeMap;

use odonata_telemetry::{Cause, WaitPoint};
use odonata_topology::{Attachment, PortIndex, Topology};
use odonata_units::{NodeId, RouterId};

use crate::ledger::{Book, Charge, Delayed, Party};

/// Steps after which a charge ends where it is.
const MOST_STEPS: usize = 1_000;
/// Less than this, ps, goes no further.
const NOTHING: f64 = 1e-3;

/// A port of a router.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PortKey {
    router: usize,
    port: usize,
}

/// Where a part of a charge is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Ended(WaitPoint, Party, Cause),
    /// In the buffer behind an input port, as far as a party holds it.
    InBuffer(PortKey, Party),
}

/// Parts of something, with what they are of it.
type Parts = BTreeMap<Part, f64>;

impl Book {
    /// Passes all charges on: where each ends, and how much of it, ps.
    #[must_use]
    pub fn pass_on(&self, topology: &Topology) -> BTreeMap<Charge, f64> {
        let mut passing = Passing {
            book: self,
            topology,
            at_outputs: BTreeMap::new(),
            numbers: BTreeMap::new(),
            parts: Vec::new(),
        };
        passing.sum_outputs();
        let mut of_senders: BTreeMap<Delayed, Parts> = BTreeMap::new();
        for (charge, ps) in &self.charges {
            let sums = of_senders.entry(charge.delayed).or_default();
            for (part, share) in passing.first(charge.point, charge.party, charge.cause) {
                *sums.entry(part).or_default() += share * *ps as f64;
            }
        }
        let mut found = BTreeMap::new();
        for (delayed, parts) in of_senders {
            for ((point, party, cause), ps) in passing.ends(parts) {
                let charge = Charge {
                    delayed,
                    party,
                    point,
                    cause,
                };
                found.insert(charge, ps);
            }
        }
        found
    }
}

/// Where a part of a charge can be.
struct Known {
    part: Part,
    /// Where it goes on from a buffer, by the numbers of parts; empty as long as nobody has asked.
    onward: Vec<(usize, f64)>,
}

/// Passes charges on.
struct Passing<'a> {
    book: &'a Book,
    topology: &'a Topology,
    /// By output port and job whose packets waited in its queue: charges, by party and cause, ps.
    at_outputs: BTreeMap<(WaitPoint, usize), BTreeMap<(Party, Cause), u64>>,
    /// Numbers of parts.
    numbers: BTreeMap<Part, usize>,
    parts: Vec<Known>,
}

impl Passing<'_> {
    /// Sums up what packets of each job waited for in the queue of each output port.
    fn sum_outputs(&mut self) {
        for (charge, ps) in &self.book.charges {
            if matches!(charge.cause, Cause::Port | Cause::Credits | Cause::Stage) {
                let here = (charge.point, charge.delayed.job);
                let sums = self.at_outputs.entry(here).or_default();
                *sums.entry((charge.party, charge.cause)).or_default() += ps;
            }
        }
    }

    fn number(&mut self, part: Part) -> usize {
        let next = self.parts.len();
        let number = *self.numbers.entry(part).or_insert(next);
        if number == next {
            let onward = Vec::new();
            self.parts.push(Known { part, onward });
        }
        number
    }

    /// Finds out where a part in a buffer goes on, once.
    fn find_onward(&mut self, number: usize, port: PortKey, party: Party) {
        if self.parts[number].onward.is_empty() {
            let onward = self.onward(port, party).into_iter();
            let onward = onward.map(|(next, share)| (self.number(next), share));
            let onward: Vec<_> = onward.collect();
            self.parts[number].onward = onward;
        }
    }

    /// Where charges end that begin as `start`, ps.
    fn ends(&mut self, start: Parts) -> BTreeMap<(WaitPoint, Party, Cause), f64> {
        let mut ended = BTreeMap::new();
        let mut moving = Vec::new();
        for (part, ps) in start {
            let number = self.number(part);
            add(&mut moving, number, ps);
        }
        for step in 0.. {
            let before = std::mem::take(&mut moving);
            for (number, ps) in before.into_iter().enumerate().filter(|(_, ps)| *ps > 0.0) {
                match self.parts[number].part {
                    Part::Ended(point, party, cause) => {
                        *ended.entry((point, party, cause)).or_default() += ps;
                    }
                    Part::InBuffer(port, party) if step == MOST_STEPS || ps < NOTHING => {
                        let end = here(self.topology, port, party);
                        *ended.entry(end).or_default() += ps;
                    }
                    Part::InBuffer(port, party) => {
                        self.find_onward(number, port, party);
                        for (next, share) in &self.parts[number].onward {
                            add(&mut moving, *next, ps * share);
                        }
                    }
                }
            }
            if moving.is_empty() {
                break;
            }
        }
        ended
    }

    fn first(&self, point: WaitPoint, party: Party, cause: Cause) -> Parts {
        let topology = self.topology;
        let ended = Part::Ended(point, party, cause);
        match (point, cause) {
            (WaitPoint::Port(number), Cause::Credits) => {
                match behind(topology, port(topology, number)) {
                    Some(input) => Parts::from([(Part::InBuffer(input, party), 1.0)]),
                    None => Parts::from([(ended, 1.0)]),
                }
            }
            (WaitPoint::Port(number), Cause::InputQueue) => {
                Parts::from([(Part::InBuffer(port(topology, number), party), 1.0)])
            }
            (WaitPoint::Port(number), Cause::Crossbar) => {
                self.at_output(port(topology, number), party)
            }
            (WaitPoint::Nic(node), Cause::NicCredits) => {
                Parts::from([(Part::InBuffer(host_port(topology, node), party), 1.0)])
            }
            (WaitPoint::Nic(node), Cause::NicQueue) => {
                let (sending, lacking) = self.book.nics[&node];
                let lacking = lacking as f64 / (sending + lacking) as f64;
                let buffer = Part::InBuffer(host_port(topology, node), party);
                Parts::from([(ended, 1.0 - lacking), (buffer, lacking)])
            }
            _ => Parts::from([(ended, 1.0)]),
        }
    }

    /// Rule 1 of the page.
    fn onward(&self, input: PortKey, holder: Party) -> Parts {
        let mut waits = Vec::new();
        for (crossing, parties) in &self.book.waits {
            if (crossing.router, crossing.input) == (input.router, input.port) {
                let mine = parties
                    .iter()
                    .filter(|(party, _)| self.book.has_crossbar || **party == holder);
                waits.extend(mine.map(|(party, ps)| (crossing.output, *party, *ps)));
            }
        }
        let all: u64 = waits.iter().map(|(_, _, ps)| ps).sum();
        let mut parts = Parts::new();
        for (output, party, ps) in waits {
            let output = PortKey {
                port: output,
                ..input
            };
            for (part, share) in self.at_output(output, party) {
                *parts.entry(part).or_default() += share * ps as f64 / all as f64;
            }
        }
        if all == 0 {
            let (point, party, cause) = here(self.topology, input, holder);
            parts.insert(Part::Ended(point, party, cause), 1.0);
        }
        parts
    }

    /// Rule 2 of the page.
    fn at_output(&self, output: PortKey, party: Party) -> Parts {
        let point = number(self.topology, output);
        let Some(sums) = self.at_outputs.get(&(point, party.job)) else {
            return Parts::from([(Part::Ended(point, party, Cause::Crossbar), 1.0)]);
        };
        let all: u64 = sums.values().sum();
        let mut parts = Parts::new();
        for ((other, cause), ps) in sums {
            let part = match behind(self.topology, output) {
                Some(input) if *cause == Cause::Credits => Part::InBuffer(input, *other),
                _ => Part::Ended(point, *other, *cause),
            };
            *parts.entry(part).or_default() += *ps as f64 / all as f64;
        }
        parts
    }
}

/// Adds to an entry of a list that may be too short.
fn add(list: &mut Vec<f64>, number: usize, more: f64) {
    if list.len() <= number {
        list.resize(number + 1, 0.0);
    }
    list[number] += more;
}

fn key(router: RouterId, port: PortIndex) -> PortKey {
    PortKey {
        router: router.index(),
        port: usize::from(port.0),
    }
}

fn port(topology: &Topology, number: u32) -> PortKey {
    let radix = u32::from(topology.radix());
    PortKey {
        router: (number / radix) as usize,
        port: (number % radix) as usize,
    }
}

fn number(topology: &Topology, at: PortKey) -> WaitPoint {
    WaitPoint::Port((at.router * usize::from(topology.radix()) + at.port) as u32)
}

fn far(topology: &Topology, at: PortKey) -> Option<Attachment> {
    topology.neighbour(RouterId(at.router as u32), PortIndex(at.port as u16))
}

/// Input port behind an output port.
fn behind(topology: &Topology, output: PortKey) -> Option<PortKey> {
    match far(topology, output) {
        Some(Attachment::Router(router, port)) => Some(key(router, port)),
        _ => None,
    }
}

/// The router's port to a node.
fn host_port(topology: &Topology, node: u32) -> PortKey {
    let routers = 0..topology.router_count() as usize;
    let mut ports = routers.flat_map(|router| {
        (0..usize::from(topology.radix())).map(move |port| PortKey { router, port })
    });
    let is_it = |port: &PortKey| far(topology, *port) == Some(Attachment::Node(NodeId(node)));
    ports
        .find(is_it)
        .unwrap_or_else(|| unreachable!("nodes are attached"))
}

/// A charge to a buffer that ends there: at whoever sends into it.
fn here(topology: &Topology, input: PortKey, party: Party) -> (WaitPoint, Party, Cause) {
    match far(topology, input) {
        Some(Attachment::Node(node)) => (WaitPoint::Nic(node.0), party, Cause::NicCredits),
        Some(Attachment::Router(router, port)) => {
            let sender = number(topology, key(router, port));
            (sender, party, Cause::Credits)
        }
        None => (number(topology, input), party, Cause::Credits),
    }
}
