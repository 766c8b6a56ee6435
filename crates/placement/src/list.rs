//! Placement on nodes that the scenario or a file names.

use std::collections::BTreeSet;

use odonata_registry::{Kind, Parameter};
use odonata_units::NodeId;
use serde_json::Value;

use crate::entry::{PlacementEntry, PlacementRequest};
use crate::error::PlacementError;
use crate::unit;

pub(super) const ENTRY: PlacementEntry = PlacementEntry {
    name: "list",
    summary: "exactly the nodes given, here or in an allocation file, rank i on the i-th",
    source: "node lists of batch systems; allocation files of CODES",
    parameters: &[
        Parameter::derived(
            "nodes",
            Kind::Counts,
            "node ids, at least one per rank; or give `file`",
        ),
        Parameter::derived(
            "file",
            Kind::Path,
            "allocation file: a line per job of node ids (`0 1 5`, as CODES has them) or of nodes \
             as batch systems list them (`nid[00000-00001,00005]`)",
        ),
        Parameter::derived(
            "line",
            Kind::Count,
            "line of the file, from 0; default: number of the job",
        ),
        Parameter::derived(
            "per_group",
            Kind::Count,
            "the ids count only the first so many nodes of each group (30 of 32 in MFNetSim, \
             whose other nodes are storage servers); default: all nodes",
        ),
    ],
    choose,
};

fn choose(request: &mut PlacementRequest<'_>) -> Result<Vec<NodeId>, PlacementError> {
    let file = request.spec.value("file");
    let (key, numbers) = match (request.spec.counts("nodes"), file.as_str()) {
        (Some(_), Some(_)) => {
            let problem = "cannot be given beside `file`; leave one of them out".to_owned();
            return Err(request.wrong("nodes", problem));
        }
        (None, None) => {
            let problem = "is missing; give a list of node ids, or `file`".to_owned();
            return Err(request.wrong("nodes", problem));
        }
        (Some(list), None) => ("nodes", without_line(request, list)?),
        (None, Some(path)) => ("file", line_of(request, path)?),
    };
    let numbers = match request.spec.optional_count("per_group") {
        None => numbers,
        Some(each) => counted_per_group(request, each, &numbers)?,
    };
    check(request, key, &numbers)
}

/// Node ids of `numbers`, which count the first few nodes of each group only.
fn counted_per_group(
    request: &PlacementRequest<'_>,
    each: u64,
    numbers: &[u64],
) -> Result<Vec<u64>, PlacementError> {
    let unit = unit::find(request.units, "group", request.kind)?;
    let groups: Vec<_> = unit.parts(request.free.node_count()).collect();
    let smallest = groups.iter().map(ExactSizeIterator::len).min().unwrap_or(0);
    let most = u64::try_from(smallest).unwrap_or(u64::MAX);
    if !(1..=most).contains(&each) {
        let problem = format!("is {each}, but it must be from 1 to the {most} nodes of a group");
        return Err(request.wrong("per_group", problem));
    }
    let node = |&number: &u64| {
        let group = usize::try_from(number / each).ok();
        let group = group.and_then(|index| groups.get(index)).ok_or_else(|| {
            let last = each * groups.len() as u64 - 1;
            let problem = format!("makes {last} the last node, but the list names node {number}");
            request.wrong("per_group", problem)
        })?;
        Ok(u64::from(group.start) + number % each)
    };
    numbers.iter().map(node).collect()
}

fn without_line(
    request: &PlacementRequest<'_>,
    numbers: Vec<u64>,
) -> Result<Vec<u64>, PlacementError> {
    if request.spec.optional_count("line").is_some() {
        let problem = "belongs to `file`; leave it out beside `nodes`".to_owned();
        return Err(request.wrong("line", problem));
    }
    Ok(numbers)
}

/// Node ids of the job's line of an allocation file. Empty lines at its end do not count.
fn line_of(request: &PlacementRequest<'_>, path: &str) -> Result<Vec<u64>, PlacementError> {
    let Some(text) = request.given.get("text").and_then(Value::as_str) else {
        let problem = format!("is `{path}`, which has not been read; give its content as `text`");
        return Err(request.wrong("file", problem));
    };
    let own = u64::from(request.job);
    let line = request.spec.optional_count("line").unwrap_or(own);
    let text = text.trim_end();
    let count = text.lines().count();
    let index = usize::try_from(line).unwrap_or(usize::MAX);
    let Some(ids) = text.lines().nth(index) else {
        let problem = format!(
            "is `{path}`, which has {count} lines; there is no line {line} \
                               counted from 0, so give the `line` of this job"
        );
        return Err(request.wrong("file", problem));
    };
    let mut numbers = Vec::new();
    for (index, entry) in entries(ids).enumerate() {
        let found = ids_of(entry, u64::from(request.free.node_count()));
        numbers.extend(found.ok_or_else(|| {
            let problem = format!(
                "is `{path}`, whose line {line} (from 0) has `{entry}` as entry {index} (from 0); \
                 entries are node ids such as `5` or `0-3`, or nodes such as \
                 `nid[00000-00003,00005]`, no more than the system has"
            );
            request.wrong("file", problem)
        })?);
    }
    Ok(numbers)
}

/// Parts of a line between white space or commas; commas in brackets belong to a part.
fn entries(line: &str) -> impl Iterator<Item = &str> {
    let mut in_brackets = false;
    let parts = line.split(move |letter: char| {
        in_brackets = letter == '[' || (in_brackets && letter != ']');
        letter.is_whitespace() || (letter == ',' && !in_brackets)
    });
    parts.filter(|part| !part.is_empty())
}

/// Node ids of an entry: an id, a range of at most `most`, or these behind the name that all nodes
/// share, in brackets or not. `None` if it is something else.
fn ids_of(entry: &str, most: u64) -> Option<Vec<u64>> {
    let named = entry.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_name = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '-' | '_');
    let ids = if named {
        entry.trim_start_matches(is_name)
    } else {
        entry
    };
    let inner = ids
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let mut found = Vec::new();
    for part in inner.unwrap_or(ids).split(',') {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let (low, high): (u64, u64) = (low.parse().ok()?, high.parse().ok()?);
        if low > high || high - low >= most {
            return None;
        }
        found.extend(low..=high);
    }
    Some(found)
}

/// The first `ranks` of `numbers` as nodes that are there, free and different.
fn check(
    request: &PlacementRequest<'_>,
    key: &str,
    numbers: &[u64],
) -> Result<Vec<NodeId>, PlacementError> {
    let wrong = |problem| Err(request.wrong(key, problem));
    let (ranks, free) = (request.nodes as usize, request.free);
    if numbers.len() < ranks {
        let given = numbers.len();
        return wrong(format!(
            "has {given} nodes for {ranks} ranks; give one per rank"
        ));
    }
    let mut seen = BTreeSet::new();
    let mut nodes = Vec::with_capacity(ranks);
    for &number in &numbers[..ranks] {
        let id = u32::try_from(number).ok();
        let Some(node) = id.filter(|&id| id < free.node_count()).map(NodeId) else {
            let last = free.node_count().saturating_sub(1);
            return wrong(format!(
                "names node {number}, but nodes go from 0 to {last}"
            ));
        };
        if !seen.insert(node) {
            return wrong(format!("names node {number} twice; a node runs one rank"));
        }
        if !free.contains(node) {
            return wrong(format!(
                "names node {number}, which another job has or which is out of service"
            ));
        }
        nodes.push(node);
    }
    Ok(nodes)
}
