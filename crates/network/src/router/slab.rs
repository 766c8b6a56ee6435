//! The packets that wait in one router.

use odonata_units::Instant;

use crate::model::index::SlabIndex;
use crate::model::packet::{Packet, PendingFeedback};

/// A packet in a line of the cache.
#[derive(Debug, Default)]
#[repr(align(32))]
struct Slot(Packet);

/// Packets in the buffers of one router. Slots are used again, most recent first.
#[derive(Debug)]
pub(crate) struct Slab {
    packets: Vec<Slot>,
    /// The first instant at which a packet may start, where links differ in bandwidth.
    ready: Vec<Instant>,
    /// Feedback of the router on a packet, under a learning routing.
    feedback: Vec<PendingFeedback>,
    /// The first free slot; free slots are linked.
    free: Option<SlabIndex>,
}

impl Default for Slab {
    fn default() -> Self {
        Self {
            packets: vec![Slot::default()],
            ready: Vec::new(),
            feedback: Vec::new(),
            free: None,
        }
    }
}

impl Slab {
    /// Stores a copy of `packet`, behind which no other packet is queued.
    #[inline(always)]
    pub(crate) fn insert(&mut self, packet: &Packet) -> SlabIndex {
        let Some(index) = self.free else {
            return self.append(packet);
        };
        let Slot(free) = &mut self.packets[index.index()];
        self.free = free.next();
        *free = *packet;
        free.set_next(None);
        index
    }

    #[cold]
    #[inline(never)]
    fn append(&mut self, packet: &Packet) -> SlabIndex {
        let index = u32::try_from(self.packets.len()).unwrap_or(0);
        let Some(index) = SlabIndex::from_link(index) else {
            unreachable!("a router holds fewer than 2^32 packets");
        };
        let mut packet = *packet;
        packet.set_next(None);
        self.packets.push(Slot(packet));
        index
    }

    #[inline]
    pub(crate) fn get(&self, index: SlabIndex) -> &Packet {
        &self.packets[index.index()].0
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: SlabIndex) -> &mut Packet {
        &mut self.packets[index.index()].0
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, index: SlabIndex) -> Packet {
        let Slot(packet) = &mut self.packets[index.index()];
        let removed = *packet;
        packet.set_next(self.free);
        self.free = Some(index);
        removed
    }

    pub(crate) fn set_ready(&mut self, index: SlabIndex, ready: Instant) {
        let index = index.index();
        if self.ready.len() <= index {
            self.ready.resize(index + 1, Instant::ZERO);
        }
        self.ready[index] = ready;
    }

    pub(crate) fn ready(&self, index: SlabIndex) -> Instant {
        self.ready[index.index()]
    }

    pub(crate) fn set_feedback(&mut self, index: SlabIndex, feedback: PendingFeedback) {
        let index = index.index();
        if self.feedback.len() <= index {
            self.feedback.resize(index + 1, PendingFeedback::default());
        }
        self.feedback[index] = feedback;
    }

    pub(crate) fn feedback(&self, index: SlabIndex) -> PendingFeedback {
        self.feedback[index.index()]
    }

    /// Marks the packets that are old, see [`Packet::mark_if_old`].
    pub(crate) fn mark_old(&mut self, now: Instant) {
        // Free slots hold packets that are gone: marking them does no harm.
        for Slot(packet) in &mut self.packets {
            packet.mark_if_old(now);
        }
    }
}
