//! Flights to the routers of a group, sorted by window.
//!
//! A wheel holds the packets, credits and feedback that reach a router of the group, one list per
//! window, in no order. When a window is opened they are handed to their routers.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Record, Span};

use crate::flight::chunk_list::{ChunkList, ChunkPool, OpenList};
use crate::flight::inbox::Incoming;
use crate::flight::wake_schedule::SlotSet;
use crate::model::index::{LocalRouter, WindowSlot};
use crate::model::packet::{Credit, Feedback, Packet};
use crate::rules::congestion::Notice;

/// A packet on its way to a router, as the group numbers it; the slot is its window in the wheel.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct PacketInFlight {
    pub(crate) packet: Packet,
    pub(crate) router: LocalRouter,
    pub(crate) slot: WindowSlot,
}

/// Credits on their way to a router.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct CreditInFlight {
    pub(crate) credit: Credit,
    pub(crate) router: LocalRouter,
    pub(crate) slot: WindowSlot,
}

/// Feedback on its way to a router.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct FeedbackInFlight {
    pub(crate) feedback: Feedback,
    pub(crate) router: LocalRouter,
    pub(crate) slot: WindowSlot,
}

/// Flights to one destination: to the routers of a group in one window, to another group
/// in an epoch, or from a router to its nodes in a window. It consists of plain records. Packets
/// and credits are appended all the time: the ends of both lists lie in one line of the cache.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct InFlight {
    pub(crate) packets: ChunkList<PacketInFlight>,
    pub(crate) credits: ChunkList<CreditInFlight>,
    /// Empty unless routing learns.
    pub(crate) feedback: ChunkList<FeedbackInFlight>,
    /// Announcements of messages whose packets will follow, to another group.
    pub(crate) messages: Vec<Incoming>,
    /// Notices for NICs of another group; empty unless NICs get notices.
    pub(crate) notices: Vec<Notice>,
}

const _: () = assert!(size_of::<ChunkList<PacketInFlight>>() == 32);

impl InFlight {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.packets.is_empty()
            && self.credits.is_empty()
            && self.feedback.is_empty()
            && self.messages.is_empty()
            && self.notices.is_empty()
    }
}

impl InFlight {
    /// Appends everything in it to `out` as bytes, and empties it.
    pub(crate) fn pack(&mut self, pools: &mut ChunkPools, out: &mut Vec<u8>) {
        pools.packets.pack(&mut self.packets, out);
        pools.credits.pack(&mut self.credits, out);
        pools.feedback.pack(&mut self.feedback, out);
        self.messages.write(out);
        self.notices.write(out);
        self.messages.clear();
        self.notices.clear();
    }
}

/// The emptied chunks of one thread.
#[derive(Debug, Default)]
pub(crate) struct ChunkPools {
    pub(crate) packets: ChunkPool<PacketInFlight>,
    pub(crate) credits: ChunkPool<CreditInFlight>,
    pub(crate) feedback: ChunkPool<FeedbackInFlight>,
}

/// Arrivals at a group in the window that is simulated.
#[derive(Debug, Default)]
pub(crate) struct GroupArrivals {
    pub(crate) packets: OpenList<PacketInFlight>,
    pub(crate) credits: OpenList<CreditInFlight>,
    pub(crate) feedback: OpenList<FeedbackInFlight>,
}

impl GroupArrivals {
    /// Takes what is in `in_flight`; feedback only if routing learns.
    #[inline(always)]
    pub(crate) fn fill(&mut self, in_flight: &mut InFlight, pools: &mut ChunkPools, learns: bool) {
        pools
            .packets
            .open(&mut in_flight.packets, &mut self.packets);
        pools
            .credits
            .open(&mut in_flight.credits, &mut self.credits);
        if learns {
            pools
                .feedback
                .open(&mut in_flight.feedback, &mut self.feedback);
        }
    }

    /// Gives the chunks back to `pools`.
    #[inline(always)]
    pub(crate) fn keep(&mut self, pools: &mut ChunkPools) {
        pools.packets.keep(&mut self.packets);
        pools.credits.keep(&mut self.credits);
        pools.feedback.keep(&mut self.feedback);
    }

    /// Puts what arrives `span` after the start of the window, or later, back into `in_flight`.
    #[cold]
    #[inline(never)]
    pub(crate) fn cut(&mut self, span: Span, in_flight: &mut InFlight, pools: &mut ChunkPools) {
        let most = span.ps();
        self.packets.retain(
            |flight| u64::from(flight.packet.offset()) < most,
            |flight| *pools.packets.next(&mut in_flight.packets, || ()) = *flight,
        );
        self.credits.retain(
            |returning| returning.credit.offset() < most,
            |returning| *pools.credits.next(&mut in_flight.credits, || ()) = *returning,
        );
        self.feedback.retain(
            |waiting| u64::from(waiting.feedback.offset) < most,
            |waiting| *pools.feedback.next(&mut in_flight.feedback, || ()) = *waiting,
        );
    }
}

/// The wheel of one group: what reaches its routers, by window.
#[derive(Debug)]
pub(crate) struct Wheel {
    /// `[slot]`.
    pub(crate) slots: Vec<InFlight>,
    /// Slots in which anything is.
    pub(crate) filled: SlotSet,
}

impl Wheel {
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            slots: (0..slots).map(|_| InFlight::default()).collect(),
            filled: SlotSet::new(slots),
        }
    }

    /// Takes in what [`InFlight::pack`] has written, but for messages and notices, which are left in
    /// `bytes`; `None` if the bytes are something else.
    pub(crate) fn unpack(&mut self, pools: &mut ChunkPools, bytes: &mut &[u8]) -> Option<()> {
        let Self { slots, filled } = self;
        for _ in 0..u32::read(bytes)? {
            let flight = PacketInFlight::read(bytes)?;
            let list = &mut slots.get_mut(flight.slot.index())?.packets;
            *pools.packets.next(list, || filled.insert(flight.slot)) = flight;
        }
        for _ in 0..u32::read(bytes)? {
            let returning = CreditInFlight::read(bytes)?;
            let list = &mut slots.get_mut(returning.slot.index())?.credits;
            *pools.credits.next(list, || filled.insert(returning.slot)) = returning;
        }
        for _ in 0..u32::read(bytes)? {
            let waiting = FeedbackInFlight::read(bytes)?;
            let list = &mut slots.get_mut(waiting.slot.index())?.feedback;
            *pools.feedback.next(list, || filled.insert(waiting.slot)) = waiting;
        }
        Some(())
    }

    /// Takes in `mail`, and leaves it empty but for its messages.
    pub(crate) fn receive(&mut self, pools: &mut ChunkPools, mail: &mut InFlight) {
        let Self { slots, filled } = self;
        let ChunkPools {
            packets,
            credits,
            feedback,
        } = pools;
        packets.drain(&mut mail.packets, |packets, flight| {
            let list = &mut slots[flight.slot.index()].packets;
            *packets.next(list, || filled.insert(flight.slot)) = *flight;
        });
        credits.drain(&mut mail.credits, |credits, returning| {
            let list = &mut slots[returning.slot.index()].credits;
            *credits.next(list, || filled.insert(returning.slot)) = *returning;
        });
        feedback.drain(&mut mail.feedback, |feedback, waiting| {
            let list = &mut slots[waiting.slot.index()].feedback;
            *feedback.next(list, || filled.insert(waiting.slot)) = *waiting;
        });
    }
}
