//! The life of the library in a process: it starts at the first call and reports at the end.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use odonata_policy::{Message, Mode, Operation};

use super::nics;
use super::papi::Papi;
use super::within::{ALLTOALLS, depth};
use crate::report::{Place, report};
use crate::settings::{PREFIX, Plan, Settings};
use crate::steering::{Source, Steering, Verdict};

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

static STATE: AtomicU8 = AtomicU8::new(NEW);
static STEERING: OnceLock<Steering> = OnceLock::new();
static PROBLEM: OnceLock<String> = OnceLock::new();
static REPORT: OnceLock<String> = OnceLock::new();

/// Where a launcher puts the rank of a process.
const RANKS: [&str; 5] = [
    "PMI_RANK",
    "ALPS_APP_PE",
    "SLURM_PROCID",
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
];

/// Who steers; `None` if every call goes through.
pub(super) fn active() -> Option<&'static Steering> {
    match STATE.load(Ordering::Acquire) {
        ACTIVE => STEERING.get(),
        NEW => {
            let taken = STATE.compare_exchange(NEW, STARTING, Ordering::Acquire, Ordering::Acquire);
            taken.ok().and_then(|_| start())
        }
        _ => None,
    }
}

/// Reads the environment and opens the counters: once, by the first thread that calls.
fn start() -> Option<&'static Steering> {
    let made = catch_unwind(make).unwrap_or_else(|_| Err("a fault of its own".to_owned()));
    let (state, quiet) = match made {
        Ok(Some(steering)) => (STEERING.set(steering).map_or(PASSIVE, |()| ACTIVE), true),
        Ok(None) => (PASSIVE, true),
        Err(problem) => {
            let _ = PROBLEM.set(problem);
            (PASSIVE, false)
        }
    };
    STATE.store(state, Ordering::Release);
    if !quiet {
        say_problem();
    }
    // SAFETY: both functions are ours and live as long as the process.
    unsafe {
        libc::pthread_atfork(None, None, Some(after_fork));
        libc::atexit(at_exit);
    }
    STEERING.get().filter(|_| state == ACTIVE)
}

fn make() -> Result<Option<Steering>, String> {
    let variables: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| {
            (
                name.to_string_lossy().into(),
                value.to_string_lossy().into(),
            )
        })
        .filter(|(name, _): &(String, String)| name.starts_with(PREFIX))
        .collect();
    if let Some((_, folder)) = variables.iter().find(|(name, _)| name.ends_with("_REPORT")) {
        let _ = REPORT.set(folder.clone());
    }
    let settings = Settings::read(&variables)?;
    let source: Option<Box<dyn Source>> = match settings.plan {
        Plan::Off => return Ok(None),
        Plan::Fixed(_) => None,
        Plan::ApplicationAware => Some(Box::new(Papi::open(&settings)?)),
    };
    Ok(Some(Steering::new(settings, source)))
}

/// Says why nothing is done, in one line of one process of a job.
fn say_problem() {
    let is_quiet = STEERING
        .get()
        .is_some_and(|steering| steering.settings.is_quiet)
        || variable("ODONATA_ARIES_QUIET").is_some_and(|value| !value.is_empty() && value != "0");
    if is_quiet || rank().is_some_and(|rank| rank > 0) {
        return;
    }
    if let Some(problem) = PROBLEM.get() {
        let line = format!(
            "libodonata_aries: {problem}; every message is sent as the program asks \
             (ODONATA_ARIES=off or ODONATA_ARIES_QUIET=1 ends this line)\n"
        );
        // SAFETY: the line is as long as it says.
        let _ = unsafe { libc::write(2, line.as_ptr().cast(), line.len()) };
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

/// Decides on a message; `None` if it is to be left alone.
pub(super) fn before(steering: &Steering, bytes: u64, operation: Operation) -> Option<Verdict> {
    let message = Message {
        bytes,
        operation,
        alltoall: depth(&ALLTOALLS) > 0,
    };
    let verdict = catch_unwind(AssertUnwindSafe(|| steering.before(message)));
    verdict.unwrap_or_else(|_| {
        stop();
        None
    })
}

/// A steered message has been posted.
pub(super) fn after(steering: &Steering, verdict: Verdict) {
    if !verdict.reads_counters {
        return;
    }
    match catch_unwind(AssertUnwindSafe(|| steering.after(verdict))) {
        Ok(false) => {}
        Ok(true) => {
            nics::give_back();
            let _ = PROBLEM.set("counters can no longer be read".to_owned());
            say_problem();
        }
        Err(_) => stop(),
    }
}

/// After a fault of our own: every call goes through from now on.
fn stop() {
    STATE.store(PASSIVE, Ordering::Release);
    nics::give_back();
}

extern "C" fn after_fork() {
    STATE.store(FORKED, Ordering::Release);
}

extern "C" fn at_exit() {
    let _ = catch_unwind(|| {
        let state = STATE.load(Ordering::Acquire);
        if let Some(folder) = REPORT.get().filter(|folder| !folder.is_empty())
            && matches!(state, ACTIVE | PASSIVE)
        {
            let place = place();
            let name = format!("odonata-aries-{}-{}.json", place.host, place.pid);
            let text = report(&place, STEERING.get(), PROBLEM.get().map(String::as_str));
            let target = Path::new(folder).join(&name);
            let partial = Path::new(folder).join(format!(".{name}.part"));
            // Nothing depends on it, and the program has ended: what fails, fails.
            let _ = std::fs::create_dir_all(folder);
            if std::fs::write(&partial, text).is_err()
                || std::fs::rename(&partial, &target).is_err()
            {
                let _ = std::fs::remove_file(&partial);
            }
        }
    });
}

fn place() -> Place {
    let mut host = [0_u8; 256];
    // SAFETY: the buffer is as long as it says; its last byte stays 0.
    unsafe { libc::gethostname(host.as_mut_ptr().cast(), host.len() - 1) };
    let host = host.split(|&byte| byte == 0).next().unwrap_or_default();
    let host = String::from_utf8_lossy(host).replace('/', "-");
    let program = std::env::current_exe().map(|path| path.display().to_string());
    Place {
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

/// Gives all messages of the process a mode from now on: 0, 1 or 3; -1 goes back to the policy.
///
/// For harnesses that alternate modes; they find it with `dlsym`. Returns 0, or -1 where nothing is
/// steered or the mode is unknown.
#[unsafe(no_mangle)]
extern "C" fn odonata_aries_force(mode: c_int) -> c_int {
    let mode = match mode {
        -1 => None,
        0 => Some(Mode::Adaptive0),
        1 => Some(Mode::Adaptive1),
        3 => Some(Mode::Adaptive3),
        _ => return -1,
    };
    let Some(steering) = active() else { return -1 };
    steering.force(mode);
    0
}
