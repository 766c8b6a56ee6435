//! Traces that compiled code reads, as Python gets them.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use numpy::IntoPyArray;
use odonata_sim::SimError;
use odonata_traces::{ReadError, Recorded, allprof, dumpi, goal, simgrid};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value, json};

/// Reads the files of a trace.
pub(crate) fn read(format: &str, files: &[PathBuf]) -> Result<Recorded, SimError> {
    let count = u32::try_from(files.len()).unwrap_or(u32::MAX);
    let lines = |number: u32| {
        let (name, file) = open(&files[number as usize])?;
        Ok::<_, std::io::Error>((name, BufReader::with_capacity(1 << 16, file)))
    };
    let read = match format {
        "dumpi" => dumpi::read(count, |rank| open(&files[rank as usize])),
        "liballprof" => allprof::read(count, lines),
        "goal" => one(files, lines, goal::read_text),
        "goal-binary" => one(files, |_| open(&files[0]), goal::read_binary),
        "simgrid" => simgrid::read(count, lines),
        other => Err(ReadError::new(other, "there is no such reader")),
    };
    read.map_err(|error| SimError {
        path: String::new(),
        message: error.to_string(),
    })
}

/// Reads the only file of a trace.
fn one<F>(
    files: &[PathBuf],
    open: impl Fn(u32) -> std::io::Result<(String, F)>,
    read: impl Fn(&str, F) -> Result<Recorded, ReadError>,
) -> Result<Recorded, ReadError> {
    let (name, content) = open(0)
        .map_err(|error| ReadError::new(files[0].display().to_string(), error.to_string()))?;
    read(&name, content)
}

fn open(path: &Path) -> std::io::Result<(String, File)> {
    Ok((path.display().to_string(), File::open(path)?))
}

/// The columns as arrays, without a copy, and the rest as JSON.
pub(crate) fn to_python(
    py: Python<'_>,
    recorded: Recorded,
) -> PyResult<(Bound<'_, PyDict>, String)> {
    let about = about(&recorded);
    let table = recorded.table;
    let columns = PyDict::new(py);
    columns.set_item("rank_offsets", table.rank_offsets.into_pyarray(py))?;
    columns.set_item("op", table.op.into_pyarray(py))?;
    columns.set_item("peer", table.peer.into_pyarray(py))?;
    columns.set_item("bytes", table.bytes.into_pyarray(py))?;
    columns.set_item("tag", table.tag.into_pyarray(py))?;
    columns.set_item("comm", table.comm.into_pyarray(py))?;
    columns.set_item("request", table.request.into_pyarray(py))?;
    columns.set_item("duration_ps", table.duration_ps.into_pyarray(py))?;
    columns.set_item("aux_begin", table.aux_begin.into_pyarray(py))?;
    columns.set_item("aux_count", table.aux_count.into_pyarray(py))?;
    columns.set_item("aux", table.aux.into_pyarray(py))?;
    columns.set_item("comm_offsets", table.comm_offsets.into_pyarray(py))?;
    columns.set_item("comm_members", table.comm_members.into_pyarray(py))?;
    if let Some(graph) = table.streams {
        columns.set_item("stream", graph.stream.into_pyarray(py))?;
        columns.set_item("follows", graph.follows.into_pyarray(py))?;
        columns.set_item("after_begin", graph.after_begin.into_pyarray(py))?;
        columns.set_item("after_count", graph.after_count.into_pyarray(py))?;
        columns.set_item("after", graph.after.into_pyarray(py))?;
        columns.set_item("after_start", graph.after_start.into_pyarray(py))?;
    }
    Ok((columns, about))
}

fn about(recorded: &Recorded) -> String {
    let mut counts = Map::new();
    let mut places = Map::new();
    for (name, omission) in &recorded.unsupported {
        counts.insert(name.clone(), Value::from(omission.count));
        places.insert(name.clone(), Value::from(omission.first.as_str()));
    }
    json!({
        "unsupported": counts,
        "places": places,
        "hints": recorded.hints,
        "remarks": recorded.remarks,
        "local_calls": recorded.local_calls,
        "origin": recorded.origin,
    })
    .to_string()
}
