//! What the library does to messages.

use crate::programs::{Run, by_default, preloaded, scratch, script};

/// What `script` says with the library: lines, and messages in the modes ADAPTIVE 0 to 3, IN_ORDER,
/// NMIN_HASH, MIN_HASH.
fn steered(run: &Run, words: &[&str]) -> (Vec<String>, [u64; 7]) {
    let (out, code, error) = script(run, words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
    assert_eq!(
        lines.pop().as_deref(),
        Some("wrong 0"),
        "arguments were passed on"
    );
    let last = lines.pop().expect("the counts");
    let sent: Vec<u64> = last
        .split(' ')
        .skip(1)
        .map(|n| n.parse().expect("a count"))
        .collect();
    (lines, sent.try_into().expect("seven modes"))
}

#[test]
fn posts_are_steered_and_orders_are_kept() {
    let words = [
        "put:65536:0:3",
        "rdma:4096:0x20",
        "get:4096:3",
        "get:4096:8:2",
        "chain:64:0x40",
        "amo:8",
        "beyond",
        "put:8:0x10",
    ];
    assert_eq!(steered(&Run::plain(), &words).1, [3, 1, 1, 0, 1, 2, 1]);
    let (lines, sent) = steered(&preloaded(), &words);
    // The first is decided without having seen anything, later ones gain from the high bias.
    assert_eq!(sent, [1, 0, 0, 4, 1, 2, 1]);
    // What is refused keeps its mode: an atomic, and a put beyond what is registered.
    assert_eq!(lines, ["12 mode 0", "5 mode 0"]);
    // A fixed mode for all that may be steered.
    for (plan, expected) in [
        ("adaptive-0", [5, 0, 0, 0, 1, 2, 1]),
        ("adaptive-1", [0, 5, 0, 0, 1, 2, 1]),
    ] {
        assert_eq!(
            steered(&preloaded().with("ODONATA_ARIES", plan), &words).1,
            expected
        );
    }
    assert_eq!(
        steered(&preloaded().with("ODONATA_ARIES", "off"), &words).1,
        [3, 1, 1, 0, 1, 2, 1]
    );
}

#[test]
fn small_messages_have_the_mode_of_the_nic_unless_the_program_set_another_kind() {
    let run = preloaded();
    assert_eq!(steered(&run, &["small:100:0:20"]).1, [0, 0, 0, 20, 0, 0, 0]);
    assert_eq!(
        steered(
            &run,
            &[
                "smallmode:0:0x20",
                "small:100:0:5",
                "smallmode:0:3",
                "small:100:0:4"
            ]
        )
        .1,
        [0, 0, 0, 5, 4, 0, 0]
    );
    // Their bytes count: 108 each, the 38th is above 4 KiB and decided, and has seen nothing.
    assert_eq!(steered(&run, &["small:100:0:39"]).1, [1, 0, 0, 38, 0, 0, 0]);
}

#[test]
fn an_alltoall_has_the_increasingly_minimal_bias() {
    let stays = preloaded().with("ODONATA_ARIES_LATENCY_FACTOR", "1.5");
    let words = [
        "alltoall:65536",
        "alltoallv:65536",
        "ialltoall:65536",
        "ialltoallw:65536",
        "fortran:65536",
        "put:65536:0:3",
    ];
    let (lines, sent) = steered(&stays, &words);
    assert_eq!(lines, ["42"; 4]);
    // Fortran: two calls.
    assert_eq!(sent, [3, 6, 0, 0, 0, 0, 0]);
    assert_eq!(steered(&Run::plain(), &words).1, [9, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn dmapp_is_steered_where_its_numbers_are_known() {
    let words = ["dput:65536:2", "dget:65536:0", "dget:1:3", "dput:65536:2"];
    let plain = [
        "put 65536 of type 2 under 1",
        "get 65536 of type 0 under 2",
        "get 1 of type 3 under 2",
        "put 65536 of type 2 under 1",
    ];
    assert_eq!(steered(&Run::plain(), &words).0, plain);
    assert_eq!(steered(&preloaded(), &words).0, plain);
    let known = preloaded().with("ODONATA_ARIES_DMAPP", "2,5,7");
    // Puts are deterministic (1), which is no adaptive mode: they stay. The small get is below the
    // threshold.
    let (lines, _) = steered(&known, &words);
    assert_eq!(lines[2], "get 1 of type 3 under 7");
    assert_eq!(
        (&lines[0], &lines[1], &lines[3]),
        (
            &plain[0].to_owned(),
            &plain[1].to_owned(),
            &plain[3].to_owned()
        )
    );
}

#[test]
fn the_mode_changes_when_stalls_come_and_comes_back_when_they_go() {
    let model = scratch("calm-stalls-calm.txt");
    std::fs::write(
        &model,
        "0 adaptive-0 3 0\n0 adaptive-3 2 0\n100 adaptive-0 3 4\n100 adaptive-3 2 40\n\
         200 adaptive-0 3 0\n200 adaptive-3 2 0\n",
    )
    .expect("the folder of tests can be written");
    let run = preloaded().with("ODONATA_UGNI_MODEL", &model.display().to_string());
    let (lines, _) = steered(&run, &["show:65536:0:300"]);
    assert_eq!(lines.len(), 300);
    for (index, mode) in lines.iter().enumerate() {
        // One message shows what has changed, the next one goes the other way.
        let expected = if matches!(index, 0 | 101..=200) {
            "0"
        } else {
            "80"
        };
        assert_eq!(mode, expected, "message {index}");
    }
}

/// With settling both changes come later, since what is seen of a mode takes answers of that mode.
#[test]
fn by_default_stalls_change_the_mode_and_back_within_some_readings() {
    let model = scratch("calm-stalls-calm-settling.txt");
    std::fs::write(
        &model,
        "0 adaptive-0 3 0\n0 adaptive-3 2 0\n1000 adaptive-0 3 4\n1000 adaptive-3 2 40\n",
    )
    .expect("the folder of tests can be written");
    let run = by_default().with("ODONATA_UGNI_MODEL", &model.display().to_string());
    let (lines, _) = steered(&run, &["show:65536:0:2000"]);
    let biased = |range: std::ops::Range<usize>| {
        let of_range = &lines[range];
        of_range.iter().filter(|mode| *mode == "80").count()
    };
    assert!(biased(0..1_000) > 900, "{}", biased(0..1_000));
    // The 64th decision at the latest is followed by a reading.
    assert!(biased(1_200..2_000) < 80, "{}", biased(1_200..2_000));
}

#[test]
fn a_harness_can_force_a_mode_and_let_it_go() {
    let words = [
        "put:65536:0:2",
        "force:1",
        "put:65536:0:4",
        "force:0",
        "put:65536:0:8",
        "force:-1",
        "put:65536:0:16",
        "force:9",
    ];
    let (lines, sent) = steered(&preloaded(), &words);
    assert_eq!(lines, ["force 0", "force 0", "force 0", "force -1"]);
    assert_eq!(sent, [1 + 8, 4, 0, 1 + 16, 0, 0, 0]);
}

#[test]
fn the_report_says_what_was_done() {
    let folder = scratch("reports");
    let run = preloaded().with("ODONATA_ARIES_REPORT", &folder.display().to_string());
    steered(
        &run,
        &[
            "put:65536:0:3",
            "get:4096:3",
            "small:100",
            "reset",
            "put:65536",
            "amo:8",
        ],
    );
    let files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is made")
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let path = files[0].as_ref().expect("it can be read").path();
    let text = std::fs::read_to_string(path).expect("it is whole");
    for part in [
        "\"problem\": null",
        "\"rank\": 0",
        "\"plan\": \"application-aware\"",
        "\"messages\": {\"adaptive-0\": 1, \"adaptive-1\": 0, \"adaptive-3\": 4}",
        "\"bytes\": {\"adaptive-0\": 65536, \"adaptive-1\": 0, \"adaptive-3\": 196716}",
        "\"other_mode\": 1",
        "\"other_kind\": 1",
        "\"counter_reads\": 4",
        "\"resets\": 1",
        "\"observations\": 3",
        "\"smsg_changes\": 1",
        "\"decisions\": 4",
        "\"small\": 1",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn a_process_that_was_forked_is_left_alone_and_does_not_report() {
    let folder = scratch("forked-reports");
    let run = preloaded().with("ODONATA_ARIES_REPORT", &folder.display().to_string());
    let (lines, sent) = steered(&run, &["put:65536:0:3", "fork:65536", "put:65536"]);
    assert_eq!(lines, ["child ended with 0"]);
    // The mode of the child's put is counted in its own memory.
    assert_eq!(sent, [1, 0, 0, 3, 0, 0, 0]);
    let files = std::fs::read_dir(&folder)
        .expect("the folder is made")
        .count();
    assert_eq!(files, 1);
}
