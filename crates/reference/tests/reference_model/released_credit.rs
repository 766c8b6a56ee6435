//! Nobody waits for ever under receiver credit and under abatement: after an incast sources are back
//! at the rate that `docs/model/congestion.md` states.

use std::ops::Range;

use odonata_network::{Abate, AbateShare, Control, GetData, Parameters, Qos, Rccc, Switching};
use odonata_reference::testing::{Scenario, System, TestEndpoint, message, simulate_recorded};
use odonata_telemetry::PacketRecord;
use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Purpose, Span, Stream};

use crate::agreement::asked_for;

/// Packets of the source that goes on when the others have ended.
const LONG: u64 = 3_000;

/// Packets of a source that sends alone.
const PROBE: u64 = 30;

/// Of an [`Incast`]: the packets of its sources, and when they send again, one after the other.
struct Again {
    start: Instant,
    apart: Span,
}

/// An incast of which one source goes on, and then every source alone.
struct Incast {
    scenario: Scenario,
    target: NodeId,
    goes_on: NodeId,
    /// Packets of each node.
    bursts: Vec<u64>,
    /// The time of a largest packet on the host channel.
    packet: Span,
    /// There and back by the longest minimal path.
    round_trip: Span,
}

fn pick(draw: &mut Stream, choices: &[u32]) -> u32 {
    choices[draw.below(u32::try_from(choices.len()).unwrap()) as usize]
}

/// Nothing but the controller holds a source back: no credits, no caps, no other channel.
fn roomy(parameters: &Parameters) -> Parameters {
    let mut roomy = Parameters {
        input_buffer_flits: [parameters.packet_flits() * 4_000; 5],
        output_buffer_flits: parameters.packet_flits() * 4_000,
        nic_buffer_packets: 1_000,
        response_bytes: 0,
        outstanding: 0,
        get_data: GetData::Requests,
        get_behind: 0,
        qos: Qos::NONE,
        control: None,
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

impl Incast {
    fn random(number: u64, draw: &mut Stream) -> Self {
        let mut scenario = Scenario::random(number);
        scenario.parameters = roomy(&scenario.parameters);
        let parameters = &scenario.parameters;
        let topology = scenario.plant.build().unwrap();
        let nodes = topology.node_count();
        let target = draw.below(nodes);
        let goes_on = (target + 1 + draw.below(nodes.max(2) - 1)) % nodes;
        let mut bursts: Vec<u64> = (0..nodes).map(|_| u64::from(1 + draw.below(60))).collect();
        bursts[goes_on as usize] = LONG;
        let packet = parameters.serialization(LinkKind::Host, parameters.packet_flits());
        let latency = |kind| parameters.link(kind).latency;
        let longest = LinkKind::ALL.map(latency).into_iter().max().unwrap();
        let hops = u64::from(topology.summary().diameter_hops) + 2;
        let round_trip = (longest + parameters.router_latency) * (hops * 2) + packet;
        Self {
            scenario,
            target: NodeId(target),
            goes_on: NodeId(goes_on),
            bursts,
            packet,
            round_trip,
        }
    }

    fn sources(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = u32::try_from(self.bursts.len()).unwrap();
        (0..nodes).map(NodeId).filter(|node| *node != self.target)
    }

    fn count(&self) -> u64 {
        self.bursts.len() as u64 - 1
    }

    /// The incast, and then every source alone.
    fn run(&self, again: Option<&Again>) -> Vec<PacketRecord> {
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
            if let Some(again) = again {
                let at = again.start + again.apart * turn;
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

    /// The incast, of which no packet is lost.
    fn run_whole(&self) -> Vec<PacketRecord> {
        let records = self.run(None);
        let total: u64 = self.sources().map(|it| self.bursts[it.index()]).sum();
        assert_eq!(records.len() as u64, total, "no packet is lost");
        records
    }

    /// The last delivery of the sources that end, if there are any.
    fn silent(&self, records: &[PacketRecord]) -> Option<Instant> {
        let others = records.iter().filter(|it| it.source != self.goes_on);
        others.map(|it| it.delivered).max()
    }

    /// The packets of `source`, by their start.
    fn of<'a>(&self, records: &'a [PacketRecord], source: NodeId) -> Vec<&'a PacketRecord> {
        let mut found: Vec<_> = (records.iter()).filter(|it| it.source == source).collect();
        found.sort_by_key(|record| record.injected);
        found
    }

    /// How long the packets that start from `from` on wait for more than the one before.
    fn lost(&self, packets: &[&PacketRecord], from: Instant) -> Span {
        let gaps = packets.windows(2).filter(|pair| pair[0].injected >= from);
        let lost = gaps.map(|pair| {
            let gap = pair[1].injected - pair[0].injected;
            gap.saturating_sub(self.packet)
        });
        lost.fold(Span::ZERO, |sum, one| sum + one)
    }
}

/// Credit leaves at the rate of the channel at least, and suffices for paths twice as long.
fn with_credit(number: u64) -> Incast {
    let mut draw = Stream::new(number, Purpose::Job, 4);
    let mut incast = Incast::random(number, &mut draw);
    incast.scenario.parameters.control = Some(Control::Rccc(Rccc {
        round_trip: Some(incast.round_trip),
        window_milli: 6_000,
        rate_milli: pick(&mut draw, &[1_000, 1_250, 4_000]),
        pull: pick(&mut draw, &[1, 2, 4]),
    }));
    incast
}

/// Packets that are seen to start at full rate, and those that wait.
fn compare_credit(numbers: Range<u64>) {
    let (mut checked, mut full, mut waited) = (0, 0, 0);
    for number in numbers {
        let incast = with_credit(number);
        // Where the initial credit is as long as a message nobody waits for any.
        if incast.count() < 2 || incast.round_trip * 6 > incast.packet * (LONG / 10) {
            continue;
        }
        checked += 1;
        let records = incast.run_whole();
        let end = records.iter().map(|it| it.delivered).max().unwrap();
        // Credit for all goes round once, and comes.
        let initial = incast.round_trip * 12 + incast.packet * 8;
        let topped = (initial + incast.round_trip) * incast.count();
        let mine = incast.of(&records, incast.goes_on);
        if let Some(silent) = incast.silent(&records) {
            let free = silent + incast.round_trip * 4;
            assert_eq!(
                incast.lost(&mine, free),
                Span::ZERO,
                "{number}: who goes on"
            );
            full += mine.iter().filter(|it| it.injected >= free).count() as u64;
            waited += u64::from(incast.lost(&mine, Instant::ZERO) > Span::ZERO);
        }
        let apart = topped + incast.packet * (PROBE * 2);
        let again = Again {
            start: end + apart,
            apart,
        };
        let records = incast.run(Some(&again));
        for source in incast.sources() {
            let probe = incast.of(&records, source);
            let lost = incast.lost(&probe, again.start);
            assert_eq!(lost, Span::ZERO, "{number}: {source:?} comes back");
            full += PROBE;
        }
    }
    assert!(full > 100 * checked, "{full} packets at full rate");
    assert!(
        checked > 0 && waited > checked / 4,
        "{waited} of {checked} sources wait for credit"
    );
}

/// Any number of them: `ODONATA_SCENARIOS=0..2000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn every_sender_gets_credit_in_further_scenarios() {
    compare_credit(asked_for(40..2040));
}

/// Abatement that begins at a few packets.
fn with_abatement(number: u64) -> (Incast, Abate) {
    let mut draw = Stream::new(number, Purpose::Job, 5);
    let mut incast = Incast::random(number, &mut draw);
    let abate = Abate {
        on_milli: pick(&mut draw, &[1, 2]),
        off_milli: 1,
        hold_milli: pick(&mut draw, &[500, 2_000, 8_000]),
        aggressor_milli: 100,
        share: AbateShare::Exact,
        period: incast.packet * u64::from(pick(&mut draw, &[5, 20])),
        periods: pick(&mut draw, &[2, 5]),
        floor_ppm: pick(&mut draw, &[10_000, 100_000]),
    };
    incast.scenario.parameters.control = Some(Control::Abate(abate));
    (incast, abate)
}

/// When the packets of each node that belong to the second part start first.
fn first_starts(incast: &Incast, again: &Again) -> Vec<Instant> {
    let records = incast.run(Some(again));
    let first = |source: NodeId| {
        let all = incast.of(&records, source);
        let behind = all.iter().find(|it| it.injected >= again.start);
        behind.map(|it| it.injected).unwrap()
    };
    incast.sources().map(first).collect()
}

fn compare_abatement(numbers: Range<u64>) {
    let count = numbers.end - numbers.start;
    let (mut checked, mut waited) = (0, 0);
    for number in numbers {
        let (mut incast, abate) = with_abatement(number);
        if incast.count() < 2 {
            continue;
        }
        let records = incast.run_whole();
        let end = records.iter().map(|it| it.delivered).max().unwrap();
        let lost = incast.sources().map(|source| {
            let all = incast.of(&records, source);
            incast.lost(&all, Instant::ZERO)
        });
        let has_waited = lost.max() > Some(incast.packet * 2);
        waited += u64::from(has_waited);
        // `H`, of all that the buffers of a port hold at most, and the way of a notice.
        let held = incast.packet * (4_000 * 32 / 500);
        let hold = held * u64::from(abate.hold_milli.div_ceil(1_000));
        let apart = hold + incast.round_trip * 2 + incast.packet * (PROBE * 200);
        let again = Again {
            start: end + apart,
            apart,
        };
        let abated = first_starts(&incast, &again);
        incast.scenario.parameters.control = None;
        assert_eq!(
            abated,
            first_starts(&incast, &again),
            "{number}: all are free"
        );
        checked += 1;
    }
    assert!(checked > count / 2, "{checked} incasts");
    assert!(waited > count / 4, "{waited} incasts are slowed down");
}

#[test]
fn every_abated_source_is_released() {
    compare_abatement(0..40);
}

/// Any number of them: `ODONATA_SCENARIOS=0..2000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn every_abated_source_is_released_in_further_scenarios() {
    compare_abatement(asked_for(40..2040));
}
