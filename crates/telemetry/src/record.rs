//! The lives of single packets, for those who ask for them.

use std::collections::BTreeMap;

use odonata_units::{Instant, NodeId, RouterId};

use crate::probe::{Injection, PacketFacts, Probe};

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

/// Log of one thread: what happened to sampled packets there.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    sample: u32,
    /// `[vc]`: lane as records name it.
    lanes: Vec<u8>,
    injected: Vec<(RecordKey, Instant)>,
    hops: Vec<(RecordKey, u32, RouterId)>,
    delivered: Vec<(RecordKey, Delivered)>,
}

#[derive(Clone, Copy, Debug)]
struct Delivered {
    target: NodeId,
    created: Instant,
    delivered: Instant,
    bytes: u32,
    minimal: bool,
}

odonata_units::record!(Recorder {
    sample,
    lanes,
    injected,
    hops,
    delivered,
});
odonata_units::record!(Delivered {
    target,
    created,
    delivered,
    bytes,
    minimal,
});

impl Recorder {
    /// Keeps every `sample`-th packet of each lane; `lanes[vc]` is the lane of a virtual channel.
    #[must_use]
    pub fn new(sample: u32, lanes: Vec<u8>) -> Self {
        Self {
            sample,
            lanes,
            ..Self::default()
        }
    }

    #[inline]
    fn wants(&self, packet: &PacketFacts) -> bool {
        self.sample != 0 && packet.sequence.is_multiple_of(self.sample)
    }

    fn key(&self, packet: &PacketFacts) -> RecordKey {
        let lane = self.lanes[usize::from(packet.vc)];
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

    /// Joins the logs of all threads into records of delivered packets, by source, lane and
    /// sequence.
    #[must_use]
    pub fn join(all: Vec<Self>) -> Vec<PacketRecord> {
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
        records
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
