//! Programs over libfabric, and how they are run with and without the library.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use odonata_fi::NAMES;

#[path = "../../../interpose/tests/support/programs.rs"]
mod support;

#[path = "../../../interpose/tests/support/races.rs"]
pub(crate) mod races;

#[path = "../../../interpose/tests/support/valgrind.rs"]
pub(crate) mod valgrind;

pub(crate) use support::{Run, compile, each_seed, is_long, libraries, scratch, skipped, told};

/// Whether libfabric and its headers are installed; says so if not.
pub(crate) fn has_libfabric() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = *FOUND.get_or_init(|| {
        let header = Path::new("/usr/include/rdma/fabric.h").exists();
        let mut compiler = Command::new("cc");
        let compiled = compiler
            .args(["-x", "c", "-o", "/dev/null", "-", "-lfabric"])
            .stdin(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn();
        let links = compiled.is_ok_and(|mut child| {
            use std::io::Write;
            if let Some(mut input) = child.stdin.take() {
                let _ = input.write_all(b"int main(void) { return 0; }\n");
            }
            child.wait().is_ok_and(|done| done.success())
        });
        header && links
    });
    if !found {
        skipped("libfabric is missing; on Debian: apt-get install libfabric-dev");
    }
    found
}

/// Whether a tool starts; says what to install if not.
pub(crate) fn has(tool: &str, package: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        skipped(&format!(
            "{tool} is missing; on Debian: apt-get install {package}"
        ));
    }
    found
}

/// The library as it was built.
pub(crate) fn library() -> PathBuf {
    let library = libraries().join("libodonata_fi.so");
    assert!(library.is_file(), "{} is not built", library.display());
    library
}

/// A folder for `FI_PROVIDER_PATH` with the provider of tests, and the hook if wanted.
pub(crate) fn providers(with_hook: bool) -> PathBuf {
    static FOLDERS: [OnceLock<PathBuf>; 2] = [const { OnceLock::new() }; 2];
    let make = || {
        let folder = scratch(if with_hook {
            "with-hook"
        } else {
            "without-hook"
        });
        std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
        let fake = compile("fakecxi.c", &["-shared", "-fPIC", "-lfabric"]);
        std::fs::copy(fake, folder.join("libfakecxi-fi.so")).expect("it can be copied");
        if with_hook {
            std::fs::copy(library(), folder.join("libodonata-fi.so")).expect("it can be copied");
        }
        folder
    };
    FOLDERS[usize::from(with_hook)].get_or_init(make).clone()
}

/// Names and numbers of the counters of `fakecxi`.
pub(crate) fn numbers() -> PathBuf {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let (mut text, mut number) = (String::new(), 0);
        for (name, count) in NAMES {
            for index in 0..count.max(1) {
                let index = if count == 0 {
                    String::new()
                } else {
                    index.to_string()
                };
                let _ = writeln!(text, "{name}{index} {number}");
                number += 1;
            }
        }
        let file = scratch("numbers");
        std::fs::write(&file, text).expect("the folder of tests can be written");
        file
    };
    FILE.get_or_init(make).clone()
}

/// A file with a text.
pub(crate) fn file(name: &str, text: &str) -> String {
    let file = scratch(name);
    std::fs::write(&file, text).expect("the folder of tests can be written");
    file.display().to_string()
}

/// A run on the provider of tests, without the library.
pub(crate) fn plain() -> Run {
    let providers = providers(false).display().to_string();
    // The provider psm would write a file for every program that is aborted.
    Run::plain()
        .with("FI_PROVIDER_PATH", &providers)
        .with("IPATH_NO_BACKTRACE", "1")
        .with("HFI_NO_BACKTRACE", "1")
}

/// Settings of the library for the provider of tests.
fn steered(run: Run) -> Run {
    run.with("ODONATA_FI_PROVIDERS", "fakecxi")
        .with("ODONATA_FI_COUNTERS", &numbers().display().to_string())
}

/// A run on the provider of tests, with the library loaded by the loader, by the text of Algorithm 1.
///
/// Without settling each decision is followed by a reading, and what is seen counts at once.
pub(crate) fn preloaded() -> Run {
    by_default().with("ODONATA_FI_EXTENSIONS", "")
}

/// The same as a user has it, who sets nothing.
pub(crate) fn by_default() -> Run {
    steered(plain()).with("LD_PRELOAD", &library().display().to_string())
}

/// A run on the provider of tests, with the library loaded by libfabric.
pub(crate) fn hooked() -> Run {
    let providers = providers(true).display().to_string();
    steered(plain())
        .with("ODONATA_FI_EXTENSIONS", "")
        .with("FI_PROVIDER_PATH", &providers)
        .with("FI_HOOK", "odonata")
}

/// A value of `LD_PRELOAD`: the library, and a stand-in for MPI behind it.
pub(crate) fn with_alltoall() -> String {
    let ignore = "-Wl,--unresolved-symbols=ignore-all";
    let alltoall = compile("alltoall.c", &["-shared", "-fPIC", ignore]);
    format!("{}:{}", library().display(), alltoall.display())
}

/// A program over libfabric.
pub(crate) fn build(source: &str) -> PathBuf {
    compile(source, &["-rdynamic", "-lfabric", "-ldl"])
}

/// Runs `words.c`: what it printed, and how it ended.
pub(crate) fn words(run: &Run, words: &[&str]) -> (String, Option<i32>, String) {
    told(&run.output(&build("words.c"), words))
}

/// Runs `words.c`, which must end well with everything in order, and gives the report.
pub(crate) fn report(run: &Run, name: &str, said: &[&str]) -> String {
    let folder = scratch(name);
    let run = run
        .clone()
        .with("ODONATA_FI_REPORT", &folder.display().to_string());
    let (out, code, error) = words(&run, said);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    assert!(out.ends_with("wrong 0\n"), "{out}");
    only_report(&folder)
}

/// The only report of a folder.
pub(crate) fn only_report(folder: &Path) -> String {
    let mut files = std::fs::read_dir(folder).expect("the folder is made");
    let file = files.next().expect("there is one").expect("it is readable");
    assert!(files.next().is_none(), "there is one report only");
    let name = file.file_name().to_string_lossy().into_owned();
    assert!(name.starts_with("odonata-fi-"), "{name}");
    std::fs::read_to_string(file.path()).expect("it is whole")
}

/// A whole number of a report; `key` may name an object and a key in it, as `messages.adaptive-3`.
pub(crate) fn number(report: &str, key: &str) -> u64 {
    let mut rest = report;
    for part in key.split('.') {
        let at = format!("\"{part}\": ");
        let found = rest.find(&at);
        assert!(found.is_some(), "{key} in {report}");
        rest = &rest[found.map_or(0, |found| found + at.len())..];
    }
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next();
    let digits = digits.unwrap_or_default();
    digits.parse().expect("a whole number")
}
