//! Through blame, from `docs/model/blame.md` alone: each charge is divided step by step until all
//! of it has ended.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "waits of short runs; ports are counted in 32 bits"
)]

use std::collections::BTreeMap;

use odonata_network::{Cause, Place};
use odonata_topology::{Attachment, PortIndex, Topology};
use odonata_units::{NodeId, RouterId};

use crate::ledger::{Book, Charge, Party};

/// Steps after which a charge ends where it is.
const MOST_STEPS: usize = 1_000;
/// Of a charge that is divided: what is less is nothing.
const NOTHING: f64 = 1e-9;

/// A port of a router.
type Port = (usize, usize);

/// Where a part of a charge is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Ended(Place, Party, Cause),
    /// In the buffer behind an input port, as far as a party holds it.
    InBuffer(Port, Party),
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
            known: BTreeMap::new(),
        };
        let mut found = BTreeMap::new();
        let mut known = BTreeMap::new();
        for (charge, ps) in &self.charges {
            let start = (charge.place, charge.party, charge.cause);
            let ends = known.entry(start).or_insert_with(|| passing.ends(start));
            for ((place, party, cause), share) in ends {
                let ended = Charge {
                    delayed: charge.delayed,
                    party: *party,
                    place: *place,
                    cause: *cause,
                };
                *found.entry(ended).or_default() += *ps as f64 * *share;
            }
        }
        found
    }
}

/// Passes charges on.
struct Passing<'a> {
    book: &'a Book,
    topology: &'a Topology,
    /// What rules 1 and 2 say of a buffer.
    known: BTreeMap<(Port, Party), Parts>,
}

impl Passing<'_> {
    /// Where a charge ends, and which share of it.
    fn ends(&mut self, start: (Place, Party, Cause)) -> BTreeMap<(Place, Party, Cause), f64> {
        let mut ended = BTreeMap::new();
        let mut parts = self.first(start);
        for step in 0..=MOST_STEPS {
            for (part, share) in std::mem::take(&mut parts) {
                match part {
                    Part::Ended(place, party, cause) => {
                        *ended.entry((place, party, cause)).or_default() += share;
                    }
                    Part::InBuffer(port, party) if step == MOST_STEPS || share < NOTHING => {
                        let end = here(self.topology, port, party);
                        *ended.entry(end).or_default() += share;
                    }
                    Part::InBuffer(port, party) => {
                        if !self.known.contains_key(&(port, party)) {
                            self.known.insert((port, party), self.onward(port, party));
                        }
                        for (next, of_it) in &self.known[&(port, party)] {
                            *parts.entry(*next).or_default() += share * of_it;
                        }
                    }
                }
            }
        }
        ended
    }

    fn first(&self, (place, party, cause): (Place, Party, Cause)) -> Parts {
        let topology = self.topology;
        let ended = Part::Ended(place, party, cause);
        match (place, cause) {
            (Place::Port(number), Cause::Credits) => match behind(topology, port(topology, number))
            {
                Some(input) => Parts::from([(Part::InBuffer(input, party), 1.0)]),
                None => Parts::from([(ended, 1.0)]),
            },
            (Place::Port(number), Cause::InputQueue) => {
                Parts::from([(Part::InBuffer(port(topology, number), party), 1.0)])
            }
            (Place::Port(number), Cause::Crossbar) => self.at_output(port(topology, number), party),
            (Place::Nic(node), Cause::NicCredits) => {
                Parts::from([(Part::InBuffer(host_port(topology, node), party), 1.0)])
            }
            (Place::Nic(node), Cause::NicQueue) => {
                let (sending, lacking) = self.book.nics[&node];
                let lacking = lacking as f64 / (sending + lacking) as f64;
                let buffer = Part::InBuffer(host_port(topology, node), party);
                Parts::from([(ended, 1.0 - lacking), (buffer, lacking)])
            }
            _ => Parts::from([(ended, 1.0)]),
        }
    }

    /// Rule 1 of the page.
    fn onward(&self, (router, input): Port, holder: Party) -> Parts {
        let mut waits = Vec::new();
        for ((at, from, output), parties) in &self.book.waits {
            if (*at, *from) == (router, input) {
                let mine = parties
                    .iter()
                    .filter(|(party, _)| self.book.has_crossbar || **party == holder);
                waits.extend(mine.map(|(party, ps)| (*output, *party, *ps)));
            }
        }
        let all: u64 = waits.iter().map(|(_, _, ps)| ps).sum();
        let mut parts = Parts::new();
        for (output, party, ps) in waits {
            for (part, share) in self.at_output((router, output), party) {
                *parts.entry(part).or_default() += share * ps as f64 / all as f64;
            }
        }
        if all == 0 {
            let (place, party, cause) = here(self.topology, (router, input), holder);
            parts.insert(Part::Ended(place, party, cause), 1.0);
        }
        parts
    }

    /// Rule 2 of the page.
    fn at_output(&self, output: Port, party: Party) -> Parts {
        let place = number(self.topology, output);
        let is_here = |charge: &Charge| {
            let at_output = matches!(charge.cause, Cause::Port | Cause::Credits | Cause::Stage);
            at_output && charge.place == place && charge.delayed.job == party.0
        };
        let charges = self
            .book
            .charges
            .iter()
            .filter(|(charge, _)| is_here(charge));
        let all: u64 = charges.clone().map(|(_, ps)| ps).sum();
        if all == 0 {
            return Parts::from([(Part::Ended(place, party, Cause::Crossbar), 1.0)]);
        }
        let mut parts = Parts::new();
        for (charge, ps) in charges {
            let part = match behind(self.topology, output) {
                Some(input) if charge.cause == Cause::Credits => {
                    Part::InBuffer(input, charge.party)
                }
                _ => Part::Ended(place, charge.party, charge.cause),
            };
            *parts.entry(part).or_default() += *ps as f64 / all as f64;
        }
        parts
    }
}

fn port(topology: &Topology, number: u32) -> Port {
    let radix = u32::from(topology.radix());
    ((number / radix) as usize, (number % radix) as usize)
}

fn number(topology: &Topology, (router, port): Port) -> Place {
    Place::Port((router * usize::from(topology.radix()) + port) as u32)
}

fn far(topology: &Topology, (router, port): Port) -> Option<Attachment> {
    topology.neighbour(RouterId(router as u32), PortIndex(port as u16))
}

/// Input port behind an output port.
fn behind(topology: &Topology, output: Port) -> Option<Port> {
    match far(topology, output) {
        Some(Attachment::Router(router, port)) => Some((router.index(), usize::from(port.0))),
        _ => None,
    }
}

/// The router's port to a node.
fn host_port(topology: &Topology, node: u32) -> Port {
    let routers = 0..topology.router_count() as usize;
    let mut ports = routers
        .flat_map(|router| (0..usize::from(topology.radix())).map(move |port| (router, port)));
    let is_it = |port: &Port| far(topology, *port) == Some(Attachment::Node(NodeId(node)));
    ports
        .find(is_it)
        .unwrap_or_else(|| unreachable!("nodes are attached"))
}

/// A charge to a buffer that ends there: at whoever sends into it.
fn here(topology: &Topology, input: Port, party: Party) -> (Place, Party, Cause) {
    match far(topology, input) {
        Some(Attachment::Node(node)) => (Place::Nic(node.0), party, Cause::NicCredits),
        Some(Attachment::Router(router, port)) => {
            let sender = (router.index(), usize::from(port.0));
            (number(topology, sender), party, Cause::Credits)
        }
        None => (number(topology, input), party, Cause::Credits),
    }
}
