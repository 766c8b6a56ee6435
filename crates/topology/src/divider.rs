//! Division by a number known when the system is built, without a divide instruction.

/// Divides by a fixed divisor with one multiplication (Granlund and Montgomery 1994, section 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divider {
    /// `floor(2^63 / divisor) + 1`.
    multiplier: u64,
    divisor: u32,
}

const SHIFT: u32 = 63;

impl Divider {
    /// Divides by `divisor`, in `[1, 2^31)`.
    ///
    /// # Panics
    /// On any other divisor.
    #[must_use]
    pub const fn new(divisor: u32) -> Self {
        assert!(
            divisor >= 1 && divisor < 1 << 31,
            "a divisor lies in [1, 2^31)"
        );
        Self {
            multiplier: (1 << SHIFT) / divisor as u64 + 1,
            divisor,
        }
    }

    /// `dividend / divisor`, rounded down.
    ///
    /// The multiplier is `(2^63 + e) / divisor` with `0 < e <= divisor < 2^31`, so the product is
    /// too large by `dividend * e / divisor < 2^63 / divisor` at most, which never reaches the
    /// next whole quotient.
    #[inline]
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the quotient is at most the dividend"
    )]
    pub const fn quotient(self, dividend: u32) -> u32 {
        ((self.multiplier as u128 * dividend as u128) >> SHIFT) as u32
    }

    /// `dividend / divisor` rounded down, and what remains.
    #[inline]
    #[must_use]
    pub const fn split(self, dividend: u32) -> (u32, u32) {
        let quotient = self.quotient(dividend);
        (quotient, dividend - quotient * self.divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::Divider;

    #[test]
    fn agrees_with_the_division_operator() {
        let mut divisors: Vec<u32> = (1..=300).collect();
        divisors.extend([1 << 16, (1 << 24) - 1, 1 << 24, (1 << 31) - 1]);
        for divisor in divisors {
            let divider = Divider::new(divisor);
            let multiples =
                [1, 2, 1_000, u32::MAX / divisor].map(|m: u32| m.saturating_mul(divisor));
            let near = multiples
                .iter()
                .flat_map(|&m| [m.saturating_sub(1), m, m.saturating_add(1)]);
            for dividend in (0..1_000).chain(near).chain([u32::MAX - 1, u32::MAX]) {
                let expected = (dividend / divisor, dividend % divisor);
                assert_eq!(divider.split(dividend), expected, "{dividend} / {divisor}");
            }
        }
    }
}
