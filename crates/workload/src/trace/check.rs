//! Whether a trace can be replayed.

use std::collections::BTreeMap;

use super::collectives::{Call, differences};
use super::messages::{Channel, faults};
use super::table::TraceTable;
use super::{graph, op, order};
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

    /// Whether the columns fit together.
    ///
    /// # Errors
    /// What does not.
    pub fn shape(&self) -> Result<(), TraceError> {
        shape(self)
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
                operation: op::name(table.op.get(at)).unwrap_or("unknown"),
                problem,
            })?;
        }
    }
    for rank in 0..table.rank_count() {
        if let Some(graph) = graph::of_rank(table, rank)? {
            order::check(table, rank, &graph)?;
        }
    }
    collectives(table)?;
    messages(table)
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
            return fault(format!("`{name}` does not increase from 0 to {end}"));
        }
    }
    for (at, (begin, count)) in table
        .aux_begin
        .iter()
        .zip(table.aux_count.iter())
        .enumerate()
    {
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

/// The problem with one operation, in words.
fn operation(table: &TraceTable, own: &BTreeMap<u32, u32>, at: usize) -> Result<(), String> {
    let code = table.op.get(at);
    if op::name(code).is_none() {
        return Err(format!(
            "has code {code}, but codes go from 0 to {}, and from {} for nonblocking collectives",
            op::FENCE,
            op::NONBLOCKING + op::BARRIER
        ));
    }
    if op::waits_for_list(code) {
        let mut list = table.list(at).into_iter();
        let wrong = list.find(|&name| name > u64::from(u32::MAX));
        return wrong.map_or(Ok(()), |name| Err(format!("waits for request {name}")));
    }
    let is_message = op::is_message(code);
    let is_one_sided = op::is_one_sided(code);
    if !is_message && !is_one_sided && !op::is_collective(code) {
        return Ok(());
    }
    let comm = table.comm.get(at);
    if !own.contains_key(&comm) {
        let count = table.communicator_count();
        return Err(if comm < count {
            format!("uses communicator {comm}, but the rank is not a member of it")
        } else {
            format!("uses communicator {comm}, but there are {count}")
        });
    }
    let size = table.members(comm).len();
    let (peer, tag) = (table.peer.get(at), table.tag.get(at));
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
    let count = table.aux_count.get(at) as usize;
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

/// Reports the first difference between the collectives of two ranks.
fn collectives(table: &TraceTable) -> Result<(), TraceError> {
    let Some(found) = differences(table).into_iter().next() else {
        return Ok(());
    };
    let describe =
        |call: Option<Call>| call.map_or_else(|| "missing".to_owned(), |call| call.describe());
    Err(TraceError::Collective {
        comm: found.comm,
        number: found.number,
        first: describe(found.first.1),
        first_rank: found.first.0,
        second: describe(found.second.1),
        second_rank: found.second.0,
    })
}

/// Reports messages without partner.
fn messages(table: &TraceTable) -> Result<(), TraceError> {
    let Some(found) = faults(table, true).unmatched.into_iter().next() else {
        return Ok(());
    };
    let Channel {
        comm,
        source,
        target,
        tag,
    } = found.channel;
    let words = |value: i32| {
        if value < 0 {
            "any".to_owned()
        } else {
            value.to_string()
        }
    };
    Err(if found.is_receive {
        TraceError::Unmatched {
            count: found.count,
            what: "receives",
            rank: target,
            direction: "from",
            peer: words(source),
            tag: words(tag),
            comm,
        }
    } else {
        TraceError::Unmatched {
            count: found.count,
            what: "sends",
            rank: source.cast_unsigned(),
            direction: "to",
            peer: target.to_string(),
            tag: words(tag),
            comm,
        }
    })
}
