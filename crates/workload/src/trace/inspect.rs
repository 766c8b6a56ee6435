//! Contents of a trace, and all that would keep it from being replayed, in sentences.

use serde_json::{Map, Value, json};

use super::collectives::{Call, Difference, differences};
use super::messages::{Faults, Unmatched, faults};
use super::op;
use super::table::TraceTable;

/// Problems of one kind that are spelled out; the others are counted.
const SHOWN: usize = 5;

impl TraceTable {
    /// Counts operations, messages and bytes: what `odonata trace info` says.
    #[must_use]
    pub fn facts(&self) -> Value {
        facts(self)
    }

    /// One sentence for each kind of what would keep the trace from being replayed: references to
    /// nothing, messages without a partner, receives that are too small, collectives that differ
    /// among the members of a communicator.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        if let Err(problem) = self.shape() {
            return vec![problem.to_string()];
        }
        let mut problems = bad_references(self);
        if !problems.is_empty() {
            return problems;
        }
        messages(&faults(self, false), &mut problems);
        if self.streams.is_none() {
            problems.extend(differences(self).iter().map(difference));
        } else if problems.is_empty() {
            // Only the replay knows in which order the operations of a graph may start.
            problems.extend(self.check().err().map(|problem| problem.to_string()));
        }
        problems
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "times in ns, to be read by people"
)]
fn facts(table: &TraceTable) -> Value {
    let mut counts = [0_u64; 256];
    let (mut messages, mut collectives) = ([0_u64; 2], 0_u64);
    let (mut longest, mut total, mut iterations) = (0_u64, 0_u128, 0_u64);
    let mut streams = 0;
    for rank in 0..table.rank_count() {
        let (mut duration, mut begins) = (0_u64, 0);
        for at in table.operations(rank) {
            let code = table.op.get(at);
            counts[usize::from(code)] += 1;
            if op::is_send(code) {
                let bytes = messages[1].wrapping_add(table.bytes.get(at));
                messages = [messages[0] + 1, bytes];
            } else if op::is_collective(code) {
                collectives = collectives.wrapping_add(table.bytes.get(at));
            }
            begins += u64::from(code == op::ITERATION_BEGIN);
            duration = duration.wrapping_add(table.duration_ps.get(at));
        }
        longest = longest.max(duration);
        total += u128::from(duration);
        iterations = iterations.max(begins);
        if let Some(columns) = &table.streams {
            let mut own: Vec<u32> = Vec::new();
            for stream in columns.stream.range(table.operations(rank)) {
                if let Err(position) = own.binary_search(&stream) {
                    own.insert(position, stream);
                }
            }
            streams = streams.max(own.len());
        }
    }
    let kinds: Map<String, Value> = (0..=u8::MAX)
        .filter(|&code| counts[usize::from(code)] > 0)
        .filter_map(|code| {
            let name = op::name(code)?.replace(' ', "_");
            Some((name, Value::from(counts[usize::from(code)])))
        })
        .collect();
    let sizes: Vec<usize> = (0..table.communicator_count())
        .map(|comm| table.members(comm).len())
        .collect();
    let ranks = table.rank_count();
    let mut facts = json!({
        "ranks": ranks,
        "operations": table.op.len(),
        "operations_by_kind": kinds,
        "messages": messages[0],
        "message_bytes": messages[1],
        "collective_bytes": collectives,
        "compute_ns_max": longest as f64 / 1000.0,
        "compute_ns_mean": total as f64 / f64::from(ranks.max(1)) / 1000.0,
        "communicators": sizes,
        "iterations": iterations,
    });
    if let Some(columns) = &table.streams {
        facts["streams"] = Value::from(streams);
        facts["edges"] = Value::from(columns.after.len());
    }
    facts
}

/// Operations that name a communicator or a rank that does not exist.
fn bad_references(table: &TraceTable) -> Vec<String> {
    let known = table.communicator_count();
    let (mut strays, mut largest, mut outside, mut first) = (0_u64, 0, 0_u64, None);
    for (at, code) in table.op.iter().enumerate() {
        if !op::is_message(code) && !op::is_collective(code) {
            continue;
        }
        let comm = table.comm.get(at);
        if comm >= known {
            strays += 1;
            largest = largest.max(comm);
            continue;
        }
        if !op::is_message(code) && !op::is_rooted(code) {
            continue;
        }
        let (peer, size) = (table.peer.get(at), table.members(comm).len());
        let is_wild = matches!(code, op::RECV | op::IRECV) && peer == -1;
        if !is_wild && usize::try_from(peer).is_ok_and(|peer| peer < size) {
            continue;
        }
        if !is_wild {
            outside += 1;
            first = first.or(Some((code, peer, size)));
        }
    }
    let mut problems = Vec::new();
    if strays > 0 {
        problems.push(format!(
            "{strays} operations name a communicator that the trace does not have (largest: \
             {largest}, known: 0 to {})",
            i64::from(known) - 1
        ));
    }
    if let Some((code, peer, size)) = first {
        let name = word(code);
        problems.push(format!(
            "{outside} operations name a rank outside of their communicator (first: {name} with \
             rank {peer} of {size})"
        ));
    }
    problems
}

/// The name of an operation, as Python has it.
fn word(code: u8) -> String {
    op::name(code).unwrap_or("unknown").replace(' ', "_")
}

fn messages(faults: &Faults, into: &mut Vec<String>) {
    for (is_receive, done, missing) in [(false, "sent", "received"), (true, "received", "sent")] {
        let own = faults.unmatched.iter();
        let own: Vec<&Unmatched> = own.filter(|one| one.is_receive == is_receive).collect();
        for one in own.iter().take(SHOWN) {
            let (noun, verb) = match one.count {
                1 => ("1 message".to_owned(), "is"),
                count => (format!("{count} messages"), "are"),
            };
            let channel = one.channel;
            let origin = match channel.source {
                -1 => "any rank".to_owned(),
                source => format!("rank {source}"),
            };
            let mark = match channel.tag {
                -1 => "any tag".to_owned(),
                tag => format!("tag {tag}"),
            };
            into.push(format!(
                "{noun} from {origin} to rank {} with {mark} on communicator {} {verb} {done} but \
                 never {missing}",
                channel.target, channel.comm
            ));
        }
        let rest: u64 = own.iter().skip(SHOWN).map(|one| one.count).sum();
        if rest > 0 {
            let noun = if rest == 1 {
                "message is"
            } else {
                "messages are"
            };
            into.push(format!("{rest} more {noun} {done} but never {missing}"));
        }
    }
    if let Some(small) = &faults.small {
        let (channel, _, size) = small.first;
        into.push(format!(
            "{} receives are smaller than their message (first: {size} bytes from rank {} to rank \
             {} with tag {} on communicator {})",
            small.count, channel.source, channel.target, channel.tag, channel.comm
        ));
    }
}

fn difference(found: &Difference) -> String {
    let Difference {
        comm,
        number,
        first: (first_rank, first, first_count),
        second: (second_rank, second, second_count),
    } = found;
    match (first, second) {
        (Some(first), Some(second)) => format!(
            "collective {number} on communicator {comm} is {} on rank {first_rank} but {} on rank \
             {second_rank}",
            call(first),
            call(second)
        ),
        _ => format!(
            "rank {first_rank} calls {first_count} collectives on communicator {comm} but rank \
             {second_rank} calls {second_count}"
        ),
    }
}

fn call(call: &Call) -> String {
    let size = call
        .bytes
        .map_or_else(String::new, |bytes| format!(" of {bytes} bytes"));
    let root = match call.root {
        -1 => String::new(),
        root => format!(" (root {root})"),
    };
    format!("{}{size}{root}", word(call.code))
}
