//! Records of single packets, for those who ask for them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use odonata_units::{Instant, NodeId, RouterId};

use crate::packet::Packet;
use crate::parameters::PacketRecord;
use crate::shared::Shared;

/// Identity of a packet: source, lane, place among the packets of that lane.
type Key = (NodeId, u8, u32);

/// Packets in the logs of all blocks, at the ends of the epoch before and of this one.
///
/// Blocks read the one while they write the other, so that all of them see the same number,
/// whatever the order in which threads come by.
#[derive(Debug, Default)]
pub(crate) struct Recorded([AtomicU64; 2]);

/// Log of one block: what happened to sampled packets here.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// Records packets whose sequence is a multiple; 0: none.
    sample: u32,
    /// Packets of all logs from which on `sample` doubles.
    most: u64,
    /// Epochs begun, and what the block has added to each number of [`Recorded`].
    epoch: usize,
    told: [u64; 2],
    /// `[vc]`: lane as records name it.
    lanes: Vec<u8>,
    injected: Vec<(Key, Instant)>,
    hops: Vec<(Key, u8, RouterId)>,
    delivered: Vec<(Key, Delivered)>,
}

#[derive(Clone, Copy, Debug)]
struct Delivered {
    target: NodeId,
    created: Instant,
    delivered: Instant,
    bytes: u32,
    minimal: bool,
}

impl Recorder {
    pub(crate) fn new(shared: &Shared) -> Self {
        Self {
            sample: shared.observe.packet_sample,
            most: shared.observe.packet_records.max(1),
            lanes: shared.record_lanes(),
            ..Self::default()
        }
    }

    /// Of all packets, every so many are in the log.
    pub(crate) const fn sample(&self) -> u32 {
        self.sample
    }

    /// Takes the log.
    pub(crate) fn take(&mut self) -> Self {
        let empty = Self {
            sample: self.sample,
            ..Self::default()
        };
        std::mem::replace(self, empty)
    }

    /// An epoch begins: drops every second packet if there are too many. Every block has to be told
    /// of every epoch.
    pub(crate) fn begin_epoch(&mut self, recorded: &Recorded) {
        if self.sample == 0 {
            return;
        }
        self.epoch += 1;
        let before = recorded.0[(self.epoch + 1) % 2].load(Ordering::Relaxed);
        let Some(sample) = self.sample.checked_mul(2).filter(|_| before > self.most) else {
            return;
        };
        self.sample = sample;
        let stays = |key: &Key| key.2.is_multiple_of(sample);
        self.injected.retain(|(key, _)| stays(key));
        self.hops.retain(|(key, _, _)| stays(key));
        self.delivered.retain(|(key, _)| stays(key));
    }

    /// An epoch has ended: tells the others how long the log is.
    pub(crate) fn end_epoch(&mut self, recorded: &Recorded) {
        if self.sample == 0 {
            return;
        }
        let number = self.epoch % 2;
        let length = self.injected.len() as u64;
        let change = length.wrapping_sub(self.told[number]);
        recorded.0[number].fetch_add(change, Ordering::Relaxed);
        self.told[number] = length;
    }

    #[inline]
    fn wants(&self, packet: &Packet) -> bool {
        self.sample != 0 && packet.sequence.is_multiple_of(self.sample)
    }

    fn key(&self, packet: &Packet) -> Key {
        let lane = self.lanes[usize::from(packet.vc)];
        (packet.source(), lane, packet.sequence)
    }

    #[inline]
    pub(crate) fn inject(&mut self, packet: &Packet, at: Instant) {
        if self.wants(packet) {
            self.injected.push((self.key(packet), at));
        }
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an index into a block's routers"
    )]
    pub(crate) fn hop(&mut self, packet: &Packet, first: RouterId, router: usize) {
        if self.wants(packet) {
            let router = RouterId(first.0 + router as u32);
            self.hops.push((self.key(packet), packet.hops, router));
        }
    }

    #[inline]
    pub(crate) fn deliver(&mut self, packet: &Packet, at: Instant, age: u64) {
        if self.wants(packet) {
            let end = Delivered {
                target: packet.target(),
                created: Instant::from_ps(at.ps() - age),
                delivered: at,
                bytes: u32::from(packet.bytes),
                minimal: !packet.plan().is_nonminimal(),
            };
            self.delivered.push((self.key(packet), end));
        }
    }

    /// Joins the logs of all blocks into records of delivered packets, by source, lane and sequence.
    pub(crate) fn join(all: Vec<Self>) -> Vec<PacketRecord> {
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
