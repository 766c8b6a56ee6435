//! Steps on shortest paths and the draws among them: sections "Paths" and "Draws" of the page.

use odonata_routing::Routing;
use odonata_topology::{Attachment, Family, LinkKind, PortIndex, Topology};
use odonata_units::{GroupId, RouterId, Stream};

/// How often a group is drawn before the fitting ones are numbered.
const TRIES: usize = 32;

/// A first hop towards a router of another group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) port: PortIndex,
    /// The router that it heads for inside this group, if it does not leave the group.
    pub(super) gateway: Option<RouterId>,
}

/// The network as packets see it.
pub(super) struct Paths {
    pub(super) topology: Topology,
    /// Networks given by their channels have none: they are one domain.
    pub(super) has_groups: bool,
    /// An undamaged dragonfly, each two groups of which are joined by one link.
    has_single_links: bool,
    /// `[router]`: routers behind the ports that stay in its group (or domain), ascending, with the
    /// ports.
    neighbours: Vec<Vec<(RouterId, PortIndex)>>,
    /// `[from][to]`: global channels from one group to another: (router, port), ascending.
    channels: Vec<Vec<Vec<(RouterId, PortIndex)>>>,
    /// Routers that are down: they are drawn as if they had no nodes.
    down: Vec<RouterId>,
    /// `[group]`: routers with nodes that are not down, ascending.
    routers_with_nodes: Vec<Vec<RouterId>>,
    /// `[from][to]`: hops of the shortest path that stays in the group (or domain).
    hops: Vec<Vec<Option<u8>>>,
}

impl Paths {
    /// Those of a routing.
    pub(super) fn of(routing: &Routing) -> Self {
        let geometry = routing.geometry();
        Self::new(geometry.topology(), geometry.down())
    }

    fn new(topology: &Topology, down: &[RouterId]) -> Self {
        let mut paths = Self {
            topology: topology.clone(),
            has_groups: !matches!(topology.family(), Family::Graph),
            has_single_links: false,
            neighbours: Vec::new(),
            channels: Vec::new(),
            down: down.to_vec(),
            routers_with_nodes: Vec::new(),
            hops: Vec::new(),
        };
        let groups = || topology.groups();
        let pairs = || groups().flat_map(|from| groups().map(move |to| (from, to)));
        let neighbours = topology
            .routers()
            .map(|router| paths.list_neighbours(router));
        paths.neighbours = neighbours.collect();
        let from = |from| groups().map(|to| paths.list_channels(from, to)).collect();
        paths.channels = groups().map(from).collect();
        paths.routers_with_nodes = groups()
            .map(|group| paths.list_routers_with_nodes(group))
            .collect();
        paths.hops = topology.routers().map(|from| paths.search(from)).collect();
        let is_plain = matches!(topology.family(), Family::Dragonfly(_)) && !topology.is_damaged();
        let is_single = |(from, to)| from == to || paths.channels(from, to).len() == 1;
        paths.has_single_links = is_plain && pairs().all(is_single);
        paths
    }

    /// Breadth first.
    fn search(&self, from: RouterId) -> Vec<Option<u8>> {
        let mut hops = vec![None; self.topology.router_count() as usize];
        hops[from.index()] = Some(0);
        let mut frontier = vec![from];
        let mut distance = 0;
        while !frontier.is_empty() {
            distance += 1;
            let mut reached = Vec::new();
            for router in frontier {
                for &(next, _) in &self.neighbours[router.index()] {
                    if hops[next.index()].is_none() {
                        hops[next.index()] = Some(distance);
                        reached.push(next);
                    }
                }
            }
            frontier = reached;
        }
        hops
    }

    fn list_neighbours(&self, router: RouterId) -> Vec<(RouterId, PortIndex)> {
        let mut all: Vec<_> = self.ends(router).collect();
        all.retain(|(next, _)| self.is_near(router, *next));
        all.sort_unstable();
        all
    }

    fn list_channels(&self, from: GroupId, to: GroupId) -> Vec<(RouterId, PortIndex)> {
        let of = |router| {
            let ports = self.ports_to(router, to).into_iter();
            ports.map(move |port| (router, port))
        };
        self.topology.routers_of(from).flat_map(of).collect()
    }

    fn list_routers_with_nodes(&self, group: GroupId) -> Vec<RouterId> {
        let routers = self.topology.routers_of(group);
        routers
            .filter(|router| self.may_be_drawn(*router))
            .collect()
    }

    /// Far routers of the connected ports of `router`, by port.
    fn ends(&self, router: RouterId) -> impl Iterator<Item = (RouterId, PortIndex)> {
        let ports = (0..self.topology.radix()).map(PortIndex);
        ports.filter_map(move |port| match self.topology.neighbour(router, port)? {
            Attachment::Router(next, _) => Some((next, port)),
            Attachment::Node(_) => None,
        })
    }

    fn channels(&self, from: GroupId, to: GroupId) -> &[(RouterId, PortIndex)] {
        &self.channels[from.index()][to.index()]
    }

    /// Global ports of `router` to group `to`, ascending.
    fn ports_to(&self, router: RouterId, to: GroupId) -> Vec<PortIndex> {
        let far = |(next, port): (RouterId, PortIndex)| {
            let is_there = self.topology.group_of(next) == to;
            let is_global = self.topology.port_kind(port) == LinkKind::Global;
            (is_there && is_global).then_some(port)
        };
        self.ends(router).filter_map(far).collect()
    }

    /// Whether two routers are in one group, or one domain.
    pub(super) fn is_near(&self, one: RouterId, other: RouterId) -> bool {
        !self.has_groups || self.topology.group_of(one) == self.topology.group_of(other)
    }

    /// Whether a channel leads from the group of one to that of the other.
    pub(super) fn is_joined(&self, one: RouterId, other: RouterId) -> bool {
        self.is_near(one, other)
            || self.joins(self.topology.group_of(one), self.topology.group_of(other))
    }

    fn joins(&self, from: GroupId, to: GroupId) -> bool {
        from == to || !self.channels(from, to).is_empty()
    }

    /// Whether some groups are not joined.
    pub(super) fn has_gaps(&self) -> bool {
        let groups = || self.topology.groups();
        self.has_groups && groups().any(|from| groups().any(|to| !self.joins(from, to)))
    }

    /// A router of a megafly that has global channels and no nodes.
    pub(super) fn is_spine(&self, router: RouterId) -> bool {
        self.topology.family().has_levels() && !self.has_nodes(router)
    }

    /// Whether a router may be an intermediate one.
    pub(super) fn may_be_drawn(&self, router: RouterId) -> bool {
        self.has_nodes(router) && !self.down.contains(&router)
    }

    pub(super) fn has_nodes(&self, router: RouterId) -> bool {
        self.topology.nodes_of(router).len() > 0
    }

    /// Whether `here` has a channel of its own to the group of `other`.
    pub(super) fn has_channel(&self, here: RouterId, other: RouterId) -> bool {
        !self
            .ports_to(here, self.topology.group_of(other))
            .is_empty()
    }

    /// Hops of the longest shortest path between two routers: of a group, or of a domain that have
    /// nodes; at least 1.
    pub(super) fn longest(&self) -> u8 {
        let counts = |router: RouterId| self.has_groups || self.has_nodes(router);
        let routers = || self.topology.routers().filter(|router| counts(*router));
        let pairs = routers().flat_map(|from| routers().map(move |to| (from, to)));
        let near = pairs.filter(|(from, to)| self.is_near(*from, *to));
        let hops = near.filter_map(|(from, to)| self.hops[from.index()][to.index()]);
        hops.max().unwrap_or(0).max(1)
    }

    /// Hops of the longest shortest path of a domain from one of `routers` to one with nodes.
    pub(super) fn longest_from(&self, routers: &[RouterId]) -> u8 {
        if self.has_groups {
            return 0;
        }
        let ends = || self.topology.routers().filter(|to| self.has_nodes(*to));
        let hops = routers
            .iter()
            .flat_map(|from| ends().map(move |to| self.near_hops(*from, to)));
        u8::try_from(hops.max().unwrap_or(0)).unwrap_or(u8::MAX)
    }

    /// A first hop on a shortest path that stays in the group or domain.
    pub(super) fn local_port(&self, here: RouterId, to: RouterId, draws: &mut Stream) -> PortIndex {
        let left = |router: RouterId| self.hops[router.index()][to.index()];
        let mut nearer = self.neighbours[here.index()].clone();
        nearer.retain(|(next, _)| left(*next) < left(here) && left(*next).is_some());
        let routers: Vec<_> = nearer.chunk_by(|a, b| a.0 == b.0).collect();
        if !self.has_groups {
            let ports = one_of_several(&routers, draws);
            return one_of_several(ports, draws).1;
        }
        // As many entries for each router: the least number that all their numbers of ports divide.
        let divides = |entries: &usize| {
            routers
                .iter()
                .all(|ports| entries.is_multiple_of(ports.len()))
        };
        let entries = (1..).find(divides).unwrap_or(1);
        let list: Vec<PortIndex> = routers
            .iter()
            .flat_map(|ports| (0..entries).map(|entry| ports[entry * ports.len() / entries].1))
            .collect();
        one_of_several(&list, draws)
    }

    /// A first hop towards `to`, in another group (or in the domain), of a packet that came over a
    /// local channel or did not, and that heads for `gateway`, if for any.
    pub(super) fn step(
        &self,
        here: RouterId,
        to: RouterId,
        came_locally: bool,
        gateway: Option<RouterId>,
        draws: &mut Stream,
    ) -> Step {
        if !self.has_groups {
            let port = self.local_port(here, to, draws);
            return Step {
                port,
                gateway: None,
            };
        }
        let groups = [here, to].map(|router| self.topology.group_of(router));
        let own = self.ports_to(here, groups[1]);
        let channel = match gateway {
            Some(router) if router != here => return self.towards(here, router, draws),
            _ if came_locally && !own.is_empty() => (here, self.one_channel(&own, draws)),
            _ => self.one_channel(self.channels(groups[0], groups[1]), draws),
        };
        if channel.0 != here {
            return self.towards(here, channel.0, draws);
        }
        Step {
            port: channel.1,
            gateway: None,
        }
    }

    fn towards(&self, here: RouterId, gateway: RouterId, draws: &mut Stream) -> Step {
        Step {
            port: self.local_port(here, gateway, draws),
            gateway: Some(gateway),
        }
    }

    /// One of several global channels; drawn also if there is but one.
    fn one_channel<T: Copy>(&self, channels: &[T], draws: &mut Stream) -> T {
        if self.has_single_links {
            return channels[0];
        }
        one_of(channels, draws)
    }

    /// Hops inside a group or domain.
    fn near_hops(&self, from: RouterId, to: RouterId) -> u32 {
        match self.hops[from.index()][to.index()] {
            Some(hops) => hops.into(),
            None => unreachable!("groups that fall apart are refused"),
        }
    }

    /// Hops of the shortest path that leaves the group of `from` at most once, for that of `to`.
    fn shortest(&self, from: RouterId, to: RouterId) -> u32 {
        if self.is_near(from, to) {
            return self.near_hops(from, to);
        }
        let groups = [from, to].map(|router| self.topology.group_of(router));
        let channels = self.channels(groups[0], groups[1]).iter();
        let hops = channels.map(|(near, port)| {
            let far = self.far_end(*near, *port);
            self.near_hops(from, *near) + 1 + self.near_hops(far, to)
        });
        least_hops(hops)
    }

    /// The router that a channel leads to.
    fn far_end(&self, from: RouterId, port: PortIndex) -> RouterId {
        match self.topology.neighbour(from, port) {
            Some(Attachment::Router(far, _)) => far,
            other => unreachable!("{other:?} is no router"),
        }
    }

    /// Far ends of the channels to the group of `goal` that `step` leaves open, with the hops to
    /// there.
    fn landings(&self, here: RouterId, goal: RouterId, step: Step) -> Vec<(RouterId, u32)> {
        let Some(gateway) = step.gateway else {
            return vec![(self.far_end(here, step.port), 1)];
        };
        let before = self.near_hops(here, gateway);
        let ports = self.ports_to(gateway, self.topology.group_of(goal));
        let ends = ports.iter().map(|port| self.far_end(gateway, *port));
        ends.map(|far| (far, before + 1)).collect()
    }

    /// Hops of the shortest way to `target` that a minimal step leaves open.
    pub(super) fn hops_of_minimal(&self, here: RouterId, target: RouterId, step: Step) -> u32 {
        if !self.has_groups {
            return self.near_hops(here, target);
        }
        let landings = self.landings(here, target, step).into_iter();
        least_hops(landings.map(|(far, hops)| hops + self.near_hops(far, target)))
    }

    /// Hops of a path by a step towards `via`, whose group is crossed, or which is visited.
    pub(super) fn hops_of_detour(
        &self,
        here: RouterId,
        via: RouterId,
        target: RouterId,
        step: Step,
        is_crossed: bool,
    ) -> u32 {
        if !self.has_groups {
            return self.near_hops(here, via) + self.near_hops(via, target);
        }
        let onward = |far| {
            if is_crossed {
                self.shortest(far, target)
            } else {
                self.near_hops(far, via) + self.shortest(via, target)
            }
        };
        let landings = self.landings(here, via, step).into_iter();
        least_hops(landings.map(|(far, hops)| hops + onward(far)))
    }

    /// Another router with nodes in the group of both.
    pub(super) fn router_inside(
        &self,
        here: RouterId,
        target: RouterId,
        draws: &mut Stream,
    ) -> Option<RouterId> {
        let mut routers = self.routers_with_nodes[self.topology.group_of(here).index()].clone();
        routers.retain(|one| *one != here && *one != target);
        (!routers.is_empty()).then(|| one_of(&routers, draws))
    }

    /// Groups that have routers with nodes, and channels from the group of one router and to that of
    /// the other, which they are not.
    pub(super) fn groups_between(&self, here: RouterId, target: RouterId) -> Vec<GroupId> {
        let (from, to) = (self.topology.group_of(here), self.topology.group_of(target));
        let fits = |group: &GroupId| {
            *group != from
                && *group != to
                && self.joins(from, *group)
                && self.joins(*group, to)
                && !self.routers_with_nodes[group.index()].is_empty()
        };
        self.topology.groups().filter(fits).collect()
    }

    /// A router with nodes outside both groups (of a domain: besides both routers), from which
    /// channels lead to both.
    pub(super) fn third_router(
        &self,
        here: RouterId,
        target: RouterId,
        draws: &mut Stream,
    ) -> Option<RouterId> {
        if !self.has_groups {
            let mut routers: Vec<_> = self.topology.routers().collect();
            routers.retain(|one| self.may_be_drawn(*one) && *one != here && *one != target);
            return (!routers.is_empty()).then(|| one_of(&routers, draws));
        }
        let all: Vec<GroupId> = self.topology.groups().collect();
        let fitting = self.groups_between(here, target);
        if fitting.is_empty() {
            return None;
        }
        let size = self.routers_with_nodes[0].len();
        if self
            .routers_with_nodes
            .iter()
            .all(|routers| routers.len() == size)
            && !self.has_gaps()
            && self.down.is_empty()
        {
            let routers = fitting
                .iter()
                .flat_map(|group| &self.routers_with_nodes[group.index()]);
            let routers: Vec<RouterId> = routers.copied().collect();
            return Some(one_of(&routers, draws));
        }
        let mut tries = (0..TRIES).map(|_| one_of(&all, draws));
        let group = tries.find(|group| fitting.contains(group));
        let group = group.unwrap_or_else(|| one_of(&fitting, draws));
        Some(one_of(&self.routers_with_nodes[group.index()], draws))
    }

    /// A router with nodes behind a channel of `here`, outside its group and that of `target`, from
    /// which a channel leads to the latter.
    pub(super) fn router_behind(
        &self,
        here: RouterId,
        target: RouterId,
        draws: &mut Stream,
    ) -> Option<RouterId> {
        let (from, to) = (self.topology.group_of(here), self.topology.group_of(target));
        let groups = self
            .ends(here)
            .map(|(next, _)| self.topology.group_of(next));
        let mut groups: Vec<_> = groups.collect();
        groups.retain(|group| *group != from && *group != to && self.joins(*group, to));
        groups.retain(|group| !self.routers_with_nodes[group.index()].is_empty());
        if groups.is_empty() {
            return None;
        }
        let group = one_of(&groups, draws);
        Some(one_of(&self.routers_with_nodes[group.index()], draws))
    }
}

fn least_hops(hops: impl Iterator<Item = u32>) -> u32 {
    match hops.min() {
        Some(least) => least,
        None => unreachable!("a channel leads there"),
    }
}

/// A draw of one of these things.
fn one_of<T: Copy>(things: &[T], draws: &mut Stream) -> T {
    let Ok(count) = u32::try_from(things.len()) else {
        unreachable!("small systems have few of everything");
    };
    things[draws.below(count) as usize]
}

/// Draws one of several; from one it draws no number.
fn one_of_several<T: Copy>(things: &[T], draws: &mut Stream) -> T {
    if let [only] = things {
        return *only;
    }
    one_of(things, draws)
}
