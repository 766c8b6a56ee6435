//! GOAL, the schedules of LogGOPSim: a graph of sends, receives and computations per rank.
//!
//! A `cpu` is a stream in which nothing follows; `requires` is an edge to an end, `irequires` one
//! to a start; `calc` counts nanoseconds. Text and binary of one schedule become the same table.

use std::io::{BufRead, Read, Seek};

use crate::bytes::Damage;
use crate::fault::ReadError;
use crate::recorded::Recorded;

use schedules::Schedules;

mod binary;
mod labels;
mod schedule;
mod schedules;
mod text;

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
