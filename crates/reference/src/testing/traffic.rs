//! Traffic: a vector of endpoints, one per node.

use odonata_endpoint::{Header, Message};
use odonata_network::Parameters;
use odonata_units::{Instant, NodeId, Purpose, Span, Stream};

use crate::testing::endpoint::{MessageSizes, OpenLoop, Pattern, Rhythm, TestEndpoint, message};

/// Traffic of the nodes of a scenario.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Traffic {
    /// Every node is an open-loop source.
    OpenLoop {
        /// Targets.
        pattern: Pattern,
        /// Gaps.
        rhythm: Rhythm,
        /// Fraction of the bandwidth of a host link, headers and partial flits included.
        load: f64,
        /// Sizes.
        bytes: MessageSizes,
    },
    /// Every node serves some messages to random partners, which are answered a few times.
    PingPong {
        /// Messages that each node starts with.
        serves: u32,
        /// Times a message changes sides after that.
        rallies: u64,
        /// From arrival to answer.
        reaction: Span,
        /// Sizes.
        bytes: MessageSizes,
    },
    /// Bursts of all nodes to one, at common instants.
    ManyToOne {
        /// Bursts.
        bursts: u32,
        /// Between bursts.
        gap: Span,
        /// Sizes.
        bytes: MessageSizes,
    },
}

impl Traffic {
    /// The endpoints of a system of `nodes` nodes; open-loop sources stop at `last`.
    #[must_use]
    pub fn endpoints(
        &self,
        nodes: u32,
        parameters: &Parameters,
        seed: u64,
        last: Instant,
    ) -> Vec<TestEndpoint> {
        match *self {
            Self::OpenLoop {
                pattern,
                rhythm,
                load,
                bytes,
            } => {
                let source = OpenLoop {
                    rhythm,
                    bytes,
                    gap_per_byte: gap_per_byte(parameters, bytes, load),
                    slot: parameters
                        .host
                        .bandwidth
                        .serialization(parameters.flit_bytes.into())
                        .ps(),
                    ..OpenLoop::new(NodeId(0), nodes, pattern, 1, 1.0, last)
                };
                open_loop(&source, seed)
            }
            Self::PingPong {
                serves,
                rallies,
                reaction,
                bytes,
            } => ping_pong(nodes, serves, rallies, reaction, bytes, seed),
            Self::ManyToOne { bursts, gap, bytes } => many_to_one(nodes, bursts, gap, bytes, seed),
        }
    }
}

/// Mean gap per byte, ps, at which messages of the mean size fill `load` of a host link.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a mean gap needs no more than 53 bits; packets have less than 2^32 bytes"
)]
fn gap_per_byte(parameters: &Parameters, bytes: MessageSizes, load: f64) -> f64 {
    let mean = bytes.least.midpoint(bytes.most).max(1);
    let payload = u64::from(parameters.packet_bytes - parameters.header_bytes);
    let flits = |payload: u64| {
        let bytes = payload as u32 + parameters.header_bytes;
        u64::from(bytes.div_ceil(parameters.flit_bytes))
    };
    let rest = mean % payload;
    let last = if rest > 0 { flits(rest) } else { 0 };
    let wire = (mean / payload * flits(payload) + last) * u64::from(parameters.flit_bytes);
    parameters.host.bandwidth.serialization(wire).ps() as f64 / load / mean as f64
}

/// Copies of `source` at every node, each with draws of its own.
#[must_use]
pub fn open_loop(source: &OpenLoop, seed: u64) -> Vec<TestEndpoint> {
    let at = |node| {
        let draws = Stream::new(seed, Purpose::Arrival, u64::from(node));
        TestEndpoint::open_loop(OpenLoop {
            node: NodeId(node),
            draws,
            ..source.clone()
        })
    };
    (0..source.nodes).map(at).collect()
}

/// Every node sends `serves` messages to random others in the first 100 ns; each is returned
/// `rallies` times, `reaction` after its arrival.
#[must_use]
pub fn ping_pong(
    nodes: u32,
    serves: u32,
    rallies: u64,
    reaction: Span,
    bytes: MessageSizes,
    seed: u64,
) -> Vec<TestEndpoint> {
    let at = |node: u32| {
        let mut draws = Stream::new(seed, Purpose::Target, u64::from(node));
        let mut script = Vec::new();
        for number in 0..if nodes > 1 { serves } else { 0 } {
            let other = draws.below(nodes - 1);
            let target = NodeId(other + u32::from(other >= node));
            let header = Header([rallies, u64::from(node), u64::from(number), 0]);
            // A tenth of all nodes serve at one instant, others scattered.
            let start = if draws.below(10) == 0 {
                0
            } else {
                draws.below(100_000)
            };
            let serve = Message {
                header,
                sender: u16::from(number % 3 == 2),
                ..message(target, bytes.draw(&mut draws))
            };
            script.push((Instant::from_ps(start.into()), serve));
        }
        TestEndpoint::answering(script, reaction)
    };
    (0..nodes).map(at).collect()
}

/// `bursts` times, `gap` apart, every other node sends a message to one node, drawn anew
/// for each burst.
#[must_use]
pub fn many_to_one(
    nodes: u32,
    bursts: u32,
    gap: Span,
    bytes: MessageSizes,
    seed: u64,
) -> Vec<TestEndpoint> {
    let mut victims = Stream::new(seed, Purpose::Job, 0);
    let victims: Vec<u32> = (0..bursts).map(|_| victims.below(nodes)).collect();
    let at = |node: u32| {
        let mut draws = Stream::new(seed, Purpose::Target, u64::from(node));
        let mut script = Vec::new();
        for (burst, &victim) in (0_u64..).zip(&victims) {
            if victim != node {
                let start = Instant::ZERO + gap * burst;
                script.push((start, message(NodeId(victim), bytes.draw(&mut draws))));
            }
        }
        TestEndpoint::scripted(script)
    };
    (0..nodes).map(at).collect()
}
