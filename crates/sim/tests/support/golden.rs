//! Tables of expected results: rows of named runs, each with a digest of every table it returned.
//!
//! A golden begins with the columns that its digests cover, one line per table. A new column of
//! the simulator shows as a change of such a line and of no row: rows are compared over the columns
//! that the golden knows. The table that a failing test writes covers them all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use odonata_sim::{Column, Outcome};
use serde_json::Value;

use super::{number, text};

/// The tables of a digest, in the order of a row.
const TABLES: [&str; 19] = [
    "summary",
    "ranks",
    "iterations",
    "links",
    "link_jobs",
    "link_classes",
    "series",
    "latency",
    "q_table",
    "packets",
    "messages",
    "decisions",
    "blame",
    "blame_ranks",
    "counters",
    "nic_counters",
    "link_series",
    "link_job_series",
    "flows",
];

/// What a run costs, not what it says.
const COSTS: [&str; 2] = ["engine/threads", "engine/events"];

/// Table and column, and a hash of the values.
type Hashes = BTreeMap<(&'static str, String), u64>;

/// One run of a golden.
pub(crate) struct GoldenRow {
    name: String,
    /// What a reader of the golden recognises.
    legible: String,
    hashes: Hashes,
}

impl GoldenRow {
    /// The row called `name` of a run.
    pub(crate) fn new(name: String, outcome: &Outcome) -> Self {
        let legible = format!(
            "{:9} {:11.3} {:8.0} {:11.3} {:8.4}",
            text(outcome, "/stop"),
            number(outcome, "/simulated_ns"),
            number(outcome, "/engine/packets"),
            number(outcome, "/network/packet_latency_ns/mean"),
            number(outcome, "/network/nonminimal_fraction"),
        );
        Self {
            name,
            legible,
            hashes: hashes(outcome),
        }
    }

    /// The row of a configuration that is refused for what it says at `path`.
    pub(crate) fn refused(name: String, path: &str) -> Self {
        Self {
            name,
            legible: format!("refused: {path}"),
            hashes: Hashes::new(),
        }
    }

    /// As a line, with digests over `columns`.
    fn line(&self, columns: &Columns) -> String {
        let mut line = format!("{:42} {}", self.name, self.legible);
        if self.hashes.is_empty() {
            return line;
        }
        for table in TABLES
            .into_iter()
            .filter(|table| columns.contains_key(*table))
        {
            let chosen = self
                .hashes
                .iter()
                .filter(|((of, column), _)| *of == table && columns[table].contains(column));
            let mut digest = None;
            for ((_, column), hash) in chosen {
                let before = fold(digest.unwrap_or(START), column.as_bytes());
                digest = Some(fold(before, &hash.to_le_bytes()));
            }
            let _ = match digest {
                Some(digest) => write!(line, " {:08x}", (digest ^ (digest >> 32)) & 0xffff_ffff),
                None => write!(line, " {:8}", "-"),
            };
        }
        line.trim_end().to_owned()
    }
}

/// Columns by table.
type Columns = BTreeMap<String, BTreeSet<String>>;

/// FNV-1a, 64 bits.
const START: u64 = 0xcbf2_9ce4_8422_2325;

fn fold(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn hash(texts: impl Iterator<Item = String>) -> u64 {
    texts.fold(START, |hash, text| fold(fold(hash, text.as_bytes()), b"\n"))
}

fn hashes(outcome: &Outcome) -> Hashes {
    let mut values = BTreeMap::<String, Vec<String>>::new();
    flatten("", &outcome.summary, &mut values);
    let stall = outcome.stall.iter().cloned();
    values.insert("stall".to_owned(), stall.collect());
    let mut all: Hashes = values
        .into_iter()
        .filter(|(column, _)| !COSTS.contains(&column.as_str()))
        .map(|(column, values)| (("summary", column), hash(values.into_iter())))
        .collect();
    for table in &outcome.tables {
        assert!(
            TABLES.contains(&table.name),
            "no golden covers the table `{}`; add it to `TABLES`",
            table.name
        );
        for (column, values) in &table.columns {
            let of = match values {
                Column::F64(values) => hash(values.iter().map(|value| value.to_bits().to_string())),
                Column::U64(values) => hash(values.iter().map(u64::to_string)),
                Column::Text(values) => hash(values.iter().cloned()),
                Column::Words(values) => hash(values.rows().map(str::to_owned)),
                Column::Bool(values) => hash(values.iter().map(bool::to_string)),
            };
            all.insert((table.name, (*column).to_owned()), of);
        }
    }
    all
}

/// The values of a JSON document by path; elements of an array share theirs.
fn flatten(path: &str, value: &Value, values: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}/{key}")
                };
                flatten(&path, value, values);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                flatten(path, element, values);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let at = values.entry(path.to_owned()).or_default();
            at.push(value.to_string());
        }
    }
}

/// The columns that the rows have.
fn columns_of(rows: &[GoldenRow]) -> Columns {
    let mut columns = Columns::new();
    for (table, column) in rows.iter().flat_map(|row| row.hashes.keys()) {
        let of = columns.entry((*table).to_owned()).or_default();
        of.insert(column.clone());
    }
    columns
}

/// The columns that a golden covers.
fn columns_in(golden: &str) -> Columns {
    let lines = golden.lines().filter_map(|line| line.strip_prefix("# "));
    let columns = lines.filter_map(|line| line.split_once(": "));
    columns
        .map(|(table, names)| {
            let names = names.split(' ').map(str::to_owned);
            (table.to_owned(), names.collect())
        })
        .collect()
}

/// A golden with the columns `shown` in its head and `covered` in its digests.
fn write(rows: &[GoldenRow], shown: &Columns, covered: &Columns) -> String {
    let mut all = String::new();
    for table in TABLES {
        if let Some(columns) = shown.get(table) {
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            let _ = writeln!(all, "# {table}: {}", columns.join(" "));
        }
    }
    let digests = TABLES
        .into_iter()
        .filter(|table| covered.contains_key(*table));
    let _ = writeln!(
        all,
        "# name, stop, simulated ns, packets, mean latency ns, non-minimal, digests of: {}",
        digests.collect::<Vec<_>>().join(" ")
    );
    for row in rows {
        let _ = writeln!(all, "{}", row.line(covered));
    }
    all
}

/// Compares `rows` with `golden`, the text of `goldens/NAME`.
pub(crate) fn compare_rows(name: &str, golden: &str, rows: &[GoldenRow]) {
    let all = columns_of(rows);
    let found = write(rows, &all, &columns_in(golden));
    compare(name, golden, &found, &write(rows, &all, &all));
}

/// Stops if `found` is not `golden`, the text of `goldens/NAME`; writes `fresh` for those who mean
/// it.
#[expect(clippy::panic, reason = "how a test fails")]
pub(crate) fn compare(name: &str, golden: &str, found: &str, fresh: &str) {
    if found == golden {
        return;
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let written = std::fs::write(&path, fresh);
    let mut differences = String::new();
    for (now, before) in found
        .lines()
        .zip(golden.lines())
        .filter(|(now, before)| now != before)
    {
        let _ = writeln!(differences, "- {before}\n+ {now}");
    }
    panic!(
        "results have moved ({} rows now, {} before):\n{differences}The new table is in {} \
         ({written:?}). If the change is meant: copy it over crates/sim/tests/goldens/{name} and \
         say in a fragment of kind Results which rows moved and why; new columns alone move no row.",
        found.lines().count(),
        golden.lines().count(),
        path.display()
    );
}
