//! What is under way to the routers of a group, sorted by window.
//!
//! A wheel holds the packets, credits and feedback that reach a router of the group, one list per
//! window, in no order. When a window is opened they are handed to their routers.

use odonata_units::Span;

use crate::inbox::Incoming;
use crate::packet::{Credit, Feedback, Packet};
use crate::pile::{Chunks, Opened, Pile};
use crate::shared::Shared;

/// A packet on its way to a router, as the group numbers it; the slot is its window in the wheel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flight {
    pub(crate) packet: Packet,
    pub(crate) router: u16,
    pub(crate) slot: u16,
}

/// Credits on their way to a router.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Returning {
    pub(crate) credit: Credit,
    pub(crate) router: u16,
    pub(crate) slot: u16,
}

/// Feedback on its way to a router.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taught {
    pub(crate) feedback: Feedback,
    pub(crate) router: u16,
    pub(crate) slot: u16,
}

/// What goes to one place together: to the routers of a group in one window, to another group in an
/// epoch, or from a router to its nodes in a window. Plain records. Packets and credits are appended
/// all the time: the ends of both piles lie in one line of the cache.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Bundle {
    pub(crate) packets: Pile<Flight>,
    pub(crate) credits: Pile<Returning>,
    /// Only if routing learns.
    pub(crate) lessons: Pile<Taught>,
    /// Announcements of messages whose packets will follow, to another group.
    pub(crate) messages: Vec<Incoming>,
}

impl Bundle {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.packets.is_empty()
            && self.credits.is_empty()
            && self.lessons.is_empty()
            && self.messages.is_empty()
    }
}

/// Memory for lists, of one thread.
#[derive(Debug, Default)]
pub(crate) struct Spares {
    pub(crate) packets: Chunks<Flight>,
    pub(crate) credits: Chunks<Returning>,
    pub(crate) lessons: Chunks<Taught>,
}

/// What reaches a group in a window, to be read.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    pub(crate) packets: Opened<Flight>,
    pub(crate) credits: Opened<Returning>,
    pub(crate) lessons: Opened<Taught>,
}

impl Arrivals {
    /// Takes what is in `bundle`; lessons only if there may be some.
    #[inline(always)]
    pub(crate) fn fill(&mut self, bundle: &mut Bundle, spares: &mut Spares, learns: bool) {
        spares.packets.open(&mut bundle.packets, &mut self.packets);
        spares.credits.open(&mut bundle.credits, &mut self.credits);
        if learns {
            spares.lessons.open(&mut bundle.lessons, &mut self.lessons);
        }
    }

    /// Empties it; its memory is used again.
    #[inline(always)]
    pub(crate) fn keep(&mut self, spares: &mut Spares) {
        spares.packets.keep(&mut self.packets);
        spares.credits.keep(&mut self.credits);
        spares.lessons.keep(&mut self.lessons);
    }

    /// Leaves out what arrives `span` after the start of the window, or later.
    #[cold]
    #[inline(never)]
    pub(crate) fn cut(&mut self, span: Span) {
        let most = span.ps();
        let is_before = |offset: u32| u64::from(offset) < most;
        self.packets.retain(|flight| is_before(flight.packet.link));
        self.credits
            .retain(|returning| returning.credit.offset() < most);
        self.lessons
            .retain(|taught| is_before(taught.feedback.offset));
    }
}

/// Which routers of a group have something of their own to do when.
#[derive(Debug)]
pub(crate) struct Wires {
    /// `[slot * words + word]`: routers that do something of their own accord, as a bit set.
    wishes: Vec<u64>,
    words: usize,
}

/// The wheel of one group: what reaches its routers, by window.
pub(crate) fn wheel(shared: &Shared) -> Vec<Bundle> {
    (0..shared.slots).map(|_| Bundle::default()).collect()
}

impl Wires {
    pub(crate) fn new(shared: &Shared, routers: usize) -> Self {
        let words = routers.div_ceil(64);
        Self {
            wishes: (0..words * shared.slots).map(|_| 0).collect(),
            words,
        }
    }

    /// Whether no router wishes to be looked at in a window.
    #[inline(always)]
    pub(crate) fn is_quiet(&self, slot: usize) -> bool {
        let mut wishes = 0;
        for word in 0..self.words {
            wishes |= self.wishes[slot * self.words + word];
        }
        wishes == 0
    }

    /// Router `router` wishes to be looked at in a window.
    #[inline(always)]
    pub(crate) fn wish(&mut self, slot: usize, router: usize) {
        self.wishes[slot * self.words + (router >> 6)] |= 1 << (router & 63);
    }

    /// Takes 64 routers of the set of those that wish to be looked at in a window.
    #[inline]
    pub(crate) fn take_wishes(&mut self, slot: usize, word: usize) -> u64 {
        std::mem::take(&mut self.wishes[slot * self.words + word])
    }

    /// Words of a set of routers.
    pub(crate) const fn words(&self) -> usize {
        self.words
    }
}
