//! ThreadSanitizer over a preload library and the C programs that it is loaded into: both are built
//! for it, the library with the standard library of a nightly Rust, the programs by the C compiler.
//! Tests of every preload library include this file.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::support::{Run, compile, skipped, told};

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The libraries of `packages`, built for ThreadSanitizer; `None` where there is no nightly Rust
/// with the sources of its standard library.
pub(crate) fn libraries(packages: &[&str]) -> Option<PathBuf> {
    let sysroot = Command::new("rustc")
        .args(["+nightly", "--print", "sysroot"])
        .output();
    let sysroot = sysroot.ok().filter(|done| done.status.success());
    let sysroot = sysroot.map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned());
    let sources = "lib/rustlib/src/rust/library/std";
    if !sysroot.is_some_and(|root| Path::new(&root).join(sources).is_dir()) {
        skipped(
            "no nightly Rust with its sources; rustup toolchain install nightly \
             --component rust-src",
        );
        return None;
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("races");
    let mut build = Command::new("cargo");
    build.args([
        "+nightly",
        "build",
        "--quiet",
        "-Zbuild-std",
        "--target",
        TARGET,
    ]);
    for package in packages {
        build.args(["-p", package]);
    }
    build
        .env("CARGO_TARGET_DIR", &target)
        .env(
            "RUSTFLAGS",
            "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
        )
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let done = build.status().expect("cargo runs the tests");
    assert!(done.success(), "{packages:?} for ThreadSanitizer");
    Some(target.join(TARGET).join("debug"))
}

/// Compiles a program, or with `-shared` a library, for ThreadSanitizer.
pub(crate) fn sanitized(source: &str, options: &[&str]) -> PathBuf {
    let words = format!(
        "{}/../interpose/tests/programs/tsan.c",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut all = vec!["-fsanitize=thread", "-fno-builtin", "-rdynamic"];
    if !options.contains(&"-shared") {
        all.push(&words);
    }
    all.extend(options);
    compile(source, &all)
}

/// A race must be found where there is one.
pub(crate) fn canary() {
    let source = "../../../interpose/tests/programs/tsan.c";
    let program = compile(source, &["-fsanitize=thread", "-fno-builtin", "-DCANARY"]);
    let (_, code, error) = told(&Run::plain().output(&program, &[]));
    assert!(error.contains("data race") && code != Some(0), "{error}");
}

/// What a program says, in which no race may be found. Code that was not built for it, such as
/// libfabric, is left out.
pub(crate) fn no_race(run: &Run, program: &Path, words: &[&str]) -> (String, Option<i32>) {
    let options = "ignore_noninstrumented_modules=1";
    let (out, code, error) = told(
        &run.clone()
            .with("TSAN_OPTIONS", options)
            .output(program, words),
    );
    assert!(!error.contains("ThreadSanitizer"), "{words:?}: {error}");
    (out, code)
}
