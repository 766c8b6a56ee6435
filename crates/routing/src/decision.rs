//! Inputs of one routing decision, beside the rule and the packet.

use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::geometry::Geometry;

/// Sources of a decision: the router's congestion, and random numbers.
pub(crate) struct Decision<'a, O> {
    /// Congestion of the output ports of this router.
    pub(crate) observe: &'a mut O,
    /// Random numbers of the decision.
    pub(crate) draw: &'a mut Stream,
}

/// The router of a packet's target node, and the group of that router.
#[derive(Clone, Copy)]
pub(crate) struct PacketTarget {
    pub(crate) router: RouterId,
    pub(crate) group: GroupId,
}

impl PacketTarget {
    /// The destination of packets to `node`.
    #[inline(always)]
    pub(crate) fn of(geometry: &Geometry, node: NodeId) -> Self {
        let router = geometry.router_of(node);
        Self {
            router,
            group: geometry.group_of(router),
        }
    }
}
