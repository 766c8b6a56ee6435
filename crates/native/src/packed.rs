//! Tables of a run as bytes, and the tables of many runs joined.
//!
//! A run of a campaign goes from one process to another, and into a log, before anybody looks at
//! its tables: as bytes it costs no Python object for each column. Layout: length of the head
//! (`u32`), the head (JSON: per table its name, rows, and per column name, kind and words), then
//! the values of the columns in this order, little endian.

use std::collections::BTreeMap;

use numpy::IntoPyArray;
use odonata_sim::outcome::{Column, Table};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serde_json::{Value, json};

/// The bytes of tables, which are let go of one column after the other.
pub(crate) fn encoded(py: Python<'_>, tables: Vec<Table>) -> PyResult<Bound<'_, PyBytes>> {
    let mut head = Vec::new();
    let mut columns = Vec::new();
    for table in tables {
        let rows = table.columns.first().map_or(0, |(_, column)| column.len());
        let mut entries = Vec::new();
        for (name, column) in table.columns {
            let (entry, values) = coded(name, column);
            entries.push(entry);
            columns.push(values);
        }
        head.push(json!([table.name, rows, entries]));
    }
    let head = Value::Array(head).to_string();
    let length = u32::try_from(head.len())
        .map_err(|_| PyValueError::new_err("tables with more than 4 GiB of words"))?;
    let size = 4 + head.len() + columns.iter().map(Values::bytes).sum::<usize>();
    PyBytes::new_with(py, size, |bytes| {
        let rest = put(bytes, [length.to_le_bytes()].into_iter());
        let (first, mut rest) = rest.split_at_mut(head.len());
        first.copy_from_slice(head.as_bytes());
        for column in columns {
            rest = match column {
                Values::U64(v) => put(rest, v.into_iter().map(u64::to_le_bytes)),
                Values::F64(v) => put(rest, v.into_iter().map(f64::to_le_bytes)),
                Values::Bool(v) => put(rest, v.into_iter().map(|value| [u8::from(value)])),
                Values::Codes(v) => put(rest, v.into_iter().map(u32::to_le_bytes)),
            };
        }
        Ok(())
    })
}

/// Values of a column; of text the numbers of its words.
enum Values {
    U64(Vec<u64>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
    Codes(Vec<u32>),
}

impl Values {
    fn bytes(&self) -> usize {
        match self {
            Self::U64(v) => 8 * v.len(),
            Self::F64(v) => 8 * v.len(),
            Self::Bool(v) => v.len(),
            Self::Codes(v) => 4 * v.len(),
        }
    }
}

/// What the head says of a column, and its values.
fn coded(name: &str, column: Column) -> (Value, Values) {
    match column {
        Column::U64(v) => (json!([name, "u64"]), Values::U64(v)),
        Column::F64(v) => (json!([name, "f64"]), Values::F64(v)),
        Column::Bool(v) => (json!([name, "bool"]), Values::Bool(v)),
        Column::Words(v) => {
            let codes = v.codes.into_iter().map(u32::from).collect();
            (json!([name, "text", v.words]), Values::Codes(codes))
        }
        Column::Text(v) => {
            let mut words = Vocabulary::default();
            let codes = v.iter().map(|text| words.code(text)).collect();
            (json!([name, "text", words.words]), Values::Codes(codes))
        }
    }
}

/// Puts values one after the other; what is behind them.
fn put<const N: usize>(bytes: &mut [u8], values: impl Iterator<Item = [u8; N]>) -> &mut [u8] {
    let mut place = bytes;
    for value in values {
        let Some((here, rest)) = place.split_first_chunk_mut() else {
            return &mut [];
        };
        *here = value;
        place = rest;
    }
    place
}

/// Words by their numbers, in the order in which they come.
#[derive(Default)]
struct Vocabulary {
    words: Vec<String>,
    numbers: BTreeMap<String, u32>,
    last: Option<u32>,
}

impl Vocabulary {
    fn code(&mut self, word: &str) -> u32 {
        if let Some(last) = self.last
            && self.words[last as usize] == word
        {
            return last;
        }
        let code = self.numbers.get(word).copied().unwrap_or_else(|| {
            let code = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
            self.words.push(word.to_owned());
            self.numbers.insert(word.to_owned(), code);
            code
        });
        self.last = Some(code);
        code
    }
}

/// Values of a column of several runs.
enum Joined {
    U64(Vec<u64>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
    Text(Vec<u32>, Vocabulary),
}

impl Joined {
    fn new(kind: &str) -> Option<Self> {
        Some(match kind {
            "u64" => Self::U64(Vec::new()),
            "f64" => Self::F64(Vec::new()),
            "bool" => Self::Bool(Vec::new()),
            "text" => Self::Text(Vec::new(), Vocabulary::default()),
            _ => return None,
        })
    }

    /// Bytes of a value.
    fn width(&self) -> usize {
        match self {
            Self::U64(_) | Self::F64(_) => 8,
            Self::Bool(_) => 1,
            Self::Text(..) => 4,
        }
    }

    /// Adds the values of one run; `None` if a text has a word that the run has not.
    fn add(&mut self, bytes: &[u8], words: &[String]) -> Option<()> {
        match self {
            Self::U64(v) => v.extend(bytes.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b))),
            Self::F64(v) => v.extend(bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b))),
            Self::Bool(v) => v.extend(bytes.iter().map(|byte| *byte != 0)),
            Self::Text(v, vocabulary) => {
                let codes: Vec<u32> = words.iter().map(|word| vocabulary.code(word)).collect();
                for code in bytes.as_chunks().0 {
                    v.push(*codes.get(u32::from_le_bytes(*code) as usize)?);
                }
            }
        }
        Some(())
    }

    fn into_python<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::U64(v) => v.into_pyarray(py).into_any(),
            Self::F64(v) => v.into_pyarray(py).into_any(),
            Self::Bool(v) => v.into_pyarray(py).into_any(),
            Self::Text(v, vocabulary) => {
                let words = PyList::new(py, vocabulary.words)?;
                (v.into_pyarray(py), words).into_pyobject(py)?.into_any()
            }
        })
    }
}

/// A table of those runs in which it has the same columns.
struct Piece {
    table: String,
    runs: Vec<u64>,
    rows: Vec<u64>,
    columns: Vec<(String, String, Joined)>,
}

impl Piece {
    fn is_of(&self, table: &Header) -> bool {
        self.table == table.0
            && self.columns.len() == table.2.len()
            && std::iter::zip(&self.columns, &table.2)
                .all(|(ours, theirs)| ours.0 == theirs.name() && ours.1 == theirs.kind())
    }

    fn new(table: &Header) -> Option<Self> {
        let columns = table.2.iter().map(|column| {
            let (name, kind) = (column.name().to_owned(), column.kind().to_owned());
            Joined::new(&kind).map(|values| (name, kind, values))
        });
        Some(Self {
            table: table.0.clone(),
            runs: Vec::new(),
            rows: Vec::new(),
            columns: columns.collect::<Option<_>>()?,
        })
    }

    fn into_python<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let columns = PyDict::new(py);
        for (name, _, values) in self.columns {
            columns.set_item(name, values.into_python(py)?)?;
        }
        let (runs, rows) = (self.runs.into_pyarray(py), self.rows.into_pyarray(py));
        Ok((self.table, runs, rows, columns)
            .into_pyobject(py)?
            .into_any())
    }
}

/// Name, rows, columns.
#[derive(serde::Deserialize)]
struct Header(String, usize, Vec<ColumnHeader>);

/// Name and kind of a column, and words of a text.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum ColumnHeader {
    Text(String, String, Vec<String>),
    Numbers(String, String),
}

impl ColumnHeader {
    fn name(&self) -> &str {
        let (Self::Text(name, ..) | Self::Numbers(name, _)) = self;
        name
    }

    fn kind(&self) -> &str {
        let (Self::Text(_, kind, _) | Self::Numbers(_, kind)) = self;
        kind
    }

    fn words(&self) -> &[String] {
        match self {
            Self::Text(_, _, words) => words,
            Self::Numbers(..) => &[],
        }
    }
}

/// The tables of many runs: per table and set of columns its name, the numbers of the runs that
/// have it, the rows of each, and its columns; a text is numbers and their words.
pub(crate) fn joined<'py>(
    py: Python<'py>,
    runs: &[Bound<'py, PyBytes>],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut pieces = Vec::new();
    for (number, run) in (0_u64..).zip(runs) {
        add(&mut pieces, number, run.as_bytes()).ok_or_else(|| {
            PyValueError::new_err(format!("the tables of run {number} are damaged"))
        })?;
    }
    pieces
        .into_iter()
        .map(|piece| piece.into_python(py))
        .collect()
}

fn add(pieces: &mut Vec<Piece>, run: u64, bytes: &[u8]) -> Option<()> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (head, mut rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let tables: Vec<Header> = serde_json::from_slice(head).ok()?;
    for table in tables {
        let place = match pieces.iter().position(|piece| piece.is_of(&table)) {
            Some(place) => place,
            None => {
                pieces.push(Piece::new(&table)?);
                pieces.len() - 1
            }
        };
        let piece = &mut pieces[place];
        piece.runs.push(run);
        piece.rows.push(table.1 as u64);
        for ((_, _, values), column) in piece.columns.iter_mut().zip(&table.2) {
            let (here, behind) = rest.split_at_checked(values.width().checked_mul(table.1)?)?;
            values.add(here, column.words())?;
            rest = behind;
        }
    }
    rest.is_empty().then_some(())
}
