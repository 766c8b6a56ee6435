//! What only this library counts.

use odonata_interpose::Count;

/// Why a message was left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Left {
    /// The program asked for an order between messages that nothing here can keep.
    Order,
    /// It asks for something that concerns other messages: a fence, a trigger, a group.
    Flags,
    /// It belongs to another call that was steered.
    Inside,
    /// Its endpoint has no aliases: the provider gave none, or it is of another kind or domain.
    NoAlias,
}

impl Left {
    pub(crate) const ALL: [(Self, &'static str); 4] = [
        (Self::Order, "order"),
        (Self::Flags, "flags"),
        (Self::Inside, "inside_another_call"),
        (Self::NoAlias, "no_alias"),
    ];
}

/// Counts of this process.
#[derive(Debug)]
pub(crate) struct ProcessCounts {
    /// In the order of [`Left::ALL`].
    pub(crate) left: [Count; 4],
    /// Messages that went another way than decided, so as not to overtake.
    pub(crate) held: Count,
    /// Messages that were tried again with the decision of the first try.
    pub(crate) retried: Count,
    /// Calls that were answered with "try again" because a fence waits for messages of an alias.
    pub(crate) fence_waits: Count,
    /// Endpoints with aliases, those without, and why.
    pub(crate) endpoints: Count,
    pub(crate) endpoints_left: Count,
    pub(crate) aliases: Count,
    pub(crate) aliases_refused: Count,
    /// By ways: the three modes, and the endpoint itself.
    pub(crate) sent: [Count; 4],
    pub(crate) sent_unordered: Count,
    /// Estimated packets of these.
    pub(crate) packets: [Count; 4],
}

pub(crate) static COUNTS: ProcessCounts = ProcessCounts {
    left: [const { Count::new() }; 4],
    held: Count::new(),
    retried: Count::new(),
    fence_waits: Count::new(),
    endpoints: Count::new(),
    endpoints_left: Count::new(),
    aliases: Count::new(),
    aliases_refused: Count::new(),
    sent: [const { Count::new() }; 4],
    sent_unordered: Count::new(),
    packets: [const { Count::new() }; 4],
};

/// A message was left alone.
pub(crate) fn left(reason: Left) {
    COUNTS.left[reason as usize].add(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_in_the_order_of_their_names() {
        for (index, (reason, _)) in Left::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, index);
        }
    }
}
