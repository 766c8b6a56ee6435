//! SimGrid's time-independent traces: one action per line, `RANK ACTION ARGUMENT...`.
//!
//! Source: SimGrid, `src/smpi/internals/smpi_replay.cpp` (arguments) and `smpi_datatype.cpp`
//! (numbers of datatypes). Computation is in flops: the reader takes 1 flop as 1 ns.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use odonata_workload::trace::op;

use crate::communicators::LocalCommunicators;
use crate::fault::ReadError;
use crate::recorded::{Entry, Recorded, Writer};
use crate::text::{BadLine, Lines, count, shown};

/// Time of a flop, ps.
const FLOP_PS: u64 = 1_000;
/// Most ranks of a trace.
const MOST_RANKS: u32 = 1 << 22;

/// Bytes of the datatypes by their numbers: double, int, char, short, long, float, byte, long long,
/// signed and unsigned char, unsigned short, unsigned, unsigned long (twice), long double, wchar,
/// bool, the integers of 8 to 64 bits with and without sign.
const TYPES: [u64; 25] = [
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8,
];

/// What one rank has done so far.
#[derive(Default)]
struct Rank {
    entries: Vec<(Entry, Vec<u64>)>,
    /// Open requests by (source, destination, tag), oldest first.
    open: Vec<((i64, i64, i64), u32)>,
    requests: u32,
    /// Bytes of an element where the action does not say.
    element: u64,
}

impl Rank {
    fn push(&mut self, entry: Entry) {
        self.entries.push((entry, Vec::new()));
    }

    fn wait(&mut self, done: &[u32]) {
        match done {
            [] => {}
            [request] => self.push(Entry {
                op: op::WAIT,
                request: *request,
                ..Entry::default()
            }),
            several => {
                let list = several.iter().map(|&request| u64::from(request)).collect();
                let entry = Entry {
                    op: op::WAITALL,
                    ..Entry::default()
                };
                self.entries.push((entry, list));
            }
        }
    }
}

/// Reads a trace: every file is opened twice, first to count the ranks.
///
/// # Errors
/// If a file is not of this format or damaged.
pub fn read<R: BufRead, E: std::fmt::Display>(
    files: u32,
    mut open: impl FnMut(u32) -> Result<(String, R), E>,
) -> Result<Recorded, ReadError> {
    let mut opened = |file: u32| {
        open(file).map_err(|error| ReadError::new(format!("file {file}"), error.to_string()))
    };
    let mut named = BTreeSet::new();
    for file in 0..files {
        let (name, content) = opened(file)?;
        ranks(content, &mut named).map_err(|bad| damaged(&name, &bad))?;
    }
    let size = u32::try_from(named.len()).unwrap_or(u32::MAX);
    if let Some(missing) = (0..size).find(|rank| !named.contains(rank)) {
        let words = format!(
            "rank {missing} has no line, but rank {} has; copy the lines of all ranks",
            named.last().copied().unwrap_or(0)
        );
        return Err(ReadError::new(opened(0)?.0, words));
    }
    let mut reader = Reader {
        writer: Writer::new("simgrid"),
        ranks: BTreeMap::new(),
        size,
    };
    for file in 0..files {
        let (name, content) = opened(file)?;
        reader
            .read(&name, content)
            .map_err(|bad| damaged(&name, &bad))?;
    }
    Ok(reader.finish())
}

fn damaged(name: &str, bad: &BadLine) -> ReadError {
    let words = format!(
        "{bad}; a line of a time-independent trace is `RANK ACTION ARGUMENT...`, such as `0 send 1 \
         0 1000`: mend it, or record it again"
    );
    ReadError::new(name, words)
}

/// Adds the ranks that the lines name.
fn ranks<R: BufRead>(content: R, named: &mut BTreeSet<u32>) -> Result<(), BadLine> {
    let mut lines = Lines::new(content);
    while let Some(line) = lines.next()? {
        if let Some(word) = line.split_whitespace().next() {
            let Some(rank) = rank(word) else {
                let words = format!("{} is no rank below {MOST_RANKS}", shown(word));
                return Err(lines.bad(words));
            };
            named.insert(rank);
        }
    }
    Ok(())
}

/// A rank, as new (`3`) and old (`p3`) traces write it.
fn rank(word: &str) -> Option<u32> {
    let number = word.strip_prefix('p').unwrap_or(word);
    number.parse().ok().filter(|&rank| rank < MOST_RANKS)
}

struct Reader {
    writer: Writer,
    ranks: BTreeMap<u32, Rank>,
    size: u32,
}

/// The arguments of an action.
struct Arguments<'a> {
    words: Vec<&'a str>,
    /// Bytes of an element where the action does not say.
    element: u64,
}

impl Arguments<'_> {
    fn count(&self, at: usize) -> Result<u64, String> {
        let Some(word) = self.words.get(at) else {
            return Err(format!("argument {} is missing", at + 1));
        };
        count(word).ok_or_else(|| format!("argument {} is {}, no number", at + 1, shown(word)))
    }

    fn integer(&self, at: usize) -> Result<i64, String> {
        match self.words.get(at) {
            Some(&"-1") => Ok(-1),
            _ => self
                .count(at)
                .map(|count| i64::try_from(count).unwrap_or(i64::MAX)),
        }
    }

    /// Argument `at` as the size of a datatype; the default if it is not there.
    fn element(&self, at: usize) -> Result<u64, String> {
        if at >= self.words.len() {
            return Ok(self.element);
        }
        let number = self.count(at)?;
        let known = usize::try_from(number).ok().and_then(|at| TYPES.get(at));
        known
            .copied()
            .ok_or_else(|| format!("argument {} is {number}, no number of a datatype", at + 1))
    }

    fn bytes(&self, at: usize, element: u64) -> Result<u64, String> {
        Ok(self.count(at)?.saturating_mul(element))
    }

    fn list(&self, at: usize, size: usize, element: u64) -> Result<Vec<u64>, String> {
        (at..at + size).map(|at| self.bytes(at, element)).collect()
    }

    fn root(&self, at: usize) -> Result<i32, String> {
        if at >= self.words.len() {
            return Ok(0);
        }
        Ok(i32::try_from(self.count(at)?).unwrap_or(i32::MAX))
    }
}

impl Reader {
    fn read<R: BufRead>(&mut self, name: &str, content: R) -> Result<(), BadLine> {
        let mut lines = Lines::new(content);
        loop {
            let number = lines.number() + 1;
            let Some(line) = lines.next()? else {
                return Ok(());
            };
            let mut words = line.split_whitespace();
            let (Some(first), Some(action)) = (words.next(), words.next()) else {
                continue;
            };
            let rank = rank(first).unwrap_or(0);
            let place = || format!("line {number} of {name}");
            let element = self.ranks.entry(rank).or_insert_with(|| Rank {
                element: 1,
                ..Rank::default()
            });
            let arguments = Arguments {
                words: words.collect(),
                element: element.element,
            };
            let done = self.take(rank, action, &arguments);
            match done {
                Ok(true) => {}
                Ok(false) => self.writer.omit(action, place),
                Err(problem) => {
                    let problem = format!("{}: {problem}", shown(action));
                    return Err(BadLine {
                        line: number,
                        problem,
                    });
                }
            }
        }
    }

    /// Takes an action; false if there is no operation for it.
    fn take(&mut self, rank: u32, action: &str, arguments: &Arguments<'_>) -> Result<bool, String> {
        if self.message(rank, action, arguments)? {
            return Ok(true);
        }
        let of = self.ranks.entry(rank).or_default();
        match action {
            "init" => {
                // With an argument sizes count doubles, without one bytes.
                of.element = if arguments.words.is_empty() { 1 } else { 8 };
                self.writer.local("init");
            }
            _ if action.starts_with("finalize") => self.writer.local("finalize"),
            "comm_size" | "location" => self.writer.local(action),
            "compute" => of.push(Entry {
                op: op::COMPUTE,
                duration_ps: arguments.count(0)?.saturating_mul(FLOP_PS),
                ..Entry::default()
            }),
            "sleep" => {
                let word = arguments.words.first().copied().unwrap_or("");
                let seconds: f64 = word.parse().unwrap_or(-1.0);
                if !(0.0..=1e6).contains(&seconds) {
                    return Err(format!("argument 1 is {}, no time", shown(word)));
                }
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "the range is checked"
                )]
                of.push(Entry {
                    op: op::COMPUTE,
                    duration_ps: (seconds * 1e12).round() as u64,
                    ..Entry::default()
                });
            }
            _ => return self.collective(rank, action, arguments),
        }
        Ok(true)
    }

    fn message(
        &mut self,
        rank: u32,
        action: &str,
        arguments: &Arguments<'_>,
    ) -> Result<bool, String> {
        let me = i64::from(rank);
        let of = self.ranks.entry(rank).or_default();
        let code = match action {
            "send" | "Ssend" => op::SEND,
            "recv" => op::RECV,
            "isend" | "Issend" => op::ISEND,
            "irecv" => op::IRECV,
            "wait" => {
                let key = (
                    arguments.integer(0)?,
                    arguments.integer(1)?,
                    arguments.integer(2)?,
                );
                if let Some(at) = of.open.iter().position(|(open, _)| *open == key) {
                    let (_, request) = of.open.remove(at);
                    of.wait(&[request]);
                }
                return Ok(true);
            }
            "waitall" => {
                let open: Vec<u32> = of.open.drain(..).map(|(_, request)| request).collect();
                of.wait(&open);
                return Ok(true);
            }
            "test" => {
                self.writer
                    .hint("tests, of which the trace does not say whether they succeeded");
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let (partner, tag) = (arguments.integer(0)?, arguments.integer(1)?);
        let receives = matches!(code, op::RECV | op::IRECV);
        let unknown = arguments
            .words
            .get(2)
            .is_some_and(|word| word.starts_with('-'));
        let bytes = if receives && unknown {
            u64::MAX
        } else {
            arguments.bytes(2, arguments.element(3)?)?
        };
        let request = of.requests;
        of.push(Entry {
            op: code,
            peer: i32::try_from(partner).unwrap_or(i32::MAX),
            bytes,
            tag: i32::try_from(tag).unwrap_or(i32::MAX),
            comm: LocalCommunicators::WORLD,
            request,
            ..Entry::default()
        });
        if matches!(code, op::ISEND | op::IRECV) {
            of.requests += 1;
            let key = if receives {
                (partner, me, tag)
            } else {
                (me, partner, tag)
            };
            of.open.push((key, request));
        }
        Ok(true)
    }

    fn collective(
        &mut self,
        rank: u32,
        action: &str,
        arguments: &Arguments<'_>,
    ) -> Result<bool, String> {
        let found = match one_size(rank, action, arguments)? {
            Some(found) => Some(found),
            None => own_sizes(rank, self.size as usize, action, arguments)?,
        };
        let Some(Collective {
            code,
            root,
            bytes,
            list,
            flops,
        }) = found
        else {
            return Ok(false);
        };
        let of = self.ranks.entry(rank).or_default();
        let entry = Entry {
            op: code,
            peer: root,
            bytes,
            comm: LocalCommunicators::WORLD,
            ..Entry::default()
        };
        of.entries.push((entry, list));
        if flops > 0 {
            of.push(Entry {
                op: op::COMPUTE,
                duration_ps: flops.saturating_mul(FLOP_PS),
                ..Entry::default()
            });
        }
        Ok(true)
    }

    fn finish(mut self) -> Recorded {
        for number in 0..self.size {
            let mut rank = self.ranks.remove(&number).unwrap_or_default();
            // SimGrid waits for what is open when a rank ends.
            let open: Vec<u32> = rank.open.drain(..).map(|(_, request)| request).collect();
            rank.wait(&open);
            for (entry, list) in rank.entries {
                if entry.op == op::COMPUTE {
                    self.writer.compute(entry.duration_ps);
                    continue;
                }
                let at = self.writer.push(entry);
                if !list.is_empty() {
                    self.writer.set_list(at, list);
                }
            }
            self.writer.end_rank(LocalCommunicators::default());
        }
        self.writer
            .remark("computation is recorded in flops: 1 flop is taken as 1 ns (`compute_scale`)");
        self.writer.finish()
    }
}

/// A collective, and the flops of its reduction.
#[derive(Default)]
struct Collective {
    code: u8,
    root: i32,
    bytes: u64,
    list: Vec<u64>,
    flops: u64,
}

/// Collectives whose ranks all have the same size.
fn one_size(rank: u32, action: &str, a: &Arguments<'_>) -> Result<Option<Collective>, String> {
    let rooted = |at| -> Result<(i32, bool), String> {
        let root = a.root(at)?;
        Ok((root, u32::try_from(root) == Ok(rank)))
    };
    let mut flops = 0;
    if matches!(action, "reduce" | "allreduce" | "scan" | "exscan") {
        flops = a.count(1)?;
    }
    let (code, root, bytes) = match action {
        "barrier" => (op::BARRIER, 0, 0),
        "bcast" => (op::BCAST, a.root(1)?, a.bytes(0, a.element(2)?)?),
        "reduce" => (op::REDUCE, a.root(2)?, a.bytes(0, a.element(3)?)?),
        "allreduce" => (op::ALLREDUCE, 0, a.bytes(0, a.element(2)?)?),
        "scan" | "exscan" => (op::SCAN, 0, a.bytes(0, a.element(2)?)?),
        "alltoall" => (op::ALLTOALL, 0, a.bytes(1, a.element(3)?)?),
        "allgather" => (op::ALLGATHER, 0, a.bytes(1, a.element(3)?)?),
        "gather" | "scatter" => {
            let (root, is_root) = rooted(2)?;
            let gathers = action == "gather";
            let at = usize::from(is_root == gathers);
            let code = if gathers { op::GATHER } else { op::SCATTER };
            (code, root, a.bytes(at, a.element(3 + at)?)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Collective {
        code,
        root,
        bytes,
        flops,
        ..Collective::default()
    }))
}

/// Collectives of `size` ranks with sizes of their own.
fn own_sizes(
    rank: u32,
    size: usize,
    action: &str,
    a: &Arguments<'_>,
) -> Result<Option<Collective>, String> {
    let (mut list, mut flops) = (Vec::new(), 0);
    let (code, root, bytes) = match action {
        "allgatherv" => {
            // What a rank gives is what everybody expects of it; its own count may differ.
            let bytes = a.bytes(1 + rank as usize, a.element(1 + size)?)?;
            (op::ALLGATHERV, 0, bytes)
        }
        "gatherv" => {
            let at = 1 + size;
            (op::GATHERV, a.root(at)?, a.bytes(0, a.element(at + 1)?)?)
        }
        "scatterv" => {
            let bytes = a.bytes(size, a.element(size + 3)?)?;
            (op::SCATTERV, a.root(size + 1)?, bytes)
        }
        "alltoallv" => {
            let (send, receive) = (a.element(2 * size + 2)?, a.element(2 * size + 3)?);
            list = a.list(1, size, send)?;
            list.extend(a.list(2 + size, size, receive)?);
            (op::ALLTOALLV, 0, sum(&list[..size]))
        }
        "reducescatter" => {
            list = a.list(0, size, a.element(size + 1)?)?;
            flops = a.count(size)?;
            (op::REDUCE_SCATTER, 0, sum(&list))
        }
        _ => return Ok(None),
    };
    Ok(Some(Collective {
        code,
        root,
        bytes,
        list,
        flops,
    }))
}

fn sum(sizes: &[u64]) -> u64 {
    sizes.iter().fold(0, |sum, &size| sum.saturating_add(size))
}
