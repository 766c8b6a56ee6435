//! Streams and edges of a trace: whether they fit together, and the graph that they are.

use std::collections::{BTreeMap, BTreeSet};

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
    for (at, (&begin, &count)) in columns
        .after_begin
        .iter()
        .zip(&columns.after_count)
        .enumerate()
    {
        let end = begin.checked_add(u64::from(count));
        if count > 0 && end.is_none_or(|end| end > columns.after.len() as u64) {
            return Err(format!("the edges of operation {at} end behind `after`"));
        }
    }
    for (name, flags) in [
        ("follows", &columns.follows),
        ("after_start", &columns.after_start),
    ] {
        if let Some(flag) = flags.iter().find(|&&flag| flag > 1) {
            return Err(format!("`{name}` is {flag} somewhere; it is 0 or 1"));
        }
    }
    match columns
        .stream
        .iter()
        .find(|&&stream| stream >= MOST_STREAMS)
    {
        Some(stream) => Err(format!(
            "there is a stream {stream}; streams are numbered below {MOST_STREAMS}"
        )),
        None => Ok(()),
    }
}

/// Whether the program of a rank is one sequence.
pub(super) fn is_sequence(table: &TraceTable, rank: u32) -> bool {
    let Some(columns) = &table.streams else {
        return true;
    };
    let range = table.operations(rank);
    let first = range.start;
    range.into_iter().all(|at| {
        columns.stream[at] == 0
            && columns.after_count[at] == 0
            && (columns.follows[at] == 1 || at == first)
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
    let edges = edges(table, columns, rank);
    let range = table.operations(rank);
    let count = range.len();
    match Graph::new(&columns.stream[range], &edges) {
        Ok(graph) => Ok(Some(graph)),
        Err(GraphError::Circle(circle)) => Err(TraceError::Circle {
            rank,
            circle: words(table, columns, rank, &circle),
        }),
        Err(GraphError::Missing(edge)) => Err(fault(
            table,
            (rank, edge.later),
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

fn fault(table: &TraceTable, (rank, position): (u32, u32), problem: String) -> TraceError {
    let at = table.operations(rank).start + position as usize;
    TraceError::Operation {
        rank,
        index: u64::from(position),
        operation: name(table, at),
        problem,
    }
}

fn name(table: &TraceTable, at: usize) -> &'static str {
    op::name(table.op[at]).unwrap_or("unknown")
}

/// What only a graph can do wrong: marks of iterations on a stream of their own, and requests that
/// two operations wait for.
fn operations(table: &TraceTable, columns: &StreamColumns, rank: u32) -> Result<(), TraceError> {
    let mut awaited = BTreeSet::new();
    for (position, at) in (0..).zip(table.operations(rank)) {
        let code = table.op[at];
        let stream = columns.stream[at];
        if matches!(code, op::ITERATION_BEGIN | op::ITERATION_END) && stream != 0 {
            let problem = format!("is on stream {stream}; marks of iterations are on stream 0");
            return Err(fault(table, (rank, position), problem));
        }
        let own = u64::from(table.request[at]);
        let requests = match code {
            op::WAIT => std::slice::from_ref(&own),
            op::WAITALL => table.list(at),
            _ => &[],
        };
        for request in requests {
            if !awaited.insert(*request) {
                let problem =
                    format!("waits for request {request}, which another operation waits for");
                return Err(fault(table, (rank, position), problem));
            }
        }
    }
    Ok(())
}

/// The edges of a rank, those of operations that follow included.
fn edges(table: &TraceTable, columns: &StreamColumns, rank: u32) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut last = BTreeMap::new();
    for (later, at) in (0..).zip(table.operations(rank)) {
        if let Some(earlier) = last.insert(columns.stream[at], later)
            && columns.follows[at] == 1
        {
            edges.push(Edge {
                earlier,
                moment: Moment::End,
                later,
            });
        }
        let begin = usize::try_from(columns.after_begin[at]).unwrap_or(usize::MAX);
        for edge in begin..begin.saturating_add(columns.after_count[at] as usize) {
            edges.push(Edge {
                earlier: columns.after[edge],
                moment: match columns.after_start[edge] {
                    0 => Moment::End,
                    _ => Moment::Start,
                },
                later,
            });
        }
    }
    edges
}

/// Edges of a circle that are spelled out.
const MOST_EDGES: usize = 6;

/// A circle in words, from one operation back to itself.
fn words(table: &TraceTable, columns: &StreamColumns, rank: u32, circle: &[Edge]) -> String {
    let first = table.operations(rank).start;
    let operation = |position: u32| {
        let at = first + position as usize;
        let (name, stream) = (name(table, at), columns.stream[at]);
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
