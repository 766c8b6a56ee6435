//! The lives of single packets, for those who ask for them.

use std::collections::BTreeMap;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId, RouterId};

use crate::instrument::Instrument;
use crate::probe::{Injection, PacketFacts, Probe, ProbeScope};

/// The life of one packet; ordered by source, lane, sequence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PacketRecord {
    /// Sender.
    pub source: NodeId,
    /// Lane it left by: 2 * class, and 1 more for responses.
    pub lane: u8,
    /// Counts the packets of the lane of the source, from 0, in the order they are injected.
    pub sequence: u64,
    /// Receiver.
    pub target: NodeId,
    /// Creation at the source NIC.
    pub created: Instant,
    /// Start on the host channel.
    pub injected: Instant,
    /// Delivery at the target NIC.
    pub delivered: Instant,
    /// Bytes, headers included.
    pub bytes: u32,
    /// Whether the path is minimal.
    pub minimal: bool,
    /// Routers traversed, in order.
    pub path: Vec<RouterId>,
}

/// Identity of a packet: source, lane, position among the packets of that lane.
type RecordKey = (NodeId, u8, u32);

/// Which packets are recorded, and how their lanes are named.
#[derive(Clone, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct PacketSample {
    /// Every so many packets of each lane; 0: none.
    pub every: u32,
    /// `[vc]`: lane as records name it.
    pub lanes: Vec<u8>,
}

/// Log of one thread: what happened to sampled packets there.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Recorder {
    sample: PacketSample,
    injected: Vec<(RecordKey, Instant)>,
    hops: Vec<(RecordKey, u32, RouterId)>,
    delivered: Vec<(RecordKey, Delivered)>,
}

#[derive(Clone, Copy, Debug, BorshSerialize, BorshDeserialize)]
struct Delivered {
    target: NodeId,
    created: Instant,
    delivered: Instant,
    bytes: u32,
    minimal: bool,
}

impl Instrument for Recorder {
    type Setting = PacketSample;
    type Whole = Vec<PacketRecord>;

    fn new(_: &ProbeScope, sample: &PacketSample) -> Self {
        Self {
            sample: sample.clone(),
            ..Self::default()
        }
    }

    /// The records of delivered packets, by source, lane and sequence.
    fn merge(all: Vec<Self>, _: Instant) -> Option<Vec<PacketRecord>> {
        if all.is_empty() {
            return None;
        }
        let mut hops = Vec::new();
        let mut injected = BTreeMap::new();
        let mut delivered = Vec::new();
        for one in all {
            hops.extend(one.hops);
            injected.extend(one.injected);
            delivered.extend(one.delivered);
        }
        hops.sort_unstable();
        delivered.sort_unstable_by_key(|(key, _)| *key);
        let mut next = 0;
        let mut records = Vec::with_capacity(delivered.len());
        for (key, end) in delivered {
            while hops.get(next).is_some_and(|(other, _, _)| *other < key) {
                next += 1;
            }
            let mine = hops[next..]
                .iter()
                .take_while(|(other, _, _)| *other == key);
            let path: Vec<_> = mine.map(|(_, _, router)| *router).collect();
            next += path.len();
            records.push(PacketRecord {
                source: key.0,
                lane: key.1,
                sequence: u64::from(key.2),
                target: end.target,
                created: end.created,
                injected: injected.get(&key).copied().unwrap_or(end.created),
                delivered: end.delivered,
                bytes: end.bytes,
                minimal: end.minimal,
                path,
            });
        }
        Some(records)
    }
}

impl Recorder {
    #[inline]
    fn wants(&self, packet: &PacketFacts) -> bool {
        self.sample.every != 0 && packet.sequence.is_multiple_of(self.sample.every)
    }

    fn key(&self, packet: &PacketFacts) -> RecordKey {
        let lane = self.sample.lanes[usize::from(packet.vc)];
        (packet.source, lane, packet.sequence)
    }

    fn end(&mut self, packet: &PacketFacts, at: Instant) {
        if self.wants(packet) {
            let end = Delivered {
                target: packet.target,
                created: packet.created,
                delivered: at,
                bytes: packet.bytes,
                minimal: !packet.is_nonminimal,
            };
            self.delivered.push((self.key(packet), end));
        }
    }
}

impl Probe for Recorder {
    #[inline]
    fn injected(&mut self, packet: &PacketFacts, _: bool, start: Injection) {
        if self.wants(packet) {
            self.injected.push((self.key(packet), start.at));
        }
    }

    #[inline]
    fn entered(&mut self, router: RouterId, packet: &PacketFacts, _: Instant) {
        if self.wants(packet) {
            self.hops.push((self.key(packet), packet.hops, router));
        }
    }

    #[inline]
    fn delivered(&mut self, packet: &PacketFacts, at: Instant) {
        self.end(packet, at);
    }

    #[inline]
    fn acknowledged(&mut self, response: &PacketFacts, at: Instant) {
        self.end(response, at);
    }
}
