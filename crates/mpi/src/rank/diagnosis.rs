//! What a rank waits for, in words.

use super::requests::{OpenRequest, Way};
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
        let what = self.describe(self.requests.get(first));
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

    fn describe(&self, slot: &OpenRequest) -> String {
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
        let (way, why) = match slot.way {
            Way::Receive => ("a message from", String::new()),
            Way::SynchronousSend => (
                "the receive of a synchronous send to",
                "; such a send waits for its receive whatever its size".to_owned(),
            ),
            Way::Send => (
                "the receive of a send to",
                format!(
                    "; above `mpi.eager_limit` = {} B a send waits for its receive",
                    self.parameters.eager_limit
                ),
            ),
        };
        let context = context_name(slot.context);
        format!("{way} {peer} ({tag}, {context}, {size}){why}")
    }
}
