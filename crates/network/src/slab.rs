//! The packets that wait in one router.

use odonata_units::Instant;

use crate::packet::{Lesson, Packet};

/// No place of a slab.
pub(crate) const NOTHING: u32 = u32::MAX;

/// A packet in a line of the cache.
#[derive(Debug)]
#[repr(align(32))]
struct Place(Packet);

/// Packets in the buffers of one router; places are used again, most recent first.
#[derive(Debug)]
pub(crate) struct Slab {
    packets: Vec<Place>,
    /// First instant at which a packet may start, where links differ in bandwidth.
    ready: Vec<Instant>,
    /// Under a learning routing.
    lessons: Vec<Lesson>,
    /// First free place, or [`NOTHING`]; free places are linked.
    free: u32,
}

impl Default for Slab {
    fn default() -> Self {
        Self {
            packets: Vec::new(),
            ready: Vec::new(),
            lessons: Vec::new(),
            free: NOTHING,
        }
    }
}

impl Slab {
    #[inline(always)]
    pub(crate) fn insert(&mut self, packet: &Packet) -> u32 {
        let place = self.free;
        if place == NOTHING {
            return self.append(packet);
        }
        let Place(slot) = &mut self.packets[place as usize];
        self.free = slot.link;
        *slot = *packet;
        place
    }

    #[cold]
    #[inline(never)]
    fn append(&mut self, packet: &Packet) -> u32 {
        let place = u32::try_from(self.packets.len()).unwrap_or(NOTHING);
        assert!(place < NOTHING, "a router holds fewer than 2^32 packets");
        self.packets.push(Place(*packet));
        place
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> &Packet {
        &self.packets[place as usize].0
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, place: u32) -> &mut Packet {
        &mut self.packets[place as usize].0
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, place: u32) -> Packet {
        let Place(slot) = &mut self.packets[place as usize];
        let packet = *slot;
        slot.link = self.free;
        self.free = place;
        packet
    }

    pub(crate) fn set_ready(&mut self, place: u32, ready: Instant) {
        if self.ready.len() <= place as usize {
            self.ready.resize(place as usize + 1, Instant::ZERO);
        }
        self.ready[place as usize] = ready;
    }

    pub(crate) fn ready(&self, place: u32) -> Instant {
        self.ready[place as usize]
    }

    pub(crate) fn set_lesson(&mut self, place: u32, lesson: Lesson) {
        if self.lessons.len() <= place as usize {
            self.lessons.resize(place as usize + 1, Lesson::default());
        }
        self.lessons[place as usize] = lesson;
    }

    pub(crate) fn lesson(&self, place: u32) -> Lesson {
        self.lessons[place as usize]
    }

    /// See [`Packet::mark_if_old`].
    pub(crate) fn mark_old(&mut self, now: Instant) {
        // Free places hold packets that are gone: marking them does no harm.
        for Place(packet) in &mut self.packets {
            packet.mark_if_old(now);
        }
    }
}
