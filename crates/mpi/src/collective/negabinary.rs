//! Numbers to the base -2, and the distances that Bine trees and butterflies take from them.
//!
//! In round `r` an even virtual rank exchanges with the one `1 - 2 + 4 - ... (r + 1 terms)` further
//! on, an odd one with the one as far back: at distances 1, -1, 3, -5, 11, ..., modulo the number
//! of virtual ranks, a power of two (De Sensi et al. 2025).

/// Bits of the odd, negative digits.
const NEGATIVE: u32 = 0xAAAA_AAAA;

/// The virtual rank that `vrank` of `2^rounds` exchanges with in a round.
pub(super) const fn partner(vrank: u32, round: u32, rounds: u32) -> u32 {
    // All lowest digits 1: the sum of (-2)^k for k up to `round`.
    let distance = from_negabinary(low_bits(round + 1));
    let other = if vrank.is_multiple_of(2) {
        vrank.wrapping_add(distance)
    } else {
        vrank.wrapping_sub(distance)
    };
    other & low_bits(rounds)
}

/// The rounds, as bits, in which one moves on the way from virtual rank 0 to `vrank`, first round
/// first.
///
/// Steps alternate in direction, so that a pair of rounds `i < j` moves by minus the digits
/// `i + 1 ..= j`; an odd number of rounds begins with the digits `0 ..= i`. The rounds are where
/// the digits of the (for even virtual ranks negated) virtual rank change.
pub(super) const fn path(vrank: u32, rounds: u32) -> u32 {
    let value = if vrank.is_multiple_of(2) {
        vrank.wrapping_neg()
    } else {
        vrank
    };
    changes(value, rounds)
}

/// The inverse of [`path`].
pub(super) const fn vrank(path: u32, rounds: u32) -> u32 {
    let mut digits = path;
    let mut shift = 1;
    while shift < u32::BITS {
        digits ^= digits >> shift;
        shift *= 2;
    }
    let value = from_negabinary(digits);
    let vrank = if digits.is_multiple_of(2) {
        value.wrapping_neg()
    } else {
        value
    };
    vrank & low_bits(rounds)
}

/// Bits where the negabinary digits of `value` differ from the next higher one.
pub(super) const fn changes(value: u32, rounds: u32) -> u32 {
    let digits = (value.wrapping_add(NEGATIVE) ^ NEGATIVE) & low_bits(rounds);
    digits ^ (digits >> 1)
}

const fn from_negabinary(digits: u32) -> u32 {
    (digits ^ NEGATIVE).wrapping_sub(NEGATIVE)
}

const fn low_bits(count: u32) -> u32 {
    if count >= u32::BITS {
        u32::MAX
    } else {
        (1 << count) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::{partner, path, vrank};

    #[test]
    fn distances_are_those_of_the_paper() {
        let distances: Vec<u32> = (0..6).map(|round| partner(0, round, 10)).collect();
        // 1, -1, 3, -5, 11, -21 modulo 1,024.
        assert_eq!(distances, [1, 1_023, 3, 1_019, 11, 1_003]);
        assert_eq!(partner(7, 2, 4), 4, "odd virtual ranks go back");
    }

    #[test]
    fn a_path_leads_to_its_virtual_rank() {
        for rounds in 0..10 {
            for target in 0..1 << rounds {
                let steps = path(target, rounds);
                let walked = (0..rounds)
                    .filter(|round| steps >> round & 1 == 1)
                    .fold(0, |at, round| partner(at, round, rounds));
                assert_eq!(walked, target);
                assert_eq!(vrank(steps, rounds), target);
            }
        }
    }
}
