//! The registry of workloads: one line per member.

use std::collections::BTreeMap;

use odonata_mpi::{CollectiveKind, MpiParameters};
use odonata_units::spelling::hint;
use serde_json::{Map, Value, json};

use crate::error::WorkloadError;
use crate::spec::{Parameter, Spec};
use crate::trace::TraceTable;
use crate::{JobContext, NodeEndpoint, open_loop, skeleton, trace};

type Ranks = fn(&Spec<'_>, u32, &BTreeMap<String, TraceTable>) -> Result<u32, WorkloadError>;
type Build = fn(&Spec<'_>, &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError>;

/// One workload.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) source: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) ranks: Ranks,
    pub(crate) build: Build,
}

static ENTRIES: [Entry; 9] = [
    skeleton::uniform_random::ENTRY,
    skeleton::halo3d::ENTRY,
    skeleton::milc::ENTRY,
    skeleton::fft3d::ENTRY,
    skeleton::allreduce::ENTRY,
    skeleton::allreduce::COSMOFLOW,
    skeleton::allreduce::DL,
    open_loop::ENTRY,
    trace::ENTRY,
];

/// The entry that `spec` names, and its checked parameters.
pub(crate) fn find(spec: &Map<String, Value>) -> Result<(&'static Entry, Spec<'_>), WorkloadError> {
    let names = || ENTRIES.iter().map(|entry| entry.name);
    let choices = || names().collect::<Vec<_>>().join(", ");
    let Some(kind) = spec.get("kind").and_then(Value::as_str) else {
        return Err(WorkloadError::MissingKind { choices: choices() });
    };
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == kind) else {
        return Err(WorkloadError::UnknownKind {
            kind: kind.to_owned(),
            hint: hint(kind, names()),
            choices: choices(),
        });
    };
    Ok((entry, Spec::new(entry.name, entry.parameters, spec)?))
}

fn plain(name: &str, summary: &str, source: &str) -> Value {
    json!({
        "name": name, "summary": summary, "source": source, "parameters": [], "needs": [],
    })
}

/// The families of this room and of those below it: `workloads`, `patterns`, `arrivals`,
/// `collectives`, `placements`, `mappings`, and the parameters `mpi`.
///
/// A family is a list of entries with `name`, `summary`, `source`, `parameters`, `needs`; a
/// parameter has `name`, `type`, `unit`, `default`, `required`, `choices`, `minimum`, `doc`.
#[must_use]
pub fn registry() -> Value {
    let workloads: Vec<Value> = ENTRIES
        .iter()
        .map(|entry| {
            let parameters: Vec<Value> = entry.parameters.iter().map(Parameter::describe).collect();
            json!({
                "name": entry.name, "summary": entry.summary, "source": entry.source,
                "parameters": parameters, "needs": [],
            })
        })
        .collect();
    let mut collectives = Vec::new();
    for kind in CollectiveKind::ALL {
        for algorithm in kind.algorithms() {
            let name = format!("{}/{}", kind.name(), algorithm.name());
            collectives.push(plain(&name, algorithm.summary(), algorithm.source()));
        }
    }
    let patterns = open_loop::PATTERNS
        .iter()
        .map(|one| plain(one.0, one.1, one.2));
    let arrivals = open_loop::ARRIVALS
        .iter()
        .map(|one| plain(one.0, one.1, one.2));
    json!({
        "workloads": workloads,
        "patterns": patterns.collect::<Vec<_>>(),
        "arrivals": arrivals.collect::<Vec<_>>(),
        "collectives": collectives,
        "placements": odonata_placement::registry(),
        "mappings": odonata_placement::mappings(),
        "mpi": MpiParameters::registry(),
    })
}
