//! Runs that stop when they know enough: `stop.precision`, see `docs/model/precision.md`.
//!
//! What is asked for is checked before the run (`asked.rs`); during it a watch takes in the
//! iterations of all jobs and looks at their statistics (`watch.rs`, `progress.rs`); at its end
//! stands what the run would have said in full (`report.rs`, `notes.rs`).

mod asked;
mod notes;
mod progress;
mod report;
mod watch;

pub(crate) use notes::notes;
pub(crate) use watch::PrecisionWatch;
