//! What a decision costs, on a libugni that does nothing.

use std::process::Command;

use crate::programs::{Run, build, libraries, papi, told};

/// A libugni that does nothing, and a program that calls it.
fn nanoseconds(run: &Run, bytes: &str) -> f64 {
    let nothing = build("nothing.c", &["-shared", "-fPIC"]);
    let program = build("overhead.c", &[nothing.to_str().expect("a path")]);
    let (out, code, error) = told(&run.output(&program, &[bytes, "500"]));
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let (time, allocations) = out.trim().split_once(' ').expect("two numbers");
    assert_eq!(
        allocations, "0",
        "nothing is allocated on the way of a message"
    );
    time.parse().expect("a number")
}

#[test]
fn a_decision_without_a_counter_read_takes_at_most_200_ns() {
    let plain = nanoseconds(&Run::plain(), "64");
    let off = nanoseconds(&Run::preloaded().with("ODONATA_ARIES", "off"), "64");
    // A threshold that is never reached: every message is looked at, and no counter.
    let unread = Run::preloaded().with("ODONATA_ARIES_THRESHOLD", "9e15");
    let decided = nanoseconds(&unread, "64");
    let read = nanoseconds(&Run::preloaded(), "65536");
    println!(
        "a post: {plain} ns; with the library off {off}, decided {decided}, decided and read {read}"
    );
    assert!(decided - plain <= 200.0, "{decided} - {plain}");
    // The counters of the test cost what they cost: read on every post, dearer than none.
    assert!(read > decided, "{read} {decided}");
}

#[test]
fn what_is_missing_behind_the_library_is_an_error_of_the_call() {
    // Without a libugni at all, a program that looks for functions finds ours.
    let program = build("missing.c", &["-ldl"]);
    let library = libraries().join("libodonata_aries.so");
    let done = Command::new(&program)
        .env("LD_LIBRARY_PATH", libraries())
        .env("LD_PRELOAD", library)
        .env("ODONATA_ARIES_PAPI", papi())
        .output()
        .expect("the program starts");
    let (out, code, error) = told(&done);
    assert_eq!((out.as_str(), code), ("12 12 1 15\n", Some(0)), "{error}");
}
