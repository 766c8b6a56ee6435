//! Placement: which nodes a job gets, and which of them runs which rank.
//!
//! ```text
//! free nodes --place(spec, ranks)--> node of rank 0, node of rank 1, ...
//! ```
//!
//! This room deliberately does not know what a job does; it sees a count of ranks and the nodes
//! that no other job has. Jobs are placed one after the other, in file order.
//!
//! The seam is [`place`]; [`registry`] lists what a scenario can ask for.
//!
//! ```
//! use odonata_placement::{FreeNodes, place};
//! use odonata_units::{NodeId, Purpose, Stream};
//! let spec = serde_json::json!({ "kind": "contiguous" });
//! let mut free = FreeNodes::all(8);
//! let stream = Stream::new(1, Purpose::Placement, 0);
//! let nodes = place(spec.as_object().unwrap(), 3, &mut free, stream).unwrap();
//! assert_eq!(nodes, [NodeId(0), NodeId(1), NodeId(2)]);
//! assert_eq!(free.count(), 5);
//! ```

use odonata_units::spelling::hint;
use odonata_units::{NodeId, Stream};
use serde_json::{Map, Value, json};

mod contiguous;
mod list;
mod random_node;

/// Nodes that no job has yet, in ascending order of their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeNodes {
    node_count: u32,
    nodes: Vec<NodeId>,
}

impl FreeNodes {
    /// All nodes of a system of `node_count` nodes.
    #[must_use]
    pub fn all(node_count: u32) -> Self {
        Self {
            node_count,
            nodes: (0..node_count).map(NodeId).collect(),
        }
    }

    /// How many are free.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most `node_count`, a u32"
    )]
    pub fn count(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// How many there are in all.
    #[must_use]
    pub const fn node_count(&self) -> u32 {
        self.node_count
    }

    /// The free nodes, ascending.
    #[must_use]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Whether `node` is free. Cost O(log n).
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// Removes `taken`, given in ascending order.
    fn remove(&mut self, taken: &[NodeId]) {
        self.nodes.retain(|node| taken.binary_search(node).is_err());
    }
}

/// Why a job cannot be placed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// No such placement.
    #[error("placement `{kind}` does not exist{hint}; choose one of {choices}")]
    UnknownKind {
        /// As given.
        kind: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known names.
        choices: String,
    },
    /// The placement is not named.
    #[error("a placement needs the key `kind`, one of {choices}")]
    MissingKind {
        /// Known names.
        choices: String,
    },
    /// A key the placement does not have.
    #[error("`{key}` is not a key of placement `{kind}`{hint}; its keys are {choices}")]
    UnknownKey {
        /// As given.
        key: String,
        /// Placement.
        kind: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known keys.
        choices: String,
    },
    /// A value of the wrong form.
    #[error("`{key}` of placement `{kind}` {problem}")]
    WrongValue {
        /// Key.
        key: String,
        /// Placement.
        kind: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// More ranks than free nodes.
    #[error(
        "{ranks} ranks need {ranks} nodes, but {free} of the system's {total} nodes are free; \
         use fewer ranks, a larger system, or fewer jobs"
    )]
    TooFewNodes {
        /// Ranks of the job.
        ranks: u32,
        /// Nodes no job has.
        free: u32,
        /// Nodes of the system.
        total: u32,
    },
}

/// What a placement is given.
struct Request<'a> {
    spec: &'a Map<String, Value>,
    ranks: u32,
    free: &'a FreeNodes,
    stream: Stream,
}

/// One placement: a name, its documentation and how it chooses.
struct Entry {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    keys: &'static [&'static str],
    parameters: fn() -> Value,
    choose: fn(Request<'_>) -> Result<Vec<NodeId>, PlacementError>,
}

const ENTRIES: [Entry; 3] = [contiguous::ENTRY, random_node::ENTRY, list::ENTRY];

fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

fn joined<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Chooses a node for each of `ranks` ranks, rank `i` the `i`-th, and takes them out of `free`.
///
/// `spec` has the key `kind` and the parameters of that registry entry. Draws from `stream` only.
/// Cost O(free nodes). Nothing is taken if there is an error.
///
/// # Errors
/// If the placement or one of its keys is unknown or wrong, or if too few nodes are free.
pub fn place(
    spec: &Map<String, Value>,
    ranks: u32,
    free: &mut FreeNodes,
    stream: Stream,
) -> Result<Vec<NodeId>, PlacementError> {
    let Some(kind) = spec.get("kind").and_then(Value::as_str) else {
        return Err(PlacementError::MissingKind {
            choices: joined(names()),
        });
    };
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == kind) else {
        return Err(PlacementError::UnknownKind {
            kind: kind.to_owned(),
            hint: hint(kind, names()),
            choices: joined(names()),
        });
    };
    let keys = || entry.keys.iter().copied().chain(["kind"]);
    if let Some(key) = spec
        .keys()
        .find(|key| !keys().any(|known| known == key.as_str()))
    {
        return Err(PlacementError::UnknownKey {
            key: key.clone(),
            kind: kind.to_owned(),
            hint: hint(key, keys()),
            choices: joined(keys()),
        });
    }
    if ranks > free.count() {
        let (free, total) = (free.count(), free.node_count());
        return Err(PlacementError::TooFewNodes { ranks, free, total });
    }
    let nodes = (entry.choose)(Request {
        spec,
        ranks,
        free,
        stream,
    })?;
    let mut taken = nodes.clone();
    taken.sort_unstable();
    free.remove(&taken);
    Ok(nodes)
}

/// Every placement: name, summary, source, parameters.
#[must_use]
pub fn registry() -> Value {
    let entries = ENTRIES.iter().map(|entry| {
        json!({
            "name": entry.name,
            "summary": entry.summary,
            "source": entry.source,
            "parameters": (entry.parameters)(),
            "needs": [],
        })
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use odonata_units::{Purpose, Stream};
    use proptest::prelude::{ProptestConfig, proptest};
    use serde_json::json;

    use super::{ENTRIES, FreeNodes, NodeId, Value, place, registry};

    fn stream(seed: u64) -> Stream {
        Stream::new(seed, Purpose::Placement, 3)
    }

    fn run(spec: &Value, ranks: u32, free: &mut FreeNodes) -> Result<Vec<NodeId>, String> {
        place(spec.as_object().unwrap(), ranks, free, stream(7)).map_err(|error| error.to_string())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The contract of the family: distinct free nodes, one per rank, the rest still free.
        #[test]
        fn every_placement_partitions_the_free_nodes(total in 1_u32..200, seed in 0_u64..1000) {
            for entry in &ENTRIES {
                let mut free = FreeNodes::all(total);
                let mut used = Vec::new();
                for ranks in [total / 3, total / 5, free.count() - total / 3 - total / 5] {
                    let before = free.clone();
                    let list: Vec<u32> =
                        before.nodes().iter().rev().take(ranks as usize).map(|n| n.0).collect();
                    let spec = match entry.name {
                        "list" => json!({ "kind": "list", "nodes": list }),
                        name => json!({ "kind": name }),
                    };
                    let spec = spec.as_object().unwrap();
                    let nodes = place(spec, ranks, &mut free, stream(seed)).unwrap();
                    assert_eq!(nodes.len(), ranks as usize);
                    assert!(nodes.iter().all(|&node| before.contains(node)));
                    assert!(nodes.iter().all(|&node| !free.contains(node)));
                    assert_eq!(free.count() + ranks, before.count());
                    used.extend(nodes);
                }
                used.sort_unstable();
                assert_eq!(used, (0..total).map(NodeId).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn errors_name_the_numbers_and_the_remedy() {
        let mut free = FreeNodes::all(4);
        let check = |spec: Value, ranks, free: &mut FreeNodes, parts: &[&str]| {
            let before = free.clone();
            let error = run(&spec, ranks, free).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{part:?} in {error:?}");
            }
            assert_eq!(*free, before, "nothing is taken");
        };
        check(
            json!({"kind": "contiguous"}),
            5,
            &mut free,
            &["5 ranks", "4 of", "fewer ranks"],
        );
        check(
            json!({"kind": "contigous"}),
            1,
            &mut free,
            &["did you mean `contiguous`?"],
        );
        check(json!({}), 1, &mut free, &["`kind`", "random-node"]);
        check(
            json!({"kind": "random-node", "sed": 1}),
            1,
            &mut free,
            &["`sed`", "random-node"],
        );
        let list = |nodes: Value| json!({"kind": "list", "nodes": nodes});
        check(
            json!({"kind": "list"}),
            1,
            &mut free,
            &["`nodes`", "missing"],
        );
        check(list(json!([0, 9])), 2, &mut free, &["node 9", "0 to 3"]);
        check(list(json!([0, 0])), 2, &mut free, &["node 0", "twice"]);
        check(list(json!([0, 1])), 3, &mut free, &["2 nodes", "3 ranks"]);
        check(list(json!([0, "a"])), 2, &mut free, &["whole numbers"]);
        run(&list(json!([2])), 1, &mut free).unwrap();
        check(list(json!([2])), 1, &mut free, &["node 2", "another job"]);
    }

    #[test]
    fn random_nodes_are_uniform() {
        // Chi-square with 9 degrees of freedom: 27.9 is exceeded once in a thousand seeds.
        let mut counts = [0_u32; 10];
        for seed in 0..10_000 {
            let spec = json!({"kind": "random-node"});
            let mut free = FreeNodes::all(10);
            let nodes = place(spec.as_object().unwrap(), 3, &mut free, stream(seed)).unwrap();
            counts[nodes[2].index()] += 1;
        }
        let chi: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 1_000.0).powi(2) / 1_000.0)
            .sum();
        assert!(chi < 27.9, "{chi}");
    }

    #[test]
    fn the_registry_names_every_entry() {
        let registry = registry();
        for (entry, listed) in ENTRIES.iter().zip(registry.as_array().unwrap()) {
            assert_eq!(listed["name"], entry.name);
            let parameters = listed["parameters"].as_array().unwrap();
            let names: Vec<_> = parameters
                .iter()
                .map(|p| p["name"].as_str().unwrap())
                .collect();
            assert_eq!(names, entry.keys);
        }
    }
}
