//! What a rank waits for, in words.

use super::requests::{Slot, Way};
use super::{MpiRank, Step};

/// A context in words: the communicator, and whether a collective uses it.
pub(super) fn context_name(context: u32) -> String {
    let communicator = context / 2;
    if context % 2 == 1 {
        format!("collective on communicator {communicator}")
    } else {
        format!("communicator {communicator}")
    }
}

impl MpiRank {
    /// Stops the rank for good; the reason becomes its diagnosis.
    pub(super) fn fail(&mut self, reason: String) {
        self.failure = Some(reason);
        self.continue_with(Step::Failed, odonata_units::Instant::NEVER);
    }

    /// What the rank waits for, in words: operation, direction, peer, tag, communicator, size.
    pub(super) fn blocked_on(&self) -> Option<String> {
        if let Some(failure) = &self.failure {
            return Some(failure.clone());
        }
        if !matches!(self.cpu.step, Step::Blocked) {
            return None;
        }
        let operation = self.operation.name();
        let &first = self.waiting.first()?;
        let what = describe(self.requests.get(first));
        let others = match self.waiting.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let unexpected = match self.matching.unexpected_count() {
            0 => String::new(),
            count => format!("; {count} messages arrived that no receive matches"),
        };
        let open = self.requests.open_count();
        Some(format!(
            "{operation} waits for {what}{others} ({open} requests open{unexpected})"
        ))
    }
}

fn describe(slot: &Slot) -> String {
    let peer = slot
        .peer
        .map_or_else(|| "any rank".to_owned(), |peer| format!("rank {peer}"));
    let tag = slot
        .tag
        .map_or_else(|| "any tag".to_owned(), |tag| format!("tag {tag}"));
    let size = match slot.bytes {
        u64::MAX => "any size".to_owned(),
        bytes => format!("{bytes} B"),
    };
    let way = match slot.way {
        Way::Send => "the acknowledgement of a send to",
        Way::Receive => "a message from",
    };
    format!(
        "{way} {peer} ({tag}, {}, {size})",
        context_name(slot.context)
    )
}
