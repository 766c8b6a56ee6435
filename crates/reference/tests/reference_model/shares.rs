//! Classes with assured shares, ceilings and priorities: engine and reference model agree.

use odonata_reference::testing::Scenario;

use crate::agreement::{asked_for, compare_drawn};

#[test]
fn random_scenarios_with_shares_0() {
    compare_drawn(0..100, Scenario::random_with_shares);
}

#[test]
fn random_scenarios_with_shares_1() {
    compare_drawn(100..200, Scenario::random_with_shares);
}

/// Most scenarios have what this is about; the others have room for one class only.
#[test]
fn random_scenarios_have_ceilings_and_priorities() {
    let all = || (0..200).map(|number| Scenario::random_with_shares(number).parameters.qos);
    let with_ceilings = all().filter(|qos| qos.classes > 1 && qos.has_ceilings());
    assert!(with_ceilings.count() > 80);
    let split = all().filter(|qos| {
        let mut each = qos.each().iter();
        qos.classes > 1 && each.any(|share| share.priority != share.response_priority)
    });
    assert!(split.count() > 80);
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_shares() {
    compare_drawn(asked_for(200..2_200), Scenario::random_with_shares);
}
