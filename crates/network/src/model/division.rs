//! Which groups are simulated by which thread of which process.

use std::ops::Range;

use odonata_engine as engine;
use odonata_mesh::Mesh;
use odonata_topology::Topology;
use odonata_units::{GroupId, NodeId};

/// The processes that simulate a network together; one is a team of one.
#[derive(Clone, Copy, Debug)]
pub struct Team<'a> {
    /// How they reach each other.
    pub mesh: &'a Mesh,
    /// Threads of each of them.
    pub threads: usize,
}

/// The groups of each thread of each process, and which of them are of this process.
#[derive(Clone, Debug, Default)]
pub struct Division {
    /// `[thread]`: its groups; those of process 0 first.
    pub(crate) threads: Vec<Range<usize>>,
    /// The threads of this process.
    pub(crate) own: Range<usize>,
}

impl Team<'static> {
    /// One process.
    #[must_use]
    pub fn alone(threads: usize) -> Self {
        let mesh = Mesh::alone();
        Self { mesh, threads }
    }
}

impl Division {
    /// The groups of `topology` among all threads of `team`, about the same work for each: nodes
    /// that `is_used` names send, the others do not. There are no more threads than groups.
    ///
    /// # Panics
    /// If there are more processes than groups.
    #[must_use]
    pub fn new(topology: &Topology, team: Team<'_>, is_used: impl Fn(NodeId) -> bool) -> Self {
        let most = topology.group_count() as usize / team.mesh.processes();
        let threads = team.threads.min(most).max(1);
        let weight_of = |group| {
            let routers = topology.routers_in_group(group) as usize;
            let nodes = topology.nodes_in(group);
            weight(routers, nodes.filter(|node| is_used(*node)).count())
        };
        let weights: Vec<u64> = topology.groups().map(weight_of).collect();
        let first = threads * team.mesh.rank();
        Self {
            threads: engine::split(&weights, threads * team.mesh.processes()),
            own: first..first + threads,
        }
    }

    /// The groups of this process.
    pub(crate) fn groups(&self) -> Range<usize> {
        self.threads[self.own.start].start..self.threads[self.own.end - 1].end
    }

    /// The nodes of this process.
    #[must_use]
    pub fn nodes(&self, topology: &Topology) -> Range<u32> {
        nodes_of(topology, &self.groups())
    }

    /// The routers of this process.
    #[must_use]
    pub fn routers(&self, topology: &Topology) -> Range<u32> {
        routers_of(topology, &self.groups())
    }
}

/// How much work a group is beside other groups: through a group whose nodes do
/// nothing only detours pass.
const fn weight(routers: usize, nodes_at_work: usize) -> u64 {
    (routers + 16 * nodes_at_work) as u64
}

/// The nodes of a range of groups, of which there is one at least.
pub(crate) fn nodes_of(topology: &Topology, groups: &Range<usize>) -> Range<u32> {
    let first = topology.first_node(group(groups.start)).0;
    let last = group(groups.end.saturating_sub(1));
    let count = u32::try_from(topology.nodes_in(last).len()).unwrap_or(u32::MAX);
    first..topology.first_node(last).0 + count
}

/// The routers of a range of groups, of which there is one at least.
pub(crate) fn routers_of(topology: &Topology, groups: &Range<usize>) -> Range<u32> {
    let first = topology.first_router(group(groups.start)).0;
    let last = group(groups.end.saturating_sub(1));
    first..topology.first_router(last).0 + topology.routers_in_group(last)
}

fn group(index: usize) -> GroupId {
    GroupId(u32::try_from(index).unwrap_or(u32::MAX))
}
