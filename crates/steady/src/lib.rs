//! Estimate of the mean of a series in order: where its warm-up ends, whether it is steady behind
//! it, and an interval for the mean.
//!
//! ```text
//! Series --values--> mser5 --warm-up--> batches --> trend, halves --> Estimate
//! ```
//!
//! This room deliberately does not know what its values are: it works on numbers in order. The
//! steps, their sources and what was measured of them are in `docs/model/precision.md`.
//!
//! ```
//! use odonata_steady::{estimate, Series};
//! let mut series = Series::default();
//! for number in 0..200_u32 {
//!     series.push(f64::from(10 + number % 2));
//! }
//! let found = estimate(series.values()).unwrap();
//! assert!((found.mean - 10.5).abs() <= found.half_width);
//! ```
#![forbid(unsafe_code)]

mod audit;
mod batches;
mod estimate;
mod series;
mod stationary;
mod student;
mod warm_up;

pub use audit::{Departure, departure};
pub use batches::{BATCHES, Batches};
pub use estimate::{Estimate, FEWEST_BEHIND_WARM_UP, Unsteady, estimate};
pub use series::Series;
pub use stationary::{halves_differ, trend};
pub use student::two_sided_95;
pub use warm_up::{TRUNCATION_BATCH, mser5};
