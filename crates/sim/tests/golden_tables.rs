//! Digests of every table, for every family, routing and feature: a rebuilt network must show the
//! same numbers in all of them.
//!
//! A golden says that nothing has changed, not that it is right; see `goldens.rs`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::support::golden::{GoldenRow, compare_rows};
use crate::support::{
    Operation, Traces, US, Unattended, config, dragonfly, job, open_loop, ring, theta, trace,
};
use odonata_routing::ENTRIES;
use odonata_sim::config::CounterView;
use odonata_sim::{Config, Inputs, run_alone};
use odonata_workload::trace::op;
use serde_json::{Value, json};

/// Configurations by the names of their rows.
#[derive(Default)]
struct Rows {
    inputs: Inputs,
    rows: Vec<GoldenRow>,
}

impl Rows {
    fn new() -> Self {
        let texts = BTreeMap::from([("graph.csv".to_owned(), graph())]);
        Self {
            inputs: Inputs {
                texts,
                traces: Traces::from([("trace".to_owned(), trace(&program()))]),
                ..Inputs::default()
            },
            rows: Vec::new(),
        }
    }

    fn add(&mut self, name: String, mut config: Config) {
        config.telemetry.packet_sample = 3;
        self.watch(name, config);
    }

    /// As it is, but for the series.
    fn watch(&mut self, name: String, mut config: Config) {
        config.telemetry.series_bin_ps = 300_000;
        self.rows
            .push(match run_alone(&config, &self.inputs, 1, &Unattended) {
                Ok(outcome) => GoldenRow::new(name, &outcome),
                Err(error) => GoldenRow::refused(name, &error.path),
            });
    }

    /// Open-loop traffic on `system`.
    fn traffic(&mut self, name: &str, system: &Value, routing: &str, traffic: Value) {
        self.jobs(name, system, routing, &[traffic]);
    }

    /// Open-loop traffic of several jobs on `system`.
    fn jobs(&mut self, name: &str, system: &Value, routing: &str, jobs: &[Value]) {
        let measure = Some((US, 2 * US, 2 * US));
        self.add(name.to_owned(), config(system, routing, jobs, measure));
    }
}

/// `system` with other values at some JSON pointers.
fn with(mut system: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
        let Some(entry) = system.pointer_mut(parent) else {
            unreachable!("a system has `{parent}`");
        };
        entry[key] = value.clone();
    }
    system
}

fn small(architecture: &str) -> Value {
    dragonfly((2, 4, 2, 9), architecture)
}

fn on(topology: Value, architecture: &str) -> Value {
    with(small(architecture), &[("/topology", topology)])
}

fn aries() -> Value {
    json!({
        "kind": "aries", "groups": 4, "rows": 3, "columns": 4, "nodes_per_router": 2,
        "column_links": 2, "global_ports_per_router": 2, "chassis_per_cabinet": 3,
    })
}

fn megafly() -> Value {
    json!({
        "kind": "megafly", "groups": 5, "leaf_routers_per_group": 4,
        "spine_routers_per_group": 4, "nodes_per_leaf": 3, "links_per_group_pair": 3,
    })
}

/// Three groups of five routers, the last of them without nodes; rings with a chord, parallel
/// local and global links.
fn graph() -> String {
    let mut text = "kind,source_node,source_router,target_node,target_router,source_group,\
                    target_group\n"
        .to_owned();
    let group = |router: u32| router / 5;
    let hosts = (0..15_u32).filter(|router| router % 5 < 4);
    for (node, router) in (0..).zip(hosts.flat_map(|router| [router; 2])) {
        let of = group(router);
        let _ = writeln!(text, "host,{node},,,{router},{of},{of}");
        let _ = writeln!(text, "host,,{router},{node},,{of},{of}");
    }
    let inside = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 3), (1, 3)];
    let local =
        (0..3).flat_map(|group| inside.map(|(a, b)| ("local", group * 5 + a, group * 5 + b)));
    let global = [(0, 5), (4, 9), (4, 9), (6, 10), (8, 12), (3, 14), (2, 11)];
    let global = global.map(|(a, b)| ("global", a, b));
    for (kind, a, b) in local.chain(global) {
        for (a, b) in [(a, b), (b, a)] {
            let _ = writeln!(text, "{kind},,{a},,{b},{},{}", group(a), group(b));
        }
    }
    text
}

/// The families of the registry, and a damaged system.
fn families(architecture: &str) -> [(&'static str, &'static str, Value); 6] {
    let parallel = dragonfly((2, 4, 2, 5), architecture);
    let failures = json!({"fraction": 0.12, "kinds": ["local", "global"]});
    let file = json!({"kind": "file", "channels": "graph.csv"});
    [
        ("dragonfly", "dragonfly", small(architecture)),
        (
            "damaged",
            "dragonfly",
            with(parallel, &[("/failures", failures)]),
        ),
        ("aries", "aries", on(aries(), architecture)),
        (
            "damaged-aries",
            "aries",
            with(
                on(aries(), architecture),
                &[(
                    "/failures",
                    json!({"fraction": 0.1, "kinds": ["column", "global"]}),
                )],
            ),
        ),
        ("megafly", "megafly", on(megafly(), architecture)),
        ("file", "file", on(file, architecture)),
    ]
}

#[test]
fn every_routing_on_every_family() {
    let mut rows = Rows::new();
    for architecture in ["voq", "cioq"] {
        for (name, family, system) in families(architecture) {
            let fits = |families: &[&str]| families.contains(&family);
            for entry in ENTRIES.iter().filter(|entry| fits(entry.families)) {
                let traffic = open_loop("adversarial", 0.4, 700, "exponential");
                let name = format!("{name} {architecture} {}", entry.name);
                rows.traffic(&name, &system, entry.name, traffic);
            }
        }
    }
    compare_rows(
        "routings.txt",
        include_str!("goldens/routings.txt"),
        &rows.rows,
    );
}

/// Orders of virtual channels, kinds of switching, sizes, rates and latencies.
fn routers(rows: &mut Rows) {
    for architecture in ["voq", "cioq"] {
        for arbitration in ["round-robin", "oldest-first", "highest-vc", "lowest-vc"] {
            for switching in ["cut-through", "store-and-forward"] {
                let changes = [
                    ("/router/arbitration", json!(arbitration)),
                    ("/router/switching", json!(switching)),
                    ("/router/input_buffer_bytes", json!(2_048)),
                    ("/router/output_buffer_bytes", json!(1_024)),
                ];
                let system = with(small(architecture), &changes);
                let traffic = open_loop("adversarial", 0.5, 900, "bernoulli");
                let name = format!("{architecture} {arbitration} {switching}");
                rows.traffic(&name, &system, "par", traffic);
            }
        }
        let link = |rate: u64, ps: u64| json!({"bandwidth_bytes_per_s": rate, "latency_ps": ps});
        let uneven = [
            ("/links/host", link(12_345_678_901, 7_777)),
            ("/links/local", link(50_000_000_000, 3_000)),
            ("/links/global", link(20_000_000_000, 123_457)),
            ("/packet/header_bytes", json!(24)),
            ("/packet/size_bytes", json!(500)),
            ("/packet/flit_bytes", json!(96)),
            ("/router/host_buffer_bytes", json!(4_000)),
            ("/router/global_buffer_bytes", json!(30_000)),
            ("/router/speedup", json!(1)),
            ("/nic/buffer_packets", json!(2)),
        ];
        let system = with(small(architecture), &uneven);
        let name = format!("{architecture} uneven links");
        rows.traffic(
            &name,
            &system,
            "ugal-node",
            open_loop("uniform", 0.8, 3_000, "fixed"),
        );
        let short = [
            ("/links/local/latency_ps", json!(1_000)),
            ("/links/host/latency_ps", json!(1_000)),
            ("/router/latency_ps", json!(0)),
            ("/router/credit_delay_ps", json!(0)),
        ];
        let system = with(small(architecture), &short);
        let name = format!("{architecture} short links");
        rows.traffic(
            &name,
            &system,
            "ugal-group",
            open_loop("uniform", 0.7, 512, "exponential"),
        );
        let delivery = if architecture == "voq" {
            "head"
        } else {
            "tail"
        };
        let changes = [
            ("/packet/delivery", json!(delivery)),
            ("/router/virtual_channels", json!(7)),
        ];
        let system = with(small(architecture), &changes);
        let name = format!("{architecture} delivery at the {delivery}");
        rows.traffic(
            &name,
            &system,
            "valiant-group",
            open_loop("tornado", 0.3, 512, "fixed"),
        );
    }
}

/// Rules of CODES: slots reserved behind a channel, all of a packet before it moves on.
fn codes(rows: &mut Rows) {
    let rules = |arbitration: &str, credits: &str| {
        [
            ("/router/switching", json!("store-and-forward")),
            ("/router/arbitration", json!(arbitration)),
            ("/router/credit_return", json!(credits)),
        ]
    };
    for (arbitration, credits) in [
        ("lowest-vc", "departure"),
        ("lowest-vc", "reservation"),
        ("highest-vc", "reservation"),
        ("round-robin", "reservation"),
    ] {
        for (family, topology) in [("megafly", Some(megafly())), ("dragonfly", None)] {
            let system = topology.map_or_else(|| small("voq"), |topology| on(topology, "voq"));
            let system = with(system, &rules(arbitration, credits));
            let name = format!("codes {family} {arbitration} {credits}");
            let traffic = open_loop("uniform", 0.8, 2_048, "exponential");
            rows.traffic(&name, &system, "codes-par", traffic);
        }
    }
    let theta = with(theta(), &[("/topology", aries())]);
    for routing in ["codes-adaptive", "codes-par", "minimal"] {
        let traffic = open_loop("uniform", 0.2, 4_096, "exponential");
        rows.traffic(&format!("codes theta {routing}"), &theta, routing, traffic);
    }
    let one_ns = [
        ("/router/credit_delay_ps", json!(300)),
        ("/links/local/latency_ps", json!(1_000)),
        ("/links/host/latency_ps", json!(1_000)),
    ];
    let system = with(
        with(small("voq"), &rules("lowest-vc", "reservation")),
        &one_ns,
    );
    let traffic = open_loop("uniform", 0.6, 1_024, "exponential");
    rows.traffic(
        "codes dragonfly fast credits",
        &system,
        "codes-par",
        traffic,
    );
}

/// Requests and responses, and what may be outstanding.
fn responses(rows: &mut Rows) {
    for architecture in ["voq", "cioq"] {
        for (outstanding, load) in [(0, 0.3), (4, 0.6), (64, 0.5)] {
            let changes = [
                ("/nic/response_bytes", json!(128)),
                ("/nic/outstanding", json!(outstanding)),
            ];
            let system = with(small(architecture), &changes);
            let name = format!("{architecture} responses, {outstanding} outstanding");
            let traffic = open_loop("uniform", load, 700, "exponential");
            rows.traffic(&name, &system, "ugal-group", traffic);
        }
    }
    let changes = [
        ("/nic/response_bytes", json!(16)),
        ("/nic/outstanding", json!(30)),
        ("/packet/size_bytes", json!(64)),
        ("/packet/flit_bytes", json!(16)),
        ("/router/input_buffer_bytes", json!(2_048)),
    ];
    let system = with(on(aries(), "voq"), &changes);
    for entry in ENTRIES
        .iter()
        .filter(|entry| entry.families.contains(&"aries"))
    {
        let name = format!("aries responses {}", entry.name);
        let traffic = open_loop("uniform", 0.2, 64, "exponential");
        rows.traffic(&name, &system, entry.name, traffic);
    }
}

/// Two jobs of open-loop traffic on every other node each.
fn halves(loads: [f64; 2]) -> [Value; 2] {
    [0, 1].map(|parity| {
        let nodes: Vec<u32> = (0..72).skip(parity).step_by(2).collect();
        let pattern = ["uniform", "adversarial"][parity];
        let mut job = open_loop(pattern, loads[parity], 600, "exponential");
        job["name"] = json!(["even", "odd"][parity]);
        job["workload"]["ranks"] = json!(nodes.len());
        job["placement"] = json!({"kind": "list", "nodes": nodes});
        job
    })
}

fn qos(monitor: &str) -> Value {
    json!({
        "window_ps": 400_000, "monitor": monitor,
        "classes": [
            {"name": "high", "cap_ppm": 100_000},
            {"name": "middle", "cap_ppm": 300_000},
            {"name": "low", "cap_ppm": 500_000},
        ],
    })
}

fn classes(rows: &mut Rows) {
    for architecture in ["voq", "cioq"] {
        for monitor in ["static", "sliding", "token-bucket"] {
            for response in [0, 64] {
                let changes = [
                    ("/qos", qos(monitor)),
                    ("/nic/response_bytes", json!(response)),
                ];
                let system = with(small(architecture), &changes);
                let mut jobs = halves([0.7, 0.7]);
                jobs[0]["class"] = json!("high");
                jobs[1]["class"] = json!("low");
                let name = format!("{architecture} classes {monitor}, responses of {response}");
                rows.jobs(&name, &system, "ugal-node", &jobs);
            }
        }
    }
}

/// Modes side by side, and routings with other parameters.
fn modes(rows: &mut Rows) {
    for (architecture, first, second) in [
        ("voq", "minimal", "par"),
        ("cioq", "q-adaptive", "ugal-group"),
        ("voq", "in-order", "adaptive-1"),
    ] {
        let mut jobs = halves([0.5, 0.3]);
        jobs[1]["routing"] = json!({"algorithm": second});
        let name = format!("{architecture} {first} beside {second}");
        rows.jobs(&name, &small(architecture), first, &jobs);
    }
    for (algorithm, key, value) in [
        ("ugal-group", "minimal_candidates", json!(3)),
        ("ugal-node", "nonminimal_candidates", json!(3)),
        ("par", "estimate", json!("queued")),
        ("par", "estimate", json!("in-use")),
        ("ugal-group", "bias", json!(-4)),
        ("ugal-group", "scale", json!(1)),
        ("booksim-ugal", "bias", json!(2)),
        ("codes-par", "threshold", json!(6)),
        ("q-adaptive", "epsilon", json!(0.2)),
        ("ugal-group", "ordered", json!("all")),
        ("par", "ordered", json!("all")),
    ] {
        // Parallel links, so that candidates differ.
        let system = match algorithm {
            "q-adaptive" => small("voq"),
            _ => dragonfly((2, 4, 3, 5), "voq"),
        };
        let traffic = [open_loop("adversarial", 0.4, 512, "exponential")];
        let mut config = config(&system, algorithm, &traffic, Some((US, 2 * US, 2 * US)));
        let name = format!("{algorithm} {key}={value}");
        config.routing.parameters.insert(key.to_owned(), value);
        rows.add(name, config);
    }
    let traffic = open_loop("adversarial", 0.4, 512, "exponential");
    for architecture in ["voq", "cioq"] {
        let measure = Some((US, 4 * US, 2 * US));
        let traffic = std::slice::from_ref(&traffic);
        let mut config = config(&small(architecture), "q-adaptive", traffic, measure);
        config.telemetry.q_table = true;
        rows.add(format!("{architecture} q-adaptive and its tables"), config);
    }
}

fn patterns(rows: &mut Rows) {
    for (pattern, arrival) in [
        ("uniform", "exponential"),
        ("adversarial", "bernoulli"),
        ("permutation", "fixed"),
        ("tornado", "exponential"),
        ("hotspot", "bernoulli"),
        ("nearest-group", "fixed"),
    ] {
        let name = format!("{pattern} {arrival}");
        let traffic = open_loop(pattern, 0.9, 1_100, arrival);
        rows.traffic(&name, &small("voq"), "minimal", traffic);
    }
}

#[test]
fn every_feature() {
    let mut rows = Rows::new();
    routers(&mut rows);
    codes(&mut rows);
    responses(&mut rows);
    classes(&mut rows);
    modes(&mut rows);
    patterns(&mut rows);
    compare_rows(
        "features.txt",
        include_str!("goldens/features.txt"),
        &rows.rows,
    );
}

/// Rounds of a ring, then every collective.
fn program() -> Vec<Vec<Operation>> {
    let mut ranks = ring(12, 4);
    for operations in &mut ranks {
        for (code, peer) in [
            (op::BARRIER, 0),
            (op::BCAST, 3),
            (op::REDUCE, 5),
            (op::ALLTOALL, 0),
            (op::ALLGATHER, 0),
            (op::GATHER, 1),
            (op::SCATTER, 2),
            (op::REDUCE_SCATTER, 0),
            (op::SCAN, 0),
            (op::ALLREDUCE, 0),
        ] {
            operations.push(Operation {
                code,
                peer,
                bytes: 24_000,
                ..Operation::default()
            });
        }
    }
    ranks
}

/// The four jobs.
fn applications() -> [Value; 4] {
    [
        json!({"kind": "halo3d", "ranks": 27, "face": 12_000, "iterations": 2, "compute": US,
               "overlap": false}),
        json!({"kind": "fft3d", "ranks": 16, "nx": 32, "ny": 32, "nz": 32, "iterations": 1}),
        json!({"kind": "milc", "ranks": 16, "message": 6_000, "iterations": 2}),
        json!({"kind": "trace", "path": "trace"}),
    ]
}

#[test]
fn every_kind_of_job() {
    let mut rows = Rows::new();
    let kind = |workload: &Value| workload["kind"].as_str().unwrap_or_default().to_owned();
    for workload in applications() {
        for (architecture, routing) in [
            ("voq", "ugal-group"),
            ("cioq", "par"),
            ("voq", "q-adaptive"),
        ] {
            let name = format!("{} {architecture} {routing}", kind(&workload));
            let jobs = [job("job", "random-node", workload.clone())];
            rows.add(name, config(&small(architecture), routing, &jobs, None));
        }
        let changes = [
            ("/qos", qos("sliding")),
            ("/nic/response_bytes", json!(32)),
            ("/nic/outstanding", json!(16)),
        ];
        let mut job = job("job", "random-node", workload.clone());
        job["class"] = json!("low");
        job["collective_class"] = json!("high");
        job["small_class"] = json!({"class": "middle", "below_bytes": 4_000});
        let mut beside = open_loop("uniform", 0.3, 512, "exponential");
        beside["role"] = json!("background");
        beside["class"] = json!("low");
        beside["routing"] = json!({"algorithm": "adaptive-1"});
        let system = with(small("cioq"), &changes);
        let config = config(&system, "adaptive-3", &[job, beside], None);
        rows.add(
            format!("{} in classes beside traffic", kind(&workload)),
            config,
        );
    }
    let jobs =
        applications().map(|workload| job(&kind(&workload), "random-router", workload.clone()));
    for mpi in ["firefly-kang2022", "codes", "ideal"] {
        let system = with(on(aries(), "cioq"), &[("/mpi/preset", json!(mpi))]);
        rows.add(
            format!("all, {mpi}"),
            config(&system, "codes-adaptive", &jobs, None),
        );
    }
    let mut shared = applications().map(|workload| job("job", "random-node", workload));
    for queues in [1, 5] {
        let system = with(small("cioq"), &[("/nic/queues", json!(queues))]);
        for job in &mut shared[..3] {
            job["ranks_per_node"] = json!(3);
            let name = format!("{}, 3 to a node, {queues} queues", kind(&job["workload"]));
            rows.add(
                name,
                config(&system, "par", std::slice::from_ref(job), None),
            );
        }
    }
    for stripe in [None, Some(8_000)] {
        let node = json!({"nics": 2, "stripe_bytes": stripe});
        let changes = [("/node", node), ("/nic/queues", json!(3))];
        let system = with(small("cioq"), &changes);
        for job in &mut shared[..2] {
            job["share_nodes"] = json!(true);
        }
        shared[0]["name"] = json!("first");
        let name = format!("two jobs on the same nodes, 2 NICs, stripe {stripe:?}");
        rows.add(name, config(&system, "par", &shared[..2], None));
    }
    let mut limited = config(&small("voq"), "minimal", &jobs[..2], None);
    limited.stop.time_ps = 5 * US;
    rows.add("stopped early".to_owned(), limited);
    own_queue_of_gets(&mut rows);
    compare_rows("jobs.txt", include_str!("goldens/jobs.txt"), &rows.rows);
}

/// Get requests that do not wait behind the data of other messages.
fn own_queue_of_gets(rows: &mut Rows) {
    let halo = json!({
        "kind": "halo3d", "ranks": 27, "face": 60_000, "iterations": 2, "compute": 0,
    });
    for (architecture, queues, per_node) in [
        ("cioq", 1, 1),
        ("voq", 3, 1),
        ("cioq", 1, 2),
        ("cioq", 3, 2),
    ] {
        let changes = [
            ("/nic/get_behind", json!(40)),
            ("/nic/queues", json!(queues)),
        ];
        let mut job = job("job", "random-node", halo.clone());
        job["ranks_per_node"] = json!(per_node);
        let name =
            format!("own queue of gets, {architecture}, {queues} queues, {per_node} to a node");
        let system = with(small(architecture), &changes);
        rows.add(name, config(&system, "par", &[job], None));
    }
}

/// Two victims beside uniform traffic, each in a class of its own if there are classes.
fn disturbed(system: &Value, routing: &str, classes: bool) -> Config {
    let [halo, fft, ..] = applications();
    let mut jobs = [
        job("halo", "random-node", halo),
        job("fft", "random-node", fft),
        open_loop("uniform", 0.6, 600, "exponential"),
    ];
    jobs[2]["role"] = json!("background");
    if !classes {
        return config(system, routing, &jobs, None);
    }
    for (job, class) in jobs.iter_mut().zip(["high", "middle", "low"]) {
        job["class"] = json!(class);
    }
    config(
        &with(system.clone(), &[("/qos", qos("sliding"))]),
        routing,
        &jobs,
        None,
    )
}

/// What is written down only on request, alone and together.
#[test]
fn everything_that_is_observed() {
    let mut rows = Rows::new();
    let all = |config: &mut Config| {
        let telemetry = &mut config.telemetry;
        telemetry.blame = true;
        telemetry.counters = true;
        telemetry.counter_interval_ps = Some(20 * US);
        telemetry.link_series = true;
        telemetry.message_sample = 2;
    };
    for architecture in ["voq", "cioq"] {
        for (classes, routing) in [(false, "par"), (true, "ugal-group")] {
            let config = disturbed(&small(architecture), routing, classes);
            let name = |what: &str| {
                let classes = if classes { ", classes" } else { "" };
                format!("{what}, {architecture}{classes}")
            };
            let mut blamed = config.clone();
            blamed.telemetry.blame = true;
            rows.watch(name("blame"), blamed);
            let mut counted = config.clone();
            counted.telemetry.counters = true;
            counted.telemetry.counter_view = CounterView::User;
            rows.watch(name("counters of users"), counted);
            let mut shown = config.clone();
            shown.telemetry.link_series = true;
            rows.watch(name("links over time"), shown);
            let mut everything = config;
            all(&mut everything);
            rows.watch(name("everything"), everything);
        }
    }
    let answers = [
        ("/nic/response_bytes", json!(16)),
        ("/nic/outstanding", json!(40)),
    ];
    let system = with(on(aries(), "voq"), &answers);
    let mut steered = disturbed(&system, "adaptive-0", false);
    all(&mut steered);
    rows.watch("everything, aries".to_owned(), steered);
    let mut jobs = [job("halo", "random-node", applications()[0].clone())];
    jobs[0]["policy"] = json!({"kind": "application-aware", "extensions": []});
    let mut steered = config(&system, "adaptive-0", &jobs, None);
    all(&mut steered);
    rows.watch("everything, aries, a policy".to_owned(), steered);
    compare_rows(
        "observed.txt",
        include_str!("goldens/observed.txt"),
        &rows.rows,
    );
}
