//! Shortest paths over a whole graph that has no groups to speak of.

use odonata_topology::{Attachment, PortIndex, Topology};
use odonata_units::{RouterId, Stream};

use crate::error::RoutingError;

/// Distances are kept for each two routers, a byte each: 36 MB at this number.
pub(crate) const ROUTER_LIMIT: u32 = 6_000;

/// A network as one domain: distances between all routers.
#[derive(Debug)]
pub(crate) struct Domain {
    routers: usize,
    /// `[to * routers + from]`, hops.
    distances: Vec<u8>,
    /// Per router: where its neighbours start; one more at the end.
    starts: Vec<u32>,
    /// Neighbours, ascending per router, one entry per port.
    neighbours: Vec<(RouterId, PortIndex)>,
    /// Routers with nodes.
    pub(crate) routers_with_nodes: Vec<RouterId>,
    /// Hops of the longest shortest path between routers with nodes; at least 1.
    pub(crate) diameter: u8,
}

impl Domain {
    pub(crate) fn new(topology: &Topology) -> Result<Self, RoutingError> {
        let routers = topology.router_count();
        if routers > ROUTER_LIMIT {
            return Err(RoutingError::GraphTooLarge {
                routers,
                limit: ROUTER_LIMIT,
            });
        }
        let mut domain = Self {
            routers: routers as usize,
            distances: Vec::with_capacity(routers as usize * routers as usize),
            starts: vec![0],
            neighbours: Vec::new(),
            routers_with_nodes: topology
                .routers()
                .filter(|router| topology.nodes_of(*router).len() > 0)
                .collect(),
            diameter: 1,
        };
        for router in topology.routers() {
            let ports = (0..topology.radix()).map(PortIndex);
            let ends = ports.filter_map(|port| match topology.neighbour(router, port)? {
                Attachment::Router(next, _) => Some((next, port)),
                Attachment::Node(_) => None,
            });
            let mut ends: Vec<_> = ends.collect();
            ends.sort_unstable();
            domain.neighbours.extend(ends);
            let end = u32::try_from(domain.neighbours.len()).unwrap_or(u32::MAX);
            domain.starts.push(end);
        }
        for to in topology.routers() {
            let distances = domain.distances_to(to);
            domain.distances.extend(distances);
        }
        domain.measure()?;
        Ok(domain)
    }

    /// The longest path between routers with nodes.
    fn measure(&mut self) -> Result<(), RoutingError> {
        for from in &self.routers_with_nodes {
            for to in &self.routers_with_nodes {
                let distance = self.distance(*from, *to);
                if distance == u8::MAX {
                    return Err(RoutingError::FallsApart {
                        from: from.0,
                        to: to.0,
                    });
                }
                self.diameter = self.diameter.max(distance);
            }
        }
        Ok(())
    }

    fn of(&self, router: RouterId) -> &[(RouterId, PortIndex)] {
        let (start, end) = (self.starts[router.index()], self.starts[router.index() + 1]);
        &self.neighbours[start as usize..end as usize]
    }

    fn distances_to(&self, to: RouterId) -> Vec<u8> {
        let mut distances = vec![u8::MAX; self.routers];
        distances[to.index()] = 0;
        let mut frontier = vec![to];
        let mut hops = 0;
        while !frontier.is_empty() && hops < u8::MAX - 1 {
            hops += 1;
            let mut reached = Vec::new();
            for router in frontier {
                for (next, _) in self.of(router) {
                    if distances[next.index()] == u8::MAX {
                        distances[next.index()] = hops;
                        reached.push(*next);
                    }
                }
            }
            frontier = reached;
        }
        distances
    }

    pub(crate) fn distance(&self, from: RouterId, to: RouterId) -> u8 {
        self.distances[to.index() * self.routers + from.index()]
    }

    /// A first hop of a shortest path: uniform over the next routers, then over their ports.
    pub(crate) fn step(&self, here: RouterId, to: RouterId, draw: &mut Stream) -> PortIndex {
        let distance = self.distance(here, to);
        let row = &self.distances[to.index() * self.routers..][..self.routers];
        let nearer = |one: &&(RouterId, PortIndex)| row[one.0.index()] < distance;
        let neighbours = self.of(here);
        let mut routers = 0;
        let mut last = None;
        for (next, _) in neighbours.iter().filter(nearer) {
            routers += u32::from(last != Some(*next));
            last = Some(*next);
        }
        let mut skip = if routers > 1 { draw.below(routers) } else { 0 };
        let mut chosen = RouterId(0);
        last = None;
        for (next, _) in neighbours.iter().filter(nearer) {
            if last == Some(*next) {
                continue;
            }
            last = Some(*next);
            chosen = *next;
            if skip == 0 {
                break;
            }
            skip -= 1;
        }
        let first = neighbours.partition_point(|(next, _)| *next < chosen);
        let ports = &neighbours[first..];
        let count = ports.partition_point(|(next, _)| *next == chosen);
        let index = if count > 1 {
            draw.below(u32::try_from(count).unwrap_or(1))
        } else {
            0
        };
        ports[index as usize].1
    }
}

/// Draws one of `routers` besides two, uniformly; `None` if there is none.
pub(crate) fn draw_besides(
    routers: &[RouterId],
    two: [RouterId; 2],
    draw: &mut Stream,
) -> Option<RouterId> {
    let others = || routers.iter().filter(|router| !two.contains(*router));
    let count = u32::try_from(others().count()).ok().filter(|n| *n > 0)?;
    others().nth(draw.below(count) as usize).copied()
}
