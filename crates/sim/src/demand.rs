//! How hard jobs press on a network, found without it: each alone on a network without contention.

use std::collections::BTreeMap;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{MpiParameters, MpiRank, RankReport};
use odonata_units::{Instant, JobId, NodeId};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count};
use serde_json::{Value, json};

use crate::config::{Config, Job};
use crate::error::{At, SimError};
use crate::inputs::Inputs;
use crate::machine::{Machine, machine};
use crate::memory::afford_ranks;
use crate::statistic::{ns, number};

/// Messages after which enough has been seen: about a second.
const MESSAGES: u64 = 1_000_000;

/// Message injection rate and peak ingress volume (Kang et al. 2022, section III-B) of each MPI job
/// of `config`, from its program, costs of the MPI library, and the bandwidth of host links.
///
/// Jobs run alone, one after the other, for at most a million messages each, every rank on a node of
/// its own. A message leaves when
/// the node's link is free and arrives after the latency of the longest minimal path, so that times
/// are those without contention.
///
/// # Errors
/// If the network or a job is refused.
pub fn demand(config: &Config, inputs: &Inputs) -> Result<Value, SimError> {
    let machine = machine(config, inputs)?;
    let mpi = MpiParameters::from_json(&config.system.mpi).at("system.mpi")?;
    let mut jobs = Vec::new();
    // Jobs with the same workload differ in nothing that is looked at here.
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    for (index, job) in config.jobs.iter().enumerate() {
        let key = Value::Object(job.workload.clone()).to_string();
        if !known.contains_key(&key) {
            let found = of_job((index, job), (&machine, &mpi), inputs)?;
            known.insert(key.clone(), found);
        }
        if let Some(Value::Object(found)) = known.get(&key) {
            let mut found = found.clone();
            found.insert("name".to_owned(), json!(job.name));
            jobs.push(Value::Object(found));
        }
    }
    Ok(Value::Array(jobs))
}

/// `null` for open-loop traffic.
fn of_job(
    (index, job): (usize, &Job),
    (machine, mpi): (&Machine, &MpiParameters),
    inputs: &Inputs,
) -> Result<Value, SimError> {
    let path = || format!("jobs[{index}].workload");
    let host = &machine.parameters.host;
    let ranks =
        rank_count(&job.workload, machine.topology.node_count(), &inputs.traces).at(path())?;
    afford_ranks(inputs, ranks).at(path())?;
    let nodes: Vec<NodeId> = (0..ranks).map(NodeId).collect();
    let context = JobContext {
        seed: 1,
        job: JobId(u32::try_from(index).unwrap_or(u32::MAX)),
        name: &job.name,
        nodes: &nodes,
        seating: None,
        system: SystemView {
            node_count: ranks,
            group_starts: &[0],
            injection: host.bandwidth,
            flit_bytes: machine.parameters.flit_bytes,
            packet_bytes: machine.parameters.packet_bytes,
        },
        mpi,
        traces: &inputs.traces,
    };
    if job.workload.get("kind").and_then(Value::as_str) == Some("open-loop") {
        return Ok(Value::Null);
    }
    let mut endpoints = build(&job.workload, &context).at(path())?;
    let latency =
        host.latency * 2 + machine.parameters.local.latency * 2 + machine.parameters.global.latency;
    let network = IdealNetwork {
        latency,
        bandwidth: Some(host.bandwidth),
        jitter: odonata_units::Span::ZERO,
    };
    let limit = Instant::from_ps(u64::MAX - 1);
    network.run_within(&mut endpoints, &nodes, (limit, MESSAGES));
    let ranks_run = endpoints.iter().flat_map(NodeEndpoint::ranks);
    let reports: Vec<RankReport> = ranks_run.map(MpiRank::report).collect();
    let pressure = Pressure::of(&reports);
    let last = reports
        .iter()
        .map(|report| report.last_call.max(report.end));
    let until = last.filter(|at| *at != Instant::NEVER).max();
    Ok(json!({
        "ranks": ranks,
        "whole": reports.iter().all(|report| report.finished),
        "bytes_sent": pressure.bytes,
        "messages_sent": reports.iter().map(|report| report.messages_sent).sum::<u64>(),
        "time_ns": ns(until.map_or(0, Instant::ps)),
        "injection_rate_bytes_per_s": number(pressure.rate),
        "peak_ingress_bytes": pressure.peak,
    }))
}

/// The two numbers of a job, and what the first is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pressure {
    pub(crate) bytes: u64,
    /// Bytes over the span from the first start to the last end, per second.
    pub(crate) rate: f64,
    pub(crate) peak: u64,
}

impl Pressure {
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    pub(crate) fn of(reports: &[RankReport]) -> Self {
        let bytes = reports.iter().map(|report| report.bytes_sent).sum::<u64>();
        let start = reports.iter().map(|report| report.start).min();
        let end = reports.iter().map(|report| report.end).max();
        let span = end
            .unwrap_or(Instant::ZERO)
            .saturating_since(start.unwrap_or(Instant::ZERO));
        let peak = reports.iter().map(|report| report.peak_ingress_bytes).max();
        Self {
            bytes,
            rate: bytes as f64 / (span.ps() as f64 / 1e12),
            peak: peak.unwrap_or(0),
        }
    }
}
