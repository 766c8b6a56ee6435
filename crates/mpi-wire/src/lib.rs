//! Messages between the processes of one run over the MPI of the machine, whichever it is.
//!
//! Nothing here is linked to MPI. [`SOURCE`] is C with a dozen functions, which `odonata mpi build`
//! compiles with the machine's own compiler; [`Mpi::open`] loads what came of it. All calls go
//! through one lock, from whichever thread (`MPI_THREAD_SERIALIZED`). An MPI that somebody else has
//! begun is used and not ended.
//!
//! One [`Mpi`] has any number of [`Channel`]s, each a [`Wire`](odonata_mesh::Wire) of its own:
//! one for what the processes say to each other between simulations, one for each simulation.
//!
//! Failure modes: an error of MPI becomes a sentence. That a process has died is not seen here: the
//! launcher sees it, and ends the others.

mod channel;
#[expect(unsafe_code, reason = "it speaks C")]
mod library;
mod mpi;
mod state;

pub use channel::Channel;
pub use mpi::Mpi;

/// The C that is compiled where it runs.
pub const SOURCE: &str = include_str!("shim.c");
