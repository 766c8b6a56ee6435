//! Hops that are determined, read from the table of hops with hardly a branch, and candidates of
//! first decisions from the same table. The hops are those of [`crate::context`] and the rules.

use std::hint::select_unpredictable;

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::decision::Decision;
use crate::first_decision::{Detour, FirstCandidates, first_decision};
use crate::geometry::hops::{ALONE, TO_GROUP, TO_NODE};
use crate::geometry::{Geometry, HopTable, NO_WAYPOINT, OPEN, PORT, RouterLocation, Step, one_of};
use crate::ladder::{Exit, Ladder, Leg};
use crate::observation::Observation;
use crate::packet::{Arrival, Hop, PacketRoute, PathState};
use crate::rule::{Candidates, Choice, Compared, Draws, Intermediate, Rule, Weights};

/// Codes of path states, a power of two.
const CODES: usize = 8;
/// Codes of path states in every region.
const STATES: usize = 4 * CODES;
/// Kinds of links that packets come over, a power of two: one of them stands for any.
const KINDS: usize = 8;
const ANY: usize = LinkKind::ALL.len();

/// The region that a packet is in.
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

/// The first VC of a leg; with [`ALONE`] if the only channel of a gateway is drawn all the same, or
/// [`OPEN`].
type LegCode = u16;

/// A hop that is precomputed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrecomputedHop {
    /// The way out.
    pub hop: Hop,
    /// The packet has reached its gateway, of which it need not know any more; one number is drawn
    /// to choose its only channel.
    pub is_at_gateway: bool,
}

/// Status of a hop: flags of its entry, and those of them that leave it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HopStatus(u16, u16);

impl HopStatus {
    /// Whether the hop is determined.
    #[inline(always)]
    #[must_use]
    pub const fn is_determined(self) -> bool {
        self.0 == 0
    }

    /// Whether it is determined for packets that came over a local link: then one number is
    /// drawn, see [`PrecomputedHop`].
    #[inline(always)]
    #[must_use]
    pub const fn is_determined_at_gateway(self) -> bool {
        self.0 & self.1 == 0
    }
}

/// Where a packet is, and the index of its entry in the table of hops.
#[derive(Clone, Copy)]
struct HopEntry {
    /// A [`Region`], as a number.
    region: usize,
    index: u32,
}

/// The precomputed hops of one mode.
#[derive(Clone, Debug)]
pub(crate) struct PrecomputedHops {
    hops: HopTable,
    /// `[kind * STATES + region * CODES + path_state]`, by the kind of link that a packet came
    /// over.
    legs: [LegCode; KINDS * STATES],
    ladder: Ladder,
    /// Some packets may be on a detour over a router that is drawn.
    has_detours: bool,
    /// Flags that leave an entry open: also the only channel of a gateway, unless it is drawn packet
    /// by packet.
    open: u16,
    /// The rule of first decisions with at most one candidate of each kind.
    first: Option<Rule>,
}

impl PrecomputedHops {
    /// The table for packets whose leg, where it is determined, is the one that `leg` gives; under
    /// `rule`, if the algorithm is one. `None` where there is no table of hops.
    pub(crate) fn new(
        geometry: &Geometry,
        ladder: &Ladder,
        leg: impl Fn(Region, PathState) -> Option<Leg>,
        rule: Option<&Rule>,
    ) -> Option<Self> {
        let hops = geometry.hops()?;
        let open = match rule {
            Some(rule) if rule.draws == Draws::PerPacket => OPEN,
            _ => OPEN | ALONE,
        };
        let mut legs = [OPEN; KINDS * STATES];
        for region in Region::ALL {
            for path_state in PathState::ALL {
                let state = region as usize * CODES + path_state as usize;
                let code = leg(region, path_state).map_or(OPEN, |leg| ladder.base(leg).into());
                legs[ANY * STATES + state] = code;
                for kind in LinkKind::ALL {
                    // A learning routing decides again about detours behind a global link.
                    let is_asked = rule.is_none()
                        && (region, path_state, kind)
                            == (Region::Outside, PathState::Outward, LinkKind::Global);
                    let is_drawn = open & ALONE != 0 || !kind.is_local();
                    let flags = [(is_asked, OPEN), (is_drawn, ALONE)];
                    let flags = flags.map(|(is_set, flag)| if is_set { flag } else { 0 });
                    legs[kind as usize * STATES + state] = code | flags[0] | flags[1];
                }
            }
        }
        let one_each = rule.filter(|rule| !geometry.has_gaps() && is_one_each(rule));
        Some(Self {
            hops: hops.clone(),
            legs,
            ladder: *ladder,
            has_detours: rule.is_some_and(|rule| rule.choice != Choice::Minimal),
            open,
            first: one_each.copied(),
        })
    }

    /// The same hops from a table that has fewer of them.
    pub(crate) fn read_from(&mut self, hops: &HopTable) {
        self.hops = hops.clone();
    }

    /// Whether the leg alone gives the virtual channel, and no packet has to remember its gateway.
    pub(crate) fn is_plain(&self, geometry: &Geometry) -> bool {
        self.ladder.is_plain() && (geometry.is_direct() || !self.hops.has_gateways())
    }

    /// The region that a packet to `node` is in, and the index of its entry in the table.
    #[inline(always)]
    fn look(
        &self,
        location: &RouterLocation,
        node: NodeId,
        path_state: PathState,
        intermediate: RouterId,
    ) -> HopEntry {
        let (mut to, inside) = self.hops.target(location, node);
        let is_inside = to == location.group;
        let (target, outside) = (Region::Target as usize, Region::Outside as usize);
        let mut region = select_unpredictable(is_inside, target, outside);
        if self.has_detours {
            let through = self.hops.group_of(intermediate);
            let is_outward = path_state == PathState::Outward && !is_inside;
            let is_there = through == location.group;
            let crossing = Region::Intermediate as usize;
            to = select_unpredictable(is_outward && !is_there, through, to);
            region = select_unpredictable(is_outward && is_there, crossing, region);
        }
        let index = select_unpredictable(is_inside, inside, location.outside + to);
        HopEntry { region, index }
    }

    /// Leg and entry of a packet in `region` that came over a link of a kind; what is at its target
    /// router was in its target group.
    #[inline(always)]
    fn state(&self, kind: usize, found: HopEntry, path_state: PathState) -> (LegCode, u16) {
        let entry = self.hops.entry(found.index);
        let region = found.region + usize::from(entry & TO_NODE != 0);
        let state = kind * STATES + region * CODES + path_state as usize;
        (self.legs[state], entry)
    }

    /// The hop of a packet to `node` out of a router that stands at `location`, where
    /// [`PrecomputedHops::is_plain`], and how far it is precomputed.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "cut to its width")]
    pub(crate) fn hop_plainly(
        &self,
        location: &RouterLocation,
        node: NodeId,
        path_state: PathState,
        intermediate: RouterId,
    ) -> (Hop, HopStatus) {
        let found = self.look(location, node, path_state, intermediate);
        let (leg, entry) = self.state(ANY, found, path_state);
        let hop = Hop {
            port: PortIndex(entry & PORT),
            vc: leg as u8,
        };
        (hop, HopStatus((leg | entry) & (OPEN | ALONE), self.open))
    }

    /// The hop of `packet` out of a router that stands at `location`, if nothing is left to decide.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "cut to its width")]
    pub(crate) fn hop(
        &self,
        location: &RouterLocation,
        arrival: Arrival,
        packet: &PacketRoute,
    ) -> Option<PrecomputedHop> {
        let mut found = self.look(
            location,
            packet.target,
            packet.path_state,
            packet.intermediate,
        );
        let is_outside = found.region == Region::Outside as usize;
        let waypoint = u32::from(packet.waypoint);
        if is_outside && packet.waypoint != NO_WAYPOINT && waypoint != location.position {
            found.index = location.between + waypoint;
        }
        let (leg, entry) = self.state(arrival.kind as usize, found, packet.path_state);
        if (leg | entry) & OPEN | leg & entry & ALONE != 0 {
            return None;
        }
        let vc = if self.ladder.is_plain() {
            leg as u8
        } else if entry & TO_NODE != 0 {
            self.ladder.towards_node(arrival)
        } else {
            let exit = Exit {
                is_global: entry & TO_GROUP != 0,
                is_up: location.is_leaf,
            };
            self.ladder.next_from(leg as u8, arrival, exit)
        };
        let is_at_gateway = entry & ALONE != 0;
        let port = PortIndex(entry & PORT);
        Some(PrecomputedHop {
            hop: Hop { port, vc },
            is_at_gateway,
        })
    }

    /// The hop of `packet` inside its target group, if nothing but one of several shortest paths is
    /// left to draw; `None` leaves everything as it is.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "cut to its width")]
    pub(crate) fn draw_inside(
        &self,
        geometry: &Geometry,
        location: &RouterLocation,
        arrival: Arrival,
        packet: &mut PacketRoute,
        draw: &mut Stream,
    ) -> Option<Hop> {
        let (group, index) = self.hops.target(location, packet.target);
        let path_state = packet.path_state as usize;
        let state = arrival.kind as usize * STATES + Region::Target as usize * CODES + path_state;
        let leg = self.legs[state];
        let is_determined = leg & OPEN == 0 && self.open & ALONE == 0;
        if group != location.group || !is_determined || self.hops.entry(index) & OPEN == 0 {
            return None;
        }
        let to = self.hops.position_of(location, index);
        let port = one_of(geometry.several_ports(location, to)?, draw);
        if packet.path_state == PathState::Fresh {
            packet.path_state = PathState::Minimal;
        }
        let exit = Exit {
            is_global: false,
            is_up: location.is_leaf,
        };
        let vc = self.ladder.next_from(leg as u8, arrival, exit);
        Some(Hop { port, vc })
    }

    /// The first decision of a fresh packet that leaves its group, at the router of its node, which
    /// stands at `location`, where it has one candidate of each kind; `None` leaves everything as
    /// it is.
    #[inline]
    pub(crate) fn choose<O: Observation>(
        &self,
        geometry: &Geometry,
        location: &RouterLocation,
        packet: &mut PacketRoute,
        decision: &mut Decision<'_, O>,
    ) -> Option<Hop> {
        let rule = self.first.as_ref()?;
        let to = self.hops.group_of_node(packet.target);
        if to == location.group {
            return None;
        }
        let mut candidates = OneOfEach {
            precomputed: self,
            rule,
            geometry,
            location,
            to,
            decision,
        };
        let (step, leg) = first_decision(rule, packet, &mut candidates);
        packet.waypoint = step.waypoint;
        Some(Hop {
            port: step.port,
            vc: self.ladder.base(leg),
        })
    }

    /// The first step of a packet towards another group: over any channel that leads there.
    #[inline(always)]
    fn first_step(
        &self,
        geometry: &Geometry,
        location: &RouterLocation,
        to: u32,
        draw: &mut Stream,
    ) -> Step {
        let entry = self.hops.entry(location.outside + to);
        if entry & (OPEN | ALONE) == 0 {
            return Step {
                port: PortIndex(entry & PORT),
                waypoint: NO_WAYPOINT,
            };
        }
        self.step_anywhere(geometry, location, GroupId(to), draw)
    }

    /// A step towards group `to` over any of its channels.
    #[inline(never)]
    fn step_anywhere(
        &self,
        geometry: &Geometry,
        location: &RouterLocation,
        to: GroupId,
        draw: &mut Stream,
    ) -> Step {
        let channels = geometry
            .topology()
            .global_channels(GroupId(location.group), to);
        let (router, port) = one_of(channels, draw);
        geometry.step_to(location, router, port, draw)
    }
}

/// The candidates of a first decision, one of each kind, from the table of hops.
struct OneOfEach<'a, 'b, 'c, O> {
    precomputed: &'a PrecomputedHops,
    rule: &'a Rule,
    geometry: &'a Geometry,
    location: &'a RouterLocation,
    /// Target group.
    to: u32,
    decision: &'b mut Decision<'c, O>,
}

impl<O> OneOfEach<'_, '_, '_, O> {
    #[inline(always)]
    fn step_towards(&mut self, group: u32) -> Step {
        let draw = &mut *self.decision.draw;
        self.precomputed
            .first_step(self.geometry, self.location, group, draw)
    }
}

impl<O: Observation> FirstCandidates for OneOfEach<'_, '_, '_, O> {
    #[inline(always)]
    fn only_step(&mut self) -> Step {
        self.step_towards(self.to)
    }

    #[inline(always)]
    fn detour(&mut self) -> Option<Detour> {
        let (source, target) = (GroupId(self.location.group), GroupId(self.to));
        let draw = &mut *self.decision.draw;
        let router = self
            .geometry
            .draw_router_outside(source, target, false, draw)?;
        let through = self.precomputed.hops.group_of(router);
        let step = self.step_towards(through);
        Some(Detour { router, step })
    }

    #[inline(always)]
    fn minimal(&mut self) -> Step {
        self.step_towards(self.to)
    }

    #[inline(always)]
    fn diverts(&mut self, minimal: Step, detour: Detour) -> bool {
        let compared = Compared {
            ports: [minimal.port, detour.step.port],
            weights: self.rule.fixed_weights(),
            hops_made: 0,
        };
        let legs = [Leg::SourceMinimal, Leg::SourceNonminimal];
        let vc = |side: usize| self.precomputed.ladder.base(legs[side]);
        self.rule.diverts_at(compared, vc, self.decision.observe)
    }
}

/// Whether one path of each kind is drawn at the source router and compared by what its port shows
/// alone, or one of them taken.
fn is_one_each(rule: &Rule) -> bool {
    rule.draws == Draws::PerPacket
        && rule.weights == Weights::Scale
        && rule.minimal_candidates == 1
        && rule.nonminimal_candidates == 1
        && rule.candidates == Candidates::Independent
        && matches!(
            rule.intermediate,
            Intermediate::Group | Intermediate::Router
        )
}
