//! What a decision costs, on a libugni that does nothing.

use crate::programs::{Run, build, preloaded, told};

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
    let off = nanoseconds(&preloaded().with("ODONATA_ARIES", "off"), "64");
    // A threshold that is never reached: every message is looked at, and no counter.
    let unread = preloaded().with("ODONATA_ARIES_THRESHOLD", "9e15");
    let decided = nanoseconds(&unread, "64");
    let read = nanoseconds(&preloaded(), "65536");
    println!(
        "a post: {plain} ns; with the library off {off}, decided {decided}, decided and read {read}"
    );
    assert!(decided - plain <= 200.0, "{decided} - {plain}");
    // The counters of the test cost what they cost: read on every post, dearer than none.
    assert!(read > decided, "{read} {decided}");
}
