//! Under valgrind: no leak, no access to what is not there.

use std::process::Command;

use crate::programs::{Cookie, build, is_long, preloaded, script, told};

const VALGRIND: [&str; 6] = [
    "valgrind",
    "--quiet",
    "--error-exitcode=99",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect",
    "--child-silent-after-fork=no",
];

fn has_valgrind() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: valgrind is missing; on Debian: apt-get install valgrind");
    }
    found
}

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
    let program = build("random_program.c", &[]);
    // These end on their own; others end early by design, with what is not freed.
    let seeds = if is_long() { 0..40 } else { 0..1 };
    for seed in seeds {
        let cookie = Cookie::new();
        let words = [&seed.to_string(), &cookie.text(), "2"];
        let (out, code, error) = told(&run.output(&program, &words));
        assert!(matches!(code, Some(0)), "seed {seed}: {out}{error}");
        assert!(!out.contains("ended with 25344"), "seed {seed}: {error}"); // 99 of another rank
    }
}
