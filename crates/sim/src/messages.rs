//! The table of messages between ranks, and of those of open-loop sources.

use std::collections::{BTreeMap, VecDeque};

use odonata_endpoint::Header;
use odonata_mpi::MessageLog;
use odonata_units::{Instant, NodeId};

use crate::config::Config;
use crate::finished::{Finished, RankLog, ranks};
use crate::outcome::{Table, table};
use crate::statistic::ns;

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
    let mut rows = Vec::new();
    for (index, job) in config.jobs.iter().enumerate() {
        if finished.placed.open_loop[index] {
            add_created(&mut rows, &job.name, index, finished);
        } else {
            add_handed(&mut rows, &job.name, index, finished);
        }
    }
    table!("messages", rows, {
        "job" => Text, |row| row.job.to_owned();
        "source_rank" => U64, |row| row.source as u64;
        "target_rank" => U64, |row| row.target as u64;
        "bytes" => U64, |row| row.bytes;
        "how" => Text, |row| row.how.to_owned();
        "sent_ns" => F64, |row| ns(row.sent.ps());
        "arrived_ns" => F64, |row| ns(row.arrived.ps());
    })
}

/// The logs of all ranks at the nodes of this process, to be kept when these are gone.
pub(crate) fn own_logs(finished: &Finished) -> Vec<RankLog> {
    let of_job = |job| {
        let ranks = ranks(finished, job).into_iter();
        ranks.filter_map(move |one| {
            Some(RankLog {
                job,
                rank: one.number,
                messages: one.rank.messages()?.clone(),
            })
        })
    };
    (0..finished.placed.locations.len())
        .flat_map(of_job)
        .collect()
}

/// The ranks of a job that have logged messages, in their order, with their logs.
fn logs(finished: &Finished, job: usize) -> Vec<(usize, &MessageLog)> {
    let here = ranks(finished, job).into_iter();
    let here = here.filter_map(|one| Some((one.number, one.rank.messages()?)));
    let elsewhere = finished.logs.iter().filter(|log| log.job == job);
    let elsewhere = elsewhere.map(|log| (log.rank, &log.messages));
    let mut all: Vec<_> = here.chain(elsewhere).collect();
    all.sort_unstable_by_key(|(rank, _)| *rank);
    all
}

/// Messages between the ranks of a job.
fn add_handed<'a>(rows: &mut Vec<Row<'a>>, job: &'a str, index: usize, finished: &Finished) {
    let logs = logs(finished, index);
    let locations = &finished.placed.locations[index];
    // Messages with the same header come one after the other.
    let mut arrivals: BTreeMap<(NodeId, Header), VecDeque<(usize, Instant)>> = BTreeMap::new();
    for (target, log) in &logs {
        let address = locations[*target].address;
        for one in log.arrived() {
            let arrived = (*target, one.at);
            arrivals
                .entry((address, one.header))
                .or_default()
                .push_back(arrived);
        }
    }
    for (source, log) in &logs {
        for sent in log.sent() {
            let queue = arrivals.get_mut(&(sent.target, sent.header));
            if let Some((target, arrived)) = queue.and_then(VecDeque::pop_front) {
                let (bytes, how) = sent.what();
                rows.push(Row {
                    job,
                    source: *source,
                    target,
                    bytes,
                    how,
                    sent: sent.at,
                    arrived,
                });
            }
        }
    }
}

/// Messages of the sources of an open-loop job, each on a node of its own.
fn add_created<'a>(rows: &mut Vec<Row<'a>>, job: &'a str, index: usize, finished: &Finished) {
    let locations = finished.placed.locations[index].iter().enumerate();
    let index_of: BTreeMap<_, _> = locations.map(|(rank, at)| (at.address, rank)).collect();
    let messages = &finished.heard.open_messages;
    let mut mine: Vec<_> = messages
        .iter()
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
    rows.extend(mine);
}
