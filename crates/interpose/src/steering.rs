//! Steering of a message: threads decide without waiting for each other.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, TryLockError};

use odonata_policy::{Counters, Decision, Message, Mode, Policy, Units};

use crate::counts::SteeringCounts;
use crate::settings::{CommonSettings, ModeSelection};

/// Failures in a row after which counters are given up.
const PATIENCE: u32 = 8;

/// Counters could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The reading failed this time.
    Failed,
    /// Counters must not be read again.
    Broken,
}

/// A source of counters.
pub trait CounterSource: Send {
    /// The counters as they are now.
    ///
    /// # Errors
    ///
    /// [`ReadError`], if they could not be read.
    fn read(&mut self) -> Result<Counters, ReadError>;
}

/// The part that one thread at a time has.
struct Inner {
    policy: Policy,
    source: Option<Box<dyn CounterSource>>,
}

/// The decision on a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The routing mode that it is sent with.
    pub mode: Mode,
    /// Whether counters are to be read after it.
    pub reads_counters: bool,
    /// Whether it is below the threshold, and so was not decided.
    pub is_small: bool,
}

/// Steers the messages of a process.
#[expect(
    missing_debug_implementations,
    reason = "a source of counters need not have one"
)]
pub struct Steering {
    /// Settings of the environment.
    pub settings: CommonSettings,
    /// Counts of what was done.
    pub counts: SteeringCounts,
    inner: Mutex<Inner>,
    /// Units of the counters.
    units: Units,
    /// The last mode, for threads that find another one deciding.
    last: AtomicUsize,
    /// A mode that a harness in the process has set for all messages; negative: none.
    forced: AtomicI32,
    failures: AtomicU32,
    has_given_up: AtomicBool,
}

impl Steering {
    /// Steers with counters from `source`, in `units`; a fixed mode needs none.
    #[must_use]
    pub fn new(
        settings: CommonSettings,
        units: Units,
        mut source: Option<Box<dyn CounterSource>>,
    ) -> Self {
        let mut policy = Policy::new(settings.parameters);
        if let Some(source) = &mut source
            && let Ok(counters) = source.read()
        {
            policy.observe(&counters, units);
        }
        Self {
            settings,
            units,
            counts: SteeringCounts::default(),
            inner: Mutex::new(Inner { policy, source }),
            last: AtomicUsize::new(0),
            forced: AtomicI32::new(-1),
            failures: AtomicU32::new(0),
            has_given_up: AtomicBool::new(false),
        }
    }

    /// The mode of a message before it is posted; `None` leaves it alone. Never waits.
    pub fn before(&self, message: Message) -> Option<Verdict> {
        let verdict = self.decide(message)?;
        self.counts.steered(verdict.mode, message.bytes);
        Some(verdict)
    }

    fn decide(&self, message: Message) -> Option<Verdict> {
        let fixed = |mode| {
            Some(Verdict {
                mode,
                reads_counters: false,
                is_small: false,
            })
        };
        if let Some(mode) = mode_at(self.forced.load(Ordering::Relaxed)) {
            return fixed(mode);
        }
        match self.settings.selection {
            ModeSelection::Off => return None,
            ModeSelection::Fixed(mode) => return fixed(mode),
            ModeSelection::ApplicationAware => {}
        }
        if self.has_given_up.load(Ordering::Relaxed) {
            return None;
        }
        match self.inner.try_lock() {
            Ok(mut inner) => {
                let Decision {
                    mode,
                    reads_counters,
                } = inner.policy.decide(message);
                self.last.store(mode as usize, Ordering::Relaxed);
                Some(Verdict {
                    mode,
                    reads_counters,
                    is_small: !reads_counters,
                })
            }
            Err(TryLockError::WouldBlock) => {
                self.counts.contended.add(1);
                fixed(Mode::ALL[self.last.load(Ordering::Relaxed).min(Mode::ALL.len() - 1)])
            }
            Err(TryLockError::Poisoned(_)) => None,
        }
    }

    /// Reads counters after a message whose verdict says so. Never waits for another thread.
    ///
    /// Returns whether counters have just been given up.
    pub fn after(&self, verdict: Verdict) -> bool {
        if !verdict.reads_counters {
            return false;
        }
        let Ok(mut inner) = self.inner.try_lock() else {
            self.counts.contended.add(1);
            return false;
        };
        if self.has_given_up() {
            return false;
        }
        let Some(source) = &mut inner.source else {
            return false;
        };
        self.counts.reads.add(1);
        match source.read() {
            Ok(counters) => {
                inner.policy.observe(&counters, self.units);
                self.failures.store(0, Ordering::Relaxed);
                false
            }
            Err(error) => {
                self.counts.failed_reads.add(1);
                let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
                let is_enough = error == ReadError::Broken || failures >= PATIENCE;
                is_enough && !self.has_given_up.swap(true, Ordering::Relaxed)
            }
        }
    }

    /// Gives all messages a mode until further notice; `None` goes back to the plan.
    pub fn force(&self, mode: Option<Mode>) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "0 to 2"
        )]
        let index = mode.map_or(-1, |mode| mode as usize as i32);
        self.forced.store(index, Ordering::Relaxed);
    }

    /// Whether counters failed so often that messages are left alone.
    #[must_use]
    pub fn has_given_up(&self) -> bool {
        self.has_given_up.load(Ordering::Relaxed)
    }

    /// The policy as it stands; `None` while a thread is deciding.
    #[must_use]
    pub fn policy(&self) -> Option<Policy> {
        self.inner.try_lock().ok().map(|inner| inner.policy)
    }
}

fn mode_at(index: i32) -> Option<Mode> {
    usize::try_from(index)
        .ok()
        .and_then(|index| Mode::ALL.get(index).copied())
}
