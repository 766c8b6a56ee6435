//! Policies: decisions, counters, what was recorded.
//!
//! One program: each further one takes seconds to link, and would run alone to its last test.

mod any_counters;
mod equations;
mod extensions;
mod recorded;
mod reference_model;
