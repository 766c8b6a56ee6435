//! The users of the nodes of a network, and which packets are counted for them.

use odonata_telemetry::MeasureWindow;
use odonata_topology::Topology;
use odonata_units::NodeId;

/// The user of a node, for statistics and for the end of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeUse {
    /// Job the node's packets are booked to.
    pub job: u8,
    /// The run goes on until the node's endpoint is finished.
    pub is_goal: bool,
}

/// The users of a network, and which packets are counted for them.
#[derive(Clone, Debug)]
pub struct Usage {
    /// `[node]`: the user of the node.
    pub nodes: Vec<NodeUse>,
    /// Number of jobs.
    pub jobs: usize,
    /// Packets created in this window are measured; absent: every packet is.
    pub measure: Option<MeasureWindow>,
    /// Nodes that are used together, and nodes that several jobs use.
    pub sharing: Sharing,
}

impl Usage {
    /// One job uses all of `nodes` nodes, every packet is measured, and the run ends when the
    /// endpoints of all nodes are finished.
    #[must_use]
    pub fn of_one_job(nodes: usize) -> Self {
        let used = NodeUse {
            job: 0,
            is_goal: true,
        };
        Self {
            nodes: vec![used; nodes],
            jobs: 1,
            measure: Some(MeasureWindow::ALWAYS),
            sharing: Sharing::default(),
        }
    }
}

/// Use of nodes: those that are used together, those that several jobs
/// use, those with large packets. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// Sets of nodes of one group each that one endpoint uses together, that of the first: the NICs
    /// of one node of the machine. If there are any, every node is in one of them.
    pub together: Vec<Vec<NodeId>>,
    /// `[node]`: several jobs use the node, and every message says whose it is. Empty: no node is
    /// used by several jobs.
    pub by_jobs: Vec<bool>,
    /// `[job]`: the run waits for the job. Read at nodes of `by_jobs` only.
    pub goals: Vec<bool>,
    /// `[node]`: so many full packets of the node travel as one at most, see `docs/model/network.md`.
    /// Empty: one everywhere.
    pub packet_multiples: Vec<u16>,
}

impl Sharing {
    /// How many full packets of `node` travel as one at most.
    #[must_use]
    pub fn packet_multiple(&self, node: NodeId) -> u16 {
        let known = self.packet_multiples.get(node.index());
        known.copied().unwrap_or(1).max(1)
    }

    /// `[node]`: the set that the node is in.
    pub(crate) fn set_of_each(&self, topology: &Topology) -> Vec<u32> {
        if self.together.is_empty() {
            return Vec::new();
        }
        let mut sets = vec![None; topology.node_count() as usize];
        for (set, nodes) in (0_u32..).zip(&self.together) {
            for node in nodes {
                let group = |node: NodeId| topology.group_of_node(node);
                assert!(group(*node) == group(nodes[0]), "a set is in one group");
                assert!(sets[node.index()].is_none(), "a node is in one set");
                sets[node.index()] = Some(set);
            }
        }
        let all: Option<Vec<u32>> = sets.into_iter().collect();
        all.unwrap_or_else(|| unreachable!("every node is in a set, if there are any"))
    }
}

/// The users of a network: one endpoint per node, and which nodes are used together.
#[derive(Clone, Debug)]
pub struct Users<E> {
    /// `endpoints[n]` uses node `n`.
    pub endpoints: Vec<E>,
    /// Nodes that are used together, and nodes that several jobs use.
    pub sharing: Sharing,
}

impl<E> From<Vec<E>> for Users<E> {
    /// Every node is used for itself.
    fn from(endpoints: Vec<E>) -> Self {
        Self {
            endpoints,
            sharing: Sharing::default(),
        }
    }
}
