//! Shapes of networks: what `[system.topology]` takes.

use odonata_topology::Arrangement;
use serde_json::{Value, json};

/// Every shape with its parameters.
pub fn topologies() -> Value {
    json!([
        dragonfly(),
        aries(),
        interconnect(),
        megafly(),
        channel_list()
    ])
}

/// A whole number that must be given.
fn count(name: &str, letter: &str, doc: &str) -> Value {
    json!({"name": name, "type": "count", "unit": "", "required": true, "minimum": 0,
           "doc": format!("{doc} ({letter})")})
}

/// A whole number of at least 1; without a default it must be given.
fn positive(name: &str, default: Option<u32>, doc: &str) -> Value {
    json!({"name": name, "type": "count", "unit": "", "required": default.is_none(),
           "default": default, "minimum": 1, "doc": doc})
}

fn file(name: &str, doc: &str) -> Value {
    json!({"name": name, "type": "path", "unit": "", "required": true, "doc": doc})
}

fn dragonfly() -> Value {
    let arrangements: Vec<_> = Arrangement::ALL.iter().map(|one| one.name()).collect();
    json!({
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
            {"name": "nics_per_node", "type": "count", "unit": "", "default": null, "minimum": 1,
             "doc": "neighbouring NICs that belong to one computer, for placements; default: 1"},
        ],
        "needs": "",
    })
}

fn aries() -> Value {
    json!({
        "name": "aries",
        "summary": "2-D dragonfly: groups are grids whose rows and columns are fully connected",
        "source": "Faanes et al. 2012 (Cray Cascade); wiring of ALCF Theta",
        "parameters": [
            positive("groups", None, "groups"),
            positive("rows", Some(6), "rows of a group: its chassis"),
            positive("columns", Some(16), "columns of a group: routers of a chassis"),
            positive("nodes_per_router", Some(4), "nodes of a router"),
            positive("column_links", Some(3), "parallel links of two routers of a column"),
            count("global_ports_per_router", "h", "global ports of a router"),
            positive("chassis_per_cabinet", Some(3), "chassis of a cabinet, for placements"),
        ],
        "needs": "",
    })
}

fn interconnect() -> Value {
    json!({
        "name": "aries-interconnect",
        "summary": "an Aries machine as its interconnect dump has it, tile by tile",
        "source": "Cray XC interconnect dumps, such as that of ALCF Theta",
        "parameters": [
            file("interconnect", "dump of the machine: text, .xz or .gz"),
            positive("chassis_per_cabinet", Some(3), "chassis of a cabinet, for placements"),
        ],
        "needs": "",
    })
}

fn megafly() -> Value {
    json!({
        "name": "megafly",
        "summary": "groups of two levels: leaf routers with nodes, spine routers with global links",
        "source": "Flajslik, Borch, Parker 2018; dragonfly+: Shpiner et al. 2017",
        "parameters": [
            positive("groups", None, "groups"),
            positive("leaf_routers_per_group", None, "leaf routers of a group"),
            positive("spine_routers_per_group", None, "spine routers of a group"),
            positive("nodes_per_leaf", None, "nodes of a leaf router"),
            positive("links_per_group_pair", None, "global links of two groups"),
        ],
        "needs": "",
    })
}

fn channel_list() -> Value {
    json!({
        "name": "file",
        "summary": "any network, as a list of its channels",
        "source": "",
        "parameters": [
            file("channels", "list as `odonata topo --edges` writes it: .csv or .parquet"),
        ],
        "needs": "",
    })
}
