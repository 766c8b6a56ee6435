//! The packets that wait in one router.

use odonata_units::Instant;

use crate::dense::Dense;
use crate::packet::{Lesson, Packet};

/// No place of a slab.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Packets in the buffers of one router; places are used again, most recent first.
#[derive(Debug, Default)]
pub(crate) struct Slab {
    packets: Dense<Packet>,
    /// First instant at which a packet may start, where links differ in bandwidth.
    ready: Vec<Instant>,
    /// Under a learning routing.
    lessons: Vec<Lesson>,
    free: Vec<u32>,
}

impl Slab {
    #[inline(always)]
    pub(crate) fn insert(&mut self, packet: Packet) -> u32 {
        if let Some(place) = self.free.pop() {
            self.packets[place as usize] = packet;
            return place;
        }
        let place = u32::try_from(self.packets.len()).unwrap_or(u32::MAX);
        assert!(place < u32::MAX, "a router holds fewer than 2^32 packets");
        self.packets.push(packet);
        place
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> &Packet {
        &self.packets[place as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, place: u32) -> &mut Packet {
        &mut self.packets[place as usize]
    }

    #[inline]
    pub(crate) fn remove(&mut self, place: u32) -> Packet {
        self.free.push(place);
        self.packets[place as usize]
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
        for packet in self.packets.all_mut() {
            packet.mark_if_old(now);
        }
    }

    /// Whether no packet is held.
    pub(crate) fn is_empty(&self) -> bool {
        self.packets.len() == self.free.len()
    }
}
