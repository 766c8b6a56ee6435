//! Placement on nodes that the scenario names.

use std::collections::BTreeSet;

use odonata_units::NodeId;
use serde_json::{Value, json};

use crate::{Entry, PlacementError, Request};

pub(super) const ENTRY: Entry = Entry {
    name: "list",
    summary: "exactly the nodes given, rank i on the i-th",
    source: "node lists of batch systems",
    keys: &["nodes"],
    parameters: || {
        json!([{
            "name": "nodes", "type": "list", "unit": null, "default": null, "choices": null,
            "doc": "node ids, at least one per rank",
        }])
    },
    choose,
};

fn wrong(problem: String) -> PlacementError {
    PlacementError::WrongValue {
        key: "nodes".to_owned(),
        kind: "list".to_owned(),
        problem,
    }
}

fn choose(request: Request<'_>) -> Result<Vec<NodeId>, PlacementError> {
    let list = request
        .spec
        .get("nodes")
        .ok_or_else(|| wrong("is missing; give a list of node ids".to_owned()))?;
    let numbers: Option<Vec<u64>> = list
        .as_array()
        .and_then(|items| items.iter().map(Value::as_u64).collect());
    let Some(numbers) = numbers else {
        return Err(wrong(format!(
            "is {list}, but it must be a list of whole numbers"
        )));
    };
    let ranks = request.ranks as usize;
    if numbers.len() < ranks {
        let given = numbers.len();
        return Err(wrong(format!(
            "has {given} nodes for {ranks} ranks; give one per rank"
        )));
    }
    let mut seen = BTreeSet::new();
    let mut nodes = Vec::with_capacity(ranks);
    for &number in &numbers[..ranks] {
        let node = u32::try_from(number)
            .ok()
            .filter(|&id| id < request.free.node_count());
        let Some(node) = node.map(NodeId) else {
            let last = request.free.node_count().saturating_sub(1);
            return Err(wrong(format!(
                "names node {number}, but nodes go from 0 to {last}"
            )));
        };
        if !seen.insert(node) {
            return Err(wrong(format!(
                "names node {number} twice; a node runs one rank"
            )));
        }
        if !request.free.contains(node) {
            return Err(wrong(format!("names node {number}, which another job has")));
        }
        nodes.push(node);
    }
    Ok(nodes)
}
