//! Readers of recorded traces: formats that are read fast only in compiled code.
//!
//! ```text
//! files --(one rank after the other, forwards)--> Recorded: the table of odonata-workload
//! ```
//!
//! A reader takes streams, not paths: it does not know the file system. What it cannot take over is
//! named, counted and placed in [`Recorded::unsupported`]; what is damaged is a [`ReadError`].
//! Memory is that of the table, see `docs/traces.md`.
#![forbid(unsafe_code)]

pub mod allprof;
pub mod dumpi;
pub mod goal;
pub mod simgrid;

mod bytes;
mod calls;
mod communicators;
mod fault;
mod recorded;
mod rows;
mod text;

pub use fault::ReadError;
pub use recorded::{Omission, Recorded};
