//! C programs of `tests/programs`, compiled once, and run with and without the library.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The folder in which cargo puts the libraries of this crate and of the emulator.
pub(crate) fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    test.parent().expect("it lies in a folder").to_owned()
}

fn sources(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(part)
}

/// Compiles a program (or with `-shared` a library) once, and says where it is.
pub(crate) fn build(source: &str, options: &[&str]) -> PathBuf {
    static BUILT: OnceLock<Mutex<BTreeMap<String, PathBuf>>> = OnceLock::new();
    let built = BUILT.get_or_init(Mutex::default);
    let mut built = built.lock().unwrap_or_else(PoisonError::into_inner);
    let key = format!("{source} {}", options.join(" "));
    if let Some(path) = built.get(&key) {
        return path.clone();
    }
    let name = key.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let target = folder().join(name);
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ugni-emulator/include");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-O1", "-g", "-Wall", "-Werror", "-pthread", "-o"])
        .arg(&target);
    compiler
        .arg(sources(source))
        .arg("-I")
        .arg(headers)
        .args(options);
    if !options.contains(&"-shared") {
        compiler.arg("-L").arg(libraries()).args(["-lugni", "-ldl"]);
    }
    let done = compiler.output().expect("cc is there: cargo links with it");
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
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("preload");
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

/// A place of this run for a file or folder; whatever was there is gone.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
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

/// How a program is run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    variables: Vec<(String, String)>,
    wrapper: Vec<String>,
}

impl Run {
    /// Without the library.
    pub(crate) fn plain() -> Self {
        let mut run = Self {
            variables: Vec::new(),
            wrapper: Vec::new(),
        };
        run.set("LD_LIBRARY_PATH", &libraries().display().to_string());
        run
    }

    /// With the library, and counters from the PAPI of tests.
    pub(crate) fn preloaded() -> Self {
        let library = libraries().join("libodonata_aries.so");
        assert!(library.is_file(), "{} is not built", library.display());
        let mut run = Self::plain().with("ODONATA_ARIES_PAPI", &papi().display().to_string());
        run.set("LD_PRELOAD", &library.display().to_string());
        run
    }

    fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// The same with a variable of the environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// The same under another program.
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

/// What a program printed, and how it ended.
pub(crate) fn told(output: &Output) -> (String, Option<i32>, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        text(&output.stdout),
        output.status.code(),
        text(&output.stderr),
    )
}

/// Whether the long checks are wanted.
pub(crate) fn is_long() -> bool {
    std::env::var("ODONATA_LONG").is_ok_and(|value| value == "1")
}
