//! Simulated time: instants and spans in integer picoseconds.
//!
//! Neither wraps. A span too long for 64 bits (213 days) is the longest span, and an instant too
//! late for them is the last one before [`Instant::NEVER`].

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

use borsh::{BorshDeserialize, BorshSerialize};

/// A point of simulated time, in picoseconds since the start of the run.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize,
)]
pub struct Instant(u64);

/// A length of simulated time, in picoseconds.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize,
)]
pub struct Span(u64);

impl Instant {
    /// The start of every run.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const NEVER: Self = Self(u64::MAX);

    /// The instant `ps` picoseconds after the start.
    #[must_use]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Picoseconds since the start.
    #[must_use]
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// What lies out of reach of 64 bits: something that will happen, unless this is never.
    #[cold]
    const fn last(self) -> Self {
        if self.0 == u64::MAX {
            Self::NEVER
        } else {
            Self(u64::MAX - 1)
        }
    }

    /// The span since `earlier`, zero if `earlier` is later.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// `self + span` where both are known to be far from the end of time: the sum is not checked
    /// but in builds with debug assertions. For hot loops.
    #[inline(always)]
    #[must_use]
    pub const fn plus(self, span: Span) -> Self {
        debug_assert!(self.0 <= u64::MAX / 2 && span.0 <= u64::MAX / 2);
        Self(self.0.wrapping_add(span.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// A span of `ps` picoseconds.
    #[must_use]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// A span of `ns` nanoseconds.
    #[must_use]
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns.saturating_mul(1_000))
    }

    /// The span in picoseconds.
    #[must_use]
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// The span less `other`, zero if `other` is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add<Span> for Instant {
    type Output = Self;
    #[inline]
    fn add(self, span: Span) -> Self {
        match self.0.checked_add(span.0) {
            Some(sum) if sum < u64::MAX => Self(sum),
            _ => self.last(),
        }
    }
}

impl AddAssign<Span> for Instant {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub for Instant {
    type Output = Span;
    #[inline]
    fn sub(self, earlier: Self) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u64> for Span {
    type Output = Self;
    fn mul(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NEVER {
            write!(f, "never")
        } else {
            write!(f, "@{}ps", self.0)
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ps", self.0)
    }
}

/// Instants do not add.
///
/// ```compile_fail
/// use odonata_units::Instant;
/// let _ = Instant::ZERO + Instant::ZERO;
/// ```
#[cfg(doctest)]
struct InstantsDoNotAdd;

#[cfg(test)]
mod tests {
    use super::{Instant, Span};
    use crate::rate::Bandwidth;

    #[test]
    fn time_does_not_wrap() {
        let longest = Span::from_ps(u64::MAX);
        assert_eq!(Span::from_ps(1 << 40) * (1 << 24), longest);
        assert_eq!(Span::from_ns(u64::MAX), longest);
        assert_eq!(longest + Span::from_ps(1), longest);
        let slow = Bandwidth::from_bytes_per_second(1).map(|rate| rate.serialization(u64::MAX));
        assert_eq!(slow, Some(longest));
        // Late is not never: who computes for 300 days has not stalled.
        let late = Instant::from_ps(5) + longest;
        assert!(late > Instant::from_ps(1 << 63) && late < Instant::NEVER);
        assert_eq!(late + longest, late);
        assert_eq!(Instant::NEVER + Span::from_ps(1), Instant::NEVER);
    }
}
