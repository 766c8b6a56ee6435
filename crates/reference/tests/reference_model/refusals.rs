//! How long links send, and their saturation as CODES counts it (`docs/results.md`, table `links`):
//! engine and reference model agree at every channel.

use odonata_network::{Architecture, CreditReturn};
use odonata_reference::simulate;
use odonata_reference::testing::{Scenario, System};
use odonata_telemetry::CounterNames;

use crate::agreement::numbers;
use crate::tile_counters::{channels, late, run};

/// The refusals that both see in `scenario`, summed over its channels; fails at a channel of which
/// they say something else.
fn agree(scenario: &Scenario, threads: usize) -> u64 {
    let System {
        topology,
        routing,
        endpoints,
    } = scenario.build().unwrap();
    let counted = run(scenario, threads, CounterNames::Aries, None);
    let (parameters, until) = (&scenario.parameters, late(scenario));
    let naive = simulate(topology.clone(), &routing, parameters, endpoints, until);
    let mut sum = 0;
    for router in topology.routers() {
        for channel in channels(&topology, router) {
            let (router, port) = (router.index(), usize::from(channel.port));
            let times = counted.telemetry.link(channel);
            let expected = (naive.busy_ps[router][port], naive.refused_ps[router][port]);
            assert_eq!(
                (times.busy.ps(), times.refused.ps()),
                expected,
                "{channel:?}, scenario {}",
                scenario.number
            );
            sum += times.refused.ps();
        }
    }
    sum
}

#[test]
fn engine_and_reference_model_see_the_same_refusals() {
    let (mut reserving, mut departing, mut crossbars) = (0, 0, 0);
    for number in numbers(0..160) {
        let scenario = Scenario::random(number);
        let sum = agree(&scenario, 1 + (number % 3) as usize);
        let parameters = &scenario.parameters;
        match (parameters.architecture, parameters.credit_return) {
            (Architecture::Cioq, _) => crossbars += u32::from(sum > 0),
            (Architecture::Voq, CreditReturn::Departure) => departing += u32::from(sum > 0),
            (Architecture::Voq, CreditReturn::Reservation) => reserving += u32::from(sum > 0),
        }
    }
    let found = format!("{crossbars} crossbars, {departing} by departure, {reserving} reserving");
    assert!(crossbars > 10 && departing > 10 && reserving > 1, "{found}");
}

/// A packet on a link that has lost lanes occupies it for longer.
#[test]
fn engine_and_reference_model_see_links_busy_for_as_long_when_they_change() {
    for number in numbers(0..60) {
        agree(
            &Scenario::random_with_changes(number),
            1 + (number % 3) as usize,
        );
    }
}
