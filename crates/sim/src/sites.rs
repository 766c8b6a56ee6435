//! The nodes of the machine while jobs are placed: which are free, and who sits where.

use odonata_mpi::{MOST_RANKS_PER_NODE, Place};
use odonata_placement::{FreeNodes, PlacementError, Surroundings, Unit, place_shared};
use odonata_topology::{NodeEnds, Topology};
use odonata_units::NodeId;
use serde_json::{Map, Value};

/// See the module. Nodes are those of the machine, which may have several network ends.
pub(crate) struct Sites<'a> {
    ends: &'a NodeEnds,
    units: Vec<Unit>,
    /// Nobody is on them.
    free: FreeNodes,
    /// Nobody is on them, or jobs that share nodes.
    open: FreeNodes,
    /// By node: seats taken.
    taken: Vec<u32>,
}

/// A job that is to be placed.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// Its placement.
    pub(crate) placement: &'a Map<String, Value>,
    /// Its ranks, and how many of them go on a node.
    pub(crate) ranks: (u32, u32),
    /// Whether it shares its nodes with others that do.
    pub(crate) shares: bool,
}

impl<'a> Sites<'a> {
    pub(crate) fn new(topology: &Topology, ends: &'a NodeEnds) -> Self {
        let units = ends.units(topology.units()).into_iter().map(|unit| Unit {
            name: unit.name,
            starts: unit.starts,
        });
        Self {
            ends,
            units: units.collect(),
            free: FreeNodes::all(ends.node_count()),
            open: FreeNodes::all(ends.node_count()),
            taken: vec![0; ends.node_count() as usize],
        }
    }

    /// Nodes that a job may have.
    pub(crate) fn count(&self, shares: bool) -> u32 {
        if shares {
            self.open.count()
        } else {
            self.free.count()
        }
    }

    /// Ways to cut the nodes into parts.
    pub(crate) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Chooses the places of a job's ranks, and takes them.
    pub(crate) fn place(
        &mut self,
        request: &Request<'_>,
        surroundings: &Surroundings<'_>,
    ) -> Result<Vec<Place>, PlacementError> {
        let mut pool = if request.shares {
            self.open.clone()
        } else {
            self.free.clone()
        };
        let nodes = place_shared(request.placement, request.ranks, &mut pool, surroundings)?;
        let mut taken = nodes.clone();
        taken.sort_unstable();
        taken.dedup();
        self.free.remove(&taken);
        if !request.shares {
            self.open.remove(&taken);
        }
        Ok(nodes.into_iter().map(|node| self.seat(node)).collect())
    }

    /// The next seat of a node; it uses the NICs in turn.
    fn seat(&mut self, node: NodeId) -> Place {
        let seat = self.taken[node.index()];
        self.taken[node.index()] += 1;
        Place {
            address: self.ends.end(node.0, seat % self.ends.per_node()),
            home: self.ends.end(node.0, 0),
            seat: u8::try_from(seat).unwrap_or(u8::MAX),
        }
    }

    /// Whether a node has more ranks than it can.
    pub(crate) fn is_overfull(&self) -> bool {
        self.taken.iter().any(|&taken| taken > MOST_RANKS_PER_NODE)
    }
}
