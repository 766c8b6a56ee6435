//! Nodes that one endpoint uses together: the NICs of one node of the machine.
//!
//! The endpoint is that of the first of them, the others only have a NIC. What happens at all of
//! them is taken in the order of its instants, and inside one instant as at a single node:
//! arrivals by NIC, wakes, injection by NIC.

use odonata_telemetry::Probe;
use odonata_units::{Instant, NodeId};

use super::{GroupNodes, Node};
use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::index::LocalRouter;
use crate::shared::view::View;
use odonata_endpoint::{Endpoint, Message};

/// The nodes of a group that one endpoint uses together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Members<'a> {
    /// The first node of the group.
    first: usize,
    nodes: &'a [NodeId],
}

impl<'a> Members<'a> {
    /// `nodes` of the group whose first node is `first`.
    pub(crate) const fn new(first: NodeId, nodes: &'a [NodeId]) -> Self {
        Self {
            first: first.index(),
            nodes,
        }
    }

    /// The index in its group of the node whose NIC has this number.
    fn nic(&self, number: usize) -> usize {
        self.nodes[number].index() - self.first
    }

    /// Their indices in the group, in the order of their NICs.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> + use<'a> {
        self.nodes.iter().map(move |node| node.index() - self.first)
    }
}

/// Next event of a node, in the order of one instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NodeEvent {
    Arrival,
    Wake,
    Notice,
    Injection,
}

/// Simulates everything that happens at the nodes `members` of a group before `end`, as
/// [`Node::advance`] does for one node.
pub(crate) fn advance<F: Features, E: Endpoint, P: Probe>(
    nodes: &mut GroupNodes<'_, E>,
    members: Members<'_>,
    out: &mut Outbox<'_, F, P>,
    end: Instant,
) {
    let GroupNodes { nodes, due } = nodes;
    let home = members.nic(0);
    for member in members.iter() {
        nodes[member].send_notices(out);
    }
    loop {
        let next = |member: usize| {
            let (at, event) = nodes[member].next_event(out.shared);
            due[member] = at;
            (at, event, member)
        };
        let Some((now, event, member)) = members.iter().map(next).min() else {
            return;
        };
        if now >= end {
            return;
        }
        match event {
            NodeEvent::Arrival => {
                let message = nodes[member].take_message();
                out.totals.goal_messages -=
                    i64::from(nodes[member].waits_for(&out.shared, &message));
                nodes[home].endpoint.deliver(now, &message);
                nodes[home].note_call(out.totals);
            }
            NodeEvent::Wake => {
                let mut beside = std::mem::take(&mut out.beside);
                beside.clear();
                for member in members.iter() {
                    let node = &mut nodes[member];
                    node.count_round_trips(now);
                    beside.push(node.counted());
                }
                nodes[home].wake_with(out, now, &beside[1..]);
                out.beside = beside;
                let mut elsewhere = std::mem::take(&mut out.elsewhere);
                for message in elsewhere.drain(..) {
                    let member = members.nic(usize::from(message.nic));
                    nodes[member].hand_over(out, now, message);
                }
                out.elsewhere = elsewhere;
                nodes[home].note_call(out.totals);
            }
            NodeEvent::Notice => nodes[member].take_notice(out),
            NodeEvent::Injection => nodes[member].inject(out),
        }
    }
}

impl<E: Endpoint> Node<E> {
    /// The first thing that happens here, as far as known.
    fn next_event<F: Features>(&mut self, shared: View<'_, F>) -> (Instant, NodeEvent) {
        let wake = self.wake.max(self.clock);
        let start = self.next_start(shared);
        (self.arrival, NodeEvent::Arrival)
            .min((wake, NodeEvent::Wake))
            .min((self.next_notice(), NodeEvent::Notice))
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
        let lane = out.shared.lane_of_message(&message);
        self.queues[lane].hand_over(&out.shared, now, message);
        self.is_stale = true;
        self.note_handed(&out.shared, &message, now, now);
        self.send_notices(out);
        out.probe
            .posted(self.id, message.target, message.bytes, now);
    }

    /// The router of its group that the node is attached to.
    pub(crate) const fn router(&self) -> LocalRouter {
        self.router
    }
}
