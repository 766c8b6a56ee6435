//! What Python hands over: configuration text and trace columns.

use std::collections::BTreeMap;

use numpy::{Element, PyArrayDyn, PyArrayMethods};
use odonata_sim::Inputs;
use odonata_sim::config::Config;
use odonata_workload::TraceTable;
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

fn traces(tables: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, TraceTable>> {
    let mut traces = BTreeMap::new();
    for (name, columns) in tables {
        let name: String = name.extract()?;
        let columns = Columns {
            trace: &name,
            columns: columns.cast::<PyDict>()?.clone(),
        };
        traces.insert(name.clone(), columns.table()?);
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
        })
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
