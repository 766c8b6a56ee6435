//! The recorded sequence of messages and counters, `tests/data/recorded.csv`. Tests of every user of
//! the policy include this file.

use odonata_policy::{Counters, Message, Operation};

/// A message, the mode that it gets, and the counters that are found after it.
pub(crate) struct Recorded {
    pub(crate) message: Message,
    pub(crate) mode: &'static str,
    pub(crate) counters: Counters,
}

/// The messages in their order.
pub(crate) fn recorded() -> impl Iterator<Item = Recorded> {
    let lines = include_str!("../data/recorded.csv").lines().skip(1);
    lines.map(|line| {
        let fields: Vec<&'static str> = line.split(',').collect();
        let count = |index: usize| -> u64 { fields[index].parse().expect("it is a number") };
        Recorded {
            message: Message {
                bytes: count(0),
                operation: match fields[1] {
                    "put" => Operation::Put,
                    _ => Operation::Get,
                },
                alltoall: fields[2] == "true",
            },
            mode: fields[7],
            counters: Counters {
                flits: count(3),
                stalled: count(4),
                packets: count(5),
                latency: count(6),
            },
        }
    })
}
