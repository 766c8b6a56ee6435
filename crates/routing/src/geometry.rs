//! Next hops, from geometry alone.

use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::Arc;

use odonata_topology::{Attachment, Divider, Family, LinkKind, PortIndex, Topology};
use odonata_units::{GroupId, NodeId, RouterId, Stream};

use crate::error::RoutingError;

mod avoiding;
mod domain;
pub(crate) mod hops;
mod intermediate;
mod port_lists;
mod room;
mod tables;

pub(crate) use domain::{Domain, draw_besides};
pub use hops::RouterLocation;
pub(crate) use hops::{HopTable, OPEN, PORT};
pub(crate) use port_lists::{PortLists, to_gateways};
pub(crate) use room::Room;
pub(crate) use tables::LocalPaths;

/// A packet that heads for no gateway.
pub const NO_WAYPOINT: u8 = u8::MAX;

/// Draws before the candidates are looked through one by one.
const TRIES: u32 = 32;

/// The way from one group to another where one link joins them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gateway {
    /// Position in the group of the router that has the link.
    pub(crate) position: u16,
    /// Its port.
    pub(crate) port: u16,
}

impl Gateway {
    /// Port towards it, or out of it, from a router at `position` of the group, whose local ports
    /// start at `local` and stand in router order, with the router itself left out. Without
    /// branches: who has the link is random.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "ports have 16 bits")]
    pub(crate) fn port_from(self, position: u32, local: u32) -> PortIndex {
        let goal = u32::from(self.position);
        let local = local + goal - u32::from(goal > position);
        let port = select_unpredictable(goal == position, u32::from(self.port), local);
        PortIndex(port as u16)
    }
}

/// How paths are found.
#[derive(Clone, Debug)]
enum Paths {
    /// Every two routers of a group are joined by one link: arithmetic.
    Direct,
    /// Shortest local paths from tables.
    Tables(Arc<LocalPaths>),
    /// One domain without groups.
    Domain(Arc<Domain>),
}

/// A hop towards another group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) port: PortIndex,
    /// The gateway it leads to: its position in the group, or [`NO_WAYPOINT`].
    pub(crate) waypoint: u8,
}

/// The global channels of a pair of groups, by gateway.
pub(crate) struct Gateways<'a> {
    channels: &'a [(RouterId, PortIndex)],
    has_several: bool,
}

impl Gateways<'_> {
    /// A random channel of a gateway that is not `other`, if there are several.
    #[inline]
    pub(crate) fn draw_besides(&self, other: RouterId, draw: &mut Stream) -> (RouterId, PortIndex) {
        let mut channel = one_of(self.channels, draw);
        let mut tries = 0;
        while self.has_several && channel.0 == other && tries < TRIES {
            channel = one_of(self.channels, draw);
            tries += 1;
        }
        channel
    }
}

/// Shortest-path steps on a topology.
#[derive(Clone, Debug)]
pub struct Geometry {
    topology: Arc<Topology>,
    groups: usize,
    /// `[from * groups + to]`; empty off the plain dragonfly.
    gateways: Arc<[Gateway]>,
    /// The gateways are all there is: one link for each two groups.
    has_single_links: bool,
    local_base: u16,
    /// Routers of the first group; of each one where paths are arithmetic.
    routers_per_group: u32,
    /// Routers with nodes in each group, which stand in front of the others.
    routers_with_nodes: Vec<u32>,
    /// Groups with nodes.
    groups_with_nodes: u32,
    /// The groups behind the global ports of all routers, in order, and where those of each router
    /// start; one more at the end.
    behind: Arc<[GroupId]>,
    behind_starts: Arc<[u32]>,
    /// The number of routers with nodes of every group, if all groups have as many; else 0.
    even_routers_with_nodes: u32,
    by_even_routers_with_nodes: Divider,
    paths: Paths,
    hops: Option<Arc<HopTable>>,
    /// Where ports are compared, unless they are too many.
    pub(crate) port_lists: Option<Arc<PortLists>>,
    problem: Option<RoutingError>,
    /// Room that ladders have to leave beyond this system.
    room: Room,
    /// Routers that are down, ascending.
    down: Arc<[RouterId]>,
    /// By group, if any router is down: those with nodes that are not.
    up_with_nodes: Arc<[Vec<RouterId>]>,
}

impl Geometry {
    /// Tables for `topology`. What they cannot be made for is refused when a
    /// [`Routing`](crate::Routing) is built from them.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        let routers_with_nodes = topology
            .groups()
            .map(|group| {
                let routers = topology.routers_of(group);
                let has_nodes = |router: &RouterId| topology.nodes_of(*router).len() > 0;
                u32::try_from(routers.take_while(has_nodes).count()).unwrap_or(u32::MAX)
            })
            .collect::<Vec<_>>();
        let first = routers_with_nodes.first().copied().unwrap_or(0);
        let is_even = routers_with_nodes.iter().all(|count| *count == first);
        let mut behind = Vec::new();
        let mut behind_starts = vec![0];
        for router in topology.routers() {
            let ports = topology.ports(LinkKind::Global).map(PortIndex);
            behind.extend(
                ports.filter_map(|port| match topology.neighbour(router, port)? {
                    Attachment::Router(far, _) => Some(topology.group_of(far)),
                    Attachment::Node(_) => None,
                }),
            );
            behind_starts.push(u32::try_from(behind.len()).unwrap_or(u32::MAX));
        }
        let mut geometry = Self {
            behind: behind.into(),
            behind_starts: behind_starts.into(),
            groups: topology.group_count() as usize,
            gateways: Arc::default(),
            has_single_links: false,
            local_base: topology.ports(LinkKind::Local).start,
            routers_per_group: topology.routers_in_group(GroupId(0)),
            even_routers_with_nodes: if is_even { first } else { 0 },
            by_even_routers_with_nodes: Divider::new(first.max(1)),
            groups_with_nodes: routers_with_nodes
                .iter()
                .map(|count| u32::from(*count > 0))
                .sum(),
            routers_with_nodes,
            paths: Paths::Direct,
            hops: None,
            port_lists: None,
            problem: None,
            room: Room::default(),
            down: Arc::default(),
            up_with_nodes: Arc::default(),
            topology,
        };
        match geometry.find_paths() {
            Ok(paths) => {
                geometry.paths = paths;
                geometry.hops = HopTable::new(&geometry).map(Arc::new);
            }
            Err(problem) => geometry.problem = Some(problem),
        }
        geometry
    }

    /// Forgets the determined hops of other routers than `routers`.
    pub(crate) fn keep_hops_of(&mut self, routers: Range<u32>) {
        if let Some(hops) = &mut self.hops {
            *hops = Arc::new(hops.of_routers(routers));
        }
    }

    fn find_paths(&mut self) -> Result<Paths, RoutingError> {
        let topology = &*Arc::clone(&self.topology);
        match topology.family() {
            Family::Graph => return Ok(Paths::Domain(Arc::new(Domain::new(topology)?))),
            Family::Dragonfly(_) if !topology.is_damaged() => {}
            Family::GroupKinds(_) if !topology.is_damaged() => return Ok(Paths::Direct),
            _ => return Ok(Paths::Tables(Arc::new(LocalPaths::new(topology)?))),
        }
        let groups = || topology.groups();
        let pairs = groups().flat_map(|from| groups().map(move |to| (from, to)));
        let gateway = |(from, to)| {
            let channel = topology.global_channels(from, to).first();
            channel.map_or_else(Gateway::default, |(router, port)| Gateway {
                position: u16::try_from(topology.position(*router)).unwrap_or(0),
                port: port.0,
            })
        };
        self.gateways = pairs.map(gateway).collect();
        self.has_single_links = topology.links_per_group_pair() == 1;
        Ok(Paths::Direct)
    }

    /// The topology.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The hops that geometry determines, of a system whose groups are all alike.
    pub(crate) fn hops(&self) -> Option<&HopTable> {
        self.hops.as_deref()
    }

    /// Why nothing can be routed here.
    pub(crate) const fn problem(&self) -> Option<&RoutingError> {
        self.problem.as_ref()
    }

    /// Whether every two routers of a group are joined and nothing failed.
    pub(crate) const fn is_direct(&self) -> bool {
        matches!(self.paths, Paths::Direct)
    }

    /// Whether some groups are not joined by any channel.
    pub(crate) fn has_gaps(&self) -> bool {
        matches!(&self.paths, Paths::Tables(tables) if tables.has_gaps())
    }

    /// The network as one domain, if it has no groups to route by.
    pub(crate) fn domain(&self) -> Option<&Domain> {
        match &self.paths {
            Paths::Domain(domain) => Some(domain),
            Paths::Direct | Paths::Tables(_) => None,
        }
    }

    /// Room that ladders on this system leave.
    pub(crate) fn room(&self) -> Room {
        let (longest_local, diameter) = match &self.paths {
            Paths::Tables(tables) => (tables.longest, 0),
            Paths::Direct => (1, 0),
            Paths::Domain(domain) => (1, domain.diameter),
        };
        let own = Room {
            longest_local,
            diameter,
            has_gaps: self.has_gaps(),
            is_damaged: self.topology.is_damaged(),
        };
        own.join(self.room)
    }

    /// This geometry, for ladders with room for `room`, too.
    pub(crate) fn with_room(self, room: Room) -> Self {
        Self { room, ..self }
    }

    /// Router of a node.
    #[inline]
    #[must_use]
    pub fn router_of(&self, node: NodeId) -> RouterId {
        self.topology.router_of(node)
    }

    /// Group of a router.
    #[inline]
    #[must_use]
    pub fn group_of(&self, router: RouterId) -> GroupId {
        self.topology.group_of(router)
    }

    /// Port towards `node` at its own router.
    #[inline]
    #[must_use]
    pub fn host_port(&self, node: NodeId) -> PortIndex {
        self.topology.host_port(node)
    }

    /// Whether `router` stands among those with nodes (a leaf of a megafly).
    #[inline]
    pub(crate) fn is_leaf(&self, router: RouterId) -> bool {
        let group = self.group_of(router);
        self.topology.position(router) < self.routers_with_nodes[group.index()]
    }

    /// Whether a channel leads from one group to the other.
    #[inline]
    pub(crate) fn is_joined(&self, from: GroupId, to: GroupId) -> bool {
        match &self.paths {
            Paths::Direct => true,
            Paths::Tables(tables) => tables.is_joined(from, to),
            Paths::Domain(_) => false,
        }
    }

    /// Port from `here` to another router of its group: on the plain dragonfly local ports stand
    /// in router order, with the router itself left out.
    #[inline]
    pub(crate) fn direct_port(&self, here: RouterId, group: GroupId, other: RouterId) -> PortIndex {
        self.direct_port_from(here, self.topology.first_router(group).0, other)
    }

    /// [`Geometry::direct_port`] in a group whose first router is known.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "offsets in a group are below a radix"
    )]
    fn direct_port_from(&self, here: RouterId, first: u32, other: RouterId) -> PortIndex {
        debug_assert!(here != other && self.is_direct());
        let position = other.0 - first;
        PortIndex(self.local_base + (position - u32::from(other > here)) as u16)
    }

    /// Port of a first hop on a shortest path from `here` to another router of its group: uniform
    /// over the next routers, then over the parallel ports to it.
    #[inline]
    pub(crate) fn local_port(
        &self,
        location: &RouterLocation,
        to: RouterId,
        draw: &mut Stream,
    ) -> PortIndex {
        let here = location.router;
        match &self.paths {
            Paths::Direct => self.direct_port_from(here, location.first(), to),
            Paths::Tables(tables) => {
                if let Some(hops) = &self.hops {
                    let entry = hops.between(location, to);
                    if entry & OPEN == 0 {
                        return PortIndex(entry & PORT);
                    }
                    let group = GroupId(location.group);
                    return pick(
                        tables.ports(group, location.position, to.0 - location.first()),
                        draw,
                    );
                }
                pick(self.tabled_ports(tables, here, to), draw)
            }
            Paths::Domain(domain) => domain.step(here, to, draw),
        }
    }

    /// Ports on the shortest paths between two routers of a group.
    #[inline]
    fn tabled_ports<'a>(
        &self,
        tables: &'a LocalPaths,
        here: RouterId,
        to: RouterId,
    ) -> &'a [PortIndex] {
        let group = self.topology.group_of(here);
        let first = self.topology.first_router(group).0;
        tables.ports(group, here.0 - first, to.0 - first)
    }

    /// The ports on the shortest paths to position `to` of the group of `location`; where they are
    /// from a table, and there is a table of hops.
    #[inline]
    pub(crate) fn several_ports(&self, location: &RouterLocation, to: u32) -> Option<&[PortIndex]> {
        match &self.paths {
            Paths::Tables(tables) => {
                Some(tables.ports(GroupId(location.group), location.position, to))
            }
            Paths::Direct | Paths::Domain(_) => None,
        }
    }

    /// Channels on the shortest path between two routers of a group (or a domain).
    pub(crate) fn hops_inside(&self, from: RouterId, to: RouterId) -> u32 {
        match &self.paths {
            Paths::Direct => u32::from(from != to),
            Paths::Tables(tables) => {
                let group = self.group_of(from);
                let first = self.topology.first_router(group).0;
                tables.hops(group, from.0 - first, to.0 - first).into()
            }
            Paths::Domain(domain) => domain.distance(from, to).into(),
        }
    }

    /// Every first port of the shortest paths inside a group.
    pub(crate) fn local_ports(
        &self,
        here: RouterId,
        to: RouterId,
    ) -> impl Iterator<Item = PortIndex> {
        let (only, tabled) = match &self.paths {
            Paths::Tables(tables) => (None, self.tabled_ports(tables, here, to)),
            Paths::Direct | Paths::Domain(_) => {
                let port = self.direct_port(here, self.group_of(here), to);
                (Some(port), &[][..])
            }
        };
        let different = tabled.chunk_by(|one, other| one == other);
        only.into_iter().chain(different.map(|same| same[0]))
    }

    /// The only first hop on shortest paths inside a group, if there is but one.
    pub(crate) fn only_local_port(&self, here: RouterId, to: RouterId) -> Option<PortIndex> {
        let Paths::Tables(tables) = &self.paths else {
            let port = || self.direct_port(here, self.group_of(here), to);
            return self.is_direct().then(port);
        };
        match self.tabled_ports(tables, here, to) {
            [port] => Some(*port),
            _ => None,
        }
    }

    /// Port of a shortest first step from `here` to another group, which is joined to its own.
    ///
    /// A packet on its way to a gateway (`waypoint`) goes on to it. Otherwise, with several
    /// channels to that group: a packet that came over a local link to a router with such channels
    /// takes one of those (uniformly drawn); else one of all channels of the group pair is drawn.
    /// With one channel nothing is drawn.
    #[inline(always)]
    pub(crate) fn towards(
        &self,
        location: &RouterLocation,
        to: GroupId,
        arrival: LinkKind,
        waypoint: u8,
        draw: &mut Stream,
    ) -> Step {
        let from = GroupId(location.group);
        debug_assert!(from != to);
        if let Some(port) = self.only_port_towards(location.router, from, to) {
            return Step {
                port,
                waypoint: NO_WAYPOINT,
            };
        }
        self.draw_towards(location, to, arrival, waypoint, draw)
    }

    /// Port of the only shortest first step from `here`, in group `from`, to another group; `None`
    /// where parallel links must be drawn among.
    #[inline(always)]
    #[must_use]
    pub(crate) fn only_port_towards(
        &self,
        here: RouterId,
        from: GroupId,
        to: GroupId,
    ) -> Option<PortIndex> {
        if !self.has_single_links {
            return None;
        }
        let gateway = self.gateways[from.index() * self.groups + to.index()];
        let position = here.0 - from.0 * self.routers_per_group;
        Some(gateway.port_from(position, self.local_base.into()))
    }

    #[inline(never)]
    fn draw_towards(
        &self,
        location: &RouterLocation,
        to: GroupId,
        arrival: LinkKind,
        waypoint: u8,
        draw: &mut Stream,
    ) -> Step {
        let (here, from) = (location.router, GroupId(location.group));
        if waypoint != NO_WAYPOINT {
            let first = self.topology.first_router(from);
            let gateway = RouterId(first.0 + u32::from(waypoint));
            if gateway != here {
                return Step {
                    port: self.local_port(location, gateway, draw),
                    waypoint,
                };
            }
        }
        if arrival.is_local() {
            let direct = self.topology.direct_ports(here, to);
            if !direct.is_empty() {
                return Step {
                    port: one_of(direct, draw),
                    waypoint: NO_WAYPOINT,
                };
            }
        }
        let channels = self.topology.global_channels(from, to);
        let (router, port) = one_of(channels, draw);
        self.step_to(location, router, port, draw)
    }

    /// A step to the global channel at `port` of the gateway `router`, in the group of `location`.
    #[inline]
    pub(crate) fn step_to(
        &self,
        location: &RouterLocation,
        router: RouterId,
        port: PortIndex,
        draw: &mut Stream,
    ) -> Step {
        if router == location.router {
            return Step {
                port,
                waypoint: NO_WAYPOINT,
            };
        }
        let port = self.local_port(location, router, draw);
        // Where one local hop is enough the packet needs no reminder.
        let waypoint = if self.is_direct() {
            NO_WAYPOINT
        } else {
            u8::try_from(router.0 - location.first()).unwrap_or(NO_WAYPOINT)
        };
        Step { port, waypoint }
    }

    /// The gateways from one group to another.
    #[inline]
    pub(crate) fn gateways(&self, from: GroupId, to: GroupId) -> Gateways<'_> {
        let channels = self.topology.global_channels(from, to);
        // Channels are sorted by router: one gateway has the first and the last.
        let has_several = channels.first().map(|one| one.0) != channels.last().map(|one| one.0);
        Gateways {
            channels,
            has_several,
        }
    }
}

/// Draws one of several, uniformly.
///
/// # Panics
/// If there is none: paths lead only where channels do.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "channels of a system fit u32"
)]
pub(crate) fn one_of<T: Copy>(several: &[T], draw: &mut Stream) -> T {
    several[draw.below(several.len() as u32) as usize]
}

/// Draws one of several, uniformly; from one it draws no number.
#[inline]
fn pick<T: Copy>(several: &[T], draw: &mut Stream) -> T {
    match several {
        [one] => *one,
        several => one_of(several, draw),
    }
}
