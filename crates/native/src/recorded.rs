//! Traces that compiled code reads, as Python gets them.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use odonata_sim::SimError;
use odonata_traces::{ReadError, Recorded, allprof, dumpi, goal, simgrid};
use serde_json::{Map, Value, json};

use crate::table::Table;

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

/// The table, and the rest as JSON.
pub(crate) fn to_python(recorded: Recorded) -> (Table, String) {
    let about = about(&recorded);
    (Table(Arc::new(recorded.table)), about)
}

fn about(recorded: &Recorded) -> String {
    let mut counts = Map::new();
    let mut firsts = Map::new();
    for (name, omission) in &recorded.unsupported {
        counts.insert(name.clone(), Value::from(omission.count));
        firsts.insert(name.clone(), Value::from(omission.first.as_str()));
    }
    json!({
        "unsupported": counts,
        "places": firsts,
        "hints": recorded.hints,
        "remarks": recorded.remarks,
        "local_calls": recorded.local_calls,
        "origin": recorded.origin,
    })
    .to_string()
}
