//! liballprof (`htor's PMPI Tracer`, `collprof`): one text per rank, one call per line.
//!
//! A line is the name of the call, when it began, its arguments in the order of the C binding, and
//! when it ended, separated by colons; times are microseconds. A datatype is `handle,size,extent`,
//! a communicator `handle,rank,size`, counts of a collective `pointer:count,count,...`; requests
//! are the addresses of their handles. Source: LogGOPSim, `src/liballprof/gencode.py`.

use std::collections::{BTreeMap, VecDeque};
use std::io::BufRead;

use odonata_workload::trace::op;

use crate::calls::{Envelope, RankCalls};
use crate::communicators::{Creation, LocalCommunicators};
use crate::fault::ReadError;
use crate::recorded::{Recorded, Writer};
use crate::text::{BadLine, Lines, count, shown};

/// `MPI_COMM_WORLD` of MPICH and what comes from it, such as the library of Cray.
const MPICH_WORLD: u64 = 0x4400_0000;
/// `MPI_ANY_SOURCE` of MPICH; for Open MPI this is `MPI_PROC_NULL`, and -1 the other way round.
const MPICH_ANY: i32 = -2;

/// Reads a trace: one file per rank, in the order of the ranks.
///
/// # Errors
/// If a file is not of this format or damaged.
pub fn read<R: BufRead, E: std::fmt::Display>(
    files: u32,
    mut open: impl FnMut(u32) -> Result<(String, R), E>,
) -> Result<Recorded, ReadError> {
    let mut writer = Writer::new("liballprof");
    for rank in 0..files {
        let (name, content) = open(rank).map_err(|error| {
            ReadError::new(format!("the file of rank {rank}"), error.to_string())
        })?;
        AllprofRank::new(&mut writer, rank, files)
            .read(content)
            .map_err(|bad| {
                let words = format!("{bad}; the trace is truncated or damaged: copy it again");
                ReadError::new(name, words)
            })?;
    }
    Ok(writer.finish())
}

/// The colon-separated words of a line.
struct TracedCall<'a> {
    words: Vec<&'a str>,
}

impl TracedCall<'_> {
    /// Argument `at`, from 0.
    fn word(&self, at: usize) -> Result<&str, String> {
        // The name and the time are in front, another time behind.
        let inner = self.words.len().saturating_sub(3);
        if at >= inner {
            return Err(format!("argument {} is missing", at + 1));
        }
        Ok(self.words[at + 2])
    }

    fn integer(&self, at: usize) -> Result<i64, String> {
        let word = self.word(at)?;
        word.parse()
            .map_err(|_| format!("argument {} is {}, no number", at + 1, shown(word)))
    }

    fn small(&self, at: usize) -> Result<i32, String> {
        Ok(i32::try_from(self.integer(at)?).unwrap_or(i32::MAX))
    }

    fn handle(&self, at: usize) -> Result<u64, String> {
        let word = self.word(at)?;
        count(word).ok_or_else(|| format!("argument {} is {}, no address", at + 1, shown(word)))
    }

    /// Part `part` of an argument with commas.
    fn part(&self, at: usize, part: usize) -> Result<u64, String> {
        let word = self.word(at)?;
        let found = word.split(',').nth(part).and_then(count);
        found.ok_or_else(|| format!("argument {} is {}, too short", at + 1, shown(word)))
    }

    /// Argument `at` elements of the datatype in argument `datatype`.
    fn bytes(&self, at: usize, datatype: usize) -> Result<u64, String> {
        let elements = u64::try_from(self.integer(at)?).unwrap_or(0);
        Ok(elements.saturating_mul(self.part(datatype, 1)?))
    }

    /// A list of counts, in bytes of the datatype in argument `datatype`.
    fn list(&self, at: usize, datatype: usize) -> Result<Vec<u64>, String> {
        let element = self.part(datatype, 1)?;
        let word = self.word(at)?;
        let counts = word.split(',').map(|count| {
            let elements: Option<i64> = count.parse().ok();
            elements.map(|count| u64::try_from(count).unwrap_or(0).saturating_mul(element))
        });
        let sizes: Option<Vec<u64>> = counts.collect();
        sizes.ok_or_else(|| format!("argument {} is {}, no counts", at + 1, shown(word)))
    }
}

struct AllprofRank<'a> {
    calls: RankCalls<'a>,
    rank: u32,
    size: u32,
    /// Time of the first call, ps: times are counted from here.
    origin: Option<u128>,
    comms: BTreeMap<u64, u32>,
    /// Communicators that were made and have not been used yet.
    made: VecDeque<u32>,
    is_mpich: bool,
    line: u64,
}

impl<'a> AllprofRank<'a> {
    fn new(writer: &'a mut Writer, rank: u32, size: u32) -> Self {
        Self {
            calls: RankCalls::new(writer),
            rank,
            size,
            origin: None,
            comms: BTreeMap::new(),
            made: VecDeque::new(),
            is_mpich: false,
            line: 0,
        }
    }

    fn read<R: BufRead>(mut self, content: R) -> Result<(), BadLine> {
        let mut lines = Lines::new(content);
        let mut has_calls = false;
        loop {
            self.line = lines.number() + 1;
            let Some(line) = lines.next()? else {
                break;
            };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            has_calls = true;
            let call = TracedCall {
                words: line.split(':').collect(),
            };
            self.take(&call).map_err(|problem| {
                let name = call.words.first().copied().unwrap_or("");
                BadLine {
                    line: self.line,
                    problem: format!("{}: {problem}", shown(name)),
                }
            })?;
        }
        if !has_calls {
            return Err(lines.bad("it holds no call of MPI"));
        }
        self.calls.wait_for_open();
        self.calls.finish();
        Ok(())
    }

    /// Microseconds as ps since the first call.
    fn time(&mut self, word: &str) -> Result<u64, String> {
        let bad = || format!("{} is no time", shown(word));
        let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
        let whole: u128 = whole.parse().map_err(|_| bad())?;
        let mut ps = whole.saturating_mul(1_000_000);
        let mut scale = 100_000;
        for digit in fraction.bytes() {
            if !digit.is_ascii_digit() {
                return Err(bad());
            }
            ps = ps.saturating_add(u128::from(digit - b'0') * scale);
            scale /= 10;
        }
        let origin = *self.origin.get_or_insert(ps);
        u64::try_from(ps.saturating_sub(origin)).map_err(|_| bad())
    }

    fn take(&mut self, call: &TracedCall<'_>) -> Result<(), String> {
        let name = call.words[0];
        let Some(name) = name.strip_prefix("MPI_") else {
            return Err("it is not an MPI call".to_owned());
        };
        if call.words.len() < 3 {
            return Err("a call has a beginning and an end".to_owned());
        }
        let (start, end) = (call.words[1], call.words[call.words.len() - 1]);
        if matches!(name, "Init" | "Init_thread") {
            let end = self.time(end)?;
            self.calls.begin_at(end);
            self.calls.writer.local(&format!("MPI_{name}"));
            return Ok(());
        }
        let start = self.time(start)?;
        // MPI_Finalize has no end: nobody can ask for the time any more.
        let end = if end == "-" { start } else { self.time(end)? };
        self.calls.call(start, end);
        let known = self.message(name, call)?
            || self.completion(name, call)?
            || self.collective(name, call)?
            || self.uneven(name, call)?
            || self.nonblocking(name, call)?
            || self.communicator(name, call)?;
        if known {
            return Ok(());
        }
        if is_local(name) {
            self.calls.writer.local(&format!("MPI_{name}"));
        } else {
            let location = format!("line {} of rank {}", self.line, self.rank);
            self.calls.writer.omit(&format!("MPI_{name}"), || location);
        }
        Ok(())
    }

    /// The rank's number of a communicator: its handle says nothing of how it was made, so that a
    /// new handle is the oldest communicator that was made and not used yet.
    fn comm(&mut self, call: &TracedCall<'_>, at: usize) -> Result<u32, String> {
        let (handle, rank) = (call.part(at, 0)?, call.part(at, 1)?);
        let size = call.part(at, 2)?;
        self.is_mpich |= handle == MPICH_WORLD;
        if let Some(&comm) = self.comms.get(&handle) {
            return Ok(comm);
        }
        let is_world = rank == u64::from(self.rank) && size == u64::from(self.size);
        let comm = if let Some(comm) = self.made.pop_front() {
            self.calls.communicators.expect(comm, rank, size);
            comm
        } else if is_world {
            LocalCommunicators::WORLD
        } else if size == 1 {
            LocalCommunicators::OWN
        } else {
            self.calls
                .communicators
                .make(LocalCommunicators::WORLD, Creation::Unknown)
        };
        self.comms.insert(handle, comm);
        Ok(comm)
    }

    /// Count, datatype, partner and tag from argument `at` on, and the communicator in argument
    /// `comm`.
    fn envelope(
        &mut self,
        call: &TracedCall<'_>,
        at: usize,
        comm: usize,
    ) -> Result<Envelope, String> {
        let comm = self.comm(call, comm)?;
        Ok(Envelope {
            bytes: call.bytes(at, at + 1)?,
            peer: self.partner(call.small(at + 2)?),
            tag: call.small(at + 3)?,
            comm,
        })
    }

    /// A rank, -1 for any or -2 for none.
    const fn partner(&self, number: i32) -> i32 {
        match number {
            MPICH_ANY if self.is_mpich => -1,
            -1 if self.is_mpich => -2,
            other => other,
        }
    }

    fn message(&mut self, name: &str, call: &TracedCall<'_>) -> Result<bool, String> {
        let code = match name {
            "Send" | "Bsend" | "Rsend" => op::SEND,
            "Ssend" => op::SSEND,
            "Recv" => op::RECV,
            "Isend" | "Ibsend" | "Irsend" | "Send_init" | "Bsend_init" | "Rsend_init" => op::ISEND,
            "Issend" | "Ssend_init" => op::ISSEND,
            "Irecv" | "Recv_init" => op::IRECV,
            "Sendrecv" => {
                let send = self.envelope(call, 1, 10)?;
                let receive = self.envelope(call, 6, 10)?;
                self.calls.exchange(send, receive);
                return Ok(true);
            }
            "Sendrecv_replace" => {
                let send = self.envelope(call, 1, 7)?;
                let receive = Envelope {
                    peer: self.partner(call.small(5)?),
                    tag: call.small(6)?,
                    ..send
                };
                self.calls.exchange(send, receive);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let envelope = self.envelope(call, 1, 5)?;
        match code {
            op::SEND | op::SSEND | op::RECV => self.calls.message(code, envelope),
            _ if name.ends_with("_init") => self.calls.prepare(code, envelope, call.handle(6)?),
            _ => {
                let handle = call.handle(6)?;
                // A handle that is used again was complete, whoever found out.
                self.calls.complete(&[handle], &[]);
                self.calls.begin(code, envelope, handle);
            }
        }
        Ok(true)
    }

    fn completion(&mut self, name: &str, call: &TracedCall<'_>) -> Result<bool, String> {
        match name {
            "Wait" => {
                let handle = call.handle(0)?;
                self.calls.complete(&[handle], &[]);
            }
            "Start" => {
                let handle = call.handle(0)?;
                self.calls.start(handle);
            }
            "Request_free" => {
                let handle = call.handle(0)?;
                self.calls.forget(handle);
            }
            "Waitall" | "Startall" => {
                let handles = self.handles(call)?;
                if name == "Waitall" {
                    self.calls.complete(&handles, &[]);
                } else {
                    handles.iter().for_each(|&handle| self.calls.start(handle));
                }
            }
            "Waitany" | "Waitsome" => {
                let handles = self.handles(call)?;
                let oldest = self.calls.oldest(&handles);
                self.calls.complete(oldest.as_slice(), &[]);
                self.calls.writer.hint(
                    "waits for one of several requests, of which the trace does not say which: \
                     the oldest is taken",
                );
            }
            "Test" | "Testall" | "Testany" | "Testsome" => {
                self.calls
                    .writer
                    .hint("tests, of which the trace does not say whether they succeeded");
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Addresses of an array of requests. MPI libraries have handles of 4 or of 8 bytes: those that
    /// make more of the addresses known are taken.
    fn handles(&self, call: &TracedCall<'_>) -> Result<Vec<u64>, String> {
        let (requests, base) = (call.integer(0)?, call.handle(1)?);
        let most = self.calls.open_count() as u64;
        let requests = u64::try_from(requests)
            .unwrap_or(0)
            .min(most.saturating_mul(64) + 64);
        let at = |stride: u64| -> Vec<u64> {
            (0..requests)
                .map(|number| base.saturating_add(number * stride))
                .collect()
        };
        let known = |handles: &[u64]| handles.iter().filter(|&&h| self.calls.knows(h)).count();
        let (four, eight) = (at(4), at(8));
        Ok(if known(&four) > known(&eight) {
            four
        } else {
            eight
        })
    }

    fn collective(&mut self, name: &str, call: &TracedCall<'_>) -> Result<bool, String> {
        // Code, argument of the root, of the count, of the communicator; a datatype follows its
        // count.
        let (code, root, at, comm) = match name {
            "Barrier" => (op::BARRIER, None, None, 0),
            "Bcast" => (op::BCAST, Some(3), Some(1), 4),
            "Reduce" => (op::REDUCE, Some(5), Some(2), 6),
            "Allreduce" => (op::ALLREDUCE, None, Some(2), 5),
            "Scan" | "Exscan" => (op::SCAN, None, Some(2), 5),
            "Allgather" => (op::ALLGATHER, None, Some(4), 6),
            "Alltoall" => (op::ALLTOALL, None, Some(4), 6),
            "Gather" | "Scatter" => {
                let gathers = name == "Gather";
                let is_root = u64::try_from(call.integer(6)?) == Ok(call.part(7, 1)?);
                let at = if is_root == gathers { 4 } else { 1 };
                let code = if gathers { op::GATHER } else { op::SCATTER };
                (code, Some(6), Some(at), 7)
            }
            "Reduce_scatter_block" => (op::REDUCE_SCATTER, None, Some(2), 5),
            _ => return Ok(false),
        };
        let mut bytes = at.map_or(Ok(0), |at| call.bytes(at, at + 1))?;
        if code == op::REDUCE_SCATTER {
            bytes = bytes.saturating_mul(call.part(comm, 2)?);
        }
        let root = root.map_or(Ok(0), |at| call.small(at))?;
        let comm = self.comm(call, comm)?;
        self.calls.collective(code, root, bytes, comm);
        Ok(true)
    }

    /// Collectives whose ranks have sizes of their own; a list takes two words.
    fn uneven(&mut self, name: &str, call: &TracedCall<'_>) -> Result<bool, String> {
        let sum = |sizes: &[u64]| {
            sizes
                .iter()
                .fold(0_u64, |sum, &size| sum.saturating_add(size))
        };
        match name {
            "Gatherv" => {
                let (bytes, root) = (call.bytes(1, 2)?, call.small(9)?);
                let comm = self.comm(call, 10)?;
                self.calls.collective(op::GATHERV, root, bytes, comm);
            }
            "Scatterv" => {
                let (bytes, root) = (call.bytes(7, 8)?, call.small(9)?);
                let comm = self.comm(call, 10)?;
                self.calls.collective(op::SCATTERV, root, bytes, comm);
            }
            "Allgatherv" => {
                let bytes = call.bytes(1, 2)?;
                let comm = self.comm(call, 9)?;
                self.calls.collective(op::ALLGATHERV, 0, bytes, comm);
            }
            "Alltoallv" => {
                let mut sizes = call.list(2, 5)?;
                let total = sum(&sizes);
                sizes.extend(call.list(8, 11)?);
                let comm = self.comm(call, 12)?;
                let at = self.calls.collective(op::ALLTOALLV, 0, total, comm);
                self.calls.writer.set_list(at, sizes);
            }
            "Reduce_scatter" => {
                let blocks = call.list(3, 4)?;
                let comm = self.comm(call, 6)?;
                let at = self
                    .calls
                    .collective(op::REDUCE_SCATTER, 0, sum(&blocks), comm);
                self.calls.writer.set_list(at, blocks);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Collectives that return at once: their arguments are those of the others and a request.
    fn nonblocking(&mut self, name: &str, call: &TracedCall<'_>) -> Result<bool, String> {
        let Some(rest) = name.strip_prefix('I') else {
            return Ok(false);
        };
        let (first, rest) = rest.split_at_checked(1).unwrap_or(("", ""));
        let blocking = format!("{}{rest}", first.to_ascii_uppercase());
        if !self.collective(&blocking, call)? && !self.uneven(&blocking, call)? {
            return Ok(false);
        }
        let last = call.words.len().saturating_sub(4);
        let handle = call.handle(last)?;
        self.calls.begin_collective(handle);
        Ok(true)
    }

    fn communicator(&mut self, name: &str, call: &TracedCall<'_>) -> Result<bool, String> {
        let creation = match name {
            // Whether a grid, a graph or a group has all ranks in their order shows when it is
            // used: a communicator names the rank's number in it and its size.
            "Comm_dup"
            | "Comm_dup_with_info"
            | "Comm_create"
            | "Cart_create"
            | "Graph_create"
            | "Dist_graph_create"
            | "Dist_graph_create_adjacent" => Creation::Dup,
            "Comm_split" => Creation::Split {
                color: call.integer(1)?,
                key: call.integer(2)?,
            },
            "Cart_sub" | "Comm_split_type" | "Intercomm_create" | "Intercomm_merge" => {
                Creation::Unknown
            }
            _ => return Ok(false),
        };
        let parent = self.comm(call, 0)?;
        let has_member = !matches!(creation, Creation::Split { color, .. } if color < 0);
        let child = self.calls.communicators.make(parent, creation);
        if has_member {
            self.made.push_back(child);
        }
        let location = format!("line {} of rank {}", self.line, self.rank);
        self.calls.writer.omit(&format!("MPI_{name}"), || location);
        Ok(true)
    }
}

/// Calls that move no data of the program.
fn is_local(name: &str) -> bool {
    const OTHERS: [&str; 24] = [
        "Finalize",
        "Finalized",
        "Initialized",
        "Wtime",
        "Wtick",
        "Comm_rank",
        "Comm_size",
        "Comm_free",
        "Comm_group",
        "Comm_compare",
        "Comm_test_inter",
        "Iprobe",
        "Probe",
        "Pack",
        "Unpack",
        "Pack_size",
        "Pcontrol",
        "Address",
        "Alloc_mem",
        "Free_mem",
        "Topo_test",
        "Buffer_attach",
        "Buffer_detach",
        "Dims_create",
    ];
    const PREFIXES: [&str; 15] = [
        "Type_",
        "Group_",
        "Get_",
        "Error",
        "Errhandler_",
        "Attr_",
        "Keyval_",
        "Info_",
        "Op_",
        "Status_",
        "Comm_get_",
        "Comm_set_",
        "Comm_create_errhandler",
        "Comm_create_keyval",
        "Cart",
    ];
    OTHERS.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
