//! Whether a trace can be replayed.

use std::collections::BTreeMap;

use super::table::TraceTable;
use super::{graph, op};
use crate::error::TraceError;

impl TraceTable {
    /// Looks for what keeps the trace from being replayed: columns that do not fit together,
    /// impossible operations, messages without partner, ranks that disagree on collectives.
    ///
    /// Cost O(operations log operations).
    ///
    /// # Errors
    /// The first problem found.
    pub fn check(&self) -> Result<(), TraceError> {
        check(self)
    }
}

fn check(table: &TraceTable) -> Result<(), TraceError> {
    shape(table)?;
    let positions = table.positions();
    for (rank, own) in (0..).zip(&positions) {
        for (index, at) in (0..).zip(table.operations(rank)) {
            operation(table, own, at).map_err(|problem| TraceError::Operation {
                rank,
                index,
                operation: op::name(table.op[at]).unwrap_or("unknown"),
                problem,
            })?;
        }
    }
    for rank in 0..table.rank_count() {
        graph::of_rank(table, rank)?;
    }
    collectives(table)?;
    messages(table, &positions)
}

fn shape(table: &TraceTable) -> Result<(), TraceError> {
    let fault = |problem: String| Err(TraceError::Shape { problem });
    let operations = table.op.len();
    let lengths = [
        ("peer", table.peer.len()),
        ("bytes", table.bytes.len()),
        ("tag", table.tag.len()),
        ("comm", table.comm.len()),
        ("request", table.request.len()),
        ("duration_ps", table.duration_ps.len()),
        ("aux_begin", table.aux_begin.len()),
        ("aux_count", table.aux_count.len()),
    ];
    if let Some((name, length)) = lengths
        .into_iter()
        .find(|(_, length)| *length != operations)
    {
        return fault(format!(
            "column `op` has {operations} entries, `{name}` has {length}"
        ));
    }
    let bounds = [
        ("rank_offsets", &table.rank_offsets, operations),
        (
            "comm_offsets",
            &table.comm_offsets,
            table.comm_members.len(),
        ),
    ];
    for (name, offsets, end) in bounds {
        let rises = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        if !rises || offsets.first() != Some(&0) || offsets.last() != Some(&(end as u64)) {
            return fault(format!("`{name}` does not rise from 0 to {end}"));
        }
    }
    for (at, (&begin, &count)) in table.aux_begin.iter().zip(&table.aux_count).enumerate() {
        let end = begin.checked_add(u64::from(count));
        if count > 0 && end.is_none_or(|end| end > table.aux.len() as u64) {
            return fault(format!("the list of operation {at} ends behind `aux`"));
        }
    }
    graph::shape(table).or_else(fault)?;
    if table.communicator_count() >= 1 << 22 {
        return fault("there are more than 4194303 communicators".to_owned());
    }
    let ranks = table.rank_count();
    if table.communicator_count() > 0 && !(0..ranks).eq(table.members(0).iter().copied()) {
        return fault(format!(
            "communicator 0 must have all {ranks} ranks, in order"
        ));
    }
    for comm in 0..table.communicator_count() {
        let mut members = table.members(comm).to_vec();
        members.sort_unstable();
        let twice = members.windows(2).find(|pair| pair[0] == pair[1]);
        if let Some(&member) = members.last().filter(|&&member| member >= ranks) {
            return fault(format!(
                "communicator {comm} has member {member}, but there are {ranks} ranks"
            ));
        }
        if let Some(pair) = twice {
            return fault(format!("communicator {comm} has member {} twice", pair[0]));
        }
    }
    Ok(())
}

/// What is wrong with one operation, in words.
fn operation(table: &TraceTable, own: &BTreeMap<u32, u32>, at: usize) -> Result<(), String> {
    let code = table.op[at];
    if op::name(code).is_none() {
        return Err(format!(
            "has code {code}, but codes go from 0 to {}, and from {} for nonblocking collectives",
            op::FENCE,
            op::NONBLOCKING + op::BARRIER
        ));
    }
    if op::waits_for_list(code) {
        let wrong = table
            .list(at)
            .iter()
            .find(|&&name| name > u64::from(u32::MAX));
        return wrong.map_or(Ok(()), |name| Err(format!("waits for request {name}")));
    }
    let is_message = op::is_message(code);
    let is_one_sided = op::is_one_sided(code);
    if !is_message && !is_one_sided && !op::is_collective(code) {
        return Ok(());
    }
    let comm = table.comm[at];
    if !own.contains_key(&comm) {
        let count = table.communicator_count();
        return Err(if comm < count {
            format!("uses communicator {comm}, of which the rank is no member")
        } else {
            format!("uses communicator {comm}, but there are {count}")
        });
    }
    let size = table.members(comm).len();
    let (peer, tag) = (table.peer[at], table.tag[at]);
    let peer_is_there = usize::try_from(peer).is_ok_and(|rank| rank < size);
    let may_be_any = matches!(code, op::RECV | op::IRECV | op::FLUSH);
    let named = is_message || is_one_sided || op::is_rooted(code);
    if named && !peer_is_there && !(may_be_any && peer == -1) {
        let role = if is_message || is_one_sided {
            "partner"
        } else {
            "root"
        };
        return Err(format!(
            "has {role} {peer}, but communicator {comm} has {size} ranks"
        ));
    }
    if is_message && tag < 0 && !(may_be_any && tag == -1) {
        return Err(format!("has tag {tag}; a tag is at least 0"));
    }
    let count = table.aux_count[at] as usize;
    let fits = match op::blocking(code) {
        op::ALLTOALLV => [0, size, 2 * size].contains(&count),
        op::REDUCE_SCATTER => [0, size].contains(&count),
        _ => true,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("has {count} sizes among {size} ranks"))
    }
}

/// What the members of a communicator must agree on in one collective.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Call<'a> {
    code: u8,
    /// -1: has none.
    root: i32,
    /// `None`: every rank has its own.
    bytes: Option<u64>,
    blocks: &'a [u64],
}

impl<'a> Call<'a> {
    fn of(table: &'a TraceTable, at: usize) -> Self {
        let code = table.op[at];
        let blocks = match op::blocking(code) {
            op::REDUCE_SCATTER => table.list(at),
            _ => &[],
        };
        let is_uniform = blocks.is_empty() && op::has_one_size(code);
        Self {
            code,
            root: if op::is_rooted(code) {
                table.peer[at]
            } else {
                -1
            },
            bytes: is_uniform.then(|| table.bytes[at]),
            blocks,
        }
    }

    fn describe(&self) -> String {
        let name = op::name(self.code).unwrap_or("unknown");
        let size = match self.bytes {
            Some(bytes) => format!(" of {bytes} B"),
            None if self.blocks.is_empty() => String::new(),
            None => format!(" of {} B in all", self.blocks.iter().sum::<u64>()),
        };
        match self.root {
            -1 => format!("{name}{size}"),
            root => format!("{name}{size}, root {root}"),
        }
    }
}

/// Compares the collectives of each communicator's members with those of its first one.
fn collectives(table: &TraceTable) -> Result<(), TraceError> {
    let mut of: BTreeMap<(u32, u32), Vec<Call<'_>>> = BTreeMap::new();
    for rank in 0..table.rank_count() {
        for at in table.operations(rank) {
            if op::is_collective(table.op[at]) {
                of.entry((table.comm[at], rank))
                    .or_default()
                    .push(Call::of(table, at));
            }
        }
    }
    // Operations of a graph may start in another order than that of the table.
    if (0..table.rank_count()).any(|rank| !graph::is_sequence(table, rank)) {
        of.values_mut().for_each(|calls| calls.sort_unstable());
    }
    let none = Vec::new();
    for comm in 0..table.communicator_count() {
        let members = table.members(comm);
        let Some(&first_rank) = members.first() else {
            continue;
        };
        let first = of.get(&(comm, first_rank)).unwrap_or(&none);
        for &second_rank in &members[1..] {
            let second = of.get(&(comm, second_rank)).unwrap_or(&none);
            let longest = first.len().max(second.len());
            if let Some(at) = (0..longest).find(|&at| first.get(at) != second.get(at)) {
                return Err(TraceError::Collective {
                    comm,
                    number: at as u64,
                    first: describe(first.get(at)),
                    first_rank,
                    second: describe(second.get(at)),
                    second_rank,
                });
            }
        }
    }
    Ok(())
}

fn describe(call: Option<&Call<'_>>) -> String {
    call.map_or_else(|| "missing".to_owned(), Call::describe)
}

/// The messages into one rank within one communicator, by (sender, tag); -1 is any.
#[derive(Default)]
struct Inbox {
    sends: BTreeMap<(i32, i32), u64>,
    receives: BTreeMap<(i32, i32), u64>,
}

/// Pairs sends and receives by number: exact ones first, then those with wildcards.
fn messages(table: &TraceTable, positions: &[BTreeMap<u32, u32>]) -> Result<(), TraceError> {
    let mut inboxes: BTreeMap<(u32, u32), Inbox> = BTreeMap::new();
    for (rank, own) in (0..).zip(positions) {
        for at in table.operations(rank) {
            let code = table.op[at];
            if !op::is_message(code) {
                continue;
            }
            let (comm, peer, tag) = (table.comm[at], table.peer[at], table.tag[at]);
            let members = table.members(comm);
            if op::is_send(code) {
                let target = usize::try_from(peer).map_or(rank, |peer| members[peer]);
                let source = own
                    .get(&comm)
                    .and_then(|&at| i32::try_from(at).ok())
                    .unwrap_or(-1);
                let inbox = inboxes.entry((comm, target)).or_default();
                *inbox.sends.entry((source, tag)).or_default() += 1;
            } else {
                let inbox = inboxes.entry((comm, rank)).or_default();
                *inbox.receives.entry((peer, tag)).or_default() += 1;
            }
        }
    }
    for ((comm, rank), mut inbox) in inboxes {
        inbox.pair();
        inbox.report(table, comm, rank)?;
    }
    Ok(())
}

impl Inbox {
    fn pair(&mut self) {
        for (source_any, tag_any) in [(false, false), (false, true), (true, false), (true, true)] {
            let kind = |(source, tag): &(i32, i32)| (*source == -1, *tag == -1);
            for (&(source, tag), left) in &mut self.receives {
                if kind(&(source, tag)) != (source_any, tag_any) {
                    continue;
                }
                if !source_any && !tag_any {
                    if let Some(count) = self.sends.get_mut(&(source, tag)) {
                        let paired = (*count).min(*left);
                        *count -= paired;
                        *left -= paired;
                    }
                    continue;
                }
                let fits = |&(from, with): &(i32, i32)| {
                    (source_any || from == source) && (tag_any || with == tag)
                };
                for (_, count) in self.sends.iter_mut().filter(|(key, _)| fits(key)) {
                    let paired = (*count).min(*left);
                    *count -= paired;
                    *left -= paired;
                }
            }
        }
    }

    fn report(&self, table: &TraceTable, comm: u32, rank: u32) -> Result<(), TraceError> {
        let members = table.members(comm);
        let job_rank = |peer: i32| usize::try_from(peer).ok().and_then(|at| members.get(at));
        let words = |value: i32| {
            if value < 0 {
                "any".to_owned()
            } else {
                value.to_string()
            }
        };
        if let Some((&(source, tag), &count)) = self.sends.iter().find(|(_, count)| **count > 0) {
            return Err(TraceError::Unmatched {
                count,
                what: "sends",
                rank: job_rank(source).copied().unwrap_or(rank),
                direction: "to",
                peer: rank.to_string(),
                tag: words(tag),
                comm,
            });
        }
        let open = self.receives.iter().find(|(_, count)| **count > 0);
        let Some((&(source, tag), &count)) = open else {
            return Ok(());
        };
        Err(TraceError::Unmatched {
            count,
            what: "receives",
            rank,
            direction: "from",
            peer: job_rank(source).map_or_else(|| "any".to_owned(), u32::to_string),
            tag: words(tag),
            comm,
        })
    }
}
