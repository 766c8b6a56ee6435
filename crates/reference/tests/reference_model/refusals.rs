//! Link saturation as CODES counts it (`docs/results.md`, table `links`): engine and reference model
//! agree at every channel.

use odonata_network::{Architecture, CreditReturn};
use odonata_reference::simulate;
use odonata_reference::testing::{Scenario, System};
use odonata_telemetry::CounterNames;

use crate::tile_counters::{channels, late, run};

/// What both say of `scenario`, summed over its channels; refuses a channel where they differ.
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
            let refused = counted.telemetry.link(channel).refused.ps();
            let expected = naive.refused_ps[router.index()][usize::from(channel.port)];
            assert_eq!(
                refused, expected,
                "{channel:?}, scenario {}",
                scenario.number
            );
            sum += refused;
        }
    }
    sum
}

#[test]
fn engine_and_reference_model_see_the_same_refusals() {
    let (mut reserving, mut departing, mut crossbars) = (0, 0, 0);
    for number in 0..160 {
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
