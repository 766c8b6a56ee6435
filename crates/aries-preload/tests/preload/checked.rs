//! Under valgrind: no leak, no access to what is not there.

use crate::programs::valgrind::{checked, has_valgrind};
use crate::programs::{Cookie, Run, build, each_seed, is_long, preloaded, script, told};

const VALGRIND: [&str; 5] = [
    "valgrind",
    "--quiet",
    "--error-exitcode=99",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect",
];

#[test]
fn valgrind_finds_nothing() {
    if !has_valgrind() {
        return;
    }
    let run = preloaded().under(&VALGRIND);
    let words = [
        "put:65536:0:20",
        "chain:64",
        "small:100:0:50",
        "alltoall:65536",
        "reset",
        "dput:7:2",
        "put:65536:0:20",
    ];
    let (out, code, error) = script(&run, &words);
    assert_eq!(code, Some(0), "{out}{error}");
}

/// Programs that end well, and those whose last rank leaves early by `exit`, `_exit`, `abort`, or
/// from `main`. None closes what it leaves behind, so that what still has an owner is no leak.
#[test]
fn valgrind_finds_nothing_in_random_programs() {
    if !has_valgrind() {
        return;
    }
    let program = build("random_program.c", &[]);
    let faults = std::sync::Mutex::new((0, 0));
    let seeds = if is_long() { 36 } else { 2 };
    each_seed(seeds, |seed| {
        let (cookies, text) = (
            [Cookie::new(), Cookie::new(), Cookie::new()],
            seed.to_string(),
        );
        let words = cookies.each_ref().map(Cookie::text);
        let words = words.each_ref().map(|cookie| [text.as_str(), cookie, "2"]);
        let plain = told(&Run::plain().output(&program, &words[0]));
        let explores = preloaded().with("ODONATA_ARIES_EXTENSIONS", "damping,learning,exploration");
        let way = if seed % 2 == 0 { preloaded() } else { explores };
        let done = checked(&way, &program, &words[1], &[]);
        if is_long() {
            let without = checked(&Run::plain(), &program, &words[2], &[]);
            let mut faults = faults.lock().map_err(|error| error.to_string())?;
            *faults = (faults.0 + without.found.len(), faults.1 + done.found.len());
        }
        let is_same = (&done.out, done.code, &done.error) == (&plain.0, plain.1, &plain.2);
        if is_same && done.found.is_empty() {
            return Ok(());
        }
        Err(format!("{done:?}; without valgrind {plain:?}"))
    });
    if is_long() {
        let (without, with) = faults.into_inner().expect("no thread has failed");
        println!("{seeds} programs: {without} findings without the library, {with} with it");
    }
}
