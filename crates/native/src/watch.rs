//! A simulation on a thread of its own, and the interpreter's thread that looks after it.

use std::backtrace::Backtrace;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use odonata_sim::{Control, Interrupt, SimError};
use odonata_units::Instant;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::exceptions::{InternalError, SimulationError};
use crate::memory;

/// How often the calling thread looks for signals and shows progress.
const LOOK: Duration = Duration::from_millis(40);

/// The last panic: message, source line, call stack.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Functions of the caller.
#[derive(Default)]
pub(crate) struct Callbacks<'py> {
    /// `progress(simulated_ps, packets_delivered, fraction)`.
    pub(crate) progress: Option<Bound<'py, PyAny>>,
    /// `interrupt() -> bool`.
    pub(crate) interrupt: Option<Bound<'py, PyAny>>,
    /// Whether a keyboard interrupt is answered with what there is so far.
    pub(crate) keep_partial: bool,
    /// Whether it is measured where the time of the run goes.
    pub(crate) timed: bool,
}

/// What the simulation tells and is told while it runs.
#[derive(Default)]
pub(crate) struct Gauge {
    simulated_ps: AtomicU64,
    packets: AtomicU64,
    fraction_bits: AtomicU64,
    /// There is something to keep.
    has_begun: AtomicBool,
    interrupt: Interrupt,
    /// What was left when it was stopped because memory ran short, bytes; 0: it was not.
    memory_left: AtomicU64,
    /// When the run began, if it is measured where its time goes.
    began: Option<Clock>,
}

/// Real time, which this room alone knows.
type Clock = std::time::Instant;

impl Gauge {
    /// Why the run was stopped, if it was not the user.
    pub(crate) fn note(&self) -> Option<String> {
        let left = self.memory_left.load(Ordering::Relaxed);
        (left > 0).then(|| {
            format!(
                "stopped because only {} MB of memory were left; keep less (`telemetry`), simulate \
                 less, or run it on a larger machine",
                left / 1_000_000
            )
        })
    }
}

impl Control for Gauge {
    fn progress(&self, simulated: Instant, packets_delivered: u64, fraction: f64) {
        self.simulated_ps.store(simulated.ps(), Ordering::Relaxed);
        self.packets.store(packets_delivered, Ordering::Relaxed);
        self.fraction_bits
            .store(fraction.to_bits(), Ordering::Relaxed);
        self.has_begun.store(true, Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn clock_ns(&self) -> Option<u64> {
        let passed = self.began?.elapsed().as_nanos();
        u64::try_from(passed).ok()
    }
}

/// Stops a run while there is still memory to write down what it has found.
#[derive(Default)]
struct Reserve {
    bytes: Option<u64>,
    looks: u32,
}

impl Reserve {
    /// Looks at the memory once in so many looks.
    const EVERY: u32 = 5;

    fn look(&mut self, gauge: &Gauge) {
        // Not before: most of the runs of a large campaign are over by then.
        let bytes = *self.bytes.get_or_insert_with(|| {
            let available = memory::available().unwrap_or(0);
            (available / 8).clamp(32_000_000, 1_000_000_000)
        });
        self.looks += 1;
        if !self.looks.is_multiple_of(Self::EVERY) || gauge.interrupted() {
            return;
        }
        if let Some(left) = memory::available().filter(|left| *left < bytes) {
            gauge.memory_left.store(left.max(1), Ordering::Relaxed);
            gauge.interrupt.raise();
        }
    }
}

/// Runs `work` on a thread with the interpreter released, and looks after it.
///
/// An exception of a signal handler or callback asks `work` to stop and is raised afterwards; but a
/// keyboard interrupt only lets `work` return what it has if `callbacks.keep_partial` is set. What
/// has not begun has nothing to keep: then, and at the second exception, `work` is left alone and
/// the exception raised at once.
pub(crate) fn guarded<T, F>(py: Python<'_>, callbacks: &Callbacks<'_>, work: F) -> PyResult<T>
where
    T: Send + 'static,
    F: FnOnce(&Gauge) -> Result<T, SimError> + Send + 'static,
{
    let gauge = Arc::new(Gauge {
        began: callbacks.timed.then(now),
        ..Gauge::default()
    });
    let mut reserve = Reserve::default();
    let (done, finished) = mpsc::sync_channel(1);
    let finished = Mutex::new(finished);
    let wait = || {
        finished
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv_timeout(LOOK)
    };
    let seen = Arc::clone(&gauge);
    // The name is what `top -H` shows.
    let simulation = thread::Builder::new().name("simulation".into());
    simulation.spawn(move || {
        let result = panic::catch_unwind(AssertUnwindSafe(|| work(&seen)));
        // If nobody waits any more there is nobody to tell.
        let _ = done.send(result);
    })?;
    let mut raised = None;
    let result = loop {
        match py.detach(wait) {
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break None,
            Ok(result) => break Some(result),
        }
        reserve.look(&gauge);
        if let Err(error) = look(py, callbacks, &gauge) {
            gauge.interrupt.raise();
            if raised.is_some() || !gauge.has_begun.load(Ordering::Relaxed) {
                return Err(error);
            }
            raised = Some(error);
        }
    };
    if let Some(error) = raised {
        let keep = callbacks.keep_partial && error.is_instance_of::<PyKeyboardInterrupt>(py);
        if !keep {
            return Err(error);
        }
    }
    match result {
        Some(Ok(Ok(value))) => Ok(value),
        Some(Ok(Err(error))) => Err(SimulationError::new_err((error.path, error.message))),
        Some(Err(_)) | None => Err(InternalError::new_err((
            "the simulation broke off",
            LAST_PANIC
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take()
                .unwrap_or_default(),
        ))),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the native room has the wall clock"
)]
fn now() -> Clock {
    Clock::now()
}

/// One look: signals, then the caller's functions.
fn look(py: Python<'_>, callbacks: &Callbacks<'_>, gauge: &Gauge) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = &callbacks.progress {
        progress.call1((
            gauge.simulated_ps.load(Ordering::Relaxed),
            gauge.packets.load(Ordering::Relaxed),
            f64::from_bits(gauge.fraction_bits.load(Ordering::Relaxed)),
        ))?;
    }
    if let Some(interrupt) = &callbacks.interrupt
        && interrupt.call0()?.is_truthy()?
    {
        gauge.interrupt.raise();
    }
    Ok(())
}

/// Keeps the text of a panic for the exception that reports it, instead of printing it.
pub(crate) fn keep_panics_off_the_screen() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let text = format!("{info}\n{}", Backtrace::force_capture());
        let mut last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        // The first panic is the cause; those of other threads follow from it.
        last.get_or_insert(text);
    }));
}
