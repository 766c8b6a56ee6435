//! Conservative parallel simulation in windows and epochs; names no network term.
//!
//! ```text
//!  epoch k          | exchange |  epoch k+1        | exchange |
//!  thread 0: [block 0][block 1] ...                 mail of epoch k is received at the start of
//!  thread 1: [block 2][block 3] ...                 epoch k+1: nothing sent takes less than an
//!                                                   epoch to matter elsewhere
//! ```
//!
//! A [`Block`] is a set of logical processes that live together. It simulates a whole epoch alone
//! (in smaller safe windows of its own), because nothing another block does can reach it sooner.
//! Between epochs mail is exchanged, and every thread takes the same decision to go on, to skip
//! idle time, or to stop: results do not depend on the number of threads.

mod barrier;
mod run;

pub use run::{Block, Control, EpochPlan, Status, Stop, run};
