//! The sequence of messages and counters that every user of the policy replays: the library sends
//! each message over the alias of the mode that was recorded.

use std::fmt::Write;

use crate::programs::{file, has_libfabric, preloaded, report, scratch, with_alltoall};

const RECORDED: &str = include_str!("../../../policy/tests/data/recorded.csv");

#[test]
fn messages_go_over_the_aliases_of_the_recorded_modes() {
    if !has_libfabric() {
        return;
    }
    let (mut rows, mut words, mut modes) = (String::new(), Vec::new(), Vec::new());
    for line in RECORDED.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let _ = writeln!(
            rows,
            "{} {} {} {}",
            fields[3], fields[4], fields[5], fields[6]
        );
        let way = match (fields[1], fields[2]) {
            ("get", "false") => "read",
            ("get", _) => "alltoallread",
            (_, "false") => "write",
            _ => "alltoallwrite",
        };
        words.push(format!("{way}:{}", fields[0]));
        modes.push(fields[7]);
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
