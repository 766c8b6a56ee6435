//! `libodonata_aries.so`: application-aware routing for programs on Aries, without changing them.
//!
//! ```text
//! program, MPI --GNI_Post*, dmapp_*--> ffi --> interpose --> policy (crates/policy)
//!                                       |         ^
//!                                       v         | counters, after the call
//!                                    libugni     PAPI
//! ```
//!
//! Loaded with `LD_PRELOAD`, it sets the delivery mode of each message before the real call, and
//! reads counters after it. What cannot be done is left out: without counters, symbols or a valid
//! environment every call goes through unchanged. After the first call nothing here allocates,
//! locks or waits on the way of a message. The page for operators is `docs/preload.md`.
//!
//! This crate deliberately does not know what the program does, or how a mode is decided.

mod counts;
mod descriptor;
#[expect(
    unsafe_code,
    reason = "takes the place of C functions, and calls those of libugni, DMAPP, MPI and PAPI"
)]
mod ffi;
mod settings;

pub use counts::LeftAlone;
pub use descriptor::{delivery_mode, operation};
pub use settings::Settings;
