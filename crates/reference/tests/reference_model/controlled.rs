//! Engine and reference model agree bit by bit on scenarios with congestion control at end points.

use std::ops::Range;

use odonata_reference::testing::Scenario;
use odonata_units::Instant;

use crate::agreement::{asked_for, compare, compared, numbers};

fn compare_paced(numbers: Range<u64>) {
    let mut paced = 0;
    let count = numbers.end - numbers.start;
    for number in numbers {
        let mut scenario = Scenario::random(number);
        if scenario.parameters.pace().is_some() {
            scenario.until += scenario.until - Instant::ZERO;
            compare(&scenario, &[1]);
            paced += 1;
        }
    }
    assert!(paced * 4 > count, "{paced} of {count} are paced");
}

/// Those of any number that are paced, two in five: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_pace() {
    compare_paced(asked_for(900..5900));
}

fn compare_windows(numbers: Range<u64>, threads: &[usize]) {
    for number in numbers {
        let mut scenario = Scenario::random_with_windows(number);
        scenario.until += scenario.until - Instant::ZERO;
        compare(&scenario, threads);
    }
}

#[test]
fn random_scenarios_with_windows() {
    compare_windows(numbers(0..100), &[1, 2]);
}

fn compare_sprayed(numbers: Range<u64>) {
    let mut packets = [0; 2];
    for number in numbers {
        let mut scenario = Scenario::random_with_spraying(number);
        scenario.until += scenario.until - Instant::ZERO;
        let threads: &[usize] = if number % 4 == 0 { &[1, 3] } else { &[2] };
        for record in compared(&scenario, threads) {
            packets[usize::from(record.minimal)] += 1;
        }
    }
    assert!(packets.iter().all(|count| *count > 5_000), "{packets:?}");
}

#[test]
fn random_scenarios_with_spraying() {
    compare_sprayed(numbers(0..100));
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_spraying() {
    compare_sprayed(asked_for(100..2100));
}

fn compare_credit(numbers: Range<u64>) {
    for number in numbers {
        let mut scenario = Scenario::random_with_credit(number);
        scenario.until += scenario.until - Instant::ZERO;
        let threads: &[usize] = if number % 4 == 0 { &[1, 3] } else { &[2] };
        compare(&scenario, threads);
    }
}

#[test]
fn random_scenarios_with_credit() {
    compare_credit(numbers(0..100));
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_credit() {
    compare_credit(asked_for(100..2100));
}

fn compare_abated(numbers: Range<u64>) {
    for number in numbers {
        let mut scenario = Scenario::random_with_abatement(number);
        scenario.until += scenario.until - Instant::ZERO;
        let threads: &[usize] = if number % 4 == 0 { &[1, 3] } else { &[2] };
        compare(&scenario, threads);
    }
}

#[test]
fn random_scenarios_with_abatement() {
    compare_abated(numbers(0..100));
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_abatement() {
    compare_abated(asked_for(100..2100));
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_windows() {
    compare_windows(asked_for(100..2100), &[1]);
}

/// In how many of 60 scenarios anything is otherwise without control.
fn count_changed(drawn: fn(u64) -> Scenario) -> usize {
    let is_changed = |number: &u64| {
        let controlled = drawn(*number);
        let mut free = controlled.clone();
        free.parameters.control = None;
        controlled.simulate().unwrap().records != free.simulate().unwrap().records
    };
    (0..60).filter(is_changed).count()
}

#[test]
fn credit_and_abatement_matter() {
    let credit = count_changed(Scenario::random_with_credit);
    let abatement = count_changed(Scenario::random_with_abatement);
    assert!(
        credit > 15 && abatement > 15,
        "{credit} and {abatement} of 60 scenarios"
    );
}
