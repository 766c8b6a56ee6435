//! The life of a library in a process: it starts at a first call and reports at the end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use odonata_policy::{Message, Operation};

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
/// As `PASSIVE`, in a process that was forked from one that reports itself.
const FORKED: u8 = 4;

/// Where a launcher puts the rank of a process.
const RANKS: [&str; 5] = [
    "PMI_RANK",
    "ALPS_APP_PE",
    "SLURM_PROCID",
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
];

/// Variables of the environment that begin with the prefix of a library.
pub type Variables = [(String, String)];

/// What a library is called.
#[derive(Clone, Copy, Debug)]
pub struct LibraryNames {
    /// In reports and on standard error.
    pub stem: &'static str,
    /// Before its variables.
    pub prefix: &'static str,
    /// Before the names of its reports.
    pub file: &'static str,
}

/// What a library does at turns of its life.
#[derive(Clone, Copy, Debug)]
pub struct Callbacks {
    /// Nobody decides on messages any more: what was set for longer than a message is given back.
    pub gives_up: fn(),
    /// Adds what only this library counts to its report.
    pub reports: fn(&mut JsonObject),
    /// For `atexit`; calls [`Life::end`].
    pub at_exit: extern "C" fn(),
    /// For `pthread_atfork`; calls [`Life::forked`].
    pub after_fork: extern "C" fn(),
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

impl Life {
    /// Before its first call.
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

    /// The same; the first thread that calls reads the environment and starts with what `make`
    /// gives: nothing to steer with, or a sentence why not.
    pub fn active(
        &self,
        make: impl FnOnce(&Variables) -> Result<Option<Steering>, String>,
    ) -> Option<&Steering> {
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
        &self,
        make: impl FnOnce(&Variables) -> Result<Option<Steering>, String>,
    ) -> Option<&Steering> {
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
    fn listen(&self) {
        // SAFETY: both functions are the library's and live as long as the process.
        unsafe {
            libc::pthread_atfork(None, None, Some(self.callbacks.after_fork));
            libc::atexit(self.callbacks.at_exit);
        }
    }

    /// Nothing to steer was found so far: if it stays so, the report says why. Nothing is said on
    /// standard error, since nothing is wrong.
    pub fn idle(&self, why: String) {
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
            // SAFETY: the line is as long as it says.
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

    /// After a fault of our own: every call goes through from now on.
    pub fn stop(&self) {
        self.state.store(PASSIVE, Ordering::Release);
        (self.callbacks.gives_up)();
    }

    /// This is the child of a fork: it is not steered, and does not report.
    pub fn forked(&self) {
        self.state.store(FORKED, Ordering::Release);
    }

    /// The process ends: writes the report, if one is wanted.
    pub fn end(&self) {
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

fn rank() -> Option<u64> {
    RANKS.iter().find_map(|name| variable(name)?.parse().ok())
}

fn process() -> ProcessIdentity {
    let mut host = [0_u8; 256];
    // SAFETY: the buffer is as long as it says; its last byte stays 0.
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
