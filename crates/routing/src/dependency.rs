//! Deadlock freedom, proved before a run (Dally and Seitz 1987).
//!
//! Paths of every mode are walked, with observations that make every decision go both ways, and
//! after a request its response, and its data by every mode if they are responses. Channels are
//! projected onto classes (kind, on a megafly up or down, virtual channel). If the graph of class
//! dependencies has no cycle, no channel can wait for itself: a cycle of channels would project
//! onto a cycle (or a loop) of classes.
//!
//! * An undamaged one-dimensional dragonfly is walked from every source to every target of a small sample of
//!   its family, in which every kind of path exists.
//! * A network whose links go down or come back during the run is walked in each of its states, and what is
//!   found is one graph. Rerouted packets have virtual channels of their own behind all others.
//! * Other systems are walked themselves, between all nodes of small ones and between random nodes of large
//!   ones, so that the cost is bounded. If their classes have a cycle, their channels are looked at.

use std::fmt;
use std::sync::Arc;

use odonata_topology::{Attachment, PortIndex, Shape, Topology};
use odonata_units::{NodeId, Purpose, Stream};
use thiserror::Error;

use crate::decide::Routing;
use crate::geometry::Geometry;
use crate::mode::{Algorithm, Mode, Responses};
use crate::observation::{Estimate, Observation};
use crate::packet::{Arrival, PacketRoute};
use crate::q_table::QTable;
use crate::rule::{Ordered, Rule};

mod graph;

pub use graph::ChannelClass;
use graph::DependencyGraph;

/// A cycle of channels, or of classes of channels, that can wait for each other.
#[derive(Debug, Error, PartialEq, Eq)]
pub struct CyclicDependency {
    /// Each waits for the next and the last for the first.
    pub cycle: Vec<ChannelClass>,
}

impl fmt::Display for CyclicDependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "channels can wait for each other in a cycle: ")?;
        for one in &self.cycle {
            write!(f, "{one} -> ")?;
        }
        match self.cycle.first() {
            Some(first) => write!(f, "{first}"),
            None => Ok(()),
        }
    }
}

/// Flits that a coin shows in place of none.
const HEADS: u32 = 1 << 20;

/// Observation that makes comparisons come out at random.
struct Coin<'a> {
    draw: &'a mut Stream,
    table: Option<&'a QTable>,
}

impl Observation for Coin<'_> {
    fn flits(&mut self, _: PortIndex, _: Option<u8>, _: Estimate) -> u32 {
        if self.draw.below(2) == 0 { 0 } else { HEADS }
    }

    fn table(&self) -> Option<&QTable> {
        self.table
    }
}

/// Walks between each two nodes of a sample, per mode.
const DRAWS: u32 = 96;
/// Walks on a system itself, per mode.
const WALKS: u32 = 24_000;
/// Steps after which a walk is given up; no path is that long.
const TOO_LONG: usize = 1_000;

/// Checks that `routing` (with its number of virtual channels) cannot deadlock.
///
/// Cost: some 10^5 routing calls per mode, whatever the size of the system.
///
/// # Errors
/// [`CyclicDependency`] names the cycle.
pub fn check_dependencies(routing: &Routing) -> Result<(), CyclicDependency> {
    if let Some(changes) = routing.changes()
        && let Some(rerouting) = changes.rerouting()
    {
        check_together(changes.states())?;
        return check_dependencies(rerouting);
    }
    let samples = samples(routing);
    if !samples.is_empty() {
        let mut waits = DependencyGraph::of_classes();
        for sample in samples {
            Walker::new(&sample).walk_all(DRAWS, &mut waits);
        }
        return match waits.cycle() {
            Some(cycle) => Err(CyclicDependency { cycle }),
            None => Ok(()),
        };
    }
    let topology = routing.geometry().topology();
    if topology.group_count() == 1 && topology.router_count() == 1 {
        return Ok(());
    }
    check_together(std::slice::from_ref(routing))
}

/// Checks that packets of these routings, all of them in one network, cannot deadlock: packets that
/// began before links went down or came back are among those that began after.
fn check_together(routings: &[Routing]) -> Result<(), CyclicDependency> {
    let eager = |routing: &Routing| eager(routing, routing.geometry().clone());
    let eager: Vec<Routing> = routings.iter().filter_map(eager).collect();
    for mut waits in [
        DependencyGraph::of_classes(),
        DependencyGraph::of_channels(),
    ] {
        for one in &eager {
            Walker::new(one).walk_some(&mut waits);
        }
        match waits.cycle() {
            None => return Ok(()),
            Some(cycle) if waits.is_of_channels() => return Err(CyclicDependency { cycle }),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Routings by the same modes on small systems of the same family, which have every kind of path.
fn samples(routing: &Routing) -> Vec<Routing> {
    let topology = routing.geometry().topology();
    let Some(shape) = topology.family().dragonfly() else {
        return Vec::new();
    };
    // Which ports are at hand depends on the wiring: rules on ports are walked on the system
    // itself.
    let is_wired = |mode: &Mode| matches!(mode.algorithm, Algorithm::Ports(_));
    if topology.is_damaged() || routing.modes().iter().any(is_wired) {
        return Vec::new();
    }
    let parallel = topology.links_per_group_pair().min(2);
    let groups = shape.groups.min(4);
    let routers = shape.routers_per_group.min(3);
    let needed = groups.saturating_sub(1) * parallel;
    // As many global ports as are needed, so that gateways are different routers; and at least two,
    // so that a router can lead to two other groups.
    let few = needed.div_ceil(routers);
    let mut ports = vec![few, few.max(2.min(needed))];
    ports.dedup();
    let of = |global_ports_per_router| {
        let small = Shape {
            groups,
            routers_per_group: routers,
            nodes_per_router: 1,
            global_ports_per_router,
            arrangement: shape.arrangement,
        };
        let topology = Topology::dragonfly(small).ok()?;
        eager(routing, Geometry::new(Arc::new(topology)))
    };
    ports.into_iter().filter_map(of).collect()
}

/// The largest bias of a comparison under `rule`, by its size.
fn largest_bias(rule: &Rule) -> i64 {
    let steps = rule
        .bias_step
        .saturating_abs()
        .saturating_mul(u8::MAX.into());
    rule.bias.saturating_abs().saturating_add(steps)
}

/// What paths an algorithm can take, as an algorithm: numbers of a comparison that the coin
/// decides either way make no difference.
fn paths_of(algorithm: &Algorithm) -> Algorithm {
    let bound = i64::from(HEADS / 2);
    match algorithm {
        Algorithm::Rule(rule)
            if rule.scale > 0
                && i64::from(rule.threshold) < bound
                && largest_bias(rule) < bound =>
        {
            Algorithm::Rule(Rule {
                scale: 1,
                bias: 0,
                bias_percent: 0,
                bias_step: 0,
                threshold: 0,
                flow_gap_ns: 0,
                ..*rule
            })
        }
        other => *other,
    }
}

/// A routing by the same modes and virtual channels on `geometry`, with rare choices made often;
/// of modes with the same paths it has the first.
fn eager(routing: &Routing, geometry: Geometry) -> Option<Routing> {
    let often = |mode: &Mode| {
        let mut mode = mode.clone();
        if let Algorithm::QAdaptive(learner) = &mut mode.algorithm {
            learner.epsilon = 0.5;
        }
        // An ordered packet takes the path of some packet that is not.
        mode.algorithm = mode.algorithm.ordering(Ordered::None);
        mode
    };
    let mut paths = Vec::new();
    let is_new = |mode: &&Mode| {
        let own = paths_of(&mode.algorithm.ordering(Ordered::None));
        let is_new = !paths.contains(&own);
        paths.push(own);
        is_new
    };
    let modes = routing.modes().iter().filter(is_new).map(often).collect();
    let copy = Routing::new(geometry, modes, routing.responses()).ok()?;
    Some(copy.with_virtual_channels(routing.virtual_channels()))
}

/// The first and the last channel between routers of a path.
#[derive(Clone, Copy)]
struct PathEnds {
    first: ChannelClass,
    last: ChannelClass,
}

/// Sends packets through a system.
struct Walker<'a> {
    routing: &'a Routing,
    /// The last channels of the requests that are answered.
    ends: Vec<ChannelClass>,
    tables: Vec<QTable>,
    draw: Stream,
    coin: Stream,
}

impl<'a> Walker<'a> {
    fn new(routing: &'a Routing) -> Self {
        let topology = routing.geometry().topology();
        let tables = if routing.learns() {
            let routers = topology.routers();
            routers.map(|router| routing.table(router)).collect()
        } else {
            Vec::new()
        };
        Self {
            routing,
            ends: Vec::new(),
            tables,
            draw: Stream::new(0, Purpose::Routing, 0),
            coin: Stream::new(0, Purpose::Routing, 1),
        }
    }

    fn modes(&self) -> std::ops::Range<u8> {
        0..self.routing.response_mode()
    }

    /// Walks from every node to every other one, `draws` times.
    fn walk_all(&mut self, draws: u32, waits: &mut DependencyGraph) {
        let nodes = self.routing.geometry().topology().node_count();
        for source in 0..nodes {
            for target in (0..nodes).filter(|target| *target != source) {
                for _ in 0..draws {
                    self.exchange(NodeId(source), NodeId(target), waits);
                }
            }
        }
    }

    /// Between all nodes of a small system, or random ones of a large one.
    fn walk_some(&mut self, waits: &mut DependencyGraph) {
        let nodes = self.routing.geometry().topology().node_count();
        let pairs = u64::from(nodes) * u64::from(nodes.saturating_sub(1));
        if pairs == 0 {
            return;
        }
        if let Ok(pairs) = u32::try_from(pairs)
            && pairs <= WALKS
        {
            self.walk_all((WALKS / pairs).clamp(1, DRAWS), waits);
            return;
        }
        for _ in 0..WALKS {
            let source = self.coin.below(nodes);
            let mut target = self.coin.below(nodes - 1);
            target += u32::from(target >= source);
            self.exchange(NodeId(source), NodeId(target), waits);
        }
    }

    /// A request by every mode, and what answers each of them: the response, and data by every
    /// mode.
    fn exchange(&mut self, source: NodeId, target: NodeId, waits: &mut DependencyGraph) {
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        for mode in self.modes() {
            let request = PacketRoute::new(source, target, mode);
            let path = self.walk(request, waits);
            ends.extend(path.map(|path| path.last));
        }
        let has_data = self.routing.responses() == Responses::Data;
        let data = self.modes().filter(|_| has_data);
        let data = data.map(|mode| self.routing.data_mode(mode));
        let has_responses = self.routing.has_responses();
        let response = has_responses.then(|| self.routing.response_mode());
        for mode in response.into_iter().chain(data) {
            let answer = PacketRoute::new(target, source, mode);
            if let Some(path) = self.walk(answer, waits) {
                for end in &ends {
                    waits.add(Some(*end), path.first);
                }
            }
        }
        self.ends = ends;
    }

    /// Walks `packet` to its node; returns the channels between routers at the ends of its path.
    fn walk(&mut self, mut packet: PacketRoute, waits: &mut DependencyGraph) -> Option<PathEnds> {
        let geometry = self.routing.geometry();
        let topology = geometry.topology();
        let mut here = topology.router_of(packet.source);
        let mut arrival = Arrival::FROM_NODE;
        let mut path: Option<PathEnds> = None;
        for _ in 0..TOO_LONG {
            let mut coin = Coin {
                draw: &mut self.coin,
                table: self.tables.get(here.index()),
            };
            let location = self.routing.location(here);
            let hop =
                self.routing
                    .route(&location, arrival, &mut packet, &mut coin, &mut self.draw);
            let Some(Attachment::Router(next, _)) = topology.neighbour(here, hop.port) else {
                break;
            };
            let kind = topology.port_kind(hop.port);
            let has_levels = topology.family().has_levels();
            let one = ChannelClass {
                kind,
                up: (has_levels && kind.is_local()).then(|| geometry.is_leaf(here)),
                vc: hop.vc,
                routers: Some((here, next)),
            };
            waits.add(path.map(|path| path.last), one);
            let first = path.map_or(one, |path| path.first);
            path = Some(PathEnds { first, last: one });
            here = next;
            arrival = Arrival { kind, vc: hop.vc };
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odonata_topology::{Arrangement, Shape, Topology};

    use super::eager;
    use crate::{Algorithm, Geometry, Mode, Routing, Rule, entry};

    #[test]
    fn modes_that_differ_in_a_bias_are_walked_once() {
        let shape = Shape {
            groups: 5,
            routers_per_group: 4,
            nodes_per_router: 2,
            global_ports_per_router: 1,
            arrangement: Arrangement::ALL[0],
        };
        let geometry = Geometry::new(Arc::new(Topology::dragonfly(shape).unwrap()));
        let mode = |name: &str, bias: Option<i64>| {
            let mut algorithm = entry(name).unwrap().algorithm;
            if let (Algorithm::Rule(rule), Some(bias)) = (&mut algorithm, bias) {
                *rule = Rule { bias, ..*rule };
            }
            Mode {
                name: name.to_owned(),
                algorithm,
            }
        };
        let modes = vec![
            mode("adaptive-0", None),
            mode("adaptive-3", None),
            mode("minimal", None),
            // Never diverts, whatever the coin shows.
            mode("adaptive-0", Some(1 << 40)),
        ];
        let routing = Routing::new(geometry.clone(), modes, true).unwrap();
        let eager = eager(&routing, geometry).unwrap();
        let kept: Vec<_> = eager
            .modes()
            .iter()
            .map(|mode| mode.name.as_str())
            .collect();
        assert_eq!(kept, ["adaptive-0", "minimal", "adaptive-0"]);
        assert_eq!(eager.virtual_channels(), routing.virtual_channels());
    }
}
