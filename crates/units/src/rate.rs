//! Link rates, and the one place where a rate that does not divide a picosecond is rounded.

use crate::time::Span;

/// A link rate in bytes per second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bandwidth(u64);

const PICOSECONDS_PER_SECOND: u128 = 1_000_000_000_000;

impl Bandwidth {
    /// A rate of `rate` bytes per second; `None` if it is zero.
    #[must_use]
    pub const fn from_bytes_per_second(rate: u64) -> Option<Self> {
        if rate == 0 { None } else { Some(Self(rate)) }
    }

    /// The rate in bytes per second.
    #[must_use]
    pub const fn bytes_per_second(self) -> u64 {
        self.0
    }

    /// Time to move `bytes` over the link, **rounded up** to a whole picosecond.
    ///
    /// This is the only rounding of time in Odonata.
    ///
    /// ```
    /// use odonata_units::{Bandwidth, Span};
    /// let slingshot = Bandwidth::from_bytes_per_second(25_000_000_000).unwrap();
    /// assert_eq!(slingshot.serialization(512), Span::from_ps(20_480));
    /// ```
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "compared before")]
    pub const fn serialization(self, bytes: u64) -> Span {
        let ps = (bytes as u128 * PICOSECONDS_PER_SECOND).div_ceil(self.0 as u128);
        // 2^64 ps are 213 days on one link.
        Span::from_ps(if ps > u64::MAX as u128 {
            u64::MAX
        } else {
            ps as u64
        })
    }
}
