//! The records of one rank as operations.

use std::collections::BTreeMap;

use odonata_workload::trace::op;

use super::record::Record;
use super::types::Types;
use super::windows::Windows;
use crate::calls::{Envelope, RankCalls};
use crate::communicators::{Creation, LocalCommunicators};

const COMM_NULL: i64 = 1;
const COMM_WORLD: i64 = 2;
const COMM_SELF: i64 = 3;
/// 16 seconds short of where the 16 bits of a clock begin again, ns.
const CLOCK: u64 = 65_536 * 1_000_000_000;

/// Reads the records of one rank.
pub(super) struct Rank<'a> {
    calls: RankCalls<'a>,
    rank: u32,
    size: u32,
    types: Types,
    /// The rank's number of a communicator, by its handle.
    comms: BTreeMap<i64, u32>,
    /// Ranks of the job in a group, by its handle; `None`: not known.
    groups: BTreeMap<i64, Option<Vec<u32>>>,
    /// Sizes of grids, by the handle of their communicator.
    grids: BTreeMap<i64, Vec<u32>>,
    windows: Windows,
    /// Loss of a clock when it began again, and its last reading, ns.
    lost: u64,
    last: u64,
    records: u64,
}

impl<'a> Rank<'a> {
    pub(super) fn new(calls: RankCalls<'a>, rank: u32, size: u32, sizes: Vec<u64>) -> Self {
        let world = LocalCommunicators::WORLD;
        Self {
            calls,
            rank,
            size,
            types: Types::new(sizes),
            comms: BTreeMap::from([(COMM_WORLD, world), (COMM_SELF, LocalCommunicators::OWN)]),
            groups: BTreeMap::new(),
            grids: BTreeMap::new(),
            windows: Windows::default(),
            lost: 0,
            last: 0,
            records: 0,
        }
    }

    pub(super) fn finish(self) {
        self.calls.finish();
    }

    /// Takes the next record.
    pub(super) fn take(&mut self, record: &Record) {
        self.records += 1;
        let name = record.name;
        if name.starts_with('(') {
            return;
        }
        if record.thread != 0 {
            let location = self.location();
            self.calls
                .writer
                .omit(&format!("MPI_{name} by a second thread of a rank"), || {
                    location
                });
            return;
        }
        if let Some(interval) = record.wall.or(record.cpu) {
            let (start, end) = (self.time(interval.begin), self.time(interval.end));
            if matches!(name, "Init" | "Init_thread") {
                self.calls.begin_at(end);
            } else {
                self.calls.call(start, end);
            }
        } else {
            self.calls
                .writer
                .hint("calls without times: no computation around them");
        }
        let known = self.point_to_point(record)
            || self.completion(record)
            || self.collective(record)
            || self.communicator(record)
            || self.one_sided(record)
            || self.types.take(record);
        if known {
            return;
        }
        if is_unsupported(name) {
            let location = self.location();
            self.calls.writer.omit(&format!("MPI_{name}"), || location);
        } else {
            self.calls.writer.local(&format!("MPI_{name}"));
        }
    }

    fn location(&self) -> String {
        format!("record {} of rank {}", self.records, self.rank)
    }

    /// An instant in ps. Seconds are stored in 16 bits and begin again after 18 hours.
    const fn time(&mut self, ns: u64) -> u64 {
        if ns + CLOCK / 2 < self.last {
            self.lost += CLOCK;
        }
        self.last = ns;
        (ns + self.lost).saturating_mul(1000)
    }

    fn bytes(&mut self, count: i64, datatype: i64) -> u64 {
        let size = self.types.size(datatype);
        if size.is_none() && count > 0 {
            let words = "messages of a datatype of unknown size, taken as empty";
            self.calls.writer.hint(words);
        }
        u64::try_from(count)
            .unwrap_or(0)
            .saturating_mul(size.unwrap_or(0))
    }

    /// The rank's number of a communicator; what is not known gets one that nobody else knows.
    fn comm(&mut self, handle: i64) -> u32 {
        if let Some(&comm) = self.comms.get(&handle) {
            return comm;
        }
        let world = LocalCommunicators::WORLD;
        let comm = self.calls.communicators.make(world, Creation::Unknown);
        self.comms.insert(handle, comm);
        comm
    }

    /// Count, datatype, partner, tag and communicator from field number `at` on.
    fn envelope(&mut self, record: &Record, at: usize) -> Envelope {
        let bytes = self.bytes(record.value(at), record.value(at + 1));
        Envelope {
            bytes,
            peer: narrow(record.value(at + 2)),
            tag: narrow(record.value(at + 3)),
            comm: self.comm(record.value(at + 4)),
        }
    }

    fn point_to_point(&mut self, record: &Record) -> bool {
        let code = match record.name {
            "Send" | "Bsend" | "Rsend" => op::SEND,
            "Ssend" => op::SSEND,
            "Recv" => op::RECV,
            "Isend" | "Ibsend" | "Irsend" | "Send_init" | "Bsend_init" | "Rsend_init" => op::ISEND,
            "Issend" | "Ssend_init" => op::ISSEND,
            "Irecv" | "Recv_init" => op::IRECV,
            "Sendrecv" | "Sendrecv_replace" => {
                self.exchange(record);
                return true;
            }
            _ => return false,
        };
        let mut envelope = self.envelope(record, 0);
        let handle = record.value(5).cast_unsigned();
        if record.name.ends_with("_init") {
            self.calls.prepare(code, envelope, handle);
        } else if matches!(code, op::SEND | op::SSEND | op::RECV) {
            if code == op::RECV {
                self.settle(&mut envelope, record);
            }
            self.calls.message(code, envelope);
        } else {
            self.calls.begin(code, envelope, handle);
        }
        true
    }

    /// Message that a receive from anybody got, if its status can be believed.
    fn settle(&self, envelope: &mut Envelope, record: &Record) {
        if let Some(&(source, tag)) = self.got(record).first()
            && source >= 0
            && tag >= 0
        {
            if envelope.peer == -1 {
                envelope.peer = source;
            }
            if envelope.tag == -1 {
                envelope.tag = tag;
            }
        }
    }

    /// Source and tag of each status; (-1, -1) for what was not filled in.
    fn got(&self, record: &Record) -> Vec<(i32, i32)> {
        let is_rank = |source: i32| u32::try_from(source).is_ok_and(|rank| rank < self.size);
        let statuses = record.statuses.iter();
        statuses
            .map(|status| {
                if is_rank(status.source) {
                    (status.source, status.tag)
                } else {
                    (-1, -1)
                }
            })
            .collect()
    }

    fn exchange(&mut self, record: &Record) {
        let value = |at| record.value(at);
        let (receive_at, tag_at) = if record.name == "Sendrecv" {
            ((4, 5, 6), 7)
        } else {
            ((0, 1, 4), 5)
        };
        let comm = self.comm(value(tag_at + 1));
        let send = Envelope {
            bytes: self.bytes(value(0), value(1)),
            peer: narrow(value(2)),
            tag: narrow(value(3)),
            comm,
        };
        let mut receive = Envelope {
            bytes: self.bytes(value(receive_at.0), value(receive_at.1)),
            peer: narrow(value(receive_at.2)),
            tag: narrow(value(tag_at)),
            comm,
        };
        self.settle(&mut receive, record);
        self.calls.exchange(send, receive);
    }

    fn completion(&mut self, record: &Record) -> bool {
        let handles: Vec<u64> = match record.name {
            "Wait" | "Test" | "Start" | "Request_free" => {
                vec![record.value(0).cast_unsigned()]
            }
            "Waitany" | "Testany" | "Waitall" | "Testall" | "Waitsome" | "Testsome"
            | "Startall" => {
                let handles = record.array(0).iter();
                handles
                    .map(|&handle| i64::from(handle).cast_unsigned())
                    .collect()
            }
            _ => return false,
        };
        let got = self.got(record);
        let chosen = |index: i64| {
            let at = usize::try_from(index).ok()?;
            handles.get(at).copied()
        };
        match record.name {
            "Start" | "Startall" => handles.iter().for_each(|&handle| self.calls.start(handle)),
            "Request_free" => self.calls.forget(handles[0]),
            "Test" | "Testall" if record.value(1) == 0 => {}
            "Testany" if record.value(2) == 0 => {}
            "Waitany" | "Testany" => {
                if let Some(handle) = chosen(record.value(1)) {
                    self.calls.complete(&[handle], &got);
                }
            }
            "Waitsome" | "Testsome" => {
                let indices = record.array(1).iter();
                let done: Vec<u64> = indices.filter_map(|&at| chosen(i64::from(at))).collect();
                self.calls.complete(&done, &got);
            }
            _ => self.calls.complete(&handles, &got),
        }
        true
    }

    fn collective(&mut self, record: &Record) -> bool {
        let value = |at| record.value(at);
        let simple = match record.name {
            "Barrier" => Some((op::BARRIER, 0, 0, 0, value(0))),
            "Bcast" => Some((op::BCAST, value(2), value(0), value(1), value(3))),
            "Reduce" => Some((op::REDUCE, value(3), value(0), value(1), value(4))),
            "Allreduce" => Some((op::ALLREDUCE, 0, value(0), value(1), value(3))),
            "Scan" | "Exscan" => Some((op::SCAN, 0, value(0), value(1), value(3))),
            // What is received is right also where the program gave `MPI_IN_PLACE`.
            "Allgather" => Some((op::ALLGATHER, 0, value(2), value(3), value(4))),
            "Alltoall" => Some((op::ALLTOALL, 0, value(2), value(3), value(4))),
            "Gather" | "Scatter" => {
                let code = if record.name == "Gather" {
                    op::GATHER
                } else {
                    op::SCATTER
                };
                let is_root = value(0) == value(3);
                let at = if is_root { 5 } else { 1 };
                Some((code, value(3), value(at), value(at + 1), value(4)))
            }
            _ => None,
        };
        if let Some((code, root, count, datatype, comm)) = simple {
            let (bytes, comm) = (self.bytes(count, datatype), self.comm(comm));
            self.calls.collective(code, narrow(root), bytes, comm);
            return true;
        }
        self.uneven(record)
    }

    /// Collectives whose ranks have sizes of their own.
    fn uneven(&mut self, record: &Record) -> bool {
        let value = |at| record.value(at);
        let own = |array: &[i32]| {
            let index = usize::try_from(value(0)).ok();
            index
                .and_then(|at| array.get(at))
                .map(|&count| i64::from(count))
        };
        match record.name {
            "Gatherv" => {
                let (count, datatype) = match own(record.array(0)) {
                    Some(count) => (count, value(6)),
                    None => (value(2), value(3)),
                };
                let (bytes, comm) = (self.bytes(count, datatype), self.comm(value(5)));
                self.calls
                    .collective(op::GATHERV, narrow(value(4)), bytes, comm);
            }
            "Scatterv" => {
                let (count, datatype) = match own(record.array(0)) {
                    Some(count) => (count, value(2)),
                    None => (value(3), value(4)),
                };
                let (bytes, comm) = (self.bytes(count, datatype), self.comm(value(6)));
                self.calls
                    .collective(op::SCATTERV, narrow(value(5)), bytes, comm);
            }
            "Allgatherv" => {
                let (bytes, comm) = (self.bytes(value(1), value(2)), self.comm(value(4)));
                self.calls.collective(op::ALLGATHERV, 0, bytes, comm);
            }
            "Alltoallv" => {
                let send = self.sizes(record.array(0), |_| value(1));
                let receive = self.sizes(record.array(2), |_| value(2));
                self.alltoallv(value(3), send, receive);
            }
            "Alltoallw" => {
                let of = |array: usize| {
                    move |at: usize| record.array(array).get(at).map_or(0, |&n| i64::from(n))
                };
                let send = self.sizes(record.array(0), of(2));
                let receive = self.sizes(record.array(3), of(5));
                self.alltoallv(value(1), send, receive);
            }
            "Reduce_scatter" => {
                let blocks = self.sizes(record.array(0), |_| value(1));
                let comm = self.comm(value(3));
                let total = blocks
                    .iter()
                    .fold(0_u64, |sum, &size| sum.saturating_add(size));
                let at = self.calls.collective(op::REDUCE_SCATTER, 0, total, comm);
                self.calls.writer.set_list(at, blocks);
            }
            _ => return false,
        }
        true
    }

    fn sizes(&mut self, counts: &[i32], datatype: impl Fn(usize) -> i64) -> Vec<u64> {
        let counts = counts.iter().enumerate();
        counts
            .map(|(at, &count)| self.bytes(i64::from(count), datatype(at)))
            .collect()
    }

    fn alltoallv(&mut self, comm: i64, send: Vec<u64>, receive: Vec<u64>) {
        let comm = self.comm(comm);
        let total = send
            .iter()
            .fold(0_u64, |sum, &size| sum.saturating_add(size));
        let at = self.calls.collective(op::ALLTOALLV, 0, total, comm);
        self.calls
            .writer
            .set_list(at, send.into_iter().chain(receive));
    }

    fn communicator(&mut self, record: &Record) -> bool {
        let value = |at| record.value(at);
        if self.group(record) {
            return true;
        }
        let (parent, child, creation) = match record.name {
            "Comm_dup" => (value(0), value(1), Creation::Dup),
            "Comm_create" => {
                let group = self.groups.get(&value(1)).cloned().flatten();
                (value(0), value(2), Creation::Create(group))
            }
            "Comm_split" => {
                let creation = Creation::Split {
                    color: value(1),
                    key: value(2),
                };
                (value(0), value(3), creation)
            }
            "Cart_create" => {
                let dims = counts(record.array(0));
                let size = dims
                    .iter()
                    .fold(1_u32, |size, &dim| size.saturating_mul(dim));
                self.grids.insert(value(3), dims);
                (value(0), value(3), Creation::First(size))
            }
            "Graph_create" => {
                let size = u32::try_from(value(2)).unwrap_or(0);
                (value(1), value(4), Creation::First(size))
            }
            "Cart_sub" => {
                let dims = self.grids.get(&value(1)).cloned().unwrap_or_default();
                let remain: Vec<bool> = record.array(0).iter().map(|&stays| stays != 0).collect();
                let left = dims.iter().zip(&remain).filter(|(_, stays)| **stays);
                let left = left.map(|(&dim, _)| dim).collect();
                self.grids.insert(value(2), left);
                let creation = if dims.len() == remain.len() {
                    Creation::Sub { dims, remain }
                } else {
                    Creation::Unknown
                };
                (value(1), value(2), creation)
            }
            _ => return false,
        };
        let parent = self.comm(parent);
        let number = self.calls.communicators.make(parent, creation);
        if child != COMM_NULL {
            self.comms.insert(child, number);
        }
        let location = self.location();
        self.calls
            .writer
            .omit(&format!("MPI_{}", record.name), || location);
        true
    }

    /// Puts, gets and what completes them; of a window that is not known they are left out.
    fn one_sided(&mut self, record: &Record) -> bool {
        let value = |at| record.value(at);
        let steps = match record.name {
            "Win_create" => {
                let comm = self.comm(value(3));
                let beside = self.calls.communicators.make(comm, Creation::Dup);
                self.windows.make(value(4), comm, beside);
                self.calls.writer.local("MPI_Win_create");
                Some(Vec::new())
            }
            "Put" | "Accumulate" | "Get" => {
                let code = if record.name == "Get" {
                    op::GET
                } else {
                    op::PUT
                };
                let window = value(if record.name == "Accumulate" { 7 } else { 6 });
                let bytes = self.bytes(value(0), value(1));
                self.windows.transfer(window, code, narrow(value(2)), bytes)
            }
            "Win_fence" => self.windows.fence(value(1)).map(|comm| {
                self.calls.collective(op::FENCE, 0, 0, comm);
                Vec::new()
            }),
            "Win_lock" => {
                let words = "window locks, replayed without waiting";
                self.calls.writer.hint(words);
                Some(Vec::new())
            }
            "Win_unlock" => self.windows.unlock(value(1), narrow(value(0))),
            "Win_post" | "Win_start" => {
                let group = self.group_of(value(2), value(0));
                self.windows.synchronise(value(2), record.name, group)
            }
            "Win_complete" | "Win_wait" => self.windows.synchronise(value(0), record.name, None),
            "Win_test" if value(1) == 0 => Some(Vec::new()),
            "Win_test" => self.windows.synchronise(value(0), record.name, None),
            _ => return false,
        };
        let Some(steps) = steps else {
            return false;
        };
        for (code, envelope) in steps {
            self.calls.message(code, envelope);
        }
        true
    }

    /// Ranks of a window that a group has: known if the window is one of all ranks of the job.
    fn group_of(&self, window: i64, group: i64) -> Option<Vec<i32>> {
        let window = self.windows.get(window)?;
        if window.comm != LocalCommunicators::WORLD {
            return None;
        }
        let members = self.groups.get(&group)?.as_ref()?;
        let ranks = members.iter().map(|&rank| i32::try_from(rank).ok());
        ranks.collect()
    }

    /// Groups of ranks of the job: only those of `MPI_COMM_WORLD` can be followed.
    fn group(&mut self, record: &Record) -> bool {
        let value = |at| record.value(at);
        let base = self.groups.get(&value(0)).cloned().flatten();
        let (handle, members) = match record.name {
            "Comm_group" => {
                let is_world = value(0) == COMM_WORLD;
                (value(1), is_world.then(|| (0..self.size).collect()))
            }
            "Group_incl" => {
                let chosen = record.array(0);
                (value(2), base.and_then(|base| pick(&base, chosen)))
            }
            "Group_excl" => {
                let left_out = counts(record.array(0));
                let keep = |base: Vec<u32>| {
                    let numbered = base.iter().zip(0_u32..);
                    let kept = numbered.filter(|(_, index)| !left_out.contains(index));
                    kept.map(|(&rank, _)| rank).collect()
                };
                (value(2), base.map(keep))
            }
            "Win_get_group" => {
                let window = self.windows.get(value(0));
                let is_world = window.is_some_and(|one| one.comm == LocalCommunicators::WORLD);
                (value(1), is_world.then(|| (0..self.size).collect()))
            }
            "Group_range_incl" | "Group_range_excl" | "Group_union" | "Group_intersection"
            | "Group_difference" => (value(2), None),
            _ => return false,
        };
        self.groups.insert(handle, members);
        self.calls.writer.local(&format!("MPI_{}", record.name));
        true
    }
}

fn pick(base: &[u32], chosen: &[i32]) -> Option<Vec<u32>> {
    let one = |&index: &i32| base.get(usize::try_from(index).ok()?).copied();
    chosen.iter().map(one).collect()
}

fn counts(values: &[i32]) -> Vec<u32> {
    values
        .iter()
        .map(|&value| u32::try_from(value).unwrap_or(0))
        .collect()
}

/// A field of 32 bits as it was written.
fn narrow(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(-1)
}

/// Whether a call moves data that the internal form has no operation for.
fn is_unsupported(name: &str) -> bool {
    const OTHERS: [&str; 21] = [
        "Accumulate",
        "Get",
        "Put",
        "Win_complete",
        "Win_fence",
        "Win_post",
        "Win_start",
        "Win_test",
        "Win_unlock",
        "Win_wait",
        "Comm_spawn",
        "Comm_spawn_multiple",
        "Comm_accept",
        "Comm_connect",
        "Comm_join",
        "Intercomm_create",
        "Intercomm_merge",
        "Cancel",
        "Grequest_start",
        "Abort",
        "Pcontrol",
    ];
    name.starts_with("File_") || OTHERS.contains(&name)
}
