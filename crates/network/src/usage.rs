//! Who uses the nodes of a network, and what of it is counted for them.

use odonata_telemetry::MeasureWindow;
use odonata_topology::Topology;
use odonata_units::NodeId;

/// Who uses a node, for statistics and for the end of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeUse {
    /// Job the node's packets are booked to.
    pub job: u8,
    /// The run goes on until the node's endpoint is finished.
    pub is_goal: bool,
}

/// Who uses the network, and which packets are counted for them.
#[derive(Clone, Debug)]
pub struct Usage {
    /// By node: who uses it.
    pub nodes: Vec<NodeUse>,
    /// Number of jobs.
    pub jobs: usize,
    /// Packets created in this window are measured; absent: every packet is.
    pub measure: Option<MeasureWindow>,
    /// Who shares what.
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

/// Nodes that are used together, and nodes that several jobs use. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// Sets of nodes of one group each that one endpoint uses together, that of the first: the NICs
    /// of one node of the machine. If there are any, every node is in one of them.
    pub together: Vec<Vec<NodeId>>,
    /// By node: several jobs use it, and every message says whose it is. Empty: no node is.
    pub by_jobs: Vec<bool>,
    /// By job: the run waits for it. Asked for at nodes of `by_jobs`.
    pub goals: Vec<bool>,
}

impl Sharing {
    /// By node: the set it is in.
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
