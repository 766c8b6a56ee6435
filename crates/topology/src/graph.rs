//! A system given channel by channel.
//!
//! The whole wiring comes from outside; what is checked is that it is a system: dense ids in the
//! order that every other family has, links of two channels, kinds that fit the groups, and a path
//! between each two nodes.

use odonata_units::{GroupId, NodeId, RouterId};

use crate::channel::{LinkKind, PortIndex};
use crate::error::{GraphError, TopologyError};
use crate::family::Family;
use crate::layout::Layout;
use crate::local::{Lists, LocalPattern};
use crate::numbering::Numbering;
use crate::shape::{RADIX_LIMIT, ROUTER_LIMIT};
use crate::topology::{Parts, Topology};
use crate::wiring::{End, Ends};

/// The channels and ids of a system.
///
/// ```
/// use odonata_topology::{GraphChannel, GraphSpec, LinkKind, Topology};
/// use odonata_units::{GroupId, RouterId};
/// let channel = |source, target| GraphChannel {
///     kind: LinkKind::Local,
///     source: RouterId(source),
///     target: RouterId(target),
/// };
/// // Two routers with a node each, joined by two parallel links.
/// let spec = GraphSpec {
///     router_of: vec![RouterId(0), RouterId(1)],
///     group_of: vec![GroupId(0), GroupId(0)],
///     channels: vec![channel(0, 1), channel(0, 1), channel(1, 0), channel(1, 0)],
/// };
/// let topology = Topology::graph(&spec)?;
/// assert_eq!(topology.local_ports(RouterId(0), RouterId(1)).len(), 2);
/// # Ok::<(), odonata_topology::TopologyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GraphSpec {
    /// Router of each node, ascending.
    pub router_of: Vec<RouterId>,
    /// Group of each router, ascending and dense; in a group, routers with nodes come first.
    pub group_of: Vec<GroupId>,
    /// Directed channels between routers. Those of one router and kind take its ports in this
    /// order; the n-th from one router to another and the n-th back form a link.
    pub channels: Vec<GraphChannel>,
}

/// A directed channel between two routers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphChannel {
    /// `Global` between groups; `Local`, `Row` or `Column` inside one.
    pub kind: LinkKind,
    /// Where packets enter it.
    pub source: RouterId,
    /// Where packets leave it.
    pub target: RouterId,
}

impl Topology {
    /// Builds the system that `spec` lists.
    ///
    /// Cost: O(channels log channels).
    ///
    /// # Errors
    /// If ids are out of order, a link lacks a direction, a kind does not fit, a router has more
    /// than [`RADIX_LIMIT`] ports, or two nodes have no path.
    pub fn graph(spec: &GraphSpec) -> Result<Self, TopologyError> {
        check_ids(spec)?;
        for channel in &spec.channels {
            check_channel(spec, channel)?;
        }
        let layout = layout(spec)?;
        let numbering = Numbering::of_tables(&spec.router_of, &spec.group_of);
        let mut ends = Ends::new(numbering.routers, &layout);
        join(&mut ends, &layout, spec)?;
        let topology = Self::assemble(Parts {
            family: Family::Graph,
            pattern: LocalPattern::Listed(Lists::new(&ends, numbering.routers, &layout)),
            numbering,
            layout,
            ends,
        });
        topology.check_connected()?;
        Ok(topology)
    }
}

fn check_ids(spec: &GraphSpec) -> Result<(), TopologyError> {
    for (what, is_empty) in [
        ("node", spec.router_of.is_empty()),
        ("router", spec.group_of.is_empty()),
    ] {
        if is_empty {
            return Err(GraphError::Empty { what }.into());
        }
    }
    let routers = spec.group_of.len() as u64;
    if routers > u64::from(ROUTER_LIMIT) {
        return Err(TopologyError::TooManyRouters {
            routers,
            limit: ROUTER_LIMIT,
            fields: "the routers of the list",
        });
    }
    let mut before: Option<GroupId> = None;
    for (router, &group) in (0..).zip(&spec.group_of) {
        let follows = before.map_or(group.0 == 0, |GroupId(before)| {
            group.0 == before || group.0 == before + 1
        });
        if !follows {
            let before = before.map_or_else(|| "none".to_owned(), |group| group.0.to_string());
            return Err(GraphError::GroupOrder {
                router,
                group: group.0,
                before,
            }
            .into());
        }
        before = Some(group);
    }
    check_nodes(spec)?;
    Ok(())
}

fn check_nodes(spec: &GraphSpec) -> Result<(), GraphError> {
    let last = spec.group_of.len().saturating_sub(1);
    let mut before = RouterId(0);
    let mut has_nodes = vec![false; spec.group_of.len()];
    for (node, &router) in (0..).zip(&spec.router_of) {
        if router < before {
            return Err(GraphError::NodeOrder {
                node,
                router: router.0,
                before: before.0,
            });
        }
        let Some(entry) = has_nodes.get_mut(router.index()) else {
            return Err(GraphError::UnknownRouter {
                kind: LinkKind::Host,
                source_router: router.0,
                target_router: router.0,
                last: u32::try_from(last).unwrap_or(u32::MAX),
            });
        };
        *entry = true;
        before = router;
    }
    let pairs = has_nodes.windows(2).zip(spec.group_of.windows(2));
    for (router, (nodes, groups)) in (1..).zip(pairs) {
        if groups[0] == groups[1] && !nodes[0] && nodes[1] {
            let group = groups[0].0;
            return Err(GraphError::BareRouterFirst { router, group });
        }
    }
    Ok(())
}

fn check_channel(spec: &GraphSpec, channel: &GraphChannel) -> Result<(), GraphError> {
    let &GraphChannel {
        kind,
        source,
        target,
    } = channel;
    let group = |router: RouterId| spec.group_of.get(router.index());
    let (Some(from), Some(to)) = (group(source), group(target)) else {
        return Err(GraphError::UnknownRouter {
            kind,
            source_router: source.0,
            target_router: target.0,
            last: u32::try_from(spec.group_of.len() - 1).unwrap_or(u32::MAX),
        });
    };
    let problem = if kind == LinkKind::Host {
        "joins two routers; only channels of nodes are of kind host".to_owned()
    } else if source == target {
        "leads back to where it starts; remove it".to_owned()
    } else if from == to && kind == LinkKind::Global {
        format!(
            "stays inside group {}; make it local, row or column",
            from.0
        )
    } else if from != to && kind != LinkKind::Global {
        format!(
            "leads from group {} to group {}; make it global",
            from.0, to.0
        )
    } else {
        return Ok(());
    };
    Err(GraphError::WrongKind {
        kind,
        source_router: source.0,
        target_router: target.0,
        problem,
    })
}

/// As many ports of each kind as the router with the most of them has channels.
fn layout(spec: &GraphSpec) -> Result<Layout, TopologyError> {
    let mut ports = vec![[0_u64; 5]; spec.group_of.len()];
    for router in &spec.router_of {
        ports[router.index()][LinkKind::Host as usize] += 1;
    }
    for channel in &spec.channels {
        ports[channel.source.index()][channel.kind as usize] += 1;
    }
    let most = |kind: LinkKind| ports.iter().map(|own| own[kind as usize]).max();
    let counts = LinkKind::ALL.map(|kind| most(kind).unwrap_or(0));
    Layout::new(counts, RADIX_LIMIT).ok_or_else(|| {
        let parts = LinkKind::ALL.map(|kind| format!("{} {kind}", counts[kind as usize]));
        TopologyError::TooManyPorts {
            ports: counts.iter().sum(),
            parts: format!("{}; the most of each kind on any router", parts.join(" + ")),
            limit: RADIX_LIMIT,
            fields: "the number of channels per router",
        }
    })
}

/// One direction of links between two routers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Direction {
    low: RouterId,
    high: RouterId,
    kind: LinkKind,
    is_back: bool,
    port: PortIndex,
}

fn join(ends: &mut Ends, layout: &Layout, spec: &GraphSpec) -> Result<(), GraphError> {
    let mut next = vec![LinkKind::ALL.map(|kind| layout.first(kind)); spec.group_of.len()];
    let mut directions = Vec::with_capacity(spec.channels.len());
    for channel in &spec.channels {
        let port = &mut next[channel.source.index()][channel.kind as usize];
        directions.push(Direction {
            low: channel.source.min(channel.target),
            high: channel.source.max(channel.target),
            kind: channel.kind,
            is_back: channel.source > channel.target,
            port: PortIndex(*port),
        });
        *port += 1;
    }
    directions.sort_unstable();
    for parallel in directions.chunk_by(|a, b| (a.low, a.high, a.kind) == (b.low, b.high, b.kind)) {
        let (there, back) =
            parallel.split_at(parallel.partition_point(|direction| !direction.is_back));
        let first = &parallel[0];
        if there.len() != back.len() {
            return Err(GraphError::OneWay {
                kind: first.kind,
                source_router: first.low.0,
                target_router: first.high.0,
                there: there.len(),
                back: back.len(),
            });
        }
        for (near, far) in there.iter().zip(back) {
            ends.join(End::new(near.low, near.port), End::new(far.high, far.port));
        }
    }
    Ok(())
}

impl Topology {
    /// Checks that each two nodes have a path.
    pub(crate) fn check_connected(&self) -> Result<(), TopologyError> {
        let first = self.router_of(NodeId(0));
        let hops = self.hops_from(first);
        let cut_off = self
            .nodes()
            .find(|&node| hops[self.router_of(node).index()] == crate::hops::UNREACHED);
        match cut_off {
            None => Ok(()),
            Some(node) => Err(TopologyError::Disconnected {
                node: node.0,
                router: self.router_of(node).0,
                first: first.0,
            }),
        }
    }
}
