//! The program of one rank of a trace, as Python puts it together.

use numpy::PyReadonlyArray1;
use odonata_workload::trace::op;
use odonata_workload::{AnyColumn, AnyColumnMut, Column, StreamColumns, TraceTable, Word};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;

use crate::columns::array;
use crate::typed::{collected, each};

/// Operations, packed as in the table; lists are addressed relative to the rank.
#[pyclass(subclass)]
#[derive(Default)]
pub(crate) struct Rank {
    table: TraceTable,
}

#[pymethods]
impl Rank {
    /// An empty program; of a graph, whose operations have streams.
    #[new]
    #[pyo3(signature = (*, has_streams=false))]
    fn new(has_streams: bool) -> Self {
        let mut rank = Self::default();
        rank.table.streams = has_streams.then(StreamColumns::default);
        rank
    }

    fn __len__(&self) -> usize {
        self.table.op.len()
    }

    /// Appends an operation without duration and list. Returns its position.
    #[expect(
        clippy::too_many_arguments,
        reason = "one call of Python per operation; a record would cost as much again"
    )]
    #[pyo3(signature = (op, peer=0, comm=0, tag=0, size=0, request=0))]
    fn push(&mut self, op: u8, peer: i32, comm: u32, tag: i32, size: u64, request: u32) -> usize {
        let table = &mut self.table;
        table.op.push(op);
        table.peer.push(peer);
        table.bytes.push(size);
        table.tag.push(tag);
        table.comm.push(comm);
        table.request.push(request);
        table.duration_ps.push(0);
        table.aux_begin.push(0);
        table.aux_count.push(0);
        table.op.len() - 1
    }

    /// Says on which stream the operation that was added last is.
    fn put_on(&mut self, stream: u32, follows: bool) {
        if let Some(graph) = &mut self.table.streams {
            graph.stream.push(stream);
            graph.follows.push(u8::from(follows));
        }
    }

    /// One value of a column.
    fn get(&self, name: &str, at: isize) -> PyResult<i128> {
        let column = self.table.column(name).ok_or_else(|| unknown(name))?;
        each!(AnyColumn, column, column => Ok(i128::from(column.get(index_from_end(at, column.len())?))))
    }

    /// Replaces one value of a column.
    fn put(&mut self, name: &str, at: isize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let column = self.table.column_mut(name).ok_or_else(|| unknown(name))?;
        each!(AnyColumnMut, column, column => {
            column.set(index_from_end(at, column.len())?, value.extract()?);
        });
        Ok(())
    }

    /// Some values of a column as an array; of fewer, if there are not so many.
    fn part<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        begin: usize,
        end: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let column = self.table.column(name).ok_or_else(|| unknown(name))?;
        each!(AnyColumn, column, column => {
            let end = end.min(column.len());
            array(py, collected(column, begin.min(end), end))
        })
    }

    /// Appends a computation, or lengthens the one that came just before.
    fn compute(&mut self, duration_ps: u64) {
        if self.table.op.last() != Some(op::COMPUTE) {
            self.push(op::COMPUTE, 0, 0, 0, 0, 0);
        }
        let at = self.table.op.len() - 1;
        let whole = self.table.duration_ps.get(at).saturating_add(duration_ps);
        self.table.duration_ps.set(at, whole);
    }

    /// Gives an operation its list.
    fn set_list(&mut self, at: isize, values: Vec<u64>) -> PyResult<()> {
        let at = index_from_end(at, self.table.op.len())?;
        let begin = self.table.aux.len() as u64;
        self.table.aux_begin.set(at, begin);
        let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
        self.table.aux_count.set(at, count);
        self.table.aux.extend(values);
        Ok(())
    }

    /// Forgets the operations from a position on.
    fn truncate(&mut self, length: usize) {
        let table = &mut self.table;
        table.op.truncate(length);
        table.peer.truncate(length);
        table.bytes.truncate(length);
        table.tag.truncate(length);
        table.comm.truncate(length);
        table.request.truncate(length);
        table.duration_ps.truncate(length);
        table.aux_begin.truncate(length);
        table.aux_count.truncate(length);
        if let Some(graph) = &mut table.streams {
            graph.stream.truncate(length);
            graph.follows.truncate(length);
        }
    }

    /// Makes streams of the operations up to each of some positions; everything follows.
    fn set_streams(&mut self, ends: Vec<usize>) {
        let mut graph = StreamColumns::default();
        for (stream, end) in (0..).zip(ends) {
            while graph.stream.len() < end {
                graph.stream.push(stream);
                graph.follows.push(1);
            }
        }
        self.table.streams = Some(graph);
    }

    /// Forgets everything.
    fn clear(&mut self) {
        let has_streams = self.table.streams.is_some();
        *self = Self::new(has_streams);
    }

    /// Takes the edges of a graph, in place of others: each is the later operation times 2^32, the
    /// earlier one times 2, and whether its start is waited for; ascending.
    fn set_edges(&mut self, edges: PyReadonlyArray1<'_, u64>) {
        let operations = self.table.op.len();
        let graph = self.table.streams.get_or_insert_default();
        let mut made = StreamColumns {
            stream: std::mem::take(&mut graph.stream),
            follows: std::mem::take(&mut graph.follows),
            ..StreamColumns::default()
        };
        let mut edges = edges.as_array().into_iter().copied().peekable();
        for at in 0..operations as u64 {
            let begin = made.after.len();
            while let Some(edge) = edges.next_if(|edge| edge >> 32 == at) {
                made.after
                    .push(u32::from_ordinal((edge & u64::from(u32::MAX)) >> 1));
                made.after_start.push(u8::from_ordinal(edge & 1));
            }
            made.after_begin.push(begin as u64);
            let count = made.after.len() - begin;
            made.after_count
                .push(u32::try_from(count).unwrap_or(u32::MAX));
        }
        *graph = made;
    }

    /// The first operation that waits for itself by way of edges to earlier ones.
    fn stuck(&self) -> Option<usize> {
        let graph = self.table.streams.as_ref()?;
        let count = graph.after_count.len();
        let mut offsets = vec![0_u32; count + 1];
        for earlier in graph.after.iter() {
            *offsets.get_mut(earlier as usize + 1)? += 1;
        }
        for at in 0..count {
            offsets[at + 1] += offsets[at];
        }
        let mut targets = vec![0_u32; graph.after.len()];
        let mut ends = offsets.clone();
        let mut left: Vec<u32> = graph.after_count.iter().collect();
        let laters = (0_u32..).zip(&left);
        let laters = laters.flat_map(|(later, &count)| (0..count).map(move |_| later));
        for (later, earlier) in laters.zip(graph.after.iter()) {
            let end = &mut ends[earlier as usize];
            targets[*end as usize] = later;
            *end += 1;
        }
        let mut ready: Vec<u32> = (0_u32..)
            .zip(&left)
            .filter_map(|(at, &count)| (count == 0).then_some(at))
            .collect();
        while let Some(at) = ready.pop() {
            let own = offsets[at as usize] as usize..offsets[at as usize + 1] as usize;
            for &later in &targets[own] {
                left[later as usize] -= 1;
                if left[later as usize] == 0 {
                    ready.push(later);
                }
            }
        }
        left.iter().position(|&left| left > 0)
    }

    /// Packs what is not packed yet.
    fn close(&mut self) {
        self.table.close();
    }
}

impl Rank {
    /// Appends the operations to a table, and forgets them.
    pub(crate) fn move_to(&mut self, table: &mut TraceTable, drop: &[u8]) {
        let mut own = std::mem::take(&mut self.table);
        let is_graph = table.streams.is_some();
        let is_kept: Vec<bool> = own.op.iter().map(|code| !drop.contains(&code)).collect();
        let keeps = |at: &usize| is_graph || is_kept[*at];
        let kept = || (0..is_kept.len()).filter(keeps);
        let shift = table.aux.len() as u64;
        for at in kept() {
            let code = if is_kept[at] {
                own.op.get(at)
            } else {
                op::NOTHING
            };
            table.op.push(code);
        }
        move_column(&mut own.peer, &mut table.peer, kept());
        move_column(&mut own.bytes, &mut table.bytes, kept());
        move_column(&mut own.tag, &mut table.tag, kept());
        move_column(&mut own.comm, &mut table.comm, kept());
        move_column(&mut own.request, &mut table.request, kept());
        move_column(&mut own.duration_ps, &mut table.duration_ps, kept());
        for at in kept() {
            let count = own.aux_count.get(at);
            let begin = own.aux_begin.get(at);
            table
                .aux_begin
                .push(if count > 0 { begin + shift } else { begin });
            table.aux_count.push(count);
        }
        table.aux.extend(own.aux.iter());
        if let Some(graph) = &mut table.streams {
            let mut own = own.streams.take().unwrap_or_default();
            own.pad(is_kept.len());
            let shift = graph.after.len() as u64;
            graph.stream.extend(own.stream.iter());
            graph.follows.extend(own.follows.iter());
            graph
                .after_begin
                .extend(own.after_begin.iter().map(|begin| begin + shift));
            graph.after_count.extend(own.after_count.iter());
            graph.after.extend(own.after.iter());
            graph.after_start.extend(own.after_start.iter());
        }
        if table.rank_offsets.is_empty() {
            table.rank_offsets.push(0);
        }
        table.rank_offsets.push(table.op.len() as u64);
    }
}

fn move_column<T: Word>(
    from: &mut Column<T>,
    to: &mut Column<T>,
    kept: impl Iterator<Item = usize>,
) {
    let from = std::mem::take(from);
    to.extend(kept.map(|at| from.get(at)));
}

/// An index counted from the beginning, or from the end if it is negative.
fn index_from_end(at: isize, length: usize) -> PyResult<usize> {
    let index = if at < 0 {
        length.checked_add_signed(at)
    } else {
        Some(at.unsigned_abs())
    };
    index
        .filter(|&index| index < length)
        .ok_or_else(|| PyIndexError::new_err(format!("no value {at} of {length}")))
}

fn unknown(name: &str) -> PyErr {
    PyKeyError::new_err(name.to_owned())
}

/// Whole numbers from 0 on, packed: a list that takes a byte or two for each where a list of
/// Python takes forty.
#[pyclass]
#[derive(Default)]
pub(crate) struct Numbers(Column<u64>);

#[pymethods]
impl Numbers {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, at: isize) -> PyResult<u64> {
        Ok(self.0.get(index_from_end(at, self.0.len())?))
    }

    fn __setitem__(&mut self, at: isize, value: u64) -> PyResult<()> {
        self.0.set(index_from_end(at, self.0.len())?, value);
        Ok(())
    }

    fn append(&mut self, value: u64) {
        self.0.push(value);
    }

    /// How many values, which do not fall, are at most `value`.
    fn up_to(&self, value: u64) -> usize {
        let (mut low, mut high) = (0, self.0.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.0.get(middle) <= value {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Some values as an array; fewer, if there are not so many.
    fn part<'py>(&self, py: Python<'py>, begin: usize, end: usize) -> PyResult<Bound<'py, PyAny>> {
        let end = end.min(self.0.len());
        array(py, collected(&self.0, begin.min(end), end))
    }

    /// Forgets everything.
    fn clear(&mut self) {
        self.0 = Column::default();
    }

    /// Packs what is not packed yet.
    fn close(&mut self) {
        self.0.close();
    }
}
