//! Settled hops of a whole dragonfly, from one table and without branches: which of its few ways a
//! packet takes is random, and a processor that guesses pays for every wrong guess.

use std::hint::select_unpredictable;
use std::sync::Arc;

use odonata_topology::{Divider, LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId};

use crate::geometry::{Gateway, Geometry};
use crate::ladder::{Ladder, Leg};
use crate::packet::{Hop, Plan};

/// Something is left to decide or to draw.
const OPEN: u8 = u8::MAX;

/// Codes of plans, a power of two.
const CODES: usize = 8;

/// What it takes to settle a hop where arithmetic gives local paths and virtual channels.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    by_nodes_per_router: Divider,
    by_routers_per_group: Divider,
    routers_per_group: u32,
    groups: u32,
    /// First local port.
    local: u32,
    /// `[from * groups + to]`; without meaning where groups are joined by several links.
    gateways: Arc<[Gateway]>,
    /// `[is in the target group][plan]`: VC, or [`OPEN`].
    vcs: [[u8; CODES]; 2],
}

impl Plain {
    /// For packets whose leg out of a group, and whose leg in their target group, are those that
    /// `outside` and `inside` give, if they are settled.
    pub(crate) fn new(
        geometry: &Geometry,
        ladder: &Ladder,
        outside: impl Fn(Plan) -> Option<Leg>,
        inside: impl Fn(Plan) -> Option<Leg>,
    ) -> Option<Self> {
        let gateways = geometry.gateways()?;
        let topology = geometry.topology();
        let mut vcs = [[OPEN; CODES]; 2];
        for plan in Plan::ALL {
            let legs = [
                outside(plan).filter(|_| geometry.has_single_links()),
                inside(plan),
            ];
            for (vcs, leg) in vcs.iter_mut().zip(legs) {
                vcs[plan as usize] = leg.map_or(OPEN, |leg| ladder.base(leg));
            }
        }
        let routers_per_group = topology.routers_in_group(GroupId(0));
        let nodes_per_router = topology.ports(LinkKind::Host).end;
        Some(Self {
            by_nodes_per_router: Divider::new(nodes_per_router.into()),
            by_routers_per_group: Divider::new(routers_per_group),
            routers_per_group,
            groups: topology.group_count(),
            local: topology.ports(LinkKind::Local).start.into(),
            gateways: Arc::clone(gateways),
            vcs,
        })
    }

    /// The hop of a packet to `node` out of `here`, in `group`, if nothing is left to decide.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "ports have 16 bits")]
    pub(crate) fn settled(
        &self,
        (here, group): (RouterId, GroupId),
        node: NodeId,
        plan: Plan,
    ) -> Option<Hop> {
        let (router, host_port) = self.by_nodes_per_router.split(node.0);
        let (to, target) = self.by_routers_per_group.split(router);
        let position = here.0 - group.0 * self.routers_per_group;
        let is_inside = to == group.0;
        let gateway = self.gateways[(group.0 * self.groups + to) as usize];
        let goal = select_unpredictable(is_inside, target, gateway.position.into());
        let exit = select_unpredictable(is_inside, host_port, gateway.port.into());
        // Local ports stand in router order, with the router itself left out.
        let local = self.local + goal - u32::from(goal > position);
        let port = select_unpredictable(goal == position, exit, local);
        let vc = self.vcs[usize::from(is_inside)][plan as usize % CODES];
        (vc != OPEN).then_some(Hop {
            port: PortIndex(port as u16),
            vc,
        })
    }
}
