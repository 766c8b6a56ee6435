//! Hops on a whole dragonfly whose groups are joined by one link each, from one table and with hardly
//! a branch: which of its few ways a packet takes is random, and a processor that guesses pays for
//! every wrong guess. What is said here is what [`crate::way`] and the rules say, for less.

use std::hint::select_unpredictable;
use std::sync::Arc;

use odonata_topology::{Divider, LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::geometry::{Gateway, Geometry, NO_WAYPOINT};
use crate::ladder::{Ladder, Leg};
use crate::observation::Observation;
use crate::packet::{Hop, PacketRoute, Plan};
use crate::rule::{Candidates, Choice, Intermediate, Rule};

/// Something is left to decide or to draw.
const OPEN: u8 = u8::MAX;

/// Codes of plans, a power of two.
const CODES: usize = 8;

/// Where a packet is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Region {
    /// In neither of the following.
    Outside,
    /// In its intermediate group, on a detour.
    Intermediate,
    /// In its target group.
    Target,
    /// At its target router.
    TargetRouter,
}

impl Region {
    const ALL: [Self; 4] = [
        Self::Outside,
        Self::Intermediate,
        Self::Target,
        Self::TargetRouter,
    ];
}

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
    /// `[region][plan]`: VC, or [`OPEN`].
    vcs: [[u8; CODES]; 4],
    /// Some packets may be on a detour.
    has_detours: bool,
    /// A first decision with one candidate of each kind, and the VCs of the two.
    first: Option<(Rule, [u8; 2])>,
}

impl Plain {
    /// For packets whose leg, if it is settled, is the one that `leg` gives; under `rule`, if it is one.
    /// `None` where more than arithmetic is needed.
    pub(crate) fn new(
        geometry: &Geometry,
        ladder: &Ladder,
        leg: impl Fn(Region, Plan) -> Option<Leg>,
        rule: Option<&Rule>,
    ) -> Option<Self> {
        let gateways = geometry.gateways()?;
        let topology = geometry.topology();
        let mut vcs = [[OPEN; CODES]; 4];
        for region in Region::ALL {
            for plan in Plan::ALL {
                let is_known = geometry.has_single_links() || region >= Region::Target;
                let leg = leg(region, plan).filter(|_| is_known);
                vcs[region as usize][plan as usize] = leg.map_or(OPEN, |leg| ladder.base(leg));
            }
        }
        let legs = [Leg::SourceMinimal, Leg::SourceNonminimal];
        let one_each = rule.filter(|rule| geometry.has_single_links() && is_one_each(rule));
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
            has_detours: rule.is_some_and(|rule| rule.choice != Choice::Minimal),
            first: one_each.map(|rule| (*rule, legs.map(|leg| ladder.base(leg)))),
        })
    }

    /// Gateway to group `to` from another one.
    #[inline(always)]
    fn gateway(&self, from: u32, to: u32) -> Gateway {
        self.gateways[(from * self.groups + to) as usize]
    }

    /// The hop of a packet to `node` out of `here`, in `group`, if nothing is left to decide.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "ports have 16 bits")]
    pub(crate) fn settled(
        &self,
        (here, group): (RouterId, GroupId),
        node: NodeId,
        (plan, intermediate): (Plan, RouterId),
    ) -> Option<Hop> {
        let (router, host_port) = self.by_nodes_per_router.split(node.0);
        let (mut to, target) = self.by_routers_per_group.split(router);
        let position = here.0 - group.0 * self.routers_per_group;
        let is_inside = to == group.0;
        let mut region = select_unpredictable(is_inside, Region::Target, Region::Outside);
        if self.has_detours {
            let through = self.by_routers_per_group.quotient(intermediate.0);
            let is_outward = plan == Plan::Outward && !is_inside;
            let is_there = through == group.0;
            to = select_unpredictable(is_outward && !is_there, through, to);
            region = select_unpredictable(is_outward && is_there, Region::Intermediate, region);
        }
        let gateway = self.gateway(group.0, to);
        let goal = select_unpredictable(is_inside, target, gateway.position.into());
        let exit = select_unpredictable(is_inside, host_port, gateway.port.into());
        // Local ports stand in router order, with the router itself left out.
        let local = self.local + goal - u32::from(goal > position);
        let port = select_unpredictable(goal == position, exit, local);
        let is_there = is_inside & (goal == position);
        let vc = self.vcs[region as usize + usize::from(is_there)][plan as usize % CODES];
        (vc != OPEN).then_some(Hop {
            port: PortIndex(port as u16),
            vc,
        })
    }

    /// The first decision of a fresh packet that leaves `group`, in which `here` is, where it has one
    /// candidate of each kind; `None` leaves everything as it is.
    #[inline]
    pub(crate) fn choose<O: Observation>(
        &self,
        geometry: &Geometry,
        (here, group): (RouterId, GroupId),
        packet: &mut PacketRoute,
        (observe, draw): (&mut O, &mut Stream),
    ) -> Option<Hop> {
        let (rule, vcs) = self.first.as_ref()?;
        let router = self.by_nodes_per_router.quotient(packet.target.0);
        let to = GroupId(self.by_routers_per_group.quotient(router));
        if to == group {
            return None;
        }
        let through = geometry.draw_router_outside((group, to), false, draw)?;
        let port = |to: u32| {
            let position = here.0 - group.0 * self.routers_per_group;
            let gateway = self.gateway(group.0, to);
            gateway.port_from(position, self.local)
        };
        let ports = [
            port(to.0),
            port(self.by_routers_per_group.quotient(through.0)),
        ];
        let diverts = rule.choice == Choice::NonMinimal
            || rule.diverts_at(ports, |side| vcs[side], 0, observe);
        packet.intermediate = through;
        packet.waypoint = NO_WAYPOINT;
        packet.plan = match (diverts, rule.progressive) {
            (true, _) => Plan::Outward,
            (false, true) => Plan::Tentative,
            (false, false) => Plan::Minimal,
        };
        Some(Hop {
            port: ports[usize::from(diverts)],
            vc: vcs[usize::from(diverts)],
        })
    }
}

/// Whether one path of each kind is drawn at the source router and compared, or the non-minimal one
/// taken.
fn is_one_each(rule: &Rule) -> bool {
    rule.choice != Choice::Minimal
        && rule.minimal_candidates == 1
        && rule.nonminimal_candidates == 1
        && rule.candidates == Candidates::Independent
        && matches!(
            rule.intermediate,
            Intermediate::Group | Intermediate::Router
        )
}
