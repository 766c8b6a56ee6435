//! Which target a message gets that must not overtake earlier ones to the same destination.
//!
//! OrderTracker between an endpoint and its aliases is undefined (manual `fi_cxi`, "CXI Alias EP
//! Overrides"). So a destination stays on its target until everything that was sent from the
//! endpoint is complete: then there is nothing left to overtake. Completions are counted by a
//! counter of libfabric; what is not counted is not complete.
//!
//! Destinations are hashed to slots, so that the memory is fixed (32 KiB for an endpoint): two of
//! one slot also have one target, which costs freedom and no order. No thread waits for another
//! one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use crate::lane::PostTarget;

const SLOTS: usize = 4_096;
/// A slot holds its target in the lowest bits, above it the preference of the last decided message,
/// and above that a serial number.
const TARGET_BITS: u32 = 2;
const PREFERENCE_BITS: u32 = 3;
/// No message to the destinations of a slot was decided yet.
const NO_PREFERENCE: u64 = 4;

/// Which target a message prefers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preference {
    /// The target that was decided for it.
    Decided(PostTarget),
    /// The message is below the threshold: it prefers this target, unless a larger message to the
    /// same destination preferred another one. Otherwise a small message would bind the large ones
    /// that follow it.
    Small(PostTarget),
    /// It prefers the endpoint itself.
    Own,
}

/// The order of one endpoint's messages of one kind.
#[derive(Debug)]
pub struct OrderTracker {
    /// Target and serial number of the last message to the destinations of a slot, and the
    /// preference of the last decided one; 0: there was none.
    slots: Box<[AtomicU64]>,
    /// Messages that were handed on or are about to be, without those that failed.
    issued: AtomicU64,
    /// Never falls; makes the content of a slot unique.
    serial: AtomicU64,
    /// Something completes that was not issued here: nothing can be concluded from the count.
    is_lost: AtomicBool,
}

/// The target that a message was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The object that it is posted to.
    pub target: PostTarget,
    /// Whether order forced another target than the preferred one.
    pub is_held: bool,
}

impl Default for OrderTracker {
    fn default() -> Self {
        Self {
            slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
            issued: AtomicU64::new(0),
            serial: AtomicU64::new(1),
            is_lost: AtomicBool::new(false),
        }
    }
}

impl OrderTracker {
    /// A tracker for messages that keep no order, and are only counted.
    #[must_use]
    pub fn counting() -> Self {
        Self {
            slots: Box::default(),
            ..Self::default()
        }
    }

    /// A message without an order is about to be posted; otherwise as [`OrderTracker::begin`].
    pub fn issue(&self) {
        self.issued.fetch_add(1, SeqCst);
    }

    /// Gives a message to `destination` its target; `completed` counts the messages of the endpoint
    /// that are complete. Afterwards it is posted, or [`OrderTracker::failed`] is called.
    pub fn begin(
        &self,
        destination: u64,
        preference: Preference,
        completed: impl Fn() -> u64,
    ) -> Assignment {
        // First, so that no other thread takes the endpoint for quiet from here on.
        self.issued.fetch_add(1, SeqCst);
        let serial = self.serial.fetch_add(1, SeqCst) << (TARGET_BITS + PREFERENCE_BITS);
        let Some(slot) = self.slots.get(index(destination)) else {
            return Assignment {
                target: PostTarget::OWN,
                is_held: true,
            };
        };
        loop {
            let before = slot.load(SeqCst);
            let current = PostTarget::of_bits(before);
            let (preferred, kept) = preferred(preference, before);
            let is_free = before == 0 || current == preferred || self.is_quiet(&completed);
            let target = if is_free { preferred } else { current };
            let after = serial | kept << TARGET_BITS | target.bits();
            // Whoever was quicker has a serial number of its own, so that this fails, and what it
            // sends is looked at.
            if slot.compare_exchange(before, after, SeqCst, SeqCst).is_ok() {
                return Assignment {
                    target,
                    is_held: !is_free,
                };
            }
        }
    }

    /// The message of the last assignment was not taken by the endpoint.
    pub fn failed(&self) {
        self.issued.fetch_sub(1, SeqCst);
    }

    /// Whether everything but one message that has begun is complete.
    fn is_quiet(&self, completed: &impl Fn() -> u64) -> bool {
        if self.is_lost.load(SeqCst) {
            return false;
        }
        // The order of these reads matters: what completes between the two must not make up for
        // what has not.
        let completed = completed();
        let others = self.issued.load(SeqCst).saturating_sub(1);
        if completed > others {
            self.lose();
        }
        completed == others
    }

    /// Whether everything that was issued is complete.
    pub fn is_idle(&self, completed: impl Fn() -> u64) -> bool {
        let completed = completed();
        !self.is_lost.load(SeqCst) && completed == self.issued.load(SeqCst)
    }

    /// Notes that nothing can be concluded any more: every destination stays on its target.
    pub fn lose(&self) {
        self.is_lost.store(true, SeqCst);
    }

    /// Whether [`OrderTracker::lose`] was called.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(SeqCst)
    }
}

/// The target that is preferred where a slot has the content `before`, and the preference that it
/// keeps.
fn preferred(preference: Preference, before: u64) -> (PostTarget, u64) {
    let kept = if before == 0 {
        NO_PREFERENCE
    } else {
        before >> TARGET_BITS & ((1 << PREFERENCE_BITS) - 1)
    };
    match preference {
        Preference::Decided(target) => (target, target.bits()),
        Preference::Small(target) if kept == NO_PREFERENCE => (target, kept),
        Preference::Small(_) => (PostTarget::of_bits(kept), kept),
        Preference::Own => (PostTarget::OWN, kept),
    }
}

fn index(destination: u64) -> usize {
    // Fibonacci hashing: the upper 12 bits of the product.
    let mixed = destination.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2());
    usize::try_from(mixed).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn target(mode: usize) -> PostTarget {
        PostTarget::ordered(mode)
    }

    fn preference(mode: usize) -> Preference {
        Preference::Decided(target(mode))
    }

    #[test]
    fn a_small_message_follows_what_large_ones_wished() {
        let order = OrderTracker::default();
        let small = Preference::Small(target(2));
        assert_eq!(order.begin(1, small, || 0).target, target(2));
        assert!(order.begin(1, preference(0), || 0).is_held);
        // Everything is complete: the small one would be free to take its target, and does not.
        assert_eq!(order.begin(1, small, || 2).target, target(0));
        assert_eq!(
            order.begin(1, Preference::Own, || 3).target,
            PostTarget::OWN
        );
        assert_eq!(order.begin(1, small, || 4).target, target(0));
        assert_eq!(order.begin(2, small, || 5).target, target(2));
    }

    #[test]
    fn a_destination_changes_its_target_when_everything_is_complete() {
        let order = OrderTracker::default();
        let first = order.begin(7, preference(0), || 0);
        assert_eq!((first.target, first.is_held), (target(0), false));
        // Its message is in flight: the next one follows it.
        let second = order.begin(7, preference(2), || 0);
        assert_eq!((second.target, second.is_held), (target(0), true));
        assert!(order.begin(7, preference(2), || 1).is_held);
        let fourth = order.begin(7, preference(2), || 3);
        assert_eq!((fourth.target, fourth.is_held), (target(2), false));
        assert!(!order.is_idle(|| 3));
        assert!(order.is_idle(|| 4));
    }

    #[test]
    fn another_destination_is_free_at_its_first_message() {
        let order = OrderTracker::default();
        order.begin(1, preference(0), || 0);
        assert!(!order.begin(2, preference(2), || 0).is_held);
        // It is not at its second: what it sent may be what is not complete.
        assert!(order.begin(2, preference(1), || 1).is_held);
    }

    #[test]
    fn what_failed_is_not_waited_for() {
        let order = OrderTracker::default();
        order.begin(1, preference(0), || 0);
        order.failed();
        assert!(!order.begin(1, preference(2), || 0).is_held);
    }

    #[test]
    fn completions_of_others_end_all_conclusions() {
        let order = OrderTracker::default();
        order.begin(1, preference(0), || 0);
        assert!(order.begin(1, preference(1), || 5).is_held);
        assert!(order.is_lost());
        assert!(order.begin(1, preference(1), || 2).is_held);
        assert!(!order.is_idle(|| 3));
    }

    /// Threads send to few destinations; a network completes messages in any order. Nothing may be
    /// in flight over one target while the same destination is sent to over another one.
    #[test]
    fn nothing_is_ever_in_flight_over_two_targets_to_one_destination() {
        const THREADS: u64 = 4;
        const EACH: u64 = 20_000;
        struct Network {
            open: Vec<(u64, PostTarget)>,
            completed: u64,
        }
        let order = OrderTracker::default();
        let network = Mutex::new(Network {
            open: Vec::new(),
            completed: 0,
        });
        let held = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (order, network, held) = (&order, &network, &held);
                scope.spawn(move || {
                    let mut word = thread + 1;
                    for _ in 0..EACH {
                        word ^= word << 13;
                        word ^= word >> 7;
                        word ^= word << 17;
                        let destination = word % 3;
                        let preferred = match word >> 8 & 7 {
                            3..=5 => Preference::Small(target(2)),
                            6 => Preference::Own,
                            mode => preference(
                                [0, 1, 2][usize::from(mode == 1) + 2 * usize::from(mode == 2)],
                            ),
                        };
                        let count = || network.lock().unwrap().completed;
                        let assignment = order.begin(destination, preferred, count);
                        held.fetch_add(u64::from(assignment.is_held), SeqCst);
                        if word >> 60 == 0 {
                            order.failed(); // not taken: the program tries again
                            continue;
                        }
                        let mut network = network.lock().unwrap();
                        let other = |(to, by): &(u64, PostTarget)| {
                            *to == destination && *by != assignment.target
                        };
                        assert!(!network.open.iter().any(other));
                        network.open.push((destination, assignment.target));
                        for _ in 0..word >> 20 & 3 {
                            if !network.open.is_empty() {
                                let one = (word >> 30) as usize % network.open.len();
                                network.open.swap_remove(one);
                                network.completed += 1;
                            }
                        }
                    }
                });
            }
        });
        assert!(!order.is_lost());
        let held = held.into_inner();
        assert!(
            held > 1_000 && held < THREADS * EACH * 9 / 10,
            "both happen: {held}"
        );
    }
}
