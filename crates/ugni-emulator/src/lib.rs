//! A stand-in for `libugni` on machines without Aries: real processes exchange data over shared
//! memory, the delivery mode of every post draws latency and stalls, and counters show both.
//!
//! ```text
//! program (C) --GNI_*--> ffi --> state: endpoints, queues, mailboxes
//!                         |        traffic: mode -> latency, stalls --> counters
//!                         +--> one file in shared memory per process: what it registered
//! ```
//!
//! It is for testing what sits between a program and `libugni`, such as a preload library; nothing
//! here is a simulation of a network. Declarations for C are in `include/ugni.h`, the page is
//! `docs/preload.md`. Layouts and values are from public sources and were never compared with the
//! real library.
//!
//! This crate deliberately does not know who decides on modes, or why.

mod abi;
mod counters;
#[expect(
    unsafe_code,
    reason = "exported to C, reads and maps the memory that programs register; nothing else does"
)]
mod ffi;
mod queue;
mod state;
mod traffic;

pub use abi::{Code, Kind, MODES, PostDescriptor, SmsgAttributes};
pub use counters::{Counters, NAMES};
pub use traffic::{Drawn, Model, ModelError};
