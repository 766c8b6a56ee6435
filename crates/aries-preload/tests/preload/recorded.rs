//! The sequence of messages and counters that every user of the policy replays: the library posts
//! each message with the mode that was recorded.

use std::fmt::Write;

use odonata_policy::{Counters, Operation};

use crate::programs::{preloaded, scratch, script};
use support::Recorded;

#[path = "../../../policy/tests/support/recorded.rs"]
mod support;

#[test]
fn messages_are_posted_with_the_recorded_modes() {
    let (mut rows, mut words, mut modes) = (String::new(), Vec::new(), Vec::new());
    for Recorded {
        message,
        mode,
        counters,
    } in support::recorded()
    {
        let Counters {
            flits,
            stalled,
            packets,
            latency,
        } = counters;
        let _ = writeln!(rows, "{flits} {stalled} {packets} {latency}");
        let word = if message.alltoall {
            "telltoall"
        } else {
            "tell"
        };
        let is_get = u8::from(message.operation == Operation::Get);
        words.push(format!("{word}:{}:{is_get}", message.bytes));
        modes.push(mode);
    }
    let file = scratch("recorded-rows");
    std::fs::write(&file, rows).expect("the folder of tests can be written");
    let run = preloaded().with("PAPI_ROWS", &file.display().to_string());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (out, code, error) = script(&run, &words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    let posted: Vec<&str> = out
        .lines()
        .take(modes.len())
        .map(|line| match line {
            "0" => "adaptive-0",
            "20" => "adaptive-1",
            "80" => "adaptive-3",
            _ => "none",
        })
        .collect();
    assert_eq!(posted.len(), 300, "{out}");
    for (index, (posted, mode)) in posted.iter().zip(&modes).enumerate() {
        assert_eq!(posted, mode, "message {index}");
    }
}
