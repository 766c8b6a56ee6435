//! Room that ladders of virtual channels leave.

/// Properties of a system that ladders of virtual channels follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Room {
    /// Hops of the longest shortest local path.
    pub(crate) longest_local: u8,
    /// Hops of the longest shortest path of a network without groups.
    pub(crate) diameter: u8,
    pub(crate) has_gaps: bool,
    pub(crate) is_damaged: bool,
}

impl Room {
    /// Room for both.
    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            longest_local: self.longest_local.max(other.longest_local),
            diameter: self.diameter.max(other.diameter),
            has_gaps: self.has_gaps || other.has_gaps,
            is_damaged: self.is_damaged || other.is_damaged,
        }
    }
}
