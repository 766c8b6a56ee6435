//! Counts of this library alone.

use odonata_interpose::Count;

odonata_interpose::left_alone! {
    /// Why a message was left alone.
    pub(crate) enum LeftAlone {
        /// The program asked for an order between messages that nothing here can keep.
        Order = "order",
        /// It asks for something that concerns other messages: a fence, a trigger, a group.
        Flags = "flags",
        /// It belongs to another call that was steered.
        Inside = "inside_another_call",
        /// Its endpoint has no aliases: the provider gave none, or it is of another kind or domain.
        NoAlias = "no_alias",
    }
}

/// Counts of one process.
#[derive(Debug)]
pub(crate) struct ProcessCounts {
    /// Messages that were posted to another target than decided, so as not to overtake.
    pub(crate) held: Count,
    /// Messages that were posted again with the decision of the first try.
    pub(crate) retried: Count,
    /// Calls that were answered with "try again" because a fence waits for messages of an alias.
    pub(crate) fence_waits: Count,
    /// Endpoints that were given aliases.
    pub(crate) endpoints: Count,
    /// Endpoints that were left as they are.
    pub(crate) endpoints_left: Count,
    /// Aliases that were made.
    pub(crate) aliases: Count,
    /// Aliases that the provider did not make.
    pub(crate) aliases_refused: Count,
    /// Messages sent, by [`crate::PostTarget::number`].
    pub(crate) sent: [Count; 4],
    /// Messages sent over an unordered alias.
    pub(crate) sent_unordered: Count,
    /// Estimated packets of the messages sent, by [`crate::PostTarget::number`].
    pub(crate) packets: [Count; 4],
}

/// Counts of this process.
pub(crate) static COUNTS: ProcessCounts = ProcessCounts {
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
