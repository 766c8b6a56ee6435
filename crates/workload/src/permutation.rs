//! Random permutations that are computed entry by entry.

use odonata_units::{Purpose, Stream};

const ROUNDS: usize = 6;

/// A random permutation of `0..size`, its inverse included, in constant space.
///
/// A Feistel network (Luby and Rackoff 1988) of six rounds over the next even number of bits;
/// results outside the range are permuted again (cycle walking, Black and Rogaway 2002). Every
/// rank of a job computes its own partners of the same permutation. Cost: about two walks on
/// average, four at most on average over all sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permutation {
    size: u32,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

/// Owner of a permutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PermutationKey {
    /// Seed of the run.
    pub(crate) seed: u64,
    /// Number of the job.
    pub(crate) job: u64,
    /// Number of the permutation among those of the job.
    pub(crate) number: u64,
}

impl Permutation {
    /// The permutation of `0..size` that belongs to `key`.
    pub(crate) fn new(size: u32, key: PermutationKey) -> Self {
        let mut root = Stream::new(key.seed, Purpose::Job, key.job);
        let mut stream = Stream::new(root.next_u64(), Purpose::Job, key.number);
        let bits = u32::BITS - size.saturating_sub(1).leading_zeros();
        let half_bits = bits.div_ceil(2).max(1);
        Self {
            size,
            half_bits,
            keys: [(); ROUNDS].map(|()| stream.next_u64()),
        }
    }

    /// Where `index` goes.
    pub(crate) fn forward(&self, index: u32) -> u32 {
        self.walk(index, |position| {
            let (mut left, mut right) = self.split(position);
            for &key in &self.keys {
                (left, right) = (right, left ^ self.mix(right, key));
            }
            self.join(left, right)
        })
    }

    /// Source of `index`.
    pub(crate) fn backward(&self, index: u32) -> u32 {
        self.walk(index, |position| {
            let (mut left, mut right) = self.split(position);
            for &key in self.keys.iter().rev() {
                (left, right) = (right ^ self.mix(left, key), left);
            }
            self.join(left, right)
        })
    }

    fn walk(&self, index: u32, step: impl Fn(u64) -> u64) -> u32 {
        debug_assert!(index < self.size, "an index outside the permutation");
        let mut position = u64::from(index);
        loop {
            position = step(position);
            if let Some(inside) = u32::try_from(position).ok().filter(|&at| at < self.size) {
                return inside;
            }
        }
    }

    const fn split(&self, position: u64) -> (u64, u64) {
        (position >> self.half_bits, position & self.mask())
    }

    const fn join(&self, left: u64, right: u64) -> u64 {
        (left << self.half_bits) | right
    }

    const fn mask(&self) -> u64 {
        (1 << self.half_bits) - 1
    }

    /// A keyed function of one half: one draw of a stream whose seed is the half under the key.
    const fn mix(&self, half: u64, key: u64) -> u64 {
        Stream::new(key, Purpose::Job, half).next_u64() & self.mask()
    }
}

/// A uniformly random permutation of `0..size` without fixed point, as a table.
///
/// Shuffles until none is left (2.7 times on average). `size` is at least 2.
pub(crate) fn derangement(size: u32, mut stream: Stream) -> Vec<u32> {
    assert!(size >= 2, "one element cannot move");
    loop {
        let mut table: Vec<u32> = (0..size).collect();
        for position in (1..size).rev() {
            let other = stream.below(position + 1);
            table.swap(position as usize, other as usize);
        }
        if (0..)
            .zip(&table)
            .all(|(position, &target)| position != target)
        {
            return table;
        }
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::{Purpose, Stream};

    use super::{Permutation, PermutationKey, derangement};

    #[test]
    fn forward_is_a_bijection_and_backward_its_inverse() {
        for size in (1..70).chain([528, 1000, 1024, 1025]) {
            for number in 0..5 {
                let permutation = Permutation::new(
                    size,
                    PermutationKey {
                        seed: 9,
                        job: 2,
                        number,
                    },
                );
                let mut seen = vec![false; size as usize];
                for index in 0..size {
                    let target = permutation.forward(index);
                    assert!(!seen[target as usize], "{size}: {target} twice");
                    seen[target as usize] = true;
                    assert_eq!(permutation.backward(target), index);
                }
            }
        }
    }

    #[test]
    fn permutations_look_random() {
        // Targets of one position, chi-square with 10 degrees of freedom: 29.6 once in a thousand.
        let mut counts = [0_u32; 11];
        let mut fixed = 0_u32;
        for number in 0..11_000 {
            let permutation = Permutation::new(
                11,
                PermutationKey {
                    seed: 1,
                    job: 0,
                    number,
                },
            );
            counts[permutation.forward(4) as usize] += 1;
            fixed += (0..11)
                .map(|i| u32::from(permutation.forward(i) == i))
                .sum::<u32>();
        }
        let chi: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 1_000.0).powi(2) / 1_000.0)
            .sum();
        assert!(chi < 29.6, "{chi}");
        // One fixed point each on average, with variance 1: 4 sigma are 420.
        assert!(fixed.abs_diff(11_000) < 420, "{fixed}");
    }

    #[test]
    fn nobody_stays_in_a_derangement() {
        for size in 2..40 {
            let table = derangement(size, Stream::new(1, Purpose::Job, u64::from(size)));
            let mut sorted = table.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..size).collect::<Vec<_>>());
            assert!((0..).zip(&table).all(|(i, &t)| i != t));
        }
    }
}
