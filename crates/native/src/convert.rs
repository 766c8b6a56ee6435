//! What Python hands over: configuration text and trace columns.

use std::collections::BTreeMap;
use std::sync::Arc;

use numpy::{Element, PyArrayDyn, PyArrayMethods};
use odonata_sim::Inputs;
use odonata_sim::config::Config;
use odonata_workload::{AnyColumnMut, COLUMNS, StreamColumns, TraceTable};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::exceptions::SimulationError;
use crate::memory;
use crate::table::Table;
use crate::typed::each;

/// The configuration in `text`.
pub(crate) fn config(text: &str) -> PyResult<Config> {
    serde_json::from_str(text)
        .map_err(|error| SimulationError::new_err((String::new(), error.to_string())))
}

/// Traces by the path under which jobs name them, and texts by theirs.
pub(crate) type Given<'py> = (Bound<'py, PyDict>, BTreeMap<String, String>);

/// What the caller has read.
pub(crate) fn inputs((tables, texts): &Given<'_>) -> PyResult<Inputs> {
    Ok(Inputs {
        traces: traces(tables)?,
        texts: texts.clone(),
        memory_bytes: memory::available(),
    })
}

/// The table of one trace, whose columns are arrays; it is named in errors as `name`.
pub(crate) fn trace(name: &str, columns: &Bound<'_, PyDict>) -> PyResult<Arc<TraceTable>> {
    Columns {
        trace: name,
        columns: columns.clone(),
    }
    .table()
    .map(Arc::new)
}

fn traces(tables: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, Arc<TraceTable>>> {
    let mut traces = BTreeMap::new();
    for (name, given) in tables {
        let name: String = name.extract()?;
        let table = match given.cast::<Table>() {
            Ok(table) => Arc::clone(&table.get().0),
            Err(_) => trace(&name, given.cast::<PyDict>()?)?,
        };
        traces.insert(name, table);
    }
    Ok(traces)
}

/// The columns of one trace.
struct Columns<'a, 'py> {
    trace: &'a str,
    columns: Bound<'py, PyDict>,
}

impl Columns<'_, '_> {
    fn table(&self) -> PyResult<TraceTable> {
        let has_streams = self.columns.contains("stream")?;
        let mut table = TraceTable {
            rank_offsets: self.column("rank_offsets")?,
            comm_offsets: self.column("comm_offsets")?,
            comm_members: self.column("comm_members")?,
            streams: has_streams.then(StreamColumns::default),
            ..TraceTable::default()
        };
        for name in COLUMNS {
            if let Some(column) = table.column_mut(name) {
                each!(AnyColumnMut, column, column => {
                    *column = self.column(name)?;
                });
            }
        }
        table.close();
        Ok(table)
    }

    fn column<T: Element + Copy, C: FromIterator<T>>(&self, name: &str) -> PyResult<C> {
        let fault = |problem: &str| {
            let sentence = format!("trace `{}`: column `{name}` {problem}", self.trace);
            SimulationError::new_err((String::new(), sentence))
        };
        let Some(array) = self.columns.get_item(name)? else {
            return Err(fault("is missing; read the trace again with this version"));
        };
        let array = array
            .cast::<PyArrayDyn<T>>()
            .map_err(|_| fault("has the wrong type"))?;
        Ok(array.readonly().as_array().iter().copied().collect())
    }
}
