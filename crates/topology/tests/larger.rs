//! Random larger systems, up to the limits: the properties of the small world hold there too.
#![expect(clippy::panic, reason = "helpers of tests may fail the test")]

use odonata_topology::{Arrangement, Attachment, LinkKind, PortIndex, Shape, Topology};
use odonata_units::{GroupId, NodeId, RouterId};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::select;

/// Shapes of up to 48 routers per group and 24 global ports each, with any legal number of groups.
fn shapes() -> impl Strategy<Value = Shape> {
    let parts = (
        1_u32..=32,
        1_u32..=48,
        1_u32..=24,
        0.0..1.0_f64,
        select(&Arrangement::ALL),
    );
    parts.prop_map(|(p, a, h, fill, arrangement)| Shape {
        groups: 2 + fraction(fill, a * h),
        routers_per_group: a,
        nodes_per_router: p,
        global_ports_per_router: h,
        arrangement,
    })
}

/// An integer in `[0, bound)`, in proportion to `fill` in `[0, 1)`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product lies in [0, bound)"
)]
fn fraction(fill: f64, bound: u32) -> u32 {
    (fill * f64::from(bound)) as u32
}

proptest! {
    #[test]
    fn random_ports_and_nodes(shape in shapes(), picks in any::<[u32; 4]>()) {
        let dragonfly = Topology::dragonfly(shape).unwrap();
        let router = RouterId(picks[0] % dragonfly.router_count());
        let group = dragonfly.group_of(router);
        prop_assert!(dragonfly.routers_of(group).any(|member| member == router));
        for port in (0..dragonfly.radix()).map(PortIndex) {
            let source = Attachment::Router(router, port);
            let Some(target) = dragonfly.opposite(source) else {
                prop_assert_eq!(dragonfly.port_kind(port), LinkKind::Global);
                prop_assert_eq!(dragonfly.output_channel(router, port), None);
                continue;
            };
            prop_assert_eq!(dragonfly.opposite(target), Some(source));
            prop_assert!(dragonfly.output_channel(router, port).is_some());
            if let (LinkKind::Global, Attachment::Router(far, _)) =
                (dragonfly.port_kind(port), target)
            {
                let beyond = dragonfly.group_of(far);
                prop_assert!(dragonfly.direct_ports(router, beyond).contains(&port));
                prop_assert!(dragonfly.global_channels(group, beyond).contains(&(router, port)));
            }
        }
        let node = NodeId(picks[1] % dragonfly.node_count());
        let at = dragonfly.node_at(dragonfly.router_of(node), dragonfly.host_port(node));
        prop_assert_eq!(at, Some(node));
    }

    #[test]
    fn random_pairs(shape in shapes(), picks in any::<[u32; 2]>()) {
        let dragonfly = Topology::dragonfly(shape).unwrap();
        let [from, to] = picks.map(|pick| RouterId(pick % dragonfly.router_count()));
        let (source, target) = (dragonfly.group_of(from), dragonfly.group_of(to));
        let there = dragonfly.global_channels(source, target);
        let links = if source == target { 0 } else { dragonfly.links_per_group_pair() };
        prop_assert_eq!(there.len(), links as usize);
        prop_assert!(there.is_sorted());
        let direct = there.iter().filter(|end| end.0 == from).map(|end| end.1);
        prop_assert!(direct.eq(dragonfly.direct_ports(from, target).iter().copied()));
        prop_assert_eq!(dragonfly.minimal_hops(from, to), walk(&dragonfly, from, to));
        prop_assert!(dragonfly.minimal_hops(from, to) <= dragonfly.summary().diameter_hops);
    }

    #[test]
    fn any_numbers_are_built_or_refused(
        numbers in any::<[u32; 4]>(),
        shifts in proptest::array::uniform4(8_u32..32),
        arrangement in select(&Arrangement::ALL),
    ) {
        let [p, a, h, g] = std::array::from_fn(|i| numbers[i] >> shifts[i]);
        let shape = Shape {
            // Memory, not the limits, bounds what a test can build.
            groups: g.min(200),
            routers_per_group: a,
            nodes_per_router: p,
            global_ports_per_router: h,
            arrangement,
        };
        match Topology::dragonfly(shape) {
            Ok(dragonfly) => prop_assert!(dragonfly.node_count() > 0),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

/// Hops of the best minimal path, by walking every one of them link by link.
fn walk(dragonfly: &Topology, from: RouterId, to: RouterId) -> u32 {
    let (source, target) = (dragonfly.group_of(from), dragonfly.group_of(to));
    if source == target {
        return u32::from(!dragonfly.local_ports(from, to).is_empty());
    }
    let mut fewest = u32::MAX;
    for &(near, port) in dragonfly.global_channels(source, target) {
        let Some(Attachment::Router(far, _)) = dragonfly.neighbour(near, port) else {
            panic!("a global channel leads nowhere");
        };
        let first = u32::from(!dragonfly.local_ports(from, near).is_empty());
        let last = u32::from(!dragonfly.local_ports(far, to).is_empty());
        fewest = fewest.min(first + 1 + last);
    }
    fewest
}

#[test]
fn systems_of_the_literature() {
    // (p, a, h, g), nodes, links per pair, minimal paths, unconnected ports per group.
    for ((p, a, h, g), nodes, links, left_over) in [
        ((2, 4, 2, 9), 72, 1, 0),          // BookSim2, k = 2
        ((4, 8, 4, 33), 1_056, 1, 0),      // Kang et al. 2022
        ((5, 10, 5, 51), 2_550, 1, 0),     // Kang et al. 2022, earlier study
        ((8, 16, 8, 65), 8_320, 2, 0),     // Mubarak et al. 2019
        ((9, 18, 9, 19), 3_078, 9, 0),     // CODES example
        ((16, 32, 16, 129), 66_048, 4, 0), // four links per pair
        ((16, 32, 7, 74), 37_888, 3, 5),   // a Slingshot-like machine
    ] {
        for arrangement in Arrangement::ALL {
            let dragonfly = Topology::dragonfly(Shape {
                groups: g,
                routers_per_group: a,
                nodes_per_router: p,
                global_ports_per_router: h,
                arrangement,
            })
            .unwrap();
            let summary = dragonfly.summary();
            assert_eq!(summary.nodes, nodes);
            assert_eq!(summary.links_per_group_pair.most, links);
            assert_eq!(summary.unconnected_global_ports, left_over * g);
            let (first, last) = (GroupId(0), GroupId(g - 1));
            assert_eq!(dragonfly.global_channels(first, last).len() as u64, links);
        }
    }
}
