//! Common parts of preload libraries, whatever network they steer on.
//!
//! ```text
//! program --call--> a library --> life --> steering --> policy (crates/policy)
//!                       |                     ^
//!                       v                     | counters, after the call
//!                  the real call       guard --> whoever counts
//! ```
//!
//! [`Life`] starts a library at its first call, ends it after a fault, and writes its report when
//! the process ends. [`Steering`] decides on messages without waiting for another thread.
//! [`CommonSettings`] is what the environment says. [`guarded`] calls what may crash, [`Next`]
//! finds the function whose place a library takes, [`wrap_alltoalls`] takes the place of those of
//! MPI, [`left_alone!`] makes what counts the messages that are not steered.
//!
//! This crate deliberately does not know how a message is sent, or how a mode is decided.

mod counts;
#[expect(unsafe_code, reason = "calls what is not ours, and takes signals")]
mod guard;
mod left_alone;
#[expect(
    unsafe_code,
    reason = "asks the C library where and what the process is"
)]
mod life;
mod mpi;
#[expect(
    unsafe_code,
    reason = "asks the loader for functions of other libraries"
)]
mod next;
mod report;
mod settings;
mod steering;
mod within;

pub use counts::{Count, SteeringCounts};
pub use guard::{Crashed, guarded, install};
pub use life::{Callbacks, LibraryNames, Life, Variables, force};
pub use mpi::{AlltoallFn, alltoall};
pub use next::{Next, c_name, function, keep_loaded};
pub use report::{JsonObject, ProcessIdentity, quoted};
pub use settings::{CommonSettings, ModeSelection};
pub use steering::{CounterSource, ReadError, Steering, Verdict};
pub use within::{ALLTOALLS, INSIDE, Within, depth};
