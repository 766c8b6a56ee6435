//! Ranks of MPI: matching, protocols, collectives.
//!
//! One program: each further one takes seconds to link, and would run alone to its last test.

mod collective_choice;
mod collectives;
mod graphs;
mod hosts;
mod one_sided;
mod point_to_point;
mod repeat;
mod semantics;
