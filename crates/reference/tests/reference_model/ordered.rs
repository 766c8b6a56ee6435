//! Ordered packets: engine and reference model agree, and packets of a period arrive in order.

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_network::{Architecture, Parameters};
use odonata_reference::testing::{
    Family, MessageSizes, Pattern, Plant, Rhythm, Scenario, System, Traffic, kang2022,
};
use odonata_reference::{Run, simulate};
use odonata_routing::geometry::Geometry;
use odonata_routing::{
    Algorithm, ENTRIES, Mode, NetworkChanges, Ordered, Routing, RoutingError, Rule,
};
use odonata_telemetry::PacketRecord;
use odonata_topology::{AriesShape, MegaflyShape};
use odonata_units::{Instant, NodeId, Span};

use crate::agreement::{asked_for, compare, compare_drawn, compare_rules, numbers};
use crate::properties::shape;

#[test]
fn random_scenarios_with_order_0() {
    compare_drawn(numbers(0..100), Scenario::random_with_order);
}

#[test]
fn random_scenarios_with_order_1() {
    compare_drawn(numbers(100..200), Scenario::random_with_order);
}

#[test]
fn rules_with_order_put_together_at_random() {
    compare_rules(numbers(0..200), Scenario::random_with_order);
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_order() {
    compare_drawn(asked_for(200..2_200), Scenario::random_with_order);
}

/// Half of the scenarios order packets: others have only algorithms that cannot.
#[test]
fn random_scenarios_order_packets() {
    let orders = |mode: &Mode| (mode.algorithm.rule()).map(|rule| rule.ordered);
    let with = |wanted: Ordered| {
        let all = (0..300).map(Scenario::random_with_order);
        let some = |scenario: &Scenario| {
            let mut modes = scenario.modes.iter();
            modes.any(|mode| orders(mode) == Some(wanted))
        };
        all.filter(some).count()
    };
    assert!(with(Ordered::Eager) > 80 && with(Ordered::All) > 80);
}

/// No pause ends a period of this.
const ENDLESS: u32 = 1_000_000_000;

/// A mode of the registry that orders its packets, all or those that ask for it.
fn ordering(name: &str, ordered: Ordered, flow_gap_ns: u32) -> Option<Mode> {
    let entry = ENTRIES.iter().find(|entry| entry.name == name)?;
    let rule = Rule {
        ordered,
        flow_gap_ns,
        ..*entry.algorithm.rule()?
    };
    let algorithm = Algorithm::Rule(rule);
    (entry.parameters.contains(&"ordered")).then(|| Mode {
        name: name.to_owned(),
        algorithm,
    })
}

/// Every node sends to the one so many after it.
fn scenario(plant: &Plant, mode: Mode, parameters: Parameters, load: f64, shift: u32) -> Scenario {
    Scenario {
        number: 23,
        plant: plant.clone(),
        modes: vec![mode],
        parameters,
        traffic: Traffic::OpenLoop {
            pattern: Pattern::Shift(shift),
            rhythm: Rhythm::Exponential,
            load,
            bytes: MessageSizes::all(parameters.packet_bytes.into()),
        },
        last: Instant::from_ps(6_000_000),
        until: Instant::from_ps(40_000_000),
        changes: NetworkChanges::default(),
        jobs: 1,
    }
}

fn records(scenario: &Scenario) -> Vec<PacketRecord> {
    let System {
        topology,
        routing,
        endpoints,
    } = scenario.build().unwrap();
    let Run { records, .. } = simulate(
        topology,
        &routing,
        &scenario.parameters,
        endpoints,
        scenario.until,
    );
    records
}

/// The packets of each flow, in the order in which they left, cut into periods where none left for
/// longer than `gap`.
fn periods(records: &[PacketRecord], gap: Span) -> Vec<Vec<&PacketRecord>> {
    let mut flows: BTreeMap<(NodeId, NodeId), Vec<&PacketRecord>> = BTreeMap::new();
    for record in records {
        let flow = (record.source, record.target);
        flows.entry(flow).or_default().push(record);
    }
    let mut periods = Vec::new();
    for mut flow in flows.into_values() {
        flow.sort_by_key(|record| record.sequence);
        let cut = flow.chunk_by(|one, next| next.injected - one.injected <= gap);
        periods.extend(cut.map(<[_]>::to_vec));
    }
    periods
}

/// Packets that arrive before one of their period that left earlier, and packets that take another path
/// than the one before.
fn faults(periods: &[Vec<&PacketRecord>]) -> (usize, usize) {
    let pairs = || periods.iter().flat_map(|period| period.windows(2));
    let overtaken = pairs().filter(|pair| pair[1].delivered <= pair[0].delivered);
    let strayed = pairs().filter(|pair| pair[1].path != pair[0].path);
    (overtaken.count(), strayed.count())
}

fn aries() -> Plant {
    let aries = AriesShape {
        groups: 3,
        rows: 2,
        columns: 3,
        nodes_per_router: 2,
        column_links: 3,
        global_ports_per_router: 4,
        chassis_per_cabinet: 1,
    };
    Plant::from(Family::Aries(aries))
}

/// One link for each two groups and several, leaves and spines, several local paths.
fn plants() -> [Plant; 4] {
    let megafly = MegaflyShape {
        groups: 5,
        leaf_routers_per_group: 4,
        spine_routers_per_group: 4,
        nodes_per_leaf: 2,
        links_per_group_pair: 4,
    };
    [
        Plant::from(shape(2, 4, 2, 9)),
        Plant::from(shape(2, 4, 4, 5)),
        Plant::from(Family::Megafly(megafly)),
        aries(),
    ]
}

fn architectures(parameters: Parameters) -> [Parameters; 2] {
    [Architecture::Voq, Architecture::Cioq].map(|architecture| Parameters {
        architecture,
        ..parameters
    })
}

/// Modes that order all their packets, on systems that they work on; each with the sizes of its groups.
fn all_ordering(flow_gap_ns: u32) -> Vec<(Plant, Mode)> {
    let mut found = Vec::new();
    for plant in plants() {
        let geometry = Geometry::new(Arc::new(plant.build().unwrap()));
        let modes = ENTRIES
            .iter()
            .filter_map(|entry| ordering(entry.name, Ordered::All, flow_gap_ns));
        let works = |mode: &Mode| Routing::new(geometry.clone(), vec![mode.clone()], false).is_ok();
        found.extend(modes.filter(works).map(|mode| (plant.clone(), mode)));
    }
    found
}

/// Adversarial traffic near saturation, all algorithms that order, every family, both routers: each
/// packet of a pair takes the path of the first one and arrives behind the one before it. The same
/// packets overtake each other if they are not ordered.
#[test]
fn packets_of_a_flow_arrive_in_order() {
    let endless = Span::from_ns(ENDLESS.into());
    let (mut overtaken, mut names) = (0, Vec::new());
    for (plant, mode) in all_ordering(ENDLESS) {
        for parameters in architectures(kang2022()) {
            let ordered = scenario(&plant, mode.clone(), parameters, 0.4, 8);
            assert!(compare(&ordered, &[1]) > 1_000, "{ordered:?}");
            let seen = records(&ordered);
            assert_eq!(faults(&periods(&seen, endless)), (0, 0), "{ordered:?}");
            let Some(free) = ordering(&mode.name, Ordered::None, ENDLESS) else {
                unreachable!("it was found before");
            };
            let free = scenario(&plant, free, parameters, 0.4, 8);
            overtaken += faults(&periods(&records(&free), endless)).0;
        }
        names.push(mode.name);
    }
    assert!(overtaken > 1_000, "{overtaken} unordered packets overtake");
    names.sort();
    names.dedup();
    let listed = ENTRIES
        .iter()
        .filter(|it| it.parameters.contains(&"ordered"));
    assert_eq!(names.len(), listed.count(), "{names:?}");
}

/// Flows with pauses: within a period packets keep their path and their order, and between periods many
/// choose another path.
#[test]
fn a_period_ends_with_a_gap() {
    // In a `voq` router packets of one size are routed as far apart as they leave.
    let gap = Span::from_ns(100);
    for (plant, mode) in all_ordering(100) {
        let one = scenario(&plant, mode, kang2022(), 0.15, 8);
        assert!(compare(&one, &[1]) > 500, "{one:?}");
        let seen = records(&one);
        let cut = periods(&seen, gap);
        assert_eq!(faults(&cut), (0, 0), "{one:?}");
        let long = cut.iter().filter(|period| period.len() > 1).count();
        let endless = Span::from_ns(ENDLESS.into());
        let (_, strayed) = faults(&periods(&seen, endless));
        assert!(
            long > 100 && strayed > 50,
            "{long} periods of several packets, {strayed} changes of path: {one:?}"
        );
    }
}

/// Under `Ordered::Eager` order is for messages that ask for it.
#[test]
fn only_messages_that_ask_are_ordered() {
    let endless = Span::from_ns(ENDLESS.into());
    let plant = Plant::from(shape(2, 4, 2, 9));
    let Some(mode) = ordering("ugal-node", Ordered::Eager, ENDLESS) else {
        unreachable!("`ugal-node` orders");
    };
    let one = scenario(&plant, mode, kang2022(), 0.4, 8);
    let System {
        topology,
        routing,
        endpoints,
    } = one.build().unwrap();
    assert_eq!(routing.ordered_mode(0), 1);
    // The endpoints of `build` mix; none of these asks.
    let nodes = topology.node_count();
    let silent = one.traffic.endpoints(nodes, &one.parameters, 23, one.last);
    let (parameters, until) = (&one.parameters, one.until);
    let run = |endpoints| {
        simulate(
            Arc::clone(&topology),
            &routing,
            parameters,
            endpoints,
            until,
        )
    };
    let (asked, unasked) = (run(endpoints).records, run(silent).records);
    let (unordered, _) = faults(&periods(&unasked, endless));
    let (half, _) = faults(&periods(&asked, endless));
    assert!(unordered > 100 && half > 0, "{unordered}, {half}");
    let free = Scenario {
        modes: vec![ordering("ugal-node", Ordered::None, ENDLESS).unwrap()],
        ..one.clone()
    };
    assert!(records(&free) == unasked, "nobody asked");
    assert!(asked != unasked, "half of the messages asked");
}

/// Where the second answer could not reach all packets of a period, nothing runs.
#[test]
fn what_cannot_be_kept_in_order_is_refused() {
    let aries = Geometry::new(Arc::new(aries().build().unwrap()));
    for name in ["par", "adaptive-1"] {
        let mode = ordering(name, Ordered::Eager, ENDLESS).unwrap();
        let refused = Routing::new(aries.clone(), vec![mode], false);
        assert!(
            matches!(refused, Err(RoutingError::Order { .. })),
            "{refused:?}"
        );
    }
}
