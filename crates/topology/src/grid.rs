//! The grid of routers that a dump describes, and its links.

use std::collections::{BTreeMap, BTreeSet};

use odonata_units::RouterId;

use crate::channel::LinkKind;
use crate::dump::{InterconnectError, InterconnectReport, Records, TileLink, count};
use crate::tiles::{Colour, Far, Record, RouterPosition, Tile};

/// The routers of a machine.
pub(crate) struct RouterGrid {
    pub(crate) groups: u32,
    pub(crate) rows: u32,
    pub(crate) columns: u32,
}

impl RouterGrid {
    pub(crate) fn of(records: &Records) -> Result<Self, InterconnectError> {
        let positions: BTreeSet<RouterPosition> = records.keys().map(|key| key.0).collect();
        let Some(last) = positions.last() else {
            return Err(InterconnectError::Incomplete {
                problem: "the dump has no tile".to_owned(),
            });
        };
        let most = |f: fn(&RouterPosition) -> u32| positions.iter().map(f).max().unwrap_or(0) + 1;
        let grid = Self {
            groups: last.group + 1,
            rows: most(|position| position.row),
            columns: most(|position| position.column),
        };
        let routers = grid.groups * grid.rows * grid.columns;
        // Without gaps, the positions in order are the routers in order.
        match (0..routers)
            .map(|router| grid.position(router))
            .find(|position| !positions.contains(position))
        {
            None => Ok(grid),
            Some(position) => Err(InterconnectError::Incomplete {
                problem: format!(
                    "no tile of a router at {position} is in the dump, but the others fill {} groups \
                     of {} rows and {} columns; every router must be there",
                    grid.groups, grid.rows, grid.columns
                ),
            }),
        }
    }

    const fn position(&self, router: u32) -> RouterPosition {
        let (group, position) = (
            router / (self.rows * self.columns),
            router % (self.rows * self.columns),
        );
        RouterPosition {
            group,
            row: position / self.columns,
            column: position % self.columns,
        }
    }

    const fn router(&self, position: RouterPosition) -> RouterId {
        RouterId((position.group * self.rows + position.row) * self.columns + position.column)
    }

    /// Every link once, ascending.
    pub(crate) fn links(&self, records: &Records, problems: &mut Vec<String>) -> Vec<TileLink> {
        let mut links = Vec::new();
        for record in records.values() {
            let Far::Tile(far) = record.far else {
                continue;
            };
            if let Some(problem) = check_end(records, record, far) {
                problems.push(format!("line {}: {problem}", record.line));
                continue;
            }
            let (low, high) = (self.router(record.near.position), self.router(far.position));
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
                    high_tile: far.tile,
                });
            }
        }
        links.sort_unstable();
        for two in links.windows(2).filter(|two| two[0].kind == LinkKind::Row) {
            if (two[0].kind, two[0].low, two[0].high) == (two[1].kind, two[1].low, two[1].high) {
                problems.push(format!(
                    "routers {} and {} have two green links; a row has one between each two",
                    self.position(two[0].low.0),
                    self.position(two[0].high.0)
                ));
            }
        }
        links
    }

    pub(crate) fn report(&self, records: &Records, links: &[TileLink]) -> InterconnectReport {
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
    pub(crate) fn column_links(&self, links: &[TileLink], notes: &mut Vec<String>) -> u32 {
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
    pub(crate) fn chassis_per_cabinet(&self, records: &Records, notes: &mut Vec<String>) -> u32 {
        let mut cabinets: BTreeMap<(u32, u32), BTreeSet<(u32, u32)>> = BTreeMap::new();
        for record in records.values() {
            let (name, position) = (record.near.name, record.near.position);
            let rows = cabinets.entry(name.cabinet).or_default();
            rows.insert((position.group, position.row));
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

    pub(crate) fn note_group_pairs(&self, links: &[TileLink], notes: &mut Vec<String>) {
        let mut pairs: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for link in links.iter().filter(|link| link.kind == LinkKind::Global) {
            let groups = (
                self.position(link.low.0).group,
                self.position(link.high.0).group,
            );
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

/// The problem with the far end of a record.
fn check_end(records: &Records, record: &Record, far: Tile) -> Option<String> {
    let near = record.near;
    let Some(other) = records.get(&(far.position, far.tile)) else {
        return Some(format!("{near} leads to {far}, which has no record"));
    };
    if other.near.name != far.name {
        return Some(format!(
            "{near} leads to {far}, but the router at {} is {} in line {}",
            far.position, other.near.name, other.line
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
    let (a, b) = (near.position, far.position);
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
