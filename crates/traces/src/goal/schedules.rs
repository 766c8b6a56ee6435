//! Schedules of all ranks as a table.

use std::collections::BTreeMap;

use odonata_workload::trace::op;

use super::schedule::{Kind, Schedule};
use crate::communicators::LocalCommunicators;
use crate::recorded::{Entry, Recorded, Writer};

/// `-1` in 32 bits without a sign.
pub(super) const ANY: u32 = u32::MAX;
const NANOSECOND_PS: u64 = 1_000;
/// Schedgen gives the messages of the collectives that it writes out tags from here on.
const FIRST_COLLECTIVE_TAG: i32 = 1_000_000;

/// Writes the schedules of all ranks, in any order.
pub(super) struct Schedules {
    pub(super) writer: Writer,
    /// Schedules that came before their turn.
    early: BTreeMap<u32, Schedule>,
    next: u32,
    /// Tags that the internal form has no room for, and what stands for them.
    large_tags: BTreeMap<u32, i32>,
    largest_small_tag: i32,
    /// Whether a receive takes any tag.
    has_any_tag: bool,
}

impl Schedules {
    pub(super) fn new() -> Self {
        Self {
            writer: Writer::new("goal"),
            early: BTreeMap::new(),
            next: 0,
            large_tags: BTreeMap::new(),
            largest_small_tag: 0,
            has_any_tag: false,
        }
    }

    /// Whether the schedule of this rank has been added.
    pub(super) fn has(&self, rank: u32) -> bool {
        rank < self.next || self.early.contains_key(&rank)
    }

    pub(super) fn add(&mut self, rank: u32, schedule: Schedule) {
        self.early.insert(rank, schedule);
        while let Some(schedule) = self.early.remove(&self.next) {
            self.write(schedule);
            self.next += 1;
        }
    }

    fn tag(&mut self, tag: u32) -> i32 {
        if let Ok(tag) = i32::try_from(tag) {
            self.largest_small_tag = self.largest_small_tag.max(tag);
            return tag;
        }
        let used = i32::try_from(self.large_tags.len()).unwrap_or(i32::MAX);
        *self.large_tags.entry(tag).or_insert(i32::MAX - used)
    }

    fn write(&mut self, schedule: Schedule) {
        for vertex in schedule.iter() {
            let entry = match vertex.kind {
                Kind::Calc => Entry {
                    op: op::COMPUTE,
                    duration_ps: vertex.size.saturating_mul(NANOSECOND_PS),
                    ..Entry::default()
                },
                Kind::Other => Entry {
                    op: op::NOTHING,
                    ..Entry::default()
                },
                Kind::Send | Kind::Recv => {
                    let is_send = vertex.kind == Kind::Send;
                    let any_tag = !is_send && vertex.tag == ANY;
                    self.has_any_tag |= any_tag;
                    Entry {
                        op: if is_send { op::SEND } else { op::RECV },
                        peer: i32::try_from(vertex.peer).unwrap_or(-1),
                        bytes: vertex.size,
                        tag: if any_tag { -1 } else { self.tag(vertex.tag) },
                        comm: LocalCommunicators::WORLD,
                        ..Entry::default()
                    }
                }
            };
            if vertex.nic > 0 {
                self.writer
                    .hint("operations on another NIC than the first, taken to the first");
            }
            self.writer.push_on(entry, u32::from(vertex.cpu));
        }
        let mut edges = schedule.edges;
        edges.sort_unstable();
        edges.dedup();
        self.writer.end_graph(&edges);
    }

    /// The trace; what is wrong if ranks are missing or tags do not fit.
    pub(super) fn finish(mut self, ranks: u32) -> Result<Recorded, String> {
        if self.next != ranks || !self.early.is_empty() {
            return Err(format!(
                "it should have {ranks} ranks, but the schedule of rank {} is missing",
                self.next
            ));
        }
        let large = i32::try_from(self.large_tags.len()).unwrap_or(i32::MAX);
        if large > 0 && self.largest_small_tag > i32::MAX - large {
            return Err("its tags are too many and too large".to_owned());
        }
        if large > 0 {
            self.writer
                .remark("tags above 2147483647 are replaced by others that are not used");
        }
        let is_high = large > 0 || self.largest_small_tag >= FIRST_COLLECTIVE_TAG;
        let mut recorded = self.writer.finish();
        if self.has_any_tag && is_high {
            separate_collectives(&mut recorded);
        }
        Ok(recorded)
    }
}

/// Gives messages of collectives that were written out a communicator of their own: receives with
/// any tag do not take them.
fn separate_collectives(recorded: &mut Recorded) {
    let table = &mut recorded.table;
    let is_collective = |tag: i32| tag >= FIRST_COLLECTIVE_TAG;
    table.comm = table
        .tag
        .iter()
        .map(|tag| u32::from(is_collective(tag)))
        .collect();
    table.comm.close();
    table.comm_members.extend_from_within(..);
    table.comm_offsets.push(table.comm_members.len() as u64);
    recorded.remarks.push(
        "messages with tags from 1000000 on are those of collectives that Schedgen wrote out: \
         receives with any tag do not take them"
            .to_owned(),
    );
}
