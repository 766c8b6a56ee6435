//! How hard jobs press on a network, found without it: each alone on a network without contention.

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_mpi::ideal::{IdealBounds, IdealNetwork};
use odonata_mpi::{MpiParameters, MpiRank, RankReport, Slowest};
use odonata_network::{Parameters, Team};
use odonata_units::{Instant, JobId, NodeId};
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build, rank_count};
use serde_json::{Map, Value, json};

use crate::build::inputs::Inputs;
use crate::build::jobs::place_jobs;
use crate::build::limits::{self, Sent};
use crate::build::machine::{Machine, machine};
use crate::build::memory::afford_ranks;
use crate::config::{Config, JobEntry};
use crate::error::{At, SimError};
use crate::result::statistic::{ns, number};

/// Messages after which enough has been seen: about a second.
const MESSAGES: u64 = 1_000_000;

/// Message injection rate and peak ingress volume (Kang et al. 2022, section III-B) of each MPI job
/// of `config`, from its program, costs of the MPI library, and the bandwidth of host links.
///
/// Jobs run alone, one after the other, for at most a million messages each, every rank on a node
/// of its own. A message leaves when the node's link is free and arrives after the latency of the
/// longest minimal path, so that times are those without contention.
///
/// The result is a list with an object for each MPI job: `name`, `ranks`, of them `senders`,
/// `bytes_sent`, `messages_sent`, `time_ns`, `injection_rate_bytes_per_s`, `peak_ingress_bytes`,
/// `warning` (a sentence, if the MPI library holds it back), and whether the `whole` job was seen;
/// `null` for open-loop traffic.
///
/// # Errors
/// If the network or a job is refused.
pub fn demand(config: &Config, inputs: &Inputs) -> Result<Value, SimError> {
    let machine = machine(config, inputs, 1)?;
    let mpi = MpiParameters::from_json(&config.system.mpi).at("system.mpi")?;
    let mut jobs = Vec::new();
    // Jobs with the same workload differ in nothing that is looked at here.
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    for (index, job) in config.jobs.iter().enumerate() {
        let key = Value::Object(job.workload.clone()).to_string();
        if !known.contains_key(&key) {
            let found = of_job(JobEntry { index, job }, &machine, &mpi, inputs)?;
            known.insert(key.clone(), found);
        }
        if let Some(Value::Object(found)) = known.get(&key) {
            let mut found = found.clone();
            found.insert("name".to_owned(), json!(job.name));
            let warning = sent(&found)
                .and_then(|sent| limits::mpi(job, config, machine.parameters.host.bandwidth, sent));
            found.insert("warning".to_owned(), json!(warning));
            jobs.push(Value::Object(found));
        }
    }
    Ok(Value::Array(jobs))
}

/// Messages that a job has sent, from its numbers.
fn sent(found: &Map<String, Value>) -> Option<Sent> {
    let count = |key: &str| found.get(key).and_then(Value::as_u64);
    Some(Sent {
        ranks: count("ranks")?,
        senders: count("senders")?,
        messages: count("messages_sent")?,
        bytes: count("bytes_sent")?,
        rate: found.get("injection_rate_bytes_per_s")?.as_f64()?,
    })
}

/// `null` for open-loop traffic.
fn of_job(
    entry: JobEntry<'_>,
    machine: &Machine,
    mpi: &MpiParameters,
    inputs: &Inputs,
) -> Result<Value, SimError> {
    let JobEntry { index, job } = entry;
    let path = || entry.path("workload");
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
        rank_map: None,
        here: None,
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
    let Parameters { local, global, .. } = &machine.parameters;
    let latency = host.latency * 2 + local.longest * 2 + global.longest;
    let network = IdealNetwork {
        latency,
        bandwidth: Some(host.bandwidth),
        jitter: odonata_units::Span::ZERO,
    };
    let bounds = IdealBounds {
        until: Instant::from_ps(u64::MAX - 1),
        messages: MESSAGES,
    };
    let slowest = watched(&mut endpoints);
    let payload = u64::from(machine.parameters.payload_bytes());
    let mut pace = Pace::default();
    network.run_within(&mut endpoints, &nodes, bounds, |at, message| {
        pace.arrived(at, message.bytes.div_ceil(payload).max(1));
    });
    let ranks_run = endpoints.iter().flat_map(NodeEndpoint::ranks);
    let reports: Vec<RankReport> = ranks_run.map(MpiRank::report).collect();
    let is_whole = reports.iter().all(|report| report.finished);
    let share = match slowest.share() {
        // Nobody has come to the end of a first operation, which may be long.
        Some(0.0) | None if !is_whole => sent_share(&mut endpoints),
        share => share,
    };
    let pressure = Pressure::of(&reports);
    let last = reports
        .iter()
        .map(|report| report.last_call.max(report.end));
    let until = last.filter(|at| *at != Instant::NEVER).max();
    Ok(json!({
        "ranks": ranks,
        "senders": senders(&reports),
        "whole": is_whole,
        "bytes_sent": pressure.bytes,
        "messages_sent": reports.iter().map(|report| report.messages_sent).sum::<u64>(),
        "time_ns": ns(until.map_or(0, Instant::ps)),
        "injection_rate_bytes_per_s": number(pressure.rate),
        "peak_ingress_bytes": pressure.peak,
        "packets": pace.packets,
        "pace": pace.points(),
        "share": share,
    }))
}

/// Ranks whose messages are counted to the end, and steps of each of them.
const COUNTED: usize = 8;
const STEPS: u64 = 1 << 20;

/// Ranks that have sent messages.
pub(crate) fn senders(reports: &[RankReport]) -> u64 {
    let sends = |report: &&RankReport| report.messages_sent > 0;
    reports.iter().filter(sends).count() as u64
}

/// Share of their messages that a few ranks have sent; `None` if their programs do not say.
#[expect(clippy::cast_precision_loss, reason = "a forecast")]
fn sent_share(endpoints: &mut [NodeEndpoint]) -> Option<f64> {
    let step = endpoints.len().div_ceil(COUNTED).max(1);
    let (mut sent, mut all) = (0, 0);
    for endpoint in endpoints.iter_mut().step_by(step) {
        for rank in endpoint.ranks_mut() {
            let own = rank.report().messages_sent;
            sent += own;
            all += own + rank.messages_left(STEPS)?;
        }
    }
    (sent > 0).then(|| sent as f64 / all as f64)
}

/// Who says how far the slowest rank has come.
fn watched(endpoints: &mut [NodeEndpoint]) -> Arc<Slowest> {
    let slowest = Arc::new(Slowest::default());
    for endpoint in endpoints {
        for rank in endpoint.ranks_mut() {
            rank.tell(&slowest);
        }
    }
    slowest
}

/// When the packets of a job arrive: how many by when, at a few hundred instants.
#[derive(Debug)]
struct Pace {
    packets: u64,
    /// Instant, and packets up to it.
    seen: Vec<(Instant, u64)>,
    /// Packets between two points.
    stride: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            packets: 0,
            seen: Vec::new(),
            stride: 1,
        }
    }
}

impl Pace {
    const MOST: usize = 512;

    fn arrived(&mut self, at: Instant, packets: u64) {
        self.packets += packets;
        let last = self.seen.last().map_or(0, |(_, packets)| *packets);
        if self.packets < last + self.stride {
            return;
        }
        self.seen.push((at, self.packets));
        if self.seen.len() >= Self::MOST {
            // Every other point goes; the last one stays.
            let mut odd = false;
            self.seen.retain(|_| {
                odd = !odd;
                !odd
            });
            self.stride *= 2;
        }
    }

    fn points(&self) -> Vec<(f64, u64)> {
        let point = |(at, packets): &(Instant, u64)| (ns(at.ps()), *packets);
        self.seen.iter().map(point).collect()
    }
}

/// Messages after which the rest of open-loop traffic is taken to come at its mean rate.
const OFFERED: u64 = 2_000_000;

/// Packets that the open-loop jobs of `config` will have offered at each of `instants` (ascending,
/// ps): the messages that their nodes create, counted without a network. `null` for other jobs.
///
/// After two million messages the mean rate so far goes on.
///
/// # Errors
/// If the network or a job is refused.
pub fn offered(config: &Config, inputs: &Inputs, instants: &[u64]) -> Result<Value, SimError> {
    let machine = machine(config, inputs, 1)?;
    let mut placed = place_jobs(config, &machine, inputs, Team::alone(1))?;
    let payload = u64::from(machine.parameters.payload_bytes());
    let is_open = placed.open_loop.clone();
    let mut offered: Vec<Option<Vec<u64>>> = is_open
        .iter()
        .map(|open| open.then(|| vec![0; instants.len()]))
        .collect();
    let sources = is_open.iter().zip(&placed.locations);
    let sources: usize = sources
        .filter(|(open, _)| **open)
        .map(|one| one.1.len())
        .sum();
    let most = OFFERED / (sources as u64).max(1);
    let all = std::mem::take(&mut placed.locations);
    for (locations, counts) in all.iter().zip(&mut offered) {
        let Some(counts) = counts else { continue };
        for location in locations {
            let Some(served) = placed.served_mut(location.address) else {
                continue;
            };
            let counting = Offer {
                instants,
                payload,
                most,
            };
            counting.count(&mut served.endpoint, counts);
        }
    }
    Ok(json!(offered))
}

/// How the messages of a source are counted.
struct Offer<'a> {
    /// Up to when, ascending, ps.
    instants: &'a [u64],
    /// Payload of a packet, bytes.
    payload: u64,
    /// Messages at most; what follows is taken to come at the mean rate so far.
    most: u64,
}

impl Offer<'_> {
    /// Adds the packets of `source` up to each instant to `counts`.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a forecast"
    )]
    fn count(&self, source: &mut NodeEndpoint, counts: &mut [u64]) {
        let (mut packets, mut messages) = (0, 0);
        let mut next = source.pull();
        for (instant, count) in self.instants.iter().zip(counts) {
            while messages < self.most
                && let Some((at, message)) = next
                && at.ps() <= *instant
            {
                packets += message.bytes.div_ceil(self.payload).max(1);
                messages += 1;
                next = source.pull();
            }
            // What lies behind the last message that was counted follows at the mean rate so far.
            *count += match next {
                Some((at, _)) if messages >= self.most && at.ps() < *instant => {
                    (packets as f64 * *instant as f64 / at.ps().max(1) as f64) as u64
                }
                _ => packets,
            };
        }
    }
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
        let sent = reports.iter().map(|report| report.bytes_sent);
        let bytes = sent.fold(0, u64::saturating_add);
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
