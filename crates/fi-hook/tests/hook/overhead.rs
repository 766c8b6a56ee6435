//! What a decision costs, on a provider that does nothing.

use crate::programs::{Run, compile, has_libfabric, library, numbers, told};

/// Nanoseconds of a post, and whether there were aliases.
fn nanoseconds(run: &Run, bytes: &str) -> (f64, bool) {
    let nothing = compile("nothing.c", &["-shared", "-fPIC"]);
    let program = compile("cost.c", &[nothing.to_str().expect("a path")]);
    let (out, code, error) = told(&run.output(&program, &[bytes, "500"]));
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let fields: Vec<&str> = out.split_whitespace().collect();
    assert_eq!(
        fields[1], "0",
        "nothing is allocated on the way of a message"
    );
    (fields[0].parse().expect("a number"), fields[2] != "0")
}

#[test]
fn a_decision_without_a_counter_read_takes_at_most_200_ns() {
    if !has_libfabric() {
        return;
    }
    let loaded = Run::plain()
        .with("LD_PRELOAD", &library().display().to_string())
        .with("ODONATA_FI_COUNTERS", &numbers().display().to_string());
    let (plain, _) = nanoseconds(&Run::plain(), "64");
    let (off, _) = nanoseconds(&loaded.clone().with("ODONATA_FI", "off"), "64");
    // A threshold that is never reached: every message is looked at, and no counter.
    let unread = loaded.clone().with("ODONATA_FI_THRESHOLD", "9e15");
    let (decided, is_steered) = nanoseconds(&unread, "64");
    let (read, _) = nanoseconds(&loaded, "65536");
    println!(
        "a post: {plain} ns; with the library off {off}, decided {decided}, decided and read {read}"
    );
    assert!(is_steered, "it has aliases");
    assert!(decided - plain <= 200.0, "{decided} - {plain}");
    // 44 counters and 8 of classes are read on every post: dearer than none.
    assert!(read > decided, "{read} {decided}");
}
