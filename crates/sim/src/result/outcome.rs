//! Outcome of a run: a summary and tables in columns.

use std::collections::BTreeMap;

use serde_json::Value;

/// Values of one column, one for each row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Unsigned integers.
    U64(Vec<u64>),
    /// Numbers; NaN where a row has none.
    F64(Vec<f64>),
    /// Texts.
    Text(Vec<String>),
    /// Texts of few different words.
    Words(Words),
    /// Truth values.
    Bool(Vec<bool>),
}

/// Texts of few different words, as the numbers of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// `[row]`: index of its text in `words`.
    pub codes: Vec<u16>,
    /// The different words, in the order of their first use.
    pub words: Vec<String>,
    numbers: BTreeMap<String, u16>,
}

impl Words {
    /// Index of `word`, which is added if it is new.
    ///
    /// # Panics
    /// If there are more than 65,536 different ones.
    #[expect(clippy::expect_used, reason = "columns of few words")]
    pub fn code(&mut self, word: &str) -> u16 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = u16::try_from(self.words.len()).expect("few different words");
        self.words.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }

    /// Adds a row with `word`, which is often that of the row before.
    fn push(&mut self, word: &str) {
        let last = self.codes.last().copied();
        let code = last.filter(|code| self.words[usize::from(*code)] == word);
        let code = code.unwrap_or_else(|| self.code(word));
        self.codes.push(code);
    }

    /// The text of each row.
    pub fn rows(&self) -> impl Iterator<Item = &str> {
        self.codes
            .iter()
            .map(|code| self.words[usize::from(*code)].as_str())
    }
}

impl<'a> FromIterator<&'a str> for Words {
    fn from_iter<I: IntoIterator<Item = &'a str>>(rows: I) -> Self {
        let mut words = Self::default();
        rows.into_iter().for_each(|word| words.push(word));
        words
    }
}

impl Column {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::U64(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::Text(v) => v.len(),
            Self::Words(v) => v.codes.len(),
            Self::Bool(v) => v.len(),
        }
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gets memory for `rows` more rows, and no more.
    fn reserve(&mut self, rows: usize) {
        match self {
            Self::U64(v) => v.reserve_exact(rows),
            Self::F64(v) => v.reserve_exact(rows),
            Self::Text(v) => v.reserve_exact(rows),
            Self::Words(v) => v.codes.reserve_exact(rows),
            Self::Bool(v) => v.reserve_exact(rows),
        }
    }

    /// Adds the rows of another column of the same kind.
    fn append(&mut self, other: Self) {
        match (self, other) {
            (Self::U64(v), Self::U64(mut more)) => v.append(&mut more),
            (Self::F64(v), Self::F64(mut more)) => v.append(&mut more),
            (Self::Text(v), Self::Text(mut more)) => v.append(&mut more),
            (Self::Words(v), Self::Words(more)) => {
                for word in more.rows() {
                    v.push(word);
                }
            }
            (Self::Bool(v), Self::Bool(mut more)) => v.append(&mut more),
            _ => debug_assert!(false, "columns of one kind"),
        }
    }
}

/// Rows that are there at a time: a row takes more memory than what it becomes in the table.
const ROWS_AT_A_TIME: usize = 4_096;

/// Calls `each` for some of `rows` after the other, in their order.
pub(crate) fn in_pieces<R>(mut rows: impl Iterator<Item = R>, mut each: impl FnMut(&[R])) {
    loop {
        let some: Vec<R> = rows.by_ref().take(ROWS_AT_A_TIME).collect();
        if some.is_empty() {
            return;
        }
        each(&some);
    }
}

/// One table of a run. What its columns mean is in `docs/results.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name, such as `ranks` or `links`.
    pub name: &'static str,
    /// Name of each column, with the unit of its values as suffix (`_ns`, `_bytes`), and the
    /// values; all columns have one length.
    pub columns: Vec<(&'static str, Column)>,
}

impl Table {
    /// Gets memory for `rows` more rows, and no more.
    pub(crate) fn reserve(&mut self, rows: usize) {
        for (_, column) in &mut self.columns {
            column.reserve(rows);
        }
    }

    /// Adds the rows of another table with the same columns.
    pub(crate) fn append(&mut self, other: Self) {
        debug_assert_eq!(self.columns.len(), other.columns.len());
        for ((_, column), (_, more)) in self.columns.iter_mut().zip(other.columns) {
            column.append(more);
        }
    }
}

/// Makes a table from rows, one closure per column.
macro_rules! table {
    ($name:literal, $rows:expr, { $($column:literal => $kind:ident, $value:expr;)* }) => {{
        let rows = $rows;
        $crate::result::outcome::Table {
            name: $name,
            columns: vec![$((
                $column,
                $crate::result::outcome::Column::$kind(rows.iter().map($value).collect()),
            )),*],
        }
    }};
}
pub(crate) use table;

/// Everything that a run returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// `summary.json` without the keys that only the caller knows (version, hash, wall time).
    pub summary: Value,
    /// The tables, in a fixed order.
    pub tables: Vec<Table>,
    /// Why nothing moves any more, in words; `None` if the run did not stall.
    pub stall: Option<String>,
}

impl Outcome {
    /// Adds a sentence to the list `notes` of the summary, which is absent as long as there is
    /// none.
    pub fn add_note(&mut self, note: String) {
        if let Some(summary) = self.summary.as_object_mut() {
            let notes = summary
                .entry("notes")
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Some(notes) = notes.as_array_mut() {
                notes.push(Value::String(note));
            }
        }
    }
}
