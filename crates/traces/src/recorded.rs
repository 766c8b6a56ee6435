//! Trace as a reader makes it, put together rank by rank.

use std::collections::BTreeMap;

use odonata_workload::trace::op;
use odonata_workload::{Column, StreamColumns, TraceTable};

use crate::communicators::{LocalCommunicators, resolve};

/// A call that is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Omission {
    /// How often.
    pub count: u64,
    /// Where the first one is.
    pub first: String,
}

/// One operation waits for a moment of another one; positions in the rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub(crate) later: u32,
    pub(crate) earlier: u32,
    pub(crate) is_start: bool,
}

/// A trace in the internal form, and what could not be taken over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// The operations of all ranks.
    pub table: TraceTable,
    /// Calls that are left out, by name.
    pub unsupported: BTreeMap<String, Omission>,
    /// How often something was assumed, by what it was.
    pub hints: BTreeMap<String, u64>,
    /// Facts that hold for all of the trace, in sentences.
    pub remarks: Vec<String>,
    /// Calls that move no data of the program, by name.
    pub local_calls: BTreeMap<String, u64>,
    /// `format` and whatever else the trace says of itself.
    pub origin: BTreeMap<String, String>,
}

/// One operation; fields that its code does not use stay as they are by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) op: u8,
    pub(crate) peer: i32,
    pub(crate) bytes: u64,
    pub(crate) tag: i32,
    /// Communicator of the rank; the writer replaces it by that of the job.
    pub(crate) comm: u32,
    pub(crate) request: u32,
    pub(crate) duration_ps: u64,
}

/// Puts a trace together: the ranks one after the other, each straight into the table.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) recorded: Recorded,
    communicators: Vec<LocalCommunicators>,
}

impl Writer {
    pub(crate) fn new(format: &str) -> Self {
        let mut writer = Self::default();
        let origin = &mut writer.recorded.origin;
        origin.insert("format".to_owned(), format.to_owned());
        writer.recorded.table.rank_offsets.push(0);
        writer
    }

    /// Appends an operation; says where it is.
    pub(crate) fn push(&mut self, entry: Entry) -> usize {
        let table = &mut self.recorded.table;
        table.op.push(entry.op);
        table.peer.push(entry.peer);
        table.bytes.push(entry.bytes);
        table.tag.push(entry.tag);
        table.comm.push(entry.comm);
        table.request.push(entry.request);
        table.duration_ps.push(entry.duration_ps);
        table.aux_begin.push(0);
        table.aux_count.push(0);
        table.op.len() - 1
    }

    fn graph(&mut self) -> &mut StreamColumns {
        self.recorded.table.streams.get_or_insert_default()
    }

    /// Appends an operation of a graph to a stream; nothing follows on its own.
    pub(crate) fn push_on(&mut self, entry: Entry, stream: u32) {
        self.push(entry);
        let graph = self.graph();
        graph.stream.push(stream);
        graph.follows.push(0);
    }

    /// Ends a rank that is a graph; its edges are in the order of their `later`.
    pub(crate) fn end_graph(&mut self, edges: &[Edge]) {
        let first = self
            .recorded
            .table
            .rank_offsets
            .last()
            .copied()
            .unwrap_or(0);
        let count = self.recorded.table.op.len() as u64 - first;
        let graph = self.graph();
        let mut rest = edges;
        for position in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            let own = rest.partition_point(|edge| edge.later <= position);
            graph.after_begin.push(graph.after.len() as u64);
            graph
                .after_count
                .push(u32::try_from(own).unwrap_or(u32::MAX));
            graph
                .after
                .extend(rest[..own].iter().map(|edge| edge.earlier));
            let starts = rest[..own].iter().map(|edge| u8::from(edge.is_start));
            graph.after_start.extend(starts);
            rest = &rest[own..];
        }
        self.end_rank(LocalCommunicators::default());
    }

    /// Gives an operation its list.
    pub(crate) fn set_list(&mut self, at: usize, list: impl IntoIterator<Item = u64>) {
        let table = &mut self.recorded.table;
        let begin = table.aux.len();
        table.aux.extend(list);
        let count = u32::try_from(table.aux.len() - begin).unwrap_or(u32::MAX);
        table.aux_begin.set(at, begin as u64);
        table.aux_count.set(at, count);
    }

    /// Appends a computation, or lengthens the one just before.
    pub(crate) fn compute(&mut self, duration_ps: u64) {
        if duration_ps == 0 {
            return;
        }
        let table = &mut self.recorded.table;
        let begin = table.rank_offsets.last().copied().unwrap_or(0);
        let is_first = table.op.len() as u64 == begin;
        if !is_first && table.op.last() == Some(op::COMPUTE) {
            let last = table.op.len() - 1;
            let whole = table.duration_ps.get(last).saturating_add(duration_ps);
            table.duration_ps.set(last, whole);
        } else {
            self.push(Entry {
                op: op::COMPUTE,
                duration_ps,
                ..Entry::default()
            });
        }
    }

    /// Appends a wait for some requests.
    pub(crate) fn wait(&mut self, requests: &[u32]) {
        match requests {
            [] => {}
            [request] => {
                self.push(Entry {
                    op: op::WAIT,
                    request: *request,
                    ..Entry::default()
                });
            }
            several => {
                let at = self.push(Entry {
                    op: op::WAITALL,
                    ..Entry::default()
                });
                self.set_list(at, several.iter().map(|&request| u64::from(request)));
            }
        }
    }

    /// Counts what is left out; `location` says where it is.
    pub(crate) fn omit(&mut self, name: &str, location: impl FnOnce() -> String) {
        if let Some(omission) = self.recorded.unsupported.get_mut(name) {
            omission.count += 1;
            return;
        }
        let omission = Omission {
            count: 1,
            first: location(),
        };
        self.recorded.unsupported.insert(name.to_owned(), omission);
    }

    /// Counts something that was assumed.
    pub(crate) fn hint(&mut self, words: &str) {
        count(&mut self.recorded.hints, words);
    }

    /// Says what holds for all of the trace.
    pub(crate) fn remark(&mut self, words: &str) {
        self.recorded.remarks.push(words.to_owned());
    }

    /// Counts a call that moves no data.
    pub(crate) fn local(&mut self, name: &str) {
        count(&mut self.recorded.local_calls, name);
    }

    /// Ends the rank; its operations name communicators by their index in `communicators`.
    pub(crate) fn end_rank(&mut self, communicators: LocalCommunicators) {
        self.communicators.push(communicators);
        let end = self.recorded.table.op.len() as u64;
        self.recorded.table.rank_offsets.push(end);
    }

    /// The whole trace, with the communicators of the job.
    pub(crate) fn finish(mut self) -> Recorded {
        let resolved = resolve(&self.communicators);
        let table = &mut self.recorded.table;
        let (mut ops, mut comms) = (Column::default(), Column::default());
        let mut used = vec![false; resolved.members.len()];
        used[0] = true;
        let mut lost = 0;
        for (rank, names) in resolved.names.iter().enumerate() {
            let range = range(table, rank);
            for (code, own) in table.op.range(range.clone()).zip(table.comm.range(range)) {
                if !uses_communicator(code) {
                    ops.push(code);
                    comms.push(0);
                    continue;
                }
                let comm = names.get(own as usize).copied().flatten();
                let members = comm.map_or(0, |comm| resolved.members[comm as usize].len());
                lost += u64::from(comm.is_none());
                let is_alone = op::is_collective(code) && members == 1;
                match comm.filter(|_| !is_alone) {
                    Some(comm) => {
                        used[comm as usize] = true;
                        ops.push(code);
                        comms.push(comm);
                    }
                    None => {
                        ops.push(op::NOTHING);
                        comms.push(0);
                    }
                }
            }
        }
        table.op = ops;
        table.comm = comms;
        keep_used(table, &resolved.members, &used);
        if table.streams.is_none() {
            table.drop_nothing();
        }
        table.close();
        if lost > 0 {
            let omission = Omission {
                count: lost,
                first: "communicators of unknown members".to_owned(),
            };
            let name = "operation on a communicator of unknown members".to_owned();
            self.recorded.unsupported.insert(name, omission);
        }
        self.recorded
    }
}

/// Whether the communicator of an operation means anything.
const fn uses_communicator(code: u8) -> bool {
    op::is_message(code) || op::is_collective(code) || op::is_one_sided(code)
}

fn count(map: &mut BTreeMap<String, u64>, name: &str) {
    if let Some(count) = map.get_mut(name) {
        *count += 1;
    } else {
        map.insert(name.to_owned(), 1);
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a table in memory has usize entries"
)]
fn range(table: &TraceTable, rank: usize) -> std::ops::Range<usize> {
    table.rank_offsets[rank] as usize..table.rank_offsets[rank + 1] as usize
}

/// Numbers the communicators that an operation uses; number 0 stays the whole job.
fn keep_used(table: &mut TraceTable, members: &[Vec<u32>], used: &[bool]) {
    let mut numbers = vec![0; members.len()];
    table.comm_offsets.push(0);
    let all = numbers.iter_mut().zip(members).zip(used);
    for ((number, members), _) in all.filter(|(_, used)| **used) {
        *number = u32::try_from(table.comm_offsets.len() - 1).unwrap_or(u32::MAX);
        table.comm_members.extend(members);
        table.comm_offsets.push(table.comm_members.len() as u64);
    }
    if used.iter().any(|used| !used) {
        table.comm = table
            .comm
            .iter()
            .map(|comm| numbers[comm as usize])
            .collect();
    }
}
