//! The life of a library in a process: it starts at a first call and reports at the end.
//!
//! A process may hold several preload libraries; each has a copy of this crate, and so of its
//! statics, to itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use std::ffi::c_int;

use odonata_policy::{Message, Mode, Operation};

use crate::report::{JsonObject, ProcessIdentity};
use crate::steering::{Steering, Verdict};
use crate::within::{ALLTOALLS, depth};

/// Nothing has been called yet.
const NEW: u8 = 0;
/// A thread is starting; others go through meanwhile.
const STARTING: u8 = 1;
/// Messages are steered.
const ACTIVE: u8 = 2;
/// Every call goes through unchanged.
const PASSIVE: u8 = 3;
/// Every call goes through unchanged, in a process that was forked from one that reports itself.
const FORKED: u8 = 4;

/// Variables in which launchers put the rank of a process.
const RANKS: [&str; 5] = [
    "PMI_RANK",
    "ALPS_APP_PE",
    "SLURM_PROCID",
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
];

/// Names and values of the variables of the environment that begin with the prefix of a library.
pub type Variables = [(String, String)];

/// The names of a library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryNames {
    /// Its name in reports and on standard error.
    pub stem: &'static str,
    /// Prefix of its variables of the environment.
    pub prefix: &'static str,
    /// Prefix of the names of its reports.
    pub file: &'static str,
}

/// Parts that a library adds to its life.
#[derive(Clone, Copy, Debug)]
pub struct Callbacks {
    /// Nobody decides on messages any more: what was set for longer than a message is given back.
    pub gives_up: fn(),
    /// Adds what only this library counts to its report.
    pub reports: fn(&mut JsonObject),
}

/// The life of one library in this process.
#[expect(
    missing_debug_implementations,
    reason = "a source of counters need not have one"
)]
pub struct Life {
    names: LibraryNames,
    callbacks: Callbacks,
    state: AtomicU8,
    steering: OnceLock<Steering>,
    problem: OnceLock<String>,
    report: OnceLock<String>,
    /// Why nothing has started.
    idle: OnceLock<String>,
    has_reported: AtomicBool,
}

/// The life of the library that this copy of the crate belongs to, from its first call on.
static LIFE: OnceLock<&'static Life> = OnceLock::new();

extern "C" fn at_exit() {
    if let Some(life) = LIFE.get() {
        life.end();
    }
}

extern "C" fn after_fork() {
    if let Some(life) = LIFE.get() {
        life.state.store(FORKED, Ordering::Release);
    }
}

impl Life {
    /// A library before its first call. There is one of these in a library.
    #[must_use]
    pub const fn new(names: LibraryNames, callbacks: Callbacks) -> Self {
        Self {
            names,
            callbacks,
            state: AtomicU8::new(NEW),
            steering: OnceLock::new(),
            problem: OnceLock::new(),
            report: OnceLock::new(),
            idle: OnceLock::new(),
            has_reported: AtomicBool::new(false),
        }
    }

    /// Who steers, if it has started; `None` if every call goes through.
    pub fn running(&self) -> Option<&Steering> {
        match self.state.load(Ordering::Acquire) {
            ACTIVE => self.steering.get(),
            _ => None,
        }
    }

    /// Who steers; `None` if every call goes through. The first thread that calls reads the
    /// environment and starts with what `make` gives: nothing to steer with, or a sentence why not.
    pub fn active(
        &'static self,
        make: impl FnOnce(&Variables) -> Result<Option<Steering>, String>,
    ) -> Option<&'static Steering> {
        match self.state.load(Ordering::Acquire) {
            ACTIVE => self.steering.get(),
            NEW => {
                let (new, old) = (Ordering::Acquire, Ordering::Acquire);
                let taken = self.state.compare_exchange(NEW, STARTING, new, old);
                taken.ok().and_then(|_| self.start(make))
            }
            _ => None,
        }
    }

    fn start(
        &'static self,
        make: impl FnOnce(&Variables) -> Result<Option<Steering>, String>,
    ) -> Option<&'static Steering> {
        let made = catch_unwind(AssertUnwindSafe(|| make(&self.variables())));
        let made = made.unwrap_or_else(|_| Err("a fault of its own".to_owned()));
        let (state, quiet) = match made {
            Ok(Some(steering)) => (
                self.steering.set(steering).map_or(PASSIVE, |()| ACTIVE),
                true,
            ),
            Ok(None) => (PASSIVE, true),
            Err(problem) => {
                let _ = self.problem.set(problem);
                (PASSIVE, false)
            }
        };
        self.state.store(state, Ordering::Release);
        if !quiet {
            self.say_problem();
        }
        self.listen();
        self.steering.get().filter(|_| state == ACTIVE)
    }

    /// Hears of forks and of the end of the process.
    fn listen(&'static self) {
        let _ = LIFE.set(self);
        // SAFETY: both functions have the types that C asks for, do not unwind (`extern "C"`), and
        // stay loaded: a library that is preloaded is never unloaded, and one that libfabric loads
        // has called `keep_loaded` before.
        unsafe {
            libc::pthread_atfork(None, None, Some(after_fork));
            libc::atexit(at_exit);
        }
    }

    /// Nothing to steer was found so far: if it stays so, the report says why. Nothing is said on
    /// standard error, since nothing is wrong.
    pub fn idle(&'static self, why: String) {
        let is_first = self.state.load(Ordering::Acquire) == NEW && self.idle.set(why).is_ok();
        if is_first {
            let _ = self.variables();
            self.listen();
        }
    }

    fn variables(&self) -> Vec<(String, String)> {
        let variables: Vec<(String, String)> = std::env::vars_os()
            .map(|(name, value)| {
                (
                    name.to_string_lossy().into(),
                    value.to_string_lossy().into(),
                )
            })
            .filter(|(name, _): &(String, String)| name.starts_with(self.names.prefix))
            .collect();
        let report = format!("{}_REPORT", self.names.prefix);
        if let Some((_, folder)) = variables.iter().find(|(name, _)| *name == report) {
            let _ = self.report.set(folder.clone());
        }
        variables
    }

    /// Says why nothing is done, in one line of one process of a job.
    fn say_problem(&self) {
        let prefix = self.names.prefix;
        let is_quiet = variable(&format!("{prefix}_QUIET"))
            .is_some_and(|value| !value.is_empty() && value != "0");
        if is_quiet || rank().is_some_and(|rank| rank > 0) {
            return;
        }
        if let Some(problem) = self.problem.get() {
            let line = format!(
                "{}: {problem}; every message is sent as the program asks ({prefix}=off or \
                 {prefix}_QUIET=1 ends this line)\n",
                self.names.stem
            );
            // SAFETY: `line` is a live string, of which `write` reads `len` bytes and keeps
            // nothing.
            let _ = unsafe { libc::write(2, line.as_ptr().cast(), line.len()) };
        }
    }

    /// Decides on a message; `None` if it is to be left alone.
    pub fn before(&self, steering: &Steering, bytes: u64, operation: Operation) -> Option<Verdict> {
        let message = Message {
            bytes,
            operation,
            alltoall: depth(&ALLTOALLS) > 0,
        };
        let verdict = catch_unwind(AssertUnwindSafe(|| steering.before(message)));
        verdict.unwrap_or_else(|_| {
            self.stop();
            None
        })
    }

    /// A steered message has been posted.
    pub fn after(&self, steering: &Steering, verdict: Verdict) {
        if !verdict.reads_counters {
            return;
        }
        match catch_unwind(AssertUnwindSafe(|| steering.after(verdict))) {
            Ok(false) => {}
            Ok(true) => {
                (self.callbacks.gives_up)();
                let _ = self
                    .problem
                    .set("counters can no longer be read".to_owned());
                self.say_problem();
            }
            Err(_) => self.stop(),
        }
    }

    /// Lets every call go through from now on, after a fault of our own.
    fn stop(&self) {
        self.state.store(PASSIVE, Ordering::Release);
        (self.callbacks.gives_up)();
    }

    /// Whether this process was forked from one that has started: it is not steered, and does not
    /// report.
    pub fn is_forked(&self) -> bool {
        self.state.load(Ordering::Relaxed) == FORKED
    }

    /// The process ends: writes the report, if one is wanted.
    fn end(&self) {
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let state = self.state.load(Ordering::Acquire);
            if let Some(folder) = self.report.get().filter(|folder| !folder.is_empty())
                && matches!(state, ACTIVE | PASSIVE | NEW)
                && !self.has_reported.swap(true, Ordering::AcqRel)
            {
                self.write(folder, state);
            }
        }));
    }

    fn write(&self, folder: &str, state: u8) {
        let process = process();
        let name = format!("{}-{}-{}.json", self.names.file, process.host, process.pid);
        let why = if state == NEW {
            &self.idle
        } else {
            &self.problem
        };
        let problem = why.get().map(String::as_str);
        let mut object = JsonObject::new(self.names.stem, &process, problem);
        if let Some(steering) = self.steering.get() {
            object.describe(steering);
            (self.callbacks.reports)(&mut object);
        }
        let target = Path::new(folder).join(&name);
        let partial = Path::new(folder).join(format!(".{name}.part"));
        // Nothing depends on it, and the program has ended: what fails, fails.
        let _ = std::fs::create_dir_all(folder);
        if std::fs::write(&partial, object.finish()).is_err()
            || std::fs::rename(&partial, &target).is_err()
        {
            let _ = std::fs::remove_file(&partial);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a library in a program has no other input"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Gives all messages of a process a mode from now on: 0, 1 or 3; -1 goes back to the policy. For
/// the functions that libraries export to harnesses. Returns 0, or -1 where nothing is steered or
/// the mode is unknown; `steering` is asked only for a mode that is known.
pub fn force<'a>(mode: c_int, steering: impl FnOnce() -> Option<&'a Steering>) -> c_int {
    let mode = match mode {
        -1 => None,
        0 => Some(Mode::Adaptive0),
        1 => Some(Mode::Adaptive1),
        3 => Some(Mode::Adaptive3),
        _ => return -1,
    };
    let Some(steering) = steering() else {
        return -1;
    };
    steering.force(mode);
    0
}

fn rank() -> Option<u64> {
    RANKS.iter().find_map(|name| variable(name)?.parse().ok())
}

fn process() -> ProcessIdentity {
    let mut host = [0_u8; 256];
    // SAFETY: `gethostname` writes at most the bytes that it is given, one less than the buffer
    // has; the last byte stays 0.
    unsafe { libc::gethostname(host.as_mut_ptr().cast(), host.len() - 1) };
    let host = host.split(|&byte| byte == 0).next().unwrap_or_default();
    let host = String::from_utf8_lossy(host).replace('/', "-");
    let program = std::env::current_exe().map(|path| path.display().to_string());
    ProcessIdentity {
        host: if host.is_empty() {
            "unknown".to_owned()
        } else {
            host
        },
        pid: std::process::id(),
        rank: rank(),
        program: program.unwrap_or_default(),
    }
}
