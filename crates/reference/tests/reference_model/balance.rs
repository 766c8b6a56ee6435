//! How to add a probe, by one of twenty lines: it holds that nothing is lost or made.

use std::collections::BTreeMap;

use odonata_engine::Stop;
use odonata_network::Usage;
use odonata_reference::testing::{self, Scenario, System, guests, observe};
use odonata_telemetry::{Channel, ChannelStart, CreditChange, Injection, PacketFacts, Probe};
use odonata_units::{Instant, RouterId, Span};

/// Counts what goes in and what comes out: of the network, of input buffers, of every channel.
#[derive(Default, PartialEq, Eq, Debug)]
struct Balance {
    in_network: i64,
    in_buffers: i64,
    /// Credits taken and not returned, flits.
    owed: BTreeMap<Channel, i64>,
    events: u64,
}

impl Probe for Balance {
    fn injected(&mut self, _: &PacketFacts, _: bool, _: Injection) {
        self.in_network += 1;
        self.events += 1;
    }

    fn entered(&mut self, _: RouterId, _: &PacketFacts, _: Instant) {
        self.in_buffers += 1;
    }

    fn left(&mut self, _: RouterId, _: &PacketFacts, _: Instant) {
        self.in_buffers -= 1;
    }

    fn started(&mut self, channel: Channel, packet: &PacketFacts, _: ChannelStart) {
        *self.owed.entry(channel).or_default() += i64::from(packet.flits);
    }

    fn credits_returned(&mut self, channel: Channel, credits: CreditChange, _: Instant) {
        *self.owed.entry(channel).or_default() -= i64::from(credits.flits);
    }

    fn delivered(&mut self, _: &PacketFacts, _: Instant) {
        self.in_network -= 1;
    }

    fn acknowledged(&mut self, _: &PacketFacts, _: Instant) {
        self.in_network -= 1;
    }
}

/// What the probes of `threads` threads counted together, until nothing is left to do.
fn balance(scenario: &Scenario, threads: usize) -> Balance {
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
    let mut probes: Vec<Balance> = Vec::new();
    probes.resize_with(network.scopes().len(), Balance::default);
    let late = scenario.until + Span::from_ns(1_000_000_000);
    let stop = observe(&mut network, late, &mut probes);
    assert_ne!(stop, Stop::Finished, "it is watched for ever");
    let mut whole = Balance::default();
    for probe in probes {
        whole.in_network += probe.in_network;
        whole.in_buffers += probe.in_buffers;
        whole.events += probe.events;
        whole.owed.extend(probe.owed);
    }
    whole
}

#[test]
fn nothing_is_lost_or_made() {
    let mut injected = 0;
    for number in [3, 5, 9, 17, 26, 40, 58] {
        let scenario = Scenario::random(number);
        let System { topology, .. } = scenario.build().unwrap();
        let mut seen = balance(&scenario, 1);
        assert_eq!(
            seen,
            balance(&scenario, 3),
            "three threads, scenario {number}"
        );
        injected += seen.events;
        // Nodes consume at once: channels towards them have no credits.
        seen.owed.retain(|channel, _| {
            let port = odonata_topology::PortIndex(u16::from(channel.port));
            topology.port_kind(port) != odonata_topology::LinkKind::Host
        });
        let owed: i64 = seen.owed.values().map(|flits| flits.abs()).sum();
        assert_eq!(
            (seen.in_network, seen.in_buffers, owed),
            (0, 0, 0),
            "scenario {number}"
        );
    }
    assert!(injected > 1_000, "the scenarios carry traffic: {injected}");
}
