//! C ends here: the functions whose place the library takes, and those that it calls.
//!
//! ```text
//! gni, dmapp, mpi --> life --> papi
//!        |             |
//!        +--> nics <---+
//! ```
//!
//! Nothing leaves this module as a panic: what goes wrong makes the library do nothing from then
//! on. What others unwind (a thread that is cancelled inside a call) goes through it: `C-unwind`.

mod dmapp;
mod gni;
mod life;
mod nics;
mod papi;
mod values;

odonata_interpose::wrap_alltoalls!();
