//! What every channel that leaves a router carried, and how long it could not.

use std::ops::Range;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::Span;

use crate::probe::{Channel, ChannelStart, PacketFacts, ProbeScope};
use crate::watched::{FullPacket, Watched};

/// Traffic of one job or class over one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct LinkUse {
    /// Bytes that started on the channel.
    pub bytes: u64,
    /// Packets.
    pub packets: u64,
}

/// What one job did in one class on one channel.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
struct Carried {
    bytes: u64,
    packets: u64,
    /// Time spent sending.
    busy: Span,
}

/// Times of one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct LinkTotals {
    /// Time spent sending.
    pub busy: Span,
    /// Time in which a packet was ready, the channel free, and credits were lacking.
    pub stall: Span,
    /// Time in which a virtual channel downstream could not take a full packet, summed over
    /// virtual channels.
    pub saturated: Span,
    /// Time from a packet that found no room downstream to the next credit of its virtual channel,
    /// summed over virtual channels: the saturation of CODES.
    pub refused: Span,
}

/// All channels that leave the routers of a scope.
///
/// Most packets are full ones: those are only counted, in a list of four bytes each, small enough to
/// stay in the cache; what they add up to is computed when it is asked for.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Links {
    /// Index of the first channel.
    first: u32,
    jobs: usize,
    classes: usize,
    /// Jobs times classes.
    parties: usize,
    full: FullPacket,
    /// `[port]`, ports of all routers in order; `busy` is summed up when it is asked for.
    totals: Vec<LinkTotals>,
    /// `[(port * classes + class) * jobs + job]`: full packets. Those that do not fit a count, or
    /// take another time, are among the others.
    full_packets: Vec<u32>,
    /// Sums of all other packets.
    others: Vec<Carried>,
}

impl Links {
    pub(crate) fn new(scope: &ProbeScope, watched: &Watched) -> Self {
        let ports = scope.routers.len() * scope.radix as usize;
        let parties = watched.jobs * watched.classes;
        Self {
            first: scope.routers.start * scope.radix,
            jobs: watched.jobs,
            classes: watched.classes,
            parties,
            full: watched.full.clone(),
            totals: vec![LinkTotals::default(); ports],
            full_packets: vec![0; ports * parties],
            others: vec![Carried::default(); ports * parties],
        }
    }

    #[inline(always)]
    fn index(&self, channel: Channel) -> usize {
        (channel.index - self.first) as usize
    }

    #[inline(always)]
    pub(crate) fn start(&mut self, channel: Channel, packet: &PacketFacts, start: ChannelStart) {
        let in_port = usize::from(start.class) * self.jobs + usize::from(packet.job);
        let party = self.index(channel) * self.parties + in_port;
        // On a link that has lost lanes a packet of full length takes longer.
        let whole = self.full.serialization.get(usize::from(channel.port));
        let is_full = packet.bytes == self.full.bytes && whole == Some(&start.serialization);
        if is_full && self.full_packets[party] < u32::MAX {
            self.full_packets[party] += 1;
        } else {
            self.others[party].add(packet.bytes, start.serialization);
        }
    }

    pub(crate) fn stall(&mut self, channel: Channel, span: Span) {
        let index = self.index(channel);
        self.totals[index].stall += span;
    }

    pub(crate) fn saturate(&mut self, channel: Channel, span: Span) {
        let index = self.index(channel);
        self.totals[index].saturated += span;
    }

    pub(crate) fn refuse(&mut self, channel: Channel, span: Span) {
        let index = self.index(channel);
        self.totals[index].refused += span;
    }

    /// Number of channels.
    pub(crate) const fn channels(&self) -> usize {
        self.totals.len()
    }

    /// Numbers of the channels among those of all routers.
    #[expect(clippy::cast_possible_truncation, reason = "channels have 32 bits")]
    pub(crate) const fn numbers(&self) -> Range<u32> {
        self.first..self.first + self.totals.len() as u32
    }

    /// Forgets all channels.
    pub(crate) fn clear(&mut self) {
        self.totals = Vec::new();
        self.full_packets = Vec::new();
        self.others = Vec::new();
    }

    /// Gets memory for so many more channels, and no more.
    pub(crate) fn reserve(&mut self, channels: usize) {
        self.totals.reserve_exact(channels);
        self.full_packets.reserve_exact(channels * self.parties);
        self.others.reserve_exact(channels * self.parties);
    }

    /// Adds the channels of the routers behind these.
    pub(crate) fn append(&mut self, other: Self) {
        self.totals.extend(other.totals);
        self.full_packets.extend(other.full_packets);
        self.others.extend(other.others);
    }

    pub(crate) fn totals(&self, channel: Channel) -> LinkTotals {
        let busy = self.of(channel).map(|one| one.busy);
        LinkTotals {
            busy: busy.fold(Span::ZERO, |sum, busy| sum + busy),
            ..self.totals[self.index(channel)]
        }
    }

    pub(crate) fn jobs(&self, channel: Channel) -> Vec<LinkUse> {
        let job = |job| LinkUse::sum(self.of(channel).skip(job).step_by(self.jobs));
        (0..self.jobs).map(job).collect()
    }

    pub(crate) fn classes(&self, channel: Channel) -> Vec<LinkUse> {
        let class = |class| LinkUse::sum(self.of(channel).skip(class * self.jobs).take(self.jobs));
        (0..self.classes).map(class).collect()
    }

    /// What was carried over a channel, by class and then job.
    fn of(&self, channel: Channel) -> impl Iterator<Item = Carried> {
        let first = self.index(channel) * self.parties;
        let port = usize::from(channel.port);
        let busy = self
            .full
            .serialization
            .get(port)
            .copied()
            .unwrap_or(Span::ZERO);
        let bytes = u64::from(self.full.bytes);
        (first..first + self.parties).map(move |party| {
            let (full, others) = (u64::from(self.full_packets[party]), self.others[party]);
            Carried {
                bytes: others.bytes + full * bytes,
                packets: others.packets + full,
                busy: others.busy + busy * full,
            }
        })
    }
}

impl LinkUse {
    fn sum(all: impl Iterator<Item = Carried>) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            bytes: sum.bytes + one.bytes,
            packets: sum.packets + one.packets,
        })
    }
}

impl Carried {
    #[inline(always)]
    fn add(&mut self, bytes: u32, busy: Span) {
        self.bytes += u64::from(bytes);
        self.packets += 1;
        self.busy = Span::from_ps(self.busy.ps() + busy.ps());
    }
}
