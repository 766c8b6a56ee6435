//! Tables that routers have learned: kept from one run, given to another.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_routing::{QTable, Routing};
use odonata_topology::{LinkKind, PortIndex, Topology};
use serde::Deserialize;
use serde_json::Value;

use crate::build::inputs::Inputs;
use crate::config::{Config, RoutingChoice};
use crate::error::SimError;

/// The routing that learns while it routes.
pub(crate) const LEARNING: &str = "q-adaptive";

/// Parameter of a learning routing that is not the algorithm's but ours.
pub(crate) const LOAD: &str = "load_table";

/// One row of the table `q_table`.
#[derive(Clone, Copy, Deserialize, BorshSerialize, BorshDeserialize)]
pub(crate) struct LearnedRow {
    pub(crate) router: u32,
    pub(crate) group: u32,
    pub(crate) slot: u32,
    pub(crate) port: u16,
    pub(crate) estimate_ns: i32,
}
/// Slots of a group in a table: nodes of a router.
fn slots(topology: &Topology) -> u32 {
    u32::from(topology.ports(LinkKind::Host).end).max(1)
}

/// The tables of routers from `first` on, in order, as rows.
pub(crate) fn learned_rows<'a>(
    topology: &Topology,
    first: u32,
    tables: impl Iterator<Item = &'a QTable>,
) -> Vec<LearnedRow> {
    let slots = slots(topology);
    let mut rows = Vec::new();
    for (router, table) in (first..).zip(tables) {
        rows.extend(table.entries().map(|(row, port, estimate_ns)| LearnedRow {
            router,
            group: row / slots,
            slot: row % slots,
            port: port.0,
            estimate_ns,
        }));
    }
    rows
}

/// `routing` with what the file says that `config` names, if it names one.
///
/// # Errors
/// A file that was not read, is no such table, or is one of another system.
pub(crate) fn load(
    config: &Config,
    inputs: &Inputs,
    routing: Routing,
) -> Result<Routing, SimError> {
    let Some((path, file)) = named(config) else {
        return Ok(routing);
    };
    let wrong = |message: String| SimError::new(path.clone(), message);
    let Some(text) = inputs.texts.get(&file) else {
        return Err(wrong(format!(
            "the table `{file}` was not read; give its path"
        )));
    };
    let topology = routing.geometry().topology();
    let slots = slots(topology);
    let mut tables: Vec<_> = topology.routers().map(|r| routing.table(r)).collect();
    let expected: usize = tables.iter().map(|table| table.entries().count()).sum();
    let mut found = 0;
    for (number, row) in csv::Reader::from_reader(text.as_bytes())
        .deserialize::<LearnedRow>()
        .enumerate()
    {
        let line = number + 2;
        let entry = row.map_err(|error| wrong(format!("`{file}`, line {line}: {error}")))?;
        let row = entry.group.saturating_mul(slots).saturating_add(entry.slot);
        let port = PortIndex(entry.port);
        let table = tables.get_mut(entry.router as usize);
        if entry.slot >= slots
            || !table.is_some_and(|table| table.set(row, port, entry.estimate_ns))
        {
            let LearnedRow {
                router,
                group,
                slot,
                port,
                ..
            } = entry;
            return Err(wrong(format!(
                "`{file}`, line {line}: this system has no entry for router {router}, group {group}, \
                 slot {slot}, port {port}; use a table of the same system"
            )));
        }
        found += 1;
    }
    if found != expected {
        return Err(wrong(format!(
            "`{file}` has {found} entries where this system has {expected}; use a whole table of the \
             same system"
        )));
    }
    Ok(routing.with_learned(tables))
}

/// Whether routers begin with what they have learned in another run.
pub(crate) fn is_given(config: &Config) -> bool {
    named(config).is_some()
}

/// Where in `config` a table is named, and its file.
fn named(config: &Config) -> Option<(String, String)> {
    let of = |choice: &RoutingChoice| {
        choice
            .parameters
            .get(LOAD)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let own = of(&config.routing).map(|file| (format!("routing.{LOAD}"), file));
    own.or_else(|| {
        config.jobs.iter().enumerate().find_map(|(index, job)| {
            let file = job.routing.as_ref().and_then(of)?;
            Some((format!("jobs[{index}].routing.{LOAD}"), file))
        })
    })
}
