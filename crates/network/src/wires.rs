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
    /// `[router << slot_bits | slot]`.
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

/// A router of the group and a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) router: usize,
    pub(crate) slot: usize,
}

impl Wires {
    pub(crate) fn new(shared: &Shared, routers: usize, learns: bool) -> Self {
        let buckets = routers << shared.slot_bits;
        let words = routers.div_ceil(64);
        Self {
            slot_bits: shared.slot_bits,
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

    #[inline(always)]
    const fn place(&self, to: Slot) -> usize {
        to.router << self.slot_bits | to.slot
    }

    /// Puts a packet on its way; its `link` is its offset in the window.
    #[inline(always)]
    pub(crate) fn post_packet(&mut self, spares: &mut Spares, to: Slot, packet: &Packet) {
        self.activate(to);
        let place = self.place(to);
        let bucket = &mut self.packets[place];
        if bucket.capacity() == 0 {
            *bucket = spares
                .packets
                .pop()
                .unwrap_or_else(|| Vec::with_capacity(16));
            self.filled += 1;
        }
        bucket.push(*packet);
    }

    /// Puts credits on their way, which know their offset in the window.
    #[inline(always)]
    pub(crate) fn post_credit(&mut self, spares: &mut Spares, to: Slot, credit: Credit) {
        self.activate(to);
        let place = self.place(to);
        let bucket = &mut self.credits[place];
        if bucket.capacity() == 0 {
            *bucket = spares
                .credits
                .pop()
                .unwrap_or_else(|| Vec::with_capacity(32));
            self.filled += 1;
        }
        bucket.push(credit);
    }

    /// Puts a lesson on its way, which knows its offset in the window.
    pub(crate) fn post_lesson(&mut self, to: Slot, feedback: Feedback) {
        self.activate(to);
        let place = self.place(to);
        let bucket = &mut self.lessons[place];
        self.filled += u32::from(bucket.is_empty());
        bucket.push(feedback);
    }

    /// Takes the packets that enter in a window; empty if there are none.
    #[inline(always)]
    pub(crate) fn take_packets(&mut self, of: Slot) -> Vec<Packet> {
        let place = self.place(of);
        let bucket = std::mem::take(&mut self.packets[place]);
        self.filled -= u32::from(bucket.capacity() > 0);
        bucket
    }

    /// Takes the credits that are usable in a window; empty if there are none.
    #[inline(always)]
    pub(crate) fn take_credits(&mut self, of: Slot) -> Vec<Credit> {
        let place = self.place(of);
        let bucket = std::mem::take(&mut self.credits[place]);
        self.filled -= u32::from(bucket.capacity() > 0);
        bucket
    }

    /// Swaps the lessons of a window with an empty list.
    #[inline]
    pub(crate) fn swap_lessons(&mut self, of: Slot, lessons: &mut Vec<Feedback>) {
        let place = self.place(of);
        if let Some(bucket) = self.lessons.get_mut(place) {
            self.filled -= u32::from(!bucket.is_empty());
            std::mem::swap(bucket, lessons);
        }
    }

    /// Something happens at a router in a window.
    #[inline(always)]
    pub(crate) fn activate(&mut self, at: Slot) {
        self.active[at.slot * self.words + (at.router >> 6)] |= 1 << (at.router & 63);
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
