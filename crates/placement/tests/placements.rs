//! Every placement and every mapping: the contract of the family, orders by hand, every error.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use odonata_placement::{
    FreeNodes, KindNodes, Kinds, RankCount, Surroundings, Unit, free_for, mappings, place,
    place_shared, registry,
};
use odonata_units::{NodeId, Purpose, Stream};
use proptest::prelude::{ProptestConfig, proptest};
use serde_json::{Value, json};

/// Routers of 4, chassis of 8, cabinets of 16, groups of 32, of `total` nodes.
fn units(total: u32) -> Vec<Unit> {
    let every = |name, size: usize| Unit {
        name,
        starts: (0..total).step_by(size).collect(),
    };
    vec![
        every("router", 4),
        every("chassis", 8),
        every("cabinet", 16),
        every("group", 32),
    ]
}

fn stream(seed: u64) -> Stream {
    Stream::new(seed, Purpose::Placement, 3)
}

fn run(spec: &Value, ranks: u32, free: &mut FreeNodes, seed: u64) -> Result<Vec<u32>, String> {
    let units = units(free.node_count());
    let surroundings = Surroundings {
        units: &units,
        kinds: Kinds::default(),
        job: 1,
        stream: stream(seed),
    };
    let nodes = place(spec.as_object().unwrap(), ranks, free, &surroundings);
    let ids = nodes.map(|nodes| nodes.iter().map(|node| node.0).collect());
    ids.map_err(|error| error.to_string())
}

/// On an empty system of 64 nodes.
fn fresh(spec: &Value, ranks: u32, seed: u64) -> Vec<u32> {
    run(spec, ranks, &mut FreeNodes::all(64), seed).unwrap()
}

fn kinds() -> Vec<String> {
    let registry = registry();
    let entries = registry.as_array().unwrap().iter();
    let names = entries.map(|entry| entry["name"].as_str().unwrap().to_owned());
    names.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The contract of the family: distinct free nodes, one per rank, the rest still free; the
    /// same again from the same seed; a mapping changes the order alone.
    #[test]
    fn every_placement_partitions_the_free_nodes(total in 1_u32..200, seed in 0_u64..1000) {
        for kind in kinds() {
            let mut free = FreeNodes::all(total);
            let mut used = Vec::new();
            for ranks in [total / 3, total / 5, total - total / 3 - total / 5] {
                let before = free.clone();
                let list: Vec<u32> =
                    before.nodes().iter().rev().take(ranks as usize).map(|n| n.0).collect();
                let spec = match kind.as_str() {
                    "list" => json!({ "kind": "list", "nodes": list }),
                    "geometric" => json!({ "kind": "geometric", "mean_length": 5 }),
                    name => json!({ "kind": name }),
                };
                let nodes = run(&spec, ranks, &mut free, seed).unwrap();
                assert_eq!(nodes.len(), ranks as usize);
                assert!(nodes.iter().all(|&node| before.contains(NodeId(node))));
                assert!(nodes.iter().all(|&node| !free.contains(NodeId(node))));
                assert_eq!(free.count() + ranks, before.count());
                assert_eq!(nodes, run(&spec, ranks, &mut before.clone(), seed).unwrap());
                let mut shuffled = spec.clone();
                shuffled["mapping"] = json!("shuffled");
                let mut other = run(&shuffled, ranks, &mut before.clone(), seed).unwrap();
                let mut sorted = nodes.clone();
                other.sort_unstable();
                sorted.sort_unstable();
                assert_eq!(other, sorted, "{kind}");
                used.extend(nodes);
            }
            used.sort_unstable();
            assert_eq!(used, (0..total).collect::<Vec<_>>());
        }
    }
}

#[test]
fn random_units_are_whole_and_in_random_order() {
    for (kind, size) in [
        ("router", 4),
        ("chassis", 8),
        ("cabinet", 16),
        ("group", 32),
    ] {
        let spec = json!({ "kind": format!("random-{kind}") });
        let nodes = fresh(&spec, 64, 9);
        for part in nodes.chunks(size) {
            assert_eq!(part[0] % u32::try_from(size).unwrap(), 0, "{kind}");
            assert!(part.windows(2).all(|pair| pair[1] == pair[0] + 1), "{kind}");
        }
        let orders: std::collections::BTreeSet<_> =
            (0..20).map(|seed| fresh(&spec, 64, seed)).collect();
        assert!(orders.len() > 1, "{kind}: seeds draw different orders");
    }
}

#[test]
fn another_job_takes_nodes_away_and_changes_no_order() {
    let spec = json!({ "kind": "random-router" });
    let alone = fresh(&spec, 64, 4);
    let mut free = FreeNodes::all(64);
    let first = run(
        &json!({ "kind": "list", "nodes": [1, 2, 30, 60, 61, 62, 63] }),
        7,
        &mut free,
        4,
    );
    let first = first.unwrap();
    let beside = run(&spec, 57, &mut free, 4).unwrap();
    let left: Vec<u32> = alone
        .into_iter()
        .filter(|node| !first.contains(node))
        .collect();
    assert_eq!(beside, left);
}

#[test]
fn random_nodes_keep_the_nics_of_a_node_together() {
    let units = [Unit {
        name: "node",
        starts: (0..32).step_by(4).collect(),
    }];
    let surroundings = Surroundings {
        units: &units,
        kinds: Kinds::default(),
        job: 0,
        stream: stream(2),
    };
    let spec = json!({ "kind": "random-node" });
    let mut free = FreeNodes::all(32);
    let nodes = place(spec.as_object().unwrap(), 16, &mut free, &surroundings).unwrap();
    for node in nodes.chunks(4) {
        assert_eq!(node[0].0 % 4, 0);
        assert!(node.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1));
    }
}

#[test]
fn random_nodes_are_uniform() {
    // Chi-square with 9 degrees of freedom: 27.9 is exceeded once in a thousand seeds.
    let mut counts = [0_u32; 10];
    for seed in 0..10_000 {
        let mut free = FreeNodes::all(10);
        let nodes = run(&json!({ "kind": "random-node" }), 3, &mut free, seed).unwrap();
        counts[nodes[2] as usize] += 1;
    }
    let chi: f64 = counts
        .iter()
        .map(|&c| (f64::from(c) - 1_000.0).powi(2) / 1_000.0)
        .sum();
    assert!(chi < 27.9, "{chi}");
}

#[test]
fn stripes_go_round_and_pass_full_units() {
    let stripes = |unit: &str| json!({ "kind": "striped", "unit": unit });
    assert_eq!(
        fresh(&json!({ "kind": "striped" }), 5, 0),
        [0, 32, 1, 33, 2]
    );
    assert_eq!(fresh(&stripes("cabinet"), 6, 0), [0, 16, 32, 48, 1, 17]);
    let mut free = FreeNodes::all(64);
    run(&json!({ "kind": "contiguous" }), 30, &mut free, 0).unwrap();
    let spec = json!({ "kind": "striped" });
    assert_eq!(
        run(&spec, 6, &mut free, 0).unwrap(),
        [30, 32, 31, 33, 34, 35]
    );
}

#[test]
fn clusters_are_consecutive() {
    let spec = |mean: u32| json!({ "kind": "geometric", "mean_length": mean });
    let breaks = |mean, seed| {
        let nodes = run(&spec(mean), 2_000, &mut FreeNodes::all(8_000), seed).unwrap();
        nodes
            .windows(2)
            .filter(|pair| pair[1] != pair[0] + 1)
            .count()
            + 1
    };
    // 2,000 nodes in clusters of mean 20: 100 clusters, standard deviation 10.
    let clusters: usize = (0..10).map(|seed| breaks(20, seed)).sum();
    assert!((840..1_160).contains(&clusters), "{clusters}");
    assert!(breaks(1, 0) > 1_900);
    assert!(
        breaks(1_000_000, 0) <= 2,
        "one cluster, perhaps around the end"
    );
}

#[test]
fn allocation_files_have_a_line_per_job() {
    let text = "0 1 2\n9 8 7 6\n 5  4\t3 \n\n";
    let file = |line: Option<u32>| match line {
        Some(line) => json!({ "kind": "list", "file": "a.conf", "text": text, "line": line }),
        None => json!({ "kind": "list", "file": "a.conf", "text": text }),
    };
    // The job is number 1.
    assert_eq!(fresh(&file(None), 4, 0), [9, 8, 7, 6]);
    assert_eq!(fresh(&file(None), 2, 0), [9, 8]);
    assert_eq!(fresh(&file(Some(2)), 3, 0), [5, 4, 3]);
}

#[test]
fn allocation_files_may_list_nodes_as_batch_systems_do() {
    let file = |text: &str| json!({ "kind": "list", "file": "a.conf", "text": text, "line": 0 });
    let chosen = |text: &str, ranks| fresh(&file(text), ranks, 0);
    assert_eq!(chosen("nid[00000-00002,00005]", 4), [0, 1, 2, 5]);
    assert_eq!(
        chosen("nid00012,nid[00007,00009-00010] 3", 5),
        [12, 7, 9, 10, 3]
    );
    assert_eq!(chosen("node-4 0-2,6", 5), [4, 0, 1, 2, 6]);
    let mut free = FreeNodes::all(64);
    for text in [
        "x1000c0s0b0n0",
        "nid[1",
        "nid[]",
        "3-1",
        "0-64",
        "-1",
        "nid",
        "4|a|nid[1-2]",
    ] {
        let entry = format!("`{text}` as entry 1 ");
        refused(
            &file(&format!("7 {text}")),
            1,
            &mut free,
            &[&entry, "nid[00000-00003,00005]"],
        );
    }
}

#[test]
fn ids_may_count_some_nodes_of_each_group() {
    let spec = json!({ "kind": "list", "nodes": [0, 29, 30, 31, 59], "per_group": 30 });
    assert_eq!(fresh(&spec, 5, 0), [0, 29, 32, 33, 61]);
    let mut free = FreeNodes::all(64);
    let mut check = |key: &str, value: Value, parts: &[&str]| {
        let mut spec = spec.clone();
        spec[key] = value;
        refused(&spec, 1, &mut free, parts);
    };
    check(
        "per_group",
        json!(0),
        &["`per_group`", "from 1 to the 32 nodes"],
    );
    check(
        "per_group",
        json!(33),
        &["`per_group`", "from 1 to the 32 nodes"],
    );
    check("nodes", json!([60]), &["makes 59 the last node", "node 60"]);
}

/// The allocations of the published MFNetSim runs: 300 of 900 clients each, 30 clients per group.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
#[test]
fn published_allocations_can_be_used() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/data/reference/mfnetsim/conf/alloc"
    );
    for policy in ["cont", "rand_node0"] {
        let mut free = FreeNodes::all(1_056);
        for part in 1..=3 {
            let path = format!("{folder}/{policy}-1d-1056-300p{part}.conf");
            let Ok(text) = std::fs::read_to_string(&path) else {
                eprintln!("skipped: {path} is not there");
                return;
            };
            let spec = json!({ "kind": "list", "file": path, "text": text, "line": 0,
                               "per_group": 30 });
            let nodes = run(&spec, 300, &mut free, 0).unwrap();
            assert!(nodes.iter().all(|node| node % 32 < 30));
            if policy == "cont" {
                let first = (part - 1) * 320;
                assert_eq!(
                    (nodes[0], nodes[30], nodes[299]),
                    (first, first + 32, first + 317)
                );
            }
        }
        assert_eq!(free.count(), 1_056 - 900);
    }
}

#[test]
fn mappings_say_which_rank_runs_on_the_next_node() {
    let mapped = |mapping: Value| json!({ "kind": "contiguous", "mapping": mapping });
    assert_eq!(fresh(&mapped(json!("linear")), 3, 0), [0, 1, 2]);
    // Node 0 runs rank 2, node 1 rank 0, node 2 rank 1.
    assert_eq!(fresh(&mapped(json!([2, 0, 1])), 3, 0), [1, 2, 0]);
    let file = json!({ "file": "order", "text": "2, 0\n1\n" });
    assert_eq!(fresh(&mapped(file), 3, 0), [1, 2, 0]);
    let orders: std::collections::BTreeSet<_> = (0..20)
        .map(|seed| fresh(&mapped(json!("shuffled")), 3, seed))
        .collect();
    assert_eq!(orders.len(), 6, "all orders of three ranks");
    let names: Vec<_> = mappings()
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["name"].clone())
        .collect();
    assert_eq!(names, ["linear", "cyclic", "shuffled"]);
}

/// Asserts that `spec` is refused on `free` with all of `parts`, and takes nothing.
fn refused(spec: &Value, ranks: u32, free: &mut FreeNodes, parts: &[&str]) {
    let before = free.clone();
    let error = run(spec, ranks, free, 7).unwrap_err();
    for part in parts {
        assert!(error.contains(part), "{part:?} in {error:?}");
    }
    assert_eq!(*free, before, "nothing is taken");
}

#[test]
fn errors_name_the_numbers_and_the_remedy() {
    let mut free = FreeNodes::all(4);
    let mut check = |spec: Value, ranks, parts: &[&str]| refused(&spec, ranks, &mut free, parts);
    check(
        json!({"kind": "contiguous"}),
        5,
        &["5 ranks", "4 of", "fewer ranks"],
    );
    check(
        json!({"kind": "contigous"}),
        1,
        &["did you mean `contiguous`?"],
    );
    check(json!({}), 1, &["`kind`", "random-node"]);
    check(
        json!({"kind": "random-node", "sed": 1}),
        1,
        &["`sed`", "random-node"],
    );
    check(
        json!({"kind": "contiguous", "text": ""}),
        1,
        &["`text`", "mapping"],
    );
    check(
        json!({"kind": "geometric", "mean_length": 0}),
        1,
        &["`mean_length`", "at least 1"],
    );
    check(
        json!({"kind": "geometric", "mean_lenght": 2}),
        1,
        &["did you mean `mean_length`?"],
    );
    check(
        json!({"kind": "striped", "unit": 3}),
        1,
        &["`unit`", "one of node, router"],
    );
    check(
        json!({"kind": "striped", "unit": "cabinets"}),
        1,
        &[
            "\"cabinets\"",
            "did you mean `cabinet`?",
            "router, chassis, cabinet, group",
        ],
    );
}

#[test]
fn units_that_a_system_lacks_are_refused() {
    let units = [Unit {
        name: "router",
        starts: vec![0, 4],
    }];
    let surroundings = Surroundings {
        units: &units,
        kinds: Kinds::default(),
        job: 0,
        stream: stream(0),
    };
    let spec = json!({ "kind": "random-cabinet" });
    let error = place(
        spec.as_object().unwrap(),
        2,
        &mut FreeNodes::all(8),
        &surroundings,
    );
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("`random-cabinet` asks for the unit `cabinet`"),
        "{error}"
    );
    assert!(error.contains("its units are router"), "{error}");
}

#[test]
fn bad_lists_and_files_are_refused() {
    let mut free = FreeNodes::all(4);
    let list = |nodes: Value| json!({"kind": "list", "nodes": nodes});
    let file = |text: &str| json!({"kind": "list", "file": "a", "text": text});
    let mut check = |spec: Value, ranks, parts: &[&str]| refused(&spec, ranks, &mut free, parts);
    check(
        json!({"kind": "list"}),
        1,
        &["`nodes`", "missing", "`file`"],
    );
    check(list(json!([0, 9])), 2, &["node 9", "0 to 3"]);
    check(list(json!([0, 0])), 2, &["node 0", "twice"]);
    check(list(json!([0, 1])), 3, &["2 nodes", "3 ranks"]);
    check(list(json!([0, "a"])), 2, &["whole numbers"]);
    check(
        json!({"kind": "list", "nodes": [0], "file": "a"}),
        1,
        &["beside `file`"],
    );
    check(
        json!({"kind": "list", "nodes": [0], "line": 0}),
        1,
        &["`line`", "belongs to `file`"],
    );
    check(
        json!({"kind": "list", "file": "a"}),
        1,
        &["`a`", "not been read", "`text`"],
    );
    check(json!({"kind": "list", "file": 1}), 1, &["path in quotes"]);
    check(file("0 1\n"), 1, &["1 lines", "no line 1", "`line`"]);
    check(file("0 1\n2 x"), 1, &["line 1", "entry 1", "`x`"]);
    check(file("0 1\n2 7"), 2, &["node 7", "0 to 3"]);
    check(file("0 1\n2"), 2, &["1 nodes", "2 ranks"]);
    let mut other = file("0");
    other["line"] = json!(-1);
    check(other, 1, &["`line`", "at least 0"]);
    run(&list(json!([2])), 1, &mut free, 0).unwrap();
    refused(&list(json!([2])), 1, &mut free, &["node 2", "another job"]);
}

#[test]
fn bad_mappings_are_refused() {
    let mut free = FreeNodes::all(4);
    let mut check = |mapping: Value, parts: &[&str]| {
        refused(
            &json!({"kind": "contiguous", "mapping": mapping}),
            3,
            &mut free,
            parts,
        );
    };
    check(
        json!("shufled"),
        &["did you mean `shuffled`?", "linear", "file"],
    );
    check(json!([0, 1]), &["2 ranks", "the job has 3"]);
    check(json!([0, 1, 3]), &["rank 3", "0 to 2"]);
    check(json!([0, 1, 1]), &["rank 1 twice"]);
    check(json!([0, 1, "2"]), &["whole numbers"]);
    check(json!(3), &["list of ranks"]);
    check(json!({ "fil": "a" }), &["did you mean `file`?"]);
    check(json!({ "text": "0 1 2" }), &["without `file`"]);
    check(json!({ "file": "a" }), &["not been read"]);
    check(json!({ "file": "a", "text": "0 1 b" }), &["`b`", "`a`"]);
}

#[test]
fn the_registry_can_be_used_as_it_stands() {
    for entry in registry().as_array().unwrap() {
        let mut spec = json!({ "kind": entry["name"] });
        for parameter in entry["parameters"].as_array().unwrap() {
            if !parameter["default"].is_null() {
                spec[parameter["name"].as_str().unwrap()] = parameter["default"].clone();
            }
        }
        if entry["name"] == "list" {
            spec["nodes"] = json!([5, 3]);
        }
        assert_eq!(fresh(&spec, 2, 0).len(), 2, "{spec}");
    }
}

#[test]
fn several_ranks_share_a_node_as_the_mapping_says() {
    let units = units(64);
    let surroundings = Surroundings {
        units: &units,
        kinds: Kinds::default(),
        job: 1,
        stream: stream(4),
    };
    let placed = |spec: Value, ranks: u32, each: u32| {
        let mut free = FreeNodes::all(64);
        let nodes = place_shared(
            spec.as_object().unwrap(),
            RankCount {
                ranks,
                per_node: each,
            },
            &mut free,
            &surroundings,
        );
        let nodes: Vec<u32> = nodes.unwrap().iter().map(|node| node.0).collect();
        assert_eq!(free.count(), 64 - ranks.div_ceil(each));
        nodes
    };
    let with = |mapping: Value| json!({"kind": "contiguous", "mapping": mapping});
    assert_eq!(
        placed(with(json!("linear")), 8, 3),
        [0, 0, 0, 1, 1, 1, 2, 2]
    );
    assert_eq!(
        placed(with(json!("cyclic")), 8, 3),
        [0, 1, 2, 0, 1, 2, 0, 1]
    );
    assert_eq!(placed(with(json!("cyclic")), 3, 1), [0, 1, 2]);
    assert_eq!(placed(with(json!([3, 0, 2, 1])), 4, 2), [0, 1, 1, 0]);
    let mut shuffled = placed(with(json!("shuffled")), 8, 3);
    assert_ne!(shuffled, [0, 0, 0, 1, 1, 1, 2, 2]);
    shuffled.sort_unstable();
    assert_eq!(shuffled, [0, 0, 0, 1, 1, 1, 2, 2]);
    assert_eq!(
        placed(json!({"kind": "list", "nodes": [9, 5]}), 4, 2),
        [9, 9, 5, 5]
    );
    let mut free = FreeNodes::all(4);
    let spec = with(json!("linear"));
    let refused = place_shared(
        spec.as_object().unwrap(),
        RankCount {
            ranks: 9,
            per_node: 2,
        },
        &mut free,
        &surroundings,
    );
    let words = refused.unwrap_err().to_string();
    assert!(words.contains("9 ranks need 5 nodes, but 4 of"), "{words}");
}

#[test]
fn a_placement_names_a_kind_of_groups_and_a_type_of_nodes() {
    let part = |name: &str, nodes: std::ops::Range<u32>| KindNodes {
        name: name.to_owned(),
        nodes,
    };
    let groups = [part("compute", 0..32), part("mixed", 32..64)];
    let nodes = [part("gpu", 0..40), part("cpu", 40..64)];
    let units = units(64);
    let placed = |spec: &Value, kinds: Kinds<'_>| {
        let surroundings = Surroundings {
            units: &units,
            kinds,
            job: 0,
            stream: stream(0),
        };
        let spec = spec.as_object().unwrap();
        let mut free = FreeNodes::all(64);
        let count = free_for(spec, &free, &kinds).map(|free| free.count());
        let nodes = count.and_then(|count| place(spec, count, &mut free, &surroundings));
        let ids = nodes.map(|nodes| nodes.iter().map(|node| node.0).collect::<Vec<_>>());
        ids.map_err(|error| error.to_string())
    };
    let all = Kinds {
        groups: &groups,
        nodes: &nodes,
    };
    let of = |keys: Value| {
        let mut spec = json!({"kind": "contiguous"});
        let keys = keys.as_object().unwrap().clone();
        spec.as_object_mut().unwrap().extend(keys);
        spec
    };
    let ids = |range: std::ops::Range<u32>| Ok(range.collect::<Vec<_>>());
    assert_eq!(placed(&of(json!({})), all), ids(0..40));
    assert_eq!(placed(&of(json!({"nodes": "cpu"})), all), ids(40..64));
    assert_eq!(placed(&of(json!({"groups": "compute"})), all), ids(0..32));
    let both = |groups: &str, nodes: &str| of(json!({"groups": groups, "nodes": nodes}));
    assert_eq!(placed(&both("mixed", "gpu"), all), ids(32..40));
    assert_eq!(placed(&both("compute", "cpu"), all), ids(0..0));
    let only_groups = Kinds {
        groups: &groups,
        nodes: &[],
    };
    assert_eq!(placed(&of(json!({})), only_groups), ids(0..32));
    for (spec, kinds, words) in [
        (
            of(json!({"nodes": "gpus"})),
            all,
            "which is no type of nodes here (did you mean `gpu`?); use one of gpu, cpu",
        ),
        (
            of(json!({"nodes": "gpu"})),
            only_groups,
            "all nodes of the system are of one type",
        ),
    ] {
        let error = placed(&spec, kinds).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}
