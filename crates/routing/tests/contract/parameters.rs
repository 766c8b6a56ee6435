//! Names and values of the registry, and what is said about wrong ones.

use std::collections::BTreeSet;

use odonata_routing::registry::describe;
use odonata_routing::{ENTRIES, Ordered, RoutingError, Weights, build_mode, entry};
use serde_json::{Map, Value, json};

#[track_caller]
fn refusal(name: &str, parameters: &Value) -> String {
    build_mode(name, parameters.as_object().unwrap())
        .unwrap_err()
        .to_string()
}

#[test]
fn every_entry_is_found_with_its_defaults() {
    let names: BTreeSet<_> = ENTRIES.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), ENTRIES.len(), "names differ");
    for wanted in ENTRIES {
        assert_eq!(entry(wanted.name).unwrap().algorithm, wanted.algorithm);
        assert_eq!(build_mode(wanted.name, &Map::new()), Ok(wanted.mode()));
        assert!(!wanted.summary.is_empty() && !wanted.source.is_empty());
    }
}

#[test]
fn unknown_names_list_the_valid_ones() {
    let names: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
    for name in &names {
        // With one letter more no other name is as near.
        let near = format!("{name}x");
        let expected = format!(
            "no routing is called `{near}` (did you mean `{name}`?); valid: {}",
            names.join(", ")
        );
        assert_eq!(refusal(&near, &json!({})), expected);
    }
    let far = refusal("deterministic", &json!({}));
    assert!(
        far.starts_with("no routing is called `deterministic`; valid: minimal, "),
        "{far}"
    );
    assert!(matches!(
        entry("Minimal"),
        Err(RoutingError::Unknown { .. })
    ));
}

#[test]
fn unknown_parameters_list_the_valid_ones() {
    for wanted in ENTRIES {
        let name = wanted.name;
        let valid = if wanted.parameters.is_empty() {
            "none".to_owned()
        } else {
            wanted.parameters.join(", ")
        };
        assert_eq!(
            refusal(name, &json!({"wormhole": 3})),
            format!("routing `{name}` has no parameter `wormhole`; valid: {valid}")
        );
    }
    let near = refusal("ugal-group", &json!({"biass": 3}));
    let expected = "routing `ugal-group` has no parameter `biass` (did you mean `bias`?); valid: ";
    assert!(near.starts_with(expected), "{near}");
    assert_eq!(
        refusal("valiant-node", &json!({"bias": 3})),
        "routing `valiant-node` has no parameter `bias`; valid: none"
    );
}

#[test]
fn bad_values_are_quoted_with_what_is_expected() {
    let scale = "a whole number, at least 0 and at most 1000";
    let candidates = "a whole number, at least 1 and at most 8";
    let flits = "a whole number of flits, at least -1073741824 and at most 1073741824";
    let estimates = "one of queued, in-use, both, backlog";
    for (parameter, value, expected) in [
        ("scale", json!(-1), scale),
        ("scale", json!(1001), scale),
        ("scale", json!(1.5), scale),
        ("scale", json!("2"), scale),
        ("scale", json!(u64::MAX), scale),
        ("bias", json!((1 << 30) + 1), flits),
        ("bias", json!(-(1 << 30) - 1), flits),
        ("bias", json!(i64::MIN), flits),
        ("bias", json!(u64::MAX), flits),
        ("bias", json!(0.5), flits),
        ("bias", json!(null), flits),
        (
            "estimate",
            json!("in_use"),
            "one of queued, in-use, both, backlog (did you mean `in-use`?)",
        ),
        ("estimate", json!(1), estimates),
        ("minimal_candidates", json!(0), candidates),
        ("minimal_candidates", json!(9), candidates),
        ("minimal_candidates", json!(257), candidates),
        ("nonminimal_candidates", json!(0), candidates),
        ("nonminimal_candidates", json!([2]), candidates),
    ] {
        let message = refusal("par", &json!({parameter: value}));
        assert_eq!(
            message,
            format!("routing parameter `{parameter}` must be {expected}, not {value}")
        );
    }
}

#[test]
fn the_ends_of_all_ranges_are_accepted() {
    for (scale, bias, candidates) in [(0, -(1 << 30), 1), (1000, 1 << 30, 8)] {
        let parameters = json!({
            "scale": scale,
            "bias": bias,
            "minimal_candidates": candidates,
            "nonminimal_candidates": candidates,
        });
        let mode = build_mode("ugal-node", parameters.as_object().unwrap()).unwrap();
        let rule = mode.algorithm.rule().unwrap();
        assert_eq!((rule.scale, rule.bias), (scale, bias));
        let both = (rule.minimal_candidates, rule.nonminimal_candidates);
        assert_eq!(both, (candidates, candidates));
    }
}

/// Hops take the place of `scale`, which must not be given in vain.
#[test]
fn a_scale_beside_hops_is_refused() {
    let by_hops = json!({"weights": "hops", "bias": 3});
    let mode = build_mode("ugal-node", by_hops.as_object().unwrap()).unwrap();
    let rule = mode.algorithm.rule().unwrap();
    assert_eq!((rule.weights, rule.bias), (Weights::Hops, 3));
    for parameters in [
        json!({"weights": "hops", "scale": 3}),
        json!({"scale": 3, "weights": "hops"}),
    ] {
        assert_eq!(
            refusal("ugal-node", &parameters),
            "routing parameter `scale` must be left out with `weights = \"hops\"`, which take its \
             place, not 3"
        );
    }
    // What a listing of all values repeats is not a contradiction.
    let repeated = json!({"weights": "hops", "scale": 2});
    assert!(build_mode("ugal-node", repeated.as_object().unwrap()).is_ok());
    assert_eq!(
        refusal("ugal-node", &json!({"weights": "hop"})),
        "routing parameter `weights` must be one of scale, hops (did you mean `hops`?), not \"hop\""
    );
}

/// A gap ends periods of ordered packets, and there must be some.
#[test]
fn a_gap_without_order_is_refused() {
    let eager = json!({"ordered": "eager", "flow_gap_ns": 500});
    let mode = build_mode("ugal-group", eager.as_object().unwrap()).unwrap();
    let rule = mode.algorithm.rule().unwrap();
    assert_eq!((rule.ordered, rule.flow_gap_ns), (Ordered::Eager, 500));
    for parameters in [
        json!({"flow_gap_ns": 500}),
        json!({"flow_gap_ns": 500, "ordered": "none"}),
    ] {
        assert_eq!(
            refusal("ugal-group", &parameters),
            "routing parameter `flow_gap_ns` must be left out without `ordered = \"eager\"` or \
             `\"all\"`: only ordered packets have flows, not 500"
        );
    }
    assert_eq!(
        refusal("ugal-group", &json!({"ordered": "eagre"})),
        "routing parameter `ordered` must be one of none, eager, all (did you mean `eager`?), not \
         \"eagre\""
    );
    assert!(
        refusal("q-adaptive", &json!({"ordered": "all"})).contains("has no parameter `ordered`")
    );
}

/// What listings and the schema are made from says what the rules are, and its defaults are
/// accepted values.
#[test]
fn the_description_is_true() {
    let described = describe();
    let described = described.as_array().unwrap();
    assert_eq!(described.len(), ENTRIES.len());
    for (entry, text) in ENTRIES.iter().zip(described) {
        assert_eq!(text["name"], entry.name);
        for key in ["summary", "source", "rule", "deadlock"] {
            assert!(!text[key].as_str().unwrap().is_empty(), "{key}");
        }
        assert_eq!(text["families"], json!(entry.families));
        for family in entry.families.iter().filter(|family| **family != "file") {
            assert!(
                text["virtual_channels"][family].as_u64().unwrap() > 0,
                "{family}"
            );
        }
        let defaults: Map<String, Value> = text["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|parameter| {
                let name = parameter["name"].as_str().unwrap().to_owned();
                (name, parameter["default"].clone())
            })
            .collect();
        assert_eq!(defaults.len(), entry.parameters.len());
        assert_eq!(build_mode(entry.name, &defaults), Ok(entry.mode()));
    }
}

/// A bias in packets counts as many flits as the packets of the system have.
#[test]
fn a_bias_in_packets_becomes_flits() {
    let parameters = json!({"bias": 3, "bias_packets": 2});
    let mode = build_mode("ugal-group", parameters.as_object().unwrap()).unwrap();
    let bias = |flits: u32| {
        let mode = mode.clone().with_packets_of(flits);
        mode.algorithm.rule().unwrap().bias
    };
    assert_eq!([bias(1), bias(4), bias(65)], [5, 11, 133]);
    let twice = mode.clone().with_packets_of(4).with_packets_of(4);
    assert_eq!(twice.algorithm.rule().unwrap().bias, 11);
}

#[test]
fn a_former_name_means_the_same() {
    for (former, today) in [("ugal-g", "ugal-group"), ("ugal-n", "ugal-node")] {
        let mode = build_mode(former, &Map::new()).unwrap();
        assert_eq!(mode, entry(today).unwrap().mode());
    }
}
