//! GOAL, the schedules of LogGOPSim: a graph of sends, receives and computations per rank.
//!
//! A `cpu` is a stream in which nothing follows; `requires` is an edge to an end, `irequires` one
//! to a start; `calc` counts nanoseconds. Text and binary of one schedule become the same table.

use std::collections::BTreeMap;
use std::io::{BufRead, Read, Seek};

use odonata_workload::trace::op;

use crate::bytes::Damage;
use crate::communicators::LocalCommunicators;
use crate::fault::ReadError;
use crate::recorded::{Entry, Recorded, Writer};

use schedule::{Kind, Schedule};

mod binary;
mod labels;
mod schedule;
mod text;

/// What `-1` is in 32 bits without a sign.
const ANY: u32 = u32::MAX;
const NANOSECOND_PS: u64 = 1_000;
/// Schedgen gives the messages of the collectives that it writes out tags from here on.
const FIRST_COLLECTIVE_TAG: i32 = 1_000_000;

/// Writes the schedules of all ranks, in any order.
struct Schedules {
    writer: Writer,
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
    fn new() -> Self {
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
    fn has(&self, rank: u32) -> bool {
        rank < self.next || self.early.contains_key(&rank)
    }

    fn add(&mut self, rank: u32, schedule: Schedule) {
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
    fn finish(mut self, ranks: u32) -> Result<Recorded, String> {
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

/// Reads a schedule as text.
///
/// # Errors
/// If it is no schedule, cut short or damaged.
pub fn read_text<R: BufRead>(name: &str, content: R) -> Result<Recorded, ReadError> {
    let refused = |problem: String| {
        let words = format!("{problem}; correct the schedule, or generate it again");
        ReadError::new(name, words)
    };
    let mut schedules = Schedules::new();
    let ranks =
        text::read(name, content, &mut schedules).map_err(|bad| refused(bad.to_string()))?;
    schedules.finish(ranks).map_err(refused)
}

/// Reads a schedule as `txt2bin` writes it.
///
/// # Errors
/// If it is no schedule, cut short or damaged.
pub fn read_binary<R: Read + Seek>(name: &str, content: R) -> Result<Recorded, ReadError> {
    let refused = |problem: String| {
        let words = format!("{problem}; it is truncated or damaged: make it again with `txt2bin`");
        ReadError::new(name, words)
    };
    let mut schedules = Schedules::new();
    let read: Result<u32, Damage> = binary::read(content, &mut schedules);
    let ranks = read.map_err(|damage| refused(damage.to_string()))?;
    schedules.finish(ranks).map_err(refused)
}

#[cfg(test)]
mod tests {
    use odonata_workload::trace::op;

    use super::{read_binary, read_text};
    use crate::recorded::Recorded;

    const TEXT: &str = "num_ranks 2\n// who\nrank 0 {\nl1: calc 100 cpu 1\nl2: send 10b to 1 tag 7\n\
                        l2 irequires l1\n/* not\n l9: */\n}\nrank 1 {\nl2 requires l1\n\
                        l1: recv 10 b from -1 tag 4026531841 nic 1\nl2: calc 5\n}\n";

    fn text(content: &str) -> Result<Recorded, String> {
        read_text("file", content.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_schedule_becomes_a_graph() {
        let recorded = text(TEXT).unwrap();
        let table = &recorded.table;
        assert_eq!(table.op, [op::COMPUTE, op::SEND, op::RECV, op::COMPUTE]);
        assert_eq!(table.rank_offsets, [0, 2, 4]);
        assert_eq!(table.duration_ps, [100_000, 0, 0, 5_000]);
        assert_eq!(table.peer, [0, 1, -1, 0]);
        assert_eq!(table.tag, [0, 7, i32::MAX, 0]);
        let graph = recorded.table.streams.unwrap();
        assert_eq!(graph.stream, [1, 0, 0, 0]);
        assert_eq!(graph.follows, [0, 0, 0, 0]);
        assert_eq!(graph.after_count, [0, 1, 0, 1]);
        assert_eq!(graph.after, [0, 0]);
        assert_eq!(graph.after_start, [1, 0]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let refused = |content: &str, words: &str| {
            let error = text(content).unwrap_err();
            assert!(error.contains(words), "{error}");
        };
        refused("rank 0 {\n}\n", "line 1: `num_ranks` must come first");
        refused("num_ranks 2\nrank 0 {\n}\n", "rank 1 is missing");
        refused("num_ranks 1\nrank 0 {\nrank 0 {\n", "line 3: ");
        refused(
            "num_ranks 1\nrank 0 {\nl1 requires l2\n}\n",
            "label `l1` is not defined",
        );
        refused(
            "num_ranks 1\nrank 0 {\nsend 3b to 9\n",
            "line 3: there is no rank 9",
        );
        refused("num_ranks 1\nrank 0 {\nsend 3 to 0\n", "line 3: ");
        refused(
            "num_ranks 1\nrank 0 {\ncalc 3\n",
            "the bracket of rank 0 is not closed",
        );
        refused("num_ranks 1\nrank 1 {\n}\n", "there is no rank 1");
    }

    #[test]
    fn extensions_are_counted_and_keep_their_dependencies() {
        let recorded =
            text("num_ranks 1\nrank 0 {\na: put 2b to 0 tag 1\nb: calc 1\nb requires a\n}\n")
                .unwrap();
        assert_eq!(recorded.table.op, [op::NOTHING, op::COMPUTE]);
        assert_eq!(recorded.unsupported["put"].first, "line 3 of file");
        assert_eq!(recorded.table.streams.unwrap().after, [0]);
    }

    #[test]
    fn a_binary_that_points_astray_is_refused() {
        let mut content = Vec::new();
        content.extend(4223_u64.to_le_bytes());
        content.extend(1_u32.to_le_bytes());
        content.extend([0, 0]);
        content.extend(22_u64.to_le_bytes());
        content.extend(30_u64.to_le_bytes());
        content.extend([0; 8]);
        let read = |content: &[u8]| read_binary("file", std::io::Cursor::new(content.to_vec()));
        assert_eq!(read(&content).unwrap().table.op.len(), 0);
        content[14] = 200;
        assert!(
            read(&content)
                .unwrap_err()
                .problem
                .contains("truncated or damaged")
        );
    }
}
