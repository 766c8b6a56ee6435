//! The table of messages between ranks.

use std::collections::{BTreeMap, VecDeque};

use odonata_endpoint::Header;
use odonata_mpi::SentMessage;
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
    sent: SentMessage,
    arrived: Instant,
}

/// The sampled messages of all jobs that arrived: by job and sender, in the order in which they
/// were handed over.
pub(crate) fn table(config: &Config, finished: &Finished) -> Table {
    let mut rows = Vec::new();
    for (index, job) in config.jobs.iter().enumerate() {
        let ranks = ranks(finished, index);
        let locations = &finished.placed.locations[index];
        // Messages with the same header come one after the other.
        let mut arrivals: BTreeMap<(NodeId, Header), VecDeque<(usize, Instant)>> = BTreeMap::new();
        for (target, (rank, location)) in ranks.iter().zip(locations).enumerate() {
            for one in rank.messages().iter().flat_map(|log| log.arrived()) {
                let key = (location.address, one.header);
                arrivals.entry(key).or_default().push_back((target, one.at));
            }
        }
        for (source, rank) in ranks.iter().enumerate() {
            for sent in rank.messages().iter().flat_map(|log| log.sent()) {
                let queue = arrivals.get_mut(&(sent.target, sent.header));
                if let Some((target, arrived)) = queue.and_then(VecDeque::pop_front) {
                    rows.push(Row {
                        job: &job.name,
                        source,
                        target,
                        sent: *sent,
                        arrived,
                    });
                }
            }
        }
    }
    table!("messages", rows, {
        "job" => Text, |row| row.job.to_owned();
        "source_rank" => U64, |row| row.source as u64;
        "target_rank" => U64, |row| row.target as u64;
        "bytes" => U64, |row| row.sent.what().0;
        "how" => Text, |row| row.sent.what().1.to_owned();
        "sent_ns" => F64, |row| ns(row.sent.at.ps());
        "arrived_ns" => F64, |row| ns(row.arrived.ps());
    })
}
