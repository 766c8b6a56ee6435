//! Nodes that are in place and that no job gets.

use odonata_topology::NodeEnds;
use odonata_units::NodeId;

use crate::config::Node;
use crate::error::SimError;

/// The nodes of the ranges that `node` names, ascending, each once.
///
/// # Errors
/// If a range ends before it begins, or behind the last node.
pub(crate) fn out_of_service(node: &Node, ends: &NodeEnds) -> Result<Vec<NodeId>, SimError> {
    let mut nodes = Vec::new();
    for (index, &[first, last]) in node.out_of_service.iter().enumerate() {
        let path = format!("system.node.out_of_service[{index}]");
        if first > last {
            let problem =
                format!("goes from node {first} to node {last}; give the lower number first");
            return Err(SimError::new(path, problem));
        }
        if last >= ends.node_count() {
            let problem = format!(
                "names node {last}, but nodes go from 0 to {}",
                ends.node_count().saturating_sub(1)
            );
            return Err(SimError::new(path, problem));
        }
        nodes.extend((first..=last).map(NodeId));
    }
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use odonata_topology::{Arrangement, NicWiring, Shape, Topology};
    use serde_json::json;

    use super::out_of_service;

    #[test]
    fn ranges_may_overlap_and_must_be_there() {
        let topology = Topology::dragonfly(Shape {
            groups: 2,
            routers_per_group: 2,
            nodes_per_router: 4,
            global_ports_per_router: 1,
            arrangement: Arrangement::Absolute,
        })
        .unwrap();
        let ends = topology.node_ends(2, NicWiring::Spread).unwrap();
        let found = |ranges: serde_json::Value| {
            let node = serde_json::from_value(json!({"nics": 2, "out_of_service": ranges}));
            let nodes = out_of_service(&node.unwrap(), &ends);
            nodes.map(|nodes| nodes.iter().map(|node| node.0).collect::<Vec<_>>())
        };
        assert_eq!(found(json!([])).unwrap(), [0; 0]);
        assert_eq!(
            found(json!([[6, 7], [1, 1], [5, 6]])).unwrap(),
            [1, 5, 6, 7]
        );
        for (ranges, words) in [
            (
                json!([[0, 0], [3, 2]]),
                ["out_of_service[1]", "lower number"],
            ),
            (json!([[0, 8]]), ["out_of_service[0]", "from 0 to 7"]),
        ] {
            let error = found(ranges).unwrap_err();
            let said = error.to_string();
            assert!(words.iter().all(|word| said.contains(word)), "{said}");
        }
    }
}
