//! What is under way to the routers of a group, sorted by router and window.
//!
//! A wheel per router holds the packets, credits and feedback that reach it, one bucket per window.
//! Emptied buckets are used again, last one first: few are in use at a time, so their memory stays
//! in the cache.

use odonata_units::Instant;

use crate::dense::Dense;
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::Shared;

/// Wheels of the routers of one group, and which of them have something to do when.
#[derive(Debug)]
pub(crate) struct Wires {
    slot_bits: u32,
    slot_mask: u32,
    /// By bucket: `router << slot_bits | slot`.
    packets: Dense<Vec<Packet>>,
    credits: Dense<Vec<Credit>>,
    /// Empty unless routing learns.
    lessons: Vec<Vec<Feedback>>,
    /// `[slot * words + word]`: routers that something happens at in that window, as a bit set.
    active: Dense<u64>,
    words: usize,
    /// Buckets that hold something.
    filled: u32,
}

/// Emptied buckets of one thread.
#[derive(Debug, Default)]
pub(crate) struct Spares {
    packets: Vec<Vec<Packet>>,
    credits: Vec<Vec<Credit>>,
}

impl Spares {
    pub(crate) fn put_packets(&mut self, mut bucket: Vec<Packet>) {
        bucket.clear();
        self.packets.push(bucket);
    }

    pub(crate) fn put_credits(&mut self, mut bucket: Vec<Credit>) {
        bucket.clear();
        self.credits.push(bucket);
    }
}

impl Wires {
    pub(crate) fn new(shared: &Shared, routers: usize, learns: bool) -> Self {
        let buckets = routers << shared.slot_bits;
        let words = routers.div_ceil(64);
        Self {
            slot_bits: shared.slot_bits,
            slot_mask: (1 << shared.slot_bits) - 1,
            packets: (0..buckets).map(|_| Vec::new()).collect(),
            credits: (0..buckets).map(|_| Vec::new()).collect(),
            lessons: (0..if learns { buckets } else { 0 })
                .map(|_| Vec::new())
                .collect(),
            active: (0..words << shared.slot_bits).map(|_| 0).collect(),
            words,
            filled: 0,
        }
    }

    /// A bucket gets its first entry.
    #[inline(never)]
    fn open(&mut self, bucket: u32) {
        self.filled += 1;
        self.activate(bucket);
    }

    /// Puts a packet on its way; its `link` is its offset in the window.
    #[inline(always)]
    pub(crate) fn post_packet(&mut self, spares: &mut Spares, bucket: u32, packet: &Packet) {
        let place = bucket as usize;
        if self.packets[place].capacity() == 0 {
            let spare = spares.packets.pop();
            self.packets[place] = spare.unwrap_or_else(|| Vec::with_capacity(16));
            self.open(bucket);
        }
        self.packets[place].push(*packet);
    }

    /// Puts credits on their way, which know their offset in the window.
    #[inline(always)]
    pub(crate) fn post_credit(&mut self, spares: &mut Spares, bucket: u32, credit: Credit) {
        let place = bucket as usize;
        if self.credits[place].capacity() == 0 {
            let spare = spares.credits.pop();
            self.credits[place] = spare.unwrap_or_else(|| Vec::with_capacity(32));
            self.open(bucket);
        }
        self.credits[place].push(credit);
    }

    /// Puts a lesson on its way, which knows its offset in the window.
    pub(crate) fn post_lesson(&mut self, bucket: u32, feedback: Feedback) {
        let place = bucket as usize;
        if self.lessons[place].is_empty() {
            self.open(bucket);
        }
        self.lessons[place].push(feedback);
    }

    /// Takes the packets that enter in a window; empty if there are none.
    #[inline(always)]
    pub(crate) fn take_packets(&mut self, bucket: u32) -> Vec<Packet> {
        let place = bucket as usize;
        let bucket = std::mem::take(&mut self.packets[place]);
        self.filled -= u32::from(bucket.capacity() > 0);
        bucket
    }

    /// Takes the credits that are usable in a window; empty if there are none.
    #[inline(always)]
    pub(crate) fn take_credits(&mut self, bucket: u32) -> Vec<Credit> {
        let place = bucket as usize;
        let bucket = std::mem::take(&mut self.credits[place]);
        self.filled -= u32::from(bucket.capacity() > 0);
        bucket
    }

    /// Swaps the lessons of a window with an empty list.
    #[inline]
    pub(crate) fn swap_lessons(&mut self, bucket: u32, lessons: &mut Vec<Feedback>) {
        let place = bucket as usize;
        if let Some(bucket) = self.lessons.get_mut(place) {
            self.filled -= u32::from(!bucket.is_empty());
            std::mem::swap(bucket, lessons);
        }
    }

    /// Something happens at the router and in the window of `bucket`.
    #[inline(always)]
    pub(crate) fn activate(&mut self, bucket: u32) {
        let (router, slot) = (bucket >> self.slot_bits, bucket & self.slot_mask);
        self.active[slot as usize * self.words + (router >> 6) as usize] |= 1 << (router & 63);
    }

    /// Takes the set of active routers of a window, 64 routers at a time.
    #[inline]
    pub(crate) fn take_active(&mut self, slot: usize, word: usize) -> u64 {
        std::mem::take(&mut self.active[slot * self.words + word])
    }

    /// Words of a set of routers.
    pub(crate) const fn words(&self) -> usize {
        self.words
    }

    /// Whether anything is on its way.
    pub(crate) const fn is_moving(&self) -> bool {
        self.filled > 0
    }

    /// See [`Packet::mark_if_old`].
    pub(crate) fn mark_old(&mut self, now: Instant) {
        for packet in self.packets.all_mut().iter_mut().flatten() {
            packet.mark_if_old(now);
        }
    }
}
