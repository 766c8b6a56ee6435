//! Findings in the dump of a machine: records of tiles, links, oddities, contradictions.

use std::collections::BTreeMap;

use odonata_units::RouterId;
use thiserror::Error;

use crate::channel::LinkKind;
use crate::tiles::{Record, RouterPosition};

/// Records by the position of their router and by tile.
pub(crate) type Records = BTreeMap<(RouterPosition, u32), Record>;

/// A link between two tiles, seen from the router with the lower id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TileLink {
    pub(crate) kind: LinkKind,
    pub(crate) low: RouterId,
    pub(crate) high: RouterId,
    /// Tile at `low`: parallel links are ordered by it.
    pub(crate) tile: u32,
    /// Tile at `high`.
    pub(crate) high_tile: u32,
}

/// Contents of a dump.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct InterconnectReport {
    /// Records.
    pub tiles: u32,
    /// Groups.
    pub groups: u32,
    /// Rows of routers in a group.
    pub rows: u32,
    /// Routers of a row.
    pub columns: u32,
    /// Routers.
    pub routers: u32,
    /// Nodes: one for each two processor tiles.
    pub nodes: u32,
    /// Green links, along rows.
    pub row_links: u32,
    /// Black links, along columns.
    pub column_links: u32,
    /// Blue links, between groups.
    pub global_links: u32,
    /// Unused green tiles.
    pub unused_row_tiles: u32,
    /// Unused black tiles.
    pub unused_column_tiles: u32,
    /// Unused blue tiles.
    pub unused_global_tiles: u32,
    /// Unused processor tiles.
    pub unused_processor_tiles: u32,
    /// Oddities, in sentences.
    pub notes: Vec<String>,
}

/// Why a dump is not a machine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum InterconnectError {
    /// Lines that mean nothing or contradict each other.
    #[error("{} of the dump: {}{}", count(.problems.len(), "problem"), .problems[..(*.problems).len().min(SHOWN)].join("; "), more(.problems.len()))]
    Inconsistent {
        /// Each with its line.
        problems: Vec<String>,
    },
    /// The routers do not fill a grid.
    #[error("{problem}")]
    Incomplete {
        /// The missing part.
        problem: String,
    },
}

/// Problems written out.
const SHOWN: usize = 8;

pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn more(number: usize) -> String {
    if number > SHOWN {
        format!("; and {} more", number - SHOWN)
    } else {
        String::new()
    }
}
