//! SimGrid's time-independent traces: one action per line, `RANK ACTION ARGUMENT...`.
//!
//! Source: SimGrid, `src/smpi/internals/smpi_replay.cpp` (arguments) and `smpi_datatype.cpp`
//! (numbers of datatypes). Computation is in flops: the reader takes 1 flop as 1 ns. What SMPI only
//! writes but never replays (one-sided calls, `sendRecv`, nonblocking collectives) is as in
//! `src/smpi/bindings` and `src/instr/instr_private.hpp`. Versions before 3.20 have no tags
//! (`smpi_replay.c`, `examples/smpi/replay`, `examples/msg/actions`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use odonata_workload::trace::op;

use crate::communicators::LocalCommunicators;
use crate::fault::ReadError;
use crate::recorded::{Entry, Recorded, Writer};
use crate::rows::Rows;
use crate::text::{BadLine, Lines, shown};

use arguments::{Arguments, Partner};
use collectives::{Collective, collective};

mod arguments;
mod collectives;

/// Time of a flop, ps.
const FLOP_PS: u64 = 1_000;
/// Room of a receive of which the trace does not say how large it is.
const UNKNOWN: u64 = i64::MAX as u64;
/// Most ranks of a trace.
const MOST_RANKS: u32 = 1 << 22;

/// Key of an open request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// Source, destination and tag; -1 is any.
    Message(i64, i64, i64),
    /// A wait names none of a collective: the oldest is taken.
    Collective,
}

/// Record of one rank so far.
#[derive(Default)]
struct SimgridRank {
    rows: Rows,
    /// Open requests, oldest first.
    open: Vec<(Key, u32)>,
    requests: u32,
    /// Bytes of an element where the action does not say.
    element: u64,
}

impl SimgridRank {
    fn push(&mut self, entry: Entry) {
        self.rows.push(entry, []);
    }

    fn push_with(&mut self, entry: Entry, list: Vec<u64>) {
        self.rows.push(entry, list);
    }

    /// The number of a request that begins.
    fn begin(&mut self, key: Key) -> u32 {
        self.open.push((key, self.requests));
        self.requests += 1;
        self.requests - 1
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
                self.push_with(entry, list);
            }
        }
    }

    /// Waits for the request with this key: a receive from anybody is known by what it got.
    fn wait_for(&mut self, source: i64, target: i64, tag: i64) {
        let key = Key::Message(source, target, tag);
        let is_it = |(open, _): &(Key, u32)| *open == key;
        let may_be_it = |(open, _): &(Key, u32)| match open {
            Key::Message(from, to, with) => {
                let fits = |open: i64, named: i64| open == named || open < 0 || named < 0;
                *to == target && fits(*from, source) && fits(*with, tag)
            }
            Key::Collective => false,
        };
        let exact = self.open.iter().position(is_it);
        let found = exact.or_else(|| self.open.iter().position(may_be_it));
        let is_collective = |(open, _): &(Key, u32)| *open == Key::Collective;
        if let Some(at) = found.or_else(|| self.open.iter().position(is_collective)) {
            let (_, request) = self.open.remove(at);
            self.wait(&[request]);
        }
    }
}

/// Facts of a trace that its lines show before they are read.
#[derive(Default)]
struct Survey {
    ranks: BTreeSet<u32>,
    /// Something that only traces without tags have, and something that they never have.
    without_tags: bool,
    with_tags: bool,
    /// Waits of a rank that name it counted from 0, and counted from 1.
    from_zero: u64,
    from_one: u64,
    /// Smallest and largest partner of a `sendRecv`.
    exchanged: Option<(i64, i64)>,
    /// Most arguments of a `gatherv` or `scatterv`.
    uneven: usize,
}

impl Survey {
    /// Reads the lines of a file.
    fn read<R: BufRead>(&mut self, content: R) -> Result<(), BadLine> {
        let mut lines = Lines::new(content);
        while let Some(line) = lines.next()? {
            let mut words = words(line);
            if let Some(word) = words.next() {
                let Some(rank) = rank(word) else {
                    let words = format!("{} is not a rank below {MOST_RANKS}", shown(word));
                    return Err(lines.bad(words));
                };
                self.ranks.insert(rank);
                if let Some(action) = words.next() {
                    self.take(i64::from(rank), action, &words.collect::<Vec<&str>>());
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, rank: i64, action: &str, arguments: &[&str]) {
        self.without_tags |= OLD_NAMES.contains(&action);
        let number = |at: usize| arguments.get(at).and_then(|word| word.parse::<i64>().ok());
        match (action.to_ascii_lowercase().as_str(), arguments.len()) {
            ("wait", 0) => self.without_tags = true,
            ("wait", 3) => {
                self.with_tags = true;
                let names = |rank| number(0) == Some(rank) || number(1) == Some(rank);
                self.from_zero += u64::from(names(rank) && !names(rank + 1));
                self.from_one += u64::from(names(rank + 1) && !names(rank));
            }
            ("send" | "isend" | "recv" | "irecv", 0..=2) => self.without_tags = true,
            ("send" | "isend" | "recv" | "irecv", 4..) => self.with_tags = true,
            ("gatherv" | "scatterv", count) => self.uneven = self.uneven.max(count),
            ("sendrecv", _) => {
                for partner in [number(1), number(3)].into_iter().flatten() {
                    let (least, most) = self.exchanged.unwrap_or((partner, partner));
                    self.exchanged = Some((least.min(partner), most.max(partner)));
                }
            }
            _ => {}
        }
    }

    fn dialect(&self) -> SimgridDialect {
        let size = i64::try_from(self.ranks.len()).unwrap_or(i64::MAX);
        let is_one = match self.exchanged {
            Some((0, _)) => false,
            Some((_, most)) if most >= size => true,
            _ => self.from_one > self.from_zero,
        };
        SimgridDialect {
            is_old: self.without_tags && !self.with_tags,
            first: i64::from(is_one),
            is_written: self.uneven > self.ranks.len() + 4,
        }
    }
}

/// How a trace is written.
#[derive(Clone, Copy)]
struct SimgridDialect {
    /// Without tags: `send PARTNER SIZE`, and a wait without arguments.
    is_old: bool,
    /// First rank in waits and `sendRecv`: processes of SMPI are counted from 1.
    first: i64,
    /// Whether a root has the size of a datatype in front of its counts: then the others have none.
    is_written: bool,
}

/// Names that only traces without tags have.
const OLD_NAMES: [&str; 11] = [
    "Isend",
    "Irecv",
    "waitAll",
    "allReduce",
    "allToAll",
    "allToAllV",
    "allGather",
    "allGatherV",
    "gatherV",
    "scatterV",
    "reduceScatter",
];

/// The words of a line; none of one that is a comment.
fn words(line: &str) -> std::str::SplitWhitespace<'_> {
    let is_comment = line.trim_start().starts_with('#');
    if is_comment { "" } else { line }.split_whitespace()
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
    let mut survey = Survey::default();
    for file in 0..files {
        let (name, content) = opened(file)?;
        survey.read(content).map_err(|bad| damaged(&name, &bad))?;
    }
    let named = &survey.ranks;
    let size = u32::try_from(named.len()).unwrap_or(u32::MAX);
    if let Some(missing) = (0..size).find(|rank| !named.contains(rank)) {
        let words = format!(
            "rank {missing} has no line, but rank {} has; copy the lines of all ranks",
            named.last().copied().unwrap_or(0)
        );
        return Err(ReadError::new(opened(0)?.0, words));
    }
    let mut reader = SimgridReader {
        writer: Writer::new("simgrid"),
        ranks: BTreeMap::new(),
        size,
        dialect: survey.dialect(),
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

/// A rank, as new (`3`) and old (`p3`) traces write it.
fn rank(word: &str) -> Option<u32> {
    let number = word.strip_prefix('p').unwrap_or(word);
    number.parse().ok().filter(|&rank| rank < MOST_RANKS)
}

struct SimgridReader {
    writer: Writer,
    ranks: BTreeMap<u32, SimgridRank>,
    size: u32,
    dialect: SimgridDialect,
}

impl SimgridReader {
    fn read<R: BufRead>(&mut self, name: &str, content: R) -> Result<(), BadLine> {
        let mut lines = Lines::new(content);
        loop {
            let number = lines.number() + 1;
            let Some(line) = lines.next()? else {
                return Ok(());
            };
            let mut words = words(line);
            let (Some(first), Some(action)) = (words.next(), words.next()) else {
                continue;
            };
            let rank = rank(first).unwrap_or(0);
            let of = self.ranks.entry(rank).or_insert_with(|| SimgridRank {
                element: 1,
                ..SimgridRank::default()
            });
            let arguments = Arguments {
                words: words.collect(),
                element: of.element,
                is_old: self.dialect.is_old,
                is_written: self.dialect.is_written,
            };
            match self.take(rank, action, &arguments) {
                Ok(true) => {}
                Ok(false) => {
                    let location = || format!("line {number} of {name}");
                    self.writer.omit(action, location);
                }
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

    /// Takes an action; false if there is no operation for it. Names differ between versions in
    /// their capital letters only.
    fn take(&mut self, rank: u32, action: &str, arguments: &Arguments<'_>) -> Result<bool, String> {
        let name = action.to_ascii_lowercase();
        Ok(self.local(rank, &name, arguments)?
            || self.message(rank, &name, arguments)?
            || self.completion(rank, &name, arguments)?
            || self.one_sided(rank, &name, arguments)?
            || self.collective(rank, &name, arguments)?)
    }

    /// Operation of a rank alone.
    fn local(&mut self, rank: u32, name: &str, arguments: &Arguments<'_>) -> Result<bool, String> {
        let of = self.ranks.entry(rank).or_default();
        match name {
            "init" => {
                // With an argument sizes count doubles, without one bytes.
                of.element = if arguments.words.is_empty() { 1 } else { 8 };
                self.writer.local("init");
            }
            _ if name.starts_with("finalize") => self.writer.local("finalize"),
            "comm_size" | "location" => self.writer.local(name),
            "compute" => of.push(Entry {
                op: op::COMPUTE,
                duration_ps: arguments.count(0)?.saturating_mul(FLOP_PS),
                ..Entry::default()
            }),
            "sleep" => of.push(Entry {
                op: op::COMPUTE,
                duration_ps: seconds(arguments)?,
                ..Entry::default()
            }),
            "iteration_in" | "iteration_out" => {
                let begins = name == "iteration_in";
                of.push(Entry {
                    op: if begins {
                        op::ITERATION_BEGIN
                    } else {
                        op::ITERATION_END
                    },
                    ..Entry::default()
                });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn message(&mut self, rank: u32, name: &str, a: &Arguments<'_>) -> Result<bool, String> {
        let code = match name {
            "send" | "bsend" => op::SEND,
            "ssend" => op::SSEND,
            "recv" => op::RECV,
            "isend" | "ibsend" => op::ISEND,
            "issend" => op::ISSEND,
            "irecv" => op::IRECV,
            "sendrecv" => {
                self.exchange(rank, a)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let receives = matches!(code, op::RECV | op::IRECV);
        let (tag, at) = if self.dialect.is_old {
            (0, 1)
        } else {
            (a.tag(1)?, 2)
        };
        let (partner, me) = (a.partner(0)?, i64::from(rank));
        let peer = match partner {
            Partner::Rank(rank) => rank,
            Partner::Anybody if receives => -1,
            Partner::Anybody | Partner::Nobody => return Ok(true),
        };
        // The first traces do not say how large a received message is.
        let size = a.words.get(at);
        let is_unknown = size.map_or(self.dialect.is_old, |word| word.starts_with('-'));
        let bytes = if receives && is_unknown {
            UNKNOWN
        } else {
            a.bytes(at, a.element(at + 1)?)?
        };
        let of = self.ranks.entry(rank).or_default();
        let request = match code {
            op::IRECV => of.begin(Key::Message(peer, me, tag)),
            op::ISEND | op::ISSEND => of.begin(Key::Message(me, peer, tag)),
            _ => 0,
        };
        of.push(Entry {
            op: code,
            peer: narrow(peer),
            bytes,
            tag: narrow(tag),
            comm: LocalCommunicators::WORLD,
            request,
            ..Entry::default()
        });
        Ok(true)
    }

    /// `sendRecv SIZE TARGET SIZE SOURCE TYPE TYPE`: SMPI writes it without tags, so that all of
    /// them have one of their own.
    fn exchange(&mut self, rank: u32, a: &Arguments<'_>) -> Result<(), String> {
        let first = self.dialect.first;
        let partner =
            |at| -> Result<i32, String> { Ok(narrow(a.integer(at)?.saturating_sub(first))) };
        let (sent, received) = (a.bytes(0, a.element(4)?)?, a.bytes(2, a.element(5)?)?);
        let (target, source) = (partner(1)?, partner(3)?);
        let of = self.ranks.entry(rank).or_default();
        let numbers = [of.requests, of.requests + 1];
        of.requests += 2;
        for (code, peer, bytes, request) in [
            (op::IRECV, source.max(-1), received, numbers[0]),
            (op::ISEND, target, sent, numbers[1]),
        ] {
            of.push(Entry {
                op: code,
                peer,
                bytes,
                tag: i32::MAX,
                comm: LocalCommunicators::WORLD,
                request,
                ..Entry::default()
            });
        }
        of.wait(&numbers);
        let words = "`sendRecv`, whose tags are not in the trace: matched among themselves";
        self.writer.hint(words);
        Ok(())
    }

    fn completion(&mut self, rank: u32, name: &str, a: &Arguments<'_>) -> Result<bool, String> {
        let first = self.dialect.first;
        let of = self.ranks.entry(rank).or_default();
        match name {
            "wait" if a.words.is_empty() => {
                // As SimGrid did: the request that began last.
                if let Some((_, request)) = of.open.pop() {
                    of.wait(&[request]);
                }
            }
            "wait" => {
                let named = |at| -> Result<i64, String> {
                    Ok(match a.partner(at)? {
                        Partner::Rank(rank) => rank.saturating_sub(first),
                        Partner::Anybody | Partner::Nobody => -1,
                    })
                };
                of.wait_for(named(0)?, named(1)?, a.tag(2)?);
            }
            "waitall" => {
                let open: Vec<u32> = of.open.drain(..).map(|(_, request)| request).collect();
                of.wait(&open);
            }
            "waitany" | "waitsome" => {
                if !of.open.is_empty() {
                    let (_, request) = of.open.remove(0);
                    of.wait(&[request]);
                }
                self.writer.hint(
                    "waits for one of several requests, of which the trace does not say which: \
                     the oldest is taken",
                );
            }
            "test" | "testany" | "testall" | "testsome" => self
                .writer
                .hint("tests, of which the trace does not say whether they succeeded"),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Puts and gets, `PUT TARGET TAG SIZE TYPE` (before there were tags without one), and what
    /// completes them; the trace does not say at which rank.
    fn one_sided(&mut self, rank: u32, name: &str, a: &Arguments<'_>) -> Result<bool, String> {
        let at = if self.dialect.is_old { 1 } else { 2 };
        let (code, peer, bytes) = match name {
            "put" | "rput" | "accumulate" | "raccumulate" | "get" | "rget" => {
                let Partner::Rank(peer) = a.partner(0)? else {
                    return Ok(true);
                };
                let reads = name.ends_with("get");
                let bytes = a.bytes(at, a.element(at + 1)?)?;
                (if reads { op::GET } else { op::PUT }, narrow(peer), bytes)
            }
            "win_fence" => (op::FENCE, 0, 0),
            _ if name.starts_with("win_flush") || name.starts_with("win_unlock") => {
                (op::FLUSH, -1, 0)
            }
            _ if name.starts_with("win_lock") => {
                self.writer.local(name);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let of = self.ranks.entry(rank).or_default();
        of.push(Entry {
            op: code,
            peer,
            bytes,
            comm: LocalCommunicators::WORLD,
            ..Entry::default()
        });
        Ok(true)
    }

    fn collective(&mut self, rank: u32, name: &str, a: &Arguments<'_>) -> Result<bool, String> {
        let size = self.size as usize;
        let mut found = collective(rank, size, name, a)?;
        let begins = found.is_none();
        if let (true, Some(name)) = (begins, name.strip_prefix('i')) {
            found = collective(rank, size, name, a)?;
        }
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
        let (code, request) = if begins {
            (code + op::NONBLOCKING, of.begin(Key::Collective))
        } else {
            (code, 0)
        };
        let entry = Entry {
            op: code,
            peer: root,
            bytes,
            comm: LocalCommunicators::WORLD,
            request,
            ..Entry::default()
        };
        of.push_with(entry, list);
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
            for (entry, list) in rank.rows.iter() {
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
        if self.dialect.is_old {
            self.writer
                .remark("the trace has no tags: a wait is one for the request that began last");
        }
        self.writer.finish()
    }
}

/// Argument 1 as seconds, in ps.
fn seconds(arguments: &Arguments<'_>) -> Result<u64, String> {
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
    Ok((seconds * 1e12).round() as u64)
}

fn narrow(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
