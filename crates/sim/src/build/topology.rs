//! From configuration to topology: families, files, failed links; and what can be said of it.

use std::sync::Arc;

use odonata_registry::spelling::hint;
use odonata_topology::{
    Attachment, Channel, ChannelList, FailedLink, Family, Interconnect, InterconnectReport,
    LinkKind, NodeEnds, NodeType, PortIndex, Spread, Topology,
};
use odonata_units::{GroupId, NodeId, RouterId};
use serde_json::{Value, json};

use crate::build::cables::{complete, latencies, spreads};
use crate::build::inputs::Inputs;
use crate::build::memory::afford_topology;
use crate::build::out_of_service::out_of_service;
use crate::build::shape::{aries, dragonfly, megafly};
use crate::build::sites::kind_nodes;
use crate::config::{Config, Failures, Link, Links, Node, TopologyChoice};
use crate::error::{At, SimError};
use crate::result::outcome::{Column, Table};
use crate::result::statistic::ns;

/// A topology, and what its source says beyond it.
pub(crate) struct Built {
    pub(crate) topology: Arc<Topology>,
    /// Links of the configuration, or of the channel list where it gives them.
    pub(crate) links: Links,
    /// Which network ends make a node of the machine.
    pub(crate) ends: NodeEnds,
    /// Nodes that no job gets, ascending.
    pub(crate) out_of_service: Vec<NodeId>,
    failed_links: usize,
    dump: Option<InterconnectReport>,
}

const TOPOLOGY_PATH: &str = "system.topology";

/// The network of `config`.
pub(crate) fn build(config: &Config, inputs: &Inputs) -> Result<Built, SimError> {
    afford_topology(config, inputs)?;
    let mut links = config.system.links.clone();
    let mut dump = None;
    let whole = match &config.system.topology {
        TopologyChoice::Dragonfly(choice) => dragonfly(choice).build().at(TOPOLOGY_PATH)?,
        TopologyChoice::Aries(choice) => Topology::aries(aries(choice)).at(TOPOLOGY_PATH)?,
        TopologyChoice::Megafly(choice) => megafly(choice).build().at(TOPOLOGY_PATH)?,
        TopologyChoice::AriesInterconnect(choice) => {
            let path = format!("{TOPOLOGY_PATH}.interconnect");
            let text = text(inputs, &choice.interconnect, &path)?;
            let interconnect = Interconnect::parse(text).at(&path)?;
            check_cabinets(&interconnect, choice.chassis_per_cabinet)?;
            dump = Some(interconnect.report().clone());
            Topology::aries_from_interconnect(&interconnect).at(&path)?
        }
        TopologyChoice::File(choice) => {
            let path = format!("{TOPOLOGY_PATH}.channels");
            let list = ChannelList::parse(text(inputs, &choice.channels, &path)?).at(&path)?;
            override_links(&mut links, &list);
            Topology::graph(&list.spec).at(&path)?
        }
    };
    complete(&mut links, &whole)?;
    let failed = match &config.system.failures {
        Some(failures) => failed_links(&whole, failures, config.seed)?,
        None => Vec::new(),
    };
    let node = &config.system.node;
    let ends = node_ends(&whole, node)?;
    let topology = whole.without_links(&failed).at("system.failures")?;
    Ok(Built {
        out_of_service: out_of_service(node, &ends)?,
        ends,
        topology: Arc::new(topology),
        links,
        failed_links: failed.len(),
        dump,
    })
}

/// Which ends of the network make a node of the machine.
fn node_ends(topology: &Topology, node: &Node) -> Result<NodeEnds, SimError> {
    if node.types.is_empty() {
        return topology
            .node_ends(node.nics, node.wiring)
            .at("system.node.nics");
    }
    let types: Vec<_> = (node.types.iter())
        .map(|one| NodeType {
            name: one.name.clone(),
            nodes: one.nodes,
            nics: one.nics.unwrap_or(node.nics),
            wiring: one.wiring.unwrap_or(node.wiring),
        })
        .collect();
    topology.node_ends_of_types(&types).at("system.node.types")
}

fn text<'a>(inputs: &'a Inputs, file: &str, path: &str) -> Result<&'a str, SimError> {
    inputs.texts.get(file).map(String::as_str).ok_or_else(|| {
        let near = hint(file, inputs.texts.keys().map(String::as_str));
        let problem = format!("the text of `{file}` was not handed over{near}");
        SimError::new(path, problem)
    })
}

/// The names in a dump say how many chassis a cabinet has; what is given besides must agree.
fn check_cabinets(interconnect: &Interconnect, given: Option<u32>) -> Result<(), SimError> {
    let found = interconnect.shape().chassis_per_cabinet;
    match given {
        Some(given) if given != found => Err(SimError::new(
            format!("{TOPOLOGY_PATH}.chassis_per_cabinet"),
            format!("the cabinets of the dump have {found} chassis, not {given}; leave it out"),
        )),
        _ => Ok(()),
    }
}

fn override_links(links: &mut Links, list: &ChannelList) {
    for kind in LinkKind::ALL {
        let listed = list.links[kind as usize];
        let mut link = links.of(kind).clone();
        if let Some(bandwidth) = listed.bandwidth_bytes_per_s {
            link.bandwidth_bytes_per_s = bandwidth;
        }
        if let Some(latency) = listed.latency_ps {
            link.latency_ps = latency;
            link.longest_latency_ps = None;
        }
        match kind {
            LinkKind::Host => links.host = link,
            LinkKind::Row => links.row = Some(link),
            LinkKind::Column => links.column = Some(link),
            LinkKind::Global => links.global = link,
            LinkKind::Local => {
                // Rows and columns that the list leaves out stay as configured.
                links.row = Some(links.of(LinkKind::Row).clone());
                links.column = Some(links.of(LinkKind::Column).clone());
                links.local = link;
            }
        }
    }
}

/// The named links and the drawn ones.
fn failed_links(
    topology: &Topology,
    failures: &Failures,
    seed: u64,
) -> Result<Vec<FailedLink>, SimError> {
    let mut failed: Vec<FailedLink> = failures
        .links
        .iter()
        .map(|&[from, to]| FailedLink {
            from: RouterId(from),
            to: RouterId(to),
            port: None,
        })
        .collect();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a fraction: its row says so"
    )]
    let share_ppm = (failures.fraction * 1e6).round() as u32;
    let kinds = kinds_that_fail(topology, failures, share_ppm)?;
    let drawn = topology.draw_failures(share_ppm, &kinds, seed);
    failed.extend(drawn.at("system.failures")?);
    Ok(failed)
}

fn kinds_that_fail(
    topology: &Topology,
    failures: &Failures,
    share_ppm: u32,
) -> Result<Vec<LinkKind>, SimError> {
    let names = LinkKind::ALL.map(LinkKind::name);
    let mut kinds = Vec::new();
    for (index, name) in failures.kinds.iter().enumerate() {
        let path = format!("system.failures.kinds[{index}]");
        let Some(kind) = LinkKind::ALL.into_iter().find(|kind| kind.name() == name) else {
            let near = hint(name, names);
            let problem = format!(
                "there is no kind of link `{name}`{near}; use some of {}",
                names[1..].join(", ")
            );
            return Err(SimError::new(path, problem));
        };
        let present = |kind: &LinkKind| !topology.ports(*kind).is_empty();
        if share_ppm > 0 && kind != LinkKind::Host && !present(&kind) {
            let some = LinkKind::ALL.into_iter().skip(1).filter(present);
            let some: Vec<_> = some.map(LinkKind::name).collect();
            let problem = format!(
                "this topology has no {kind} links; its routers are joined by {}",
                some.join(", ")
            );
            return Err(SimError::new(path, problem));
        }
        kinds.push(kind);
    }
    Ok(kinds)
}

/// Sizes of the network of `config` as JSON, and the list of its directed channels as a table, with
/// bandwidths in bytes per second and latencies in ns.
///
/// # Errors
/// [`SimError`] if the shape is impossible, a file does not fit it, or failures cut nodes off.
pub fn topology(config: &Config, inputs: &Inputs) -> Result<(Value, Table), SimError> {
    let built = build(config, inputs)?;
    Ok((summary(&built), channels(&built.links, &built.topology)))
}

/// What is known of two groups, and unknown where one holds all routers.
const BETWEEN_GROUPS: [&str; 5] = [
    "links_per_group_pair",
    "minimal_paths",
    "nonminimal_paths",
    "bisection_links",
    "bisection_bytes_per_s",
];

fn summary(built: &Built) -> Value {
    let topology = &built.topology;
    let summary = topology.summary();
    let rate = built.links.global.bandwidth_bytes_per_s;
    let units: serde_json::Map<_, _> = (built.ends)
        .units(topology.units())
        .iter()
        .map(|unit| (unit.name.to_owned(), json!(unit.starts.len())))
        .collect();
    let mut value = json!({
        "family": topology.family().name(),
        "nodes": summary.nodes,
        "routers": summary.routers,
        "routers_with_nodes": summary.routers_with_nodes,
        "groups": summary.groups,
        "radix": summary.radix,
        "radix_in_use": summary.radix_in_use,
        "links_per_group_pair": spread(summary.links_per_group_pair),
        "unconnected_global_ports": summary.unconnected_global_ports,
        "failed_links": built.failed_links,
        "diameter_hops": summary.diameter_hops,
        "average_minimal_hops": summary.mean_minimal_hops,
        "minimal_paths": spread(summary.minimal_paths),
        "nonminimal_paths": spread(summary.nonminimal_paths),
        "bisection_links": summary.bisection_links,
        "bisection_bytes_per_s": summary.bisection_links.saturating_mul(rate),
        "placement_units": units,
        "layout": layout(topology),
    });
    if summary.groups == 1 {
        for key in BETWEEN_GROUPS {
            value[key] = Value::Null;
        }
    }
    let latencies = spreads(&built.links, topology);
    if !latencies.is_empty() {
        value["latency_ns"] = latencies.into();
    }
    for kind in LinkKind::ALL {
        value[format!("{kind}_channels")] = json!(summary.channels_of(kind));
    }
    add_nodes(&mut value, built);
    add_kinds(&mut value, built);
    if let Some(dump) = &built.dump {
        value["interconnect"] = json!({
            "tiles": dump.tiles,
            "unused_row_tiles": dump.unused_row_tiles,
            "unused_column_tiles": dump.unused_column_tiles,
            "unused_global_tiles": dump.unused_global_tiles,
            "unused_processor_tiles": dump.unused_processor_tiles,
            "notes": dump.notes,
        });
    }
    value
}

/// Adds what is known of the nodes of the machine.
fn add_nodes(value: &mut Value, built: &Built) {
    let ends = &built.ends;
    let out = u32::try_from(built.out_of_service.len()).unwrap_or(0);
    if out > 0 {
        value["nodes_out_of_service"] = json!(out);
        value["nodes_in_service"] = json!(ends.node_count() - out);
    }
    if has_several_nics(ends) {
        value["machine_nodes"] = json!(ends.node_count());
        if let Some(nics) = ends.nics_of_all(&(0..ends.node_count())) {
            value["nics_per_node"] = json!(nics);
        }
    }
    if ends.types().len() > 1 {
        value["node_types"] = node_types(built).into();
    }
}

/// Adds what is known of the groups of each kind, and of the links between kinds.
fn add_kinds(value: &mut Value, built: &Built) {
    let kinds = group_kinds(built);
    if kinds.is_empty() {
        return;
    }
    value["group_kinds"] = kinds.into();
    let between = built.topology.links_between_kinds();
    if between.is_empty() {
        return;
    }
    let rate = built.links.global.bandwidth_bytes_per_s;
    let mut links = serde_json::Map::new();
    let mut bytes = serde_json::Map::new();
    for one in between {
        bytes.insert(one.name.clone(), json!(one.links.saturating_mul(rate)));
        links.insert(one.name, spread(one.each));
    }
    value["links_between_kinds"] = links.into();
    value["between_kinds_bytes_per_s"] = bytes.into();
}

fn spread(spread: Spread) -> Value {
    json!({"least": spread.least, "mean": spread.mean, "most": spread.most})
}

/// The groups of each kind, by name: what operators publish.
fn group_kinds(built: &Built) -> serde_json::Map<String, Value> {
    let host = built.links.host.bandwidth_bytes_per_s;
    let global = built.links.global.bandwidth_bytes_per_s;
    let topology = &built.topology;
    let first_routers =
        (topology.group_kinds()).map(|(_, groups)| topology.first_router(GroupId(groups.start)));
    let has_several = has_several_nics(&built.ends);
    let parts = first_routers.zip(kind_nodes(topology, &built.ends));
    let kinds = topology.kind_summaries().into_iter().zip(parts);
    kinds
        .map(|(kind, (first, has))| {
            let is_of_kind = |node: &&NodeId| has.nodes.contains(&node.0);
            let nodes = has.nodes.end - has.nodes.start;
            let mut value = json!({
                "groups": kind.groups,
                "routers_per_group": kind.routers_per_group,
                "local_links_per_router": local_links(topology, first),
                "nodes": kind.nodes,
                "nodes_per_router": topology.nodes_of(first).len(),
                "nodes_per_group": kind.nodes_per_group,
                "links_per_group_pair": kind.links_per_group_pair,
                "global_links_per_group": kind.global_links_per_group,
                "links_to_other_kinds": kind.links_to_other_kinds,
                "taper": kind.taper(host, global),
                "global_bytes_per_s": kind.global_links.saturating_mul(global),
                "bisection_bytes_per_s": kind.bisection_links.saturating_mul(global),
            });
            if kind.routers_without_nodes > 0 {
                value["routers_without_nodes_per_group"] = json!(kind.routers_without_nodes);
            }
            if has_several {
                value["machine_nodes"] = json!(nodes);
                value["machine_nodes_per_group"] = json!(nodes / kind.groups);
            }
            let out = built.out_of_service.iter().filter(is_of_kind);
            let (mut gone, mut lost) = (0, 0);
            for node in out {
                gone += 1;
                lost += built.ends.nics_of(node.0);
            }
            if gone > 0 {
                value["nodes_out_of_service"] = json!(gone);
                value["nodes_in_service"] = json!(nodes - gone);
                value["nics_in_service"] = json!(kind.nodes - lost);
            }
            (kind.name, value)
        })
        .collect()
}

/// Whether some node of the machine is more than one end of the network.
fn has_several_nics(ends: &NodeEnds) -> bool {
    ends.types().iter().any(|one| one.nics > 1)
}

/// The nodes of each type, by name.
fn node_types(built: &Built) -> serde_json::Map<String, Value> {
    let types = built.ends.types().iter();
    let value = types.map(|one| {
        let nodes = one.nodes.end - one.nodes.start;
        let out = &built.out_of_service;
        let gone = out.iter().filter(|node| one.nodes.contains(&node.0));
        let in_service = nodes - u32::try_from(gone.count()).unwrap_or(0);
        let value = json!({
            "nodes": nodes,
            "nodes_in_service": in_service,
            "nics_per_node": one.nics,
            "nics_in_service": in_service * one.nics,
        });
        (one.name.clone(), value)
    });
    value.collect()
}

/// Links of a router to others of its group.
fn local_links(topology: &Topology, router: RouterId) -> usize {
    let ports = topology.ports(LinkKind::Local).map(PortIndex);
    ports
        .filter(|port| topology.neighbour(router, *port).is_some())
        .count()
}

/// Where a drawing puts each router: columns over the routers, in order. `row` and `column` are the
/// row and column in the grid of an Aries group, `level` 0 for leaves and 1 for spines.
fn layout(topology: &Topology) -> Value {
    let column = |f: &dyn Fn(RouterId) -> u32| topology.routers().map(f).collect::<Vec<_>>();
    let mut routers = json!({
        "group": column(&|router| topology.group_of(router).0),
        "position": column(&|router| topology.position(router)),
        "nodes": column(&|router| u32::try_from(topology.nodes_of(router).len()).unwrap_or(u32::MAX)),
    });
    match topology.family() {
        Family::Aries(shape) => {
            let coordinates = |router| shape.row_and_column(topology.position(router));
            routers["row"] = json!(column(&|router| coordinates(router).0));
            routers["column"] = json!(column(&|router| coordinates(router).1));
        }
        Family::Megafly(_) | Family::MegaflyKinds(_) => {
            let level = |router| u32::from(topology.nodes_of(router).len() == 0);
            routers["level"] = json!(column(&level));
        }
        Family::Dragonfly(_) | Family::GroupKinds(_) | Family::Graph => {}
    }
    json!({"family": topology.family().name(), "routers": routers})
}

/// One row per directed channel.
fn channels(links: &Links, topology: &Topology) -> Table {
    let channels: Vec<_> = topology.channels().collect();
    let router = |end: Attachment| match end {
        Attachment::Node(_) => f64::NAN,
        Attachment::Router(router, _) => f64::from(router.0),
    };
    let node = |end: Attachment| match end {
        Attachment::Node(node) => f64::from(node.0),
        Attachment::Router(..) => f64::NAN,
    };
    let group = |end: Attachment| match end {
        Attachment::Node(node) => topology.group_of_node(node).0,
        Attachment::Router(router, _) => topology.group_of(router).0,
    };
    let link = |channel: &Channel| -> &Link { links.of(channel.kind) };
    let whole = |f: &dyn Fn(&Channel) -> u64| Column::U64(channels.iter().map(f).collect());
    let real = |f: &dyn Fn(&Channel) -> f64| Column::F64(channels.iter().map(f).collect());
    let kinds = channels
        .iter()
        .map(|channel| channel.kind.name().to_owned());
    Table {
        name: "channels",
        columns: vec![
            ("channel", whole(&|channel| u64::from(channel.index.0))),
            ("kind", Column::Text(kinds.collect())),
            ("source_node", real(&|channel| node(channel.source))),
            ("source_router", real(&|channel| router(channel.source))),
            ("target_node", real(&|channel| node(channel.target))),
            ("target_router", real(&|channel| router(channel.target))),
            (
                "source_group",
                whole(&|channel| group(channel.source).into()),
            ),
            (
                "target_group",
                whole(&|channel| group(channel.target).into()),
            ),
            (
                "bandwidth_bytes_per_s",
                whole(&|channel| link(channel).bandwidth_bytes_per_s),
            ),
            (
                "latency_ns",
                Column::F64(latencies(links, topology).into_iter().map(ns).collect()),
            ),
        ],
    }
}
