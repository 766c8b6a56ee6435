//! The packets that wait in one router.

use odonata_units::Instant;

use crate::packet::{Packet, PendingFeedback};

/// No index of a slab.
pub(crate) const NOTHING: u32 = u32::MAX;

/// A packet in a line of the cache.
#[derive(Debug)]
#[repr(align(32))]
struct Slot(Packet);

/// Packets in the buffers of one router; slots are used again, most recent first.
#[derive(Debug)]
pub(crate) struct Slab {
    packets: Vec<Slot>,
    /// First instant at which a packet may start, where links differ in bandwidth.
    ready: Vec<Instant>,
    /// Under a learning routing.
    feedback: Vec<PendingFeedback>,
    /// First free index, or [`NOTHING`]; free slots are linked.
    free: u32,
}

impl Default for Slab {
    fn default() -> Self {
        Self {
            packets: Vec::new(),
            ready: Vec::new(),
            feedback: Vec::new(),
            free: NOTHING,
        }
    }
}

impl Slab {
    #[inline(always)]
    pub(crate) fn insert(&mut self, packet: &Packet) -> u32 {
        let index = self.free;
        if index == NOTHING {
            return self.append(packet);
        }
        let Slot(free) = &mut self.packets[index as usize];
        self.free = free.link;
        *free = *packet;
        index
    }

    #[cold]
    #[inline(never)]
    fn append(&mut self, packet: &Packet) -> u32 {
        let index = u32::try_from(self.packets.len()).unwrap_or(NOTHING);
        assert!(index < NOTHING, "a router holds fewer than 2^32 packets");
        self.packets.push(Slot(*packet));
        index
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> &Packet {
        &self.packets[index as usize].0
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32) -> &mut Packet {
        &mut self.packets[index as usize].0
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, index: u32) -> Packet {
        let Slot(packet) = &mut self.packets[index as usize];
        let removed = *packet;
        packet.link = self.free;
        self.free = index;
        removed
    }

    pub(crate) fn set_ready(&mut self, index: u32, ready: Instant) {
        if self.ready.len() <= index as usize {
            self.ready.resize(index as usize + 1, Instant::ZERO);
        }
        self.ready[index as usize] = ready;
    }

    pub(crate) fn ready(&self, index: u32) -> Instant {
        self.ready[index as usize]
    }

    pub(crate) fn set_feedback(&mut self, index: u32, feedback: PendingFeedback) {
        if self.feedback.len() <= index as usize {
            self.feedback
                .resize(index as usize + 1, PendingFeedback::default());
        }
        self.feedback[index as usize] = feedback;
    }

    pub(crate) fn feedback(&self, index: u32) -> PendingFeedback {
        self.feedback[index as usize]
    }

    /// See [`Packet::mark_if_old`].
    pub(crate) fn mark_old(&mut self, now: Instant) {
        // Free slots hold packets that are gone: marking them does no harm.
        for Slot(packet) in &mut self.packets {
            packet.mark_if_old(now);
        }
    }
}
