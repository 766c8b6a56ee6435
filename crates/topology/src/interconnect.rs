//! A Cray XC machine rebuilt from the dump of its tiles.
//!
//! Everything that contradicts itself is an error with line numbers: two records of a tile, two
//! positions of a router, an end that does not lead back, a colour that does not fit the positions,
//! a router missing from the grid. What is merely unusual is in the [`InterconnectReport`].

use std::collections::{BTreeMap, BTreeSet};

use crate::channel::LinkKind;
use crate::dump::{InterconnectError, InterconnectReport, Records, TileLink, count};
use crate::family::AriesShape;
use crate::grid::RouterGrid;
use crate::tiles::{Far, Name, RouterPosition, record};

/// A machine as its tiles describe it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interconnect {
    pub(crate) shape: AriesShape,
    pub(crate) links: Vec<TileLink>,
    pub(crate) report: InterconnectReport,
}

/// Processor tiles of a node: the eight of an Aries serve four NICs.
const PROCESSOR_TILES_PER_NODE: u32 = 2;

impl Interconnect {
    /// Reads `text`. Blank lines and lines that start with `#` are skipped.
    ///
    /// Cost: O(tiles log tiles).
    ///
    /// # Errors
    /// If lines mean nothing or contradict each other, or the routers do not fill a grid.
    pub fn parse(text: &str) -> Result<Self, InterconnectError> {
        let mut problems = Vec::new();
        let records = read(text, &mut problems);
        check_names(&records, &mut problems);
        if !problems.is_empty() {
            return Err(InterconnectError::Inconsistent { problems });
        }
        let grid = RouterGrid::of(&records)?;
        let nodes_per_router = nodes_per_router(&records)?;
        let links = grid.links(&records, &mut problems);
        if !problems.is_empty() {
            return Err(InterconnectError::Inconsistent { problems });
        }
        let mut report = grid.report(&records, &links);
        report.nodes = report.routers * nodes_per_router;
        let shape = AriesShape {
            groups: grid.groups,
            rows: grid.rows,
            columns: grid.columns,
            nodes_per_router,
            column_links: grid.column_links(&links, &mut report.notes),
            global_ports_per_router: global_ports(&links, report.routers, &mut report.notes),
            chassis_per_cabinet: grid.chassis_per_cabinet(&records, &mut report.notes),
        };
        grid.note_group_pairs(&links, &mut report.notes);
        Ok(Self {
            shape,
            links,
            report,
        })
    }

    /// The parameters that the machine has.
    #[must_use]
    pub const fn shape(&self) -> &AriesShape {
        &self.shape
    }

    /// Contents of the dump.
    #[must_use]
    pub const fn report(&self) -> &InterconnectReport {
        &self.report
    }
}

fn read(text: &str, problems: &mut Vec<String>) -> Records {
    let mut records = Records::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        match record(line, text) {
            Err(problem) => problems.push(format!("line {line}: {problem}")),
            Ok(record) => {
                let key = (record.near.position, record.near.tile);
                if let Some(first) = records.insert(key, record) {
                    problems.push(format!(
                        "line {line}: tile {} has a record in line {} already",
                        record.near, first.line
                    ));
                }
            }
        }
    }
    records
}

/// Each router has one name and one position.
fn check_names(records: &Records, problems: &mut Vec<String>) {
    let mut positions: BTreeMap<Name, (RouterPosition, u64)> = BTreeMap::new();
    let mut names: BTreeMap<RouterPosition, (Name, u64)> = BTreeMap::new();
    for record in records.values() {
        let (name, position, line) = (record.near.name, record.near.position, record.line);
        let (other, first) = *positions.entry(name).or_insert((position, line));
        if other != position {
            problems.push(format!(
                "line {line}: router {name} is at {position} here, but at {other} in line {first}"
            ));
        }
        let (other, first) = *names.entry(position).or_insert((name, line));
        if other != name {
            problems.push(format!(
                "line {line}: the router at {position} is {name} here, but {other} in line {first}"
            ));
        }
    }
}

/// Nodes of each router; all have the same number.
fn nodes_per_router(records: &Records) -> Result<u32, InterconnectError> {
    let mut tiles: BTreeMap<RouterPosition, u32> = BTreeMap::new();
    for record in records.values() {
        *tiles.entry(record.near.position).or_default() += u32::from(record.far == Far::Processor);
    }
    let counts: BTreeSet<u32> = tiles.values().copied().collect();
    match counts.first() {
        Some(&count)
            if counts.len() == 1 && count > 0 && count.is_multiple_of(PROCESSOR_TILES_PER_NODE) =>
        {
            Ok(count / PROCESSOR_TILES_PER_NODE)
        }
        _ => {
            let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
            Err(InterconnectError::Incomplete {
                problem: format!(
                    "routers have {} processor tiles in use; each must have the same even number \
                     of them, two per node",
                    counts.join(" or ")
                ),
            })
        }
    }
}

/// The most blue channels of a router.
fn global_ports(links: &[TileLink], routers: u32, notes: &mut Vec<String>) -> u32 {
    let mut ports = vec![0_u32; routers as usize];
    for link in links.iter().filter(|link| link.kind == LinkKind::Global) {
        ports[link.low.index()] += 1;
        ports[link.high.index()] += 1;
    }
    let most = ports.iter().copied().max().unwrap_or(0);
    let fewer = ports.iter().filter(|count| **count < most).count();
    if fewer > 0 {
        notes.push(format!(
            "{} with fewer than {most} global channels",
            count(fewer, "router")
        ));
    }
    most
}
