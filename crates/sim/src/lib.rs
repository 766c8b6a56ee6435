//! From a resolved scenario to network and jobs, a run, and tables.
//!
//! ```text
//! Config --> topology, parameters, routing --+
//!        --> placements, endpoints ----------+--> Network::run --> summary, tables
//! ```
//!
//! This room puts the others together and knows no file, clock or environment: Python reads
//! scenarios and writes results, [`Control`] is the only way in or out of a run.
//!
//! Failure modes: [`SimError`] names the key of the configuration and says what would be right.
//! A run that stalls is an [`Outcome`] with a diagnosis, never a hang.
#![forbid(unsafe_code)]

mod blame;
mod cables;
mod check;
pub mod config;
mod counters;
mod decided;
mod decision_sums;
mod decisions;
mod demand;
mod error;
mod exchange;
mod finished;
mod hosts;
mod inputs;
mod jobs;
mod learned;
mod limits;
mod link_events;
mod link_outcome;
mod link_series;
mod load;
mod machine;
mod memory;
mod messages;
mod model;
mod out_of_service;
pub mod outcome;
mod overlap;
mod parameters;
mod pattern_limit;
mod policies;
mod policy;
mod precision;
mod probes;
mod registry;
mod run;
mod service;
mod shape;
mod sites;
mod sources;
mod stall;
mod statistic;
mod steering;
mod summary;
mod tables;
mod team;
mod topology;
mod warnings;

pub use check::check;
pub use config::Config;
pub use demand::{demand, offered};
pub use error::SimError;
pub use exchange::TeamError;
pub use inputs::Inputs;
pub use model::{GOLDEN_TABLES, MODEL};
pub use odonata_mpi::Interrupt;
pub use outcome::{Column, Outcome, Table};
pub use registry::registry;
pub use run::{Control, run, run_with_probes};
pub use team::run_share;
pub use topology::topology;
