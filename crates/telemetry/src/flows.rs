//! What congestion control at end points did to each flow: from one node to another.

use std::collections::BTreeMap;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId, Span};

use crate::instrument::Instrument;
use crate::probe::{Injection, NicStall, PacketFacts, Probe, ProbeScope};

/// Where a flow goes from and to. Flows are in the order of their fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, BorshSerialize, BorshDeserialize)]
pub struct FlowEnds {
    /// The node whose NIC sends.
    pub source: NodeId,
    /// The node that it sends to.
    pub target: NodeId,
}

/// What a controller did to one flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct FlowTotals {
    /// Notices about the target that reached the NIC of the source.
    pub notices: u64,
    /// The largest number of sources of the target that they told; 0 if none told one.
    pub most_sources: u32,
    /// Time for which packets could have started, but were held back.
    pub blocked: Span,
}

/// Flows that a controller did anything to: notices came, or packets were held back.
///
/// Memory: about 64 bytes per flow.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Flows {
    flows: BTreeMap<FlowEnds, FlowTotals>,
    /// How long the packet was held back that starts next, and where.
    held: Option<PendingHold>,
}

/// A packet that starts next was held back.
#[derive(Clone, Copy, Debug, BorshSerialize, BorshDeserialize)]
struct PendingHold {
    node: NodeId,
    span: Span,
}

impl Instrument for Flows {
    type Setting = ();
    /// All flows, in order.
    type Whole = BTreeMap<FlowEnds, FlowTotals>;

    fn new(_: &ProbeScope, (): &()) -> Self {
        Self::default()
    }

    /// Scopes have different sources.
    fn merge(scopes: Vec<Self>, _: Instant) -> Option<Self::Whole> {
        let scopes = scopes.into_iter().map(|scope| scope.flows);
        scopes.reduce(|mut all, more| {
            all.extend(more);
            all
        })
    }
}

impl Probe for Flows {
    fn noticed(&mut self, node: NodeId, target: NodeId, sources: u32, _: Instant) {
        let ends = FlowEnds {
            source: node,
            target,
        };
        let flow = self.flows.entry(ends).or_default();
        flow.notices += 1;
        flow.most_sources = flow.most_sources.max(sources);
    }

    fn nic_stalled(&mut self, node: NodeId, cause: NicStall, since: Instant, until: Instant) {
        if cause == NicStall::Pacing {
            let span = until - since;
            self.held = Some(PendingHold { node, span });
        }
    }

    fn injected(&mut self, packet: &PacketFacts, _: bool, _: Injection) {
        // A stall is announced right before the packet that it held back.
        if let Some(held) = self.held.take()
            && held.node == packet.source
        {
            let ends = FlowEnds {
                source: packet.source,
                target: packet.target,
            };
            self.flows.entry(ends).or_default().blocked += held.span;
        }
    }
}
