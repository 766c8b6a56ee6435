//! Who delayed whom: every picosecond that a packet waits is charged. Definitions:
//! `docs/model/blame.md`.

mod charges;
mod clock;
mod inputs;
mod nics;
mod outputs;
mod party;
mod ranks;
mod rows;
mod senders;
mod sums;
mod through;
mod waiting;

use std::io::{self, Read, Write};

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId, RouterId};

use self::charges::Charges;
use self::clock::Queue;
use self::inputs::Inputs;
use self::nics::Nics;
use self::outputs::{Books, Outputs};
use self::rows::Rows;
use self::senders::BySender;
use self::waiting::Who;
use crate::instrument::Instrument;
use crate::probe::{
    Channel, ChannelStart, CreditChange, Injection, NicStall, PacketFacts, Probe, ProbeScope,
    Queueing,
};

pub use self::charges::Cause;
pub use self::party::{Parties, Transaction, Waiters};
pub use self::ranks::RankRow;
pub use self::through::Wiring;

/// What blame needs to know of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct Blamed {
    /// Whom it tells apart.
    pub parties: Parties,
    /// Routing mode of responses, if packets are answered.
    pub response_mode: Option<u8>,
    /// Virtual channels of a channel.
    pub vcs: usize,
    /// Routers have input buffers and a crossbar (`cioq`).
    pub has_crossbar: bool,
    /// Nodes of the whole network.
    pub nodes: usize,
    /// Ports of all routers.
    pub ports: usize,
}

impl Blamed {
    /// Packets that wait.
    #[inline(always)]
    #[must_use]
    pub const fn waiters(&self) -> Waiters {
        Waiters {
            parties: self.parties,
            response_mode: self.response_mode,
        }
    }
}

/// One line of blame: how long packets of a job waited somewhere because of a party.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlameRow {
    /// Job whose packets waited.
    pub delayed: usize,
    /// What these packets are.
    pub transaction: Transaction,
    /// Job that made them wait.
    pub delaying: usize,
    /// Its traffic class.
    pub class: usize,
    /// Where.
    pub point: WaitPoint,
    /// Why.
    pub cause: Cause,
    /// Direct blame, ps.
    pub direct_ps: u64,
    /// Through blame, ps.
    pub through_ps: u64,
    /// Packets of the job, of this kind, that waited there.
    pub packets: u64,
}

/// A port or NIC at which packets wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WaitPoint {
    /// At a router's output port: its number among the ports of all routers.
    Port(u32),
    /// In the NIC of a node.
    Nic(u32),
}

/// See the module. A probe for one thread, or the whole after merging.
#[derive(Clone, Debug)]
pub struct Blame {
    blamed: Blamed,
    radix: u32,
    first_port: u32,
    outputs: Outputs,
    inputs: Inputs,
    nics: Nics,
    books: Books,
}

/// After [`Blame::close`]: no packet waits.
impl BorshSerialize for Blame {
    fn serialize<W: Write>(&self, out: &mut W) -> io::Result<()> {
        (self.blamed, self.radix, self.first_port).serialize(out)?;
        (&self.nics, &self.books).serialize(out)
    }
}

impl BorshDeserialize for Blame {
    fn deserialize_reader<R: Read>(bytes: &mut R) -> io::Result<Self> {
        let (blamed, radix, first_port): (Blamed, u32, u32) =
            BorshDeserialize::deserialize_reader(bytes)?;
        let (nics, books) = BorshDeserialize::deserialize_reader(bytes)?;
        let waiters = blamed.waiters();
        Ok(Self {
            blamed,
            radix,
            first_port,
            outputs: Outputs::new(0, blamed.vcs, waiters),
            inputs: Inputs::new(0, radix as usize, blamed.vcs, waiters),
            nics,
            books,
        })
    }
}

impl Instrument for Blame {
    type Setting = Blamed;
    type Whole = Self;

    /// Empty sums of the routers and nodes of `scope`.
    fn new(scope: &ProbeScope, blamed: &Blamed) -> Self {
        let routers = scope.routers.len();
        let ports = routers * scope.radix as usize;
        let (radix, vcs) = (scope.radix as usize, blamed.vcs);
        let input_ports = if blamed.has_crossbar { ports } else { 0 };
        let waiters = blamed.waiters();
        let first_port = scope.routers.start * scope.radix;
        Self {
            blamed: *blamed,
            radix: scope.radix,
            first_port,
            outputs: Outputs::new(ports, vcs, waiters),
            inputs: Inputs::new(input_ports, radix, vcs, waiters),
            nics: Nics::new(scope.nodes.clone(), waiters),
            books: Books {
                charges: vec![Charges::default(); ports],
                senders: BySender::new(blamed.nodes, blamed.ports, waiters),
                rows: Rows::new(routers, radix, waiters, blamed.has_crossbar),
                first_port,
            },
        }
    }

    /// Books the waits that have not ended at `end`.
    fn close(&mut self, end: Instant) {
        self.inputs.close(end, &mut self.books);
        self.outputs.close(end, &mut self.books);
    }

    /// The whole, from shares in the order of their routers; `None` without any.
    fn merge(shares: Vec<Self>, _: Instant) -> Option<Self> {
        let mut shares = shares.into_iter();
        let mut whole = shares.next()?;
        for share in shares {
            whole.nics.append(share.nics);
            whole.books.append(share.books);
        }
        Some(whole)
    }
}

impl Blame {
    /// All waits, ps: the sum of the direct blame of all rows.
    #[must_use]
    pub fn waited_ps(&self) -> u128 {
        self.charged()
            .map(|(_, charge, _)| u128::from(charge.ps))
            .sum()
    }

    /// How long packets of a kind that `node` sent waited, by party ([`Parties`]), ps.
    #[must_use]
    pub fn of_sender(&self, node: NodeId, transaction: Transaction) -> &[u64] {
        self.books.senders.of(node.index(), transaction)
    }

    /// What it was made for.
    #[must_use]
    pub const fn blamed(&self) -> Blamed {
        self.blamed
    }

    /// Whom it tells apart.
    #[must_use]
    pub const fn parties(&self) -> Parties {
        self.blamed.parties
    }

    #[inline(always)]
    fn port(&self, channel: Channel) -> usize {
        (channel.index - self.first_port) as usize
    }

    #[inline(always)]
    fn input(&self, router: RouterId, packet: &PacketFacts) -> Queue {
        let port = router.0 * self.radix + u32::from(packet.in_port) - self.first_port;
        Queue {
            port: port as usize,
            vc: usize::from(packet.vc),
        }
    }

    #[inline(always)]
    fn queue(&self, channel: Channel, vc: u8) -> Queue {
        Queue {
            port: self.port(channel),
            vc: usize::from(vc),
        }
    }

    #[inline(always)]
    fn who(&self, packet: &PacketFacts) -> Who {
        let waiter = self.blamed.waiters().of(packet);
        Who::new(waiter, packet.in_port, packet.source.0)
    }
}

/// Every event is taken apart where it happens, so that what a packet is like need not be written
/// down for a call.
impl Probe for Blame {
    #[inline(always)]
    fn injected(&mut self, packet: &PacketFacts, _: bool, start: Injection) {
        self.nics.start(packet, start, &mut self.books.senders);
    }

    #[inline(always)]
    fn nic_stalled(&mut self, node: NodeId, cause: NicStall, since: Instant, until: Instant) {
        self.nics
            .stall(node.0, cause, until.saturating_since(since));
    }

    #[inline(always)]
    fn entered(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        if self.inputs.are_used() {
            let queue = self.input(router, packet);
            self.inputs.enter(queue, self.who(packet), at);
        }
    }

    #[inline(always)]
    fn became_head(&mut self, channel: Channel, packet: &PacketFacts, at: Instant) {
        let queue = self.input(channel.router, packet);
        let output = self.port(channel);
        self.inputs.become_head(queue, output, at, &mut self.books);
    }

    #[inline(always)]
    fn left(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        if self.inputs.are_used() {
            let queue = self.input(router, packet);
            self.inputs.leave(queue, at, &mut self.books);
        }
    }

    #[inline(always)]
    fn queued(&mut self, channel: Channel, packet: &PacketFacts, queueing: Queueing) {
        let queue = self.queue(channel, queueing.vc);
        self.outputs.join(queue, self.who(packet), queueing);
    }

    #[inline(always)]
    fn started(&mut self, channel: Channel, packet: &PacketFacts, start: ChannelStart) {
        let queue = self.queue(channel, start.vc);
        let party =
            usize::from(packet.job) * self.blamed.parties.classes + usize::from(start.class);
        self.outputs.start(queue, party, start, &mut self.books);
    }

    #[inline(always)]
    fn blocked(&mut self, channel: Channel, lacking: u32, at: Instant) {
        self.outputs.block(self.port(channel), lacking, at);
    }

    #[inline(always)]
    fn credits_taken(&mut self, channel: Channel, credits: CreditChange, _: Instant) {
        let queue = self.queue(channel, credits.vc);
        self.outputs.take(queue, credits.job, credits.flits);
    }

    #[inline(always)]
    fn credits_returned(&mut self, channel: Channel, credits: CreditChange, at: Instant) {
        let queue = self.queue(channel, credits.vc);
        self.outputs.give_back(queue, credits, at);
    }
}
