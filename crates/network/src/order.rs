//! The order in which packets enter a router in a window: instant, then input port.
//!
//! A port takes in one packet per instant at most, so that the order is total. Few packets enter in
//! a window; the place of each is found by counting those before it, without a branch that depends
//! on the data.

use crate::dense::{append, at};
use crate::packet::Packet;

/// A sort key holds offset (30 bits), input port (8) and place in the list (26).
const PLACE_BITS: u32 = 26;
const PORT_BITS: u32 = 8;
/// Up to this many are ordered by counting.
const FEW: usize = 32;

/// Keys of the packets that enter a router in a window.
#[derive(Debug, Default)]
pub(crate) struct Order {
    keys: Vec<u64>,
}

impl Order {
    /// Adds `packet`, which is at `place` in its list.
    #[inline(always)]
    pub(crate) fn push(&mut self, place: usize, packet: &Packet) {
        debug_assert!(place < 1 << PLACE_BITS);
        let port = u64::from(packet.in_port) << PLACE_BITS;
        let key = u64::from(packet.link) << (PLACE_BITS + PORT_BITS) | port | place as u64;
        append(&mut self.keys, key, |_| ());
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Puts them in order; offsets have `offset_bits`.
    #[inline(always)]
    pub(crate) fn sort(&mut self, offset_bits: u32) {
        let count = self.keys.len();
        if count < 2 {
            return;
        }
        if count > FEW || offset_bits + PORT_BITS > 31 {
            self.keys.sort_unstable();
        } else if count <= FEW / 2 {
            sort_few::<{ FEW / 2 }>(&mut self.keys);
        } else {
            sort_few::<FEW>(&mut self.keys);
        }
    }

    /// Offset in the window, ps, and place in the list of number `index` in the order.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> (u64, usize) {
        let key = *at(&self.keys, index);
        let place = key & ((1 << PLACE_BITS) - 1);
        (key >> (PLACE_BITS + PORT_BITS), place as usize)
    }
}

/// Sorts at most `MOST` keys by their upper parts, which differ and fit 31 bits.
#[inline(never)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "31 bits, checked before; a rank is not negative"
)]
fn sort_few<const MOST: usize>(keys: &mut [u64]) {
    let mut uppers = [i32::MAX; MOST];
    for (upper, key) in uppers.iter_mut().zip(keys.iter()) {
        *upper = (key >> PLACE_BITS) as i32;
    }
    let mut sorted = [0_u64; MOST];
    for (key, upper) in keys.iter().zip(uppers) {
        // In parts of four, which one wide instruction compares and another counts.
        let mut before = [0_i32; 4];
        for part in uppers.chunks_exact(4) {
            for (count, other) in before.iter_mut().zip(part) {
                *count += i32::from(*other < upper);
            }
        }
        let rank: i32 = before.iter().sum();
        sorted[rank as usize % MOST] = *key;
    }
    keys.copy_from_slice(&sorted[..keys.len()]);
}

#[cfg(test)]
mod tests {
    use super::Order;
    use crate::packet::{Birth, Packet};
    use odonata_units::{Instant, NodeId};

    #[test]
    fn any_number_of_packets_is_ordered() {
        let birth = Birth {
            created: Instant::ZERO,
            now: Instant::ZERO,
            is_measured: true,
        };
        for (count, bits) in [
            (0, 14),
            (1, 14),
            (2, 14),
            (16, 14),
            (17, 14),
            (32, 14),
            (33, 14),
            (9, 30),
        ] {
            let mut order = Order::default();
            let mut expected = Vec::new();
            for place in 0..count {
                let mut packet = Packet::new((NodeId(0), NodeId(1)), birth, 0);
                packet.link = u32::try_from(place * 7_919 % 97).unwrap();
                packet.in_port = u8::try_from(place % 200).unwrap();
                order.push(place, &packet);
                expected.push((packet.link, packet.in_port, place));
            }
            order.sort(bits);
            expected.sort_unstable();
            let found: Vec<_> = (0..order.len()).map(|index| order.get(index).1).collect();
            let expected: Vec<_> = expected.iter().map(|one| one.2).collect();
            assert_eq!(found, expected);
        }
    }
}
