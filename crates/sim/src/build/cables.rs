//! Latencies of single links, where those of a kind are not alike.

use odonata_network::Cables;
use odonata_topology::{Attachment, Channel, LinkKind, Topology};
use odonata_units::Span;
use serde_json::{Map, Value, json};

use crate::config::Links;
use crate::error::SimError;
use crate::result::statistic::ns;

/// Refuses what has no meaning for a kind of link, and fills in how many groups stand in a row.
pub(crate) fn complete(links: &mut Links, topology: &Topology) -> Result<(), SimError> {
    let one_link = "has no meaning for links to nodes, which are alike; leave it out";
    let one_group = "applies only to links between groups, `system.links.global`; leave it out";
    for kind in LinkKind::ALL {
        let link = links.of(kind);
        let refused = |key: &str, message: &str| {
            Err(SimError::new(format!("system.links.{kind}.{key}"), message))
        };
        if kind == LinkKind::Host && link.longest_latency_ps.is_some() {
            return refused("longest_latency", one_link);
        }
        if kind != LinkKind::Global && link.groups_per_row.is_some() {
            return refused("groups_per_row", one_group);
        }
    }
    let groups = topology.group_count();
    let root = groups.isqrt();
    let width = root + u32::from(root * root < groups);
    links.global.groups_per_row.get_or_insert(width.max(1));
    Ok(())
}

/// How much longer than that of the shortest link of its kind the latency of each link is.
fn cables(links: &Links) -> Cables {
    let extra = LinkKind::ALL.map(|kind| {
        let link = links.of(kind);
        let longest = link.longest_latency_ps.unwrap_or(link.latency_ps);
        Span::from_ps(longest.saturating_sub(link.latency_ps))
    });
    Cables::new(extra, links.global.groups_per_row.unwrap_or(1))
}

/// `[channel]`: its latency, ps.
pub(crate) fn latencies(links: &Links, topology: &Topology) -> Vec<u64> {
    let cables = cables(links);
    let latency = |channel: Channel| {
        let extra = match channel.source {
            Attachment::Router(router, port) => cables.extra(topology, router, port),
            Attachment::Node(_) => Span::ZERO,
        };
        links.of(channel.kind).latency_ps + extra.ps()
    };
    topology.channels().map(latency).collect()
}

/// The latencies of each kind of link whose links are not alike, ns: least, mean and most.
pub(crate) fn spreads(links: &Links, topology: &Topology) -> Map<String, Value> {
    let all = latencies(links, topology);
    let mut told = Map::new();
    for kind in LinkKind::ALL {
        if links.of(kind).longest_latency_ps.is_none() {
            continue;
        }
        let channels = topology.channels().zip(&all);
        let of_kind: Vec<u64> = (channels.filter(|(channel, _)| channel.kind == kind))
            .map(|(_, latency)| *latency)
            .collect();
        let (Some(least), Some(most)) = (of_kind.iter().min(), of_kind.iter().max()) else {
            continue;
        };
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let mean = of_kind.iter().sum::<u64>() as f64 / of_kind.len() as f64 / 1e3;
        told.insert(
            kind.to_string(),
            json!({"least": ns(*least), "mean": mean, "most": ns(*most)}),
        );
    }
    told
}
