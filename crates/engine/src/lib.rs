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
//! idle time, or to stop: results do not depend on the number of threads. Threads may be those of
//! several processes: then every process sends each other one a message per epoch, with its sums
//! and its mail.
//!
//! ```
//! use odonata_engine::{Block, Control, EpochPlan, Status, Stop, run, split};
//! use odonata_mesh::Mesh;
//! use odonata_units::{Instant, Record, Span};
//!
//! /// Holds a ball until its instant, then throws it to the other block.
//! struct Player {
//!     other: usize,
//!     ball: Option<Instant>,
//!     catches: u64,
//! }
//!
//! impl Block for Player {
//!     type Mail = Option<Instant>;
//!     type Local = ();
//!
//!     fn receive(&mut self, mail: &mut Option<Instant>, _: &mut ()) {
//!         self.ball = mail.take().or(self.ball);
//!     }
//!
//!     fn needed(mail: &Option<Instant>, _: Instant) -> Option<Instant> {
//!         *mail
//!     }
//!
//!     fn advance(&mut self, _: Instant, to: Instant, _: &mut (), mail: &mut [Option<Instant>]) {
//!         if self.ball.is_some_and(|at| at < to) {
//!             self.catches += 1;
//!             mail[self.other] = self.ball.take().map(|at| at + Span::from_ns(10));
//!         }
//!     }
//!
//!     fn status(&self, now: Instant) -> Status {
//!         let next = self.ball.map_or(Instant::NEVER, |at| at.max(now));
//!         Status {
//!             next,
//!             idle_until: next,
//!             open_goals: 4 - i64::try_from(self.catches).unwrap_or(0),
//!             on_the_way: 1,
//!             progress: self.catches,
//!             work: self.catches,
//!             ..Status::IDLE
//!         }
//!     }
//!
//!     fn pack(mail: &mut Option<Instant>, _: &mut (), out: &mut Vec<u8>) {
//!         mail.take().write(out);
//!     }
//!
//!     fn unpack(&mut self, mut bytes: &[u8], _: &mut ()) -> Option<()> {
//!         self.ball = Option::read(&mut bytes)?;
//!         Some(())
//!     }
//! }
//!
//! struct Unattended;
//!
//! impl Control for Unattended {
//!     fn after_epoch(&self, _: Instant, _: u64) -> bool {
//!         false
//!     }
//! }
//!
//! let player = |other, ball| Player { other, ball, catches: 0 };
//! let mut players = [player(1, Some(Instant::ZERO)), player(0, None)];
//! let plan = EpochPlan {
//!     epoch: Span::from_ns(10),
//!     until: Instant::from_ps(1_000_000),
//!     patience: Span::from_ns(1_000),
//! };
//! let ranges = split(&[1, 1], 2);
//! let done = run(&mut players, &ranges, &mut [(), ()], plan, &Unattended, Mesh::alone());
//! assert_eq!(done, Ok((Stop::Finished, Instant::from_ps(80_000))));
//! ```
#![forbid(unsafe_code)]

mod barrier;
mod block;
mod laps;
mod processes;
mod run;
mod split;
mod status;
mod stopwatch;
mod transport;

pub use block::{Block, Control, EpochPlan, Stop};
pub use laps::Laps;
pub use run::run;
pub use split::split;
pub use status::Status;
