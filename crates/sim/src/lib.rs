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

mod build;
pub mod config;
mod error;
mod model;
mod parameters;
mod policy;
mod precision;
mod registry;
mod report;
mod result;
mod run;

pub use build::demand::{demand, offered};
pub use build::inputs::Inputs;
pub use build::topology::topology;
pub use config::Config;
pub use error::SimError;
pub use model::{GOLDEN_TABLES, MODEL};
pub use odonata_mpi::Interrupt;
pub use odonata_network::Team;
pub use registry::registry;
pub use result::exchange::TeamError;
pub use result::outcome::{self, Column, Outcome, Table};
pub use run::check::check;
pub use run::prepare::Control;
pub use run::team::{run, run_alone, run_with_probes};
