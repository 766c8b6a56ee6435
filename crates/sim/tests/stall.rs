//! What cannot go on ends with a diagnosis.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::support::{
    Operation, Traces, US, config, count, dragonfly, fingerprint, job, number, open_loop, outcome,
    text, trace,
};
use odonata_engine::Stop;
use odonata_mpi::MpiParameters;
use odonata_network::{
    Arbitration, Architecture, CreditReturn, Delivery, LinkParameters, Parameters, Qos, Switching,
    Usage, Wait,
};
use odonata_reference::testing::{self, guests, observe};
use odonata_routing::geometry::Geometry;
use odonata_routing::{Routing, build_mode, check_dependencies};
use odonata_telemetry::{MeasureWindow, Telemetry};
use odonata_topology::{Arrangement, LinkKind, Shape, Topology};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::trace::op;
use odonata_workload::{JobContext, NodeEndpoint, SystemView, build};
use serde_json::{Map, Value, json};

const SHAPE: Shape = Shape {
    groups: 9,
    routers_per_group: 4,
    nodes_per_router: 2,
    global_ports_per_router: 2,
    arrangement: Arrangement::Absolute,
};

/// Two packets per buffer.
fn parameters(architecture: Architecture) -> Parameters {
    let bandwidth = Bandwidth::from_bytes_per_second(25_000_000_000).unwrap();
    let link = |ns| LinkParameters {
        bandwidth,
        latency: Span::from_ns(ns),
        longest: Span::from_ns(ns),
    };
    Parameters {
        host: link(10),
        local: link(30),
        row: link(30),
        column: link(30),
        global: link(300),
        groups_per_row: 1,
        architecture,
        router_latency: Span::from_ns(20),
        credit_delay: Span::from_ns(20),
        input_buffer_flits: [8; 5],
        output_buffer_flits: 8,
        speedup: 4,
        arbitration: Arbitration::RoundRobin,
        credit_return: CreditReturn::Departure,
        switching: Switching::CutThrough,
        packet_bytes: 512,
        largest_multiple: 1,
        flit_bytes: 128,
        header_bytes: 0,
        delivery: Delivery::Tail,
        nic_buffer_packets: 30,
        nic_queues: 1,
        response_bytes: 0,
        outstanding: 0,
        get_data: odonata_network::GetData::Requests,
        get_behind: 0,
        qos: Qos::NONE,
        control: None,
        seed: 1,
    }
}

/// Every node sends as much as it can, anywhere.
fn sources(parameters: &Parameters) -> Vec<NodeEndpoint> {
    let count = SHAPE.groups * SHAPE.routers_per_group * SHAPE.nodes_per_router;
    let nodes: Vec<_> = (0..count).map(NodeId).collect();
    let system = SystemView {
        node_count: count,
        group_starts: &[0],
        injection: parameters.host.bandwidth,
        flit_bytes: parameters.flit_bytes,
        packet_bytes: parameters.packet_bytes,
    };
    let spec = json!({"kind": "open-loop", "load": 1.0, "message": 512});
    let context = JobContext {
        seed: 1,
        job: JobId(0),
        name: "traffic",
        nodes: &nodes,
        rank_map: None,
        here: None,
        system,
        mpi: &Arc::new(MpiParameters::from_json(&Map::new()).unwrap()),
        traces: &Traces::new(),
    };
    build(spec.as_object().unwrap(), &context).unwrap()
}

fn routing(topology: &Arc<Topology>) -> Routing {
    let mode = build_mode("valiant-node", &Map::new()).unwrap();
    Routing::new(Geometry::new(Arc::clone(topology)), vec![mode], false).unwrap()
}

/// What has become of an overload.
struct Overloaded {
    stop: Stop,
    /// Packets that were injected and not delivered.
    in_flight: u64,
    /// Measured packets that were not delivered.
    undelivered: u64,
    cycle: Vec<Wait>,
    end: Instant,
}

/// Runs until `until` with the number of virtual channels that `routing` has.
fn overload(
    topology: &Arc<Topology>,
    routing: &Routing,
    architecture: Architecture,
    threads: usize,
) -> Overloaded {
    let parameters = parameters(architecture);
    let mut endpoints = sources(&parameters);
    let until = Instant::from_ps(40_000_000_000);
    let mut usage = Usage::of_one_job(endpoints.len());
    usage.nodes.iter_mut().for_each(|node| node.is_goal = false);
    usage.measure = Some(MeasureWindow {
        from: Instant::ZERO,
        to: Instant::from_ps(20_000_000),
    });
    let topology = Arc::clone(topology);
    let guests = guests(&mut endpoints);
    let mut network =
        testing::network(topology, routing, &parameters, guests, usage, threads).unwrap();
    let watched = network.watched(Span::from_ns(1_000));
    let scopes = network.scopes();
    let mut probes: Vec<Telemetry> = (scopes.iter())
        .map(|scope| Telemetry::new(scope, &watched))
        .collect();
    let stop = observe(&mut network, until, &mut probes);
    let in_flight = Telemetry::merge(probes)
        .unwrap()
        .stats()
        .packets_in_flight();
    Overloaded {
        stop,
        in_flight,
        undelivered: network.measured_undelivered(),
        cycle: network.waiting_cycle(),
        end: network.end(),
    }
}

#[test]
fn one_virtual_channel_is_refused_with_its_cycle() {
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    let routing = routing(&topology);
    assert!(check_dependencies(&routing).is_ok());
    let error = check_dependencies(&routing.with_virtual_channels(1)).unwrap_err();
    assert!(
        error
            .cycle
            .iter()
            .all(|one| one.kind != LinkKind::Host && one.vc == 0)
    );
    let message = error.to_string();
    assert!(
        message.contains("cycle") && message.contains("VC 0 -> "),
        "{message}"
    );
}

#[test]
fn a_deadlock_ends_with_the_cycle_of_buffers() {
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    let routing = routing(&topology).with_virtual_channels(1);
    for architecture in [Architecture::Voq, Architecture::Cioq] {
        let run = overload(&topology, &routing, architecture, 1);
        assert_eq!(run.stop, Stop::Stalled, "{architecture:?}");
        assert!(run.in_flight > 0 && run.undelivered > 0);
        let cycle = run.cycle;
        assert!(cycle.len() > 1, "{cycle:?}");
        for (wait, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            assert!(wait.packets > 0 && wait.vc == 0, "{wait}");
            let end = topology.neighbour(wait.router, wait.port).unwrap();
            let there = odonata_topology::Attachment::Router(next.router, end_port(end));
            assert_eq!(
                end, there,
                "each buffer of the cycle is the one the last waits for"
            );
        }
        let again = overload(&topology, &routing, architecture, 2);
        assert_eq!(
            (again.stop, again.cycle, again.end),
            (run.stop, cycle, run.end)
        );
    }
}

fn end_port(end: odonata_topology::Attachment) -> odonata_topology::PortIndex {
    match end {
        odonata_topology::Attachment::Router(_, port) => port,
        odonata_topology::Attachment::Node(node) => unreachable!("node {} cannot wait", node.0),
    }
}

/// The same overload with the virtual channels that the routing asks for goes on to its end.
#[test]
fn enough_virtual_channels_never_stall() {
    let topology = Arc::new(Topology::dragonfly(SHAPE).unwrap());
    for architecture in [Architecture::Voq, Architecture::Cioq] {
        let run = overload(&topology, &routing(&topology), architecture, 1);
        assert_eq!(run.stop, Stop::Finished, "{architecture:?}");
        assert_eq!(run.undelivered, 0);
        assert!(run.cycle.is_empty());
    }
}

fn message(code: u8, peer: i32, tag: i32) -> Operation {
    Operation {
        code,
        peer,
        tag,
        bytes: 64,
        ..Operation::default()
    }
}

/// Runs `ranks` and returns the diagnosis.
fn diagnosis(ranks: &[Vec<Operation>]) -> String {
    let traces = Traces::from([("stuck".to_owned(), trace(ranks))]);
    let mut workload = json!({"kind": "trace", "path": "stuck"});
    workload["compute_scale"] = Value::from(1.0);
    let jobs = [job("stuck", "contiguous", workload)];
    let config = config(&dragonfly((2, 4, 2, 9), "voq"), "minimal", &jobs, None);
    let outcome = outcome(&config, &traces, 1);
    assert_eq!(text(&outcome, "/stop"), "stalled");
    outcome.stall.unwrap()
}

/// Every send has its receive, so that the trace is accepted, but the ranks wait for each other.
#[test]
fn ranks_that_wait_for_each_other_are_named() {
    let text = diagnosis(&[
        vec![message(op::RECV, 1, 7), message(op::SEND, 1, 8)],
        vec![message(op::RECV, 0, 8), message(op::SEND, 0, 7)],
        vec![Operation {
            code: op::COMPUTE,
            duration_ps: 5_000_000,
            ..Operation::default()
        }],
    ]);
    for wanted in [
        "job `stuck` rank 0",
        "job `stuck` rank 1",
        "tag 7",
        "not the network",
    ] {
        assert!(text.contains(wanted), "`{wanted}` in: {text}");
    }
    assert!(!text.contains("rank 2"), "rank 2 has finished: {text}");
}

/// The wildcard takes the message of rank 1, which the second receive waits for in vain.
#[test]
fn a_receive_that_nobody_sends_to_is_named() {
    let compute = Operation {
        code: op::COMPUTE,
        duration_ps: 50_000_000,
        ..Operation::default()
    };
    let text = diagnosis(&[
        vec![message(op::RECV, -1, 3), message(op::RECV, 1, 3)],
        vec![message(op::SEND, 0, 3)],
        vec![compute, message(op::SEND, 0, 3)],
    ]);
    for wanted in ["job `stuck` rank 0 (node 0) waits for", "rank 1", "tag 3"] {
        assert!(text.contains(wanted), "`{wanted}` in: {text}");
    }
    assert!(
        !text.contains("rank 2"),
        "rank 2 has sent and finished: {text}"
    );
}

/// Stops after some epochs.
struct Impatient {
    epochs: AtomicU64,
    last: AtomicU64,
}

impl odonata_sim::Control for Impatient {
    fn progress(&self, now: Instant, _: u64, fraction: f64) {
        assert!((0.0..=1.0).contains(&fraction), "{fraction}");
        assert!(self.last.swap(now.ps(), Ordering::Relaxed) < now.ps());
        self.epochs.fetch_add(1, Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.epochs.load(Ordering::Relaxed) >= 20
    }
}

/// An interrupted run ends after the epoch and keeps what there is, on any number of threads.
#[test]
fn an_interrupted_run_keeps_what_there_is() {
    let traffic = open_loop("uniform", 0.5, 512, "exponential");
    let system = dragonfly((2, 4, 2, 9), "voq");
    let config = config(
        &system,
        "ugal-group",
        &[traffic],
        Some((US, 1_000 * US, US)),
    );
    let interrupted = |threads| {
        let control = Impatient {
            epochs: AtomicU64::new(0),
            last: AtomicU64::new(0),
        };
        let outcome =
            odonata_sim::run_alone(&config, &odonata_sim::Inputs::default(), threads, &control)
                .unwrap();
        assert_eq!(text(&outcome, "/stop"), "interrupted");
        assert_eq!(control.epochs.load(Ordering::Relaxed), 20);
        outcome
    };
    let one = interrupted(1);
    assert!(count(&one, "/engine/packets") > 1_000 && count(&one, "/engine/packets_in_flight") > 0);
    assert!(fingerprint(&one) == fingerprint(&interrupted(3)));
}

/// Nothing is simulated while all ranks compute, and what follows is the same as without: three
/// seconds are longer than the creation of a packet is remembered.
#[test]
fn idle_time_changes_nothing() {
    let end_of = |seconds: u64| {
        let duration_ps = seconds * 1_000_000_000_000;
        let compute = Operation {
            code: op::COMPUTE,
            duration_ps,
            ..Operation::default()
        };
        let long = |code, peer| Operation {
            bytes: 200_000,
            ..message(code, peer, 1)
        };
        let ranks = [
            vec![compute.clone(), long(op::SEND, 1), long(op::RECV, 1)],
            vec![compute, long(op::RECV, 0), long(op::SEND, 0)],
        ];
        let traces = Traces::from([("late".to_owned(), trace(&ranks))]);
        let jobs = [job(
            "late",
            "random-node",
            json!({"kind": "trace", "path": "late"}),
        )];
        let mut config = config(&dragonfly((2, 4, 2, 9), "voq"), "minimal", &jobs, None);
        config.stop.time_ps = 10_000_000_000_000;
        let outcome = outcome(&config, &traces, 1);
        assert_eq!(text(&outcome, "/stop"), "finished");
        let latency = outcome
            .summary
            .pointer("/network/packet_latency_ns")
            .cloned();
        (
            latency,
            number(&outcome, "/simulated_ns") - 1e9 * f64::from(u32::try_from(seconds).unwrap()),
        )
    };
    let (latency, end) = end_of(0);
    let (late_latency, late_end) = end_of(3);
    assert_eq!(latency, late_latency);
    assert!((end - late_end).abs() < 1.0, "{end} {late_end}");
}

/// Wherever `stop.time` cuts a run, what is under way then is not lost, and no stall.
#[test]
fn a_run_that_is_cut_has_not_stalled() {
    let workloads = [
        json!({"kind": "ping-pong", "ranks": 4, "message": 64, "iterations": 1_000}),
        json!({"kind": "barrier", "ranks": 4, "iterations": 1_000}),
        json!({"kind": "allreduce", "ranks": 4, "message": 64, "iterations": 1_000}),
    ];
    let mut system = dragonfly((2, 4, 2, 9), "voq");
    // Windows of a microsecond: what is sent in one may reach its router in it.
    for kind in ["local", "global"] {
        system["links"][kind]["latency_ps"] = json!(US);
    }
    for (number, workload) in workloads.into_iter().enumerate() {
        let jobs = [job("cut", "contiguous", workload)];
        let mut config = config(&system, "minimal", &jobs, None);
        for (place, cut) in (0..40).enumerate() {
            config.stop.time_ps = 3 * US + cut * 47_003;
            let outcome = outcome(&config, &Traces::new(), 1 + (place + number) % 2);
            assert_eq!(text(&outcome, "/stop"), "time-limit", "{cut}, {jobs:?}");
        }
    }
}
