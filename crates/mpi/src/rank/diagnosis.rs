//! Waits of a rank, in words.

use odonata_units::Instant;

use super::MpiRank;
use super::crew::Crew;
use super::requests::{OpenRequest, RequestKind};
use super::strand::{Step, Strand, Task};

/// Blocked operations of a rank that are spelled out.
const MOST_WAITS: usize = 3;

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
        self.continue_with(Step::Failed, Instant::NEVER);
    }

    /// Wait of the rank, in words: operation, direction, peer, tag, communicator, size.
    pub(super) fn blocked_on(&self) -> Option<String> {
        if let Some(failure) = &self.failure {
            return Some(failure.clone());
        }
        let blocked = match &self.crew {
            None => self.wait_of(&self.strand)?,
            Some(crew) if crew.next() == Instant::NEVER => self.waits_of(crew)?,
            Some(_) => return None,
        };
        let unexpected = match self.matching.unexpected_count() {
            0 => String::new(),
            count => format!("; {count} messages arrived that no receive matches"),
        };
        let open = self.requests.open_count();
        Some(format!("{blocked} ({open} requests open{unexpected})"))
    }

    /// Wait of a blocked strand.
    fn wait_of(&self, strand: &Strand) -> Option<String> {
        if !matches!(strand.step, Step::Blocked) {
            return None;
        }
        let operation = match strand.task {
            Task::Collective(_) => format!("nonblocking {}", strand.operation.name()),
            Task::Operation(position) => {
                let (name, stream) = (strand.operation.name(), self.stream_name(strand.stream));
                format!("operation {position} ({name}, stream {stream})")
            }
            Task::Sequence => strand.operation.name(),
        };
        let &first = strand.awaited.slots().first()?;
        let what = self.describe(self.requests.get(first));
        let others = match strand.awaited.slots().len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("{operation} waits for {what}{others}"))
    }

    /// Waits of several blocked strands, and how many operations wait for them.
    fn waits_of(&self, crew: &Crew) -> Option<String> {
        let mut waits: Vec<String> = crew
            .strands()
            .filter_map(|strand| self.wait_of(strand))
            .collect();
        let more = waits.len().saturating_sub(MOST_WAITS);
        waits.truncate(MOST_WAITS);
        if waits.is_empty() {
            return None;
        }
        if more > 0 {
            waits.push(format!("{more} more are blocked"));
        }
        let waiting = crew.waiting_operations();
        if waiting > 0 {
            waits.push(format!("{waiting} operations wait for these"));
        }
        Some(waits.join("; "))
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
        let context = context_name(slot.context);
        let (way, why) = match slot.kind {
            RequestKind::Collective => return format!("the end of a nonblocking {context}"),
            RequestKind::Put | RequestKind::Get => {
                let what = if slot.kind == RequestKind::Put {
                    "put"
                } else {
                    "get"
                };
                return format!("the end of a {what} at {peer} ({context}, {size})");
            }
            RequestKind::Receive => ("a message from", String::new()),
            RequestKind::SynchronousSend => (
                "the receive of a synchronous send to",
                "; such a send waits for its receive whatever its size".to_owned(),
            ),
            RequestKind::Send => (
                "the receive of a send to",
                format!(
                    "; above `mpi.eager_limit` = {} B a send waits for its receive",
                    self.parameters.eager_limit
                ),
            ),
        };
        format!("{way} {peer} ({tag}, {context}, {size}){why}")
    }
}
