//! Packets that follow the one before them in their flow: what they draw.
//!
//! The first packet of a period of a flow decides as any other packet does; its router keeps what it
//! decided for those behind it. Further routers draw what is the same for all packets of the period.

use odonata_units::RouterId;

use crate::context::RoutingContext;
use crate::decision::Decision;
use crate::observation::Observation;
use crate::packet::{Hop, PacketRoute, PathState};
use crate::rule::Rule;

/// Numbers of periods: as many as routers can be numbered in a packet.
const PERIODS: u32 = 1 << 24;

impl RoutingContext<'_> {
    /// The hop of an ordered `packet` under `rule`: of the first one of a period at the source
    /// router, of any one elsewhere.
    #[inline(never)]
    pub(crate) fn in_order<O: Observation>(
        &self,
        rule: &Rule,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Hop {
        // Over a graph or between groups.
        if packet.path_state != PathState::Fresh {
            let draw = &mut packet.draws_of_period(self.here);
            let observe = &mut *decision.observe;
            return self.across_graph(rule, packet, &mut Decision { observe, draw });
        }
        let hop = self.across_graph(rule, packet, decision);
        if packet.path_state == PathState::Minimal {
            packet.intermediate = RouterId(decision.draw.below(PERIODS));
        }
        hop
    }
}
