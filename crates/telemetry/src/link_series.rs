//! What every channel that leaves a router carried over time, and when it could not.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Span};

use crate::instrument::Instrument;
use crate::probe::{Channel, ChannelStart, PacketFacts, Probe, ProbeScope};
use crate::stats::{Counted, Series};
use crate::watched::Watched;

/// A series of channels has at most this many bins: enough for a slider, and few enough that all
/// channels of a large system fit into memory.
const MOST_BINS: usize = 128;

/// What one job sent over one channel in one bin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct JobTraffic {
    /// Bytes of the packets that started.
    pub bytes: u64,
    /// Time spent sending, ps.
    pub busy_ps: u64,
}

/// Time in which packets were ready on a channel, it was free, and credits were lacking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
struct Stalled {
    ps: u64,
}

impl Counted for JobTraffic {
    fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.busy_ps += other.busy_ps;
    }
}

impl Counted for Stalled {
    fn add(&mut self, other: &Self) {
        self.ps += other.ps;
    }
}

/// Channels of a scope over time, in bins that double until at most 128 remain.
///
/// Bytes are counted when a packet starts; times are divided among the bins in which they lie.
/// Memory: 16 bytes per bin, channel and job, and 8 per bin and channel.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct LinkSeries {
    /// Index of the first channel.
    first: u32,
    jobs: usize,
    channels: usize,
    sent: Series<JobTraffic, MOST_BINS>,
    stalled: Series<Stalled, MOST_BINS>,
}

/// One channel in one bin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkBin<'a> {
    /// Number of the bin, from the start of the run.
    pub bin: u64,
    /// Per job.
    pub sent: &'a [JobTraffic],
    /// Time in which credits were lacking, ps.
    pub stall_ps: u64,
}

impl Instrument for LinkSeries {
    type Setting = Watched;
    type Whole = Vec<Self>;

    /// Empty series of the channels of `scope`.
    fn new(scope: &ProbeScope, watched: &Watched) -> Self {
        let channels = scope.routers.len() * scope.radix as usize;
        let (jobs, bin) = (watched.jobs.max(1), watched.series_bin.ps());
        Self {
            first: scope.routers.start * scope.radix,
            jobs,
            channels,
            sent: Series::new(bin, channels * jobs),
            stalled: Series::new(bin, channels),
        }
    }

    /// Shares in the order of their routers, with bins of one width.
    fn merge(mut shares: Vec<Self>, _: Instant) -> Option<Vec<Self>> {
        let widths = shares
            .iter()
            .map(|share| share.sent.bin().max(share.stalled.bin()));
        let widest = widths.max()?;
        for share in &mut shares {
            while share.sent.bin() < widest {
                share.sent.halve();
            }
            while share.stalled.bin() < widest {
                share.stalled.halve();
            }
        }
        Some(shares)
    }
}

impl LinkSeries {
    /// Memory of one channel when all bins are in use, bytes.
    #[must_use]
    pub const fn bytes_per_channel(jobs: u64) -> u64 {
        MOST_BINS as u64 * (size_of::<Stalled>() as u64 + jobs * size_of::<JobTraffic>() as u64)
    }

    /// Width of a bin.
    #[must_use]
    pub const fn bin(&self) -> Span {
        self.sent.bin()
    }

    /// Whether the channel is of this scope.
    #[must_use]
    pub fn holds(&self, channel: Channel) -> bool {
        (channel.index.checked_sub(self.first)).is_some_and(|at| (at as usize) < self.channels)
    }

    /// The bins in which something happened on a channel of this scope, in order.
    pub fn of(&self, channel: Channel) -> impl Iterator<Item = LinkBin<'_>> {
        let index = (channel.index - self.first) as usize;
        let (mut sent, mut stalled) = (self.sent.bins(), self.stalled.bins());
        let both = std::iter::from_fn(move || match (sent.next(), stalled.next()) {
            (None, None) => None,
            both => Some(both),
        });
        (0..).zip(both).filter_map(move |(bin, (sent, stalled))| {
            let found = LinkBin {
                bin,
                sent: sent.map_or(&[], |all| &all[index * self.jobs..][..self.jobs]),
                stall_ps: stalled.map_or(0, |all| all[index].ps),
            };
            let idle =
                found.stall_ps == 0 && found.sent.iter().all(|job| *job == JobTraffic::default());
            (!idle).then_some(found)
        })
    }

    #[inline]
    const fn index(&self, channel: Channel) -> usize {
        (channel.index - self.first) as usize
    }
}

impl Probe for LinkSeries {
    #[inline]
    fn started(&mut self, channel: Channel, packet: &PacketFacts, start: ChannelStart) {
        let entry = self.index(channel) * self.jobs + usize::from(packet.job);
        self.sent.at(start.at, entry).bytes += u64::from(packet.bytes);
        self.sent.spread(
            start.at,
            start.at + start.serialization,
            entry,
            |sent, part| {
                sent.busy_ps += part.ps();
            },
        );
    }

    #[inline]
    fn lacked_credits(&mut self, channel: Channel, since: Instant, until: Instant) {
        let index = self.index(channel);
        self.stalled.spread(since, until, index, |stalled, part| {
            stalled.ps += part.ps();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{JobTraffic, LinkSeries};
    use crate::instrument::Instrument;
    use crate::probe::{Channel, ChannelStart, PacketFacts, Probe, ProbeScope};
    use crate::watched::{FullPacket, Watched};
    use odonata_units::{Instant, NodeId, RouterId, Span};

    fn share(routers: std::ops::Range<u32>) -> LinkSeries {
        let scope = ProbeScope {
            routers,
            nodes: 0..1,
            radix: 2,
        };
        let watched = Watched {
            jobs: 2,
            classes: 1,
            measure: None,
            series_bin: Span::from_ps(100),
            full: FullPacket::default(),
        };
        LinkSeries::new(&scope, &watched)
    }

    fn channel(router: u32, port: u8) -> Channel {
        Channel {
            router: RouterId(router),
            port,
            index: router * 2 + u32::from(port),
        }
    }

    fn packet(job: u8) -> PacketFacts {
        PacketFacts {
            source: NodeId(0),
            target: NodeId(1),
            created: Instant::ZERO,
            job,
            vc: 0,
            in_port: 0,
            sequence: 0,
            bytes: 64,
            flits: 1,
            hops: 1,
            mode: 0,
            is_nonminimal: false,
            is_measured: true,
        }
    }

    const fn start(at: Instant, ps: u64) -> ChannelStart {
        ChannelStart {
            vc: 0,
            class: 0,
            at,
            serialization: Span::from_ps(ps),
        }
    }

    #[test]
    fn times_are_divided_among_the_bins_they_lie_in() {
        let mut series = share(3..5);
        let at = Instant::from_ps(80);
        series.started(channel(4, 1), &packet(1), start(at, 150));
        series.lacked_credits(channel(4, 1), Instant::from_ps(230), Instant::from_ps(310));
        let found: Vec<_> = series.of(channel(4, 1)).collect();
        let numbers: Vec<_> = found
            .iter()
            .map(|bin| {
                (
                    bin.bin,
                    bin.sent.get(1).copied().unwrap_or_default(),
                    bin.stall_ps,
                )
            })
            .collect();
        let sent = |bytes, busy_ps| JobTraffic { bytes, busy_ps };
        assert_eq!(
            numbers,
            [
                (0, sent(64, 20), 0),
                (1, sent(0, 100), 0),
                (2, sent(0, 30), 70),
                (3, sent(0, 0), 10)
            ]
        );
        assert_eq!(series.of(channel(3, 0)).count(), 0);
        assert!(series.holds(channel(3, 0)) && !series.holds(channel(5, 0)));
        assert!(!series.holds(channel(2, 1)));
    }

    #[test]
    fn shares_get_bins_of_one_width_and_lose_nothing() {
        let (mut early, mut late) = (share(0..1), share(1..2));
        for step in 0..1_000_u64 {
            let at = Instant::from_ps(step * 10);
            early.started(channel(0, 0), &packet(0), start(at, 7));
        }
        late.lacked_credits(channel(1, 0), Instant::from_ps(5), Instant::from_ps(80_005));
        let shares = LinkSeries::merge(vec![early, late], Instant::ZERO).unwrap_or_default();
        // 80,005 ps in at most 128 bins that began with 100 ps.
        assert!(shares.iter().all(|share| share.bin() == Span::from_ps(800)));
        let busy: u64 = shares[0]
            .of(channel(0, 0))
            .map(|bin| bin.sent[0].busy_ps)
            .sum();
        let bytes: u64 = shares[0]
            .of(channel(0, 0))
            .map(|bin| bin.sent[0].bytes)
            .sum();
        assert_eq!((busy, bytes), (7_000, 64_000));
        let stalls: Vec<_> = shares[1]
            .of(channel(1, 0))
            .map(|bin| bin.stall_ps)
            .collect();
        assert_eq!(stalls.iter().sum::<u64>(), 80_000);
        assert_eq!((stalls[0], stalls[1], stalls.len()), (795, 800, 101));
    }
}
