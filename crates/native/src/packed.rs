//! Tables of a run as bytes, and the tables of many runs joined.
//!
//! A run of a campaign goes from one process to another, and into a log, before anybody looks at
//! its tables: as bytes it costs no Python object for each column. Layout: length of the head
//! (`u32`), the head (JSON: per table its name, and per column name, kind and words), rows of each
//! table (`u64`), bytes of a value of each column (`u8`), then the values of the columns in this
//! order, little endian: whole numbers as short as the largest allows, a column with one value once
//! (0 bytes of a value), but for the first of a table, whose bytes vouch for its rows. Runs of a
//! campaign mostly have the same head, which is then read once.

use std::collections::BTreeMap;
use std::ops::Range;

use odonata_sim::outcome::{Column, Table};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::columns::array;

/// Tables from which on the memory of a run is worth being given back: it takes milliseconds.
const LARGE_ROWS: usize = 1 << 20;

/// The bytes of tables. Every column is made short, and let go of, before the next one.
pub(crate) fn encoded(py: Python<'_>, tables: Vec<Table>) -> PyResult<Bound<'_, PyBytes>> {
    let rows_of = |table: &Table| table.columns.first().map_or(0, |(_, column)| column.len());
    let is_large = tables.iter().map(rows_of).sum::<usize>() > LARGE_ROWS;
    if is_large {
        odonata_heap::give_back();
    }
    let mut head = Vec::new();
    let mut counts = Vec::new();
    let mut widths = Vec::new();
    let mut columns = Vec::new();
    for table in tables {
        counts.push(rows_of(&table) as u64);
        let mut entries = Vec::new();
        for (at, (name, column)) in table.columns.into_iter().enumerate() {
            let (entry, values) = coded(name, column);
            entries.push(entry);
            let width = if at == 0 {
                values.width()
            } else {
                values.least_width()
            };
            widths.push(width);
            columns.push(values.into_short(width));
        }
        head.push(Header(table.name.to_owned(), entries));
    }
    let head =
        serde_json::to_string(&head).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let length = u32::try_from(head.len())
        .map_err(|_| PyValueError::new_err("tables with more than 4 GiB of words"))?;
    let values: usize = columns.iter().map(Vec::len).sum();
    let size = 4 + head.len() + 8 * counts.len() + widths.len() + values;
    let encoded = PyBytes::new_with(py, size, |bytes| {
        let rest = put(bytes, [length.to_le_bytes()].into_iter());
        let (first, rest) = rest.split_at_mut(head.len());
        first.copy_from_slice(head.as_bytes());
        let rest = put(rest, counts.into_iter().map(u64::to_le_bytes));
        let (first, mut rest) = rest.split_at_mut(widths.len());
        first.copy_from_slice(&widths);
        for column in columns {
            let (first, behind) = rest.split_at_mut(column.len());
            first.copy_from_slice(&column);
            rest = behind;
        }
        Ok(())
    })?;
    if is_large {
        odonata_heap::give_back();
    }
    Ok(encoded)
}

/// Values of a column; of text the numbers of its words.
enum Values {
    U64(Vec<u64>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
    Codes(Vec<u32>),
}

impl Values {
    /// Bytes that a value needs; 0: all are the same.
    fn least_width(&self) -> u8 {
        let is_constant = match self {
            Self::U64(v) => is_constant(v),
            Self::Codes(v) => is_constant(v),
            Self::Bool(v) => is_constant(v),
            Self::F64(v) => v.windows(2).all(|two| two[0].to_bits() == two[1].to_bits()),
        };
        if is_constant { 0 } else { self.width() }
    }

    /// Bytes that a value needs if each is stored.
    fn width(&self) -> u8 {
        match self {
            Self::U64(v) => width_of(v.iter().fold(0, |all, value| all | value)),
            Self::Codes(v) => width_of(v.iter().fold(0, |all, value| all | value).into()),
            Self::F64(_) => 8,
            Self::Bool(_) => 1,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::U64(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::Bool(v) => v.len(),
            Self::Codes(v) => v.len(),
        }
    }

    /// Bytes of all values at a width.
    fn bytes(&self, width: u8) -> usize {
        match width {
            0 => 8 * self.len().min(1),
            _ => usize::from(width) * self.len(),
        }
    }

    /// The values at a width.
    fn into_short(self, width: u8) -> Vec<u8> {
        let mut bytes = vec![0; self.bytes(width)];
        match self {
            Self::U64(v) => put_short(&mut bytes, v.into_iter(), width),
            Self::F64(v) => put_short(&mut bytes, v.into_iter().map(f64::to_bits), width),
            Self::Bool(v) => put_short(&mut bytes, v.into_iter().map(u64::from), width),
            Self::Codes(v) => put_short(&mut bytes, v.into_iter().map(u64::from), width),
        };
        bytes
    }
}

fn is_constant<T: PartialEq>(values: &[T]) -> bool {
    values.windows(2).all(|two| two[0] == two[1])
}

/// Bytes of the smallest number among 1, 2, 4, 8 that hold these bits.
fn width_of(bits: u64) -> u8 {
    match bits {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the width was chosen so that it holds all"
)]
fn put_short(rest: &mut [u8], mut values: impl Iterator<Item = u64>, width: u8) -> &mut [u8] {
    match width {
        0 => put(rest, values.next().into_iter().map(u64::to_le_bytes)),
        1 => put(rest, values.map(|value| [value as u8])),
        2 => put(rest, values.map(|value| (value as u16).to_le_bytes())),
        4 => put(rest, values.map(|value| (value as u32).to_le_bytes())),
        _ => put(rest, values.map(u64::to_le_bytes)),
    }
}

/// What the head says of a column, and its values.
fn coded(name: &str, column: Column) -> (ColumnHeader, Values) {
    let (kind, words, values) = match column {
        Column::U64(v) => ("u64", Vec::new(), Values::U64(v)),
        Column::F64(v) => ("f64", Vec::new(), Values::F64(v)),
        Column::Bool(v) => ("bool", Vec::new(), Values::Bool(v)),
        Column::Words(v) => {
            let codes = v.codes.into_iter().map(u32::from).collect();
            ("text", v.words, Values::Codes(codes))
        }
        Column::Text(v) => {
            let mut words = Vocabulary::default();
            let codes = v.iter().map(|text| words.code(text)).collect();
            ("text", words.words, Values::Codes(codes))
        }
    };
    let head = ColumnHeader(name.to_owned(), kind.to_owned(), words);
    (head, values)
}

/// Puts values one after the other; what is behind them.
fn put<const N: usize>(bytes: &mut [u8], values: impl Iterator<Item = [u8; N]>) -> &mut [u8] {
    let mut left = bytes;
    for value in values {
        let Some((here, rest)) = left.split_first_chunk_mut() else {
            return &mut [];
        };
        *here = value;
        left = rest;
    }
    left
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

    /// Adds the values of one run; `None` if there is something that cannot be.
    fn add(&mut self, values: Stored<'_>, words: &[String]) -> Option<()> {
        match self {
            Self::U64(v) => values.append(v, |value| value),
            Self::F64(v) => values.append(v, f64::from_bits),
            Self::Bool(v) => values.append(v, |value| value != 0),
            Self::Text(v, vocabulary) => {
                let codes: Vec<u32> = words.iter().map(|word| vocabulary.code(word)).collect();
                let before = v.len();
                values.append(v, |value| code_of(&codes, value));
                (!v[before..].contains(&NO_CODE)).then_some(())?;
            }
        }
        Some(())
    }

    fn into_python<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::U64(v) => array(py, v)?,
            Self::F64(v) => array(py, v)?,
            Self::Bool(v) => array(py, v)?,
            Self::Text(v, vocabulary) => {
                let words = PyList::new(py, vocabulary.words)?;
                (array(py, v)?, words).into_pyobject(py)?.into_any()
            }
        })
    }
}

/// Stands for a word that there is not.
const NO_CODE: u32 = u32::MAX;

fn code_of(codes: &[u32], index: u64) -> u32 {
    let code = usize::try_from(index)
        .ok()
        .and_then(|index| codes.get(index));
    code.copied().unwrap_or(NO_CODE)
}

/// Values of a column of one run, as they are stored.
#[derive(Clone, Copy)]
struct Stored<'a> {
    bytes: &'a [u8],
    width: u8,
    rows: usize,
}

impl<'a> Stored<'a> {
    /// Takes them off the bytes of all columns.
    fn taken(rest: &mut &'a [u8], width: u8, rows: usize) -> Option<Self> {
        let size = match width {
            0 => 8 * rows.min(1),
            1 | 2 | 4 | 8 => usize::from(width).checked_mul(rows)?,
            _ => return None,
        };
        let (bytes, behind) = rest.split_at_checked(size)?;
        *rest = behind;
        Some(Self { bytes, width, rows })
    }

    /// Some of them, which there are.
    fn rows(self, rows: Range<usize>) -> Self {
        let width = usize::from(self.width);
        Self {
            bytes: match width {
                0 => self.bytes,
                _ => &self.bytes[width * rows.start..width * rows.end],
            },
            rows: rows.len(),
            ..self
        }
    }

    /// Appends them as what `made` makes of each.
    fn append<T: Clone>(self, to: &mut Vec<T>, made: impl Fn(u64) -> T) {
        let bytes = self.bytes;
        match self.width {
            0 => {
                for eight in bytes.as_chunks().0 {
                    let value = made(u64::from_le_bytes(*eight));
                    to.resize(to.len() + self.rows, value);
                }
            }
            1 => to.extend(bytes.iter().map(|byte| made(u64::from(*byte)))),
            2 => {
                let values = bytes.as_chunks().0.iter().copied();
                to.extend(values.map(|two| made(u64::from(u16::from_le_bytes(two)))));
            }
            4 => {
                let values = bytes.as_chunks().0.iter().copied();
                to.extend(values.map(|four| made(u64::from(u32::from_le_bytes(four)))));
            }
            _ => {
                let values = bytes.as_chunks().0.iter().copied();
                to.extend(values.map(|eight| made(u64::from_le_bytes(eight))));
            }
        }
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
            && self.columns.len() == table.1.len()
            && std::iter::zip(&self.columns, &table.1)
                .all(|(ours, theirs)| ours.0 == theirs.0 && ours.1 == theirs.1)
    }

    fn new(table: &Header) -> Option<Self> {
        let columns = table.1.iter().map(|ColumnHeader(name, kind, _)| {
            Joined::new(kind).map(|values| (name.clone(), kind.clone(), values))
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
        let (runs, rows) = (array(py, self.runs)?, array(py, self.rows)?);
        Ok((self.table, runs, rows, columns)
            .into_pyobject(py)?
            .into_any())
    }
}

/// Name and columns of a table.
#[derive(serde::Deserialize, serde::Serialize)]
struct Header(String, Vec<ColumnHeader>);

/// Name and kind of a column, and words of a text.
#[derive(serde::Deserialize, serde::Serialize)]
struct ColumnHeader(String, String, Vec<String>);

/// Names of the tables of a run, and the rows of each.
pub(crate) fn names(run: &[u8]) -> PyResult<Vec<(String, u64)>> {
    let names = || {
        let (length, rest) = run.split_first_chunk()?;
        let (head, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let tables: Vec<Header> = serde_json::from_slice(head).ok()?;
        let (counts, _) = rest.split_at_checked(8 * tables.len())?;
        let counts = counts.as_chunks().0.iter().copied().map(u64::from_le_bytes);
        let names = tables.into_iter().map(|table| table.0);
        Some(names.zip(counts).collect())
    };
    names().ok_or_else(|| PyValueError::new_err("the tables of the run are damaged"))
}

/// What is wanted of tables: by default, all.
#[derive(Clone, Default)]
pub(crate) struct Wanted {
    pub(crate) table: Option<String>,
    /// Of each run.
    pub(crate) rows: Option<Range<usize>>,
}

impl Wanted {
    fn is_table(&self, name: &str) -> bool {
        self.table.as_ref().is_none_or(|table| table == name)
    }

    /// Those of `rows` rows.
    fn rows_of(&self, rows: usize) -> Range<usize> {
        let all = self.rows.clone().unwrap_or(0..rows);
        all.start.min(rows)..all.end.min(rows)
    }
}

/// The tables of many runs: per table and set of columns its name, the numbers of the runs that
/// have it, the rows of each, and its columns; a text is numbers and their words.
pub(crate) fn joined<'py>(
    py: Python<'py>,
    runs: &[Bound<'py, PyBytes>],
    wanted: Wanted,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut tables = JoinedTables {
        wanted,
        ..JoinedTables::default()
    };
    for (number, run) in (0_u64..).zip(runs) {
        tables.add(number, run.as_bytes()).ok_or_else(|| {
            PyValueError::new_err(format!("the tables of run {number} are damaged"))
        })?;
    }
    tables
        .pieces
        .into_iter()
        .filter(|piece| !piece.runs.is_empty())
        .map(|piece| piece.into_python(py))
        .collect()
}

/// Tables that are being joined, and the head of the last run with the piece of each of its tables.
#[derive(Default)]
struct JoinedTables {
    wanted: Wanted,
    pieces: Vec<Piece>,
    head: Vec<u8>,
    tables: Vec<(Header, usize)>,
}

impl JoinedTables {
    fn add(&mut self, run: u64, bytes: &[u8]) -> Option<()> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (head, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        if head != self.head || self.head.is_empty() {
            self.read(head)?;
        }
        let (counts, rest) = rest.split_at_checked(8 * self.tables.len())?;
        let columns = self.tables.iter().map(|(table, _)| table.1.len()).sum();
        let (widths, mut rest) = rest.split_at_checked(columns)?;
        let mut widths = widths.iter();
        for ((table, index), rows) in self.tables.iter().zip(counts.as_chunks().0) {
            let piece = &mut self.pieces[*index];
            let rows = usize::try_from(u64::from_le_bytes(*rows)).ok()?;
            let is_wanted = self.wanted.is_table(&table.0);
            let wanted = self.wanted.rows_of(rows);
            if is_wanted {
                piece.runs.push(run);
                piece.rows.push(wanted.len() as u64);
            }
            for (at, column) in table.1.iter().enumerate() {
                let width = *widths.next()?;
                // Else damaged rows would be as many as they say.
                (at > 0 || width > 0).then_some(())?;
                let (_, _, values) = piece.columns.get_mut(at)?;
                let stored = Stored::taken(&mut rest, width, rows)?;
                if is_wanted {
                    values.add(stored.rows(wanted.clone()), &column.2)?;
                }
            }
        }
        rest.is_empty().then_some(())
    }

    fn read(&mut self, head: &[u8]) -> Option<()> {
        let tables: Vec<Header> = serde_json::from_slice(head).ok()?;
        self.tables.clear();
        for table in tables {
            let index = match self.pieces.iter().position(|piece| piece.is_of(&table)) {
                Some(index) => index,
                None => {
                    self.pieces.push(Piece::new(&table)?);
                    self.pieces.len() - 1
                }
            };
            self.tables.push((table, index));
        }
        self.head = head.to_vec();
        Some(())
    }
}
