//! Counters of tiles and NICs, as machines have them. Definitions: `docs/model/counters.md`.

mod nics;
mod samples;
mod shape;
mod tiles;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_counters::{NicCounts, TileCounts};
use odonata_units::{Instant, NodeId, RouterId, Span};

use self::nics::NicCounters;
use self::tiles::Tiles;
use crate::instrument::Instrument;
use crate::probe::{
    Channel, ChannelStart, Injection, NicStall, PacketFacts, Probe, ProbeScope, Queueing,
};

pub use self::shape::CounterShape;

/// See the module. A probe for one thread.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct Counters {
    tiles: Tiles,
    nics: NicCounters,
}

impl Instrument for Counters {
    type Setting = CounterShape;
    type Whole = Readings;

    /// Empty sums of the routers and nodes of `scope`.
    fn new(scope: &ProbeScope, shape: &CounterShape) -> Self {
        Self {
            tiles: Tiles::new(scope, shape),
            nics: NicCounters::new(scope, shape),
        }
    }

    fn merge(mut shares: Vec<Self>, end: Instant) -> Option<Readings> {
        let widths = |share: &Self| [share.tiles.samples().bin(), share.nics.samples().bin()];
        let widest = shares.iter().flat_map(widths).max()?;
        for share in &mut shares {
            share.tiles.samples_mut().widen(widest, end);
            share.nics.samples_mut().widen(widest, end);
            share.tiles.close(end);
            share.nics.samples_mut().close();
        }
        Some(Readings { shares, end })
    }
}

/// All shares, after a run that ended at `end`.
#[derive(Clone, Debug)]
pub struct Readings {
    shares: Vec<Counters>,
    end: Instant,
}

/// Sums of all tiles and of all NICs of a scope.
type CellSums = (Vec<[u64; tiles::CELLS]>, Vec<[u64; nics::CELLS]>);

/// What all tiles and NICs have counted at an instant.
#[derive(Debug)]
pub struct Reading<'a> {
    readings: &'a Readings,
    /// The instant.
    pub at: Instant,
    /// `[share]`: sums of its tiles, and of its NICs.
    sums: Vec<CellSums>,
}

impl Readings {
    /// Time between two readings; `None` if there is only one, at the end.
    #[must_use]
    pub fn every(&self) -> Option<Span> {
        self.shares[0].tiles.samples().bin()
    }

    /// Instants of the readings: the beginning, every so much later, and the end; only the end if
    /// they are not read over time.
    #[must_use]
    pub fn instants(&self) -> Vec<Instant> {
        let Some(every) = self.every() else {
            return vec![self.end];
        };
        let mut all = vec![Instant::ZERO];
        let mut next = Instant::ZERO + every;
        while next < self.end {
            all.push(next);
            next += every;
        }
        all.push(self.end);
        all
    }

    /// Shows every reading to `look`, in order.
    pub fn walk(&self, mut look: impl FnMut(&Reading<'_>)) {
        let zeros = |share: &Counters| {
            let tiles = vec![[0; tiles::CELLS]; share.tiles.samples().components()];
            (
                tiles,
                vec![[0; nics::CELLS]; share.nics.samples().components()],
            )
        };
        let mut reading = Reading {
            readings: self,
            at: Instant::ZERO,
            sums: self.shares.iter().map(zeros).collect(),
        };
        let instants = self.instants();
        let is_sampled = self.every().is_some();
        for (index, at) in instants.iter().enumerate() {
            // The reading at the beginning is all zeros.
            if let Some(bin) = index.checked_sub(usize::from(is_sampled)) {
                let is_last = index + 1 == instants.len();
                for (share, (tiles, nics)) in self.shares.iter().zip(&mut reading.sums) {
                    share.tiles.samples().add_to(tiles, bin as u64, is_last);
                    share.nics.samples().add_to(nics, bin as u64, is_last);
                }
            }
            reading.at = *at;
            look(&reading);
        }
    }
}

impl Reading<'_> {
    /// What the port with this number among the ports of all routers has counted; `None` if there
    /// is none.
    #[must_use]
    pub fn tile(&self, number: u32) -> Option<TileCounts> {
        let mut shares = self.readings.shares.iter().zip(&self.sums);
        let (share, sums) = shares.find(|(share, _)| share.tiles.numbers().contains(&number))?;
        Some(share.tiles.read(&sums.0, number, self.at))
    }

    /// What the NIC of `node` has counted; `None` if there is none.
    #[must_use]
    pub fn nic(&self, node: NodeId) -> Option<NicCounts> {
        let mut shares = self.readings.shares.iter().zip(&self.sums);
        let (share, sums) = shares.find(|(share, _)| share.nics.numbers().contains(&node.0))?;
        Some(share.nics.read(&sums.1, node.0))
    }
}

impl Probe for Counters {
    #[inline(always)]
    fn injected(&mut self, packet: &PacketFacts, _: bool, start: Injection) {
        self.nics.send(packet, start);
    }

    #[inline(always)]
    fn nic_stalled(&mut self, _: NodeId, cause: NicStall, since: Instant, until: Instant) {
        self.nics.stall(cause, until.saturating_since(since));
    }

    #[inline(always)]
    fn entered(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        self.tiles.enter(router.0, packet, at);
    }

    #[inline(always)]
    fn became_head(&mut self, channel: Channel, packet: &PacketFacts, at: Instant) {
        self.tiles.become_head(channel.router.0, packet, at);
    }

    #[inline(always)]
    fn left(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        self.tiles.leave(router.0, packet, at);
    }

    #[inline(always)]
    fn queued(&mut self, channel: Channel, packet: &PacketFacts, queueing: Queueing) {
        self.tiles.queue(channel, packet, queueing);
    }

    #[inline(always)]
    fn started(&mut self, channel: Channel, packet: &PacketFacts, start: ChannelStart) {
        self.tiles.start(channel, packet, start.at);
    }

    #[inline(always)]
    fn blocked(&mut self, channel: Channel, lacking: u32, at: Instant) {
        self.tiles.block(channel, lacking, at);
    }

    #[inline(always)]
    fn lacked_credits(&mut self, channel: Channel, since: Instant, until: Instant) {
        self.tiles.unblock(channel, since, until);
    }

    #[inline(always)]
    fn delivered(&mut self, packet: &PacketFacts, at: Instant) {
        self.nics.receive(packet, false, at);
    }

    #[inline(always)]
    fn acknowledged(&mut self, response: &PacketFacts, at: Instant) {
        self.nics.receive(response, true, at);
    }
}
