//! Sums by keys, of which there are many and few of those that could be.

/// Sums in a table of twice the room at least: a key stands at the first free place from its own on.
/// Where it stands shows nowhere, for whoever asks for all gets them by key.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sums {
    /// One more than the key, or 0 where nothing stands; and its sum. As many as a power of two.
    places: Vec<(u64, u64)>,
    count: usize,
}

const FIRST_PLACES: usize = 64;

impl Sums {
    /// Adds to the sum of a key, which is below 2^64 - 1.
    #[inline]
    pub(crate) fn add(&mut self, key: u64, more: u64) {
        if self.count * 2 >= self.places.len() {
            self.grow();
        }
        let place = self.place(key + 1);
        let (taken, sum) = &mut self.places[place];
        if *taken == 0 {
            *taken = key + 1;
            self.count += 1;
        }
        *sum += more;
    }

    /// Where `word` stands, or would stand.
    #[inline]
    fn place(&self, word: u64) -> usize {
        let mask = self.places.len() - 1;
        // The middle bits of a product depend on all bits of what is multiplied.
        let mixed = (word ^ word >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut place = (mixed >> 24) as usize & mask;
        while self.places[place].0 != 0 && self.places[place].0 != word {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let length = (self.places.len() * 2).max(FIRST_PLACES);
        let before = std::mem::replace(&mut self.places, vec![(0, 0); length]);
        for (word, sum) in before.into_iter().filter(|(word, _)| *word != 0) {
            let place = self.place(word);
            self.places[place] = (word, sum);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (word, sum) in other.places.iter().filter(|(word, _)| *word != 0) {
            self.add(word - 1, *sum);
        }
    }

    /// All of them, by key.
    pub(crate) fn sorted(&self) -> Vec<(u64, u64)> {
        let there = self.places.iter().filter(|(word, _)| *word != 0);
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
