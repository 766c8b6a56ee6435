//! The table of messages between ranks, and of those of open-loop sources.

use std::collections::BTreeMap;

use odonata_mpi::{ArrivedMessage, MessageLog, RankLocation, SentMessage};
use odonata_units::{Instant, NodeId};

use crate::config::Config;
use crate::report::finished::Finished;
use crate::result::outcome::{Table, in_pieces, table};
use crate::result::statistic::ns;

/// A message that arrived.
struct Row<'a> {
    job: &'a str,
    source: usize,
    target: usize,
    bytes: u64,
    how: &'static str,
    sent: Instant,
    arrived: Instant,
}

/// The sampled messages of all jobs that arrived: by job and sender, in the order in which they
/// were handed over, or created.
pub(crate) fn table(config: &Config, finished: &Finished) -> Table {
    let mut all = table_of(&[]);
    for (index, job) in config.jobs.iter().enumerate() {
        if finished.placed.open_loop[index] {
            let rows = created(&job.name, index, finished);
            all.reserve(rows.len());
            in_pieces(rows.into_iter(), |some| all.append(table_of(some)));
        } else {
            let logs = &finished.logs[index];
            let mut arrivals = Arrivals::of(logs, &finished.placed.locations[index]);
            all.reserve(arrivals.len());
            in_pieces(handed(&job.name, logs, &mut arrivals), |some| {
                all.append(table_of(some));
            });
        }
    }
    all
}

/// The table of some messages.
fn table_of(rows: &[Row<'_>]) -> Table {
    table!("messages", rows, {
        "job" => Words, |row| row.job;
        "source_rank" => U64, |row| row.source as u64;
        "target_rank" => U64, |row| row.target as u64;
        "bytes" => U64, |row| row.bytes;
        "how" => Words, |row| row.how;
        "sent_ns" => F64, |row| ns(row.sent.ps());
        "arrived_ns" => F64, |row| ns(row.arrived.ps());
    })
}

/// Messages between the ranks of a job that arrived.
fn handed<'a>(
    job: &'a str,
    logs: &'a [(usize, MessageLog)],
    arrivals: &'a mut Arrivals<'_>,
) -> impl Iterator<Item = Row<'a>> {
    let sent = logs
        .iter()
        .flat_map(|(source, log)| log.sent().iter().map(|sent| (*source, sent)));
    sent.filter_map(move |(source, sent)| {
        let (target, arrived) = arrivals.take(sent)?;
        let (bytes, how) = sent.what();
        Some(Row {
            job,
            source,
            target,
            bytes,
            how,
            sent: sent.at,
            arrived,
        })
    })
}

/// The messages that reached the ranks of a job, to be found by what was sent.
///
/// A job may have logged tens of millions of them: each takes twelve bytes here beside its log.
struct Arrivals<'a> {
    logs: &'a [(usize, MessageLog)],
    at: BTreeMap<NodeId, Arrived>,
}

/// Where an arrived message is logged: entry `entry` of log `log`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    log: u32,
    entry: u32,
}

impl Place {
    fn message(self, logs: &[(usize, MessageLog)]) -> &ArrivedMessage {
        &logs[self.log as usize].1.arrived()[self.entry as usize]
    }
}

/// The messages that reached the ranks at one address.
#[derive(Default)]
struct Arrived {
    /// By header; messages with the same one in the order in which they came.
    order: Vec<Place>,
    /// How many have been taken of those with the header of `order[i]`, if that is the first.
    taken: Vec<u32>,
}

impl<'a> Arrivals<'a> {
    fn of(logs: &'a [(usize, MessageLog)], locations: &[RankLocation]) -> Self {
        let mut at: BTreeMap<NodeId, Arrived> = BTreeMap::new();
        for (log, (rank, messages)) in (0..).zip(logs) {
            let there = at.entry(locations[*rank].address).or_default();
            let entries = (0..).zip(messages.arrived());
            there
                .order
                .extend(entries.map(|(entry, _)| Place { log, entry }));
        }
        for there in at.values_mut() {
            let order = &mut there.order;
            order.sort_unstable_by_key(|place| (place.message(logs).header, *place));
            there.taken = vec![0; there.order.len()];
        }
        Self { logs, at }
    }

    fn len(&self) -> usize {
        self.at.values().map(|there| there.order.len()).sum()
    }

    /// The rank that got a message, and when: messages with the same header come one after the
    /// other. `None` if it has not arrived.
    fn take(&mut self, sent: &SentMessage) -> Option<(usize, Instant)> {
        let there = self.at.get_mut(&sent.target)?;
        let logs = self.logs;
        let is_before = |place: &Place| place.message(logs).header < sent.header;
        let first = there.order.partition_point(is_before);
        let taken = there.taken.get_mut(first)?;
        let place = there.order.get(first + *taken as usize)?;
        let message = place.message(logs);
        (message.header == sent.header).then(|| {
            *taken += 1;
            (logs[place.log as usize].0, message.at)
        })
    }
}

/// Messages of the sources of an open-loop job, each on a node of its own.
fn created<'a>(job: &'a str, index: usize, finished: &Finished) -> Vec<Row<'a>> {
    let locations = finished.placed.locations[index].iter().enumerate();
    let index_of: BTreeMap<_, _> = locations.map(|(rank, at)| (at.address, rank)).collect();
    let messages = finished.heard.open_messages.iter().flatten();
    let mut mine: Vec<_> = messages
        .filter_map(|message| {
            let source = *index_of.get(&message.source)?;
            Some(Row {
                job,
                source,
                target: *index_of.get(&message.target)?,
                bytes: message.bytes,
                how: "open-loop",
                sent: message.created,
                arrived: message.arrived,
            })
        })
        .collect();
    mine.sort_by_key(|row| row.source);
    mine
}
