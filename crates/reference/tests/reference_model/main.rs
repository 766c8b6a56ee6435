//! Engine and reference model against each other, against the pages, and probes on the engine.
//!
//! One program: every further one would compile the hot loop once more.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod balance;
mod blame;
mod blame_of_reference;
mod by_hand;
mod classes;
mod controlled;
mod counters;
mod families;
mod large_packets;
mod ordered;
mod outages;
mod properties;
mod refusals;
mod released;
mod released_credit;
mod released_windows;
mod shares;
mod tile_counters;
mod zero_load;
