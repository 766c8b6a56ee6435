//! The nodes of the machine while jobs are placed: which are free, and who sits where.

use odonata_mpi::{MOST_RANKS_PER_NODE, RankLocation};
use odonata_placement::{
    FreeNodes, KindNodes, Kinds, PlacementError, RankCount, Surroundings, Unit, free_for,
    place_shared,
};
use odonata_topology::{NodeEnds, Topology};
use odonata_units::NodeId;
use serde_json::{Map, Value};

use crate::build::events::NodeOutages;

/// See the module. Nodes are those of the machine, which may have several network ends.
pub(crate) struct Sites<'a> {
    ends: &'a NodeEnds,
    /// Nodes that no job gets, ascending.
    out_of_service: &'a [NodeId],
    /// When others are down.
    outages: &'a NodeOutages,
    units: Vec<Unit>,
    /// Empty where all groups are of one kind.
    kinds: Vec<KindNodes>,
    /// Empty where all nodes are of one type.
    types: Vec<KindNodes>,
    /// Jobs that have been placed.
    tenancies: Vec<Tenancy>,
    /// By node: local ranks taken.
    taken: Vec<u32>,
}

/// Nodes that a job has, and when.
struct Tenancy {
    nodes: Vec<NodeId>,
    stay: Stay,
    shares: bool,
}

/// When a job is there: from the first instant until the second, ps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stay {
    pub(crate) from: u64,
    pub(crate) until: u64,
}

impl Stay {
    /// Whether both are there at some instant. A job needs its nodes although it stays for no time.
    const fn meets(self, other: Self) -> bool {
        self.from < other.until && other.from < self.until
    }
}

/// A job that is to be placed.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// Its placement.
    pub(crate) placement: &'a Map<String, Value>,
    /// Its ranks, and how many of them go on a node.
    pub(crate) ranks: RankCount,
    /// Whether it shares its nodes with others that do.
    pub(crate) shares: bool,
    /// When it is there.
    pub(crate) stay: Stay,
}

impl<'a> Sites<'a> {
    pub(crate) fn new(
        topology: &Topology,
        ends: &'a NodeEnds,
        out_of_service: &'a [NodeId],
        outages: &'a NodeOutages,
    ) -> Self {
        let units = ends.units(topology.units()).into_iter().map(|unit| Unit {
            name: unit.name,
            starts: unit.starts,
        });
        Self {
            ends,
            out_of_service,
            outages,
            units: units.collect(),
            kinds: choices(kind_nodes(topology, ends)),
            types: choices(type_nodes(ends)),
            tenancies: Vec::new(),
            taken: vec![0; ends.node_count() as usize],
        }
    }

    /// Nodes that a job of this placement may have.
    pub(crate) fn count(
        &self,
        placement: &Map<String, Value>,
        shares: bool,
        stay: Stay,
    ) -> Result<u32, PlacementError> {
        let free = free_for(placement, &self.free(shares, stay), &self.kinds())?;
        Ok(free.count())
    }

    /// NICs of each of the nodes that a job of this placement may have; nothing if they differ.
    pub(crate) fn nics(
        &self,
        placement: &Map<String, Value>,
    ) -> Result<Option<u32>, PlacementError> {
        let all = FreeNodes::all(self.ends.node_count());
        let may_have = free_for(placement, &all, &self.kinds())?;
        let [first, last] = [may_have.nodes().first(), may_have.nodes().last()];
        let nodes = first.map_or(0, |node| node.0)..last.map_or(0, |node| node.0 + 1);
        Ok(self.ends.nics_of_all(&nodes))
    }

    /// Nodes that nobody is on meanwhile, or only jobs that share nodes as this one does.
    fn free(&self, shares: bool, stay: Stay) -> FreeNodes {
        let mut free = FreeNodes::all(self.ends.node_count());
        free.remove(self.out_of_service);
        free.remove(&self.outages.down_at(stay.from));
        for other in &self.tenancies {
            if other.stay.meets(stay) && !(shares && other.shares) {
                free.remove(&other.nodes);
            }
        }
        free
    }

    /// Ways to cut the nodes into parts.
    pub(crate) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The kinds of groups and the types of nodes, where there are several.
    pub(crate) fn kinds(&self) -> Kinds<'_> {
        Kinds {
            groups: &self.kinds,
            nodes: &self.types,
        }
    }

    /// Chooses the locations of a job's ranks, and takes them.
    pub(crate) fn place(
        &mut self,
        request: &Request<'_>,
        surroundings: &Surroundings<'_>,
    ) -> Result<Vec<RankLocation>, PlacementError> {
        let mut pool = self.free(request.shares, request.stay);
        let nodes = place_shared(request.placement, request.ranks, &mut pool, surroundings)?;
        let mut taken = nodes.clone();
        taken.sort_unstable();
        taken.dedup();
        self.tenancies.push(Tenancy {
            nodes: taken,
            stay: request.stay,
            shares: request.shares,
        });
        Ok(nodes
            .into_iter()
            .map(|node| self.next_location(node))
            .collect())
    }

    /// The next local rank of a node; it uses the NICs in turn.
    fn next_location(&mut self, node: NodeId) -> RankLocation {
        let local_rank = self.taken[node.index()];
        self.taken[node.index()] += 1;
        RankLocation {
            address: self
                .ends
                .end(node.0, local_rank % self.ends.nics_of(node.0)),
            home: self.ends.end(node.0, 0),
            local_rank: u8::try_from(local_rank).unwrap_or(u8::MAX),
        }
    }

    /// Whether a node has more ranks than it can.
    pub(crate) fn is_overfull(&self) -> bool {
        self.taken.iter().any(|&taken| taken > MOST_RANKS_PER_NODE)
    }
}

/// The kinds that a placement may choose among; nothing if there is but one.
fn choices(kinds: Vec<KindNodes>) -> Vec<KindNodes> {
    if kinds.len() > 1 { kinds } else { Vec::new() }
}

/// The nodes of each type.
fn type_nodes(ends: &NodeEnds) -> Vec<KindNodes> {
    let types = ends.types().iter();
    let nodes = types.map(|one| KindNodes {
        name: one.name.clone(),
        nodes: one.nodes.clone(),
    });
    nodes.collect()
}

/// The nodes of the machine in the groups of each kind.
pub(crate) fn kind_nodes(topology: &Topology, ends: &NodeEnds) -> Vec<KindNodes> {
    let nodes = topology.group_kinds().map(|(name, groups)| KindNodes {
        name: name.to_owned(),
        nodes: ends.nodes_in(topology, &groups),
    });
    nodes.collect()
}
