//! Shapes, observations and walks for tests of the whole registry.

use std::sync::Arc;

use odonata_routing::geometry::Geometry;
use odonata_routing::{
    Algorithm, Arrival, ENTRIES, Entry, Estimate, Hop, Mode, NO_WAYPOINT, Observation, PacketRoute,
    PathState, PrecomputedHop, QTable, RouterLocation, Routing, Rule, Weights,
};
use odonata_topology::{Arrangement, Attachment, LinkKind, PortIndex, Shape, Topology};
use odonata_units::{NodeId, Purpose, RouterId, Stream};
use proptest::prelude::Strategy;
use proptest::sample::select;

/// A shape by its letters: g, a, p, h.
pub(crate) const fn shape(g: u32, a: u32, p: u32, h: u32, arrangement: Arrangement) -> Shape {
    Shape {
        groups: g,
        routers_per_group: a,
        nodes_per_router: p,
        global_ports_per_router: h,
        arrangement,
    }
}

/// One of every kind of system: g, a, p, h.
pub(crate) const SIZES: [(u32, u32, u32, u32); 12] = [
    // Balanced (a = 2 p = 2 h), one link per pair of groups.
    (9, 4, 2, 2),
    (3, 2, 1, 1),
    // Fewer links than routers, ports left over, few groups.
    (5, 3, 2, 2),
    (4, 5, 1, 1),
    // Parallel links: on one router and on several.
    (3, 3, 1, 4),
    (4, 2, 1, 3),
    (2, 3, 2, 2),
    // Two groups with one link; one group; one router.
    (2, 1, 2, 1),
    (1, 4, 2, 0),
    (1, 1, 3, 0),
    // One router in each group: no local links.
    (5, 1, 2, 4),
    (3, 1, 1, 4),
];

/// All sizes under all arrangements.
pub(crate) fn shapes() -> impl Iterator<Item = Shape> {
    SIZES.into_iter().flat_map(|(g, a, p, h)| {
        Arrangement::ALL
            .into_iter()
            .map(move |arrangement| shape(g, a, p, h, arrangement))
    })
}

/// Any small shape, with one link per pair of groups or more.
pub(crate) fn any_shape() -> impl Strategy<Value = Shape> {
    (
        1..7_u32,
        1..5_u32,
        1..3_u32,
        0..4_u32,
        select(&Arrangement::ALL[..]),
    )
        .prop_map(|(groups, routers, nodes, more, arrangement)| {
            let needed = (groups - 1).div_ceil(routers);
            let ports = if groups == 1 { 0 } else { needed + more };
            shape(groups, routers, nodes, ports, arrangement)
        })
}

pub(crate) fn dragonfly(shape: &Shape) -> Arc<Topology> {
    Arc::new(Topology::dragonfly(shape.clone()).unwrap())
}

/// One mode on a system.
pub(crate) fn with_mode(topology: &Arc<Topology>, mode: Mode) -> Routing {
    Routing::new(Geometry::new(Arc::clone(topology)), vec![mode], false).unwrap()
}

pub(crate) fn routing(topology: &Arc<Topology>, entry: &Entry) -> Routing {
    with_mode(topology, entry.mode())
}

/// The entries that work on one-dimensional dragonflies.
pub(crate) fn entries() -> impl Iterator<Item = &'static Entry> {
    ENTRIES
        .iter()
        .filter(|entry| entry.families.contains(&"dragonfly"))
}

/// Whether routers keep tables and learn.
pub(crate) const fn learns(entry: &Entry) -> bool {
    matches!(entry.algorithm, Algorithm::QAdaptive(_))
}

/// The same rule with numbers under which random observations lead to either way.
pub(crate) const fn unbiased(rule: Rule) -> Rule {
    Rule {
        weights: Weights::Scale,
        scale: 1,
        bias: 0,
        bias_packets: 0,
        bias_percent: 0,
        bias_step: 0,
        threshold: 0,
        ..rule
    }
}

/// The same for an entry: what is said of all its paths must not hang on its numbers.
pub(crate) fn with_every_path(entry: &Entry) -> Entry {
    let algorithm = match entry.algorithm {
        Algorithm::Rule(rule) => Algorithm::Rule(unbiased(rule)),
        Algorithm::Ports(ports) => Algorithm::Ports(odonata_routing::PortRule {
            rule: unbiased(ports.rule),
            ..ports
        }),
        learner @ Algorithm::QAdaptive(_) => learner,
    };
    Entry {
        algorithm,
        ..*entry
    }
}

/// What one call of [`Observation::flits`] asked for.
pub(crate) type Asked = (PortIndex, Option<u8>, Estimate);

/// Answers by a function and notes every question.
pub(crate) struct Eyes<F> {
    pub(crate) answer: F,
    pub(crate) asked: Vec<Asked>,
    pub(crate) table: Option<QTable>,
}

impl<F: FnMut(Asked) -> u32> Eyes<F> {
    pub(crate) const fn new(answer: F) -> Self {
        Self {
            answer,
            asked: Vec::new(),
            table: None,
        }
    }
}

impl<F: FnMut(Asked) -> u32> Observation for Eyes<F> {
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32 {
        self.asked.push((port, vc, estimate));
        (self.answer)((port, vc, estimate))
    }

    fn table(&self) -> Option<&QTable> {
        self.table.as_ref()
    }
}

/// A table with random estimates on connected ports.
fn any_table(routing: &Routing, here: RouterId, seed: u64) -> QTable {
    let mut table = routing.table(here);
    let mut draw = Stream::new(seed, Purpose::Routing, u64::from(here.0));
    let entries: Vec<_> = table.entries().map(|(row, port, _)| (row, port)).collect();
    for (row, port) in entries {
        assert!(table.set(row, port, i32::try_from(draw.below(1_000)).unwrap()));
    }
    table
}

/// An answer drawn among none, few and many flits.
pub(crate) fn any_flits(draw: &mut Stream) -> u32 {
    [0, 1, 7, 40, 100_000][draw.below(5) as usize]
}

/// One router of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) here: RouterId,
    pub(crate) arrival: Arrival,
    /// The packet before and after the decision.
    pub(crate) before: PacketRoute,
    pub(crate) after: PacketRoute,
    pub(crate) hop: Hop,
    /// Kind of the channel it left by.
    pub(crate) kind: LinkKind,
    /// What the decision looked at.
    pub(crate) asked: Vec<Asked>,
    /// What [`Routing::precomputed`] said before.
    pub(crate) precomputed: Option<PrecomputedHop>,
}

/// Most channels between routers that any algorithm takes, and then some.
const TOO_MANY: usize = 64;

/// What a plain routing says of `packet` at a router is what was `precomputed`.
fn check_plainly(
    routing: &Routing,
    location: &RouterLocation,
    arrival: Arrival,
    packet: &PacketRoute,
    precomputed: Option<PrecomputedHop>,
) {
    if routing.is_plain() {
        let plainly = routing.precomputed_plainly(
            location,
            packet.target,
            packet.path_state,
            packet.intermediate,
        );
        let (hop, status) = plainly.expect("there is one mode");
        let at_gateway = status.is_determined_at_gateway() && arrival.kind.is_local();
        let is_precomputed = status.is_determined() || at_gateway;
        let expected = precomputed.map(|precomputed| (precomputed.hop, precomputed.is_at_gateway));
        assert_eq!(
            is_precomputed.then_some((hop, !status.is_determined())),
            expected
        );
    }
}

/// Walks a packet from `source` to its node; every step is checked for what holds always.
///
/// The last step is the one to the node.
pub(crate) fn walk(
    routing: &Routing,
    source: RouterId,
    target: NodeId,
    mut answer: impl FnMut(Asked) -> u32,
    draw: &mut Stream,
) -> Vec<Step> {
    let topology = routing.geometry().topology();
    let mut path = Vec::new();
    let mut here = source;
    let mut arrival = Arrival::FROM_NODE;
    let node = topology.nodes_of(source).next().expect("it has nodes");
    let mut packet = PacketRoute::new(node, target, 0);
    let seed = draw.clone().next_u64();
    // As a network has it that asks `route` only for what is not precomputed.
    let mut left = packet;
    loop {
        let before = packet;
        let stream = draw.clone();
        let location = routing.location(here);
        let precomputed = routing.precomputed(&location, arrival, left);
        check_plainly(routing, &location, arrival, &left, precomputed);
        let mut eyes = Eyes::new(&mut answer);
        eyes.table = routing.learns().then(|| any_table(routing, here, seed));
        let hop = routing.route(&location, arrival, &mut packet, &mut eyes, draw);
        let asked = eyes.asked;
        assert_eq!(packet.target, target, "a packet keeps its target");
        if let Some(precomputed) = precomputed {
            assert_eq!(precomputed.hop, hop, "precomputed agrees with route");
            let mut expected = stream;
            if precomputed.is_at_gateway {
                expected.skip();
                left.waypoint = NO_WAYPOINT;
                assert_eq!(packet.waypoint, NO_WAYPOINT);
            }
            assert_eq!(*draw, expected, "one number at a gateway, else nothing");
            assert_eq!(packet.intermediate, before.intermediate);
            let now_minimal =
                before.path_state == PathState::Fresh && packet.path_state == PathState::Minimal;
            // Over a detour that crosses a group and visits no router.
            let now_onward =
                before.path_state == PathState::Outward && packet.path_state == PathState::Onward;
            assert!(packet.path_state == before.path_state || now_minimal || now_onward);
        } else {
            assert_eq!(
                left.path_state.is_nonminimal(),
                before.path_state.is_nonminimal()
            );
            left = packet;
        }
        assert!(hop.vc < routing.virtual_channels());
        let end = topology.neighbour(here, hop.port);
        path.push(Step {
            here,
            arrival,
            before,
            after: packet,
            hop,
            kind: topology.port_kind(hop.port),
            asked,
            precomputed,
        });
        match end.expect("the port is connected") {
            Attachment::Node(node) => {
                assert_eq!(node, target, "delivered to its target");
                return path;
            }
            Attachment::Router(next, _) => {
                arrival = Arrival {
                    kind: topology.port_kind(hop.port),
                    vc: hop.vc,
                };
                here = next;
            }
        }
        assert!(path.len() < TOO_MANY, "astray: {path:?}");
    }
}
