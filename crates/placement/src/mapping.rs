//! Mapping: which of a job's nodes runs which rank.

use odonata_registry::Entry;
use odonata_registry::spelling::hint;
use odonata_units::NodeId;
use serde_json::{Map, Value};

use crate::entry::{PlacementRequest, RankCount};
use crate::error::PlacementError;
use crate::random_unit::shuffle;

/// Key of every placement.
pub(super) const KEY: &str = "mapping";

/// The mappings that are chosen by name.
pub(super) const MAPPINGS: [Entry; 3] = [
    Entry::plain(
        "linear",
        "rank i on the i-th slot: those of the first node of the placement first",
        "the plain way; `block` of batch systems",
    ),
    Entry::plain(
        "cyclic",
        "one rank on each node of the placement in turn, as long as it has a slot",
        "`cyclic` of batch systems",
    ),
    Entry::plain(
        "shuffled",
        "ranks in random order over the slots of the nodes",
        "a random permutation (Fisher and Yates 1938), drawn by the seed",
    ),
];

/// The mappings as registry entries.
pub(super) fn describe() -> Value {
    MAPPINGS.iter().map(Entry::describe).collect()
}

/// The node of each rank: slots on `chosen` nodes, as many on each as given, in the order of the
/// ranks.
pub(super) fn apply(
    request: &mut PlacementRequest<'_>,
    chosen: &[NodeId],
    count: RankCount,
) -> Result<Vec<NodeId>, PlacementError> {
    let slots = |node: &NodeId| std::iter::repeat_n(*node, count.per_node as usize);
    let mut nodes: Vec<NodeId> = chosen.iter().flat_map(slots).collect();
    nodes.truncate(count.ranks as usize);
    match request.given.get(KEY) {
        None => Ok(nodes),
        Some(Value::String(name)) if name == "linear" => Ok(nodes),
        Some(Value::String(name)) if name == "cyclic" => {
            // A slot of each node, then another one of each; the last node may have fewer.
            let each = count.per_node as usize;
            let turn = |round: usize| nodes.chunks(each).filter_map(move |own| own.get(round));
            Ok((0..each).flat_map(turn).copied().collect())
        }
        Some(Value::String(name)) if name == "shuffled" => {
            shuffle(&mut nodes, request.stream);
            Ok(nodes)
        }
        Some(Value::String(name)) => {
            let names = || MAPPINGS.iter().map(|entry| entry.name);
            Err(request.wrong(
                KEY,
                format!(
                    "is `{name}`, which does not exist{}; choose {}, a list of ranks or \
                     {{ file = ... }}",
                    hint(name, names()),
                    names().collect::<Vec<_>>().join(", "),
                ),
            ))
        }
        Some(Value::Array(items)) => {
            let ranks: Option<Vec<u64>> = items.iter().map(Value::as_u64).collect();
            let ranks = ranks.ok_or_else(|| {
                request.wrong(
                    KEY,
                    "is a list that holds more than whole numbers".to_owned(),
                )
            })?;
            reorder(request, &nodes, &ranks)
        }
        Some(Value::Object(table)) => {
            let ranks = from_file(request, table)?;
            reorder(request, &nodes, &ranks)
        }
        Some(other) => Err(request.wrong(
            KEY,
            format!("is {other}, but it must be a name, a list of ranks or {{ file = ... }}"),
        )),
    }
}

/// Ranks separated by white space or commas, over any number of lines.
fn from_file(
    request: &PlacementRequest<'_>,
    table: &Map<String, Value>,
) -> Result<Vec<u64>, PlacementError> {
    let keys = ["file", "text"];
    if let Some(key) = table.keys().find(|key| !keys.contains(&key.as_str())) {
        let hint = hint(key, keys);
        return Err(request.wrong(
            KEY,
            format!("has the unknown key `{key}`{hint}; give `file`"),
        ));
    }
    let Some(path) = table.get("file").and_then(Value::as_str) else {
        let problem = "is a table without `file`; give a path in quotes".to_owned();
        return Err(request.wrong(KEY, problem));
    };
    let Some(text) = table.get("text").and_then(Value::as_str) else {
        let problem =
            format!("is the file `{path}`, which has not been read; give its content as `text`");
        return Err(request.wrong(KEY, problem));
    };
    let words = text
        .split(|letter: char| letter == ',' || letter.is_whitespace())
        .filter(|word| !word.is_empty());
    let ranks: Result<Vec<u64>, &str> = words.map(|word| word.parse().map_err(|_| word)).collect();
    ranks.map_err(|word| {
        let problem = format!(
            "is the file `{path}`, which has `{word}`; ranks are whole numbers separated by \
             spaces, commas or lines"
        );
        request.wrong(KEY, problem)
    })
}

/// Entry `k` of `ranks` is the rank on slot `k`, as in rank order files of batch systems.
fn reorder(
    request: &PlacementRequest<'_>,
    nodes: &[NodeId],
    ranks: &[u64],
) -> Result<Vec<NodeId>, PlacementError> {
    if ranks.len() != nodes.len() {
        let (given, wanted) = (ranks.len(), nodes.len());
        let problem = format!("has {given} ranks, but the job has {wanted}; name each rank once");
        return Err(request.wrong(KEY, problem));
    }
    let mut placed: Vec<Option<NodeId>> = vec![None; nodes.len()];
    for (&rank, &node) in ranks.iter().zip(nodes) {
        let index = usize::try_from(rank).unwrap_or(usize::MAX);
        let Some(slot) = placed.get_mut(index) else {
            let last = nodes.len() - 1;
            let problem = format!("names rank {rank}, but ranks go from 0 to {last}");
            return Err(request.wrong(KEY, problem));
        };
        if slot.replace(node).is_some() {
            let problem = format!("names rank {rank} twice; name each rank once");
            return Err(request.wrong(KEY, problem));
        }
    }
    Ok(placed.into_iter().flatten().collect())
}
