//! C programs of `tests/programs`, compiled once, and run with and without a library. Tests of
//! every preload library include this file.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The folder in which cargo puts the libraries of this crate.
pub(crate) fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    test.parent().expect("it lies in a folder").to_owned()
}

/// Compiles a program of `tests/programs` (or with `-shared` a library) once, and says where it is.
/// Options that begin with `-l` and `-L` belong behind it, as for any compiler.
pub(crate) fn compile(source: &str, options: &[&str]) -> PathBuf {
    static BUILT: OnceLock<Mutex<BTreeMap<String, PathBuf>>> = OnceLock::new();
    let built = BUILT.get_or_init(Mutex::default);
    let mut built = built.lock().unwrap_or_else(PoisonError::into_inner);
    let key = format!("{source} {}", options.join(" "));
    if let Some(path) = built.get(&key) {
        return path.clone();
    }
    let name = key.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    // Names of files have an end: options are told apart by their number.
    let name: String = name.chars().take(60).collect();
    let target = folder().join(format!("{name}-{}", built.len()));
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let done = Command::new("cc")
        .args(["-O1", "-g", "-Wall", "-Werror", "-pthread", "-o"])
        .arg(&target)
        .arg(crates.join("tests/programs").join(source))
        .arg("-I")
        .arg(crates.join("../interpose/tests/programs"))
        .args(options)
        .output()
        .expect("cc is there: cargo links with it");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    built.insert(key, target.clone());
    target
}

/// The folder of this run. Those of runs that have ended are removed.
fn folder() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        for old in std::fs::read_dir(&all).into_iter().flatten().flatten() {
            if !Path::new("/proc").join(old.file_name()).exists() {
                let _ = std::fs::remove_dir_all(old.path());
            }
        }
        let mine = all.join(std::process::id().to_string());
        std::fs::create_dir_all(&mine).expect("the folder of tests can be written");
        mine
    };
    FOLDER.get_or_init(make).clone()
}

/// A path of this run for a file or folder; whatever was there is gone.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// How a program is run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) variables: Vec<(String, String)>,
    wrapper: Vec<String>,
}

impl Run {
    /// A run without the library.
    pub(crate) fn plain() -> Self {
        let mut run = Self {
            variables: Vec::new(),
            wrapper: Vec::new(),
        };
        run.set("LD_LIBRARY_PATH", &libraries().display().to_string());
        run
    }

    /// Sets a variable of the environment.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// The run with a variable of the environment set.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// The run under another program.
    pub(crate) fn under(mut self, wrapper: &[&str]) -> Self {
        self.wrapper = wrapper.iter().map(|&word| word.to_owned()).collect();
        self
    }

    /// Runs it to its end.
    pub(crate) fn output(&self, program: &Path, words: &[&str]) -> Output {
        let mut command = match self.wrapper.split_first() {
            None => Command::new(program),
            Some((wrapper, rest)) => {
                let mut command = Command::new(wrapper);
                command.args(rest).arg(program);
                command
            }
        };
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ODONATA_")) {
            command.env_remove(name);
        }
        command
            .args(words)
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.output().expect("the program starts")
    }
}

/// What a program printed, and how it ended: its exit code, or minus the signal that ended it.
pub(crate) fn told(output: &Output) -> (String, Option<i32>, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let signal = || output.status.signal().map(|signal| -signal);
    (
        text(&output.stdout),
        output.status.code().or_else(signal),
        text(&output.stderr),
    )
}

/// Calls `check` for every seed, on two threads; none of them may say what is wrong.
pub(crate) fn each_seed(seeds: u64, check: impl Fn(u64) -> Result<(), String> + Sync) {
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let (check, wrong) = (&check, &wrong);
        for half in 0..2 {
            scope.spawn(move || {
                for seed in (half..seeds).step_by(2) {
                    if let Err(said) = check(seed) {
                        eprintln!("seed {seed}: {said}");
                        let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                        wrong.push(seed);
                    }
                    if is_long() && seed % 50 < 2 {
                        eprintln!("seed {seed} of {seeds}");
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(wrong.is_empty(), "of {seeds} seeds {wrong:?} went wrong");
}

/// Says why a test is left out. The long run fails where it would: it is the one that counts.
pub(crate) fn skipped(why: &str) {
    assert!(!is_long(), "the long run needs what is missing: {why}");
    eprintln!("skipped: {why}");
}

/// Whether the long checks are wanted.
pub(crate) fn is_long() -> bool {
    std::env::var("ODONATA_LONG").is_ok_and(|value| value == "1")
}
