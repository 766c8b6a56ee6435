//! Programs under valgrind: what they print stays the same, and what valgrind finds is counted.
//! Tests of every preload library include this file.

use std::path::Path;
use std::process::Command;

use super::support::{Run, scratch, skipped, told};

/// Whether it starts; says what to install if not.
pub(crate) fn has_valgrind() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok();
    if !found {
        skipped("valgrind is missing; on Debian: apt-get install valgrind");
    }
    found
}

/// A program that was run under valgrind.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) out: String,
    pub(crate) code: Option<i32>,
    pub(crate) error: String,
    /// Wrong accesses and lost blocks of all its processes, as valgrind writes them.
    pub(crate) found: Vec<String>,
}

/// Runs a program under valgrind. Blocks are lost if nothing points to them at the end (definite),
/// or only what is lost itself (indirect).
pub(crate) fn checked(run: &Run, program: &Path, words: &[&str], options: &[&str]) -> Checked {
    static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = scratch(&format!("valgrind-{number}"));
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    let file = format!("--xml-file={}/%p.xml", folder.display());
    let mut all = vec![
        "valgrind",
        "--quiet",
        "--xml=yes",
        &file,
        "--leak-check=full",
        "--show-leak-kinds=definite,indirect",
    ];
    all.extend(options);
    let (out, code, error) = told(&run.clone().under(&all).output(program, words));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("valgrind has written it") {
        let text = std::fs::read(entry.expect("it is readable").path()).expect("it is whole");
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(text.contains("<valgrindoutput>"), "{text}");
        let errors = text.split("<error>").skip(1);
        found.extend(errors.map(|error| shortened(error.split("</error>").next().unwrap_or(""))));
    }
    let _ = std::fs::remove_dir_all(&folder);
    Checked {
        out,
        code,
        error,
        found,
    }
}

/// Kind, text, and functions or files of an error's stack.
fn shortened(error: &str) -> String {
    let told = ["<kind>", "<what>", "<text>", "<obj>", "<fn>"];
    let lines = error.lines().map(str::trim);
    let kept = lines.filter(|line| told.iter().any(|tag| line.starts_with(tag)));
    kept.collect::<Vec<_>>().join(" ")
}
