//! Quantities, typed ids, keyed random streams and samples: the words every other room speaks.
//!
//! Instants and spans are different types, so that two instants cannot be added; ids of different
//! things do not mix. Nothing here knows a network.
//!
//! ```
//! use odonata_units::{Instant, Span};
//! let start = Instant::ZERO + Span::from_ns(30);
//! assert_eq!(start - Instant::ZERO, Span::from_ps(30_000));
//! ```
#![forbid(unsafe_code)]

pub mod id;
pub mod rate;
pub mod record;
pub mod sample;
pub mod stream;
pub mod time;

#[doc(hidden)]
pub use id::{GroupId, JobId, NodeId, RouterId};
pub use rate::Bandwidth;
pub use record::Record;
pub use sample::is_sampled;
pub use stream::{Purpose, Stream};
pub use time::{Instant, Span};
