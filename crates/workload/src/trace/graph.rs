//! Streams and edges of a trace: whether they fit together, and the graph that they are.

use std::collections::BTreeMap;

use odonata_mpi::{Edge, Graph, GraphError, Moment};

use super::op;
use super::table::{StreamColumns, TraceTable};
use crate::error::TraceError;

/// Streams of a rank are numbered below this.
const MOST_STREAMS: u32 = 1 << 16;

/// Whether the columns fit together; what is wrong, in words.
pub(super) fn shape(table: &TraceTable) -> Result<(), String> {
    let Some(columns) = &table.streams else {
        return Ok(());
    };
    let operations = table.op.len();
    let lengths = [
        ("stream", columns.stream.len(), operations),
        ("follows", columns.follows.len(), operations),
        ("after_begin", columns.after_begin.len(), operations),
        ("after_count", columns.after_count.len(), operations),
        (
            "after_start",
            columns.after_start.len(),
            columns.after.len(),
        ),
    ];
    if let Some((name, found, needed)) = lengths.iter().find(|(_, found, needed)| found != needed) {
        return Err(format!("column `{name}` has {found} entries, not {needed}"));
    }
    let lists = columns.after_begin.iter().zip(columns.after_count.iter());
    for (at, (begin, count)) in lists.enumerate() {
        let end = begin.checked_add(u64::from(count));
        if count > 0 && end.is_none_or(|end| end > columns.after.len() as u64) {
            return Err(format!("the edges of operation {at} end behind `after`"));
        }
    }
    for (name, flags) in [
        ("follows", &columns.follows),
        ("after_start", &columns.after_start),
    ] {
        if let Some(flag) = flags.iter().find(|&flag| flag > 1) {
            return Err(format!("`{name}` is {flag} somewhere; it is 0 or 1"));
        }
    }
    match columns.stream.iter().find(|&stream| stream >= MOST_STREAMS) {
        Some(stream) => Err(format!(
            "there is a stream {stream}; streams are numbered below {MOST_STREAMS}"
        )),
        None => Ok(()),
    }
}

/// Whether the program of a rank is one sequence.
fn is_sequence(table: &TraceTable, rank: u32) -> bool {
    let Some(columns) = &table.streams else {
        return true;
    };
    let range = table.operations(rank);
    let first = range.start;
    range.into_iter().all(|at| {
        columns.stream.get(at) == 0
            && columns.after_count.get(at) == 0
            && (columns.follows.get(at) == 1 || at == first)
    })
}

/// The graph of a rank; `None` if its program is a sequence. The columns fit together.
///
/// # Errors
/// If edges lead nowhere or in a circle, or an operation cannot be where it is.
pub(super) fn of_rank(table: &TraceTable, rank: u32) -> Result<Option<Graph>, TraceError> {
    let Some(columns) = &table.streams else {
        return Ok(None);
    };
    if is_sequence(table, rank) {
        return Ok(None);
    }
    operations(table, columns, rank)?;
    let range = table.operations(rank);
    let count = range.len();
    let streams: Vec<u32> = columns.stream.range(range).collect();
    match Graph::of(streams, || edges(table, columns, rank)) {
        Ok(graph) => Ok(Some(graph)),
        Err(GraphError::Circle(circle)) => Err(TraceError::Circle {
            rank,
            circle: words(table, columns, rank, &circle),
        }),
        Err(GraphError::Missing(edge)) => Err(fault(
            table,
            rank,
            edge.later,
            format!(
                "waits for operation {}, but the rank has {count}",
                edge.earlier
            ),
        )),
        Err(error) => Err(TraceError::Shape {
            problem: format!("{error:?}"),
        }),
    }
}

fn fault(table: &TraceTable, rank: u32, position: u32, problem: String) -> TraceError {
    let at = table.operations(rank).start + position as usize;
    TraceError::Operation {
        rank,
        index: u64::from(position),
        operation: name(table, at),
        problem,
    }
}

fn name(table: &TraceTable, at: usize) -> &'static str {
    op::name(table.op.get(at)).unwrap_or("unknown")
}

/// What only a graph can do wrong: marks of iterations on a stream of their own, and requests that
/// two operations wait for.
fn operations(table: &TraceTable, columns: &StreamColumns, rank: u32) -> Result<(), TraceError> {
    let mut awaited = Vec::new();
    for (position, at) in (0..).zip(table.operations(rank)) {
        let code = table.op.get(at);
        let stream = columns.stream.get(at);
        if matches!(code, op::ITERATION_BEGIN | op::ITERATION_END) && stream != 0 {
            let problem = format!("is on stream {stream}; marks of iterations are on stream 0");
            return Err(fault(table, rank, position, problem));
        }
        match code {
            op::WAIT => awaited.push((table.request.get(at), position)),
            // The list has been checked: requests have 32 bits.
            op::WAITALL => awaited.extend(table.list(at).into_iter().filter_map(|request| {
                let request = u32::try_from(request).ok()?;
                Some((request, position))
            })),
            _ => {}
        }
    }
    awaited.sort_unstable();
    let twice = awaited.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    match twice.map(|pair| (pair[1].1, pair[1].0)).min() {
        Some((position, request)) => {
            let problem = format!("waits for request {request}, which another operation waits for");
            Err(fault(table, rank, position, problem))
        }
        None => Ok(()),
    }
}

/// The edges of a rank, those of operations that follow included.
fn edges(table: &TraceTable, columns: &StreamColumns, rank: u32) -> impl Iterator<Item = Edge> {
    let mut last = BTreeMap::new();
    let range = table.operations(rank);
    let first = range.start;
    let streams = (0..).zip(columns.stream.range(range));
    streams.flat_map(move |(later, stream)| {
        let before = last.insert(stream, later);
        edges_of(columns, first, later, before)
    })
}

/// Edges of an operation of the rank whose first row is `first`, with the operation before it
/// in its stream.
pub(super) fn edges_of(
    columns: &StreamColumns,
    first: usize,
    later: u32,
    before: Option<u32>,
) -> impl Iterator<Item = Edge> {
    let at = first + later as usize;
    let follows = before.filter(|_| columns.follows.get(at) == 1);
    let follows = follows.map(|earlier| Edge {
        earlier,
        moment: Moment::End,
        later,
    });
    let begin = usize::try_from(columns.after_begin.get(at)).unwrap_or(usize::MAX);
    let own = begin..begin.saturating_add(columns.after_count.get(at) as usize);
    let edges = own.map(move |edge| Edge {
        earlier: columns.after.get(edge),
        moment: match columns.after_start.get(edge) {
            0 => Moment::End,
            _ => Moment::Start,
        },
        later,
    });
    follows.into_iter().chain(edges)
}

/// Whether every operation of a rank stands behind all that it waits for.
pub(super) fn is_in_order(table: &TraceTable, rank: u32) -> bool {
    let Some(columns) = &table.streams else {
        return true;
    };
    edges(table, columns, rank).all(|edge| edge.earlier < edge.later)
}

/// Edges of a circle that are spelled out.
const MOST_EDGES: usize = 6;

/// A circle in words, from one operation back to itself.
fn words(table: &TraceTable, columns: &StreamColumns, rank: u32, circle: &[Edge]) -> String {
    let first = table.operations(rank).start;
    let operation = |position: u32| {
        let at = first + position as usize;
        let (name, stream) = (name(table, at), columns.stream.get(at));
        format!("{name} {position} (stream {stream})")
    };
    // Backwards: from whoever waits to whom it waits for.
    let mut text = circle
        .last()
        .map_or_else(String::new, |edge| operation(edge.later));
    for edge in circle.iter().rev().take(MOST_EDGES) {
        let moment = match edge.moment {
            Moment::Start => "start",
            Moment::End => "end",
        };
        text += &format!(" after the {moment} of {}", operation(edge.earlier));
    }
    if circle.len() > MOST_EDGES {
        text += &format!(" and so on, {} operations in all", circle.len());
    }
    text
}
