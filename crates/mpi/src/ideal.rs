//! The simplest network there is: for tests, and for what a job would do without contention.
//!
//! A message leaves its node when the node's channel is free, occupies it for its serialization,
//! and arrives one latency after its last byte has left. Messages of different nodes never meet.
//! With jitter, messages overtake each other as they do on adaptive routes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use odonata_endpoint::{Endpoint, Message, Nic, NicCounters};
use odonata_units::{Bandwidth, Instant, NodeId, Purpose, Span, Stream};

/// A network without contention.
#[derive(Clone, Copy, Debug)]
pub struct IdealNetwork {
    /// From the last byte leaving to the arrival.
    pub latency: Span,
    /// Rate of every node's channel; `None`: a message takes no time there.
    pub bandwidth: Option<Bandwidth>,
    /// Each message takes up to this much longer, drawn from the stream (0, `Routing`, node).
    pub jitter: Span,
}

/// Outcome of a run over the ideal network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdealOutcome {
    /// The last instant at which anything happened.
    pub end: Instant,
    /// Messages on the wire.
    pub messages: u64,
    /// Bytes on the wire.
    pub bytes: u64,
}

/// When a node's channel is free, and its draws.
struct Channel {
    free: Instant,
    jitter: Stream,
}

struct Wire<'a> {
    node: NodeId,
    now: Instant,
    network: IdealNetwork,
    channel: &'a mut Channel,
    sent: &'a mut Vec<(Instant, Message)>,
}

impl Nic for Wire<'_> {
    fn send(&mut self, mut message: Message) {
        message.source = self.node;
        let serialization = self
            .network
            .bandwidth
            .map_or(Span::ZERO, |b| b.serialization(message.bytes));
        let channel = &mut *self.channel;
        channel.free = channel.free.max(self.now) + serialization;
        let jitter = match self.network.jitter.ps() {
            0 => 0,
            most => channel.jitter.next_u64() % (most + 1),
        };
        let at = channel.free + self.network.latency + Span::from_ps(jitter);
        self.sent.push((at, message));
    }

    /// An ideal network stalls nobody and counts nothing.
    fn counters(&self, _: u8) -> NicCounters {
        NicCounters::default()
    }
}

/// A delivery in the order of the contract: instant, source node, order of the source.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Delivery(Instant, NodeId, u64);

/// How far a run goes at most.
#[derive(Clone, Copy, Debug)]
pub struct IdealBounds {
    /// The instant at which it ends in any case.
    pub until: Instant,
    /// Messages that are handed over to the network.
    pub messages: u64,
}

impl IdealNetwork {
    /// Runs the endpoints, `nodes[i]` the node of `endpoints[i]`, until nothing more happens or
    /// `limit` is passed. Open-loop endpoints are not pulled.
    ///
    /// # Panics
    /// If a message goes to a node that is not listed.
    pub fn run<E: Endpoint>(
        self,
        endpoints: &mut [E],
        nodes: &[NodeId],
        limit: Instant,
    ) -> IdealOutcome {
        let bounds = IdealBounds {
            until: limit,
            messages: u64::MAX,
        };
        self.run_within(endpoints, nodes, bounds, |_, _| ())
    }

    /// As [`IdealNetwork::run`], but at most until the end of `bounds`, and `seen` is told of every
    /// message that arrives.
    ///
    /// # Panics
    /// If a message goes to a node that is not listed.
    pub fn run_within<E: Endpoint>(
        self,
        endpoints: &mut [E],
        nodes: &[NodeId],
        bounds: IdealBounds,
        mut seen: impl FnMut(Instant, &Message),
    ) -> IdealOutcome {
        let index_of: BTreeMap<NodeId, usize> = nodes.iter().copied().zip(0..).collect();
        let channel = |node: &NodeId| Channel {
            free: Instant::ZERO,
            jitter: Stream::new(0, Purpose::Routing, u64::from(node.0)),
        };
        let mut channels: Vec<Channel> = nodes.iter().map(channel).collect();
        let mut wakes = BinaryHeap::new();
        let mut deliveries: BTreeMap<Delivery, Message> = BTreeMap::new();
        let mut outcome = IdealOutcome {
            end: Instant::ZERO,
            messages: 0,
            bytes: 0,
        };
        let mut sent = Vec::new();
        let arm = |wakes: &mut BinaryHeap<_>, index: usize, at: Instant| {
            if at != Instant::NEVER {
                wakes.push(Reverse((at, index)));
            }
        };
        for (index, endpoint) in endpoints.iter().enumerate() {
            arm(&mut wakes, index, endpoint.next_wake());
        }
        loop {
            let wake = wakes.peek().map_or(Instant::NEVER, |Reverse((at, _))| *at);
            let arrival = deliveries.keys().next().map_or(Instant::NEVER, |d| d.0);
            let now = wake.min(arrival);
            if now == Instant::NEVER || now > bounds.until || outcome.messages >= bounds.messages {
                return outcome;
            }
            outcome.end = now;
            if arrival <= now {
                let Some((_, message)) = deliveries.pop_first() else {
                    return outcome;
                };
                seen(now, &message);
                let target = index_of.get(&message.target);
                assert!(target.is_some(), "a message to a node that is not there");
                let target = target.copied().unwrap_or_default();
                endpoints[target].deliver(now, &message);
                arm(&mut wakes, target, endpoints[target].next_wake());
                continue;
            }
            let Some(Reverse((_, index))) = wakes.pop() else {
                return outcome;
            };
            let endpoint = &mut endpoints[index];
            if endpoint.next_wake() != now {
                continue;
            }
            let channel = &mut channels[index];
            let node = nodes[index];
            endpoint.wake(
                now,
                &mut Wire {
                    node,
                    now,
                    network: self,
                    channel,
                    sent: &mut sent,
                },
            );
            arm(&mut wakes, index, endpoint.next_wake());
            for (at, message) in sent.drain(..) {
                deliveries.insert(Delivery(at, node, outcome.messages), message);
                outcome.messages += 1;
                outcome.bytes += message.bytes;
            }
        }
    }
}
