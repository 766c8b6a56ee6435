//! Every family of the simulator, for listings, validation, schema and documentation.

use odonata_mpi::MpiParameters;
use odonata_topology::Arrangement;
use serde_json::{Value, json};

/// All families as JSON: `{family: [entry, ...]}`.
#[must_use]
pub fn registry() -> Value {
    let mut all = odonata_workload::registry();
    if let Some(families) = all.as_object_mut() {
        families.insert("routings".to_owned(), odonata_routing::registry::describe());
        families.insert("topologies".to_owned(), topologies());
        families.insert("placements".to_owned(), odonata_placement::registry());
        families.insert("mpi".to_owned(), MpiParameters::registry());
    }
    all
}

fn topologies() -> Value {
    let count = |name: &str, letter: &str, doc: &str| {
        json!({"name": name, "type": "count", "unit": "", "required": true, "minimum": 0,
               "doc": format!("{doc} ({letter})")})
    };
    let arrangements: Vec<_> = Arrangement::ALL.iter().map(|one| one.name()).collect();
    json!([{
        "name": "dragonfly",
        "summary": "1-D dragonfly: fully connected groups, fully connected to each other",
        "source": "Kim, Dally, Scott, Abts 2008",
        "parameters": [
            count("groups", "g", "groups"),
            count("routers_per_group", "a", "routers of a group"),
            count("nodes_per_router", "p", "nodes of a router"),
            count("global_ports_per_router", "h", "global ports of a router"),
            {"name": "arrangement", "type": "choice", "unit": "", "default": "absolute",
             "choices": arrangements, "doc": "which global port leads to which group"},
        ],
        "needs": "",
    }])
}
