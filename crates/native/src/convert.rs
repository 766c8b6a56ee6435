//! What Python hands over: configuration text and trace columns.

use std::collections::BTreeMap;

use numpy::{Element, PyArrayDyn, PyArrayMethods};
use odonata_sim::Inputs;
use odonata_sim::config::Config;
use odonata_workload::{StreamColumns, TraceTable};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::exceptions::SimulationError;
use crate::memory;

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

/// The table of one trace, named in errors as `name`.
pub(crate) fn trace(name: &str, columns: &Bound<'_, PyDict>) -> PyResult<TraceTable> {
    Columns {
        trace: name,
        columns: columns.clone(),
    }
    .table()
}

fn traces(tables: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, TraceTable>> {
    let mut traces = BTreeMap::new();
    for (name, columns) in tables {
        let name: String = name.extract()?;
        let table = trace(&name, columns.cast::<PyDict>()?)?;
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
        Ok(TraceTable {
            rank_offsets: self.column("rank_offsets")?,
            op: self.column("op")?,
            peer: self.column("peer")?,
            bytes: self.column("bytes")?,
            tag: self.column("tag")?,
            comm: self.column("comm")?,
            request: self.column("request")?,
            duration_ps: self.column("duration_ps")?,
            aux_begin: self.column("aux_begin")?,
            aux_count: self.column("aux_count")?,
            aux: self.column("aux")?,
            comm_offsets: self.column("comm_offsets")?,
            comm_members: self.column("comm_members")?,
            streams: self.streams()?,
        })
    }

    /// Streams and edges, if the trace has any of their columns.
    fn streams(&self) -> PyResult<Option<StreamColumns>> {
        if !self.columns.contains("stream")? {
            return Ok(None);
        }
        Ok(Some(StreamColumns {
            stream: self.column("stream")?,
            follows: self.column("follows")?,
            after_begin: self.column("after_begin")?,
            after_count: self.column("after_count")?,
            after: self.column("after")?,
            after_start: self.column("after_start")?,
        }))
    }

    fn column<T: Element + Copy>(&self, name: &str) -> PyResult<Vec<T>> {
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
        array
            .readonly()
            .as_array()
            .iter()
            .copied()
            .map(Ok)
            .collect()
    }
}
