//! Blame as tables, see `docs/model/blame.md`.

use std::collections::BTreeSet;

use odonata_network::{Blame, Parties, Place, Wiring};
use odonata_topology::{Attachment, PortIndex, Topology};
use odonata_units::{NodeId, RouterId};

use crate::config::{Config, Job};
use crate::error::SimError;
use crate::finished::Finished;
use crate::outcome::{Table, table};
use crate::statistic::ns;

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
                    Some(Place::Nic(node.0))
                }
                Some(Attachment::Router(other, back)) => Some(Place::Port(number(other, back))),
                None => None,
            });
        }
    }
    Wiring { peers, hosts }
}

/// The tables `blame` and `blame_ranks`; none unless they were asked for.
pub(crate) fn tables(config: &Config, finished: &Finished) -> Vec<Table> {
    match finished.network.blame() {
        Some(blame) => vec![
            by_link(config, finished, blame),
            by_rank(config, finished, blame),
        ],
        None => Vec::new(),
    }
}

fn by_link(config: &Config, finished: &Finished, blame: &Blame) -> Table {
    let topology = &finished.machine.topology;
    let wiring = wiring(topology);
    let radix = u32::from(topology.radix());
    let link = |place: Place, is_input: bool| {
        let port = match place {
            Place::Nic(node) => wiring.hosts[node as usize],
            Place::Port(port) => match wiring.peers[port as usize] {
                Some(Place::Port(sender)) if is_input => sender,
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
    let rows = blame.rows(&wiring);
    let is_input = |row: &odonata_network::BlameRow| row.cause.is_by_input_port();
    table!("blame", rows, {
        "delayed" => Text, |row| config.jobs[row.delayed].name.clone();
        "delaying" => Text, |row| config.jobs[row.delaying].name.clone();
        "class" => Text, |row| class(row.class);
        "link" => U64, |row| link(row.place, is_input(row));
        "cause" => Text, |row| row.cause.name().to_owned();
        "ns" => F64, |row| ns(row.direct_ps);
        "packets" => U64, |row| row.packets;
        "through_ns" => F64, |row| ns(row.through_ps);
    })
}

fn by_rank(config: &Config, finished: &Finished, blame: &Blame) -> Table {
    let parties = blame.parties();
    let mut rows = Vec::new();
    for (index, job) in config.jobs.iter().enumerate() {
        let mut told = BTreeSet::new();
        for (rank, place) in finished.placed.places[index].iter().enumerate() {
            let node = place.address;
            // The NIC of a node sends for all of its ranks.
            if !told.insert(node) {
                continue;
            }
            let waits = blame.of_sender(node);
            for (other, delaying) in config.jobs.iter().enumerate() {
                let mine = waits.iter().enumerate();
                let mine = mine.filter(|(party, _)| parties.job(*party) == other);
                let ps: u64 = mine.map(|(_, ps)| ps).sum();
                if ps > 0 {
                    rows.push((&job.name, rank, node, &delaying.name, ps));
                }
            }
        }
    }
    table!("blame_ranks", rows, {
        "job" => Text, |row: &(&String, usize, NodeId, &String, u64)| row.0.clone();
        "rank" => U64, |row| row.1 as u64;
        "node" => U64, |row| u64::from(row.2.0);
        "delaying" => Text, |row| row.3.clone();
        "ns" => F64, |row| ns(row.4);
    })
}
