//! The emulator of libugni itself, with and without the library in front of it.

use std::time::{Duration, Instant};

use crate::programs::{Cookie, Run, build, preloaded, scratch, script, told};

#[test]
fn it_does_and_refuses_what_its_page_says() {
    let program = build("semantics.c", &[]);
    for run in [Run::plain(), preloaded()] {
        let cookie = Cookie::new();
        let (out, code, error) = told(&run.output(&program, &[&cookie.text()]));
        assert_eq!(
            (out.as_str(), code),
            ("wrong 0\n", Some(0)),
            "{run:?}: {error}"
        );
    }
}

#[test]
fn completions_are_due_when_the_model_says_if_asked_so() {
    // A packet pair takes 20 ms, and a message of one packet about half of it.
    let model = scratch("slow.txt");
    std::fs::write(&model, "0 adaptive-0 20000 0\n").expect("the folder of tests can be written");
    let run = Run::plain().with("ODONATA_UGNI_MODEL", &model.display().to_string());
    let start = Instant::now();
    let (_, code, error) = script(&run.with("ODONATA_UGNI_PACE", "1"), &["put:64:0:10"]);
    assert_eq!(code, Some(0), "{error}");
    // 513 of 1,024 latencies, ten times.
    assert!(start.elapsed() >= Duration::from_millis(100));
}

#[test]
fn a_table_that_makes_no_sense_is_refused_by_the_attachment() {
    let model = scratch("wrong.txt");
    std::fs::write(&model, "0 fastest 1 0\n").expect("the folder of tests can be written");
    let run = Run::plain().with("ODONATA_UGNI_MODEL", &model.display().to_string());
    let (_, code, error) = script(&run, &["put:64"]);
    assert_eq!(code, Some(70), "{error}");
    assert!(
        error.contains("wrong.txt: line 1: `fastest` is no mode; there are"),
        "{error}"
    );
}
