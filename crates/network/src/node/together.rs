//! Nodes that one endpoint uses together: the NICs of one node of the machine.
//!
//! The endpoint is that of the first of them, the others only have a NIC. What happens at all of
//! them is taken in the order of its instants, and inside one instant as at a single node:
//! arrivals by NIC, wakes, injection by NIC.

use odonata_telemetry::Probe;
use odonata_units::Instant;

use super::Node;
use crate::features::Features;
use crate::outbox::Outbox;
use crate::shared::Shared;
use odonata_endpoint::{Endpoint, Message};

/// What a node does next, in the order of one instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NodeEvent {
    Arrival,
    Wake,
    Injection,
}

/// Everything that happens at the nodes `members` of a group before `end`, as [`Node::advance`];
/// `due` is of all nodes of the group.
pub(crate) fn advance<F: Features, E: Endpoint, P: Probe>(
    (nodes, members, due): (&mut [Node<E>], &[usize], &mut [Instant]),
    out: &mut Outbox<'_, F, P>,
    end: Instant,
) {
    let home = members[0];
    loop {
        let next = |&member: &usize| {
            let (at, event) = nodes[member].next_event::<F>(out.shared);
            (at, event, member)
        };
        let Some((now, event, member)) = members.iter().map(next).min() else {
            return;
        };
        if now >= end {
            break;
        }
        match event {
            NodeEvent::Arrival => {
                let message = nodes[member].take_message();
                out.totals.goal_messages -=
                    i64::from(nodes[member].waits_for(out.shared, &message));
                nodes[home].endpoint.deliver(now, &message);
                nodes[home].note_call(out.totals);
            }
            NodeEvent::Wake => {
                let mut beside = std::mem::take(&mut out.beside);
                beside.clear();
                for &member in members {
                    nodes[member].count_round_trips(now);
                    beside.push(nodes[member].counted());
                }
                nodes[home].wake_with(out, now, &beside[1..]);
                out.beside = beside;
                for message in std::mem::take(&mut out.elsewhere) {
                    let member = members[usize::from(message.nic)];
                    nodes[member].hand_over(out, now, message);
                }
                nodes[home].note_call(out.totals);
            }
            NodeEvent::Injection => nodes[member].inject(out),
        }
    }
    for &member in members {
        (due[member], _) = nodes[member].next_event::<F>(out.shared);
    }
}

impl<E: Endpoint> Node<E> {
    /// The first thing that happens here, as far as known.
    fn next_event<F: Features>(&mut self, shared: &Shared) -> (Instant, NodeEvent) {
        let wake = self.wake.max(self.clock);
        let start = self.next_start::<F>(shared);
        (self.arrival, NodeEvent::Arrival)
            .min((wake, NodeEvent::Wake))
            .min((start, NodeEvent::Injection))
    }

    /// Queues a message that the endpoint of another node hands to this NIC.
    fn hand_over<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        now: Instant,
        message: Message,
    ) {
        let message = Message {
            source: self.id,
            ..message
        };
        let queue = out.shared.queue_for::<F>(&message);
        let queues = out.shared.parameters.nic_queues;
        self.queues[queue].hand_over(queues, now, message);
        self.is_stale = true;
        out.probe
            .posted(self.id, message.target, message.bytes, now);
    }

    /// Router within the group.
    pub(crate) const fn router(&self) -> usize {
        self.router as usize
    }
}
