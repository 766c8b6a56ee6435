#![allow(clippy::all, unused, missing_docs)]
use std::collections::BTreeMap;
use odonata_mpi::MpiParameters;
use odonata_mpi::ideal::IdealNetwork;
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count};
use serde_json::{Value, json};
fn run(spec: &Value) -> f64 {
    let spec = spec.as_object().unwrap();
    let traces = BTreeMap::new();
    let ranks = rank_count(spec, 1_056, &traces).unwrap();
    let nodes: Vec<NodeId> = (0..ranks).map(|rank| NodeId(rank * 2 + 1)).collect();
    let bandwidth = Bandwidth::from_bytes_per_second(25_000_000_000).unwrap();
    let context = JobContext { seed: 42, job: JobId(0), name: "job", nodes: &nodes,
        system: SystemView { node_count: 1_056, group_starts: &[0], injection: bandwidth, flit_bytes: 128, packet_bytes: 512 },
        mpi: &MpiParameters::preset("firefly-kang2022").unwrap(), traces: &traces };
    let mut endpoints = build(spec, &context).unwrap();
    let network = IdealNetwork { latency: Span::from_ns(450), bandwidth: Some(bandwidth), jitter: Span::ZERO };
    let outcome = network.run(&mut endpoints, &nodes, Instant::from_ps(u64::MAX - 1));
    outcome.end.ps() as f64 / 1e9
}
#[test]
fn scan() {
    let perms = |v: Vec<u64>| { let mut all = vec![]; fn go(rest: Vec<u64>, cur: Vec<u64>, all: &mut Vec<Vec<u64>>) { if rest.is_empty() { if !all.contains(&cur) { all.push(cur); } return; } for i in 0..rest.len() { let mut r = rest.clone(); let x = r.remove(i); let mut c = cur.clone(); c.push(x); go(r, c, all); } } go(v, vec![], &mut all); all };
    for grid in perms(vec![2,2,3,4,11]) { for reduction in [true, false] {
        println!("{grid:?} {reduction} {:.2}", run(&json!({"kind":"stencil5d","grid":grid,"reduction":reduction})));
    } }
    for (i, s) in [(1,450),(2,225),(3,150),(5,90),(6,75),(9,50)] { println!("lu {i} {:.2}", run(&json!({"kind":"lu","iterations":i,"stages":s}))); println!("lu2422 {i} {:.2}", run(&json!({"kind":"lu","grid":[24,22],"iterations":i,"stages":s}))); }
    println!("lulesh {:.2}", run(&json!({"kind":"lulesh"})));
    println!("lqcd {:.2}", run(&json!({"kind":"lqcd"})));
}
