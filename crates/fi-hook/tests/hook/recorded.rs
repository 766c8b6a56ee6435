//! The sequence of messages and counters that every user of the policy replays: the library sends
//! each message over the alias of the mode that was recorded.

use std::fmt::Write;

use odonata_policy::{Counters, Operation};

use crate::programs::{file, has_libfabric, preloaded, report, scratch, with_alltoall};

use support::Recorded;

#[path = "../../../policy/tests/support/recorded.rs"]
mod support;

#[test]
fn messages_go_over_the_aliases_of_the_recorded_modes() {
    if !has_libfabric() {
        return;
    }
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
        let word = match (message.operation, message.alltoall) {
            (Operation::Get, false) => "read",
            (Operation::Get, true) => "alltoallread",
            (Operation::Put, false) => "write",
            (Operation::Put, true) => "alltoallwrite",
        };
        words.push(format!("{word}:{}", message.bytes));
        modes.push(mode);
    }
    let log = scratch("recorded-log").display().to_string();
    let numbers = file(
        "recorded-numbers",
        "flits 45\nstalled 46\npackets 47\nlatency_us 48\n",
    );
    let run = preloaded()
        .with("ODONATA_FI_COUNTERS", &numbers)
        .with("ODONATA_FI_LANES", "best-effort,bulk-data,low-latency")
        .with("FAKECXI_ROWS", &file("recorded-rows", &rows))
        .with("FAKECXI_LOG", &log)
        .with("LD_PRELOAD", &with_alltoall());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let report = report(&run, "recorded", &words);
    let sent = std::fs::read_to_string(&log).expect("the provider has written it");
    let classes: Vec<&str> = sent
        .lines()
        .map(|line| match line.split(' ').next() {
            Some("200") => "adaptive-0",
            Some("203") => "adaptive-1",
            Some("201") => "adaptive-3",
            _ => "none",
        })
        .collect();
    assert_eq!(classes.len(), modes.len(), "{report}");
    for (index, (class, mode)) in classes.iter().zip(&modes).enumerate() {
        assert_eq!(class, mode, "message {index}");
    }
}
