//! How the library fails: the program goes on, and one line says why nothing is steered.

use crate::programs::{Cookie, Run, build, papi, preloaded, scratch, script, told};

const WORDS: [&str; 4] = [
    "put:65536:0:30",
    "get:4096:3",
    "small:100:0:3",
    "alltoall:65536",
];

/// Runs with something broken; the program must not notice. Returns what was said.
fn broken(name: &str, value: &str) -> String {
    let plain = script(&Run::plain(), &WORDS);
    let (out, code, error) = script(&preloaded().with(name, value), &WORDS);
    assert_eq!((&out, code), (&plain.0, plain.1), "{name} = {value}");
    assert!(error.lines().count() <= 1, "{error}");
    error
}

#[test]
fn without_counters_nothing_is_steered_and_it_is_said_once() {
    for (how, said) in [
        ("no-init", "PAPI cannot be initialised"),
        ("no-set", "PAPI makes no event set (its answer is -2)"),
        (
            "no-event",
            "PAPI does not know the event AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS (its",
        ),
        (
            "no-start",
            "PAPI does not start counting (its answer is -7)",
        ),
    ] {
        let line = broken("PAPI_SHIM", how);
        assert!(
            line.starts_with(&format!("libodonata_aries: {said}")),
            "{line}"
        );
    }
    let line = broken("ODONATA_ARIES_PAPI", "/nowhere/libpapi.so");
    assert!(
        line.contains("/nowhere/libpapi.so cannot be loaded"),
        "{line}"
    );
    // A pipe that nobody writes to: the loader would wait for ever.
    let pipe = scratch("pipe.so");
    let _ = std::fs::remove_file(&pipe); // of an earlier run
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let line = broken("ODONATA_ARIES_PAPI", &pipe.display().to_string());
    assert!(line.contains("pipe.so is no file"), "{line}");
    let line = broken("ODONATA_ARIES_EVENTS", "a,b,c");
    assert!(line.contains("a,b,c is not four names"), "{line}");
    let line = broken("ODONATA_ARIES_EVENT_PREFIX", "none:::");
    assert!(line.contains("tried the prefixes [\"none:::\"]"), "{line}");
}

#[test]
fn a_papi_that_is_in_the_process_already_is_taken() {
    let mut run = preloaded();
    run.variables
        .retain(|(name, _)| name != "ODONATA_ARIES_PAPI");
    let library = run.variables.iter().find(|(name, _)| name == "LD_PRELOAD");
    let library = library.map_or("", |(_, library)| library);
    let both = format!("{library}:{}", papi().display());
    let (out, code, error) = script(&run.with("LD_PRELOAD", &both), &["put:65536:0:30"]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("sent 1 0 0 29 "), "{out}");
}

#[test]
fn a_mistake_in_the_environment_is_said_and_does_nothing() {
    let line = broken("ODONATA_ARIES", "yes");
    assert!(line.contains("ODONATA_ARIES = yes is not one of"), "{line}");
    let line = broken("ODONATA_ARIES_STALL_FACTR", "2");
    assert!(
        line.contains("ODONATA_ARIES_STALL_FACTR is unknown; there are"),
        "{line}"
    );
}

#[test]
fn what_was_asked_to_be_quiet_is_quiet() {
    let run = preloaded()
        .with("ODONATA_ARIES", "yes")
        .with("ODONATA_ARIES_QUIET", "1");
    assert_eq!(script(&run, &WORDS).2, "");
    // Other ranks than the first say nothing; the harness sets the rank of its processes to 0.
    assert_eq!(broken("ODONATA_ARIES", "off"), "");
}

#[test]
fn counters_that_fail_later_are_given_up_and_messages_left_alone() {
    let run = preloaded().with("PAPI_SHIM", "fail-after-4");
    let (out, code, error) = script(&run, &["put:65536:0:100"]);
    assert_eq!(code, Some(0));
    assert!(error.contains("counters can no longer be read"), "{error}");
    // The first read is before all messages; 3 more succeed, 8 fail, 89 messages are left alone.
    assert!(out.starts_with("sent 90 0 0 10 "), "{out}");
}

#[test]
fn small_messages_go_as_the_program_asked_again() {
    // Eleven readings fail or succeed; from then on the mode is the one that the program set.
    let run = preloaded().with("PAPI_SHIM", "fail-after-4");
    let words = ["smallmode:0:0x20", "put:65536:0:50", "small:100:0:7"];
    let (out, code, _) = script(&run, &words);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("sent 40 7 0 10 "), "{out}");
    // DMAPP gets its ordering back, too; the small get is below the threshold first.
    let run = run.with("ODONATA_ARIES_DMAPP", "2,5,7");
    let (out, _, _) = script(&run, &["dget:1:3", "put:65536:0:50", "dget:1:3"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[..2],
        ["get 1 of type 3 under 7", "get 1 of type 3 under 2"]
    );
    // Meanwhile they had another: the high bias of what is below the threshold.
    let words = [
        "smallmode:0:0x20",
        "small:100:0:3",
        "put:65536:0:50",
        "small:100:0:7",
    ];
    let (out, _, _) = script(&run, &words);
    assert!(out.starts_with("sent 40 7 0 13 "), "{out}");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_crash_of_the_counters_does_not_reach_the_program() {
    let line = broken("PAPI_SHIM", "crash-start");
    assert!(line.contains("PAPI crashed when it was started"), "{line}");
    for how in ["crash-after-3", "divide-after-3"] {
        let run = preloaded().with("PAPI_SHIM", how);
        let (out, code, error) = script(&run, &["put:65536:0:50", "small:100:0:3"]);
        assert_eq!(code, Some(0), "{how}: {out}{error}");
        assert!(error.contains("counters can no longer be read"), "{error}");
        // One read before all messages, two succeed, the third is the last.
        assert!(out.starts_with("sent 51 0 0 2 "), "{how}: {out}");
    }
}

#[test]
fn a_crash_of_the_program_is_its_own() {
    let how_it_ends = |run: &Run, words: &[&str]| {
        let fakes = build("fakes.c", &["-shared", "-fPIC"]);
        let program = build("script.c", &[fakes.to_str().expect("a path")]);
        let cookie = Cookie::new();
        let words: Vec<String> = [cookie.text()]
            .into_iter()
            .chain(words.iter().map(|&word| word.to_owned()))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let done = run.output(&program, &words);
        (
            String::from_utf8_lossy(&done.stdout).into_owned(),
            done.status,
        )
    };
    for words in [
        &["put:65536", "crash"][..],
        &["put:65536", "kill"],
        &["put:65536", "handler", "crash"],
        &["put:65536", "handler", "kill"],
    ] {
        for before in [false, true] {
            let way = |run: Run| {
                if before {
                    run.with("SCRIPT_HANDLER", "1")
                } else {
                    run
                }
            };
            let plain = how_it_ends(&way(Run::plain()), words);
            assert!(!plain.1.success());
            assert_eq!(
                how_it_ends(&way(preloaded()), words),
                plain,
                "{words:?} {before}"
            );
        }
    }
}

#[test]
fn counters_that_make_no_sense_do_no_harm() {
    for how in ["garbage", "negative", "slow"] {
        let (_, code, _) = script(&preloaded().with("PAPI_SHIM", how), &["put:65536:0:50"]);
        assert_eq!(code, Some(0), "{how}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_not_missed() {
    let file = scratch("a-file");
    std::fs::write(&file, "").expect("the folder of tests can be written");
    let below = file.join("folder").display().to_string();
    let run = preloaded().with("ODONATA_ARIES_REPORT", &below);
    let (_, code, error) = script(&run, &["put:65536"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
}

#[test]
fn why_nothing_was_done_is_in_the_report() {
    let folder = scratch("idle-reports");
    let run = preloaded()
        .with("PAPI_SHIM", "no-init")
        .with("ODONATA_ARIES_REPORT", &folder.display().to_string());
    script(&run, &["put:65536"]);
    let file = std::fs::read_dir(&folder)
        .expect("the folder is made")
        .next();
    let path = file.expect("there is one").expect("it can be read").path();
    let text = std::fs::read_to_string(path).expect("it is whole");
    assert!(
        text.contains("\"problem\": \"PAPI cannot be initialised"),
        "{text}"
    );
}

#[test]
fn a_thread_may_be_cancelled_inside_a_call() {
    let waiting = build("waiting.c", &["-shared", "-fPIC", "-fexceptions"]);
    let options = [waiting.to_str().expect("a path"), "-fexceptions"];
    let program = build("cancelled.c", &options);
    let plain = told(&Run::plain().output(&program, &[]));
    assert_eq!(
        plain,
        ("cancelled 1 cleaned 1\n".to_owned(), Some(0), String::new())
    );
    assert_eq!(told(&preloaded().output(&program, &[])), plain);
}
