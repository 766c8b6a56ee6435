//! What is left to do, and what was done.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::Instant;

/// What a block, or all of them, still have to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct Status {
    /// The instant before which nothing happens; [`Instant::NEVER`] if nothing will.
    pub next: Instant,
    /// The instant before which nothing has to be simulated, though things may be under way; the
    /// status stays the same until then.
    pub idle_until: Instant,
    /// Goals not yet reached; the run ends when the sum over blocks is zero.
    pub open_goals: i64,
    /// Next instant at which something that a goal depends on is known to happen by itself;
    /// [`Instant::NEVER`] if goals only wait for others.
    pub goal_next: Instant,
    /// Things under way that a goal may be waiting for (summed over blocks). With none of them,
    /// and no [`Status::goal_next`], goals can only wait for each other: a stall, at once.
    pub on_the_way: i64,
    /// Steps made so far that can help a goal (summed over blocks): what tells a stall of things
    /// that are under way.
    pub progress: u64,
    /// Work done so far, towards goals or not (summed over blocks), which a user sees.
    pub work: u64,
}

impl Status {
    /// The status of a block that has nothing to do and has done nothing.
    pub const IDLE: Self = Self {
        next: Instant::NEVER,
        idle_until: Instant::NEVER,
        open_goals: 0,
        goal_next: Instant::NEVER,
        on_the_way: 0,
        progress: 0,
        work: 0,
    };

    /// The status of two blocks together.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            next: self.next.min(other.next),
            idle_until: self.idle_until.min(other.idle_until),
            open_goals: self.open_goals + other.open_goals,
            goal_next: self.goal_next.min(other.goal_next),
            on_the_way: self.on_the_way + other.on_the_way,
            progress: self.progress + other.progress,
            work: self.work + other.work,
        }
    }
}
