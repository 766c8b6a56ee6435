//! The library in real processes, on the emulator of libugni.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tests start processes, read the environment, and say what they measured or left out"
)]

mod checked;
mod emulator;
mod harmless;
mod identity;
mod overhead;
mod programs;
mod races;
mod real_mpi;
mod real_papi;
mod recorded;
mod steers;
mod symbols;
