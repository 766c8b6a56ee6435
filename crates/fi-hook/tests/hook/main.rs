//! The library in real processes: on the provider sockets with the options of cxi (`fakecxi`), on
//! other providers, under MPI. Without libfabric and its headers these tests are skipped.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tests start processes, read the environment, and say what they measured or left out"
)]

mod checked;
mod classes;
mod harmless;
mod identity;
mod layout;
mod live;
mod overhead;
mod passes;
mod programs;
mod races;
mod real_mpi;
mod recorded;
mod steers;
