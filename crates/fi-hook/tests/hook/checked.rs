//! Under valgrind: no leak, no access to what is not there.

use crate::programs::valgrind::{Checked, checked, has_valgrind};
use crate::programs::{Run, build, each_seed, file, has_libfabric, hooked, is_long};
use crate::programs::{plain, preloaded, told};

/// The provider sockets sends what it has not written.
const WRITTEN: &str = "--undef-value-errors=no";

/// The provider sockets of libfabric 1.17 does not free an alias when it is closed.
const OF_SOCKETS: &str = "{
   an alias of the provider sockets
   Memcheck:Leak
   match-leak-kinds: definite
   fun:calloc
   obj:*/libfabric.so*
}
";

/// Runs a program of tests, without what is known of sockets.
fn under_valgrind(run: &Run, source: &str, words: &[&str]) -> Checked {
    let known = format!("--suppressions={}", file("suppressed", OF_SOCKETS));
    checked(run, &build(source), words, &[WRITTEN, &known])
}

fn can_be_checked() -> bool {
    has_libfabric() && has_valgrind()
}

#[test]
fn valgrind_finds_nothing_that_it_does_not_find_without_the_library() {
    if !can_be_checked() {
        return;
    }
    let said = [
        "send:65536:6",
        "burst:9000",
        "inject",
        "write:9000:2",
        "reopen",
        "send:9000:3",
    ];
    let run = preloaded().with("FAKECXI_REORDER", "2");
    let done = under_valgrind(&run, "words.c", &said);
    assert_eq!((done.code, done.error.as_str()), (Some(0), ""), "{done:?}");
    if !done.found.is_empty() && !under_valgrind(&plain(), "words.c", &said).found.is_empty() {
        println!("skipped: valgrind finds faults of libfabric here");
        return;
    }
    assert!(done.found.is_empty(), "{done:?}");
}

/// Programs that end well, and those whose last rank leaves early by `exit`, `_exit`, `abort`, or
/// from `main`. None closes what it leaves behind, so that what still has an owner is no leak.
#[test]
fn valgrind_finds_nothing_in_random_programs() {
    if !can_be_checked() {
        return;
    }
    let faults = std::sync::Mutex::new((0, 0));
    let seeds = if is_long() { 36 } else { 2 };
    each_seed(seeds, |seed| {
        let text = seed.to_string();
        let words = [text.as_str(), "2"];
        let explores = |run: Run| {
            run.with("FAKECXI_REORDER", &text)
                .with("ODONATA_FI_EXTENSIONS", "exploration")
                .with("ODONATA_FI_THRESHOLD", "0")
        };
        let (out, code, _) = told(&plain().output(&build("random_messages.c"), &words));
        let way = match seed % 4 {
            2 => hooked(),
            3 => preloaded().with("FAKECXI_FAIL", "again"),
            _ => preloaded(),
        };
        let done = under_valgrind(&explores(way), "random_messages.c", &words);
        if is_long() {
            let without = under_valgrind(&plain(), "random_messages.c", &words);
            let mut faults = faults.lock().map_err(|error| error.to_string())?;
            *faults = (faults.0 + without.found.len(), faults.1 + done.found.len());
        }
        let is_same = (&done.out, done.code) == (&out, code);
        if is_same && done.found.is_empty() {
            return Ok(());
        }
        Err(format!("{done:?}; without valgrind {out} {code:?}"))
    });
    if is_long() {
        let (without, with) = faults.into_inner().expect("no thread has failed");
        println!("{seeds} programs: {without} findings without the library, {with} with it");
    }
}

/// What is left out above is there without the library, too.
#[test]
fn an_alias_is_lost_by_sockets() {
    if !is_long() || !can_be_checked() {
        return;
    }
    let run = plain().with("FI_TEST_OVERTAKES", "1");
    let program = build("random_messages.c");
    let done = checked(&run, &program, &["2", "2"], &[WRITTEN]);
    assert!(!done.found.is_empty(), "sockets frees aliases now");
    let is_alias = |found: &String| found.contains("Leak_DefinitelyLost");
    assert!(done.found.iter().all(is_alias), "{done:?}");
    assert!(
        under_valgrind(&run, "random_messages.c", &["2", "2"])
            .found
            .is_empty()
    );
}
