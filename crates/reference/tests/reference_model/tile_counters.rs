//! Engine and reference model count the same at every tile and NIC, at every instant they are read,
//! whatever the threads; and what is counted at both ends of a link agrees.

use odonata_counters::{NicCounts, TileCounts};
use odonata_engine::Stop;
use odonata_network::{Architecture, Counting, Usage};
use odonata_reference::simulate;
use odonata_reference::testing::{self, Scenario, System, guests, observe};
use odonata_telemetry::{Channel, CounterNames, Counters, Instrument, Readings, Telemetry};
use odonata_topology::{Attachment, LinkKind, PortIndex, Topology};
use odonata_units::{Instant, RouterId, Span};

type Tiles = Vec<Vec<TileCounts>>;

/// Long after everything has arrived.
pub(crate) fn late(scenario: &Scenario) -> Instant {
    scenario.until + Span::from_ns(1_000_000_000)
}

/// What the engine has counted.
pub(crate) struct Counted {
    pub(crate) telemetry: Telemetry,
    readings: Readings,
}

/// The engine's counters of `scenario`, read every `every`.
pub(crate) fn run(
    scenario: &Scenario,
    threads: usize,
    names: CounterNames,
    every: Option<Span>,
) -> Counted {
    let System {
        topology,
        routing,
        mut endpoints,
    } = scenario.build().unwrap();
    let usage = Usage::of_one_job(endpoints.len());
    let parameters = &scenario.parameters;
    let mut network = testing::network(
        topology,
        &routing,
        parameters,
        guests(&mut endpoints),
        usage,
        threads,
    )
    .unwrap();
    let watched = network.watched(Span::from_ns(1_000));
    let shape = network.counter_shape(&Counting {
        every,
        most_readings: 1 << 40,
        names,
        routers: None,
        nodes: None,
    });
    let scopes = network.scopes();
    let probes = scopes.iter().map(|scope| {
        let telemetry = Telemetry::new(scope, &watched);
        (telemetry, Counters::new(scope, &shape))
    });
    let mut probes: Vec<_> = probes.collect();
    let stop = observe(&mut network, late(scenario), &mut probes);
    assert_ne!(stop, Stop::Finished, "it is watched for ever");
    let (telemetry, counters) = probes.into_iter().unzip();
    Counted {
        telemetry: Telemetry::merge(telemetry).unwrap(),
        readings: Counters::merge(counters, network.end()).unwrap(),
    }
}

/// The channels that leave `router`.
pub(crate) fn channels(topology: &Topology, router: RouterId) -> impl Iterator<Item = Channel> {
    let ports = (0..topology.radix()).map(PortIndex);
    let connected = ports.filter(move |port| topology.neighbour(router, *port).is_some());
    connected.map(move |port| Channel {
        router,
        port: u8::try_from(port.0).unwrap(),
        index: router.0 * u32::from(topology.radix()) + u32::from(port.0),
    })
}

/// What engine and reference model must agree on: the readings at some instants.
type Seen = Vec<(Instant, Tiles, Vec<NicCounts>)>;

fn seen(counted: &Counted, topology: &Topology) -> Seen {
    let radix = u32::from(topology.radix());
    let mut all = Vec::new();
    counted.readings.walk(|reading| {
        let of_router = |router: RouterId| {
            let ports = router.0 * radix..(router.0 + 1) * radix;
            ports.map(|port| reading.tile(port).unwrap()).collect()
        };
        let tiles = topology.routers().map(of_router).collect();
        let nics = topology.nodes().map(|node| reading.nic(node).unwrap());
        all.push((reading.at, tiles, nics.collect()));
    });
    all
}

/// What the reference model has counted up to `until`, with what NICs of one kind do not have left
/// out.
fn of_reference(
    scenario: &Scenario,
    names: CounterNames,
    until: Instant,
) -> (Tiles, Vec<NicCounts>) {
    let System {
        topology,
        routing,
        endpoints,
    } = scenario.build().unwrap();
    let run = simulate(topology, &routing, &scenario.parameters, endpoints, until);
    let zero = NicCounts::default();
    let nics = run.nics.into_iter().map(|nic| match names {
        CounterNames::Cassini => NicCounts {
            round_trip_bins: zero.round_trip_bins,
            ..nic
        },
        CounterNames::Aries => NicCounts {
            latency_bins: zero.latency_bins,
            sent_by_class: zero.sent_by_class,
            received_by_class: zero.received_by_class,
            credit_stall_by_class_ps: zero.credit_stall_by_class_ps,
            sent_by_size: zero.sent_by_size,
            received_by_size: zero.received_by_size,
            ..nic
        },
    });
    (run.tiles, nics.collect())
}

#[test]
fn engine_and_reference_model_count_the_same() {
    let mut sum = TileCounts::default();
    let (mut stalled, mut answered, mut crossbars) = (0, 0, 0);
    for number in 0..60 {
        let scenario = Scenario::random(number);
        let names = match number % 2 {
            0 => CounterNames::Aries,
            _ => CounterNames::Cassini,
        };
        let System { topology, .. } = scenario.build().unwrap();
        let counted = run(&scenario, 1, names, None);
        let (_, tiles, nics) = seen(&counted, &topology).pop().unwrap();
        let (of_reference, nics_of_reference) = of_reference(&scenario, names, late(&scenario));
        assert_eq!(tiles, of_reference, "scenario {number}");
        assert_eq!(nics, nics_of_reference, "scenario {number}");
        crossbars += u32::from(scenario.parameters.architecture == Architecture::Cioq);
        for tile in tiles.iter().flatten() {
            for vc in 0..8 {
                sum.flits[vc] += tile.flits[vc];
                sum.waiting_ps[vc] += tile.waiting_ps[vc];
            }
            for half in 0..2 {
                sum.column_stall_ps[half] += tile.column_stall_ps[half];
                sum.row_stall_ps[half] += tile.row_stall_ps[half];
            }
        }
        for nic in &nics {
            stalled += nic.credit_stall_ps.iter().sum::<u64>() + nic.outstanding_stall_ps;
            answered += nic.round_trips;
        }
    }
    let everything = sum.flits.iter().chain(&sum.waiting_ps);
    let everything = everything
        .chain(&sum.column_stall_ps)
        .chain(&sum.row_stall_ps);
    assert!(
        everything.clone().all(|sum| *sum > 0),
        "every counter moved: {sum:?}"
    );
    assert!(stalled > 0 && answered > 0 && crossbars > 10);
}

#[test]
fn they_agree_at_every_reading_and_on_any_number_of_threads() {
    let mut unsettled = 0;
    for number in [2, 5, 16, 37] {
        let scenario = Scenario::random(number);
        let names = CounterNames::Cassini;
        let every = Span::from_ps(scenario.last.ps() / 5 + 1);
        let System { topology, .. } = scenario.build().unwrap();
        let one = seen(&run(&scenario, 1, names, Some(every)), &topology);
        for threads in [2, 3] {
            let more = seen(&run(&scenario, threads, names, Some(every)), &topology);
            assert_eq!(one, more, "{threads} threads, scenario {number}");
        }
        for (at, tiles, nics) in one.iter().take(6) {
            let (of_reference, nics_of_reference) = of_reference(&scenario, names, *at);
            assert_eq!(*tiles, of_reference, "at {at:?}, scenario {number}");
            assert_eq!(*nics, nics_of_reference, "at {at:?}, scenario {number}");
            let sent = nics.iter().map(|nic| nic.sent[0].packets).sum::<u64>();
            let received = nics.iter().map(|nic| nic.received[0].packets).sum::<u64>();
            unsettled += sent - received;
        }
    }
    assert!(
        unsettled > 100,
        "packets are under way at readings: {unsettled}"
    );
}

/// The tile at the other end of the channel that leaves `router` by `port`.
fn far_end<'a>(
    topology: &Topology,
    tiles: &'a Tiles,
    router: RouterId,
    port: PortIndex,
) -> Option<&'a TileCounts> {
    match topology.neighbour(router, port)? {
        Attachment::Router(far, back) => Some(&tiles[far.index()][back.index()]),
        Attachment::Node(_) => None,
    }
}

#[test]
fn both_ends_of_every_link_agree() {
    let mut crossed = 0;
    for number in [1, 4, 7, 12, 19, 25, 33, 48] {
        let scenario = Scenario::random(number);
        let System { topology, .. } = scenario.build().unwrap();
        let counted = run(&scenario, 2, CounterNames::Aries, None);
        let (_, tiles, nics) = seen(&counted, &topology).pop().unwrap();
        let flit = u64::from(scenario.parameters.flit_bytes);
        let check = |flits: u64, packets: u64, (bytes, sent): (u64, u64)| {
            assert_eq!(packets, sent, "scenario {number}");
            // The last flit of a packet need not be full.
            let slack = (flits * flit).checked_sub(bytes);
            assert!(
                slack.is_some_and(|slack| slack <= packets * (flit - 1)),
                "{number}"
            );
        };
        for channel in topology
            .routers()
            .flat_map(|router| channels(&topology, router))
        {
            let (jobs, _) = counted.telemetry.traffic(channel);
            let sent = jobs.iter().map(|job| (job.bytes, job.packets));
            let sent = sent.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            let (router, port) = (channel.router, PortIndex(channel.port.into()));
            let Some(tile) = far_end(&topology, &tiles, router, port) else {
                let node = topology.node_at(router, port).unwrap();
                let came = nics[node.index()].received.iter();
                let came = came.fold((0, 0), |sum, one| (sum.0 + one.bytes, sum.1 + one.packets));
                assert_eq!(came, sent, "node {node:?}, scenario {number}");
                continue;
            };
            check(tile.flits.iter().sum(), tile.packets.iter().sum(), sent);
            crossed += sent.1;
        }
        for node in topology.nodes() {
            let (router, port) = (topology.router_of(node), topology.host_port(node));
            let tile = tiles[router.index()][port.index()];
            let sent = nics[node.index()].sent;
            assert_eq!(
                tile.packets,
                sent.map(|half| half.packets),
                "scenario {number}"
            );
            let halves = [
                tile.flits[..4].iter().sum(),
                tile.flits[4..].iter().sum::<u64>(),
            ];
            assert_eq!(halves, sent.map(|half| half.flits), "scenario {number}");
        }
        check_stalls(
            &counted.telemetry,
            &topology,
            &tiles,
            scenario.parameters.architecture,
        );
    }
    assert!(crossed > 5_000, "the scenarios carry traffic: {crossed}");
}

/// In a `voq` router, every stall of a channel is booked to the input queue that it held up; and
/// without responses, or only with them, to that half alone.
fn check_stalls(
    telemetry: &Telemetry,
    topology: &Topology,
    tiles: &Tiles,
    architecture: Architecture,
) {
    for router in topology.routers() {
        let here = &tiles[router.index()];
        let stalls: Vec<(PortIndex, u64)> = channels(topology, router)
            .map(|channel| {
                let stall = telemetry.link(channel).stall.ps();
                (PortIndex(channel.port.into()), stall)
            })
            .collect();
        for (port, stall) in &stalls {
            let halves = here[port.index()].column_stall_ps;
            let (sum, most) = (halves[0] + halves[1], halves[0].max(halves[1]));
            assert!(most <= *stall && *stall <= sum, "{router:?}, {port:?}");
        }
        if architecture == Architecture::Voq {
            let held: u64 = here.iter().flat_map(|tile| tile.row_stall_ps).sum();
            assert_eq!(
                held,
                stalls.iter().map(|stall| stall.1).sum::<u64>(),
                "{router:?}"
            );
        }
    }
    let hosts = (0..topology.radix()).map(PortIndex);
    let hosts = hosts.filter(|port| topology.port_kind(*port) == LinkKind::Host);
    for port in hosts {
        let stalled = tiles
            .iter()
            .map(|router| router[port.index()].column_stall_ps);
        assert!(
            stalled.into_iter().all(|both| both == [0, 0]),
            "NICs take everything"
        );
    }
}
