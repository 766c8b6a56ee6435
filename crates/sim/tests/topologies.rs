//! What a configuration can say of a topology, and what is said of it in turn.

use std::collections::BTreeMap;

use crate::support::{config, dragonfly, open_loop};
use odonata_sim::{Column, Config, Inputs, SimError, Table, topology};
use serde_json::{Value, json};

/// A configuration with this topology and these keys of `system`.
fn with(topology: &Value, changes: &Value) -> Config {
    let mut system = dragonfly((2, 4, 2, 9), "voq");
    system["topology"] = topology.clone();
    for (key, value) in changes.as_object().into_iter().flatten() {
        system[key] = value.clone();
    }
    let source = open_loop("uniform", 0.1, 512, "exponential");
    config(
        &system,
        "minimal",
        &[source],
        Some((1_000_000, 1_000_000, 0)),
    )
}

fn describe(
    topology_: &Value,
    changes: &Value,
    texts: &[(&str, &str)],
) -> Result<(Value, Table), SimError> {
    let texts: BTreeMap<String, String> = texts
        .iter()
        .map(|&(path, text)| (path.to_owned(), text.to_owned()))
        .collect();
    let inputs = Inputs {
        texts,
        ..Inputs::default()
    };
    topology(&with(topology_, changes), &inputs)
}

fn aries() -> Value {
    json!({
        "kind": "aries", "groups": 3, "rows": 2, "columns": 4, "nodes_per_router": 2,
        "column_links": 3, "global_ports_per_router": 2, "chassis_per_cabinet": 1,
    })
}

/// A table as `odonata topo --edges` writes it.
fn csv(table: &Table) -> String {
    let names: Vec<&str> = table.columns.iter().map(|column| column.0).collect();
    let mut text = names.join(",");
    let rows = match &table.columns[0].1 {
        Column::U64(values) => values.len(),
        _ => unreachable!("the first column counts the channels"),
    };
    for row in 0..rows {
        let cells = table.columns.iter().map(|(_, column)| match column {
            Column::U64(values) => values[row].to_string(),
            Column::F64(values) if values[row].is_nan() => String::new(),
            Column::F64(values) => values[row].to_string(),
            Column::Text(values) => values[row].clone(),
            _ => unreachable!("channel lists have no other columns"),
        });
        let cells: Vec<String> = cells.collect();
        text.push('\n');
        text.push_str(&cells.join(","));
    }
    text
}

#[test]
fn every_family_is_described() {
    let none = json!({});
    let (summary, _) = describe(&aries(), &none, &[]).unwrap();
    assert_eq!(summary["family"], "aries");
    assert_eq!(summary["nodes"], 48);
    assert_eq!(summary["row_channels"], 24 * 3);
    assert_eq!(summary["column_channels"], 24 * 3);
    assert_eq!(summary["local_channels"], 0);
    assert_eq!(
        summary["placement_units"],
        json!({"router": 24, "chassis": 6, "cabinet": 6, "group": 3})
    );
    assert_eq!(summary["layout"]["routers"]["row"][5], 1);
    assert_eq!(summary["layout"]["routers"]["column"][5], 1);

    let megafly = json!({
        "kind": "megafly", "groups": 5, "leaf_routers_per_group": 3,
        "spine_routers_per_group": 2, "nodes_per_leaf": 2, "links_per_group_pair": 2,
    });
    let (summary, _) = describe(&megafly, &none, &[]).unwrap();
    assert_eq!(
        (&summary["family"], &summary["diameter_hops"]),
        (&json!("megafly"), &json!(3))
    );
    assert_eq!(
        summary["links_per_group_pair"],
        json!({"least": 2, "mean": 2.0, "most": 2})
    );
    assert_eq!(
        summary["layout"]["routers"]["level"].as_array().unwrap()[..6],
        [0, 0, 0, 1, 1, 0]
    );

    let slingshot = json!({
        "kind": "dragonfly", "groups": 3, "routers_per_group": 2, "nodes_per_router": 4,
        "global_ports_per_router": 2, "arrangement": "absolute",
    });
    let with = |wiring| json!({"node": {"nics": 2, "wiring": wiring}});
    let units =
        |wiring| describe(&slingshot, &with(wiring), &[]).unwrap().0["placement_units"].clone();
    // Two routers share nodes, or each has its own.
    assert_eq!(units("spread"), json!({"router": 3, "group": 3}));
    assert_eq!(units("together"), json!({"router": 6, "group": 3}));
    let odd = describe(&slingshot, &json!({"node": {"nics": 3}}), &[]).unwrap_err();
    assert_eq!(odd.path, "system.node.nics");
}

#[test]
fn a_written_list_is_the_same_system() {
    let none = json!({});
    let (original, channels) = describe(&aries(), &none, &[]).unwrap();
    let text = csv(&channels);
    let file = json!({"kind": "file", "channels": "theta.csv"});
    let texts = [("theta.csv", text.as_str())];
    // What the list says of the links overrides the configuration.
    let slow = json!({"bandwidth_bytes_per_s": 1, "latency_ps": 1});
    let links = json!({"links": {"host": slow, "local": slow, "global": slow}});
    let (listed, again) = describe(&file, &links, &texts).unwrap();
    assert_eq!(csv(&again), text);
    assert_eq!(listed["family"], "file");
    for key in [
        "nodes",
        "routers",
        "groups",
        "row_channels",
        "bisection_bytes_per_s",
    ] {
        assert_eq!(listed[key], original[key], "{key}");
    }
    let error = describe(&file, &none, &[("theta.cvs", "")]).unwrap_err();
    assert_eq!(error.path, "system.topology.channels");
    assert!(
        error.message.contains("did you mean `theta.cvs`"),
        "{error}"
    );
    let error = describe(&file, &none, &[("theta.csv", "kind\n")]).unwrap_err();
    assert!(
        error.message.contains("`source_node` is missing"),
        "{error}"
    );
}

/// A dump of two groups of one row of two routers with two nodes each.
const DUMP: &str = "\
c0-0c0s0a0l00(0:0:0) green -> c0-0c0s1a0l00(0:0:1)
c0-0c0s1a0l00(0:0:1) green -> c0-0c0s0a0l00(0:0:0)
c1-0c0s0a0l00(1:0:0) green -> c1-0c0s1a0l00(1:0:1)
c1-0c0s1a0l00(1:0:1) green -> c1-0c0s0a0l00(1:0:0)
c0-0c0s0a0l01(0:0:0) blue -> c1-0c0s0a0l01(1:0:0)
c1-0c0s0a0l01(1:0:0) blue -> c0-0c0s0a0l01(0:0:0)
c0-0c0s1a0l01(0:0:1) blue -> unused
c1-0c0s1a0l01(1:0:1) blue -> unused
c0-0c0s0a0l50(0:0:0) ptile -> processor
c0-0c0s0a0l51(0:0:0) ptile -> processor
c0-0c0s1a0l50(0:0:1) ptile -> processor
c0-0c0s1a0l51(0:0:1) ptile -> processor
c1-0c0s0a0l50(1:0:0) ptile -> processor
c1-0c0s0a0l51(1:0:0) ptile -> processor
c1-0c0s1a0l50(1:0:1) ptile -> processor
c1-0c0s1a0l51(1:0:1) ptile -> processor
";

#[test]
fn a_dump_is_rebuilt() {
    let choice = json!({"kind": "aries-interconnect", "interconnect": "m.xz"});
    let texts = [("m.xz", DUMP)];
    let (summary, _) = describe(&choice, &json!({}), &texts).unwrap();
    assert_eq!(
        (&summary["nodes"], &summary["routers"]),
        (&json!(4), &json!(4))
    );
    assert_eq!(summary["interconnect"]["unused_global_tiles"], 2);
    let notes = &summary["interconnect"]["notes"];
    assert_eq!(
        notes,
        &json!(["2 routers with fewer than 1 global channels"])
    );
    let mut wrong = choice;
    wrong["chassis_per_cabinet"] = json!(3);
    let error = describe(&wrong, &json!({}), &texts).unwrap_err();
    assert_eq!(error.path, "system.topology.chassis_per_cabinet");
}

#[test]
fn links_fail_by_name_and_by_chance() {
    let whole = json!({
        "kind": "dragonfly", "groups": 5, "routers_per_group": 4, "nodes_per_router": 2,
        "global_ports_per_router": 2, "arrangement": "absolute",
    });
    let failed = |failures: Value| describe(&whole, &json!({"failures": failures}), &[]);
    let (summary, _) = failed(json!({"links": [[0, 1], [1, 0]], "fraction": 0.1})).unwrap();
    assert_eq!(summary["local_channels"], 5 * 12 - 2);
    assert_eq!(summary["global_channels"], 40 - 4);
    assert_eq!(summary["links_per_group_pair"]["most"], 2);
    for (failures, path, part) in [
        (json!({"links": [[0, 9]]}), "system.failures", "joined to"),
        (
            json!({"fraction": 0.1, "kinds": ["row"]}),
            "system.failures.kinds[0]",
            "local, global",
        ),
        (
            json!({"fraction": 1.0, "kinds": ["local", "global"]}),
            "system.failures",
            "no path",
        ),
    ] {
        let error = failed(failures).unwrap_err();
        assert_eq!(error.path, path);
        assert!(error.message.contains(part), "{error}");
    }
}
