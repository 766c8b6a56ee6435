//! The simulator as a whole.
//!
//! One program: each further one takes seconds to link, and would run alone to its last test.

mod determinism;
mod edges;
mod endless;
mod golden_tables;
mod goldens;
mod integers;
mod language_models;
mod limits;
mod mfnetsim;
mod peers;
mod policies;
mod precision;
mod reference;
mod repeat;
mod saturation;
mod skipping;
mod stall;
mod support;
mod theory;
mod topologies;
