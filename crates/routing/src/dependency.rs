//! Deadlock freedom, proved before a run (Dally and Seitz 1987).
//!
//! Every path a routing can take is walked on a sample of the shape, with observations that make
//! every decision go both ways. Channels are projected onto classes (kind, virtual channel). If
//! the graph of class dependencies has no cycle, no channel of any system of this family can wait
//! for itself: a cycle of channels would project onto a cycle (or a loop) of classes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use odonata_topology::{Attachment, LinkKind, PortIndex, Shape, Topology};
use odonata_units::{NodeId, Purpose, RouterId, Stream};
use thiserror::Error;

use crate::decide::{Observation, PacketRoute, Plan, Routing};
use crate::geometry::Geometry;
use crate::rule::Estimate;

/// A class of channels: kind and virtual channel.
type Class = (LinkKind, u8);

/// A cycle of channel classes that can wait for each other.
#[derive(Debug, Error, PartialEq, Eq)]
pub struct CyclicDependency {
    /// The classes, each waiting for the next and the last for the first.
    pub cycle: Vec<(LinkKind, u8)>,
}

impl fmt::Display for CyclicDependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "channels can wait for each other in a cycle: ")?;
        for (kind, vc) in &self.cycle {
            write!(f, "{} VC {vc} -> ", kind.name())?;
        }
        match self.cycle.first() {
            Some((kind, vc)) => write!(f, "{} VC {vc}", kind.name()),
            None => Ok(()),
        }
    }
}

/// Observation that makes comparisons come out at random.
struct Coin<'a>(&'a mut Stream);

impl Observation for Coin<'_> {
    fn flits(&mut self, _: PortIndex, _: Option<u8>, _: Estimate) -> u32 {
        if self.0.below(2) == 0 { 0 } else { 1 << 20 }
    }
}

/// Walks of every source router and target, with this many draws each.
const DRAWS: u32 = 96;

/// Checks that `routing` (with its number of virtual channels) cannot deadlock.
///
/// Cost: some 10^5 routing calls, whatever the size of the system.
///
/// # Errors
/// [`CyclicDependency`] names the cycle.
pub fn check_dependencies(routing: &Routing) -> Result<(), CyclicDependency> {
    let Some(sample) = sample(routing) else {
        return Ok(());
    };
    let mut edges: BTreeMap<Class, BTreeSet<Class>> = BTreeMap::new();
    let mut draw = Stream::new(0, Purpose::Routing, 0);
    let mut coin = Stream::new(0, Purpose::Routing, 1);
    let nodes = sample.geometry().topology().node_count();
    for source in 0..nodes {
        for target in (0..nodes).filter(|target| *target != source) {
            for _ in 0..DRAWS {
                let ends = (NodeId(source), NodeId(target));
                walk(&sample, ends, &mut edges, (&mut draw, &mut coin));
            }
        }
    }
    match find_cycle(&edges) {
        Some(cycle) => Err(CyclicDependency { cycle }),
        None => Ok(()),
    }
}

/// The same rule on a small system of the same family: every kind of path exists there.
fn sample(routing: &Routing) -> Option<Routing> {
    let shape = routing.geometry().topology().family().dragonfly()?;
    let parallel = routing.geometry().topology().links_per_group_pair().min(2);
    let groups = shape.groups.min(4);
    let routers = shape.routers_per_group.min(3);
    let needed = groups.saturating_sub(1) * parallel;
    let small = Shape {
        groups,
        routers_per_group: routers,
        nodes_per_router: 1,
        // At least two, so that a router can lead to two other groups.
        global_ports_per_router: needed.div_ceil(routers).max(2.min(needed)),
        arrangement: shape.arrangement,
    };
    let topology = Topology::dragonfly(small).ok()?;
    let geometry = Geometry::new(Arc::new(topology));
    let copy = Routing::new(geometry, *routing.rule());
    Some(copy.with_virtual_channels(routing.virtual_channels()))
}

fn walk(
    routing: &Routing,
    (source, target): (NodeId, NodeId),
    edges: &mut BTreeMap<Class, BTreeSet<Class>>,
    (draw, coin): (&mut Stream, &mut Stream),
) {
    let topology = routing.geometry().topology();
    let mut here = topology.router_of(source);
    let mut arrival = LinkKind::Host;
    let mut previous: Option<Class> = None;
    let mut packet = PacketRoute {
        target,
        intermediate: RouterId(0),
        plan: Plan::Fresh,
    };
    loop {
        let hop = routing.route(here, arrival, &mut packet, &mut Coin(coin), draw);
        let Some(Attachment::Router(next, _)) = topology.neighbour(here, hop.port) else {
            return;
        };
        let class = (topology.port_kind(hop.port), hop.vc);
        edges.entry(class).or_default();
        if let Some(previous) = previous {
            edges.entry(previous).or_default().insert(class);
        }
        previous = Some(class);
        here = next;
        arrival = class.0;
    }
}

fn find_cycle(edges: &BTreeMap<Class, BTreeSet<Class>>) -> Option<Vec<Class>> {
    let mut done = BTreeSet::new();
    for start in edges.keys() {
        let mut path = Vec::new();
        if let Some(cycle) = visit(*start, edges, &mut done, &mut path) {
            return Some(cycle);
        }
    }
    None
}

fn visit(
    class: Class,
    edges: &BTreeMap<Class, BTreeSet<Class>>,
    done: &mut BTreeSet<Class>,
    path: &mut Vec<Class>,
) -> Option<Vec<Class>> {
    if let Some(first) = path.iter().position(|seen| *seen == class) {
        return Some(path[first..].to_vec());
    }
    if done.contains(&class) {
        return None;
    }
    path.push(class);
    for next in edges.get(&class).into_iter().flatten() {
        if let Some(cycle) = visit(*next, edges, done, path) {
            return Some(cycle);
        }
    }
    path.pop();
    done.insert(class);
    None
}
