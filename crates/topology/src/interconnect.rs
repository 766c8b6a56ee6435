//! A Cray XC machine rebuilt from the dump of its tiles.
//!
//! Everything that contradicts itself is an error with line numbers: two records of a tile, two
//! places of a router, an end that does not lead back, a colour that does not fit the places, a
//! router missing from the grid. What is merely unusual is in the [`InterconnectReport`].

use std::collections::{BTreeMap, BTreeSet};

use odonata_units::RouterId;
use thiserror::Error;

use crate::channel::LinkKind;
use crate::family::AriesShape;
use crate::tiles::{Colour, Far, Name, Place, Record, Tile, record};

/// A machine as its tiles describe it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interconnect {
    pub(crate) shape: AriesShape,
    pub(crate) links: Vec<TileLink>,
    pub(crate) report: InterconnectReport,
}

/// A link between two tiles, seen from the router with the lower id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TileLink {
    pub(crate) kind: LinkKind,
    pub(crate) low: RouterId,
    pub(crate) high: RouterId,
    /// Tile at `low`: parallel links are ordered by it.
    pub(crate) tile: u32,
}

/// What a dump consists of.
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
    /// What is unusual, in sentences.
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
        /// What is missing.
        problem: String,
    },
}

/// Problems written out.
const SHOWN: usize = 8;

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn more(number: usize) -> String {
    if number > SHOWN {
        format!("; and {} more", number - SHOWN)
    } else {
        String::new()
    }
}

/// Processor tiles of a node: the eight of an Aries serve four NICs.
const PROCESSOR_TILES_PER_NODE: u32 = 2;

type Records = BTreeMap<(Place, u32), Record>;

impl Interconnect {
    /// Reads `text`. Blank lines and lines that start with `#` are skipped.
    ///
    /// Cost: O(tiles log tiles).
    ///
    /// # Errors
    /// If lines mean nothing or contradict each other, or the routers do not fill a grid.
    pub fn parse(text: &str) -> Result<Self, InterconnectError> {
        let mut problems = Vec::new();
        let records = read(text, &mut problems);
        check_names(&records, &mut problems);
        if !problems.is_empty() {
            return Err(InterconnectError::Inconsistent { problems });
        }
        let grid = Grid::of(&records)?;
        let nodes_per_router = nodes_per_router(&records)?;
        let links = grid.links(&records, &mut problems);
        if !problems.is_empty() {
            return Err(InterconnectError::Inconsistent { problems });
        }
        let mut report = grid.report(&records, &links);
        report.nodes = report.routers * nodes_per_router;
        let shape = AriesShape {
            groups: grid.groups,
            rows: grid.rows,
            columns: grid.columns,
            nodes_per_router,
            column_links: grid.column_links(&links, &mut report.notes),
            global_ports_per_router: global_ports(&links, report.routers, &mut report.notes),
            chassis_per_cabinet: grid.chassis_per_cabinet(&records, &mut report.notes),
        };
        grid.note_group_pairs(&links, &mut report.notes);
        Ok(Self {
            shape,
            links,
            report,
        })
    }

    /// The parameters that the machine has.
    #[must_use]
    pub const fn shape(&self) -> &AriesShape {
        &self.shape
    }

    /// What the dump consists of.
    #[must_use]
    pub const fn report(&self) -> &InterconnectReport {
        &self.report
    }
}

fn read(text: &str, problems: &mut Vec<String>) -> Records {
    let mut records = Records::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        match record(line, text) {
            Err(problem) => problems.push(format!("line {line}: {problem}")),
            Ok(record) => {
                let key = (record.near.place, record.near.tile);
                if let Some(first) = records.insert(key, record) {
                    problems.push(format!(
                        "line {line}: tile {} has a record in line {} already",
                        record.near, first.line
                    ));
                }
            }
        }
    }
    records
}

/// Each router has one name and one place.
fn check_names(records: &Records, problems: &mut Vec<String>) {
    let mut places: BTreeMap<Name, (Place, u64)> = BTreeMap::new();
    let mut names: BTreeMap<Place, (Name, u64)> = BTreeMap::new();
    for record in records.values() {
        let (name, place, line) = (record.near.name, record.near.place, record.line);
        let (other, first) = *places.entry(name).or_insert((place, line));
        if other != place {
            problems.push(format!(
                "line {line}: router {name} is at {place} here, but at {other} in line {first}"
            ));
        }
        let (other, first) = *names.entry(place).or_insert((name, line));
        if other != name {
            problems.push(format!(
                "line {line}: the router at {place} is {name} here, but {other} in line {first}"
            ));
        }
    }
}

/// Nodes of each router; all have the same number.
fn nodes_per_router(records: &Records) -> Result<u32, InterconnectError> {
    let mut tiles: BTreeMap<Place, u32> = BTreeMap::new();
    for record in records.values() {
        *tiles.entry(record.near.place).or_default() += u32::from(record.far == Far::Processor);
    }
    let counts: BTreeSet<u32> = tiles.values().copied().collect();
    match counts.first() {
        Some(&count)
            if counts.len() == 1 && count > 0 && count.is_multiple_of(PROCESSOR_TILES_PER_NODE) =>
        {
            Ok(count / PROCESSOR_TILES_PER_NODE)
        }
        _ => {
            let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
            Err(InterconnectError::Incomplete {
                problem: format!(
                    "routers have {} processor tiles in use; each must have the same even number \
                     of them, two per node",
                    counts.join(" or ")
                ),
            })
        }
    }
}

/// The most blue channels of a router.
fn global_ports(links: &[TileLink], routers: u32, notes: &mut Vec<String>) -> u32 {
    let mut ports = vec![0_u32; routers as usize];
    for link in links.iter().filter(|link| link.kind == LinkKind::Global) {
        ports[link.low.index()] += 1;
        ports[link.high.index()] += 1;
    }
    let most = ports.iter().copied().max().unwrap_or(0);
    let fewer = ports.iter().filter(|count| **count < most).count();
    if fewer > 0 {
        notes.push(format!(
            "{} with fewer than {most} global channels",
            count(fewer, "router")
        ));
    }
    most
}

/// The routers of a machine.
struct Grid {
    groups: u32,
    rows: u32,
    columns: u32,
}

impl Grid {
    fn of(records: &Records) -> Result<Self, InterconnectError> {
        let places: BTreeSet<Place> = records.keys().map(|key| key.0).collect();
        let Some(last) = places.last() else {
            return Err(InterconnectError::Incomplete {
                problem: "the dump has no tile".to_owned(),
            });
        };
        let most = |f: fn(&Place) -> u32| places.iter().map(f).max().unwrap_or(0) + 1;
        let grid = Self {
            groups: last.group + 1,
            rows: most(|place| place.row),
            columns: most(|place| place.column),
        };
        let routers = grid.groups * grid.rows * grid.columns;
        // Without gaps, the places in order are the routers in order.
        match (0..routers)
            .map(|router| grid.place(router))
            .find(|place| !places.contains(place))
        {
            None => Ok(grid),
            Some(place) => Err(InterconnectError::Incomplete {
                problem: format!(
                    "no tile of a router at {place} is in the dump, but the others fill {} groups \
                     of {} rows and {} columns; every router must be there",
                    grid.groups, grid.rows, grid.columns
                ),
            }),
        }
    }

    const fn place(&self, router: u32) -> Place {
        let (group, position) = (
            router / (self.rows * self.columns),
            router % (self.rows * self.columns),
        );
        Place {
            group,
            row: position / self.columns,
            column: position % self.columns,
        }
    }

    const fn router(&self, place: Place) -> RouterId {
        RouterId((place.group * self.rows + place.row) * self.columns + place.column)
    }

    /// Every link once, ascending.
    fn links(&self, records: &Records, problems: &mut Vec<String>) -> Vec<TileLink> {
        let mut links = Vec::new();
        for record in records.values() {
            let Far::Tile(far) = record.far else {
                continue;
            };
            if let Some(problem) = check_end(records, record, far) {
                problems.push(format!("line {}: {problem}", record.line));
                continue;
            }
            let (low, high) = (self.router(record.near.place), self.router(far.place));
            if low < high {
                let kind = match record.colour {
                    Colour::Green => LinkKind::Row,
                    Colour::Black => LinkKind::Column,
                    Colour::Blue | Colour::Processor => LinkKind::Global,
                };
                let tile = record.near.tile;
                links.push(TileLink {
                    kind,
                    low,
                    high,
                    tile,
                });
            }
        }
        links.sort_unstable();
        for two in links.windows(2).filter(|two| two[0].kind == LinkKind::Row) {
            if (two[0].kind, two[0].low, two[0].high) == (two[1].kind, two[1].low, two[1].high) {
                problems.push(format!(
                    "routers {} and {} have two green links; a row has one between each two",
                    self.place(two[0].low.0),
                    self.place(two[0].high.0)
                ));
            }
        }
        links
    }

    fn report(&self, records: &Records, links: &[TileLink]) -> InterconnectReport {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let of = |kind| number(links.iter().filter(|link| link.kind == kind).count());
        let unused = |colour| {
            let idle = |record: &&Record| record.colour == colour && record.far == Far::Unused;
            number(records.values().filter(idle).count())
        };
        let mut report = InterconnectReport {
            tiles: number(records.len()),
            groups: self.groups,
            rows: self.rows,
            columns: self.columns,
            routers: self.groups * self.rows * self.columns,
            nodes: 0,
            row_links: of(LinkKind::Row),
            column_links: of(LinkKind::Column),
            global_links: of(LinkKind::Global),
            unused_row_tiles: unused(Colour::Green),
            unused_column_tiles: unused(Colour::Black),
            unused_global_tiles: unused(Colour::Blue),
            unused_processor_tiles: unused(Colour::Processor),
            notes: Vec::new(),
        };
        let in_row = self.columns * (self.columns - 1) / 2;
        let missing = self.groups * self.rows * in_row - report.row_links;
        if missing > 0 {
            report.notes.push(format!(
                "{} of a row without a green link",
                count(missing as usize, "pair")
            ));
        }
        report
    }

    /// The most parallel black links between two routers.
    fn column_links(&self, links: &[TileLink], notes: &mut Vec<String>) -> u32 {
        let mut parallel: BTreeMap<(RouterId, RouterId), u32> = BTreeMap::new();
        for link in links.iter().filter(|link| link.kind == LinkKind::Column) {
            *parallel.entry((link.low, link.high)).or_default() += 1;
        }
        let most = parallel.values().copied().max().unwrap_or(1);
        let pairs = self.groups * self.columns * (self.rows * (self.rows - 1) / 2);
        let full = parallel.values().filter(|links| **links == most).count();
        let fewer = (pairs as usize).saturating_sub(full);
        if fewer > 0 {
            notes.push(format!(
                "{} of a column with fewer than {most} black links",
                count(fewer, "pair")
            ));
        }
        most
    }

    /// Rows that stand in one cabinet.
    fn chassis_per_cabinet(&self, records: &Records, notes: &mut Vec<String>) -> u32 {
        let mut cabinets: BTreeMap<(u32, u32), BTreeSet<(u32, u32)>> = BTreeMap::new();
        for record in records.values() {
            let (name, place) = (record.near.name, record.near.place);
            let rows = cabinets.entry(name.cabinet).or_default();
            rows.insert((place.group, place.row));
        }
        let most = cabinets.values().map(BTreeSet::len).max().unwrap_or(1);
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let is_regular = cabinets.values().all(|rows| {
            let parts: BTreeSet<_> = rows.iter().map(|row| (row.0, row.1 / most)).collect();
            parts.len() == 1
        });
        if !is_regular {
            notes.push(format!(
                "cabinets hold other rows than {most} consecutive ones of a group; taken as such"
            ));
        }
        most
    }

    fn note_group_pairs(&self, links: &[TileLink], notes: &mut Vec<String>) {
        let mut pairs: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for link in links.iter().filter(|link| link.kind == LinkKind::Global) {
            let groups = (self.place(link.low.0).group, self.place(link.high.0).group);
            *pairs.entry(groups).or_default() += 1;
        }
        let joined = pairs.len();
        let all = self.groups as usize * (self.groups as usize - 1) / 2;
        if joined < all {
            notes.push(format!(
                "{} without a global link",
                count(all - joined, "pair of groups")
            ));
        }
        let (least, most) = (pairs.values().min(), pairs.values().max());
        if least != most {
            notes.push(format!(
                "pairs of groups have {} to {} global links",
                least.copied().unwrap_or(0),
                most.copied().unwrap_or(0)
            ));
        }
    }
}

/// What is wrong with the far end of a record.
fn check_end(records: &Records, record: &Record, far: Tile) -> Option<String> {
    let near = record.near;
    let Some(other) = records.get(&(far.place, far.tile)) else {
        return Some(format!("{near} leads to {far}, which has no record"));
    };
    if other.near.name != far.name {
        return Some(format!(
            "{near} leads to {far}, but the router at {} is {} in line {}",
            far.place, other.near.name, other.line
        ));
    }
    if other.far != Far::Tile(near) {
        return Some(format!(
            "{near} leads to {far}, but line {} does not lead back",
            other.line
        ));
    }
    if other.colour != record.colour {
        return Some(format!(
            "{near} is {}, but its other end in line {} is {}",
            record.colour.name(),
            other.line,
            other.colour.name()
        ));
    }
    let (a, b) = (near.place, far.place);
    let fits = match record.colour {
        Colour::Green => a.group == b.group && a.row == b.row && a != b,
        Colour::Black => a.group == b.group && a.column == b.column && a != b,
        Colour::Blue => a.group != b.group,
        Colour::Processor => false,
    };
    (!fits).then(|| {
        format!(
            "a {} link joins {a} and {b}; green ones stay in a row, black ones in a column, blue \
             ones join groups",
            record.colour.name()
        )
    })
}
