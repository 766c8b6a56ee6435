//! Networks: their shape, wiring and sizes.
//!
//! One program: each further one takes seconds to link, and would run alone to its last test.

mod codes_wiring;
mod exhaustive;
mod families;
mod graph;
mod group_kinds;
mod larger;
mod theta;
