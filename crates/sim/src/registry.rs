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
    json!([dragonfly(), aries(), interconnect(), megafly(), file()])
}

fn count(name: &str, doc: &str) -> Value {
    json!({"name": name, "type": "count", "unit": "", "required": true, "minimum": 0, "doc": doc})
}

fn counts(fields: &[(&str, &str)]) -> Vec<Value> {
    fields.iter().map(|(name, doc)| count(name, doc)).collect()
}

fn path(name: &str, doc: &str) -> Value {
    json!({"name": name, "type": "path", "unit": "", "required": true, "doc": doc})
}

fn dragonfly() -> Value {
    let arrangements: Vec<_> = Arrangement::ALL.iter().map(|one| one.name()).collect();
    let mut parameters = counts(&[
        ("groups", "groups (g)"),
        ("routers_per_group", "routers of a group (a)"),
        ("nodes_per_router", "nodes of a router (p)"),
        ("global_ports_per_router", "global ports of a router (h)"),
    ]);
    parameters.push(json!({
        "name": "arrangement", "type": "choice", "unit": "", "default": "absolute",
        "choices": arrangements, "doc": "which global port leads to which group",
    }));
    parameters.push(json!({
        "name": "nics_per_node", "type": "count", "unit": "", "default": 1, "minimum": 1,
        "doc": "network ends of one node of the machine (Slingshot: several); a placement unit",
    }));
    json!({
        "name": "dragonfly",
        "summary": "1-D dragonfly: fully connected groups, fully connected to each other",
        "source": "Kim, Dally, Scott, Abts 2008",
        "parameters": parameters,
        "needs": "",
    })
}

fn aries() -> Value {
    json!({
        "name": "aries",
        "summary": "2-D dragonfly: groups of rows and columns, wired as Theta is",
        "source": "Faanes et al. 2012; the interconnect dump of Theta",
        "parameters": counts(&[
            ("groups", "groups"),
            ("rows", "rows of routers in a group; a row is a chassis"),
            ("columns", "routers of a row"),
            ("nodes_per_router", "nodes of a router"),
            ("column_links", "parallel links between each two routers of a column"),
            ("global_ports_per_router", "global channels of a router"),
            ("chassis_per_cabinet", "rows that stand in one cabinet"),
        ]),
        "needs": "",
    })
}

fn interconnect() -> Value {
    json!({
        "name": "aries-interconnect",
        "summary": "a Cray XC machine rebuilt from the dump of its router tiles",
        "source": "interconnect dump of the machine",
        "parameters": [
            path("interconnect", "the dump: one line per tile"),
            {"name": "chassis_per_cabinet", "type": "count", "unit": "", "default": null,
             "minimum": 1, "doc": "rows that stand in one cabinet; default: as the dump says"},
        ],
        "needs": "",
    })
}

fn megafly() -> Value {
    json!({
        "name": "megafly",
        "summary": "megafly (dragonfly+): groups of leaves and spines",
        "source": "Flajslik, Borch, Parker 2018; Shpiner et al. 2017; wiring of Mubarak et al. 2019",
        "parameters": counts(&[
            ("groups", "groups"),
            ("leaf_routers_per_group", "routers with nodes in a group"),
            ("spine_routers_per_group", "routers with global links in a group"),
            ("nodes_per_leaf", "nodes of a leaf"),
            ("links_per_group_pair", "links between each two groups"),
        ]),
        "needs": "",
    })
}

fn file() -> Value {
    json!({
        "name": "file",
        "summary": "any network, given channel by channel (`odonata topo --edges` writes such a list)",
        "source": "the list",
        "parameters": [path("channels", "the channels, as CSV or Parquet")],
        "needs": "",
    })
}
