//! Reads a list of channels from CSV text: what `odonata topo --edges` writes, and hand-made ones.
//!
//! Columns, in any order: `kind`, `source_node`, `source_router`, `target_node`, `target_router`;
//! optional ones: `channel` (not read), `bandwidth_bytes_per_s`, `latency_ns`, and `source_group`
//! together with `target_group` (without them, one group holds all routers).

use std::collections::BTreeMap;

use odonata_units::spelling::hint;
use odonata_units::{GroupId, RouterId};
use thiserror::Error;

use crate::channel::LinkKind;
use crate::graph::{GraphChannel, GraphSpec};

/// A list of channels, read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ChannelList {
    /// Ids and channels.
    pub spec: GraphSpec,
    /// Per kind, in the order of [`LinkKind::ALL`]: what the list says of its links.
    pub links: [ListedLink; 5],
}

/// Rate and latency of all links of a kind, as far as they are given.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ListedLink {
    /// Bytes per second, each direction.
    pub bandwidth_bytes_per_s: Option<u64>,
    /// Propagation, ps.
    pub latency_ps: Option<u64>,
}

/// Why a text is not a list of channels.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ChannelListError {
    /// Not CSV.
    #[error("not a CSV table: {0}")]
    Csv(String),
    /// The header lacks a column.
    #[error("the column `{column}` is missing; the header must have {}", REQUIRED.join(", "))]
    MissingColumn {
        /// Its name.
        column: &'static str,
    },
    /// The header has a column that means nothing.
    #[error("`{column}` is not a column of a channel list{hint}; the columns are {}", COLUMNS.join(", "))]
    UnknownColumn {
        /// As given.
        column: String,
        /// Nearest spelling, or nothing.
        hint: String,
    },
    /// A line that means nothing, or contradicts another one.
    #[error("line {line}: {problem}")]
    Line {
        /// Counted from 1, the header.
        line: u64,
        /// What is wrong and what to do.
        problem: String,
    },
    /// Something is missing from the whole.
    #[error("{problem}")]
    Incomplete {
        /// What is missing and what to do.
        problem: String,
    },
}

const REQUIRED: [&str; 5] = [
    "kind",
    "source_node",
    "source_router",
    "target_node",
    "target_router",
];

const COLUMNS: [&str; 10] = [
    "kind",
    "source_node",
    "source_router",
    "target_node",
    "target_router",
    "source_group",
    "target_group",
    "bandwidth_bytes_per_s",
    "latency_ns",
    "channel",
];

impl ChannelList {
    /// Reads `text`.
    ///
    /// Cost: O(channels log channels).
    ///
    /// # Errors
    /// If the text is no such table, contradicts itself, or leaves an id out.
    pub fn parse(text: &str) -> Result<Self, ChannelListError> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let header = reader.headers().map_err(not_csv)?.clone();
        let places = places(&header)?;
        let mut collector = Collector::default();
        for record in reader.records() {
            let record = record.map_err(not_csv)?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = Row {
                places: &places,
                record: &record,
            };
            collector
                .take(line, &row)
                .map_err(|problem| ChannelListError::Line { line, problem })?;
        }
        collector.finish()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn not_csv(error: csv::Error) -> ChannelListError {
    ChannelListError::Csv(error.to_string())
}

/// Where each of [`COLUMNS`] stands.
fn places(header: &csv::StringRecord) -> Result<[Option<usize>; 10], ChannelListError> {
    if let Some(column) = header.iter().find(|column| !COLUMNS.contains(column)) {
        return Err(ChannelListError::UnknownColumn {
            column: column.to_owned(),
            hint: hint(column, COLUMNS),
        });
    }
    let places = COLUMNS.map(|name| header.iter().position(|column| column == name));
    for (column, place) in REQUIRED.into_iter().zip(&places) {
        if place.is_none() {
            return Err(ChannelListError::MissingColumn { column });
        }
    }
    for (column, other) in [(5, 6), (6, 5)] {
        if places[column].is_some() && places[other].is_none() {
            let column = COLUMNS[other];
            return Err(ChannelListError::MissingColumn { column });
        }
    }
    Ok(places)
}

/// One line.
struct Row<'a> {
    places: &'a [Option<usize>; 10],
    record: &'a csv::StringRecord,
}

/// One end of a channel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Node(u32),
    Router(u32),
}

impl Row<'_> {
    /// The cell of a column; `None` if it is blank or absent.
    fn cell(&self, column: &str) -> Option<&str> {
        let place = COLUMNS.iter().position(|name| *name == column)?;
        let cell = self.record.get(self.places[place]?)?;
        (!cell.is_empty() && !cell.eq_ignore_ascii_case("nan")).then_some(cell)
    }

    /// A whole number; tables of real numbers write `3.0`.
    fn whole(&self, column: &str) -> Result<Option<u64>, String> {
        let Some(cell) = self.cell(column) else {
            return Ok(None);
        };
        let digits = cell.strip_suffix(".0").unwrap_or(cell);
        match digits.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!(
                "`{column}` is `{cell}`; write a whole number or nothing"
            )),
        }
    }

    /// An id.
    fn id(&self, column: &str) -> Result<Option<u32>, String> {
        let Some(number) = self.whole(column)? else {
            return Ok(None);
        };
        let id = u32::try_from(number).ok().filter(|id| *id < 1 << 24);
        id.map(Some)
            .ok_or_else(|| format!("`{column}` is {number}; ids are below 2^24"))
    }

    fn end(&self, side: &str) -> Result<End, String> {
        let (node, router) = (format!("{side}_node"), format!("{side}_router"));
        match (self.id(&node)?, self.id(&router)?) {
            (Some(id), None) => Ok(End::Node(id)),
            (None, Some(id)) => Ok(End::Router(id)),
            (None, None) => Err(format!("`{node}` and `{router}` are blank; fill in one")),
            (Some(_), Some(_)) => Err(format!(
                "`{node}` and `{router}` are both given; a channel ends at one of them"
            )),
        }
    }

    fn kind(&self) -> Result<LinkKind, String> {
        let names = LinkKind::ALL.map(LinkKind::name);
        let cell = self.cell("kind").unwrap_or("");
        LinkKind::ALL
            .into_iter()
            .find(|kind| kind.name() == cell)
            .ok_or_else(|| {
                let hint = hint(cell, names);
                format!(
                    "there is no kind `{cell}`{hint}; use one of {}",
                    names.join(", ")
                )
            })
    }

    /// Picoseconds of a decimal number of nanoseconds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be in range"
    )]
    fn latency_ps(&self) -> Result<Option<u64>, String> {
        let Some(cell) = self.cell("latency_ns") else {
            return Ok(None);
        };
        match cell.parse::<f64>() {
            Ok(ns) if (0.0..=1e12).contains(&ns) => Ok(Some((ns * 1_000.0).round() as u64)),
            _ => Err(format!(
                "`latency_ns` is `{cell}`; write a number of nanoseconds from 0 to 10^12"
            )),
        }
    }
}

/// A value that several lines state, with the first of them.
type Stated<T> = (T, u64);

#[derive(Default)]
struct Collector {
    /// Per node: its router into and out of the network.
    hosts: BTreeMap<u32, [Option<Stated<u32>>; 2]>,
    router_groups: BTreeMap<u32, Stated<u32>>,
    node_groups: BTreeMap<u32, Stated<u32>>,
    channels: Vec<GraphChannel>,
    bandwidths: [Option<Stated<u64>>; 5],
    latencies: [Option<Stated<u64>>; 5],
    has_groups: bool,
}

/// Remembers `value`, or says how it contradicts what is remembered.
fn agree<T: Copy + PartialEq + std::fmt::Display>(
    place: &mut Option<Stated<T>>,
    (value, line): Stated<T>,
    what: &str,
) -> Result<(), String> {
    match *place {
        Some((before, first)) if before != value => Err(format!(
            "{what} is {value} here, but {before} in line {first}; make them the same"
        )),
        Some(_) => Ok(()),
        None => {
            *place = Some((value, line));
            Ok(())
        }
    }
}

impl Collector {
    fn take(&mut self, line: u64, row: &Row<'_>) -> Result<(), String> {
        let kind = row.kind()?;
        let (source, target) = (row.end("source")?, row.end("target")?);
        self.has_groups |= row.places[5].is_some();
        for (end, column) in [(source, "source_group"), (target, "target_group")] {
            let group = row.id(column)?;
            self.take_group(line, end, group)?;
        }
        match (source, target) {
            (End::Node(node), End::Router(router)) => self.take_host(line, (node, router), 0)?,
            (End::Router(router), End::Node(node)) => self.take_host(line, (node, router), 1)?,
            (End::Router(source), End::Router(target)) => self.channels.push(GraphChannel {
                kind,
                source: RouterId(source),
                target: RouterId(target),
            }),
            (End::Node(_), End::Node(_)) => {
                return Err("joins two nodes; a node is joined to a router".to_owned());
            }
        }
        let has_node = matches!(source, End::Node(_)) || matches!(target, End::Node(_));
        if has_node != (kind == LinkKind::Host) {
            let problem = if has_node {
                format!("a channel of a node is of kind host, not {kind}")
            } else {
                "a channel between routers is not of kind host; use local, row, column or global"
                    .to_owned()
            };
            return Err(problem);
        }
        if let Some(bandwidth) = row.whole("bandwidth_bytes_per_s")? {
            if bandwidth == 0 {
                return Err("`bandwidth_bytes_per_s` is 0; a link needs some".to_owned());
            }
            let what = format!("the bandwidth of {kind} links");
            agree(
                &mut self.bandwidths[kind as usize],
                (bandwidth, line),
                &what,
            )?;
        }
        if let Some(latency) = row.latency_ps()? {
            let what = format!("the latency of {kind} links (in ps)");
            agree(&mut self.latencies[kind as usize], (latency, line), &what)?;
        }
        Ok(())
    }

    fn take_group(&mut self, line: u64, end: End, group: Option<u32>) -> Result<(), String> {
        let (groups, id, what) = match end {
            End::Node(id) => (&mut self.node_groups, id, format!("the group of node {id}")),
            End::Router(id) => {
                // Seen, even if its group comes later.
                let groups = &mut self.router_groups;
                (groups, id, format!("the group of router {id}"))
            }
        };
        let group = group.unwrap_or(UNKNOWN);
        let mut place = groups.get(&id).copied().filter(|entry| entry.0 != UNKNOWN);
        if group != UNKNOWN || place.is_none() {
            agree(&mut place, (group, line), &what)?;
        }
        if let Some(entry) = place {
            groups.insert(id, entry);
        }
        Ok(())
    }

    fn take_host(
        &mut self,
        line: u64,
        (node, router): (u32, u32),
        direction: usize,
    ) -> Result<(), String> {
        let both = self.hosts.entry(node).or_default();
        if let Some((_, first)) = both[direction] {
            return Err(format!(
                "node {node} has this channel in line {first} already; a node has one router and \
                 one link to it"
            ));
        }
        if let Some((other, first)) = both[1 - direction]
            && other != router
        {
            return Err(format!(
                "node {node} is on router {router} here, but on router {other} in line {first}; a \
                 node has one router"
            ));
        }
        both[direction] = Some((router, line));
        Ok(())
    }

    fn finish(self) -> Result<ChannelList, ChannelListError> {
        let incomplete = |problem| Err(ChannelListError::Incomplete { problem });
        let mut router_of = Vec::with_capacity(self.hosts.len());
        for (expected, (&node, both)) in (0..).zip(&self.hosts) {
            if node != expected {
                return incomplete(gap("node", expected, node));
            }
            let problem = match *both {
                [Some((router, _)), Some(_)] => {
                    router_of.push(RouterId(router));
                    continue;
                }
                [Some((router, _)), None] => format!("from router {router} to node {node}"),
                [None, other] => {
                    let router = other.map_or(0, |stated| stated.0);
                    format!("from node {node} to router {router}")
                }
            };
            return incomplete(format!(
                "there is no channel {problem}; a link needs one in each direction"
            ));
        }
        let mut group_of = Vec::with_capacity(self.router_groups.len());
        for (expected, (&router, &(group, _))) in (0..).zip(&self.router_groups) {
            if router != expected {
                return incomplete(gap("router", expected, router));
            }
            group_of.push(match group {
                UNKNOWN if self.has_groups => {
                    return incomplete(format!(
                        "no line gives the group of router {router}; fill in its group"
                    ));
                }
                UNKNOWN => GroupId(0),
                group => GroupId(group),
            });
        }
        for (&node, &(group, line)) in &self.node_groups {
            let router = router_of[node as usize];
            let expected = group_of[router.index()].0;
            if group != UNKNOWN && group != expected {
                return Err(ChannelListError::Line {
                    line,
                    problem: format!(
                        "node {node} is in group {group}, but its router {} in group {expected}; \
                         make them the same",
                        router.0
                    ),
                });
            }
        }
        let links = LinkKind::ALL.map(|kind| ListedLink {
            bandwidth_bytes_per_s: self.bandwidths[kind as usize].map(|stated| stated.0),
            latency_ps: self.latencies[kind as usize].map(|stated| stated.0),
        });
        Ok(ChannelList {
            spec: GraphSpec {
                router_of,
                group_of,
                channels: self.channels,
            },
            links,
        })
    }
}

/// A group not given.
const UNKNOWN: u32 = u32::MAX;

fn gap(what: &str, expected: u32, found: u32) -> String {
    format!(
        "there is a {what} {found} but no {what} {expected}; number the {what}s from 0 without gaps"
    )
}
