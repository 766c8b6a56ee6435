//! Tables of traces as Python has them: packed; arrays are made of the parts that are asked for.

use std::sync::Arc;

use numpy::{Element, PyArrayDyn, PyArrayMethods};
use odonata_workload::{AnyColumn, AnyColumnMut, COLUMNS, Column, StreamColumns, TraceTable, Word};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::array;
use crate::rank::Rank;
use crate::typed::{collected, each};

/// The columns that are not packed, since they are small.
fn plain(table: &TraceTable, name: &str) -> Option<Column<u64>> {
    match name {
        "rank_offsets" => Some(table.rank_offsets.iter().copied().collect()),
        "comm_offsets" => Some(table.comm_offsets.iter().copied().collect()),
        "comm_members" => Some(table.comm_members.iter().copied().map(u64::from).collect()),
        _ => None,
    }
}

/// Packed values of a column, for a file.
const PIECE: usize = 1 << 17;

/// A table that does not change.
#[pyclass(frozen)]
pub(crate) struct Table(pub(crate) Arc<TraceTable>);

#[pymethods]
impl Table {
    /// Names of the columns.
    fn names(&self) -> Vec<&'static str> {
        let plain = ["rank_offsets", "comm_offsets", "comm_members"];
        let packed = COLUMNS.into_iter();
        let packed = packed.filter(|name| self.0.column(name).is_some());
        plain.into_iter().chain(packed).collect()
    }

    /// Number of values of a column.
    fn length(&self, name: &str) -> PyResult<usize> {
        match name {
            "rank_offsets" => return Ok(self.0.rank_offsets.len()),
            "comm_offsets" => return Ok(self.0.comm_offsets.len()),
            "comm_members" => return Ok(self.0.comm_members.len()),
            _ => {}
        }
        let column = self.0.column(name).ok_or_else(|| unknown(name))?;
        Ok(each!(AnyColumn, column, column => column.len()))
    }

    /// Some values of a column as an array.
    fn part<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        begin: usize,
        end: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let fits = |len: usize| begin <= end && end <= len;
        if !fits(self.length(name)?) {
            let words = format!("column `{name}` has no values {begin} to {end}");
            return Err(PyValueError::new_err(words));
        }
        let table = &self.0;
        match name {
            "rank_offsets" => return array(py, table.rank_offsets[begin..end].to_vec()),
            "comm_offsets" => return array(py, table.comm_offsets[begin..end].to_vec()),
            "comm_members" => return array(py, table.comm_members[begin..end].to_vec()),
            _ => {}
        }
        let column = table.column(name).ok_or_else(|| unknown(name))?;
        each!(AnyColumn, column, column => array(py, collected(column, begin, end)))
    }

    /// One value of a column.
    fn at(&self, name: &str, at: usize) -> PyResult<i128> {
        let column = self.0.column(name).ok_or_else(|| unknown(name))?;
        each!(AnyColumn, column, column => {
            if at >= column.len() {
                return Err(PyValueError::new_err(format!("column `{name}` has no value {at}")));
            }
            Ok(i128::from(column.get(at)))
        })
    }

    /// What `odonata trace info` says of it (JSON).
    fn facts(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.facts().to_string())
    }

    /// What would keep it from being replayed, in sentences.
    fn problems(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.0.problems())
    }

    /// The first thing that keeps a run from replaying it.
    fn problem(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.0.check().err().map(|problem| problem.to_string()))
    }

    /// Rows of the collectives of a rank, in the order of issue.
    fn collectives(&self, rank: u32) -> Vec<usize> {
        self.0.collectives(rank)
    }

    /// Bytes of memory.
    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }

    /// A column packed, from a block on: about 128 KiB of it, and the block behind; `None`
    /// instead of that at the end.
    fn packed<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        block: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, Option<usize>)> {
        let mut bytes = Vec::new();
        let write = |next: usize, count: usize| (next < count).then_some(next);
        let next = if let Some(mut column) = plain(&self.0, name) {
            column.close();
            write(column.write(block, PIECE, &mut bytes), column.block_count())
        } else {
            let column = self.0.column(name).ok_or_else(|| unknown(name))?;
            each!(AnyColumn, column, column => {
                write(column.write(block, PIECE, &mut bytes), column.block_count())
            })
        };
        Ok((PyBytes::new(py, &bytes), next))
    }
}

fn unknown(name: &str) -> PyErr {
    PyKeyError::new_err(name.to_owned())
}

/// A table that is being made, from arrays, packed columns, or the programs of ranks.
#[pyclass]
pub(crate) struct Builder(TraceTable);

#[pymethods]
impl Builder {
    /// With streams and edges or without; or from a table that it is like but for a column.
    #[new]
    #[pyo3(signature = (*, has_streams=false, like=None, without=None))]
    fn new(
        has_streams: bool,
        like: Option<&Bound<'_, Table>>,
        without: Option<&str>,
    ) -> PyResult<Self> {
        let mut table = like.map_or_else(
            || TraceTable {
                streams: has_streams.then(StreamColumns::default),
                ..TraceTable::default()
            },
            |like| TraceTable::clone(&like.get().0),
        );
        if let Some(name) = without {
            let column = table.column_mut(name).ok_or_else(|| unknown(name))?;
            each!(AnyColumnMut, column, column => column.truncate(0));
        }
        Ok(Self(table))
    }

    /// Appends values to a column; of its type, or a `TypeError`.
    fn extend(&mut self, name: &str, array: &Bound<'_, PyAny>) -> PyResult<()> {
        match name {
            "rank_offsets" => self.0.rank_offsets.extend(values::<u64>(array)?),
            "comm_offsets" => self.0.comm_offsets.extend(values::<u64>(array)?),
            "comm_members" => self.0.comm_members.extend(values::<u32>(array)?),
            _ => {
                let column = self.0.column_mut(name).ok_or_else(|| unknown(name))?;
                each!(AnyColumnMut, column, column => append(column, array)?);
            }
        }
        Ok(())
    }

    /// Appends packed values; false if they are damaged, or more than `length` in all.
    fn extend_packed(&mut self, name: &str, bytes: &[u8], length: usize) -> PyResult<bool> {
        if name == "stream" {
            self.0.streams.get_or_insert_default();
        }
        let (begin, is_plain) = match name {
            "rank_offsets" => (self.0.rank_offsets.len(), true),
            "comm_offsets" => (self.0.comm_offsets.len(), true),
            "comm_members" => (self.0.comm_members.len(), true),
            _ => (0, false),
        };
        if !is_plain {
            let column = self.0.column_mut(name).ok_or_else(|| unknown(name))?;
            return Ok(each!(AnyColumnMut, column, column => column.read(bytes, length)));
        }
        let mut column = Column::<u64>::default();
        let is_whole = column.read(bytes, length.saturating_sub(begin));
        match name {
            "rank_offsets" => self.0.rank_offsets.extend(column.iter()),
            "comm_offsets" => self.0.comm_offsets.extend(column.iter()),
            _ => {
                let small = column.iter().map(u32::from_ordinal);
                self.0.comm_members.extend(small);
            }
        }
        Ok(is_whole)
    }

    /// Appends the program of a rank, which is empty afterwards. What has a code in `drop` is left
    /// out, or does nothing if the program is a graph.
    fn append(&mut self, mut rank: PyRefMut<'_, Rank>, drop: &[u8]) {
        rank.move_to(&mut self.0, drop);
    }

    /// Appends a communicator.
    fn add_communicator(&mut self, members: Vec<u32>) {
        if self.0.comm_offsets.is_empty() {
            self.0.comm_offsets.push(0);
        }
        self.0.comm_members.extend(members);
        self.0.comm_offsets.push(self.0.comm_members.len() as u64);
    }

    /// What is wrong with the shape; `None` if it is a table.
    fn fault(&self) -> Option<String> {
        self.0.shape().err().map(|problem| problem.to_string())
    }

    /// The table; the builder is empty afterwards.
    fn finish(&mut self) -> Table {
        let mut table = std::mem::take(&mut self.0);
        for offsets in [&mut table.rank_offsets, &mut table.comm_offsets] {
            if offsets.is_empty() {
                offsets.push(0);
            }
        }
        table.close();
        Table(Arc::new(table))
    }
}

fn append<T: Element + Word>(column: &mut Column<T>, array: &Bound<'_, PyAny>) -> PyResult<()> {
    column.extend(values::<T>(array)?);
    Ok(())
}

fn values<T: Element + Copy>(array: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let array = array
        .cast::<PyArrayDyn<T>>()
        .map_err(|_| PyTypeError::new_err("has the wrong type"))?;
    Ok(array.readonly().as_array().iter().copied().collect())
}
