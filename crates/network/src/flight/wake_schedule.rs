//! What is next is known, not looked for: sets of slots and of routers, and the schedules of those
//! who do something of their own accord.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use odonata_units::Instant;

use crate::model::index::{LocalRouter, WindowSlot};
use crate::model::window::Window;
use crate::shared::all_groups::Shared;

/// Bits of a word of a set.
const WORD_BITS: usize = u64::BITS as usize;

/// Slots of a wheel, as a bit set.
#[derive(Debug)]
pub(crate) struct SlotSet {
    words: Vec<u64>,
    slots: usize,
}

impl SlotSet {
    /// No slot of a wheel of `slots`, a power of two.
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            words: vec![0; slots.div_ceil(WORD_BITS)],
            slots,
        }
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, slot: WindowSlot) {
        self.words[slot.index() / WORD_BITS] |= 1 << (slot.index() % WORD_BITS);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, slot: WindowSlot) {
        self.words[slot.index() / WORD_BITS] &= !(1 << (slot.index() % WORD_BITS));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The number of slots from `slot` on to the first of any of `sets`, round the wheel that they
    /// have in common.
    #[inline(always)]
    pub(crate) fn ahead<const N: usize>(sets: [&Self; N], slot: WindowSlot) -> Option<u64> {
        let (word, bit) = (slot.index() / WORD_BITS, slot.index() % WORD_BITS);
        let bits = sets.iter().fold(0, |bits, set| bits | set.words[word]) >> bit;
        if bits != 0 {
            return Some(u64::from(bits.trailing_zeros()));
        }
        Self::ahead_of_word(&sets, slot)
    }

    /// As [`SlotSet::ahead`], if the rest of the word of `slot` is empty.
    #[inline(never)]
    fn ahead_of_word(sets: &[&Self], slot: WindowSlot) -> Option<u64> {
        let first = sets.first()?;
        let behind = slot.index() / WORD_BITS + 1;
        let mut words = (behind..first.words.len()).chain(0..behind);
        words.find_map(|word| {
            let bits = sets.iter().fold(0, |bits, set| bits | set.words[word]);
            let found = word * WORD_BITS + bits.trailing_zeros() as usize;
            let ahead = found.wrapping_sub(slot.index()) & (first.slots - 1);
            (bits != 0).then_some(ahead as u64)
        })
    }
}

/// Words of the two levels of a set of routers.
#[derive(Clone, Copy, Debug)]
struct Levels {
    /// A bit for each router.
    words: usize,
    /// A bit for each word that is not empty.
    filled: usize,
}

impl Levels {
    const fn of(routers: usize) -> Self {
        let words = routers.div_ceil(WORD_BITS);
        Self {
            words,
            filled: words.div_ceil(WORD_BITS),
        }
    }
}

/// Routers of a group, as a bit set of two levels.
#[derive(Debug)]
pub(crate) struct RouterSet {
    filled: Vec<u64>,
    words: Vec<u64>,
}

impl RouterSet {
    /// None of `routers`.
    pub(crate) fn new(routers: usize) -> Self {
        let levels = Levels::of(routers);
        Self {
            filled: vec![0; levels.filled],
            words: vec![0; levels.words],
        }
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, router: LocalRouter) {
        let (word, bit) = (router.index() / WORD_BITS, router.index() % WORD_BITS);
        self.words[word] |= 1 << bit;
        self.filled[word / WORD_BITS] |= 1 << (word % WORD_BITS);
    }

    /// Takes the first routers out of the set, in order: those of the first word that has any.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<impl Iterator<Item = LocalRouter> + use<>> {
        let mut blocks = self.filled.iter_mut().enumerate();
        let (block, filled) = blocks.find(|(_, filled)| **filled != 0)?;
        let index = block * WORD_BITS + filled.trailing_zeros() as usize;
        *filled &= *filled - 1;
        let mut bits = std::mem::take(&mut self.words[index]);
        Some(std::iter::from_fn(move || {
            let router = index * WORD_BITS + bits.trailing_zeros() as usize;
            let is_there = bits != 0;
            bits &= bits.wrapping_sub(1);
            is_there.then_some(LocalRouter::new(router))
        }))
    }
}

/// The windows in which routers of a group do something of their own accord.
#[derive(Debug)]
pub(crate) struct WakeSchedule {
    /// Slots in which one does.
    pub(crate) slots: SlotSet,
    levels: Levels,
    /// `[slot * levels.filled + index]`.
    filled: Vec<u64>,
    /// `[slot * levels.words + word]`.
    words: Vec<u64>,
}

impl WakeSchedule {
    pub(crate) fn new(slots: usize, routers: usize) -> Self {
        let levels = Levels::of(routers);
        Self {
            slots: SlotSet::new(slots),
            levels,
            filled: vec![0; slots * levels.filled],
            words: vec![0; slots * levels.words],
        }
    }

    /// Router `router` is to wake in a window.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, slot: WindowSlot, router: LocalRouter) {
        let (word, bit) = (router.index() / WORD_BITS, router.index() % WORD_BITS);
        self.words[slot.index() * self.levels.words + word] |= 1 << bit;
        self.filled[slot.index() * self.levels.filled + word / WORD_BITS] |=
            1 << (word % WORD_BITS);
        self.slots.insert(slot);
    }

    /// Moves the routers that are to wake in a window to `routers`.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: WindowSlot, routers: &mut RouterSet) {
        self.slots.remove(slot);
        let first = slot.index() * self.levels.filled;
        let blocks = &mut self.filled[first..first + self.levels.filled];
        let first = slot.index() * self.levels.words;
        let words = &mut self.words[first..first + self.levels.words];
        for (block, filled) in blocks.iter_mut().enumerate() {
            let mut left = std::mem::take(filled);
            routers.filled[block] |= left;
            while left != 0 {
                let word = block * WORD_BITS + left.trailing_zeros() as usize;
                left &= left - 1;
                routers.words[word] |= std::mem::take(&mut words[word]);
            }
        }
    }
}

/// When the nodes of routers do something: in a wheel as far as it reaches, the others in order.
/// A router may be in it too early, or for nothing; never too late.
#[derive(Debug)]
pub(crate) struct NodeSchedule {
    pub(crate) near: WakeSchedule,
    /// Instants beyond the wheel.
    far: BinaryHeap<Reverse<(Instant, LocalRouter)>>,
    /// `[router]`: its instant in `far`, or never.
    far_at: Vec<Instant>,
}

impl NodeSchedule {
    pub(crate) fn new(slots: usize, routers: usize) -> Self {
        Self {
            near: WakeSchedule::new(slots, routers),
            far: BinaryHeap::new(),
            far_at: vec![Instant::NEVER; routers],
        }
    }

    /// The nodes of `router`, the first of which is due at `due`, are to act in the window in which
    /// the router sees it, and not before the end of `window`. Returns when the router sees it.
    #[inline(always)]
    pub(crate) fn schedule(
        &mut self,
        shared: &Shared,
        router: LocalRouter,
        due: Instant,
        window: Window,
    ) -> Instant {
        if due == Instant::NEVER {
            return due;
        }
        // A node acts `nic_lag` before the window in which its router sees it.
        let at = due.ps().saturating_add(shared.nic_lag.ps());
        let at = Instant::from_ps(at.min(u64::MAX - 1)).max(window.end);
        if at < window.start.plus(shared.horizon) {
            self.near.schedule(shared.clock.slot(at), router);
        } else {
            self.schedule_far(at, router);
        }
        at
    }

    /// The nodes of `router` are to act at `at`, which the wheel does not reach.
    #[cold]
    fn schedule_far(&mut self, at: Instant, router: LocalRouter) {
        let planned = &mut self.far_at[router.index()];
        if at < *planned {
            *planned = at;
            self.far.push(Reverse((at, router)));
        }
    }

    /// The first instant beyond the wheel; never if there is none.
    #[inline(always)]
    pub(crate) fn far_next(&self) -> Instant {
        self.far.peek().map_or(Instant::NEVER, |first| first.0.0)
    }

    /// Takes the first router beyond the wheel, if its instant is before `end`.
    pub(crate) fn pop_far(&mut self, end: Instant) -> Option<LocalRouter> {
        while self.far_next() < end {
            let Reverse((at, router)) = self.far.pop()?;
            if self.far_at[router.index()] == at {
                self.far_at[router.index()] = Instant::NEVER;
                return Some(router);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, LocalRouter, NodeSchedule, RouterSet, SlotSet, WakeSchedule, WindowSlot};

    #[test]
    fn the_next_slot_is_found_round_the_wheel() {
        for slots in [4, 64, 128, 512] {
            for found in [0, 1, slots / 2, slots - 1] {
                let (mut set, others) = (SlotSet::new(slots), SlotSet::new(slots));
                assert!(set.is_empty());
                for from in 0..slots {
                    assert_eq!(SlotSet::ahead([&set], WindowSlot::new(from)), None);
                }
                set.insert(WindowSlot::new(found));
                assert!(!set.is_empty());
                for from in 0..slots {
                    let ahead = (found + slots - from) % slots;
                    let of_both = SlotSet::ahead([&others, &set], WindowSlot::new(from));
                    assert_eq!(of_both, Some(ahead as u64));
                }
                set.remove(WindowSlot::new(found));
                assert!(set.is_empty());
            }
        }
    }

    #[test]
    fn routers_wake_in_their_windows_in_order() {
        for count in [1, 64, 65, 5_000] {
            let mut schedule = WakeSchedule::new(8, count);
            let mut found = RouterSet::new(count);
            let slot = WindowSlot::new(3);
            let mut wanted: Vec<_> = (0..count).step_by(7).map(LocalRouter::new).collect();
            for router in wanted.iter().rev() {
                schedule.schedule(slot, *router);
            }
            assert_eq!(
                SlotSet::ahead([&schedule.slots], WindowSlot::new(0)),
                Some(3)
            );
            found.insert(LocalRouter::new(count - 1));
            schedule.take(slot, &mut found);
            assert_eq!(SlotSet::ahead([&schedule.slots], WindowSlot::new(0)), None);
            wanted.push(LocalRouter::new(count - 1));
            wanted.dedup();
            let words = std::iter::from_fn(|| found.pop());
            let routers: Vec<_> = words.flatten().collect();
            assert_eq!(routers, wanted);
        }
    }

    #[test]
    fn routers_beyond_the_wheel_come_once_each_at_their_first_instant() {
        let mut schedule = NodeSchedule::new(4, 3);
        let at = Instant::from_ps;
        for (instant, router) in [(900, 0), (700, 1), (500, 0), (600, 0), (800, 2)] {
            schedule.schedule_far(at(instant), LocalRouter::new(router));
        }
        assert_eq!(schedule.far_next(), at(500));
        assert_eq!(schedule.pop_far(at(500)), None);
        let routers: Vec<_> = std::iter::from_fn(|| schedule.pop_far(at(1_000))).collect();
        assert_eq!(routers, [0, 1, 2].map(LocalRouter::new));
        assert_eq!(schedule.far_next(), Instant::NEVER);
    }
}
