//! When messages of open-loop sources were created, and when they were there.
//!
//! The network does not tell endpoints of these messages, since nobody waits for them. Their
//! packets say enough: those of one message share source, target and instant of creation.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId, is_sampled};

use crate::instrument::Instrument;
use crate::probe::{PacketFacts, Probe, ProbeScope};

/// A message of an open-loop source, all of whose packets have arrived.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, BorshSerialize, BorshDeserialize)]
pub struct OpenMessage {
    /// Sender.
    pub source: NodeId,
    /// Creation at the source.
    pub created: Instant,
    /// Receiver.
    pub target: NodeId,
    /// Delivery of its last packet at the NIC of the target.
    pub arrived: Instant,
    /// Payload.
    pub bytes: u64,
}

/// Which messages are kept, and what is known of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenSample {
    /// Bytes of a full packet.
    pub packet_bytes: u32,
    /// Bytes of it that are no payload.
    pub header_bytes: u32,
    /// `[node]`: its source, if messages of it are kept.
    pub sources: Vec<Option<SampledSource>>,
}

/// A source of which messages are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampledSource {
    /// About one in so many messages.
    pub every: NonZeroU32,
    /// Payload of a message.
    pub bytes: u64,
}

/// A message is known by source, target and instant of creation. If a source creates two for one
/// target at once, the first packets that arrive are those of the first.
type MessageKey = (NodeId, NodeId, Instant);

/// Log of one thread: sampled messages that arrive at its nodes.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct OpenMessages {
    // Of what has not arrived nothing is of use after the run.
    #[borsh(skip)]
    sample: OpenSample,
    /// Payload of messages under way that has not arrived.
    #[borsh(skip)]
    missing: BTreeMap<MessageKey, u64>,
    arrived: Vec<OpenMessage>,
}

impl Instrument for OpenMessages {
    type Setting = OpenSample;
    /// All messages that have arrived, by source and creation.
    type Whole = Vec<OpenMessage>;

    /// A log of the messages that `sample` says.
    fn new(_: &ProbeScope, sample: &OpenSample) -> Self {
        Self {
            sample: sample.clone(),
            ..Self::default()
        }
    }

    fn merge(scopes: Vec<Self>, _: Instant) -> Option<Vec<OpenMessage>> {
        let scopes = scopes.into_iter().map(|scope| scope.arrived);
        let mut all = scopes.reduce(|mut all, more| {
            all.extend(more);
            all
        })?;
        all.sort_unstable();
        Some(all)
    }
}

impl OpenMessages {
    /// The source of a packet if its message is kept: by what it is alone, so that it does not
    /// depend on threads.
    fn kept(&self, packet: &PacketFacts) -> Option<SampledSource> {
        let source = (*self.sample.sources.get(packet.source.index())?)?;
        let words = [
            u64::from(packet.source.0),
            u64::from(packet.target.0),
            packet.created.ps(),
        ];
        is_sampled(&words, source.every).then_some(source)
    }
}

impl Probe for OpenMessages {
    fn delivered(&mut self, packet: &PacketFacts, at: Instant) {
        let Some(SampledSource { bytes, .. }) = self.kept(packet) else {
            return;
        };
        let key = (packet.source, packet.target, packet.created);
        let packets = packet
            .bytes
            .div_ceil(self.sample.packet_bytes.max(1))
            .max(1);
        let headers = self.sample.header_bytes * packets;
        let payload = u64::from(packet.bytes.saturating_sub(headers));
        let missing = self.missing.entry(key).or_insert(bytes);
        *missing = missing.saturating_sub(payload);
        if *missing == 0 {
            self.missing.remove(&key);
            self.arrived.push(OpenMessage {
                source: packet.source,
                created: packet.created,
                target: packet.target,
                arrived: at,
                bytes,
            });
        }
    }
}
