//! Scenarios in a line, and numbers out of their outcomes.

#![allow(dead_code, reason = "no test uses all of it")]

pub(crate) mod golden;

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_sim::{Column, Config, Control, Inputs, Outcome, Table, run_alone};
use odonata_units::Instant;
use odonata_workload::TraceTable;
use odonata_workload::trace::op;
use serde_json::{Value, json};

/// Traces by path.
pub(crate) type Traces = BTreeMap<String, Arc<TraceTable>>;

/// Nobody looks on.
pub(crate) struct Unattended;

impl Control for Unattended {
    fn progress(&self, _: Instant, _: u64, _: f64) {}

    fn interrupted(&self) -> bool {
        false
    }
}

/// Shape of a dragonfly: p, a, h, g.
pub(crate) type Letters = (u32, u32, u32, u32);

/// The 1,056-node system of the peers.
pub(crate) const PEERS: Letters = (4, 8, 4, 33);

fn system(letters: Letters, links: [(u64, u64); 3], router: &Value, packet: &Value) -> Value {
    let (p, a, h, g) = letters;
    let link =
        |(rate, latency): (u64, u64)| json!({"bandwidth_bytes_per_s": rate, "latency_ps": latency});
    json!({
        "topology": {
            "kind": "dragonfly", "groups": g, "routers_per_group": a, "nodes_per_router": p,
            "global_ports_per_router": h, "arrangement": "absolute",
        },
        "links": {"host": link(links[0]), "local": link(links[1]), "global": link(links[2])},
        "router": router,
        "packet": packet,
        "nic": {"buffer_packets": 30},
        "mpi": {"preset": "firefly-kang2022"},
    })
}

fn router(architecture: &str, latency: u64, credit_delay: u64, buffer: u64) -> Value {
    json!({
        "architecture": architecture, "latency_ps": latency, "credit_delay_ps": credit_delay,
        "input_buffer_bytes": buffer, "output_buffer_bytes": buffer, "speedup": 4,
        "arbitration": "round-robin", "switching": "cut-through",
    })
}

fn packet(size: u32, flit: u32, delivery: &str) -> Value {
    json!({"size_bytes": size, "flit_bytes": flit, "header_bytes": 0, "delivery": delivery})
}

/// The preset `dragonfly(p, a, h, g)` with either router.
pub(crate) fn dragonfly(letters: Letters, architecture: &str) -> Value {
    let rate = 25_000_000_000;
    let links = [(rate, 10_000), (rate, 30_000), (rate, 300_000)];
    let delivery = if architecture == "cioq" {
        "head"
    } else {
        "tail"
    };
    let router = router(architecture, 20_000, 20_000, 15_360);
    system(letters, links, &router, &packet(512, 128, delivery))
}

/// The preset `kang2022-1056`.
pub(crate) fn kang2022() -> Value {
    dragonfly(PEERS, "cioq")
}

/// The preset `booksim-1056`: 1 cycle is 1 ns.
pub(crate) fn booksim() -> Value {
    let rate = 8_000_000_000;
    let links = [(rate, 1_000), (rate, 10_000), (rate, 100_000)];
    system(
        PEERS,
        links,
        &router("voq", 2_000, 3_000, 2_048),
        &packet(32, 8, "tail"),
    )
}

/// The preset `codes-dally-1056`.
pub(crate) fn codes() -> Value {
    let link = (13_421_772_800, 76_294);
    let mut router = router("voq", 100_000, 0, 16_384);
    router["switching"] = json!("store-and-forward");
    system(PEERS, [link; 3], &router, &packet(1_024, 1_024, "tail"))
}

/// The preset `wang2018-theta`.
pub(crate) fn theta() -> Value {
    let link = |rate: u64| json!({"bandwidth_bytes_per_s": rate, "latency_ps": 0});
    json!({
        "topology": {
            "kind": "aries", "groups": 9, "rows": 6, "columns": 16, "nodes_per_router": 4,
            "column_links": 3, "global_ports_per_router": 4, "chassis_per_cabinet": 3,
        },
        "links": {
            "host": link(17_179_869_184), "local": link(5_637_144_576),
            "row": link(5_637_144_576), "column": link(5_637_144_576),
            "global": link(5_035_849_155),
        },
        "router": {
            "architecture": "voq", "latency_ps": 100_000, "credit_delay_ps": 1_419,
            "input_buffer_bytes": 8_192, "host_buffer_bytes": 8_192,
            "global_buffer_bytes": 16_384, "output_buffer_bytes": 8_192, "speedup": 1,
            "arbitration": "highest-vc", "switching": "store-and-forward",
            "credit_return": "reservation",
        },
        "packet": packet(2_048, 64, "tail"),
        "nic": {"buffer_packets": 30},
        "mpi": {"preset": "codes"},
    })
}

/// A job on all nodes, or on those of `workload`'s ranks.
pub(crate) fn job(name: &str, placement: &str, workload: Value) -> Value {
    json!({"name": name, "role": "victim", "placement": {"kind": placement}, "workload": workload})
}

/// Open-loop traffic on all nodes.
pub(crate) fn open_loop(pattern: &str, load: f64, message: u32, arrival: &str) -> Value {
    let workload = json!({
        "kind": "open-loop", "pattern": pattern, "load": load, "message": message,
        "arrival": arrival,
    });
    job("traffic", "contiguous", workload)
}

/// Warm-up, window and longest drain, ps.
pub(crate) type Measure = (u64, u64, u64);

/// One microsecond in picoseconds.
pub(crate) const US: u64 = 1_000_000;

/// The configuration of one run.
pub(crate) fn config(
    system: &Value,
    routing: &str,
    jobs: &[Value],
    measure: Option<Measure>,
) -> Config {
    let measure = measure.map(|(warm_up, window, drain)| {
        json!({"warm_up_ps": warm_up, "window_ps": window, "drain_ps": drain})
    });
    let value = json!({
        "seed": 1, "system": system, "routing": {"algorithm": routing}, "jobs": jobs,
        "measure": measure, "stop": {"time_ps": 1_000_000 * US},
    });
    match serde_json::from_value(value) {
        Ok(config) => config,
        Err(error) => unreachable!("the configurations of these tests are complete: {error}"),
    }
}

/// The same with UGAL and PAR as in the study of `kang2022-1056`, which detour much.
pub(crate) fn as_in_kang2022(mut config: Config) -> Config {
    let parameters = &mut config.routing.parameters;
    parameters.insert("estimate".to_owned(), json!("both"));
    parameters.insert("bias_packets".to_owned(), json!(0));
    config
}

/// Inputs of a configuration that names traces only.
pub(crate) fn inputs(traces: &Traces) -> Inputs {
    Inputs {
        traces: traces.clone(),
        ..Inputs::default()
    }
}

/// Runs what is expected to be right.
pub(crate) fn outcome(config: &Config, traces: &Traces, threads: usize) -> Outcome {
    match run_alone(config, &inputs(traces), threads, &Unattended) {
        Ok(outcome) => outcome,
        Err(error) => unreachable!("these configurations can be run: {error}"),
    }
}

/// The number at a JSON pointer of the summary; NaN if there is none.
pub(crate) fn number(outcome: &Outcome, pointer: &str) -> f64 {
    outcome
        .summary
        .pointer(pointer)
        .and_then(Value::as_f64)
        .unwrap_or(f64::NAN)
}

/// The whole number at a JSON pointer of the summary.
pub(crate) fn count(outcome: &Outcome, pointer: &str) -> u64 {
    let found = outcome.summary.pointer(pointer).and_then(Value::as_u64);
    found.unwrap_or_else(|| unreachable!("the summary counts `{pointer}`"))
}

/// The text at a JSON pointer of the summary; empty if there is none.
pub(crate) fn text<'a>(outcome: &'a Outcome, pointer: &str) -> &'a str {
    outcome
        .summary
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The table called `name`.
pub(crate) fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    let found = outcome.tables.iter().find(|table| table.name == name);
    found.unwrap_or_else(|| unreachable!("every run has a table `{name}`"))
}

/// A column of whole numbers.
pub(crate) fn whole<'a>(outcome: &'a Outcome, name: &str, column: &str) -> &'a [u64] {
    let found = table(outcome, name)
        .columns
        .iter()
        .find(|(known, _)| *known == column);
    match found {
        Some((_, Column::U64(values))) => values,
        _ => unreachable!("`{name}` has whole numbers in `{column}`"),
    }
}

/// A column of numbers.
pub(crate) fn floats<'a>(outcome: &'a Outcome, name: &str, column: &str) -> &'a [f64] {
    let found = table(outcome, name)
        .columns
        .iter()
        .find(|(known, _)| *known == column);
    match found {
        Some((_, Column::F64(values))) => values,
        _ => unreachable!("`{name}` has numbers in `{column}`"),
    }
}

/// A column of text.
pub(crate) fn words<'a>(outcome: &'a Outcome, name: &str, column: &str) -> Vec<&'a str> {
    let found = table(outcome, name)
        .columns
        .iter()
        .find(|(known, _)| *known == column);
    match found {
        Some((_, Column::Text(values))) => values.iter().map(String::as_str).collect(),
        Some((_, Column::Words(values))) => values.rows().collect(),
        _ => unreachable!("`{name}` has text in `{column}`"),
    }
}

/// Every bit of an outcome but the number of threads, as text.
pub(crate) fn fingerprint(outcome: &Outcome) -> Vec<String> {
    let mut summary = outcome.summary.clone();
    if let Some(engine) = summary
        .pointer_mut("/engine")
        .and_then(Value::as_object_mut)
    {
        engine.remove("threads");
    }
    let mut lines = vec![summary.to_string(), format!("{:?}", outcome.stall)];
    for table in &outcome.tables {
        for (name, column) in &table.columns {
            let values = match column {
                Column::F64(values) => {
                    format!(
                        "{:?}",
                        values
                            .iter()
                            .map(|value| value.to_bits())
                            .collect::<Vec<_>>()
                    )
                }
                Column::U64(values) => format!("{values:?}"),
                Column::Text(values) => format!("{values:?}"),
                Column::Words(values) => format!("{:?}", values.rows().collect::<Vec<_>>()),
                Column::Bool(values) => format!("{values:?}"),
            };
            lines.push(format!("{}.{name}: {values}", table.name));
        }
    }
    lines
}

/// One operation of a trace; the fields of [`TraceTable`].
#[derive(Clone, Default)]
pub(crate) struct Operation {
    pub(crate) code: u8,
    pub(crate) peer: i32,
    pub(crate) bytes: u64,
    pub(crate) tag: i32,
    pub(crate) request: u32,
    pub(crate) duration_ps: u64,
    pub(crate) list: Vec<u64>,
}

/// The trace of a job whose ranks do these operations, all in one communicator.
pub(crate) fn trace(ranks: &[Vec<Operation>]) -> Arc<TraceTable> {
    let members = (0..).zip(ranks).map(|(rank, _)| rank).collect::<Vec<u32>>();
    let mut table = TraceTable {
        rank_offsets: vec![0],
        comm_offsets: vec![0, members.len() as u64],
        comm_members: members,
        ..TraceTable::default()
    };
    for operations in ranks {
        for operation in operations {
            table.op.push(operation.code);
            table.peer.push(operation.peer);
            table.bytes.push(operation.bytes);
            table.tag.push(operation.tag);
            table.comm.push(0);
            table.request.push(operation.request);
            table.duration_ps.push(operation.duration_ps);
            table.aux_begin.push(table.aux.len() as u64);
            table
                .aux_count
                .push(u32::try_from(operation.list.len()).unwrap_or(u32::MAX));
            table.aux.extend(&operation.list);
        }
        table.rank_offsets.push(table.op.len() as u64);
    }
    Arc::new(table)
}

/// Rounds of a ring with both protocols, a wildcard, and a collective after each.
pub(crate) fn ring(ranks: i32, rounds: u32) -> Vec<Vec<Operation>> {
    let message = |code, peer: i32, bytes, tag, request| Operation {
        code,
        peer: peer.rem_euclid(ranks),
        bytes,
        tag,
        request,
        ..Operation::default()
    };
    let program = |rank: i32| {
        let mut all = Vec::new();
        for round in 0..rounds {
            let bytes = if round % 2 == 0 { 3_000 } else { 60_000 };
            let from = message(op::IRECV, rank - 1, bytes, 5, 1);
            let from = if round % 3 == 0 {
                Operation { peer: -1, ..from }
            } else {
                from
            };
            let wait = Operation {
                code: op::WAITALL,
                list: vec![1, 2],
                ..Operation::default()
            };
            let compute = u64::from(rank.unsigned_abs() % 5) * 300_000;
            all.extend([
                Operation {
                    code: op::COMPUTE,
                    duration_ps: compute,
                    ..Operation::default()
                },
                from,
                message(op::ISEND, rank + 1, bytes, 5, 2),
                wait,
                Operation {
                    code: op::ALLREDUCE,
                    bytes: 4_096,
                    ..Operation::default()
                },
            ]);
        }
        all
    };
    (0..ranks).map(program).collect()
}
