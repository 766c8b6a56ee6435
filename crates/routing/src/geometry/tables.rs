//! Shortest local paths, for groups whose routers are not all joined to each other, and for
//! damaged systems.

use odonata_topology::{Attachment, LinkKind, PortIndex, Topology};
use odonata_units::{GroupId, RouterId};

use crate::error::RoutingError;

/// Routers of a group are numbered in 8 bits, of which one value means "none".
const GROUP_LIMIT: u32 = 255;

/// The local paths of every group, and which groups are joined.
#[derive(Debug)]
pub(crate) struct LocalPaths {
    structures: Vec<Structure>,
    /// Per group: its structure.
    structure_of: Vec<u32>,
    /// Hops of the longest shortest local path; at least 1.
    pub(crate) longest: u8,
    /// `[from * groups + to]`, if some pair is not joined.
    joined: Option<Vec<bool>>,
}

/// Shortest paths inside groups of one kind.
#[derive(PartialEq, Eq, Debug)]
struct Structure {
    routers: usize,
    /// `[from * routers + to]`: where the ports start in `ports`; one more at the end.
    starts: Vec<u32>,
    /// Ports out, so that a uniform draw gives each next router on a shortest path the same chance,
    /// and each of the parallel ports to it.
    ports: Vec<PortIndex>,
    /// `[from * routers + to]`: hops of the shortest path.
    hops: Vec<u8>,
    longest: u8,
}

impl LocalPaths {
    pub(crate) fn new(topology: &Topology) -> Result<Self, RoutingError> {
        let mut tables = Self {
            structures: Vec::new(),
            structure_of: Vec::new(),
            longest: 1,
            joined: None,
        };
        let mut known: Vec<(Vec<Vec<LocalLink>>, u32)> = Vec::new();
        for group in topology.groups() {
            let neighbours = neighbours(topology, group)?;
            let seen = known.iter().find(|(one, _)| *one == neighbours);
            let structure = if let Some((_, index)) = seen {
                *index
            } else {
                let structure = Structure::new(&neighbours).map_err(|(from, to)| {
                    let first = topology.first_router(group).0;
                    RoutingError::GroupFallsApart {
                        group: group.0,
                        from: first + from,
                        to: first + to,
                    }
                })?;
                tables.longest = tables.longest.max(structure.longest);
                let index = index(tables.structures.len());
                tables.structures.push(structure);
                known.push((neighbours, index));
                index
            };
            tables.structure_of.push(structure);
        }
        tables.join(topology)?;
        Ok(tables)
    }

    /// Which groups are joined by a channel; the others need one in between.
    fn join(&mut self, topology: &Topology) -> Result<(), RoutingError> {
        let pairs = topology.groups().flat_map(|from| {
            topology
                .groups()
                .map(move |to| from == to || !topology.global_channels(from, to).is_empty())
        });
        let joined: Vec<bool> = pairs.collect();
        if joined.iter().all(|joined| *joined) {
            return Ok(());
        }
        let groups = topology.group_count() as usize;
        for from in 0..groups {
            for to in (0..groups).filter(|to| !joined[from * groups + to]) {
                let is_relay = |through: &usize| {
                    let there = joined[from * groups + through] && joined[through * groups + to];
                    there && *through != from && *through != to
                };
                if !(0..groups).any(|through| is_relay(&through)) {
                    return Err(RoutingError::NoWay {
                        from: index(from),
                        to: index(to),
                    });
                }
            }
        }
        self.joined = Some(joined);
        Ok(())
    }

    /// Whether a channel leads from one group to the other.
    #[inline]
    pub(crate) fn is_joined(&self, from: GroupId, to: GroupId) -> bool {
        let groups = self.structure_of.len();
        let joined = self.joined.as_ref();
        joined.is_none_or(|joined| joined[from.index() * groups + to.index()])
    }

    /// Whether the routers of all groups are joined in the same way.
    pub(crate) const fn is_uniform(&self) -> bool {
        self.structures.len() == 1
    }

    /// Whether some groups are not joined.
    pub(crate) const fn has_gaps(&self) -> bool {
        self.joined.is_some()
    }

    /// Ports out of position `from` on shortest paths to position `to` of `group`; empty if they
    /// are the same. A uniform draw is uniform over the next routers, then over the ports to it.
    #[inline]
    pub(crate) fn ports(&self, group: GroupId, from: u32, to: u32) -> &[PortIndex] {
        let structure = self.structure_of[group.index()];
        let structure = &self.structures[structure as usize];
        let entry = from as usize * structure.routers + to as usize;
        let start = structure.starts[entry] as usize;
        let end = structure.starts[entry + 1] as usize;
        &structure.ports[start..][..end - start]
    }

    /// Hops of the shortest path between two positions of `group`.
    pub(crate) fn hops(&self, group: GroupId, from: u32, to: u32) -> u8 {
        let structure = self.structure_of[group.index()];
        let structure = &self.structures[structure as usize];
        structure.hops[from as usize * structure.routers + to as usize]
    }
}

impl Structure {
    /// Paths between all positions, given the neighbours of each; an unreachable pair otherwise.
    fn new(neighbours: &[Vec<LocalLink>]) -> Result<Self, (u32, u32)> {
        let routers = neighbours.len();
        let mut structure = Self {
            routers,
            starts: vec![0],
            ports: Vec::new(),
            hops: Vec::new(),
            longest: 0,
        };
        // Links have two directions: the distance to a router is the distance from it.
        let distances: Vec<Vec<u8>> = (0..routers).map(|to| distances(neighbours, to)).collect();
        for from in 0..routers {
            for (to, hops) in distances.iter().enumerate() {
                let distance = hops[from];
                if distance == u8::MAX {
                    return Err((index(from), index(to)));
                }
                structure.longest = structure.longest.max(distance);
                structure.hops.push(distance);
                if from != to {
                    let is_nearer = |link: &&LocalLink| hops[usize::from(link.position)] < distance;
                    spread(
                        neighbours[from].iter().filter(is_nearer),
                        &mut structure.ports,
                    );
                }
                structure.starts.push(index(structure.ports.len()));
            }
        }
        Ok(structure)
    }
}

/// Hops from every position to `to`; `u8::MAX` where no path leads.
fn distances(neighbours: &[Vec<LocalLink>], to: usize) -> Vec<u8> {
    let mut distances = vec![u8::MAX; neighbours.len()];
    distances[to] = 0;
    let mut frontier = vec![to];
    let mut hops = 0;
    while !frontier.is_empty() && hops < u8::MAX - 1 {
        hops += 1;
        let mut reached = Vec::new();
        for position in frontier {
            let links = neighbours[position].iter();
            for next in links.map(|link| usize::from(link.position)) {
                if distances[next] == u8::MAX {
                    distances[next] = hops;
                    reached.push(next);
                }
            }
        }
        frontier = reached;
    }
    distances
}

/// A port of a router, and the position of the router behind it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct LocalLink {
    position: u8,
    port: PortIndex,
}

/// Adds the ports of `links` (sorted by position), each as often as makes every position equally
/// likely.
fn spread<'a>(links: impl Iterator<Item = &'a LocalLink>, ports: &mut Vec<PortIndex>) {
    let links: Vec<_> = links.copied().collect();
    let routers: Vec<_> = links.chunk_by(|a, b| a.position == b.position).collect();
    let common = routers.iter().map(|ports| ports.len()).fold(1, multiple);
    for router in routers {
        for link in router {
            ports.extend(std::iter::repeat_n(link.port, common / router.len()));
        }
    }
}

/// Least common multiple.
fn multiple(a: usize, b: usize) -> usize {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a / divisor * b
}

/// Per position of `group`: its local links, ascending by position, then port.
fn neighbours(topology: &Topology, group: GroupId) -> Result<Vec<Vec<LocalLink>>, RoutingError> {
    let routers = topology.routers_in_group(group);
    if routers > GROUP_LIMIT {
        return Err(RoutingError::GroupTooLarge {
            routers,
            limit: GROUP_LIMIT,
        });
    }
    let kinds = LinkKind::ALL.into_iter().filter(|kind| kind.is_local());
    let ports: Vec<u16> = kinds.flat_map(|kind| topology.ports(kind)).collect();
    let of = |router: RouterId| -> Vec<LocalLink> {
        let link = |port: &u16| {
            let port = PortIndex(*port);
            match topology.neighbour(router, port)? {
                Attachment::Router(next, _) => {
                    let position = u8::try_from(topology.position(next)).ok()?;
                    Some(LocalLink { position, port })
                }
                Attachment::Node(_) => None,
            }
        };
        let mut links: Vec<_> = ports.iter().filter_map(link).collect();
        links.sort_unstable();
        links
    };
    Ok(topology.routers_of(group).map(of).collect())
}

fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
