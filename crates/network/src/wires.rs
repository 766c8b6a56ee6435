//! What is under way to the routers of a group, sorted by router and window.
//!
//! A wheel per router holds the packets, credits and feedback that reach it, one bucket per window.

use odonata_units::Instant;

use crate::buckets::{Buckets, List};
use crate::dense::Dense;
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::Shared;

/// Wheels of the routers of one group, and which of them have something to do when.
#[derive(Debug)]
pub(crate) struct Wires {
    /// Bucket `router << slot_bits | slot`.
    packets: Buckets<Packet>,
    credits: Buckets<Credit>,
    /// Without buckets unless routing learns.
    lessons: Buckets<Feedback>,
    /// `[slot * words + word]`: routers that something happens at in that window, as a bit set.
    active: Dense<u64>,
    words: usize,
    slot_bits: u32,
    slot_mask: u32,
    /// Buckets that hold something.
    filled: u32,
}

impl Wires {
    pub(crate) fn new(shared: &Shared, routers: usize, learns: bool) -> Self {
        let buckets = routers << shared.slot_bits;
        let words = routers.div_ceil(64);
        Self {
            packets: Buckets::new(buckets),
            credits: Buckets::new(buckets),
            lessons: Buckets::new(if learns { buckets } else { 0 }),
            active: (0..words << shared.slot_bits).map(|_| 0).collect(),
            words,
            slot_bits: shared.slot_bits,
            slot_mask: (1 << shared.slot_bits) - 1,
            filled: 0,
        }
    }

    /// A bucket got its first entry.
    #[inline(always)]
    fn open(&mut self, bucket: u32) {
        self.filled += 1;
        self.activate(bucket);
    }

    /// Puts a packet on its way; its `link` is its offset in the window.
    #[inline(always)]
    pub(crate) fn post_packet(&mut self, bucket: u32, packet: &Packet) {
        if self.packets.push(bucket as usize, packet) {
            self.open(bucket);
        }
    }

    /// Puts credits on their way, which know their offset in the window.
    #[inline(always)]
    pub(crate) fn post_credit(&mut self, bucket: u32, credit: Credit) {
        if self.credits.push(bucket as usize, &credit) {
            self.open(bucket);
        }
    }

    /// Puts a lesson on its way, which knows its offset in the window.
    pub(crate) fn post_lesson(&mut self, bucket: u32, feedback: Feedback) {
        if self.lessons.push(bucket as usize, &feedback) {
            self.open(bucket);
        }
    }

    /// Takes the packets that enter in a window, each with its place; they stay there until
    /// [`Wires::release_packets`].
    #[inline(always)]
    pub(crate) fn take_packets(&mut self, bucket: u32, mut each: impl FnMut(u32, &Packet)) -> List {
        let list = self.packets.take(bucket as usize);
        for places in self.packets.places(list) {
            for place in places {
                each(place, self.packets.get(place));
            }
        }
        list
    }

    #[inline(always)]
    pub(crate) fn packet(&self, place: u32) -> &Packet {
        self.packets.get(place)
    }

    #[inline(always)]
    pub(crate) fn release_packets(&mut self, list: List) {
        self.filled -= u32::from(!list.is_empty());
        self.packets.release(list);
    }

    /// Takes the credits that are usable in a window.
    #[inline(always)]
    pub(crate) fn take_credits(&mut self, bucket: u32, mut each: impl FnMut(Credit)) {
        let list = self.credits.take(bucket as usize);
        for places in self.credits.places(list) {
            for place in places {
                each(*self.credits.get(place));
            }
        }
        self.filled -= u32::from(!list.is_empty());
        self.credits.release(list);
    }

    /// Takes the lessons of a window.
    pub(crate) fn take_lessons(&mut self, bucket: u32, mut each: impl FnMut(Feedback)) {
        let list = self.lessons.take(bucket as usize);
        for places in self.lessons.places(list) {
            for place in places {
                each(*self.lessons.get(place));
            }
        }
        self.filled -= u32::from(!list.is_empty());
        self.lessons.release(list);
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
        // Packets that are gone are marked too, which does no harm.
        for packet in self.packets.all_mut() {
            packet.mark_if_old(now);
        }
    }
}
