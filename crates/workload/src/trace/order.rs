//! In which order a rank issues what is paired by number: collectives of a communicator, and
//! messages of one pair and tag.
//!
//! A program that is a sequence says it. In a graph it follows from the dependencies, or the replay
//! would decide by its times, and differently on each rank.

use std::collections::BTreeMap;

use odonata_mpi::{Edge, Graph, Moment};

use super::graph::{self, edges_of};
use super::op;
use super::table::{StreamColumns, TraceTable};
use crate::error::TraceError;

/// Rows of a rank's operations in the order of issue, if the programs are as they should be.
pub(super) fn rows(table: &TraceTable, rank: u32) -> impl Iterator<Item = usize> {
    let range = table.operations(rank);
    let order = if graph::is_in_order(table, rank) {
        None
    } else {
        let graph = graph::of_rank(table, rank).ok().flatten();
        graph.and_then(|graph| graph.order())
    };
    let first = range.start;
    range.map(move |at| {
        let place = at - first;
        order
            .as_ref()
            .map_or(at, |order| first + order[place] as usize)
    })
}

impl TraceTable {
    /// Rows of the collectives of a rank, in the order of issue: that of its dependencies, where
    /// the program is a graph.
    #[must_use]
    pub fn collectives(&self, rank: u32) -> Vec<usize> {
        rows(self, rank)
            .filter(|&at| op::is_collective(self.op.get(at)))
            .collect()
    }
}

/// The start or the end of an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    operation: u32,
    moment: Moment,
}

impl Event {
    const fn new(operation: u32, moment: Moment) -> Self {
        Self { operation, moment }
    }

    /// Event that an edge waits for.
    const fn before(edge: Edge) -> Self {
        Self::new(edge.earlier, edge.moment)
    }
}

/// Looks for two operations that are paired by number and may start in either order.
///
/// # Errors
/// The first two.
pub(super) fn check(table: &TraceTable, rank: u32, graph: &Graph) -> Result<(), TraceError> {
    let Some(columns) = &table.streams else {
        return Ok(());
    };
    let order = graph.order();
    let mut known = Known::new(table, columns, rank, order.as_deref());
    let mut last_of: BTreeMap<Paired, u32> = BTreeMap::new();
    for place in 0..graph.len() {
        let operation = order.as_ref().map_or(place, |order| order[place as usize]);
        known.take(operation);
        let Some(paired) = Paired::of(table, known.first + operation as usize) else {
            continue;
        };
        let before = last_of.insert(paired, operation);
        let Some(before) = before.filter(|&before| !known.precedes(before, operation)) else {
            continue;
        };
        let name = |operation: u32| {
            let at = known.first + operation as usize;
            format!(
                "{operation} ({} of {} B)",
                op::name(table.op.get(at)).unwrap_or("unknown"),
                table.bytes.get(at)
            )
        };
        return Err(TraceError::Order {
            rank,
            first: name(before.min(operation)),
            second: name(before.max(operation)),
            what: paired.words(table),
        });
    }
    Ok(())
}

/// Operations of a rank among which order matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Paired {
    Collective {
        comm: u32,
    },
    Message {
        is_send: bool,
        comm: u32,
        peer: u32,
        tag: i32,
    },
}

impl Paired {
    /// `None`: nothing is paired with it by number, or (a receive from anybody) time decides anyway.
    fn of(table: &TraceTable, at: usize) -> Option<Self> {
        let (code, comm) = (table.op.get(at), table.comm.get(at));
        if op::is_collective(code) {
            return Some(Self::Collective { comm });
        }
        let peer = u32::try_from(table.peer.get(at)).ok();
        let (peer, tag) = (peer.filter(|_| op::is_message(code))?, table.tag.get(at));
        (tag >= 0).then_some(Self::Message {
            is_send: op::is_send(code),
            comm,
            peer,
            tag,
        })
    }

    fn words(self, table: &TraceTable) -> String {
        match self {
            Self::Collective { comm } => format!("both on communicator {comm}"),
            Self::Message {
                is_send,
                comm,
                peer,
                tag,
            } => {
                let way = if is_send { "to" } else { "from" };
                let member = table
                    .members(comm)
                    .get(peer as usize)
                    .copied()
                    .unwrap_or(peer);
                format!("both {way} rank {member} with tag {tag}")
            }
        }
    }
}

const NONE: u32 = u32::MAX;

/// Looks at so many edges for each operation and edge of a rank, on average: far more than programs
/// need.
const LOOKS: u64 = 1_000;

/// Known order in which the operations of a rank start, whatever the times are.
struct Known<'a> {
    table: &'a TraceTable,
    columns: &'a StreamColumns,
    first: usize,
    /// `[operation]`: its place in the order of issue.
    places: Vec<u32>,
    /// `[operation]`: the one before it in its stream in the table.
    before: Vec<u32>,
    /// `[operation]`: the one that its CPU takes up before it, if that is known.
    turns: Vec<u32>,
    /// `[operation]`: the first one of a row of such turns.
    runs: Vec<u32>,
    /// By stream: the last operation that was taken.
    last: BTreeMap<u32, u32>,
    /// `[operation]`: the last search that came there.
    seen: Vec<u32>,
    searches: u32,
    looks_left: u64,
}

impl<'a> Known<'a> {
    fn new(
        table: &'a TraceTable,
        columns: &'a StreamColumns,
        rank: u32,
        order: Option<&[u32]>,
    ) -> Self {
        let range = table.operations(rank);
        let count = range.len();
        let mut places: Vec<u32> = (0..).take(count).collect();
        for (place, &operation) in (0..).zip(order.unwrap_or_default()) {
            places[operation as usize] = place;
        }
        let mut last = BTreeMap::new();
        let streams = (0..).zip(columns.stream.range(range.clone()));
        let before = streams.map(|(at, stream)| last.insert(stream, at).unwrap_or(NONE));
        let edges: u64 = columns
            .after_count
            .range(range.clone())
            .map(u64::from)
            .sum();
        Self {
            table,
            columns,
            first: range.start,
            places,
            before: before.collect(),
            turns: vec![NONE; count],
            runs: (0..).take(count).collect(),
            last: BTreeMap::new(),
            seen: vec![0; count],
            searches: 0,
            looks_left: (count as u64 + edges).saturating_mul(LOOKS),
        }
    }

    /// The next operation in the order of issue.
    fn take(&mut self, operation: u32) {
        let stream = self.stream(operation);
        let Some(before) = self.last.insert(stream, operation) else {
            return;
        };
        if self.precedes(before, operation) {
            self.turns[operation as usize] = before;
            self.runs[operation as usize] = self.runs[before as usize];
        }
    }

    fn stream(&self, operation: u32) -> u32 {
        self.columns.stream.get(self.first + operation as usize)
    }

    /// Edges that an operation waits for until it is ready.
    fn waits_for(&self, operation: u32) -> impl Iterator<Item = Edge> {
        let before = self.before[operation as usize];
        edges_of(
            self.columns,
            self.first,
            operation,
            (before != NONE).then_some(before),
        )
    }

    /// What happens before an operation starts because their CPU does one thing at a time.
    fn turn(&self, operation: u32) -> Option<Edge> {
        let earlier = self.turns[operation as usize];
        (earlier != NONE).then(|| Edge {
            earlier,
            moment: match self.table.op.get(self.first + earlier as usize) {
                // A computation is never interrupted.
                op::COMPUTE | op::NOTHING => Moment::End,
                _ => Moment::Start,
            },
            later: operation,
        })
    }

    /// Whether `a` starts before `b` whatever the times are; `b` is behind it in the order of issue.
    fn precedes(&mut self, a: u32, b: u32) -> bool {
        let share_a_cpu = self.stream(a) == self.stream(b);
        if !share_a_cpu {
            // On CPUs of their own, calls take as long as the host makes them take.
            let open = self.waits_for(b).chain(self.turn(b)).collect();
            let end = Event::new(a, Moment::End);
            return self.is_behind(&[end], end, open);
        }
        if self.runs[a as usize] == self.runs[b as usize] {
            return true;
        }
        // Of those that are ready the CPU takes the one that became ready first, of those of one
        // instant the first one in the table: `a`, if it is ready when `b` is.
        let mut needs: Vec<Event> = if a < b {
            self.waits_for(a).map(Event::before).collect()
        } else {
            vec![Event::new(a, Moment::Start)]
        };
        needs.sort_unstable();
        needs.dedup();
        let open = self.waits_for(b).collect();
        self.is_behind(&needs, Event::new(a, Moment::Start), open)
    }

    /// Whether what has these edges comes after all of some moments, sorted, or after a certain one.
    fn is_behind(&mut self, all: &[Event], one: Event, mut open: Vec<Edge>) -> bool {
        let places = all.iter().map(|need| self.places[need.operation as usize]);
        let Some(lowest) = places.min() else {
            return true;
        };
        self.searches += 1;
        let mut missing = all.to_vec();
        while let Some(edge) = open.pop() {
            match self.looks_left.checked_sub(1) {
                Some(left) => self.looks_left = left,
                None => return false,
            }
            let before = Event::before(edge);
            if one.operation == before.operation && one <= before {
                return true;
            }
            let begin = missing.partition_point(|need| need.operation < edge.earlier);
            let end = missing.partition_point(|need| *need <= before);
            missing.drain(begin..end);
            if missing.is_empty() {
                return true;
            }
            let at = edge.earlier as usize;
            if self.seen[at] == self.searches || self.places[at] < lowest {
                continue;
            }
            self.seen[at] = self.searches;
            open.extend(self.turn(edge.earlier));
            open.extend(self.waits_for(edge.earlier));
        }
        false
    }
}
