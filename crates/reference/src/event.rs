//! What happens when: the agenda and its order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use odonata_units::Instant;

use crate::credit::Word;
use crate::last_hop::Notice;
use crate::packet::Feedback;

/// What happens, in the order of one instant: first the router's four steps, then the node's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EventKind {
    /// A link goes down.
    LinkDown,
    /// Credits become usable at an output port of a router.
    RouterCredit,
    /// A router learns about a port.
    Feedback,
    /// A crossbar arbitrates.
    Tick,
    /// An output port may start a packet.
    Output,
    /// A packet enters a router.
    Entry,
    /// A packet is delivered at a node.
    Delivery,
    /// An endpoint wants to be woken.
    Wake,
    /// Credits become usable at a NIC.
    NicCredit,
    /// A NIC is told of the sources of a target.
    Notice,
    /// A NIC is told something by another.
    Word,
    /// A NIC may give credit.
    Pull,
    /// A NIC may start a packet.
    Injection,
}

/// What an event is about, beyond the port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Subject {
    /// The port says it all.
    Port,
    /// A packet, by its index.
    Packet(usize),
    /// Credits.
    Credits {
        /// Of this virtual channel.
        vc: u8,
        /// So many.
        flits: u32,
        /// The packet that had taken them.
        packet: usize,
    },
    /// What is learnt.
    Feedback(Feedback),
    /// What a NIC is told.
    Notice(Notice),
    /// What a NIC is told by another.
    Word(Word),
    /// A NIC is to abate, or that is over.
    Signal {
        /// It is to.
        begins: bool,
    },
}

/// A port of a router; a node is its own port 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct EventPort {
    /// Router or node.
    pub(crate) component: usize,
    /// Port.
    pub(crate) port: usize,
}

/// Something that will happen. The order of the fields is the order of events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Event {
    /// When.
    pub(crate) at: Instant,
    /// What.
    pub(crate) kind: EventKind,
    /// Where.
    pub(crate) port: EventPort,
    /// Counts all events ever scheduled; 0 where the order is by subject (feedback).
    sequence: u64,
    /// About what.
    pub(crate) subject: Subject,
}

/// All that is known to happen.
#[derive(Default)]
pub(crate) struct Agenda {
    heap: BinaryHeap<Reverse<Event>>,
    scheduled: u64,
}

impl Agenda {
    pub(crate) fn add(&mut self, at: Instant, kind: EventKind, port: EventPort, subject: Subject) {
        self.scheduled += 1;
        let sequence = if kind == EventKind::Feedback {
            0
        } else {
            self.scheduled
        };
        self.heap.push(Reverse(Event {
            at,
            kind,
            port,
            sequence,
            subject,
        }));
    }

    /// The earliest event, if it is before `until`.
    pub(crate) fn next_before(&mut self, until: Instant) -> Option<Event> {
        self.heap.peek().filter(|event| event.0.at < until)?;
        self.heap.pop().map(|event| event.0)
    }

    /// Everything still to come, in no order.
    pub(crate) fn pending(&self) -> impl Iterator<Item = &Event> {
        self.heap.iter().map(|event| &event.0)
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::Instant;

    use super::{Agenda, EventKind, EventPort, Subject};
    use crate::packet::Feedback;

    #[test]
    fn order_is_instant_kind_place_sequence() {
        let port = |component, port| EventPort { component, port };
        let mut agenda = Agenda::default();
        let at = Instant::from_ps;
        agenda.add(at(2), EventKind::RouterCredit, port(0, 0), Subject::Port);
        agenda.add(at(1), EventKind::Entry, port(0, 2), Subject::Port);
        agenda.add(at(1), EventKind::Entry, port(0, 1), Subject::Packet(9));
        agenda.add(at(1), EventKind::Entry, port(0, 1), Subject::Packet(3));
        agenda.add(at(1), EventKind::Tick, port(7, 0), Subject::Port);
        let mut seen = Vec::new();
        while let Some(event) = agenda.next_before(at(2)) {
            seen.push((event.kind, event.port.port, event.subject));
        }
        assert_eq!(
            seen,
            [
                (EventKind::Tick, 0, Subject::Port),
                (EventKind::Entry, 1, Subject::Packet(9)),
                (EventKind::Entry, 1, Subject::Packet(3)),
                (EventKind::Entry, 2, Subject::Port),
            ]
        );
        assert_eq!(agenda.pending().count(), 1, "an event at `until` stays");
    }

    #[test]
    fn feedback_is_ordered_by_what_it_says() {
        let mut agenda = Agenda::default();
        let all = [
            (1, (0, 0, 0)),
            (0, (1, 0, 0)),
            (0, (0, 2, 0)),
            (0, (0, 1, 3)),
            (0, (0, 1, 3)),
        ];
        for (port, (row, measured, estimate)) in all {
            let port = EventPort { component: 0, port };
            let feedback = Feedback {
                row,
                measured,
                estimate,
            };
            let subject = Subject::Feedback(feedback);
            agenda.add(Instant::ZERO, EventKind::Feedback, port, subject);
        }
        let next = || agenda.next_before(Instant::NEVER);
        let seen: Vec<_> = std::iter::from_fn(next).collect();
        let seen: Vec<_> = seen
            .iter()
            .map(|event| match event.subject {
                Subject::Feedback(f) => (event.port.port, (f.row, f.measured, f.estimate)),
                _ => unreachable!("only feedback was added"),
            })
            .collect();
        let mut sorted = all.to_vec();
        sorted.sort_unstable();
        assert_eq!(seen, sorted);
    }
}
