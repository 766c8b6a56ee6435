//! Workloads, each as its jobs do it.
//!
//! One program: each further one takes seconds to link, and would run alone to its last test.

mod backgrounds;
mod inference;
mod mfnetsim;
mod open_loop;
mod shared_nodes;
mod skeletons;
mod streams;
mod studies;
mod table_one;
mod traces;
mod training;
