//! Placement: which nodes a job gets, and which of them runs which rank.
//!
//! ```text
//! free nodes --place(spec, ranks)--> node of rank 0, node of rank 1, ...
//!                 ^ units: routers, groups, ... as ranges of nodes
//! ```
//!
//! This room deliberately does not know what a job does, nor how the system is wired: it sees a
//! count of ranks, the nodes that no other job has, and the [`Unit`]s they belong to. Jobs are
//! placed one after the other, in file order.
//!
//! The seam is [`place`]; [`registry`] lists what a scenario can ask for.
//!
//! ```
//! use odonata_placement::{FreeNodes, Kinds, Surroundings, Unit, place};
//! use odonata_units::{NodeId, Purpose, Stream};
//! let spec = serde_json::json!({ "kind": "striped", "unit": "router" });
//! let routers = Unit { name: "router", starts: vec![0, 4] };
//! let surroundings = Surroundings {
//!     units: &[routers],
//!     kinds: Kinds::default(),
//!     job: 0,
//!     stream: Stream::new(1, Purpose::Placement, 0),
//! };
//! let mut free = FreeNodes::all(8);
//! let nodes = place(spec.as_object().unwrap(), 3, &mut free, &surroundings).unwrap();
//! assert_eq!(nodes, [NodeId(0), NodeId(4), NodeId(1)]);
//! assert_eq!(free.count(), 5);
//! ```
#![forbid(unsafe_code)]

use std::ops::Range;

use odonata_registry::{MemberError, Parameter, Spec, describe, member, spelling};
use odonata_units::{NodeId, Stream};
use serde_json::{Map, Value};

mod contiguous;
mod entry;
mod error;
mod free;
mod geometric;
mod list;
mod mapping;
mod random_node;
mod random_unit;
mod striped;
mod unit;

use entry::{PlacementEntry, PlacementRequest};

pub use entry::RankCount;
pub use error::PlacementError;
pub use free::FreeNodes;
pub use unit::{KindNodes, UNIT_NAMES, Unit};

/// Surroundings of a job when it is placed, besides the free nodes.
#[derive(Clone, Debug)]
pub struct Surroundings<'a> {
    /// Units of the system.
    pub units: &'a [Unit],
    /// Kinds of groups and types of nodes.
    pub kinds: Kinds<'a>,
    /// Number of the job in the scenario, from 0: its line in an allocation file.
    pub job: u32,
    /// The random stream of the job's placement.
    pub stream: Stream,
}

/// What a placement can choose among by name.
#[derive(Clone, Copy, Default, Debug)]
pub struct Kinds<'a> {
    /// Kinds of groups; empty where all groups are of one kind.
    pub groups: &'a [KindNodes],
    /// Types of nodes; empty where all nodes are of one type.
    pub nodes: &'a [KindNodes],
}

/// The key that names the kind of groups a job gets its nodes from.
const KIND_OF_GROUPS: &str = "groups";

/// The key that names the type of the nodes a job gets.
const TYPE_OF_NODES: &str = "nodes";

static ENTRIES: [PlacementEntry; 9] = [
    contiguous::ENTRY,
    random_node::ENTRY,
    random_unit::ROUTER,
    random_unit::CHASSIS,
    random_unit::CABINET,
    random_unit::GROUP,
    geometric::ENTRY,
    striped::ENTRY,
    list::ENTRY,
];

/// The entry that `spec` names, and the values of its parameters.
fn entry(spec: &Map<String, Value>) -> Result<(&'static PlacementEntry, Spec<'_>), PlacementError> {
    let entry = member(entry::FAMILY, &ENTRIES, |entry| entry.name, spec)?;
    let keys: &[&str] = if entry.parameters.iter().any(|one| one.name == "file") {
        // The content of `file`, which scenarios do not write themselves; `nodes` is its own.
        &["kind", mapping::KEY, KIND_OF_GROUPS, "text"]
    } else {
        &["kind", mapping::KEY, KIND_OF_GROUPS, TYPE_OF_NODES]
    };
    let values = Spec::new(entry.parameters, keys, spec)
        .map_err(|problem| MemberError::new(entry::FAMILY, entry.name, problem))?;
    Ok((entry, values))
}

/// Chooses a node for each of `ranks` ranks, rank `i` the `i`-th, and takes them out of `free`.
///
/// Each rank has a node of its own; see [`place_shared`].
///
/// # Errors
/// As [`place_shared`].
pub fn place(
    spec: &Map<String, Value>,
    ranks: u32,
    free: &mut FreeNodes,
    surroundings: &Surroundings<'_>,
) -> Result<Vec<NodeId>, PlacementError> {
    let ranks = RankCount { ranks, per_node: 1 };
    place_shared(spec, ranks, free, surroundings)
}

/// Chooses nodes for the ranks of `count`, the last node with what is left; takes the nodes out of `free`, and returns the node of each rank.
///
/// The placement chooses nodes and counts them. Their slots, those of the first node first, go to
/// the ranks by the mapping.
///
/// `spec` has the key `kind`, the parameters of that registry entry, optionally `groups`, a kind of
/// groups, and `nodes`, a type of nodes (without both the first type, or else the first kind, except
/// for lists of nodes), and optionally `mapping`:
/// `linear` (default), `cyclic`, `shuffled`, a list whose entry `k` is the rank on the `k`-th slot, or a table `file`, `text` with such a list. Draws from a copy of the stream of
/// `surroundings` only, first the nodes, then the mapping. Cost O(nodes); `geometric` O(nodes)
/// per cluster. Nothing is taken if there is an error.
///
/// # Errors
/// If the placement or one of its keys is unknown or wrong, if the system lacks the unit asked
/// for, or if too few nodes are free.
pub fn place_shared(
    spec: &Map<String, Value>,
    count: RankCount,
    free: &mut FreeNodes,
    surroundings: &Surroundings<'_>,
) -> Result<Vec<NodeId>, PlacementError> {
    let (entry, values) = entry(spec)?;
    let ids = nodes_of_kind(spec, free, &surroundings.kinds)?;
    let all = free;
    let free = &mut all.only(&ids);
    let units: Vec<Unit> = surroundings
        .units
        .iter()
        .map(|unit| unit.only(&ids))
        .collect();
    let ranks = count.ranks;
    let count = RankCount {
        ranks,
        per_node: count.per_node.max(1),
    };
    let needed = ranks.div_ceil(count.per_node);
    if needed > free.count() {
        let (free, total) = (free.count(), ids.end - ids.start);
        return Err(PlacementError::TooFewNodes {
            ranks,
            needed,
            free,
            total,
        });
    }
    let mut stream = surroundings.stream.clone();
    let mut request = PlacementRequest {
        kind: entry.name,
        spec: values,
        given: spec,
        nodes: needed,
        free,
        units: &units,
        job: surroundings.job,
        stream: &mut stream,
    };
    let chosen = (entry.choose)(&mut request)?;
    let mut taken = chosen.clone();
    let nodes = mapping::apply(&mut request, &chosen, count)?;
    taken.sort_unstable();
    all.remove(&taken);
    Ok(nodes)
}

/// The free nodes that a job of placement `spec` may have, and how many there are in all.
///
/// # Errors
/// If it names a kind of groups or a type of nodes that the system does not have.
pub fn free_for(
    spec: &Map<String, Value>,
    free: &FreeNodes,
    kinds: &Kinds<'_>,
) -> Result<FreeNodes, PlacementError> {
    Ok(free.only(&nodes_of_kind(spec, free, kinds)?))
}

/// The ids of the nodes of the kind of groups and of the type that `spec` names: those of the first
/// type, or else of the first kind, if it names none, and all if it lists its nodes.
fn nodes_of_kind(
    spec: &Map<String, Value>,
    free: &FreeNodes,
    kinds: &Kinds<'_>,
) -> Result<Range<u32>, PlacementError> {
    let whole = 0..free.node_count();
    let is_list = spec
        .get("kind")
        .is_some_and(|kind| kind == list::ENTRY.name);
    let of_groups = named(spec, KIND_OF_GROUPS, kinds.groups)?;
    let of_type = if is_list {
        None
    } else {
        named(spec, TYPE_OF_NODES, kinds.nodes)?
    };
    Ok(match (of_groups, of_type) {
        (None, None) if is_list => whole,
        (None, None) => {
            let mut all = kinds.nodes.iter().chain(kinds.groups);
            all.next().map_or(whole, |first| first.nodes.clone())
        }
        (Some(one), None) | (None, Some(one)) => one,
        (Some(one), Some(other)) => {
            let start = one.start.max(other.start);
            start..one.end.min(other.end).max(start)
        }
    })
}

/// The ids of the nodes of the one of `kinds` that `key` names, if it is given.
fn named(
    spec: &Map<String, Value>,
    key: &'static str,
    kinds: &[KindNodes],
) -> Result<Option<Range<u32>>, PlacementError> {
    let Some(given) = spec.get(key) else {
        return Ok(None);
    };
    let found = kinds.iter().find(|kind| *given == *kind.name);
    let nodes = found.map(|kind| kind.nodes.clone());
    nodes.map_or_else(
        || Err(unknown_kind(spec, key, kinds)),
        |nodes| Ok(Some(nodes)),
    )
}

fn unknown_kind(
    spec: &Map<String, Value>,
    key: &'static str,
    kinds: &[KindNodes],
) -> PlacementError {
    let given = &spec[key];
    let names = || kinds.iter().map(|kind| &*kind.name);
    let near = spelling::hint(given.as_str().unwrap_or(""), names());
    let [what, all] = if key == KIND_OF_GROUPS {
        ["kind of groups", "all groups of the system are of one kind"]
    } else {
        ["type of nodes", "all nodes of the system are of one type"]
    };
    let problem = if kinds.is_empty() {
        format!("has no meaning here: {all}; leave it out")
    } else {
        let names: Vec<_> = names().collect();
        format!(
            "is {given}, which is no {what} here{near}; use one of {}",
            names.join(", ")
        )
    };
    let kind = spec.get("kind").and_then(Value::as_str).unwrap_or("");
    let refused = MemberError::WrongValue {
        family: entry::FAMILY,
        kind: kind.to_owned(),
        key: key.to_owned(),
        problem,
    };
    refused.into()
}

/// Every placement: name, summary, source, parameters. Each has the key `mapping` as well, see
/// [`mappings`].
#[must_use]
pub fn registry() -> Value {
    let entries = ENTRIES.iter().map(|entry| {
        let parameters = entry.parameters.iter().map(Parameter::describe).collect();
        describe([entry.name, entry.summary, entry.source], parameters)
    });
    entries.collect()
}

/// Every mapping that has a name, as registry entries.
#[must_use]
pub fn mappings() -> Value {
    mapping::describe()
}

#[cfg(test)]
mod tests {
    use odonata_units::{Purpose, Stream};
    use serde_json::json;

    use super::{ENTRIES, FreeNodes, PlacementRequest, Unit, entry};

    #[test]
    fn every_row_is_read() {
        for wanted in &ENTRIES {
            let given = match wanted.name {
                "list" => json!({"kind": "list", "file": "a", "text": "0 1", "per_group": 2}),
                name => json!({"kind": name}),
            };
            let unit = |name| Unit {
                name,
                starts: vec![0, 4],
            };
            let units = ["router", "chassis", "cabinet", "group"].map(unit);
            let free = FreeNodes::all(8);
            let (found, spec) = entry(given.as_object().unwrap()).unwrap();
            let mut request = PlacementRequest {
                kind: found.name,
                spec,
                given: given.as_object().unwrap(),
                nodes: 2,
                free: &free,
                units: &units,
                job: 0,
                stream: &mut Stream::new(1, Purpose::Placement, 0),
            };
            (found.choose)(&mut request).unwrap();
            let left = request.spec.unread();
            assert!(left.is_empty(), "{} never reads {left:?}", found.name);
        }
    }
}
