//! The packets that routers watch, found by one compare per hop.

use odonata_units::RouterId;

use crate::model::packet::Packet;
use crate::shared::all_groups::Shared;

/// The packets that a router watches: those for its nodes, but small ones.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watched {
    first_node: u32,
    /// 0: nothing is watched.
    nodes: u32,
    least_bytes: u32,
}

impl Watched {
    /// What `router` watches.
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    pub(crate) fn at(shared: &Shared, router: RouterId) -> Self {
        let Some(pace) = shared.parameters.pace() else {
            return Self::default();
        };
        let header_bytes = shared.parameters.header_bytes;
        let mut nodes = shared.topology.nodes_of(router);
        Self {
            nodes: nodes.len() as u32,
            first_node: nodes.next().map_or(0, |node| node.0),
            least_bytes: header_bytes.saturating_add(pace.smallest_bytes),
        }
    }

    /// The last hop of `packet`, if it is watched.
    #[inline(always)]
    pub(crate) fn last_hop(self, packet: &Packet) -> Option<usize> {
        let host = packet.target().0.wrapping_sub(self.first_node);
        (host < self.nodes && self.counts(packet)).then_some(host as usize)
    }

    /// Whether `packet` is not a small one.
    #[inline(always)]
    pub(crate) fn counts(self, packet: &Packet) -> bool {
        u32::from(packet.bytes) >= self.least_bytes
    }
}
