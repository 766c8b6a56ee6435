//! The order in which packets enter a router in a window, and in which it learns: instant, then
//! port.
//!
//! A port takes in one packet per instant at most, so that the order is total. Mostly few packets
//! enter in a window; the position of each is found by counting those before it, without a branch
//! that depends on the data. Many are spread over buckets of instants first.

use std::hint::black_box;

use crate::model::index::RecordIndex;

/// A sort key holds offset (30 bits), input port (8) and index in the list (26).
const INDEX_BITS: u32 = 26;
const PORT_BITS: u32 = 8;
/// Up to this many are ordered by counting.
const FEW: usize = 32;
/// Buckets that more are spread over, and the most that one of them may hold.
const BUCKETS: usize = 1 << BUCKET_BITS;
const BUCKET_BITS: u32 = 8;
const FULL: u32 = 24;
/// Bits of what is compared first; the sign is left out.
const COARSE_BITS: u32 = 15;

/// Key that a record is sorted by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderKey(u64);

impl OrderKey {
    /// The key of the record of number `index`, by its offset in the window, ps, and its port.
    #[inline(always)]
    pub(crate) fn new(record: RecordIndex, offset: u32, port: u8) -> Self {
        debug_assert!(record.index() < 1 << INDEX_BITS);
        let port = u64::from(port) << INDEX_BITS;
        Self(u64::from(offset) << (INDEX_BITS + PORT_BITS) | port | record.index() as u64)
    }
}

/// Keys of what reaches a router in a window.
#[derive(Debug, Default)]
pub(crate) struct Order {
    keys: Vec<u64>,
    /// The list that many keys are sorted into.
    spare: Vec<u64>,
}

impl Order {
    /// Adds a record by its key.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: OrderKey) {
        self.keys.push(key.0);
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Puts the records in order; offsets have `offset_bits`.
    #[inline(always)]
    pub(crate) fn sort(&mut self, offset_bits: u32) {
        if !self.sort_distinct(offset_bits) {
            self.sort_many(offset_bits);
        }
    }

    /// Sorts any number of records: spread over buckets of instants, most of which then hold one or
    /// none.
    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "the lowest bits")]
    fn sort_many(&mut self, offset_bits: u32) {
        if self.keys.len() <= FEW {
            return self.keys.sort_unstable();
        }
        let finest = INDEX_BITS + PORT_BITS + offset_bits.saturating_sub(BUCKET_BITS);
        let bucket = |key: u64| (key >> finest) as usize % BUCKETS;
        let mut starts = [0_u32; BUCKETS];
        for key in &self.keys {
            starts[bucket(*key)] += 1;
        }
        if starts.iter().any(|count| *count > FULL) {
            return self.keys.sort_unstable();
        }
        let mut before = 0;
        for start in &mut starts {
            before += std::mem::replace(start, before);
        }
        let Self { keys, spare } = self;
        spare.resize(keys.len(), 0);
        for key in keys.iter() {
            let next = &mut starts[bucket(*key)];
            spare[*next as usize] = *key;
            *next += 1;
        }
        for next in 1..spare.len() {
            let key = spare[next];
            let mut position = next;
            while position > 0 && spare[position - 1] > key {
                spare[position] = spare[position - 1];
                position -= 1;
            }
            spare[position] = key;
        }
        std::mem::swap(keys, spare);
    }

    /// As [`Order::sort`] if the records are few and differ in their first bits; else nothing is
    /// done, and the result is false.
    #[inline(always)]
    pub(crate) fn sort_distinct(&mut self, offset_bits: u32) -> bool {
        let finest = INDEX_BITS + (offset_bits + PORT_BITS).saturating_sub(COARSE_BITS);
        match self.keys.len() {
            0..=1 => true,
            2..=8 => sort_few::<8>(&mut self.keys, finest),
            9..=16 => sort_few::<16>(&mut self.keys, finest),
            17..=FEW => sort_few::<FEW>(&mut self.keys, finest),
            _ => false,
        }
    }

    /// Puts the records in the order of their `key`.
    #[cold]
    pub(crate) fn sort_by_key<K: Ord>(&mut self, key: impl Fn(RecordIndex) -> K) {
        self.keys.sort_unstable_by_key(|one| key(index_of(*one)));
    }

    /// The offset in the window, ps, and the number in its list of the record that is number
    /// `number` in the order.
    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> (u64, RecordIndex) {
        let key = self.keys[number];
        (key >> (INDEX_BITS + PORT_BITS), index_of(key))
    }
}

#[inline]
const fn index_of(key: u64) -> RecordIndex {
    RecordIndex::new((key & ((1 << INDEX_BITS) - 1)) as usize)
}

/// Sorts at most `MOST` keys by their [`COARSE_BITS`] from `finest` on, above which they are zero;
/// false, and nothing done, if two of them do not differ there.
///
/// Every key is compared with all at once, and all that are larger move up by one. The compiler
/// does that with a few wide instructions if it cannot see through the one key: otherwise it
/// turns the loops round.
#[inline(never)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "15 bits, and counts up to 32"
)]
fn sort_few<const MOST: usize>(keys: &mut [u64], finest: u32) -> bool {
    let count = keys.len().min(MOST);
    let mut coarse = [i16::MAX; MOST];
    for (coarse, key) in coarse.iter_mut().zip(keys.iter()) {
        *coarse = (key >> finest) as i16;
    }
    let mut ranks = [0_u8; MOST];
    for position in 0..count {
        let one = black_box(coarse[position]);
        for (rank, other) in ranks.iter_mut().zip(&coarse) {
            *rank += u8::from(one < *other);
        }
    }
    // The sum of different ranks, and of those that the positions behind the last key have.
    let expected = count * count.saturating_sub(1) / 2 + count * (MOST - count);
    let found: u32 = ranks.iter().copied().map(u32::from).sum();
    if found as usize != expected {
        return false;
    }
    let mut sorted = [0_u64; MOST];
    for (key, rank) in keys.iter().zip(ranks) {
        sorted[usize::from(rank) % MOST] = *key;
    }
    keys.copy_from_slice(&sorted[..count]);
    true
}

#[cfg(test)]
mod tests {
    use super::{Order, OrderKey, RecordIndex};

    #[test]
    fn any_number_of_packets_is_ordered() {
        // Every number of packets, few bits of offset (many ties), as many as are compared first,
        // and more; many packets spread over the window, and at a few instants of it.
        let counts = (0..72).chain([200, 256]);
        let cases = counts.flat_map(|count| [(count, 3), (count, 7), (count, 14), (count, 30)]);
        for (count, bits) in cases {
            let mut order = Order::default();
            let mut expected = Vec::new();
            for index in 0..count {
                let mixed = u32::try_from(index).unwrap().wrapping_mul(2_654_435_761);
                let offset = mixed >> 2 & ((1 << bits) - 1);
                let port = u8::try_from(255 - index).unwrap();
                order.push(OrderKey::new(RecordIndex::new(index), offset, port));
                expected.push((offset, port, index));
            }
            order.sort(bits);
            expected.sort_unstable();
            let found: Vec<_> = (0..order.len())
                .map(|index| order.get(index).1.index())
                .collect();
            let expected: Vec<_> = expected.iter().map(|one| one.2).collect();
            assert_eq!(found, expected);
        }
    }
}
