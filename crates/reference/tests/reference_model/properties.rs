//! The reference model (and with it the engine) against conservation and theory.

#![expect(
    clippy::cast_precision_loss,
    reason = "times and counts stay below 2^53"
)]

use std::sync::Arc;

use odonata_network::{Arbitration, Architecture, Parameters, Switching};
use odonata_reference::testing::theory::{accepted_load, md1_wait, mean_latency};
use odonata_reference::testing::{
    MessageSizes, OpenLoop, Pattern, Rhythm, Scenario, TestEndpoint, Traffic, booksim, kang2022,
    many_to_one, simulate_recorded,
};
use odonata_reference::{Run, simulate};
use odonata_routing::geometry::Geometry;
use odonata_routing::{Routing, entry};
use odonata_topology::{Arrangement, Shape, Topology};
use odonata_units::{Instant, NodeId, Purpose, Span, Stream};

use crate::agreement::numbers;

const LATE: Instant = Instant::from_ps(1 << 50);

pub(crate) const fn shape(nodes: u32, routers: u32, ports: u32, groups: u32) -> Shape {
    Shape {
        groups,
        routers_per_group: routers,
        nodes_per_router: nodes,
        global_ports_per_router: ports,
        arrangement: Arrangement::Absolute,
    }
}

fn run(
    shape: &Shape,
    algorithm: &str,
    parameters: &Parameters,
    endpoints: Vec<TestEndpoint>,
    until: Instant,
) -> Run<TestEndpoint> {
    let topology = Arc::new(Topology::dragonfly(shape.clone()).unwrap());
    let geometry = Geometry::new(Arc::clone(&topology));
    let routing = Routing::new(geometry, vec![entry(algorithm).unwrap().mode()], false).unwrap();
    let copy = (Arc::clone(&topology), endpoints.clone());
    let run = simulate(topology, &routing, parameters, endpoints, until);
    let engine = simulate_recorded(copy.0, &routing, parameters, copy.1, until, 1).unwrap();
    assert!(
        run.records == engine.0,
        "what holds here holds for the engine"
    );
    run
}

/// Random scenarios break no invariant (the reference model asserts them) and repeat exactly; those that run
/// to their end deliver every packet and every message.
#[test]
fn random_scenarios_conserve_and_repeat() {
    let mut drained = 0;
    let numbers = numbers(0..250);
    let count = numbers.end - numbers.start;
    for number in numbers {
        let mut scenario = Scenario::random(number);
        // A crowded node takes long to empty its queues.
        let is_hot = matches!(
            scenario.traffic,
            Traffic::OpenLoop {
                pattern: Pattern::HotSpot(_),
                ..
            }
        );
        if !is_hot {
            scenario.until = LATE;
        }
        let run = scenario.simulate().unwrap();
        assert!(
            is_hot || run.undelivered == 0,
            "a deadlock or a lost packet in {scenario:?}"
        );
        let again = scenario.simulate().unwrap();
        assert_eq!(run.records, again.records, "{scenario:?}");
        assert_eq!(run.endpoints, again.endpoints, "{scenario:?}");
        let mut last = None;
        for record in &run.records {
            assert!(record.created <= record.injected && record.injected < record.delivered);
            assert!(!record.path.is_empty(), "{record:?}");
            let expected = match last {
                Some((lane, sequence)) if lane == (record.source, record.lane) => sequence + 1,
                _ => 0,
            };
            assert!(
                is_hot || record.sequence == expected,
                "{record:?} in {scenario:?}"
            );
            last = Some(((record.source, record.lane), record.sequence));
        }
        drained += u64::from(!run.records.is_empty());
    }
    assert!(
        drained * 25 > count * 22,
        "most scenarios carry traffic: {drained} of {count}"
    );
}

/// Wait at the one output that 31 sources feed, against M/D/1.
///
/// NICs and router serve in the same time, so the output is busy exactly when an M/D/1 server fed
/// by all sources at once would be: the mean total wait is the same, not only similar. With 1.6
/// million packets in 40 batches, the mean is within 5 standard errors except once in 10^5 seeds
/// (t distribution, 39 degrees of freedom).
#[test]
fn single_output_is_an_md1_queue() {
    for (load, oldest) in [(0.3, false), (0.7, false), (0.7, true)] {
        let mut parameters = Parameters {
            input_buffer_flits: [1 << 20; 5],
            ..booksim()
        };
        if oldest {
            parameters.arbitration = Arbitration::OldestFirst;
        }
        let last = Instant::from_ps(4_000_000_000);
        let gap = 31.0 * 4_000.0 / load / 32.0;
        let mut endpoints = vec![TestEndpoint::silent()];
        for node in 1..32 {
            let source = OpenLoop {
                draws: Stream::new(11, Purpose::Arrival, u64::from(node)),
                ..OpenLoop::new(NodeId(node), 32, Pattern::HotSpot(NodeId(0)), 32, gap, last)
            };
            endpoints.push(TestEndpoint::open_loop(source));
        }
        let run = run(&shape(32, 1, 0, 1), "minimal", &parameters, endpoints, LATE);
        let batch = last.ps() / 40;
        let means: Vec<f64> = (0..40)
            .map(|index| {
                let inside = |created: Instant| created.ps() / batch == index;
                mean_latency(&run.records, |record| inside(record.created)).unwrap()
            })
            .map(|latency| (latency - 8_000.0) / 4_000.0)
            .collect();
        let mean = means.iter().sum::<f64>() / 40.0;
        let spread = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / 39.0;
        let error = (spread / 40.0).sqrt();
        let theory = md1_wait(load);
        assert!(
            (mean - theory).abs() < 5.0 * error,
            "load {load}: {mean} {error} {theory}"
        );
        assert!(error < 0.05 * theory, "the test can tell: {error}");
    }
}

fn uniform(load: f64) -> Traffic {
    let bytes = MessageSizes::all(32);
    Traffic::OpenLoop {
        pattern: Pattern::Uniform,
        rhythm: Rhythm::Exponential,
        load,
        bytes,
    }
}

fn accepted(algorithm: &str, pattern: Pattern, load: f64) -> f64 {
    let bytes = MessageSizes::all(32);
    let parameters = booksim();
    let traffic = Traffic::OpenLoop {
        pattern,
        rhythm: Rhythm::Exponential,
        load,
        bytes,
    };
    let shape = shape(2, 4, 2, 9);
    let (from, until) = (Instant::from_ps(4_000_000), Instant::from_ps(12_000_000));
    let endpoints = traffic.endpoints(72, &parameters, 3, until);
    let run = run(&shape, algorithm, &parameters, endpoints, until);
    accepted_load(&run.records, &parameters, 72, from, until)
}

/// Adversarial traffic on minimal paths: the 8 nodes of a group share one global link, 1/8 each,
/// and that link is busy all the time.
#[test]
fn adversarial_minimal_is_bounded_by_one_link() {
    let load = accepted("minimal", Pattern::Shift(8), 0.5);
    assert!(load <= 0.125 + 0.001 && load > 0.99 * 0.125, "{load}");
}

/// Valiant halves uniform capacity (every packet crosses two global links) and lifts adversarial
/// traffic far above the minimal bound; adaptive routing gets both.
#[test]
fn nonminimal_routing_trades_as_it_should() {
    for algorithm in ["valiant-group", "valiant-node"] {
        let uniform = accepted(algorithm, Pattern::Uniform, 1.0);
        // 63 of 71 targets lie in other groups; 8 global links per 8 nodes in each direction.
        assert!(
            uniform < 0.5 * 71.0 / 63.0 + 0.01 && uniform > 0.35,
            "{algorithm} {uniform}"
        );
        let adversarial = accepted(algorithm, Pattern::Shift(8), 1.0);
        assert!(
            adversarial < 0.5 + 0.01 && adversarial > 0.3,
            "{algorithm} {adversarial}"
        );
    }
    for algorithm in ["ugal-group", "ugal-node", "par"] {
        let adversarial = accepted(algorithm, Pattern::Shift(8), 0.4);
        assert!(adversarial > 0.25, "{algorithm} {adversarial}");
        let uniform = accepted(algorithm, Pattern::Uniform, 0.6);
        assert!((uniform - 0.6).abs() < 0.02, "{algorithm} {uniform}");
    }
}

/// Uniform traffic at low load is accepted whole, and the latency is that of an empty network
/// plus little.
#[test]
fn low_load_is_nearly_zero_load() {
    let parameters = Parameters {
        switching: Switching::CutThrough,
        ..booksim()
    };
    let last = Instant::from_ps(50_000_000);
    let endpoints = uniform(0.02).endpoints(72, &parameters, 5, last);
    let run = run(&shape(2, 4, 2, 9), "minimal", &parameters, endpoints, LATE);
    assert_eq!(run.undelivered, 0);
    let zero = |routers: usize, global: bool| {
        let local = routers - 1 - usize::from(global);
        2.0 + 2.0 * routers as f64 + 10.0 * local as f64 + 100.0 * f64::from(u8::from(global)) + 4.0
    };
    let excess: f64 = run
        .records
        .iter()
        .map(|record| {
            let global = record.source.0 / 8 != record.target.0 / 8;
            let empty = zero(record.path.len(), global) * 1_000.0;
            let latency = (record.delivered - record.created).ps() as f64;
            assert!(latency >= empty, "{record:?}");
            latency - empty
        })
        .sum::<f64>()
        / run.records.len() as f64;
    assert!(excess > 0.0 && excess < 400.0, "{excess} ps");
}

/// Everybody on one router sends to one node at once: its link works without a pause.
#[test]
fn bursts_saturate_the_target_link() {
    let single = shape(18, 1, 0, 1);
    for architecture in [Architecture::Voq, Architecture::Cioq] {
        let parameters = Parameters {
            architecture,
            ..kang2022()
        };
        let endpoints = many_to_one(18, 1, Span::ZERO, MessageSizes::all(1_000), 4);
        let run = run(&single, "minimal", &parameters, endpoints, LATE);
        let mut times: Vec<Instant> = run.records.iter().map(|record| record.delivered).collect();
        times.sort();
        assert_eq!(times.len(), 34, "17 messages of 512 + 488 B");
        let gaps: Vec<Span> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(gaps, [Span::from_ps(20_480); 33], "{architecture:?}");
    }
}
