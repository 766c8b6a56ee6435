//! Matching: posted receives, unexpected messages, and the order of messages of one sender.

use std::collections::{BTreeMap, VecDeque};

use crate::header::Envelope;
use crate::peer_counts::PeerCounts;

/// A receive that has been posted and not yet matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Posted {
    /// Context as in [`Envelope`].
    pub context: u32,
    /// Sender as a rank of the job; `None`: any.
    pub source: Option<u32>,
    /// Tag; `None`: any.
    pub tag: Option<u32>,
    /// Request slot.
    pub slot: u32,
    /// Repetition of the program that receives: messages of another one never match.
    pub repetition: u32,
}

impl Posted {
    const fn accepts(&self, envelope: &Envelope) -> bool {
        self.context == envelope.context
            && self.repetition == envelope.repetition
            && match self.source {
                Some(source) => source == envelope.source,
                None => true,
            }
            && match self.tag {
                Some(tag) => tag == envelope.tag,
                None => true,
            }
    }
}

/// The result of a search: how many entries were looked at, and the one that matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search<T> {
    /// Entries compared, the matching one included.
    pub examined: u64,
    /// The matching entry, taken out of its queue.
    pub found: Option<T>,
}

/// The two queues of a rank, both searched from the oldest entry.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    posted: VecDeque<Posted>,
    unexpected: VecDeque<Envelope>,
    /// By sender: the number of the envelope that comes next.
    order: PeerCounts,
    /// By sender and number: envelopes that came before others; most ranks never have one.
    #[expect(clippy::box_collection, reason = "most ranks have none, and are many")]
    early: Option<Box<BTreeMap<(u32, u32), Envelope>>>,
}

impl Matching {
    /// Puts a receive at the end of the posted queue.
    pub fn post(&mut self, posted: Posted) {
        self.posted.push_back(posted);
    }

    /// Puts a message at the end of the unexpected queue.
    pub fn keep(&mut self, envelope: Envelope) {
        self.unexpected.push_back(envelope);
    }

    /// Takes the oldest posted receive that accepts `envelope`.
    pub fn search_posted(&mut self, envelope: &Envelope) -> Search<Posted> {
        take_first(&mut self.posted, |posted| posted.accepts(envelope))
    }

    /// Takes the oldest unexpected message that `posted` accepts.
    pub fn search_unexpected(&mut self, posted: &Posted) -> Search<Envelope> {
        take_first(&mut self.unexpected, |envelope| posted.accepts(envelope))
    }

    /// Passes on an envelope that arrives, and any later ones it held up, in the order in which
    /// their sender sent them; keeps it back while an earlier one is missing.
    pub fn in_order(&mut self, envelope: Envelope, mut pass: impl FnMut(Envelope)) {
        let source = envelope.source;
        let expected = self.order.of(source);
        if envelope.sequence != *expected {
            let early = self.early.get_or_insert_default();
            early.insert((source, envelope.sequence), envelope);
            return;
        }
        *expected = expected.wrapping_add(1);
        pass(envelope);
        let Some(early) = &mut self.early else {
            return;
        };
        while let Some(next) = early.remove(&(source, *expected)) {
            *expected = expected.wrapping_add(1);
            pass(next);
        }
    }

    /// Forgets the messages that nobody has asked for: the program that could is over.
    pub fn forget_unexpected(&mut self) {
        self.unexpected.clear();
    }

    /// Number of messages nobody has asked for yet.
    #[must_use]
    pub fn unexpected_count(&self) -> usize {
        self.unexpected.len() + self.early.as_ref().map_or(0, |early| early.len())
    }
}

/// Takes the first entry of `queue` that `accepts` holds for. As a rule it is the first of all.
#[inline(always)]
fn take_first<T>(queue: &mut VecDeque<T>, accepts: impl Fn(&T) -> bool) -> Search<T> {
    if queue.front().is_some_and(&accepts) {
        return Search {
            examined: 1,
            found: queue.pop_front(),
        };
    }
    let position = queue.iter().position(accepts);
    Search {
        examined: position.map_or(queue.len(), |at| at + 1) as u64,
        found: position.and_then(|at| queue.remove(at)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Matching, Posted};
    use crate::header::{Envelope, MessageKind};

    fn envelope(source: u32, tag: u32, sequence: u32) -> Envelope {
        Envelope {
            kind: MessageKind::Eager,
            context: 2,
            tag,
            source,
            sequence,
            bytes: 8,
            send_slot: 0,
            receive_slot: 0,
            repetition: 0,
            alltoall: false,
        }
    }

    #[test]
    fn oldest_matching_receive_wins_and_every_look_counts() {
        let mut matching = Matching::default();
        let wants = [
            (Some(1), Some(5)),
            (None, Some(7)),
            (Some(3), None),
            (None, None),
        ];
        for (slot, (source, tag)) in (0..).zip(wants) {
            matching.post(Posted {
                context: 2,
                source,
                tag,
                slot,
                repetition: 0,
            });
        }
        let search = matching.search_posted(&envelope(3, 7, 0));
        assert_eq!((search.examined, search.found.unwrap().slot), (2, 1));
        let search = matching.search_posted(&envelope(3, 7, 1));
        assert_eq!((search.examined, search.found.unwrap().slot), (2, 2));
        let mut foreign = envelope(1, 5, 0);
        foreign.context = 4;
        let search = matching.search_posted(&foreign);
        assert_eq!((search.examined, search.found), (2, None));
        let mut later = envelope(1, 5, 0);
        later.repetition = 1;
        let search = matching.search_posted(&later);
        assert_eq!(
            (search.examined, search.found),
            (2, None),
            "another repetition"
        );
    }

    #[test]
    fn oldest_unexpected_message_wins() {
        let mut matching = Matching::default();
        for (sequence, tag) in [(0, 9), (1, 4), (2, 4)] {
            matching.keep(envelope(1, tag, sequence));
        }
        let posted = Posted {
            context: 2,
            source: Some(1),
            tag: Some(4),
            slot: 0,
            repetition: 0,
        };
        let search = matching.search_unexpected(&posted);
        assert_eq!((search.examined, search.found.unwrap().sequence), (2, 1));
        assert_eq!(matching.unexpected_count(), 2);
    }

    #[test]
    fn overtaken_messages_are_put_back_in_order() {
        let mut matching = Matching::default();
        let mut seen = Vec::new();
        for sequence in [2, 1, 0, 4, 3] {
            matching.in_order(envelope(6, 0, sequence), |passed| {
                seen.push(passed.sequence)
            });
            matching.in_order(envelope(7, 0, 4 - sequence), |_| {});
        }
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        assert_eq!(matching.unexpected_count(), 0);
    }
}
