//! What is under way to the routers of a group, sorted by window.
//!
//! A wheel holds the packets, credits and feedback that reach a router of the group, one list per
//! window, in no order. When a window is opened they are handed to their routers. Emptied lists are
//! used again, last one first: few are in use at a time, so their memory stays in the cache.

use crate::dense::{Dense, append};
use crate::inbox::Incoming;
use crate::packet::{Credit, Feedback, Packet};
use crate::shared::Shared;

/// A packet on its way to a router, as the group numbers it; the slot is its window in the wheel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub(crate) packet: Packet,
    pub(crate) router: u16,
    pub(crate) slot: u16,
}

/// Credits on their way to a router.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(crate) struct Returning {
    pub(crate) credit: Credit,
    pub(crate) router: u16,
    pub(crate) slot: u16,
}

/// Feedback on its way to a router.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taught {
    pub(crate) feedback: Feedback,
    pub(crate) router: u16,
    pub(crate) slot: u16,
}

/// What goes to one place together: to the routers of a group in one window, to another group in an
/// epoch, or from a router to its nodes in a window. Plain records. Packets and credits are appended
/// all the time: the ends of both lists lie in one line of the cache.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Bundle {
    pub(crate) packets: Vec<Flight>,
    pub(crate) credits: Vec<Returning>,
    /// Only if routing learns.
    pub(crate) lessons: Vec<Taught>,
    /// Announcements of messages whose packets will follow, to another group.
    pub(crate) messages: Vec<Incoming>,
}

impl Bundle {
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.packets.is_empty()
            && self.credits.is_empty()
            && self.lessons.is_empty()
            && self.messages.is_empty()
    }
}

/// Emptied lists of one thread.
#[derive(Debug, Default)]
pub(crate) struct Spares {
    packets: Vec<Vec<Flight>>,
    credits: Vec<Vec<Returning>>,
    lessons: Vec<Vec<Taught>>,
}

impl Spares {
    /// Keeps the memory of a list of packets.
    #[inline]
    pub(crate) fn keep_packets(&mut self, mut list: Vec<Flight>) {
        if list.capacity() > 0 {
            list.clear();
            self.packets.push(list);
        }
    }

    /// Keeps the memory of a list of credits.
    #[inline]
    pub(crate) fn keep_credits(&mut self, mut list: Vec<Returning>) {
        if list.capacity() > 0 {
            list.clear();
            self.credits.push(list);
        }
    }

    /// Keeps the memory of a list of feedback.
    #[inline]
    pub(crate) fn keep_lessons(&mut self, mut list: Vec<Taught>) {
        if list.capacity() > 0 {
            list.clear();
            self.lessons.push(list);
        }
    }

    /// Appends to a list, which gets memory if it has none.
    #[inline]
    pub(crate) fn push_lesson(&mut self, list: &mut Vec<Taught>, taught: Taught) {
        append(list, taught, |list| {
            if list.capacity() == 0 {
                *list = self.lessons.pop().unwrap_or_default();
            }
        });
    }

    /// Appends to a list, which gets memory if it has none.
    #[inline(always)]
    pub(crate) fn push_packet<'a>(
        &mut self,
        list: &'a mut Vec<Flight>,
        flight: Flight,
    ) -> &'a mut Flight {
        append(list, flight, |list| self.equip_packets(list))
    }

    /// Appends to a list, which gets memory if it has none.
    #[inline(always)]
    pub(crate) fn push_credit(&mut self, list: &mut Vec<Returning>, returning: Returning) {
        append(list, returning, |list| self.equip_credits(list));
    }

    #[cold]
    #[inline(never)]
    fn equip_packets(&mut self, list: &mut Vec<Flight>) {
        if list.capacity() == 0 {
            *list = self.packets.pop().unwrap_or_default();
        }
        list.reserve(64);
    }

    #[cold]
    #[inline(never)]
    fn equip_credits(&mut self, list: &mut Vec<Returning>) {
        if list.capacity() == 0 {
            *list = self.credits.pop().unwrap_or_default();
        }
        list.reserve(64);
    }
}

/// Which routers of a group have something of their own to do when, and how much is on its way.
#[derive(Debug)]
pub(crate) struct Wires {
    /// `[slot * words + word]`: routers that do something of their own accord, as a bit set.
    wishes: Dense<u64>,
    words: usize,
    /// Entries of all bundles of the wheel.
    pub(crate) entries: usize,
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
            entries: 0,
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

    /// Takes what reaches the group in a window.
    #[inline]
    pub(crate) fn take(&mut self, bundle: &mut Bundle) -> Bundle {
        let bundle = std::mem::take(bundle);
        self.entries -= bundle.packets.len() + bundle.credits.len() + bundle.lessons.len();
        bundle
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

    /// Whether anything is on its way.
    pub(crate) const fn is_moving(&self) -> bool {
        self.entries > 0
    }
}
