//! Programs over uGNI, and how they are run with and without the library.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[path = "../../../interpose/tests/support/programs.rs"]
mod support;

#[path = "../../../interpose/tests/support/races.rs"]
pub(crate) mod races;

#[path = "../../../interpose/tests/support/valgrind.rs"]
pub(crate) mod valgrind;

pub(crate) use support::{Run, compile, each_seed, is_long, libraries, scratch, told};

/// What the compiler needs to find the headers of uGNI.
pub(crate) fn headers() -> String {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ugni-emulator/include");
    format!("-I{}", headers.display())
}

/// Compiles a program (or with `-shared` a library) once, and says where it is.
pub(crate) fn build(source: &str, options: &[&str]) -> PathBuf {
    let headers = headers();
    let mut all = vec![headers.as_str()];
    all.extend(options);
    let folder = format!("-L{}", libraries().display());
    if !options.contains(&"-shared") {
        all.extend([folder.as_str(), "-lugni", "-ldl"]);
    }
    compile(source, &all)
}

/// Runs `script.c`: its words, what it printed, and how it ended.
pub(crate) fn script(run: &Run, words: &[&str]) -> (String, Option<i32>, String) {
    let fakes = build("fakes.c", &["-shared", "-fPIC"]);
    let program = build("script.c", &[fakes.to_str().expect("a path")]);
    let cookie = Cookie::new();
    let cookie_text = cookie.text();
    // A calm network, without chance, in which the high bias pays off.
    let calm = scratch(&format!("calm-{}.txt", cookie_text));
    std::fs::write(&calm, "0 adaptive-0 3 0\n").expect("the folder of tests can be written");
    let mut run = run.clone();
    if !run
        .variables
        .iter()
        .any(|(name, _)| name == "ODONATA_UGNI_MODEL")
    {
        run.set("ODONATA_UGNI_MODEL", &calm.display().to_string());
    }
    let mut all = vec![cookie_text.as_str()];
    all.extend(words);
    told(&run.output(&program, &all))
}

/// The PAPI of tests.
pub(crate) fn papi() -> PathBuf {
    build("papi.c", &["-shared", "-fPIC"])
}

/// A run with the library by the text of Algorithm 1, and counters from the PAPI of tests.
///
/// Without settling each decision is followed by a reading, and what is seen counts at once.
pub(crate) fn preloaded() -> Run {
    by_default().with("ODONATA_ARIES_EXTENSIONS", "")
}

/// The same as a user has it, who sets nothing.
pub(crate) fn by_default() -> Run {
    let library = libraries().join("libodonata_aries.so");
    assert!(library.is_file(), "{} is not built", library.display());
    let run = Run::plain().with("ODONATA_ARIES_PAPI", &papi().display().to_string());
    run.with("LD_PRELOAD", &library.display().to_string())
}

/// Numbers of jobs on this machine, each given once; files of its processes go with it.
pub(crate) struct Cookie(u32);

impl Cookie {
    pub(crate) fn new() -> Self {
        static NEXT: Mutex<u32> = Mutex::new(0);
        let mut next = NEXT.lock().unwrap_or_else(PoisonError::into_inner);
        *next += 1;
        Self((std::process::id() % 400_000) * 10_000 + *next % 10_000)
    }

    pub(crate) fn text(&self) -> String {
        self.0.to_string()
    }
}

impl Drop for Cookie {
    fn drop(&mut self) {
        let marker = format!("-{}-", self.0);
        for entry in std::fs::read_dir("/dev/shm")
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("odonata-ugni-") && name.contains(&marker) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
