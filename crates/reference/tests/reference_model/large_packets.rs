//! Packets that stand for several full ones, see `docs/model/network.md`: engine and reference
//! model agree.

use std::ops::Range;

use odonata_reference::testing::Scenario;

use crate::agreement::{asked_for, compared};

/// Packets, those larger than a full one, and those of the responses to such.
fn compare_large(numbers: Range<u64>) -> [usize; 3] {
    let mut seen = [0; 3];
    for number in numbers {
        let scenario = Scenario::random_with_large_packets(number);
        let threads: &[usize] = if number % 6 == 0 { &[1, 3] } else { &[1] };
        let parameters = &scenario.parameters;
        for record in compared(&scenario, threads) {
            seen[0] += 1;
            seen[1] += usize::from(record.bytes > parameters.packet_bytes);
            let responses = parameters.response_bytes..=parameters.packet_bytes;
            let is_response = record.lane % 2 == 1 && responses.contains(&record.bytes);
            let is_several = parameters.response_bytes > 0
                && record.bytes > parameters.response_bytes
                && record.bytes.is_multiple_of(parameters.response_bytes);
            seen[2] += usize::from(is_response && is_several);
        }
    }
    seen
}

#[test]
fn random_scenarios_with_large_packets() {
    let [packets, large, responses] = compare_large(0..100);
    assert!(
        packets > 20_000 && large * 20 > packets && responses > 100,
        "{packets} packets, {large} of them large, {responses} responses to such"
    );
}

/// Any number of further ones: `ODONATA_SCENARIOS=0..5000`.
#[test]
#[ignore = "minutes; by command, with a range of numbers"]
fn further_random_scenarios_with_large_packets() {
    compare_large(asked_for(100..2100));
}
