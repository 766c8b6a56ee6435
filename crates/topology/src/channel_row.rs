//! The columns and cells of a channel list.

use odonata_registry::spelling::hint;
use thiserror::Error;

use crate::channel::LinkKind;

pub(crate) const REQUIRED: [&str; 5] = [
    "kind",
    "source_node",
    "source_router",
    "target_node",
    "target_router",
];

pub(crate) const COLUMNS: [&str; 10] = [
    "kind",
    "source_node",
    "source_router",
    "target_node",
    "target_router",
    "source_group",
    "target_group",
    "bandwidth_bytes_per_s",
    "latency_ns",
    "channel",
];

/// Why a text is not a list of channels.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ChannelListError {
    /// Not CSV.
    #[error("not a CSV table: {0}")]
    Csv(String),
    /// The header lacks a column.
    #[error("the column `{column}` is missing; the header must have {}", REQUIRED.join(", "))]
    MissingColumn {
        /// Its name.
        column: &'static str,
    },
    /// The header has a column that means nothing.
    #[error("`{column}` is not a column of a channel list{hint}; the columns are {}", COLUMNS.join(", "))]
    UnknownColumn {
        /// As given.
        column: String,
        /// Nearest spelling, or nothing.
        hint: String,
    },
    /// A line that means nothing, or contradicts another one.
    #[error("line {line}: {problem}")]
    Line {
        /// Counted from 1, the header.
        line: u64,
        /// The problem and its remedy.
        problem: String,
    },
    /// Something is missing from the whole.
    #[error("{problem}")]
    Incomplete {
        /// The missing part and the remedy.
        problem: String,
    },
}

/// Where each of [`COLUMNS`] stands.
pub(crate) fn columns(header: &csv::StringRecord) -> Result<[Option<usize>; 10], ChannelListError> {
    if let Some(column) = header.iter().find(|column| !COLUMNS.contains(column)) {
        return Err(ChannelListError::UnknownColumn {
            column: column.to_owned(),
            hint: hint(column, COLUMNS),
        });
    }
    let columns = COLUMNS.map(|name| header.iter().position(|column| column == name));
    for (column, position) in REQUIRED.into_iter().zip(&columns) {
        if position.is_none() {
            return Err(ChannelListError::MissingColumn { column });
        }
    }
    for (column, other) in [(5, 6), (6, 5)] {
        if columns[column].is_some() && columns[other].is_none() {
            let column = COLUMNS[other];
            return Err(ChannelListError::MissingColumn { column });
        }
    }
    Ok(columns)
}

/// One line.
pub(crate) struct Row<'a> {
    pub(crate) columns: &'a [Option<usize>; 10],
    pub(crate) record: &'a csv::StringRecord,
}

/// One end of a channel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListedEnd {
    Node(u32),
    Router(u32),
}

impl Row<'_> {
    /// The cell of a column; `None` if it is blank or absent.
    fn cell(&self, column: &str) -> Option<&str> {
        let position = COLUMNS.iter().position(|name| *name == column)?;
        let cell = self.record.get(self.columns[position]?)?;
        (!cell.is_empty() && !cell.eq_ignore_ascii_case("nan")).then_some(cell)
    }

    /// A whole number; tables of real numbers write `3.0`.
    pub(crate) fn whole(&self, column: &str) -> Result<Option<u64>, String> {
        let Some(cell) = self.cell(column) else {
            return Ok(None);
        };
        let digits = cell.strip_suffix(".0").unwrap_or(cell);
        match digits.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!(
                "`{column}` is `{cell}`; write a whole number or nothing"
            )),
        }
    }

    /// An id.
    pub(crate) fn id(&self, column: &str) -> Result<Option<u32>, String> {
        let Some(number) = self.whole(column)? else {
            return Ok(None);
        };
        let id = u32::try_from(number).ok().filter(|id| *id < 1 << 24);
        id.map(Some)
            .ok_or_else(|| format!("`{column}` is {number}; ids are below 2^24"))
    }

    pub(crate) fn end(&self, side: &str) -> Result<ListedEnd, String> {
        let (node, router) = (format!("{side}_node"), format!("{side}_router"));
        match (self.id(&node)?, self.id(&router)?) {
            (Some(id), None) => Ok(ListedEnd::Node(id)),
            (None, Some(id)) => Ok(ListedEnd::Router(id)),
            (None, None) => Err(format!("`{node}` and `{router}` are blank; fill in one")),
            (Some(_), Some(_)) => Err(format!(
                "`{node}` and `{router}` are both given; a channel ends at one of them"
            )),
        }
    }

    pub(crate) fn kind(&self) -> Result<LinkKind, String> {
        let names = LinkKind::ALL.map(LinkKind::name);
        let cell = self.cell("kind").unwrap_or("");
        LinkKind::ALL
            .into_iter()
            .find(|kind| kind.name() == cell)
            .ok_or_else(|| {
                let hint = hint(cell, names);
                format!(
                    "there is no kind `{cell}`{hint}; use one of {}",
                    names.join(", ")
                )
            })
    }

    /// Picoseconds of a decimal number of nanoseconds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be in range"
    )]
    pub(crate) fn latency_ps(&self) -> Result<Option<u64>, String> {
        let Some(cell) = self.cell("latency_ns") else {
            return Ok(None);
        };
        match cell.parse::<f64>() {
            Ok(ns) if (0.0..=1e12).contains(&ns) => Ok(Some((ns * 1_000.0).round() as u64)),
            _ => Err(format!(
                "`latency_ns` is `{cell}`; write a number of nanoseconds from 0 to 10^12"
            )),
        }
    }
}

impl Row<'_> {
    /// Whether the table has groups.
    pub(crate) const fn has_groups(&self) -> bool {
        self.columns[5].is_some()
    }
}
