//! A simulation on a thread of its own, and the interpreter's thread that looks after it.

use std::backtrace::Backtrace;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use odonata_sim::{Control, SimError};
use odonata_units::Instant;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::exceptions::{InternalError, SimulationError};

/// How often the calling thread looks for signals and shows progress.
const LOOK: Duration = Duration::from_millis(40);

/// The last panic: message, place, call stack.
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
}

/// What the simulation tells and is told while it runs.
#[derive(Default)]
pub(crate) struct Gauge {
    simulated_ps: AtomicU64,
    packets: AtomicU64,
    fraction_bits: AtomicU64,
    interrupted: AtomicBool,
}

impl Control for Gauge {
    fn progress(&self, simulated: Instant, packets_delivered: u64, fraction: f64) {
        self.simulated_ps.store(simulated.ps(), Ordering::Relaxed);
        self.packets.store(packets_delivered, Ordering::Relaxed);
        self.fraction_bits
            .store(fraction.to_bits(), Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Runs `work` on a thread with the interpreter released, and looks after it.
///
/// An exception of a signal handler or callback asks `work` to stop and is raised afterwards; but a
/// keyboard interrupt only lets `work` return what it has if `callbacks.keep_partial` is set.
pub(crate) fn guarded<T, F>(py: Python<'_>, callbacks: &Callbacks<'_>, work: F) -> PyResult<T>
where
    T: Send,
    F: FnOnce(&Gauge) -> Result<T, SimError> + Send,
{
    let gauge = Gauge::default();
    let (done, finished) = mpsc::sync_channel::<()>(1);
    let finished = Mutex::new(finished);
    let wait = || {
        finished
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv_timeout(LOOK)
    };
    let mut raised = None;
    let result = thread::scope(|scope| {
        let gauge = &gauge;
        let worker = scope.spawn(move || {
            let result = panic::catch_unwind(AssertUnwindSafe(|| work(gauge)));
            // The receiver outlives the scope; a failed send has nobody to tell.
            let _ = done.send(());
            result
        });
        while py.detach(wait) == Err(RecvTimeoutError::Timeout) {
            if let Err(error) = look(py, callbacks, gauge) {
                gauge.interrupted.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
        worker.join()
    });
    if let Some(error) = raised {
        let keep = callbacks.keep_partial && error.is_instance_of::<PyKeyboardInterrupt>(py);
        if !keep {
            return Err(error);
        }
    }
    match result {
        Ok(Ok(Ok(value))) => Ok(value),
        Ok(Ok(Err(error))) => Err(SimulationError::new_err((error.path, error.message))),
        Ok(Err(_)) | Err(_) => Err(InternalError::new_err((
            "the simulation broke off",
            LAST_PANIC
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take()
                .unwrap_or_default(),
        ))),
    }
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
        gauge.interrupted.store(true, Ordering::Relaxed);
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
