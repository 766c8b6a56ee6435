//! What is steered, by which way, and what never.

use crate::programs::{
    file, has_libfabric, hooked, number, preloaded, report, scratch, with_alltoall, words,
};

/// Messages of one size, one after the other, by class as the provider saw them.
fn classes(log: &str) -> Vec<String> {
    let text = std::fs::read_to_string(log).expect("the provider has written it");
    let first = |line: &str| line.split(' ').next().map(str::to_owned);
    text.lines().filter_map(first).collect()
}

#[test]
fn stalls_that_begin_and_end_change_the_class_and_back() {
    if !has_libfabric() {
        return;
    }
    for (name, run) in [("loop-preloaded", preloaded()), ("loop-hooked", hooked())] {
        // Low latency has a smaller latency; from message 10 on it stalls, from 30 on no more.
        let model = file(
            &format!("{name}-model"),
            "0 200 4 0\n0 201 3 0\n10 201 3 50\n30 201 3 0\n",
        );
        let log = scratch(&format!("{name}-log")).display().to_string();
        let run = run
            .with("FAKECXI_MODEL", &model)
            .with("FAKECXI_LOG", &log)
            .with("ODONATA_FI_LANES", "own,own,low-latency");
        let report = report(&run, name, &["send:65536:50"]);
        let seen = classes(&log);
        assert_eq!(seen.len(), 50);
        // The first message goes as the program asks: nothing is known. What the second one shows
        // is better, and it stays until message 10 stalls: message 11 goes over the endpoint again.
        assert_eq!(seen[0], "200");
        assert!(seen[1..11].iter().all(|class| class == "201"), "{seen:?}");
        // Stalls are tried again when what was seen of them has expired, after 5 decisions.
        let own = |range: std::ops::Range<usize>| {
            let of_range = &seen[range];
            of_range.iter().filter(|class| *class == "200").count()
        };
        assert!(seen[11] == "200" && own(11..30) >= 14, "{seen:?}");
        // From message 30 on nothing stalls: the next try shows it, at most 6 messages later.
        assert_eq!(own(37..50), 0, "{seen:?}");
        assert!(number(&report, "changes") >= 3, "{report}");
        assert_eq!(number(&report, "counter_reads"), 50, "{report}");
    }
}

#[test]
fn messages_under_way_keep_their_order() {
    if !has_libfabric() {
        return;
    }
    for seed in ["1", "2"] {
        let run = preloaded()
            .with("FAKECXI_REORDER", seed)
            .with("ODONATA_FI_EXTENSIONS", "exploration")
            .with("ODONATA_FI_SEED", seed);
        let report = report(&run, &format!("burst-{seed}"), &["burst:30000:12"]);
        // It had to hold messages back, and used both ways.
        assert!(number(&report, "held_by_order") > 0, "{report}");
        assert!(number(&report, "sent_by_way.adaptive-3") > 32, "{report}");
        assert!(number(&report, "sent_by_way.endpoint") > 32, "{report}");
    }
}

#[test]
fn an_alltoall_gets_its_class() {
    if !has_libfabric() {
        return;
    }
    let log = scratch("alltoall-log").display().to_string();
    let run = preloaded()
        .with("LD_PRELOAD", &with_alltoall())
        .with("FAKECXI_LOG", &log)
        // Nothing is better than what it has: stalls grow with the high bias.
        .with("ODONATA_FI_STALL_FACTOR", "1000")
        .with(
            "FAKECXI_MODEL",
            &file("alltoall-model", "0 200 3 1\n0 203 3 1\n0 201 3 1\n"),
        );
    report(
        &run,
        "alltoall",
        &["send:65536:3", "alltoall:65536:3", "send:65536:3"],
    );
    assert_eq!(
        classes(&log),
        [
            "200", "200", "200", "203", "203", "203", "200", "200", "200"
        ]
    );
}

#[test]
fn remote_memory_without_an_order_goes_unordered() {
    if !has_libfabric() {
        return;
    }
    let log = scratch("memory-log").display().to_string();
    let run = preloaded()
        .with("FAKECXI_LOG", &log)
        .with("ODONATA_FI", "adaptive-0");
    let said = report(
        &run,
        "memory",
        &["write:9000:3", "read:9000:2", "send:9000"],
    );
    let text = std::fs::read_to_string(&log).expect("the provider has written it");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..5], ["200 unordered 9000"; 5], "{text}");
    assert_eq!(lines[5], "200 ordered 9000");
    assert_eq!(number(&said, "sent_unordered"), 5, "{said}");
    // With an order between writes they are left alone.
    let ordered = run.with("FI_TEST_ORDER", "0x110"); // SAS, WAW
    let said = report(&ordered, "memory-ordered", &["write:9000:3"]);
    assert_eq!(number(&said, "left_alone.order"), 3, "{said}");
    assert_eq!(number(&said, "sent_unordered"), 0, "{said}");
}

#[test]
fn what_the_program_asks_for_itself_is_left_alone() {
    if !has_libfabric() {
        return;
    }
    let run = preloaded().with("ODONATA_FI", "adaptive-3");
    // An order across kinds; a fence; an alias of its own; a class of its own.
    let strict = run.clone().with("FI_TEST_ORDER", "0x1ff");
    let said = report(&strict, "strict", &["send:9000:4", "write:64"]);
    assert_eq!(number(&said, "endpoints_left_alone"), 1, "{said}");
    assert_eq!(number(&said, "aliases"), 0, "{said}");
    let said = report(&run, "fence", &["send:9000:4", "fence:9000", "send:9000"]);
    assert_eq!(number(&said, "left_alone.flags"), 1, "{said}");
    assert_eq!(number(&said, "sent_by_way.adaptive-3"), 5, "{said}");
    let said = report(
        &run,
        "alias",
        &["send:9000", "alias", "send:9000:2", "unalias"],
    );
    assert_eq!(number(&said, "sent_by_way.adaptive-3"), 3, "{said}");
    let said = report(&run, "setval", &["send:9000", "setval", "send:9000:2"]);
    assert_eq!(number(&said, "left_alone.no_alias"), 2, "{said}");
}

#[test]
fn a_fence_waits_for_what_went_over_an_alias() {
    if !has_libfabric() {
        return;
    }
    let run = preloaded()
        .with("ODONATA_FI", "adaptive-3")
        .with("FAKECXI_REORDER", "5")
        .with("FI_TEST_CAPS", "0x20000e"); // messages, tagged, memory, fences
    let (out, code, error) = words(&run, &["burst:9000:2", "fence:64", "fence:64"]);
    assert_eq!((out.as_str(), code), ("wrong 0\n", Some(0)), "{error}");
}

#[test]
fn a_harness_alternates_modes_and_flags_reach_aliases() {
    if !has_libfabric() {
        return;
    }
    let run = preloaded();
    let (out, code, error) = words(
        &run,
        &[
            "force:3",
            "send:9000:2",
            "flags",
            "send:9000:2",
            "force:0",
            "send:9000",
            "force:7",
            "force:-1",
            "send:9000",
            "tables",
            "fork",
            "send:9000",
            "reopen",
            "send:9000:3",
        ],
    );
    let said =
        "force 0\nforce 0\nforce -1\nforce 0\ntables of the hook\nchild ended with 0\nwrong 0\n";
    assert_eq!((out.as_str(), code), (said, Some(0)), "{error}");
}

#[test]
fn a_forced_mode_holds_for_every_message() {
    if !has_libfabric() {
        return;
    }
    let log = scratch("forced-log").display().to_string();
    let run = preloaded().with("FAKECXI_LOG", &log);
    let said = [
        "force:3",
        "send:64",
        "force:0",
        "send:64",
        "send:9000",
        "force:3",
        "send:64",
        "inject",
        "send:9000",
        "force:0",
        "inject",
    ];
    let (_, code, error) = words(&run, &said);
    assert_eq!(code, Some(0), "{error}");
    let seen = classes(&log);
    assert_eq!(seen, ["201", "200", "200", "201", "201", "201", "200"]);
}
