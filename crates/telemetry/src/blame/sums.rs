//! Sums by keys, of which there are many and few of those that could be.

use borsh::{BorshDeserialize, BorshSerialize};

/// Sums in a table of twice the room at least: a key stands at the first free slot from its own on.
/// Where it stands shows nowhere, for whoever asks for all gets them by key.
#[derive(Clone, Default, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Sums {
    /// One more than the key, or 0 where nothing stands; and its sum. As many as a power of two.
    slots: Vec<(u64, u64)>,
    count: usize,
}

const FIRST_SLOTS: usize = 64;

impl Sums {
    /// Adds to the sum of a key, which is below 2^64 - 1.
    #[inline]
    pub(crate) fn add(&mut self, key: u64, more: u64) {
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key + 1);
        let (taken, sum) = &mut self.slots[slot];
        if *taken == 0 {
            *taken = key + 1;
            self.count += 1;
        }
        *sum += more;
    }

    /// Where `word` stands, or would stand.
    #[inline]
    fn slot(&self, word: u64) -> usize {
        let mask = self.slots.len() - 1;
        // The middle bits of a product depend on all bits of what is multiplied.
        let mixed = (word ^ word >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slot = (mixed >> 24) as usize & mask;
        while self.slots[slot].0 != 0 && self.slots[slot].0 != word {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let length = (self.slots.len() * 2).max(FIRST_SLOTS);
        let before = std::mem::replace(&mut self.slots, vec![(0, 0); length]);
        for (word, sum) in before.into_iter().filter(|(word, _)| *word != 0) {
            let slot = self.slot(word);
            self.slots[slot] = (word, sum);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (word, sum) in other.slots.iter().filter(|(word, _)| *word != 0) {
            self.add(word - 1, *sum);
        }
    }

    /// All of them, by key.
    pub(crate) fn sorted(&self) -> Vec<(u64, u64)> {
        let there = self.slots.iter().filter(|(word, _)| *word != 0);
        let mut all: Vec<_> = there.map(|(word, sum)| (word - 1, *sum)).collect();
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Sums;

    #[test]
    fn sums_are_those_of_a_map() {
        let (mut sums, mut map) = (Sums::default(), BTreeMap::new());
        let mut other = Sums::default();
        for number in 0..20_000_u64 {
            // Keys that come again, and that differ in low bits, in high bits, in both.
            let key = ((number % 701) << (number % 3 * 27)) + number % 5;
            let half = if number % 2 == 0 {
                &mut sums
            } else {
                &mut other
            };
            half.add(key, number);
            *map.entry(key).or_insert(0) += number;
        }
        sums.merge(&other);
        assert_eq!(sums.sorted(), map.into_iter().collect::<Vec<_>>());
    }
}
