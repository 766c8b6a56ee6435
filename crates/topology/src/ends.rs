//! Nodes with several network ends: which ends of the network belong to one node of the machine.
//!
//! Everywhere else in this room a "node" is one end of the network, a NIC on its router.

use std::ops::Range;
use std::sync::Arc;

use odonata_units::{GroupId, NodeId};

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

/// Nodes of the machine that are alike, and follow each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeType {
    /// Such as `gpu`; no two types have the same.
    pub name: String,
    /// How many there are; absent: all that are left, which only the last type can have.
    pub nodes: Option<u32>,
    /// NICs of each.
    pub nics: u32,
    /// Where its NICs are.
    pub wiring: NicWiring,
}

/// The numbers of the nodes of one type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodesOfType {
    /// Name of the type.
    pub name: String,
    /// Its nodes.
    pub nodes: Range<u32>,
    /// NICs of each.
    pub nics: u32,
}

/// The network ends of each node of a machine, and the node of each end.
///
/// Nodes are counted group by group, those that share routers together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeEnds {
    /// Ends by node; empty if each node has one, with its own number.
    ends: Arc<[NodeId]>,
    /// `[node]`: where its ends begin, and one more behind the last; empty likewise.
    starts: Arc<[u32]>,
    /// `[end]`: its node; empty likewise.
    nodes: Arc<[u32]>,
    /// First ends of the routers that share nodes, ascending; empty likewise.
    borders: Arc<[u32]>,
    types: Arc<[NodesOfType]>,
    node_count: u32,
}

impl NodeEnds {
    /// Nodes of the machine.
    #[must_use]
    pub const fn node_count(&self) -> u32 {
        self.node_count
    }

    /// The types of nodes, in the order of their numbers; one where all are alike.
    #[must_use]
    pub fn types(&self) -> &[NodesOfType] {
        &self.types
    }

    /// NICs of `node`.
    #[must_use]
    pub fn nics_of(&self, node: u32) -> u32 {
        self.range(node)
            .map_or(1, |range| u32::try_from(range.len()).unwrap_or(u32::MAX))
    }

    /// NICs of each of `nodes`, if all of them have as many.
    #[must_use]
    pub fn nics_of_all(&self, nodes: &Range<u32>) -> Option<u32> {
        let meets = |one: &&NodesOfType| one.nodes.start < nodes.end && nodes.start < one.nodes.end;
        let mut counts = self.types.iter().filter(meets).map(|one| one.nics);
        let first = counts.next().unwrap_or(1);
        counts.all(|count| count == first).then_some(first)
    }

    /// End `nic` of `node`.
    #[must_use]
    pub fn end(&self, node: u32, nic: u32) -> NodeId {
        match self.range(node) {
            Some(range) => self.ends[range.start + nic as usize],
            None => NodeId(node),
        }
    }

    /// The node of the machine that `end` belongs to; behind the last end, the number of nodes.
    #[must_use]
    pub fn node_of(&self, end: NodeId) -> u32 {
        if self.ends.is_empty() {
            return end.0;
        }
        self.nodes
            .get(end.index())
            .copied()
            .unwrap_or(self.node_count)
    }

    /// The nodes of the machine in `groups` of `topology`.
    #[must_use]
    pub fn nodes_in(&self, topology: &Topology, groups: &Range<u32>) -> Range<u32> {
        let from = |group: u32| {
            if group < topology.group_count() {
                self.node_of(topology.first_node(GroupId(group)))
            } else {
                self.node_count
            }
        };
        from(groups.start)..from(groups.end)
    }

    /// The ends of the node that `end` belongs to; nothing if every node has one.
    #[must_use]
    pub fn beside(&self, end: NodeId) -> &[NodeId] {
        let node = self.nodes.get(end.index());
        let range = node.and_then(|node| self.range(*node));
        range.map_or(&[], |range| &self.ends[range])
    }

    /// The ends of each node, in the order of their numbers; nothing if every node has one.
    pub fn sets(&self) -> impl Iterator<Item = &[NodeId]> {
        let has_several = self.types.iter().any(|one| one.nics > 1);
        let nodes = self.starts.windows(2).filter(move |_| has_several);
        nodes.map(|two| &self.ends[two[0] as usize..two[1] as usize])
    }

    fn range(&self, node: u32) -> Option<Range<usize>> {
        let start = *self.starts.get(node as usize)? as usize;
        Some(start..*self.starts.get(node as usize + 1)? as usize)
    }

    /// Whether no node has ends on both sides of the first end of a part.
    fn is_border(&self, start: u32) -> bool {
        self.ends.is_empty() || self.borders.binary_search(&start).is_ok()
    }

    /// Parts of the machine as parts of its nodes: those whose borders no node crosses.
    #[must_use]
    pub fn units(&self, units: &[Unit]) -> Vec<Unit> {
        let of_nodes = |unit: &Unit| Unit {
            name: unit.name,
            starts: (unit.starts.iter())
                .filter(|&start| self.is_border(*start))
                .map(|&start| self.node_of(NodeId(start)))
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
        self.node_ends_of_types(&[NodeType {
            name: String::new(),
            nodes: None,
            nics,
            wiring,
        }])
    }

    /// The ends of a machine whose nodes are of several types, in the order of their numbers.
    ///
    /// # Errors
    /// As [`Topology::node_ends`]; if two types have one name, one has no nodes or ends inside of
    /// routers that share nodes, or the types have fewer or more nodes than the network.
    pub fn node_ends_of_types(&self, types: &[NodeType]) -> Result<NodeEnds, TopologyError> {
        check_types(types)?;
        if let [only] = types
            && only.nics == 1
            && only.nodes.is_none_or(|nodes| nodes == self.node_count())
        {
            return Ok(NodeEnds {
                ends: [].into(),
                starts: [].into(),
                nodes: [].into(),
                borders: [].into(),
                types: [NodesOfType {
                    name: only.name.clone(),
                    nodes: 0..self.node_count(),
                    nics: 1,
                }]
                .into(),
                node_count: self.node_count(),
            });
        }
        let mut share_out = ShareOut::new(types);
        for group in self.groups() {
            let routers = self.routers_of(group);
            let ends = routers.map(|router| self.nodes_of(router).collect::<Vec<_>>());
            let with_ends: Vec<Vec<NodeId>> = ends.filter(|ends| !ends.is_empty()).collect();
            let mut rest = &with_ends[..];
            while !rest.is_empty() {
                let taken = share_out.take(group, rest)?;
                rest = &rest[taken..];
            }
        }
        share_out.finish()
    }
}

fn check_types(types: &[NodeType]) -> Result<(), TopologyError> {
    for (index, one) in types.iter().enumerate() {
        let wrong = |problem: &str| {
            Err(TopologyError::NodeType {
                name: one.name.clone(),
                problem: problem.to_owned(),
            })
        };
        if one.nics == 0 {
            return Err(TopologyError::Zero { field: "nics" });
        }
        if types[..index].iter().any(|other| other.name == one.name) {
            return wrong("are named twice; give each type its own name");
        }
        if one.nodes.is_none() && index + 1 < types.len() {
            return wrong("have no number; only those of the last type may be all that are left");
        }
    }
    Ok(())
}

/// The ends of the network, shared out among the nodes of the types.
struct ShareOut<'a> {
    types: &'a [NodeType],
    /// The type that gets the next ends, and how many nodes of it are to come.
    index: usize,
    left: Option<u32>,
    ends: Vec<NodeId>,
    starts: Vec<u32>,
    borders: Vec<u32>,
    /// First node of every type up to this one.
    firsts: Vec<u32>,
}

impl<'a> ShareOut<'a> {
    fn new(types: &'a [NodeType]) -> Self {
        Self {
            types,
            index: 0,
            left: types[0].nodes,
            ends: Vec::new(),
            starts: Vec::new(),
            borders: Vec::new(),
            firsts: vec![0],
        }
    }

    fn node_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    fn wrong(&self, problem: String) -> TopologyError {
        TopologyError::NodeType {
            name: self.types[self.index].name.clone(),
            problem,
        }
    }

    /// Makes nodes of the first of `routers` that share nodes, and says how many these are.
    fn take(&mut self, group: GroupId, routers: &[Vec<NodeId>]) -> Result<usize, TopologyError> {
        while self.left == Some(0) {
            if self.index + 1 == self.types.len() {
                let problem = format!(
                    "are the last ones, but ends of group {} and later ones belong to no node; \
                     leave its `nodes` out, or add a type",
                    group.0
                );
                return Err(self.wrong(problem));
            }
            self.index += 1;
            self.left = self.types[self.index].nodes;
            self.firsts.push(self.node_count());
        }
        let one = &self.types[self.index];
        let nics = one.nics as usize;
        let (together, sharing) = match one.wiring {
            NicWiring::Spread => (1, nics),
            NicWiring::Together => (nics, 1),
        };
        let shared = &routers[..sharing.min(routers.len())];
        let ports = shared[0].len();
        let is_even = shared.iter().all(|ends| ends.len() == ports);
        if shared.len() != sharing || !is_even || !ports.is_multiple_of(together) {
            return Err(TopologyError::NicsDoNotFit {
                nics: one.nics,
                group: group.0,
            });
        }
        let nodes = u32::try_from(ports / together).unwrap_or(u32::MAX);
        if let Some(left) = self.left.as_mut() {
            let Some(rest) = left.checked_sub(nodes) else {
                let (left, all) = (*left, one.nodes.unwrap_or(0));
                let problem = format!(
                    "are {all}, but the last {left} of them share routers of group {} with others: \
                     these have {nodes} nodes of {nics} NICs; give {} or {} nodes",
                    group.0,
                    all - left,
                    all - left + nodes
                );
                return Err(self.wrong(problem));
            };
            *left = rest;
        }
        for node in 0..ports / together {
            // Where nodes stay on a router, they are borders themselves.
            if sharing == 1 || node == 0 {
                self.borders.push(shared[0][node * together].0);
            }
            self.starts
                .push(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
            let of_router = |ends: &Vec<NodeId>| ends[node * together..][..together].to_vec();
            self.ends.extend(shared.iter().flat_map(of_router));
        }
        Ok(sharing)
    }

    fn finish(mut self) -> Result<NodeEnds, TopologyError> {
        if let Some(missing) = self.left.filter(|left| *left > 0) {
            let problem =
                format!("are {missing} more than the network has ends for; lower `nodes`");
            return Err(self.wrong(problem));
        }
        let node_count = self.node_count();
        if let Some(one) = self.types.get(self.index + 1) {
            return Err(TopologyError::NodeType {
                name: one.name.clone(),
                problem: "get no end of the network: those before have all; lower their `nodes`"
                    .to_owned(),
            });
        }
        self.firsts.push(node_count);
        let ranges = self.firsts.windows(2).map(|two| two[0]..two[1]);
        let types = self.types.iter().zip(ranges);
        let types = types.map(|(one, nodes)| NodesOfType {
            name: one.name.clone(),
            nodes,
            nics: one.nics,
        });
        let types = types.collect();
        self.starts
            .push(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        let mut nodes = vec![0; self.ends.len()];
        for (node, two) in (0..).zip(self.starts.windows(2)) {
            for end in &self.ends[two[0] as usize..two[1] as usize] {
                nodes[end.index()] = node;
            }
        }
        Ok(NodeEnds {
            ends: self.ends.into(),
            starts: self.starts.into(),
            nodes: nodes.into(),
            borders: self.borders.into(),
            types,
            node_count,
        })
    }
}
