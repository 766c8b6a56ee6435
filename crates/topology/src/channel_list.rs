//! Reads a list of channels from CSV text: what `odonata topo --edges` writes, and hand-made ones.
//!
//! Columns, in any order: `kind`, `source_node`, `source_router`, `target_node`, `target_router`;
//! optional ones: `channel` (not read), `bandwidth_bytes_per_s`, `latency_ns`, and `source_group`
//! together with `target_group` (without them, one group holds all routers). The rates and times
//! are handed on; this room makes nothing of them.

use std::collections::BTreeMap;

use odonata_units::{GroupId, RouterId};

use crate::channel::LinkKind;
use crate::channel_row::{ChannelListError, ListedEnd, Row, columns};
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
        let columns = columns(&header)?;
        let mut collector = Collector::default();
        for record in reader.records() {
            let record = record.map_err(not_csv)?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = Row {
                columns: &columns,
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

/// A value that several lines state, with the first of them.
#[derive(Clone, Copy)]
struct Stated<T> {
    value: T,
    line: u64,
}

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
    position: &mut Option<Stated<T>>,
    value: T,
    line: u64,
    what: &str,
) -> Result<(), String> {
    match *position {
        Some(first) if first.value != value => Err(format!(
            "{what} is {value} here, but {} in line {}; make them the same",
            first.value, first.line
        )),
        Some(_) => Ok(()),
        None => {
            *position = Some(Stated { value, line });
            Ok(())
        }
    }
}

impl Collector {
    fn take(&mut self, line: u64, row: &Row<'_>) -> Result<(), String> {
        let kind = row.kind()?;
        let (source, target) = (row.end("source")?, row.end("target")?);
        self.has_groups |= row.has_groups();
        for (end, column) in [(source, "source_group"), (target, "target_group")] {
            let group = row.id(column)?;
            self.take_group(line, end, group)?;
        }
        match (source, target) {
            (ListedEnd::Node(node), ListedEnd::Router(router)) => {
                self.take_host(line, node, router, 0)?
            }
            (ListedEnd::Router(router), ListedEnd::Node(node)) => {
                self.take_host(line, node, router, 1)?
            }
            (ListedEnd::Router(source), ListedEnd::Router(target)) => {
                self.channels.push(GraphChannel {
                    kind,
                    source: RouterId(source),
                    target: RouterId(target),
                })
            }
            (ListedEnd::Node(_), ListedEnd::Node(_)) => {
                return Err("joins two nodes; a node is joined to a router".to_owned());
            }
        }
        let has_node = matches!(source, ListedEnd::Node(_)) || matches!(target, ListedEnd::Node(_));
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
            let what = format!("`bandwidth_bytes_per_s` of {kind} links");
            agree(&mut self.bandwidths[kind as usize], bandwidth, line, &what)?;
        }
        if let Some(ps) = row.latency_ps()? {
            let what = format!("`latency_ns` of {kind} links (in ps)");
            agree(&mut self.latencies[kind as usize], ps, line, &what)?;
        }
        Ok(())
    }

    fn take_group(&mut self, line: u64, end: ListedEnd, group: Option<u32>) -> Result<(), String> {
        let (groups, id, what) = match end {
            ListedEnd::Node(id) => (&mut self.node_groups, id, format!("the group of node {id}")),
            ListedEnd::Router(id) => {
                // Seen, even if its group comes later.
                let groups = &mut self.router_groups;
                (groups, id, format!("the group of router {id}"))
            }
        };
        let group = group.unwrap_or(UNKNOWN);
        let mut position = groups
            .get(&id)
            .copied()
            .filter(|entry| entry.value != UNKNOWN);
        if group != UNKNOWN || position.is_none() {
            agree(&mut position, group, line, &what)?;
        }
        if let Some(entry) = position {
            groups.insert(id, entry);
        }
        Ok(())
    }

    fn take_host(
        &mut self,
        line: u64,
        node: u32,
        router: u32,
        direction: usize,
    ) -> Result<(), String> {
        let both = self.hosts.entry(node).or_default();
        if let Some(Stated { line: first, .. }) = both[direction] {
            return Err(format!(
                "node {node} has this channel in line {first} already; a node has one router and \
                 one link to it"
            ));
        }
        if let Some(other) = both[1 - direction]
            && other.value != router
        {
            return Err(format!(
                "node {node} is on router {router} here, but on router {} in line {}; a node has \
                 one router",
                other.value, other.line
            ));
        }
        both[direction] = Some(Stated {
            value: router,
            line,
        });
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
                [Some(router), Some(_)] => {
                    router_of.push(RouterId(router.value));
                    continue;
                }
                [Some(router), None] => format!("from router {} to node {node}", router.value),
                [None, other] => {
                    let router = other.map_or(0, |stated| stated.value);
                    format!("from node {node} to router {router}")
                }
            };
            return incomplete(format!(
                "there is no channel {problem}; a link needs one in each direction"
            ));
        }
        let mut group_of = Vec::with_capacity(self.router_groups.len());
        for (expected, (&router, group)) in (0..).zip(&self.router_groups) {
            if router != expected {
                return incomplete(gap("router", expected, router));
            }
            group_of.push(match group.value {
                UNKNOWN if self.has_groups => {
                    return incomplete(format!(
                        "no line gives the group of router {router}; fill in its group"
                    ));
                }
                UNKNOWN => GroupId(0),
                group => GroupId(group),
            });
        }
        for (&node, &Stated { value: group, line }) in &self.node_groups {
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
            bandwidth_bytes_per_s: self.bandwidths[kind as usize].map(|stated| stated.value),
            latency_ps: self.latencies[kind as usize].map(|stated| stated.value),
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
