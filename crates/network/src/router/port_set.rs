//! A set of the ports of a router.

use odonata_topology::PortIndex;

/// Words of a set: a radix is at most 255.
const WORDS: usize = 4;

/// Ports of a router, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PortSet([u64; WORDS]);

impl PortSet {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |bits, word| bits | word) == 0
    }

    #[inline]
    pub(crate) const fn insert(&mut self, port: PortIndex) {
        self.0[word_of(port)] |= bit_of(port);
    }

    #[inline]
    pub(crate) const fn remove(&mut self, port: PortIndex) {
        self.0[word_of(port)] &= !bit_of(port);
    }

    /// Calls `each` for the ports of the set in ascending order. Only the first `words` words of
    /// 64 ports are looked at: a router has no more.
    #[inline]
    pub(crate) fn for_each(self, words: usize, mut each: impl FnMut(PortIndex)) {
        for (word, bits) in (0_u16..).zip(self.0).take(words) {
            let mut left = bits;
            while left != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
                let port = left.trailing_zeros() as u16;
                left &= left - 1;
                each(PortIndex(word * 64 + port));
            }
        }
    }
}

#[inline]
const fn word_of(port: PortIndex) -> usize {
    (port.index() >> 6) % WORDS
}

#[inline]
const fn bit_of(port: PortIndex) -> u64 {
    1 << (port.index() & 63)
}
