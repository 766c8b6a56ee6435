//! The tables of a run, as `docs/results.md` has them. The table of jobs is made from the summary.

use std::collections::BTreeSet;

use odonata_mpi::RankReport;
use odonata_telemetry::{Channel, Histogram, NodeTotals};
use odonata_topology::{Attachment, PortIndex};
use odonata_units::{GroupId, NodeId, RouterId};

use crate::config::Config;
use crate::report::decided;
use crate::report::finished::{Finished, Reported, iterations_every};
use crate::report::link_series;
use crate::report::probes::{ChannelReport, ScopeReport};
use crate::report::{blame, counters, messages};
use crate::result::outcome::{Table, in_pieces, table};
use crate::result::statistic::{ns, per_repetition, ratio};

/// All tables, in a fixed order.
pub(crate) fn tables(
    config: &Config,
    finished: &mut Finished,
    reports: &[Vec<RankReport>],
) -> Vec<Table> {
    let links = std::mem::take(&mut finished.links);
    let reported = Reported {
        config,
        finished,
        reports,
    };
    let end = reported.end();
    let mut all = vec![ranks(reported), iterations(reported)];
    let taken = config.system.host.is_some().then(|| hosts(reported));
    all.extend(links);
    all.push(series(config, finished));
    all.push(latency(config, finished));
    all.extend(decided::table(config, finished));
    all.extend(blame::tables(config, finished));
    if config.telemetry.counters {
        all.extend(counters::tables(finished, end));
    }
    all.extend(link_series::tables(config, finished));
    all.extend(taken);
    all.extend(flows(finished));
    if config.telemetry.q_table {
        all.push(learned(finished));
    }
    if config.has_messages() {
        all.push(messages::table(config, finished));
    }
    if config.telemetry.packet_sample > 0 {
        all.push(packets(config, finished));
    }
    all
}

/// One rank of a job.
struct RankRow<'a> {
    job: &'a str,
    rank: usize,
    node: NodeId,
    totals: NodeTotals,
    report: Option<&'a RankReport>,
}

fn ranks(run: Reported<'_>) -> Table {
    let nodes = run.finished.heard.nodes();
    let locations = &run.finished.placed.locations;
    let jobs = run.config.jobs.iter().zip(run.reports).zip(locations);
    let rows = jobs.flat_map(|((job, reports), locations)| {
        let locations = locations.iter().enumerate();
        locations.map(move |(rank, location)| RankRow {
            job: &job.name,
            rank,
            node: location.address,
            totals: nodes[location.address.index()],
            report: reports.get(rank),
        })
    });
    let mut all = ranks_of(&[]);
    all.reserve(locations.iter().map(Vec::len).sum());
    in_pieces(rows, |some| all.append(ranks_of(some)));
    all
}

/// The table of some ranks.
fn ranks_of(rows: &[RankRow<'_>]) -> Table {
    table!("ranks", rows, {
        "job" => Words, |row| row.job;
        "rank" => U64, |row| row.rank as u64;
        "node" => U64, |row| u64::from(row.node.0);
        "bytes_sent" => U64, |row| row.totals.bytes_sent;
        "messages_sent" => U64, |row| row.report.map_or(0, |report| report.messages_sent);
        "comm_time_ns" => F64, |row| per(row.report, |r| per_repetition(r, r.comm_time));
        "mpi_time_ns" => F64, |row| per(row.report, |r| per_repetition(r, r.mpi_time));
        "compute_time_ns" => F64, |row| per(row.report, |r| per_repetition(r, r.compute_time));
        "hops_mean" => F64, |row| ratio(row.totals.hops_received, row.totals.packets_received);
        "packets_received" => U64, |row| row.totals.packets_received;
        "finished" => Bool, |row| row.report.is_some_and(|report| report.finished);
        "repetitions" => U64, |row| row.report.map_or(0, |r| u64::from(r.repetitions));
        "unfinished_comm_time_ns" => F64,
            |row| per(row.report, |r| ns(r.unfinished_comm_time.ps()));
        "local_bytes_sent" => U64, |row| row.report.map_or(0, |r| r.local_bytes_sent);
        "local_messages_sent" => U64, |row| row.report.map_or(0, |r| r.local_messages_sent);
    })
}

/// Time that hosts took from each rank, cause by cause.
fn hosts(run: Reported<'_>) -> Table {
    let mut rows = Vec::new();
    let locations = &run.finished.placed.locations;
    for ((job, reports), locations) in run.config.jobs.iter().zip(run.reports).zip(locations) {
        for ((rank, location), report) in locations.iter().enumerate().zip(reports) {
            let host = report.host;
            let causes = [
                ("host-computing", host.in_computation),
                ("host-calls", host.in_calls),
                ("host-costs", host.calls),
                ("host-sharing", host.sharing),
                ("host-memory", host.memory),
            ];
            let taken = causes.into_iter().filter(|(_, span)| span.ps() > 0);
            rows.extend(taken.map(|taken| (&job.name, rank, location.address, taken)));
        }
    }
    table!("hosts", rows, {
        "job" => Words, |row| row.0.as_str();
        "rank" => U64, |row| row.1 as u64;
        "node" => U64, |row| u64::from(row.2.0);
        "cause" => Text, |row| row.3.0.to_owned();
        "ns" => F64, |row| ns(row.3.1.ps());
    })
}

/// A number of a rank; NaN for nodes of open-loop traffic.
fn per(report: Option<&RankReport>, number: impl Fn(&RankReport) -> f64) -> f64 {
    report.map_or(f64::NAN, number)
}

fn iterations(run: Reported<'_>) -> Table {
    let routings = &run.finished.machine.job_routings;
    let mut rows = Vec::new();
    for ((job, reports), routing) in run.config.jobs.iter().zip(run.reports).zip(routings) {
        let every = iterations_every(reports);
        for (rank, report) in reports.iter().enumerate() {
            let numbers = (0_u64..).step_by(usize::try_from(report.iterations_every).unwrap_or(1));
            let kept = numbers.zip(&report.iterations);
            let kept = kept.filter(|(number, _)| number.is_multiple_of(every));
            let names = &routing.turn_names;
            rows.extend(
                kept.map(|(number, iteration)| (&job.name, rank, number, iteration, names)),
            );
        }
    }
    table!("iterations", rows, {
        "job" => Words, |row| row.0.as_str();
        "rank" => U64, |row| row.1 as u64;
        "iteration" => U64, |row| row.2;
        "start_ns" => F64, |row| ns(row.3.start.ps());
        "end_ns" => F64, |row| ns(row.3.end.ps());
        "comm_time_ns" => F64, |row| ns(row.3.comm_time.ps());
        "repetition" => U64, |row| u64::from(row.3.repetition);
        "routing" => Words, |row| whose_turn(row.4, row.2);
    })
}

/// The routing whose turn it is in iteration `number`.
fn whose_turn(names: &[String], number: u64) -> &str {
    let count = names.len().max(1) as u64;
    let turn = usize::try_from(number % count).unwrap_or(0);
    names.get(turn).map_or("", String::as_str)
}

/// One directed link that leaves a router.
struct LinkRow {
    number: u64,
    kind: &'static str,
    source: RouterId,
    target: RouterId,
    groups: (GroupId, GroupId),
    node: Option<NodeId>,
    report: ChannelReport,
    /// Bytes it can move up to the end of the run with the lanes that it has.
    capacity_bytes: f64,
}

/// The links that leave the routers of a scope, whose report is `scope`.
fn link_rows<'a>(
    finished: &'a Finished,
    scope: &'a ScopeReport,
) -> impl Iterator<Item = LinkRow> + use<'a> {
    let topology = &finished.machine.topology;
    let end = finished.network.end();
    let radix = u32::from(topology.radix()).max(1);
    scope.channels().filter_map(move |index| {
        let router = RouterId(index / radix);
        let port = PortIndex(u16::try_from(index % radix).ok()?);
        let number = topology.output_channel(router, port)?;
        let report = scope.channel(Channel {
            router,
            port: u8::try_from(port.0).ok()?,
            index,
        });
        let kind = topology.port_kind(port);
        let (target, node) = match topology.neighbour(router, port)? {
            Attachment::Node(node) => (router, Some(node)),
            Attachment::Router(other, _) => (other, None),
        };
        let rate = finished
            .machine
            .parameters
            .link(kind)
            .bandwidth
            .bytes_per_second();
        #[expect(clippy::cast_precision_loss, reason = "statistics")]
        let whole_bytes = rate as f64 * end.ps() as f64 / 1e12;
        let changes = finished.machine.routing.changes();
        let lanes = changes.map_or(1.0, |it| it.timeline().mean_lanes(router, port, end));
        Some(LinkRow {
            number: u64::from(number.0),
            kind: kind.name(),
            source: router,
            target,
            groups: (topology.group_of(router), topology.group_of(target)),
            node,
            report,
            capacity_bytes: whole_bytes * lanes,
        })
    })
}

/// Adds the links that leave the routers of a scope to the tables of links, scope after scope, and
/// forgets what was counted of them: with what is in the tables it would take twice the memory.
pub(crate) fn add_links(config: &Config, finished: &mut Finished, scope: &mut ScopeReport) {
    let mut all = std::mem::take(&mut finished.links);
    if all.is_empty() {
        let topology = &finished.machine.topology;
        all = links_of(config, &[]);
        all[0].reserve(topology.router_count() as usize * usize::from(topology.radix()));
    }
    in_pieces(link_rows(finished, scope), |some| {
        for (table, more) in all.iter_mut().zip(links_of(config, some)) {
            table.append(more);
        }
    });
    scope.forget_channels();
    finished.links = all;
}

/// The tables of some links.
fn links_of(config: &Config, rows: &[LinkRow]) -> Vec<Table> {
    let bytes = |row: &LinkRow| row.report.jobs.iter().map(|job| job.bytes).sum::<u64>();
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    let congestion = |row: &LinkRow| bytes(row) as f64 / row.capacity_bytes;
    let by_job: Vec<_> = rows
        .iter()
        .flat_map(|row| {
            row.report
                .jobs
                .iter()
                .enumerate()
                .map(move |(job, t)| (row, job, t))
        })
        .filter(|(_, _, traffic)| traffic.packets > 0)
        .collect();
    let link_jobs = table!("link_jobs", by_job, {
        "link" => U64, |row| row.0.number;
        "job" => Words, |row| config.jobs[row.1].name.as_str();
        "bytes" => U64, |row| row.2.bytes;
        "packets" => U64, |row| row.2.packets;
    });
    let link_classes = link_classes(config, rows);
    let links = table!("links", rows, {
        "link" => U64, |row| row.number;
        "kind" => Words, |row| row.kind;
        "source_router" => U64, |row| u64::from(row.source.0);
        "target_router" => U64, |row| u64::from(row.target.0);
        "source_group" => U64, |row| u64::from(row.groups.0.0);
        "target_group" => U64, |row| u64::from(row.groups.1.0);
        "bytes" => U64, bytes;
        "busy_ns" => F64, |row| ns(row.report.totals.busy.ps());
        "stall_ns" => F64, |row| ns(row.report.totals.stall.ps());
        "saturated_ns" => F64, |row| ns(row.report.totals.saturated.ps());
        "congestion_index" => F64, congestion;
        "packets" => U64, |row| row.report.jobs.iter().map(|job| job.packets).sum();
        "target_node" => F64, |row| row.node.map_or(f64::NAN, |node| f64::from(node.0));
        "codes_saturated_ns" => F64, |row| ns(row.report.totals.refused.ps());
    });
    let mut all = vec![links, link_jobs];
    all.extend(link_classes);
    all
}

/// Traffic per class and link; `None` without classes.
fn link_classes(config: &Config, links: &[LinkRow]) -> Option<Table> {
    let qos = config.system.qos.as_ref()?;
    let by_class: Vec<_> = links
        .iter()
        .flat_map(|row| {
            let classes = row.report.classes.iter().zip(&qos.classes);
            classes.map(move |(traffic, class)| (row, class, traffic))
        })
        .filter(|(_, _, traffic)| traffic.packets > 0)
        .collect();
    Some(table!("link_classes", by_class, {
        "link" => U64, |row| row.0.number;
        "class" => Words, |row| row.1.name.as_str();
        "bytes" => U64, |row| row.2.bytes;
        "packets" => U64, |row| row.2.packets;
    }))
}

fn series(config: &Config, finished: &Finished) -> Table {
    let Some(stats) = finished.heard.stats() else {
        return Table {
            name: "series",
            columns: Vec::new(),
        };
    };
    let bin_ps = stats.series.bin().ps();
    let mut rows = Vec::new();
    for (number, bins) in stats.series.bins().enumerate() {
        for (bin, job) in bins.iter().zip(&config.jobs) {
            if !job.muted {
                rows.push((ns(number as u64 * bin_ps), job.name.clone(), *bin));
            }
        }
    }
    table!("series", rows, {
        "time_ns" => F64, |row| row.0;
        "job" => Text, |row| row.1.clone();
        "bytes_injected" => U64, |row| row.2.bytes_injected;
        "bytes_delivered" => U64, |row| row.2.bytes_delivered;
        "latency_ns_mean" => F64, |row| ratio(row.2.latency_sum, row.2.packets_delivered) / 1e3;
        "packets_delivered" => U64, |row| row.2.packets_delivered;
        "nonminimal_fraction" => F64, |row| ratio(row.2.nonminimal, row.2.packets_delivered);
        "table_updates" => U64, |row| row.2.lessons;
        "table_error_ns_mean" => F64, |row| ratio(row.2.lesson_error_ns, row.2.lessons);
        "bin_ns" => F64, |_| ns(bin_ps);
    })
}

fn latency(config: &Config, finished: &Finished) -> Table {
    let mut rows = Vec::new();
    if let Some(stats) = finished.heard.stats() {
        for (job, stats) in config.jobs.iter().zip(&stats.jobs) {
            let buckets = Histogram::buckets(&stats.latency);
            rows.extend(buckets.map(|bucket| (job.name.clone(), bucket)));
        }
    }
    table!("latency", rows, {
        "job" => Text, |row| row.0.clone();
        "latency_ns_low" => F64, |row| ns(row.1.0);
        "latency_ns_high" => F64, |row| ns(row.1.1);
        "packets" => U64, |row| row.1.2;
    })
}

/// Effects of a controller on each flow; none unless they were asked for.
fn flows(finished: &Finished) -> Option<Table> {
    let rows: Vec<_> = finished.heard.flows.as_ref()?.iter().collect();
    Some(table!("flows", rows, {
        "source_node" => U64, |row| u64::from(row.0.source.0);
        "target_node" => U64, |row| u64::from(row.0.target.0);
        "notices" => U64, |row| row.1.notices;
        "most_sources" => U64, |row| u64::from(row.1.most_sources);
        "blocked_ns" => F64, |row| ns(row.1.blocked.ps());
    }))
}

fn learned(finished: &Finished) -> Table {
    let rows = &finished.learned;
    table!("q_table", rows, {
        "router" => U64, |row| u64::from(row.router);
        "group" => U64, |row| u64::from(row.group);
        "slot" => U64, |row| u64::from(row.slot);
        "port" => U64, |row| u64::from(row.port);
        "estimate_ns" => U64, |row| u64::from(row.estimate_ns.unsigned_abs());
    })
}

/// By node: the job that sends there; the names of all of them with `+` where several do.
fn jobs_by_node(config: &Config, finished: &Finished) -> Vec<String> {
    let mut jobs = vec![BTreeSet::new(); finished.machine.topology.node_count() as usize];
    for (job, locations) in finished.placed.locations.iter().enumerate() {
        for location in locations {
            let beside = finished.machine.ends.beside(location.home);
            for end in beside.iter().chain([&location.address]) {
                let is_alone = !finished.placed.by_jobs[end.index()];
                if is_alone || *end == location.address || config.system.node.stripe_bytes.is_some()
                {
                    jobs[end.index()].insert(job);
                }
            }
        }
    }
    let named = jobs.into_iter().map(|jobs| {
        let names: Vec<&str> = jobs.iter().map(|job| &*config.jobs[*job].name).collect();
        names.join("+")
    });
    named.collect()
}

fn packets(config: &Config, finished: &mut Finished) -> Table {
    let names = jobs_by_node(config, finished);
    let records = finished.heard.packets.take().unwrap_or_default();
    let path = |record: &odonata_telemetry::PacketRecord| {
        let routers: Vec<_> = record
            .path
            .iter()
            .map(|router| router.0.to_string())
            .collect();
        routers.join(" ")
    };
    table!("packets", records, {
        "job" => Text, |row| names[row.source.index()].clone();
        "source_node" => U64, |row| u64::from(row.source.0);
        "target_node" => U64, |row| u64::from(row.target.0);
        "created_ns" => F64, |row| ns(row.created.ps());
        "injected_ns" => F64, |row| ns(row.injected.ps());
        "delivered_ns" => F64, |row| ns(row.delivered.ps());
        "bytes" => U64, |row| u64::from(row.bytes);
        "hops" => U64, |row| row.path.len() as u64;
        "minimal" => Bool, |row| row.minimal;
        "path" => Text, path;
        "sequence" => U64, |row| row.sequence;
    })
}
