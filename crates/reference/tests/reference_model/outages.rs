//! Routers that go down and come back: the engine against the reference model.

use odonata_reference::testing::Scenario;

use crate::agreement::{asked_for, compare_drawn, numbers};

/// Routers go down and come back, in every second scenario beside links that change.
#[test]
fn random_scenarios_with_outages_0() {
    compare_drawn(numbers(0..150), Scenario::random_with_outages);
}

#[test]
fn random_scenarios_with_outages_1() {
    compare_drawn(numbers(150..300), Scenario::random_with_outages);
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_outages() {
    compare_drawn(asked_for(300..2400), Scenario::random_with_outages);
}

/// The scenarios with outages are about something: in most of them a router goes down, in many it
/// comes back, and in many packets are rerouted.
#[test]
fn routers_that_go_down_matter() {
    let (mut failing, mut back, mut rerouting) = (0, 0, 0);
    for number in 0..120 {
        let scenario = Scenario::random_with_outages(number);
        let outages = &scenario.changes.routers;
        failing += u32::from(!outages.is_empty());
        back += u32::from(outages.iter().any(|one| one.until < scenario.until));
        rerouting += u32::from(scenario.simulate().unwrap().rerouted > 0);
    }
    let found = format!("{failing} fail, {back} come back, {rerouting} reroute");
    assert!(failing > 60 && back > 30 && rerouting > 40, "{found}");
}
