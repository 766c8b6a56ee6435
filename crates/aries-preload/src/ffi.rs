//! Where C ends: the functions whose place the library takes, and those that it calls.
//!
//! ```text
//! gni, dmapp, mpi --> life --> papi --> guard
//!        |             |
//!        +--> nics <---+     within, next: below all
//! ```
//!
//! Nothing leaves this module as a panic: what goes wrong makes the library do nothing from then on.
//! What others unwind (a thread that is cancelled inside a call) goes through it: `C-unwind`.

mod dmapp;
mod gni;
mod guard;
mod life;
mod mpi;
mod next;
mod nics;
mod papi;
mod within;
