//! Windows of simulated time, and their slots in a wheel.

use odonata_units::{Instant, Span};

use crate::model::index::WindowSlot;

/// A half-open interval of simulated time that is simulated without exchange: a safe window of a
/// group, or the epoch that consists of such windows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) start: Instant,
    pub(crate) end: Instant,
}

impl Window {
    /// The empty one before everything.
    pub(crate) const NONE: Self = Self {
        start: Instant::ZERO,
        end: Instant::ZERO,
    };

    /// The last instant of the window.
    #[inline]
    pub(crate) const fn last(self) -> Instant {
        Instant::from_ps(self.end.ps() - 1)
    }

    /// The length of the window.
    #[inline]
    pub(crate) fn length(self) -> Span {
        self.end - self.start
    }
}

/// The grid of safe windows, and the wheel that their slots belong to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// `ceil(2^(64 + shift) / window)`: multiplied by an instant it gives its window, in the bits
    /// above. Exact below 2^63 ps (Granlund and Montgomery 1994, theorem 4.2).
    reciprocal: u64,
    shift: u32,
    /// Length of a window, ps.
    window: u32,
    /// The bits of the number of a window that are its slot.
    slot_mask: u64,
}

impl Clock {
    /// Windows of `window`, at least 2 ps, in a wheel of `slots`, a power of two.
    #[expect(clippy::cast_possible_truncation, reason = "the shift is chosen so")]
    pub(crate) const fn new(window: u32, slots: usize) -> Self {
        let shift = (window - 1).ilog2();
        Self {
            reciprocal: (1_u128 << (64 + shift)).div_ceil(window as u128) as u64,
            shift,
            window,
            slot_mask: slots as u64 - 1,
        }
    }

    /// Number of the window that contains `at`.
    #[inline(always)]
    const fn number(self, at: Instant) -> u64 {
        debug_assert!(at.ps() < 1 << 63);
        let product = at.ps() as u128 * self.reciprocal as u128;
        (product >> 64) as u64 >> self.shift
    }

    /// Window that contains `at`, as a slot of a wheel.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "masked to the number of slots"
    )]
    pub(crate) const fn slot(self, at: Instant) -> WindowSlot {
        WindowSlot::new((self.number(at) & self.slot_mask) as usize)
    }

    /// Start of the first window of `slot` from the window that starts at `from` on.
    #[inline(always)]
    pub(crate) const fn instant(self, from: Instant, slot: WindowSlot) -> Instant {
        let ahead = (slot.index() as u64).wrapping_sub(self.number(from)) & self.slot_mask;
        Instant::from_ps(from.ps() + ahead * self.window as u64)
    }

    /// Offset of `at` in its window, ps.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a window is shorter than 2^32 ps"
    )]
    pub(crate) const fn offset(self, at: Instant) -> u32 {
        (at.ps() as u32).wrapping_sub((self.number(at) as u32).wrapping_mul(self.window))
    }
}
