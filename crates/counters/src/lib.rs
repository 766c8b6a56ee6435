//! Counters by the names that machines give them: Aries tiles and NICs, the Cassini NIC.
//!
//! ```text
//!   who counts:  TileCounts, NicCounts      plain sums, in ps, flits, packets, bytes
//!                        |
//!                 Entry: which sum, in which unit, by which name; what the hardware says of it
//!                        |
//!             tables, listings, the page docs/model/counters.md
//! ```
//!
//! An [`Entry`] is the only place that knows a name. This room deliberately does not know who
//! counts, or when: it turns sums into values.
//!
//! ```
//! use odonata_counters::{Component, TileCounts, entries};
//!
//! let counts = TileCounts { flits: [5, 0, 0, 0, 1, 0, 0, 0], ..TileCounts::default() };
//! let entry = entries(Component::NetworkTile).find(|entry| entry.pattern().starts_with("INQ_PRF_INC"));
//! let entry = entry.expect("tiles count flits");
//! assert_eq!(entry.name(4), "INQ_PRF_INCOMING_FLIT_VC4");
//! assert_eq!(entry.of_tile(&counts, 4), 1);
//! ```
#![forbid(unsafe_code)]

mod aries;
mod cassini;
mod counts;
mod describe;
mod entry;
mod list;

pub use counts::{
    CLASSES, HALVES, Half, LATENCY_BINS, NicCounts, ROUND_TRIP_EDGES_US, SIZES, TILE_VCS,
    TileCounts, Traffic, latency_bin, size_bin,
};
pub use describe::describe;
pub use entry::{Component, Entry, Quantity, Unit};
pub use list::{Names, entries, of_nics};
