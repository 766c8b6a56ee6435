//! No source is held back for ever: after an incast every source is back at full rate within the
//! time that `docs/model/congestion.md` states.

use std::ops::Range;

use odonata_endpoint::Message;
use odonata_network::{Control, GetData, Pace, Parameters, Qos};
use odonata_reference::testing::{Scenario, System, TestEndpoint, message, simulate_recorded};
use odonata_telemetry::PacketRecord;
use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Purpose, Span, Stream};

use crate::agreement::asked_for;

/// Packets of the source that goes on when the others have ended.
const LONG: u64 = 600;

/// Packets of a source that sends alone.
const PROBE: u64 = 60;

/// Numbers of pacing of every size.
fn drawn_pace(draw: &mut Stream) -> Pace {
    let mut pick =
        |choices: &[u32]| choices[draw.below(u32::try_from(choices.len()).unwrap()) as usize];
    Pace {
        least_sources: pick(&[2, 3, 6]),
        queue_flits: pick(&[1, 4, 20, 200]),
        pause: pick(&[0, 1, 4, 16]),
        spread_milli: pick(&[0, 250, 1_000, 4_000]),
        expiry_milli: pick(&[375, 1_500, 5_000, 20_000]),
        smallest_bytes: pick(&[0, 1]),
    }
}

/// Nothing but pacing holds a source back: no credits, no caps, no other channel.
fn roomy(parameters: &Parameters, pace: Pace) -> Parameters {
    let mut roomy = Parameters {
        input_buffer_flits: [parameters.packet_flits() * 1_000; 5],
        nic_buffer_packets: 1_000,
        response_bytes: 0,
        outstanding: 0,
        get_data: GetData::Requests,
        get_behind: 0,
        qos: Qos::NONE,
        control: Some(Control::Pace(pace)),
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

/// An incast of which one source goes on, and then every source alone.
struct Incast {
    scenario: Scenario,
    pace: Pace,
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
        let mut draw = Stream::new(number, Purpose::Job, 2);
        let pace = drawn_pace(&mut draw);
        scenario.parameters = roomy(&scenario.parameters, pace);
        let nodes = scenario.plant.build().unwrap().node_count();
        let target = draw.below(nodes);
        let goes_on = (target + 1 + draw.below(nodes.max(2) - 1)) % nodes;
        let mut bursts: Vec<u64> = (0..nodes).map(|_| u64::from(1 + draw.below(20))).collect();
        bursts[goes_on as usize] = LONG;
        let packet =
            (scenario.parameters).serialization(LinkKind::Host, scenario.parameters.packet_flits());
        Self {
            scenario,
            pace,
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

    fn count(&self) -> u64 {
        self.bursts.len() as u64 - 1
    }

    /// So many packets for the target.
    fn packets(&self, count: u64) -> Message {
        let parameters = &self.scenario.parameters;
        let payload = u64::from(parameters.packet_bytes - parameters.header_bytes);
        message(self.target, count * payload)
    }

    /// The longest way of a notice to a source whose packets go through so many routers.
    fn notice(&self, routers: usize) -> Span {
        let parameters = &self.scenario.parameters;
        let longest = LinkKind::ALL.map(|kind| parameters.link(kind).latency);
        let longest = longest.into_iter().max().unwrap() + parameters.router_latency;
        longest * (routers as u64 + 1)
    }

    /// Longer than any pause that a router tells of so many packets, all its slots included.
    fn pause(&self, packets: u64) -> Span {
        let slots = self.pace.slot(self.packet) * self.count();
        self.packet * (packets * u64::from(self.pace.pause)) + slots
    }

    /// The silence after which one of all sources is released.
    fn expiry(&self) -> Span {
        let sources = u32::try_from(self.count()).unwrap();
        self.pace.expiry(sources, self.packet)
    }

    /// The incast, and then from `alone.start` on every source alone, `alone.end - alone.start` apart.
    fn run(&self, alone: Option<Range<Instant>>) -> Vec<PacketRecord> {
        let System {
            topology, routing, ..
        } = self.scenario.build().unwrap();
        let mut turn = 0;
        let mut endpoint = |node: u32| {
            if NodeId(node) == self.target {
                return TestEndpoint::silent();
            }
            let burst = self.packets(self.bursts[node as usize]);
            let mut script = vec![(Instant::ZERO, burst)];
            if let Some(alone) = &alone {
                let at = alone.start + (alone.end - alone.start) * turn;
                script.push((at, self.packets(PROBE)));
                turn += 1;
            }
            TestEndpoint::scripted(script)
        };
        let nodes = u32::try_from(self.bursts.len()).unwrap();
        let endpoints: Vec<TestEndpoint> = (0..nodes).map(&mut endpoint).collect();
        let until = Instant::from_ps(1 << 50);
        let parameters = &self.scenario.parameters;
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

    /// From `free` on, packets follow one another without a gap; returns how many do.
    fn check(&self, packets: &[&PacketRecord], free: Instant, what: &str) -> u64 {
        let mut full = 0;
        for pair in packets.windows(2) {
            let [before, after] = [pair[0].injected, pair[1].injected];
            let due = (before + self.packet).max(free + self.packet);
            assert!(
                after <= due,
                "{what}: {after:?} after {before:?}, free at {free:?}: {} {:?}",
                self.scenario.number,
                self.pace
            );
            full += u64::from(before >= free);
        }
        full
    }

    /// Returns how many packets were seen to follow one another at full rate.
    fn compare(&self) -> [u64; 2] {
        let incast = self.run(None);
        let total: u64 = self.sources().map(|it| self.bursts[it.index()]).sum();
        assert_eq!(incast.len() as u64, total, "no packet is lost");
        let end = incast.iter().map(|it| it.delivered).max().unwrap();
        let others = incast.iter().filter(|it| it.source != self.goes_on);
        let silent = others.map(|it| it.delivered).max();
        let hops = incast.iter().map(|it| it.path.len()).max().unwrap();
        let notice = self.notice(hops);
        // What the page states: pauses end, silence lasts, one packet of the source comes, and a notice goes.
        let pause = self.pause(total - LONG + PROBE) + notice * 2;
        let mine = self.of(&incast, self.goes_on);
        let longest_way = mine.iter().map(|it| it.delivered - it.injected).max();
        let degree = self.count() + u64::from(Pace::SLACK);
        let round = self.packet * degree + longest_way.unwrap() + notice;
        let mut full = [0; 2];
        if let Some(silent) = silent {
            let free = silent + pause + self.expiry() + round;
            full[0] = self.check(&mine, free, "the one that goes on");
        }
        let apart = pause * 2 + self.expiry() + round + self.packet * (PROBE * degree);
        let start = end + apart;
        let records = self.run(Some(start..start + apart));
        for source in self.sources() {
            let probe = self.of(&records, source);
            let probe = &probe[probe.len() - usize::try_from(PROBE).unwrap()..];
            assert!(probe[0].injected >= start, "the incast is over");
            let free = probe[0].delivered + notice;
            full[1] += self.check(probe, free, "one that comes back");
        }
        full
    }
}

fn compare_released(numbers: Range<u64>) {
    let count = numbers.end - numbers.start;
    let mut full = [0; 2];
    for number in numbers {
        let incast = Incast::random(number);
        if incast.count() > 1 {
            let seen = incast.compare();
            full = [full[0] + seen[0], full[1] + seen[1]];
        }
    }
    assert!(
        full[0] > 30 * count && full[1] > 100 * count,
        "sources are seen at full rate: {full:?}"
    );
}

#[test]
fn every_source_is_released() {
    compare_released(0..100);
}

/// Any number of them: `ODONATA_SCENARIOS=0..2000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn every_source_is_released_in_further_scenarios() {
    compare_released(asked_for(100..2100));
}
