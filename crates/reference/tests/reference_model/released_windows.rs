//! No window stays small for ever: after an incast every source is back at full rate within the time
//! that `docs/model/congestion.md` states.

use std::ops::Range;

use odonata_network::{Control, GetData, Nscc, Parameters, Qos, Switching};
use odonata_reference::testing::{Scenario, System, TestEndpoint, message, simulate_recorded};
use odonata_telemetry::PacketRecord;
use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Purpose, Span, Stream};

use crate::agreement::asked_for;

/// Packets of the source that goes on when the others have ended.
const LONG: u64 = 30_000;

/// Packets of a source that sends alone.
const PROBE: u64 = 60;

/// Round trips in which a window gains one product of bandwidth and delay, and a rest.
const TRIPS: u64 = 250;

/// Windows that have room for any path, and marks for queues only.
fn drawn_windows(draw: &mut Stream, round_trip: Span) -> Nscc {
    let mut pick =
        |choices: &[u32]| choices[draw.below(u32::try_from(choices.len()).unwrap()) as usize];
    Nscc {
        round_trip: Some(round_trip),
        target_milli: pick(&[1_000, 4_000]),
        free_delay: Span::from_ns(u64::from(pick(&[0, 250, 1_000]))),
        adjust_bytes: pick(&[500, 8_320, 33_280]),
        average: pick(&[4, 20, 80]),
        window_milli: 6_000,
        mark_from_milli: pick(&[1_000, 2_000]),
        mark_to_milli: 3_000,
        forget_milli: pick(&[500, 2_000, 16_000]),
    }
}

/// Nothing but windows holds a source back: no credits, no caps, no other channel.
fn roomy(parameters: &Parameters, windows: Nscc) -> Parameters {
    let mut roomy = Parameters {
        input_buffer_flits: [parameters.packet_flits() * 2_000; 5],
        nic_buffer_packets: 1_000,
        response_bytes: 0,
        outstanding: 0,
        get_data: GetData::Requests,
        get_behind: 0,
        qos: Qos::NONE,
        control: Some(Control::Nscc(windows)),
        // The round trip that windows count on is that of cut-through.
        switching: Switching::CutThrough,
        ..*parameters
    };
    for link in [
        &mut roomy.local,
        &mut roomy.row,
        &mut roomy.column,
        &mut roomy.global,
    ] {
        link.bandwidth = roomy.host.bandwidth;
    }
    roomy
}

/// There and back by so many links between routers, and a largest packet.
fn round_trip(parameters: &Parameters, hops: u32) -> Span {
    let latency = |kind| parameters.link(kind).latency;
    let longest = LinkKind::ALL.map(latency).into_iter().max().unwrap();
    let packet = parameters.serialization(LinkKind::Host, parameters.packet_flits());
    (longest + parameters.router_latency) * (u64::from(hops) + 2) * 2 + packet
}

/// An incast of which one source goes on, and then every source alone.
struct Incast {
    scenario: Scenario,
    windows: Nscc,
    /// `T`.
    round_trip: Span,
    target: NodeId,
    goes_on: NodeId,
    /// Packets of each node.
    bursts: Vec<u64>,
    /// The time of a largest packet on the host channel.
    packet: Span,
}

impl Incast {
    fn random(number: u64) -> Self {
        let mut scenario = Scenario::random(number);
        let mut draw = Stream::new(number, Purpose::Job, 3);
        let topology = scenario.plant.build().unwrap();
        let round_trip = round_trip(&scenario.parameters, topology.summary().diameter_hops);
        let windows = drawn_windows(&mut draw, round_trip);
        scenario.parameters = roomy(&scenario.parameters, windows);
        let nodes = topology.node_count();
        let target = draw.below(nodes);
        let goes_on = (target + 1 + draw.below(nodes.max(2) - 1)) % nodes;
        let mut bursts: Vec<u64> = (0..nodes).map(|_| u64::from(1 + draw.below(60))).collect();
        bursts[goes_on as usize] = LONG;
        let packet =
            (scenario.parameters).serialization(LinkKind::Host, scenario.parameters.packet_flits());
        Self {
            scenario,
            windows,
            round_trip,
            target: NodeId(target),
            goes_on: NodeId(goes_on),
            bursts,
            packet,
        }
    }

    fn sources(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = u32::try_from(self.bursts.len()).unwrap();
        (0..nodes).map(NodeId).filter(|node| *node != self.target)
    }

    /// The incast, and then from `alone.start` on every source alone, `alone.end - alone.start` apart.
    fn run(&self, alone: Option<Range<Instant>>) -> Vec<PacketRecord> {
        let System {
            topology, routing, ..
        } = self.scenario.build().unwrap();
        let parameters = &self.scenario.parameters;
        let payload = u64::from(parameters.packet_bytes - parameters.header_bytes);
        let mut turn = 0;
        let mut endpoint = |node: u32| {
            if NodeId(node) == self.target {
                return TestEndpoint::silent();
            }
            let burst = message(self.target, self.bursts[node as usize] * payload);
            let mut script = vec![(Instant::ZERO, burst)];
            if let Some(alone) = &alone {
                let at = alone.start + (alone.end - alone.start) * turn;
                script.push((at, message(self.target, PROBE * payload)));
                turn += 1;
            }
            TestEndpoint::scripted(script)
        };
        let nodes = u32::try_from(self.bursts.len()).unwrap();
        let endpoints: Vec<TestEndpoint> = (0..nodes).map(&mut endpoint).collect();
        let until = Instant::from_ps(1 << 50);
        let (records, _) =
            simulate_recorded(topology, &routing, parameters, endpoints, until, 1).unwrap();
        records
    }

    /// The packets of `source`, by their start.
    fn of<'a>(&self, records: &'a [PacketRecord], source: NodeId) -> Vec<&'a PacketRecord> {
        let mut found: Vec<_> = (records.iter()).filter(|it| it.source == source).collect();
        found.sort_by_key(|record| record.injected);
        found
    }

    /// From `free` on, packets follow one another without a gap; returns how many do, and how many
    /// waited before.
    fn check(&self, packets: &[&PacketRecord], free: Instant, what: &str) -> [u64; 2] {
        let mut seen = [0; 2];
        for pair in packets.windows(2) {
            let [before, after] = [pair[0].injected, pair[1].injected];
            let follows = after <= before + self.packet;
            assert!(
                follows || before < free,
                "{what}: {after:?} after {before:?}, free at {free:?}: {} {:?}",
                self.scenario.number,
                self.windows
            );
            seen[0] += u64::from(before >= free);
            seen[1] += u64::from(!follows);
        }
        seen
    }

    fn compare(&self) -> [u64; 3] {
        let incast = self.run(None);
        let total: u64 = self.sources().map(|it| self.bursts[it.index()]).sum();
        assert_eq!(incast.len() as u64, total, "no packet is lost");
        let end = incast.iter().map(|it| it.delivered).max().unwrap();
        let others = incast.iter().filter(|it| it.source != self.goes_on);
        let silent = others.map(|it| it.delivered).max();
        // A path may be twice as long as a minimal one: it needs two products of bandwidth and delay.
        let trip = self.round_trip * 2;
        let mut full = [0; 3];
        if let Some(silent) = silent {
            let mine = self.of(&incast, self.goes_on);
            let seen = self.check(&mine, silent + trip * TRIPS, "the one that goes on");
            full = [seen[0], 0, seen[1]];
        }
        let apart = trip * 17 + self.packet * (PROBE * 2);
        let start = end + apart;
        let records = self.run(Some(start..start + apart));
        for source in self.sources() {
            let probe = self.of(&records, source);
            let probe = &probe[probe.len() - usize::try_from(PROBE).unwrap()..];
            assert!(probe[0].injected >= start, "the incast is over");
            full[1] += self.check(probe, start, "one that comes back")[0];
        }
        full
    }
}

fn compare_released(numbers: Range<u64>) {
    let count = numbers.end - numbers.start;
    let mut full = [0; 3];
    for number in numbers {
        let incast = Incast::random(number);
        if incast.bursts.len() > 2 {
            let seen = incast.compare();
            full = std::array::from_fn(|index| full[index] + seen[index]);
        }
    }
    assert!(
        full[0] > 1_000 * count && full[1] > 100 * count && full[2] > 10 * count,
        "sources are seen to wait, and at full rate: {full:?}"
    );
}

#[test]
fn every_window_opens_again() {
    compare_released(0..20);
}

/// Any number of them: `ODONATA_SCENARIOS=0..2000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn every_window_opens_again_in_further_scenarios() {
    compare_released(asked_for(20..2020));
}
