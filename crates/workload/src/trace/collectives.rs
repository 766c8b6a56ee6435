//! Whether the members of a communicator call the same collectives.

use std::collections::BTreeMap;

use super::column::Column;
use super::op;
use super::table::TraceTable;

/// Call on which the members of a communicator must agree in one collective.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Call {
    pub(super) code: u8,
    /// -1: has none.
    pub(super) root: i32,
    /// `None`: every rank has its own.
    pub(super) bytes: Option<u64>,
    blocks: Vec<u64>,
}

impl Call {
    fn of(table: &TraceTable, at: usize) -> Self {
        let code = table.op.get(at);
        let blocks = match op::blocking(code) {
            op::REDUCE_SCATTER => table.list(at),
            _ => Vec::new(),
        };
        let is_uniform = blocks.is_empty() && op::has_one_size(code);
        Self {
            code,
            root: if op::is_rooted(code) {
                table.peer.get(at)
            } else {
                -1
            },
            bytes: is_uniform.then(|| table.bytes.get(at)),
            blocks,
        }
    }

    /// The collective in words.
    pub(super) fn describe(&self) -> String {
        let name = op::name(self.code).unwrap_or("unknown");
        let size = match self.bytes {
            Some(bytes) => format!(" of {bytes} B"),
            None if self.blocks.is_empty() => String::new(),
            None => {
                let whole = self
                    .blocks
                    .iter()
                    .fold(0, |sum: u64, &b| sum.saturating_add(b));
                format!(" of {whole} B in all")
            }
        };
        match self.root {
            -1 => format!("{name}{size}"),
            root => format!("{name}{size}, root {root}"),
        }
    }
}

/// Two members of a communicator that do not call the same.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) comm: u32,
    /// Among the collectives of the communicator.
    pub(super) number: u64,
    /// Rank, its call if there is one, and how many it has.
    pub(super) first: (u32, Option<Call>, u64),
    pub(super) second: (u32, Option<Call>, u64),
}

/// Collectives of a rank: communicator and row, by communicator, in the order of issue.
fn calls(table: &TraceTable, rank: u32) -> Vec<(u32, u64)> {
    let own = table.collectives(rank).into_iter();
    let mut found: Vec<(u32, u64)> = own.map(|at| (table.comm.get(at), at as u64)).collect();
    found.sort_by_key(|&(comm, _)| comm);
    found
}

fn call(table: &TraceTable, at: u64) -> Call {
    Call::of(table, usize::try_from(at).unwrap_or(usize::MAX))
}

/// Compares the collectives of each communicator's members with those of its first one: the first
/// difference of each communicator. Memory is that of the calls of one rank, and few bytes for each
/// call of first members.
pub(super) fn differences(table: &TraceTable) -> Vec<Difference> {
    let mut firsts: BTreeMap<u32, (u32, Column<u64>)> = BTreeMap::new();
    let mut comms_of = vec![Vec::new(); table.rank_count() as usize];
    for comm in 0..table.communicator_count() {
        let members = table.members(comm);
        let Some((&first, others)) = members.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            continue;
        };
        firsts.insert(comm, (first, Column::default()));
        for (position, &member) in (1_u32..).zip(others) {
            comms_of[member as usize].push((comm, position));
        }
    }
    let mut leads: Vec<u32> = firsts.values().map(|(first, _)| *first).collect();
    leads.sort_unstable();
    leads.dedup();
    for rank in leads {
        for (comm, at) in calls(table, rank) {
            if let Some((_, positions)) = firsts.get_mut(&comm).filter(|(first, _)| *first == rank)
            {
                positions.push(at);
            }
        }
    }
    firsts
        .values_mut()
        .for_each(|(_, positions)| positions.close());
    let mut found: BTreeMap<u32, (u32, Difference)> = BTreeMap::new();
    for (rank, comms) in (0..).zip(&comms_of) {
        if comms.is_empty() {
            continue;
        }
        let own = calls(table, rank);
        for &(comm, position) in comms {
            let begin = own.partition_point(|&(other, _)| other < comm);
            let end = own.partition_point(|&(other, _)| other <= comm);
            let Some((first, positions)) = firsts.get(&comm) else {
                continue;
            };
            if found.get(&comm).is_some_and(|(known, _)| *known < position) {
                continue;
            }
            if let Some(number) = first_difference(table, positions, &own[begin..end]) {
                let count = end - begin;
                let of = |at: Option<u64>| at.map(|at| call(table, at));
                let theirs = (number < positions.len()).then(|| positions.get(number));
                let ours = own[begin..end].get(number).map(|&(_, at)| at);
                let difference = Difference {
                    comm,
                    number: number as u64,
                    first: (*first, of(theirs), positions.len() as u64),
                    second: (rank, of(ours), count as u64),
                };
                found.insert(comm, (position, difference));
            }
        }
    }
    found
        .into_values()
        .map(|(_, difference)| difference)
        .collect()
}

fn first_difference(table: &TraceTable, first: &Column<u64>, own: &[(u32, u64)]) -> Option<usize> {
    let pairs = first.iter().zip(own);
    let differs =
        |(theirs, (_, ours)): (u64, &(u32, u64))| call(table, theirs) != call(table, *ours);
    let shortest = first.len().min(own.len());
    let found = pairs.map(differs).position(|differs| differs);
    found.or_else(|| (first.len() != own.len()).then_some(shortest))
}
