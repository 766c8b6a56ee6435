//! Every family of the simulator, for listings, validation, schema and documentation.

use odonata_mpi::MpiParameters;
use serde_json::Value;

mod topologies;

/// All families as JSON: `{family: [entry, ...]}`.
#[must_use]
pub fn registry() -> Value {
    let mut all = odonata_workload::registry();
    if let Some(families) = all.as_object_mut() {
        families.insert("routings".to_owned(), odonata_routing::registry::describe());
        families.insert("topologies".to_owned(), topologies::topologies());
        families.insert("placements".to_owned(), odonata_placement::registry());
        families.insert("mpi".to_owned(), MpiParameters::registry());
    }
    all
}
