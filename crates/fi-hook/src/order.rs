//! Which way a message may go that must not overtake earlier ones to the same destination.
//!
//! Order between an endpoint and its aliases is undefined (manual `fi_cxi`, "CXI Alias EP
//! Overrides"). So a destination stays on its way until everything that was sent from the endpoint
//! is complete: then there is nothing left to overtake. Completions are counted by a counter of
//! libfabric; what is not counted is not complete.
//!
//! Destinations share places, so that the memory is fixed (32 KiB for an endpoint): those that share
//! one also share their way, which costs freedom and no order. No thread waits for another one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use crate::lane::Way;

const PLACES: usize = 4_096;
/// Of a place: its way, and above it what the last decided message wished.
const WAY_BITS: u32 = 2;
const WISH_BITS: u32 = 3;
/// No message to the destinations of a place was decided yet.
const NO_WISH: u64 = 4;

/// What a message wishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// The way that was decided for it.
    Decided(Way),
    /// It is below the threshold: this way, unless a larger message to the same destination wished
    /// another one. Otherwise a small message would bind the large ones that follow it.
    Small(Way),
    /// The endpoint itself.
    Own,
}

/// The order of one endpoint's messages of one kind.
#[derive(Debug)]
pub struct Order {
    /// Way and serial number of the last message to the destinations of a place, and the wish of the
    /// last decided one; 0: there was none.
    places: Box<[AtomicU64]>,
    /// Messages that were handed on or are about to be, without those that failed.
    issued: AtomicU64,
    /// Never falls; makes the content of a place unique.
    serial: AtomicU64,
    /// Something completes that was not issued here: nothing can be concluded from the count.
    is_lost: AtomicBool,
}

/// Where a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// Its way.
    pub way: Way,
    /// Whether it is another one than was wished, for the sake of order.
    pub is_held: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            places: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
            issued: AtomicU64::new(0),
            serial: AtomicU64::new(1),
            is_lost: AtomicBool::new(false),
        }
    }
}

impl Order {
    /// For messages that keep no order, and are only counted.
    #[must_use]
    pub fn counting() -> Self {
        Self {
            places: Box::default(),
            ..Self::default()
        }
    }

    /// A message without an order is about to be posted; otherwise as [`Order::begin`].
    pub fn issue(&self) {
        self.issued.fetch_add(1, SeqCst);
    }

    /// A message to `destination` has a wish; `completed` counts the messages of the endpoint that
    /// are complete. Afterwards it is posted, or [`Order::failed`] is called.
    pub fn begin(&self, destination: u64, wish: Wish, completed: impl Fn() -> u64) -> Ticket {
        // First, so that no other thread takes the endpoint for quiet from here on.
        self.issued.fetch_add(1, SeqCst);
        let serial = self.serial.fetch_add(1, SeqCst) << (WAY_BITS + WISH_BITS);
        let Some(place) = self.places.get(index(destination)) else {
            return Ticket {
                way: Way::OWN,
                is_held: true,
            };
        };
        loop {
            let before = place.load(SeqCst);
            let current = Way::of_bits(before);
            let (wished, kept) = wished(wish, before);
            let is_free = before == 0 || current == wished || self.is_quiet(&completed);
            let way = if is_free { wished } else { current };
            let after = serial | kept << WAY_BITS | way.bits();
            // Whoever was quicker has a serial number of its own, so that this fails, and what it
            // sends is looked at.
            if place
                .compare_exchange(before, after, SeqCst, SeqCst)
                .is_ok()
            {
                return Ticket {
                    way,
                    is_held: !is_free,
                };
            }
        }
    }

    /// The message of the last ticket was not taken by the endpoint.
    pub fn failed(&self) {
        self.issued.fetch_sub(1, SeqCst);
    }

    /// Whether everything but one message that has begun is complete.
    fn is_quiet(&self, completed: &impl Fn() -> u64) -> bool {
        if self.is_lost.load(SeqCst) {
            return false;
        }
        // In this order: what completes between the two must not make up for what has not.
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

    /// From now on nothing can be concluded: every destination stays on its way.
    pub fn lose(&self) {
        self.is_lost.store(true, SeqCst);
    }

    /// Whether [`Order::lose`] was called.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(SeqCst)
    }
}

/// The way that is wished where a place has the content `before`, and the wish that it keeps.
fn wished(wish: Wish, before: u64) -> (Way, u64) {
    let kept = if before == 0 {
        NO_WISH
    } else {
        before >> WAY_BITS & ((1 << WISH_BITS) - 1)
    };
    match wish {
        Wish::Decided(way) => (way, way.bits()),
        Wish::Small(way) if kept == NO_WISH => (way, kept),
        Wish::Small(_) => (Way::of_bits(kept), kept),
        Wish::Own => (Way::OWN, kept),
    }
}

fn index(destination: u64) -> usize {
    // Fibonacci hashing: the upper 12 bits of the product.
    let mixed = destination.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PLACES.ilog2());
    usize::try_from(mixed).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn way(mode: usize) -> Way {
        Way::ordered(mode)
    }

    fn wish(mode: usize) -> Wish {
        Wish::Decided(way(mode))
    }

    #[test]
    fn a_small_message_follows_what_large_ones_wished() {
        let order = Order::default();
        let small = Wish::Small(way(2));
        assert_eq!(order.begin(1, small, || 0).way, way(2));
        assert!(order.begin(1, wish(0), || 0).is_held);
        // Everything is complete: the small one would be free to go its way, and does not.
        assert_eq!(order.begin(1, small, || 2).way, way(0));
        assert_eq!(order.begin(1, Wish::Own, || 3).way, Way::OWN);
        assert_eq!(order.begin(1, small, || 4).way, way(0));
        assert_eq!(order.begin(2, small, || 5).way, way(2));
    }

    #[test]
    fn a_destination_changes_its_way_when_everything_is_complete() {
        let order = Order::default();
        let first = order.begin(7, wish(0), || 0);
        assert_eq!((first.way, first.is_held), (way(0), false));
        // Its message is under way: the next one follows it.
        let second = order.begin(7, wish(2), || 0);
        assert_eq!((second.way, second.is_held), (way(0), true));
        assert!(order.begin(7, wish(2), || 1).is_held);
        let fourth = order.begin(7, wish(2), || 3);
        assert_eq!((fourth.way, fourth.is_held), (way(2), false));
        assert!(!order.is_idle(|| 3));
        assert!(order.is_idle(|| 4));
    }

    #[test]
    fn another_destination_is_free_at_its_first_message() {
        let order = Order::default();
        order.begin(1, wish(0), || 0);
        assert!(!order.begin(2, wish(2), || 0).is_held);
        // And not at its second: what it sent may be what is not complete.
        assert!(order.begin(2, wish(1), || 1).is_held);
    }

    #[test]
    fn what_failed_is_not_waited_for() {
        let order = Order::default();
        order.begin(1, wish(0), || 0);
        order.failed();
        assert!(!order.begin(1, wish(2), || 0).is_held);
    }

    #[test]
    fn completions_of_others_end_all_conclusions() {
        let order = Order::default();
        order.begin(1, wish(0), || 0);
        assert!(order.begin(1, wish(1), || 5).is_held);
        assert!(order.is_lost());
        assert!(order.begin(1, wish(1), || 2).is_held);
        assert!(!order.is_idle(|| 3));
    }

    /// Threads send to few destinations; a network completes messages in any order. Nothing may be
    /// under way on one way while the same destination is sent to on another one.
    #[test]
    fn nothing_is_ever_under_way_on_two_ways_to_one_destination() {
        const THREADS: u64 = 4;
        const EACH: u64 = 20_000;
        struct Network {
            open: Vec<(u64, Way)>,
            completed: u64,
        }
        let order = Order::default();
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
                        let wished = match word >> 8 & 7 {
                            3..=5 => Wish::Small(way(2)),
                            6 => Wish::Own,
                            mode => {
                                wish([0, 1, 2][usize::from(mode == 1) + 2 * usize::from(mode == 2)])
                            }
                        };
                        let count = || network.lock().unwrap().completed;
                        let ticket = order.begin(destination, wished, count);
                        held.fetch_add(u64::from(ticket.is_held), SeqCst);
                        if word >> 60 == 0 {
                            order.failed(); // not taken: the program tries again
                            continue;
                        }
                        let mut network = network.lock().unwrap();
                        let other = |(to, by): &(u64, Way)| *to == destination && *by != ticket.way;
                        assert!(!network.open.iter().any(other));
                        network.open.push((destination, ticket.way));
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
