//! Q-adaptive: what is decided on which table, draw for draw.
//!
//! On 9 groups of 4 routers (p 2, h 2, absolute): group g's channel c leads to group c, or c + 1
//! from c = g on; router r of a group has channels 2 r and 2 r + 1. Ports: 0 and 1 nodes, 2 to 4 the other
//! routers, 5 and 6 global.

use odonata_routing::{
    Arrival, Estimate, Hop, Mode, Observation, PacketRoute, PathState, QTable, Routing, build_mode,
};
use odonata_topology::{Arrangement, LinkKind, PortIndex};
use odonata_units::{NodeId, Purpose, RouterId, Stream};
use serde_json::{Value, json};

use crate::walk::{dragonfly, shape, with_mode};

fn mode(parameters: &Value) -> Mode {
    build_mode("q-adaptive", parameters.as_object().unwrap()).unwrap()
}

fn system(parameters: &Value) -> Routing {
    let topology = dragonfly(&shape(9, 4, 2, 2, Arrangement::Absolute));
    with_mode(&topology, mode(parameters))
}

/// Never a random port.
fn quiet() -> Routing {
    system(&json!({"epsilon": 0.0}))
}

struct Table(QTable);

impl Observation for Table {
    fn flits(&mut self, _: PortIndex, _: Option<u8>, _: Estimate) -> u32 {
        unreachable!("Q-adaptive looks at no queue")
    }

    fn table(&self) -> Option<&QTable> {
        Some(&self.0)
    }
}

/// A table of `here` whose row of `packet` is `values`, for ports 2 to 6.
fn table(routing: &Routing, here: RouterId, packet: &PacketRoute, values: [i32; 5]) -> Table {
    let mut table = routing.table(here);
    let row = routing.row(packet.source, packet.target);
    for (port, value) in (2..).map(PortIndex).zip(values) {
        assert!(table.set(row, port, value));
    }
    Table(table)
}

fn packet(source: u32, target: u32, path_state: PathState) -> PacketRoute {
    PacketRoute {
        path_state,
        ..PacketRoute::new(NodeId(source), NodeId(target), 0)
    }
}

const fn over(kind: LinkKind, vc: u8) -> Arrival {
    Arrival { kind, vc }
}

/// Port, VC and path state of a packet at `here` with `values` in its row.
fn decide(
    routing: &Routing,
    here: u32,
    arrival: Arrival,
    mut packet: PacketRoute,
    values: [i32; 5],
    draw: &mut Stream,
) -> (u16, u8, PathState) {
    let here = RouterId(here);
    let mut table = table(routing, here, &packet, values);
    let Hop { port, vc } = routing.route(
        &routing.location(here),
        arrival,
        &mut packet,
        &mut table,
        draw,
    );
    (port.0, vc, packet.path_state)
}

fn stream() -> Stream {
    Stream::new(7, Purpose::Routing, 0)
}

/// Direct link: the latency of a global link; else that of a local one on top. A row is (group,
/// source node modulo 2), the same at every router.
#[test]
fn a_fresh_table_holds_link_latencies() {
    let routing = quiet();
    assert!(routing.learns() && !routing.reads_credits());
    // Router 1 of group 0 has channels 2 and 3: to groups 3 and 4.
    let table = routing.table(RouterId(1));
    let entries: Vec<_> = table.entries().map(|(_, _, value)| value).collect();
    assert_eq!(entries.len(), 9 * 2 * 5);
    for row in 0..18 {
        let expected = match row / 2 {
            3 => [330, 330, 330, 300, 330],
            4 => [330, 330, 330, 330, 300],
            _ => [330; 5],
        };
        assert_eq!(entries[row * 5..][..5], expected, "{row}");
        let least = expected.iter().min().unwrap();
        assert_eq!(
            table.least(u32::try_from(row).unwrap()),
            u32::try_from(*least).unwrap()
        );
    }
    // Node 24 is on router 12, in group 3.
    assert_eq!(routing.row(NodeId(0), NodeId(24)), 6);
    assert_eq!(routing.row(NodeId(5), NodeId(25)), 7);
    let other = system(&json!({"global_ns": 700, "local_ns": 0}));
    assert!(
        other
            .table(RouterId(0))
            .entries()
            .all(|(_, _, value)| value == 700)
    );
}

/// Ports left over when the links do not use them all are no choice.
#[test]
fn unconnected_ports_are_never_best() {
    let topology = dragonfly(&shape(5, 3, 2, 2, Arrangement::Absolute));
    let routing = with_mode(&topology, mode(&json!({"epsilon": 1.0})));
    let unused: usize = topology
        .routers()
        .map(|router| {
            let table = routing.table(router);
            let ports =
                topology.ports(LinkKind::Local).len() + topology.ports(LinkKind::Global).len();
            let missing = 10 * ports - table.entries().count();
            let ports = topology.ports(LinkKind::Global).map(PortIndex);
            let open = ports.filter(|port| topology.neighbour(router, *port).is_none());
            assert_eq!(missing, open.count() * 10);
            missing
        })
        .sum();
    assert!(unused > 0);
}

/// Router 0 to group 3: minimal is port 2 (router 1). Savings of a fifth and more divert.
#[test]
fn the_source_takes_the_best_port_unless_the_minimal_one_is_close() {
    let routing = quiet();
    let mut draw = stream();
    let (at, arrival) = (0, over(LinkKind::Host, 0));
    let fresh = packet(0, 24, PathState::Fresh);
    for (values, expected) in [
        // (1000 - 801) / 1000 is less than 0.2, (1000 - 800) / 1000 is not.
        (
            [1_000, 2_000, 2_000, 2_000, 801],
            (2, 0, PathState::Minimal),
        ),
        (
            [1_000, 2_000, 2_000, 2_000, 800],
            (6, 0, PathState::Outward),
        ),
        // The lowest port on a tie: local before global.
        ([1_000, 2_000, 500, 500, 500], (4, 0, PathState::Outward)),
        ([500, 500, 500, 500, 500], (2, 0, PathState::Minimal)),
        ([0, 0, 0, 0, 0], (2, 0, PathState::Minimal)),
    ] {
        assert_eq!(
            decide(&routing, at, arrival, fresh, values, &mut draw),
            expected
        );
    }
    // A router that holds the link: port 5 is minimal.
    let (at, arrival) = (1, over(LinkKind::Host, 0));
    let fresh = packet(2, 24, PathState::Fresh);
    let values = [240, 900, 900, 300, 900];
    assert_eq!(
        decide(&routing, at, arrival, fresh, values, &mut draw),
        (2, 0, PathState::Outward)
    );
    let values = [241, 900, 900, 300, 900];
    assert_eq!(
        decide(&routing, at, arrival, fresh, values, &mut draw),
        (5, 0, PathState::Minimal)
    );
}

/// After its source router, in its own group, a packet goes minimally whatever the table says.
#[test]
fn nothing_is_asked_between_the_two_decisions() {
    let routing = quiet();
    let mut draw = stream();
    let tempting = [1, 1, 1, 1, 1];
    // Sent to router 2 of group 0 on the way to group 3: on to router 1, which is port 3 there.
    let (at, arrival) = (2, over(LinkKind::Local, 0));
    let outward = packet(0, 24, PathState::Outward);
    assert_eq!(
        decide(&routing, at, arrival, outward, tempting, &mut draw),
        (3, 1, PathState::Outward)
    );
    // After the second decision, at router 5 of group 1: group 3 is channel 2 there, router 5 port 5.
    let onward = packet(0, 24, PathState::Onward);
    let (at, arrival) = (5, over(LinkKind::Local, 1));
    assert_eq!(
        decide(&routing, at, arrival, onward, tempting, &mut draw),
        (5, 2, PathState::Onward)
    );
    // In the target group: straight to the router, then to the node on the VC it came on.
    let (at, arrival) = (13, over(LinkKind::Global, 3));
    assert_eq!(
        decide(&routing, at, arrival, onward, tempting, &mut draw),
        (2, 4, PathState::Onward)
    );
    let (at, arrival) = (12, over(LinkKind::Local, 4));
    assert_eq!(
        decide(&routing, at, arrival, onward, tempting, &mut draw),
        (0, 4, PathState::Onward)
    );
    assert_eq!(draw, stream(), "no draw");
}

/// At the first router of an intermediate group: its own link is taken unasked; else one random
/// other router against the minimal port, 35 %.
#[test]
fn the_intermediate_group_asks_about_one_random_router() {
    let routing = quiet();
    let outward = packet(0, 24, PathState::Outward);
    let mut draw = stream();
    let unasked = decide(
        &routing,
        5,
        over(LinkKind::Global, 0),
        outward,
        [1; 5],
        &mut draw,
    );
    assert_eq!(unasked, (5, 1, PathState::Onward));
    assert_eq!(draw, stream());
    // Router 4 (position 0 in group 1): minimal is port 2, towards router 5.
    let (at, arrival) = (4, over(LinkKind::Global, 0));
    let mut ports = [0_u32; 7];
    for _ in 0..3_000 {
        let before = draw.clone();
        // 1000 -> 650 saves just 35 %; the port to router 7 saves a little less.
        let (port, vc, path_state) = decide(
            &routing,
            at,
            arrival,
            outward,
            [1_000, 650, 651, 1, 1],
            &mut draw,
        );
        assert_eq!((vc, path_state), (1, PathState::Onward));
        let mut expected = before;
        let other = expected.below(3);
        expected.next_u64();
        assert_eq!(
            draw, expected,
            "one router is drawn, and the dice of epsilon"
        );
        assert_eq!(port, if other == 1 { 3 } else { 2 });
        ports[usize::from(port)] += 1;
    }
    // A third of the draws, within 5 sigma of 26.
    assert!(ports[3].abs_diff(1_000) < 130, "{ports:?}");
    // A candidate that is worse leaves it minimal.
    let worse = decide(
        &routing,
        at,
        arrival,
        outward,
        [100, 101, 101, 1, 1],
        &mut draw,
    );
    assert_eq!(worse.0, 2);
}

/// With probability epsilon a random one of all connected router ports, at both decisions.
#[test]
fn epsilon_takes_any_port() {
    let routing = system(&json!({"epsilon": 1.0}));
    let mut draw = stream();
    for (here, arrival, path_state) in [
        (0, over(LinkKind::Host, 0), PathState::Fresh),
        (4, over(LinkKind::Global, 0), PathState::Outward),
    ] {
        let mut ports = [0_u32; 7];
        for _ in 0..5_000 {
            let (port, _, after) = decide(
                &routing,
                here,
                arrival,
                packet(0, 24, path_state),
                [330; 5],
                &mut draw,
            );
            ports[usize::from(port)] += 1;
            let is_minimal = path_state == PathState::Fresh && port == 2;
            assert_eq!(after == PathState::Minimal, is_minimal);
        }
        // Each of five ports a fifth of the time, within 5 sigma of 28.
        let even = ports[2..].iter().all(|count| count.abs_diff(1_000) < 140);
        assert!(even && ports[..2] == [0, 0], "{ports:?}");
    }
}

/// No packet has more than five hops, however often a random port is taken, and every packet gets
/// a higher VC with each hop.
#[test]
fn five_virtual_channels_suffice() {
    let topology = dragonfly(&shape(9, 4, 2, 2, Arrangement::Absolute));
    let routing = with_mode(&topology, mode(&json!({"epsilon": 0.7})));
    let mut draw = stream();
    let mut longest = 0;
    for round in 0..12 {
        for source in topology.routers() {
            for target in topology.nodes() {
                let path = crate::walk::walk(&routing, source, target, |_| 0, &mut draw);
                let vcs = path[..path.len() - 1]
                    .iter()
                    .map(|step| usize::from(step.hop.vc));
                assert!(vcs.eq(0..path.len() - 1), "{round} {path:#?}");
                longest = longest.max(path.len() - 1);
            }
        }
    }
    assert_eq!(longest, 5);
}
