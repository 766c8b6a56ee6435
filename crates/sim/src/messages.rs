//! The table of messages between ranks, and of those of open-loop sources.

use std::collections::{BTreeMap, VecDeque};

use odonata_endpoint::Header;
use odonata_units::{Instant, NodeId};

use crate::config::Config;
use crate::finished::{Finished, ranks};
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

/// Messages between the ranks of a job.
fn add_handed<'a>(rows: &mut Vec<Row<'a>>, job: &'a str, index: usize, finished: &Finished) {
    let ranks = ranks(finished, index);
    let locations = &finished.placed.locations[index];
    // Messages with the same header come one after the other.
    let mut arrivals: BTreeMap<(NodeId, Header), VecDeque<(usize, Instant)>> = BTreeMap::new();
    for target in &ranks {
        let address = locations[target.number].address;
        for one in target.rank.messages().iter().flat_map(|log| log.arrived()) {
            let arrived = (target.number, one.at);
            arrivals
                .entry((address, one.header))
                .or_default()
                .push_back(arrived);
        }
    }
    for source in &ranks {
        for sent in source.rank.messages().iter().flat_map(|log| log.sent()) {
            let queue = arrivals.get_mut(&(sent.target, sent.header));
            if let Some((target, arrived)) = queue.and_then(VecDeque::pop_front) {
                let (bytes, how) = sent.what();
                rows.push(Row {
                    job,
                    source: source.number,
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
