//! `libodonata-fi.so`: application-aware routing for programs on Slingshot, without changing them.
//!
//! ```text
//! program, MPI --fi_send, fi_tsend, fi_write, ...--> ffi --> interpose --> policy (crates/policy)
//!                                                    |  ^        ^
//!                       order: which alias is allowed|  |        | counters (dom_ops), afterwards
//!                                                    v  |        |
//!                                     endpoint and its aliases of the provider cxi
//! ```
//!
//! It is loaded by libfabric (`FI_PROVIDER_PATH` and `FI_HOOK`) or by the loader (`LD_PRELOAD`).
//! Endpoints of the provider `cxi` get aliases, one for each traffic class and order; what the
//! policy decides chooses the alias that a message goes over. Messages that must not overtake each
//! other go over one alias until they are complete. Other providers are not touched, and what
//! cannot be done is left out. The page for operators is `docs/preload-slingshot.md`.
//!
//! This crate deliberately does not know what the program does, or how a mode is decided.

mod classes;
mod counting;
mod counts;
#[expect(
    unsafe_code,
    reason = "takes the place of functions of libfabric, and calls those of a provider"
)]
mod ffi;
mod lane;
mod order;
mod settings;

pub use classes::{ClassEffect, Classes};
pub use counting::{Buckets, Counting, NAMES};
pub use ffi::LAYOUT;
pub use lane::{Lane, PostTarget, TrafficClass};
pub use order::{Assignment, OrderTracker, Preference};
pub use settings::Settings;
