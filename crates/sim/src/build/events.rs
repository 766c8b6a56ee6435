//! Links, routers and nodes that change during the run: `[[system.failures.events]]`.

use std::collections::BTreeMap;

use odonata_mpi::RankLocation;
use odonata_routing::{LinkChange, NetworkChanges, RouterOutage, Routing};
use odonata_topology::{FailedLink, NodeEnds, PortIndex, Topology};
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::config::{Config, Event};
use crate::error::{At, SimError};

const PATH: &str = "system.failures.events";

/// Changes of links, routers and nodes.
pub(crate) fn events(config: &Config) -> &[Event] {
    let failures = config.system.failures.as_ref();
    failures.map_or(&[], |failures| &failures.events)
}

/// `routing`, on a network to which happens what `config` says.
pub(crate) fn amid_events(config: &Config, routing: Routing) -> Result<Routing, SimError> {
    let (Some(failures), false) = (&config.system.failures, events(config).is_empty()) else {
        return Ok(routing);
    };
    check(config)?;
    let all = failures.events.iter().enumerate();
    let links = all.filter(|(_, event)| event.is_of_link());
    let links = links.map(|(index, event)| change(index, event));
    let changes = NetworkChanges {
        links: links.collect::<Result<_, SimError>>()?,
        routers: outages(config, "router", |event| event.router)?
            .into_iter()
            .map(|(router, [from, until])| RouterOutage {
                router: RouterId(router),
                from,
                until,
            })
            .collect(),
        known_after: Span::from_ps(failures.known_after_ps),
        resent_after: Span::from_ps(failures.resent_after_ps),
    };
    if changes.links.is_empty() && changes.routers.is_empty() {
        return Ok(routing);
    }
    routing.with_changes(&changes).at(PATH)
}

impl Event {
    /// Whether it is about a link.
    pub(crate) const fn is_of_link(&self) -> bool {
        self.router.is_none() && self.node.is_none()
    }
}

fn change(index: usize, event: &Event) -> Result<LinkChange, SimError> {
    let [from, to] = event.link[..] else {
        let problem = "a link is a pair of router ids such as [0, 1]";
        return Err(SimError::new(format!("{PATH}[{index}].link"), problem));
    };
    Ok(LinkChange {
        link: FailedLink {
            from: RouterId(from),
            to: RouterId(to),
            port: event.port.map(PortIndex),
        },
        at: Instant::from_ps(event.at_ps),
        share_ppm: event.share_ppm,
    })
}

/// When routers or nodes are down, which `of` picks: by number, from an instant until another one.
fn outages(
    config: &Config,
    kind: &str,
    of: impl Fn(&Event) -> Option<u32>,
) -> Result<Vec<(u32, [Instant; 2])>, SimError> {
    let mut by_number: BTreeMap<u32, Vec<(u64, bool, usize)>> = BTreeMap::new();
    for (index, event) in events(config).iter().enumerate() {
        if let Some(number) = of(event) {
            let is_down = event.share_ppm == 0;
            let own = by_number.entry(number).or_default();
            own.push((event.at_ps, is_down, index));
        }
    }
    let mut found = Vec::new();
    for (number, mut own) in by_number {
        own.sort_unstable();
        let mut was_down = false;
        for &(at, is_down, index) in &own {
            let is_twice = own.iter().filter(|one| one.0 == at).count() > 1;
            let problem = match (was_down, is_down) {
                _ if is_twice => "changes twice at one instant",
                (true, true) => "is down already",
                (false, false) => "is not down",
                _ => "",
            };
            if !problem.is_empty() {
                let problem = format!("{kind} {number} {problem}: leave this event out");
                return Err(SimError::new(format!("{PATH}[{index}]"), problem));
            }
            if is_down {
                found.push((number, [Instant::from_ps(at), Instant::NEVER]));
            } else if let Some((_, [_, until])) = found.last_mut() {
                *until = Instant::from_ps(at);
            }
            was_down = is_down;
        }
    }
    Ok(found)
}

/// A time in which a node of the machine is down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeOutage {
    pub(crate) node: u32,
    pub(crate) from_ps: u64,
    pub(crate) until_ps: u64,
    /// The router that took it along, if one did.
    pub(crate) router: Option<u32>,
}

/// What a job loses: its first node that fails while it is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loss {
    pub(crate) first: NodeOutage,
    /// Ranks or sources on nodes that fail while it is there.
    pub(crate) ranks: usize,
}

/// When nodes of the machine are down.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeOutages(Vec<NodeOutage>);

impl NodeOutages {
    /// Those of `config`: nodes that fail, and nodes with a NIC at a router that does.
    ///
    /// # Errors
    /// If a node does not exist, fails while it is down, or comes back while it is up.
    pub(crate) fn new(
        config: &Config,
        topology: &Topology,
        ends: &NodeEnds,
    ) -> Result<Self, SimError> {
        let mut all = Vec::new();
        for (node, [from, until]) in outages(config, "node", |event| event.node)? {
            if node >= ends.node_count() {
                let index = events(config).iter().position(|one| one.node == Some(node));
                let problem = format!(
                    "there is no node {node}: nodes go from 0 to {}",
                    ends.node_count().saturating_sub(1)
                );
                let path = format!("{PATH}[{}].node", index.unwrap_or(0));
                return Err(SimError::new(path, problem));
            }
            all.push(NodeOutage {
                node,
                from_ps: from.ps(),
                until_ps: until.ps(),
                router: None,
            });
        }
        for (router, [from, until]) in outages(config, "router", |event| event.router)? {
            if router >= topology.router_count() {
                continue; // refused with the links
            }
            let nodes = topology.nodes_of(RouterId(router));
            let mut nodes: Vec<u32> = nodes.map(|end| ends.node_of(end)).collect();
            nodes.dedup();
            all.extend(nodes.into_iter().map(|node| NodeOutage {
                node,
                from_ps: from.ps(),
                until_ps: until.ps(),
                router: Some(router),
            }));
        }
        all.sort_unstable_by_key(|one| (one.from_ps, one.node));
        Ok(Self(all))
    }

    /// Nodes that are down at `ps`, ascending.
    pub(crate) fn down_at(&self, ps: u64) -> Vec<NodeId> {
        let down = self.0.iter();
        let down = down.filter(|one| one.from_ps <= ps && ps < one.until_ps);
        let mut nodes: Vec<NodeId> = down.map(|one| NodeId(one.node)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The first outage of the node whose first NIC is `home` behind `from_ps` and before
    /// `until_ps`.
    pub(crate) fn of_node(
        &self,
        ends: &NodeEnds,
        home: NodeId,
        [from_ps, until_ps]: [u64; 2],
    ) -> Option<NodeOutage> {
        if self.0.is_empty() {
            return None;
        }
        let node = ends.node_of(home);
        let is_meant =
            |one: &&NodeOutage| one.node == node && from_ps < one.from_ps && one.from_ps < until_ps;
        self.0.iter().find(is_meant).copied()
    }

    /// What a job on these nodes loses while it is there.
    pub(crate) fn loss(
        &self,
        ends: &NodeEnds,
        locations: &[RankLocation],
        stay: [u64; 2],
    ) -> Option<Loss> {
        let lost = locations
            .iter()
            .filter_map(|location| self.of_node(ends, location.home, stay));
        let lost: Vec<NodeOutage> = lost.collect();
        let first = lost.iter().min_by_key(|one| (one.from_ps, one.node))?;
        Some(Loss {
            first: *first,
            ranks: lost.len(),
        })
    }
}

/// Refuses what does not go with a network that changes.
fn check(config: &Config) -> Result<(), SimError> {
    let reroutes = events(config).iter().any(|event| event.node.is_none());
    let refused = [
        (
            config.stop.skip_ppm.is_some(),
            "`stop.skip` takes iterations that it leaves out to be like those before, which they \
             are not beside links, routers or nodes that change; leave it out",
        ),
        (
            !config.stop.precision.is_empty(),
            "`stop.precision` estimates the mean of a steady run, which a run with links, routers \
             or nodes that change is not; leave it out and give `stop.time` or jobs that end",
        ),
        (
            config.telemetry.blame && reroutes,
            "`telemetry.blame` cannot say whom a packet waited for that was rerouted; leave it out",
        ),
        (
            config.telemetry.counters && reroutes,
            "`telemetry.counters` would count rerouted packets twice; leave it out",
        ),
    ];
    match refused.iter().find(|(is_asked, _)| *is_asked) {
        Some((_, problem)) => Err(SimError::new(PATH, *problem)),
        None => Ok(()),
    }
}
