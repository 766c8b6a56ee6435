//! Engine and reference model agree on every packet: creation, injection, delivery, path; and on every
//! message that an endpoint sees.
//!
//! Random scenarios are numbered; the failing number is in the message, and
//! `Scenario::random(number)` gives the scenario again.

#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;

use odonata_network::{
    Arbitration, Architecture, ClassShare, CreditReturn, Delivery, Monitor, Parameters, Qos,
    Switching, Users,
};
use odonata_reference::testing::{
    Arrival, Family, MessageSizes, Pattern, Plant, Rhythm, Scenario, System, TestEndpoint, Traffic,
    booksim, codes_dally, entries, gigabytes, kang2022, modes, routing, simulate_recorded,
};
use odonata_reference::{Run, decides, simulate};
use odonata_routing::{Algorithm, Candidates, Choice, Intermediate, Rule, Scope, Weights};
use odonata_telemetry::PacketRecord;
use odonata_topology::{AriesShape, Arrangement, MegaflyShape, Shape};
use odonata_units::{Instant, Purpose, Span, Stream};

/// What a simulator shows of a run.
struct Seen {
    records: Vec<PacketRecord>,
    arrivals: Vec<Vec<Arrival>>,
}

fn arrivals<'a>(
    endpoints: impl Iterator<Item = &'a TestEndpoint>,
    until: Instant,
) -> Vec<Vec<Arrival>> {
    let before = |endpoint: &TestEndpoint| {
        endpoint
            .arrivals
            .iter()
            .filter(|arrival| arrival.at < until)
            .copied()
            .collect()
    };
    endpoints.map(before).collect()
}

fn users(scenario: &Scenario, endpoints: Vec<TestEndpoint>) -> Users<TestEndpoint> {
    let sharing = scenario.sharing(endpoints.len());
    Users { endpoints, sharing }
}

fn reference(scenario: &Scenario) -> Seen {
    let System {
        topology,
        routing,
        endpoints,
    } = scenario.build().unwrap();
    let Run {
        records, endpoints, ..
    } = simulate(
        topology,
        &routing,
        &scenario.parameters,
        users(scenario, endpoints),
        scenario.until,
    );
    let arrivals = arrivals(endpoints.iter(), scenario.until);
    Seen { records, arrivals }
}

fn engine(scenario: &Scenario, threads: usize) -> Seen {
    let System {
        topology,
        routing,
        endpoints,
    } = scenario.build().unwrap();
    let (until, parameters) = (scenario.until, &scenario.parameters);
    let users = users(scenario, endpoints);
    let run = simulate_recorded(topology, &routing, parameters, users, until, threads);
    let (records, endpoints) = match run {
        Ok(run) => run,
        Err(error) => panic!("the engine refuses: {error}\n{scenario:#?}"),
    };
    let arrivals = arrivals(endpoints.iter(), until);
    Seen { records, arrivals }
}

/// Compares the two; returns the number of packets.
pub(crate) fn compare(scenario: &Scenario, threads: &[usize]) -> usize {
    compared(scenario, threads).len()
}

/// The packets of a scenario, on which both agree.
pub(crate) fn compared(scenario: &Scenario, threads: &[usize]) -> Vec<PacketRecord> {
    let expected = reference(scenario);
    for &threads in threads {
        let seen = engine(scenario, threads);
        let here = format!("{threads} threads, scenario {}", scenario.number);
        compare_records(&expected.records, &seen.records, &here, scenario);
        if matches!(scenario.traffic, Traffic::OpenLoop { .. }) {
            // The engine spares the endpoints messages that were pulled.
            continue;
        }
        for (node, (reference, engine)) in expected.arrivals.iter().zip(&seen.arrivals).enumerate()
        {
            assert_eq!(
                reference, engine,
                "arrivals at node {node}, {here}: {scenario:#?}"
            );
        }
    }
    expected.records
}

/// On disagreement, shows the earliest packet (by delivery) that differs: later ones follow.
fn compare_records(
    reference: &[PacketRecord],
    engine: &[PacketRecord],
    here: &str,
    all: &Scenario,
) {
    if reference == engine {
        return;
    }
    let missing = reference
        .iter()
        .filter(|record| engine.binary_search(record).is_err());
    let extra = engine
        .iter()
        .filter(|record| reference.binary_search(record).is_err());
    let missing = missing.min_by_key(|record| (record.delivered, record.source));
    let extra = extra.min_by_key(|record| (record.delivered, record.source));
    let same = |other: &PacketRecord, record: &PacketRecord| {
        let name = |record: &PacketRecord| (record.source, record.lane, record.sequence);
        name(other) == name(record)
    };
    let counterpart = missing.and_then(|m| engine.iter().find(|record| same(record, m)));
    panic!(
        "{here}: reference has {} packets, engine {}\nfirst only in the reference model:   {missing:?}\n\
         the same in the engine:   {counterpart:?}\nfirst only in the engine: {extra:?}\n{all:#?}",
        reference.len(),
        engine.len(),
    );
}

fn compare_random(numbers: std::ops::Range<u64>) {
    compare_drawn(numbers, Scenario::random);
}

pub(crate) fn compare_drawn(numbers: std::ops::Range<u64>, drawn: fn(u64) -> Scenario) {
    let mut packets = 0;
    let count = numbers.end - numbers.start;
    for number in numbers {
        let threads: &[usize] = if number % 12 == 0 { &[1, 2, 3] } else { &[1] };
        packets += compare(&drawn(number), threads);
    }
    assert!(
        packets as u64 > 300 * count,
        "the scenarios carry traffic: {packets}"
    );
}

#[test]
fn random_scenarios_0() {
    compare_random(numbers(0..150));
}

#[test]
fn random_scenarios_1() {
    compare_random(numbers(150..300));
}

#[test]
fn random_scenarios_2() {
    compare_random(numbers(300..450));
}

#[test]
fn random_scenarios_3() {
    compare_random(numbers(450..600));
}

#[test]
fn random_scenarios_4() {
    compare_random(numbers(600..750));
}

#[test]
fn random_scenarios_5() {
    compare_random(numbers(750..900));
}

/// Links go down, come back and lose lanes.
#[test]
fn random_scenarios_with_changing_links_0() {
    compare_drawn(numbers(0..200), Scenario::random_with_changes);
}

#[test]
fn random_scenarios_with_changing_links_1() {
    compare_drawn(numbers(200..400), Scenario::random_with_changes);
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_changing_links() {
    compare_drawn(asked_for(400..2400), Scenario::random_with_changes);
}

/// The scenarios with changing links are about something: in most of them a link goes down or loses
/// lanes, in many packets are rerouted, all of which arrive unless the run ends before.
#[test]
fn links_that_change_matter() {
    let (mut changing, mut rerouting, mut rerouted) = (0, 0, 0);
    for number in 0..140 {
        let scenario = Scenario::random_with_changes(number);
        let System {
            topology,
            routing,
            endpoints,
        } = scenario.build().unwrap();
        let (parameters, until) = (&scenario.parameters, scenario.until);
        let run = simulate(topology, &routing, parameters, endpoints, until);
        changing += u32::from(!scenario.changes.links.is_empty());
        rerouting += u32::from(run.rerouted > 0);
        rerouted += run.rerouted;
    }
    let found = format!("{changing} change, {rerouting} reroute {rerouted} packets");
    assert!(
        changing > 90 && rerouting > 30 && rerouted > 1_000,
        "{found}"
    );
}

/// Groups that differ in routers, nodes and links.
#[test]
fn random_scenarios_of_group_kinds() {
    compare_drawn(numbers(0..150), Scenario::random_group_kinds);
}

/// The same, of leaves and spines.
#[test]
fn random_scenarios_of_megafly_kinds() {
    compare_drawn(numbers(0..150), Scenario::random_megafly_kinds);
}

/// Other numbers, weights by hops among them, and combinations that no entry has; networks without groups
/// have but one kind of intermediate.
fn put_together(rule: Rule, has_groups: bool, draw: &mut Stream) -> Rule {
    let intermediate = match rule.intermediate {
        Intermediate::Router if has_groups => {
            [Intermediate::Router, Intermediate::AnyNode][draw.below(2) as usize]
        }
        other => other,
    };
    let mut count = || u8::try_from(1 + draw.below(4)).unwrap();
    let (minimal_candidates, nonminimal_candidates) = (count(), count());
    Rule {
        intermediate,
        minimal_candidates,
        nonminimal_candidates,
        weights: [Weights::Hops, Weights::Hops, Weights::Scale][draw.below(3) as usize],
        same_port_by_vc: draw.below(2) == 0,
        scale: draw.below(4),
        bias: i64::from(draw.below(12)) - 4,
        bias_percent: [0, -5, 30][draw.below(3) as usize],
        threshold: [0, 0, 3][draw.below(3) as usize],
        scope: if rule.scope == Scope::Global && intermediate.is_visited() {
            [Scope::Global, Scope::Everywhere][draw.below(2) as usize]
        } else {
            rule.scope
        },
        ..rule
    }
}

/// What a scenario may set without a build, and entries that somebody may add, on every family.
///
/// The scenario of a number with its adaptive rules put together at random; those without one, and those
/// that the engine decides for the reference model, are passed over.
pub(crate) fn compare_rules(numbers: std::ops::Range<u64>, drawn: fn(u64) -> Scenario) {
    let (mut compared, mut by_hops, mut nonminimal, mut packets) = (0, 0, 0, 0);
    let count = numbers.end - numbers.start;
    for number in numbers {
        let mut scenario = drawn(number);
        let mut draw = Stream::new(number, Purpose::Routing, 0);
        let has_groups = !matches!(scenario.plant.family, Family::Graph(_));
        let mut is_own = false;
        for mode in &mut scenario.modes {
            if let Algorithm::Rule(rule) = &mut mode.algorithm
                && rule.choice == Choice::Adaptive
            {
                *rule = put_together(*rule, has_groups, &mut draw);
                let is_decided = rule.candidates == Candidates::Independent;
                is_own |= is_decided;
                by_hops += u64::from(is_decided && rule.weights == Weights::Hops);
            }
        }
        if is_own {
            compared += 1;
            packets += compare(&scenario, &[1]);
            let records = reference(&scenario).records;
            nonminimal += records.iter().filter(|record| !record.minimal).count();
        }
    }
    assert!(
        compared * 4 > count && by_hops * 6 > count,
        "{compared} and {by_hops} of {count}"
    );
    let is_mixed = nonminimal * 20 > packets && nonminimal * 20 < packets * 19;
    assert!(is_mixed, "{nonminimal} of {packets} packets non-minimal");
}

#[test]
fn rules_put_together_at_random() {
    compare_rules(numbers(0..200), Scenario::random);
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_rules_put_together_at_random() {
    compare_rules(asked_for(200..1_000), Scenario::random);
}

fn compare_gets(numbers: std::ops::Range<u64>) {
    let (mut data, mut answers) = (0, 0);
    for number in numbers.clone() {
        let threads: &[usize] = if number % 12 == 0 { &[1, 2, 3] } else { &[1] };
        let scenario = Scenario::random_with_gets(number);
        compare(&scenario, threads);
        let response = scenario.parameters.response_bytes;
        let responses = reference(&scenario)
            .records
            .into_iter()
            .filter(|record| record.lane % 2 == 1);
        let (one, other): (Vec<_>, Vec<_>) = responses.partition(|record| record.bytes == response);
        (answers, data) = (answers + one.len() as u64, data + other.len() as u64);
    }
    let count = numbers.end - numbers.start;
    assert!(
        data > 30 * count && answers > 30 * count,
        "{data} packets of data, {answers} answers"
    );
}

/// Data of gets among the answers, where the reference model and the engine count places and numbers.
#[test]
fn random_scenarios_with_gets_0() {
    compare_gets(numbers(0..100));
}

/// In 950 a NIC learns of an answer that leaves before the packet it was about to choose; what a class
/// had used by then must not be forgotten.
#[test]
fn a_nic_that_looks_ahead_forgets_nothing() {
    compare_gets(950..951);
}

#[test]
fn random_scenarios_with_gets_1() {
    compare_gets(numbers(100..200));
}

#[expect(
    clippy::disallowed_methods,
    reason = "the long run is asked for by the environment"
)]
pub(crate) fn is_long() -> bool {
    std::env::var("ODONATA_LONG").is_ok_and(|value| value == "1")
}

/// Of these numbers the first third, and all of them in the long run.
pub(crate) fn numbers(all: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let count = all.end - all.start;
    let of_them = if is_long() { count } else { count.div_ceil(3) };
    all.start..all.start + of_them
}

/// The numbers in `ODONATA_SCENARIOS`, such as `0..2000`; otherwise these.
#[expect(
    clippy::disallowed_methods,
    reason = "tests by command read their range from the environment"
)]
pub(crate) fn asked_for(otherwise: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let Ok(range) = std::env::var("ODONATA_SCENARIOS") else {
        return otherwise;
    };
    let (first, end) = range.split_once("..").unwrap();
    first.parse().unwrap()..end.parse().unwrap()
}

/// Any number of them: `ODONATA_SCENARIOS=0..2000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_gets() {
    compare_gets(asked_for(200..2200));
}

/// Any number of further scenarios:
/// `ODONATA_SCENARIOS=900..3000 cargo test -p odonata-reference --test reference_model -- --ignored`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios() {
    compare_random(asked_for(900..2100));
}

const LOADS: [f64; 5] = [0.1, 0.5, 0.9, 1.0, 1.2];

fn scenario(plant: impl Into<Plant>, name: &str, parameters: Parameters) -> Scenario {
    Scenario {
        number: 17,
        plant: plant.into(),
        modes: modes(&[name]).unwrap(),
        parameters,
        traffic: open_loop(0.5, Pattern::Uniform, Rhythm::Exponential, &parameters),
        last: Instant::from_ps(3_000_000),
        until: Instant::from_ps(4_000_000),
        changes: odonata_routing::NetworkChanges::default(),
        jobs: 1,
    }
}

/// The algorithms that work on this shape.
fn names(shape: &Shape) -> Vec<&'static str> {
    let topology = Arc::new(Plant::from(shape.clone()).build().unwrap());
    entries(&topology).map(|entry| entry.name).collect()
}

fn open_loop(load: f64, pattern: Pattern, rhythm: Rhythm, parameters: &Parameters) -> Traffic {
    let bytes = MessageSizes::all(parameters.packet_bytes.into());
    Traffic::OpenLoop {
        pattern,
        rhythm,
        load,
        bytes,
    }
}

const fn shape(nodes: u32, routers: u32, ports: u32, groups: u32) -> Shape {
    Shape {
        groups,
        routers_per_group: routers,
        nodes_per_router: nodes,
        global_ports_per_router: ports,
        arrangement: Arrangement::Absolute,
    }
}

fn architectures(parameters: Parameters) -> [Parameters; 2] {
    [Architecture::Voq, Architecture::Cioq].map(|architecture| Parameters {
        architecture,
        ..parameters
    })
}

/// Every routing, both routers, all loads, uniform and adversarial, on 72 nodes with the links of
/// the paper.
#[test]
fn routings_loads_and_routers() {
    for name in names(&shape(2, 4, 2, 9)) {
        for parameters in architectures(kang2022()) {
            for (index, &load) in LOADS.iter().enumerate() {
                let pattern = if index % 2 == 0 {
                    Pattern::Uniform
                } else {
                    Pattern::Shift(8)
                };
                let mut one = scenario(shape(2, 4, 2, 9), name, parameters);
                one.traffic = open_loop(load, pattern, Rhythm::Exponential, &parameters);
                assert!(compare(&one, &[1, 2]) > 100, "{one:?}");
            }
        }
    }
}

/// Which decisions are made twice: a fault of `odonata-routing` shows in these.
#[test]
fn the_reference_model_decides_by_itself() {
    let aries = AriesShape {
        groups: 3,
        rows: 2,
        columns: 2,
        nodes_per_router: 1,
        column_links: 1,
        global_ports_per_router: 2,
        chassis_per_cabinet: 1,
    };
    let families = [Family::Dragonfly(shape(1, 2, 1, 3)), Family::Aries(aries)];
    let is_written = |algorithm: &Algorithm| {
        (algorithm.rule()).is_some_and(|rule| rule.candidates == Candidates::Independent)
    };
    let expected = [
        "minimal",
        "valiant-group",
        "valiant-node",
        "ugal-group",
        "ugal-node",
        "par",
        "booksim-ugal",
        "min-hash",
        "nmin-hash",
        "in-order",
    ];
    for family in families {
        let topology = Arc::new(Plant::from(family).build().unwrap());
        let mut own = Vec::new();
        for entry in entries(&topology) {
            let routing = routing(&topology, &[entry.name], true).unwrap();
            assert!(decides(&routing, 1), "responses are minimal");
            let is_own = decides(&routing, 0);
            assert_eq!(is_own, is_written(&entry.algorithm), "{}", entry.name);
            own.extend(is_own.then_some(entry.name));
        }
        for name in expected {
            assert!(
                own.contains(&name),
                "`{name}` is decided by the engine's function"
            );
        }
    }
}

/// 342 nodes (p3 a6 h3 g19), adaptive, near and above saturation, 3 threads.
#[test]
fn medium_system() {
    let pick = ["par", "booksim-ugal", "minimal", "ugal-node"];
    for name in &pick[..if is_long() { 4 } else { 2 }] {
        for (parameters, load) in architectures(booksim()).into_iter().zip([1.0, 0.8]) {
            let mut one = scenario(shape(3, 6, 3, 19), name, parameters);
            one.traffic = open_loop(load, Pattern::Uniform, Rhythm::Slotted, &parameters);
            one.last = Instant::from_ps(1_000_000);
            one.until = Instant::from_ps(1_500_000);
            assert!(compare(&one, &[3]) > 10_000, "{one:?}");
        }
    }
}

/// Shapes at the edge: unbalanced, parallel links, one router per group, one group, two groups.
#[test]
fn odd_shapes() {
    let shapes = [
        shape(1, 1, 1, 2),
        shape(3, 1, 4, 5),
        shape(2, 1, 4, 3),
        shape(4, 5, 0, 1),
        shape(6, 1, 0, 1),
        shape(1, 4, 3, 2),
        shape(1, 6, 1, 4),
        shape(5, 2, 1, 3),
        shape(1, 2, 5, 11),
    ];
    let arrangements = [
        Arrangement::Absolute,
        Arrangement::Relative,
        Arrangement::Circulant,
    ];
    for (index, shape) in shapes.into_iter().enumerate() {
        for name in names(&shape) {
            for parameters in architectures(kang2022()) {
                let shape = Shape {
                    arrangement: arrangements[index % 3],
                    ..shape.clone()
                };
                let mut one = scenario(shape, name, parameters);
                one.traffic = open_loop(0.9, Pattern::Uniform, Rhythm::Fixed, &parameters);
                assert!(compare(&one, &[1, 3]) > 0, "{one:?}");
            }
        }
    }
}

/// Buffers of 1 to 3 packets and partial flits, all arbitrations, switchings and deliveries.
#[test]
fn small_buffers() {
    for packets in 1..=3 {
        for arbitration in [Arbitration::RoundRobin, Arbitration::OldestFirst] {
            for switching in [Switching::CutThrough, Switching::StoreAndForward] {
                for delivery in [Delivery::Tail, Delivery::Head] {
                    for parameters in architectures(kang2022()) {
                        let parameters = Parameters {
                            input_buffer_flits: [packets * 4; 5],
                            output_buffer_flits: packets * 4 + 1,
                            nic_buffer_packets: packets,
                            header_bytes: 12,
                            arbitration,
                            switching,
                            delivery,
                            ..parameters
                        };
                        let mut one = scenario(shape(2, 4, 2, 9), "par", parameters);
                        one.traffic = Traffic::ManyToOne {
                            bursts: 4,
                            gap: Span::from_ns(300),
                            bytes: MessageSizes::between(1, 10_000),
                        };
                        one.until = Instant::from_ps(60_000_000);
                        assert!(compare(&one, &[1]) > 500, "{one:?}");
                    }
                }
            }
        }
    }
}

/// Everything happens at multiples of one flit time, so that instants coincide all the time.
#[test]
fn coincident_instants() {
    let ns = Span::from_ns;
    for name in names(&shape(2, 4, 2, 9)) {
        for parameters in architectures(booksim()) {
            let mut parameters = Parameters {
                input_buffer_flits: [12; 5],
                ..parameters
            };
            parameters.host.latency = ns(1);
            parameters.local.latency = ns(2);
            parameters.global.latency = ns(4);
            let mut one = scenario(shape(2, 4, 2, 9), name, parameters);
            one.last = Instant::from_ps(500_000);
            one.until = Instant::from_ps(800_000);
            for rhythm in [Rhythm::Fixed, Rhythm::Slotted] {
                one.traffic = open_loop(1.0, Pattern::Uniform, rhythm, &parameters);
                assert!(compare(&one, &[1, 3]) > 500, "{one:?}");
            }
        }
    }
}

/// Dependent traffic: answers after no time at all, after some, and other links.
#[test]
fn ping_pong() {
    for reaction in [Span::ZERO, Span::from_ps(1), Span::from_ns(40)] {
        for preset in [kang2022(), booksim(), codes_dally()] {
            for mut parameters in architectures(preset) {
                parameters.global.bandwidth = gigabytes(5);
                let names = names(&shape(2, 4, 2, 9)).into_iter();
                for name in names.step_by(if is_long() { 2 } else { 6 }) {
                    let mut one = scenario(shape(2, 4, 2, 9), name, parameters);
                    one.traffic = Traffic::PingPong {
                        serves: 3,
                        rallies: 20,
                        reaction,
                        bytes: MessageSizes::between(1, 3_000),
                    };
                    assert!(compare(&one, &[1, 2]) > 100, "{one:?}");
                }
            }
        }
    }
}

/// Two classes with binding caps, responses with few outstanding, early credits, on the other
/// families near saturation: whole networks of classes, not only what chance picks.
#[test]
fn families_with_classes_and_responses() {
    let aries = AriesShape {
        groups: 3,
        rows: 3,
        columns: 4,
        nodes_per_router: 2,
        column_links: 2,
        global_ports_per_router: 2,
        chassis_per_cabinet: 3,
    };
    let megafly = MegaflyShape {
        groups: 5,
        leaf_routers_per_group: 4,
        spine_routers_per_group: 4,
        nodes_per_leaf: 3,
        links_per_group_pair: 4,
    };
    let mut shares = Qos::NONE.shares;
    shares[..2].copy_from_slice(&[200_000, 500_000].map(ClassShare::cap));
    for family in [Family::Aries(aries), Family::Megafly(megafly)] {
        let plant = Plant::from(family);
        let topology = Arc::new(plant.build().unwrap());
        let names: Vec<_> = entries(&topology).map(|entry| entry.name).collect();
        for (index, name) in names.into_iter().enumerate() {
            for mut parameters in architectures(kang2022()) {
                let monitors = [Monitor::Static, Monitor::Sliding, Monitor::TokenBucket];
                parameters.qos = Qos {
                    classes: 2,
                    window: Span::from_ns(500),
                    monitor: monitors[index % 3],
                    shares,
                };
                parameters.response_bytes = 64;
                parameters.outstanding = 6;
                if parameters.architecture == Architecture::Voq && index % 2 == 0 {
                    parameters.credit_return = CreditReturn::Reservation;
                    parameters.arbitration = Arbitration::HighestVc;
                }
                let mut one = scenario(plant.clone(), name, parameters);
                one.traffic = open_loop(0.9, Pattern::Uniform, Rhythm::Exponential, &parameters);
                assert!(compare(&one, &[1, 3]) > 1_000, "{one:?}");
            }
        }
    }
}
