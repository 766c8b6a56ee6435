//! Blame as tables, see `docs/model/blame.md`.

use std::collections::BTreeSet;

use odonata_telemetry::{Blame, BlameRow, Parties, RankRow, WaitPoint, Wiring};
use odonata_topology::{Attachment, PortIndex, Topology};
use odonata_units::{NodeId, RouterId};

use crate::config::{Config, Job};
use crate::error::SimError;
use crate::report::finished::Finished;
use crate::result::outcome::{Table, table};
use crate::result::statistic::ns;

/// Refuses blame among more parties than can be told apart.
pub(crate) fn check_parties(config: &Config) -> Result<(), SimError> {
    let classes = config
        .system
        .qos
        .as_ref()
        .map_or(1, |qos| qos.classes.len());
    let parties = config.jobs.len() * classes.max(1);
    if config.telemetry.blame && parties > Parties::MOST {
        let message = format!(
            "blame tells at most {} jobs times traffic classes apart, this run has {parties}; \
             switch it off or join jobs",
            Parties::MOST
        );
        return Err(SimError::new("telemetry.blame", message));
    }
    let shares = |job: &Job| job.share_nodes || job.end_ps.is_some();
    if config.telemetry.blame && config.jobs.iter().any(shares) {
        let message = "blame charges the waits of a NIC to the job of its node and cannot tell \
                       jobs on one node apart; switch it off, or leave `share_nodes` and `end` out";
        return Err(SimError::new("telemetry.blame", message));
    }
    Ok(())
}

/// How the ports of `topology` are joined, by number.
fn wiring(topology: &Topology) -> Wiring {
    let radix = topology.radix();
    let number =
        |router: RouterId, port: PortIndex| router.0 * u32::from(radix) + u32::from(port.0);
    let mut hosts = vec![0; topology.node_count() as usize];
    let mut peers = Vec::new();
    for router in (0..topology.router_count()).map(RouterId) {
        for port in (0..radix).map(PortIndex) {
            peers.push(match topology.neighbour(router, port) {
                Some(Attachment::Node(node)) => {
                    hosts[node.index()] = number(router, port);
                    Some(WaitPoint::Nic(node.0))
                }
                Some(Attachment::Router(other, back)) => Some(WaitPoint::Port(number(other, back))),
                None => None,
            });
        }
    }
    Wiring { peers, hosts }
}

/// The tables `blame` and `blame_ranks`; none unless they were asked for.
pub(crate) fn tables(config: &Config, finished: &Finished) -> Vec<Table> {
    match &finished.heard.blame {
        Some(blame) => {
            let wiring = wiring(&finished.machine.topology);
            let rows = blame.rows(&wiring);
            let ranks = by_rank(config, finished, blame, &wiring, &rows);
            vec![by_link(config, finished, &wiring, rows), ranks]
        }
        None => Vec::new(),
    }
}

fn by_link(config: &Config, finished: &Finished, wiring: &Wiring, rows: Vec<BlameRow>) -> Table {
    let topology = &finished.machine.topology;
    let radix = u32::from(topology.radix());
    let link = |point: WaitPoint, is_input: bool| {
        let port = match point {
            WaitPoint::Nic(node) => wiring.hosts[node as usize],
            WaitPoint::Port(port) => match wiring.peers[port as usize] {
                Some(WaitPoint::Port(sender)) if is_input => sender,
                _ => port,
            },
        };
        let (router, port) = (RouterId(port / radix), port % radix);
        let port = PortIndex(u16::try_from(port).unwrap_or(u16::MAX));
        let channel = topology.output_channel(router, port);
        channel.map_or(0, |channel| u64::from(channel.0))
    };
    let class = |class: usize| {
        let classes = config.system.qos.iter().flat_map(|qos| &qos.classes);
        let mut names = classes.map(|class| class.name.clone());
        names.nth(class).unwrap_or_default()
    };
    let is_input = |row: &BlameRow| row.cause.is_by_input_port();
    table!("blame", rows, {
        "delayed" => Text, |row| config.jobs[row.delayed].name.clone();
        "delaying" => Text, |row| config.jobs[row.delaying].name.clone();
        "class" => Text, |row| class(row.class);
        "link" => U64, |row| link(row.point, is_input(row));
        "cause" => Text, |row| row.cause.name().to_owned();
        "ns" => F64, |row| ns(row.direct_ps);
        "packets" => U64, |row| row.packets;
        "through_ns" => F64, |row| ns(row.through_ps);
        "transaction" => Text, |row| row.transaction.name().to_owned();
    })
}

fn by_rank(
    config: &Config,
    finished: &Finished,
    blame: &Blame,
    wiring: &Wiring,
    rows: &[BlameRow],
) -> Table {
    let mut ranks = Vec::new();
    for locations in finished.placed.locations.iter().take(config.jobs.len()) {
        // The NIC of a node sends for all of its ranks: the first one speaks for them.
        let mut firsts: Vec<(NodeId, usize)> = Vec::new();
        let mut told = BTreeSet::new();
        for (rank, location) in locations.iter().enumerate() {
            if told.insert(location.address) {
                firsts.push((location.address, rank));
            }
        }
        ranks.push(firsts);
    }
    let nodes = ranks
        .iter()
        .map(|firsts| firsts.iter().map(|one| one.0).collect());
    let rows = blame.ranks(wiring, rows, &nodes.collect::<Vec<_>>());
    let name = |job: usize| config.jobs[job].name.clone();
    table!("blame_ranks", rows, {
        "job" => Text, |row: &RankRow| name(row.job);
        "rank" => U64, |row| ranks[row.job][row.sender].1 as u64;
        "node" => U64, |row| u64::from(ranks[row.job][row.sender].0.0);
        "delaying" => Text, |row| name(row.delaying);
        "ns" => F64, |row| ns(row.direct_ps);
        "through_ns" => F64, |row| ns(row.through_ps);
        "transaction" => Text, |row| row.transaction.name().to_owned();
    })
}
