//! Nodes with several network ends: which ends of the network belong to one node of the machine.
//!
//! Everywhere else in this room a "node" is one end of the network, a NIC on its router.

use std::sync::Arc;

use odonata_units::NodeId;

use crate::error::TopologyError;
use crate::topology::Topology;
use crate::unit::Unit;

/// How the NICs of a node are joined to routers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NicWiring {
    /// Each on a router of its own: consecutive routers with nodes share the NICs of as many nodes
    /// as one of them has ports for.
    Spread,
    /// All on one router.
    Together,
}

/// The network ends of each node of a machine, and the node of each end.
///
/// Nodes are counted group by group, those that share routers together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeEnds {
    per_node: u32,
    /// Ends by node; empty if each node has one, with its own number.
    ends: Arc<[NodeId]>,
    /// `[end]`: its node; empty likewise.
    nodes: Arc<[u32]>,
    node_count: u32,
    /// First ends of the routers that share nodes, ascending; empty if each node has one.
    borders: Arc<[u32]>,
}

impl NodeEnds {
    /// Nodes of the machine.
    #[must_use]
    pub const fn node_count(&self) -> u32 {
        self.node_count
    }

    /// NICs of a node.
    #[must_use]
    pub const fn per_node(&self) -> u32 {
        self.per_node
    }

    /// End `nic` of `node`.
    #[must_use]
    pub fn end(&self, node: u32, nic: u32) -> NodeId {
        if self.ends.is_empty() {
            return NodeId(node);
        }
        self.ends[(node * self.per_node + nic) as usize]
    }

    /// The ends of the node that `end` belongs to; nothing if every node has one.
    #[must_use]
    pub fn beside(&self, end: NodeId) -> &[NodeId] {
        let Some(node) = self.nodes.get(end.index()) else {
            return &[];
        };
        let first = (node * self.per_node) as usize;
        &self.ends[first..first + self.per_node as usize]
    }

    /// The ends by node; nothing if every node has one.
    pub fn sets(&self) -> impl Iterator<Item = &[NodeId]> {
        self.ends.chunks_exact(self.per_node as usize)
    }

    /// Whether no node has ends on both sides of the first end of a part.
    fn is_border(&self, start: u32) -> bool {
        self.borders.is_empty() || self.borders.binary_search(&start).is_ok()
    }

    /// Parts of the machine as parts of its nodes: those whose borders no node crosses.
    #[must_use]
    pub fn units(&self, units: &[Unit]) -> Vec<Unit> {
        let of_nodes = |unit: &Unit| Unit {
            name: unit.name,
            starts: (unit.starts.iter())
                .filter(|&start| self.is_border(*start))
                .map(|start| start / self.per_node)
                .collect(),
        };
        units.iter().map(of_nodes).collect()
    }
}

impl Topology {
    /// The ends of a machine whose nodes have `nics` NICs each.
    ///
    /// # Errors
    /// If there are none, or the ends of a router or of consecutive routers cannot be shared out
    /// evenly.
    pub fn node_ends(&self, nics: u32, wiring: NicWiring) -> Result<NodeEnds, TopologyError> {
        if nics == 0 {
            return Err(TopologyError::Zero { field: "nics" });
        }
        if nics == 1 {
            return Ok(NodeEnds {
                per_node: 1,
                ends: [].into(),
                nodes: [].into(),
                node_count: self.node_count(),
                borders: [].into(),
            });
        }
        let mut ends: Vec<NodeId> = Vec::with_capacity(self.node_count() as usize);
        let mut borders = Vec::new();
        for group in self.groups() {
            let routers: Vec<_> = self.routers_of(group).collect();
            let with_ends = routers.iter().map(|router| self.nodes_of(*router));
            let with_ends: Vec<Vec<NodeId>> = with_ends
                .map(|ends| ends.collect::<Vec<_>>())
                .filter(|ends| !ends.is_empty())
                .collect();
            let uneven = TopologyError::NicsDoNotFit {
                nics,
                group: group.0,
            };
            match wiring {
                NicWiring::Together => {
                    if with_ends.iter().any(|ends| ends.len() % nics as usize != 0) {
                        return Err(uneven);
                    }
                    let all = with_ends.concat();
                    borders.extend(all.iter().step_by(nics as usize).map(|end| end.0));
                    ends.extend(all);
                }
                NicWiring::Spread => {
                    for shared in with_ends.chunks(nics as usize) {
                        let ports = shared[0].len();
                        let is_even = shared.iter().all(|ends| ends.len() == ports);
                        if shared.len() != nics as usize || !is_even {
                            return Err(uneven);
                        }
                        let of_port = |port: usize| shared.iter().map(move |ends| ends[port]);
                        ends.extend((0..ports).flat_map(of_port));
                        borders.push(shared[0][0].0);
                    }
                }
            }
        }
        let mut nodes = vec![0; ends.len()];
        for (position, end) in (0..).zip(&ends) {
            nodes[end.index()] = position / nics;
        }
        Ok(NodeEnds {
            per_node: nics,
            node_count: u32::try_from(ends.len()).unwrap_or(u32::MAX) / nics,
            ends: ends.into(),
            nodes: nodes.into(),
            borders: borders.into(),
        })
    }
}
